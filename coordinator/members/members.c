#include "coordinator/members/members.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/auth/caller.h"
#include "coordinator/members/members_internal.h"
#include "coordinator/registry/groups.h"
#include "coordinator/registry/registry.h"
#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/base/map.h"
#include "proto/record/codec.h"
#include "proto/text/repo_uri.h"
#include "proto/wire/wire.h"

/* With more than MANY members, sketches are requested only after the rush of the start. */
enum { MANY = 100, RUSH_MS = 5000 };

void members_set_string(char **field, const char *s)
{
	if (*field && s && !strcmp(*field, s))
		return;
	free(*field);
	*field = NULL;
	if (s)
		*field = xstrdup(s);
}

void members_mark_dirty(struct members *all, struct member_state *s)
{
	s->dirty = true;
	all->moved++;
}

struct member *members_get_or_add(struct members *all, const char *repo_uri, const char *name)
{
	struct member **at = (struct member **)map_at(all->by_uri, repo_uri);

	if (!*at) {
		struct member *m = arena_one(all->a, struct member);
		m->repo_uri = arena_str(all->a, repo_uri);
		m->name = arena_str(all->a, name);
		m->collection = uri_directory_name(m->repo_uri, all->a);
		m->state = arena_one(all->a, struct member_state);
		members_set_string(&m->state->visibility, "private");
		index_status_reset(&m->state->reported);
		*at = m;
	}
	return *at;
}

/* On a thread of nng: a shard that has never answered is probed at the next turn. */
static void on_connected(void *arg)
{
	struct replica *r = arg;

	pthread_mutex_lock(&r->all->lock);
	if (!r->answered) {
		r->next_probe = 1;
		r->all->wake_early = true;
		pthread_cond_signal(&r->all->wake);
	}
	pthread_mutex_unlock(&r->all->lock);
}

/* The lowest bit that no other shard of the member has; there are at most REPLICAS_MAX of them. */
static uint32_t free_bit(const struct member_state *s)
{
	uint32_t taken = 0;

	for (const struct replica *r = s->replicas; r; r = r->next)
		taken |= r->bit;
	return ~taken & (taken + 1);
}

static void dial(struct replica *r)
{
	struct err e = { 0 };

	r->peer = wire_dial(r->url, r->all->in.trust, &e);
	if (r->peer) {
		wire_on_connect(r->peer, on_connected, r);
		return;
	}
	snprintf(r->reason, sizeof r->reason, "%s", e.msg);
	log_warn("member.dial_failed", "repo=%s url=%s message=%s", r->m->repo_uri, log_quote(r->url),
	    log_quote(e.msg));
}

struct replica *members_add_replica(
    struct members *all, struct member *m, const char *name, const char *url)
{
	struct replica *r = xcalloc(1, sizeof *r), **end = &m->state->replicas;

	r->m = m;
	r->all = all;
	all->counted++;
	all->moved++;
	all->wake_early = true;
	members_set_string(&r->name, name);
	members_set_string(&r->url, url);
	r->health = DOWN;
	r->down_since = r->dialled = clock_ms();
	r->since = clock_real_ms();
	health_probe_reset(r);
	snprintf(r->reason, sizeof r->reason, "its shard has not been reached yet");
	r->behind = -1;
	r->bit = free_bit(m->state);
	dial(r);
	while (*end)
		end = &(*end)->next;
	*end = r;
	return r;
}

void members_replica_free(struct replica *r)
{
	free(r->name);
	free(r->url);
	free(r->host);
	index_status_reset(&r->reported);
	buf_free(&r->secrets);
	free(r);
}

static void free_replicas(struct replica *r)
{
	for (struct replica *next; r; r = next) {
		next = r->next;
		members_replica_free(r);
	}
}

static void load_stamp(struct member_state *s, struct bytes stamp, struct arena *a)
{
	struct freshness f = { 0 };

	if (!stamp.n || codec_get(&rec_freshness, &f, stamp.p, stamp.n, a, NULL))
		return;
	buf_put(&s->reported.stamp, stamp.p, stamp.n);
	members_copy_text(s->served, sizeof s->served, f.commit);
	s->reported.generation = s->counted.generation = f.generation;
	s->reported.index = s->counted.index = members_index_id(&f);
	s->reported.gaps = f.gaps.n > 0;
	strcpy(s->reported.status, "ready");
}

static void load_counts(struct member_state *s, struct bytes status, struct arena *a)
{
	struct status_res counts;

	if (!status.n)
		return;
	buf_put(&s->counts, status.p, status.n);
	if (!codec_get(&rec_status_res, &counts, status.p, status.n, a, NULL) && counts.vectors)
		snprintf(s->reported.vectors, WORD, "%s", counts.vectors);
	memcpy(s->counted.vectors, s->reported.vectors, WORD);
}

static void load_member(
    struct members *all, const struct registered_repo *repo, bool many, struct arena *a)
{
	struct member *m = members_get_or_add(all, repo->repo_uri, repo->name);
	struct member_state *s = m->state;

	members_set_string(&s->default_branch, repo->default_branch);
	members_set_string(&s->visibility, repo->visibility);
	members_set_string(&s->source, repo->source);
	load_stamp(s, repo->stamp, a);
	load_counts(s, repo->status, a);
	if (many)
		s->sketch_after = clock_ms() + RUSH_MS;
	for (size_t k = 0; k < repo->nendpoints && k < REPLICAS_MAX; k++)
		members_add_replica(all, m, repo->endpoints[k].replica, repo->endpoints[k].url);
}

static int load(struct members *all, struct err *e)
{
	struct arena *a = arena_new();
	struct registered_repo *v;
	size_t n;
	int rc = registry_repos(all->in.registry, &v, &n, a, e);

	pthread_mutex_lock(&all->lock);		/* the first shards connect while we dial the others */
	for (size_t i = 0; !rc && i < n; i++)
		load_member(all, &v[i], n > MANY, a);
	pthread_mutex_unlock(&all->lock);
	arena_free(a);
	return rc;
}

t_strs members_urls(const struct members *all)
{
	return all->urls;
}

struct members *members_open(const struct members_options *in, struct err *e)
{
	struct members *all = xcalloc(1, sizeof *all);

	all->in = *in;
	all->interval = in->o->probe_interval_ms;
	all->began = all->last_turn = clock_ms();
	all->a = arena_new();
	all->by_uri = map_new();
	all->inbox_end = &all->inbox;
	all->stopped = true;
	pthread_mutex_init(&all->lock, NULL);
	clock_init_cond(&all->wake);
	if (load(all, e) || announcements_open(all, e)) {
		members_stop(all);
		members_free(all);
		return NULL;
	}
	return all;
}

/*
 * No new requests start any more.  Waits for threads that are about to send one, then fails the
 * pending ones by freeing the peers.
 */
static void stop_replicas(struct members *all, struct replica *r)
{
	for (; r; r = r->next) {
		pthread_mutex_lock(&all->lock);
		while (r->refs) {
			pthread_mutex_unlock(&all->lock);
			clock_sleep(1);
			pthread_mutex_lock(&all->lock);
		}
		struct wire_peer *p = r->peer;
		r->peer = NULL;
		pthread_mutex_unlock(&all->lock);
		wire_peer_free(p);
	}
}

void members_stop(struct members *all)
{
	if (!all)
		return;
	pthread_mutex_lock(&all->lock);
	all->stopping = true;
	pthread_mutex_unlock(&all->lock);
	announcements_close(all);
	stop_replicas(all, all->retired);
	for (size_t i = 0; i < map_len(all->by_uri); i++) {
		struct member *m = map_val(all->by_uri, i);
		stop_replicas(all, m->state->replicas);
	}
	members_save_dirty(all);
}

void members_free(struct members *all)
{
	if (!all)
		return;
	for (size_t i = 0; i < map_len(all->by_uri); i++) {
		struct member_state *s = ((struct member *)map_val(all->by_uri, i))->state;
		free_replicas(s->replicas);
		free(s->default_branch);
		free(s->visibility);
		free(s->source);
		free(s->past);
		buf_free(&s->counts);
		index_status_reset(&s->reported);
	}
	free_replicas(all->retired);
	map_free(all->by_uri);
	pthread_mutex_destroy(&all->lock);
	pthread_cond_destroy(&all->wake);
	arena_free(all->a);
	free(all);
}

static int by_name(const void *x, const void *y)
{
	const struct member *a = *(struct member *const *)x, *b = *(struct member *const *)y;
	int c = strcmp(a->name, b->name);

	if (c)
		return c;
	return strcmp(a->repo_uri, b->repo_uri);
}

struct member **members_all(
    struct members *all, const struct caller *caller, struct arena *a, size_t *n)
{
	pthread_mutex_lock(&all->lock);
	size_t len = map_len(all->by_uri), k = 0;
	struct member **v = arena_many(a, len, struct member *);
	for (size_t i = 0; i < len; i++) {
		struct member *m = map_val(all->by_uri, i);
		if (!m->state->gone && caller_sees(caller, m->repo_uri))
			v[k++] = m;
	}
	pthread_mutex_unlock(&all->lock);
	qsort(v, k, sizeof(struct member *), by_name);
	*n = k;
	return v;
}

struct member *members_get(struct members *all, const struct caller *caller, const char *repo_uri)
{
	pthread_mutex_lock(&all->lock);
	struct member *m = map_get(all->by_uri, repo_uri);
	if (m && (m->state->gone || !caller_sees(caller, repo_uri)))
		m = NULL;
	pthread_mutex_unlock(&all->lock);
	return m;
}

/* Whether the connection has ended and no probe has noticed yet. */
static bool is_lost(const struct replica *r)
{
	if (!r->answered || r->health == DOWN)
		return false;
	return !r->peer || !wire_connected(r->peer);
}

static enum health health_now(const struct replica *r)
{
	if (is_lost(r))
		return DOWN;
	return r->health;
}

static int64_t since_now(const struct replica *r)
{
	if (is_lost(r))
		return clock_real_ms();
	return r->since;
}

static bool is_better(const struct replica *r, const struct replica *best)
{
	bool may = replica_may_answer(r);

	if (may != replica_may_answer(best))
		return may;
	return health_now(r) < health_now(best);
}

struct replica *members_primary_replica(const struct member_state *s)
{
	struct replica *best = s->replicas;

	for (struct replica *r = s->replicas; r; r = r->next)
		if (is_better(r, best))
			best = r;
	return best;
}

static const char *reason_now(const struct replica *r, struct arena *a)
{
	if (is_lost(r))
		return "its connection was lost";
	if (*r->reason)
		return arena_str(a, r->reason);
	return NULL;
}

static const char *why(const struct member_state *s, const struct replica *r, struct arena *a)
{
	if (!r)
		return "its shard has not announced itself";
	const char *reason = reason_now(r, a);
	if (reason || s->reported.generation)
		return reason;
	return "no index yet";
}

/* A shard that has different content under the same name, and the reason; NULL if there is none. */
static const char *conflict_of(const struct member_state *s, struct arena *a)
{
	for (const struct replica *r = s->replicas; r; r = r->next)
		if (r->consistency == REPLICA_CONFLICTING)
			return arena_printf(a, "%s: %s", r->name, r->conflict_reason);
	return NULL;
}

/* Of a member that is down nobody knows how far its repository has moved on since. */
static void forget_lag(struct member_view *v, struct arena *a)
{
	if (v->health != DOWN || !v->stamp || v->stamp->behind < 0)
		return;
	struct freshness *f = arena_one(a, struct freshness);
	*f = *v->stamp;
	f->behind = -1;
	if (v->since) {
		char *at = arena_get(a, CLOCK_ISO, 1);
		clock_iso_at(v->since, at);
		f->checked_at = at;
	}
	v->stamp = f;
}

static void view_index(const struct member_state *s, const struct index_status *now,
    struct member_view *v, struct arena *a)
{
	struct freshness *f = arena_one(a, struct freshness);

	v->status = arena_str(a, now->status);
	v->generation = now->generation;
	if (*now->phase)
		v->phase = arena_str(a, now->phase);
	v->amount = now->amount;
	v->vectors = "none";
	if (*now->vectors)
		v->vectors = arena_str(a, now->vectors);
	v->vectors_error = arena_str(a, now->vectors_error);
	v->sandbox = arena_str(a, now->sandbox);
	v->sandbox_missing = arena_str(a, now->sandbox_missing);
	if (now->stamp.n && !codec_get(&rec_freshness, f, now->stamp.p, now->stamp.n, a, NULL))
		v->stamp = f;
	if (s->counts.n && codec_get(&rec_status_res, &v->counts, s->counts.p, s->counts.n, a, NULL))
		v->counts = (struct status_res){ 0 };
	v->counted = index_status_has_counts(s);
	v->counting = s->counting;
}

void members_view(
    struct members *all, const struct member *m, struct member_view *v, struct arena *a)
{
	*v = (struct member_view){ 0 };
	pthread_mutex_lock(&all->lock);
	const struct member_state *s = m->state;
	const struct replica *r = members_primary_replica(s);
	const struct index_status *now = members_index_status(m);
	v->default_branch = arena_str(a, s->default_branch);
	v->visibility = arena_str(a, s->visibility);
	v->source = arena_str(a, s->source);
	v->health = DOWN;
	if (r) {
		v->host = arena_str(a, r->host);
		v->health = health_now(r);
		v->since = since_now(r);
	}
	v->reason = why(s, r, a);
	v->conflict = conflict_of(s, a);
	view_index(s, now, v, a);
	pthread_mutex_unlock(&all->lock);
	forget_lag(v, a);
}

bool members_lacks_something(struct members *all, const struct member *m)
{
	pthread_mutex_lock(&all->lock);
	bool gaps = members_index_status(m)->gaps;
	pthread_mutex_unlock(&all->lock);
	return gaps;
}

static void shard_view(const struct replica *r, int64_t now, struct shard_view *v, struct arena *a)
{
	const struct index_status *reported = &r->reported;

	*v = (struct shard_view){
		.name = arena_str(a, r->name),
		.host = arena_str(a, r->host),
		.health = health_now(r),
		.reason = reason_now(r, a),
		.since = since_now(r),
		.generation = reported->generation,
		.queued = reported->queued,
		.shed = reported->shed,
		.refused = reported->refused,
		.behind = reported->behind,
		.answered = r->answered,
		.suspicion = liveness_phi(&r->live, now),
		.in_flight = r->latency.in_flight,
		.open = r->live.circuit != CIRCUIT_CLOSED,
		.times = r->times,
		.apart = r->consistency == REPLICA_CONFLICTING,
	};
	if (v->health == DOWN)
		v->behind = -1;
	if (*reported->commit)
		v->commit = arena_str(a, reported->commit);
}

struct shard_view *members_shards(
    struct members *all, const struct member *m, size_t *n, struct arena *a)
{
	struct shard_view *v = arena_many(a, REPLICAS_MAX, struct shard_view);

	*n = 0;
	pthread_mutex_lock(&all->lock);
	for (const struct replica *r = m->state->replicas; r && *n < REPLICAS_MAX; r = r->next)
		shard_view(r, clock_ms(), &v[(*n)++], a);
	pthread_mutex_unlock(&all->lock);
	return v;
}

int64_t members_last_turn_ms(struct members *all)
{
	pthread_mutex_lock(&all->lock);
	int64_t at = all->last_turn;
	pthread_mutex_unlock(&all->lock);
	return at;
}

uint64_t members_version(struct members *all)
{
	pthread_mutex_lock(&all->lock);
	uint64_t n = all->moved;
	pthread_mutex_unlock(&all->lock);
	return n;
}

int64_t members_probe_interval(struct members *all)
{
	pthread_mutex_lock(&all->lock);
	int64_t ms = all->interval;
	pthread_mutex_unlock(&all->lock);
	return ms;
}

const char *health_name(enum health h)
{
	static const char *const names[] = { "healthy", "degraded", "down" };

	return names[h];
}

int members_visibility(struct members *all, struct member *m, const char *visibility, struct err *e)
{
	if (registry_visibility_put(all->in.registry, m->repo_uri, visibility, e))
		return -1;
	pthread_mutex_lock(&all->lock);
	members_set_string(&m->state->visibility, visibility);
	pthread_mutex_unlock(&all->lock);
	return 0;
}

void members_drop(struct members *all, struct member *m)
{
	pthread_mutex_lock(&all->lock);
	struct member_state *s = m->state;
	s->gone = true;
	all->moved++;
	all->dropped++;
	s->dirty = false;
	index_status_reset(&s->reported);
	s->counted = (struct counted){ 0 };
	buf_free(&s->counts);
	while (s->replicas)
		members_retire(all, &s->replicas);
	pthread_mutex_unlock(&all->lock);
}

int members_remove(struct members *all, struct member *m, struct err *e)
{
	if (registry_repo_remove(all->in.registry, m->repo_uri, e))
		return -1;
	members_drop(all, m);
	return 0;
}

bool members_usable(const struct replica *r)
{
	if (!replica_may_answer(r) || !r->peer)
		return false;
	if (!r->answered)
		return !r->failures;
	if (r->health == DOWN || !wire_connected(r->peer))
		return false;
	return liveness_admits(&r->live, clock_ms());
}

/* Whether the member has a single shard, which is up and announces every new index. */
static bool is_settled(const struct member *m)
{
	const struct replica *r = m->state->replicas;

	if (!r || r->next || r->named)
		return false;
	return r->answered && members_usable(r);
}

void members_known_generations(
    struct members *all, struct member *const *m, size_t n, uint64_t *generations)
{
	pthread_mutex_lock(&all->lock);
	for (size_t i = 0; i < n; i++) {
		generations[i] = 0;
		if (is_settled(m[i]))
			generations[i] = members_index_status(m[i])->generation;
	}
	pthread_mutex_unlock(&all->lock);
}
