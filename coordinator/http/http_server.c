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
	/* so many are a lot, and what an address of this machine may have at least */
	CROWD = CONNECTIONS * 3 / 4,
	SPARE = 64,			/* connections beyond these, for probes */
	GOING = 64,			/* and such as are hung up on, until libmicrohttpd has seen it */
	HEADERS_MAX = 32 << 10,
	PEM_MAX = 1 << 20,
	LARGE_AT_ONCE = 8,
	DRAIN_MAX = 32 << 20		/* read of a body that is refused, so that the client can see why */
};

/* ---- connections ---- */

static void on_connection(
    void *arg, struct MHD_Connection *mhd, void **ctx, enum MHD_ConnectionNotificationCode code)
{
	struct http_server *h = arg;

	if (code == MHD_CONNECTION_NOTIFY_STARTED) {
		const union MHD_ConnectionInfo *fd = MHD_get_connection_info(
		    mhd, MHD_CONNECTION_INFO_CONNECTION_FD);
		if (fd)
			*ctx = http_timeouts_add(h->patience, fd->connect_fd);
		else
			*ctx = NULL;
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

/* The request line is in. */
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
	else
		x->conn = NULL;
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
	bool over = x->answered && !x->streams;		/* nobody works for it any more */
	pthread_mutex_unlock(&x->lock);
	if (!over)
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
	const char *type = http_header(pub, MHD_HTTP_HEADER_CONTENT_TYPE),
	           *coding = http_header(pub, MHD_HTTP_HEADER_CONTENT_ENCODING);
	struct err e = { 0 };

	if (pub->n && !media_is_json(type)) {
		err_set(&e, ERR_INVALID_INPUT, "Content-Type `%.60s` is not JSON", type ? type : "");
		err_hint(&e, "Send Content-Type: application/json.");
	} else if (coding && strcasecmp(coding, "identity") != 0) {
		err_set(&e, ERR_INVALID_INPUT, "Content-Encoding `%.60s` is not supported", coding);
		err_hint(&e, "Send the JSON as it is.");
	}
	if (e.code) {
		http_fail(pub, 415, &e, NULL);
		return -1;
	}
	return 0;
}

/* ---- from a request to its handler ---- */

/* The row for path and method; 404 and 405 otherwise. */
static int find_route(struct http_request *x)
{
	const char *path = x->pub.path, *method = x->pub.method;
	char allow[40] = "";

	for (size_t i = 0; i < x->http->in.nroutes; i++) {
		const struct http_route *r = &x->http->in.routes[i];
		size_t n = strlen(r->path);
		bool prefix = r->path[n - 1] == '*';
		if (prefix ? strncmp(r->path, path, n - 1) || !path[n - 1] : strcmp(r->path, path) != 0)
			continue;
		if (!strcmp(r->method, method) || (!strcmp(r->method, "GET") && !strcmp(method, "HEAD"))) {
			x->route = r;
			if (prefix)
				x->pub.rest = path + n - 1;
			else
				x->pub.rest = "";
			return 0;
		}
		if (!strstr(allow, r->method))
			snprintf(allow + strlen(allow), sizeof allow - strlen(allow), "%s%s",
			    *allow ? ", " : "", r->method);
	}
	if (!*allow) {
		err_set(&x->refusal, ERR_NOT_FOUND, "nothing answers at %.100s", path);
		err_hint(&x->refusal, "MCP answers at /mcp, tools at POST /api/v1/<tool>.");
		return http_request_reject(x, 404);
	}
	snprintf(x->refusal_header, sizeof x->refusal_header, "Allow: %s", allow);
	err_set(&x->refusal, ERR_INVALID_INPUT, "%.20s is not possible at %.100s", method, path);
	err_hint(&x->refusal, "Use %s.", allow);
	return http_request_reject(x, 405);
}

static int too_large(struct http_request *x)
{
	limits_count_refusal(x->http->in.limits, LIMITS_BODY);
	err_set(&x->refusal, ERR_INVALID_INPUT, "the body is larger than %zu bytes", x->route->body);
	err_hint(&x->refusal, "Send less.");
	return http_request_reject(x, 413);
}

static int find_room(struct http_request *x)
{
	if (!x->conn || x->route->probe || !http_timeouts_is_probe_only(x->http->patience, x->conn))
		return 0;
	limits_count_refusal(x->http->in.limits, LIMITS_ROOM);
	err_set(&x->refusal, ERR_RATE_LIMITED,
	    "there are more connections, or of this address, than this coordinator serves");
	err_hint(&x->refusal, "Close some, or ask again in a moment.");
	snprintf(x->refusal_header, sizeof x->refusal_header, "Retry-After: 1");
	return http_request_reject(x, 503);
}

/*
 * The headers are in: whether the request may go on.  A refusal is answered when its body has been
 * read.
 */
static enum MHD_Result admit(
    struct http_request *x, const char *url, const char *method, const char *version)
{
	const char *length = http_header(&x->pub, MHD_HTTP_HEADER_CONTENT_LENGTH);
	unsigned long long n = 0;
	struct buf body = { 0 };

	if (length)
		n = strtoull(length, NULL, 10);
	x->seen = true;
	set_phase(x, RECEIVING);
	x->pub.co = x->http->in.co;
	x->pub.caller = &caller_nobody;
	x->pub.method = arena_str(x->pub.a, method);
	x->pub.path = arena_str(x->pub.a, url);
	if (http_request_check(x, version) == 0 && http_check_origin(x) == 0 && find_route(x) == 0 &&
	    find_room(x) == 0 && http_authenticate(x, x->route->open) == 0 && n > x->route->body)
		too_large(x);
	/* Nothing of the body is on its way yet, or it is too much to read: answer at once. */
	if (x->refusal.code &&
	    (x->framing_unclear || http_header(&x->pub, MHD_HTTP_HEADER_EXPECT) || n > DRAIN_MAX)) {
		http_put_error(&x->refusal, &body);
		http_request_answer(x, x->refusal_status, "application/json", &body, x->refusal_header);
	}
	return MHD_YES;
}

/* Memory for bodies is bounded, whoever sends them. */
static void count_large(struct http_request *x)
{
	x->large = true;
	if (atomic_fetch_add(&x->http->large, 1) < LARGE_AT_ONCE)
		return;
	err_set(&x->refusal, ERR_RATE_LIMITED,
	    "more large requests are under way than this coordinator takes on");
	http_request_reject(x, 503);
}

static enum MHD_Result take(struct http_request *x, const char *p, size_t n)
{
	if (x->conn && x->received / HTTP_PROGRESS_BYTES != (x->received + n) / HTTP_PROGRESS_BYTES)
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

/* Whoever may not ask cannot fill the log with it either. */
static void log_refusal(const struct http_request *x)
{
	bool stranger = x->refusal_status == 401 || x->refusal_status == 403;
	char status[8];
	uint64_t n = 1;

	if (stranger)
		n = limits_refuse_anonymous(x->http->in.limits,
		    x->refusal_status == 401 ? LIMITS_UNKNOWN : LIMITS_PAGE, clock_us());
	if (!n)
		return;
	snprintf(status, sizeof status, "%d", x->refusal_status);
	log_at(stranger ? LOG_WARN : LOG_DEBUG, "http.refused",
	    "status=%s method=%s path=%s message=%s", status, log_quote(x->pub.method),
	    log_quote(x->pub.path), log_quote(x->refusal.msg));
	if (stranger)
		audit(LOG_INFO, x->pub.caller, "http", x->route ? x->route->path : "-", NULL, status, 0, n);
}

static void start(struct http_request *x)
{
	struct buf body = { 0 };

	x->started = true;
	set_phase(x, WORKING);
	if (x->refusal.code) {
		log_refusal(x);
		http_put_error(&x->refusal, &body);
		http_request_answer(x, x->refusal_status, "application/json", &body, x->refusal_header);
		return;
	}
	if (x->body.p)
		x->pub.body = x->body.p;
	else
		x->pub.body = "";
	x->pub.n = x->body.n;
	atomic_fetch_add(&x->refs, 1);
	x->route->handler(&x->pub);
	if (x->conn)	/* once there is something to abandon */
		http_timeouts_on_hangup(x->http->patience, x->conn, on_hangup, x);
}

static enum MHD_Result flush(struct http_request *x)
{
	if (!x->streams)	/* those have no end by themselves */
		set_phase(x, SENDING);
	return MHD_queue_response(x->mhd, (unsigned)x->status, x->response);
}

/* Whether it may begin: then the end waits for its answer, from here on (is_owed). */
static bool accept_request(struct http_request *x)
{
	pthread_mutex_lock(&x->lock);
	x->awaited = !x->http->closing;
	pthread_mutex_unlock(&x->lock);
	return x->awaited;
}

/* Send the answer, or suspend the connection until there is one. */
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
 * libmicrohttpd calls this when the headers are in, for each piece of the body, at its end, and
 * after a resume.
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

/* ---- opening; http_shutdown.c ends it ---- */

/* Keys and certificates of TLS, or NULL: there is none. */
static const char *pem(struct http_server *h, const char *flag, const char *path, struct err *e)
{
	struct buf b = { 0 };
	char chunk[4096];
	size_t n;
	FILE *f = fopen(path, "r");

	while (f && (n = fread(chunk, 1, sizeof chunk, f)) > 0 && b.n < PEM_MAX)
		buf_put(&b, chunk, n);
	if (!f || ferror(f) || !b.n)
		err_set(e, ERR_INVALID_INPUT, "--%s %s: %s", flag, path,
		    f && !ferror(f) ? "it is empty" : strerror(errno));
	const char *text = NULL;
	if (b.n)
		text = arena_strn(h->a, b.p, b.n);
	if (f)
		fclose(f);
	buf_free(&b);
	return text;
}

/* libmicrohttpd's own limit, without a byte: for what patience does not see.  Seconds. */
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
	unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME |
	    (h->tls ? MHD_USE_TLS : 0);
	const char *cert = h->tls ? pem(h, "http-cert", o->http_cert, e) : "",
	           *key = cert && h->tls ? pem(h, "http-key", o->http_key, e) : "";
	struct MHD_OptionItem tls[] = {
		{ MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)(uintptr_t)cert },
		{ MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)(uintptr_t)key },
		{ MHD_OPTION_HTTPS_PRIORITIES, 0,
		    (void *)(uintptr_t) "SECURE128:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2" },
		{ MHD_OPTION_END, 0, NULL },
	};

	if (!cert || !key) {
		close(fd);
		return -1;
	}
	h->daemon = MHD_start_daemon(flags, 0, NULL, NULL, on_request, h,
	    MHD_OPTION_LISTEN_SOCKET, fd,
	    MHD_OPTION_THREAD_POOL_SIZE, (unsigned)THREADS,
	    /* of which a thread has its part */
	    MHD_OPTION_CONNECTION_LIMIT, (unsigned)(THREADS * (CONNECTIONS + SPARE + GOING)),
	    MHD_OPTION_CONNECTION_TIMEOUT, library_timeout_s(o),
	    MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEADERS_MAX,
	    MHD_OPTION_NOTIFY_CONNECTION, on_connection, h,
	    MHD_OPTION_NOTIFY_COMPLETED, on_completed, h,
	    MHD_OPTION_URI_LOG_CALLBACK, on_request_line, h,
	    MHD_OPTION_ARRAY, h->tls ? tls : &tls[LEN(tls) - 1],
	    MHD_OPTION_END);
	if (!h->daemon) {
		close(fd);
		return err_set(e, h->tls ? ERR_INVALID_INPUT : ERR_INTERNAL,
		    h->tls ? "--http-cert, --http-key: no certificate with its key, PEM" :
		             "the HTTP server does not start");
	}
	return 0;
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
	size_t each = o->behind_proxy ? 0 : (size_t)o->connections_per_address;
	struct http_timeout_rules rules = {
		.waiting_ms = o->idle_timeout_ms, .heading_ms = o->head_timeout_ms,
		    .receiving_ms = o->request_timeout_ms,
		.sending_ms = o->answer_timeout_ms, .crowded_above = CROWD, .most = CONNECTIONS,
		    .spare = SPARE,
		.most_peer = each, .most_local = each && each < CROWD && !h->exposed ? CROWD : each,
		.on_keepalive = http_send_keepalives, .on_slow = on_slow, .on_full = on_full, .arg = h,
	};

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
