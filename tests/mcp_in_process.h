#ifndef TESTS_MCP_IN_PROCESS_H
#define TESTS_MCP_IN_PROCESS_H
/* MCP without a network: what is answered, and what is told unasked. */
#include "coordinator/mcp/mcp.h"
#include "tests/tool_calls.h"

/* Whoever sent a message, or listens. */
struct ear {
	pthread_mutex_t lock;
	struct buf heard;		/* answers and notifications, a line each */
	int lines, answers;
	char session[64];
};

static inline void ear_open(struct ear *e)
{
	memset(e, 0, sizeof *e);
	pthread_mutex_init(&e->lock, NULL);
}

static inline bool on_event(void *ctx, const char *id, const char *message)
{
	struct ear *e = ctx;

	(void)id;
	pthread_mutex_lock(&e->lock);
	buf_printf(&e->heard, "%s\n", message ? message : "");
	e->lines += message != NULL;
	pthread_mutex_unlock(&e->lock);
	return true;
}

static inline void on_answer(void *ctx, int status, const char *header, struct buf *body)
{
	struct ear *e = ctx;

	pthread_mutex_lock(&e->lock);
	if (header)
		snprintf(e->session, sizeof e->session, "%s", strchr(header, ':') + 2);
	buf_printf(&e->heard, "%d %s\n", status, body && body->p ? body->p : "");
	e->answers++;
	if (body)
		buf_free(body);
	pthread_mutex_unlock(&e->lock);
}

static const struct mcp_transport carrier = { on_event, on_answer };

static inline int lines(struct ear *e)
{
	pthread_mutex_lock(&e->lock);
	int n = e->lines;
	pthread_mutex_unlock(&e->lock);
	return n;
}

static inline bool is_answered(struct ear *e)
{
	pthread_mutex_lock(&e->lock);
	bool answered = e->answers > 0;
	pthread_mutex_unlock(&e->lock);
	return answered;
}

static inline const char *heard(struct ear *e)
{
	pthread_mutex_lock(&e->lock);
	const char *s = arena_str(a, e->heard.p ? e->heard.p : "");
	pthread_mutex_unlock(&e->lock);
	return s;
}

static inline void ear_close(struct ear *e)
{
	buf_free(&e->heard);
	pthread_mutex_destroy(&e->lock);
}

static inline const char *session_header(const void *from, const char *name)
{
	return strcmp(name, "Mcp-Session-Id") ? NULL : from;
}

/* The answer to a request of the handshake revisions; its session in `session` when it is initialize's. */
static inline const char *say(const struct caller *c, const char *method, const char *params, char *session)
{
	const char *body = arena_printf(a, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}", method, params);
	struct ear e;

	ear_open(&e);
	mcp_handle(co, c, &(struct mcp_input){ body, strlen(body), session_header, session && *session ? session : NULL }, &carrier, &e);
	while (!is_answered(&e))
		clock_sleep(1);
	const char *answer = heard(&e);
	if (session && !*session)
		strcpy(session, e.session);
	ear_close(&e);
	return answer;
}

#endif
