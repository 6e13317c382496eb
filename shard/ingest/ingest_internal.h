#ifndef SHARD_INGEST_INGEST_INTERNAL_H
#define SHARD_INGEST_INGEST_INTERNAL_H
/*
 * What the parts of the ingest child share: ingest.c begins and ends, full_build.c and
 * incremental_build.c do the work, fetch_process.c goes before.
 */

#include <stdbool.h>

#include "shard/git/repo_source.h"
#include "shard/index/index_store.h"
#include "shard/ingest/ingest.h"
#include "shard/ingest/quarantine.h"
#include "shard/parse/parser.h"

#include "proto/base/buf.h"
#include "proto/net/crypto.h"
#include "shard/contracts/urls/retained_tree.h"
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
	struct quarantine quarantine;		/* files that are left out */
	int notes;			/* of the file in progress (quarantine.h) */
};

/* struct text_source: the text of a blob of the repository (struct repo). */
int ingest_read_text(void *repo, const char *path, const char *blob, struct buf *out);

/* From here on the ingest child reaches nothing but the repository, the index and ctags. */
int ingest_enter_sandbox(const struct ingest *, struct repo *, struct arena *, struct err *);

/*
 * Hash of everything but the blobs that decides what their files give: an index of other settings
 * is written anew.
 */
void ingest_settings_hash(const struct ingest *, char out[SHA256_HEX]);

/* A parsed file.  The facts live in `a`, point into `text` and into the parser. */
struct parsed_file {
	bool done;
	const char *skip;	/* why it is left out after all; NULL: it is not */
	const char *language;
	struct arena *a;
	struct buf text;
	struct facts facts;
	/* ingest_parse with `hold`, of what join will ask: its tree; else kept.ts is NULL */
	struct retained_tree retained;
};

/*
 * The bytes of a file into facts, or a reason to leave it out; noted as in progress by parser
 * `slot`.  `hold`: the tree may stay, of which retained_tree_free is then the caller's.
 */
void ingest_parse(const struct ingest *, int slot, const struct planned_file *, struct repo *,
    struct parser *, bool hold, struct parsed_file *out);

/* What is to be said of a parsed file among those that are left out; NULL: nothing. */
const char *ingest_skip_reason(const struct parsed_file *);

/*
 * Write the whole index of info->commit as a new file.  `info` has everything but what the files
 * give.
 */
int full_build_run(
    struct ingest *, struct repo *, struct index_info *info, struct arena *a, struct err *e);

/*
 * Bring the index `now` to the commit `to`, as one transaction.  1: done, and `now` says what it
 * is; 0: it is better written anew, and *why says why; -1 with `e`.
 */
int incremental_build_run(struct ingest *, struct repo *, struct index_info *now, const char *to,
    const char **why, struct arena *a, struct err *e);
#endif
