/*
 * Which of a member's shards is asked: by health, by what it holds, by what it costs
 * (load_balancing.h).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/members/members_internal.h"
#include "proto/base/clock.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/wire/wire.h"

enum { TELL_MS = 10000, FAR_BEHIND = 1 << 20 };

const double members_latency_bounds[MEMBERS_LATENCY_BUCKETS] = { 0.005, 0.025, 0.1, 0.5, 2.5,
	INFINITY };

/* ---- what is known of a shard ---- */

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

	return h ? h : 1;
}

void replica_set_index(struct replica *r, const struct freshness *f, bool sure)
{
	if (!sure && f->generation < r->generation)
		return;
	r->index = members_index_id(f);
	r->generation = f->generation;
	r->behind = f->behind;
	snprintf(r->indexed_at, sizeof r->indexed_at, "%s", f->indexed_at ? f->indexed_at : "");
}

/* With the lock held; made when there are several shards. */
static struct latency_history *latency_history_of(struct member *m)
{
	struct member_state *s = m->state;

	if (!s->past && s->replicas && s->replicas->next && !(s->past = calloc(1, sizeof *s->past)))
		die("out of memory");
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

void members_record_reply(struct members *all, struct replica *r, enum rpc_id rpc, int64_t us,
    enum reply_outcome heard, const struct freshness *stamp)
{
	pthread_mutex_lock(&all->lock);
	struct latency_history *past = latency_history_of(r->m);
	bool late = heard == REPLY_LATE;
	r->latency.in_flight--;
	latency_histogram_add(&r->times, us, heard == REPLY_RECEIVED);
	if (heard == REPLY_RECEIVED)
		liveness_request_answered(&r->live, clock_ms());
	else
		liveness_request_missed(&r->live, clock_ms(), us / 1000);
	if (past && stamp)
		latency_history_add(past, rpc, us);
	if (past && (stamp || late))
		latency_note(&r->latency, past, rpc, us, clock_us());
	if (stamp && stamp->repo_uri && !strcmp(stamp->repo_uri, r->m->repo_uri))
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

/* ---- which one ---- */

/* The smaller the better: how it is, whether it holds anything, how far that is behind. */
static uint64_t class_of(const struct replica *r)
{
	uint64_t behind = r->behind >= 0 && r->behind < FAR_BEHIND ? (uint64_t)r->behind : FAR_BEHIND;

	return (uint64_t)r->health << 40 | (uint64_t)(r->index == 0) << 32 | behind;
}

static bool may(const struct replica *r, uint32_t tried)
{
	return !(tried & r->bit) && members_usable(r);
}

/*
 * Those that hold the index, else those of the best class that hold what was indexed last; how
 * many.
 */
static size_t candidates(const struct member *m, uint32_t tried, uint32_t index, struct replica **v)
{
	const struct replica *best = NULL;
	size_t n = 0;

	for (struct replica *r = m->state->replicas; r && index; r = r->next)
		if (r->index == index && may(r, tried))
			v[n++] = r;
	if (n)
		return n;
	for (const struct replica *r = m->state->replicas; r; r = r->next)
		if (may(r, tried) && (!best || class_of(r) < class_of(best) ||
		    (class_of(r) == class_of(best) && strcmp(r->indexed_at, best->indexed_at) > 0)))
			best = r;
	for (struct replica *r = m->state->replicas; r && best; r = r->next)
		if (may(r, tried) && class_of(r) == class_of(best) && r->index == best->index)
			v[n++] = r;
	return n;
}

/* xorshift. */
static size_t pick(struct members *all, size_t n)
{
	uint64_t x = all->random ? all->random : (uint64_t)clock_us() | 1;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	all->random = x;
	return (size_t)(x % n);
}

/* Who comes back is given its share by and by. */
static double cost(const struct replica *r, int64_t now_us)
{
	return latency_cost(&r->latency, now_us) * 100 / liveness_share(&r->live, now_us / 1000);
}

static struct replica *choose(
    struct members *all, const struct member *m, uint32_t tried, uint32_t index)
{
	struct replica *v[REPLICAS_MAX];
	size_t n = all->stopping ? 0 : candidates(m, tried, index, v);
	int64_t now = clock_us();

	if (n < 2)
		return n ? v[0] : NULL;
	size_t i = pick(all, n), k = (i + 1 + pick(all, n - 1)) % n;
	if (cost(v[k], now) < cost(v[i], now))
		return v[k];
	return v[i];
}

/* With the lock held. */
static void use(const struct member *m, struct replica *r, struct route *out)
{
	r->refs++;
	*out = (struct route){ r, r->peer, r->bit, r->answered, m->state->replicas->next != NULL };
}

static int err_no_replica(const struct members *all, const struct member *m, struct err *e)
{
	const struct replica *b = members_primary_replica(m->state);

	if (all->stopping)
		return err_set(e, ERR_UNAVAILABLE, "the coordinator is shutting down");
	if (b && b->health != DOWN && b->live.circuit != CIRCUIT_CLOSED)
		return err_set(e, ERR_UNAVAILABLE,
		    "the shard of %s is given a rest: %d requests in a row were not answered", m->name,
		    b->live.misses);
	return err_set(e, ERR_UNAVAILABLE, "the shard of %s is down: %s", m->name,
	    !b                                  ? "it has not announced itself" :
	        b->health == DOWN && *b->reason ? b->reason :
	                                          "not connected");
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
	bool there = r && r->peer && !all->stopping;
	if (there) {
		use(m, r, out);
		out->fail_fast = true;
	}
	pthread_mutex_unlock(&all->lock);
	return there ? 0 : -1;
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
		more = may(r, tried) && (!index || r->index == index);
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

/* ---- all of them ---- */

static void on_told(void *arg, struct wire_reply *reply)
{
	(void)arg;	/* whether it heard that does not matter */
	wire_reply_free(reply);
}

void members_broadcast(struct members *all, struct member *m, uint32_t but, enum rpc_id rpc,
    const void *request, const char *req)
{
	uint32_t bits = 0;
	struct route route;

	pthread_mutex_lock(&all->lock);
	for (const struct replica *r = m->state->replicas; r; r = r->next)
		bits |= r->bit != but && members_usable(r) ? r->bit : 0;
	pthread_mutex_unlock(&all->lock);
	for (uint32_t bit; (bit = bits & (0 - bits)); bits &= ~bit)
		if (!members_route_bit(all, m, bit, &route)) {
			wire_call_async(route.peer, rpcs[rpc].name, rpcs[rpc].req, request, req, TELL_MS, true,
			    on_told, NULL);
			members_route_release(all, &route);
		}
}
