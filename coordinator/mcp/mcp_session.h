#ifndef COORDINATOR_MCP_MCP_SESSION_H
#define COORDINATOR_MCP_MCP_SESSION_H
/*
 * Sessions of the handshake revisions: what initialize negotiated, the client's requests in
 * progress, and our requests to the client.  Any thread.  A session ends when it is idle for too
 * long, or when another needs its place; its client then initializes again.
 */

#include <stdbool.h>
#include <stdint.h>

struct caller;
struct mcp;
struct mcp_transport;
struct mcp_session;

/*
 * A new session, with a reference for the caller; NULL if `mcp` is NULL.  `can` is of enum
 * capability.  The streams of a `primed` session begin with an event that only has an id.
 */
struct mcp_session *session_new(struct mcp *, const struct caller *, unsigned can, bool primed);

/* The caller's session with this id, with a new reference, or NULL. */
struct mcp_session *session_get(struct mcp *, const struct caller *, const char *id);

struct mcp_session *session_ref(struct mcp_session *);
void session_unref(struct mcp_session *);	/* NULL is allowed */

const char *session_id(const struct mcp_session *);
unsigned session_capabilities(const struct mcp_session *);
bool session_primed(const struct mcp_session *);
struct mcp *session_mcp(const struct mcp_session *);

/* End it: later messages do not find it, and its open questions are answered with NULL. */
void session_end(struct mcp_session *);

/* Add a request; -1 if one with this id (JSON) is in progress. */
int session_begin_request(struct mcp_session *, const char *id, const void *asker);

/* Remove an answered request.  Whether the client has cancelled it. */
bool session_end_request(struct mcp_session *, const char *id);

/*
 * Cancel the next request of the session.  Its asker, or NULL if there is none; call it until
 * then to cancel all.
 */
const void *session_cancel_next_request(struct mcp_session *);

/* Cancel a request.  Its asker, or NULL if it is not in progress. */
const void *session_cancel_request(struct mcp_session *, const char *id);

/*
 * Register a question to the client, and return the id of the request, which the caller sends.
 * `answered` is called once: with the result (JSON) when the answer arrives, or with NULL when the
 * session ends or the connection closes (mcp_reader_gone of `ctx`).
 */
int session_ask_client(struct mcp_session *, const void *ctx,
    void (*answered)(void *arg, const char *result), void *arg);
void session_take_answer(struct mcp_session *, const char *id, const char *result);

/* Subscribe to a resource, or unsubscribe; -1 if there are SESSION_URIS_MAX. */
enum { SESSION_URIS_MAX = 256 };
int session_subscribe(struct mcp_session *, const char *uri, bool wanted);

/* ---- call these functions with the lock of struct mcp held ---- */

bool session_subscribed(const struct mcp_session *, const char *uri);
const struct caller *session_caller(const struct mcp_session *);

/* The number for its next stream. */
uint64_t session_next_stream_number(struct mcp_session *);

/*
 * Begin the stream of notifications: replay those after event `number`, or none if that is NULL.
 * False if the reader is gone.
 */
bool session_open_stream(
    struct mcp_session *, const uint64_t *number, const struct mcp_transport *, void *reader);

/* Log a notification, so that a client can resume the stream.  The number of its event. */
uint64_t session_log_event(struct mcp_session *, const char *message);
#endif
