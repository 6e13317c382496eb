/* Enqueues scheduled jobs: builds of missing or old indexes, and the deletion of old jobs. */
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

enum {
	AT_ONCE = 10000,
	PRUNE_MS = 24 * 3600 * 1000,
	MANY = 1000,	/* ended jobs after which a prune does not wait for the next day */
};

const char *jobs_build_reason(
    struct jobs *all, const struct member *m, bool force, struct arena *a, struct err *e)
{
	struct index_meta meta;
	struct member_view v;

	if (index_meta_get(all->co->registry, m->repo_uri, &meta, a, e))
		return NULL;
	members_view(all->co->members, m, &v, a);
	if (v.stamp)	/* the registry may not have it yet */
		meta.indexed_at = v.stamp->indexed_at;
	return index_build_reason(&meta, force, clock_real_ms(), all->co->o.index_max_age);
}

/* A repository whose shard is down becomes due when the shard is back. */
static bool is_up(struct jobs *all, const struct member *m, struct arena *a)
{
	struct member_view v;

	members_view(all->co->members, m, &v, a);
	return v.health != DOWN;
}

static void enqueue(
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

static void enqueue_builds(struct jobs *all, struct arena *a)
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
		if (m && is_up(all, m, a))
			why = jobs_build_reason(all, m, false, a, &e);
		if (why)
			enqueue(all, "build", v[i], why, a);
	}
}

void jobs_schedule(struct jobs *all)
{
	struct arena *a = arena_new();

	if (registry_is_leader(all->co->registry))
		enqueue_builds(all, a);
	struct jobs_counts now = jobs_counts(all);
	uint64_t ended = now.done + now.failed + now.cancelled;
	if (clock_ms() >= all->next_prune || ended - all->pruned >= MANY) {
		all->pruned = ended;
		enqueue(all, "prune", NULL, "daily, or many have ended", a);
		all->next_prune = clock_ms() + PRUNE_MS;
	}
	arena_free(a);
}
