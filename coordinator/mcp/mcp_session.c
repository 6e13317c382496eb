#include "coordinator/mcp/mcp_session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/mcp/mcp_internal.h"
#include "coordinator/mcp/mcp_stream.h"
#include "proto/base/clock.h"
#include "proto/net/crypto.h"

enum { SESSIONS_MAX = 1024 };

/* A request of the client that is under way. */
struct request {
	struct request *next;
	char *id;
	const void *asker;
	bool taken_back;
};

/* A request of ours. */
struct asked {
	struct asked *next;
	int id;
	const void *ctx;
	void (*answered)(void *arg, const char *result);
	void *arg;
};

struct session {
	struct session *prev, *next;
	struct mcp *mcp;
	const struct caller *caller;
	char id[33];
	unsigned can;
	int refs;
	int64_t used_ms;
	bool ended;
	int last_id;
	struct request *requests;
	struct asked *asked;
	char **uris;
	int nuris;
	bool primed, hears;
	uint64_t streams;		/* there have been */
	struct replay heard;
};

static char *copy(const char *s)
{
	char *p = strdup(s);

	if (!p)
		abort();
	return p;
}

static void *some(size_t size)
{
	void *p = calloc(1, size);

	if (!p)
		abort();
	return p;
}

/* ---- the ring: all functions here are called under the lock ---- */

static void take_out(struct session *s)
{
	if (s->prev)
		s->prev->next = s->next;
	else
		s->mcp->sessions = s->next;
	if (s->next)
		s->next->prev = s->prev;
	s->prev = s->next = NULL;
}

static void put_first(struct session *s)
{
	s->next = s->mcp->sessions;
	if (s->next)
		s->next->prev = s;
	s->mcp->sessions = s;
}

static void free_session(struct session *s)
{
	while (s->requests) {
		struct request *r = s->requests;
		s->requests = r->next;
		free(r->id);
		free(r);
	}
	for (int i = 0; i < s->nuris; i++)
		free(s->uris[i]);
	free(s->uris);
	replay_free(&s->heard);
	streams_drop(s->mcp, s);
	free(s);
}

static void give_back(struct session *s)
{
	if (--s->refs == 0)
		free_session(s);
}

/* Its questions are unlinked and returned, to be answered without the lock. */
static struct asked *end(struct session *s)
{
	struct asked *all = s->asked;

	if (s->ended)
		return NULL;
	s->ended = true;
	s->asked = NULL;
	take_out(s);
	s->mcp->nsessions--;
	listener_end(s->mcp, s);
	give_back(s);	/* the ring's */
	return all;
}

void asked_in_vain(struct asked *q)
{
	while (q) {
		struct asked *next = q->next;
		q->answered(q->arg, NULL);
		free(q);
		q = next;
	}
}

/* ---- the life of a session ---- */

static bool is_idle(const struct session *s)
{
	return !s->requests && s->refs == 1;
}

/* The one to go before another of this caller comes: its own when it has all it may have, anybody's when all places are taken. */
static struct session *to_go(const struct mcp *m, const struct caller *caller)
{
	struct session *any = NULL, *own = NULL;
	int64_t n = 0;

	for (struct session *s = m->sessions; s; s = s->next) {
		bool is_own = s->caller == caller;
		n += is_own;
		if (is_idle(s) && is_own)
			own = s;
		if (is_idle(s))
			any = s;
	}
	return n >= m->sessions_max && own ? own : m->nsessions >= SESSIONS_MAX ? any : NULL;
}

struct session *session_new(struct mcp *m, const struct caller *caller, unsigned can, bool primed)
{
	if (!m)
		return NULL;
	struct session *s = some(sizeof *s);
	struct asked *lost = NULL;

	s->mcp = m;
	s->used_ms = clock_ms();
	s->caller = caller;
	s->can = can;
	s->primed = primed;
	s->refs = 2;	/* the ring's, and whoever asked */
	crypto_random_hex(s->id, 16);
	pthread_mutex_lock(&m->lock);
	struct session *old = to_go(m, caller);
	if (old)
		lost = end(old);
	put_first(s);
	m->nsessions++;
	pthread_mutex_unlock(&m->lock);
	asked_in_vain(lost);
	return s;
}

struct session *session_get(struct mcp *m, const struct caller *caller, const char *id)
{
	struct session *s = NULL;

	if (!m)
		return NULL;
	pthread_mutex_lock(&m->lock);
	for (s = m->sessions; s && !(crypto_equal(s->id, id) && s->caller == caller); s = s->next)
		;
	if (s) {
		s->refs++;
		s->used_ms = clock_ms();
		take_out(s);
		put_first(s);
	}
	pthread_mutex_unlock(&m->lock);
	return s;
}

struct session *session_hold(struct session *s)
{
	pthread_mutex_lock(&s->mcp->lock);
	s->refs++;
	pthread_mutex_unlock(&s->mcp->lock);
	return s;
}

void session_drop(struct session *s)
{
	if (!s)
		return;
	struct mcp *m = s->mcp;
	pthread_mutex_lock(&m->lock);
	give_back(s);
	pthread_mutex_unlock(&m->lock);
}

void session_end(struct session *s)
{
	struct mcp *m = s->mcp;

	pthread_mutex_lock(&m->lock);
	struct asked *all = end(s);
	pthread_mutex_unlock(&m->lock);
	asked_in_vain(all);
}

void sessions_forget(struct mcp *m, const struct caller *caller)
{
	struct asked *lost;

	do {
		lost = NULL;
		pthread_mutex_lock(&m->lock);
		struct session *s = m->sessions;
		while (s && s->caller != caller)
			s = s->next;
		if (s)
			lost = end(s);
		pthread_mutex_unlock(&m->lock);
		asked_in_vain(lost);
		if (!s)
			return;
	} while (true);
}

void sessions_expire(struct mcp *m)
{
	int64_t now = clock_ms();
	struct asked *lost = NULL;

	pthread_mutex_lock(&m->lock);
	for (struct session *s = m->sessions, *next; s && !lost; s = next) {
		next = s->next;
		if (!is_idle(s) || listener_of(m, s))
			s->used_ms = now;
		else if (now - s->used_ms > m->idle_ms)
			lost = end(s);
	}
	pthread_mutex_unlock(&m->lock);
	asked_in_vain(lost);
}

void sessions_free(struct mcp *m)
{
	while (m->sessions)
		session_end(m->sessions);
}

const char *session_id(const struct session *s)
{
	return s->id;
}

unsigned session_can(const struct session *s)
{
	return s->can;
}

bool session_primed(const struct session *s)
{
	return s->primed;
}

struct mcp *session_mcp(const struct session *s)
{
	return s->mcp;
}

const struct caller *session_caller(const struct session *s)
{
	return s->caller;
}

/* ---- what it hears unasked ---- */

uint64_t session_stream(struct session *s)
{
	return ++s->streams;
}

struct session *session_next(const struct mcp *m, const struct session *s)
{
	struct session *next = s ? s->next : m->sessions;

	while (next && !next->hears)
		next = next->next;
	return next;
}

uint64_t session_note(struct session *s, const char *message)
{
	replay_keep(&s->heard, message);
	return s->heard.last;
}

bool session_hear(struct session *s, const uint64_t *number, const struct mcp_carrier *carrier, void *reader)
{
	char id[32];

	s->hears = true;
	if (number && s->heard.n && *number + 1 < s->heard.v[0].number)	/* some is lost: it may be anything */
		session_note(s, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/list_changed\"}");
	if (number)
		return replay_send(&s->heard, 0, *number, carrier, reader);
	snprintf(id, sizeof id, "0-%llu", (unsigned long long)s->heard.last);
	return carrier->event(reader, s->primed ? id : NULL, NULL);
}

/* ---- requests of the client ---- */

static struct request **find(struct session *s, const char *id)
{
	struct request **at = &s->requests;

	while (*at && strcmp((*at)->id, id) != 0)
		at = &(*at)->next;
	return at;
}

int session_begin(struct session *s, const char *id, const void *asker)
{
	struct request *r = some(sizeof *r);

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

bool session_finish(struct session *s, const char *id)
{
	pthread_mutex_lock(&s->mcp->lock);
	struct request **at = find(s, id), *r = *at;
	if (r)
		*at = r->next;
	pthread_mutex_unlock(&s->mcp->lock);
	bool taken_back = r && r->taken_back;
	if (r)
		free(r->id);
	free(r);
	return taken_back;
}

const void *session_cancel(struct session *s, const char *id)
{
	pthread_mutex_lock(&s->mcp->lock);
	struct request *r = *find(s, id);
	if (r)
		r->taken_back = true;
	const void *asker = r ? r->asker : NULL;
	pthread_mutex_unlock(&s->mcp->lock);
	return asker;
}

const void *session_cancel_next(struct session *s)
{
	pthread_mutex_lock(&s->mcp->lock);
	struct request *r = s->requests;
	while (r && r->taken_back)
		r = r->next;
	if (r)
		r->taken_back = true;
	const void *asker = r ? r->asker : NULL;
	pthread_mutex_unlock(&s->mcp->lock);
	return asker;
}

/* ---- requests of ours ---- */

int session_ask(struct session *s, const void *ctx, void (*answered)(void *arg, const char *result), void *arg)
{
	struct asked *q = some(sizeof *q);

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
		asked_in_vain(q);
	return id;
}

void session_answer(struct session *s, const char *id, const char *result)
{
	struct asked **at = &s->asked, *q;

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

struct asked *sessions_left(struct mcp *m, const void *ctx)
{
	struct asked *left = NULL;

	for (struct session *s = m->sessions; s; s = s->next)
		for (struct asked **at = &s->asked, *q; (q = *at);)
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

static int place(const struct session *s, const char *uri)
{
	for (int i = 0; i < s->nuris; i++)
		if (!strcmp(s->uris[i], uri))
			return i;
	return -1;
}

bool session_subscribed(const struct session *s, const char *uri)
{
	return place(s, uri) >= 0;
}

int session_subscribe(struct session *s, const char *uri, bool wanted)
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
		char **uris = realloc(s->uris, (size_t)(s->nuris + 1) * sizeof *uris);
		if (!uris)
			abort();
		s->uris = uris;
		s->uris[s->nuris++] = copy(uri);
	}
	pthread_mutex_unlock(&s->mcp->lock);
	return rc;
}
