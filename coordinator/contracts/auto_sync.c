#include "coordinator/contracts/auto_sync.h"

#include <stdlib.h>
#include <string.h>

#include "coordinator/auth/caller.h"
#include "coordinator/calls/context.h"
#include "coordinator/contracts/contract_tables.h"
#include "coordinator/contracts/group_sync.h"
#include "coordinator/contracts/matching/match.h"
#include "coordinator/jobs/jobs.h"
#include "coordinator/members/members.h"
#include "coordinator/registry/groups.h"
#include "coordinator/registry/registry.h"
#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/base/map.h"
#include "proto/net/crypto.h"

enum { WAIT_MAX = 10, BACKOFF_MAX = 64 };	/* times --sync-delay-ms */
enum { RESCAN_MS = 30000 };	/* a change that no counter shows is noticed after this time */

/* A group as of the last check. */
struct auto_sync_group {
	char seen[SHA256_HEX];		/* hash of its members and their indexes */
	/* monotonic: when its tables became outdated (0 = they are current), when it last changed */
	int64_t since, changed;
	int64_t not_before;		/* the next try */
	int tries;
};

struct auto_sync {
	struct coordinator *co;
	struct map *groups;		/* struct auto_sync_group */
	/* the last check of all groups: versions of members and registry, and when it was */
	uint64_t moved, version;
	int64_t looked_ms;
	bool behind;			/* the tables of a group were outdated */
};

struct auto_sync *auto_sync_new(struct coordinator *co)
{
	struct auto_sync *r = xcalloc(1, sizeof *r);

	r->co = co;
	r->groups = map_new();
	return r;
}

void auto_sync_free(struct auto_sync *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < map_len(r->groups); i++)
		free(map_val(r->groups, i));
	map_free(r->groups);
	free(r);
}

static struct auto_sync_group *watched(struct auto_sync *r, const char *group)
{
	struct auto_sync_group **at = (struct auto_sync_group **)map_at(r->groups, group);

	if (!*at)
		*at = xcalloc(1, sizeof **at);
	return *at;
}

/* The version of a member's index; "" if it is not known. */
static const char *index_version(
    struct auto_sync *r, const struct member *m, const struct member_view *v, struct arena *a)
{
	if (!v->stamp)
		return "";
	return group_sync_version(r->co->members, m, v->stamp, a);
}

/*
 * Whether the tables lack the present index of a member that can be asked for it, or were made by
 * other rules.  `seen` gets a
 * hash of all members and their indexes.
 */
static bool is_behind(
    struct auto_sync *r, const struct tables_info *t, char seen[SHA256_HEX], struct arena *a)
{
	struct crypto_hash *h = crypto_hash_new();
	bool behind = t->nmembers && (!t->synced_at || t->origin.rules != MATCH_RULES);

	for (size_t i = 0; i < t->nmembers; i++) {
		const struct member *m = members_get(r->co->members, &caller_local, t->members[i].repo_uri);
		const char *synced = t->members[i].version;
		struct member_view v;
		if (!m)
			continue;
		members_view(r->co->members, m, &v, a);
		const char *now = index_version(r, m, &v, a);
		bool is_new = *now && (!synced || strcmp(synced, now));
		if (is_new && v.health != DOWN)
			behind = true;
		crypto_hash_put(h, m->repo_uri, strlen(m->repo_uri) + 1);
		crypto_hash_put(h, now, strlen(now) + 1);
	}
	crypto_hash_end(h, seen);
	return behind;
}

/* Whether it is time to rebuild the group. */
static bool is_due(
    struct auto_sync *r, const char *group, const struct tables_info *t, struct arena *a)
{
	int64_t now = clock_ms(), delay = r->co->o.sync_delay_ms;
	struct auto_sync_group *w = watched(r, group);
	char seen[SHA256_HEX];

	if (!is_behind(r, t, seen, a)) {
		*w = (struct auto_sync_group){ 0 };
		return false;
	}
	r->behind = true;
	if (strcmp(seen, w->seen)) {	/* it has changed since the last check */
		memcpy(w->seen, seen, sizeof seen);
		if (!w->since)
			w->since = now;
		w->changed = now;
		w->tries = 0;
		w->not_before = 0;
	}
	bool quiet = now - w->changed >= delay, waited = now - w->since >= WAIT_MAX * delay;
	return now >= w->not_before && (quiet || waited);
}

static void begin(struct auto_sync *r, const char *group, struct arena *a)
{
	struct auto_sync_group *w = watched(r, group);
	struct job_request want = { .kind = job_kind("sync"),
		.of = group,
		.reason = "members have changed",
		.caller = "schedule" };
	int64_t backoff = (int64_t)1 << w->tries;
	struct err e = { 0 };
	struct job j;
	bool fresh;

	/* success resets all of this */
	w->not_before = clock_ms() + r->co->o.sync_delay_ms * backoff;
	w->since = w->changed = clock_ms();
	if (backoff < BACKOFF_MAX)
		w->tries++;
	if (jobs_enqueue(r->co->jobs, &want, &j, &fresh, a, &e))
		log_error("sync.auto", "message=%s", log_quote(e.msg));
}

/*
 * Whether anything that matters may have changed since the last check.  With a thousand idle
 * members a check takes milliseconds.
 */
static bool may_differ(struct auto_sync *r)
{
	uint64_t moved = members_version(r->co->members), version = registry_version(r->co->registry);
	int64_t now = clock_ms();
	bool unchanged = moved == r->moved && version == r->version;

	if (unchanged && !r->behind && now < r->looked_ms + RESCAN_MS)
		return false;
	r->moved = moved;
	r->version = version;
	r->looked_ms = now;
	r->behind = false;
	return true;
}

void auto_sync_tick(struct auto_sync *r)
{
	struct arena *a;
	struct group_row *v;
	struct err e = { 0 };
	size_t n = 0;

	if (!r->co->o.sync_delay_ms || !may_differ(r))
		return;
	a = arena_new();
	if (groups_all(r->co->registry, &v, &n, a, &e)) {
		r->behind = true;
		log_error("sync.auto", "message=%s", log_quote(e.msg));
	}
	for (size_t i = 0; i < n; i++) {
		struct tables_info t;
		if (tables_get(r->co->registry, v[i].name, &t, a, &e))
			r->behind = true;	/* unknown: check again at the next tick */
		else if (is_due(r, v[i].name, &t, a))
			begin(r, v[i].name, a);
	}
	arena_free(a);
}
