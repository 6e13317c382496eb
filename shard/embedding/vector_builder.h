#ifndef SHARD_EMBEDDING_VECTOR_BUILDER_H
#define SHARD_EMBEDDING_VECTOR_BUILDER_H
/*
 * The vectors of the published index, made by a child of their own: it reads the index and the
 * texts from git, embeds what has no vector yet, and exits.  It may be killed at any instant; what
 * it flushed stays.  It tells its parent as the ingest does (ingest.h): `vectors DONE TOTAL`, then
 * published | unchanged | error CODE message.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct embedder;
struct err;
struct index_info;
struct options;
struct vectors_checkpoint;

/* The embedder that the options ask for.  NULL with INVALID_INPUT. */
struct embedder *vectors_embedder(const struct options *, struct err *e);

/*
 * What decides which vectors the texts of an index get, as far as the options say it:
 * vectors_head.settings (VECTORS_TEXT_SIZE bytes).
 */
void vectors_settings(const struct options *, const struct embedder *, char *out);

/* Be the child.  Returns the exit status. */
int vector_builder_run(const struct options *, struct err *e);

/*
 * How far the vectors of an index are: documents that have one, by this embedder and of these
 * texts.  The mark is vectors_open's.
 */
struct vector_status {
	uint64_t done, total, bytes;
	/* and files have those of what commits say, up to the index's own */
	bool files_done;
	char fingerprint[240];		/* "": there are none */
};
void vector_status_read(const struct options *, const char *dir, const struct index_info *,
    struct vectors_checkpoint *, struct vector_status *out);
#endif
