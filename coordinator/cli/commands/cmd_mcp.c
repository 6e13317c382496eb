/*
 * atoll mcp: MCP over standard input and output for hosts that start a program.  A worker thread
 * forwards each message to the coordinator, so that a slow call blocks nothing; every answer and
 * notification is one line.  Another thread listens for the session's notifications.  A restarted
 * coordinator does not know the session: the bridge initializes a new one, repeats the
 * subscriptions, and notifies the host that resources may have changed.
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
#include "proto/base/optional_text.h"
#include "proto/net/http_client.h"
#include "proto/base/map.h"
#include "proto/base/thread_pool.h"
#include "proto/record/json.h"

enum {
	CALLS = 32,		/* in progress at once; streams count as calls */
	WAITING = 1024,		/* further calls in the queue */
	CALL_MS = 600000,
	GRACE_S = 5,		/* for calls in progress when the input ends */
	DELETE_SESSION_MS = 1000,	/* timeout of the request that ends the session */
	RECONNECT_MS = 1000,	/* pause before a stream is opened again */
	RECONNECTS_MAX = 20	/* attempts to read the rest of an answer */
};

#define VERSION_KEY "io.modelcontextprotocol/protocolVersion"

static struct mcp_bridge {
	struct api_client client;
	pthread_mutex_t lock;		/* guards the fields below and standard output */
	pthread_cond_t idle;
	int busy;			/* messages in progress */
	char version[32], session[128];	/* negotiated by initialize */
	char *initialize;		/* the host's message, to repeat it */
	struct map *subscribed;		/* URI to the message that subscribed, or NULL if unsubscribed */
	bool listens;			/* the thread for notifications runs */
	pthread_mutex_t initialize_lock;	/* serializes reinitialize */
} bridge = { .lock = PTHREAD_MUTEX_INITIALIZER,
	.idle = PTHREAD_COND_INITIALIZER,
	.initialize_lock = PTHREAD_MUTEX_INITIALIZER };

/* JSON has line breaks only between tokens, where a blank means the same. */
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

/* Whether the JSON value may be the id of a request: a string or an integer. */
static bool is_valid_id(const char *id)
{
	if (*id == '"')
		return true;
	return json_is(id) == JSON_IS_NUMBER && !strpbrk(id, ".eE");
}

/* Print an error; `id` is the JSON in the message's `id`, or NULL. */
static void print_failure(const char *id, int code, const char *message)
{
	struct buf b = { 0 };

	buf_str(&b, "{\"jsonrpc\":\"2.0\",");
	if (id && is_valid_id(id))
		buf_printf(&b, "\"id\":%s,", id);
	buf_printf(&b, "\"error\":{\"code\":%d,\"message\":", code);
	json_quote(&b, message);
	buf_str(&b, "}}");
	print_line(b.p);
	buf_free(&b);
}

/* A header.  As the specification requires, a value that is not plain ASCII is encoded. */
static const char *header(const char *name, const char *value, struct arena *a)
{
	struct buf b = { 0 };
	bool plain = true;

	for (const char *p = value; *p; p++)
		plain &= *p >= 0x20 && *p < 0x7f;
	if (plain && strncmp(value, "=?", 2))
		return arena_printf(a, "%s: %s", name, value);
	buf_base64(&b, value, strlen(value));
	buf_str(&b, "");
	const char *h = arena_printf(a, "%s: =?base64?%s?=", name, b.p);
	buf_free(&b);
	return h;
}

/* A member of a JSON value, or NULL if the value is NULL or not an object. */
static const char *member_of(const char *json, const char *name, struct arena *a)
{
	if (!json || json_is(json) != JSON_IS_OBJECT)
		return NULL;
	return json_member(json, name, a);
}

/* The headers of a message, some of which repeat parts of it. */
static const char *const *headers_of(const char *message, const char *method, struct arena *a)
{
	const char **h = arena_many(a, 8, const char *), *params = json_member(message, "params", a);
	const char *version = json_text_at(member_of(params, "_meta", a), VERSION_KEY, a);
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
	const char *result = json_member(r->body, "result", a);
	const char *version = text_or_empty(json_text_at(result, "protocolVersion", a));

	pthread_mutex_lock(&bridge.lock);
	snprintf(bridge.version, sizeof bridge.version, "%s", version);
	snprintf(bridge.session, sizeof bridge.session, "%s", text_or_empty(r->session));
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

/* ---- lost sessions and their notifications ---- */

/* Repeat a message that the host sent before.  0 or -1. */
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

/* The messages that subscribed to what is still subscribed. */
static const char **subscriptions(size_t *n, struct arena *a)
{
	size_t all = 0;

	pthread_mutex_lock(&bridge.lock);
	if (bridge.subscribed)
		all = map_len(bridge.subscribed);
	const char **v = arena_many(a, all, const char *);
	*n = 0;
	for (size_t i = 0; i < all; i++)
		if (map_val(bridge.subscribed, i))
			v[(*n)++] = arena_str(a, map_val(bridge.subscribed, i));
	pthread_mutex_unlock(&bridge.lock);
	return v;
}

/* Open a new session as the host did, subscribe again, and notify the host.  0 or -1. */
static int renew_session(struct arena *a)
{
	char changed[] = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/list_changed\"}";
	struct fetch_response r, ignored;
	size_t n;

	pthread_mutex_lock(&bridge.lock);
	const char *initialize = arena_str(a, bridge.initialize);
	pthread_mutex_unlock(&bridge.lock);
	if (resend(initialize, &r, a))
		return -1;
	keep_negotiated(&r, a);
	const char **v = subscriptions(&n, a);
	for (size_t i = 0; i < n; i++)
		resend(v[i], &ignored, a);
	print_line(changed);
	return 0;
}

/* The coordinator has lost the session: renew it, unless another thread has.  0 or -1. */
static int reinitialize(const char *lost, struct arena *a)
{
	int rc = 0;

	pthread_mutex_lock(&bridge.initialize_lock);
	if (!strcmp(session_now(a), lost))
		rc = renew_session(a);
	pthread_mutex_unlock(&bridge.initialize_lock);
	return rc;
}

/* Record that the host subscribes or unsubscribes. */
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
	*at = NULL;
	if (wanted)
		*at = xstrdup(message);
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

static void pause_before_reconnect(void)
{
	struct timespec t = { RECONNECT_MS / 1000, RECONNECT_MS % 1000 * 1000000 };

	nanosleep(&t, NULL);
}

/*
 * Read a stream of the session until it ends.  `last` is the id of the event to continue after, or
 * NULL; `p` is the request whose stream it is, or NULL.
 */
static int read_stream(const char *session, const char *last, int timeout_ms,
    struct pending_request *p, struct fetch_response *r, struct arena *a)
{
	const char *head[] = { "Accept: text/event-stream",
		arena_printf(a, "Mcp-Session-Id: %s", session), NULL, NULL };
	struct fetch_request f = request("GET", a);
	struct err e = { 0 };

	if (last)
		head[2] = arena_printf(a, "Last-Event-ID: %s", last);
	f.headers = head;
	f.timeout_ms = timeout_ms;
	f.event = on_event;
	f.arg = p;
	if (p)
		f.stop = &p->stop;
	return fetch(&f, r, a, &e);
}

/*
 * Print the session's notifications for as long as the program runs.  Last-Event-ID continues
 * where a broken connection ended.
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
		int rc = read_stream(session, *last ? last : NULL, -1, NULL, &r, a);
		if (r.last_event)
			snprintf(last, sizeof last, "%s", r.last_event);
		if (!rc && r.status >= 400)
			*last = 0;
		if (!rc && r.status == 404)
			reinitialize(session, a);
		arena_free(a);
		pause_before_reconnect();
	}
	return arg;
}

/* Start the thread for notifications once there is a session. */
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

/* End the session, so that the coordinator can free it. */
static void delete_session(void)
{
	struct arena *a = arena_new();
	const char *session = session_now(a);
	const char *head[] = { arena_printf(a, "Mcp-Session-Id: %s", session), NULL };
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
	const char *message = NULL;

	if (!*r->body && r->status == 200)
		return;		/* it was a stream, and all of it is printed */
	if (object)
		message = json_text_at(json_member(r->body, "error", a), "message", a);
	if (initialize && object && r->status == 200)
		keep_negotiated(r, a);
	if (object && json_member(r->body, "jsonrpc", a)) {
		print_line(r->body);
		return;
	}
	if (r->status == 401 || r->status == 403)
		message = "the coordinator refuses the token; set ATOLL_TOKEN";
	if (!message)
		message = arena_printf(a, "%s returned status %d and is not a coordinator; check ATOLL_URL",
		    bridge.client.url, r->status);
	print_failure(id, -32603, message);
}

/* Send the message once, in the current session, which `session` receives. */
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
 * The connection of a request's stream broke: read the rest of it.  0, or -1 if the coordinator
 * does not come back.
 */
static int resume_stream(
    const char *session, struct pending_request *p, struct fetch_response *r, struct arena *a)
{
	int rc = -1;

	for (int i = 0; rc && i < RECONNECTS_MAX && !p->stop; i++) {
		const char *last = r->last_event;
		pause_before_reconnect();
		rc = read_stream(session, last, CALL_MS, p, r, a);
		if (!r->last_event)
			r->last_event = last;
	}
	return rc;
}

/* A message of the host, taken apart; `id` and `method` are NULL if it has none. */
struct host_message {
	const char *text, *id, *method;
	bool initialize;
};

/* Send the message; renew a session that is lost, and resume a stream that breaks.  0 or -1. */
static int send_message(const struct host_message *m, struct pending_request *p,
    struct fetch_response *r, struct arena *a, struct err *e)
{
	const char *session;
	int rc = post(m->text, m->method, p, &session, r, a, e);
	bool lost = !rc && r->status == 404 && *session && !m->initialize;

	if (lost && !reinitialize(session, a))
		rc = post(m->text, m->method, p, &session, r, a, e);
	if (rc && r->last_event && *session)
		return resume_stream(session, p, r, a);
	return rc;
}

static void cancel(const char *message, struct arena *a)
{
	const char *id = member_of(json_member(message, "params", a), "requestId", a);

	if (id)
		pending_request_cancel(id);
}

/* Forward one message.  Only requests, which have an id and a method, are answered. */
static void forward(const char *message, struct arena *a)
{
	struct host_message m = { .text = message, .id = json_member(message, "id", a),
		.method = json_text_at(message, "method", a) };
	struct pending_request p = { 0 };
	struct err e = { 0 };
	struct fetch_response r;

	if (m.method) {
		p.id = m.id;
		m.initialize = !strcmp(m.method, "initialize");
		if (m.initialize)
			keep_initialize(message);
		else
			keep_subscription(message, m.method, a);
	}
	pending_request_add(&p);
	int rc = send_message(&m, &p, &r, a, &e);
	pending_request_remove(&p);
	if (m.method && !m.id && !strcmp(m.method, "notifications/cancelled"))
		cancel(message, a);
	if (!m.id || p.stop)
		return;
	if (rc && !m.method)
		return;		/* a response is not answered */
	if (rc)
		print_failure(m.id, -32603,
		    arena_printf(a, "no coordinator answers at %s (%s); start one with `atoll up PATH...`",
		        bridge.client.url, e.msg));
	else if (m.method || r.status >= 400)
		answer(m.id, m.initialize, &r, a);
	if (m.initialize)
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
		print_failure(NULL, -32600, "a line must be one JSON-RPC message");
	else
		forward(message, a);
	arena_free(a);
	free(message);
	pthread_mutex_lock(&bridge.lock);
	bridge.busy--;
	pthread_cond_broadcast(&bridge.idle);
	pthread_mutex_unlock(&bridge.lock);
}

/* The queue is full.  Only a request gets an error. */
static void refuse(const char *message)
{
	struct arena *a = arena_new();
	const char *id = NULL;

	if (member_of(message, "method", a))
		id = json_member(message, "id", a);
	if (id)
		print_failure(id, -32603, "too many requests at once");
	arena_free(a);
}

/* Queue a line of `n` bytes. */
static void take(struct pool *pool, const char *line, size_t n)
{
	if (strlen(line) != n) {
		print_failure(NULL, -32700, "not a JSON message: it contains a NUL byte");
		return;
	}
	pthread_mutex_lock(&bridge.lock);
	bridge.busy++;
	pthread_mutex_unlock(&bridge.lock);
	char *message = xstrdup(line);
	if (!pool_run(pool, run, message))
		return;
	refuse(message);
	free(message);
	pthread_mutex_lock(&bridge.lock);
	bridge.busy--;
	pthread_mutex_unlock(&bridge.lock);
}

/* The input has ended: wait GRACE_S for the calls in progress, then exit. */
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
	_exit(EXIT_OK);		/* there is nothing to save */
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
