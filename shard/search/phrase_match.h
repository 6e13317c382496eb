#ifndef SHARD_SEARCH_PHRASE_MATCH_H
#define SHARD_SEARCH_PHRASE_MATCH_H
/* Text as it is written: "…" in a question. */

#include <stdbool.h>
#include <stddef.h>

struct phrase_place {
	size_t start, end;	/* byte offsets */
};

/*
 * Whether `text` contains the phrase as it is written: case, punctuation and blanks count.  It
 * begins and ends at the ends of words: "user" is not in `users`, `user_id` or `superuser`.  White
 * space with a line end matches any white space with a line end, so that indentation and \r do not
 * matter.  Sets the first place, if `at` is not NULL.
 */
bool phrase_matches(const char *phrase, const char *text, size_t n, struct phrase_place *at);
#endif
