/*
 * atoll mcp: MCP over standard input and output for hosts that start a program.  Every message is forwarded to the
 * coordinator on a thread of its own, so that a slow call blocks nothing; answers are single lines.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "coordinator/cli/cli.h"
#include "coordinator/cli/client.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/fetch.h"
#include "proto/base/pool.h"
#include "proto/json.h"

enum {
	CALLS = 16,		/* under way at once */
	WAITING = 1024,		/* further ones */
	CALL_MS = 600000,
	GRACE_S = 5,		/* for calls under way when the input ends */
};

#define VERSION_KEY "io.modelcontextprotocol/protocolVersion"

/* A request that was passed on. */
struct passed {
	struct passed *prev, *next;
	const char *id;			/* JSON */
	atomic_bool stop;		/* the host does not want its answer any more */
};

static struct bridge {
	struct client client;
	pthread_mutex_t lock;		/* over what follows, and standard output */
	pthread_cond_t idle;
	int busy;			/* messages in hand */
	struct passed *passed;
	char version[32], session[128];	/* negotiated by initialize */
} bridge = { .lock = PTHREAD_MUTEX_INITIALIZER, .idle = PTHREAD_COND_INITIALIZER };

/* Line breaks in JSON stand only between its tokens, so that blanks can take their place. */
static void print_line(char *text)
{
	for (char *p = text; *p; p++)
		if (*p == '\n' || *p == '\r')
			*p = ' ';
	pthread_mutex_lock(&bridge.lock);
	if (printf("%s\n", text) < 0 || fflush(stdout))
		_exit(EXIT_DOWN);	/* the host is gone */
	pthread_mutex_unlock(&bridge.lock);
}

static void print_failure(const char *id, int code, const char *message)
{
	struct buf b = { 0 };

	buf_printf(&b, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":%d,\"message\":", id ? id : "null", code);
	json_quote(&b, message);
	buf_str(&b, "}}");
	print_line(b.p);
	buf_free(&b);
}

/* A header; a value that is not plain ASCII is encoded as the specification says. */
static const char *header(const char *name, const char *value, struct arena *a)
{
	struct buf b = { 0 };
	bool plain = true;

	for (const char *p = value; *p; p++)
		plain &= *p >= 0x20 && *p < 0x7f;
	if (plain && strncmp(value, "=?", 2))
		return arena_printf(a, "%s: %s", name, value);
	buf_base64(&b, value, strlen(value));
	const char *h = arena_printf(a, "%s: =?base64?%s?=", name, b.p ? b.p : "");
	buf_free(&b);
	return h;
}

static const char *text_member(const char *object, const char *key, struct arena *a)
{
	const char *raw = object && json_is(object) == JSON_IS_OBJECT ? json_member(object, key, a) : NULL;

	return raw ? json_text(raw, a) : NULL;
}

/* What the message itself says belongs into the headers too. */
static const char *const *headers_of(const char *message, const char *method, struct arena *a)
{
	const char **h = arena_many(a, 8, const char *), *params = json_member(message, "params", a);
	bool object = params && json_is(params) == JSON_IS_OBJECT;
	const char *meta = object ? json_member(params, "_meta", a) : NULL, *version = text_member(meta, VERSION_KEY, a);
	int n = 0;

	h[n++] = "Content-Type: application/json";
	h[n++] = "Accept: application/json, text/event-stream";
	if (version) {
		const char *name = text_member(params, "name", a);
		h[n++] = header("MCP-Protocol-Version", version, a);
		if (method)
			h[n++] = header("Mcp-Method", method, a);
		if (!name)
			name = text_member(params, "uri", a);
		if (name)
			h[n++] = header("Mcp-Name", name, a);
		return h;
	}
	pthread_mutex_lock(&bridge.lock);
	if (*bridge.version)
		h[n++] = arena_printf(a, "MCP-Protocol-Version: %s", bridge.version);
	if (*bridge.session)
		h[n++] = arena_printf(a, "Mcp-Session-Id: %s", bridge.session);
	pthread_mutex_unlock(&bridge.lock);
	return h;
}

static void keep_negotiated(const struct fetched *r, struct arena *a)
{
	const char *result = json_member(r->body, "result", a), *version = text_member(result, "protocolVersion", a);

	pthread_mutex_lock(&bridge.lock);
	snprintf(bridge.version, sizeof bridge.version, "%s", version ? version : "");
	snprintf(bridge.session, sizeof bridge.session, "%s", r->session ? r->session : "");
	pthread_mutex_unlock(&bridge.lock);
}

static void answer(const char *id, bool initialize, const struct fetched *r, struct arena *a)
{
	bool object = json_is(r->body) == JSON_IS_OBJECT;

	if (initialize && object && r->status == 200)
		keep_negotiated(r, a);
	if (object && json_member(r->body, "jsonrpc", a))
		print_line(r->body);
	else if (r->status == 401 || r->status == 403)
		print_failure(id, -32603, "the coordinator refuses the token; set ATOLL_TOKEN");
	else
		print_failure(id, -32603, arena_printf(a, "the coordinator at %s answered status %d, not like one; is ATOLL_URL right?",
		    bridge.client.url, r->status));
}

static void enlist(struct passed *p)
{
	pthread_mutex_lock(&bridge.lock);
	p->next = bridge.passed;
	if (p->next)
		p->next->prev = p;
	bridge.passed = p;
	pthread_mutex_unlock(&bridge.lock);
}

static void delist(struct passed *p)
{
	pthread_mutex_lock(&bridge.lock);
	if (p->prev)
		p->prev->next = p->next;
	else
		bridge.passed = p->next;
	if (p->next)
		p->next->prev = p->prev;
	pthread_mutex_unlock(&bridge.lock);
}

/* Hang up on the coordinator: over HTTP that is what cancels. */
static void cancel(const char *id)
{
	pthread_mutex_lock(&bridge.lock);
	for (struct passed *p = bridge.passed; p; p = p->next)
		if (p->id && !strcmp(p->id, id))
			p->stop = true;
	pthread_mutex_unlock(&bridge.lock);
}

/* Pass one message on.  Only requests are answered: what has an id and a method. */
static void forward(const char *message, struct arena *a)
{
	const char *id = json_member(message, "id", a), *method = text_member(message, "method", a);
	struct passed p = { .id = method ? id : NULL };
	struct fetch f = {
		.method = "POST", .url = arena_printf(a, "%s/mcp", bridge.client.url), .bearer = bridge.client.token,
		.headers = headers_of(message, method, a), .body = message, .nbody = strlen(message), .timeout_ms = CALL_MS,
		.stop = &p.stop,
	};
	struct err e = { 0 };
	struct fetched r;

	enlist(&p);
	int rc = fetch(&f, &r, a, &e);
	delist(&p);
	if (method && !id && !strcmp(method, "notifications/cancelled")) {
		const char *params = json_member(message, "params", a);
		const char *which = params && json_is(params) == JSON_IS_OBJECT ? json_member(params, "requestId", a) : NULL;
		if (which)
			cancel(which);
	}
	if (!id || p.stop)
		return;
	if (rc)
		print_failure(id, -32603, arena_printf(a, "no coordinator answers at %s (%s); start one with `atoll up PATH...`",
		    bridge.client.url, e.msg));
	else if (method || r.status >= 400)
		answer(id, method && !strcmp(method, "initialize"), &r, a);
}

static void run(void *arg)
{
	char *message = arg;
	struct arena *a = arena_new();
	enum json_is is = json_is(message);

	if (is == JSON_IS_BAD)
		print_failure(NULL, -32700, "not a JSON message");
	else if (is != JSON_IS_OBJECT)
		print_failure(NULL, -32600, "not one JSON-RPC message");
	else
		forward(message, a);
	arena_free(a);
	free(message);
	pthread_mutex_lock(&bridge.lock);
	bridge.busy--;
	pthread_cond_broadcast(&bridge.idle);
	pthread_mutex_unlock(&bridge.lock);
}

static void take(struct pool *pool, const char *line)
{
	pthread_mutex_lock(&bridge.lock);
	bridge.busy++;
	pthread_mutex_unlock(&bridge.lock);
	char *message = strdup(line);
	if (!message)
		abort();
	if (!pool_run(pool, run, message))
		return;
	free(message);
	print_failure(NULL, -32603, "too many requests at once");
	pthread_mutex_lock(&bridge.lock);
	bridge.busy--;
	pthread_mutex_unlock(&bridge.lock);
}

/* The input has ended: calls under way may still be answered, but not for long. */
static void drain(void)
{
	struct timespec end;

	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec += GRACE_S;
	pthread_mutex_lock(&bridge.lock);
	while (bridge.busy && pthread_cond_timedwait(&bridge.idle, &bridge.lock, &end) != ETIMEDOUT)
		;
	fflush(stdout);
	_exit(EXIT_OK);		/* SIGINT and SIGTERM end it as they end any program: there is nothing to save */
}

int cmd_mcp(struct cli *cli)
{
	struct pool *pool = pool_new(CALLS, WAITING);
	char *line = NULL;
	size_t cap = 0;

	bridge.client = client_of(cli);
	while (getline(&line, &cap, stdin) > 0)
		if (line[strspn(line, " \t\r\n")])
			take(pool, line);
	drain();
	return EXIT_OK;
}
