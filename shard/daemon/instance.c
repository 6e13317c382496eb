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
 * Take the lock.  Who held it may be dying: of a shard that was killed, a child between fork and
 * exec has it for an instant more.
 */
static bool lock_with_retry(int fd)
{
	for (int waited = 0; flock(fd, LOCK_EX | LOCK_NB); waited += HANDOVER_STEP_MS) {
		if (waited >= HANDOVER_MS)
			return false;
		clock_sleep(HANDOVER_STEP_MS);
	}
	return true;
}

static int lock(struct instance *p, const struct repo_source *src, struct arena *a, struct err *e)
{
	const char *path = arena_printf(a, "%s/lock", src->data);
	char pid[24] = "";

	p->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (p->lock < 0)
		return err_set(e, ERR_INVALID_INPUT, "--data: %s: %s", path, strerror(errno));
	if (!lock_with_retry(p->lock)) {
		ssize_t n = pread(p->lock, pid, sizeof pid - 1, 0);
		pid[n > 0 ? strcspn(pid, "\n") : 0] = 0;
		err_set(e, ERR_UNAVAILABLE, "another process (pid %s) serves %s from %s",
		    *pid ? pid : "unknown", src->name, src->data);
		return err_hint(e,
		    "Clones of one repository are one: leave this one out (`atoll repo remove PATH`), or give it a --data of its own.");
	}
	int n = snprintf(pid, sizeof pid, "%ld\n", (long)getpid());
	if (ftruncate(p->lock, 0) || pwrite(p->lock, pid, (size_t)n, 0) != n)
		return err_set(e, ERR_INVALID_INPUT, "--data: %s: %s", path, strerror(errno));
	return 0;
}

static int address(struct instance *p, const struct options *o, const struct repo_source *src,
    struct arena *a, struct err *e)
{
	char hex[SHA256_HEX];
	const char *dir;

	p->listen = o->listen;
	if (!*o->listen) {
		if (!(dir = directory_create_runtime(a, e)))
			return err_add(e, "--listen");
		crypto_sha256(src->data, strlen(src->data), hex);
		p->socket = arena_printf(a, "%s/%s-%.6s.ipc", dir, src->collection, hex);
		p->listen = arena_printf(a, "ipc://%s", p->socket);
		unlink(p->socket);	/* of a process that was killed: the lock is ours */
	} else if (!strncmp(p->listen, "ipc://", 6))
		p->socket = p->listen + 6;
	if (!strncmp(p->listen, "ipc://", 6) && strlen(p->listen + 6) > SOCKET_MAX)
		return err_set(e, ERR_INVALID_INPUT,
		    "--listen: the path of a socket holds at most %d bytes: %s", SOCKET_MAX, p->listen);
	return 0;
}

int instance_open(struct instance *p, const struct options *o, const struct repo_source *src,
    struct arena *a, struct err *e)
{
	*p = (struct instance){ .version = ATOLL_VERSION, .host = identity_host(o, a), .replica = identity_replica(o, src->data, a) };
	if (lock(p, src, a, e) ||
	    (!o->once && (address(p, o, src, a, e) || identity_trust(&p->trust, o, a, e))))
		return -1;
	return 0;
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

void instance_print_index(
    const struct index_info *i, const struct repo_source *src, bool changed, bool json)
{
	const struct { const char *name, *text; long long number; } rows[] = {
		{ "repo_uri", src->repo_uri, 0 }, { "name", src->name, 0 }, { "commit", i->commit, 0 },
		{ "generation", NULL, i->generation }, { "graph_hash", i->graph_hash, 0 },
		{ "indexed_at", i->indexed_at, 0 }, { "default_branch", i->branch, 0 },
		    { "files", NULL, i->files },
		{ "bytes", NULL, i->bytes }, { "symbols", NULL, i->symbols },
		    { "documents", NULL, i->documents },
		{ "contracts", NULL, i->contracts }, { "ingest_ms", NULL, i->ingest_ms },
	};
	struct buf out = { 0 };

	for (size_t r = 0; r < LEN(rows); r++) {
		buf_printf(&out, json ? "%s\"%s\":" : "%.0s%s ", r ? "," : "{", rows[r].name);
		if (rows[r].text && json)
			json_quote(&out, rows[r].text);
		else if (rows[r].text)
			buf_str(&out, rows[r].text);
		else
			buf_printf(&out, "%lld", rows[r].number);
		buf_str(&out, json ? "" : "\n");
	}
	buf_printf(&out, json ? ",\"changed\":%s}\n" : "changed %s\n", changed ? "true" : "false");
	fputs(out.p, stdout);
	fflush(stdout);
	buf_free(&out);
}
