/*
 * Probes the health of every shard periodically, at times spread by chance, and asks for its counts
 * when it has a new index.  liveness.h evaluates answers and silence.
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
#include "proto/base/optional_text.h"
#include "proto/record/codec.h"
#include "proto/record/gaps.h"
#include "proto/wire/wire.h"

enum {
	LOST_AFTER = 2,		/* failed probes after which a shard that never answered is down */
	SLOW_MS = 500,
	SLOW_TIMES = 2,		/* a single slow answer may be due to a rush, as at the start */
	STATUS_MS = 5000,
	SKETCH_MS = 10000,
	SKETCH_SHARE = 50,	/* a shard spends at most 1/50 of its time on sketches */
	PROBE_MIN_MS = 500,
	DEV_MIN_MS = 200,
	DEV_MAX_MS = 500,
	MEET_STEP_MS = 5,
	AT_ONCE = 4,		/* members, with the maximum of shards, per acquisition of the lock */
	SPACING_MS = 20,	/* between probes: with many shards, each is probed less often */
	STEPS = 8,		/* turns per probe interval with few shards */
	/*
	 * and with many, as long as all of them answer: to judge each of a thousand costs more than to
	 * probe some
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

static void note_gaps(struct replica *r, const struct freshness *f)
{
	struct arena *a = arena_new();

	snprintf(r->note, REASON, "its index lacks %s", gaps_describe(f, GAP_FILES, a));
	arena_free(a);
}

/* Notes why a shard that answers is not fully healthy, according to its own report. */
static void note(
    struct replica *r, const struct health_res *h, const struct freshness *f, int64_t took_ms)
{
	char *reason = r->note;

	*reason = 0;
	if (took_ms > SLOW_MS)
		r->slow = r->slow + 1;
	else
		r->slow = 0;
	if (text_is_set(h->code)) {
		snprintf(reason, REASON, "%s: %s", h->code, text_or_empty(h->message));
	} else if (*h->status && strcmp(h->status, "ready")) {
		const char *what = h->generation ? "a newer index is " : "no index yet, ";
		if (h->phase)
			snprintf(reason, REASON, "%s%s: %s", what, h->status, h->phase);
		else
			snprintf(reason, REASON, "%s%s", what, h->status);
	} else if (r->slow >= SLOW_TIMES && r->live.mean_ms > SLOW_MS) {
		snprintf(reason, REASON, "it takes %.0f ms to answer a probe", r->live.mean_ms);
	} else if (gaps_have(f, GAP_FILES)) {
		note_gaps(r, f);
		return;
	}
	if (*reason && h->total)
		snprintf(reason + strlen(reason), REASON - strlen(reason), " %llu of %llu files",
		    (unsigned long long)h->done, (unsigned long long)h->total);
}

/*
 * Call with the lock held.  Derives the health of a shard that has answered lately from its
 * silence, its failed requests and its own report.
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
	} else if (phi >= LIVENESS_SUSPECT) {
		snprintf(reason, sizeof reason, "no answer for %.1f s, usually it takes %.0f ms", silent,
		    l->mean_ms);
	} else if (r->consistency == REPLICA_CONFLICTING) {
		snprintf(reason, sizeof reason, "%s", r->conflict_reason);
	} else if (l->circuit != CIRCUIT_CLOSED) {
		bool resting = now < l->until && l->circuit == CIRCUIT_OPEN;
		const char *next = resting ? "it gets none for a moment" : "the next one decides";
		snprintf(
		    reason, sizeof reason, "%d requests in a row were not answered; %s", l->misses, next);
	} else if (*r->note) {
		snprintf(reason, sizeof reason, "%s", r->note);
	} else {
		h = HEALTHY;
	}
	set_health(r, h, reason);
}

/*
 * Whether judging a shard again cannot change its health before its next answer, as with nearly all
 * of a thousand at each turn.
 */
static bool is_quiet(const struct replica *r)
{
	if (r->health != HEALTHY || *r->reason || *r->note)
		return false;
	if (r->consistency == REPLICA_CONFLICTING)
		return false;
	return !r->live.silent_since && r->live.circuit == CIRCUIT_CLOSED;
}

/*
 * Call with the lock held.  Whether to ask a shard, which must speak for its repository, for its
 * counts; notes that they are asked for.
 */
static bool start_counting(struct replica *r)
{
	struct member_state *s = r->m->state;
	const struct index_status *now = members_index_status(r->m);

	if (r != members_primary_replica(s) || !now->generation || s->counting)
		return false;
	/* The counts include the size of the vectors. */
	if (index_status_has_counts(s) && !strcmp(s->counted.vectors, now->vectors))
		return false;
	memcpy(s->counted.vectors, now->vectors, sizeof now->vectors);
	s->counting = true;
	return true;
}

/* Call with the lock held.  Notes an answer; true if the shard has to be asked for its counts. */
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
	/* Shards that were all met at once get their next probes at different, later times. */
	if (!r->answered)
		r->next_probe = clock_ms() + r->all->interval / 4 + rand() % r->all->interval + 1;
	r->answered = true;
	index_status_update(r, h, f);
	note(r, h, f, took_ms);
	judge(r, clock_ms());
	if (f)
		replica_set_index(r, f, true);
	else
		r->index = 0;
	return start_counting(r);
}

static void note_silence(struct replica *r, const struct err *e)
{
	bool lost = !r->peer || !wire_connected(r->peer);

	r->failures++;
	if (e->code != ERR_UNAVAILABLE) {	/* the shard has answered, with a refusal */
		char reason[REASON];
		snprintf(reason, sizeof reason, "%s: %.200s", err_name(e->code), e->msg);
		r->live.silent_since = 0;
		set_health(r, DOWN, reason);
	} else if (lost || (!r->answered && r->failures >= LOST_AFTER)) {
		set_health(r, DOWN, e->msg);
	} else if (r->answered && r->health != DOWN) {
		judge(r, clock_ms());
	}
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
	if (!ok || !f) {
		s->counted.generation = 0;	/* ask again */
	} else if (r == members_primary_replica(s)) {
		buf_free(&s->counts);
		codec_put(&rec_status_res, &st, &s->counts);
		s->counted.generation = f->generation;
		s->counted.index = members_index_id(f);
		members_mark_dirty(r->all, s);
	}
	pthread_mutex_unlock(&r->all->lock);
	arena_free(a);
}

/* Sends a request to a shard; false if that is retired or the coordinator shuts down. */
static bool ask(struct replica *r, const char *rpc, int timeout_ms,
    void (*done)(void *, struct wire_reply *), void *arg)
{
	pthread_mutex_lock(&r->all->lock);
	struct wire_peer *p = NULL;
	if (!r->retired && !r->all->stopping)
		p = r->peer;
	if (p)
		r->refs++;
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
		stats_sketch(r->all->in.stats, r->m, f, &res);
	pthread_mutex_lock(&r->all->lock);
	struct member_state *s = r->m->state;
	s->sketching = false;
	s->sketch_after = clock_ms() + SKETCH_SHARE * (clock_ms() - s->sketch_asked);
	if (ok && f)
		s->sketched = f->generation;
	pthread_mutex_unlock(&r->all->lock);
	arena_free(a);
}

static void ask_counts(struct replica *r)
{
	if (ask(r, "status", STATUS_MS, on_status, r))
		return;
	pthread_mutex_lock(&r->all->lock);
	r->m->state->counting = false;
	r->m->state->counted.generation = 0;
	pthread_mutex_unlock(&r->all->lock);
}

static void ask_sketch(struct replica *r)
{
	if (ask(r, "sketch", SKETCH_MS, on_sketch, r))
		return;
	pthread_mutex_lock(&r->all->lock);
	r->m->state->sketching = false;
	pthread_mutex_unlock(&r->all->lock);
}

/*
 * Call with the lock held.  Whether to ask for the sketch of a new index; notes that it is asked
 * for.  Only the single shard of a member that announces new indexes at once is asked: otherwise
 * an outdated sketch could leave out a member that has a match.
 */
static bool start_sketching(struct replica *r)
{
	struct member_state *s = r->m->state;
	int64_t now = clock_ms();
	bool single = s->replicas == r && !r->next;

	if (!r->announces || !single)
		return false;
	if (!s->reported.generation || s->reported.generation == s->sketched)
		return false;
	if (s->sketching || now < s->sketch_after)
		return false;
	s->sketch_asked = now;
	s->sketching = true;
	return true;
}

static void on_health(void *arg, struct wire_reply *reply)
{
	struct probe *p = arg;
	struct replica *r = p->r;
	struct arena *a = arena_new();
	struct health_res h;
	const struct freshness *f;
	struct err e = { 0 };
	bool counts = false, sketch = false, back = false;
	bool ok = !wire_reply_get(reply, &rec_health_res, &h, &f, a, &e);

	wire_reply_free(reply);
	pthread_mutex_lock(&r->all->lock);
	r->probing = false;
	bool again = r->again;
	r->again = false;
	if (ok && !r->retired) {
		bool was_down = r->health == DOWN;
		counts = note_health(r, &h, f, clock_ms() - p->started_ms);
		back = was_down && r->health != DOWN;
		sketch = start_sketching(r);
	} else if (!r->retired) {
		note_silence(r, &e);
	}
	pthread_mutex_unlock(&r->all->lock);
	if (back)
		r->all->in.shard_reachable(r->all->in.arg, r->m->repo_uri);
	if (counts)
		ask_counts(r);
	if (sketch)
		ask_sketch(r);
	if (again)
		health_probe_send(r);
	arena_free(a);
	free(p);
}

/* Whether a probe may be sent; notes that it is on its way. */
static bool start_probe(struct replica *r, int timeout_ms)
{
	pthread_mutex_lock(&r->all->lock);
	bool start = !r->probing;
	if (start) {
		r->probing = true;
		r->probe_until = clock_ms() + timeout_ms;
		liveness_probe_sent(&r->live, clock_ms());
	}
	pthread_mutex_unlock(&r->all->lock);
	return start;
}

void health_probe_send(struct replica *r)
{
	int interval = (int)r->all->in.o->probe_interval_ms;
	int timeout_ms = MAX(interval, PROBE_MIN_MS);

	if (!start_probe(r, timeout_ms))
		return;
	struct probe *p = xmalloc(sizeof *p);
	*p = (struct probe){ r, clock_ms() };
	if (ask(r, "health", timeout_ms, on_health, p))
		return;
	free(p);
	pthread_mutex_lock(&r->all->lock);
	r->probing = false;
	pthread_mutex_unlock(&r->all->lock);
}

void health_probe_reset(struct replica *r)
{
	double dev = (double)r->all->in.o->probe_interval_ms / 4;

	dev = MAX(dev, DEV_MIN_MS);
	r->live = (struct liveness){ .least_ms = MIN(dev, DEV_MAX_MS) };
	r->next_probe = 0;
	index_status_reset(&r->reported);
}

/*
 * Call with the lock held.  The first probe follows at any time within an interval, the later ones
 * about an interval apart.  A shard that never answered is probed at the short interval.
 */
static int64_t next_probe(const struct members *all, const struct replica *r, int64_t now)
{
	int64_t interval = all->in.o->probe_interval_ms;

	if (r->answered)
		interval = all->interval;
	if (!r->next_probe)
		return now + rand() % interval + 1;
	return now + interval - interval / 8 + rand() % (interval / 4 + 1);
}

/* Whether the shard's health cannot change just because time passes. */
static bool is_calm(const struct replica *r)
{
	if (!r->answered)
		return !r->peer || r->failures >= LOST_AFTER;
	return r->health == DOWN || (!r->live.silent_since && r->live.circuit == CIRCUIT_CLOSED);
}

/* Call with the lock held.  Judges the shards of a member, and adds those that are due to `v`. */
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
		if (!is_calm(r))
			all->all_quiet = false;
		if (now >= r->next_probe && k < REPLICAS_MAX) {
			r->next_probe = next_probe(all, r, now);
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
	int64_t configured = all->in.o->probe_interval_ms, spaced = (int64_t)all->counted * SPACING_MS;
	all->interval = MAX(configured, spaced);
	int64_t seldom = all->interval / TURNS, often = configured / STEPS;
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
	*m = map_val(all->by_uri, i);
	struct member_state *s = (*m)->state;
	bool dirty = s->dirty && !s->gone;
	s->dirty = false;
	if (dirty) {
		const struct buf *b = &s->reported.stamp;
		*stamp = (struct bytes){ arena_strn(a, b->p, b->n), b->n };
		b = &s->counts;
		*counts = (struct bytes){ arena_strn(a, b->p, b->n), b->n };
		*status = arena_str(a, s->reported.status);
	}
	pthread_mutex_unlock(&all->lock);
	return dirty;
}

/* The member could not be written; the next turn tries again. */
static void keep_dirty(struct members *all, struct member *m)
{
	pthread_mutex_lock(&all->lock);
	m->state->dirty = true;
	all->saved = 0;
	pthread_mutex_unlock(&all->lock);
}

/* Writes the i-th member to the registry if it is dirty. */
static int save_member(struct members *all, size_t i, struct arena *a, struct err *e)
{
	struct member *m;
	struct bytes stamp, counts;
	const char *status;
	struct freshness decoded = { 0 }, *f = NULL;

	if (!take_dirty(all, i, &m, &stamp, &counts, &status, a))
		return 0;
	if (stamp.n && !codec_get(&rec_freshness, &decoded, stamp.p, stamp.n, a, NULL))
		f = &decoded;
	if (!registry_index_put(all->in.registry, m->repo_uri, stamp, counts, f, status, e))
		return 0;
	keep_dirty(all, m);
	return -1;
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
	for (size_t i = 0; i < n; i++) {
		if (save_member(all, i, a, &e))
			failed++;
		arena_reset(a);
	}
	if (failed)
		log_error("member.save_failed", "members=%zu message=%s", failed, log_quote(e.msg));
	arena_free(a);
}

/* Call with the lock held.  Whether some shard has neither answered nor been given up yet. */
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

	while (clock_ms() < until) {
		pthread_mutex_lock(&all->lock);
		bool wait = awaits_first_answer(all);
		pthread_mutex_unlock(&all->lock);
		if (!wait)
			return;
		clock_sleep(MEET_STEP_MS);
	}
}
