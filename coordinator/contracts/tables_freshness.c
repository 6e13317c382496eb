#include "coordinator/contracts/tables_freshness.h"

#include <string.h>

#include "coordinator/calls/partial_answers.h"
#include "coordinator/contracts/contract_tables.h"
#include "coordinator/contracts/group_sync.h"
#include "coordinator/members/members.h"
#include "proto/base/arena.h"
#include "proto/base/optional_text.h"

static bool fail(struct coverage *cov, const char *repo_uri, const char *code, const char *message)
{
	cov->failed.v[cov->failed.n++] = (struct failed_member){ repo_uri, code, message, 0 };
	return false;
}

/* Whether the facts of a member are in the tables and are those of its present index. */
static bool cover(
    struct call *c, const struct synced_member *s, const struct member *m, struct coverage *cov)
{
	struct member_view v;

	cov->members++;
	members_view(c->members, m, &v, c->a);
	if (!s->version) {
		if (v.stamp)
			return fail(cov, s->repo_uri, "NOT_FOUND",
			    "its facts are not in the tables yet: run group_sync");
		if (!strcmp(v.status, "failed"))
			return fail(cov, s->repo_uri, "NO_INDEX",
			    "it could not be indexed: group_status has the reason");
		return fail(cov, s->repo_uri, "NO_INDEX", "it has no index yet");
	}
	if (v.health == DOWN)
		return fail(cov, s->repo_uri, "UNAVAILABLE",
		    arena_printf(c->a, "its last good facts are shown because its shard is down: %s",
		        text_or_empty(v.reason)));
	cov->answered++;
	if (!v.stamp)
		return true;
	bool current = !strcmp(s->version, group_sync_version(c->members, m, v.stamp, c->a));
	if (!current || v.stamp->behind)
		cov->stale.v[cov->stale.n++] = (struct stale_member){ s->repo_uri, v.stamp->behind };
	return current;
}

void tables_note_partial(struct call *c, const struct tables_info *t)
{
	for (size_t i = 0; i < t->nmembers; i++) {
		const struct member *m = members_get(c->members, c->caller, t->members[i].repo_uri);
		struct member_view v;
		if (!m || !members_lacks_something(c->members, m))
			continue;
		members_view(c->members, m, &v, c->a);
		partial_note(c, m, v.stamp, RPC_contracts);
	}
}

bool tables_coverage(struct call *c, const struct tables_info *t, struct coverage **out)
{
	struct coverage *cov = *out = arena_one(c->a, struct coverage);
	bool complete = true;

	cov->failed.v = arena_many(c->a, t->nmembers, struct failed_member);
	cov->stale.v = arena_many(c->a, t->nmembers, struct stale_member);
	for (size_t i = 0; i < t->nmembers; i++) {
		const struct member *m = members_get(c->members, c->caller, t->members[i].repo_uri);
		if (m && !cover(c, &t->members[i], m, cov))
			complete = false;
	}
	return complete;
}
