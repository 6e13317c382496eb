/*
 * embed: makes a shard retry its missing vectors at once.  A shard also retries by itself, but less
 * and less often.  It numbers its runs, so the job knows the requested one.  Cancelling ends the
 * job only; the shard continues.
 */
#include <string.h>

#include "coordinator/calls/call.h"
#include "coordinator/jobs/job_run.h"
#include "proto/base/arena.h"
#include "proto/base/err.h"

enum { ASK_MS = 5000, POLL_MS = 500 };

static void with_sync(struct job_run *r, const void *res, const struct err *e)
{
	(void)res;
	if (e->code)
		run_defer(r, e);
	else
		run_poll_in(r, POLL_MS);
}

static void begin(struct job_run *r, const struct health_res *h)
{
	struct sync_req *q = arena_one(run_arena(r), struct sync_req);

	run_memo_put(
	    r, &rec_job_ingest, &(struct job_ingest){ h->process, h->embeds + 1, h->generation });
	q->vectors = true;
	run_broadcast(r, RPC_sync, q);
	run_ask(r, RPC_sync, q, ASK_MS, with_sync);
}

/* Parses `CODE: message`. */
static void read_reason(const char *reason, struct err *e, struct arena *a)
{
	const char *colon = strstr(reason, ": ");

	if (!colon) {
		err_set(e, ERR_UNAVAILABLE, "%s", reason);
		return;
	}
	const char *code = arena_strn(a, reason, (size_t)(colon - reason));
	err_set(e, err_code(code), "%s", colon + 2);
}

static void done_without_run(struct job_run *r, const struct health_res *h)
{
	if (h->vectors && !strcmp(h->vectors, "complete"))
		run_done(r, h->generation, "every document has its vector");
	else
		run_done(r, h->generation, "the shard makes no vectors");
}

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
	if (!h->vectors || strcmp(h->vectors, "building")) {
		done_without_run(r, h);
	} else if (h->process != m.process) {
		begin(r, h);
	} else if (h->embeds < m.ingest) {
		run_progress(r, "embed", h->vectors_done, h->vectors_total);
		run_poll_in(r, POLL_MS);
	} else if (h->vectors_reason && *h->vectors_reason) {
		read_reason(h->vectors_reason, &why, run_arena(r));
		run_retry(r, &why);
	} else {
		run_done(r, h->generation,
		    arena_printf(run_arena(r), "%llu of %llu documents have their vectors",
		        (unsigned long long)h->vectors_done, (unsigned long long)h->vectors_total));
	}
}

void job_embed(struct job_run *r)
{
	static const struct nothing nothing;

	run_ask(r, RPC_health, &nothing, ASK_MS, with_health);
}
