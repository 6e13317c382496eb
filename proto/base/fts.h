#ifndef PROTO_BASE_FTS_H
#define PROTO_BASE_FTS_H
/* Full-text search over code with SQLite's FTS5: the `code` tokenizer and a ranking function. */

#include <stddef.h>
#include <stdint.h>

struct buf;
struct db;
struct err;

#define FTS_POINTER "atoll"	/* the type of pointers that db_bind passes */

enum { FTS_FIELDS = 8, FTS_PHRASES = 72 };

/*
 * What `code_rank(t, ?)` scores a document with, bound by the letter p of db_bind; it must outlive the run.
 * BM25 as in Robertson and Zaragoza (2009) with k1 = 1.2 and b = 0.75; the frequency of a phrase is the sum over the
 * fields of weight * occurrences.  The statistics are the caller's, so that many indexes can score as if they were one.
 */
struct fts_ranking {
	const uint16_t *lengths;	/* tokens of each document, by rowid */
	const uint8_t *priors;		/* what their scores are multiplied by, in percent */
	size_t n;			/* documents + 1: rowids start at 1 */
	double average;			/* length */
	double weights[FTS_FIELDS];	/* of the columns, in order */
	double idf[FTS_PHRASES];	/* of the phrases of the MATCH expression, in order */
};

/* How much a phrase decides that is in `documents` of `all`: log(1 + (all - documents + 0.5) / (documents + 0.5)). */
double fts_idf(double documents, double all);

/* Make `tokenize='code'` (proto/text/tokens.h says how it splits) and code_rank known to the connection; db_open calls it. */
int fts_register(struct db *, struct err *);

/*
 * Append the length in tokens of each document of the FTS5 table `fts`, a uint16_t by rowid from 0; longer ones count
 * as UINT16_MAX.
 */
int fts_lengths(struct db *, struct buf *out, struct err *);
#endif
