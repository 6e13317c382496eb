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

/* ---- the part on disk ---- */

static const char *path_of(const struct snapshot_fetch *c, const char *kind, char *out)
{
	snprintf(out, PATH, "%s/%s.%s", c->dir, c->name, kind);
	return out;
}

/* Loads the state that an earlier process left. */
static void load_partial(struct snapshot_fetch *c)
{
	char path[PATH];
	struct stat st;
	FILE *f = fopen(path_of(c, "from", path), "re");

	if (!f || fscanf(f, "%64s", c->sum) != 1 || strlen(c->sum) != SHA256_HEX - 1)
		*c->sum = 0;
	if (f)
		fclose(f);
	c->have = c->size = 0;
	if (*c->sum && !stat(path_of(c, "part", path), &st))
		c->have = (uint64_t)st.st_size;
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

/* Replaces the file at `path` by one line. */
static int write_line(const char *tmp, const char *path, const char *line, struct err *e)
{
	FILE *f = fopen(tmp, "we");

	if (!f)
		return err_set(e, ERR_DB_ERROR, "%s: %s", tmp, strerror(errno));
	bool wrote = fprintf(f, "%s\n", line) > 0;
	if (fclose(f))
		wrote = false;
	if (!wrote || rename(tmp, path))
		return err_set(e, ERR_DB_ERROR, "%s: %s", tmp, strerror(errno));
	return 0;
}

/* Starts over with another file. */
static int begin(struct snapshot_fetch *c, const char *sum, struct err *e)
{
	char path[PATH], tmp[PATH];

	remove_partial(c);
	if (write_line(path_of(c, "from.tmp", tmp), path_of(c, "from", path), sum, e))
		return -1;
	snprintf(c->sum, sizeof c->sum, "%s", sum);
	return 0;
}

/* Whether `size` contradicts what is known of the file's size. */
static bool size_changed(const struct snapshot_fetch *c, uint64_t size)
{
	if (c->size)
		return size != c->size;
	return size < c->have;
}

/* Checks that the size is the same for every piece, and that the disk has room for the rest. */
static int check_size(struct snapshot_fetch *c, uint64_t size, struct err *e)
{
	struct statvfs fs;
	uint64_t room = UINT64_MAX;

	if (size_changed(c, size)) {
		err_set(e, ERR_INTERNAL,
		    "it reports another size for the same file: %llu bytes, of which %llu are here",
		    (unsigned long long)size, (unsigned long long)c->have);
		remove_partial(c);
		return -1;
	}
	if (!statvfs(c->dir, &fs))
		room = (uint64_t)fs.f_bavail * fs.f_frsize;
	if (!c->size && size - c->have > room)
		return err_set(e, ERR_DB_ERROR,
		    "the file has %llu MB, but only %llu MB are free on the disk",
		    (unsigned long long)size >> 20, (unsigned long long)room >> 20);
	c->size = size;
	return 0;
}

static int append(struct snapshot_fetch *c, const struct bytes *b, struct err *e)
{
	char path[PATH];
	int fd = open(path_of(c, "part", path), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0)
		return err_set(e, ERR_DB_ERROR, "%s: %s", path, strerror(errno));
	ssize_t n = pwrite(fd, b->p, b->n, (off_t)c->have);
	int rc = 0;
	if (n < 0)
		rc = err_set(e, ERR_DB_ERROR, "%s: %s", path, strerror(errno));
	else if ((size_t)n != b->n)
		rc = err_set(e, ERR_DB_ERROR, "%s: the disk is full", path);
	close(fd);
	if (!rc)
		c->have += b->n;
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
		return err_set(e, ERR_INTERNAL, "a piece does not match its checksum");
	bool stamped = *stamp && *(*stamp)->repo_uri && *(*stamp)->commit;
	if (!stamped)
		return err_set(e, ERR_INTERNAL, "the answer does not name its repository and commit");
	return 0;
}

/* Fetches the next piece.  *restarts counts how often the peer has offered another file. */
static int fetch_piece(
    struct snapshot_fetch *c, int *restarts, bool *more, struct arena *a, struct err *e)
{
	struct snapshot_res r;
	const struct freshness *stamp;

	if (ask(c, &r, &stamp, a, e) || c->fits(c->ctx, &r, stamp, e))
		return -1;
	if (strcmp(r.sum, c->sum)) {
		if ((*restarts)++ == RESTARTS_MAX)
			return err_set(e, ERR_UNAVAILABLE, "its file changes faster than it can be read");
		if (begin(c, r.sum, e))
			return -1;
	}
	if (r.offset != c->have)
		return err_set(e, ERR_INTERNAL, "it sent a piece from offset %llu, not from %llu",
		    (unsigned long long)r.offset, (unsigned long long)c->have);
	if (check_size(c, r.size, e) || append(c, &r.chunk, e))
		return -1;
	*more = c->have < r.size;
	if (*more && !r.chunk.n)
		return err_set(e, ERR_INTERNAL, "it sent an empty piece");
	if (c->on_progress)
		c->on_progress(c->have, r.size);
	return 0;
}

/* Fetches all pieces.  Between two pieces the peer may have lost the file and offer another one. */
static int fetch(struct snapshot_fetch *c, struct err *e)
{
	struct arena *a = arena_new();
	int rc = 0, restarts = 0;
	bool more = true;

	while (!rc && more) {
		arena_reset(a);
		rc = fetch_piece(c, &restarts, &more, a, e);
	}
	arena_free(a);
	return rc;
}

/* Verifies and uses the complete file. */
static int use(struct snapshot_fetch *c, struct err *e)
{
	char path[PATH], sum[SHA256_HEX];
	uint64_t size;

	if (snapshot_checksum_file(path_of(c, "part", path), sum, &size, e))
		return -1;
	if (strcmp(sum, c->sum))
		return err_set(e, ERR_DB_ERROR, "the copy does not match its checksum");
	return c->use(c->ctx, path, e);
}

static bool fetch_from(struct snapshot_fetch *c, const char *url, const struct wire_trust *trust)
{
	struct err e = { 0 };

	load_partial(c);
	c->peer = wire_dial(url, trust, &e);
	bool fetched = false, done = false;
	if (c->peer)
		fetched = !fetch(c, &e);
	if (fetched)
		done = !use(c, &e);
	wire_peer_free(c->peer);
	if (done)
		log_info("copy.done", "what=%s peer=%s bytes=%llu", c->name, log_quote(url),
		    (unsigned long long)c->have);
	else
		log_warn("copy.failed", "what=%s peer=%s code=%s message=%s", c->name, log_quote(url),
		    err_name(e.code), log_quote(e.msg));
	if (fetched)
		remove_partial(c);	/* it was used, or resuming it is pointless */
	return done;
}

/* ---- which shards have one ---- */

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
