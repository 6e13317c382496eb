#ifndef SHARD_QUESTION_H
#define SHARD_QUESTION_H
/* What a person typed, as terms to search for.  The text is data: nothing in it is syntax but double quotes. */

#include <stddef.h>

#include "proto/text/tokens.h"

struct arena;
struct buf;
struct db;
struct err;
struct fts_ranking;

enum { QUESTION_TERMS = 64 };	/* at most so many are searched for */

struct question {
	struct terms terms;	/* one of which must fit, the rarest first; none with phrases */
	const char **phrases;	/* each of which must fit: "…" in the text */
	size_t nphrases;
	const char **words;	/* that may be names of symbols, as they were written */
	size_t nwords;
};

/*
 * INVALID_INPUT when there is nothing to search for.  `db` knows which terms there are and how common; what they
 * decide goes into `ranking->idf`.
 */
int question_read(struct question *, const char *text, struct db *db, struct fts_ranking *ranking, struct arena *,
    struct err *);

/* The FTS5 expression, every term quoted, or NULL: the index holds none of them. */
const char *question_match(const struct question *, struct arena *);
#endif
