/*
 * package_api: what a package exports, with its uses by repository.  The shard of the package is
 * asked which package is meant; those of all members that need it count their uses; then the first
 * one finds the page, which depends on the counts.
 */
#include <stdlib.h>
#include <string.h>

#include "coordinator/base/options.h"
#include "coordinator/base/page_cursor.h"
#include "coordinator/calls/fanout.h"
#include "coordinator/calls/resolve_repo.h"
#include "coordinator/calls/shared_views.h"
#include "coordinator/contracts/use_counts.h"
#include "coordinator/members/members.h"
#include "coordinator/search/search_evidence.h"
#include "coordinator/tools/tool_table.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/optional_text.h"
#include "proto/base/sorting.h"
#include "proto/wire/wire.h"

/* Of the counts in a request, whose other fields are small. */
enum { COUNT_BYTES = WIRE_REQUEST_MAX - (1 << 20), BYTES_OF_ROW = 40 };

struct package_call {
	struct member *member;
	struct exports_req question;
	struct use_counts *counts;
	const struct consumers *consumers;
	const char *list; /* what the cursor is for */
	const char *dropped; /* why not all counts were used; NULL: they were */
};

static void ask_owner(struct call *c, void (*then)(struct call *, struct fanout *))
{
	struct package_call *x = c->state;
	struct member **m = arena_one(c->a, struct member *);
	struct exports_req *q = arena_one(c->a, struct exports_req);

	*m = x->member;
	*q = x->question;
	fanout(c, m, 1, RPC_exports, q, NULL, (int)c->o->search_deadline_ms, then);
}

static void end(struct call *c)
{
	struct package_api_out *out = c->out;

	out->took_ms = view_elapsed_ms(c);
	call_end(c);
}

static void no_package(struct call *c, const struct member *m)
{
	const struct package_api_in *in = c->in;
	bool any = !text_is_set(in->package) && !text_is_set(in->ecosystem) && !text_is_set(in->folder);

	if (any)
		err_set(&c->e, ERR_NOT_FOUND, "`%.100s` has no code that others can use", m->name);
	else
		err_set(&c->e, ERR_NOT_FOUND, "`%.100s` publishes no such package", m->name);
	if (!any)
		err_hint(
		    &c->e, "Without `package`, `ecosystem` and `folder` you get those that it publishes.");
	end(c);
}

/* ---- the answer ---- */

static void put_reasons(struct call *c, const struct fanout *unclear)
{
	const struct package_call *x = c->state;
	struct package_api_out *out = c->out;
	const t_strs *of[] = { &x->counts->reasons, &x->consumers->reasons };
	size_t asked = unclear ? unclear->n : 0;

	out->reasons.v = arena_many(c->a, of[0]->n + of[1]->n + asked + 3, const char *);
	for (size_t i = 0; i < LEN(of); i++)
		for (size_t k = 0; k < of[i]->n; k++)
			out->reasons.v[out->reasons.n++] = of[i]->v[k];
	if (x->dropped)
		out->reasons.v[out->reasons.n++] = x->dropped;
	if (out->package->problem)
		out->reasons.v[out->reasons.n++] = arena_printf(
		    c->a, "nobody's code is resolved against this package: %s", out->package->problem);
	for (size_t i = 0; i < asked; i++) {
		const struct uses_res *r = unclear->v[i].res;
		if (r->unclear)
			out->reasons.v[out->reasons.n++] = arena_printf(c->a,
			    "%s has references by names of these symbols whose receiver is not known",
			    unclear->v[i].member->repo_uri);
	}
	out->epistemic = out->reasons.n ? "lower-bound" : "verdict";
}

static void finish(struct call *c, struct fanout *unclear)
{
	const struct package_call *x = c->state;
	struct package_api_out *out = c->out;

	put_reasons(c, unclear);
	if (unclear)
		x->counts->asked[x->counts->nasked++] = unclear;
	if (x->counts->nasked &&
	    !fanout_coverage(c, x->counts->asked, x->counts->nasked, &out->coverage))
		out->complete = false;
	end(c);
}

static bool ends_with_name(const char *qualified, const char *name)
{
	const char *dot = strrchr(qualified, '.');

	return !strcmp(dot ? dot + 1 : qualified, name);
}

static void with_unclear(struct call *c, struct fanout *f)
{
	struct package_api_out *out = c->out;

	for (size_t i = 0; i < f->n; i++) {
		const struct uses_res *r = f->v[i].res;
		for (size_t k = 0; k < r->unclear_names.n; k++)
			for (size_t s = 0; s < out->symbols.n; s++)
				if (ends_with_name(out->symbols.v[s].symbol, r->unclear_names.v[k].name))
					out->symbols.v[s].unclear += r->unclear_names.v[k].count;
	}
	finish(c, f);
}

/* Ask for references that may be further uses of the symbols of the page. */
static void ask_unclear(struct call *c)
{
	const struct package_call *x = c->state;
	const struct package_api_out *out = c->out;
	struct uses_req *q = arena_one(c->a, struct uses_req);

	q->repo_uris.v = arena_one(c->a, const char *);
	q->repo_uris.v[q->repo_uris.n++] = x->member->repo_uri;
	q->symbols.v = arena_many(c->a, out->symbols.n + 1, struct used_symbol);
	for (size_t i = 0; i < out->symbols.n; i++)
		q->symbols.v[q->symbols.n++] = (struct used_symbol){ out->symbols.v[i].path,
			out->symbols.v[i].symbol };
	q->limit = 1;
	if (q->symbols.n && x->counts->nmembers)
		fanout(c, x->counts->members, x->counts->nmembers, RPC_uses, q, NULL,
		    (int)c->o->search_deadline_ms, with_unclear);
	else
		finish(c, NULL);
}

/* ---- the page ---- */

static int by_uses(const void *a, const void *b)
{
	const struct api_consumer *x = a, *y = b;

	if (x->uses != y->uses)
		return compare_numbers(y->uses, x->uses);
	return strcmp(x->repo_uri, y->repo_uri);
}

static struct api_symbol symbol_of(
    struct call *c, const struct use_counts *counts, const struct exported_symbol *s)
{
	struct api_symbol out = {
		.id = arena_printf(c->a, "%s#%s", s->path, s->symbol),
		.symbol = s->symbol,
		.kind = s->kind,
		.signature = s->signature,
		.path = s->path,
		.line = s->line,
		.end_line = s->end_line,
	};
	size_t n;
	const struct counted_use *u = use_counts_of(counts, s->path, s->symbol, &n);

	out.consumers.v = arena_many(c->a, n + 1, struct api_consumer);
	for (size_t i = 0; i < n; i++) {
		out.uses += u[i].uses;
		out.consumers.v[out.consumers.n++] = (struct api_consumer){ u[i].repo_uri, u[i].uses };
	}
	if (n)
		qsort(out.consumers.v, n, sizeof *out.consumers.v, by_uses);
	return out;
}

static void with_page(struct call *c, struct fanout *f)
{
	const struct package_call *x = c->state;
	const struct exports_res *r = f->v[0].res;
	struct package_api_out *out = c->out;

	if (f->v[0].e.code) {
		evidence_fail(c, &f->v[0]);
		end(c);
		return;
	}
	if (r->packages.n != 1) { /* another index has been published since */
		no_package(c, x->member);
		return;
	}
	out->total = r->total;
	out->unused = r->unused;
	out->symbols.v = arena_many(c->a, r->symbols.n + 1, struct api_symbol);
	for (size_t i = 0; i < r->symbols.n; i++)
		out->symbols.v[out->symbols.n++] = symbol_of(c, x->counts, &r->symbols.v[i]);
	size_t next = x->question.offset + r->symbols.n;
	if (r->symbols.n && next < r->total)
		out->next_cursor = cursor_make(x->list, next, 0, c->a);
	ask_unclear(c);
}

/* ---- the counts ---- */

/* Pass on the sum of the uses of each definition. */
static void put_counts(struct call *c, struct package_call *x)
{
	const struct use_counts *u = x->counts;
	struct exports_req *q = &x->question;
	size_t bytes = 0, n;

	q->counts.v = arena_many(c->a, u->n + 1, struct used_count);
	for (size_t i = 0; i < u->n; i += n) {
		const struct counted_use *first = &u->v[i];
		struct used_count *sum = &q->counts.v[q->counts.n];
		use_counts_of(u, first->path, first->symbol, &n);
		bytes += strlen(first->path) + strlen(first->symbol) + BYTES_OF_ROW;
		if (bytes > COUNT_BYTES) {
			x->dropped = "there are too many used symbols: the last ones, by file, count as unused";
			return;
		}
		*sum = (struct used_count){ first->path, first->symbol, 0 };
		for (size_t k = 0; k < n; k++)
			sum->uses += first[k].uses;
		q->counts.n++;
	}
}

static void with_counts(struct call *c, struct use_counts *u)
{
	const struct package_api_in *in = c->in;
	struct package_call *x = c->state;
	const char *hash = use_counts_hash(c, u);

	x->counts = u;
	x->list = cursor_fingerprint(
	    c->tool->in, c->in, arena_printf(c->a, "%s %s", x->list, hash), c->a);
	if (cursor_read(in->cursor, x->list, &x->question.offset, &c->e)) {
		end(c);
		return;
	}
	put_counts(c, x);
	x->question.limit = in->limit;
	ask_owner(c, with_page);
}

static void with_consumers(struct call *c, struct consumers *k)
{
	const struct package_api_out *out = c->out;
	struct package_call *x = c->state;

	x->consumers = k;
	if (c->e.code)
		end(c);
	else
		use_counts_find(c, x->member, out->package->folder, k, with_counts);
}

/* ---- which package ---- */

static void with_packages(struct call *c, struct fanout *f)
{
	const struct package_api_in *in = c->in;
	const struct exports_res *r = f->v[0].res;
	struct package_api_out *out = c->out;
	struct package_call *x = c->state;

	if (f->v[0].e.code) {
		evidence_fail(c, &f->v[0]);
		end(c);
		return;
	}
	if (!r->packages.n) {
		no_package(c, x->member);
		return;
	}
	if (r->packages.n > 1) {
		out->candidates.v = r->packages.v;
		out->candidates.n = r->packages.n;
		end(c);
		return;
	}
	out->package = &r->packages.v[0];
	x->list = f->v[0].stamp ? f->v[0].stamp->graph_hash : "";
	/* from now on it is this one, whatever else there may be */
	x->question.ecosystem = out->package->ecosystem;
	x->question.package = NULL;
	x->question.folder = text_or(out->package->folder, ".");
	if (text_is_set(in->group))
		consumers_load_group(c, x->member, in->group, with_consumers);
	else
		consumers_load(c, x->member, false, with_consumers);
}

void tool_package_api(struct call *c)
{
	const struct package_api_in *in = c->in;
	struct package_api_out *out = c->out;
	struct package_call *x = arena_one(c->a, struct package_call);
	struct group_row group;

	c->state = x;
	x->member = resolve_repo(c, in->repo, in->repo_uri);
	if (!x->member ||
	    (text_is_set(in->group) && view_group_with(c, in->group, x->member, &group))) {
		call_end(c);
		return;
	}
	out->repo_uri = x->member->repo_uri;
	x->question = (struct exports_req){
		.ecosystem = in->ecosystem,
		.package = in->package,
		.folder = in->folder,
		.kind = in->kind,
		.name = in->name,
		.unused = in->unused,
	};
	ask_owner(c, with_packages);
}
