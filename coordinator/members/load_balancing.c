#include "coordinator/members/load_balancing.h"

#include <math.h>

#include "proto/base/minmax.h"

enum { FIRST_US = 32, FULL = 512, ENOUGH = 20, FORGET_US = 10000000 };

static const double MOST = 100;		/* medians */

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
	if (++p->total[rpc] < FULL)
		return;
	p->total[rpc] = 0;
	for (unsigned i = 0; i < BALANCE_BUCKETS; i++)	/* what is old counts half */
		p->total[rpc] = (uint16_t)(p->total[rpc] + (p->n[rpc][i] /= 2));
}

int64_t latency_history_percentile(
    const struct latency_history *p, enum rpc_id rpc, unsigned percent)
{
	unsigned want = (p->total[rpc] * percent + 99) / 100, seen = 0, i = 0;

	if (p->total[rpc] < ENOUGH)
		return 0;
	while ((seen += p->n[rpc][i]) < want)
		i++;
	return (int64_t)(FIRST_US * exp2((i + 1) / 2.0));	/* the bucket's end */
}

/* What is left of a number after this time. */
static double decay_factor(const struct latency *l, int64_t now_us)
{
	return exp(-(double)(now_us > l->at_us ? now_us - l->at_us : 0) / FORGET_US);
}

void latency_note(
    struct latency *l, const struct latency_history *p, enum rpc_id rpc, int64_t us, int64_t now_us)
{
	int64_t median = latency_history_percentile(p, rpc, 50);
	double now = median ? (double)us / (double)median : 1, old = decay_factor(l, now_us);

	now = MIN(now, MOST);
	if (now > l->slowness)
		l->slowness = now;
	else
		l->slowness = l->slowness * old + now * (1 - old);
	l->at_us = now_us;
}

/*
 * One of which nothing was heard for long is worth a try: its number goes back to that of the
 * ordinary.
 */
double latency_cost(const struct latency *l, int64_t now_us)
{
	double old = decay_factor(l, now_us),
	       slowness = l->slowness > 0 ? l->slowness * old + (1 - old) : 1;

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
	while (
	    now < HEDGE_BURST * HEDGE_COST && !atomic_compare_exchange_weak(&h->tokens, &now, now + 1))
		;
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
