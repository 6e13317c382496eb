#ifndef SHARD_EMBEDDING_VECTOR_BUILDER_H
#define SHARD_EMBEDDING_VECTOR_BUILDER_H
/*
 * Makes the vectors of the published index in a child of its own: it reads the index and the texts
 * from git, embeds what has no vector yet, and exits. It may be killed at any instant; what it
 * flushed stays. It reports to its parent as the ingest does (ingest.h): `vectors DONE TOTAL`, then
 * published | unchanged | error CODE message.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shard/vectors/vector_file.h"

struct embedder;
struct err;
struct index_info;
struct options;

/* The embedder that the options select. Returns NULL with INVALID_INPUT. */
struct embedder *vectors_embedder(const struct options *, struct err *e);

/*
 * A hash of the options that decide which vectors the texts of an index get: vectors_head.settings
 * (VECTORS_TEXT_SIZE bytes).
 */
void vectors_settings(const struct options *, const struct embedder *, char *out);

/* Runs as the child. Returns the exit status. */
int vector_builder_run(const struct options *, struct err *e);

/*
 * How complete the vectors of an index are: the documents that have one from this embedder and for
 * these texts. The checkpoint is that of vectors_open.
 */
struct vector_status {
	uint64_t done, total, bytes;
	/* files, too, have vectors of their commits' subjects, up to the index's commit */
	bool files_done;
	char fingerprint[240];		/* of the embedder; "" if there are no vectors */
	struct vectors_checkpoint verified;	/* a part of the file; 0 if there is none */
};
void vector_status_read(const struct options *, const char *dir, const struct index_info *,
    struct vectors_checkpoint *, struct vector_status *out);
#endif
