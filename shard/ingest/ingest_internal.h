#ifndef SHARD_INGEST_INGEST_INTERNAL_H
#define SHARD_INGEST_INGEST_INTERNAL_H
/*
 * What the parts of the ingest child share: ingest.c is its start and end, full_build.c and
 * incremental_build.c do the work, and fetch_process.c runs before it.
 */

#include <stdbool.h>

#include "shard/git/repo_source.h"
#include "shard/index/index_store.h"
#include "shard/ingest/ingest.h"
#include "shard/ingest/quarantine.h"
#include "shard/parse/parser.h"

#include "proto/base/buf.h"
#include "proto/net/crypto.h"
#include "shard/definitions/retained_tree.h"
#include "shard/facts/facts.h"

struct arena;
struct err;
struct options;
struct planned_file;
struct repo;

struct ingest {
	struct manifests *manifests;
	const struct options *o;
	struct repo_source src;
	struct quarantine quarantine;		/* files that are skipped */
	int notes;			/* descriptor of the notes of files in progress (quarantine.h) */
};

/* For struct text_source: the text of a blob of the repository (struct repo). */
int ingest_read_text(void *repo, const char *path, const char *blob, struct buf *out);

/* From here on the ingest child can reach only the repository, the index and ctags. */
int ingest_enter_sandbox(const struct ingest *, struct repo *, struct arena *, struct err *);

/*
 * The hash of everything except the blobs that decides the facts of files: an index with other
 * settings is rebuilt.
 */
void ingest_settings_hash(const struct ingest *, char out[SHA256_HEX]);

/* A parsed file. The facts live in `a`, and point into `text` and into the parser. */
struct parsed_file {
	bool done;
	const char *skip;	/* why it is skipped after all; NULL if it is not */
	const char *remark;	/* what of it is indexed, if it is left out (planned_file.left_out) */
	const char *language;
	struct arena *a;
	struct buf text;
	struct facts facts;
	/* with `hold`: the tree, for contracts across files; else retained.ts is NULL */
	struct retained_tree retained;
};

/*
 * Parses a file into facts, or finds a reason to skip it. Meanwhile the file is noted as in
 * progress by parser `slot`. With `hold` the tree may be retained; then the caller frees it with
 * retained_tree_free.
 */
void ingest_parse(const struct ingest *, int slot, const struct planned_file *, struct repo *,
    struct parser *, bool hold, struct parsed_file *out);

/* The reason with which a parsed file is listed among the skipped ones; NULL if it is not. */
const char *ingest_skip_reason(const struct parsed_file *);

/*
 * Writes the index of info->commit into a new file. The caller fills in all of `info` that does not
 * depend on the files.
 */
int full_build_run(
    struct ingest *, struct repo *, struct index_info *info, struct arena *a, struct err *e);

/*
 * Brings the index `now` to the commit `to` in one transaction. Returns 1 when done, and `now`
 * describes the new index; 0 if a full build is better, and *why contains the reason; -1 with `e`.
 */
int incremental_build_run(struct ingest *, struct repo *, struct index_info *now, const char *to,
    const char **why, struct arena *a, struct err *e);
#endif
