#include "coordinator/members/load_balancing.h"

#include <math.h>

#include "proto/base/minmax.h"

enum {
	FIRST_US = 32,
	FULL = 512,	/* samples at which all counts are halved */
	ENOUGH = 20,	/* samples below which there is no percentile */
	FORGET_US = 10000000,
};

static const double slowness_max = 100;		/* in medians */

static unsigned bucket_of(int64_t us)
{
	double at = 0;

	if (us > FIRST_US)
		at = 2 * log2((double)us / FIRST_US);
	if (at < BALANCE_BUCKETS - 1)
		return (unsigned)at;
	return BALANCE_BUCKETS - 1;
}

void latency_history_add(struct latency_history *p, enum rpc_id rpc, int64_t us)
{
	p->n[rpc][bucket_of(us)]++;
	p->total[rpc]++;
	if (p->total[rpc] < FULL)
		return;
	p->total[rpc] = 0;
	for (unsigned i = 0; i < BALANCE_BUCKETS; i++) {	/* old samples count half */
		p->n[rpc][i] /= 2;
		p->total[rpc] = (uint16_t)(p->total[rpc] + p->n[rpc][i]);
	}
}

int64_t latency_history_percentile(
    const struct latency_history *p, enum rpc_id rpc, unsigned percent)
{
	unsigned want = (p->total[rpc] * percent + 99) / 100, seen = 0, i = 0;

	if (p->total[rpc] < ENOUGH)
		return 0;
	for (;; i++) {
		seen += p->n[rpc][i];
		if (seen >= want)
			break;
	}
	return (int64_t)(FIRST_US * exp2((i + 1) / 2.0));	/* the bucket's end */
}

/* The weight that the stored slowness still has. */
static double decay_factor(const struct latency *l, int64_t now_us)
{
	int64_t age_us = now_us - l->at_us;

	return exp(-(double)MAX(age_us, 0) / FORGET_US);
}

void latency_note(
    struct latency *l, const struct latency_history *p, enum rpc_id rpc, int64_t us, int64_t now_us)
{
	int64_t median = latency_history_percentile(p, rpc, 50);
	double now = 1, old = decay_factor(l, now_us);

	if (median)
		now = (double)us / (double)median;
	now = MIN(now, slowness_max);
	if (now > l->slowness)
		l->slowness = now;
	else
		l->slowness = l->slowness * old + now * (1 - old);
	l->at_us = now_us;
}

/* A shard that was not asked for long is worth a try: its slowness decays to 1, the median. */
double latency_cost(const struct latency *l, int64_t now_us)
{
	double old = decay_factor(l, now_us), slowness = 1;

	if (l->slowness > 0)
		slowness = l->slowness * old + (1 - old);
	return slowness * (l->in_flight + 1);
}

void hedges_init(struct hedges *h)
{
	atomic_init(&h->tokens, HEDGE_BURST * HEDGE_COST);
}

void hedges_refill(struct hedges *h)
{
	int now = atomic_load(&h->tokens);

	atomic_fetch_add(&h->asked, 1);
	while (now < HEDGE_BURST * HEDGE_COST)
		if (atomic_compare_exchange_weak(&h->tokens, &now, now + 1))
			return;
}

bool hedges_take(struct hedges *h)
{
	int now = atomic_load(&h->tokens);

	while (now >= HEDGE_COST)
		if (atomic_compare_exchange_weak(&h->tokens, &now, now - HEDGE_COST))
			return true;
	atomic_fetch_add(&h->denied, 1);
	return false;
}
