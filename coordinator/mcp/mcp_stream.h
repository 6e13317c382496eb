#ifndef COORDINATOR_MCP_MCP_STREAM_H
#define COORDINATOR_MCP_MCP_STREAM_H
/*
 * Streams of a session that a client can resume: events have ids, `STREAM-NUMBER`, and are kept
 * for a while, so that a GET with Last-Event-ID returns the missed ones and those that follow.
 * Stream 0 has the session's notifications; each request that is answered by events has its own
 * stream.  A lost connection does not cancel such a request, unless the client does not come back
 * within STREAM_RESUME_MS.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "coordinator/mcp/mcp.h"

enum {
	STREAM_EVENTS = 64,		/* events kept of a stream, */
	STREAM_BYTES = 256 << 10,	/* with so many bytes; the last event is always kept */
	STREAMS_RETAINED = 8,		/* streams of a session without a reader, or answered */
	STREAMS_BYTES = 32 << 20,	/* of all sessions; beyond it the oldest answered ones go */
	STREAM_RESUME_MS = 60000,
	STREAM_RETRY_MS = 500		/* a client should wait so long before it reconnects */
};

/* ---- the log of events ---- */

struct event_log {
	struct { uint64_t number; char *text; } v[STREAM_EVENTS];
	size_t n, bytes;
	uint64_t last;			/* number of the newest event */
};

void event_log_append(struct event_log *, const char *text);
void event_log_free(struct event_log *);

/* Parse `STREAM-NUMBER`.  False, with the results unchanged, if it is something else. */
bool stream_parse_event_id(const char *id, uint64_t *stream, uint64_t *number);

/* Send the events after `number`.  False if the reader is gone. */
bool event_log_replay(const struct event_log *, uint64_t stream, uint64_t number,
    const struct mcp_transport *, void *reader);

/* ---- answers ---- */

struct mcp_session;
struct mcp_stream;

/*
 * Wraps the transport of a session's request: stream_transport with the stream as its `ctx`.  An
 * answer without events passes unchanged.  `prime` if the client can read events without data
 * (2025-11-25).
 */
extern const struct mcp_transport stream_transport;
struct mcp_stream *stream_new(struct coordinator *, struct mcp_session *, bool prime,
    const struct mcp_transport *, void *reader);

/*
 * Close the client's connection, after telling it when to come back.  Does nothing if the client
 * cannot resume.
 */
void stream_pause(struct mcp_stream *);

/*
 * The client is back: send the events after `number`, then continue with this reader.  0, or -1 if
 * the stream is not kept any more.
 */
int stream_resume(struct mcp_session *, uint64_t stream, uint64_t number,
    const struct mcp_transport *, void *reader);

/* ---- call these functions with the lock of struct mcp held ---- */

/* The reader is gone: detach it from a stream that can be resumed, or else cancel the request. */
void streams_reader_gone(struct mcp *, const void *reader);

/* The coordinator stops: cancel the requests without a reader. */
void streams_end(struct mcp *);

/* Free the streams of a session that is freed. */
void streams_free_of_session(struct mcp *, const struct mcp_session *);

/*
 * Call it without the lock: end the streams whose client did not come back.  The questions to it
 * fail.
 */
void streams_expire(struct mcp *);
#endif
