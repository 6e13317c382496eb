/* packages: which repositories use which versions of which packages. */
#include <string.h>

#include "coordinator/base/page_cursor.h"
#include "coordinator/calls/resolve_repo.h"
#include "coordinator/calls/shared_views.h"
#include "coordinator/contracts/group_sync.h"
#include "coordinator/contracts/tables_freshness.h"
#include "coordinator/inventory/package_inventory.h"
#include "coordinator/members/members.h"
#include "coordinator/tools/tool_table.h"
#include "proto/base/arena.h"
#include "proto/base/map.h"
#include "proto/base/optional_text.h"
#include "proto/record/codec.h"

/* The members whose manifests are asked for, and their facts. */
struct packages_call {
	const struct member *only; /* the repository that is asked about; NULL: all */
	struct member **v;
	size_t n;
	struct synced_member *synced; /* of each: the version of its facts */
	struct match_member *facts;
	size_t known; /* members with facts */
	const char *group; /* one that contains them; NULL: none does */
};

/* ---- the members ---- */

/* Add the members of a group that are not among the others yet. */
static void add_members(
    struct call *c, struct packages_call *x, const struct group_row *g, struct map *seen)
{
	struct member **v = arena_many(c->a, x->n + g->members.n + 1, struct member *);

	if (x->n)
		memcpy(v, x->v, x->n * sizeof *v);
	x->v = v;
	for (size_t i = 0; i < g->members.n; i++) {
		struct member *m = members_get(c->members, c->caller, g->members.v[i]);
		if (!m || map_get(seen, m->repo_uri))
			continue;
		*map_at(seen, m->repo_uri) = m;
		x->v[x->n++] = m;
	}
	if (!x->group)
		x->group = g->name;
}

/* The repository and all that are in a group with it. */
static int find_neighbors(struct call *c, struct packages_call *x, struct map *seen)
{
	struct group_row *groups;
	size_t n;

	if (view_groups(c, &groups, &n))
		return -1;
	for (size_t i = 0; i < n; i++)
		if (view_is_in_group(&groups[i], x->only))
			add_members(c, x, &groups[i], seen);
	if (x->n)
		return 0;
	const char *itself = x->only->repo_uri;
	add_members(c, x, &(struct group_row){ .members = { &itself, 1 } }, seen);
	return 0;
}

static int find_group(struct call *c, const char *group, struct packages_call *x, struct map *seen)
{
	struct group_row g;
	int rc;

	if (x->only)
		rc = view_group_with(c, group, x->only, &g);
	else
		rc = view_group(c, group, &g);
	if (rc)
		return -1;
	add_members(c, x, &g, seen);
	return 0;
}

static int find_members(struct call *c, struct packages_call *x)
{
	const struct packages_in *in = c->in;
	bool one = text_is_set(in->repo) || text_is_set(in->repo_uri) || !text_is_set(in->group);
	int rc;

	if (one) {
		x->only = resolve_repo(c, in->repo, in->repo_uri);
		if (!x->only)
			return -1;
	}
	struct map *seen = map_new();
	if (text_is_set(in->group))
		rc = find_group(c, in->group, x, seen);
	else
		rc = find_neighbors(c, x, seen);
	map_free(seen);
	return rc;
}

/* ---- their facts ---- */

/* The facts themselves are not decoded: they are far more than the packages. */
static int read_member(struct call *c, struct packages_call *x, size_t i, struct arena *own)
{
	struct contracts_res *facts = arena_one(c->a, struct contracts_res);
	struct member_packages found = { 0 };
	const char *version;
	struct bytes body;

	if (tables_facts_get(c->registry, x->v[i]->repo_uri, &version, &body, own, &c->e))
		return -1;
	x->synced[i] = (struct synced_member){ x->v[i]->repo_uri, arena_str(c->a, version) };
	x->facts[i] = (struct match_member){ .repo_uri = x->v[i]->repo_uri, .name = x->v[i]->name };
	if (!version)
		return 0;
	if (codec_get(&rec_member_packages, &found, body.p, body.n, c->a, &c->e))
		return -1;
	facts->packages.v = found.packages.v;
	facts->packages.n = found.packages.n;
	facts->uses.v = found.uses.v;
	facts->uses.n = found.uses.n;
	x->facts[i].facts = facts;
	x->known++;
	return 0;
}

static int read_facts(struct call *c, struct packages_call *x)
{
	struct arena *own = arena_new();
	int rc = 0;

	x->known = 0;
	x->synced = arena_many(c->a, x->n + 1, struct synced_member);
	x->facts = arena_many(c->a, x->n + 1, struct match_member);
	for (size_t i = 0; i < x->n && !rc; i++) {
		rc = read_member(c, x, i, own);
		arena_reset(own);
	}
	arena_free(own);
	return rc;
}

/* ---- the answer ---- */

/* What a cursor is for: the arguments, and the versions of all facts. */
static const char *list_of(struct call *c, const struct packages_call *x)
{
	struct crypto_hash *h = crypto_hash_new();
	char hex[SHA256_HEX];

	for (size_t i = 0; i < x->n; i++) {
		const char *version = text_or_empty(x->synced[i].version);
		crypto_hash_put(h, x->synced[i].repo_uri, strlen(x->synced[i].repo_uri) + 1);
		crypto_hash_put(h, version, strlen(version) + 1);
	}
	crypto_hash_end(h, hex);
	return cursor_fingerprint(c->tool->in, c->in, hex, c->a);
}

/* The repositories that the answer is about and whose manifests were read. */
static void put_repositories(struct call *c, const struct packages_call *x)
{
	struct packages_out *out = c->out;

	out->repositories.v = arena_many(c->a, x->n + 1, const char *);
	for (size_t i = 0; i < x->n; i++) {
		bool wanted = !x->only || x->only == x->v[i];
		if (wanted && x->synced[i].version)
			out->repositories.v[out->repositories.n++] = x->synced[i].repo_uri;
	}
}

static int put_page(struct call *c, const struct packages_call *x)
{
	const struct packages_in *in = c->in;
	struct packages_out *out = c->out;
	const struct inventory_filter filter = {
		.repo_uri = x->only ? x->only->repo_uri : NULL,
		.ecosystem = text_or_null(in->ecosystem),
		.name = text_or_null(in->name),
		.external = in->external,
	};
	const char *list = list_of(c, x);
	struct package_inventory all;
	size_t from;

	if (cursor_read(in->cursor, list, &from, &c->e))
		return -1;
	package_inventory_build(x->facts, x->n, &filter, c->a, &all);
	package_inventory_page(&all, from, in->limit, c->a, &out->packages.v, &out->packages.n);
	if (from + in->limit < all.places)
		out->next_cursor = cursor_make(list, from + in->limit, 0, c->a);
	if (!from)
		put_repositories(c, x);
	out->total = all.places;
	out->total_packages = all.n;
	out->total_external = all.external;
	return 0;
}

static void show(struct call *c, const struct packages_call *x)
{
	const struct packages_in *in = c->in;
	struct packages_out *out = c->out;
	const struct tables_info tables = { .members = x->synced, .nmembers = x->n };

	call_audit_repos(c, x->v, x->n);
	out->group = text_or_null(in->group);
	if (x->only)
		out->repo_uri = x->only->repo_uri;
	if (!put_page(c, x)) {
		out->complete = tables_coverage(c, &tables, &out->coverage);
		tables_note_partial(c, &tables);
		out->took_ms = view_elapsed_ms(c);
	}
	call_end(c);
}

static void with_sync(struct call *c, struct group_sync *s)
{
	struct packages_call *x = c->state = s->outer;

	if (c->e.code || read_facts(c, x))
		call_end(c);
	else
		show(c, x);
}

/* Manifests are only read of members of groups. */
static void no_group(struct call *c, const struct member *m)
{
	err_set(&c->e, ERR_NOT_FOUND, "no group contains `%.100s`", m->name);
	err_hint(&c->e, "Manifests of members of groups are read: `atoll group add NAME REPO...`.");
	call_end(c);
}

void tool_packages(struct call *c)
{
	struct packages_call *x = arena_one(c->a, struct packages_call);

	c->state = x;
	if (find_members(c, x) || read_facts(c, x))
		call_end(c);
	else if (x->known || !x->n)
		show(c, x);
	else if (x->group)
		group_sync_run(c, x->group, with_sync);
	else
		no_group(c, x->only);
}
