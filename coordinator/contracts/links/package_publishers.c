#include "coordinator/contracts/links/package_publishers.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "coordinator/contracts/links/dependency_links.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/map.h"
#include "proto/base/sorting.h"
#include "proto/base/optional_text.h"
#include "proto/text/package_name.h"

static char *lower(const char *s, struct arena *a)
{
	char *out = arena_str(a, s);

	for (char *c = out; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	return out;
}

static const char *key_of(const char *ecosystem, const char *name, struct arena *a)
{
	return arena_printf(a, "%s %s", ecosystem, package_compared_name(ecosystem, name, a));
}

static const char *last_path_segment(const char *s)
{
	const char *slash = strrchr(s, '/');

	if (slash)
		return slash + 1;
	return s;
}

/* ---- publishers ---- */

static int compare_places(const struct package *a, const struct package *b)
{
	int c = compare_texts(a->file, b->file);

	if (c)
		return c;
	return compare_numbers(a->line, b->line);
}

/* Whether `p` shows better than `x` that a member publishes the name. */
static bool is_better_place(const struct package *p, bool open, const struct publisher *x)
{
	if (open != x->open)
		return open;
	return compare_places(p, x->at) < 0;
}

static void publish_as(
    struct publisher_index *w, size_t member, const struct package *p, const char *key)
{
	void **at = map_at(w->packages, key);
	bool open = !p->scope || strcmp(p->scope, "private") != 0;

	if (!*at)
		*at = arena_one(w->a, struct publishers);
	struct publishers *all = *at;
	struct publisher *last = NULL;
	if (all->n)
		last = &all->v[all->n - 1];
	if (last && last->member == member) {
		if (is_better_place(p, open, last))
			*last = (struct publisher){ member, p, open };
		return;
	}
	all->v = grow(all->v, &all->cap, all->n + 1, sizeof *all->v);
	all->v[all->n++] = (struct publisher){ member, p, open };
}

/* The key under which publishers of modules below a path are found. */
static const char *key_below(const char *path, struct arena *a)
{
	return arena_printf(a, "below %s", path);
}

static void publish(struct publisher_index *w, size_t member, const struct package *p)
{
	char *above = arena_str(w->a, p->name), *slash;

	publish_as(w, member, p, key_of(p->ecosystem, p->name, w->a));
	if (strcmp(p->ecosystem, "go"))
		return;
	while ((slash = strrchr(above, '/')) && strchr(above, '/') != slash) {
		*slash = 0;
		publish_as(w, member, p, key_below(above, w->a));
	}
}

void publisher_index_init(struct publisher_index *w)
{
	w->packages = map_new();
	w->repos = map_new();
	for (size_t i = 0; i < w->n; i++) {
		const struct contracts_res *f = w->m[i].facts;
		*map_at(w->repos, lower(w->m[i].repo_uri, w->a)) = (void *)(uintptr_t)(i + 1);
		for (size_t k = 0; f && k < f->packages.n; k++)
			if (!strcmp(f->packages.v[k].side, "publishes") && f->packages.v[k].name)
				publish(w, i, &f->packages.v[k]);
	}
}

void publisher_index_fini(struct publisher_index *w)
{
	for (size_t i = 0; i < map_len(w->packages); i++)
		free(((struct publishers *)map_val(w->packages, i))->v);
	map_free(w->packages);
	map_free(w->repos);
	map_free(w->files);
}

ptrdiff_t publishers_repo(const struct publisher_index *w, const char *path)
{
	char *s = lower(path, w->a);

	for (size_t n = strlen(s); n; n--) {
		if (s[n] && s[n] != '/')
			continue;
		s[n] = 0;
		uintptr_t found = (uintptr_t)map_get(w->repos, s);
		if (found)
			return (ptrdiff_t)found - 1;
	}
	return -1;
}

/* Whether a member has this name, or was read from a folder with this name. */
static bool is_called(const struct match_member *m, const char *name, size_t n)
{
	const char *own = last_path_segment(m->name), *uri = last_path_segment(m->repo_uri);
	size_t len = strlen(own);

	if (!strncmp(m->repo_uri, "local:", 6) && len > 7 && own[len - 7] == '-')
		len -= 7;
	if (len == n && !strncasecmp(own, name, n))
		return true;
	return strlen(uri) == n && !strncasecmp(uri, name, n);
}

/* ---- targets of a dependency ---- */

void link_targets_add(struct link_targets *t, struct publisher x)
{
	if (t->n < LINK_TARGETS_MAX)
		t->v[t->n] = x;
	t->n++;
}

static const struct publishers *publishers_of(
    const struct publisher_index *w, const struct package *p)
{
	static const struct publishers none;
	const struct publishers *all = map_get(w->packages, key_of(p->ecosystem, p->name, w->a));

	if (!all)
		return &none;
	return all;
}

/* The repository that the manifest names, and its package of that name if it publishes one. */
static bool by_repository(const struct publisher_index *w, const struct package *p, const char *uri,
    struct link_targets *t)
{
	ptrdiff_t member = publishers_repo(w, uri);
	const struct publishers *all = publishers_of(w, p);
	struct publisher x = { (size_t)member, NULL, true };

	if (member < 0)
		return false;
	for (size_t i = 0; i < all->n; i++)
		if (all->v[i].member == (size_t)member)
			x = all->v[i];
	link_targets_add(t, x);
	t->confidence = 1;
	t->why = arena_printf(w->a, "from %s", uri);
	return true;
}

/*
 * Publishers whose name is a segment of the path: the dependency is a folder beside this one, or a
 * fork or mirror of a repository.
 */
static bool by_place(const struct publisher_index *w, const struct package *p, const char *path,
    double confidence, struct link_targets *t)
{
	const struct publishers *all = publishers_of(w, p);

	for (const char *s = path; *s;) {
		size_t n = strcspn(s, "/");
		for (size_t i = 0; i < all->n; i++)
			if (is_called(&w->m[all->v[i].member], s, n))
				link_targets_add(t, all->v[i]);
		s += n;
		if (*s == '/')
			s++;
	}
	t->confidence = confidence;
	t->why = arena_printf(w->a, "from %s", path);
	return t->n == 1;
}

void publishers_by_name(
    const struct publisher_index *w, size_t from, const struct package *p, struct link_targets *t)
{
	const struct publishers *all = publishers_of(w, p);

	t->n = 0;
	t->why = NULL;
	for (size_t i = 0; i < all->n; i++) {
		if (all->v[i].member == from) {
			t->n = 0;
			return;
		}
		if (all->v[i].open)
			link_targets_add(t, all->v[i]);
	}
	t->confidence = 0;
	if (t->n)
		t->confidence = 1.0 / (double)t->n;
	if (t->n > 1)
		t->why = arena_printf(w->a, "one of %zu that publish it", t->n);
	if (t->n > LINK_TARGETS_MAX)
		t->n = 0;
}

/*
 * Publishers of modules below the required path: a module may have moved into a folder of its own,
 * while code imports it by the same path.
 */
static void by_path_below(
    const struct publisher_index *w, size_t from, const struct package *p, struct link_targets *t)
{
	const struct publishers *all = map_get(w->packages, key_below(p->name, w->a));

	for (size_t i = 0; all && i < all->n; i++) {
		if (all->v[i].member == from) {
			t->n = 0;
			return;
		}
		link_targets_add(t, all->v[i]);
	}
	if (!t->n)
		return;
	t->confidence = 0.9 / (double)t->n;
	t->why = arena_printf(w->a, "publishes %s", t->v[0].at->name);
	if (t->n > LINK_TARGETS_MAX)
		t->n = 0;
}

void publishers_find(
    const struct publisher_index *w, size_t from, const struct package *p, struct link_targets *t)
{
	*t = (struct link_targets){ 0 };
	if (p->source) {
		if (by_repository(w, p, p->source, t))
			return;
		/* else it is another repository, whatever its package is called */
		if (!by_place(w, p, last_path_segment(p->source), 0.5, t))
			t->n = 0;
		return;
	}
	if (p->path && by_place(w, p, p->path, 1, t))
		return;
	t->n = 0;
	/* a module's path begins with its repository, whose fork may have the same module */
	if (!strcmp(p->ecosystem, "go") && by_repository(w, p, p->name, t))
		return;
	publishers_by_name(w, from, p, t);
	if (!t->n && !strcmp(p->ecosystem, "go"))
		by_path_below(w, from, p, t);
}
