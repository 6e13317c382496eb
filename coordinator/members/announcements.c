/*
 * Receives the announcements of shards.  One thread processes them in order, so that neither nng's
 * threads nor tools wait for SQLite.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "coordinator/members/members_internal.h"
#include "coordinator/registry/groups.h"
#include "coordinator/registry/registry.h"
#include "coordinator/registry/tombstones.h"
#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/base/map.h"
#include "proto/base/minmax.h"
#include "proto/record/codec.h"
#include "proto/text/repo_uri.h"
#include "proto/wire/protocol_features.h"
#include "proto/wire/wire.h"

enum {
	ANNOUNCE_MS = 5000,
	SELDOM = 19,		/* the announcement interval grows so much faster than the probe interval */
	SLOTS = 64,		/* requests that the listener accepts at once */
	HELLO_MS = 2000,
	LATE_MS = 500,		/* a turn that is later than this was delayed by the machine */
	HURRY_MS = 250,		/* least time between two turns */
};

/*
 * With many shards, each announces itself even less often than it is probed.  A shard with news,
 * or one that has lost the coordinator, announces itself at once anyway.
 */
static int64_t announce_interval(int64_t probe_interval)
{
	if (probe_interval > ANNOUNCE_MS)
		return ANNOUNCE_MS + SELDOM * (probe_interval - ANNOUNCE_MS);
	return ANNOUNCE_MS;
}

static void answer(struct members *all, struct pending_announcement *j, const struct err *e)
{
	if (!j->r) {
		arena_free(j->a);
		return;
	}
	int64_t interval = announce_interval(members_probe_interval(all));
	struct announce_res res = {
		.interval_ms = (uint64_t)interval,
		.features = features_supported(),
		.protocol = features_version(j->h.lowest, j->h.protocol, "the shard", NULL),
	};
	wire_answer(j->r, &rec_announce_res, &res, NULL, e);
}

/* Hands an announcement to the thread.  Any thread. */
static void put_inbox(struct members *all, struct pending_announcement *j)
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
		return err_set(
		    e, ERR_INVALID_INPUT, "the announcement lacks repo_uri, name, replica or endpoint");
	return 0;
}

static void refuse(const struct pending_announcement *j, const struct err *e)
{
	log_warn("member.refused", "repo=%s replica=%s code=%s message=%s", log_quote(j->h.repo_uri),
	    log_quote(j->h.replica), err_name(e->code), log_quote(e->msg));
}

/* Whether a peer that calls itself `name` could copy the index of this shard. */
static bool has_index_for(const struct replica *x, const char *name)
{
	if (name && !strcmp(name, x->name))
		return false;
	return x->index && x->health != DOWN;
}

/* Call with the lock held.  The shards that an index can be copied from, least behind first. */
static void list_peers(
    const struct member *m, const char *name, struct peers_res *res, struct arena *a)
{
	int64_t behind[REPLICAS_MAX];
	struct peer *v = arena_many(a, REPLICAS_MAX, struct peer);
	size_t n = 0;

	for (const struct replica *x = m->state->replicas; x && n < REPLICAS_MAX; x = x->next) {
		if (!has_index_for(x, name))
			continue;
		size_t at = n++;
		for (; at && behind[at - 1] > x->behind; at--) {
			behind[at] = behind[at - 1];
			v[at] = v[at - 1];
		}
		behind[at] = x->behind;
		v[at] = (struct peer){ arena_str(a, x->name), arena_str(a, x->url) };
	}
	res->peers.v = v;
	res->peers.n = n;
}

static void answer_peers(struct members *all, struct wire_request *r)
{
	struct peers_req q;
	struct peers_res res = { 0 };
	struct err e = { 0 };

	if (!codec_get_request(&rec_peers_req, &q, r->body.p, r->body.n, r->a, &e)) {
		pthread_mutex_lock(&all->lock);
		const struct member *m = map_get(all->by_uri, q.repo_uri);
		if (m && !m->state->gone)
			list_peers(m, q.replica, &res, r->a);
		pthread_mutex_unlock(&all->lock);
	}
	wire_answer(r, &rec_peers_res, &res, NULL, &e);
}

/* Runs on a thread of nng. */
static void on_request(void *ctx, struct wire_request *r)
{
	struct members *all = ctx;
	struct err e = { 0 };
	struct pending_announcement *j = arena_one(r->a, struct pending_announcement);

	if (!strcmp(r->rpc, "peers")) {
		answer_peers(all, r);
		return;
	}
	if (strcmp(r->rpc, "announce"))
		err_set(&e, ERR_INVALID_INPUT, "the coordinator has no RPC `%.40s`; shards call `announce`",
		    r->rpc);
	else if (!codec_get_request(&rec_hello, &j->h, r->body.p, r->body.n, r->a, &e))
		check(&j->h, &e);
	j->r = r;
	j->a = r->a;
	if (e.code) {
		refuse(j, &e);
		answer(all, j, &e);
	} else {
		put_inbox(all, j);
	}
}

static bool differs(const char *old, const char *now)
{
	return now && (!old || strcmp(old, now));
}

static int put_registry(
    struct registry *r, const struct hello *put, const struct hello *h, bool again, struct err *e)
{
	if (registry_repo_put(r, put, again, e))
		return -1;
	if (h->source && sources_link_repo(r, h->source, h->repo_uri, e))
		return -1;
	return 0;
}

/*
 * Writes an announcement to the registry.  While the registry is unavailable the shard serves all
 * the same, and a later announcement is written.
 */
static int save(struct members *all, struct member *m, const struct hello *h, bool speaks,
    bool again, struct err *e)
{
	struct hello put = *h;

	/* The repository is described by its primary shard; this shard only adds its address. */
	if (!speaks) {
		put.name = m->name;
		put.default_branch = put.source = NULL;
	}
	int rc = put_registry(all->in.registry, &put, h, again, e);
	pthread_mutex_lock(&all->lock);
	m->state->unsaved = rc;
	pthread_mutex_unlock(&all->lock);
	if (!rc || e->code != ERR_UNAVAILABLE)
		return rc;
	log_warn(
	    "member.save_deferred", "repo=%s message=%s", log_quote(h->repo_uri), log_quote(e->msg));
	*e = (struct err){ 0 };
	return 0;
}

/* Whether the registry has this shard at this address, so that it cannot have been removed. */
static bool is_known(struct members *all, const struct hello *h)
{
	pthread_mutex_lock(&all->lock);
	const struct member *m = map_get(all->by_uri, h->repo_uri);
	const struct replica *r = NULL;
	if (m && !m->state->gone && !m->state->unsaved)
		r = m->state->replicas;
	while (r && (strcmp(r->name, h->replica) || strcmp(r->url, h->endpoint)))
		r = r->next;
	pthread_mutex_unlock(&all->lock);
	return r;
}

/* Drops a shard that was removed while it was joining. */
static void expel_replica(struct members *all, struct member *m, const char *replica)
{
	pthread_mutex_lock(&all->lock);
	members_drop_replicas(all, m, NULL, replica);
	bool any = m->state->replicas;
	pthread_mutex_unlock(&all->lock);
	if (!any)
		members_drop(all, m);
}

/*
 * Call with the lock held.  Stores what a shard reports about its repository.  A shard that does
 * not speak for it only adds what is unknown.
 */
static void note_repo(struct member_state *s, const struct hello *h, bool speaks)
{
	if (h->default_branch && (speaks || !s->default_branch))
		members_set_string(&s->default_branch, h->default_branch);
	if (h->source && (speaks || !s->source))
		members_set_string(&s->source, h->source);
}

/* Call with the lock held.  Stores what a shard reports about itself. */
static void note_shard(struct replica *r, const struct hello *h, bool named)
{
	if (named)
		r->named = true;
	else
		r->announces = true;
	r->features_known = true;
	r->features = features_mask(&h->features);
	if (h->host)
		members_set_string(&r->host, h->host);
}

/* Call with the lock held.  Whether the shard has a new index or is not known to be healthy. */
static bool wants_probe(const struct replica *r, const struct hello *h)
{
	return r->health != HEALTHY || (h->generation && h->generation != r->reported.generation);
}

/* What an announcement has changed. */
struct joined {
	struct member *m;
	struct replica *r;
	bool fresh;	/* a new shard, or a new address */
	bool speaks;	/* it speaks for its repository */
	bool changed;	/* the registry must be written */
	bool probe;
};

/* Takes an announcement into the table of members. */
static struct joined note_announcement(struct members *all, const struct hello *h, bool named)
{
	struct joined x = { 0 };

	pthread_mutex_lock(&all->lock);
	x.m = members_get_or_add(all, h->repo_uri, h->name);
	struct member_state *s = x.m->state;
	if (s->gone)
		all->moved++;
	s->gone = false;
	x.r = members_upsert_replica(all, x.m, h, &x.fresh);
	x.speaks = x.r == members_primary_replica(s);
	bool differs_here = differs(s->default_branch, h->default_branch) ||
	    differs(s->source, h->source);
	x.changed = x.fresh || s->unsaved || (x.speaks && differs_here);
	x.probe = wants_probe(x.r, h);
	if (x.probe && x.r->probing)
		x.r->again = true;
	note_repo(s, h, x.speaks);
	note_shard(x.r, h, named);
	index_status_set_generation(x.r, h->generation);
	members_index_status(x.m);
	pthread_mutex_unlock(&all->lock);
	return x;
}

/* Admits a shard that has announced itself or is `named` by --shard.  -1 if it is refused. */
static int join(struct members *all, struct hello *h, bool named, struct arena *a, struct err *e)
{
	bool again = named;

	if (h->source)
		h->source = uri_redact(h->source, a);
	if (!named && !is_known(all, h) &&
	    tombstone_check(all->in.registry, h, all->in.host, &again, a, e))
		return -1;
	struct joined x = note_announcement(all, h, named);
	if (x.changed && save(all, x.m, h, x.speaks, again, e)) {
		if (e->code == ERR_FORBIDDEN)
			expel_replica(all, x.m, h->replica);
		return -1;
	}
	if (x.fresh)
		log_info("member.join", "repo=%s replica=%s endpoint=%s", h->repo_uri,
		    log_quote(h->replica), log_quote(h->endpoint));
	if (x.probe)
		health_probe_send(x.r);
	all->in.shard_spoke(all->in.arg, h->repo_uri);
	return 0;
}

static void take_inbox(struct members *all, struct pending_announcement *j)
{
	for (struct pending_announcement *next; j; j = next) {
		struct err e = { 0 };
		next = j->next;
		if (join(all, &j->h, !j->r, j->a, &e))
			refuse(j, &e);
		answer(all, j, &e);
	}
}

/* ---- shards named by --shard ---- */

static void on_hello(void *arg, struct wire_reply *reply)
{
	struct configured_shard *s = arg;
	struct arena *a = arena_new();
	struct pending_announcement *j = arena_one(a, struct pending_announcement);
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

/* Closes the extra connections to shards that have become members. */
static void free_configured(struct members *all)
{
	for (size_t i = 0; i < all->nnamed; i++) {
		struct configured_shard *s = &all->named[i];
		if (s->known && !s->asking) {
			wire_peer_free(s->peer);
			s->peer = NULL;
		}
	}
}

static void ask_configured(struct members *all)
{
	static const struct nothing nothing;

	for (size_t i = 0; i < all->nnamed; i++) {
		struct configured_shard *s = &all->named[i];
		pthread_mutex_lock(&all->lock);
		bool ask = s->peer && !s->known && !s->asking;
		if (ask)
			s->asking = true;
		pthread_mutex_unlock(&all->lock);
		if (ask)
			wire_call_async(
			    s->peer, "hello", &rec_nothing, &nothing, "", HELLO_MS, false, on_hello, s);
	}
}

/* ---- the thread ---- */

static void tick(struct members *all)
{
	connections_tick(all);
	free_configured(all);
	ask_configured(all);
	members_save_dirty(all);
}

static struct pending_announcement *wait_inbox(struct members *all, int64_t until)
{
	struct timespec t = { until / 1000, until % 1000 * 1000000 };

	pthread_mutex_lock(&all->lock);
	while (!all->inbox && !all->stopping && !all->wake_early && clock_ms() < until)
		pthread_cond_timedwait(&all->wake, &all->lock, &t);
	struct pending_announcement *j = all->inbox;
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

/* Whether a shard has joined, or has to be probed early, since the last turn.  Resets the flag. */
static bool take_wake_early(struct members *all)
{
	pthread_mutex_lock(&all->lock);
	bool hurry = all->wake_early;
	all->wake_early = false;
	pthread_mutex_unlock(&all->lock);
	return hurry;
}

static void *run(void *arg)
{
	struct members *all = arg;
	int64_t interval = all->in.o->probe_interval_ms;
	int64_t started = clock_ms();
	int64_t next_tick = started, next_probe = started, last_probe = started;

	while (!stopping(all)) {
		int64_t now = clock_ms();
		if (now >= next_probe) {
			/* If this process was stopped, the shards are not to blame for the silence. */
			int64_t late = now - next_probe;
			if (late <= LATE_MS)
				late = 0;
			last_probe = now;
			next_probe = now + health_probes_tick(all, late);
			replica_conflicts_tick(all);
		}
		if (now >= next_tick) {
			next_tick = now + interval;
			tick(all);
		}
		take_inbox(all, wait_inbox(all, MIN(next_probe, next_tick)));
		if (take_wake_early(all))
			next_probe = MIN(next_probe, last_probe + HURRY_MS);
	}
	take_inbox(all, wait_inbox(all, 0));
	return NULL;
}

static int listen_all(struct members *all, struct err *e)
{
	const struct coordinator_config *o = all->in.o;

	const char **urls = arena_many(all->a, o->listen.n, const char *);
	all->servers = arena_many(all->a, o->listen.n, struct wire_server *);
	for (size_t i = 0; i < o->listen.n; i++) {
		struct wire_server *w = wire_listen(
		    o->listen.v[i], all->in.trust, SLOTS, on_request, all, e);
		if (!w)
			return err_add(e, "--listen");
		/* `status` shows the URL even after the listener is closed */
		urls[all->nservers] = arena_str(all->a, wire_url(w));
		all->servers[all->nservers++] = w;
	}
	all->urls = (t_strs){ urls, all->nservers };
	return 0;
}

int announcements_open(struct members *all, struct err *e)
{
	const struct coordinator_config *o = all->in.o;

	all->named = arena_many(all->a, o->shard.n, struct configured_shard);
	for (; all->nnamed < o->shard.n; all->nnamed++) {
		struct configured_shard *s = &all->named[all->nnamed];
		*s = (struct configured_shard){ .all = all, .url = o->shard.v[all->nnamed] };
		s->peer = wire_dial(s->url, all->in.trust, e);
		if (!s->peer)
			return err_add(e, "--shard");
	}
	if (listen_all(all, e))
		return -1;
	if (pthread_create(&all->thread, NULL, run, all))
		return err_set(e, ERR_INTERNAL, "cannot start a thread for the members");
	all->stopped = false;
	return 0;
}

void announcements_close(struct members *all)
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
