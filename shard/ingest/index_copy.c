#include "shard/ingest/index_copy.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/db/db.h"
#include "proto/record/record.h"
#include "shard/base/options.h"
#include "shard/facts/facts.h"
#include "shard/git/repo.h"
#include "shard/graph/graph_hash.h"
#include "shard/index/snapshot_fetch.h"
#include "shard/ingest/ingest_internal.h"

enum { PATH = 4096 };

struct index_copy {
	const struct ingest *in;
	struct repo *repo;
	const char *settings;
	struct index_info info;		/* of the copy */
};

/* Whether this program would have built the same index of the same commit, and has that commit. */
static int fits(void *ctx, const struct snapshot_res *r, const struct freshness *f, struct err *e)
{
	const struct index_copy *c = ctx;
	char oid[REPO_OID_SIZE];

	if (strcmp(f->repo_uri, c->in->src.repo_uri))
		return err_set(e, ERR_SCHEMA_MISMATCH, "it serves another repository");
	if (r->schema != SCHEMA_VERSION || r->extractor != EXTRACTOR_VERSION)
		return err_set(e, ERR_SCHEMA_MISMATCH,
		    "its index has schema %llu.%llu, this program has %d.%d", (unsigned long long)r->schema,
		    (unsigned long long)r->extractor, SCHEMA_VERSION, EXTRACTOR_VERSION);
	if (!r->settings || strcmp(r->settings, c->settings))
		return err_set(e, ERR_SCHEMA_MISMATCH, "it indexes with other settings");
	if (repo_revision(c->repo, f->commit, oid, e))
		return err_add(e, "this repository lacks its commit %.12s", f->commit);
	return 0;
}

/*
 * Checks the copy's metadata and the hash of its files, and gives it a generation of this data
 * directory.
 */
static int adopt_db(struct index_copy *c, struct db *db, struct err *e)
{
	char hash[SHA256_HEX];
	int64_t generation = store_next_generation(c->in->src.data);

	if (store_read_info(db, &c->info, e) || graph_hash(db, hash, e))
		return -1;
	if (strcmp(hash, c->info.graph_hash) || strcmp(c->info.repo_uri, c->in->src.repo_uri))
		return err_set(e, ERR_DB_ERROR, "the copy's graph_hash is not that of its files");
	c->info.generation = generation;
	return store_put_info(db, &c->info, e);
}

static int adopt(struct index_copy *c, const char *tmp, struct err *e)
{
	struct db *db = db_open(tmp, DB_WRITE, e);

	if (!db)
		return -1;
	int rc = adopt_db(c, db, e);
	db_close(db);
	return rc;
}

static int publish(void *ctx, const char *part, struct err *e)
{
	struct index_copy *c = ctx;
	const char *dir = c->in->src.data;
	char tmp[PATH];

	snprintf(
	    c->info.file, sizeof c->info.file, "index-%lld.db", (long long)store_next_generation(dir));
	snprintf(tmp, sizeof tmp, "%s/%s.tmp", dir, c->info.file);
	if (rename(part, tmp))
		return err_set(e, ERR_DB_ERROR, "%s: %s", part, strerror(errno));
	if (adopt(c, tmp, e) || store_publish(dir, c->info.file, e))
		return -1;
	log_info("copy.published", "commit=%.12s generation=%lld", c->info.commit,
	    (long long)c->info.generation);
	return 0;
}

static void report_progress(uint64_t have, uint64_t size)
{
	ingest_report("copy 0 0 %llu %llu", (unsigned long long)have, (unsigned long long)size);
}

int copy_index(const struct ingest *in, struct repo *repo, const char *settings, struct arena *a)
{
	struct index_copy c = { .in = in, .repo = repo, .settings = settings };
	struct snapshot_fetch p = { .name = "copy", .rpc = "snapshot", .dir = in->src.data,
	    .fits = fits, .use = publish, .on_progress = report_progress, .ctx = &c };

	return snapshot_fetch_from_peers(&p, in->o, in->src.repo_uri, a);
}
