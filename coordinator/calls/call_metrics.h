#ifndef COORDINATOR_CALLS_CALL_METRICS_H
#define COORDINATOR_CALLS_CALL_METRICS_H
/* Numbers about tool calls, for Prometheus.  All zero at first; any thread may count. */

#include <stdatomic.h>
#include <stdint.h>

#include "proto/base/err.h"

struct call;

enum {
#define TOOL(name, in, out, where, hints, title, doc) METRICS_##name,
#include "coordinator/records/tools.def"
	METRICS_TOOLS
};

/*
 * Calls are counted by the time that they took: up to so many milliseconds each; the last is
 * everything.
 */
enum { METRICS_BUCKETS = 10 };
extern const int64_t metrics_limits_ms[METRICS_BUCKETS];

struct metrics {
	struct {
		atomic_uint_fast64_t outcome[ERR_COUNT];	/* ERR_NONE: answered */
		atomic_uint_fast64_t bucket[METRICS_BUCKETS];	/* by time; not cumulative */
		atomic_uint_fast64_t ms;
	} tool[METRICS_TOOLS];
};

/* Count a call that has ended. */
void metrics_count(const struct call *);
#endif
