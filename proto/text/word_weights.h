#ifndef PROTO_TEXT_WORD_WEIGHTS_H
#define PROTO_TEXT_WORD_WEIGHTS_H
/*
 * How much a word of a question tells of what is looked for, beside how seldom it is in code:
 * people say "allow", "ensure" and "instead" of anything.  Learned from what comments, commits and
 * tests say of code (word_weights.def).
 */

struct word_weight {
	double words;		/* times what the term decides (shard/index/bm25.h) */
	double meaning;		/* times its share in the question's vector */
};

/*
 * Of a term as tokens.h gives it; all forms of a word (word_forms.h) tell the same.  1 and 1 when
 * nothing is known of it.
 */
struct word_weight word_weight(const char *term);
#endif
