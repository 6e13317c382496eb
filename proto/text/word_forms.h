#ifndef PROTO_TEXT_WORD_FORMS_H
#define PROTO_TEXT_WORD_FORMS_H
/*
 * Other forms of an English word: delete, deleted, deleting, deleter.  A question may use one form
 * and the code another, so a search includes these with a lower weight (bm25.h).  Singular and
 * plural are the same term already (tokens.h).
 */

#include <stdbool.h>
#include <stddef.h>

struct arena;

enum { WORD_FORMS_MAX = 9 };

/*
 * The length of the stem that all forms of a word begin with: 4 for `planned`.  For a term that is
 * not a plain word, its whole length.
 */
size_t word_stem_len(const char *term);

/* Whether two terms are forms of the same word, or equal. */
bool word_forms_equal(const char *term, const char *other);

/* Write the other forms that a term may have, words or not, to `out`.  Returns their number. */
size_t word_forms(const char *term, const char *out[WORD_FORMS_MAX], struct arena *);
#endif
