#include "coordinator/mcp/mcp_session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/mcp/mcp_internal.h"
#include "coordinator/mcp/mcp_stream.h"
#include "proto/base/clock.h"
#include "proto/base/die.h"
#include "proto/net/crypto.h"

enum { SESSIONS_MAX = 1024 };

/* A request of the client that is in progress. */
struct session_request {
	struct session_request *next;
	char *id;
	const void *asker;
	bool cancelled;
};

/* A request that we have sent to the client. */
struct client_request {
	struct client_request *next;
	int id;
	const void *ctx;
	void (*answered)(void *arg, const char *result);
	void *arg;
};

struct mcp_session {
	struct mcp_session *prev, *next;
	struct mcp *mcp;
	const struct caller *caller;
	char id[33];
	unsigned can;
	int refs;
	int64_t used_ms;
	bool ended;
	int last_id;
	struct session_request *requests;
	struct client_request *asked;
	char **uris;
	int nuris;
	bool primed, has_stream;
	uint64_t streams;		/* number of the last stream */
	struct event_log events;
};

/* ---- the list of sessions; call these functions with the lock held ---- */

static void unlink_session(struct mcp_session *s)
{
	if (s->prev)
		s->prev->next = s->next;
	else
		s->mcp->sessions = s->next;
	if (s->next)
		s->next->prev = s->prev;
	s->prev = s->next = NULL;
}

static void push_session(struct mcp_session *s)
{
	s->next = s->mcp->sessions;
	if (s->next)
		s->next->prev = s;
	s->mcp->sessions = s;
}

static void session_free(struct mcp_session *s)
{
	while (s->requests) {
		struct session_request *r = s->requests;
		s->requests = r->next;
		free(r->id);
		free(r);
	}
	for (int i = 0; i < s->nuris; i++)
		free(s->uris[i]);
	free(s->uris);
	event_log_free(&s->events);
	streams_free_of_session(s->mcp, s);
	free(s);
}

static void unref_locked(struct mcp_session *s)
{
	if (--s->refs == 0)
		session_free(s);
}

/* End the session.  Returns its open questions, which are to be failed without the lock. */
static struct client_request *end(struct mcp_session *s)
{
	struct client_request *all = s->asked;

	if (s->ended)
		return NULL;
	s->ended = true;
	s->asked = NULL;
	unlink_session(s);
	s->mcp->nsessions--;
	listener_end(s->mcp, s);
	unref_locked(s);	/* the list's reference */
	return all;
}

void client_requests_fail(struct client_request *q)
{
	while (q) {
		struct client_request *next = q->next;
		q->answered(q->arg, NULL);
		free(q);
		q = next;
	}
}

/* ---- the life of a session ---- */

static bool is_idle(const struct mcp_session *s)
{
	return !s->requests && s->refs == 1;
}

/*
 * The idle session to end before this caller gets a new one: the oldest of its own if it has the
 * maximum, the oldest of all if there are SESSIONS_MAX, or NULL.
 */
static struct mcp_session *find_evictable(const struct mcp *m, const struct caller *caller)
{
	struct mcp_session *any = NULL, *own = NULL;
	int64_t n = 0;

	for (struct mcp_session *s = m->sessions; s; s = s->next) {
		bool is_own = s->caller == caller;
		n += is_own;
		if (is_idle(s) && is_own)
			own = s;
		if (is_idle(s))
			any = s;
	}
	if (n >= m->sessions_max && own)
		return own;
	if (m->nsessions >= SESSIONS_MAX)
		return any;
	return NULL;
}

struct mcp_session *session_new(
    struct mcp *m, const struct caller *caller, unsigned can, bool primed)
{
	if (!m)
		return NULL;
	struct mcp_session *s = xcalloc(1, sizeof *s);
	struct client_request *lost = NULL;

	s->mcp = m;
	s->used_ms = clock_ms();
	s->caller = caller;
	s->can = can;
	s->primed = primed;
	s->refs = 2;	/* the list's and the caller's */
	crypto_random_hex(s->id, 16);
	pthread_mutex_lock(&m->lock);
	struct mcp_session *old = find_evictable(m, caller);
	if (old)
		lost = end(old);
	push_session(s);
	m->nsessions++;
	pthread_mutex_unlock(&m->lock);
	client_requests_fail(lost);
	return s;
}

static struct mcp_session *find_session(
    const struct mcp *m, const struct caller *caller, const char *id)
{
	for (struct mcp_session *s = m->sessions; s; s = s->next)
		if (crypto_equal_strings(s->id, id) && s->caller == caller)
			return s;
	return NULL;
}

struct mcp_session *session_get(struct mcp *m, const struct caller *caller, const char *id)
{
	if (!m)
		return NULL;
	pthread_mutex_lock(&m->lock);
	struct mcp_session *s = find_session(m, caller, id);
	if (s) {		/* make it the most recently used one */
		s->refs++;
		s->used_ms = clock_ms();
		unlink_session(s);
		push_session(s);
	}
	pthread_mutex_unlock(&m->lock);
	return s;
}

struct mcp_session *session_ref(struct mcp_session *s)
{
	pthread_mutex_lock(&s->mcp->lock);
	s->refs++;
	pthread_mutex_unlock(&s->mcp->lock);
	return s;
}

void session_unref(struct mcp_session *s)
{
	if (!s)
		return;
	struct mcp *m = s->mcp;
	pthread_mutex_lock(&m->lock);
	unref_locked(s);
	pthread_mutex_unlock(&m->lock);
}

void session_end(struct mcp_session *s)
{
	struct mcp *m = s->mcp;

	pthread_mutex_lock(&m->lock);
	struct client_request *all = end(s);
	pthread_mutex_unlock(&m->lock);
	client_requests_fail(all);
}

void sessions_end_of_caller(struct mcp *m, const struct caller *caller)
{
	for (;;) {
		struct client_request *lost = NULL;
		pthread_mutex_lock(&m->lock);
		struct mcp_session *s = m->sessions;
		while (s && s->caller != caller)
			s = s->next;
		if (s)
			lost = end(s);
		pthread_mutex_unlock(&m->lock);
		client_requests_fail(lost);
		if (!s)
			return;
	}
}

void sessions_expire(struct mcp *m)
{
	int64_t now = clock_ms();
	struct client_request *lost = NULL;

	pthread_mutex_lock(&m->lock);
	for (struct mcp_session *s = m->sessions, *next; s && !lost; s = next) {
		next = s->next;
		if (!is_idle(s) || listener_of(m, s))
			s->used_ms = now;
		else if (now - s->used_ms > m->idle_ms)
			lost = end(s);
	}
	pthread_mutex_unlock(&m->lock);
	client_requests_fail(lost);
}

void sessions_free(struct mcp *m)
{
	while (m->sessions)
		session_end(m->sessions);
}

const char *session_id(const struct mcp_session *s)
{
	return s->id;
}

unsigned session_capabilities(const struct mcp_session *s)
{
	return s->can;
}

bool session_primed(const struct mcp_session *s)
{
	return s->primed;
}

struct mcp *session_mcp(const struct mcp_session *s)
{
	return s->mcp;
}

const struct caller *session_caller(const struct mcp_session *s)
{
	return s->caller;
}

/* ---- notifications ---- */

uint64_t session_next_stream_number(struct mcp_session *s)
{
	return ++s->streams;
}

struct mcp_session *session_next_listening(const struct mcp *m, const struct mcp_session *s)
{
	struct mcp_session *next = m->sessions;

	if (s)
		next = s->next;
	while (next && !next->has_stream)
		next = next->next;
	return next;
}

uint64_t session_log_event(struct mcp_session *s, const char *message)
{
	event_log_append(&s->events, message);
	return s->events.last;
}

bool session_open_stream(struct mcp_session *s, const uint64_t *number,
    const struct mcp_transport *transport, void *reader)
{
	char id[32];

	s->has_stream = true;
	/* If events are lost, this notification covers all that they may have been. */
	if (number && s->events.n && *number + 1 < s->events.v[0].number)
		session_log_event(
		    s, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/list_changed\"}");
	if (number)
		return event_log_replay(&s->events, 0, *number, transport, reader);
	snprintf(id, sizeof id, "0-%llu", (unsigned long long)s->events.last);
	return transport->event(reader, s->primed ? id : NULL, NULL);
}

/* ---- requests of the client ---- */

static struct session_request **find(struct mcp_session *s, const char *id)
{
	struct session_request **at = &s->requests;

	while (*at && strcmp((*at)->id, id) != 0)
		at = &(*at)->next;
	return at;
}

int session_begin_request(struct mcp_session *s, const char *id, const void *asker)
{
	struct session_request *r = xcalloc(1, sizeof *r);

	r->id = xstrdup(id);
	r->asker = asker;
	pthread_mutex_lock(&s->mcp->lock);
	bool twice = *find(s, id) != NULL;
	if (!twice) {
		r->next = s->requests;
		s->requests = r;
	}
	pthread_mutex_unlock(&s->mcp->lock);
	if (!twice)
		return 0;
	free(r->id);
	free(r);
	return -1;
}

bool session_end_request(struct mcp_session *s, const char *id)
{
	pthread_mutex_lock(&s->mcp->lock);
	struct session_request **at = find(s, id), *r = *at;
	if (r)
		*at = r->next;
	pthread_mutex_unlock(&s->mcp->lock);
	if (!r)
		return false;
	bool cancelled = r->cancelled;
	free(r->id);
	free(r);
	return cancelled;
}

/* Mark the request as cancelled; its asker, or NULL if there is no request. */
static const void *cancel(struct session_request *r)
{
	if (!r)
		return NULL;
	r->cancelled = true;
	return r->asker;
}

const void *session_cancel_request(struct mcp_session *s, const char *id)
{
	pthread_mutex_lock(&s->mcp->lock);
	const void *asker = cancel(*find(s, id));
	pthread_mutex_unlock(&s->mcp->lock);
	return asker;
}

const void *session_cancel_next_request(struct mcp_session *s)
{
	pthread_mutex_lock(&s->mcp->lock);
	struct session_request *r = s->requests;
	while (r && r->cancelled)
		r = r->next;
	const void *asker = cancel(r);
	pthread_mutex_unlock(&s->mcp->lock);
	return asker;
}

/* ---- our requests to the client ---- */

int session_ask_client(struct mcp_session *s, const void *ctx,
    void (*answered)(void *arg, const char *result), void *arg)
{
	struct client_request *q = xcalloc(1, sizeof *q);

	q->ctx = ctx;
	q->answered = answered;
	q->arg = arg;
	pthread_mutex_lock(&s->mcp->lock);
	int id = q->id = ++s->last_id;
	bool ended = s->ended;
	if (!ended) {
		q->next = s->asked;
		s->asked = q;
	}
	pthread_mutex_unlock(&s->mcp->lock);
	if (ended)
		client_requests_fail(q);
	return id;
}

void session_take_answer(struct mcp_session *s, const char *id, const char *result)
{
	struct client_request **at = &s->asked;

	pthread_mutex_lock(&s->mcp->lock);
	while (*at && (*at)->id != atoi(id))
		at = &(*at)->next;
	struct client_request *q = *at;
	if (q)
		*at = q->next;
	pthread_mutex_unlock(&s->mcp->lock);
	if (q)
		q->answered(q->arg, result);
	free(q);
}

/* Move the requests with this `ctx` from the session to the front of the list `to`. */
static struct client_request *take_requests(
    struct mcp_session *s, const void *ctx, struct client_request *to)
{
	struct client_request **at = &s->asked;

	while (*at) {
		struct client_request *q = *at;
		if (q->ctx != ctx) {
			at = &q->next;
			continue;
		}
		*at = q->next;
		q->next = to;
		to = q;
	}
	return to;
}

struct client_request *sessions_take_requests(struct mcp *m, const void *ctx)
{
	struct client_request *taken = NULL;

	for (struct mcp_session *s = m->sessions; s; s = s->next)
		taken = take_requests(s, ctx, taken);
	return taken;
}

/* ---- resources ---- */

/* The index of a subscribed resource, or -1. */
static int find_uri(const struct mcp_session *s, const char *uri)
{
	for (int i = 0; i < s->nuris; i++)
		if (!strcmp(s->uris[i], uri))
			return i;
	return -1;
}

bool session_subscribed(const struct mcp_session *s, const char *uri)
{
	return find_uri(s, uri) >= 0;
}

int session_subscribe(struct mcp_session *s, const char *uri, bool wanted)
{
	int rc = 0;

	pthread_mutex_lock(&s->mcp->lock);
	int at = find_uri(s, uri);
	if (!wanted && at >= 0) {
		free(s->uris[at]);
		s->uris[at] = s->uris[--s->nuris];
	} else if (wanted && at < 0 && s->nuris == SESSION_URIS_MAX) {
		rc = -1;
	} else if (wanted && at < 0) {
		s->uris = xrealloc(s->uris, (size_t)(s->nuris + 1) * sizeof *s->uris);
		s->uris[s->nuris++] = xstrdup(uri);
	}
	pthread_mutex_unlock(&s->mcp->lock);
	return rc;
}
