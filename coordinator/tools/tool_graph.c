/* repo_graph: the repositories of a group and how they depend on each other. */
#include "coordinator/base/options.h"
#include "coordinator/calls/fanout.h"
#include "coordinator/calls/resolve_repo.h"
#include "coordinator/calls/shared_views.h"
#include "coordinator/contracts/group_sync.h"
#include "coordinator/contracts/links/repo_graph.h"
#include "coordinator/contracts/symbol_uses.h"
#include "coordinator/contracts/tables_freshness.h"
#include "coordinator/members/members.h"
#include "coordinator/tools/tool_contracts.h"
#include "coordinator/tools/tool_table.h"
#include "proto/base/arena.h"

enum { OWNERS = 3 };

static void with_owners(struct call *c, struct fanout *f)
{
	struct repo_graph_out *out = c->out;

	for (size_t i = 0; i < f->n; i++) {
		const struct owners_res *r = f->v[i].res;
		if (f->v[i].e.code)
			continue;
		out->repos.v[i].owners.v = r->owners.v;
		out->repos.v[i].owners.n = r->owners.n;
	}
	out->took_ms = view_elapsed_ms(c);
	call_end(c);
}

/* Ask for owners; a repository whose shard does not answer gets none. */
static int ask_owners(struct call *c)
{
	struct repo_graph_out *out = c->out;
	struct member **m = arena_many(c->a, out->repos.n + 1, struct member *);
	struct owners_req *q = arena_one(c->a, struct owners_req);

	*q = (struct owners_req){ "", OWNERS };
	for (size_t i = 0; i < out->repos.n; i++)
		m[i] = members_get(c->members, c->caller, out->repos.v[i].repo_uri);
	fanout(c, m, out->repos.n, RPC_owners, q, NULL, (int)c->o->search_deadline_ms, with_owners);
	return 1;
}

static int show(struct call *c, const struct scoped_tables *s)
{
	const struct repo_graph_in *in = c->in;
	struct repo_graph_out *out = c->out;
	const struct table_filter f = { .links = true, .confidence = in->min_confidence };
	struct table_matrix pairs;
	struct resolved_repos p;

	if (resolve_group(c, in->group, &p) || scoped_tables_link_pairs(c, s, &f, &pairs))
		return -1;
	if (symbol_uses_count(c, s, &pairs))
		return -1;
	struct repo_node *nodes = arena_many(c->a, p.n + 1, struct repo_node);
	for (size_t i = 0; i < p.n; i++)
		nodes[i] = (struct repo_node){ .repo_uri = p.v[i]->repo_uri, .name = p.v[i]->name };
	repo_graph_build(nodes, p.n, pairs.pairs, pairs.npairs, c->a, out);
	out->group = in->group;
	out->synced_at = s->t.synced_at;
	out->complete = tables_coverage(c, &s->t, &out->coverage);
	tables_note_partial(c, &s->t);
	out->took_ms = view_elapsed_ms(c);
	if (in->owners && p.n)
		return ask_owners(c);
	return 0;
}

static void built(struct call *c, struct group_sync *s)
{
	if (c->e.code)
		call_end(c);
	else
		tool_show_tables(c, s->group, show, NULL);
}

void tool_repo_graph(struct call *c)
{
	const struct repo_graph_in *in = c->in;

	tool_show_tables(c, in->group, show, built);
}
