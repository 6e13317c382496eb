/* What is due by itself: indexes that are missing or old, and forgetting what ended long ago. */
#include "coordinator/caller.h"
#include "coordinator/coordinator.h"
#include "coordinator/job_rules.h"
#include "coordinator/jobs_own.h"
#include "coordinator/members.h"
#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/base/log.h"

enum { AT_ONCE = 10000, PRUNE_MS = 24 * 3600 * 1000 };

/* One that is away is not asked for: it is due when it is back. */
static bool is_there(struct jobs *all, const char *repo_uri, struct arena *a)
{
	struct member *m = members_get(all->co->members, &caller_local, repo_uri);
	struct member_view v;

	if (!m)
		return false;
	members_view(all->co->members, m, &v, a);
	return v.health != DOWN;
}

static void want(struct jobs *all, const char *kind, const char *of, const char *reason, struct arena *a)
{
	struct job_want w = { .kind = job_kind(kind), .of = of, .reason = reason, .caller = "schedule" };
	struct err e = { 0 };
	struct job j;
	bool fresh;

	if (jobs_enqueue(all, &w, &j, &fresh, a, &e))
		log_error("job.schedule", "message=%s", log_quote(e.msg));
}

static void indexes(struct jobs *all, struct arena *a)
{
	int64_t now = clock_real_ms(), max_age = all->co->o.index_max_age;
	struct err e = { 0 };
	const char **v;
	size_t n;

	if (index_due_all(all->co->registry, now, max_age, &v, &n, AT_ONCE, a, &e)) {
		log_error("job.schedule", "message=%s", log_quote(e.msg));
		return;
	}
	for (size_t i = 0; i < n; i++) {
		struct index_meta m;
		if (!is_there(all, v[i], a) || index_meta_get(all->co->registry, v[i], &m, a, &e))
			continue;
		const char *why = index_due(&m, false, now, max_age);
		if (why)
			want(all, "build", v[i], why, a);
	}
}

void jobs_schedule(struct jobs *all)
{
	struct arena *a = arena_new();

	indexes(all, a);
	if (clock_ms() >= all->next_prune) {
		want(all, "prune", NULL, "daily", a);
		all->next_prune = clock_ms() + PRUNE_MS;
	}
	arena_free(a);
}
