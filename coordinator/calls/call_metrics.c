#include "coordinator/calls/call_metrics.h"

#include "coordinator/calls/context.h"
#include "proto/base/clock.h"

const int64_t metrics_limits_ms[METRICS_BUCKETS] = { 5, 20, 50, 100, 250, 500, 1000, 2500, 10000,
	INT64_MAX };

void metrics_count(const struct call *c)
{
	int64_t ms = clock_ms() - c->start_ms;
	size_t tool = (size_t)(c->tool - tools), b = 0;

	if (ms < 0)
		ms = 0;
	while (ms > metrics_limits_ms[b])
		b++;
	atomic_fetch_add(&c->co->metrics.tool[tool].outcome[c->e.code], 1);
	atomic_fetch_add(&c->co->metrics.tool[tool].bucket[b], 1);
	atomic_fetch_add(&c->co->metrics.tool[tool].ms, (uint64_t)ms);
}
