/* How shards come in: one thread takes announcements in turn, so that neither nng's threads nor tools wait for SQLite. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "coordinator/coordinator.h"
#include "coordinator/mcp.h"
#include "coordinator/groups.h"
#include "coordinator/jobs.h"
#include "coordinator/members_own.h"
#include "coordinator/registry.h"
#include "coordinator/resync.h"
#include "coordinator/stats.h"
#include "coordinator/tokens.h"
#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/base/map.h"
#include "proto/codec.h"
#include "proto/features.h"
#include "proto/text/uri.h"
#include "proto/wire.h"

enum { ANNOUNCE_MS = 5000, SLOTS = 64, HELLO_MS = 2000, REST_AFTER_MS = 60000, PATIENCE_MS = 2000, LOST_MS = 500,
	STEPS = 8, LATE_MS = 500, SELDOM = 8, TURNS = 3 };

/*
 * Many shards announce themselves even more seldom than they are probed: who has news, or loses the coordinator, does so at once all the same.
 */
static int64_t announce_interval(int64_t probes)
{
	return probes > ANNOUNCE_MS ? ANNOUNCE_MS + SELDOM * (probes - ANNOUNCE_MS) : ANNOUNCE_MS;
}

int64_t joining_refuse_ms(const struct members *all)
{
	return TURNS * announce_interval(all->interval);
}

static void answer(struct members *all, struct joiner *j, const struct err *e)
{
	struct announce_res res = { .interval_ms = (uint64_t)announce_interval(members_interval(all)), .features = features_own(),
		.protocol = features_version(j->h.lowest, j->h.protocol, "the shard", NULL) };

	if (j->r)
		wire_answer(j->r, &rec_announce_res, &res, NULL, e);
	else
		arena_free(j->a);
}

/* For the thread; from any. */
static void put_inbox(struct members *all, struct joiner *j)
{
	struct err e = { 0 };

	pthread_mutex_lock(&all->lock);
	bool refuse = all->stopping;
	if (!refuse) {
		*all->inbox_end = j;
		all->inbox_end = &j->next;
		pthread_cond_signal(&all->wake);
	}
	pthread_mutex_unlock(&all->lock);
	if (refuse) {
		err_set(&e, ERR_UNAVAILABLE, "the coordinator is shutting down");
		answer(all, j, &e);
	}
}

static bool has(const char *s)
{
	return s && *s;
}

static int check(const struct hello *h, struct err *e)
{
	if (!features_version(h->lowest, h->protocol, "the shard", e))
		return -1;
	if (!has(h->repo_uri) || !has(h->name) || !has(h->replica) || !has(h->endpoint))
		return err_set(e, ERR_INVALID_INPUT, "hello without repo_uri, name, replica or endpoint");
	return 0;
}

/* Where an index can be copied from: those that hold one, the least behind first. */
static void answer_peers(struct members *all, struct wire_request *r)
{
	struct peers_req q;
	struct peers_res res = { 0 };
	struct err e = { 0 };
	int64_t behind[REPLICAS_MAX];

	if (!codec_get(&rec_peers_req, &q, r->body.p, r->body.n, r->a, &e)) {
		res.peers.v = arena_many(r->a, REPLICAS_MAX, struct peer);
		pthread_mutex_lock(&all->lock);
		const struct member *m = map_get(all->by_uri, q.repo_uri);
		for (const struct replica *x = m && !m->own->gone ? m->own->replicas : NULL; x && res.peers.n < REPLICAS_MAX; x = x->next) {
			if (!x->index || x->health == DOWN || (q.replica && !strcmp(q.replica, x->name)))
				continue;
			size_t at = res.peers.n++;
			for (; at && behind[at - 1] > x->behind; at--) {
				behind[at] = behind[at - 1];
				res.peers.v[at] = res.peers.v[at - 1];
			}
			behind[at] = x->behind;
			res.peers.v[at] = (struct peer){ arena_str(r->a, x->name), arena_str(r->a, x->url) };
		}
		pthread_mutex_unlock(&all->lock);
	}
	wire_answer(r, &rec_peers_res, &res, NULL, &e);
}

/* On a thread of nng. */
static void on_request(void *ctx, struct wire_request *r)
{
	struct members *all = ctx;
	struct err e = { 0 };
	struct joiner *j = arena_one(r->a, struct joiner);

	if (!strcmp(r->rpc, "peers")) {
		answer_peers(all, r);
		return;
	}
	if (strcmp(r->rpc, "announce"))
		err_set(&e, ERR_INVALID_INPUT, "no RPC `%.40s` here; shards call `announce`", r->rpc);
	else if (!codec_get(&rec_hello, &j->h, r->body.p, r->body.n, r->a, &e))
		check(&j->h, &e);
	j->r = r;
	j->a = r->a;
	if (e.code)
		log_warn("member.refused", "repo=%s replica=%s code=%s message=%s", log_quote(j->h.repo_uri ? j->h.repo_uri : ""),
		    log_quote(j->h.replica ? j->h.replica : ""), err_name(e.code), log_quote(e.msg));
	if (e.code)
		answer(all, j, &e);
	else
		put_inbox(all, j);
}

/*
 * Whether a shard that says it is there should be dialled anew: what was dialled waits for its next attempt to connect,
 * or stands but brings no answers.  One that is lost counts before a probe has noticed.  Where there are many a handshake takes its time, and is not
 * begun anew meanwhile.
 */
static bool is_stuck(const struct replica *r)
{
	int64_t now = clock_ms(), interval = r->all->interval, patience = interval > PATIENCE_MS ? interval : PATIENCE_MS;
	bool silent = r->failures || (r->probing && now > r->probe_until + PATIENCE_MS);

	if (r->answered && r->peer && !wire_connected(r->peer))
		return now > r->dialled + LOST_MS;
	return r->health == DOWN && (!r->peer || (silent && now > r->dialled + patience));
}

static void retire(struct members *all, struct replica **at)
{
	struct replica *old = *at;

	*at = old->next;
	old->retired = true;
	old->next = all->retired;
	all->retired = old;
}

/* What is known of a shard when it is dialled anew or elsewhere: it is the same one. */
static void carry_over(struct replica *r, const struct replica *old)
{
	r->since = old->since;
	r->times = old->times;
	r->features = old->features;
	r->greeted = old->greeted;
	r->kin = old->kin;
	r->said = old->said;
	memcpy(r->apart_why, old->apart_why, sizeof r->apart_why);
	memcpy(r->compared, old->compared, sizeof r->compared);
	memcpy(r->compared_to, old->compared_to, sizeof r->compared_to);
}

/*
 * A new connection to where `*at` is.  One that was lost is back, as it says itself: when there is nobody better, requests wait for
 * its connection, as with any new one.  One that was silent is not usable before its first answer.
 */
static struct replica *redial(struct members *all, struct replica **at)
{
	struct replica *old = *at, *r;
	bool lost = old->answered && old->peer && !wire_connected(old->peer);

	log_info("member.redial", "repo=%s replica=%s failures=%d", old->m->repo_uri, log_quote(old->name), old->failures);
	retire(all, at);
	r = members_dial(all, old->m, old->name, old->url);
	members_set(&r->host, old->host);
	carry_over(r, old);
	r->failures = lost ? 0 : old->failures + 1;
	snprintf(r->reason, sizeof r->reason, "%s", old->reason);
	return r;
}

/* The shard of `h`, dialled if it must be; `*fresh` when it is new or has another address.  With the lock held. */
static struct replica *replica_of(struct members *all, struct member *m, const struct hello *h, bool *fresh)
{
	struct replica **at = &m->own->replicas;
	int n = 0;

	for (; *at && strcmp((*at)->name, h->replica); at = &(*at)->next)
		n++;
	if (*at && !strcmp((*at)->url, h->endpoint))
		return is_stuck(*at) ? redial(all, at) : *at;
	*fresh = true;
	struct replica *old = *at, *r;
	if (old || n >= REPLICAS_MAX)
		retire(all, old ? at : &m->own->replicas);	/* without room the oldest goes */
	r = members_dial(all, m, h->replica, h->endpoint);
	if (old)
		carry_over(r, old);
	return r;
}

static bool differs(const char *old, const char *now)
{
	return now && (!old || strcmp(old, now));
}

static bool refused(struct members *all, struct member *m, struct err *e)
{
	struct member_state *s = m->own;

	if (!s->gone || clock_ms() >= s->refused_until) {
		s->gone = false;
		return false;
	}
	s->refused_until = clock_ms() + joining_refuse_ms(all);
	err_set(e, ERR_FORBIDDEN, "%s was removed from this coordinator", m->name);
	err_hint(e, "`atoll repo add` of its path or URL admits it again.");
	return true;
}

/* A shard whose registry is away for a while serves all the same: it is written with a later announcement. */
static int save(struct members *all, struct member *m, const struct hello *h, bool speaks, struct err *e)
{
	struct registry *r = all->co->registry;
	struct hello put = *h;

	if (!speaks) {		/* the repository is what another of its shards says; this is one more address */
		put.name = m->name;
		put.default_branch = put.source = NULL;
	}
	int rc = registry_repo_put(r, &put, e) || (h->source && sources_join(r, h->source, h->repo_uri, e)) ? -1 : 0;

	pthread_mutex_lock(&all->lock);
	m->own->unsaved = rc;
	pthread_mutex_unlock(&all->lock);
	if (!rc || e->code != ERR_UNAVAILABLE)
		return rc;
	log_warn("member.unsaved", "repo=%s message=%s", log_quote(h->repo_uri), log_quote(e->msg));
	*e = (struct err){ 0 };
	return 0;
}

/* Takes in what a shard says of itself, or one `named` by --shard; 0, or -1 with why it is refused. */
static int join(struct members *all, struct hello *h, bool named, struct arena *a, struct err *e)
{
	bool fresh = false, changed;

	h->source = h->source ? uri_redact(h->source, a) : NULL;
	pthread_mutex_lock(&all->lock);
	struct member *m = members_at(all, h->repo_uri, h->name);
	bool left = leaving_refuse(all, m, h->host, h->replica, NULL);
	pthread_mutex_unlock(&all->lock);
	bool wanted = left && leaving_wanted(all, h->source, h->host, a);
	pthread_mutex_lock(&all->lock);
	if (wanted)
		leaving_admit(m, h->host, h->replica);
	if (refused(all, m, e) || leaving_refuse(all, m, h->host, h->replica, e)) {
		pthread_mutex_unlock(&all->lock);
		return -1;
	}
	struct replica *r = replica_of(all, m, h, &fresh);
	bool speaks = r == members_speaker(m->own);
	changed = fresh || m->own->unsaved || (speaks && (differs(m->own->default_branch, h->default_branch) ||
	    differs(m->own->source, h->source)));
	if (h->default_branch && (speaks || !m->own->default_branch))
		members_set(&m->own->default_branch, h->default_branch);
	if (h->source && (speaks || !m->own->source))
		members_set(&m->own->source, h->source);
	r->named = r->named || named;
	r->features = features_of(&h->features);
	r->greeted = true;
	if (h->host)
		members_set(&r->host, h->host);
	bool probe = r->health != HEALTHY || (h->generation && h->generation != (speaks ? m->own->generation : r->generation));
	if (speaks && h->generation < m->own->generation) {
		stats_unsettle(all->co->stats, m);
		m->own->sketched = 0;
	}
	if (speaks && h->generation)
		m->own->generation = h->generation;
	pthread_mutex_unlock(&all->lock);
	if (changed && save(all, m, h, speaks, e))
		return -1;
	if (fresh)
		log_info("member.join", "repo=%s replica=%s endpoint=%s", h->repo_uri, log_quote(h->replica),
		    log_quote(h->endpoint));
	if (probe)
		probing_one(r);
	jobs_poke(all->co->jobs, h->repo_uri);
	return 0;
}

static void take_inbox(struct members *all, struct joiner *j)
{
	for (struct joiner *next; j; j = next) {
		struct err e = { 0 };
		next = j->next;
		if (join(all, &j->h, !j->r, j->a, &e))
			log_warn("member.refused", "repo=%s code=%s message=%s", log_quote(j->h.repo_uri),
			    err_name(e.code), log_quote(e.msg));
		answer(all, j, &e);
	}
}

/* ---- shards named by --shard ---- */

static void on_hello(void *arg, struct wire_reply *reply)
{
	struct named *s = arg;
	struct arena *a = arena_new();
	struct joiner *j = arena_one(a, struct joiner);
	struct err e = { 0 };
	bool ok = !wire_reply_get(reply, &rec_hello, &j->h, NULL, a, &e);

	wire_reply_free(reply);
	j->a = a;
	j->h.endpoint = s->url;
	ok = ok && !check(&j->h, &e);
	pthread_mutex_lock(&s->all->lock);
	s->asking = false;
	s->known = ok;
	pthread_mutex_unlock(&s->all->lock);
	if (ok)
		put_inbox(s->all, j);
	else
		arena_free(a);
}

static void ask_named(struct members *all)
{
	static const struct nothing nothing;

	for (size_t i = 0; i < all->nnamed; i++) {
		struct named *s = &all->named[i];
		pthread_mutex_lock(&all->lock);
		bool ask = s->peer && !s->known && !s->asking;
		s->asking = s->asking || ask;
		pthread_mutex_unlock(&all->lock);
		if (ask)
			wire_ask(s->peer, "hello", &rec_nothing, &nothing, "", HELLO_MS, false, on_hello, s);
	}
}

/* ---- the thread ---- */

/* Shards whose address is no longer theirs, and named ones that have become members. */
static void sweep(struct members *all)
{
	pthread_mutex_lock(&all->lock);
	struct replica *v = all->retired, *keep = NULL;
	all->retired = NULL;
	for (struct replica *next; v; v = next) {
		next = v->next;
		if (v->refs) {
			v->next = keep;
			keep = v;
			continue;
		}
		pthread_mutex_unlock(&all->lock);
		wire_peer_free(v->peer);
		members_replica_free(v);
		pthread_mutex_lock(&all->lock);
	}
	for (; keep; keep = v) {
		v = keep->next;
		keep->next = all->retired;
		all->retired = keep;
	}
	pthread_mutex_unlock(&all->lock);
	for (size_t i = 0; i < all->nnamed; i++)
		if (all->named[i].known && !all->named[i].asking) {
			wire_peer_free(all->named[i].peer);
			all->named[i].peer = NULL;
		}
}

/* With the lock held: a shard of `m` that has been down for long, and is dialled again when it announces itself. */
static struct wire_peer *take_resting(struct member *m, int64_t now)
{
	for (struct replica *r = m->own->replicas; r; r = r->next)
		if (r->peer && !r->named && !r->refs && r->health == DOWN && now - r->down_since > REST_AFTER_MS) {
			struct wire_peer *p = r->peer;
			r->peer = NULL;
			return p;
		}
	return NULL;
}

/* Dialling for ever costs nng's timers more than a healthy connection does. */
static void rest(struct members *all)
{
	struct wire_peer *p = NULL;
	int64_t now = clock_ms();

	for (size_t i = 0;; i += p == NULL) {
		pthread_mutex_lock(&all->lock);
		bool end = i >= map_len(all->by_uri);
		p = end ? NULL : take_resting(map_val(all->by_uri, i), now);
		pthread_mutex_unlock(&all->lock);
		wire_peer_free(p);
		if (end)
			return;
	}
}

static void tick(struct members *all)
{
	sweep(all);
	rest(all);
	ask_named(all);
	probing_save(all);
	resync_tick(all->co->resync);
	tokens_tick(all->co->tokens);
	mcp_tick(all->co);
}

static struct joiner *wait_inbox(struct members *all, int64_t until)
{
	struct timespec t = { until / 1000, until % 1000 * 1000000 };

	pthread_mutex_lock(&all->lock);
	while (!all->inbox && !all->stopping && clock_ms() < until)
		pthread_cond_timedwait(&all->wake, &all->lock, &t);
	struct joiner *j = all->inbox;
	all->inbox = NULL;
	all->inbox_end = &all->inbox;
	pthread_mutex_unlock(&all->lock);
	return j;
}

static bool stopping(struct members *all)
{
	pthread_mutex_lock(&all->lock);
	bool stop = all->stopping;
	pthread_mutex_unlock(&all->lock);
	return stop;
}

static void *run(void *arg)
{
	struct members *all = arg;
	int64_t interval = all->co->o.probe_interval_ms, step = interval / STEPS, now = clock_ms(), next = now, probe = now;

	while (!stopping(all)) {
		if ((now = clock_ms()) >= probe) {	/* a process that was stopped blames nobody for its own silence */
			int64_t late = now - probe;
			probe = now + step;
			probing_tick(all, late > LATE_MS ? late : 0);
			kin_tick(all);
		}
		if (now >= next) {
			next = now + interval;
			tick(all);
		}
		take_inbox(all, wait_inbox(all, probe));
	}
	take_inbox(all, wait_inbox(all, 0));
	return NULL;
}

static int listen_all(struct members *all, struct err *e)
{
	const struct options *o = &all->co->o;

	const char **urls = arena_many(all->a, o->listen.n, const char *);
	all->servers = arena_many(all->a, o->listen.n, struct wire_server *);
	for (size_t i = 0; i < o->listen.n; i++) {
		struct wire_server *w = wire_listen(o->listen.v[i], &all->co->trust, SLOTS, on_request, all, e);
		if (!w)
			return err_add(e, "--listen");
		urls[all->nservers] = arena_str(all->a, wire_url(w));	/* what status tells outlives the listener */
		all->servers[all->nservers++] = w;
	}
	all->co->membership_urls = (t_strs){ urls, all->nservers };
	if (all->nservers)
		snprintf(all->co->membership_url, sizeof all->co->membership_url, "%s", wire_url(all->servers[0]));
	return 0;
}

int joining_open(struct members *all, struct err *e)
{
	const struct options *o = &all->co->o;

	all->named = arena_many(all->a, o->shard.n, struct named);
	for (; all->nnamed < o->shard.n; all->nnamed++) {
		struct named *s = &all->named[all->nnamed];
		*s = (struct named){ .all = all, .url = o->shard.v[all->nnamed] };
		if (!(s->peer = wire_dial(s->url, &all->co->trust, e)))
			return err_add(e, "--shard");
	}
	if (listen_all(all, e))
		return -1;
	if (pthread_create(&all->thread, NULL, run, all))
		return err_set(e, ERR_INTERNAL, "no thread for the members");
	all->stopped = false;
	return 0;
}

void joining_close(struct members *all)
{
	pthread_mutex_lock(&all->lock);
	pthread_cond_signal(&all->wake);
	pthread_mutex_unlock(&all->lock);
	if (!all->stopped)
		pthread_join(all->thread, NULL);
	all->stopped = true;
	for (size_t i = 0; i < all->nnamed; i++)
		wire_peer_free(all->named[i].peer);
	all->nnamed = 0;
	for (size_t i = 0; i < all->nservers; i++)
		wire_server_free(all->servers[i]);
	all->nservers = 0;
}
