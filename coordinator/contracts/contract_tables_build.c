#include "coordinator/contracts/contract_tables_build.h"

#include <stdlib.h>
#include <string.h>

#include "coordinator/base/options.h"
#include "coordinator/calls/call.h"
#include "coordinator/calls/context.h"
#include "coordinator/contracts/declaration_notes.h"
#include "coordinator/contracts/matching/match_memory.h"
#include "coordinator/contracts/operator_routing.h"
#include "coordinator/contracts/recent_matches.h"
#include "coordinator/contracts/links/repo_links.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
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

/* The rows that are in the tables, if a memory was left with them. */
struct last_match {
	struct match_memory *memory;
	struct match_result rows;
	bool known;
};

static int read_rows(
    const struct table_page *p, struct match_result *out, struct arena *a, struct err *e)
{
	out->contracts.v = arena_many(a, p->rows.n, struct contract);
	out->unresolved.v = arena_many(a, p->rows.n, struct unresolved);
	for (size_t i = 0; i < p->rows.n; i++) {
		const struct table_row *r = &p->rows.v[i];
		const struct record *rec = NULL;
		void *row = NULL;
		if (!strcmp(r->list, "contract")) {
			rec = &rec_contract;
			row = &out->contracts.v[out->contracts.n++];
		} else if (!strcmp(r->list, "unresolved")) {
			rec = &rec_unresolved;
			row = &out->unresolved.v[out->unresolved.n++];
		}
		if (rec && codec_get(rec, row, r->row.p, r->row.n, a, e))
			return -1;
	}
	return 0;
}

/* Find what the last match left; nothing if the tables are not its own or cannot be read. */
static struct last_match last_match(struct call *c, struct registry *r, const char *name)
{
	static const struct table_filter all;
	struct last_match m = { 0 };
	struct tables_info t;
	struct table_page p;
	struct err e = { 0 };

	if (!tables_get(r, name, &t, c->a, &e))
		m.memory = recent_matches_take(c->co->recent_matches, name, t.digest);
	if (m.memory)
		m.known = !tables_page(r, name, &all, &p, c->a, &e) && p.digest &&
		    !strcmp(p.digest, t.digest) && !read_rows(&p, &m.rows, c->a, &e);
	if (!m.memory)
		m.memory = match_memory_new();
	return m;
}

static int make_rows(struct call *c, struct match_member *m, size_t n, struct last_match *last,
    struct new_tables *t, struct departed_links *departed)
{
	struct operator_routing routing;
	struct match_result out;
	size_t all = n;

	if (operator_routing_read(c->o->routing, c->a, &routing, &c->e))
		return -1;
	operator_routing_apply(&routing, m, &all, c->a);
	match_again(last->memory, last->known ? &last->rows : NULL, m, all, c->a, &out);
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
	struct last_match last = last_match(c, r, name);
	struct new_tables t = { 0 };
	struct tables_change change;
	char now[CLOCK_ISO];

	departed_links_read(r, name, c->a, &out->departed);
	clock_iso(now);
	int rc = make_rows(c, m, n, &last, &t, &out->departed);
	if (!rc)
		rc = tables_put(r, name, &t.contracts, &t.links, synced, n, &t.origin, now, &change, &c->e);
	free(t.contracts.v);
	free(t.links.v);
	if (rc) {
		match_memory_free(last.memory);
		return rc;
	}
	recent_matches_leave(c->co->recent_matches, name, change.digest, last.memory);
	rc = declaration_notes_read(c, t.origin.notes, &out->notes, &out->nnotes);
	if (!rc)
		departed_links_log(name, &out->departed);
	out->changed = change.changed;
	out->contracts = t.contracts.n;
	out->links = t.links.n;
	out->at = arena_str(c->a, now);
	return rc;
}
