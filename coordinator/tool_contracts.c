/* group_sync, group_contracts, group_cross_repo_links: the tables that sync.h builds, read in pages. */
#include <stdlib.h>
#include <string.h>

#include "coordinator/coordinator.h"
#include "coordinator/current.h"
#include "coordinator/cursor.h"
#include "coordinator/members.h"
#include "coordinator/pick.h"
#include "coordinator/sync.h"
#include "coordinator/tables.h"
#include "coordinator/views.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/codec.h"

/* ---- group_sync ---- */

static void synced(struct call *c, struct sync *s)
{
	struct group_sync_out *out = c->out;

	*out = (struct group_sync_out){
		.group = s->group, .contracts_written = s->contracts, .links_written = s->links, .changed = s->changed,
		.synced_at = s->synced_at, .coverage = s->coverage, .complete = s->complete, .took_ms = view_took(c),
	};
	call_end(c);
}

void tool_group_sync(struct call *c)
{
	const struct group_in *in = c->in;
	struct picked p;

	if (pick_group(c, in->group, &p))
		call_end(c);
	else
		sync_run(c, in->group, synced);
}

/* ---- reading ---- */

/* Show the tables of a group, which are built first when they never were. */
static void read_tables(struct call *c, const char *group, bool links, int (*show)(struct call *, const struct tables *),
    void (*built)(struct call *, struct sync *))
{
	struct tables t;
	struct picked p;

	if (pick_group(c, group, &p) || tables_get(c->co->registry, group, links, &t, c->a, &c->e)) {
		call_end(c);
	} else if (!t.synced_at && built) {
		sync_run(c, group, built);
	} else {
		show(c, &t);
		call_end(c);
	}
}

static bool seen(struct call *c, const char *repo_uri)
{
	return members_get(c->co->members, c->caller, repo_uri) != NULL;
}

/* ---- group_contracts ---- */

/* A row of the stream, in one of its three forms. */
struct row {
	char list;	/* c, u or i */
	union {
		struct contract contract;
		struct unresolved unresolved;
		struct idle_producer idle;
	};
};

static int decode(const struct table_row *t, struct row *r, struct arena *a, struct err *e)
{
	static const struct { const char *list; const struct record *rec; } forms[] = {
		{ "contract", &rec_contract }, { "unresolved", &rec_unresolved }, { "idle", &rec_idle_producer },
	};
	size_t i = 0;

	while (strcmp(forms[i].list, t->list))	/* the table admits no other */
		i++;
	r->list = *t->list;
	if (codec_get(forms[i].rec, &r->contract, t->row.p, t->row.n, a, e))
		return err_set(e, ERR_DB_ERROR, "a row of the contract tables cannot be read; run group_sync");
	return 0;
}

static bool word_in(const t_strs *words, const char *w)
{
	size_t i = 0;

	while (i < words->n && strcmp(words->v[i], w))
		i++;
	return !words->n || i < words->n;
}

static bool end_fits(const struct group_contracts_in *in, const char *repo_uri, const struct end *e)
{
	return e && (!repo_uri || !strcmp(e->repo_uri, repo_uri)) &&
	    (!in->method || !strcmp(e->method, in->method) || !strcmp(e->method, "ANY")) &&
	    (!in->path || strstr(e->path, in->path));
}

static bool wanted(struct call *c, const struct row *r, const char *repo_uri)
{
	const struct group_contracts_in *in = c->in;
	const char *kind = r->list == 'c' ? r->contract.kind : r->list == 'u' ? r->unresolved.kind : r->idle.kind;
	const struct end *p = r->list == 'c' ? r->contract.producer : r->list == 'i' ? r->idle.producer : NULL;
	const struct end *q = r->list == 'c' ? r->contract.consumer : r->list == 'u' ? r->unresolved.consumer : NULL;

	if ((p && !seen(c, p->repo_uri)) || (q && !seen(c, q->repo_uri)) || !word_in(&in->kinds, kind))
		return false;
	return end_fits(in, repo_uri, p) || end_fits(in, repo_uri, q);
}

static void count(struct contract_totals *t, const struct row *r)
{
	t->contracts += r->list == 'c';
	t->unresolved += r->list == 'u';
	t->producers_without_consumers += r->list == 'i';
}

static void put_row(struct group_contracts_out *out, const struct row *r)
{
	if (r->list == 'c')
		out->contracts.v[out->contracts.n++] = r->contract;
	else if (r->list == 'u')
		out->unresolved.v[out->unresolved.n++] = r->unresolved;
	else
		out->producers_without_consumers.v[out->producers_without_consumers.n++] = r->idle;
}

static int fill(struct call *c, const struct tables *t, size_t from, const char *repo_uri, const char *list)
{
	const struct group_contracts_in *in = c->in;
	struct group_contracts_out *out = c->out;
	size_t at = 0;

	out->contracts.v = arena_many(c->a, in->limit, struct contract);
	out->unresolved.v = arena_many(c->a, in->limit, struct unresolved);
	out->producers_without_consumers.v = arena_many(c->a, in->limit, struct idle_producer);
	out->totals = arena_one(c->a, struct contract_totals);
	for (size_t i = 0; i < t->contracts.n; i++) {
		struct row r;
		if (decode(&t->contracts.v[i], &r, c->a, &c->e))
			return -1;
		if (!wanted(c, &r, repo_uri))
			continue;
		count(out->totals, &r);
		if (at >= from && at < from + in->limit)
			put_row(out, &r);
		at++;
	}
	if (from + in->limit < at)
		out->next_cursor = cursor_make(list, from + in->limit, 0, c->a);
	return 0;
}

static int show_contracts(struct call *c, const struct tables *t)
{
	const struct group_contracts_in *in = c->in;
	struct group_contracts_out *out = c->out;
	const char *repo_uri = NULL, *list = cursor_list(c->tool->in, in, t->digest, c->a);
	size_t from;

	if (cursor_read(in->cursor, list, &from, &c->e))
		return -1;
	if (in->repo_uri && *in->repo_uri) {
		struct member *m = pick_repo(c, NULL, in->repo_uri);
		if (!m)
			return -1;
		repo_uri = m->repo_uri;
	}
	out->group = in->group;
	out->synced_at = t->synced_at;
	out->complete = current_coverage(c, t, &out->coverage);
	int rc = fill(c, t, from, repo_uri, list);
	out->took_ms = view_took(c);
	return rc;
}

static void contracts_built(struct call *c, struct sync *s)
{
	if (c->e.code)
		call_end(c);
	else
		read_tables(c, s->group, false, show_contracts, NULL);
}

static int check_kinds(struct call *c, const t_strs *kinds)
{
	const char *names[] = {
#define CONTRACT(name, doc) #name,
#include "proto/kinds.def"
	};
	const t_strs known = { names, LEN(names) };

	for (size_t i = 0; i < kinds->n; i++)
		if (!word_in(&known, kinds->v[i]))
			return err_set(&c->e, ERR_INVALID_INPUT, "`kinds`: `%.40s` is none of http, grpc, topic", kinds->v[i]);
	return 0;
}

void tool_group_contracts(struct call *c)
{
	const struct group_contracts_in *in = c->in;

	if (check_kinds(c, &in->kinds))
		call_end(c);
	else
		read_tables(c, in->group, false, show_contracts, contracts_built);
}

/* ---- group_cross_repo_links ---- */

static int show_links(struct call *c, const struct tables *t)
{
	const struct group_cross_repo_links_in *in = c->in;
	struct group_cross_repo_links_out *out = c->out;
	const char *list = cursor_list(c->tool->in, in, t->digest, c->a);
	size_t from;

	if (cursor_read(in->cursor, list, &from, &c->e))
		return -1;
	out->group = in->group;
	out->synced_at = t->synced_at;
	out->complete = current_coverage(c, t, &out->coverage);
	out->links.v = arena_many(c->a, in->limit, struct link);
	for (size_t i = 0; i < t->links.n; i++) {
		struct link l;
		if (codec_get(&rec_link, &l, t->links.v[i].row.p, t->links.v[i].row.n, c->a, &c->e))
			return err_set(&c->e, ERR_DB_ERROR, "a row of the link table cannot be read; run group_sync");
		if (!seen(c, l.source_repo_uri) || !seen(c, l.target_repo_uri) ||
		    (in->relation && strcmp(in->relation, l.relation)))
			continue;
		if (out->total >= from && out->links.n < in->limit)
			out->links.v[out->links.n++] = l;
		out->total++;
	}
	if (from + out->links.n < out->total)
		out->next_cursor = cursor_make(list, from + out->links.n, 0, c->a);
	out->took_ms = view_took(c);
	return 0;
}

static void links_built(struct call *c, struct sync *s)
{
	if (c->e.code)
		call_end(c);
	else
		read_tables(c, s->group, true, show_links, NULL);
}

void tool_group_cross_repo_links(struct call *c)
{
	const struct group_cross_repo_links_in *in = c->in;

	read_tables(c, in->group, true, show_links, links_built);
}
