#ifndef SHARD_INDEX_INDEX_READER_H
#define SHARD_INDEX_INDEX_READER_H
/* What a request reads with: the published index, its vectors, and the repository. */

#include <stdbool.h>
#include <stdint.h>

#include "shard/index/bm25.h"
#include "shard/index/index_store.h"
#include "shard/vectors/vector_file.h"

struct db;
struct err;
struct repo;

/*
 * What callers are told, without paths: the repository is refused (its owner, or a rule for
 * sources); it is not where it was.
 */
#define READER_REFUSED \
	"this shard may not read the repository: `atoll doctor` says why, and what admits it"
#define READER_REPO_MISSING "the repository is not in its place any more: put it back, or remove it and add it where it is now"

/* One generation throughout.  One thread at a time has it. */
struct index_reader {
	struct db *db;			/* NULL: the RPC needs no index, or there is none */
	struct index_info info;		/* of what is read */
	struct ranking ranking;	/* use index_reader_ranking */
	void *ranking_mem;
	struct bm25_scores *scores;	/* of the last question, cleared: their memory */
	int64_t ranked;			/* generation that it is of */
	struct vectors *vectors;	/* use index_reader_vectors */
	struct vectors_checkpoint vectors_mark;
	struct repo *repo;		/* use index_reader_repo */
	const char *place;		/* of that */
	const char *data;		/* folder of the index */
	bool embeds;			/* its texts shall have vectors */
};

/* The reader's own handle of the repository, opened when first needed; NULL with `e`. */
struct repo *index_reader_repo(struct index_reader *, struct err *e);

/* Lengths and priors of the documents, read when first needed; NULL with `e`. */
struct ranking *index_reader_ranking(struct index_reader *, struct err *e);

/*
 * The vectors as they are now, of whichever index and embedder; NULL: none, and `e` says whether
 * that is an error.
 */
struct vectors *index_reader_vectors(struct index_reader *, struct err *e);

/* Give back what is of the index; everything. */
void index_reader_reset(struct index_reader *);
void index_reader_close(struct index_reader *);
#endif
