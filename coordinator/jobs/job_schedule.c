/* What is due by itself: indexes that are missing or old, and forgetting what ended long ago. */
#include "coordinator/auth/caller.h"
#include "coordinator/calls/context.h"
#include "coordinator/jobs/jobs_internal.h"
#include "coordinator/members/members.h"
#include "coordinator/registry/build_policy.h"
#include "coordinator/registry/replication.h"
#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/base/log.h"

/* MANY: ended jobs, after which they are not kept for a day */
enum { AT_ONCE = 10000, PRUNE_MS = 24 * 3600 * 1000, MANY = 1000 };

const char *jobs_build_reason(
    struct jobs *all, const struct member *m, bool force, struct arena *a, struct err *e)
{
	struct index_meta meta;
	struct member_view v;

	if (index_meta_get(all->co->registry, m->repo_uri, &meta, a, e))
		return NULL;
	members_view(all->co->members, m, &v, a);
	if (v.stamp)	/* it may not be in the registry yet */
		meta.indexed_at = v.stamp->indexed_at;
	return index_build_reason(&meta, force, clock_real_ms(), all->co->o.index_max_age);
}

/* One that is away is not asked for: it is due when it is back. */
static bool is_there(struct jobs *all, const struct member *m, struct arena *a)
{
	struct member_view v;

	members_view(all->co->members, m, &v, a);
	return v.health != DOWN;
}

static void want(
    struct jobs *all, const char *kind, const char *of, const char *reason, struct arena *a)
{
	struct job_request w = {
		.kind = job_kind(kind), .of = of, .reason = reason, .caller = "schedule"
	};
	struct err e = { 0 };
	struct job j;
	bool fresh;

	if (jobs_enqueue(all, &w, &j, &fresh, a, &e))
		log_error("job.schedule_failed", "message=%s", log_quote(e.msg));
}

static void indexes(struct jobs *all, struct arena *a)
{
	int64_t now = clock_real_ms(), max_age = all->co->o.index_max_age;
	struct err e = { 0 };
	const char **v;
	size_t n;

	if (index_list_due(all->co->registry, now, max_age, &v, &n, AT_ONCE, a, &e)) {
		log_error("job.schedule_failed", "message=%s", log_quote(e.msg));
		return;
	}
	for (size_t i = 0; i < n; i++) {
		struct member *m = members_get(all->co->members, &caller_local, v[i]);
		const char *why = NULL;
		if (m && is_there(all, m, a))
			why = jobs_build_reason(all, m, false, a, &e);
		if (why)
			want(all, "build", v[i], why, a);
	}
}

void jobs_schedule(struct jobs *all)
{
	struct arena *a = arena_new();

	if (registry_is_leader(all->co->registry))
		indexes(all, a);
	struct jobs_counts now = jobs_counts(all);
	uint64_t ended = now.done + now.failed + now.cancelled;
	if (clock_ms() >= all->next_prune || ended - all->pruned >= MANY) {
		all->pruned = ended;
		want(all, "prune", NULL, "daily, or many have ended", a);
		all->next_prune = clock_ms() + PRUNE_MS;
	}
	arena_free(a);
}
