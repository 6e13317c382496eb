/*
 * build and update: a shard is asked to bring its index to the head, and looked at until it has.
 * It numbers its ingests, so that whoever comes back after a crash knows whether the one that was
 * asked for is over.
 */
#include <string.h>

#include "coordinator/calls/call.h"
#include "coordinator/jobs/job_run.h"
#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"

enum { ASK_MS = 10000, HEALTH_MS = 3000, LOOK_MS = 200, SELDOM_MS = 1000, LONG_MS = 10000 };

static void with_health(struct job_run *r, const void *res, const struct err *e)
{
	const struct health_res *h = res;
	struct job_ingest m = { 0 };
	struct err why = { 0 };

	if (e->code) {
		run_defer(r, e);
		return;
	}
	run_memo_get(r, &rec_job_ingest, &m);
	if (h->process != m.process) {		/* another process: it has it, or shall be asked anew */
		bool published = h->generation > m.generation;
		run_memo_put(r, &rec_job_ingest, &(struct job_ingest){ 0 });
		if (published)
			run_done(r, h->generation, "indexed");
		else
			run_poll_in(r, 0);
	} else if (h->ended < m.ingest) {
		run_progress(r, h->phase && *h->phase ? h->phase : "wait", h->done, h->total);
		run_poll_in(r, clock_real_ms() - run_job(r)->started_ms < LONG_MS ? LOOK_MS : SELDOM_MS);
	} else if (h->code && *h->code) {
		err_set(&why, err_code(h->code), "%s", h->message ? h->message : "");
		run_retry(r, &why);
	} else if (h->generation == m.generation) {
		run_done(r, h->generation, "nothing to do: the head is indexed");
	} else {
		run_done(r, h->generation, "indexed");
	}
}

static void with_sync(struct job_run *r, const void *res, const struct err *e)
{
	const struct sync_res *s = res;

	if (e->code == ERR_UNAVAILABLE || e->code == ERR_RATE_LIMITED) {
		run_defer(r, e);
	} else if (e->code) {
		run_retry(r, e);
	} else if (!s->started) {
		run_done(r, s->generation, "nothing to do: the head is indexed");
	} else {
		run_memo_put(
		    r, &rec_job_ingest, &(struct job_ingest){ s->process, s->ingest, s->generation });
		run_poll_in(r, LOOK_MS);
	}
}

void job_build(struct job_run *r)
{
	static const struct nothing nothing;
	struct job_ingest m = { 0 };
	struct sync_req *q = arena_one(run_arena(r), struct sync_req);

	run_memo_get(r, &rec_job_ingest, &m);
	if (m.ingest) {
		run_ask(r, RPC_health, &nothing, HEALTH_MS, with_health);
		return;
	}
	q->force = run_job(r)->force;
	q->job = run_job(r)->id;
	run_broadcast(r, RPC_sync, q);	/* they follow by themselves, but not at once */
	run_ask(r, RPC_sync, q, ASK_MS, with_sync);
}

void job_update(struct job_run *r)
{
	job_build(r);
}
