#ifndef PROTO_TEXT_QUESTION_H
#define PROTO_TEXT_QUESTION_H
/*
 * What a person typed, as terms to search for.  The text is data: nothing in it is syntax but
 * double quotes, which in a sentence stress a word and demand nothing, and a `*` behind a word.
 * Whoever searches several shards as one decides by this which terms count; a shard reads phrases
 * and names in the same way.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/record/record.h"

struct arena;
struct err;

/* at most so many are searched for, the rarest */
enum { QUESTION_TERMS = 64, PHRASE_WORDS = 32 };

struct phrase {
	const char *word[PHRASE_WORDS];	/* terms, as in the index */
	size_t n;
};

struct question {
	const char **terms;	/* one of which must be in a document; with phrases all of them */
	/* the first were asked for, the others are other forms of these (word_forms.h) */
	size_t nterms, noriginal;
	/* each of which must be there: "…" in the text; their words are the terms then */
	struct phrase *phrases;
	size_t nphrases;
	const char **words;	/* that may be names of symbols, as they were written */
	size_t nwords;
	struct question_path *paths;	/* that may be files: `src/app.py`, `app.py:120` */
	size_t npaths;
	bool only_paths;	/* nothing else was asked */
	/*
	 * what was typed must be there: files, beginnings of words, phrases, one name; what only means
	 * the same is no answer
	 */
	bool literal;
};

struct question_path {
	const char *path;
	uint64_t line;		/* 0: none */
};

/*
 * A word with `*` behind it (`load_us*`) is one term, itself with the `*`, and stands for every
 * term that begins so.  The prefix, or NULL: the term is a plain one.
 */
const char *question_prefix(const char *term, struct arena *);

/* INVALID_INPUT when there is nothing to search for. */
int question_parse(struct question *, const char *text, struct arena *, struct err *);

/*
 * Leave out of the counted terms those that nothing holds or that are too many: how many stay, in
 * the order in which their scores are added up.  With phrases all of them.
 */
size_t question_select_terms(const struct question *, struct term_count *, size_t n);
#endif
