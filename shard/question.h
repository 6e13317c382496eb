#ifndef SHARD_QUESTION_H
#define SHARD_QUESTION_H
/* What a person typed, as terms to search for.  The text is data: nothing in it is syntax but double quotes. */

#include <stddef.h>

#include "shard/phrase.h"
#include "shard/rank.h"

struct arena;
struct db;
struct err;

enum { QUESTION_TERMS = 64 };	/* at most so many are searched for, the rarest */

struct question {
	struct weighed *terms;	/* one of which must be in a document; with phrases all of them */
	size_t nterms;
	struct phrase *phrases;	/* each of which must be there: "…" in the text; their words are the terms then */
	size_t nphrases;
	const char **words;	/* that may be names of symbols, as they were written */
	size_t nwords;
};

/* INVALID_INPUT when there is nothing to search for. */
int question_read(struct question *, const char *text, struct arena *, struct err *);

/* Count the terms in an index, and leave out those that it lacks or that are too many; with phrases none is left out. */
int question_weigh(struct question *, struct db *, const struct ranking *, struct err *);
#endif
