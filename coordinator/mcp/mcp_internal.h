#ifndef COORDINATOR_MCP_MCP_INTERNAL_H
#define COORDINATOR_MCP_MCP_INTERNAL_H
/* Who is connected to MCP: shared by sessions and streams. */

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include "coordinator/mcp/mcp.h"

struct client_request;
struct mcp_listener;
struct map;
struct mcp_session;
struct mcp_stream;

/* Who may hear: whoever sees one of the repositories; and who sees everything. */
struct mcp_audience {
	const char **repos;
	size_t nrepos;
};

struct mcp {
	pthread_mutex_t lock;		/* of all below, and of what is in sessions and listeners */
	struct mcp_session *sessions;	/* the last used first */
	int nsessions;
	int64_t sessions_max, idle_ms;	/* of a caller; how long without use */
	struct mcp_listener *listeners;
	int nlisteners;
	struct mcp_stream *streams;		/* of requests of sessions: mcp_stream.c */
	size_t stream_bytes;		/* kept of them */
	bool stopping;
	struct map *seen;		/* of mcp_poll_changes, on its thread */
	char key[65];			/* of states that clients carry */
};

/* Forget what mcp_poll_changes has seen. */
void mcp_snapshot_free(struct mcp *);

/* Sessions that nobody has used for too long end. */
void sessions_expire(struct mcp *);

/* Whether it has a stream: under the lock. */
bool listener_of(const struct mcp *, const struct mcp_session *);

/*
 * The next of the sessions (NULL: the first), which may hear what nobody asked for and have heard
 * before: under the lock.
 */
struct mcp_session *session_next_listening(const struct mcp *, const struct mcp_session *);

/* Sessions that are still there end. */
void sessions_free(struct mcp *);

/* Those of a caller end. */
void sessions_end_of_caller(struct mcp *, const struct caller *);

/* What was asked there, unlinked: under the lock.  Without it then: each is answered with NULL. */
struct client_request *sessions_take_requests(struct mcp *, const void *ctx);
void client_requests_fail(struct client_request *);

/* End the stream of a session, if it has one: under the lock. */
void listener_end(struct mcp *, const struct mcp_session *);
#endif
