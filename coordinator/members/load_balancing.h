#ifndef COORDINATOR_MEMBERS_LOAD_BALANCING_H
#define COORDINATOR_MEMBERS_LOAD_BALANCING_H
/*
 * Which of several equal shards is asked, and when another one is asked too.  Of two shards chosen
 * at random the one with the smaller cost is asked (M. Mitzenmacher, The Power of Two Choices in
 * Randomized Load Balancing, 2001); the cost is a moving average of its latency that follows rises
 * at once and falls slowly, times its requests in flight (Finagle's Peak EWMA). As RPCs take from
 * microseconds to seconds, a latency counts in multiples of what that RPC takes the member at the
 * median. A question that has taken longer than 95 in a hundred did is sent to a second shard (J.
 * Dean, L. Barroso, The Tail at Scale, 2013), as long as a bucket of tokens allows it.  Pure, but
 * for the bucket: the caller locks.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "proto/record/record.h"

enum {
	BALANCE_BUCKETS = 42,		/* each sqrt(2) wider than the one before, from 32 us on */
	HEDGE_COST = 20,		/* questions that pay for a second one: 5 % */
	HEDGE_BURST = 10		/* second ones that may be sent at once */
};

/* What answers of the shards of one member took lately, by RPC. */
struct latency_history {
	uint16_t n[NRPCS][BALANCE_BUCKETS], total[NRPCS];
};

void latency_history_add(struct latency_history *, enum rpc_id, int64_t us);

/* Microseconds within which so many of a hundred were answered; 0: too few are known. */
int64_t latency_history_percentile(const struct latency_history *, enum rpc_id, unsigned percent);

/* One shard. */
struct latency {
	double slowness;		/* in medians; 0: nothing is known */
	int64_t at_us;			/* when it was last noted */
	unsigned in_flight;
};

/* An answer, or that there was none for so long. */
void latency_note(
    struct latency *, const struct latency_history *, enum rpc_id, int64_t us, int64_t now_us);

/* The smaller the better. */
double latency_cost(const struct latency *, int64_t now_us);

/* Tokens for second questions.  Any thread. */
struct hedges {
	atomic_int tokens;		/* in HEDGE_COST parts */
	/* questions that could be sent twice; that were; the second answered first; no token */
	atomic_uint_fast64_t asked, sent, won, denied;
};

void hedges_init(struct hedges *);
/* a question was asked that other shards could answer too */
void hedges_refill(struct hedges *);
bool hedges_take(struct hedges *);	/* whether another one may be asked */
#endif
