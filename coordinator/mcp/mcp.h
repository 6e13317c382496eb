#ifndef COORDINATOR_MCP_MCP_H
#define COORDINATOR_MCP_MCP_H
/*
 * MCP: JSON-RPC messages in, their answers out, whatever carries them.  Two eras in one endpoint,
 * decided by each message alone: the handshake revisions 2024-11-05 to 2025-11-25, with sessions
 * for those who want one, and 2026-07-28, where a message carries its own _meta and nothing is
 * remembered between messages.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct caller;
struct coordinator;
struct err;
struct mcp;
struct coordinator_config;
struct tool;

/* Sessions and open streams of a coordinator; reads the options once. */
struct mcp *mcp_new(const struct coordinator_config *);

/* The key of the states that clients carry, instead of one of its own: 64 hex digits. */
void mcp_set_state_key(struct mcp *, const char *key);
void mcp_free(struct mcp *);		/* after the last message and stream; NULL is fine */

/* A message, and how to look at the headers that came with it. */
struct mcp_input {
	const char *body;		/* NUL-terminated */
	size_t n;
	const char *(*header)(const void *from, const char *name);	/* NULL when it is absent */
	const void *from;
};

/*
 * How messages go back to whom one came from: HTTP, a test.  `ctx` is also the asker of
 * call_abandon.  Any thread.
 */
struct mcp_transport {
	/*
	 * A message before the answer: from then on that is a stream.  `id`: of the event, or NULL.
	 * Message NULL: only begin it, or with an id say from where on it can be resumed.  False:
	 * nobody reads it any more.
	 */
	bool (*event)(void *ctx, const char *id, const char *message);

	/*
	 * The answer, exactly once: an HTTP status, one header more or NULL, and the body, which is
	 * taken.  Without a body: 202 for what is not answered, 200 for a request that the client has
	 * taken back, or a stream that ends.
	 */
	void (*done)(void *ctx, int status, const char *header, struct buf *body);
};

/* Whether it is one of the revisions that begin with initialize. */
bool mcp_is_handshake(const char *version);

/* Handle one message.  The input is not kept; `caller` must live until the answer. */
void mcp_handle(struct coordinator *, const struct caller *, const struct mcp_input *,
    const struct mcp_transport *, void *ctx);

/*
 * The stream on which a session hears what nobody asked for: ends with the reader, the session, or
 * a newer one; with `last` (Last-Event-ID, or NULL) what came after that event, also of a
 * request's stream.  0; or -1 with NOT_FOUND, INVALID_INPUT for an event that is not known, or
 * RATE_LIMITED and when to come again.
 */
int mcp_open_stream(struct coordinator *, const struct caller *, const char *session,
    const char *last, const struct mcp_transport *, void *ctx, int64_t *retry_ms, struct err *);

/* End a session, and what it has under way.  0, or -1 with NOT_FOUND. */
int mcp_end_session(struct coordinator *, const struct caller *, const char *session, struct err *);

/*
 * Whoever `ctx` was for is gone: streams end, and what clients were asked there stays unanswered.
 * NULL is fine.
 */
void mcp_reader_gone(struct mcp *, const void *ctx);

/* The coordinator stops: every stream ends, that of a request with its answer.  NULL is fine. */
void mcp_stop(struct mcp *);

/*
 * What has changed: tell those who listen and may know.  `uri`: of MCP_RESOURCE_UPDATED; `to`:
 * NULL: everybody.
 */
enum mcp_change { MCP_TOOLS_CHANGED, MCP_PROMPTS_CHANGED, MCP_RESOURCES_CHANGED,
    MCP_RESOURCE_UPDATED };
struct mcp_audience;
void mcp_notify(struct mcp *, enum mcp_change, const char *uri, const struct mcp_audience *to);

/*
 * Look what has changed since the last time that somebody listened, and tell; no look while nobody
 * does.  Of one thread, once the coordinator is there as a whole.
 */
void mcp_poll_changes(struct coordinator *);

/* Append a tool's name, title, description, schemas and annotations as members of a JSON object. */
void mcp_put_tool(const struct tool *, struct buf *out);

/* The caller may ask no more: its sessions and streams end.  NULL is fine. */
void mcp_end_caller(struct mcp *, const struct caller *);
#endif
