/* explain_link: why one repository of a group is linked to another, or is not. */
#include <string.h>

#include "coordinator/base/options.h"
#include "coordinator/base/page_cursor.h"
#include "coordinator/calls/resolve_repo.h"
#include "coordinator/calls/shared_views.h"
#include "coordinator/contracts/group_sync.h"
#include "coordinator/contracts/link_explanation.h"
#include "coordinator/contracts/operator_routing.h"
#include "coordinator/contracts/tables_freshness.h"
#include "coordinator/members/members.h"
#include "coordinator/tools/tool_contracts.h"
#include "coordinator/tools/tool_table.h"
#include "proto/base/arena.h"
#include "proto/base/minmax.h"
#include "proto/base/optional_text.h"
#include "proto/record/codec.h"

/* The part of a call's time that matching may take, in percent: the rest is for the answer. */
enum { MATCHING_PERCENT = 80 };

struct explain_call {
	const struct member *from, *to; /* to: NULL for any */
	const char *group;
};

/* ---- the group ---- */

static bool contains(const struct group_row *g, const struct member *m)
{
	for (size_t i = 0; i < g->members.n; i++)
		if (!strcmp(g->members.v[i], m->repo_uri))
			return true;
	return false;
}

static int not_together(struct call *c, const struct explain_call *x)
{
	if (!x->to) {
		err_set(&c->e, ERR_NOT_FOUND, "no group contains `%.100s`", x->from->name);
		return err_hint(&c->e, "Links exist only within a group: `atoll group add NAME REPO...`.");
	}
	err_set(&c->e, ERR_NOT_FOUND, "no group contains both `%.100s` and `%.100s`", x->from->name,
	    x->to->name);
	return err_hint(&c->e, "Links exist only within a group: `atoll group add NAME REPO...`.");
}

static int check_members(struct call *c, const struct explain_call *x, const struct group_row *g)
{
	const struct member *missing = NULL;

	if (!contains(g, x->from))
		missing = x->from;
	else if (x->to && !contains(g, x->to))
		missing = x->to;
	if (!missing)
		return 0;
	err_set(&c->e, ERR_NOT_FOUND, "`%.100s` is not in group `%.80s`", missing->name, g->name);
	return err_hint(&c->e, "`atoll group add %.80s REPO...` adds it.", g->name);
}

/* The named group, or the first that contains both. */
static int find_group(struct call *c, const char *named, struct explain_call *x)
{
	struct group_row g, *v;
	size_t n;

	if (text_is_set(named)) {
		x->group = named;
		return view_group(c, named, &g) || check_members(c, x, &g) ? -1 : 0;
	}
	if (view_groups(c, &v, &n))
		return -1;
	for (size_t i = 0; i < n && !x->group; i++)
		if (contains(&v[i], x->from) && (!x->to || contains(&v[i], x->to)))
			x->group = v[i].name;
	if (!x->group)
		return not_together(c, x);
	return 0;
}

/* ---- facts ---- */

/* The members with their facts, and what the operator's table says of them. */
static int read_facts(
    struct call *c, const struct scoped_tables *s, struct match_member **m, size_t *n)
{
	struct operator_routing routing;

	*n = s->members.n;
	*m = arena_many(c->a, *n + 1, struct match_member);
	for (size_t i = 0; i < *n; i++) {
		const struct member *x = s->members.v[i];
		struct contracts_res *facts = arena_one(c->a, struct contracts_res);
		const char *version;
		if (tables_facts_read(c->registry, x->repo_uri, &version, facts, c->a, &c->e))
			return -1;
		(*m)[i] = (struct match_member){ x->repo_uri, x->name, facts };
	}
	if (operator_routing_read(c->o->routing, c->a, &routing, &c->e))
		return -1;
	operator_routing_apply(&routing, *m, n, c->a);
	return 0;
}

/* Why a repository's facts are not in the tables, or NULL. */
static const char *lacks(struct call *c, const struct coverage *cov, const struct member *m)
{
	for (size_t i = 0; m && i < cov->failed.n; i++) {
		const struct failed_member *f = &cov->failed.v[i];
		bool none = !strcmp(f->code, "NO_INDEX") || !strcmp(f->code, "NOT_FOUND");
		if (none && !strcmp(f->repo_uri, m->repo_uri))
			return arena_printf(c->a, "%s: %s", m->name, f->message);
	}
	return NULL;
}

/* Why a repository's facts may be outdated, or NULL. */
static const char *stale(struct call *c, const struct coverage *cov, const struct member *m)
{
	for (size_t i = 0; m && i < cov->stale.n; i++) {
		const struct stale_member *s = &cov->stale.v[i];
		if (strcmp(s->repo_uri, m->repo_uri))
			continue;
		if (s->behind > 0)
			return arena_printf(c->a, "the index of %s is %lld commits behind its default branch",
			    m->name, (long long)s->behind);
		return arena_printf(
		    c->a, "%s has changed since the contracts were built: run group_sync", m->name);
	}
	return NULL;
}

/* Whether the repository's index leaves out the file that the question names, and why. */
static const char *left_out(struct call *c, const struct member *m, const char *path)
{
	struct member_view v;

	members_view(c->members, m, &v, c->a);
	for (size_t i = 0; text_is_set(path) && i < v.counts.quarantined.n; i++) {
		const char *file = v.counts.quarantined.v[i];
		size_t n = strlen(file);
		if (!strncmp(path, file, n) && (!path[n] || path[n] == ':'))
			return arena_printf(
			    c->a, "%s leaves out %s because it crashed the indexing", m->name, file);
	}
	return NULL;
}

/* ---- the answer ---- */

/* Packages and documents that join the two. */
static int read_links(struct call *c, const struct scoped_tables *s, const struct explain_call *x,
    struct link **v, size_t *n)
{
	static const char *relations[] = { "depends_on_package", "references_doc" };
	const t_strs what = { relations, 2 };
	const struct explain_link_in *in = c->in;
	struct table_filter f = { .links = true, .what = &what, .consumer = x->from->repo_uri };
	struct table_page p;

	*n = 0;
	if (!x->to || text_is_set(in->method) || text_is_set(in->path))
		return 0;
	f.producer = x->to->repo_uri;
	if (scoped_tables_page(c, s, &f, &p))
		return -1;
	*v = arena_many(c->a, p.rows.n, struct link);
	for (; *n < p.rows.n; ++*n)
		if (codec_get(&rec_link, &(*v)[*n], p.rows.v[*n].row.p, p.rows.v[*n].row.n, c->a, &c->e))
			return err_set(
			    &c->e, ERR_DB_ERROR, "a row of the link table cannot be read; run group_sync");
	return 0;
}

/* Which rows of a list, which begins at `first` of the stream, are on the page. */
struct page_part {
	size_t skip, n;
};

static struct page_part page_part(size_t first, size_t n, size_t from, size_t limit)
{
	size_t begin = MAX(from, first), end = MIN(from + limit, first + n);

	if (begin >= end)
		return (struct page_part){ 0 };
	return (struct page_part){ begin - first, end - begin };
}

static void put_lists(struct explain_link_out *out, struct link_explanation *e, struct link *links,
    size_t nlinks, size_t from, size_t limit)
{
	struct page_part contracts = page_part(0, e->ncontracts, from, limit);
	struct page_part joined = page_part(e->ncontracts, nlinks, from, limit);

	out->contracts.v = e->contracts + contracts.skip;
	out->contracts.n = contracts.n;
	out->links.v = links;
	out->links.n = joined.n;
	if (joined.n)
		out->links.v += joined.skip;
	out->missing.v = e->missing;
	out->missing.n = e->nmissing;
	out->total = e->ncontracts + nlinks + e->all_missing;
	if (from)
		return;
	out->problems.v = e->problems;
	out->problems.n = e->nproblems;
}

static int explain(struct call *c, const struct scoped_tables *s)
{
	const struct explain_link_in *in = c->in;
	const struct explain_call *x = c->state;
	struct explain_link_out *out = c->out;
	struct link_explanation e;
	struct match_member *m;
	struct link *links = NULL;
	const char *to = NULL;
	size_t n, nlinks, from;
	const char *list = cursor_fingerprint(c->tool->in, c->in, s->t.digest, c->a);

	if (cursor_read(in->cursor, list, &from, &c->e) || read_links(c, s, x, &links, &nlinks) ||
	    read_facts(c, s, &m, &n))
		return -1;
	out->complete = tables_coverage(c, &s->t, &out->coverage);
	tables_note_partial(c, &s->t);
	if (x->to)
		to = x->to->repo_uri;
	const struct link_question q = {
		.from = x->from->repo_uri,
		.to = to,
		.method = text_or_null(in->method),
		.path = text_or_null(in->path),
		.from_lacks = text_or(lacks(c, out->coverage, x->from), left_out(c, x->from, in->path)),
		.to_lacks = lacks(c, out->coverage, x->to),
		.from_stale = stale(c, out->coverage, x->from),
		.to_stale = stale(c, out->coverage, x->to),
		.joined = nlinks,
		.from_row = from,
		.limit = in->limit,
		.deadline_ms = c->start_ms + (c->deadline_ms - c->start_ms) * MATCHING_PERCENT / 100,
	};
	link_explain(m, n, &q, c->a, &e);
	put_lists(out, &e, links, nlinks, from, in->limit);
	if (from + in->limit < out->total)
		out->next_cursor = cursor_make(list, from + in->limit, 0, c->a);
	out->group = x->group;
	out->from = q.from;
	out->to = q.to;
	out->linked = e.ncontracts || nlinks;
	out->step = e.step;
	out->why = e.why;
	out->synced_at = s->t.synced_at;
	out->complete = out->complete && !e.stopped;
	out->took_ms = view_elapsed_ms(c);
	return 0;
}

static void built(struct call *c, struct group_sync *s)
{
	c->state = s->outer;
	if (c->e.code)
		call_end(c);
	else
		tool_show_tables(c, s->group, explain, NULL);
}

static int check_question(struct call *c, const struct explain_link_in *in)
{
	if (text_is_set(in->to) || text_is_set(in->path))
		return 0;
	err_set(&c->e, ERR_INVALID_INPUT, "neither `to` nor `path` is given");
	return err_hint(&c->e,
	    "Name the repository that should serve (`to`), or the call (`path`: its path, FILE or"
	    " FILE:LINE).");
}

void tool_explain_link(struct call *c)
{
	const struct explain_link_in *in = c->in;
	struct explain_call *x = arena_one(c->a, struct explain_call);

	c->state = x;
	if (check_question(c, in) || !(x->from = resolve_repo_name(c, in->from))) {
		call_end(c);
		return;
	}
	if (text_is_set(in->to) && !(x->to = resolve_repo_name(c, in->to))) {
		call_end(c);
		return;
	}
	if (find_group(c, in->group, x))
		call_end(c);
	else
		tool_show_tables(c, x->group, explain, built);
}
