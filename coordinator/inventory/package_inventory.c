#include "coordinator/inventory/package_inventory.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "coordinator/contracts/links/dependency_links.h"
#include "coordinator/inventory/exact_version.h"
#include "coordinator/inventory/package_url.h"
#include "coordinator/records/records.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/map.h"
#include "proto/base/minmax.h"
#include "proto/base/optional_text.h"
#include "proto/base/sorting.h"
#include "proto/text/package_name.h"

enum { PUBLISHERS_SHOWN = 8 };

/* A package while it is collected. */
struct entry {
	struct package_publisher *publishers;
	size_t npublishers, cap_publishers;
	struct package_declaration *declarations;
	size_t ndeclarations, cap_declarations;
	const char *ecosystem, *name;
};

struct collection {
	const struct match_member *m;
	size_t n;
	const struct inventory_filter *filter;
	struct arena *a;
	struct map *entries; /* ecosystem and compared name -> entry */
	struct map *targets; /* place of a declaration -> t_strs, repositories that publish it */
	struct map *own; /* repo_uri, ecosystem and compared name -> what it publishes itself */
};

static const char *key_of(const struct collection *w, const struct package *p)
{
	return arena_printf(
	    w->a, "%s %s", p->ecosystem, package_compared_name(p->ecosystem, p->name, w->a));
}

static const char *own_key(
    const struct collection *w, const char *repo_uri, const struct package *p)
{
	return arena_printf(w->a, "%s %s", repo_uri, key_of(w, p));
}

static const char *place_key(const struct collection *w, const char *repo_uri, const char *file,
    uint64_t line, const char *ecosystem, const char *name)
{
	return arena_printf(w->a, "%s %s:%llu %s %s", repo_uri, text_or_empty(file),
	    (unsigned long long)line, ecosystem, name);
}

/* ---- who publishes what is declared ---- */

static bool has_text(const t_strs *v, const char *s)
{
	for (size_t i = 0; i < v->n; i++)
		if (!strcmp(v->v[i], s))
			return true;
	return false;
}

/* Add a text in its place by alphabet. */
static void add_text(t_strs *v, const char *s, struct arena *a)
{
	if (has_text(v, s))
		return;
	const char **more = arena_many(a, v->n + 1, const char *);
	size_t at = 0;
	while (at < v->n && strcmp(v->v[at], s) < 0) {
		more[at] = v->v[at];
		at++;
	}
	more[at] = s;
	for (size_t i = at; i < v->n; i++)
		more[i + 1] = v->v[i];
	*v = (t_strs){ more, v->n + 1 };
}

static void index_targets(struct collection *w)
{
	struct link_list links = { 0 };

	dependency_links_packages(w->m, w->n, w->a, &links);
	for (size_t i = 0; i < links.n; i++) {
		const struct link *l = &links.v[i];
		void **at = map_at(w->targets,
		    place_key(w, l->source_repo_uri, l->source_doc_path, l->source_line, l->ecosystem,
		        l->package));
		if (!*at)
			*at = arena_one(w->a, t_strs);
		add_text(*at, l->target_repo_uri, w->a);
	}
	free(links.v);
}

static void index_own(struct collection *w)
{
	for (size_t i = 0; i < w->n; i++) {
		const struct contracts_res *f = w->m[i].facts;
		for (size_t k = 0; f && k < f->packages.n; k++) {
			const struct package *p = &f->packages.v[k];
			if (p->name && !strcmp(p->side, "publishes"))
				*map_at(w->own, own_key(w, w->m[i].repo_uri, p)) = w;
		}
	}
}

/* The members that publish what is declared here, perhaps the repository itself. */
static t_strs publishers_of(
    const struct collection *w, const char *repo_uri, const struct package *p)
{
	const t_strs *found = map_get(
	    w->targets, place_key(w, repo_uri, p->file, p->line, p->ecosystem, p->name));
	t_strs itself = { 0 };

	if (found)
		return *found;
	if (!p->source && map_get(w->own, own_key(w, repo_uri, p)))
		add_text(&itself, repo_uri, w->a);
	return itself;
}

/* ---- collecting ---- */

static bool contains_in_any_case(const char *s, const char *part)
{
	size_t n = strlen(part);

	for (; strlen(s) >= n; s++)
		if (!strncasecmp(s, part, n))
			return true;
	return false;
}

static bool is_asked(const struct inventory_filter *f, const struct package *p)
{
	if (f->ecosystem && strcmp(f->ecosystem, p->ecosystem))
		return false;
	return !f->name || contains_in_any_case(p->name, f->name);
}

static bool is_listed(const struct package *p)
{
	if (!p->name || !strcmp(p->ecosystem, "url"))
		return false;
	return !p->scope || strcmp(p->scope, "project") != 0;
}

static struct entry *entry_of(struct collection *w, const struct package *p)
{
	void **at = map_at(w->entries, key_of(w, p));
	struct entry *x = *at;

	if (!x) {
		x = *at = arena_one(w->a, struct entry);
		x->ecosystem = p->ecosystem;
		x->name = p->name;
	}
	/* of several spellings the first by alphabet, whoever comes first */
	if (strcmp(p->name, x->name) < 0)
		x->name = p->name;
	return x;
}

static void add_publisher(struct collection *w, const char *repo_uri, const struct package *p)
{
	struct entry *x = entry_of(w, p);

	x->publishers = grow(
	    x->publishers, &x->cap_publishers, x->npublishers + 1, sizeof *x->publishers);
	x->publishers[x->npublishers++] = (struct package_publisher){
		.repo_uri = repo_uri,
		.version = text_or_null(p->range),
		.purl = package_url(p->ecosystem, p->name, p->range, w->a),
		.file = p->file,
		.line = p->line,
		.private = p->scope && !strcmp(p->scope, "private"),
	};
}

/* How often a repository uses the definitions of the only one that publishes the package. */
static uint64_t uses_of(const struct match_member *m, const t_strs *publishers)
{
	if (publishers->n != 1)
		return 0;
	for (size_t i = 0; i < m->facts->uses.n; i++)
		if (!strcmp(m->facts->uses.v[i].repo_uri, publishers->v[0]))
			return m->facts->uses.v[i].uses;
	return 0;
}

/* The one version that a lock file chose, or that the manifest allows; NULL: not known. */
static const char *version_of(const struct package *p, struct arena *a)
{
	if (text_is_set(p->pinned))
		return p->pinned;
	return exact_version(p->ecosystem, p->file, p->range, a);
}

static void add_declaration(
    struct collection *w, const struct match_member *m, const struct package *p)
{
	t_strs publishers = publishers_of(w, m->repo_uri, p);

	if (w->filter->external && publishers.n)
		return;
	const char *version = NULL, *purl = NULL;
	if (!p->source)
		version = version_of(p, w->a);
	if (version)
		purl = package_url(p->ecosystem, p->name, version, w->a);
	struct entry *x = entry_of(w, p);
	x->declarations = grow(
	    x->declarations, &x->cap_declarations, x->ndeclarations + 1, sizeof *x->declarations);
	x->declarations[x->ndeclarations++] = (struct package_declaration){
		.repo_uri = m->repo_uri,
		.range = text_or_null(p->range),
		.version = version,
		.pinned = version && text_is_set(p->pinned),
		.purl = purl,
		.scope = p->scope,
		.source = p->source,
		.key = p->key,
		.file = text_or_empty(p->file),
		.line = p->line,
		.publishers = publishers,
		.uses = uses_of(m, &publishers),
	};
}

static void collect(struct collection *w, const struct match_member *m)
{
	const char *only = w->filter->repo_uri;
	bool wanted = !only || !strcmp(only, m->repo_uri);

	for (size_t i = 0; m->facts && i < m->facts->packages.n; i++) {
		const struct package *p = &m->facts->packages.v[i];
		if (!is_listed(p) || !is_asked(w->filter, p))
			continue;
		if (!strcmp(p->side, "publishes"))
			add_publisher(w, m->repo_uri, p);
		else if (wanted && !strcmp(p->side, "depends"))
			add_declaration(w, m, p);
	}
}

/* ---- rows ---- */

static int by_publisher(const void *x, const void *y)
{
	const struct package_publisher *a = x, *b = y;
	int c = strcmp(a->repo_uri, b->repo_uri);

	if (!c)
		c = compare_texts(a->file, b->file);
	if (c)
		return c;
	return compare_numbers(a->line, b->line);
}

static int by_declaration(const void *x, const void *y)
{
	const struct package_declaration *a = x, *b = y;
	int c = strcmp(a->repo_uri, b->repo_uri);

	if (!c)
		c = strcmp(a->file, b->file);
	if (!c)
		c = compare_numbers(a->line, b->line);
	if (!c)
		c = compare_texts(a->scope, b->scope);
	if (!c)
		c = compare_texts(a->range, b->range);
	if (c)
		return c;
	return compare_texts(a->key, b->key);
}

static int by_text(const void *x, const void *y)
{
	return compare_texts(*(const char *const *)x, *(const char *const *)y);
}

static uint64_t count_ranges(const struct entry *x, struct arena *a)
{
	const char **v = arena_many(a, x->ndeclarations + 1, const char *);
	uint64_t n = 0;

	for (size_t i = 0; i < x->ndeclarations; i++)
		v[i] = text_or_empty(x->declarations[i].range);
	if (x->ndeclarations)
		qsort(v, x->ndeclarations, sizeof *v, by_text);
	for (size_t i = 0; i < x->ndeclarations; i++)
		if (*v[i] && (!i || strcmp(v[i], v[i - 1])))
			n++;
	return n;
}

/* The declarations are sorted. */
static uint64_t count_repositories(const struct entry *x)
{
	uint64_t n = 0;

	for (size_t i = 0; i < x->ndeclarations; i++)
		if (!i || strcmp(x->declarations[i].repo_uri, x->declarations[i - 1].repo_uri))
			n++;
	return n;
}

static bool is_external(const struct package_row *r)
{
	for (size_t i = 0; i < r->declarations.n; i++)
		if (!r->declarations.v[i].publishers.n)
			return true;
	return false;
}

/* Whether the filter lets the package through, for which nothing may be left. */
static bool remains(const struct inventory_filter *f, const struct entry *x)
{
	if (x->ndeclarations)
		return true;
	if (f->external)
		return false;
	for (size_t i = 0; i < x->npublishers; i++)
		if (!f->repo_uri || !strcmp(f->repo_uri, x->publishers[i].repo_uri))
			return true;
	return false;
}

static struct package_row row_of(struct entry *x, struct arena *a)
{
	if (x->npublishers)
		qsort(x->publishers, x->npublishers, sizeof *x->publishers, by_publisher);
	if (x->ndeclarations)
		qsort(x->declarations, x->ndeclarations, sizeof *x->declarations, by_declaration);
	struct package_row r = {
		.ecosystem = x->ecosystem,
		.name = x->name,
		.purl = package_url(x->ecosystem, x->name, NULL, a),
		.repositories = count_repositories(x),
		.ranges = count_ranges(x, a),
		.total = x->ndeclarations,
	};
	r.publishers.n = MIN(x->npublishers, (size_t)PUBLISHERS_SHOWN);
	r.publishers.v = arena_many(a, r.publishers.n + 1, struct package_publisher);
	if (r.publishers.n)
		memcpy(r.publishers.v, x->publishers, r.publishers.n * sizeof *r.publishers.v);
	r.declarations.n = x->ndeclarations;
	r.declarations.v = arena_many(a, x->ndeclarations + 1, struct package_declaration);
	if (x->ndeclarations)
		memcpy(r.declarations.v, x->declarations, x->ndeclarations * sizeof *r.declarations.v);
	return r;
}

static int by_name(const void *x, const void *y)
{
	const struct package_row *a = x, *b = y;
	int c = strcmp(a->ecosystem, b->ecosystem);

	if (c)
		return c;
	return strcmp(a->name, b->name);
}

static size_t places_of(const struct package_row *r)
{
	return MAX(r->declarations.n, (size_t)1);
}

static void put_rows(struct collection *w, struct package_inventory *out)
{
	out->v = arena_many(w->a, map_len(w->entries) + 1, struct package_row);
	for (size_t i = 0; i < map_len(w->entries); i++) {
		struct entry *x = map_val(w->entries, i);
		if (remains(w->filter, x))
			out->v[out->n++] = row_of(x, w->a);
		free(x->publishers);
		free(x->declarations);
	}
	if (out->n)
		qsort(out->v, out->n, sizeof *out->v, by_name);
	for (size_t i = 0; i < out->n; i++) {
		out->places += places_of(&out->v[i]);
		if (is_external(&out->v[i]))
			out->external++;
	}
}

void package_inventory_build(const struct match_member *m, size_t n,
    const struct inventory_filter *filter, struct arena *a, struct package_inventory *out)
{
	struct collection w = {
		.m = m,
		.n = n,
		.filter = filter,
		.a = a,
		.entries = map_new(),
		.targets = map_new(),
		.own = map_new(),
	};

	*out = (struct package_inventory){ 0 };
	index_targets(&w);
	index_own(&w);
	for (size_t i = 0; i < n; i++)
		collect(&w, &m[i]);
	put_rows(&w, out);
	map_free(w.entries);
	map_free(w.targets);
	map_free(w.own);
}

/* ---- pages ---- */

void package_inventory_page(const struct package_inventory *all, size_t from, size_t limit,
    struct arena *a, struct package_row **v, size_t *n)
{
	size_t end = from + limit, begin = 0;

	*v = arena_many(a, MIN(all->n, limit) + 1, struct package_row);
	*n = 0;
	for (size_t i = 0; i < all->n && begin < end; i++) {
		const struct package_row *r = &all->v[i];
		size_t next = begin + places_of(r);
		if (next > from) {
			size_t skipped = MAX(from, begin) - begin;
			struct package_row *x = &(*v)[(*n)++];
			*x = *r;
			x->declarations.v += skipped;
			x->declarations.n = MIN(r->declarations.n, end - begin) -
			    MIN(skipped, r->declarations.n);
		}
		begin = next;
	}
}
