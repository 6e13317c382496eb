#include "shard/index/snapshot_fetch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/record/record.h"
#include "shard/base/options.h"
#include "shard/base/replica_identity.h"
#include "shard/index/index_snapshot.h"

enum { PATH = 4096, PEERS_MS = 5000, CHUNK_MS = 120000, RESTARTS_MAX = 3 };

/* ---- what has come ---- */

static const char *path_of(const struct snapshot_fetch *c, const char *kind, char *out)
{
	snprintf(out, PATH, "%s/%s.%s", c->dir, c->name, kind);
	return out;
}

/* What an earlier process has got. */
static void load_partial(struct snapshot_fetch *c)
{
	char path[PATH];
	struct stat st;
	FILE *f = fopen(path_of(c, "from", path), "re");

	if (!f || fscanf(f, "%64s", c->sum) != 1 || strlen(c->sum) != SHA256_HEX - 1)
		*c->sum = 0;
	if (f)
		fclose(f);
	if (*c->sum && !stat(path_of(c, "part", path), &st))
		c->have = (uint64_t)st.st_size;
	else
		c->have = 0;
	c->size = 0;
	if (c->have)
		log_info("copy.resumed", "what=%s sum=%.12s offset=%llu", c->name, c->sum,
		    (unsigned long long)c->have);
}

static void remove_partial(struct snapshot_fetch *c)
{
	char path[PATH];

	unlink(path_of(c, "from", path));
	unlink(path_of(c, "part", path));
	*c->sum = 0;
	c->have = c->size = 0;
}

/* Begin anew with another file. */
static int begin(struct snapshot_fetch *c, const char *sum, struct err *e)
{
	char path[PATH], tmp[PATH];

	remove_partial(c);
	path_of(c, "from", path);
	path_of(c, "from.tmp", tmp);
	FILE *f = fopen(tmp, "we");
	bool wrote = f && fprintf(f, "%s\n", sum) > 0;
	if ((f && fclose(f)) || !wrote || rename(tmp, path))
		return err_set(e, ERR_DB_ERROR, "%s: %s", tmp, strerror(errno));
	snprintf(c->sum, sizeof c->sum, "%s", sum);
	return 0;
}

/* The size is what it was at the first piece of this file, and there is room for the rest of it. */
static int check_size(struct snapshot_fetch *c, uint64_t size, struct err *e)
{
	struct statvfs fs;
	uint64_t room = UINT64_MAX;

	if (!statvfs(c->dir, &fs))
		room = (uint64_t)fs.f_bavail * fs.f_frsize;
	if (c->size ? size != c->size : size < c->have) {
		err_set(e, ERR_INTERNAL,
		    "it says another size of the same file: %llu bytes, of which %llu are here",
		    (unsigned long long)size, (unsigned long long)c->have);
		remove_partial(c);
		return -1;
	}
	if (!c->size && size - c->have > room)
		return err_set(e, ERR_DB_ERROR,
		    "it has %llu MB, for which there is no room: %llu MB are free",
		    (unsigned long long)size >> 20, (unsigned long long)room >> 20);
	c->size = size;
	return 0;
}

static int append(struct snapshot_fetch *c, const struct bytes *b, struct err *e)
{
	char path[PATH];
	int fd = open(path_of(c, "part", path), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	ssize_t n = fd < 0 ? -1 : pwrite(fd, b->p, b->n, (off_t)c->have);
	int rc = 0;

	if (n < 0 || (size_t)n != b->n)
		rc = err_set(e, ERR_DB_ERROR, "%s: %s", path, n < 0 ? strerror(errno) : "no room");
	if (fd >= 0)
		close(fd);
	c->have += rc ? 0 : b->n;
	return rc;
}

/* ---- from one shard ---- */

static int ask(struct snapshot_fetch *c, struct snapshot_res *r, const struct freshness **stamp,
    struct arena *a, struct err *e)
{
	const struct snapshot_req q = { .sum = c->sum, .offset = c->have };
	char sum[SHA256_HEX];

	if (wire_call(c->peer, c->rpc, &rec_snapshot_req, &q, "copy", CHUNK_MS, &rec_snapshot_res, r,
	        stamp, a, e))
		return -1;
	crypto_sha256(r->chunk.p, r->chunk.n, sum);
	if (strcmp(sum, r->chunk_sum) || strlen(r->sum) != SHA256_HEX - 1)
		return err_set(e, ERR_INTERNAL, "what it sent does not fit its checksum");
	if (!*stamp || !*(*stamp)->repo_uri || !*(*stamp)->commit)
		return err_set(e, ERR_INTERNAL, "it does not say what it is of");
	return 0;
}

/* All pieces.  Between two the peer may have lost the file and offer another one. */
static int fetch(struct snapshot_fetch *c, struct err *e)
{
	struct arena *a = arena_new();
	int rc = 0, anew = 0;
	bool more = true;

	while (!rc && more) {
		struct snapshot_res r;
		const struct freshness *stamp;
		arena_reset(a);
		if ((rc = ask(c, &r, &stamp, a, e)) || (rc = c->fits(c->ctx, &r, stamp, e)))
			break;
		if (strcmp(r.sum, c->sum)) {
			if (anew++ < RESTARTS_MAX)
				rc = begin(c, r.sum, e);
			else
				rc = err_set(e, ERR_UNAVAILABLE, "what it has changes faster than it can be read");
		}
		if (!rc && r.offset != c->have)
			rc = err_set(e, ERR_INTERNAL, "it sent a piece from %llu on, not from %llu",
			    (unsigned long long)r.offset, (unsigned long long)c->have);
		if (rc || check_size(c, r.size, e))
			rc = -1;
		else
			rc = append(c, &r.chunk, e);
		more = c->have < r.size;
		if (more && !r.chunk.n)
			rc = err_set(e, ERR_INTERNAL, "it sent nothing");
		if (c->on_progress)
			c->on_progress(c->have, r.size);
	}
	arena_free(a);
	return rc;
}

/* The whole. */
static int use(struct snapshot_fetch *c, struct err *e)
{
	char path[PATH], sum[SHA256_HEX];
	uint64_t size;

	if (snapshot_checksum_file(path_of(c, "part", path), sum, &size, e))
		return -1;
	if (strcmp(sum, c->sum))
		return err_set(e, ERR_DB_ERROR, "the copy does not fit its checksum");
	return c->use(c->ctx, path, e);
}

static bool fetch_from(struct snapshot_fetch *c, const char *url, const struct wire_trust *trust)
{
	struct err e = { 0 };

	load_partial(c);
	c->peer = wire_dial(url, trust, &e);
	bool fetched = c->peer && !fetch(c, &e), done = fetched && !use(c, &e);
	wire_peer_free(c->peer);
	if (done)
		log_info("copy.done", "what=%s peer=%s bytes=%llu", c->name, log_quote(url),
		    (unsigned long long)c->have);
	else
		log_warn("copy.failed", "what=%s peer=%s code=%s message=%s", c->name, log_quote(url),
		    err_name(e.code), log_quote(e.msg));
	if (fetched)
		remove_partial(c);	/* used, or not worth to be gone on with */
	return done;
}

/* ---- who has one ---- */

static int ask_peers(const char *coordinator, const struct peers_req *q,
    const struct wire_trust *trust, struct peers_res *out, struct arena *a, struct err *e)
{
	struct wire_peer *p = wire_dial(coordinator, trust, e);
	int rc = -1;

	if (p)
		rc = wire_call(
		    p, "peers", &rec_peers_req, q, "copy", PEERS_MS, &rec_peers_res, out, NULL, a, e);
	wire_peer_free(p);
	return rc;
}

int snapshot_fetch_from_peers(
    struct snapshot_fetch *c, const struct options *o, const char *repo_uri, struct arena *a)
{
	const struct peers_req q = { repo_uri, identity_replica(o, c->dir, a) };
	struct wire_trust trust;
	struct err e = { 0 };

	if (identity_trust(&trust, o, a, &e))
		log_warn("copy.failed", "what=%s message=%s", c->name, log_quote(e.msg));
	for (size_t i = 0; !e.code && i < o->coordinator.n; i++) {
		struct peers_res peers = { 0 };
		struct err none = { 0 };
		if (ask_peers(o->coordinator.v[i], &q, &trust, &peers, a, &none))
			log_warn("copy.peers_failed", "message=%s", log_quote(none.msg));
		for (size_t k = 0; k < peers.peers.n; k++)
			if (fetch_from(c, peers.peers.v[k].endpoint, &trust))
				return 1;
	}
	return 0;
}
