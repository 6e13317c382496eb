/*
 * Any bytes as an MCP message to a coordinator without repositories.  A first line `VERSION<TAB>METHOD<TAB>NAME`
 * gives the headers; what follows is the body.  Each message must get exactly one answer, which is JSON or empty.
 */
#include <pthread.h>
#include <string.h>

#include "coordinator/auth/caller.h"
#include "coordinator/mcp/mcp.h"
#include "proto/record/json.h"
#include "tests/fuzz/fuzz_coordinator.h"

struct answer {
	pthread_mutex_t lock;
	pthread_cond_t come;
	int count;
};

static bool event(void *ctx, const char *id, const char *message)
{
	(void)id;
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

static const struct mcp_transport carrier = { event, done };

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
		serve("", NULL);
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
