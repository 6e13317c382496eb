/*
 * build and update: asks a shard to bring its index to the head, and polls it until it has.  A
 * shard numbers its ingests, so after a crash the job knows whether the requested one is over.
 */
#include <string.h>

#include "coordinator/calls/call.h"
#include "coordinator/jobs/job_run.h"
#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"

enum {
	ASK_MS = 10000,
	HEALTH_MS = 3000,
	POLL_MS = 200,
	SLOW_POLL_MS = 1000,
	LONG_MS = 10000,	/* a job that runs for longer is polled slowly */
};

/* The ingest is still running. */
static void poll_again(struct job_run *r, const struct health_res *h)
{
	int64_t ran_ms = clock_real_ms() - run_job(r)->started_ms;
	const char *phase = "wait";

	if (h->phase && *h->phase)
		phase = h->phase;
	run_progress(r, phase, h->done, h->total);
	run_poll_in(r, ran_ms < LONG_MS ? POLL_MS : SLOW_POLL_MS);
}

static void fail_ingest(struct job_run *r, const struct health_res *h)
{
	struct err why = { 0 };
	const char *message = "";

	if (h->message)
		message = h->message;
	err_set(&why, err_code(h->code), "%s", message);
	run_retry(r, &why);
}

static void with_health(struct job_run *r, const void *res, const struct err *e)
{
	const struct health_res *h = res;
	struct job_ingest m = { 0 };

	if (e->code) {
		run_defer(r, e);
		return;
	}
	run_memo_get(r, &rec_job_ingest, &m);
	if (h->process != m.process) {	/* the shard was restarted: done, or to be asked again */
		bool published = h->generation > m.generation;
		run_memo_put(r, &rec_job_ingest, &(struct job_ingest){ 0 });
		if (published)
			run_done(r, h->generation, "indexed");
		else
			run_poll_in(r, 0);
	} else if (h->ended < m.ingest) {
		poll_again(r, h);
	} else if (h->code && *h->code) {
		fail_ingest(r, h);
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
		run_poll_in(r, POLL_MS);
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
	run_broadcast(r, RPC_sync, q);	/* replicas would follow by themselves, but later */
	run_ask(r, RPC_sync, q, ASK_MS, with_sync);
}

void job_update(struct job_run *r)
{
	job_build(r);
}
