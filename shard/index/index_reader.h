#ifndef SHARD_INDEX_INDEX_READER_H
#define SHARD_INDEX_INDEX_READER_H
/* What a request reads from: the published index, its vectors, and the repository. */

#include <stdbool.h>
#include <stdint.h>

#include "shard/index/bm25.h"
#include "shard/index/index_store.h"
#include "shard/vectors/vector_file.h"

struct db;
struct err;
struct repo;

/*
 * Messages for callers, which must not contain paths of this machine: the shard may not read the
 * repository (because of its owner, or a rule for sources); git cannot read it; it was moved away.
 */
#define READER_REFUSED \
	"this shard may not read the repository: `atoll doctor` shows the reason and the remedy"
#define READER_UNREADABLE \
	"git cannot read the repository: `atoll doctor` shows the reason and the remedy"
#define READER_REPO_MISSING \
	"the repository is no longer at its path: put it back, or remove it and add it again"

/* Reads one generation until it is reset.  Used by one thread at a time. */
struct index_reader {
	struct db *db;			/* NULL if the RPC needs no index, or there is none */
	struct index_info info;		/* of the generation that is read */
	struct ranking ranking;		/* use index_reader_ranking */
	void *ranking_mem;
	uint8_t *name_priors;		/* use index_reader_name_priors */
	struct bm25_scores *scores;	/* cleared scores of the last question, for their memory */
	int64_t ranked;			/* generation of `ranking` */
	struct vectors *vectors;	/* use index_reader_vectors */
	struct vectors_checkpoint vectors_mark;
	struct repo *repo;		/* use index_reader_repo */
	const char *place;		/* path of the repository */
	const char *data;		/* folder of the index */
	bool embeds;			/* texts are to have vectors */
	int64_t began_ms, deadline_ms;	/* of the request, monotonic; 0 = it has no deadline */
};

/*
 * When this percentage of the request's time has passed (monotonic ms); 0 without a deadline.  What
 * can go on for long stops then, so that there is time to send what was found.
 */
int64_t index_reader_until(const struct index_reader *, int percent);

/* The reader's own handle of the repository, opened when first needed; NULL with `e`. */
struct repo *index_reader_repo(struct index_reader *, struct err *e);

/* Lengths and priors of the documents, read when first needed; NULL with `e`. */
struct ranking *index_reader_ranking(struct index_reader *, struct err *e);

/*
 * The priors of index_reader_ranking, which must have succeeded, for questions that are a name
 * (document_prior_for_names); they live as long as the ranking.
 */
const uint8_t *index_reader_name_priors(struct index_reader *);

/*
 * The current vectors, of whichever index and embedder. NULL if there are none; `e` tells whether
 * that is an error.
 */
struct vectors *index_reader_vectors(struct index_reader *, struct err *e);

/* Releases what belongs to the index; releases everything. */
void index_reader_reset(struct index_reader *);
void index_reader_close(struct index_reader *);
#endif
