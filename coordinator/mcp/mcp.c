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
#include "proto/base/thread_pool.h"
#include "proto/base/version.h"

#define RECORD(r)               static const struct field r##_fields[] = {
#define FIELD(r, t, f, rule, d) { #f, d, T_##t, offsetof(struct r, f), NULL, rule },
#define END(r)                  }; const struct record rec_##r = { #r, r##_fields, LEN(r##_fields), sizeof(struct r) };
#define SUB(r, t, f, rule, d)
#define LIST(r, t, f, rule, d)
#include "coordinator/mcp/mcp.def"

/* ---- answering ---- */

void mcp_request_finish(struct mcp_request *t, int status, struct buf *body)
{
	const struct mcp_transport *transport = t->carrier;
	void *ctx = t->ctx;
	char header[100] = "";
	bool taken_back = t->listed && session_end_request(t->session, t->id);

	if (t->header)
		snprintf(header, sizeof header, "%s", t->header);
	session_unref(t->session);
	mcp_request_release(t);
	arena_free(t->a);	/* and with it `t` */
	if (taken_back)
		buf_free(body);
	transport->done(ctx, taken_back ? 200 : status, *header ? header : NULL, body);
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
	if (t->id)	/* null, as JSON-RPC has it, is no id to MCP's schemas */
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
	if (b->p[b->n - 1] == ',')	/* nothing followed the head */
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

/* A cursor is the place of the first of its page. */
int mcp_page_begin(struct mcp_request *t, size_t n, size_t *from)
{
	const char *cursor = t->p.cursor && strcmp(t->p.cursor, "null") ? json_text(t->p.cursor, t->a) :
	                                                                  "";
	size_t at = 0;
	char end;

	if (!cursor ||
	    (*cursor && (sscanf(cursor, "%zu%c", &at, &end) != 1 || !at || at % PAGE || at > n)))
		return mcp_request_fail(
		    t, 200, INVALID_PARAMS, NULL, "`cursor` is not one that this server gave out");
	*from = at;
	return 0;
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

/* ---- a caller's turn ---- */

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
	err_set(&e, ERR_RATE_LIMITED, "more requests are waiting than this coordinator takes on");
	mcp_request_retry_later(t, 200, &e, 1000);
}

/* ---- what a message is ---- */

static bool is_integer(const char *json)
{
	json += *json == '-';
	return *json && !json[strspn(json, "0123456789")];
}

/* The envelope, and which era it belongs to. */
static int parse_message(struct mcp_request *t, const struct json *j)
{
	const struct json *method = json_key(j, "method"), *params = json_key(j, "params"),
	                  *meta = json_key(params, "_meta");
	const char *version = json_str(json_key(j, "jsonrpc"));
	struct mcp_message m = { 0 };
	struct err e = { 0 };

	if (json_decode_lax(&rec_mcp_message, &m, j, t->a, &e))
		return mcp_request_fail(t, 400, PARSE_ERROR, NULL, "%s", e.msg);
	if (m.id && *m.id != '"' && !is_integer(m.id))
		return mcp_request_fail(
		    t, 400, INVALID_REQUEST, NULL, "`id` is neither a string nor an integer");
	t->id = m.id;
	if (!version || strcmp(version, "2.0") != 0)
		return mcp_request_fail(t, 400, INVALID_REQUEST, NULL, "`jsonrpc` is not \"2.0\"");
	t->method = arena_str(t->a, json_str(method));
	if (!t->method && (method || (!m.result && !m.error)))
		return mcp_request_fail(t, 400, INVALID_REQUEST, NULL, "`method` is missing or no string");
	if (json_kind(params) > JSON_IS_NULL &&
	    json_decode_lax(&rec_mcp_params, &t->p, params, t->a, &e))
		return mcp_request_fail(t, 400, INVALID_PARAMS, NULL, "`params` is not an object");
	t->progress = json_raw(json_key(meta, "progressToken"), t->a);
	if (t->progress && *t->progress != '"' && !is_integer(t->progress))
		return mcp_request_fail(t, 400, INVALID_PARAMS, NULL,
		    "`_meta.progressToken` is neither a string nor an integer");
	t->revision = json_raw(json_key(meta, META "protocolVersion"), t->a);
	t->capabilities = json_raw(json_key(meta, META "clientCapabilities"), t->a);
	t->result = m.result;
	t->error = m.error;
	t->modern = t->revision;
	return 0;
}

/* The same, from its text. */
static int parse(struct mcp_request *t, const struct mcp_input *in)
{
	struct err e = { 0 };

	if (in->body[strspn(in->body, " \t\r\n")] != '{') {
		enum json_is is = json_is(in->body);
		if (is == JSON_IS_BAD)
			return mcp_request_fail(t, 400, PARSE_ERROR, NULL, "not JSON");
		return mcp_request_fail(t, 400, INVALID_REQUEST, NULL,
		    is == JSON_IS_ARRAY ? "batches are not supported; send one "
		                          "message" :
		                          "a message is an object");
	}
	struct json *j = NULL;
	if (strlen(in->body) == in->n)
		j = json_read(in->body, &e);
	if (!j)
		return mcp_request_fail(
		    t, 400, PARSE_ERROR, NULL, "%s", e.code ? e.msg : "not JSON: it holds a NUL byte");
	int rc = parse_message(t, j);
	json_free(j);
	return rc;
}

/* The handshake revisions, newest first. */
static const char *const legacy[] = { LATEST_HANDSHAKE, "2025-06-18", "2025-03-26", "2024-11-05" };

bool mcp_is_handshake(const char *version)
{
	for (size_t i = 0; i < LEN(legacy); i++)
		if (!strcmp(legacy[i], version))
			return true;
	return false;
}

/*
 * A header of a message that does not say of itself that it is modern must not say so either; and
 * of which session it is.
 */
static int check_legacy(struct mcp_request *t, const struct mcp_input *in)
{
	const char *version = mcp_header(in, "MCP-Protocol-Version", t->a),
	           *id = mcp_header(in, "Mcp-Session-Id", t->a);

	if (version && !mcp_is_handshake(version)) {
		if (strlen(version) == strlen(REVISION_STATELESS) && strcmp(version, legacy[0]) > 0)
			return mcp_request_fail(t, 400, INVALID_PARAMS, NULL,
			    "`params._meta[\"" META "protocolVersion\"]` is missing, "
			    "which MCP-Protocol-Version %.20s requires",
			    version);
		return mcp_request_fail(t, 400, INVALID_REQUEST, NULL,
		    "MCP-Protocol-Version `%.40s` is not supported; use %s or %s", version,
		    REVISION_STATELESS, legacy[0]);
	}
	if (!id || (t->method && !strcmp(t->method, "initialize")))
		return 0;
	if (!(t->session = t->co ? session_get(t->co->mcp, t->caller, id) : NULL))
		return mcp_request_fail(
		    t, 404, INVALID_REQUEST, NULL, "the session is not known (any more); initialize again");
	t->can = session_capabilities(t->session);
	if (t->id && t->method) {
		t->ctx = stream_new(t->co, t->session, session_primed(t->session), t->carrier, t->ctx);
		t->carrier = &stream_transport;
		if (session_begin_request(t->session, t->id, t->ctx))
			return mcp_request_fail(
			    t, 400, INVALID_REQUEST, NULL, "a request with this `id` is under way");
		t->listed = true;
	}
	return 0;
}

const char *mcp_header(const struct mcp_input *in, const char *name, struct arena *a)
{
	static const char head[] = "=?base64?", tail[] = "?=";
	const char *h = NULL;
	struct buf b = { 0 }, again = { 0 };

	if (in->header)
		h = in->header(in->from, name);
	if (!h)
		return NULL;
	h += strspn(h, " \t");
	size_t n = strlen(h);
	while (n && strchr(" \t", h[n - 1]))
		n--;
	if (n < sizeof head + sizeof tail - 2 || strncmp(h, head, sizeof head - 1) ||
	    strncmp(h + n - 2, tail, 2))
		return arena_strn(a, h, n);
	const char *wrapped = arena_strn(
	    a, h + sizeof head - 1, n - (sizeof head - 1) - (sizeof tail - 1));
	bool good = !buf_unbase64(&b, wrapped, strlen(wrapped));
	buf_base64(&again, b.p, b.n);	/* one value has one form: with its padding */
	good = good && !strcmp(again.p ? again.p : "", wrapped);
	const char *value = NULL;
	if (good)
		value = arena_strn(a, b.p ? b.p : "", b.n);
	buf_free(&again);
	buf_free(&b);
	return value;
}

/* What a header must repeat of the body. */
static int check_same(
    struct mcp_request *t, const struct mcp_input *in, const char *name, const char *value)
{
	const char *h = mcp_header(in, name, t->a);

	if (h && value ? !strcmp(h, value) : h == value)
		return 0;
	return mcp_request_fail(t, 400, HEADER_MISMATCH, NULL,
	    "header %s is `%.80s`, the body says `%.80s`", name, h ? h : "", value ? value : "");
}

/* Methods whose header Mcp-Name repeats a parameter. */
static const char *named(const struct mcp_request *t)
{
	if (!strcmp(t->method, "tools/call") || !strcmp(t->method, "prompts/get"))
		return t->p.name ? t->p.name : "";
	if (!strcmp(t->method, "resources/read"))
		return t->p.uri ? t->p.uri : "";
	return NULL;
}

/* In the order in which the official suite asserts it. */
static int check_modern(struct mcp_request *t, const struct mcp_input *in)
{
	const char *version = json_text(t->revision, t->a);

	if (!version)
		return mcp_request_fail(
		    t, 400, INVALID_PARAMS, NULL, "`_meta[\"" META "protocolVersion\"]` is not a string");
	if (!t->capabilities || *t->capabilities != '{')
		return mcp_request_fail(t, 400, INVALID_PARAMS, NULL,
		    "`_meta[\"" META "clientCapabilities\"]` is missing or no object");
	if (check_same(t, in, "MCP-Protocol-Version", version))
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
	if (check_same(t, in, "Mcp-Method", t->method))
		return -1;
	const char *name = named(t);
	if (name && check_same(t, in, "Mcp-Name", *name ? json_text(name, t->a) : NULL))
		return -1;
	if (!strcmp(t->method, "tools/call"))
		return fixture_check_headers(t, in);
	return 0;
}

/* ---- the entry ---- */

static const struct {
	const char *name;
	bool legacy, modern;
	void (*run)(struct mcp_request *);
} methods[] = {
#define METHOD(name, legacy, modern, run) { name, legacy, modern, mcp_##run },
#include "coordinator/mcp/mcp.def"
};

/* A notification, or a response to a request of ours. */
static void take(struct mcp_request *t)
{
	if (t->session && t->method && !strcmp(t->method, "notifications/cancelled") &&
	    t->p.requestId) {
		const void *asker = session_cancel_request(t->session, t->p.requestId);
		if (asker)
			call_abandon(t->co, asker);
	} else if (t->session && !t->method && t->id) {
		session_take_answer(t->session, t->id, t->error ? NULL : t->result);
	}
	mcp_request_finish(t, 202, &(struct buf){ 0 });
}

static void dispatch(struct mcp_request *t)
{
	if (!t->method || !t->id) {
		take(t);
		return;
	}
	for (size_t i = 0; i < LEN(methods); i++)
		if ((t->modern ? methods[i].modern : methods[i].legacy) &&
		    !strcmp(methods[i].name, t->method)) {
			methods[i].run(t);
			return;
		}
	mcp_request_fail(t, t->modern ? 404 : 200, NO_METHOD, NULL, "no method `%.100s`", t->method);
}

void mcp_handle(struct coordinator *co, const struct caller *caller, const struct mcp_input *in,
    const struct mcp_transport *transport, void *ctx)
{
	struct arena *a = arena_new();
	struct mcp_request *t = arena_one(a, struct mcp_request);

	*t = (struct mcp_request){ .co = co, .caller = caller, .a = a, .carrier = transport, .ctx = ctx };
	if (parse(t, in) == 0 && (t->modern ? check_modern(t, in) : check_legacy(t, in)) == 0)
		dispatch(t);
}
