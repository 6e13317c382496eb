#include "coordinator/mcp/mcp_stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/calls/context.h"
#include "coordinator/mcp/mcp_internal.h"
#include "coordinator/mcp/mcp_session.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/die.h"

struct mcp_stream {
	/* of all, the newest first: guarded by the lock, as all below */
	struct mcp_stream *prev, *next;
	struct coordinator *co;
	struct mcp_session *session;	/* held until it is answered */
	uint64_t number;		/* in its session */
	const struct mcp_transport *carrier;
	void *reader;			/* NULL: nobody, at the moment */
	int64_t since_ms;		/* it has no reader, or is answered */
	bool prime, begun, answered, given_up;
	struct event_log events;
};

/* ---- events that are kept ---- */

static void drop_first(struct event_log *r)
{
	r->bytes -= strlen(r->v[0].text);
	free(r->v[0].text);
	memmove(&r->v[0], &r->v[1], --r->n * sizeof r->v[0]);
}

void event_log_append(struct event_log *r, const char *text)
{
	size_t n = strlen(text);

	while (r->n == STREAM_EVENTS || (r->n && r->bytes + n > STREAM_BYTES))
		drop_first(r);
	r->v[r->n].text = xstrdup(text);
	r->v[r->n++].number = ++r->last;
	r->bytes += n;
}

void event_log_free(struct event_log *r)
{
	while (r->n)
		drop_first(r);
}

bool stream_parse_event_id(const char *id, uint64_t *stream, uint64_t *number)
{
	size_t first = strspn(id, "0123456789"),
	       second = id[first] == '-' ? strspn(id + first + 1, "0123456789") : 0;

	if (!first || first > 18 || !second || second > 18 || id[first + 1 + second])
		return false;
	*stream = strtoull(id, NULL, 10);
	*number = strtoull(id + first + 1, NULL, 10);
	return true;
}

/* Without text: an event that only has an id. */
static bool send_event(const struct mcp_transport *transport, void *reader, uint64_t stream,
    uint64_t number, const char *text)
{
	char id[48];

	snprintf(id, sizeof id, "%llu-%llu", (unsigned long long)stream, (unsigned long long)number);
	return transport->event(reader, id, text);
}

bool event_log_replay(const struct event_log *r, uint64_t stream, uint64_t number,
    const struct mcp_transport *transport, void *reader)
{
	bool read = transport->event(reader, NULL, NULL);

	for (size_t i = 0; read && i < r->n; i++)
		if (r->v[i].number > number)
			read = send_event(transport, reader, stream, r->v[i].number, r->v[i].text);
	return read;
}

/* ---- all streams: under the lock ---- */

static void take_out(struct mcp_stream *s)
{
	struct mcp *m = s->co->mcp;

	if (s->prev)
		s->prev->next = s->next;
	else
		m->streams = s->next;
	if (s->next)
		s->next->prev = s->prev;
	m->stream_bytes -= s->events.bytes;
	event_log_free(&s->events);
	free(s);
}

/* Its reader, if it has one, hears no more; what comes is kept. */
static void detach(struct mcp_stream *s)
{
	void *reader = s->reader;
	struct buf none = { 0 };

	s->reader = NULL;
	s->since_ms = clock_ms();
	if (reader)
		s->carrier->done(reader, 200, NULL, &none);
}

/*
 * Nobody comes back to it: it goes, at once or when it is answered.  What its client was asked
 * stays unanswered.
 */
static struct client_request *stream_abandon(struct mcp_stream *s)
{
	struct mcp *m = s->co->mcp;

	if (s->answered) {
		take_out(s);
		return NULL;
	}
	s->given_up = true;
	call_abandon(s->co, s);
	return sessions_take_requests(m, s);
}

static bool is_retained(const struct mcp_stream *s)
{
	return s->answered || (s->begun && !s->reader && !s->given_up);
}

/* The oldest that have been answered make room. */
static void make_room(struct mcp *m, const struct mcp_session *session)
{
	struct mcp_stream *oldest = NULL;
	int n = 0;

	for (struct mcp_stream *s = m->streams; s; s = s->next) {
		n += is_retained(s) && s->session == session;
		if (s->answered && !s->reader && (m->stream_bytes > STREAMS_BYTES || s->session == session))
			oldest = s;
	}
	if (oldest && (n > STREAMS_RETAINED || m->stream_bytes > STREAMS_BYTES))
		take_out(oldest);
}

static void append_event(struct mcp_stream *s, const char *text)
{
	struct mcp *m = s->co->mcp;

	m->stream_bytes -= s->events.bytes;
	event_log_append(&s->events, text);
	m->stream_bytes += s->events.bytes;
	if (s->reader && !send_event(s->carrier, s->reader, s->number, s->events.last, text))
		detach(s);
}

/* ---- the carrier ---- */

static void begin(struct mcp_stream *s)
{
	if (!s->begun && s->reader &&
	    !(s->prime ? send_event(s->carrier, s->reader, s->number, 0, NULL) :
	                 s->carrier->event(s->reader, NULL, NULL)))
		detach(s);
	s->begun = true;
}

static bool on_event(void *ctx, const char *id, const char *message)
{
	struct mcp_stream *s = ctx;

	(void)id;
	pthread_mutex_lock(&s->co->mcp->lock);
	begin(s);
	if (message)
		append_event(s, message);
	pthread_mutex_unlock(&s->co->mcp->lock);
	return true;	/* who does not read it now may do so later */
}

/*
 * With events: the answer is the last.  One that was taken back has none, and nobody comes back
 * for it.
 */
static void end_events(struct mcp_stream *s, const char *answer)
{
	struct mcp *m = s->co->mcp;

	if (answer && !s->given_up)
		append_event(s, answer);
	detach(s);
	s->answered = true;
	if (!answer || s->given_up)
		take_out(s);
	else
		make_room(m, s->session);
}

static void on_done(void *ctx, int status, const char *header, struct buf *body)
{
	struct mcp_stream *s = ctx;
	struct mcp *m = s->co->mcp;
	struct mcp_session *session = s->session;

	pthread_mutex_lock(&m->lock);
	const struct mcp_transport *transport = s->carrier;
	void *reader = s->begun ? NULL : s->reader;
	if (s->begun)
		end_events(s, body->n ? body->p : NULL);
	else
		take_out(s);
	pthread_mutex_unlock(&m->lock);
	if (reader)
		transport->done(reader, status, header, body);
	buf_free(body);
	session_unref(session);
}

const struct mcp_transport stream_transport = { on_event, on_done };

struct mcp_stream *stream_new(struct coordinator *co, struct mcp_session *session, bool prime,
    const struct mcp_transport *transport, void *reader)
{
	struct mcp_stream *s = xcalloc(1, sizeof *s);
	struct mcp *m = co->mcp;

	*s = (struct mcp_stream){ .co = co, .session = session_ref(session), .prime = prime, .carrier = transport, .reader = reader };
	pthread_mutex_lock(&m->lock);
	s->number = session_next_stream_number(session);
	if ((s->next = m->streams))
		s->next->prev = s;
	m->streams = s;
	pthread_mutex_unlock(&m->lock);
	return s;
}

/* ---- coming and going ---- */

void stream_pause(struct mcp_stream *s)
{
	pthread_mutex_lock(&s->co->mcp->lock);
	begin(s);
	if (s->prime && s->reader)
		detach(s);
	pthread_mutex_unlock(&s->co->mcp->lock);
}

int stream_resume(struct mcp_session *session, uint64_t stream, uint64_t number,
    const struct mcp_transport *transport, void *reader)
{
	struct mcp *m = session_mcp(session);

	pthread_mutex_lock(&m->lock);
	struct mcp_stream *s = m->streams;
	while (s && (s->session != session || s->number != stream || !s->begun || s->given_up))
		s = s->next;
	if (s) {
		detach(s);	/* one reader, the newest */
		s->carrier = transport;
		s->reader = reader;
		if (!event_log_replay(&s->events, stream, number, transport, reader) || s->answered)
			detach(s);
	}
	pthread_mutex_unlock(&m->lock);
	return s ? 0 : -1;
}

void streams_reader_gone(struct mcp *m, const void *reader)
{
	for (struct mcp_stream *s = m->streams; s; s = s->next)
		if (s->reader == reader && !s->begun) {
			call_abandon(s->co, s);
			return;
		} else if (s->reader == reader) {
			detach(s);
			if (m->stopping && !s->answered)
				call_abandon(s->co, s);
			return;
		}
}

void streams_end(struct mcp *m)
{
	m->stopping = true;
	for (struct mcp_stream *s = m->streams; s; s = s->next)
		if (s->begun && !s->reader && !s->answered)
			call_abandon(s->co, s);
}

void streams_free_of_session(struct mcp *m, const struct mcp_session *session)
{
	for (struct mcp_stream *s = m->streams, *next; s; s = next) {
		next = s->next;
		if (s->session == session)
			take_out(s);
	}
}

void streams_expire(struct mcp *m)
{
	int64_t now = clock_ms();
	struct client_request *lost = NULL;

	pthread_mutex_lock(&m->lock);
	for (struct mcp_stream *s = m->streams, *next; s && !lost; s = next) {
		next = s->next;
		if (is_retained(s) && now - s->since_ms > STREAM_RESUME_MS)
			lost = stream_abandon(s);
	}
	pthread_mutex_unlock(&m->lock);
	client_requests_fail(lost);
}
