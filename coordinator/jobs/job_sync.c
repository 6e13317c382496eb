/*
 * sync: rebuilds the contracts and links of a group.  If the result is incomplete, resync asks for
 * another sync later.
 */
#include "coordinator/calls/call.h"
#include "coordinator/jobs/job_run.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/log.h"
#include "proto/record/json.h"

static void synced(struct job_run *r, const struct call *c)
{
	const struct group_sync_out *out = c->out;

	if (c->e.code) {
		log_warn("sync.auto", "message=%s", log_quote(c->e.msg));
		run_fail(r, &c->e);
		return;
	}
	log_info("sync.auto", "group=%s contracts=%llu links=%llu changed=%d complete=%d ms=%llu",
	    out->group, (unsigned long long)out->contracts_written,
	    (unsigned long long)out->links_written, out->changed, out->complete,
	    (unsigned long long)out->took_ms);
	const char *note = arena_printf(run_arena(r), "%llu contracts, %llu links",
	    (unsigned long long)out->contracts_written, (unsigned long long)out->links_written);
	if (out->changed)
		note = arena_printf(run_arena(r), "%s, changed", note);
	if (!out->complete)
		note = arena_printf(run_arena(r), "%s; not of every member", note);
	run_done(r, 0, note);
}

void job_sync(struct job_run *r)
{
	struct buf b = { 0 };

	buf_str(&b, "{\"group\":");
	json_quote(&b, run_job(r)->group);
	buf_str(&b, "}");
	const char *args = arena_str(run_arena(r), b.p);
	buf_free(&b);
	run_tool(r, "group_sync", args, synced);
}
