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

/* Upper limits in milliseconds of the buckets by which calls are counted; the last has no limit. */
enum { METRICS_BUCKETS = 10 };
extern const int64_t metrics_limits_ms[METRICS_BUCKETS];

struct metrics {
	struct {
		atomic_uint_fast64_t outcome[ERR_COUNT];	/* by error code; ERR_NONE = success */
		atomic_uint_fast64_t bucket[METRICS_BUCKETS];	/* by duration, not cumulative */
		atomic_uint_fast64_t ms;
	} tool[METRICS_TOOLS];
};

/* Count a call that has ended. */
void metrics_count(const struct call *);
#endif
