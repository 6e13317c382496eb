#include "coordinator/contracts/links/wanted_interfaces.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/contracts/links/dependency_links.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/map.h"
#include "proto/base/optional_text.h"

enum {
	MAX_DEPTH = 3,		/* of what packages require in turn */
	MAX_WANTED = 500,	/* interfaces of a member */
	MAX_SIBLINGS = 60	/* packages of one repository that are handed out with the required one */
};

struct wanted_finder {
	const struct match_member *m;
	size_t n;
	struct arena *a;
	struct map *members;		/* repo_uri -> index + 1 */
	struct link_list links;		/* of packages, ordered by source */
	size_t *first;			/* of each member: its first link; one more at the end */
	struct map *headers;		/* name without folders -> struct public_header */
	struct map *modules; /* ecosystem, blank, module -> struct module_owner */
};

/* The list of one member while it is found. */
struct wanted_growing {
	struct wanted_interface *v;
	size_t n, cap;
};

/* ---- links by member ---- */

static size_t member_of(const struct wanted_finder *f, const char *repo_uri)
{
	return (size_t)(uintptr_t)map_get(f->members, repo_uri) - 1;
}

static void index_members(struct wanted_finder *f)
{
	f->members = map_new();
	for (size_t i = 0; i < f->n; i++)
		*map_at(f->members, f->m[i].repo_uri) = (void *)(uintptr_t)(i + 1);
}

/* The links come member by member, so each has a range. */
static void index_links(struct wanted_finder *f)
{
	size_t at = 0;

	dependency_links_packages(f->m, f->n, f->a, &f->links);
	f->first = arena_many(f->a, f->n + 1, size_t);
	for (size_t i = 0; i < f->n; i++) {
		f->first[i] = at;
		while (at < f->links.n && !strcmp(f->links.v[at].source_repo_uri, f->m[i].repo_uri))
			at++;
	}
	f->first[f->n] = at;
}

/* ---- one member ---- */

static void want(struct wanted_growing *g, const char *repo_uri, const struct interface_ref *x)
{
	if (g->n == MAX_WANTED || text_is_set(x->problem))
		return;
	g->v = grow(g->v, &g->cap, g->n + 1, sizeof *g->v);
	g->v[g->n++] = (struct wanted_interface){
		.repo_uri = repo_uri, .ecosystem = x->ecosystem, .name = x->name, .hash = x->hash
	};
}

/* Want a package of a member, and those beside it, whose types it may show. */
static void want_package(
    const struct wanted_finder *f, struct wanted_growing *g, size_t target, const char *ecosystem)
{
	const struct contracts_res *facts = f->m[target].facts;
	size_t siblings = 0;

	for (size_t i = 0; facts && i < facts->interfaces.n; i++) {
		const struct interface_ref *x = &facts->interfaces.v[i];
		if (!strcmp(x->ecosystem, ecosystem) && siblings++ < MAX_SIBLINGS)
			want(g, f->m[target].repo_uri, x);
	}
}

/* ---- headers ---- */

/* The letters and digits of a name, in lower case, up to the last dot. */
static const char *plain_name(const char *name, struct arena *a)
{
	const char *slash = strrchr(name, '/'), *last = slash ? slash + 1 : name;
	const char *dot = strrchr(last, '.');
	size_t n = dot ? (size_t)(dot - last) : strlen(last);
	char *out = arena_strn(a, last, n), *to = out;

	for (const char *c = out; *c; c++)
		if (isalnum((unsigned char)*c))
			*to++ = (char)tolower((unsigned char)*c);
	*to = 0;
	return out;
}

/* Whether a header is called like its repository: jansson.h, uv.h of libuv. */
static bool is_named_like(const char *header, const char *repo_uri, struct arena *a)
{
	const char *stem = plain_name(header, a), *repo = plain_name(repo_uri, a);

	if (!strncmp(repo, "lib", 3))
		repo += 3;
	if (!strncmp(stem, "lib", 3))
		stem += 3;
	return strlen(stem) > 1 && !strncmp(repo, stem, strlen(stem));
}

/*
 * Whether code of others includes the header: it is in a folder for that, or called like its
 * repository.  Any repository may have a util.h of its own.
 */
static bool is_public(const char *header, const char *repo_uri, struct arena *a)
{
	return !strncmp(header, "include/", 8) || strstr(header, "/include/") ||
	    is_named_like(header, repo_uri, a);
}

/* Whether `include` is the path of the header, or its end behind a slash. */
static bool is_end(const char *header, const char *include)
{
	size_t n = strlen(header), len = strlen(include);

	if (len > n || strcmp(header + n - len, include))
		return false;
	return len == n || header[n - len - 1] == '/';
}

struct public_header {
	const char *path;
	size_t member;
	const struct interface_ref *package;
	const struct public_header *next;	/* of the same name */
};

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (slash)
		return slash + 1;
	return path;
}

static void index_headers(struct wanted_finder *f, size_t member, const struct interface_ref *x)
{
	for (size_t i = 0; i < x->headers.n; i++) {
		const char *path = x->headers.v[i];
		if (!is_public(path, f->m[member].repo_uri, f->a))
			continue;
		struct public_header *h = arena_one(f->a, struct public_header);
		void **at = map_at(f->headers, base_name(path));
		*h = (struct public_header){ path, member, x, *at };
		*at = h;
	}
}

static void want_included(const struct wanted_finder *f, struct wanted_growing *g, size_t own)
{
	const struct contracts_res *facts = f->m[own].facts;

	for (size_t i = 0; facts && i < facts->includes.n; i++) {
		const char *include = facts->includes.v[i];
		const struct public_header *h = map_get(f->headers, base_name(include));
		for (; h; h = h->next)
			if (h->member != own && is_end(h->path, include))
				want(g, f->m[h->member].repo_uri, h->package);
	}
}

/* ---- packages and namespaces ---- */

struct module_owner {
	size_t member;
	const struct interface_ref *package;
	const struct module_owner *next; /* of the same module */
};

/*
 * Whether an import is enough.  A package of Java belongs to one library, whatever its build file
 * computes; namespaces of other languages are open, so there the manifests decide, if they name
 * the package at all.
 */
static bool found_by_import(const struct interface_ref *x)
{
	return !text_is_set(x->name) || !strcmp(x->ecosystem, "maven");
}

static void index_modules(struct wanted_finder *f, size_t member, const struct interface_ref *x)
{
	for (size_t i = 0; found_by_import(x) && i < x->modules.n; i++) {
		struct module_owner *o = arena_one(f->a, struct module_owner);
		void **at = map_at(f->modules, arena_printf(f->a, "%s %s", x->ecosystem, x->modules.v[i]));
		*o = (struct module_owner){ member, x, *at };
		*at = o;
	}
}

/*
 * Who defines a module that is imported, or the innermost around it: the last words may be a type
 * and what is in it.
 */
static const struct module_owner *owners_of(const struct wanted_finder *f, const char *import)
{
	char *name = arena_str(f->a, import);

	for (;;) {
		const struct module_owner *o = map_get(f->modules, name);
		char *dot = strrchr(name, '.');
		if (o || !dot || !isupper((unsigned char)dot[1]))
			return o;
		*dot = 0;
	}
}

static void index_packages(struct wanted_finder *f)
{
	f->headers = map_new();
	f->modules = map_new();
	for (size_t i = 0; i < f->n; i++) {
		const struct contracts_res *facts = f->m[i].facts;
		for (size_t k = 0; facts && k < facts->interfaces.n; k++) {
			index_headers(f, i, &facts->interfaces.v[k]);
			index_modules(f, i, &facts->interfaces.v[k]);
		}
	}
}

/* ---- what members require ---- */

/* The members that a member requires, nearest first, as a queue. */
struct requirement {
	size_t member;
	int depth;
};

struct requirement_queue {
	struct requirement *v;
	size_t n;
	bool *seen;
	struct map *taken; /* member, blank, ecosystem */
	size_t own;
};

static void require(const struct wanted_finder *f, struct wanted_growing *g,
    struct requirement_queue *q, struct requirement from, size_t target, const char *ecosystem)
{
	void **taken = map_at(q->taken, arena_printf(f->a, "%zu %s", target, ecosystem));

	if (target == q->own || *taken)
		return;
	*taken = q;
	want_package(f, g, target, ecosystem);
	if (!q->seen[target])
		q->v[q->n++] = (struct requirement){ target, from.depth + 1 };
	q->seen[target] = true;
}

static void require_declared(const struct wanted_finder *f, struct wanted_growing *g,
    struct requirement_queue *q, struct requirement from)
{
	for (size_t i = f->first[from.member]; i < f->first[from.member + 1]; i++)
		require(
		    f, g, q, from, member_of(f, f->links.v[i].target_repo_uri), f->links.v[i].ecosystem);
}

static void require_imported(const struct wanted_finder *f, struct wanted_growing *g,
    struct requirement_queue *q, struct requirement from)
{
	const struct contracts_res *facts = f->m[from.member].facts;

	for (size_t i = 0; facts && i < facts->imports.n; i++)
		for (const struct module_owner *o = owners_of(f, facts->imports.v[i]); o; o = o->next)
			require(f, g, q, from, o->member, o->package->ecosystem);
}

static void want_required(const struct wanted_finder *f, struct wanted_growing *g, size_t own)
{
	struct requirement_queue q = { .v = arena_many(f->a, f->n + 1, struct requirement),
		.seen = arena_many(f->a, f->n, bool),
		.taken = map_new(),
		.own = own };

	q.v[q.n++].member = own;
	q.seen[own] = true;
	for (size_t at = 0; at < q.n && q.v[at].depth < MAX_DEPTH; at++) {
		require_declared(f, g, &q, q.v[at]);
		require_imported(f, g, &q, q.v[at]);
	}
	map_free(q.taken);
}

/* ---- all members ---- */

static int by_hash(const void *a, const void *b)
{
	const struct wanted_interface *x = a, *y = b;
	int c = strcmp(x->repo_uri, y->repo_uri);

	if (c)
		return c;
	return strcmp(x->hash, y->hash);
}

static struct wanted_list finished(struct wanted_growing *g, struct arena *a)
{
	struct wanted_list out = { .v = arena_many(a, g->n + 1, struct wanted_interface) };

	if (g->n)
		qsort(g->v, g->n, sizeof *g->v, by_hash);
	for (size_t i = 0; i < g->n; i++)
		if (!out.n || by_hash(&out.v[out.n - 1], &g->v[i]))
			out.v[out.n++] = g->v[i];
	free(g->v);
	return out;
}

struct wanted_list *wanted_interfaces_find(const struct match_member *m, size_t n, struct arena *a)
{
	struct wanted_finder f = { .m = m, .n = n, .a = a };
	struct wanted_list *out = arena_many(a, n + 1, struct wanted_list);

	index_members(&f);
	index_links(&f);
	index_packages(&f);
	for (size_t i = 0; i < n; i++) {
		struct wanted_growing g = { 0 };
		want_required(&f, &g, i);
		want_included(&f, &g, i);
		out[i] = finished(&g, a);
	}
	free(f.links.v);
	map_free(f.members);
	map_free(f.headers);
	map_free(f.modules);
	return out;
}
