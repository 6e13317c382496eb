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

static int make_rows(struct call *c, struct match_member *m, size_t n, struct table_rows *contracts,
    struct table_rows *links, struct tables_origin *origin)
{
	struct operator_routing routing;
	struct match_result out;
	size_t all = n;

	if (operator_routing_read(c->o->routing, c->a, &routing, &c->e))
		return -1;
	operator_routing_apply(&routing, m, &all, c->a);
	match(m, all, c->a, &out);
	contract_rows(&out, contracts, c->a);
	link_rows(&out, m, n, links, c->a);
	origin->notes = declaration_notes_encode(c, &out, &routing);
	origin->rules = MATCH_RULES;
	match_result_free(&out);
	return 0;
}

int tables_build(struct call *c, struct match_member *m, const struct synced_member *synced,
    size_t n, struct registry *r, const char *name, struct tables_build_result *out)
{
	struct table_rows contracts = { 0 }, links = { 0 };
	struct tables_origin origin = { 0 };
	char now[CLOCK_ISO];

	if (make_rows(c, m, n, &contracts, &links, &origin))
		return -1;
	clock_iso(now);
	int rc = tables_put(r, name, &contracts, &links, synced, n, &origin, now, &out->changed, &c->e);
	if (!rc)
		rc = declaration_notes_read(c, origin.notes, &out->notes, &out->nnotes);
	out->contracts = contracts.n;
	out->links = links.n;
	out->at = arena_str(c->a, now);
	free(contracts.v);
	free(links.v);
	return rc;
}
