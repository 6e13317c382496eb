#ifndef COORDINATOR_MCP_MCP_INTERNAL_H
#define COORDINATOR_MCP_MCP_INTERNAL_H
/* The state of MCP, shared by sessions and streams. */

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include "coordinator/mcp/mcp.h"

struct client_request;
struct mcp_listener;
struct map;
struct mcp_session;
struct mcp_stream;

/* The callers that see one of the repositories, and those that see everything. */
struct mcp_audience {
	const char **repos;
	size_t nrepos;
};

struct mcp {
	pthread_mutex_t lock;		/* guards all below, and the sessions and listeners themselves */
	struct mcp_session *sessions;	/* most recently used first */
	int nsessions;
	int64_t sessions_max, idle_ms;	/* per caller; an unused session ends after idle_ms */
	struct mcp_listener *listeners;
	int nlisteners;
	struct mcp_stream *streams;	/* of the sessions' requests: mcp_stream.c */
	size_t stream_bytes;		/* size of their event logs */
	bool stopping;
	struct map *seen;		/* snapshot of mcp_poll_changes, used on its thread */
	char key[65];			/* signs the states that clients carry */
};

/* Free the snapshot of mcp_poll_changes. */
void mcp_snapshot_free(struct mcp *);

/* End the sessions that were idle for too long. */
void sessions_expire(struct mcp *);

/* Whether the session has a stream.  Call it with the lock held. */
bool listener_of(const struct mcp *, const struct mcp_session *);

/*
 * The next session after this one, or the first for NULL, that has ever opened a stream for
 * notifications.  Call it with the lock held.
 */
struct mcp_session *session_next_listening(const struct mcp *, const struct mcp_session *);

/* End all sessions. */
void sessions_free(struct mcp *);

/* End the sessions of a caller. */
void sessions_end_of_caller(struct mcp *, const struct caller *);

/*
 * Unlink the requests that were sent to clients for `ctx`; call it with the lock held.  Then
 * answer each of them with NULL; call that without the lock.
 */
struct client_request *sessions_take_requests(struct mcp *, const void *ctx);
void client_requests_fail(struct client_request *);

/* End the stream of a session, if it has one.  Call it with the lock held. */
void listener_end(struct mcp *, const struct mcp_session *);
#endif
