#ifndef PROTO_PATTERN_UNICODE_SETS_H
#define PROTO_PATTERN_UNICODE_SETS_H
/*
 * The sets of characters that Unicode defines.  The usual ones are in unicode.def; others come
 * from PCRE2's tables, are made when they are first needed, and stay until the process ends.
 * Thread-safe.
 */

#include <stddef.h>

#include "proto/pattern/charset.h"

/* \w, \d and \s as Rust's regular expressions mean them. */
const struct charset *unicode_word(void);
const struct charset *unicode_digit(void);
const struct charset *unicode_space(void);

/*
 * The set of what stands in \p{...}: a general category, a script, a binary property, or one of
 * the first two behind gc=, sc= or scx=.  NULL if there is none of that name.  The first use of a
 * name takes some 15 milliseconds.
 */
const struct charset *unicode_property(const char *name, size_t n);

/* The set, and all that simple case folding makes equal to one of its characters. */
const struct charset *unicode_fold(struct arena *, const struct charset *);
#endif
