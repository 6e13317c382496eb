/*
 * atoll mcp: MCP over standard input and output for hosts that start a program.  Every message is
 * forwarded to the coordinator on a thread of its own, so that a slow call blocks nothing;
 * answers, and what comes before them, are single lines.  What a session is told unasked is
 * listened to on a further thread.  A coordinator that has been started again does not know the
 * session any more: it is asked for another, with the subscriptions of the last, and the host is
 * told that resources may have changed meanwhile.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "coordinator/cli/commands/commands.h"
#include "coordinator/cli/base/api_client.h"
#include "coordinator/cli/commands/pending_requests.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/net/http_client.h"
#include "proto/base/map.h"
#include "proto/base/thread_pool.h"
#include "proto/record/json.h"

enum {
	CALLS = 32,		/* under way at once; streams are calls, too */
	WAITING = 1024,		/* further ones */
	CALL_MS = 600000,
	GRACE_S = 5,		/* for calls under way when the input ends */
	DELETE_SESSION_MS = 1000,		/* for the coordinator to hear that the session ends */
	RECONNECT_MS = 1000,	/* until a stream that has ended is opened again */
	RECONNECTS_MAX = 20		/* for the rest of an answer */
};

#define VERSION_KEY "io.modelcontextprotocol/protocolVersion"

static struct mcp_bridge {
	struct api_client client;
	pthread_mutex_t lock;		/* over what follows, and standard output */
	pthread_cond_t idle;
	int busy;			/* messages in hand */
	char version[32], session[128];	/* negotiated by initialize */
	char *initialize;		/* the message, to be sent again */
	/* URIs, with the messages that asked for them; NULL when it was taken back */
	struct map *subscribed;
	bool listens;			/* there is a thread for what nobody asked for */
	pthread_mutex_t initialize_lock;	/* one initialize at a time */
} bridge = { .lock = PTHREAD_MUTEX_INITIALIZER,
	.idle = PTHREAD_COND_INITIALIZER,
	.initialize_lock = PTHREAD_MUTEX_INITIALIZER };

/* Line breaks in JSON stand only between its tokens, so that blanks can take their place. */
static void print_line(char *text)
{
	for (char *p = text; *p; p++)
		if (*p == '\n' || *p == '\r')
			*p = ' ';
	pthread_mutex_lock(&bridge.lock);
	if (printf("%s\n", text) < 0 || fflush(stdout))
		_exit(EXIT_UNAVAILABLE);	/* the host is gone */
	pthread_mutex_unlock(&bridge.lock);
}

/* `id` is what the message has as such; a failure carries it when it can be one. */
static void print_failure(const char *id, int code, const char *message)
{
	struct buf b = { 0 };

	buf_str(&b, "{\"jsonrpc\":\"2.0\",");
	if (id && (*id == '"' || (json_is(id) == JSON_IS_NUMBER && !strpbrk(id, ".eE"))))
		buf_printf(&b, "\"id\":%s,", id);
	buf_printf(&b, "\"error\":{\"code\":%d,\"message\":", code);
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

/* What the message itself says belongs into the headers too. */
static const char *const *headers_of(const char *message, const char *method, struct arena *a)
{
	const char **h = arena_many(a, 8, const char *), *params = json_member(message, "params", a);
	const char *meta = params && json_is(params) == JSON_IS_OBJECT ?
	    json_member(params, "_meta", a) :
	    NULL,
	           *version = json_text_at(meta, VERSION_KEY, a);
	int n = 0;

	h[n++] = "Content-Type: application/json";
	h[n++] = "Accept: application/json, text/event-stream";
	if (version) {
		const char *name = json_text_at(params, "name", a);
		h[n++] = header("MCP-Protocol-Version", version, a);
		if (method)
			h[n++] = header("Mcp-Method", method, a);
		if (!name)
			name = json_text_at(params, "uri", a);
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

static void keep_negotiated(const struct fetch_response *r, struct arena *a)
{
	const char *result = json_member(r->body, "result", a),
	           *version = json_text_at(result, "protocolVersion", a);

	pthread_mutex_lock(&bridge.lock);
	snprintf(bridge.version, sizeof bridge.version, "%s", version ? version : "");
	snprintf(bridge.session, sizeof bridge.session, "%s", r->session ? r->session : "");
	pthread_mutex_unlock(&bridge.lock);
}

static struct fetch_request request(const char *method, struct arena *a)
{
	return (struct fetch_request){ .method = method,
		.url = arena_printf(a, "%s/mcp", bridge.client.url),
		.bearer = bridge.client.token,
		.ca = bridge.client.ca };
}

static const char *session_now(struct arena *a)
{
	pthread_mutex_lock(&bridge.lock);
	const char *s = arena_str(a, bridge.session);
	pthread_mutex_unlock(&bridge.lock);
	return s;
}

/* ---- sessions that are lost, and what they are told ---- */

/* Say again what the host has said before.  0 or -1. */
static int resend(const char *message, struct fetch_response *r, struct arena *a)
{
	struct fetch_request f = request("POST", a);
	struct err e = { 0 };

	f.headers = headers_of(message, NULL, a);
	f.body = message;
	f.nbody = strlen(message);
	if (fetch(&f, r, a, &e) || r->status != 200 || json_is(r->body) != JSON_IS_OBJECT)
		return -1;
	return 0;
}

/* The messages that ask for what is subscribed to. */
static const char **subscriptions(size_t *n, struct arena *a)
{
	pthread_mutex_lock(&bridge.lock);
	size_t all = bridge.subscribed ? map_len(bridge.subscribed) : 0;
	const char **v = arena_many(a, all, const char *);
	*n = 0;
	for (size_t i = 0; i < all; i++)
		if (map_val(bridge.subscribed, i))
			v[(*n)++] = arena_str(a, map_val(bridge.subscribed, i));
	pthread_mutex_unlock(&bridge.lock);
	return v;
}

/*
 * The coordinator does not know `lost`: initialize again as the host did, unless that was done
 * meanwhile.  0 or -1.
 */
static int reinitialize(const char *lost, struct arena *a)
{
	char changed[] = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/list_changed\"}";
	struct fetch_response r, again;
	size_t n;
	int rc = 0;

	pthread_mutex_lock(&bridge.initialize_lock);
	if (!strcmp(session_now(a), lost)) {
		pthread_mutex_lock(&bridge.lock);
		const char *initialize = arena_str(a, bridge.initialize);
		pthread_mutex_unlock(&bridge.lock);
		rc = resend(initialize, &r, a);
		if (!rc) {
			keep_negotiated(&r, a);
			const char **v = subscriptions(&n, a);
			for (size_t i = 0; i < n; i++)
				resend(v[i], &again, a);
			print_line(changed);
		}
	}
	pthread_mutex_unlock(&bridge.initialize_lock);
	return rc;
}

/* Remember what the host subscribes to, or forget it. */
static void keep_subscription(const char *message, const char *method, struct arena *a)
{
	const char *params = json_member(message, "params", a), *uri = json_text_at(params, "uri", a);
	bool wanted = !strcmp(method, "resources/subscribe");

	if (!uri || (!wanted && strcmp(method, "resources/unsubscribe")))
		return;
	pthread_mutex_lock(&bridge.lock);
	if (!bridge.subscribed)
		bridge.subscribed = map_new();
	char **at = (char **)map_at(bridge.subscribed, uri);
	free(*at);
	if (wanted)
		*at = strdup(message);
	else
		*at = NULL;
	pthread_mutex_unlock(&bridge.lock);
}

static void on_event(void *arg, const char *data)
{
	const struct pending_request *p = arg;

	if (p && atomic_load(&p->stop))
		return;
	char *line = xstrdup(data);
	print_line(line);
	free(line);
}

static void wait_again(void)
{
	struct timespec t = { RECONNECT_MS / 1000, RECONNECT_MS % 1000 * 1000000 };

	nanosleep(&t, NULL);
}

/* A stream of the session; of `last`, an event, what came after it. */
static int hear(const char *session, const char *last, int timeout_ms, struct pending_request *p,
    struct fetch_response *r, struct arena *a)
{
	const char *head[] = { "Accept: text/event-stream",
		arena_printf(a, "Mcp-Session-Id: %s", session),
		last ? arena_printf(a, "Last-Event-ID: %s", last) : NULL, NULL };
	struct fetch_request f = request("GET", a);
	struct err e = { 0 };

	f.headers = head;
	f.timeout_ms = timeout_ms;
	f.event = on_event;
	f.arg = p;
	f.stop = p ? &p->stop : NULL;
	return fetch(&f, r, a, &e);
}

/*
 * Hear what the session is told, for as long as the program runs; nothing is missed while its
 * connection is broken.
 */
static void *listen_on(void *arg)
{
	char last[64] = "", of[sizeof bridge.session] = "";

	for (;;) {
		struct arena *a = arena_new();
		const char *session = session_now(a);
		struct fetch_response r = { 0 };

		if (strcmp(session, of))
			*last = 0;
		snprintf(of, sizeof of, "%s", session);
		int rc = hear(session, *last ? last : NULL, -1, NULL, &r, a);
		if (r.last_event)
			snprintf(last, sizeof last, "%s", r.last_event);
		if (!rc && r.status >= 400)
			*last = 0;
		if (!rc && r.status == 404)
			reinitialize(session, a);
		arena_free(a);
		wait_again();
	}
	return arg;
}

/* After the answer to initialize. */
static void start_event_thread(void)
{
	pthread_t t;

	pthread_mutex_lock(&bridge.lock);
	bool begin = *bridge.session && !bridge.listens;
	bridge.listens |= begin;
	pthread_mutex_unlock(&bridge.lock);
	if (begin && !pthread_create(&t, NULL, listen_on, NULL))
		pthread_detach(t);
}

static void keep_initialize(const char *message)
{
	char *copy = xstrdup(message);

	pthread_mutex_lock(&bridge.lock);
	free(bridge.initialize);
	bridge.initialize = copy;
	pthread_mutex_unlock(&bridge.lock);
}

/* The session is over: the coordinator need not keep it. */
static void delete_session(void)
{
	struct arena *a = arena_new();
	const char *session = session_now(a),
	           *head[] = { arena_printf(a, "Mcp-Session-Id: %s", session), NULL };
	struct fetch_request f = request("DELETE", a);
	struct fetch_response r;
	struct err e = { 0 };

	f.headers = head;
	f.timeout_ms = DELETE_SESSION_MS;
	if (*session)
		fetch(&f, &r, a, &e);
	arena_free(a);
}

static void answer(const char *id, bool initialize, const struct fetch_response *r, struct arena *a)
{
	bool object = json_is(r->body) == JSON_IS_OBJECT;
	const char *refused = NULL;

	if (object)
		refused = json_text_at(json_member(r->body, "error", a), "message", a);
	if (initialize && object && r->status == 200)
		keep_negotiated(r, a);
	if (!*r->body && r->status == 200)
		;	/* it was a stream, and all of it has been printed */
	else if (object && json_member(r->body, "jsonrpc", a))
		print_line(r->body);
	else if (r->status == 401 || r->status == 403)
		print_failure(id, -32603, "the coordinator refuses the token; set ATOLL_TOKEN");
	else if (refused)
		print_failure(id, -32603, refused);
	else
		print_failure(id, -32603,
		    arena_printf(a,
		        "the coordinator at %s answered status %d, not like one; is ATOLL_URL right?",
		        bridge.client.url, r->status));
}

/* One try, with the session of the moment, which `session` gets. */
static int post(const char *message, const char *method, struct pending_request *p,
    const char **session, struct fetch_response *r, struct arena *a, struct err *e)
{
	struct fetch_request f = request("POST", a);

	*session = session_now(a);
	f.headers = headers_of(message, method, a);
	f.body = message;
	f.nbody = strlen(message);
	if (method && !strcmp(method, "subscriptions/listen"))
		f.timeout_ms = -1;
	else
		f.timeout_ms = CALL_MS;
	f.event = on_event;
	f.arg = p;
	f.stop = &p->stop;
	return fetch(&f, r, a, e);
}

/*
 * The connection broke in the middle of a stream: the rest of it.  0, or -1 when there is no
 * coordinator any more.
 */
static int resume_stream(
    const char *session, struct pending_request *p, struct fetch_response *r, struct arena *a)
{
	int rc = -1;

	for (int i = 0; rc && i < RECONNECTS_MAX && !p->stop; i++) {
		const char *last = r->last_event;
		wait_again();
		rc = hear(session, last, CALL_MS, p, r, a);
		if (!r->last_event)
			r->last_event = last;
	}
	return rc;
}

/* Pass one message on.  Only requests are answered: what has an id and a method. */
static void forward(const char *message, struct arena *a)
{
	const char *id = json_member(message, "id", a), *method = json_text_at(message, "method", a),
	           *session;
	struct pending_request p = { .id = method ? id : NULL };
	bool initialize = method && !strcmp(method, "initialize");
	struct err e = { 0 };
	struct fetch_response r;

	if (initialize)
		keep_initialize(message);
	else if (method)
		keep_subscription(message, method, a);
	pending_request_add(&p);
	int rc = post(message, method, &p, &session, &r, a, &e);
	if (!rc && r.status == 404 && *session && !initialize && !reinitialize(session, a))
		rc = post(message, method, &p, &session, &r, a, &e);
	if (rc && r.last_event && *session)
		rc = resume_stream(session, &p, &r, a);
	pending_request_remove(&p);
	if (method && !id && !strcmp(method, "notifications/cancelled")) {
		const char *params = json_member(message, "params", a);
		const char *which = NULL;
		if (params && json_is(params) == JSON_IS_OBJECT)
			which = json_member(params, "requestId", a);
		if (which)
			pending_request_cancel(which);
	}
	if (!id || p.stop)
		return;
	if (rc && !method)
		return;		/* a response is not answered */
	if (rc)
		print_failure(id, -32603,
		    arena_printf(a, "no coordinator answers at %s (%s); start one with `atoll up PATH...`",
		        bridge.client.url, e.msg));
	else if (method || r.status >= 400)
		answer(id, initialize, &r, a);
	if (initialize)
		start_event_thread();
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

/* A line of `n` bytes. */
static void take(struct pool *pool, const char *line, size_t n)
{
	if (strlen(line) != n) {
		print_failure(NULL, -32700, "not a JSON message: it holds a NUL byte");
		return;
	}
	pthread_mutex_lock(&bridge.lock);
	bridge.busy++;
	pthread_mutex_unlock(&bridge.lock);
	char *message = xstrdup(line);
	if (!pool_run(pool, run, message))
		return;
	struct arena *a = arena_new();
	const char *id = json_is(message) == JSON_IS_OBJECT && json_member(message, "method", a) ?
	    json_member(message, "id", a) :
	    NULL;
	if (id)		/* what wants no answer gets none */
		print_failure(id, -32603, "too many requests at once");
	arena_free(a);
	free(message);
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
	pthread_mutex_unlock(&bridge.lock);
	delete_session();
	/* SIGINT and SIGTERM end it as they end any program: there is nothing to save */
	_exit(EXIT_OK);
}

int cmd_mcp(struct cli *cli)
{
	struct pool *pool = pool_new(CALLS, WAITING);
	char *line = NULL;
	size_t cap = 0;

	bridge.client = client_from_options(cli);
	for (ssize_t n; (n = getline(&line, &cap, stdin)) > 0;)
		if (strspn(line, " \t\r\n") < (size_t)n)
			take(pool, line, (size_t)n);
	drain();
	return EXIT_OK;
}
