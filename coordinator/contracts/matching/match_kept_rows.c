#include "coordinator/contracts/matching/match_kept_rows.h"

#include <string.h>

#include "proto/base/buf.h"

/* ---- what the rows lead to ---- */

/* What an end says of the fact behind it. */
static struct fact place_of(const struct end *e)
{
	return (struct fact){ .file = e->file,
		.line = e->line,
		.end_line = e->end_line,
		.method = e->method,
		.path = e->path,
		.symbol = e->symbol,
		.framework = e->framework };
}

/* The first provider of a range that is not before the place. */
static size_t first_at(
    const struct match_context *w, struct provider_range of, const struct fact *place)
{
	while (of.from < of.to) {
		size_t middle = of.from + (of.to - of.from) / 2;
		if (match_compare_places(place, w->providers[middle].fact) > 0)
			of.from = middle + 1;
		else
			of.to = middle;
	}
	return of.from;
}

static struct provider *provider_of(
    const struct match_context *w, size_t member, const struct contract *row)
{
	struct provider_range of = { w->first[member], w->first[member + 1] };
	const struct fact place = place_of(row->producer);

	for (size_t i = first_at(w, of, &place); i < of.to; i++) {
		struct provider *p = &w->providers[i];
		if (match_compare_places(&place, p->fact))
			return NULL;
		if (!strcmp(p->fact->kind, row->kind))
			return p;
	}
	return NULL;
}

/* The provider to which a row leads; NULL if there is none. */
static struct provider *find_provider(const struct match_context *w, const struct contract *row)
{
	size_t server = match_find_member(w, row->producer->repo_uri);

	if (server == w->n)
		return NULL;
	return provider_of(w, server, row);
}

bool kept_rows_fit(
    const struct match_context *w, const struct match_result *before, const bool *again)
{
	for (size_t i = 0; i < before->contracts.n; i++) {
		const struct contract *row = &before->contracts.v[i];
		size_t caller = match_find_member(w, row->consumer->repo_uri);
		if (caller == w->n)
			return false;
		if (!again[caller] && !find_provider(w, row))
			return false;
	}
	return true;
}

/* ---- rows that stay ---- */

static bool is_of(const struct match_context *w, size_t caller, const struct end *consumer)
{
	return !strcmp(consumer->repo_uri, w->m[caller].repo_uri);
}

static void keep_contract(struct match_context *w, const struct contract *row)
{
	struct match_result *o = w->out;
	struct provider *p = find_provider(w, row);

	if (p)
		p->used = true;
	o->contracts.v = grow(o->contracts.v, &o->contracts.cap, o->contracts.n + 1, sizeof *row);
	o->contracts.v[o->contracts.n++] = *row;
}

static void keep_unresolved(struct match_result *o, const struct unresolved *row)
{
	o->unresolved.v = grow(o->unresolved.v, &o->unresolved.cap, o->unresolved.n + 1, sizeof *row);
	o->unresolved.v[o->unresolved.n++] = *row;
}

void kept_rows_pass(struct kept_rows *k, struct match_context *w, size_t caller, bool stay)
{
	const struct match_result *b = k->before;

	for (; k->contracts < b->contracts.n; k->contracts++) {
		const struct contract *row = &b->contracts.v[k->contracts];
		if (!is_of(w, caller, row->consumer))
			break;
		if (stay)
			keep_contract(w, row);
	}
	for (; k->unresolved < b->unresolved.n; k->unresolved++) {
		const struct unresolved *row = &b->unresolved.v[k->unresolved];
		if (!is_of(w, caller, row->consumer))
			break;
		if (stay)
			keep_unresolved(w->out, row);
	}
}
