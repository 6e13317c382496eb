/* MCP over Streamable HTTP: one answer, or a stream of events that ends with it. */
#include <string.h>

#include "coordinator/api/http_routes.h"
#include "coordinator/mcp/mcp.h"
#include "coordinator/mcp/mcp_stream.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"

static bool send_event(struct exchange *x, const char *id, const char *message)
{
	struct buf b = { 0 };

	if (id)
		buf_printf(&b, "id: %s\n", id);
	if (message)
		buf_printf(&b, "event: message\ndata: %s\n\n", message);
	else
		buf_printf(&b, "retry: %d\ndata: \n\n", STREAM_RETRY_MS);
	bool read = http_send(x, b.p, b.n);
	buf_free(&b);
	return read;
}

static bool event(void *ctx, const char *id, const char *message)
{
	http_stream(ctx, NULL);
	if (id || message)
		return send_event(ctx, id, message);
	return http_send(ctx, ":\n\n", 3);
}

static void done(void *ctx, int status, const char *header, struct buf *body)
{
	struct exchange *x = ctx;

	if (http_is_stream(x) || (status == 200 && !body->n)) {
		http_stream(x, header);
		if (body->n)
			send_event(x, NULL, body->p);
		http_end(x);
	} else {
		const char *type = NULL;
		if (body->n)
			type = "application/json";
		http_answer(x, status, type, body, header);
	}
}

static const struct mcp_transport transport = { event, done };

static const char *header(const void *from, const char *name)
{
	return http_header(from, name);
}

void mcp_post(struct exchange *x)
{
	struct mcp_input in = { .body = x->body, .n = x->n, .header = header, .from = x };
	struct err e = { 0 };

	if (!http_accepts(x, "application/json")) {
		err_set(&e, ERR_INVALID_INPUT, "Accept `%.80s` does not include application/json",
		    http_header(x, "Accept"));
		err_hint(&e, "Send Accept: application/json, text/event-stream.");
		http_fail(x, 406, &e, NULL);
	} else if (http_require_json(x) == 0) {
		mcp_handle(x->co, x->caller, &in, &transport, x);
	}
}

/* The session that a GET or DELETE is for; NULL after answering. */
static const char *session_of(struct exchange *x)
{
	const char *id = http_header(x, "Mcp-Session-Id");
	const char *version = http_header(x, "MCP-Protocol-Version");
	struct err e = { 0 };

	if (id && version && !mcp_is_handshake(version)) {
		err_set(&e, ERR_INVALID_INPUT,
		    "MCP-Protocol-Version `%.40s` has no sessions, or is not supported", version);
		err_hint(&e, "Send the version that `initialize` has negotiated.");
		http_fail(x, 400, &e, NULL);
		return NULL;
	}
	if (id)
		return id;
	err_set(&e, ERR_INVALID_INPUT, "%s needs the header Mcp-Session-Id", x->method);
	err_hint(&e, "Use POST; the answer to `initialize` has a session id.");
	http_fail(x, 405, &e, "Allow: POST");
	return NULL;
}

void mcp_get(struct exchange *x)
{
	const char *id = session_of(x), *header_line = NULL;
	struct err e = { 0 };
	char retry[48];
	int64_t retry_ms = 0;

	if (!id)
		return;
	if (!http_accepts(x, "text/event-stream")) {
		err_set(&e, ERR_INVALID_INPUT, "Accept does not include text/event-stream");
		err_hint(&e, "Send Accept: text/event-stream.");
		http_fail(x, 406, &e, NULL);
		return;
	}
	if (!mcp_open_stream(
	        x->co, x->caller, id, http_header(x, "Last-Event-ID"), &transport, x, &retry_ms, &e))
		return;
	if (retry_ms) {
		http_retry_after(retry_ms, retry, sizeof retry);
		header_line = retry;
	}
	http_fail(x, 0, &e, header_line);
}

void mcp_delete(struct exchange *x)
{
	const char *id = session_of(x);
	struct err e = { 0 };

	if (!id)
		return;
	if (mcp_end_session(x->co, x->caller, id, &e))
		http_fail(x, 0, &e, NULL);
	else
		http_answer(x, 204, NULL, NULL, NULL);
}
