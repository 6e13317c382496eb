#include "coordinator/http/http_server.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "coordinator/auth/caller.h"
#include "coordinator/auth/rate_limits.h"
#include "coordinator/base/options.h"
#include "coordinator/calls/audit_log.h"
#include "coordinator/calls/call.h"
#include "coordinator/http/http_internal.h"
#include "coordinator/http/http_timeouts.h"
#include "coordinator/http/media_types.h"
#include "coordinator/http/origin_check.h"
#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/die.h"
#include "proto/base/log.h"
#include "proto/base/minmax.h"

enum {
	THREADS = 2,
	CONNECTIONS = 512,
	/* above this timeouts are shorter; an address of this machine may have at least so many */
	CROWD = CONNECTIONS * 3 / 4,
	SPARE = 64,			/* further connections, for probes */
	GOING = 64,			/* and those that were closed, until libmicrohttpd notices */
	HEADERS_MAX = 32 << 10,
	PEM_MAX = 1 << 20,
	LARGE_AT_ONCE = 8,
	DRAIN_MAX = 32 << 20		/* of a refused body is read, so that the client sees the refusal */
};

/* ---- connections ---- */

static void on_connection(
    void *arg, struct MHD_Connection *mhd, void **ctx, enum MHD_ConnectionNotificationCode code)
{
	struct http_server *h = arg;

	if (code == MHD_CONNECTION_NOTIFY_STARTED) {
		const union MHD_ConnectionInfo *fd = MHD_get_connection_info(
		    mhd, MHD_CONNECTION_INFO_CONNECTION_FD);
		*ctx = NULL;
		if (fd)
			*ctx = http_timeouts_add(h->patience, fd->connect_fd);
	} else if (*ctx) {
		http_timeouts_remove(h->patience, *ctx);
		*ctx = NULL;
	}
}

static void set_phase(const struct http_request *x, enum http_phase phase)
{
	if (x->conn)
		http_timeouts_set_phase(x->http->patience, x->conn, phase);
}

/* ---- the life of an exchange ---- */

/* The request line has arrived. */
static void *on_request_line(void *arg, const char *uri, struct MHD_Connection *mhd)
{
	struct http_server *h = arg;
	struct http_request *x = xcalloc(1, sizeof *x);
	const union MHD_ConnectionInfo *info = MHD_get_connection_info(
	    mhd, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

	x->hidden = strstr(uri, "%00");
	x->http = h;
	x->mhd = mhd;
	if (info)
		x->conn = info->socket_context;
	x->tls = h->tls;
	x->pub.a = arena_new();
	x->refs = 1;
	pthread_mutex_init(&x->lock, NULL);
	set_phase(x, HEADING);
	pthread_mutex_lock(&h->lock);
	x->prev = h->live.prev;
	x->next = &h->live;
	x->prev->next = x->next->prev = x;
	pthread_mutex_unlock(&h->lock);
	return x;
}

static void on_completed(
    void *arg, struct MHD_Connection *mhd, void **ctx, enum MHD_RequestTerminationCode code)
{
	struct http_server *h = arg;
	struct http_request *x = *ctx;

	(void)mhd;
	(void)code;
	if (!x)
		return;
	set_phase(x, WAITING);
	if (x->large)
		atomic_fetch_sub(&h->large, 1);
	pthread_mutex_lock(&h->lock);
	x->prev->next = x->next;
	x->next->prev = x->prev;
	pthread_mutex_unlock(&h->lock);
	*ctx = NULL;
	pthread_mutex_lock(&x->lock);
	x->mhd = NULL;
	bool unfinished = !x->answered || x->streams;	/* someone still works on it */
	pthread_mutex_unlock(&x->lock);
	if (unfinished)
		http_request_abandon(x);
	http_request_unref(x);
}

const char *http_query(const struct exchange *pub, const char *name)
{
	return MHD_lookup_connection_value(
	    ((const struct http_request *)pub)->mhd, MHD_GET_ARGUMENT_KIND, name);
}

const char *http_header(const struct exchange *pub, const char *name)
{
	return MHD_lookup_connection_value(
	    ((const struct http_request *)pub)->mhd, MHD_HEADER_KIND, name);
}

int http_require_json(struct exchange *pub)
{
	const char *type = http_header(pub, MHD_HTTP_HEADER_CONTENT_TYPE);
	const char *coding = http_header(pub, MHD_HTTP_HEADER_CONTENT_ENCODING);
	struct err e = { 0 };

	if (!type)
		type = "";
	if (pub->n && !media_is_json(type)) {
		err_set(&e, ERR_INVALID_INPUT, "Content-Type `%.60s` is not JSON", type);
		err_hint(&e, "Send Content-Type: application/json.");
	} else if (coding && strcasecmp(coding, "identity") != 0) {
		err_set(&e, ERR_INVALID_INPUT, "Content-Encoding `%.60s` is not supported", coding);
		err_hint(&e, "Send the JSON without an encoding.");
	}
	if (e.code) {
		http_fail(pub, 415, &e, NULL);
		return -1;
	}
	return 0;
}

/* ---- from a request to its handler ---- */

/* Whether the route has this path; `*rest` receives what follows the prefix before a star. */
static bool has_path(const struct http_route *r, const char *path, const char **rest)
{
	size_t n = strlen(r->path);

	*rest = "";
	if (r->path[n - 1] != '*')
		return !strcmp(r->path, path);
	if (strncmp(r->path, path, n - 1))
		return false;
	*rest = path + n - 1;
	return **rest;
}

static bool has_method(const struct http_route *r, const char *method)
{
	if (!strcmp(r->method, method))
		return true;
	return !strcmp(r->method, "GET") && !strcmp(method, "HEAD");
}

static int err_method(struct http_request *x, const char *allow)
{
	snprintf(x->refusal_header, sizeof x->refusal_header, "Allow: %s", allow);
	err_set(&x->refusal, ERR_INVALID_INPUT, "%.20s is not possible at %.100s", x->pub.method,
	    x->pub.path);
	err_hint(&x->refusal, "Use %s.", allow);
	return http_request_reject(x, 405);
}

/* The route for path and method; otherwise a refusal with 404 or 405. */
static int find_route(struct http_request *x)
{
	char allow[40] = "";

	for (size_t i = 0; i < x->http->in.nroutes; i++) {
		const struct http_route *r = &x->http->in.routes[i];
		const char *rest;
		if (!has_path(r, x->pub.path, &rest))
			continue;
		if (has_method(r, x->pub.method)) {
			x->route = r;
			x->pub.rest = rest;
			return 0;
		}
		if (!strstr(allow, r->method))
			snprintf(allow + strlen(allow), sizeof allow - strlen(allow), "%s%s",
			    *allow ? ", " : "", r->method);
	}
	if (*allow)
		return err_method(x, allow);
	err_set(&x->refusal, ERR_NOT_FOUND, "nothing answers at %.100s", x->pub.path);
	err_hint(&x->refusal, "MCP answers at /mcp, tools at POST /api/v1/<tool>.");
	return http_request_reject(x, 404);
}

static int too_large(struct http_request *x)
{
	limits_count_refusal(x->http->in.limits, LIMITS_BODY);
	err_set(&x->refusal, ERR_INVALID_INPUT, "the body is larger than %zu bytes", x->route->body);
	err_hint(&x->refusal, "Send a smaller body.");
	return http_request_reject(x, 413);
}

static int find_room(struct http_request *x)
{
	if (!x->conn || x->route->probe)
		return 0;
	if (!http_timeouts_is_probe_only(x->http->patience, x->conn))
		return 0;
	limits_count_refusal(x->http->in.limits, LIMITS_ROOM);
	err_set(&x->refusal, ERR_RATE_LIMITED,
	    "too many connections are open, in total or from this address");
	err_hint(&x->refusal, "Close some, or retry in a moment.");
	snprintf(x->refusal_header, sizeof x->refusal_header, "Retry-After: 1");
	return http_request_reject(x, 503);
}

static int check(struct http_request *x, const char *version, unsigned long long body_length)
{
	if (http_request_check(x, version))
		return -1;
	if (http_check_origin(x))
		return -1;
	if (find_route(x))
		return -1;
	if (find_room(x))
		return -1;
	if (http_authenticate(x, x->route->open))
		return -1;
	if (body_length > x->route->body)
		return too_large(x);
	return 0;
}

static void answer_refusal(struct http_request *x)
{
	struct buf body = { 0 };

	http_put_error(&x->refusal, &body);
	http_request_answer(x, x->refusal_status, "application/json", &body, x->refusal_header);
}

/*
 * The headers have arrived: checks the request.  A refusal is answered after the body, unless none
 * was sent yet or it is too large to read.
 */
static void admit(struct http_request *x, const char *url, const char *method, const char *version)
{
	const char *length = http_header(&x->pub, MHD_HTTP_HEADER_CONTENT_LENGTH);
	unsigned long long n = 0;

	if (length)
		n = strtoull(length, NULL, 10);
	x->seen = true;
	set_phase(x, RECEIVING);
	x->pub.co = x->http->in.co;
	x->pub.caller = &caller_nobody;
	x->pub.method = arena_str(x->pub.a, method);
	x->pub.path = arena_str(x->pub.a, url);
	check(x, version, n);
	if (!x->refusal.code)
		return;
	bool skip_body = x->framing_unclear || n > DRAIN_MAX;
	if (skip_body || http_header(&x->pub, MHD_HTTP_HEADER_EXPECT))
		answer_refusal(x);
}

/* Bounds the memory for bodies of all clients together. */
static void count_large(struct http_request *x)
{
	x->large = true;
	if (atomic_fetch_add(&x->http->large, 1) < LARGE_AT_ONCE)
		return;
	err_set(&x->refusal, ERR_RATE_LIMITED, "too many large requests are in progress");
	http_request_reject(x, 503);
}

static enum MHD_Result take(struct http_request *x, const char *p, size_t n)
{
	bool progress = x->received / HTTP_PROGRESS_BYTES != (x->received + n) / HTTP_PROGRESS_BYTES;

	if (x->conn && progress)
		http_timeouts_progress(x->conn);
	x->received += n;
	if (x->refusal.code && x->received > DRAIN_MAX)
		return MHD_NO;
	if (!x->refusal.code && x->received > x->route->body)
		too_large(x);
	else if (!x->refusal.code && x->received > HTTP_BODY_MAX && !x->large)
		count_large(x);
	if (x->refusal.code)
		buf_free(&x->body);
	else
		buf_put(&x->body, p, n);
	return MHD_YES;
}

static void on_hangup(void *arg)
{
	struct http_request *x = arg;

	http_request_abandon(x);
}

static void log_refused(const struct http_request *x, enum log_level level)
{
	log_at(level, "http.refused", "status=%d method=%s path=%s message=%s", x->refusal_status,
	    log_quote(x->pub.method), log_quote(x->pub.path), log_quote(x->refusal.msg));
}

/* Refusals of unauthenticated clients are logged together, so they cannot flood the log. */
static void log_refusal(const struct http_request *x)
{
	enum limits_reason why = LIMITS_PAGE;
	const char *path = "-";
	char status[8];

	if (x->refusal_status != 401 && x->refusal_status != 403) {
		log_refused(x, LOG_DEBUG);
		return;
	}
	if (x->refusal_status == 401)
		why = LIMITS_UNKNOWN;
	uint64_t n = limits_refuse_anonymous(x->http->in.limits, why, clock_us());
	if (!n)
		return;
	log_refused(x, LOG_WARN);
	if (x->route)
		path = x->route->path;
	snprintf(status, sizeof status, "%d", x->refusal_status);
	audit(LOG_INFO, x->pub.caller, "http", path, NULL, status, 0, n);
}

static void start(struct http_request *x)
{
	x->started = true;
	set_phase(x, WORKING);
	if (x->refusal.code) {
		log_refusal(x);
		answer_refusal(x);
		return;
	}
	x->pub.body = "";
	if (x->body.p)
		x->pub.body = x->body.p;
	x->pub.n = x->body.n;
	atomic_fetch_add(&x->refs, 1);
	x->route->handler(&x->pub);
	if (x->conn)	/* only now is there something to abandon */
		http_timeouts_on_hangup(x->http->patience, x->conn, on_hangup, x);
}

static enum MHD_Result flush(struct http_request *x)
{
	if (!x->streams)	/* a stream has no time limit */
		set_phase(x, SENDING);
	return MHD_queue_response(x->mhd, (unsigned)x->status, x->response);
}

/* Whether the request may start.  If so, a shutdown waits for its answer (is_owed). */
static bool accept_request(struct http_request *x)
{
	pthread_mutex_lock(&x->lock);
	x->awaited = !x->http->closing;
	pthread_mutex_unlock(&x->lock);
	return x->awaited;
}

/* Sends the answer, or suspends the connection until there is one. */
static enum MHD_Result answer_or_wait(struct http_request *x)
{
	pthread_mutex_lock(&x->lock);
	bool answered = x->answered;
	if (!answered) {
		x->suspended = true;
		MHD_suspend_connection(x->mhd);
	}
	pthread_mutex_unlock(&x->lock);
	if (answered)
		return flush(x);
	return MHD_YES;
}

/*
 * libmicrohttpd calls this after the headers, for each piece of the body, at its end, and after a
 * resume.
 */
static enum MHD_Result on_request(void *arg, struct MHD_Connection *mhd, const char *url,
    const char *method, const char *version, const char *upload, size_t *n, void **ctx)
{
	struct http_request *x = *ctx;

	(void)arg;
	(void)mhd;
	if (!x->seen) {
		admit(x, url, method, version);
		if (x->answered)
			return flush(x);
		return MHD_YES;
	}
	if (*n) {
		size_t got = *n;
		*n = 0;
		return take(x, upload, got);
	}
	if (!x->started && accept_request(x))
		start(x);
	else if (!x->started)
		http_request_reject_closing(x);
	return answer_or_wait(x);
}

/* ---- opening; http_shutdown.c has the end ---- */

static int err_pem(const char *flag, const char *path, const char *why, struct err *e)
{
	return err_set(e, ERR_INVALID_INPUT, "--%s %s: %s", flag, path, why);
}

/* Reads a key or certificate for TLS.  NULL with `e`. */
static const char *read_pem(
    struct http_server *h, const char *flag, const char *path, struct err *e)
{
	struct buf b = { 0 };
	char chunk[4096];
	const char *text = NULL;
	FILE *f = fopen(path, "r");

	if (!f) {
		err_pem(flag, path, strerror(errno), e);
		return NULL;
	}
	while (b.n < PEM_MAX) {
		size_t n = fread(chunk, 1, sizeof chunk, f);
		if (!n)
			break;
		buf_put(&b, chunk, n);
	}
	if (ferror(f))
		err_pem(flag, path, strerror(errno), e);
	else if (!b.n)
		err_pem(flag, path, "it is empty", e);
	if (b.n)
		text = arena_strn(h->a, b.p, b.n);
	fclose(f);
	buf_free(&b);
	return text;
}

/* libmicrohttpd's own limit in seconds, a safety net above all timeouts of http_timeouts.c. */
static unsigned library_timeout_s(const struct coordinator_config *o)
{
	int64_t ms = o->idle_timeout_ms;

	ms = MAX(o->head_timeout_ms, ms);
	ms = MAX(o->request_timeout_ms, ms);
	ms = MAX(o->answer_timeout_ms, ms);
	return (unsigned)(ms / 1000) + 10;
}

static int start_daemon(struct http_server *h, int fd, struct err *e)
{
	const struct coordinator_config *o = h->in.o;
	unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME;
	const char *cert = NULL, *key = NULL;

	if (h->tls) {
		flags |= MHD_USE_TLS;
		cert = read_pem(h, "http-cert", o->http_cert, e);
		if (cert)
			key = read_pem(h, "http-key", o->http_key, e);
		if (!key) {
			close(fd);
			return -1;
		}
	}
	struct MHD_OptionItem tls[] = {
		{ MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)(uintptr_t)cert },
		{ MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)(uintptr_t)key },
		{ MHD_OPTION_HTTPS_PRIORITIES, 0,
		    (void *)(uintptr_t) "SECURE128:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2" },
		{ MHD_OPTION_END, 0, NULL },
	};
	const struct MHD_OptionItem none = { MHD_OPTION_END, 0, NULL };
	h->daemon = MHD_start_daemon(flags, 0, NULL, NULL, on_request, h,
	    MHD_OPTION_LISTEN_SOCKET, fd,
	    MHD_OPTION_THREAD_POOL_SIZE, (unsigned)THREADS,
	    /* divided between the threads */
	    MHD_OPTION_CONNECTION_LIMIT, (unsigned)(THREADS * (CONNECTIONS + SPARE + GOING)),
	    MHD_OPTION_CONNECTION_TIMEOUT, library_timeout_s(o),
	    MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEADERS_MAX,
	    MHD_OPTION_NOTIFY_CONNECTION, on_connection, h,
	    MHD_OPTION_NOTIFY_COMPLETED, on_completed, h,
	    MHD_OPTION_URI_LOG_CALLBACK, on_request_line, h,
	    MHD_OPTION_ARRAY, h->tls ? tls : &none,
	    MHD_OPTION_END);
	if (h->daemon)
		return 0;
	close(fd);
	if (!h->tls)
		return err_set(e, ERR_INTERNAL, "the HTTP server does not start");
	return err_set(e, ERR_INVALID_INPUT,
	    "--http-cert, --http-key: not a certificate and its key in PEM format");
}

static void on_slow(void *arg)
{
	struct http_server *h = arg;

	limits_count_refusal(h->in.limits, LIMITS_SLOW);
}

static void on_full(void *arg)
{
	struct http_server *h = arg;

	limits_count_refusal(h->in.limits, LIMITS_ROOM);
}

static struct http_timeouts *watch_connections(struct http_server *h)
{
	const struct coordinator_config *o = h->in.o;
	struct http_timeout_rules rules = {
		.waiting_ms = o->idle_timeout_ms,
		.heading_ms = o->head_timeout_ms,
		.receiving_ms = o->request_timeout_ms,
		.sending_ms = o->answer_timeout_ms,
		.crowded_above = CROWD,
		.most = CONNECTIONS,
		.spare = SPARE,
		.on_keepalive = http_send_keepalives,
		.on_slow = on_slow,
		.on_full = on_full,
		.arg = h,
	};

	if (!o->behind_proxy && o->connections_per_address) {
		rules.most_peer = (size_t)o->connections_per_address;
		rules.most_local = rules.most_peer;
		if (!h->exposed)
			rules.most_local = MAX(rules.most_local, CROWD);
	}
	return http_timeouts_new(&rules);
}

struct http_server *http_open(const struct http_setup *in, struct err *e)
{
	struct http_server *h = xcalloc(1, sizeof *h);
	const struct coordinator_config *o = in->o;

	h->in = *in;
	h->a = arena_new();
	h->tls = *o->http_cert || *o->http_key;
	h->live.prev = h->live.next = &h->live;
	pthread_mutex_init(&h->lock, NULL);
	int fd = -1;
	if (!http_check_listen(h, e))
		fd = origin_listen(o->http, h->tls ? "https" : "http", in->url, in->url_size, e);
	h->patience = watch_connections(h);
	if (fd >= 0 && start_daemon(h, fd, e) == 0) {
		log_info("http.listen", "url=%s", in->url);
		return h;
	}
	http_close(h);
	return NULL;
}
