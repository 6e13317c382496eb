/* What clients are told unasked: repositories with another index, groups with other tables, and that there are others. */
#include <stdlib.h>
#include <string.h>

#include "coordinator/caller.h"
#include "coordinator/coordinator.h"
#include "coordinator/groups.h"
#include "coordinator/mcp_own.h"
#include "coordinator/mcp_resources.h"
#include "coordinator/members.h"
#include "coordinator/tables.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/map.h"

/* A key is `r` or `g` and the name; its value a text that is another one when the thing is. */
static void note(struct map *now, char kind, const char *name, const char *stamp, struct arena *a)
{
	char **at = (char **)map_at(now, arena_printf(a, "%c%s", kind, name));

	free(*at);
	if (!(*at = strdup(stamp)))
		abort();
}

static const char *note_repo(struct coordinator *co, struct map *now, const struct member *m, struct arena *a)
{
	struct member_view v;

	members_view(co->members, m, &v, a);
	const char *stamp = arena_printf(a, "%llu %s %s %s", (unsigned long long)(v.stamp ? v.stamp->generation : 0), v.status,
	    health_name(v.health), v.vectors ? v.vectors : "");
	note(now, 'r', m->repo_uri, stamp, a);
	return stamp;
}

/* A group moves with its tables and its members. */
static void note_group(struct coordinator *co, struct map *now, const struct group_row *g, struct arena *a)
{
	struct tables t = { 0 };
	struct err e = { 0 };
	struct buf b = { 0 };

	if (!tables_get(co->registry, g->name, &t, a, &e))
		buf_printf(&b, "%s %s", t.synced_at ? t.synced_at : "", t.digest ? t.digest : "");
	for (size_t i = 0; i < g->members.n; i++) {
		char **stamp = (char **)map_at(now, arena_printf(a, "r%s", g->members.v[i]));
		buf_printf(&b, " %s %s", g->members.v[i], *stamp ? *stamp : "");
		if (!*stamp)
			note(now, 'r', g->members.v[i], "", a);
	}
	note(now, 'g', g->name, b.p ? b.p : "", a);
	buf_free(&b);
}

static struct map *look(struct coordinator *co, struct arena *a)
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
		note_group(co, now, &groups[i], a);
	return now;
}

void news_free(struct mcp *m)
{
	for (size_t i = 0; m->seen && i < map_len(m->seen); i++)
		free(map_val(m->seen, i));
	map_free(m->seen);
	m->seen = NULL;
}

static void compare(struct coordinator *co, const struct map *before, const struct map *now)
{
	bool others = map_len(before) != map_len(now);

	for (size_t i = 0; i < map_len(now); i++) {
		const char *key = map_key(now, i), *old = map_get(before, key);
		if (!old)
			others = true;
		else if (strcmp(old, map_val(now, i)))
			(*key == 'r' ? resource_repo_changed : resource_group_changed)(co, key + 1);
	}
	if (others)
		resource_list_changed(co);
}

void mcp_begin(struct mcp *m)
{
	atomic_store(&m->begun, true);
}

static bool heard(struct mcp *m)
{
	pthread_mutex_lock(&m->lock);
	bool any = m->listeners != NULL;
	pthread_mutex_unlock(&m->lock);
	return any;
}

void mcp_tick(struct coordinator *co)
{
	if (!atomic_load(&co->mcp->begun))
		return;
	if (co->mcp->seen && !heard(co->mcp))	/* who comes next hears, once, of what has moved since */
		return;
	struct arena *a = arena_new();
	struct map *now = look(co, a);

	if (co->mcp->seen)
		compare(co, co->mcp->seen, now);
	news_free(co->mcp);
	co->mcp->seen = now;
	arena_free(a);
}
