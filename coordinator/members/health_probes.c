/*
 * How shards are: every one is asked for its health again and again, at times of its own, and for
 * its counts when its index is new.  What follows from answers and their absence is for liveness.h
 * to say.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/members/members_internal.h"
#include "coordinator/members/term_statistics.h"
#include "coordinator/registry/registry.h"
#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/base/map.h"
#include "proto/base/minmax.h"
#include "proto/record/codec.h"
#include "proto/wire/wire.h"

enum {
	LOST_AFTER = 2,				/* probes, of who never answered */
	/* one that is slow once has met a rush, as when all are met at once */
	SLOW_MS = 500, SLOW_TIMES = 2,
	STATUS_MS = 5000, SKETCH_MS = 10000, SKETCH_SHARE = 50, PROBE_MIN_MS = 500,
	LEAST_DEV_MS = 200, MOST_DEV_MS = 500,
	MEET_STEP_MS = 5,
	/* members with as many shards as there may be, while the lock is held once */
	AT_ONCE = 4,
	SPACING_MS = 20,			/* between probes: with many shards each is asked less often */
	STEPS = 8,				/* turns in the time between two probes of few shards */
	/*
	 * and of many, as long as all of them answer: to look at each of a thousand costs more than to
	 * ask some
	 */
	TURNS = 20,
};

struct probe {
	struct replica *r;
	int64_t started_ms;
};

static const struct nothing nothing;

static void set_health(struct replica *r, enum health h, const char *reason)
{
	if (h == DOWN && r->health != DOWN)
		r->down_since = clock_ms();
	if (r->health != h) {
		r->all->moved++;
		r->since = clock_real_ms();
		log_info("member.health", "repo=%s replica=%s health=%s reason=%s", r->m->repo_uri,
		    log_quote(r->name), health_name(h), log_quote(reason));
	}
	r->health = h;
	snprintf(r->reason, sizeof r->reason, "%s", reason);
}

/* Why a shard that answers is not simply healthy, by its own words. */
static void note(struct replica *r, const struct health_res *h, int64_t took_ms)
{
	char *reason = r->note;

	*reason = 0;
	if (took_ms > SLOW_MS)
		r->slow = r->slow + 1;
	else
		r->slow = 0;
	if (h->code && *h->code)
		snprintf(reason, REASON, "%s: %s", h->code, h->message ? h->message : "");
	else if (*h->status && strcmp(h->status, "ready"))
		snprintf(reason, REASON, "%s%s%s%s", h->generation ? "a newer index is " : "no index yet, ",
		    h->status, h->phase ? ": " : "", h->phase ? h->phase : "");
	else if (r->slow >= SLOW_TIMES && r->live.mean_ms > SLOW_MS)
		snprintf(reason, REASON, "it takes %.0f ms to say that it is there", r->live.mean_ms);
	if (*reason && h->total)
		snprintf(reason + strlen(reason), REASON - strlen(reason), " %llu of %llu files",
		    (unsigned long long)h->done, (unsigned long long)h->total);
}

/*
 * With the lock held: of one that has answered lately, what its silence, its failed requests and
 * its own words come to.
 */
static void judge(struct replica *r, int64_t now)
{
	const struct liveness *l = &r->live;
	double phi = liveness_phi(l, now), silent = (double)(now - l->silent_since) / 1000;
	char reason[REASON] = "";
	enum health h = DEGRADED;

	if (phi >= LIVENESS_DEAD) {
		h = DOWN;
		snprintf(reason, sizeof reason, "no answer for %.1f s", silent);
	} else if (phi >= LIVENESS_SUSPECT)
		snprintf(reason, sizeof reason, "no answer for %.1f s, usually it takes %.0f ms", silent,
		    l->mean_ms);
	else if (r->consistency == REPLICA_CONFLICTING)
		snprintf(reason, sizeof reason, "%s", r->conflict_reason);
	else if (l->circuit != CIRCUIT_CLOSED)
		snprintf(reason, sizeof reason, "%d requests in a row were not answered; %s", l->misses,
		    now < l->until && l->circuit == CIRCUIT_OPEN ? "it is given a rest" :
		                                                   "the next one decides");
	else if (*r->note)
		snprintf(reason, sizeof reason, "%s", r->note);
	else
		h = HEALTHY;
	set_health(r, h, reason);
}

/*
 * Whether judging it again would change nothing before it is heard again: so it is with nearly all
 * of a thousand at each turn.
 */
static bool is_quiet(const struct replica *r)
{
	return r->health == HEALTHY && !*r->reason && !*r->note && !r->live.silent_since &&
	    r->consistency != REPLICA_CONFLICTING && r->live.circuit == CIRCUIT_CLOSED;
}

/*
 * With the lock held: whether the counts of a shard are wanted, as it speaks for its repository;
 * they are under way then.
 */
static bool wants_counts(struct replica *r)
{
	struct member_state *s = r->m->state;
	const struct index_status *now = members_index_status(r->m);

	if (r != members_primary_replica(s) || !now->generation || s->counting ||
	    (index_status_has_counts(s) && !strcmp(s->counted.vectors, now->vectors)))
		return false;		/* what vectors take is counted, too */
	memcpy(s->counted.vectors, now->vectors, sizeof now->vectors);
	return s->counting = true;
}

/* With the lock held: it has answered.  Whether the shard's counts are wanted. */
static bool note_health(
    struct replica *r, const struct health_res *h, const struct freshness *f, int64_t took_ms)
{
	if (f && *f->repo_uri && strcmp(f->repo_uri, r->m->repo_uri)) {
		r->failures = LOST_AFTER;
		set_health(r, DOWN, "another repository answers at its address");
		return false;
	}
	if (r->answered && r->health == DOWN)
		liveness_recovered(&r->live, clock_ms());
	liveness_probe_answered(&r->live, clock_ms(), took_ms);
	r->failures = 0;
	/*
	 * the next one has its own time: not that of all the others who were met at once, nor while
	 * they are
	 */
	if (!r->answered)
		r->next_probe = clock_ms() + r->all->interval / 4 + rand() % r->all->interval + 1;
	r->answered = true;
	index_status_update(r, h, f);
	note(r, h, took_ms);
	judge(r, clock_ms());
	if (f)
		replica_set_index(r, f, true);
	else
		r->index = 0;
	return wants_counts(r);
}

static void note_silence(struct replica *r, const struct err *e)
{
	bool lost = !r->peer || !wire_connected(r->peer);

	r->failures++;
	if (e->code != ERR_UNAVAILABLE) {	/* it was answered, by a refusal */
		char reason[REASON];
		snprintf(reason, sizeof reason, "%s: %.200s", err_name(e->code), e->msg);
		r->live.silent_since = 0;
		set_health(r, DOWN, reason);
	} else if (lost || (!r->answered && r->failures >= LOST_AFTER))
		set_health(r, DOWN, e->msg);
	else if (r->answered && r->health != DOWN)
		judge(r, clock_ms());
}

static void on_status(void *arg, struct wire_reply *reply)
{
	struct replica *r = arg;
	struct arena *a = arena_new();
	struct status_res st;
	const struct freshness *f;
	bool ok = !wire_reply_get(reply, &rec_status_res, &st, &f, a, NULL);

	wire_reply_free(reply);
	pthread_mutex_lock(&r->all->lock);
	struct member_state *s = r->m->state;
	s->counting = false;
	if (!ok || !f)
		s->counted.generation = 0;	/* to be asked for again */
	else if (r == members_primary_replica(s)) {
		buf_free(&s->counts);
		codec_put(&rec_status_res, &st, &s->counts);
		s->counted.generation = f->generation;
		s->counted.index = members_index_id(f);
		members_mark_dirty(r->all, s);
	}
	pthread_mutex_unlock(&r->all->lock);
	arena_free(a);
}

/* It could not be asked. */
static void uncounted(struct replica *r)
{
	pthread_mutex_lock(&r->all->lock);
	r->m->state->counting = false;
	r->m->state->counted.generation = 0;
	pthread_mutex_unlock(&r->all->lock);
}

/* Ask one shard something, unless it is on its way out. */
static bool ask(struct replica *r, const char *rpc, int timeout_ms,
    void (*done)(void *, struct wire_reply *), void *arg)
{
	pthread_mutex_lock(&r->all->lock);
	struct wire_peer *p = NULL;
	if (!r->retired && !r->all->stopping)
		p = r->peer;
	r->refs += p != NULL;
	bool fail_fast = r->answered;
	pthread_mutex_unlock(&r->all->lock);
	if (!p)
		return false;
	wire_call_async(p, rpc, &rec_nothing, &nothing, "", timeout_ms, fail_fast, done, arg);
	pthread_mutex_lock(&r->all->lock);
	r->refs--;
	pthread_mutex_unlock(&r->all->lock);
	return true;
}

static void on_sketch(void *arg, struct wire_reply *reply)
{
	struct replica *r = arg;
	struct arena *a = arena_new();
	struct sketch_res res;
	const struct freshness *f;
	bool ok = !wire_reply_get(reply, &rec_sketch_res, &res, &f, a, NULL);

	wire_reply_free(reply);
	if (ok && f)
		stats_sketch(r->all->in.stats, r->m, f, res.words);
	pthread_mutex_lock(&r->all->lock);
	struct member_state *s = r->m->state;
	s->sketching = false;
	s->sketch_after = clock_ms() + SKETCH_SHARE * (clock_ms() - s->sketch_asked);
	if (ok && f)
		s->sketched = f->generation;
	pthread_mutex_unlock(&r->all->lock);
	arena_free(a);
}

/*
 * With the lock held.  Whether a sketch is wanted: of a new index, but a shard makes some for a
 * fiftieth of its time at most.  Whose new index is heard of late is never left out by it.
 */
static bool wants_sketch(struct replica *r)
{
	struct member_state *s = r->m->state;
	int64_t now = clock_ms();

	if (!r->announces || !s->reported.generation || s->reported.generation == s->sketched ||
	    s->sketching || now < s->sketch_after || s->replicas != r || r->next)
		return false;
	s->sketch_asked = now;
	return s->sketching = true;
}

static void on_health(void *arg, struct wire_reply *reply)
{
	struct probe *p = arg;
	struct replica *r = p->r;
	struct arena *a = arena_new();
	struct health_res h;
	const struct freshness *f;
	struct err e = { 0 };
	bool want = false, sketch = false, back = false, again;
	bool ok = !wire_reply_get(reply, &rec_health_res, &h, &f, a, &e);

	wire_reply_free(reply);
	pthread_mutex_lock(&r->all->lock);
	r->probing = false;
	again = r->again;
	r->again = false;
	if (ok && !r->retired) {
		back = r->health == DOWN;
		want = note_health(r, &h, f, clock_ms() - p->started_ms);
		back = back && r->health != DOWN;
		sketch = wants_sketch(r);
	} else if (!r->retired)
		note_silence(r, &e);
	pthread_mutex_unlock(&r->all->lock);
	if (back)
		r->all->in.shard_reachable(r->all->in.arg, r->m->repo_uri);
	if (want && !ask(r, "status", STATUS_MS, on_status, r))
		uncounted(r);
	if (sketch && !ask(r, "sketch", SKETCH_MS, on_sketch, r)) {
		pthread_mutex_lock(&r->all->lock);
		r->m->state->sketching = false;
		pthread_mutex_unlock(&r->all->lock);
	}
	if (again)
		health_probe_send(r);
	arena_free(a);
	free(p);
}

void health_probe_send(struct replica *r)
{
	int interval = (int)r->all->in.o->probe_interval_ms, patience = MAX(interval, PROBE_MIN_MS);

	pthread_mutex_lock(&r->all->lock);
	bool go = !r->probing;
	if (go) {
		r->probe_until = clock_ms() + patience;
		liveness_probe_sent(&r->live, clock_ms());
	}
	r->probing = true;
	pthread_mutex_unlock(&r->all->lock);
	if (!go)
		return;
	struct probe *p = xmalloc(sizeof *p);
	*p = (struct probe){ r, clock_ms() };
	if (!ask(r, "health", patience, on_health, p)) {
		free(p);
		pthread_mutex_lock(&r->all->lock);
		r->probing = false;
		pthread_mutex_unlock(&r->all->lock);
	}
}

void health_probe_reset(struct replica *r)
{
	double dev = (double)r->all->in.o->probe_interval_ms / 4;

	r->live = (struct liveness){ .least_ms = dev < LEAST_DEV_MS ? LEAST_DEV_MS :
		    dev > MOST_DEV_MS                                   ? MOST_DEV_MS :
		                                                          dev };
	r->next_probe = 0;
	index_status_reset(&r->reported);
}

/*
 * With the lock held.  At first whenever there is a turn, then as evenly as chance has it.  Who
 * was never heard is not waited for that seldom.
 */
static int64_t next_probe(const struct replica *r, int64_t now, int64_t interval)
{
	return now +
	    (r->next_probe ? interval - interval / 8 + rand() % (interval / 4 + 1) :
	                     rand() % interval + 1);
}

/* Whether time alone makes it nothing else than it is. */
static bool is_calm(const struct replica *r)
{
	if (!r->answered)
		return !r->peer || r->failures >= LOST_AFTER;
	return r->health == DOWN || (!r->live.silent_since && r->live.circuit == CIRCUIT_CLOSED);
}

/* With the lock held: judge the shards of a member; those whose turn it is go to `v`. */
static size_t take_due(
    struct members *all, struct member *m, int64_t now, int64_t late, struct replica **v)
{
	size_t k = 0;

	members_index_status(m);
	for (struct replica *r = m->state->replicas; r; r = r->next) {
		if (late)
			liveness_forgive(&r->live, late);
		if (r->answered && r->health != DOWN && !is_quiet(r))
			judge(r, now);
		all->all_quiet &= is_calm(r);
		if (now >= r->next_probe && k < REPLICAS_MAX) {
			r->next_probe = next_probe(
			    r, now, r->answered ? all->interval : all->in.o->probe_interval_ms);
			v[k++] = r;
		}
		all->counted++;
	}
	return k;
}

int64_t health_probes_tick(struct members *all, int64_t late_ms)
{
	struct replica *v[AT_ONCE * REPLICAS_MAX];
	int64_t now = clock_ms();
	size_t n, k;

	pthread_mutex_lock(&all->lock);
	n = map_len(all->by_uri);
	all->interval = all->in.o->probe_interval_ms;
	if (all->interval < (int64_t)all->counted * SPACING_MS)
		all->interval = (int64_t)all->counted * SPACING_MS;
	int64_t seldom = all->interval / TURNS, often = all->in.o->probe_interval_ms / STEPS;
	all->counted = 0;
	all->last_turn = now;
	all->all_quiet = true;
	all->wake_early = false;
	pthread_mutex_unlock(&all->lock);
	for (size_t i = 0; i < n;) {
		pthread_mutex_lock(&all->lock);
		for (k = 0; i < n && k <= LEN(v) - REPLICAS_MAX; i++)
			k += take_due(all, map_val(all->by_uri, i), now, late_ms, v + k);
		pthread_mutex_unlock(&all->lock);
		for (size_t j = 0; j < k; j++)
			health_probe_send(v[j]);
	}
	if (all->all_quiet && seldom > often)
		return seldom;
	return often;
}

static bool take_dirty(struct members *all, size_t i, struct member **m, struct bytes *stamp,
    struct bytes *counts, const char **status, struct arena *a)
{
	pthread_mutex_lock(&all->lock);
	struct member_state *s = (*m = map_val(all->by_uri, i))->state;
	bool dirty = s->dirty && !s->gone;
	s->dirty = false;
	if (dirty) {
		*stamp = (struct bytes){ arena_strn(a, s->reported.stamp.p, s->reported.stamp.n), s->reported.stamp.n };
		*counts = (struct bytes){ arena_strn(a, s->counts.p, s->counts.n), s->counts.n };
		*status = arena_str(a, s->reported.status);
	}
	pthread_mutex_unlock(&all->lock);
	return dirty;
}

/* It could not be written: at the next turn again. */
static void stays_dirty(struct members *all, struct member *m)
{
	pthread_mutex_lock(&all->lock);
	m->state->dirty = true;
	all->saved = 0;
	pthread_mutex_unlock(&all->lock);
}

void members_save_dirty(struct members *all)
{
	struct arena *a = arena_new();
	struct err e = { 0 };
	size_t failed = 0;

	pthread_mutex_lock(&all->lock);
	size_t n = 0;
	if (all->saved != all->moved)
		n = map_len(all->by_uri);
	all->saved = all->moved;
	pthread_mutex_unlock(&all->lock);
	for (size_t i = 0; i < n; i++, arena_reset(a)) {
		struct member *m;
		struct bytes stamp, counts;
		const char *status;
		struct freshness f = { 0 };
		if (!take_dirty(all, i, &m, &stamp, &counts, &status, a))
			continue;
		bool known = stamp.n && !codec_get(&rec_freshness, &f, stamp.p, stamp.n, a, NULL);
		if (registry_index_put(
		        all->in.registry, m->repo_uri, stamp, counts, known ? &f : NULL, status, &e)) {
			stays_dirty(all, m);
			failed++;
		}
	}
	if (failed)
		log_error("member.save_failed", "members=%zu message=%s", failed, log_quote(e.msg));
	arena_free(a);
}

/* With the lock held: whether somebody is still to be heard, or given up, for the first time. */
static bool awaits_first_answer(struct members *all)
{
	for (size_t i = 0; i < map_len(all->by_uri); i++) {
		const struct member *m = map_val(all->by_uri, i);
		for (const struct replica *r = m->state->replicas; r; r = r->next)
			if (r->peer && !r->answered && r->failures < LOST_AFTER)
				return true;
	}
	return false;
}

void members_wait_probed(struct members *all, int timeout_ms)
{
	int64_t until = clock_ms() + timeout_ms;

	for (bool wait = true; wait && clock_ms() < until;) {
		pthread_mutex_lock(&all->lock);
		wait = awaits_first_answer(all);
		pthread_mutex_unlock(&all->lock);
		if (wait)
			clock_sleep(MEET_STEP_MS);
	}
}
