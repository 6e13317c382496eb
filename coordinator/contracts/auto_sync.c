#include "coordinator/contracts/auto_sync.h"

#include <stdlib.h>
#include <string.h>

#include "coordinator/auth/caller.h"
#include "coordinator/calls/context.h"
#include "coordinator/contracts/contract_tables.h"
#include "coordinator/contracts/group_sync.h"
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
enum { RESCAN_MS = 30000 };	/* how long what nothing has told of may go unseen */

/* A group, as it was when it was last looked at. */
struct auto_sync_group {
	char seen[SHA256_HEX];		/* of its members and their indexes */
	int64_t since, changed;		/* behind since, and last seen to move; monotonic.  0: not behind */
	int64_t not_before;
	int tries;
};

struct auto_sync {
	struct coordinator *co;
	struct map *groups;		/* struct auto_sync_group */
	/* of members and registry, when all groups were looked at last, which was at looked_ms */
	uint64_t moved, version;
	int64_t looked_ms;
	bool behind;			/* one was */
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

	if (!*at && !(*at = calloc(1, sizeof **at)))
		die("out of memory");
	return *at;
}

/*
 * Whether the tables lack the present index of a member that could be asked for it; `seen` gets
 * what was looked at.
 */
static bool is_behind(
    struct auto_sync *r, const struct tables_info *t, char seen[SHA256_HEX], struct arena *a)
{
	struct crypto_hash *h = crypto_hash_new();
	bool behind = false;

	for (size_t i = 0; i < t->nmembers; i++) {
		const struct member *m = members_get(r->co->members, &caller_local, t->members[i].repo_uri);
		struct member_view v;
		if (!m)
			continue;
		members_view(r->co->members, m, &v, a);
		const char *now = "";
		if (v.stamp)
			now = group_sync_version(r->co->members, m, v.stamp, a);
		behind |= v.health != DOWN && *now &&
		    (!t->members[i].version || strcmp(t->members[i].version, now) != 0);
		crypto_hash_put(h, m->repo_uri, strlen(m->repo_uri) + 1);
		crypto_hash_put(h, now, strlen(now) + 1);
	}
	crypto_hash_end(h, seen);
	return behind || (!t->synced_at && t->nmembers);
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
	if (strcmp(seen, w->seen)) {	/* it moves */
		memcpy(w->seen, seen, sizeof seen);
		if (!w->since)
			w->since = now;
		w->changed = now;
		w->tries = 0;
		w->not_before = 0;
	}
	return now >= w->not_before &&
	    (now - w->changed >= delay || now - w->since >= WAIT_MAX * delay);
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

	/* when it succeeds this is forgotten */
	w->not_before = clock_ms() + r->co->o.sync_delay_ms * backoff;
	w->since = w->changed = clock_ms();
	w->tries += backoff < BACKOFF_MAX;
	if (jobs_enqueue(r->co->jobs, &want, &j, &fresh, a, &e))
		log_error("sync.auto", "message=%s", log_quote(e.msg));
}

/*
 * Whether anything that decides it may be another than at the last look: of a thousand members
 * that rest it takes milliseconds.
 */
static bool may_differ(struct auto_sync *r)
{
	uint64_t moved = members_version(r->co->members), version = registry_version(r->co->registry);
	int64_t now = clock_ms();

	if (!r->behind && moved == r->moved && version == r->version && now < r->looked_ms + RESCAN_MS)
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
	if ((r->behind = groups_all(r->co->registry, &v, &n, a, &e) != 0))
		log_error("sync.auto", "message=%s", log_quote(e.msg));
	for (size_t i = 0; i < n; i++) {
		struct tables_info t;
		if (tables_get(r->co->registry, v[i].name, &t, a, &e))
			r->behind = true;	/* nobody knows: again at the next turn */
		else if (is_due(r, v[i].name, &t, a))
			begin(r, v[i].name, a);
	}
	arena_free(a);
}
