/*
 * Groups are read from a copy in memory, which is loaded again after the registry has been
 * written.  Every request to a group reads one, so it waits neither for SQLite nor for a writer of
 * contracts.
 */
#include <stdlib.h>
#include <string.h>

#include "coordinator/registry/groups.h"
#include "coordinator/registry/registry_internal.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/db/db.h"

struct groups_cache {
	uint64_t version;		/* the registry's version before the copy was read */
	struct arena *a;
	struct group_row *v;		/* by name, members by repo_uri */
	size_t n, cap;
};

void groups_cache_free(struct groups_cache *g)
{
	if (!g)
		return;
	free(g->v);
	arena_free(g->a);
	free(g);
}

/* A row is a member of a group, or a group without any. */
static void add_row(struct groups_cache *g, struct stmt *s)
{
	struct group_row *last = NULL;

	if (g->n)
		last = &g->v[g->n - 1];
	if (!last || strcmp(last->name, db_str(s, 0)) != 0) {
		g->v = grow(g->v, &g->cap, g->n + 1, sizeof *g->v);
		last = &g->v[g->n++];
		*last = (struct group_row){ .name = arena_str(g->a, db_str(s, 0)),
			.description = db_copy_text(s, 1, g->a),
			.members.v = arena_many(g->a, (size_t)db_int(s, 3), const char *) };
	}
	if (!db_null(s, 2))
		last->members.v[last->members.n++] = arena_str(g->a, db_str(s, 2));
}

static struct groups_cache *load(struct registry *r, struct err *e)
{
	/* Read the version first, so that a write during the load makes the copy outdated. */
	uint64_t version = atomic_load(&r->version);
	struct stmt *s = db_prep(r->reader,
	    "select g.name, g.description, m.repo_uri, count(m.repo_uri) over (partition by g.name)"
	    " from groups g left join members m on m.grp = g.name order by g.name, m.repo_uri",
	    e);
	int rc;

	if (!s)
		return NULL;
	struct groups_cache *g = xcalloc(1, sizeof *g);
	g->version = version;
	g->a = arena_new();
	while ((rc = db_step(s, e)) == 1)
		add_row(g, s);
	if (!rc)
		return g;
	groups_cache_free(g);
	return NULL;
}

/* Returns the copy as of the last commit, locked until release(); NULL with `e`. */
static const struct groups_cache *hold(struct registry *r, struct err *e)
{
	pthread_mutex_lock(&r->read_lock);
	if (r->groups && r->groups->version == atomic_load(&r->version))
		return r->groups;
	groups_cache_free(r->groups);
	r->groups = load(r, e);
	if (!r->groups)
		pthread_mutex_unlock(&r->read_lock);
	return r->groups;
}

static void release(struct registry *r)
{
	pthread_mutex_unlock(&r->read_lock);
}

static void copy(const struct group_row *from, struct group_row *to, struct arena *a)
{
	*to = (struct group_row){
		.name = arena_str(a, from->name),
		.description = arena_str(a, from->description),
		.members = { arena_many(a, from->members.n, const char *), from->members.n },
	};
	for (size_t i = 0; i < from->members.n; i++)
		to->members.v[i] = arena_str(a, from->members.v[i]);
}

int groups_all(struct registry *r, struct group_row **v, size_t *n, struct arena *a, struct err *e)
{
	const struct groups_cache *g = hold(r, e);

	if (!g)
		return -1;
	*n = g->n;
	*v = arena_many(a, g->n, struct group_row);
	for (size_t i = 0; i < g->n; i++)
		copy(&g->v[i], &(*v)[i], a);
	release(r);
	return 0;
}

int groups_get(
    struct registry *r, const char *name, struct group_row *out, struct arena *a, struct err *e)
{
	const struct groups_cache *g = hold(r, e);
	size_t i = 0;

	if (!g)
		return -1;
	while (i < g->n && strcmp(g->v[i].name, name))
		i++;
	bool found = i < g->n;
	if (found)
		copy(&g->v[i], out, a);
	release(r);
	if (found)
		return 0;
	return err_set(e, ERR_NOT_FOUND, "no group `%.80s`", name);
}

static int by_text(const void *key, const void *item)
{
	return strcmp(key, *(const char *const *)item);
}

int groups_of(struct registry *r, const char *repo_uri, t_strs *out, struct arena *a, struct err *e)
{
	const struct groups_cache *g = hold(r, e);

	if (!g)
		return -1;
	*out = (t_strs){ arena_many(a, g->n, const char *), 0 };
	for (size_t i = 0; i < g->n; i++)
		if (bsearch(repo_uri, g->v[i].members.v, g->v[i].members.n, sizeof(char *), by_text))
			out->v[out->n++] = arena_str(a, g->v[i].name);
	release(r);
	return 0;
}
