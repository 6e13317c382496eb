#include "coordinator/contracts/consumers.h"

#include <stdlib.h>
#include <string.h>

#include "coordinator/contracts/group_sync.h"
#include "coordinator/contracts/tables_freshness.h"
#include "coordinator/members/members.h"
#include "coordinator/registry/groups.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/map.h"
#include "proto/base/optional_text.h"
#include "proto/base/sorting.h"
#include "proto/record/codec.h"

enum { REASONS = 20 };

struct consumers_loader {
	struct consumers *out;
	t_strs groups;
	size_t next; /* index of the next group */
	bool built; /* that group has just been synced */
	struct partial_member *noted; /* before that */
	const char *own; /* the repository */
	bool beyond; /* read contracts between other repositories, too */
	struct map *known; /* contracts read so far; NULL unless there are several groups */
	void (*then)(struct call *, struct consumers *);
	void *state; /* the tool's */
};

/* ---- reading ---- */

static void add_reason(struct consumers *k, const char *reason, struct arena *a)
{
	if (!k->reasons.v)
		k->reasons.v = arena_many(a, REASONS, const char *);
	for (size_t i = 0; i < k->reasons.n; i++)
		if (!strcmp(k->reasons.v[i], reason))
			return;
	if (k->reasons.n < REASONS)
		k->reasons.v[k->reasons.n++] = reason;
}

/* Whether another group has the same contract. */
static bool is_known(
    struct call *c, const struct consumers_loader *l, struct consumers *k, const struct contract *x)
{
	const struct end *p = x->producer, *q = x->consumer;

	if (!l->known)
		return false;
	void **at = map_at(l->known,
	    arena_printf(c->a, "%s %s %llu %s %s %s %llu %s %s", p->repo_uri, p->file,
	        (unsigned long long)p->line, p->method, q->repo_uri, q->file,
	        (unsigned long long)q->line, q->method, q->path));
	bool known = *at != NULL;
	*at = k;
	return known;
}

static bool sees_both_ends(struct call *c, const struct contract *x)
{
	return members_get(c->members, c->caller, x->producer->repo_uri) &&
	    members_get(c->members, c->caller, x->consumer->repo_uri);
}

static void keep(struct call *c, const struct consumers_loader *l, const struct contract *x)
{
	struct consumers *k = l->out;

	if (!sees_both_ends(c, x) || is_known(c, l, k, x))
		return;
	if (k->n == k->cap) {
		struct contract *v = arena_many(c->a, k->cap * 2 + 64, struct contract);
		if (k->n)
			memcpy(v, k->v, k->n * sizeof *v);
		k->cap = k->cap * 2 + 64;
		k->v = v;
	}
	k->v[k->n++] = *x;
}

static bool has_end_in(const struct contract *x, const char *repo_uri)
{
	return !strcmp(x->producer->repo_uri, repo_uri) || !strcmp(x->consumer->repo_uri, repo_uri);
}

static int read_rows(struct call *c, const struct consumers_loader *l,
    const struct scoped_tables *s, const struct table_filter *f)
{
	struct table_page p;

	if (scoped_tables_page(c, s, f, &p))
		return -1;
	for (size_t i = 0; i < p.rows.n; i++) {
		struct contract x;
		if (strcmp(p.rows.v[i].list, "contract"))
			continue;
		if (codec_get(&rec_contract, &x, p.rows.v[i].row.p, p.rows.v[i].row.n, c->a, &c->e))
			return err_set(
			    &c->e, ERR_DB_ERROR, "a row of the contract tables cannot be read; run group_sync");
		if (f->crossing && has_end_in(&x, l->own))
			continue; /* read with the repository's own contracts */
		keep(c, l, &x);
	}
	return 0;
}

static void add_need(struct call *c, struct consumers *k, const struct contract_pair *p)
{
	for (size_t i = 0; i < k->nneeds; i++)
		if (!strcmp(k->needs[i].consumer, p->consumer) &&
		    !strcmp(k->needs[i].producer, p->producer))
			return;
	if (k->nneeds == k->cap_needs) {
		size_t cap = k->cap_needs * 2 + 32;
		struct repo_need *v = arena_many(c->a, cap, struct repo_need);
		if (k->nneeds)
			memcpy(v, k->needs, k->nneeds * sizeof *v);
		k->needs = v;
		k->cap_needs = cap;
	}
	k->needs[k->nneeds++] = (struct repo_need){ p->consumer, p->producer };
}

/* Add who needs whose packages, as far as the caller sees both. */
static int read_needs(
    struct call *c, const struct consumers_loader *l, const struct scoped_tables *s)
{
	const char *relations[] = { "depends_on_package", "uses_symbol" };
	const t_strs only = { relations, LEN(relations) };
	struct table_filter f = { .links = true, .crossing = true, .what = &only };
	struct table_matrix m;

	if (!l->beyond)
		f.repo_uri = l->own;
	if (scoped_tables_link_pairs(c, s, &f, &m))
		return -1;
	for (size_t i = 0; i < m.npairs; i++)
		if (members_get(c->members, c->caller, m.pairs[i].consumer) &&
		    members_get(c->members, c->caller, m.pairs[i].producer))
			add_need(c, l->out, &m.pairs[i]);
	return 0;
}

static int read_group(
    struct call *c, const struct consumers_loader *l, const struct scoped_tables *s)
{
	const struct table_filter between = { .crossing = true }, own = { .repo_uri = l->own };
	struct consumers *k = l->out;
	struct tables_info *tables = arena_one(c->a, struct tables_info);
	struct coverage *cov;

	*tables = s->t;
	k->tables.v[k->tables.n++] = tables;

	if (read_rows(c, l, s, &own) || read_needs(c, l, s))
		return -1;
	if (l->beyond && read_rows(c, l, s, &between))
		return -1;
	if (!tables_coverage(c, &s->t, &cov))
		for (size_t i = 0; i < cov->failed.n; i++)
			add_reason(k,
			    arena_printf(c->a, "consumers in %s may be missing: %s", cov->failed.v[i].repo_uri,
			        cov->failed.v[i].message),
			    c->a);
	for (size_t i = 0; i < cov->stale.n; i++)
		add_reason(k,
		    arena_printf(c->a, "contracts of %s in group %s are not those of its newest commit",
		        cov->stale.v[i].repo_uri, s->group),
		    c->a);
	return 0;
}

static void load_next(struct call *, struct consumers_loader *);

static void with_sync(struct call *c, struct group_sync *s)
{
	struct consumers_loader *l = s->outer;

	l->built = true;
	c->partial = l->noted; /* the answer depends only on what it uses of the tables */
	if (c->e.code) { /* the contracts of the other groups are still useful */
		add_reason(l->out,
		    arena_printf(c->a, "the contracts of group %s cannot be built: %s", s->group, c->e.msg),
		    c->a);
		c->e = (struct err){ 0 };
		l->next++;
		l->built = false;
	}
	load_next(c, l);
}

static void finish(struct call *c, struct consumers_loader *l)
{
	map_free(l->known);
	c->state = l->state;
	l->then(c, l->out);
}

static void load_next(struct call *c, struct consumers_loader *l)
{
	while (l->next < l->groups.n && !c->e.code) {
		const char *group = l->groups.v[l->next];
		struct scoped_tables s;
		if (scoped_tables_refresh(c, group, &s))
			break;
		if (!s.t.synced_at && !l->built) {
			c->state = l;
			l->noted = c->partial;
			group_sync_run(c, group, with_sync);
			return;
		}
		if (read_group(c, l, &s))
			break;
		l->next++;
		l->built = false;
	}
	finish(c, l);
}

static struct consumers_loader *new_loader(
    struct call *c, const struct member *m, void (*then)(struct call *, struct consumers *))
{
	struct consumers_loader *l = arena_one(c->a, struct consumers_loader);

	l->out = arena_one(c->a, struct consumers);
	l->then = then;
	l->state = c->state;
	l->own = m->repo_uri;
	return l;
}

static void load(struct call *c, struct consumers_loader *l)
{
	l->out->grouped = l->groups.n > 0;
	l->out->tables.v = arena_many(c->a, l->groups.n, const struct tables_info *);
	if (l->groups.n > 1)
		l->known = map_new();
	load_next(c, l);
}

void consumers_load(struct call *c, const struct member *m, bool beyond,
    void (*then)(struct call *, struct consumers *))
{
	struct consumers_loader *l = new_loader(c, m, then);

	l->beyond = beyond;
	groups_of(c->registry, m->repo_uri, &l->groups, c->a, &c->e);
	load(c, l);
}

void consumers_load_group(struct call *c, const struct member *m, const char *group,
    void (*then)(struct call *, struct consumers *))
{
	struct consumers_loader *l = new_loader(c, m, then);

	l->groups.v = arena_one(c->a, const char *);
	l->groups.v[l->groups.n++] = group;
	load(c, l);
}

const char *consumers_unknown_uses(struct call *c, const struct consumers *k, const char *repo_uri)
{
	enum { NAMED = 3 };
	struct buf names = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < k->nneeds; i++) {
		if (strcmp(k->needs[i].producer, repo_uri))
			continue;
		if (n < NAMED)
			buf_printf(&names, "%s%s", n ? ", " : "", k->needs[i].consumer);
		n++;
	}
	if (!n)
		return NULL;
	if (n > NAMED)
		buf_printf(&names, " and %zu more", n - NAMED);
	const char *reason = arena_printf(c->a,
	    "packages of this repository are needed by %s: what they use of it was not asked", names.p);
	buf_free(&names);
	return reason;
}

void consumers_note_partial(struct call *c, const struct consumers *k)
{
	for (size_t i = 0; i < k->tables.n; i++)
		tables_note_partial(c, k->tables.v[i]);
}

/* ---- lookup ---- */

/* The first sentence that is no step on the way; NULL if there is none. */
static const char *first_reason(const struct contract *x)
{
	for (size_t i = 0; i < x->evidence.n; i++)
		if (x->evidence.v[i].code)
			return x->evidence.v[i].text;
	return NULL;
}

void consumers_add_end(struct call *c, struct cross_end_list *l, struct cross_end x)
{
	if (l->n == l->cap) {
		struct cross_end *v = arena_many(c->a, l->cap * 2 + 32, struct cross_end);
		if (l->n)
			memcpy(v, l->v, l->n * sizeof *v);
		l->cap = l->cap * 2 + 32;
		l->v = v;
	}
	l->v[l->n++] = x;
}

static void add(struct call *c, struct cross_end_list *l, const struct contract *x,
    const struct end *other, const char *relation, uint64_t depth)
{
	consumers_add_end(c, l,
	    (struct cross_end){
	        .relation = relation,
	        .repo_uri = other->repo_uri,
	        .path = other->file,
	        .start_line = other->line,
	        .end_line = other->end_line,
	        .symbol = other->symbol,
	        .contract = arena_printf(c->a, "%s %s", x->method, x->path),
	        .confidence = x->confidence,
	        .why = first_reason(x),
	        .depth = depth,
	        .ambiguous = x->ambiguous,
	        .scope = x->scope,
	    });
}

static bool is_route(const struct end *p, const char *repo_uri, const struct route_row *r)
{
	return !strcmp(p->repo_uri, repo_uri) && !strcmp(p->file, r->file) && p->line == r->line &&
	    !strcmp(p->method, r->method) && !strcmp(p->path, r->path);
}

static bool add_callers(struct call *c, const struct consumers *k, const char *repo_uri,
    const struct route_row *r, uint64_t depth, bool cross, struct cross_end_list *out)
{
	size_t before = out->n;

	for (size_t i = 0; i < k->n; i++) {
		if (k->v[i].cross_repo == cross && is_route(k->v[i].producer, repo_uri, r))
			add(c, out, &k->v[i], k->v[i].consumer, "called_by", depth);
	}
	return out->n > before;
}

bool consumers_add_external(struct call *c, const struct consumers *k, const char *repo_uri,
    const struct route_row *r, uint64_t depth, struct cross_end_list *out)
{
	return add_callers(c, k, repo_uri, r, depth, true, out);
}

bool consumers_add_internal(struct call *c, const struct consumers *k, const char *repo_uri,
    const struct route_row *r, uint64_t depth, struct cross_end_list *out)
{
	return add_callers(c, k, repo_uri, r, depth, false, out);
}

static bool is_within(
    const struct end *x, const char *repo_uri, const char *path, uint64_t from, uint64_t to)
{
	return !strcmp(x->repo_uri, repo_uri) && !strcmp(x->file, path) && x->line >= from &&
	    x->line <= to;
}

void consumers_add_outgoing(struct call *c, const struct consumers *k, const char *repo_uri,
    const char *path, uint64_t from, uint64_t to, uint64_t depth, struct cross_end_list *out)
{
	for (size_t i = 0; i < k->n; i++)
		if (k->v[i].cross_repo && is_within(k->v[i].consumer, repo_uri, path, from, to))
			add(c, out, &k->v[i], k->v[i].producer, "calls", depth);
}

static int by_line(const void *a, const void *b)
{
	const struct file_crossing *x = a, *y = b;
	int c = compare_numbers(x->at_line, y->at_line);
	if (!c)
		c = strcmp(x->end->relation, y->end->relation);
	if (!c)
		c = strcmp(x->end->contract, y->end->contract);
	if (!c)
		c = strcmp(x->end->repo_uri, y->end->repo_uri);
	if (!c)
		c = strcmp(x->end->path, y->end->path);
	if (c)
		return c;
	return compare_numbers(x->end->start_line, y->end->start_line);
}

void consumers_file_crossings(struct call *c, const struct consumers *k, const char *repo_uri,
    const char *path, struct file_crossing **v, size_t *n)
{
	struct file_crossing *w = arena_many(c->a, 2 * k->n, struct file_crossing);
	struct cross_end_list ends = { 0 };
	size_t found = 0, kept = 0;

	for (size_t i = 0; i < k->n; i++) {
		const struct contract *x = &k->v[i];
		const struct end *sides[] = { x->producer, x->consumer };
		for (int side = 0; side < 2; side++) {
			if (strcmp(sides[side]->repo_uri, repo_uri) || strcmp(sides[side]->file, path))
				continue;
			add(c, &ends, x, sides[!side], side ? "calls" : "called_by", 1);
			w[found++] = (struct file_crossing){ .at_line = sides[side]->line,
				.at_end_line = sides[side]->end_line };
		}
	}
	for (size_t i = 0; i < found; i++)
		w[i].end = &ends.v[i];
	qsort(w, found, sizeof *w, by_line);
	for (size_t i = 0; i < found; i++)
		if (!kept || by_line(&w[kept - 1], &w[i]))
			w[kept++] = w[i];
	*v = w;
	*n = kept;
}

static int by_place(const void *a, const void *b)
{
	const struct cross_end *x = a, *y = b;
	int c = strcmp(x->repo_uri, y->repo_uri);

	if (!c)
		c = strcmp(x->path, y->path);
	if (!c)
		c = compare_numbers(x->start_line, y->start_line);
	if (!c)
		c = strcmp(x->contract, y->contract);
	if (!c)
		c = strcmp(x->relation, y->relation);
	if (c)
		return c;
	return compare_numbers(x->depth, y->depth);
}

static int by_depth(const void *a, const void *b)
{
	const struct cross_end *x = a, *y = b;
	int c = compare_numbers(x->depth, y->depth);

	if (c)
		return c;
	return by_place(a, b);
}

static bool same_end(const struct cross_end *a, const struct cross_end *b)
{
	return !strcmp(a->repo_uri, b->repo_uri) && !strcmp(a->path, b->path) &&
	    a->start_line == b->start_line && !strcmp(a->contract, b->contract) &&
	    !strcmp(a->relation, b->relation);
}

void consumers_sort_unique(struct cross_end_list *l)
{
	size_t k = 0;

	if (!l->n)
		return;
	qsort(l->v, l->n, sizeof *l->v, by_place);
	for (size_t i = 0; i < l->n; i++)
		if (!k || !same_end(&l->v[k - 1], &l->v[i]))
			l->v[k++] = l->v[i];
	l->n = k;
	qsort(l->v, l->n, sizeof *l->v, by_depth);
}
