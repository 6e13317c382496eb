#ifndef COORDINATOR_MCP_MCP_H
#define COORDINATOR_MCP_MCP_H
/*
 * MCP: answers JSON-RPC messages, independent of the transport.  Each message belongs to one of two
 * eras: the handshake revisions 2024-11-05 to 2025-11-25, with optional sessions, and 2026-07-28,
 * where a message carries its own _meta and the server keeps nothing between messages.
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

/* The sessions and open streams of a coordinator.  Reads the options once. */
struct mcp *mcp_new(const struct coordinator_config *);

/* Replace the random key that signs the states which clients carry: 64 hex digits. */
void mcp_set_state_key(struct mcp *, const char *key);
void mcp_free(struct mcp *);		/* after the last message and stream; NULL is fine */

/* A message and access to its headers. */
struct mcp_input {
	const char *body;		/* NUL-terminated */
	size_t n;
	const char *(*header)(const void *from, const char *name);	/* NULL if it is absent */
	const void *from;
};

/*
 * How answers go back to the client: over HTTP, or to a test.  `ctx` is also the asker of
 * call_abandon.  Called on any thread.
 */
struct mcp_transport {
	/*
	 * Send a message before the answer, which makes the answer a stream.  `id` is the event's id,
	 * or NULL.  A NULL message only begins the stream; with an id it tells the client from where it
	 * can resume.  False if the client is gone.
	 */
	bool (*event)(void *ctx, const char *id, const char *message);

	/*
	 * Send the answer, exactly once: an HTTP status, an additional header or NULL, and the body,
	 * of which it takes ownership.  There is no body with 202 for a message without an answer, and
	 * with 200 for a cancelled request or the end of a stream.
	 */
	void (*done)(void *ctx, int status, const char *header, struct buf *body);
};

/* Whether it is one of the handshake revisions. */
bool mcp_is_handshake(const char *version);

/* Handle one message.  The input is only read during the call; `caller` lives until the answer. */
void mcp_handle(struct coordinator *, const struct caller *, const struct mcp_input *,
    const struct mcp_transport *, void *ctx);

/*
 * Open a session's stream of notifications.  It ends with the reader, the session, or when a newer
 * one replaces it.  With `last` (Last-Event-ID, or NULL) it begins after that event, which may also
 * belong to the stream of a request.  0; or -1 with NOT_FOUND, INVALID_INPUT for an unknown event,
 * or RATE_LIMITED and the time to wait.
 */
int mcp_open_stream(struct coordinator *, const struct caller *, const char *session,
    const char *last, const struct mcp_transport *, void *ctx, int64_t *retry_ms, struct err *);

/* End a session and cancel its requests.  0, or -1 with NOT_FOUND. */
int mcp_end_session(struct coordinator *, const struct caller *, const char *session, struct err *);

/*
 * The connection of `ctx` is closed: its stream ends, and the questions sent on it fail.  `mcp` may
 * be NULL.
 */
void mcp_reader_gone(struct mcp *, const void *ctx);

/* The coordinator stops: end every stream; requests are answered first.  `mcp` may be NULL. */
void mcp_stop(struct mcp *);

/*
 * Notify the listeners in the audience `to`, or all if that is NULL.  `uri` is the resource of
 * MCP_RESOURCE_UPDATED.
 */
enum mcp_change { MCP_TOOLS_CHANGED, MCP_PROMPTS_CHANGED, MCP_RESOURCES_CHANGED,
    MCP_RESOURCE_UPDATED };
struct mcp_audience;
void mcp_notify(struct mcp *, enum mcp_change, const char *uri, const struct mcp_audience *to);

/*
 * Compare the coordinator's state with the last call's, and notify listeners of the changes.  Does
 * nothing while there are no listeners.  Call it from one thread, after the start is complete.
 */
void mcp_poll_changes(struct coordinator *);

/* Append a tool's name, title, description, schemas and annotations as members of a JSON object. */
void mcp_put_tool(const struct tool *, struct buf *out);

/* The caller is revoked: end its sessions and streams.  `mcp` may be NULL. */
void mcp_end_caller(struct mcp *, const struct caller *);
#endif
