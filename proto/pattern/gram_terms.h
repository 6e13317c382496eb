#ifndef PROTO_PATTERN_GRAM_TERMS_H
#define PROTO_PATTERN_GRAM_TERMS_H
/*
 * Conditions about grams while they are put together, two at a time.  NULL is the condition that
 * always holds. The results belong to the arena and share their parts.
 */

#include <stddef.h>

struct arena;
struct gram_query;
struct gram_term;

/* A text contains all grams of these normalised bytes. */
const struct gram_term *gram_term_text(struct arena *, const char *p, size_t n);

const struct gram_term *gram_term_all(
    struct arena *, const struct gram_term *, const struct gram_term *);
const struct gram_term *gram_term_one(
    struct arena *, const struct gram_term *, const struct gram_term *);

/*
 * As a query of bounded size, in the arena: where there is too much of it, conditions are left
 * out.
 */
const struct gram_query *gram_terms_query(const struct gram_term *, struct arena *);
#endif
