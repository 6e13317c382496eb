#include "shard/manifests/packages.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/map.h"
#include "proto/record/record.h"
#include "shard/base/relative_path.h"

enum { CHAIN = 24, DEEP = 8 };

/* A file with rows. */
struct manifest {
	const char *path, *dir;
	/* own: what it publishes, parent: what it inherits from; NULL: nothing */
	const struct package *v, *own, *parent;
	size_t n;
	struct manifest *next_in_dir;		/* the next one in its folder */
	struct map *row_index;			/* "sets KEY", "manages KEY", "replaces NAME" -> row */
};

struct package_resolver {
	struct arena *a;
	struct manifest *v;
	size_t n;
	struct map *paths, *folders;	/* -> manifest; one of each folder */
	struct { struct package *v; size_t n, cap; } out;
};

static int text_order(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int by_place(const void *x, const void *y)
{
	const struct package *a = x, *b = y;
	int c = text_order(a->file, b->file);

	if (!c)
		c = (a->line > b->line) - (a->line < b->line);
	if (!c)
		c = strcmp(a->side, b->side);
	if (!c)
		c = text_order(a->ecosystem, b->ecosystem);
	if (!c)
		c = text_order(a->name, b->name);
	if (!c)
		c = text_order(a->key, b->key);
	if (c)
		return c;
	return text_order(a->range, b->range);
}

/* ---- folders ---- */

static const char *folder_of(const char *path, struct arena *a)
{
	const char *slash = strrchr(path, '/');

	if (slash)
		return arena_strn(a, path, (size_t)(slash - path));
	return "";
}

/* `dir` and a path seen from it; NULL when that leaves the repository. */
static const char *within(const char *dir, const char *path, struct arena *a)
{
	if (*path == '/' || strstr(path, "://"))
		return NULL;
	return relative_path(a, dir, path);
}

/* ---- manifests ---- */

static const char *index_key(const char *side, const char *key, struct arena *a)
{
	return arena_printf(a, "%s %s", side, key);
}

/* Catalogs write dashes and underscores where those who take from them write dots. */
static const char *dotted(const char *key, struct arena *a)
{
	char *s = arena_str(a, key);

	for (char *c = s; *c; c++) {
		if (*c == '-' || *c == '_')
			*c = '.';
	}
	return s;
}

static void index_manifest_row(
    struct package_resolver *j, struct manifest *m, const struct package *p)
{
	const char *key = p->key ? p->key : p->name;

	if (!strcmp(p->side, "publishes") && !m->own)
		m->own = p;
	if (!strcmp(p->side, "inherits"))
		m->parent = p;
	if (!strcmp(p->side, "replaces"))
		key = p->name;
	if (strcmp(p->side, "sets") && strcmp(p->side, "manages") && strcmp(p->side, "replaces"))
		return;
	void **at = map_at(m->row_index,
	    index_key(p->side, !strcmp(p->side, "manages") ? dotted(key, j->a) : key, j->a));
	if (!*at)
		*at = (void *)(uintptr_t)p;
}

static void add_manifest(struct package_resolver *j, const struct package *v, size_t n)
{
	struct manifest *m = &j->v[j->n++];

	*m = (struct manifest){ .path = v->file, .dir = folder_of(v->file, j->a), .v = v, .n = n, .row_index = map_new() };
	for (size_t i = 0; i < n; i++)
		index_manifest_row(j, m, &v[i]);
	*map_at(j->paths, m->path) = m;
	void **first = map_at(j->folders, m->dir);
	m->next_in_dir = *first;
	*first = m;
}

/* ---- whom a manifest takes over from ---- */

struct manifest_chain {
	const struct manifest *v[CHAIN];
	size_t n;
};

static void chain_append(struct manifest_chain *c, const struct manifest *m)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->v[i] == m)
			return;
	if (c->n < CHAIN)
		c->v[c->n++] = m;
}

/* pom.xml: its parent, if that stands where it says. */
static void parents(
    const struct package_resolver *j, const struct manifest *m, struct manifest_chain *c)
{
	while (m && m->parent && c->n < CHAIN) {
		const char *to = m->parent->path ? m->parent->path : "../pom.xml";
		const char *path = within(m->dir, to, j->a);
		const struct manifest *up = NULL;
		if (path)
			up = map_get(j->paths, path);
		if (!up && path)
			up = map_get(j->paths, *path ? arena_printf(j->a, "%s/pom.xml", path) : "pom.xml");
		if (!up || up == m || !up->own || text_order(up->own->name, m->parent->name))
			return;
		chain_append(c, up);
		m = up;
	}
}

static void of_folder(const struct package_resolver *j, const char *dir, const char *ecosystem,
    struct manifest_chain *c)
{
	for (const struct manifest *m = map_get(j->folders, dir); m; m = m->next_in_dir)
		if (!strcmp(m->v->ecosystem, ecosystem))
			chain_append(c, m);
}

/* The others: what stands beside it and in the folders above, catalogs in `gradle` there. */
static void folders_above(
    const struct package_resolver *j, const struct manifest *m, struct manifest_chain *c)
{
	char *dir = arena_str(j->a, m->dir);

	for (;;) {
		of_folder(j, dir, m->v->ecosystem, c);
		of_folder(j, *dir ? arena_printf(j->a, "%s/gradle", dir) : "gradle", m->v->ecosystem, c);
		if (!*dir)
			return;
		char *slash = strrchr(dir, '/');
		*(slash ? slash : dir) = 0;
	}
}

static void chain_of(
    const struct package_resolver *j, const struct manifest *m, struct manifest_chain *c)
{
	const char *slash = strrchr(m->path, '/');

	c->n = 0;
	chain_append(c, m);
	if (!strcmp(slash ? slash + 1 : m->path, "pom.xml"))
		parents(j, m, c);
	else
		folders_above(j, m, c);
}

static const struct package *find_in_chain(const struct package_resolver *j,
    const struct manifest_chain *c, const char *side, const char *key)
{
	const char *what = index_key(side, !strcmp(side, "manages") ? dotted(key, j->a) : key, j->a);

	for (size_t i = 0; i < c->n; i++) {
		const struct package *p = map_get(c->v[i]->row_index, what);
		if (p)
			return p;
	}
	return NULL;
}

/* ---- properties ---- */

/* What Maven knows of the project itself. */
static const char *builtin(
    const struct package_resolver *j, const struct manifest *m, const char *key)
{
	static const char *const prefixes[] = { "project.", "pom." };
	const struct package *from = m->own;
	const char *s = key;

	for (size_t i = 0; i < LEN(prefixes); i++)
		if (!strncmp(key, prefixes[i], strlen(prefixes[i])))
			s = key + strlen(prefixes[i]);
	if (s == key)
		return NULL;
	if (!strncmp(s, "parent.", 7)) {
		from = m->parent;
		s += 7;
	}
	if (!from || !from->name || !strchr(from->name, ':'))
		return NULL;
	if (!strcmp(s, "version"))
		return from->range;
	if (!strcmp(s, "groupId"))
		return arena_strn(j->a, from->name, strcspn(from->name, ":"));
	if (strcmp(s, "artifactId"))
		return NULL;
	return strchr(from->name, ':') + 1;
}

static const char *property(
    const struct package_resolver *j, const struct manifest_chain *c, const char *key)
{
	const char *own = builtin(j, c->v[0], key);
	const struct package *p = NULL;

	if (!own)
		p = find_in_chain(j, c, "sets", key);
	if (own)
		return own;
	if (p)
		return p->range;
	return NULL;
}

/* The placeholder at `s`: ${name}, $(name), $name; its length, and its name.  0: there is none. */
static size_t placeholder(const char *s, const char **name, size_t *n)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
	const char *close = s[0] != '$' ? NULL :
	    s[1] == '{'                 ? strchr(s, '}') :
	    s[1] == '('                 ? strchr(s, ')') :
	                                  NULL;

	if (*s != '$')
		return 0;
	*name = s + (close ? 2 : 1);
	if (close)
		*n = (size_t)(close - *name);
	else
		*n = strspn(*name, letters);
	if (*n)
		return (size_t)(*name - s) + *n + (close != NULL);
	return 0;
}

/* With what is known put in. */
static const char *expand_placeholders(
    const struct package_resolver *j, const struct manifest_chain *c, const char *s, int depth)
{
	struct buf b = { 0 };
	const char *name;
	size_t n, k;

	if (!s || !strchr(s, '$') || depth == DEEP)
		return s;
	for (const char *p = s; *p; p += k ? k : 1) {
		const char *value = NULL;
		if ((k = placeholder(p, &name, &n)))
			value = property(j, c, arena_strn(j->a, name, n));
		if (!value && k && memchr(name, '.', n)) {	/* rootProject.fooVersion, versions.foo */
			const char *dot = memrchr(name, '.', n);
			value = property(j, c, arena_strn(j->a, dot + 1, n - (size_t)(dot + 1 - name)));
		}
		if (value && b.n < 1000)
			buf_str(&b, expand_placeholders(j, c, value, depth + 1));
		else
			buf_put(&b, p, k ? k : 1);
	}
	s = arena_str(j->a, b.p);
	buf_free(&b);
	return s;
}

/* ---- what becomes of each row ---- */

static void put(struct package_resolver *j, struct package p)
{
	if (!p.name || !*p.name || strchr(p.name, '$'))
		return;
	j->out.v = grow(j->out.v, &j->out.cap, j->out.n + 1, sizeof p);
	j->out.v[j->out.n++] = p;
}

/*
 * Gradle's name of a project: what its settings call it, else its folder; the group may stand
 * above.
 */
static void publish_gradle(
    struct package_resolver *j, const struct manifest_chain *c, struct package p)
{
	const char *dir = c->v[0]->dir, *slash = strrchr(dir, '/'), *colon = strchr(p.name, ':');
	const char *group = colon > p.name ? arena_strn(j->a, p.name, (size_t)(colon - p.name)) : NULL,
	           *name = colon + 1;
	const struct package *set = NULL;

	if (!group)
		set = find_in_chain(j, c, "sets", "group");
	for (size_t i = 0; i < c->n && !*name; i++)
		if (!strcmp(c->v[i]->dir, dir) && strstr(c->v[i]->path, "settings.gradle")) {
			const struct package *root = map_get(
			    c->v[i]->row_index, index_key("sets", "name", j->a));
			if (root)
				name = root->range;
		}
	if (!*name)
		name = slash ? slash + 1 : dir;
	if (group)
		group = group;
	else if (set)
		group = set->range;
	else
		group = NULL;
	if (p.range)
		set = NULL;
	else
		set = find_in_chain(j, c, "sets", "version");
	if (set)
		p.range = set->range;
	if (group && *name)
		p.name = arena_printf(j->a, "%s:%s", group, name);
	else
		p.name = NULL;
	put(j, p);
}

static void resolve_published(
    struct package_resolver *j, const struct manifest_chain *c, struct package p)
{
	p.name = expand_placeholders(j, c, p.name, 0);
	if (!strcmp(p.ecosystem, "maven") && strstr(c->v[0]->path, ".gradle"))
		publish_gradle(j, c, p);
	else
		put(j, p);
}

/* A dependency with what is managed for it: its versions, or all of it. */
static void resolve_dependency(
    struct package_resolver *j, const struct manifest_chain *c, struct package p)
{
	const struct package *managed = p.range || p.path || p.source ?
	    NULL :
	    find_in_chain(j, c, "manages", p.name);
	const struct package *instead = find_in_chain(j, c, "replaces", p.name);

	if (managed && managed->range)
		p.range = expand_placeholders(j, c, managed->range, 0);
	if (instead && instead->key && (*instead->key == '.' || *instead->key == '/')) {
		p.path = instead->key;
	} else if (instead && instead->key) {
		p.key = p.name;
		p.name = instead->key;
		if (instead->range && *instead->range)
			p.range = instead->range;
	} else if (instead) {
		p.source = instead->source;
		p.path = instead->path;
	}
	if (p.path && within(c->v[0]->dir, p.path, j->a))
		return;
	put(j, p);
}

static void take(
    struct package_resolver *j, const struct manifest_chain *c, struct package p, int depth)
{
	const struct package *managed = NULL;

	if (p.key)
		managed = find_in_chain(j, c, "manages", p.key);
	for (size_t i = 0; !p.key && i < c->n && depth < 2; i++)	/* a bundle: each of its entries */
		for (size_t k = 0; k < c->v[i]->n; k++) {
			const struct package *b = &c->v[i]->v[k];
			if (strcmp(b->side, "bundles") || strcmp(dotted(b->name, j->a), dotted(p.name, j->a)))
				continue;
			struct package one = p;
			one.key = b->key;
			take(j, c, one, depth + 1);
		}
	if (!managed || !managed->name)
		return;
	p.side = "depends";
	p.key = NULL;
	p.name = expand_placeholders(j, c, managed->name, 0);
	p.range = expand_placeholders(j, c, managed->range, 0);
	p.source = managed->source;
	if (!managed->path || !within(folder_of(managed->file, j->a), managed->path, j->a)) {
		p.path = managed->path;
		put(j, p);
	}
}

static void resolve_row(
    struct package_resolver *j, const struct manifest_chain *c, struct package p)
{
	bool published = !strcmp(p.side, "publishes"), needed = !strcmp(p.side, "depends");

	if (!strcmp(p.side, "mentions")) {
		put(j, p);
		return;
	}
	if (published || needed)
		p.range = expand_placeholders(j, c, p.range, 0);
	if (published) {
		resolve_published(j, c, p);
	} else if (needed) {
		p.name = expand_placeholders(j, c, p.name, 0);
		resolve_dependency(j, c, p);
	} else if (!strcmp(p.side, "takes")) {
		take(j, c, p, 0);
	} else if (!strcmp(p.side, "inherits") && c->n == 1) {	/* its parent is elsewhere */
		p.side = "depends";
		p.scope = "parent";
		p.path = NULL;
		put(j, p);
	}
}

/* A dependency that a manifest names twice is one. */
static size_t remove_duplicates(struct package *v, size_t n)
{
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		if (!k || text_order(v[k - 1].file, v[i].file) || v[k - 1].line != v[i].line ||
		    strcmp(v[k - 1].side, v[i].side) || text_order(v[k - 1].name, v[i].name) ||
		    text_order(v[k - 1].ecosystem, v[i].ecosystem))
			v[k++] = v[i];
	return k;
}

size_t packages_resolve(const struct package *rows, size_t n, struct arena *a, struct package **out)
{
	struct package_resolver j = {
		.a = a, .v = arena_many(a, n + 1, struct manifest), .paths = map_new(), .folders = map_new()
	};
	struct package *v = arena_many(a, n + 1, struct package);
	struct manifest_chain c;

	if (n) {
		memcpy(v, rows, n * sizeof *v);
		qsort(v, n, sizeof *v, by_place);
	}
	for (size_t i = 0, k; i < n; i = k) {
		for (k = i; k < n && !text_order(v[k].file, v[i].file); k++)
			;
		add_manifest(&j, v + i, k - i);
	}
	for (size_t i = 0; i < j.n; i++) {
		chain_of(&j, &j.v[i], &c);
		for (size_t k = 0; k < j.v[i].n; k++)
			resolve_row(&j, &c, j.v[i].v[k]);
	}
	for (size_t i = 0; i < j.n; i++)
		map_free(j.v[i].row_index);
	map_free(j.paths);
	map_free(j.folders);
	*out = arena_many(a, j.out.n + 1, struct package);
	if (j.out.n) {
		memcpy(*out, j.out.v, j.out.n * sizeof *j.out.v);
		qsort(*out, j.out.n, sizeof **out, by_place);
	}
	n = remove_duplicates(*out, j.out.n);
	free(j.out.v);
	return n;
}
