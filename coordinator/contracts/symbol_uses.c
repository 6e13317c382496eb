#include "coordinator/contracts/symbol_uses.h"

#include <stdlib.h>
#include <string.h>

#include "coordinator/base/options.h"
#include "coordinator/members/members.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/map.h"
#include "proto/base/minmax.h"
#include "proto/record/codec.h"
#include "proto/text/package_name.h"

/* ---- who uses whom ---- */

static int read_pairs(struct call *c, const struct scoped_tables *s, const char *relation,
    const struct table_filter *f, struct link **out, size_t *n)
{
	const t_strs only = { &relation, 1 };
	struct table_filter pairs = *f;
	struct table_page p;

	pairs.links = true;
	pairs.what = &only;
	pairs.confidence = 0;
	pairs.from = pairs.limit = 0;
	*n = 0;
	if (scoped_tables_page(c, s, &pairs, &p))
		return -1;
	*out = arena_many(c->a, p.rows.n + 1, struct link);
	for (size_t i = 0; i < p.rows.n; i++)
		if (codec_get(
		        &rec_link, &(*out)[(*n)++], p.rows.v[i].row.p, p.rows.v[i].row.n, c->a, &c->e))
			return -1;
	return 0;
}

static int by_source(const void *a, const void *b)
{
	const struct link *x = a, *y = b;
	int c = strcmp(x->source_repo_uri, y->source_repo_uri);

	if (c)
		return c;
	return strcmp(x->target_repo_uri, y->target_repo_uri);
}

/* The row of a consumer, which is the last one if it is there. */
static struct uses_consumer_rows *consumer(
    struct call *c, struct uses_consumer_list *out, struct member *m, size_t most)
{
	struct uses_consumer_rows *last = out->n ? &out->v[out->n - 1] : NULL;

	if (last && last->member == m)
		return last;
	out->v[out->n] = (struct uses_consumer_rows){
		.member = m,
		.targets.v = arena_many(c->a, most + 1, const char *),
	};
	return &out->v[out->n++];
}

int symbol_uses_consumers(struct call *c, const struct scoped_tables *s,
    const struct table_filter *f, struct uses_consumer_list *out)
{
	struct link *pairs, *needs;
	size_t n, nneeds;

	if (read_pairs(c, s, "uses_symbol", f, &pairs, &n) ||
	    read_pairs(c, s, "depends_on_package", f, &needs, &nneeds))
		return -1;
	if (n)
		qsort(pairs, n, sizeof *pairs, by_source);
	*out = (struct uses_consumer_list){
		.v = arena_many(c->a, n + 1, struct uses_consumer_rows), .needs = needs, .nneeds = nneeds
	};
	for (size_t i = 0; i < n; i++) {
		struct member *from = members_get(c->members, c->caller, pairs[i].source_repo_uri);
		if (!from || !members_get(c->members, c->caller, pairs[i].target_repo_uri))
			continue;
		struct uses_consumer_rows *r = consumer(c, out, from, n);
		r->targets.v[r->targets.n++] = pairs[i].target_repo_uri;
		r->uses += pairs[i].count;
		r->symbols += pairs[i].symbols;
	}
	return 0;
}

int symbol_uses_count(struct call *c, const struct scoped_tables *s, struct table_matrix *pairs)
{
	const struct table_filter all = { .crossing = true };
	struct link *rows;
	size_t n;

	if (read_pairs(c, s, "uses_symbol", &all, &rows, &n))
		return -1;
	for (size_t i = 0; i < pairs->npairs; i++) {
		struct contract_pair *p = &pairs->pairs[i];
		for (size_t k = 0; !strcmp(p->kind, "uses_symbol") && k < n; k++)
			if (!strcmp(rows[k].source_repo_uri, p->consumer) &&
			    !strcmp(rows[k].target_repo_uri, p->producer))
				p->calls = rows[k].count;
	}
	return 0;
}

/* ---- a page ---- */

struct uses_listing {
	struct symbol_uses_page page;
	const struct uses_consumer_list *all;
	bool each;
	size_t limit;
	struct map *interfaces; /* by repository: struct member_interfaces */
	struct uses_req *reqs;		/* of the consumers that are asked */
	size_t *asked, nasked;
	/* the definitions of each repository, whose lines are asked for */
	struct {
		struct member *member;
		struct places_req req;
		size_t *rows;
	} * places;
	size_t nplaces;
	void (*then)(struct call *, struct symbol_uses_page *);
};

static uint64_t rows_of(const struct uses_listing *x, const struct uses_consumer_rows *r)
{
	if (x->each)
		return r->uses;
	return r->symbols;
}

static void finish(struct call *c, struct uses_listing *x)
{
	map_free(x->interfaces);
	c->state = x->page.outer;
	x->then(c, &x->page);
}

static void with_places(struct call *c, struct fanout *f)
{
	struct uses_listing *x = c->state;

	for (size_t i = 0; i < f->n; i++) {
		const struct places_res *r = f->v[i].res;
		size_t n = MIN(r->places.n, x->places[i].req.symbols.n);
		for (size_t k = 0; !f->v[i].e.code && k < n; k++)
			x->page.links[x->places[i].rows[k]].target_line = r->places.v[k].line;
	}
	finish(c, x);
}

/* The question to the repository of a definition, made with its first one; NULL: it is nobody's. */
static size_t place_question(struct call *c, struct uses_listing *x, const char *repo_uri)
{
	struct member *m = members_get(c->members, c->caller, repo_uri);

	for (size_t i = 0; i < x->nplaces; i++)
		if (x->places[i].member == m)
			return i;
	x->places[x->nplaces].member = m;
	x->places[x->nplaces].req.symbols.v = arena_many(c->a, x->page.n, struct used_symbol);
	x->places[x->nplaces].rows = arena_many(c->a, x->page.n, size_t);
	return x->nplaces++;
}

/* Ask the repositories of the definitions for their lines, which interfaces do not have. */
static void ask_places(struct call *c, struct uses_listing *x)
{
	struct member **m = arena_many(c->a, x->page.n + 1, struct member *);
	const void **reqs = arena_many(c->a, x->page.n + 1, const void *);

	x->places = arena_get(c->a, x->page.n + 1, sizeof *x->places);
	for (size_t i = 0; i < x->page.n; i++) {
		const struct link *l = &x->page.links[i];
		size_t q = place_question(c, x, l->target_repo_uri);
		size_t k = x->places[q].req.symbols.n++;
		x->places[q].req.symbols.v[k] = (struct used_symbol){ l->target_doc_path, l->symbol };
		x->places[q].rows[k] = i;
	}
	for (size_t i = 0; i < x->nplaces; i++) {
		m[i] = x->places[i].member;
		reqs[i] = &x->places[i].req;
	}
	fanout(c, m, x->nplaces, RPC_places, NULL, reqs, (int)c->o->search_deadline_ms, with_places);
}

/* The interfaces of a repository; none if they are not known. */
static const struct member_interfaces *interfaces_of(
    struct call *c, struct uses_listing *x, const char *repo_uri)
{
	void **at = map_at(x->interfaces, repo_uri);
	struct member_interfaces *found;
	const char *version;
	struct bytes body;

	if (*at)
		return *at;
	found = *at = arena_one(c->a, struct member_interfaces);
	if (!tables_facts_get(c->registry, repo_uri, &version, &body, c->a, &c->e) && version)
		codec_get(&rec_member_interfaces, found, body.p, body.n, c->a, &c->e);
	return found;
}

/* Whether the interface is that of the required package. */
static bool is_required(struct call *c, const struct link *need, const struct interface_ref *r)
{
	if (!r->name || strcmp(r->ecosystem, need->ecosystem))
		return false;
	return !strcmp(package_compared_name(r->ecosystem, r->name, c->a),
	    package_compared_name(need->ecosystem, need->package, c->a));
}

static bool is_below(const char *path, const char *folder)
{
	size_t n = folder ? strlen(folder) : 0;

	return !n || (!strncmp(path, folder, n) && (!path[n] || path[n] == '/'));
}

static size_t folder_length(const struct interface_ref *r)
{
	return r->folder ? strlen(r->folder) : 0;
}

/* What the consumer requires of the innermost package around a definition, and what that is now. */
static void put_versions(struct call *c, struct uses_listing *x, struct link *l)
{
	const struct member_interfaces *all = interfaces_of(c, x, l->target_repo_uri);
	const struct interface_ref *best = NULL;

	for (size_t i = 0; i < x->all->nneeds; i++) {
		const struct link *need = &x->all->needs[i];
		if (strcmp(need->source_repo_uri, l->source_repo_uri) ||
		    strcmp(need->target_repo_uri, l->target_repo_uri))
			continue;
		for (size_t k = 0; k < all->interfaces.n; k++) {
			const struct interface_ref *r = &all->interfaces.v[k];
			if (!is_below(l->target_doc_path, r->folder) || !is_required(c, need, r))
				continue;
			if (best && folder_length(r) <= folder_length(best))
				continue;
			best = r;
			l->package = need->package;
			l->ecosystem = need->ecosystem;
			l->range = need->range;
			l->pinned = need->pinned;
			l->tag = need->tag;
			l->version = r->version;
		}
	}
}

static void add_link(struct call *c, struct uses_listing *x, const struct uses_consumer_rows *from,
    const struct external_use *u)
{
	struct link *l = &x->page.links[x->page.n++];

	*l = (struct link){
		.source_repo_uri = from->member->repo_uri,
		.source_doc_path = u->path,
		.source_line = u->line,
		.source_symbol = u->in,
		.target_repo_uri = u->repo_uri,
		.target_doc_path = u->target_path,
		.target_symbol = u->symbol,
		.relation = "uses_symbol",
		.confidence = u->confidence,
		.evidence = u->reason,
		.count = u->uses,
		.symbol = u->symbol,
		.gone_at_head = !strcmp(u->reason, USE_GONE),
		.use = u->kind,
	};
	put_versions(c, x, l);
}

/* Whether the shard has resolved its code against the interfaces of all these repositories. */
static bool knows_all(const struct strs *known, const t_strs *targets)
{
	for (size_t i = 0; i < targets->n; i++) {
		size_t k = 0;
		while (k < known->n && strcmp(known->v[k], targets->v[i]))
			k++;
		if (k == known->n)
			return false;
	}
	return true;
}

static void with_uses(struct call *c, struct fanout *f)
{
	struct uses_listing *x = c->state;

	x->page.asked = f;
	x->page.reasons.v = arena_many(c->a, f->n + 1, const char *);
	for (size_t i = 0; i < f->n; i++) {
		const struct uses_res *r = f->v[i].res;
		const struct uses_consumer_rows *from = &x->all->v[x->asked[i]];
		if (f->v[i].e.code)
			continue;
		if (!knows_all(&r->known, &from->targets))
			x->page.reasons.v[x->page.reasons.n++] = arena_printf(c->a,
			    "the uses in %s are not those of its newest commit: run group_sync",
			    from->member->repo_uri);
		for (size_t k = 0; k < r->uses.n && x->page.n < x->limit; k++)
			add_link(c, x, from, &r->uses.v[k]);
	}
	if (x->page.n)
		ask_places(c, x);
	else
		finish(c, x);
}

/* Choose who has the rows of the page, and which of them. */
static void choose_rows(struct call *c, struct uses_listing *x, size_t offset)
{
	size_t left = x->limit;
	uint64_t before = 0;

	for (size_t i = 0; i < x->all->n; i++) {
		const struct uses_consumer_rows *r = &x->all->v[i];
		uint64_t rows = rows_of(x, r), skip = offset > before ? offset - before : 0;
		before += rows;
		if (skip >= rows || !left)
			continue;
		uint64_t take = MIN(rows - skip, left);
		x->reqs[x->nasked] = (struct uses_req){ .repo_uris = { r->targets.v, r->targets.n },
			.each = x->each,
			.offset = skip,
			.limit = take };
		x->asked[x->nasked++] = i;
		left -= take;
	}
	x->page.total = before;
	if (offset + x->limit < before)
		x->page.next = offset + x->limit;
	(void)c;
}

void symbol_uses_list(struct call *c, const struct uses_consumer_list *all, bool each,
    size_t offset, size_t limit, void (*then)(struct call *, struct symbol_uses_page *))
{
	struct uses_listing *x = arena_one(c->a, struct uses_listing);
	struct member **m = arena_many(c->a, all->n + 1, struct member *);
	const void **reqs = arena_many(c->a, all->n + 1, const void *);

	*x = (struct uses_listing){
		.all = all,
		.each = each,
		.limit = limit,
		.interfaces = map_new(),
		.reqs = arena_many(c->a, all->n + 1, struct uses_req),
		.asked = arena_many(c->a, all->n + 1, size_t),
		.then = then,
	};
	x->page.links = arena_many(c->a, limit + 1, struct link);
	x->page.outer = c->state;
	choose_rows(c, x, offset);
	for (size_t i = 0; i < x->nasked; i++) {
		m[i] = all->v[x->asked[i]].member;
		reqs[i] = &x->reqs[i];
	}
	c->state = x;
	fanout(c, m, x->nasked, RPC_uses, NULL, reqs, (int)c->o->search_deadline_ms, with_uses);
}
