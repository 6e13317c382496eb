/*
 * Chooses which of a member's shards gets a request: by health, by the index it serves, and by
 * cost (load_balancing.h).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/members/members_internal.h"
#include "proto/base/clock.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/wire/wire.h"

enum { BROADCAST_MS = 10000, FAR_BEHIND = 1 << 20 };

const double members_latency_bounds[MEMBERS_LATENCY_BUCKETS] = {0.005, 0.025, 0.1, 0.5, 2.5,
	INFINITY};

/* ---- the state of a shard ---- */

/* FNV-1a. */
static uint32_t hash(uint32_t h, const char *s)
{
	for (; s && *s; s++)
		h = (h ^ (unsigned char)*s) * 16777619u;
	return (h ^ 0xff) * 16777619u;
}

uint32_t members_index_id(const struct freshness *f)
{
	uint32_t h = hash(hash(2166136261u, f->commit), f->graph_hash);

	return MAX(h, 1);
}

void replica_set_index(struct replica *r, const struct freshness *f, bool sure)
{
	if (!sure && f->generation < r->generation)
		return;
	r->index = members_index_id(f);
	r->generation = f->generation;
	r->behind = f->behind;
	members_copy_text(r->indexed_at, sizeof r->indexed_at, f->indexed_at);
}

/* Call with the lock held.  NULL for a member with a single shard. */
static struct latency_history *latency_history_of(struct member *m)
{
	struct member_state *s = m->state;
	bool several = s->replicas && s->replicas->next;

	if (!s->past && several)
		s->past = xcalloc(1, sizeof *s->past);
	return s->past;
}

static void latency_histogram_add(struct latency_histogram *t, int64_t us, bool answered)
{
	size_t b = 0;

	while (us > (int64_t)(members_latency_bounds[b] * 1e6) && b + 1 < MEMBERS_LATENCY_BUCKETS)
		b++;
	t->n[b]++;
	t->seconds += (double)us / 1e6;
	t->failed += !answered;
}

static bool is_stamp_of(const struct freshness *stamp, const struct member *m)
{
	return stamp && stamp->repo_uri && !strcmp(stamp->repo_uri, m->repo_uri);
}

void members_record_reply(struct members *all, struct replica *r, enum rpc_id rpc, int64_t us,
    enum reply_outcome outcome, const struct freshness *stamp)
{
	pthread_mutex_lock(&all->lock);
	struct latency_history *past = latency_history_of(r->m);
	r->latency.in_flight--;
	latency_histogram_add(&r->times, us, outcome == REPLY_RECEIVED);
	if (outcome == REPLY_RECEIVED)
		liveness_request_answered(&r->live, clock_ms());
	else
		liveness_request_missed(&r->live, clock_ms(), us / 1000);
	if (past && stamp)
		latency_history_add(past, rpc, us);
	if (past && (stamp || outcome == REPLY_LATE))
		latency_note(&r->latency, past, rpc, us, clock_us());
	if (is_stamp_of(stamp, r->m))
		replica_set_index(r, stamp, false);
	pthread_mutex_unlock(&all->lock);
}

void members_record_slower(struct members *all, struct replica *r, enum rpc_id rpc, int64_t us)
{
	pthread_mutex_lock(&all->lock);
	struct latency_history *past = latency_history_of(r->m);
	if (past)
		latency_note(&r->latency, past, rpc, us, clock_us());
	pthread_mutex_unlock(&all->lock);
}

int64_t members_p95_us(struct members *all, const struct member *m, enum rpc_id rpc)
{
	pthread_mutex_lock(&all->lock);
	const struct latency_history *past = m->state->past;
	int64_t us = 0;
	if (past)
		us = latency_history_percentile(past, rpc, 95);
	pthread_mutex_unlock(&all->lock);
	return us;
}

/* ---- choosing a shard ---- */

/* A sort key, smaller is better: health, whether it has an index, how far that is behind. */
static uint64_t class_of(const struct replica *r)
{
	uint64_t behind = FAR_BEHIND;

	if (r->behind >= 0 && r->behind < FAR_BEHIND)
		behind = (uint64_t)r->behind;
	return (uint64_t)r->health << 40 | (uint64_t)(r->index == 0) << 32 | behind;
}

static bool is_candidate(const struct replica *r, uint32_t tried)
{
	return !(tried & r->bit) && members_usable(r);
}

static bool is_better(const struct replica *r, const struct replica *best)
{
	if (class_of(r) != class_of(best))
		return class_of(r) < class_of(best);
	return strcmp(r->indexed_at, best->indexed_at) > 0;
}

/*
 * The candidates that serve `index`; if there are none, those of the best class that serve the
 * newest index.  Returns their number.
 */
static size_t candidates(const struct member *m, uint32_t tried, uint32_t index, struct replica **v)
{
	const struct replica *best = NULL;
	size_t n = 0;

	for (struct replica *r = m->state->replicas; r && index; r = r->next)
		if (r->index == index && is_candidate(r, tried))
			v[n++] = r;
	if (n)
		return n;
	for (const struct replica *r = m->state->replicas; r; r = r->next)
		if (is_candidate(r, tried) && (!best || is_better(r, best)))
			best = r;
	for (struct replica *r = m->state->replicas; r && best; r = r->next) {
		bool equal = class_of(r) == class_of(best) && r->index == best->index;
		if (equal && is_candidate(r, tried))
			v[n++] = r;
	}
	return n;
}

/* A number below n (xorshift). */
static size_t random_below(struct members *all, size_t n)
{
	uint64_t x = all->random;

	if (!x)
		x = (uint64_t)clock_us() | 1;
	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	all->random = x;
	return (size_t)(x % n);
}

/* A shard that has recovered costs more at first, so its share rises slowly. */
static double cost(const struct replica *r, int64_t now_us)
{
	return latency_cost(&r->latency, now_us) * 100 / liveness_share(&r->live, now_us / 1000);
}

static struct replica *choose(
    struct members *all, const struct member *m, uint32_t tried, uint32_t index)
{
	struct replica *v[REPLICAS_MAX];

	if (all->stopping)
		return NULL;
	size_t n = candidates(m, tried, index, v);
	if (!n)
		return NULL;
	if (n == 1)
		return v[0];
	int64_t now = clock_us();
	size_t i = random_below(all, n), k = (i + 1 + random_below(all, n - 1)) % n;
	if (cost(v[k], now) < cost(v[i], now))
		return v[k];
	return v[i];
}

/* Call with the lock held. */
static void use(const struct member *m, struct replica *r, struct route *out)
{
	r->refs++;
	*out = (struct route){
		.replica = r,
		.peer = r->peer,
		.bit = r->bit,
		.fail_fast = r->answered,
		.several = m->state->replicas->next != NULL,
	};
}

static int err_no_replica(const struct members *all, const struct member *m, struct err *e)
{
	const struct replica *r = members_primary_replica(m->state);
	const char *reason = "not connected";

	if (all->stopping)
		return err_set(e, ERR_UNAVAILABLE, "the coordinator is shutting down");
	if (r && r->health != DOWN && r->live.circuit != CIRCUIT_CLOSED)
		return err_set(e, ERR_UNAVAILABLE,
		    "the shard of %s gets no requests for a moment: %d requests in a row were not answered",
		    m->name, r->live.misses);
	if (!r)
		reason = "it has not announced itself";
	else if (r->health == DOWN && *r->reason)
		reason = r->reason;
	return err_set(e, ERR_UNAVAILABLE, "the shard of %s is down: %s", m->name, reason);
}

int members_route(struct members *all, struct member *m, uint32_t *tried, uint32_t index,
    struct route *out, struct err *e)
{
	int rc = 0;

	pthread_mutex_lock(&all->lock);
	struct replica *r = choose(all, m, *tried, index);
	if (r) {
		use(m, r, out);
		r->latency.in_flight++;
		liveness_request_sent(&r->live, clock_ms());
		*tried |= r->bit;
	} else {
		rc = err_no_replica(all, m, e);
	}
	pthread_mutex_unlock(&all->lock);
	return rc;
}

uint32_t members_lacking_feature(struct members *all, const struct member *m, uint32_t feature)
{
	uint32_t bits = 0;

	pthread_mutex_lock(&all->lock);
	for (const struct replica *r = m->state->replicas; r; r = r->next)
		if (r->features_known && !(r->features & feature))
			bits |= r->bit;
	pthread_mutex_unlock(&all->lock);
	return bits;
}

bool members_any_usable(struct members *all, const struct member *m, uint32_t bits)
{
	bool any = false;

	pthread_mutex_lock(&all->lock);
	for (const struct replica *r = m->state->replicas; r && !any; r = r->next)
		any = r->bit & bits && members_usable(r);
	pthread_mutex_unlock(&all->lock);
	return any;
}

int members_route_first(struct members *all, struct member *m, struct route *out, struct err *e)
{
	struct replica *first = NULL;
	int rc = 0;

	pthread_mutex_lock(&all->lock);
	for (struct replica *r = m->state->replicas; r && !all->stopping; r = r->next)
		if (members_usable(r) && (!first || r->health < first->health))
			first = r;
	if (first)
		use(m, first, out);
	else
		rc = err_no_replica(all, m, e);
	pthread_mutex_unlock(&all->lock);
	return rc;
}

int members_route_bit(struct members *all, struct member *m, uint32_t bit, struct route *out)
{
	pthread_mutex_lock(&all->lock);
	struct replica *r = m->state->replicas;
	while (r && r->bit != bit)
		r = r->next;
	int rc = -1;
	if (r && r->peer && !all->stopping) {
		use(m, r, out);
		out->fail_fast = true;
		rc = 0;
	}
	pthread_mutex_unlock(&all->lock);
	return rc;
}

void members_route_release(struct members *all, struct route *route)
{
	pthread_mutex_lock(&all->lock);
	route->replica->refs--;
	pthread_mutex_unlock(&all->lock);
}

bool members_can_route(struct members *all, struct member *m, uint32_t tried, uint32_t index)
{
	bool more = false;

	pthread_mutex_lock(&all->lock);
	for (const struct replica *r = m->state->replicas; r && !more && !all->stopping; r = r->next)
		more = is_candidate(r, tried) && (!index || r->index == index);
	pthread_mutex_unlock(&all->lock);
	return more;
}

bool members_has_replicas(struct members *all, const struct member *m)
{
	pthread_mutex_lock(&all->lock);
	bool several = m->state->replicas && m->state->replicas->next;
	pthread_mutex_unlock(&all->lock);
	return several;
}

uint64_t members_index_number(
    struct members *all, const struct member *m, const struct freshness *f)
{
	if (members_has_replicas(all, m))
		return members_index_id(f);
	return f->generation;
}

/* ---- broadcasts ---- */

static void ignore_reply(void *arg, struct wire_reply *reply)
{
	(void)arg;
	wire_reply_free(reply);
}

void members_broadcast(struct members *all, struct member *m, uint32_t but, enum rpc_id rpc,
    const void *request, const char *req)
{
	uint32_t bits = 0;
	struct route route;

	pthread_mutex_lock(&all->lock);
	for (const struct replica *r = m->state->replicas; r; r = r->next)
		if (r->bit != but && members_usable(r))
			bits |= r->bit;
	pthread_mutex_unlock(&all->lock);
	while (bits) {
		uint32_t bit = bits & (0 - bits);	/* the lowest */
		bits &= ~bit;
		if (members_route_bit(all, m, bit, &route))
			continue;
		wire_call_async(route.peer, rpcs[rpc].name, rpcs[rpc].req, request, req, BROADCAST_MS, true,
		    ignore_reply, NULL);
		members_route_release(all, &route);
	}
}
