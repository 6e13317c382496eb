#ifndef PROTO_TEXT_WORD_WEIGHTS_H
#define PROTO_TEXT_WORD_WEIGHTS_H
/*
 * How much a word of a question helps to find code, apart from its frequency: "allow", "ensure" and
 * "instead" could be about anything.  Learned from comments, commits and tests (word_weights.def).
 */

struct word_weight {
	double words;		/* factor for the term's score (shard/index/bm25.h) */
	double meaning;		/* factor for its share of the question's vector */
};

/*
 * The weights of a term of tokens.h, the same for all forms of a word (word_forms.h); 1 and 1 if
 * the word is unknown.
 */
struct word_weight word_weight(const char *term);
#endif
