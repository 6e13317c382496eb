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

/* A request of the client that is under way. */
struct session_request {
	struct session_request *next;
	char *id;
	const void *asker;
	bool cancelled;
};

/* A request of ours. */
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
	uint64_t streams;		/* there have been */
	struct event_log events;
};

static char *copy(const char *s)
{
	char *p = xstrdup(s);

	return p;
}

static void *some(size_t size)
{
	void *p = xcalloc(1, size);

	return p;
}

/* ---- the ring: all functions here are called under the lock ---- */

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

/* Its questions are unlinked and returned, to be answered without the lock. */
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
	unref_locked(s);	/* the ring's */
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
 * The one to go before another of this caller comes: its own when it has all it may have,
 * anybody's when all places are taken.
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
	struct mcp_session *s = some(sizeof *s);
	struct client_request *lost = NULL;

	s->mcp = m;
	s->used_ms = clock_ms();
	s->caller = caller;
	s->can = can;
	s->primed = primed;
	s->refs = 2;	/* the ring's, and whoever asked */
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

struct mcp_session *session_get(struct mcp *m, const struct caller *caller, const char *id)
{
	struct mcp_session *s = NULL;

	if (!m)
		return NULL;
	pthread_mutex_lock(&m->lock);
	for (s = m->sessions; s && !(crypto_equal_strings(s->id, id) && s->caller == caller);
	     s = s->next)
		;
	if (s) {
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
	struct client_request *lost;

	do {
		lost = NULL;
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
	} while (true);
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

/* ---- what it hears unasked ---- */

uint64_t session_next_stream_number(struct mcp_session *s)
{
	return ++s->streams;
}

struct mcp_session *session_next_listening(const struct mcp *m, const struct mcp_session *s)
{
	struct mcp_session *next = s ? s->next : m->sessions;

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
	/* some is lost: it may be anything */
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
	struct session_request *r = some(sizeof *r);

	r->id = copy(id);
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
	bool taken_back = r && r->cancelled;
	if (r)
		free(r->id);
	free(r);
	return taken_back;
}

const void *session_cancel_request(struct mcp_session *s, const char *id)
{
	pthread_mutex_lock(&s->mcp->lock);
	struct session_request *r = *find(s, id);
	if (r)
		r->cancelled = true;
	const void *asker = r ? r->asker : NULL;
	pthread_mutex_unlock(&s->mcp->lock);
	return asker;
}

const void *session_cancel_next_request(struct mcp_session *s)
{
	pthread_mutex_lock(&s->mcp->lock);
	struct session_request *r = s->requests;
	while (r && r->cancelled)
		r = r->next;
	if (r)
		r->cancelled = true;
	const void *asker = r ? r->asker : NULL;
	pthread_mutex_unlock(&s->mcp->lock);
	return asker;
}

/* ---- requests of ours ---- */

int session_ask_client(struct mcp_session *s, const void *ctx,
    void (*answered)(void *arg, const char *result), void *arg)
{
	struct client_request *q = some(sizeof *q);

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
	struct client_request **at = &s->asked, *q;

	pthread_mutex_lock(&s->mcp->lock);
	while ((q = *at) && q->id != atoi(id))
		at = &q->next;
	if (q)
		*at = q->next;
	pthread_mutex_unlock(&s->mcp->lock);
	if (q)
		q->answered(q->arg, result);
	free(q);
}

struct client_request *sessions_take_requests(struct mcp *m, const void *ctx)
{
	struct client_request *left = NULL;

	for (struct mcp_session *s = m->sessions; s; s = s->next)
		for (struct client_request **at = &s->asked, *q; (q = *at);)
			if (q->ctx == ctx) {
				*at = q->next;
				q->next = left;
				left = q;
			} else {
				at = &q->next;
			}
	return left;
}

/* ---- resources ---- */

static int place(const struct mcp_session *s, const char *uri)
{
	for (int i = 0; i < s->nuris; i++)
		if (!strcmp(s->uris[i], uri))
			return i;
	return -1;
}

bool session_subscribed(const struct mcp_session *s, const char *uri)
{
	return place(s, uri) >= 0;
}

int session_subscribe(struct mcp_session *s, const char *uri, bool wanted)
{
	int rc = 0;

	pthread_mutex_lock(&s->mcp->lock);
	int at = place(s, uri);
	if (!wanted && at >= 0) {
		free(s->uris[at]);
		s->uris[at] = s->uris[--s->nuris];
	} else if (wanted && at < 0 && s->nuris == SESSION_URIS_MAX) {
		rc = -1;
	} else if (wanted && at < 0) {
		char **uris = xrealloc(s->uris, (size_t)(s->nuris + 1) * sizeof *uris);
		s->uris = uris;
		s->uris[s->nuris++] = copy(uri);
	}
	pthread_mutex_unlock(&s->mcp->lock);
	return rc;
}
