/*
 * embed: a shard makes vectors by itself, and tries again by itself, later and later; this has it
 * try at once.  It counts its runs, so that the one that was asked for is known.  Cancelling ends
 * the job; the shard goes on.
 */
#include <string.h>

#include "coordinator/calls/call.h"
#include "coordinator/jobs/job_run.h"
#include "proto/base/arena.h"
#include "proto/base/err.h"

enum { ASK_MS = 5000, LOOK_MS = 500 };

static void with_health(struct job_run *, const void *res, const struct err *e);

static void look(struct job_run *r)
{
	static const struct nothing nothing;

	run_ask(r, RPC_health, &nothing, ASK_MS, with_health);
}

static void with_sync(struct job_run *r, const void *res, const struct err *e)
{
	(void)res;
	if (e->code)
		run_defer(r, e);
	else
		run_poll_in(r, LOOK_MS);
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

/* `CODE: message` */
static void read_reason(const char *reason, struct err *e, struct arena *a)
{
	const char *colon = strstr(reason, ": ");

	err_set(e, colon ? err_code(arena_strn(a, reason, (size_t)(colon - reason))) : ERR_UNAVAILABLE,
	    "%s", colon ? colon + 2 : reason);
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
		run_done(r, h->generation,
		    h->vectors && !strcmp(h->vectors, "complete") ? "every document has its vector" :
		                                                    "it makes no vectors");
	} else if (h->process != m.process) {
		begin(r, h);
	} else if (h->embeds < m.ingest) {
		run_progress(r, "embed", h->vectors_done, h->vectors_total);
		run_poll_in(r, LOOK_MS);
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
	look(r);
}
