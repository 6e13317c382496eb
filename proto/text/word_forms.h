#ifndef PROTO_TEXT_WORD_FORMS_H
#define PROTO_TEXT_WORD_FORMS_H
/*
 * Other forms of an English word: delete, deleted, deleting, deleter.  What a question says in one form code says in
 * another, so these are looked for too, and count less (bm25.h).  Plurals are one term already (tokens.h).
 */

#include <stdbool.h>
#include <stddef.h>

struct arena;

enum { FORMS = 9 };

/* The length of what all forms of a word begin with: 4 of `planned`; of a term that is no plain word all of it. */
size_t forms_root(const char *term);

/* Whether two terms are forms of one word; a term is one of itself. */
bool forms_same(const char *term, const char *other);

/* The other forms that a term may have, whether or not these are words: how many. */
size_t forms_of(const char *term, const char *out[FORMS], struct arena *);
#endif
