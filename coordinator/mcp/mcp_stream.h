#ifndef COORDINATOR_MCP_MCP_STREAM_H
#define COORDINATOR_MCP_MCP_STREAM_H
/*
 * Streams of a session that a client can come back to: events have ids, `STREAM-NUMBER`, and are
 * kept for a while, so that a GET with Last-Event-ID gets what was missed and what follows.
 * Stream 0 is the one of the session itself, each request that is answered by events has one of
 * its own.  A client that loses the connection of such a request has not taken the request back;
 * one that does not come back within STREAM_RESUME_MS has.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "coordinator/mcp/mcp.h"

enum {
	STREAM_EVENTS = 64,		/* kept of a stream, and */
	STREAM_BYTES = 256 << 10,	/* so many bytes, but the last event always */
	STREAMS_RETAINED = 8,		/* of a session, that nobody reads or that have ended */
	STREAMS_BYTES = 32 << 20,	/* of all sessions: then the oldest that have ended go */
	STREAM_RESUME_MS = 60000,
	STREAM_RETRY_MS = 500		/* when a client shall come back */
};

/* ---- events that are kept ---- */

struct event_log {
	struct { uint64_t number; char *text; } v[STREAM_EVENTS];
	size_t n, bytes;
	uint64_t last;			/* number of the newest there ever was */
};

void event_log_append(struct event_log *, const char *text);
void event_log_free(struct event_log *);

/* `STREAM-NUMBER` of a header; false: it is none. */
bool stream_parse_event_id(const char *id, uint64_t *stream, uint64_t *number);

/* Send what follows `number`; false: nobody reads it. */
bool event_log_replay(const struct event_log *, uint64_t stream, uint64_t number,
    const struct mcp_transport *, void *reader);

/* ---- answers ---- */

struct mcp_session;
struct mcp_stream;

/*
 * Between a request of a session and whoever carries it: the carrier and the `ctx` for its answer.
 * What is answered without events goes through it as it is.  `prime`: the client knows of events
 * without data (2025-11-25).
 */
extern const struct mcp_transport stream_transport;
struct mcp_stream *stream_new(struct coordinator *, struct mcp_session *, bool prime,
    const struct mcp_transport *, void *reader);

/*
 * Hang up on the client, which has been told when to come back; nothing when it would not know how
 * to.
 */
void stream_pause(struct mcp_stream *);

/*
 * The client is back: what it missed, then the rest, to this reader.  0; -1: there is no such
 * stream any more.
 */
int stream_resume(struct mcp_session *, uint64_t stream, uint64_t number,
    const struct mcp_transport *, void *reader);

/* ---- under the lock of mcp ---- */

/* `reader` is gone: a stream that can be resumed loses it, another request is over. */
void streams_reader_gone(struct mcp *, const void *reader);

/* The coordinator stops: nobody comes back. */
void streams_end(struct mcp *);

/* Nobody comes back to a session that is freed. */
void streams_free_of_session(struct mcp *, const struct mcp_session *);

/*
 * Without the lock: those that nobody came back to end.  What their clients were asked stays
 * unanswered.
 */
void streams_expire(struct mcp *);
#endif
