#include "coordinator/contracts/contract_tables_build.h"

#include <stdlib.h>

#include "coordinator/base/options.h"
#include "coordinator/calls/call.h"
#include "coordinator/contracts/declaration_notes.h"
#include "coordinator/contracts/operator_routing.h"
#include "coordinator/contracts/repo_links.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/record/codec.h"

static void add_row(struct table_rows *t, struct table_row row, const struct record *rec,
    const void *r, struct arena *a)
{
	struct buf b = { 0 };

	codec_put(rec, r, &b);
	row.row = (struct bytes){ arena_strn(a, b.p, b.n), b.n };
	t->v = grow(t->v, &t->cap, t->n + 1, sizeof *t->v);
	t->v[t->n++] = row;
	buf_free(&b);
}

static void contract_rows(const struct match_result *m, struct table_rows *out, struct arena *a)
{
	for (size_t i = 0; i < m->contracts.n; i++) {
		const struct contract *x = &m->contracts.v[i];
		add_row(out,
		    (struct table_row){ .list = "contract",
		        .what = x->kind,
		        .producer = x->producer,
		        .consumer = x->consumer,
		        .confidence = x->confidence },
		    &rec_contract, x, a);
	}
	for (size_t i = 0; i < m->unresolved.n; i++) {
		const struct unresolved *x = &m->unresolved.v[i];
		add_row(out,
		    (struct table_row){ .list = "unresolved",
		        .what = x->kind,
		        .consumer = x->consumer,
		        .reason = x->reason },
		    &rec_unresolved, x, a);
	}
	for (size_t i = 0; i < m->idle.n; i++) {
		const struct idle_producer *x = &m->idle.v[i];
		add_row(out, (struct table_row){ .list = "idle", .what = x->kind, .producer = x->producer },
		    &rec_idle_producer, x, a);
	}
}

static void link_rows(const struct match_result *m, const struct match_member *members,
    size_t n_members, struct table_rows *out, struct arena *a)
{
	size_t n;
	struct link *v = repo_links_build(m, members, n_members, a, &n);

	for (size_t i = 0; i < n; i++) {
		struct end *ends = arena_many(a, 2, struct end);
		ends[0].repo_uri = v[i].target_repo_uri;
		ends[1].repo_uri = v[i].source_repo_uri;
		add_row(out,
		    (struct table_row){ .what = v[i].relation,
		        .producer = &ends[0],
		        .consumer = &ends[1],
		        .confidence = v[i].confidence },
		    &rec_link, &v[i], a);
	}
}

/* What a build puts into the registry. */
struct new_tables {
	struct table_rows contracts, links;
	struct tables_origin origin;
};

static int make_rows(struct call *c, struct match_member *m, size_t n, struct new_tables *t,
    struct departed_links *departed)
{
	struct operator_routing routing;
	struct match_result out;
	size_t all = n;

	if (operator_routing_read(c->o->routing, c->a, &routing, &c->e))
		return -1;
	operator_routing_apply(&routing, m, &all, c->a);
	match(m, all, c->a, &out);
	contract_rows(&out, &t->contracts, c->a);
	link_rows(&out, m, n, &t->links, c->a);
	t->origin.notes = declaration_notes_encode(c, &out, &routing);
	t->origin.rules = MATCH_RULES;
	departed_links_find(&out, c->a, departed);
	match_result_free(&out);
	return 0;
}

int tables_build(struct call *c, struct match_member *m, const struct synced_member *synced,
    size_t n, struct registry *r, const char *name, struct tables_build_result *out)
{
	struct new_tables t = { 0 };
	char now[CLOCK_ISO];

	departed_links_read(r, name, c->a, &out->departed);
	if (make_rows(c, m, n, &t, &out->departed))
		return -1;
	clock_iso(now);
	int rc = tables_put(
	    r, name, &t.contracts, &t.links, synced, n, &t.origin, now, &out->changed, &c->e);
	if (!rc)
		rc = declaration_notes_read(c, t.origin.notes, &out->notes, &out->nnotes);
	if (!rc)
		departed_links_log(name, &out->departed);
	out->contracts = t.contracts.n;
	out->links = t.links.n;
	out->at = arena_str(c->a, now);
	free(t.contracts.v);
	free(t.links.v);
	return rc;
}
