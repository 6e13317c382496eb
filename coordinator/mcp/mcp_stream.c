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

/* The lock of struct mcp guards all fields. */
struct mcp_stream {
	struct mcp_stream *prev, *next;	/* the newest is the first */
	struct coordinator *co;
	struct mcp_session *session;	/* a reference until the request is answered */
	uint64_t number;		/* in its session */
	const struct mcp_transport *carrier;
	void *reader;			/* NULL if no client reads it at the moment */
	int64_t since_ms;		/* when it lost its reader or was answered */
	bool prime, begun, answered, abandoned;
	struct event_log events;
};

/* ---- the log of events ---- */

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

/* Parse 1 to 18 digits; the text after them, or NULL. */
static const char *parse_number(const char *s, uint64_t *number)
{
	size_t n = strspn(s, "0123456789");

	if (!n || n > 18)
		return NULL;
	*number = strtoull(s, NULL, 10);
	return s + n;
}

bool stream_parse_event_id(const char *id, uint64_t *stream, uint64_t *number)
{
	uint64_t first, second;
	const char *end = parse_number(id, &first);

	if (!end || *end != '-')
		return false;
	end = parse_number(end + 1, &second);
	if (!end || *end)
		return false;
	*stream = first;
	*number = second;
	return true;
}

/* Send an event; if `text` is NULL, one that only has an id. */
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

/* ---- streams; call these functions with the lock held ---- */

static void stream_free(struct mcp_stream *s)
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

/* End the reader's connection, if there is one.  Further events are only logged. */
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
 * Its client did not come back: free it, now or when the request is answered.  Returns the
 * questions to the client, which are to be failed without the lock.
 */
static struct client_request *stream_abandon(struct mcp_stream *s)
{
	struct mcp *m = s->co->mcp;

	if (s->answered) {
		stream_free(s);
		return NULL;
	}
	s->abandoned = true;
	call_abandon(s->co, s);
	return sessions_take_requests(m, s);
}

/* Whether it is kept for a client that may come back. */
static bool is_retained(const struct mcp_stream *s)
{
	if (s->answered)
		return true;
	return s->begun && !s->reader && !s->abandoned;
}

/*
 * Free the oldest answered stream if there are too many: of the session, or of all sessions if
 * they take too many bytes.
 */
static void make_room(struct mcp *m, const struct mcp_session *session)
{
	bool full = m->stream_bytes > STREAMS_BYTES;
	struct mcp_stream *oldest = NULL;
	int n = 0;

	for (struct mcp_stream *s = m->streams; s; s = s->next) {
		bool own = s->session == session;
		n += is_retained(s) && own;
		if (s->answered && !s->reader && (full || own))
			oldest = s;
	}
	if (oldest && (n > STREAMS_RETAINED || full))
		stream_free(oldest);
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

/* ---- the transport ---- */

/* Send the event that begins the stream.  False if the reader is gone. */
static bool send_first(struct mcp_stream *s)
{
	if (s->prime)
		return send_event(s->carrier, s->reader, s->number, 0, NULL);
	return s->carrier->event(s->reader, NULL, NULL);
}

static void begin(struct mcp_stream *s)
{
	if (!s->begun && s->reader && !send_first(s))
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
	return true;	/* a client that is not there may come back */
}

/* The answer is the last event.  A cancelled request has none, so its stream is freed. */
static void end_events(struct mcp_stream *s, const char *answer)
{
	struct mcp *m = s->co->mcp;
	bool keep = answer && !s->abandoned;

	if (keep)
		append_event(s, answer);
	detach(s);
	s->answered = true;
	if (keep)
		make_room(m, s->session);
	else
		stream_free(s);
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
		stream_free(s);
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

	s->co = co;
	s->session = session_ref(session);
	s->prime = prime;
	s->carrier = transport;
	s->reader = reader;
	pthread_mutex_lock(&m->lock);
	s->number = session_next_stream_number(session);
	s->next = m->streams;
	if (s->next)
		s->next->prev = s;
	m->streams = s;
	pthread_mutex_unlock(&m->lock);
	return s;
}

/* ---- readers ---- */

void stream_pause(struct mcp_stream *s)
{
	pthread_mutex_lock(&s->co->mcp->lock);
	begin(s);
	if (s->prime && s->reader)
		detach(s);
	pthread_mutex_unlock(&s->co->mcp->lock);
}

static struct mcp_stream *find_resumable(
    const struct mcp *m, const struct mcp_session *session, uint64_t number)
{
	for (struct mcp_stream *s = m->streams; s; s = s->next)
		if (s->session == session && s->number == number && s->begun && !s->abandoned)
			return s;
	return NULL;
}

int stream_resume(struct mcp_session *session, uint64_t stream, uint64_t number,
    const struct mcp_transport *transport, void *reader)
{
	struct mcp *m = session_mcp(session);
	int rc = -1;

	pthread_mutex_lock(&m->lock);
	struct mcp_stream *s = find_resumable(m, session, stream);
	if (s) {
		detach(s);	/* the newest reader replaces another one */
		s->carrier = transport;
		s->reader = reader;
		if (!event_log_replay(&s->events, stream, number, transport, reader) || s->answered)
			detach(s);
		rc = 0;
	}
	pthread_mutex_unlock(&m->lock);
	return rc;
}

void streams_reader_gone(struct mcp *m, const void *reader)
{
	struct mcp_stream *s = m->streams;

	while (s && s->reader != reader)
		s = s->next;
	if (!s)
		return;
	bool resumable = s->begun && !m->stopping;
	if (s->begun)
		detach(s);
	if (!resumable && !s->answered)
		call_abandon(s->co, s);
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
			stream_free(s);
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
