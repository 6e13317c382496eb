/*
 * group_sync, group_contracts, contract_list, group_cross_repo_links, link_list: the tables that
 * group_sync.h builds, read in pages.
 */
#include <stdlib.h>
#include <string.h>

#include "coordinator/base/page_cursor.h"
#include "coordinator/calls/resolve_repo.h"
#include "coordinator/calls/shared_views.h"
#include "coordinator/contracts/group_sync.h"
#include "coordinator/contracts/symbol_uses.h"
#include "coordinator/contracts/tables_freshness.h"
#include "coordinator/members/members.h"
#include "coordinator/tools/tool_contracts.h"
#include "coordinator/tools/tool_table.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "proto/base/optional_text.h"
#include "proto/process/suggest.h"
#include "proto/record/codec.h"

/* ---- group_sync ---- */

static void synced(struct call *c, struct group_sync *s)
{
	struct group_sync_out *out = c->out;

	*out = (struct group_sync_out){
		.group = s->group,
		.contracts_written = s->built.contracts,
		.links_written = s->built.links,
		.changed = s->built.changed,
		.departed = { s->built.departed.v, s->built.departed.n },
		.departed_total = s->built.departed.total,
		.declarations = { s->built.notes, s->built.nnotes },
		.synced_at = s->built.at,
		.coverage = s->coverage,
		.complete = s->complete,
		.took_ms = view_elapsed_ms(c),
	};
	call_end(c);
}

void tool_group_sync(struct call *c)
{
	const struct group_in *in = c->in;
	struct resolved_repos p;

	if (resolve_group(c, in->group, &p))
		call_end(c);
	else
		group_sync_run(c, in->group, synced);
}

/* ---- reading ---- */

void tool_show_tables(struct call *c, const char *group,
    int (*show)(struct call *, const struct scoped_tables *),
    void (*built)(struct call *, struct group_sync *))
{
	struct scoped_tables s;
	struct resolved_repos p;

	if (resolve_group(c, group, &p) || scoped_tables_refresh(c, group, &s)) {
		call_end(c);
	} else if (!s.t.synced_at && built) {
		group_sync_run(c, group, built);
	} else {
		call_audit_repos(c, p.v, p.n);
		if (show(c, &s) <= 0)
			call_end(c);
	}
}

/*
 * Read the page at the cursor and set the cursor of the next page, or NULL.  `list` identifies the
 * tables and the filter that a cursor is for.
 */
static int read_page(struct call *c, const struct scoped_tables *s, const char *cursor,
    const char *list, size_t limit, struct table_filter *f, struct table_page *p, const char **next)
{
	f->limit = limit + 1;	/* one more, to know whether there is a next page */
	if (cursor_read(cursor, list, &f->from, &c->e) || scoped_tables_page(c, s, f, p))
		return -1;
	bool same_tables = p->digest && texts_equal(p->digest, s->t.digest);
	if (text_is_set(cursor) && !same_tables)
		return err_set(&c->e, ERR_INVALID_INPUT, "cursor expired, repeat the query");
	*next = NULL;
	if (p->rows.n > limit)
		*next = cursor_make(list, p->rows.v[limit].seq, 0, c->a);
	p->rows.n = MIN(p->rows.n, limit);
	return 0;
}

/* Set the repo_uri of the repository that a filter names; -1 if there is no such repository. */
static int filter_repo(struct call *c, const char *named, const char **repo_uri)
{
	if (!text_is_set(named))
		return 0;
	struct member *m = resolve_repo(c, NULL, named);
	if (!m)
		return -1;
	*repo_uri = m->repo_uri;
	return 0;
}

/* ---- group_contracts, contract_list ---- */

static int unreadable(struct call *c)
{
	return err_set(
	    &c->e, ERR_DB_ERROR, "a row of the contract tables cannot be read; run group_sync");
}

static int put_row(struct call *c, struct group_contracts_out *out, const struct table_row *r)
{
	const struct {
		const char *list;
		const struct record *rec;
		void *to;
		size_t *n;
	} forms[] = {
		{ "contract", &rec_contract, &out->contracts.v[out->contracts.n], &out->contracts.n },
		{ "unresolved", &rec_unresolved, &out->unresolved.v[out->unresolved.n],
		    &out->unresolved.n },
		{ "idle", &rec_idle_producer,
		    &out->producers_without_consumers.v[out->producers_without_consumers.n],
		    &out->producers_without_consumers.n },
	};
	size_t i = 0;

	while (strcmp(forms[i].list, r->list))	/* the schema allows no other */
		i++;
	++*forms[i].n;
	if (codec_get(forms[i].rec, forms[i].to, r->row.p, r->row.n, c->a, &c->e))
		return unreadable(c);
	return 0;
}

static int fill(struct call *c, const struct contract_list_in *in, struct table_filter *f,
    const struct scoped_tables *s)
{
	struct group_contracts_out *out = c->out;
	struct table_page p;

	if (read_page(c, s, in->cursor, cursor_fingerprint(c->tool->in, c->in, s->t.digest, c->a),
	        in->limit, f, &p, &out->next_cursor))
		return -1;
	out->contracts.v = arena_many(c->a, p.rows.n, struct contract);
	out->unresolved.v = arena_many(c->a, p.rows.n, struct unresolved);
	out->producers_without_consumers.v = arena_many(c->a, p.rows.n, struct idle_producer);
	out->totals = arena_one(c->a, struct contract_totals);
	*out->totals = (struct contract_totals){ p.contracts, p.unresolved, p.idle };
	for (size_t i = 0; i < p.rows.n; i++)
		if (put_row(c, out, &p.rows.v[i]))
			return -1;
	return 0;
}

/* The first page also has counts. */
static int put_totals(struct call *c, const struct contract_list_in *in,
    const struct scoped_tables *s, const struct table_filter *f)
{
	struct group_contracts_out *out = c->out;
	struct table_matrix x;

	if (text_is_set(in->cursor))
		return 0;
	int rc = scoped_tables_matrix(c, s, f, &x);
	out->pairs.v = x.pairs;
	out->pairs.n = x.npairs;
	out->reasons.v = x.reasons;
	out->reasons.n = x.nreasons;
	return rc;
}

/* The arguments of either tool. */
static struct contract_list_in contracts_asked(const struct call *c)
{
	if (c->tool->in == &rec_contract_list_in)
		return *(const struct contract_list_in *)c->in;
	const struct group_contracts_in *in = c->in;
	return (struct contract_list_in){
		.group = in->group,
		.kinds = in->kinds,
		.repo_uri = in->repo_uri,
		.method = in->method,
		.path = in->path,
		.limit = in->limit,
		.cursor = in->cursor,
	};
}

/* The name of a list in the table. */
static const char *list_of(const char *list)
{
	if (!list)
		return NULL;
	if (!strcmp(list, "contracts"))
		return "contract";
	return list;
}

static int show_contracts(struct call *c, const struct scoped_tables *s)
{
	const struct contract_list_in in = contracts_asked(c);
	struct group_contracts_out *out = c->out;
	struct table_filter f = {
		.what = &in.kinds,
		.method = text_or_null(in.method),
		.path = text_or_null(in.path),
		.list = list_of(in.list),
		.reasons = &in.reasons,
		.confidence = in.min_confidence,
		.crossing = in.cross_repo,
	};

	if (filter_repo(c, in.repo_uri, &f.repo_uri) || filter_repo(c, in.producer, &f.producer) ||
	    filter_repo(c, in.consumer, &f.consumer))
		return -1;
	out->group = in.group;
	out->synced_at = s->t.synced_at;
	out->complete = tables_coverage(c, &s->t, &out->coverage);
	tables_note_partial(c, &s->t);
	int rc = fill(c, &in, &f, s);
	if (!rc)
		rc = put_totals(c, &in, s, &f);
	out->took_ms = view_elapsed_ms(c);
	return rc;
}

static void contracts_built(struct call *c, struct group_sync *s)
{
	if (c->e.code)
		call_end(c);
	else
		tool_show_tables(c, s->group, show_contracts, NULL);
}

static bool word_in(const t_strs *words, const char *w)
{
	size_t i = 0;

	while (i < words->n && strcmp(words->v[i], w))
		i++;
	return i < words->n;
}

static int check_words(struct call *c, const char *field, const t_strs *given, const t_strs *known)
{
	for (size_t i = 0; i < given->n; i++)
		if (!word_in(known, given->v[i]))
			return err_set(&c->e, ERR_INVALID_INPUT, "`%s`: `%.40s` is unknown; use %s", field,
			    given->v[i], suggest_choices(known->v, known->n, c->a));
	return 0;
}

static int check_share(struct call *c, double x)
{
	if (x >= 0 && x <= 1)
		return 0;
	return err_set(&c->e, ERR_INVALID_INPUT, "`min_confidence`: %g is not between 0 and 1", x);
}

static int check_contracts(struct call *c, const struct contract_list_in *in)
{
	const char *names[] = {
#define CONTRACT(name, doc) #name,
#include "proto/record/kinds.def"
	};
	const char *reasons[] = { "external", "dynamic", "no-producer", "ambiguous" };

	if (check_words(c, "kinds", &in->kinds, &(t_strs){ names, LEN(names) }) ||
	    check_words(c, "reasons", &in->reasons, &(t_strs){ reasons, LEN(reasons) }))
		return -1;
	return check_share(c, in->min_confidence);
}

void tool_contract_list(struct call *c)
{
	const struct contract_list_in in = contracts_asked(c);

	if (check_contracts(c, &in))
		call_end(c);
	else
		tool_show_tables(c, in.group, show_contracts, contracts_built);
}

void tool_group_contracts(struct call *c)
{
	const struct group_contracts_in *in = c->in;
	struct resolved_repos p;

	if (resolve_group_members(c, in->group, &p))
		call_end(c);
	else
		tool_contract_list(c);
}

/* ---- group_cross_repo_links, link_list ---- */

static struct link_list_in links_asked(const struct call *c)
{
	if (c->tool->in == &rec_link_list_in)
		return *(const struct link_list_in *)c->in;
	const struct group_cross_repo_links_in *in = c->in;
	const char **one = arena_one(c->a, const char *);
	*one = in->relation;
	return (struct link_list_in){ .group = in->group,
		.relations = { one, in->relation != NULL },
		.repo_uri = in->repo_uri,
		.limit = in->limit,
		.detail = in->detail,
		.cursor = in->cursor };
}

/* ---- uses of definitions: the shards have them ---- */

struct uses_call {
	struct link_list_in in;
	const char *list;		/* what the cursor is for */
};

static void show_uses(struct call *c, struct symbol_uses_page *p)
{
	struct group_cross_repo_links_out *out = c->out;
	const struct uses_call *x = c->state;
	struct coverage *asked = NULL;

	if (c->e.code) {
		call_end(c);
		return;
	}
	if (p->asked && !fanout_coverage(c, &p->asked, 1, &asked)) {
		out->complete = false;
		out->coverage->failed = asked->failed;
	}
	out->reasons = p->reasons;
	if (p->reasons.n)
		out->complete = false;
	for (size_t i = 0; i < p->n; i++)
		if (p->links[i].confidence >= x->in.min_confidence)
			p->links[out->links.n++] = p->links[i];
	out->links.v = p->links;
	out->total = p->total;
	if (p->next)
		out->next_cursor = cursor_make(x->list, p->next, 0, c->a);
	out->took_ms = view_elapsed_ms(c);
	call_end(c);
}

/* Whether the links that are asked for are uses of definitions alone. */
static bool asks_uses(const struct link_list_in *in)
{
	return in->relations.n == 1 && !strcmp(in->relations.v[0], "uses_symbol");
}

/* List uses from an offset on; 1, as the call ends later, or -1. */
static int list_uses(struct call *c, const struct scoped_tables *s, const struct link_list_in *in,
    const struct table_filter *f)
{
	struct uses_consumer_list *all = arena_one(c->a, struct uses_consumer_list);
	struct uses_call *x = arena_one(c->a, struct uses_call);
	size_t offset;

	x->in = *in;
	x->list = cursor_fingerprint(c->tool->in, c->in, s->t.digest, c->a);
	if (cursor_read(in->cursor, x->list, &offset, &c->e) || symbol_uses_consumers(c, s, f, all))
		return -1;
	c->state = x;
	symbol_uses_list(c, all, !strcmp(in->detail, "each"), offset, in->limit, show_uses);
	return 1;
}

static int show_links(struct call *c, const struct scoped_tables *s)
{
	const struct link_list_in in = links_asked(c);
	struct group_cross_repo_links_out *out = c->out;
	struct table_filter f = {
		.links = true, .what = &in.relations, .confidence = in.min_confidence
	};
	struct table_page p;

	if (filter_repo(c, in.repo_uri, &f.repo_uri) || filter_repo(c, in.source, &f.consumer) ||
	    filter_repo(c, in.target, &f.producer))
		return -1;
	out->group = in.group;
	out->synced_at = s->t.synced_at;
	out->complete = tables_coverage(c, &s->t, &out->coverage);
	tables_note_partial(c, &s->t);
	if (asks_uses(&in))
		return list_uses(c, s, &in, &f);
	if (read_page(c, s, in.cursor, cursor_fingerprint(c->tool->in, c->in, s->t.digest, c->a),
	        in.limit, &f, &p, &out->next_cursor))
		return -1;
	out->total = p.contracts;
	out->links.v = arena_many(c->a, p.rows.n, struct link);
	for (size_t i = 0; i < p.rows.n; i++)
		if (codec_get(&rec_link, &out->links.v[out->links.n++], p.rows.v[i].row.p,
		        p.rows.v[i].row.n, c->a, &c->e))
			return unreadable(c);
	out->took_ms = view_elapsed_ms(c);
	return 0;
}

static void links_built(struct call *c, struct group_sync *s)
{
	if (c->e.code)
		call_end(c);
	else
		tool_show_tables(c, s->group, show_links, NULL);
}

void tool_link_list(struct call *c)
{
	const struct link_list_in in = links_asked(c);
	const char *relations[] = { "consumes_route", "calls_rpc", "publishes_to", "queries_field",
		"depends_on_package", "references_doc", "depends_on", "consumer_of", "uses_symbol" };

	if (check_words(c, "relations", &in.relations, &(t_strs){ relations, LEN(relations) }) ||
	    check_share(c, in.min_confidence))
		call_end(c);
	else
		tool_show_tables(c, in.group, show_links, links_built);
}

void tool_group_cross_repo_links(struct call *c)
{
	const struct group_cross_repo_links_in *in = c->in;
	struct resolved_repos p;

	if (resolve_group_members(c, in->group, &p))
		call_end(c);
	else
		tool_link_list(c);
}
