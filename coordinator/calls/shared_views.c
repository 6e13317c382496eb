#include "coordinator/calls/shared_views.h"

#include <string.h>

#include "coordinator/auth/caller.h"
#include "coordinator/base/options.h"
#include "coordinator/members/members.h"
#include "coordinator/registry/build_policy.h"
#include "coordinator/registry/groups.h"
#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/process/suggest.h"

int view_indexing(
    struct call *c, const struct member *m, const char *status, struct index_state **out)
{
	struct index_state *x = *out = arena_one(c->a, struct index_state);
	bool ready = !strcmp(status, "ready");

	if (index_state_get(c->registry, m->repo_uri, c->o->index_max_age, x, c->a, &c->e))
		return -1;
	if (!ready || !strcmp(x->status, "pending"))
		x->status = status;
	return 0;
}

const char *view_time(int64_t real_ms, struct arena *a)
{
	char *iso = arena_get(a, CLOCK_ISO, 1);

	if (!real_ms)
		return NULL;
	clock_iso_at(real_ms, iso);
	return iso;
}

const char *view_atoll_yaml_fault(const struct status_res *s)
{
	for (size_t i = 0; i < s->skipped.n; i++)
		if (!strncmp(s->skipped.v[i].name, "atoll.y", 7))
			return s->skipped.v[i].name;
	return NULL;
}

/* What the ingest does; "count" while the numbers of a ready index are being counted. */
static const char *phase_of(const struct member_view *v)
{
	bool counted = v->counted && !v->counting;

	if (counted || strcmp(v->status, "ready"))
		return v->phase;
	return "count";
}

int view_repo(struct call *c, const struct member *m, struct repo_row *r)
{
	struct member_view v;

	members_view(c->members, m, &v, c->a);
	*r = (struct repo_row){
		.name = m->name,
		.repo_uri = m->repo_uri,
		.default_branch = v.default_branch,
		.visibility = v.visibility,
		.status = v.status,
		.health = health_name(v.health),
		.reason = v.reason,
		.atoll_yaml = view_atoll_yaml_fault(&v.counts),
		.since = view_time(v.since, c->a),
		.conflict = v.conflict,
		.files = v.counts.files,
		.symbols = v.counts.symbols,
		.vectors = v.vectors,
		.vectors_reason = v.vectors_error,
		.sandbox_lacks = v.sandbox_missing,
		.done = v.amount.done,
		.total = v.amount.total,
		.phase = phase_of(&v),
		.bytes_done = v.amount.bytes,
		.bytes_total = v.amount.total_bytes,
		.source = v.source,
		.collection = m->collection,
		.freshness = (struct freshness *)v.stamp,
	};
	if (view_indexing(c, m, r->status, &r->indexing))
		return -1;
	return groups_of(c->registry, m->repo_uri, &r->groups, c->a, &c->e);
}

/* Keep only the visible members; whether the caller may know of the group. */
static bool keep_visible(struct call *c, struct group_row *g)
{
	size_t k = 0;

	for (size_t i = 0; i < g->members.n; i++)
		if (members_get(c->members, c->caller, g->members.v[i]))
			g->members.v[k++] = g->members.v[i];
	g->members.n = k;
	return k || caller_knows_group(c->caller, g->name);
}

int view_groups(struct call *c, struct group_row **v, size_t *n)
{
	size_t all, k = 0;

	if (groups_all(c->registry, v, &all, c->a, &c->e))
		return -1;
	for (size_t i = 0; i < all; i++)
		if (keep_visible(c, &(*v)[i]))
			(*v)[k++] = (*v)[i];
	*n = k;
	return 0;
}

/* Fail with NOT_FOUND.  `v` are the groups that the caller may know of. */
static int no_group(struct call *c, const char *name, const struct group_row *v, size_t n)
{
	const char **names = arena_many(c->a, n, const char *);

	for (size_t i = 0; i < n; i++)
		names[i] = v[i].name;
	const char *near = suggest_names(name, names, n, c->a);
	err_set(
	    &c->e, ERR_NOT_FOUND, "group `%.80s` does not exist%s", name, suggest_phrase(near, c->a));
	return err_hint(&c->e,
	    "Run `atoll group list` to see the groups;"
	    " `atoll group create NAME REPO...` creates one.");
}

/* A hidden group takes as long as a missing one: in both cases each group is checked once. */
static int find_group(struct call *c, const char *name, struct group_row *g)
{
	struct group_row *v;
	size_t n, k = 0, at = 0;

	if (groups_all(c->registry, &v, &n, c->a, &c->e))
		return -1;
	while (at < n && strcmp(v[at].name, name))
		at++;
	if (at < n && keep_visible(c, &v[at])) {
		*g = v[at];
		return 0;
	}
	for (size_t i = 0; i < n; i++)
		if (i != at && keep_visible(c, &v[i]))
			v[k++] = v[i];
	return no_group(c, name, v, k);
}

int view_group(struct call *c, const char *name, struct group_row *g)
{
	struct group_row *v;
	size_t n;

	if (!c->caller->everything)
		return find_group(c, name, g);
	if (!groups_get(c->registry, name, g, c->a, &c->e)) {
		keep_visible(c, g);
		return 0;
	}
	if (c->e.code != ERR_NOT_FOUND || view_groups(c, &v, &n))
		return -1;
	return no_group(c, name, v, n);
}

bool view_is_in_group(const struct group_row *g, const struct member *m)
{
	for (size_t i = 0; i < g->members.n; i++)
		if (!strcmp(g->members.v[i], m->repo_uri))
			return true;
	return false;
}

int view_group_with(struct call *c, const char *name, const struct member *m, struct group_row *g)
{
	if (view_group(c, name, g))
		return -1;
	if (view_is_in_group(g, m))
		return 0;
	err_set(&c->e, ERR_NOT_FOUND, "`%.100s` is not in group `%.80s`", m->name, name);
	return err_hint(&c->e, "`atoll group add %.80s REPO...` adds it.", name);
}

uint64_t view_elapsed_ms(const struct call *c)
{
	return (uint64_t)(clock_ms() - c->start_ms);
}

static size_t size_of(const struct field *f)
{
	static const size_t sizes[] = {
		[T_str] = sizeof(t_str),
		[T_json] = sizeof(t_json),
		[T_u64] = sizeof(t_u64),
		[T_i64] = sizeof(t_i64),
		[T_f64] = sizeof(t_f64),
		[T_flag] = sizeof(t_flag),
		[T_bytes] = sizeof(t_bytes),
		[T_strs] = sizeof(t_strs),
		[T_sub] = sizeof(void *),
		[T_list] = sizeof(struct any_list),
	};

	return sizes[f->type];
}

void view_copy(const struct record *from, const void *answer, const struct record *to, void *result)
{
	for (size_t i = 0; i < to->nfields; i++)
		for (size_t k = 0; k < from->nfields; k++) {
			const struct field *t = &to->fields[i], *f = &from->fields[k];
			if (!strcmp(t->name, f->name) && t->type == f->type && t->of == f->of)
				memcpy((char *)result + t->off, (const char *)answer + f->off, size_of(f));
		}
}
