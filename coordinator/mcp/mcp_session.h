#ifndef COORDINATOR_MCP_MCP_SESSION_H
#define COORDINATOR_MCP_MCP_SESSION_H
/*
 * Sessions of the handshake revisions: what initialize has agreed upon, which requests are under
 * way, what the client was asked.  Any thread.  One that nobody uses goes after a while, or when
 * others need its place: its client then initializes again.
 */

#include <stdbool.h>
#include <stdint.h>

struct caller;
struct mcp;
struct mcp_transport;
struct mcp_session;

/*
 * A new one, held; NULL without `mcp`.  `can`: enum capability; `primed`: its streams begin with
 * an event that has an id alone.
 */
struct mcp_session *session_new(struct mcp *, const struct caller *, unsigned can, bool primed);

/* The one with this id, held, when it is the caller's; else NULL. */
struct mcp_session *session_get(struct mcp *, const struct caller *, const char *id);

struct mcp_session *session_ref(struct mcp_session *);	/* once more */
void session_unref(struct mcp_session *);	/* give it back; NULL is fine */

const char *session_id(const struct mcp_session *);
unsigned session_capabilities(const struct mcp_session *);
bool session_primed(const struct mcp_session *);
struct mcp *session_mcp(const struct mcp_session *);

/* It is no more: later messages do not find it, what it was asked is answered with NULL. */
void session_end(struct mcp_session *);

/* A request is under way; -1: one with this id (JSON) is already. */
int session_begin_request(struct mcp_session *, const char *id, const void *asker);

/* It is answered; whether the client has taken it back meanwhile. */
bool session_end_request(struct mcp_session *, const char *id);

/*
 * All its requests are taken back, one after the other: the asker of the next, or NULL when there
 * is none.
 */
const void *session_cancel_next_request(struct mcp_session *);

/* The client takes a request back: its asker, or NULL when it is not under way. */
const void *session_cancel_request(struct mcp_session *, const char *id);

/*
 * Ask the client: `answered` is called once, with its result (JSON) or NULL: when the answer
 * comes, the session ends or whoever the question was sent to leaves (mcp_reader_gone of `ctx`).
 * The id that the request, which the caller sends, shall have.
 */
int session_ask_client(struct mcp_session *, const void *ctx,
    void (*answered)(void *arg, const char *result), void *arg);
void session_take_answer(struct mcp_session *, const char *id, const char *result);

/* Which resources it wants to hear of; -1: of no more. */
enum { SESSION_URIS_MAX = 256 };
int session_subscribe(struct mcp_session *, const char *uri, bool wanted);

/* ---- under the lock of mcp ---- */

bool session_subscribed(const struct mcp_session *, const char *uri);
const struct caller *session_caller(const struct mcp_session *);

/* The number of its next stream. */
uint64_t session_next_stream_number(struct mcp_session *);

/*
 * Begin to hear what nobody asked for, all that came after event `number` (NULL: from now on);
 * false: nobody reads it.
 */
bool session_open_stream(
    struct mcp_session *, const uint64_t *number, const struct mcp_transport *, void *reader);

/* Keep such a message for who comes back; the number of its event. */
uint64_t session_log_event(struct mcp_session *, const char *message);
#endif
