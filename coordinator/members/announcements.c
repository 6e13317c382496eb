/*
 * How shards come in: one thread takes announcements in turn, so that neither nng's threads nor
 * tools wait for SQLite.
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

enum { ANNOUNCE_MS = 5000, SLOTS = 64, HELLO_MS = 2000, LATE_MS = 500, SELDOM = 19,
    HURRY_MS = 250 };

/*
 * Many shards announce themselves even more seldom than they are probed: who has news, or loses
 * the coordinator, does so at once all the same.
 */
static int64_t announce_interval(int64_t probes)
{
	if (probes > ANNOUNCE_MS)
		return ANNOUNCE_MS + SELDOM * (probes - ANNOUNCE_MS);
	return ANNOUNCE_MS;
}

static void answer(struct members *all, struct pending_announcement *j, const struct err *e)
{
	struct announce_res res = { .interval_ms = (uint64_t)announce_interval(
		                            members_probe_interval(all)),
		.features = features_supported(),
		.protocol = features_version(j->h.lowest, j->h.protocol, "the shard", NULL) };

	if (j->r)
		wire_answer(j->r, &rec_announce_res, &res, NULL, e);
	else
		arena_free(j->a);
}

/* For the thread; from any. */
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
		return err_set(e, ERR_INVALID_INPUT, "hello without repo_uri, name, replica or endpoint");
	return 0;
}

static void refuse(const struct pending_announcement *j, const struct err *e)
{
	log_warn("member.refused", "repo=%s replica=%s code=%s message=%s",
	    log_quote(j->h.repo_uri ? j->h.repo_uri : ""), log_quote(j->h.replica ? j->h.replica : ""),
	    err_name(e->code), log_quote(e->msg));
}

/* Where an index can be copied from: those that hold one, the least behind first. */
static void answer_peers(struct members *all, struct wire_request *r)
{
	struct peers_req q;
	struct peers_res res = { 0 };
	struct err e = { 0 };
	int64_t behind[REPLICAS_MAX];

	if (!codec_get_request(&rec_peers_req, &q, r->body.p, r->body.n, r->a, &e)) {
		res.peers.v = arena_many(r->a, REPLICAS_MAX, struct peer);
		pthread_mutex_lock(&all->lock);
		const struct member *m = map_get(all->by_uri, q.repo_uri);
		for (const struct replica *x = m && !m->state->gone ? m->state->replicas : NULL;
		     x && res.peers.n < REPLICAS_MAX; x = x->next) {
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
	struct pending_announcement *j = arena_one(r->a, struct pending_announcement);

	if (!strcmp(r->rpc, "peers")) {
		answer_peers(all, r);
		return;
	}
	if (strcmp(r->rpc, "announce"))
		err_set(&e, ERR_INVALID_INPUT, "no RPC `%.40s` here; shards call `announce`", r->rpc);
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

/*
 * A shard whose registry is away for a while serves all the same: it is written with a later
 * announcement.
 */
static int save(struct members *all, struct member *m, const struct hello *h, bool speaks,
    bool again, struct err *e)
{
	struct registry *r = all->in.registry;
	struct hello put = *h;

	/* the repository is what another of its shards says; this is one more address */
	if (!speaks) {
		put.name = m->name;
		put.default_branch = put.source = NULL;
	}
	int rc = 0;

	if (registry_repo_put(r, &put, again, e) ||
	    (h->source && sources_link_repo(r, h->source, h->repo_uri, e)))
		rc = -1;
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

/* Whether the registry has this shard where it is, so that it cannot have been removed before. */
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

/* It was removed while it was let in. */
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
 * With the lock held: what a shard says of its repository; when it does not speak for it, only
 * what is not known yet.
 */
static void note_repo(struct member_state *s, const struct hello *h, bool speaks)
{
	if (h->default_branch && (speaks || !s->default_branch))
		members_set_string(&s->default_branch, h->default_branch);
	if (h->source && (speaks || !s->source))
		members_set_string(&s->source, h->source);
}

/* With the lock held: what a shard says of itself. */
static void note_shard(struct replica *r, const struct hello *h, bool named)
{
	r->named |= named;
	r->announces |= !named;
	r->features_known = true;
	r->features = features_mask(&h->features);
	if (h->host)
		members_set_string(&r->host, h->host);
}

/*
 * With the lock held: whether what it says is another index than is known of, or it is not known
 * to be well.
 */
static bool wants_probe(const struct replica *r, const struct hello *h)
{
	return r->health != HEALTHY || (h->generation && h->generation != r->reported.generation);
}

/*
 * Takes in what a shard says of itself, or one `named` by --shard; 0, or -1 with why it is
 * refused.
 */
static int join(struct members *all, struct hello *h, bool named, struct arena *a, struct err *e)
{
	bool fresh = false, again = named;

	if (h->source)
		h->source = uri_redact(h->source, a);
	else
		h->source = NULL;
	if (!named && !is_known(all, h) &&
	    tombstone_check(all->in.registry, h, all->in.host, &again, a, e))
		return -1;
	pthread_mutex_lock(&all->lock);
	struct member *m = members_get_or_add(all, h->repo_uri, h->name);
	struct member_state *s = m->state;
	all->moved += s->gone;
	s->gone = false;
	struct replica *r = members_upsert_replica(all, m, h, &fresh);
	bool speaks = r == members_primary_replica(s);
	bool changed = fresh || s->unsaved ||
	    (speaks &&
	        (differs(s->default_branch, h->default_branch) || differs(s->source, h->source)));
	bool probe = wants_probe(r, h);
	r->again |= probe && r->probing;
	note_repo(s, h, speaks);
	note_shard(r, h, named);
	index_status_set_generation(r, h->generation);
	members_index_status(m);
	pthread_mutex_unlock(&all->lock);
	if (changed && save(all, m, h, speaks, again, e)) {
		if (e->code == ERR_FORBIDDEN)
			expel_replica(all, m, h->replica);
		return -1;
	}
	if (fresh)
		log_info("member.join", "repo=%s replica=%s endpoint=%s", h->repo_uri,
		    log_quote(h->replica), log_quote(h->endpoint));
	if (probe)
		health_probe_send(r);
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

/* Those that have become members are asked no more. */
static void free_configured(struct members *all)
{
	for (size_t i = 0; i < all->nnamed; i++)
		if (all->named[i].known && !all->named[i].asking) {
			wire_peer_free(all->named[i].peer);
			all->named[i].peer = NULL;
		}
}

static void ask_configured(struct members *all)
{
	static const struct nothing nothing;

	for (size_t i = 0; i < all->nnamed; i++) {
		struct configured_shard *s = &all->named[i];
		pthread_mutex_lock(&all->lock);
		bool ask = s->peer && !s->known && !s->asking;
		s->asking = s->asking || ask;
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

/*
 * Whether somebody has come, or is to be heard again, since the last turn; it waits for this no
 * longer.
 */
static bool hurries(struct members *all)
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
	int64_t interval = all->in.o->probe_interval_ms, now = clock_ms(), next = now, probe = now,
	        turned = now;

	while (!stopping(all)) {
		/* a process that was stopped blames nobody for its own silence */
		if ((now = clock_ms()) >= probe) {
			int64_t late = now - probe;
			turned = now;
			probe = now + health_probes_tick(all, late > LATE_MS ? late : 0);
			replica_conflicts_tick(all);
		}
		if (now >= next) {
			next = now + interval;
			tick(all);
		}
		take_inbox(all, wait_inbox(all, MIN(probe, next)));
		if (hurries(all) && probe > turned + HURRY_MS)
			probe = turned + HURRY_MS;
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
		/* what status tells outlives the listener */
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
		if (!(s->peer = wire_dial(s->url, all->in.trust, e)))
			return err_add(e, "--shard");
	}
	if (listen_all(all, e))
		return -1;
	if (pthread_create(&all->thread, NULL, run, all))
		return err_set(e, ERR_INTERNAL, "no thread for the members");
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
