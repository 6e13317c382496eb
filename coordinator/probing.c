/* How shards are: every one is asked for its health again and again, and for its counts when its index is new. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/coordinator.h"
#include "coordinator/jobs.h"
#include "coordinator/members_own.h"
#include "coordinator/registry.h"
#include "coordinator/stats.h"
#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/base/map.h"
#include "proto/codec.h"
#include "proto/wire.h"

enum { LOST_AFTER = 2, SLOW_MS = 500, STATUS_MS = 5000, SKETCH_MS = 10000, SKETCH_SHARE = 50, PROBE_MIN_MS = 500 };

struct probe {
	struct replica *r;
	int64_t started_ms;
};

static const struct nothing nothing;

static void note_stamp(struct member_state *s, const struct freshness *f)
{
	struct buf b = { 0 };

	codec_put(&rec_freshness, f, &b);
	if (b.n == s->stamp.n && !memcmp(b.p, s->stamp.p, b.n)) {
		buf_free(&b);
		return;
	}
	buf_free(&s->stamp);
	s->stamp = b;
	s->dirty = true;
}

static void set_health(struct replica *r, enum health h, const char *reason)
{
	if (h == DOWN && r->health != DOWN)
		r->down_since = clock_ms();
	if (r->health != h)
		log_info("member.health", "repo=%s replica=%s health=%s reason=%s", r->m->repo_uri, log_quote(r->name),
		    health_name(h), log_quote(reason));
	r->health = h;
	snprintf(r->reason, sizeof r->reason, "%s", reason);
}

/* Why a shard that answers is not simply healthy; "" when it is. */
static void judge(struct replica *r, const struct health_res *h, int64_t took_ms)
{
	char reason[REASON] = "";

	if (h->code && *h->code)
		snprintf(reason, sizeof reason, "%s: %s", h->code, h->message ? h->message : "");
	else if (h->status && strcmp(h->status, "ready"))
		snprintf(reason, sizeof reason, "%s%s%s%s", h->generation ? "a newer index is " : "no index yet, ", h->status,
		    h->phase ? ": " : "", h->phase ? h->phase : "");
	else if (took_ms > SLOW_MS)
		snprintf(reason, sizeof reason, "its last health answer took %lld ms", (long long)took_ms);
	if (*reason && h->total)
		snprintf(reason + strlen(reason), sizeof reason - strlen(reason), " %llu of %llu files",
		    (unsigned long long)h->done, (unsigned long long)h->total);
	set_health(r, *reason ? DEGRADED : HEALTHY, reason);
}

/* With the lock held.  Whether the shard's counts are wanted. */
static bool note_health(struct replica *r, const struct health_res *h, const struct freshness *f, int64_t took_ms)
{
	struct member_state *s = r->m->own;

	if (f && f->repo_uri && strcmp(f->repo_uri, r->m->repo_uri)) {
		r->failures = LOST_AFTER;
		set_health(r, DOWN, "another repository answers at its address");
		return false;
	}
	r->failures = 0;
	r->answered = true;
	judge(r, h, took_ms);
	if (h->status && strcmp(s->status, h->status)) {
		snprintf(s->status, sizeof s->status, "%s", h->status);
		s->dirty = true;
	}
	s->generation = h->generation;
	s->amount = (struct amount){ h->done, h->total, h->bytes_done, h->bytes_total };
	snprintf(s->phase, sizeof s->phase, "%s", h->phase ? h->phase : "");
	snprintf(s->vectors, sizeof s->vectors, "%s", h->vectors ? h->vectors : "");
	if (f)
		note_stamp(s, f);
	bool want = h->generation && h->generation != s->counted && !s->counting;
	s->counting = s->counting || want;
	return want;
}

static void note_silence(struct replica *r, const struct err *e)
{
	bool lost = !r->peer || !wire_connected(r->peer);

	r->failures++;
	if (lost || r->failures >= LOST_AFTER)
		set_health(r, DOWN, e->msg);
	else if (r->answered)
		set_health(r, DEGRADED, e->msg);
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
	struct member_state *s = r->m->own;
	s->counting = false;
	if (ok && f && !s->gone) {
		buf_free(&s->counts);
		codec_put(&rec_status_res, &st, &s->counts);
		s->counted = f->generation;
		note_stamp(s, f);
		s->dirty = true;
	}
	pthread_mutex_unlock(&r->all->lock);
	arena_free(a);
}

/* Ask one shard something, unless it is on its way out. */
static bool ask(struct replica *r, const char *rpc, int timeout_ms, void (*done)(void *, struct wire_reply *), void *arg)
{
	pthread_mutex_lock(&r->all->lock);
	struct wire_peer *p = r->retired || r->all->stopping ? NULL : r->peer;
	r->refs += p != NULL;
	bool fail_fast = r->answered;
	pthread_mutex_unlock(&r->all->lock);
	if (!p)
		return false;
	wire_ask(p, rpc, &rec_nothing, &nothing, "", timeout_ms, fail_fast, done, arg);
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
		stats_sketch(r->all->co->stats, r->m, f, res.words);
	pthread_mutex_lock(&r->all->lock);
	struct member_state *s = r->m->own;
	s->sketching = false;
	s->sketch_after = clock_ms() + SKETCH_SHARE * (clock_ms() - s->sketch_asked);
	if (ok && f)
		s->sketched = f->generation;
	pthread_mutex_unlock(&r->all->lock);
	arena_free(a);
}

/* With the lock held.  Whether a sketch is wanted: of a new index, but a shard makes some for a fiftieth of its time at most. */
static bool wants_sketch(struct replica *r)
{
	struct member_state *s = r->m->own;
	int64_t now = clock_ms();

	if (!s->generation || s->generation == s->sketched || s->sketching || now < s->sketch_after || s->replicas != r || r->next)
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
	bool want = false, sketch = false, back = false;
	bool ok = !wire_reply_get(reply, &rec_health_res, &h, &f, a, &e);

	wire_reply_free(reply);
	pthread_mutex_lock(&r->all->lock);
	r->probing = false;
	if (ok && !r->retired) {
		back = r->health == DOWN;
		want = note_health(r, &h, f, clock_ms() - p->started_ms);
		back = back && r->health != DOWN;
		sketch = wants_sketch(r);
	} else if (!r->retired)
		note_silence(r, &e);
	pthread_mutex_unlock(&r->all->lock);
	if (back)
		jobs_back(r->all->co->jobs, r->m->repo_uri);
	if (want && !ask(r, "status", STATUS_MS, on_status, r)) {
		pthread_mutex_lock(&r->all->lock);
		r->m->own->counting = false;
		pthread_mutex_unlock(&r->all->lock);
	}
	if (sketch && !ask(r, "sketch", SKETCH_MS, on_sketch, r)) {
		pthread_mutex_lock(&r->all->lock);
		r->m->own->sketching = false;
		pthread_mutex_unlock(&r->all->lock);
	}
	arena_free(a);
	free(p);
}

void probing_one(struct replica *r)
{
	int interval = (int)r->all->co->o.probe_interval_ms, patience = interval > PROBE_MIN_MS ? interval : PROBE_MIN_MS;

	pthread_mutex_lock(&r->all->lock);
	bool go = !r->probing;
	if (go)
		r->probe_until = clock_ms() + patience;
	r->probing = true;
	pthread_mutex_unlock(&r->all->lock);
	if (!go)
		return;
	struct probe *p = malloc(sizeof *p);
	if (!p)
		abort();
	*p = (struct probe){ r, clock_ms() };
	if (!ask(r, "health", patience, on_health, p)) {
		free(p);
		pthread_mutex_lock(&r->all->lock);
		r->probing = false;
		pthread_mutex_unlock(&r->all->lock);
	}
}

void probing_all(struct members *all)
{
	pthread_mutex_lock(&all->lock);
	size_t n = map_len(all->by_uri);
	pthread_mutex_unlock(&all->lock);
	for (size_t i = 0; i < n; i++) {
		struct replica *v[REPLICAS_MAX];
		size_t k = 0;
		pthread_mutex_lock(&all->lock);
		struct member *m = map_val(all->by_uri, i);
		for (struct replica *r = m->own->replicas; r && k < REPLICAS_MAX; r = r->next)
			v[k++] = r;
		pthread_mutex_unlock(&all->lock);
		for (size_t j = 0; j < k; j++)
			probing_one(v[j]);
	}
}

static bool take_dirty(struct members *all, size_t i, struct member **m, struct bytes *stamp, struct bytes *counts,
    const char **status, struct arena *a)
{
	pthread_mutex_lock(&all->lock);
	struct member_state *s = (*m = map_val(all->by_uri, i))->own;
	bool dirty = s->dirty && !s->gone;
	s->dirty = false;
	if (dirty) {
		*stamp = (struct bytes){ arena_strn(a, s->stamp.p, s->stamp.n), s->stamp.n };
		*counts = (struct bytes){ arena_strn(a, s->counts.p, s->counts.n), s->counts.n };
		*status = arena_str(a, s->status);
	}
	pthread_mutex_unlock(&all->lock);
	return dirty;
}

void probing_save(struct members *all)
{
	struct arena *a = arena_new();
	struct err e = { 0 };

	pthread_mutex_lock(&all->lock);
	size_t n = map_len(all->by_uri);
	pthread_mutex_unlock(&all->lock);
	for (size_t i = 0; i < n; i++, arena_reset(a)) {
		struct member *m;
		struct bytes stamp, counts;
		const char *status;
		struct freshness f = { 0 };
		if (!take_dirty(all, i, &m, &stamp, &counts, &status, a))
			continue;
		bool known = stamp.n && !codec_get(&rec_freshness, &f, stamp.p, stamp.n, a, NULL);
		if (registry_state_put(all->co->registry, m->repo_uri, stamp, counts, known ? &f : NULL, status, &e))
			log_error("member.save", "repo=%s message=%s", m->repo_uri, log_quote(e.msg));
	}
	arena_free(a);
}
