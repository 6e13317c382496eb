/* prune: deletes jobs that ended long ago. */
#include "coordinator/calls/context.h"
#include "coordinator/jobs/job_run.h"
#include "coordinator/registry/job_table.h"
#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"

enum { KEPT = 2000, KEPT_S = 14 * 24 * 3600 };

void job_prune(struct job_run *r)
{
	struct err e = { 0 };
	int64_t n = jobs_forget(
	    run_coordinator(r)->registry, clock_real_ms() - (int64_t)KEPT_S * 1000, KEPT, &e);

	if (n < 0)
		run_retry(r, &e);
	else
		run_done(r, 0, arena_printf(run_arena(r), "%lld old jobs deleted", (long long)n));
}
