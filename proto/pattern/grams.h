#ifndef PROTO_PATTERN_GRAMS_H
#define PROTO_PATTERN_GRAMS_H
/*
 * Trigrams: three consecutive bytes of a text in which A-Z are a-z, the Kelvin sign (U+212A) is k
 * and the long s (U+017F) is s, so that a search that ignores case looks for the same grams.
 * Trigrams with a line end are left out. A gram is a number: the first byte << 16 | the second <<
 * 8 | the third.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gram_collector; /* scratch memory of one thread, about 2 MB */

struct gram_collector *gram_collector_new(void);
void gram_collector_free(struct gram_collector *); /* NULL is fine */

/*
 * The distinct grams of a text, smallest first; *count is their number.  Linear in the text.
 * They belong to the collector and stay until its next call.
 */
const uint32_t *grams_collect(struct gram_collector *, const char *text, size_t n, size_t *count);

enum gram_query_kind {
	GRAM_QUERY_ANY, /* every text may match */
	GRAM_QUERY_GRAM, /* the text has `gram` */
	GRAM_QUERY_ALL, /* all of `parts` hold */
	GRAM_QUERY_ONE, /* at least one of `parts` holds */
};

enum { GRAM_QUERY_MAX_NODES = 20000, GRAM_QUERY_MAX_DEPTH = 200 };

/*
 * What the grams of a text with a match must fulfil.  ANY stands only at the root; ALL and ONE
 * have at least two parts, and none of their own kind.
 */
struct gram_query {
	enum gram_query_kind kind;
	uint32_t gram;
	size_t nparts;
	const struct gram_query *const *parts;
};

/* Whether a text may match, of which `has` says whether it has a gram. */
bool gram_query_may_match(
    const struct gram_query *, bool (*has)(void *arg, uint32_t gram), void *arg);
#endif
