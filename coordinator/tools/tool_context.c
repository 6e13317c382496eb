/*
 * context, file_map, signature, owners: what one shard knows; for the first two also the callers in
 * other repositories.
 */
#include <string.h>

#include "coordinator/base/options.h"
#include "coordinator/calls/fanout.h"
#include "coordinator/calls/list_pages.h"
#include "coordinator/calls/resolve_repo.h"
#include "coordinator/calls/shared_views.h"
#include "coordinator/contracts/definition_uses.h"
#include "coordinator/members/members.h"
#include "coordinator/search/search_evidence.h"
#include "coordinator/tools/tool_table.h"
#include "proto/base/arena.h"

/* Ask one member, which has `ms` to answer; or the time of a search. */
static void ask_one_for(struct call *c, struct member *m, enum rpc_id rpc, const void *req, int ms,
    void (*then)(struct call *, struct fanout *))
{
	struct member **v = arena_one(c->a, struct member *);

	*v = m;
	fanout(c, v, 1, rpc, req, NULL, ms, then);
}

static void ask_one(struct call *c, struct member *m, enum rpc_id rpc, const void *req,
    void (*then)(struct call *, struct fanout *))
{
	ask_one_for(c, m, rpc, req, (int)c->o->search_deadline_ms, then);
}

/* ---- context ---- */

struct context_call {
	struct list_pages *pages;
	const struct consumers *consumers;
	const struct definition_uses *uses;
	const struct fanout_reply *asked;
};

/* The length of the list with this name. */
static size_t list_length(const struct context_out *out, const char *name)
{
	const struct record *r = &rec_context_out;

	for (size_t i = 0; i < r->nfields; i++)
		if (r->fields[i].type == T_list && !strcmp(r->fields[i].name, name))
			return ((const struct cross_end_list *)((const char *)out + r->fields[i].off))->n;
	return 0;
}

/* Offer the rest of the lists: what follows on this page, and what more time finds. */
static void put_next_cursor(struct call *c, const struct context_call *x)
{
	struct context_out *out = c->out;
	const struct context_res *r = x->asked->res;

	for (size_t i = 0; i < rec_context_totals.nfields && i < PAGED_LISTS; i++)
		x->pages->starts[i + 1] += (uint32_t)list_length(out, rec_context_totals.fields[i].name);
	out->next_cursor = list_pages_next(
	    c, x->pages, x->asked->stamp, r->more, r->stopped, c->o->search_deadline_ms);
}

static void add_reasons(t_strs *to, const t_strs *from)
{
	for (size_t i = 0; i < from->n; i++)
		to->v[to->n++] = from->v[i];
}

/* The reasons for which contracts and uses may be missing. */
static t_strs reasons_of(struct call *c, const t_strs *own, const struct consumers *k,
    const struct definition_uses *uses, const struct outgoing_uses *outgoing)
{
	size_t most = own->n + k->reasons.n + uses->reasons.n + outgoing->reasons.n;
	t_strs all = { arena_many(c->a, most + 1, const char *), 0 };

	add_reasons(&all, own);
	add_reasons(&all, &k->reasons);
	add_reasons(&all, &uses->reasons);
	add_reasons(&all, &outgoing->reasons);
	return all;
}

static void with_outgoing(struct call *c, struct outgoing_uses *outgoing)
{
	struct context_out *out = c->out;
	const struct symbol *t = out->target;
	const struct context_call *x = c->state;
	const struct consumers *k = x->consumers;
	const struct context_res *r = x->asked->res;
	const char *repo_uri = x->asked->member->repo_uri;
	struct cross_end_list ends = x->uses->ends;

	for (size_t i = 0; i < outgoing->ends.n; i++)
		consumers_add_end(c, &ends, outgoing->ends.v[i]);

	for (size_t i = 0; i < out->routes.n; i++)
		consumers_add_external(c, k, repo_uri, &out->routes.v[i], 1, &ends);
	consumers_add_outgoing(c, k, repo_uri, t->path, t->start_line, t->end_line, 1, &ends);
	consumers_sort_unique(&ends);
	out->cross_repo.v = ends.v;
	out->cross_repo.n = ends.n;
	if (r->stopped || x->uses->reasons.n || outgoing->reasons.n)
		out->epistemic = "lower-bound";
	out->reasons = reasons_of(c, &r->reasons, k, x->uses, outgoing);
	consumers_note_partial(c, k);
	if (!c->e.code)
		put_next_cursor(c, x);
	call_end(c);
}

static void with_uses(struct call *c, struct definition_uses *uses)
{
	const struct context_out *out = c->out;
	struct context_call *x = c->state;

	x->uses = uses;
	definition_uses_outgoing(c, x->asked->member, x->consumers, out->target->path,
	    out->target->start_line, out->target->end_line, (int)c->o->search_deadline_ms,
	    with_outgoing);
}

static void with_consumers(struct call *c, struct consumers *k)
{
	struct context_out *out = c->out;
	struct context_call *x = c->state;
	struct used_definition *own = arena_one(c->a, struct used_definition);

	x->consumers = k;
	*own = (struct used_definition){ out->target->path, out->target->qualified, 0 };
	definition_uses_find(c, x->asked->member, k,
	    &(struct uses_question){ .v = own, .n = 1, .ms = (int)c->o->search_deadline_ms },
	    with_uses);
}

static void with_context(struct call *c, struct fanout *f)
{
	struct context_out *out = c->out;
	struct fanout_reply *k = &f->v[0];
	struct context_call *x = c->state;

	if (k->e.code)
		evidence_fail(c, k);
	else
		list_pages_check(c, x->pages, k->stamp);
	if (c->e.code) {
		call_end(c);
		return;
	}
	view_copy(&rec_context_res, k->res, &rec_context_out, out);
	out->freshness = (struct freshness *)k->stamp;
	x->asked = k;
	if (out->target)
		consumers_load(c, k->member, false, with_consumers);
	else
		call_end(c);
}

void tool_context(struct call *c)
{
	const struct context_in *in = c->in;
	struct context_req *q = arena_one(c->a, struct context_req);
	struct member *m = resolve_repo(c, in->repo, in->repo_uri);

	if (!m) {
		call_end(c);
		return;
	}
	struct context_call *x = arena_one(c->a, struct context_call);
	x->pages = list_pages_open(c, in->cursor, m);
	*q = (struct context_req){
		.symbol = in->symbol, .path = in->path, .kind = in->kind, .limit = in->limit
	};
	list_pages_starts(c, x->pages, &q->starts.v, &q->starts.n);
	c->state = x;
	ask_one_for(
	    c, m, RPC_context, q, list_pages_ms(x->pages, c->o->search_deadline_ms), with_context);
}

/* ---- file_map ---- */

struct file_map_call {
	const struct member *member;
	const struct consumers *consumers;
	struct outgoing_uses *outgoing;
};

/* The line of the definition that an end uses: `CALLS Client.get`. */
static uint64_t line_of_used(const struct file_map_out *out, const struct cross_end *e)
{
	const char *name = strchr(e->contract, ' ');

	for (size_t i = 0; name && i < out->symbols.n; i++)
		if (!strcmp(out->symbols.v[i].qualified, name + 1))
			return out->symbols.v[i].start_line;
	return 0;
}

static void put_crossing(struct file_map_out *out, uint64_t line, struct cross_end *e)
{
	if (line)
		out->crossings.v[out->crossings.n++] = (struct file_crossing){ line, line, e };
}

/* Add the uses in this file, and those of its definitions, to its contracts. */
static void with_file_uses(struct call *c, struct definition_uses *uses)
{
	struct file_map_out *out = c->out;
	const struct file_map_call *x = c->state;
	struct outgoing_uses *o = x->outgoing;
	size_t n;
	struct file_crossing *contracts;

	consumers_file_crossings(c, x->consumers, out->repo_uri, out->path, &contracts, &n);
	out->crossings.v = arena_many(c->a, n + o->ends.n + uses->ends.n + 1, struct file_crossing);
	if (n)
		memcpy(out->crossings.v, contracts, n * sizeof *contracts);
	out->crossings.n = n;
	for (size_t i = 0; i < o->ends.n; i++)
		put_crossing(out, o->lines[i], &o->ends.v[i]);
	for (size_t i = 0; i < uses->ends.n; i++)
		put_crossing(out, line_of_used(out, &uses->ends.v[i]), &uses->ends.v[i]);
	out->reasons = reasons_of(c, &(t_strs){ 0 }, x->consumers, uses, o);
	consumers_note_partial(c, x->consumers);
	call_end(c);
}

static void with_file_outgoing(struct call *c, struct outgoing_uses *outgoing)
{
	const struct file_map_out *out = c->out;
	struct file_map_call *x = c->state;

	x->outgoing = outgoing;
	definition_uses_find(c, x->member, x->consumers,
	    &(struct uses_question){ .path = out->path, .ms = (int)c->o->search_deadline_ms },
	    with_file_uses);
}

static void with_file_consumers(struct call *c, struct consumers *k)
{
	const struct file_map_out *out = c->out;
	struct file_map_call *x = c->state;

	x->consumers = k;
	definition_uses_outgoing(
	    c, x->member, k, out->path, 0, 0, (int)c->o->search_deadline_ms, with_file_outgoing);
}

static void with_file_map(struct call *c, struct fanout *f)
{
	struct file_map_out *out = c->out;
	const struct fanout_reply *k = &f->v[0];

	if (k->e.code) {
		evidence_fail(c, k);
		call_end(c);
		return;
	}
	view_copy(&rec_file_map_res, k->res, &rec_file_map_out, out);
	out->repo_uri = k->member->repo_uri;
	out->freshness = (struct freshness *)k->stamp;
	if (out->total_entries) {	/* a folder, which has no contracts itself */
		call_end(c);
		return;
	}
	struct file_map_call *x = arena_one(c->a, struct file_map_call);
	x->member = k->member;
	c->state = x;
	consumers_load(c, k->member, false, with_file_consumers);
}

void tool_file_map(struct call *c)
{
	const struct file_map_in *in = c->in;
	struct file_map_req *q = arena_one(c->a, struct file_map_req);
	struct member *m = resolve_repo(c, in->repo, in->repo_uri);

	*q = (struct file_map_req){ in->path, in->limit };
	if (m)
		ask_one(c, m, RPC_file_map, q, with_file_map);
	else
		call_end(c);
}

/* ---- signature ---- */

static void with_signature(struct call *c, struct fanout *f)
{
	struct signature_out *out = c->out;

	if (f->v[0].e.code) {
		evidence_fail(c, &f->v[0]);
	} else {
		view_copy(&rec_signature_res, f->v[0].res, &rec_signature_out, out);
		out->freshness = (struct freshness *)f->v[0].stamp;
	}
	call_end(c);
}

void tool_signature(struct call *c)
{
	const struct symbol_in *in = c->in;
	struct symbol_req *q = arena_one(c->a, struct symbol_req);
	struct member *m = resolve_repo(c, in->repo, in->repo_uri);

	*q = (struct symbol_req){ in->symbol, in->path, in->kind, in->limit };
	if (m)
		ask_one(c, m, RPC_signature, q, with_signature);
	else
		call_end(c);
}

/* ---- owners ---- */

static void with_owners(struct call *c, struct fanout *f)
{
	struct owners_out *out = c->out;

	if (f->v[0].e.code) {
		evidence_fail(c, &f->v[0]);
	} else {
		view_copy(&rec_owners_res, f->v[0].res, &rec_owners_out, out);
		out->freshness = (struct freshness *)f->v[0].stamp;
	}
	call_end(c);
}

void tool_owners(struct call *c)
{
	const struct owners_in *in = c->in;
	struct owners_req *q = arena_one(c->a, struct owners_req);
	struct member *m = resolve_repo(c, in->repo, in->repo_uri);

	*q = (struct owners_req){ in->path, in->limit };
	if (m)
		ask_one(c, m, RPC_owners, q, with_owners);
	else
		call_end(c);
}
