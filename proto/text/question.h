#ifndef PROTO_TEXT_QUESTION_H
#define PROTO_TEXT_QUESTION_H
/*
 * Parses a question into terms to search for.  Its only syntax are double quotes around a phrase,
 * which in a sentence only stress a word, and a `*` after the beginning of a word.  The coordinator
 * uses it to choose the terms for all shards; a shard parses phrases and names the same way.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/record/record.h"

struct arena;
struct err;

/*
 * In a count of terms (stats_req): a key follows, and the files are meant that define a name with
 * it.  No term contains this.
 */
#define QUESTION_NAME_MARK '='

/* the maximum number of terms, of which the rarest are used, and of words in a phrase */
enum { QUESTION_TERMS = 64, PHRASE_WORDS = 32 };

struct phrase {
	const char *text;		/* as it was written */
	const char *word[PHRASE_WORDS];	/* its terms, as in the index; maybe none */
	size_t n;
};

struct question {
	const char **terms;	/* a document must contain one of them; with phrases, all */
	/* the first `noriginal` terms are in the question, the others are their forms (word_forms.h) */
	size_t nterms, noriginal;
	/*
	 * "…" in the question: a document must contain each as it is written.  Their words are then the
	 * terms; if none has a word, those of the rest are
	 */
	struct phrase *phrases;
	size_t nphrases;
	const char **words;	/* words that may be names of symbols, as they were written */
	size_t nwords;
	/*
	 * the question if it is one word, which may be the name of a definition (`Client.GetUser`) or,
	 * also without a `*` behind it, the beginning of one; with dots for `->` and `\`.  Else NULL
	 */
	const char *name;
	bool name_is_file;	/* `name` is rather a file: `src/app.py` */
	const struct route_path *route;	/* if it is nothing but a route (route_question.h), else NULL */
	const char *route_method;	/* of the route; NULL if it does not say one */
	bool name_is_prefix;	/* a `*` follows: only names that begin with these letters */
	/*
	 * QUESTION_NAME_MARK and the key of `name`, by which the files that define it are counted (stats);
	 * NULL if the number does not matter
	 */
	const char *counted_name;
	/*
	 * the key (symbol_match.h) of the name that the words of a short question spell: getflashedmessages
	 * for `get flashed messages`; else NULL
	 */
	const char *spelled;
	struct question_path *paths;	/* words that may be files: `src/app.py`, `app.py:120` */
	size_t npaths;
	bool only_paths;	/* there are no other words */
	bool keywords;		/* at most two of its words have a meaning of their own */
	/*
	 * the question is for exact text (files, prefixes, phrases, one name), so a similar meaning is
	 * no answer
	 */
	bool literal;
};

struct question_path {
	const char *path;
	uint64_t line;		/* 0 = none */
};

/*
 * A word with `*` after it (`load_us*`) is one term, with the `*`, and matches every term with that
 * prefix.  Returns the prefix, or NULL for a plain term.
 */
const char *question_prefix(const char *term, struct arena *);

/* Parse a question.  0, or -1 with INVALID_INPUT if there is nothing to search for. */
int question_parse(struct question *, const char *text, struct arena *, struct err *);

/*
 * Remove the terms that no document contains, and all but the rarest QUESTION_TERMS.  Returns how
 * many stay, in the order in which their scores are added.  With phrases all of them stay.
 */
size_t question_select_terms(const struct question *, struct term_count *, size_t n);

/*
 * Whether definitions whose names begin like the name that is asked for are an answer too: not if so
 * many files of all that is searched (search_req.names) define the name itself that these fill a page,
 * unless filters may remove them.
 */
bool question_wants_longer_names(const struct question *, const struct search_req *);
#endif
