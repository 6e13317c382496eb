/*
 * Any bytes as an MCP message to a coordinator without repositories.  A first line `VERSION<TAB>METHOD<TAB>NAME`
 * gives the headers; what follows is the body.  Each message must get exactly one answer, which is JSON or empty.
 */
#include <ftw.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/caller.h"
#include "coordinator/coordinator.h"
#include "coordinator/mcp.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static char dir[] = "/tmp/atoll-fuzz.XXXXXX";
static struct coordinator *co;
static struct arena *options_arena;

static int drop(const char *path, const struct stat *st, int kind, struct FTW *f)
{
	(void)st;
	(void)kind;
	(void)f;
	return remove(path);
}

static void finish(void)
{
	coordinator_close(co);
	arena_free(options_arena);
	nftw(dir, drop, 8, FTW_DEPTH | FTW_PHYS);
}

static void start(void)
{
	struct options o = { 0 };
	struct err e = { 0 };
	char listen[64];

	log_init("fuzz", LOG_ERROR);
	options_arena = arena_new();
	if (!mkdtemp(dir))
		abort();
	snprintf(listen, sizeof listen, "ipc://%s/m.sock", dir);
	char *argv[] = { "fuzz", "--data", dir, "--http=", "--listen", listen, NULL };
	if (coordinator_options(&o, 6, argv, options_arena, &e) || !(co = coordinator_open(&o, &e))) {
		fprintf(stderr, "%s\n", e.msg);
		abort();
	}
	atexit(finish);
}

struct answer {
	pthread_mutex_t lock;
	pthread_cond_t come;
	int count;
};

static bool event(void *ctx, const char *message)
{
	(void)ctx;
	if (message && json_is(message) != JSON_IS_OBJECT)
		abort();
	return false;	/* nobody reads it, so that streams end */
}

static void done(void *ctx, int status, const char *header, struct buf *body)
{
	struct answer *a = ctx;

	(void)header;
	if (status == 202 ? body->n != 0 : json_is(body->p) != JSON_IS_OBJECT)
		abort();
	pthread_mutex_lock(&a->lock);
	if (++a->count > 1)
		abort();
	pthread_cond_signal(&a->come);
	pthread_mutex_unlock(&a->lock);
}

static const struct mcp_carrier carrier = { event, done };

struct headers {
	const char *version, *method, *name;
};

static const char *header(const void *from, const char *name)
{
	const struct headers *h = from;

	return !strcmp(name, "MCP-Protocol-Version") ? h->version : !strcmp(name, "Mcp-Method") ? h->method :
	    !strcmp(name, "Mcp-Name") ? h->name : NULL;
}

/* The next piece of a line that ends at a tab or the line's end, NULL when empty. */
static const char *piece(char **line)
{
	char *s = *line, *end = s + strcspn(s, "\t");

	*line = *end ? end + 1 : end;
	*end = 0;
	return *s ? s : NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	static struct answer a = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0 };
	struct arena *mem = arena_new();
	char *text = arena_strn(mem, (const char *)p, n), *line = text, *body = memchr(text, '\n', n);
	struct headers h = { 0 };
	struct mcp_input in = { .body = text, .n = n, .header = header, .from = &h };

	if (!co)
		start();
	if (body) {
		*body++ = 0;
		in.body = body;
		in.n = n - (size_t)(body - text);
		h.version = piece(&line);
		h.method = piece(&line);
		h.name = piece(&line);
	}
	a.count = 0;
	mcp_handle(co, &caller_local, &in, &carrier, &a);
	pthread_mutex_lock(&a.lock);
	while (!a.count)
		pthread_cond_wait(&a.come, &a.lock);
	pthread_mutex_unlock(&a.lock);
	arena_free(mem);
	return 0;
}
