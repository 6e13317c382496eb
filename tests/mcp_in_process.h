#ifndef TESTS_MCP_IN_PROCESS_H
#define TESTS_MCP_IN_PROCESS_H
/* MCP without a network: answers and notifications. */
#include "coordinator/mcp/mcp.h"
#include "tests/tool_calls.h"

/* Receives the answers to a message, or the events of a stream. */
struct mcp_listener {
	pthread_mutex_t lock;
	struct buf received;		/* answers and notifications, a line each */
	int lines, answers;
	char session[64];
};

static inline void listener_open(struct mcp_listener *e)
{
	memset(e, 0, sizeof *e);
	pthread_mutex_init(&e->lock, NULL);
}

static inline bool on_event(void *ctx, const char *id, const char *message)
{
	struct mcp_listener *e = ctx;

	(void)id;
	pthread_mutex_lock(&e->lock);
	buf_printf(&e->received, "%s\n", message ? message : "");
	e->lines += message != NULL;
	pthread_mutex_unlock(&e->lock);
	return true;
}

static inline void on_answer(void *ctx, int status, const char *header, struct buf *body)
{
	struct mcp_listener *e = ctx;

	pthread_mutex_lock(&e->lock);
	if (header)
		snprintf(e->session, sizeof e->session, "%s", strchr(header, ':') + 2);
	buf_printf(&e->received, "%d %s\n", status, body && body->p ? body->p : "");
	e->answers++;
	if (body)
		buf_free(body);
	pthread_mutex_unlock(&e->lock);
}

static const struct mcp_transport test_transport = { on_event, on_answer };

static inline int event_count(struct mcp_listener *e)
{
	pthread_mutex_lock(&e->lock);
	int n = e->lines;
	pthread_mutex_unlock(&e->lock);
	return n;
}

static inline bool is_answered(struct mcp_listener *e)
{
	pthread_mutex_lock(&e->lock);
	bool answered = e->answers > 0;
	pthread_mutex_unlock(&e->lock);
	return answered;
}

static inline const char *received_text(struct mcp_listener *e)
{
	pthread_mutex_lock(&e->lock);
	const char *s = arena_str(a, e->received.p ? e->received.p : "");
	pthread_mutex_unlock(&e->lock);
	return s;
}

static inline void listener_close(struct mcp_listener *e)
{
	buf_free(&e->received);
	pthread_mutex_destroy(&e->lock);
}

static inline const char *session_header(const void *from, const char *name)
{
	return strcmp(name, "Mcp-Session-Id") ? NULL : from;
}

/* Send a request of a handshake revision and return the answer.  An empty `session` receives the session of initialize. */
static inline const char *mcp_request(const struct caller *c, const char *method, const char *params, char *session)
{
	const char *body = arena_printf(a, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}", method, params);
	struct mcp_listener e;

	listener_open(&e);
	mcp_handle(co, c, &(struct mcp_input){ body, strlen(body), session_header, session && *session ? session : NULL }, &test_transport, &e);
	while (!is_answered(&e))
		clock_sleep(1);
	const char *answer = received_text(&e);
	if (session && !*session)
		strcpy(session, e.session);
	listener_close(&e);
	return answer;
}

#endif
