#include "shard/copy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/db.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/msg.h"
#include "proto/wire.h"
#include "shard/facts.h"
#include "shard/graph_hash.h"
#include "shard/ingest_own.h"
#include "shard/options.h"
#include "shard/place.h"
#include "shard/snapshot.h"

enum { PATH = 4096, PEERS_MS = 5000, CHUNK_MS = 120000, ANEW = 3 };

static const char part[] = "copy.part", from[] = "copy.from";

struct copy {
	const struct ingest *in;
	struct repo *repo;
	const char *settings;
	struct wire_trust trust;
	struct wire_peer *peer;
	char sum[SHA256_HEX];		/* of the snapshot that `part` is the beginning of; "": of none */
	uint64_t have;			/* bytes of that */
	struct index_info info;		/* of the copy */
};

/* ---- what has come ---- */

static const char *path_of(const struct copy *c, const char *name, char *out)
{
	snprintf(out, PATH, "%s/%s", c->in->src.data, name);
	return out;
}

/* What an earlier process has got. */
static void recall(struct copy *c)
{
	char path[PATH];
	struct stat st;
	FILE *f = fopen(path_of(c, from, path), "re");

	if (!f || fscanf(f, "%64s", c->sum) != 1 || strlen(c->sum) != SHA256_HEX - 1)
		*c->sum = 0;
	if (f)
		fclose(f);
	c->have = *c->sum && !stat(path_of(c, part, path), &st) ? (uint64_t)st.st_size : 0;
	if (c->have)
		log_info("copy.resumed", "sum=%.12s offset=%llu", c->sum, (unsigned long long)c->have);
}

static void forget(struct copy *c)
{
	char path[PATH];

	unlink(path_of(c, from, path));
	unlink(path_of(c, part, path));
	*c->sum = 0;
	c->have = 0;
}

/* Begin anew with another snapshot. */
static int begin(struct copy *c, const char *sum, struct err *e)
{
	char path[PATH], tmp[PATH];

	forget(c);
	path_of(c, from, path);
	path_of(c, "copy.from.tmp", tmp);
	FILE *f = fopen(tmp, "we");
	bool wrote = f && fprintf(f, "%s\n", sum) > 0;
	if ((f && fclose(f)) || !wrote || rename(tmp, path))
		return err_set(e, ERR_DB_ERROR, "%s: %s", tmp, strerror(errno));
	snprintf(c->sum, sizeof c->sum, "%s", sum);
	return 0;
}

static int append(struct copy *c, const struct bytes *b, struct err *e)
{
	char path[PATH];
	int fd = open(path_of(c, part, path), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	ssize_t n = fd < 0 ? -1 : pwrite(fd, b->p, b->n, (off_t)c->have);
	int rc = n < 0 || (size_t)n != b->n ? err_set(e, ERR_DB_ERROR, "%s: %s", path, n < 0 ? strerror(errno) : "no room") : 0;

	if (fd >= 0)
		close(fd);
	c->have += rc ? 0 : b->n;
	return rc;
}

/* ---- from one shard ---- */

/* Whether this program would have made the same of the same commit, and has that commit. */
static int fits(const struct copy *c, const struct snapshot_res *r, const struct freshness *f, struct err *e)
{
	char oid[REPO_OID];

	if (!f || strcmp(f->repo_uri, c->in->src.repo_uri))
		return err_set(e, ERR_SCHEMA_MISMATCH, "it serves another repository");
	if (r->schema != SCHEMA_VERSION || r->extractor != EXTRACTOR_VERSION)
		return err_set(e, ERR_SCHEMA_MISMATCH, "its index has schema %llu.%llu, this program has %d.%d", (unsigned long long)r->schema,
		    (unsigned long long)r->extractor, SCHEMA_VERSION, EXTRACTOR_VERSION);
	if (!r->settings || strcmp(r->settings, c->settings))
		return err_set(e, ERR_SCHEMA_MISMATCH, "it indexes with other settings");
	if (repo_revision(c->repo, f->commit, oid, e))
		return err_add(e, "its commit %.12s is not here", f->commit);
	return 0;
}

static int ask(struct copy *c, struct snapshot_res *r, const struct freshness **stamp, struct arena *a, struct err *e)
{
	const struct snapshot_req q = { .sum = c->sum, .offset = c->have };
	char sum[SHA256_HEX];

	if (wire_call(c->peer, "snapshot", &rec_snapshot_req, &q, "copy", CHUNK_MS, &rec_snapshot_res, r, stamp, a, e))
		return -1;
	crypto_sha256(r->chunk.p ? r->chunk.p : "", r->chunk.n, sum);
	if (!r->chunk_sum || strcmp(sum, r->chunk_sum) || !r->sum || strlen(r->sum) != SHA256_HEX - 1)
		return err_set(e, ERR_INTERNAL, "what it sent does not fit its checksum");
	return 0;
}

/* All pieces.  Between two the peer may have lost the snapshot and offer another one. */
static int fetch(struct copy *c, struct err *e)
{
	struct arena *a = arena_new();
	int rc = 0, anew = 0;
	bool more = true;

	while (!rc && more) {
		struct snapshot_res r;
		const struct freshness *stamp;
		arena_reset(a);
		if ((rc = ask(c, &r, &stamp, a, e)) || (rc = fits(c, &r, stamp, e)))
			break;
		if (strcmp(r.sum, c->sum))
			rc = anew++ < ANEW ? begin(c, r.sum, e) : err_set(e, ERR_UNAVAILABLE, "its index changes faster than it can be read");
		if (!rc && r.offset == c->have)
			rc = append(c, &r.chunk, e);
		else if (!rc)
			continue;	/* it sent what is here already */
		more = c->have < r.size;
		if (more && !r.chunk.n)
			rc = err_set(e, ERR_INTERNAL, "it sent nothing");
		ingest_tell("copy 0 0 %llu %llu", (unsigned long long)c->have, (unsigned long long)r.size);
	}
	arena_free(a);
	return rc;
}

/* ---- publishing ---- */

static int check_sum(struct copy *c, struct err *e)
{
	char path[PATH], sum[SHA256_HEX];
	uint64_t size;

	if (snapshot_sum(path_of(c, part, path), sum, &size, e))
		return -1;
	return strcmp(sum, c->sum) ? err_set(e, ERR_DB_ERROR, "the copy does not fit its checksum") : 0;
}

/* What it says of itself, and what its files' hashes come to; its number becomes one of this data directory. */
static int adopt(struct copy *c, const char *tmp, struct err *e)
{
	char hash[SHA256_HEX];
	struct db *db = db_open(tmp, DB_WRITE, e);
	int64_t generation = store_next(c->in->src.data);
	int rc = !db || store_info(db, &c->info, e) || graph_hash(db, hash, e) ? -1 : 0;

	if (!rc && (strcmp(hash, c->info.graph_hash) || strcmp(c->info.repo_uri, c->in->src.repo_uri)))
		rc = err_set(e, ERR_DB_ERROR, "the copy's graph_hash is not that of its files");
	c->info.generation = generation;
	rc = rc ? rc : store_put_info(db, &c->info, e);
	db_close(db);
	return rc;
}

static int publish(struct copy *c, struct err *e)
{
	char path[PATH], tmp[PATH];

	if (check_sum(c, e))
		return -1;
	snprintf(c->info.file, sizeof c->info.file, "index-%lld.db", (long long)store_next(c->in->src.data));
	snprintf(tmp, sizeof tmp, "%s/%s.tmp", c->in->src.data, c->info.file);
	if (rename(path_of(c, part, path), tmp))
		return err_set(e, ERR_DB_ERROR, "%s: %s", path, strerror(errno));
	return adopt(c, tmp, e) || store_publish(c->in->src.data, c->info.file, e) ? -1 : 0;
}

/* ---- who has one ---- */

static bool copy_from(struct copy *c, const char *url)
{
	struct err e = { 0 };

	recall(c);
	c->peer = wire_dial(url, &c->trust, &e);
	bool fetched = c->peer && !fetch(c, &e), done = fetched && !publish(c, &e);
	wire_peer_free(c->peer);
	if (done)
		log_info("copy.done", "peer=%s commit=%.12s generation=%lld bytes=%llu", log_quote(url), c->info.commit,
		    (long long)c->info.generation, (unsigned long long)c->have);
	else
		log_warn("copy.failed", "peer=%s code=%s message=%s", log_quote(url), err_name(e.code), log_quote(e.msg));
	if (fetched)
		forget(c);	/* published, or not worth to be gone on with */
	return done;
}

static int ask_peers(const struct copy *c, const char *coordinator, struct peers_res *out, struct arena *a, struct err *e)
{
	const struct peers_req q = { c->in->src.repo_uri, c->in->o->replica };
	struct wire_peer *p = wire_dial(coordinator, &c->trust, e);
	int rc = p ? wire_call(p, "peers", &rec_peers_req, &q, "copy", PEERS_MS, &rec_peers_res, out, NULL, a, e) : -1;

	wire_peer_free(p);
	return rc;
}

int copy_index(const struct ingest *in, struct repo *repo, const char *settings, struct arena *a)
{
	struct copy c = { .in = in, .repo = repo, .settings = settings };
	struct err e = { 0 };

	if (place_trust(&c.trust, in->o, a, &e))
		log_warn("copy.failed", "message=%s", log_quote(e.msg));
	for (size_t i = 0; !e.code && i < in->o->coordinator.n; i++) {
		struct peers_res peers = { 0 };
		struct err none = { 0 };
		if (ask_peers(&c, in->o->coordinator.v[i], &peers, a, &none))
			log_warn("copy.peers", "message=%s", log_quote(none.msg));
		for (size_t k = 0; k < peers.peers.n; k++)
			if (copy_from(&c, peers.peers.v[k].endpoint))
				return 1;
	}
	return 0;
}
