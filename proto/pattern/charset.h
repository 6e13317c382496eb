#ifndef PROTO_PATTERN_CHARSET_H
#define PROTO_PATTERN_CHARSET_H
/* Sets of characters. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

struct range {
	uint32_t first, last;
};

/* Immutable.  The ranges are ascending, and there is a gap between two. */
struct charset {
	size_t n;
	const struct range *ranges;
};

/* The set of any ranges, in any order; they may overlap.  Copies them, sorts `ranges` itself. */
const struct charset *charset_new(struct arena *, struct range *ranges, size_t n);

const struct charset *charset_one(struct arena *, uint32_t c);
const struct charset *charset_without(
    struct arena *, const struct charset *, const struct charset * not );
const struct charset *charset_union(struct arena *, const struct charset *, const struct charset *);
const struct charset *charset_both(struct arena *, const struct charset *, const struct charset *);
const struct charset *charset_inverse(struct arena *, const struct charset *);

bool charset_has(const struct charset *, uint32_t c);
bool charset_equal(const struct charset *, const struct charset *);

/* Whether it is one character, which `c` receives. */
bool charset_is_one(const struct charset *, uint32_t *c);

/* The number of its characters. */
size_t charset_size(const struct charset *);
#endif
