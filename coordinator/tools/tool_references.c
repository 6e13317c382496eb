/*
 * find_references: each place that refers to a definition.  The definition's own shard resolves its
 * code again; the shards of members that need one of its packages have their uses at hand.
 */
#include <string.h>

#include "coordinator/auth/caller.h"
#include "coordinator/base/options.h"
#include "coordinator/base/page_cursor.h"
#include "coordinator/calls/fanout.h"
#include "coordinator/calls/resolve_repo.h"
#include "coordinator/calls/shared_views.h"
#include "coordinator/contracts/definition_uses.h"
#include "coordinator/members/members.h"
#include "coordinator/search/search_evidence.h"
#include "coordinator/tools/tool_table.h"
#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"

enum { MAX_EXTERNAL = 20000 };	/* uses in other repositories that pages can show */

struct references_call {
	struct member *member;
	const struct freshness *stamp;
	const char *list;		/* what the cursor is for */
	size_t offset;
	const struct references_res *own;
	const struct consumers *consumers;
};

static void ask(
    struct call *c, enum rpc_id rpc, const void *req, void (*then)(struct call *, struct fanout *))
{
	struct references_call *x = c->state;
	struct member **m = arena_one(c->a, struct member *);

	*m = x->member;
	fanout(c, m, 1, rpc, req, NULL, (int)c->o->search_deadline_ms, then);
}

/* Whether the answer failed; then the call has ended. */
static bool has_failed(struct call *c, const struct fanout_reply *k)
{
	if (!k->e.code)
		return false;
	evidence_fail(c, k);
	call_end(c);
	return true;
}

/* `path#name`, valid as a symbol; NULL outside of definitions. */
static const char *around(struct call *c, const char *path, const char *name)
{
	if (!name)
		return NULL;
	return arena_printf(c->a, "%s#%s", path, name);
}

static void add_own(struct call *c, struct find_references_out *out)
{
	const struct find_references_in *in = c->in;
	const struct references_call *x = c->state;

	for (size_t i = 0; i < x->own->references.n && i < in->limit; i++) {
		const struct symbol_reference *r = &x->own->references.v[i];
		out->references.v[out->references.n++] = (struct reference_row){
			.repo_uri = x->member->repo_uri,
			.path = r->path,
			.line = r->line,
			.symbol = around(c, r->path, r->in),
			.kind = r->kind,
			.confidence = r->confidence,
			.reason = r->reason,
		};
	}
}

/* Add the uses in other repositories that belong to the page, whose first `skip` do not. */
static void add_external(
    struct call *c, struct find_references_out *out, const struct fanout *f, size_t skip)
{
	const struct find_references_in *in = c->in;

	for (size_t i = 0; f && i < f->n; i++) {
		const struct uses_res *r = f->v[i].res;
		for (size_t k = 0; k < r->uses.n && out->references.n < in->limit; k++) {
			const struct external_use *u = &r->uses.v[k];
			if (skip && skip--)
				continue;
			out->references.v[out->references.n++] = (struct reference_row){
				.repo_uri = f->v[i].member->repo_uri,
				.path = u->path,
				.line = u->line,
				.symbol = around(c, u->path, u->in),
				.kind = u->kind,
				.confidence = u->confidence,
				.reason = u->reason,
			};
		}
	}
}

static void put_trust(
    struct call *c, struct find_references_out *out, const struct definition_uses *u)
{
	const struct references_call *x = c->state;
	const t_strs *more = &x->consumers->reasons;

	out->reasons.v = arena_many(c->a, u->reasons.n + more->n + 1, const char *);
	for (size_t i = 0; i < u->reasons.n; i++)
		out->reasons.v[out->reasons.n++] = u->reasons.v[i];
	for (size_t i = 0; i < more->n; i++)
		out->reasons.v[out->reasons.n++] = more->v[i];
	if (x->own->stopped)
		out->reasons
		    .v[out->reasons
		            .n++] = "not all files of its own repository could be read within the deadline";
	out->epistemic = out->reasons.n ? "lower-bound" : "verdict";
}

static void with_uses(struct call *c, struct definition_uses *u)
{
	const struct find_references_in *in = c->in;
	struct find_references_out *out = c->out;
	const struct references_call *x = c->state;
	uint64_t own = x->own->total, external = 0;

	for (size_t i = 0; u->asked && i < u->asked->n; i++)
		external += ((const struct uses_res *)u->asked->v[i].res)->total;
	out->total = own + external;
	out->references.v = arena_many(c->a, in->limit + 1, struct reference_row);
	add_own(c, out);
	add_external(c, out, u->asked, x->offset > own ? x->offset - own : 0);
	put_trust(c, out, u);
	if (u->asked && !fanout_coverage(c, &u->asked, 1, &out->coverage))
		out->complete = false;
	size_t next = x->offset + out->references.n;
	if (out->references.n && next < out->total)
		out->next_cursor = cursor_make(x->list, next, 0, c->a);
	call_end(c);
}

static void with_consumers(struct call *c, struct consumers *k)
{
	const struct find_references_in *in = c->in;
	const struct find_references_out *out = c->out;
	struct references_call *x = c->state;
	struct used_definition *d = arena_one(c->a, struct used_definition);
	size_t room = in->limit - MIN(x->own->references.n, in->limit);

	x->consumers = k;
	*d = (struct used_definition){ out->target->path, out->target->qualified, 0 };
	/* the rows of earlier pages come again: which of them is where only the shards know */
	if (x->offset > x->own->total)
		room += x->offset - x->own->total;
	definition_uses_find(c, x->member, k,
	    &(struct uses_question){ .v = d,
	        .n = 1,
	        .limit = MIN(MAX(room, 1), MAX_EXTERNAL),
	        .ms = (int)c->o->search_deadline_ms,
	        .paged = true },
	    with_uses);
}

static void with_references(struct call *c, struct fanout *f)
{
	struct references_call *x = c->state;

	if (has_failed(c, &f->v[0]))
		return;
	x->own = f->v[0].res;
	consumers_load(c, x->member, false, with_consumers);
}

static void with_target(struct call *c, struct fanout *f)
{
	const struct find_references_in *in = c->in;
	struct find_references_out *out = c->out;
	struct references_call *x = c->state;

	if (has_failed(c, &f->v[0]))
		return;
	view_copy(&rec_signature_res, f->v[0].res, &rec_find_references_out, out);
	out->total = 0;
	if (!out->target) {
		call_end(c);
		return;
	}
	x->stamp = f->v[0].stamp;
	x->list = cursor_fingerprint(c->tool->in, c->in, x->stamp ? x->stamp->graph_hash : NULL, c->a);
	if (cursor_read(in->cursor, x->list, &x->offset, &c->e)) {
		call_end(c);
		return;
	}
	struct references_req *q = arena_one(c->a, struct references_req);
	q->symbol = arena_one(c->a, struct used_symbol);
	*q->symbol = (struct used_symbol){ out->target->path, out->target->qualified };
	q->offset = x->offset;
	q->limit = in->limit;
	ask(c, RPC_references, q, with_references);
}

void tool_find_references(struct call *c)
{
	const struct find_references_in *in = c->in;
	struct references_call *x = arena_one(c->a, struct references_call);
	struct symbol_req *q = arena_one(c->a, struct symbol_req);

	x->member = resolve_repo(c, in->repo, in->repo_uri);
	if (!x->member) {
		call_end(c);
		return;
	}
	*q = (struct symbol_req){ in->symbol, in->path, in->kind, 20 };
	c->state = x;
	ask(c, RPC_signature, q, with_target);
}
