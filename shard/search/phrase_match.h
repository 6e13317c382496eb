#ifndef SHARD_SEARCH_PHRASE_MATCH_H
#define SHARD_SEARCH_PHRASE_MATCH_H
/* Words that must follow each other: "…" in a question. */

#include <stdbool.h>
#include <stddef.h>

#include "proto/text/question.h"

/*
 * Whether the text contains the words in this order, with only white space and punctuation between
 * them.
 */
bool phrase_matches(const struct phrase *, const char *text, size_t n);
#endif
