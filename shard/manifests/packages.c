#include "shard/manifests/packages.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/map.h"
#include "proto/base/optional_text.h"
#include "proto/record/record.h"
#include "shard/base/relative_path.h"
#include "shard/manifests/manifests_internal.h"
#include "shard/manifests/pinned_versions.h"

enum { MAX_CHAIN = 24, MAX_PLACEHOLDER_DEPTH = 8, MAX_EXPANSIONS = 1000 };

/* A manifest file and its rows. */
struct manifest {
	const char *path, *dir;
	/* own: the package that it publishes; parent: the row `inherits`; or NULL */
	const struct package *v, *own, *parent;
	size_t n;
	struct manifest *next_in_dir;		/* the next one in the same folder */
	struct map *row_index;			/* "sets KEY", "manages KEY", "replaces NAME" -> row */
};

struct package_resolver {
	struct arena *a;
	struct manifest *v;
	size_t n;
	struct map *paths;		/* -> manifest */
	struct map *folders;		/* -> first manifest in the folder */
	struct { struct package *v; size_t n, cap; } out;
};

static int by_place(const void *x, const void *y)
{
	const struct package *a = x, *b = y;
	int c = compare_texts(a->file, b->file);

	if (!c)
		c = (a->line > b->line) - (a->line < b->line);
	if (!c)
		c = strcmp(a->side, b->side);
	if (!c)
		c = compare_texts(a->ecosystem, b->ecosystem);
	if (!c)
		c = compare_texts(a->name, b->name);
	if (!c)
		c = compare_texts(a->key, b->key);
	if (!c)
		c = compare_texts(a->range, b->range);
	if (c)
		return c;
	return compare_texts(a->path, b->path);
}

/* ---- folders ---- */

const char *manifest_folder(const char *path, struct arena *a)
{
	const char *slash = strrchr(path, '/');

	if (slash)
		return arena_strn(a, path, (size_t)(slash - path));
	return "";
}

/* A path relative to `dir`; NULL if it leads out of the repository. */
static const char *within(const char *dir, const char *path, struct arena *a)
{
	if (*path == '/' || strstr(path, "://"))
		return NULL;
	return relative_path(a, dir, path);
}

/* ---- manifests ---- */

/* Catalogs write dashes and underscores where their users write dots. */
static const char *dotted(const char *key, struct arena *a)
{
	char *s = arena_str(a, key);

	for (char *c = s; *c; c++) {
		if (*c == '-' || *c == '_')
			*c = '.';
	}
	return s;
}

static bool is_side(const struct package *p, const char *side)
{
	return !strcmp(p->side, side);
}

static const char *index_key(const char *side, const char *key, struct arena *a)
{
	if (!strcmp(side, "manages"))
		key = dotted(key, a);
	return arena_printf(a, "%s %s", side, key);
}

static void index_manifest_row(
    struct package_resolver *j, struct manifest *m, const struct package *p)
{
	const char *key = p->key ? p->key : p->name;

	if (is_side(p, "publishes") && !m->own)
		m->own = p;
	if (is_side(p, "inherits"))
		m->parent = p;
	bool replaces = is_side(p, "replaces");
	if (replaces)
		key = p->name;
	if (!replaces && !is_side(p, "sets") && !is_side(p, "manages"))
		return;
	void **at = map_at(m->row_index, index_key(p->side, key, j->a));
	if (!*at)
		*at = (void *)(uintptr_t)p;
}

static void add_manifest(struct package_resolver *j, const struct package *v, size_t n)
{
	if (is_side(v, "governs") || is_side(v, "locks")) /* pinned_versions reads these */
		return;
	struct manifest *m = &j->v[j->n++];
	m->path = v->file;
	m->dir = manifest_folder(v->file, j->a);
	m->v = v;
	m->n = n;
	m->row_index = map_new();
	for (size_t i = 0; i < n; i++)
		index_manifest_row(j, m, &v[i]);
	*map_at(j->paths, m->path) = m;
	void **first = map_at(j->folders, m->dir);
	m->next_in_dir = *first;
	*first = m;
}

/* ---- the manifests that a manifest takes values from ---- */

struct manifest_chain {
	const struct manifest *v[MAX_CHAIN];
	size_t n;
};

/* False if it is already in the chain, or the chain is full. */
static bool chain_append(struct manifest_chain *c, const struct manifest *m)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->v[i] == m)
			return false;
	if (c->n == MAX_CHAIN)
		return false;
	c->v[c->n++] = m;
	return true;
}

/* DIR/NAME, where `dir` "" is the root of the repository. */
static const char *in_folder(const char *dir, const char *name, struct arena *a)
{
	if (!*dir)
		return name;
	return arena_printf(a, "%s/%s", dir, name);
}

/*
 * The parent of a pom.xml: the file, or the folder of the file, that it names.  NULL if not there.
 */
static const struct manifest *parent_of(const struct package_resolver *j, const struct manifest *m)
{
	const char *to = "../pom.xml";

	if (m->parent->path)
		to = m->parent->path;
	const char *path = within(m->dir, to, j->a);
	if (!path)
		return NULL;
	const struct manifest *up = map_get(j->paths, path);
	if (!up)
		up = map_get(j->paths, in_folder(path, "pom.xml", j->a));
	if (!up || up == m || !up->own)
		return NULL;
	if (compare_texts(up->own->name, m->parent->name))
		return NULL;
	return up;
}

/* For pom.xml: its parents, up to one that is already in the chain: parents may form a circle. */
static void add_parents(
    const struct package_resolver *j, const struct manifest *m, struct manifest_chain *c)
{
	while (m->parent) {
		m = parent_of(j, m);
		if (!m || !chain_append(c, m))
			return;
	}
}

static void add_folder(const struct package_resolver *j, const char *dir, const char *ecosystem,
    struct manifest_chain *c)
{
	for (const struct manifest *m = map_get(j->folders, dir); m; m = m->next_in_dir)
		if (!strcmp(m->v->ecosystem, ecosystem))
			chain_append(c, m);
}

/* For all others: the files beside it and in the folders above, with catalogs in `gradle` there. */
static void add_folders_above(
    const struct package_resolver *j, const struct manifest *m, struct manifest_chain *c)
{
	const char *dir = m->dir;

	for (;;) {
		add_folder(j, dir, m->v->ecosystem, c);
		add_folder(j, in_folder(dir, "gradle", j->a), m->v->ecosystem, c);
		if (!*dir)
			return;
		dir = manifest_folder(dir, j->a);
	}
}

static void chain_of(
    const struct package_resolver *j, const struct manifest *m, struct manifest_chain *c)
{
	const char *name = m->path, *slash = strrchr(m->path, '/');

	if (slash)
		name = slash + 1;
	c->n = 0;
	chain_append(c, m);
	if (!strcmp(name, "pom.xml"))
		add_parents(j, m, c);
	else
		add_folders_above(j, m, c);
}

static const struct package *find_in_chain(const struct package_resolver *j,
    const struct manifest_chain *c, const char *side, const char *key)
{
	const char *what = index_key(side, key, j->a);

	for (size_t i = 0; i < c->n; i++) {
		const struct package *p = map_get(c->v[i]->row_index, what);
		if (p)
			return p;
	}
	return NULL;
}

/* ---- properties ---- */

/* The properties that Maven defines for the project itself. */
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

	if (own)
		return own;
	const struct package *p = find_in_chain(j, c, "sets", key);
	if (p)
		return p->range;
	return NULL;
}

/* The placeholder at `s`: ${name}, $(name), $name.  Its length, or 0 if there is none. */
static size_t placeholder(const char *s, const char **name, size_t *n)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
	const char *close = NULL;

	if (*s != '$')
		return 0;
	if (s[1] == '{')
		close = strchr(s, '}');
	else if (s[1] == '(')
		close = strchr(s, ')');
	if (close) {
		*name = s + 2;
		*n = (size_t)(close - *name);
	} else {
		*name = s + 1;
		*n = strspn(*name, letters);
	}
	if (!*n)
		return 0;
	return (size_t)(*name - s) + *n + (close != NULL);
}

/* The value of a placeholder; also of its last part, as in rootProject.fooVersion, versions.foo. */
static const char *placeholder_value(const struct package_resolver *j,
    const struct manifest_chain *c, const char *name, size_t n)
{
	const char *value = property(j, c, arena_strn(j->a, name, n));
	const char *dot = memrchr(name, '.', n);

	if (value || !dot)
		return value;
	return property(j, c, arena_strn(j->a, dot + 1, n - (size_t)(dot + 1 - name)));
}

/*
 * `*left`: how many placeholders may still be replaced.  The length of the result is no bound: a
 * value may consist of many placeholders that all stand for an empty text.
 */
static const char *expand_nested(const struct package_resolver *j, const struct manifest_chain *c,
    const char *s, int depth, int *left)
{
	struct buf b = { 0 };
	const char *p = s;

	if (!s || !strchr(s, '$') || depth == MAX_PLACEHOLDER_DEPTH)
		return s;
	while (*p) {
		const char *name, *value = NULL;
		size_t n, k = placeholder(p, &name, &n);
		if (!k)
			k = 1;
		else if (b.n < 1000 && *left > 0)
			value = placeholder_value(j, c, name, n);
		if (value) {
			--*left;
			buf_str(&b, expand_nested(j, c, value, depth + 1, left));
		} else {
			buf_put(&b, p, k);
		}
		p += k;
	}
	s = arena_str(j->a, b.p);
	buf_free(&b);
	return s;
}

/* A text with its placeholders replaced, as far as their values are known. */
static const char *expand_placeholders(
    const struct package_resolver *j, const struct manifest_chain *c, const char *s)
{
	int left = MAX_EXPANSIONS;

	return expand_nested(j, c, s, 0, &left);
}

/* ---- resolving each row ---- */

static void put(struct package_resolver *j, struct package p)
{
	if (!p.name || !*p.name || strchr(p.name, '$'))
		return;
	j->out.v = grow(j->out.v, &j->out.cap, j->out.n + 1, sizeof p);
	j->out.v[j->out.n++] = p;
}

/* The name of a Gradle project: the one in its settings file, else the name of its folder. */
static const char *gradle_name(const struct package_resolver *j, const struct manifest_chain *c)
{
	const char *dir = c->v[0]->dir, *slash = strrchr(dir, '/');

	for (size_t i = 0; i < c->n; i++) {
		if (strcmp(c->v[i]->dir, dir) || !strstr(c->v[i]->path, "settings.gradle"))
			continue;
		const struct package *root = map_get(
		    c->v[i]->row_index, index_key("sets", "name", j->a));
		if (root && *root->range)
			return root->range;
	}
	if (slash)
		return slash + 1;
	return dir;
}

static const char *set_value(
    const struct package_resolver *j, const struct manifest_chain *c, const char *key)
{
	const struct package *set = find_in_chain(j, c, "sets", key);

	if (!set)
		return NULL;
	return set->range;
}

/*
 * A Gradle project `GROUP:NAME`, of which either part may be empty; folders above may set the
 * group.
 */
static void publish_gradle(
    struct package_resolver *j, const struct manifest_chain *c, struct package p)
{
	const char *colon = strchr(p.name, ':'), *name = colon + 1, *group;

	if (colon > p.name)
		group = arena_strn(j->a, p.name, (size_t)(colon - p.name));
	else
		group = set_value(j, c, "group");
	if (!*name)
		name = gradle_name(j, c);
	if (!p.range)
		p.range = set_value(j, c, "version");
	if (!group || !*name)
		return;
	p.name = arena_printf(j->a, "%s:%s", group, name);
	put(j, p);
}

static void resolve_published(
    struct package_resolver *j, const struct manifest_chain *c, struct package p)
{
	p.name = expand_placeholders(j, c, p.name);
	if (!strcmp(p.ecosystem, "maven") && strstr(c->v[0]->path, ".gradle"))
		publish_gradle(j, c, p);
	else
		put(j, p);
}

/* Apply a row `replaces` to a dependency. */
static void replace_dependency(struct package *p, const struct package *by)
{
	if (!by->key) {
		p->source = by->source;
		p->path = by->path;
	} else if (*by->key == '.' || *by->key == '/') {
		p->path = by->key;
	} else {
		p->key = p->name;
		p->name = by->key;
		if (by->range && *by->range)
			p->range = by->range;
	}
}

/* A dependency, with its version from a row `manages`, and replaced by a row `replaces`. */
static void resolve_dependency(
    struct package_resolver *j, const struct manifest_chain *c, struct package p)
{
	const struct package *managed = NULL;
	const struct package *by = find_in_chain(j, c, "replaces", p.name);

	if (!p.range && !p.path && !p.source)
		managed = find_in_chain(j, c, "manages", p.name);
	if (managed && managed->range)
		p.range = expand_placeholders(j, c, managed->range);
	if (by)
		replace_dependency(&p, by);
	if (p.path && within(c->v[0]->dir, p.path, j->a))
		return;
	put(j, p);
}

static void take(
    struct package_resolver *j, const struct manifest_chain *c, struct package p, int depth);

/* Take each entry of the bundle that `p` names. */
static void take_bundle(
    struct package_resolver *j, const struct manifest_chain *c, struct package p, int depth)
{
	const char *name = dotted(p.name, j->a);

	for (size_t i = 0; i < c->n; i++)
		for (size_t k = 0; k < c->v[i]->n; k++) {
			const struct package *b = &c->v[i]->v[k];
			if (!is_side(b, "bundles") || strcmp(dotted(b->name, j->a), name))
				continue;
			p.key = b->key;
			take(j, c, p, depth + 1);
		}
}

/* A dependency on a managed entry, or on a bundle of them. */
static void take(
    struct package_resolver *j, const struct manifest_chain *c, struct package p, int depth)
{
	if (!p.key) {
		if (depth < 2)
			take_bundle(j, c, p, depth);
		return;
	}
	const struct package *managed = find_in_chain(j, c, "manages", p.key);
	if (!managed || !managed->name)
		return;
	p.side = "depends";
	p.key = NULL;
	p.name = expand_placeholders(j, c, managed->name);
	p.range = expand_placeholders(j, c, managed->range);
	p.source = managed->source;
	if (!managed->path || !within(manifest_folder(managed->file, j->a), managed->path, j->a)) {
		p.path = managed->path;
		put(j, p);
	}
}

static void resolve_row(
    struct package_resolver *j, const struct manifest_chain *c, struct package p)
{
	if (is_side(&p, "mentions")) {
		put(j, p);
	} else if (is_side(&p, "publishes")) {
		p.range = expand_placeholders(j, c, p.range);
		resolve_published(j, c, p);
	} else if (is_side(&p, "depends")) {
		p.range = expand_placeholders(j, c, p.range);
		p.name = expand_placeholders(j, c, p.name);
		resolve_dependency(j, c, p);
	} else if (is_side(&p, "takes")) {
		take(j, c, p, 0);
	} else if (is_side(&p, "inherits") && c->n == 1) {	/* the parent is in another repository */
		p.side = "depends";
		p.scope = "parent";
		p.path = NULL;
		put(j, p);
	}
}

static bool is_duplicate(const struct package *a, const struct package *b)
{
	if (a->line != b->line || strcmp(a->side, b->side))
		return false;
	if (compare_texts(a->file, b->file) || compare_texts(a->name, b->name))
		return false;
	if (!strcmp(a->side, "mentions") && compare_texts(a->path, b->path))
		return false;	/* other files of one repository */
	return !compare_texts(a->ecosystem, b->ecosystem);
}

/* Keep one of several equal dependencies of a manifest. */
static size_t remove_duplicates(struct package *v, size_t n)
{
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		if (!k || !is_duplicate(&v[k - 1], &v[i]))
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
	for (size_t i = 0, end; i < n; i = end) {
		end = i + 1;
		while (end < n && !compare_texts(v[end].file, v[i].file))
			end++;
		add_manifest(&j, v + i, end - i);
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
	free(j.out.v);
	size_t nout = remove_duplicates(*out, j.out.n);
	pinned_versions_set(v, n, *out, nout, a);
	return nout;
}
