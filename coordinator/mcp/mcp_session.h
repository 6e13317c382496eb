#ifndef COORDINATOR_MCP_MCP_SESSION_H
#define COORDINATOR_MCP_MCP_SESSION_H
/*
 * Sessions of the handshake revisions: what initialize has agreed upon, which requests are under way, what the client was
 * asked.  Any thread.  One that nobody uses goes after a while, or when others need its place: its client then initializes again.
 */

#include <stdbool.h>
#include <stdint.h>

struct caller;
struct mcp;
struct mcp_carrier;
struct session;

/* A new one, held; NULL without `mcp`.  `can`: enum capability; `primed`: its streams begin with an event that has an id alone. */
struct session *session_new(struct mcp *, const struct caller *, unsigned can, bool primed);

/* The one with this id, held, when it is the caller's; else NULL. */
struct session *session_get(struct mcp *, const struct caller *, const char *id);

struct session *session_hold(struct session *);	/* once more */
void session_drop(struct session *);	/* give it back; NULL is fine */

const char *session_id(const struct session *);
unsigned session_can(const struct session *);
bool session_primed(const struct session *);
struct mcp *session_mcp(const struct session *);

/* It is no more: later messages do not find it, what it was asked is answered with NULL. */
void session_end(struct session *);

/* A request is under way; -1: one with this id (JSON) is already. */
int session_begin(struct session *, const char *id, const void *asker);

/* It is answered; whether the client has taken it back meanwhile. */
bool session_finish(struct session *, const char *id);

/* All its requests are taken back, one after the other: the asker of the next, or NULL when there is none. */
const void *session_cancel_next(struct session *);

/* The client takes a request back: its asker, or NULL when it is not under way. */
const void *session_cancel(struct session *, const char *id);

/*
 * Ask the client: `answered` is called once, with its result (JSON) or NULL: when the answer comes, the session ends or
 * whoever the question was sent to leaves (mcp_left of `ctx`).  The id that the request, which the caller sends, shall have.
 */
int session_ask(struct session *, const void *ctx, void (*answered)(void *arg, const char *result), void *arg);
void session_answer(struct session *, const char *id, const char *result);

/* Which resources it wants to hear of; -1: of no more. */
enum { SESSION_URIS_MAX = 256 };
int session_subscribe(struct session *, const char *uri, bool wanted);

/* ---- under the lock of mcp ---- */

bool session_subscribed(const struct session *, const char *uri);
const struct caller *session_caller(const struct session *);

/* The number of its next stream. */
uint64_t session_stream(struct session *);

/* Begin to hear what nobody asked for, all that came after event `number` (NULL: from now on); false: nobody reads it. */
bool session_hear(struct session *, const uint64_t *number, const struct mcp_carrier *, void *reader);

/* Keep such a message for who comes back; the number of its event. */
uint64_t session_note(struct session *, const char *message);
#endif
