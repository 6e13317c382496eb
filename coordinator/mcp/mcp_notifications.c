/*
 * Notifications to clients: repositories whose index has changed, groups whose tables have changed,
 * and repositories and groups that come or go.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/auth/caller.h"
#include "coordinator/calls/context.h"
#include "coordinator/contracts/contract_tables.h"
#include "coordinator/mcp/mcp_internal.h"
#include "coordinator/mcp/mcp_request.h"
#include "coordinator/mcp/mcp_resources.h"
#include "coordinator/mcp/mcp_stream.h"
#include "coordinator/members/members.h"
#include "coordinator/registry/groups.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/map.h"
#include "proto/base/optional_text.h"

/*
 * A snapshot maps keys to texts that differ when the thing has changed.  `r` and a repo_uri: the
 * repository's state; `v` and a repo_uri: its visibility; `g` and a group: its tables; `m`, a group
 * and a repo_uri: what the tables contain of that member.
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
	unsigned long long generation = 0;

	members_view(co->members, m, &v, a);
	if (v.stamp)
		generation = v.stamp->generation;
	note(now, arena_printf(a, "v%s", m->repo_uri), v.visibility);
	note(now, arena_printf(a, "r%s", m->repo_uri),
	    arena_printf(a, "%llu %s %s %s", generation, v.status, health_name(v.health),
	        text_or_empty(v.vectors)));
}

/* A group changes with its tables and its members. */
static void note_group(struct coordinator *co, struct map *now, const char *group, struct arena *a)
{
	struct tables_info t = { 0 };
	struct err e = { 0 };

	if (tables_get(co->registry, group, &t, a, &e))
		return;
	note(now, arena_printf(a, "g%s", group),
	    arena_printf(a, "%s %s", text_or_empty(t.synced_at), text_or_empty(t.digest)));
	for (size_t i = 0; i < t.nmembers; i++) {
		const char *state = map_get(now, arena_printf(a, "r%s", t.members[i].repo_uri));
		note(now, arena_printf(a, "m%s %s", group, t.members[i].repo_uri),
		    arena_printf(a, "%s %s", text_or_empty(state), text_or_empty(t.members[i].version)));
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

/* ---- the changes and their audience ---- */

struct change_set {
	struct coordinator *co;
	const struct map *before, *now;
	struct arena *a;
	bool group_set_changed;		/* a group has come or gone */
	struct mcp_audience list;	/* of the notification that the list has changed */
	struct map *groups;		/* changed groups to struct mcp_audience */
};

/* Add those who see the repository to the audience. */
static void add_audience(struct change_set *n, struct mcp_audience *to, const char *repo_uri)
{
	if (!to->repos)
		to->repos = arena_many(n->a, map_len(n->before) + map_len(n->now), const char *);
	to->repos[to->nrepos++] = repo_uri;
}

static struct mcp_audience *group_audience(struct change_set *n, const char *group)
{
	void **at = map_at(n->groups, group);

	if (!*at)
		*at = arena_one(n->a, struct mcp_audience);
	return *at;
}

/* The member `m`, a group and a repo_uri, has changed. */
static void member_changed(struct change_set *n, const char *key, bool both)
{
	const char *space = strchr(key, ' '), *repo_uri = space + 1;
	const char *group = arena_strn(n->a, key + 1, (size_t)(space - key - 1));

	add_audience(n, group_audience(n, group), repo_uri);
	if (!both)	/* for a caller who sees no other member, the group itself comes or goes */
		add_audience(n, &n->list, repo_uri);
}

/* A key whose value has changed; `both` is false if only one of the snapshots has it. */
static void key_changed(struct change_set *n, const char *key, bool both)
{
	switch (*key) {
	case 'r':
		if (both)
			resource_repo_changed(n->co, key + 1);
		else
			add_audience(n, &n->list, key + 1);
		break;
	case 'v':
		if (both)	/* some callers see the repository only now */
			add_audience(n, &n->list, key + 1);
		break;
	case 'm':
		member_changed(n, key, both);
		break;
	default:
		if (both)
			/*
			 * Only callers that see everything: the others are notified by the members that
			 * they see, since tables also change with members that they do not see.
			 */
			group_audience(n, key + 1);
		else
			n->group_set_changed = true;
	}
}

static void compare(
    struct coordinator *co, const struct map *before, const struct map *now, struct arena *a)
{
	struct change_set n = { .co = co, .before = before, .now = now, .a = a, .groups = map_new() };

	for (size_t i = 0; i < map_len(now); i++) {
		const char *key = map_key(now, i), *old = map_get(before, key);
		if (!old || strcmp(old, map_val(now, i)))
			key_changed(&n, key, old != NULL);
	}
	for (size_t i = 0; i < map_len(before); i++)
		if (!map_get(now, map_key(before, i)))
			key_changed(&n, map_key(before, i), false);
	for (size_t i = 0; i < map_len(n.groups); i++)
		resource_group_changed(co, map_key(n.groups, i), map_val(n.groups, i));
	if (n.group_set_changed || n.list.nrepos)
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
	/* the next listener is notified, once, of everything that has changed since */
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
