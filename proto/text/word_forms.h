#ifndef PROTO_TEXT_WORD_FORMS_H
#define PROTO_TEXT_WORD_FORMS_H
/*
 * Other forms of an English word: delete, deleted, deleting, deleter.  What a question says in one
 * form code says in another, so these are looked for too, and count less (bm25.h).  Plurals are
 * one term already (tokens.h).
 */

#include <stdbool.h>
#include <stddef.h>

struct arena;

enum { WORD_FORMS_MAX = 9 };

/*
 * The length of what all forms of a word begin with: 4 of `planned`; of a term that is no plain
 * word all of it.
 */
size_t word_stem_len(const char *term);

/* Whether two terms are forms of one word; a term is one of itself. */
bool word_forms_equal(const char *term, const char *other);

/* The other forms that a term may have, whether or not these are words: how many. */
size_t word_forms(const char *term, const char *out[WORD_FORMS_MAX], struct arena *);
#endif
