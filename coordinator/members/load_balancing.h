#ifndef COORDINATOR_MEMBERS_LOAD_BALANCING_H
#define COORDINATOR_MEMBERS_LOAD_BALANCING_H
/*
 * Chooses between equal shards and decides on hedged requests.  Of two random shards the one with
 * the smaller cost gets the request (M. Mitzenmacher, The Power of Two Choices in Randomized Load
 * Balancing, 2001).  The cost is a moving average of the latency, which rises at once and falls
 * slowly, times the requests in flight (Finagle's Peak EWMA).  RPCs take from microseconds to
 * seconds, so latencies are measured in multiples of the member's median for the RPC.  A request
 * that takes longer than the 95th percentile is also sent to a second shard (J. Dean, L. Barroso,
 * The Tail at Scale, 2013), as long as a token bucket allows it.  Pure, except the bucket; the
 * caller locks.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "proto/record/record.h"

enum {
	BALANCE_BUCKETS = 42,		/* from 32 us, each sqrt(2) times as wide as the one before */
	HEDGE_COST = 20,		/* requests that earn one hedged request: 5 % */
	HEDGE_BURST = 10		/* hedged requests that may be sent at once */
};

/* A histogram of recent latencies of one member, by RPC. */
struct latency_history {
	uint16_t n[NRPCS][BALANCE_BUCKETS], total[NRPCS];
};

void latency_history_add(struct latency_history *, enum rpc_id, int64_t us);

/* The percentile in microseconds; 0 if there are too few samples. */
int64_t latency_history_percentile(const struct latency_history *, enum rpc_id, unsigned percent);

/* The latency of one shard. */
struct latency {
	double slowness;		/* in medians; 0 = unknown */
	int64_t at_us;			/* when it was last updated */
	unsigned in_flight;
};

/* Note that an answer took `us`, or that there was none for so long. */
void latency_note(
    struct latency *, const struct latency_history *, enum rpc_id, int64_t us, int64_t now_us);

/* The cost of a request to the shard; smaller is better. */
double latency_cost(const struct latency *, int64_t now_us);

/* A token bucket for hedged requests.  Any thread. */
struct hedges {
	atomic_int tokens;		/* a hedged request costs HEDGE_COST */
	/* requests that could be hedged; that were; whose hedge answered first; without a token */
	atomic_uint_fast64_t asked, sent, won, denied;
};

void hedges_init(struct hedges *);
void hedges_refill(struct hedges *);	/* a request was sent that other shards could answer, too */
bool hedges_take(struct hedges *);	/* whether a hedged request may be sent */
#endif
