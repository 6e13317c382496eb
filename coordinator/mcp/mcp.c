#include "coordinator/mcp/mcp.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "coordinator/calls/audit_log.h"
#include "coordinator/calls/call.h"
#include "coordinator/calls/context.h"
#include "coordinator/http/http_server.h"
#include "coordinator/mcp/mcp_fixtures.h"
#include "coordinator/mcp/mcp_request.h"
#include "coordinator/mcp/mcp_session.h"
#include "coordinator/mcp/mcp_stream.h"
#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/base/optional_text.h"
#include "proto/base/thread_pool.h"
#include "proto/base/version.h"

#define RECORD(r)               static const struct field r##_fields[] = {
#define FIELD(r, t, f, rule, d) { #f, d, T_##t, offsetof(struct r, f), NULL, rule },
#define END(r) \
	}; \
	const struct record rec_##r = { #r, r##_fields, LEN(r##_fields), sizeof(struct r) };
#define SUB(r, t, f, rule, d)
#define LIST(r, t, f, rule, d)
#include "coordinator/mcp/mcp.def"

/* ---- answers ---- */

void mcp_request_finish(struct mcp_request *t, int status, struct buf *body)
{
	const struct mcp_transport *transport = t->carrier;
	void *ctx = t->ctx;
	char header[100] = "";

	if (t->header)
		snprintf(header, sizeof header, "%s", t->header);
	if (t->listed && session_end_request(t->session, t->id)) {	/* the client has cancelled it */
		status = 200;
		buf_free(body);
	}
	session_unref(t->session);
	mcp_request_release(t);
	arena_free(t->a);	/* frees `t` too */
	transport->done(ctx, status, *header ? header : NULL, body);
	buf_free(body);
}

int mcp_request_fail(
    struct mcp_request *t, int status, int code, const char *data, const char *fmt, ...)
{
	struct buf b = { 0 };
	char msg[300];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(msg, sizeof msg, fmt, ap);
	va_end(ap);
	if (!*t->outcome)
		snprintf(t->outcome, sizeof t->outcome, "%d", code);
	buf_str(&b, "{\"jsonrpc\":\"2.0\",");
	if (t->id)	/* JSON-RPC would send null, which MCP's schemas do not allow */
		buf_printf(&b, "\"id\":%s,", t->id);
	buf_printf(&b, "\"error\":{\"code\":%d,\"message\":", code);
	json_quote(&b, msg);
	if (data)
		buf_printf(&b, ",\"data\":%s", data);
	buf_str(&b, "}}");
	mcp_request_finish(t, status, &b);
	return -1;
}

static void open_as(const struct mcp_request *t, const char *type, struct buf *b)
{
	buf_printf(b, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{", t->id);
	if (t->modern)
		buf_printf(b,
		    "\"resultType\":\"%s\",\"_meta\":{\"" META
		    "serverInfo\":{\"name\":\"atoll\",\"version\":\"" ATOLL_VERSION "\"}},",
		    type);
}

void mcp_result_open(const struct mcp_request *t, struct buf *b)
{
	open_as(t, "complete", b);
}

void mcp_result_open_input(const struct mcp_request *t, struct buf *b)
{
	open_as(t, "input_required", b);
}

void mcp_result_send(struct mcp_request *t, struct buf *b)
{
	if (b->p[b->n - 1] == ',')	/* the result has no members of its own */
		b->n--;
	buf_str(b, "}}");
	mcp_request_finish(t, 200, b);
}

void mcp_request_notify(struct mcp_request *t, const char *method, const char *params)
{
	struct buf b = { 0 };

	buf_printf(&b, "{\"jsonrpc\":\"2.0\",\"method\":\"%s\",\"params\":%s}", method, params);
	t->carrier->event(t->ctx, NULL, b.p);
	buf_free(&b);
}

void mcp_result_put_cache(const struct mcp_request *t, struct buf *out)
{
	if (t->modern)
		buf_str(out, ",\"ttlMs\":60000,\"cacheScope\":\"private\"");
}

struct call mcp_request_call(const struct mcp_request *t)
{
	return (struct call){ .co = t->co,
		.members = t->co->members,
		.registry = t->co->registry,
		.o = &t->co->o,
		.caller = t->caller,
		.a = t->a };
}

/* A cursor is the index of the page's first element.  False if it is not one of ours. */
static bool parse_cursor(const char *cursor, size_t n, size_t *at)
{
	char end;

	if (!cursor || sscanf(cursor, "%zu%c", at, &end) != 1)
		return false;
	return *at && *at % PAGE == 0 && *at <= n;
}

int mcp_page_begin(struct mcp_request *t, size_t n, size_t *from)
{
	*from = 0;
	if (!t->p.cursor || !strcmp(t->p.cursor, "null"))
		return 0;
	const char *cursor = json_text(t->p.cursor, t->a);
	if (cursor && !*cursor)
		return 0;
	if (parse_cursor(cursor, n, from))
		return 0;
	return mcp_request_fail(
	    t, 200, INVALID_PARAMS, NULL, "`cursor` was not returned by this server");
}

void mcp_page_put_next(size_t from, size_t n, struct buf *out)
{
	if (n > from + PAGE)
		buf_printf(out, ",\"nextCursor\":\"%zu\"", from + PAGE);
}

unsigned mcp_parse_capabilities(const char *object)
{
	static const struct { const char *name; unsigned can; } all[] = {
		{ "sampling", CAN_SAMPLE }, { "elicitation", CAN_ELICIT }, { "roots", CAN_ROOTS }
	};
	struct json *j = NULL;
	unsigned can = 0;

	if (object)
		j = json_read(object, NULL);
	for (size_t i = 0; i < LEN(all); i++)
		if (json_key(j, all[i].name))
			can |= all[i].can;
	json_free(j);
	return can;
}

bool mcp_conformance_enabled(const struct mcp_request *t)
{
	return t->co && t->co->o.conformance;
}

/* ---- limits of callers ---- */

int mcp_request_retry_later(
    struct mcp_request *t, int status, const struct err *e, int64_t retry_ms)
{
	struct buf b = { 0 };
	char header[48];

	buf_printf(&b, "{\"code\":\"%s\",\"retry_after_ms\":%lld,\"hint\":", err_name(e->code),
	    (long long)retry_ms);
	json_quote(&b, e->hint);
	buf_byte(&b, '}');
	const char *data = arena_str(t->a, b.p);
	buf_free(&b);
	http_retry_after(retry_ms, header, sizeof header);
	t->header = arena_str(t->a, header);
	snprintf(t->outcome, sizeof t->outcome, "%s", err_name(e->code));
	return mcp_request_fail(t, status, INTERNAL, data, "%s: %s", err_name(e->code), e->msg);
}

int mcp_request_admit(struct mcp_request *t)
{
	struct refusal refusal;
	struct err e = { 0 };

	if (!t->co)
		return mcp_request_fail(t, 200, INTERNAL, NULL, "no coordinator");
	t->since_ms = clock_ms();
	t->times = 1;
	if (!limits_acquire(t->co->limits, t->caller, LIMITS_CALL, clock_us(), &t->turn, &refusal, &e))
		return 0;
	t->times = refusal.n;
	return mcp_request_retry_later(t, 200, &e, refusal.retry_ms);
}

void mcp_request_release(struct mcp_request *t)
{
	if (!t->since_ms)
		return;
	limits_release(t->co->limits, &t->turn);
	if (t->times)
		audit(LOG_INFO, t->caller, "mcp", t->method, NULL, *t->outcome ? t->outcome : "ok",
		    clock_ms() - t->since_ms, t->times);
	t->since_ms = 0;
}

void mcp_request_run_on_worker(struct mcp_request *t, void (*run)(void *))
{
	struct err e = { 0 };

	if (mcp_request_admit(t) || !pool_run(t->co->pool, run, t))
		return;
	limits_count_refusal(t->co->limits, LIMITS_QUEUE);
	err_set(&e, ERR_RATE_LIMITED, "too many requests are waiting");
	mcp_request_retry_later(t, 200, &e, 1000);
}

/* ---- parsing a message ---- */

static bool is_string_or_integer(const char *json)
{
	if (*json == '"')
		return true;
	if (*json == '-')
		json++;
	return *json && !json[strspn(json, "0123456789")];
}

/* The members of `params._meta`. */
static int parse_meta(struct mcp_request *t, const struct json *meta)
{
	t->progress = json_raw(json_key(meta, "progressToken"), t->a);
	if (t->progress && !is_string_or_integer(t->progress))
		return mcp_request_fail(t, 400, INVALID_PARAMS, NULL,
		    "`_meta.progressToken` must be a string or an integer");
	t->revision = json_raw(json_key(meta, META "protocolVersion"), t->a);
	t->capabilities = json_raw(json_key(meta, META "clientCapabilities"), t->a);
	t->modern = t->revision;
	return 0;
}

/* Decode the envelope, the parameters and the era of a message. */
static int parse_message(struct mcp_request *t, const struct json *j)
{
	const struct json *method = json_key(j, "method"), *params = json_key(j, "params");
	const char *version = json_str(json_key(j, "jsonrpc"));
	struct mcp_message m = { 0 };
	struct err e = { 0 };

	if (json_decode_lax(&rec_mcp_message, &m, j, t->a, &e))
		return mcp_request_fail(t, 400, PARSE_ERROR, NULL, "%s", e.msg);
	if (m.id && !is_string_or_integer(m.id))
		return mcp_request_fail(
		    t, 400, INVALID_REQUEST, NULL, "`id` must be a string or an integer");
	t->id = m.id;
	t->result = m.result;
	t->error = m.error;
	if (!version || strcmp(version, "2.0") != 0)
		return mcp_request_fail(t, 400, INVALID_REQUEST, NULL, "`jsonrpc` must be \"2.0\"");
	t->method = arena_str(t->a, json_str(method));
	bool is_response = !method && (m.result || m.error);
	if (!t->method && !is_response)
		return mcp_request_fail(
		    t, 400, INVALID_REQUEST, NULL, "`method` is missing or not a string");
	if (json_kind(params) > JSON_IS_NULL &&
	    json_decode_lax(&rec_mcp_params, &t->p, params, t->a, &e))
		return mcp_request_fail(t, 400, INVALID_PARAMS, NULL, "`params` is not an object");
	return parse_meta(t, json_key(params, "_meta"));
}

static int not_an_object(struct mcp_request *t, enum json_is is)
{
	if (is == JSON_IS_BAD)
		return mcp_request_fail(t, 400, PARSE_ERROR, NULL, "not JSON");
	if (is == JSON_IS_ARRAY)
		return mcp_request_fail(
		    t, 400, INVALID_REQUEST, NULL, "batches are not supported; send one message");
	return mcp_request_fail(t, 400, INVALID_REQUEST, NULL, "a message must be a JSON object");
}

static int parse(struct mcp_request *t, const struct mcp_input *in)
{
	struct err e = { 0 };

	if (in->body[strspn(in->body, " \t\r\n")] != '{')
		return not_an_object(t, json_is(in->body));
	if (strlen(in->body) != in->n)
		return mcp_request_fail(
		    t, 400, PARSE_ERROR, NULL, "not JSON: it contains a NUL byte");
	struct json *j = json_read(in->body, &e);
	if (!j)
		return mcp_request_fail(t, 400, PARSE_ERROR, NULL, "%s", e.msg);
	int rc = parse_message(t, j);
	json_free(j);
	return rc;
}

/* ---- the handshake revisions ---- */

/* The handshake revisions, newest first. */
static const char *const legacy[] = { LATEST_HANDSHAKE, "2025-06-18", "2025-03-26", "2024-11-05" };

bool mcp_is_handshake(const char *version)
{
	for (size_t i = 0; i < LEN(legacy); i++)
		if (!strcmp(legacy[i], version))
			return true;
	return false;
}

/* The message has no revision in `_meta`, so its header must name a handshake revision or none. */
static int check_legacy_version(struct mcp_request *t, const char *version)
{
	if (!version || mcp_is_handshake(version))
		return 0;
	if (strlen(version) == strlen(REVISION_STATELESS) && strcmp(version, legacy[0]) > 0)
		return mcp_request_fail(t, 400, INVALID_PARAMS, NULL,
		    "`params._meta[\"" META "protocolVersion\"]` is missing;"
		    " MCP-Protocol-Version %.20s requires it",
		    version);
	return mcp_request_fail(t, 400, INVALID_REQUEST, NULL,
	    "MCP-Protocol-Version `%.40s` is not supported; use %s or %s", version, REVISION_STATELESS,
	    legacy[0]);
}

/* Add a request to its session, and give it a stream that can be resumed. */
static int begin_in_session(struct mcp_request *t)
{
	t->ctx = stream_new(t->co, t->session, session_primed(t->session), t->carrier, t->ctx);
	t->carrier = &stream_transport;
	if (session_begin_request(t->session, t->id, t->ctx))
		return mcp_request_fail(
		    t, 400, INVALID_REQUEST, NULL, "a request with this `id` is in progress");
	t->listed = true;
	return 0;
}

/* Check the headers, and find the session. */
static int check_legacy(struct mcp_request *t, const struct mcp_input *in)
{
	const char *id = mcp_header(in, "Mcp-Session-Id", t->a);

	if (check_legacy_version(t, mcp_header(in, "MCP-Protocol-Version", t->a)))
		return -1;
	if (!id || (t->method && !strcmp(t->method, "initialize")))
		return 0;
	if (t->co)
		t->session = session_get(t->co->mcp, t->caller, id);
	if (!t->session)
		return mcp_request_fail(t, 404, INVALID_REQUEST, NULL,
		    "the session does not exist or has expired; initialize again");
	t->can = session_capabilities(t->session);
	if (t->id && t->method)
		return begin_in_session(t);
	return 0;
}

/* ---- headers ---- */

/* Decode base64 that must be in its one canonical form; NULL if it is not. */
static const char *decode_base64(const char *text, struct arena *a)
{
	struct buf b = { 0 }, again = { 0 };
	const char *value = NULL;

	if (!buf_unbase64(&b, text, strlen(text))) {
		buf_str(&b, "");
		buf_base64(&again, b.p, b.n);
		buf_str(&again, "");
		if (!strcmp(again.p, text))
			value = arena_strn(a, b.p, b.n);
	}
	buf_free(&again);
	buf_free(&b);
	return value;
}

const char *mcp_header(const struct mcp_input *in, const char *name, struct arena *a)
{
	static const char head[] = "=?base64?", tail[] = "?=";
	const size_t nhead = sizeof head - 1, ntail = sizeof tail - 1;
	const char *h = NULL;

	if (in->header)
		h = in->header(in->from, name);
	if (!h)
		return NULL;
	h += strspn(h, " \t");
	size_t n = strlen(h);
	while (n && strchr(" \t", h[n - 1]))
		n--;
	bool wrapped = n >= nhead + ntail && !strncmp(h, head, nhead) &&
	    !strncmp(h + n - ntail, tail, ntail);
	if (!wrapped)
		return arena_strn(a, h, n);
	return decode_base64(arena_strn(a, h + nhead, n - nhead - ntail), a);
}

static bool is_same(const char *a, const char *b)
{
	if (!a || !b)
		return a == b;
	return !strcmp(a, b);
}

/* Check that a header repeats `value`, which the body contains. */
static int check_header(
    struct mcp_request *t, const struct mcp_input *in, const char *name, const char *value)
{
	const char *h = mcp_header(in, name, t->a);

	if (is_same(h, value))
		return 0;
	return mcp_request_fail(t, 400, HEADER_MISMATCH, NULL,
	    "header %s is `%.80s`, but the body contains `%.80s`", name, text_or_empty(h),
	    text_or_empty(value));
}

/* Check the header Mcp-Name of the methods where it repeats a parameter. */
static int check_name_header(struct mcp_request *t, const struct mcp_input *in)
{
	if (!strcmp(t->method, "tools/call") || !strcmp(t->method, "prompts/get"))
		return check_header(t, in, "Mcp-Name", json_text(t->p.name, t->a));
	if (!strcmp(t->method, "resources/read"))
		return check_header(t, in, "Mcp-Name", json_text(t->p.uri, t->a));
	return 0;
}

/* ---- 2026-07-28 ---- */

/* The official suite depends on the order of these checks. */
static int check_modern(struct mcp_request *t, const struct mcp_input *in)
{
	const char *version = json_text(t->revision, t->a);

	if (!version)
		return mcp_request_fail(
		    t, 400, INVALID_PARAMS, NULL, "`_meta[\"" META "protocolVersion\"]` is not a string");
	if (!t->capabilities || *t->capabilities != '{')
		return mcp_request_fail(t, 400, INVALID_PARAMS, NULL,
		    "`_meta[\"" META "clientCapabilities\"]` is missing or not an object");
	if (check_header(t, in, "MCP-Protocol-Version", version))
		return -1;
	if (strcmp(version, REVISION_STATELESS) != 0)
		return mcp_request_fail(t, 400, UNSUPPORTED_VERSION,
		    arena_printf(
		        t->a, "{\"supported\":[\"" REVISION_STATELESS "\"],\"requested\":%s}", t->revision),
		    "protocol version `%.40s` is not supported; use %s, or initialize with %s", version,
		    REVISION_STATELESS, legacy[0]);
	t->can = mcp_parse_capabilities(t->capabilities);
	if (!t->method)
		return 0;
	if (check_header(t, in, "Mcp-Method", t->method) || check_name_header(t, in))
		return -1;
	if (!strcmp(t->method, "tools/call"))
		return fixture_check_headers(t, in);
	return 0;
}

/* ---- dispatch ---- */

static const struct method {
	const char *name;
	bool legacy, modern;
	void (*run)(struct mcp_request *);
} methods[] = {
#define METHOD(name, legacy, modern, run) { name, legacy, modern, mcp_##run },
#include "coordinator/mcp/mcp.def"
};

/* The client cancels a request of its session. */
static void cancel(struct mcp_request *t)
{
	if (!t->p.requestId)
		return;
	const void *asker = session_cancel_request(t->session, t->p.requestId);
	if (asker)
		call_abandon(t->co, asker);
}

/* A notification, or a response to one of our requests. */
static void take(struct mcp_request *t)
{
	if (t->session && t->method && !strcmp(t->method, "notifications/cancelled"))
		cancel(t);
	else if (t->session && !t->method && t->id)
		session_take_answer(t->session, t->id, t->error ? NULL : t->result);
	mcp_request_finish(t, 202, &(struct buf){ 0 });
}

static bool in_era(const struct method *m, bool modern)
{
	if (modern)
		return m->modern;
	return m->legacy;
}

static void dispatch(struct mcp_request *t)
{
	if (!t->method || !t->id) {
		take(t);
		return;
	}
	for (size_t i = 0; i < LEN(methods); i++)
		if (in_era(&methods[i], t->modern) && !strcmp(methods[i].name, t->method)) {
			methods[i].run(t);
			return;
		}
	mcp_request_fail(
	    t, t->modern ? 404 : 200, NO_METHOD, NULL, "unknown method `%.100s`", t->method);
}

/* Check the headers against the era of the message.  0, or -1 after refusing it. */
static int check(struct mcp_request *t, const struct mcp_input *in)
{
	if (t->modern)
		return check_modern(t, in);
	return check_legacy(t, in);
}

void mcp_handle(struct coordinator *co, const struct caller *caller, const struct mcp_input *in,
    const struct mcp_transport *transport, void *ctx)
{
	struct arena *a = arena_new();
	struct mcp_request *t = arena_one(a, struct mcp_request);

	t->co = co;
	t->caller = caller;
	t->a = a;
	t->carrier = transport;
	t->ctx = ctx;
	if (parse(t, in) || check(t, in))
		return;		/* it is refused, and `t` is freed */
	dispatch(t);
}
