/*
 * What clients are told unasked: repositories with another index, groups with other tables, and
 * that there are others.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/auth/caller.h"
#include "coordinator/calls/context.h"
#include "coordinator/contracts/contract_tables.h"
#include "coordinator/mcp/mcp_internal.h"
#include "coordinator/mcp/mcp_resources.h"
#include "coordinator/mcp/mcp_stream.h"
#include "coordinator/members/members.h"
#include "coordinator/registry/groups.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/map.h"

/*
 * What there is, by key: `r` repository, its state; `v` the same, its visibility; `g` group, its
 * tables; `m` group and member, what the tables hold of that.  Values are texts that are others
 * when the thing is.
 */
static void note(struct map *now, const char *key, const char *stamp)
{
	char **at = (char **)map_at(now, key);

	free(*at);
	*at = xstrdup(stamp);
}

static void note_repo(
    struct coordinator *co, struct map *now, const struct member *m, struct arena *a)
{
	struct member_view v;

	members_view(co->members, m, &v, a);
	note(now, arena_printf(a, "v%s", m->repo_uri), v.visibility);
	note(now, arena_printf(a, "r%s", m->repo_uri),
	    arena_printf(a, "%llu %s %s %s", (unsigned long long)(v.stamp ? v.stamp->generation : 0),
	        v.status, health_name(v.health), v.vectors ? v.vectors : ""));
}

/* A group moves with its tables and its members. */
static void note_group(struct coordinator *co, struct map *now, const char *group, struct arena *a)
{
	struct tables_info t = { 0 };
	struct err e = { 0 };

	if (tables_get(co->registry, group, &t, a, &e))
		return;
	note(now, arena_printf(a, "g%s", group),
	    arena_printf(a, "%s %s", t.synced_at ? t.synced_at : "", t.digest ? t.digest : ""));
	for (size_t i = 0; i < t.nmembers; i++) {
		const char *state = map_get(now, arena_printf(a, "r%s", t.members[i].repo_uri));
		note(now, arena_printf(a, "m%s %s", group, t.members[i].repo_uri),
		    arena_printf(
		        a, "%s %s", state ? state : "", t.members[i].version ? t.members[i].version : ""));
	}
}

static struct map *take_snapshot(struct coordinator *co, struct arena *a)
{
	struct map *now = map_new();
	struct group_row *groups;
	struct err e = { 0 };
	size_t n;
	struct member **v = members_all(co->members, &caller_local, a, &n);

	for (size_t i = 0; i < n; i++)
		note_repo(co, now, v[i], a);
	if (groups_all(co->registry, &groups, &n, a, &e))
		n = 0;
	for (size_t i = 0; i < n; i++)
		note_group(co, now, groups[i].name, a);
	return now;
}

static void free_snapshot(struct map *m)
{
	for (size_t i = 0; m && i < map_len(m); i++)
		free(map_val(m, i));
	map_free(m);
}

void mcp_snapshot_free(struct mcp *m)
{
	free_snapshot(m->seen);
	m->seen = NULL;
}

/* ---- what is new, and to whom ---- */

struct change_set {
	struct coordinator *co;
	const struct map *before, *now;
	struct arena *a;
	bool others;			/* there is something else, */
	struct mcp_audience list;		/* and who hears of it */
	struct map *groups;		/* struct mcp_audience: who hears of each */
};

/* Room for as many as there can be. */
static void hear(struct change_set *n, struct mcp_audience *to, const char *repo_uri)
{
	if (!to->repos)
		to->repos = arena_many(n->a, map_len(n->before) + map_len(n->now), const char *);
	to->repos[to->nrepos++] = repo_uri;
}

static struct mcp_audience *group_audience(struct change_set *n, const char *group)
{
	void **at = map_at(n->groups, group);

	if (*at)
		return *at;
	return (*at = arena_one(n->a, struct mcp_audience));
}

/* A key that is there no more or is new, or whose value is another one. */
static void take(struct change_set *n, const char *key, bool there)
{
	const char *space = strchr(key, ' ');

	if (*key == 'r' && !there) {
		hear(n, &n->list, key + 1);
	} else if (*key == 'r') {
		resource_repo_changed(n->co, key + 1);
	} else if (*key == 'v') {
		if (there)		/* for some it is new */
			hear(n, &n->list, key + 1);
	} else if (*key == 'm') {
		hear(n, group_audience(n, arena_strn(n->a, key + 1, (size_t)(space - key - 1))), space + 1);
		if (!there)		/* to who sees nobody else there, the group itself comes or goes */
			hear(n, &n->list, space + 1);
	} else if (there) {
		/*
		 * others hear by the members that they see: tables are built anew for those they do not
		 * see, too
		 */
		group_audience(n, key + 1);
	} else {
		n->others = true;
	}
}

static void compare(
    struct coordinator *co, const struct map *before, const struct map *now, struct arena *a)
{
	struct change_set n = { .co = co, .before = before, .now = now, .a = a, .groups = map_new() };

	for (size_t i = 0; i < map_len(now); i++) {
		const char *key = map_key(now, i), *old = map_get(before, key);
		if (!old || strcmp(old, map_val(now, i)))
			take(&n, key, old != NULL);
	}
	for (size_t i = 0; i < map_len(before); i++)
		if (!map_get(now, map_key(before, i)))
			take(&n, map_key(before, i), false);
	for (size_t i = 0; i < map_len(n.groups); i++)
		resource_group_changed(co, map_key(n.groups, i), map_val(n.groups, i));
	if (n.others || n.list.nrepos)
		resource_list_changed(co, &n.list);
	map_free(n.groups);
}

static bool has_listeners(struct mcp *m)
{
	pthread_mutex_lock(&m->lock);
	bool any = m->listeners != NULL;
	pthread_mutex_unlock(&m->lock);
	return any;
}

void mcp_poll_changes(struct coordinator *co)
{
	sessions_expire(co->mcp);
	streams_expire(co->mcp);
	/* who comes next hears, once, of what has moved since */
	if (co->mcp->seen && !has_listeners(co->mcp))
		return;
	struct arena *a = arena_new();
	struct map *now = take_snapshot(co, a);

	if (co->mcp->seen)
		compare(co, co->mcp->seen, now, a);
	mcp_snapshot_free(co->mcp);
	co->mcp->seen = now;
	arena_free(a);
}
