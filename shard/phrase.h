#ifndef SHARD_PHRASE_H
#define SHARD_PHRASE_H
/* Words that must follow each other: "…" in a question. */

#include <stdbool.h>
#include <stddef.h>

enum { PHRASE_WORDS = 32 };

struct phrase {
	const char *word[PHRASE_WORDS];	/* terms, as in the index */
	size_t n;
};

/* Whether the words stand in the text, in this order, with nothing but white space and punctuation between them. */
bool phrase_in(const struct phrase *, const char *text, size_t n);
#endif
