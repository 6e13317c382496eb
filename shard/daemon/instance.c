#include "shard/daemon/instance.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/base/version.h"
#include "proto/net/crypto.h"
#include "proto/process/directory.h"
#include "proto/record/json.h"
#include "shard/base/options.h"
#include "shard/base/replica_identity.h"
#include "shard/daemon/shard.h"

enum { SOCKET_MAX = 107 };	/* bytes of a Unix path */
enum { HANDOVER_MS = 1000, HANDOVER_STEP_MS = 20 };

/*
 * Takes the lock. Its last owner may be dying: if a shard was killed, a child between fork and exec
 * still holds the lock for an instant.
 */
static bool lock_with_retry(int fd)
{
	int waited = 0;

	while (flock(fd, LOCK_EX | LOCK_NB)) {
		if (waited >= HANDOVER_MS)
			return false;
		clock_sleep(HANDOVER_STEP_MS);
		waited += HANDOVER_STEP_MS;
	}
	return true;
}

/* The process that has the lock wrote its pid to the file. */
static int set_locked(int fd, const struct repo_source *src, struct err *e)
{
	char pid[24] = "";
	ssize_t n = pread(fd, pid, sizeof pid - 1, 0);

	if (n <= 0)
		*pid = 0;
	pid[strcspn(pid, "\n")] = 0;
	if (!*pid)
		snprintf(pid, sizeof pid, "unknown");
	err_set(e, ERR_UNAVAILABLE, "another process (pid %s) serves %s from %s", pid, src->name,
	    src->data);
	return err_hint(e,
	    "Clones of one repository are one: leave this one out (`atoll repo remove PATH`), or give"
	    " it a --data of its own.");
}

static int lock(struct instance *p, const struct repo_source *src, struct arena *a, struct err *e)
{
	const char *path = arena_printf(a, "%s/lock", src->data);
	char pid[24] = "";

	p->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (p->lock < 0)
		return err_set(e, ERR_INVALID_INPUT, "--data: %s: %s", path, strerror(errno));
	if (!lock_with_retry(p->lock))
		return set_locked(p->lock, src, e);
	int n = snprintf(pid, sizeof pid, "%ld\n", (long)getpid());
	if (ftruncate(p->lock, 0) || pwrite(p->lock, pid, (size_t)n, 0) != n)
		return err_set(e, ERR_INVALID_INPUT, "--data: %s: %s", path, strerror(errno));
	return 0;
}

/* Chooses a socket in the runtime directory. */
static int default_address(
    struct instance *p, const struct repo_source *src, struct arena *a, struct err *e)
{
	char hex[SHA256_HEX];
	const char *dir = directory_create_runtime(a, e);

	if (!dir)
		return err_add(e, "--listen");
	crypto_sha256(src->data, strlen(src->data), hex);
	p->socket = arena_printf(a, "%s/%s-%.6s.ipc", dir, src->collection, hex);
	p->listen = arena_printf(a, "ipc://%s", p->socket);
	unlink(p->socket);	/* left by a process that was killed: the lock is ours */
	return 0;
}

static int address(struct instance *p, const struct options *o, const struct repo_source *src,
    struct arena *a, struct err *e)
{
	p->listen = o->listen;
	if (!*o->listen) {
		if (default_address(p, src, a, e))
			return -1;
	} else if (!strncmp(p->listen, "ipc://", 6)) {
		p->socket = p->listen + 6;
	}
	if (p->socket && strlen(p->socket) > SOCKET_MAX)
		return err_set(e, ERR_INVALID_INPUT,
		    "--listen: the path of a socket has at most %d bytes: %s", SOCKET_MAX, p->listen);
	return 0;
}

int instance_open(struct instance *p, const struct options *o, const struct repo_source *src,
    struct arena *a, struct err *e)
{
	*p = (struct instance){
		.version = ATOLL_VERSION,
		.host = identity_host(o, a),
		.replica = identity_replica(o, src->data, a),
	};
	if (lock(p, src, a, e))
		return -1;
	if (o->once)
		return 0;
	if (address(p, o, src, a, e))
		return -1;
	return identity_trust(&p->trust, o, a, e);
}

void instance_close(struct instance *p)
{
	if (p->socket && p->bound)
		unlink(p->socket);
	p->bound = false;
	if (p->lock > 0)
		close(p->lock);
	p->lock = 0;
}

struct summary_row {
	const char *name, *text;	/* text is NULL for a number */
	long long number;
};

static void put_line(struct buf *out, const struct summary_row *r)
{
	if (r->text)
		buf_printf(out, "%s %s\n", r->name, r->text);
	else
		buf_printf(out, "%s %lld\n", r->name, r->number);
}

static void put_field(struct buf *out, const struct summary_row *r)
{
	buf_byte(out, out->n ? ',' : '{');
	buf_printf(out, "\"%s\":", r->name);
	if (r->text)
		json_quote(out, r->text);
	else
		buf_printf(out, "%lld", r->number);
}

void instance_print_index(
    const struct index_info *i, const struct repo_source *src, bool changed, bool json)
{
	const struct summary_row rows[] = {
		{ "repo_uri", src->repo_uri, 0 },
		{ "name", src->name, 0 },
		{ "commit", i->commit, 0 },
		{ "generation", NULL, i->generation },
		{ "graph_hash", i->graph_hash, 0 },
		{ "indexed_at", i->indexed_at, 0 },
		{ "default_branch", i->branch, 0 },
		{ "files", NULL, i->files },
		{ "bytes", NULL, i->bytes },
		{ "symbols", NULL, i->symbols },
		{ "documents", NULL, i->documents },
		{ "contracts", NULL, i->contracts },
		{ "ingest_ms", NULL, i->ingest_ms },
	};
	const char *answer = changed ? "true" : "false";
	struct buf out = { 0 };

	for (size_t r = 0; r < LEN(rows); r++) {
		if (json)
			put_field(&out, &rows[r]);
		else
			put_line(&out, &rows[r]);
	}
	if (json)
		buf_printf(&out, ",\"changed\":%s}\n", answer);
	else
		buf_printf(&out, "changed %s\n", answer);
	fputs(out.p, stdout);
	fflush(stdout);
	buf_free(&out);
}
