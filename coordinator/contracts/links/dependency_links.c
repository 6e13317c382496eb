#include "coordinator/contracts/links/dependency_links.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "coordinator/contracts/matching/match_host.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/map.h"
#include "proto/base/minmax.h"
#include "proto/base/optional_text.h"
#include "proto/base/sorting.h"
#include "proto/text/forge_page.h"

enum {
	LINK_TARGETS_MAX = 8,	/* more publishers than this make a name mean nothing */
	MENTIONS_MAX = 3,	/* mentions shown in the evidence of a document */
};

/* A member that publishes a name, and the first place where it does. */
struct publisher {
	size_t member;
	const struct package *at;
	bool open;		/* the package is not private */
};

struct publishers {
	struct publisher *v;
	size_t n, cap;
};

struct publisher_index {
	const struct match_member *m;
	size_t n;
	struct arena *a;
	struct map *packages;	/* ecosystem and key -> publishers */
	struct map *repos;	/* repo_uri in lower case -> member + 1 */
	struct map *files;	/* of all facts: member and path; NULL until a document needs it */
};

/* ---- names ---- */

/* How ecosystems normalize names before they compare them.  The others compare exactly. */
static const struct {
	const char *name, *separators;	/* any run of these counts as one `-` */
	bool fold_case;
} ecosystems[] = {
	{ "pypi", "-_.", true },
	{ "cargo", "-_", false },
	{ "nuget", "", true },
	{ "composer", "", true },
};

static char *lower(const char *s, struct arena *a)
{
	char *out = arena_str(a, s);

	for (char *c = out; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	return out;
}

const char *dependency_links_name(const char *ecosystem, const char *name, struct arena *a)
{
	const char *separators = "";
	bool fold_case = false;
	char *s, *to;

	for (size_t i = 0; i < LEN(ecosystems); i++)
		if (!strcmp(ecosystems[i].name, ecosystem)) {
			separators = ecosystems[i].separators;
			fold_case = ecosystems[i].fold_case;
		}
	if (fold_case)
		s = lower(name, a);
	else
		s = arena_str(a, name);
	to = s;
	for (const char *c = s; *c; c++) {
		if (!strchr(separators, *c))
			*to++ = *c;
		else if (to == s || to[-1] != '-')
			*to++ = '-';
	}
	*to = 0;
	return s;
}

static const char *key_of(const char *ecosystem, const char *name, struct arena *a)
{
	return arena_printf(a, "%s %s", ecosystem, dependency_links_name(ecosystem, name, a));
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

static void publisher_index_init(struct publisher_index *w)
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

static void publisher_index_fini(struct publisher_index *w)
{
	for (size_t i = 0; i < map_len(w->packages); i++)
		free(((struct publishers *)map_val(w->packages, i))->v);
	map_free(w->packages);
	map_free(w->repos);
	map_free(w->files);
}

/* The member with the longest repo_uri that is a prefix of the path, or -1. */
static ptrdiff_t repo_of(const struct publisher_index *w, const char *path)
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

struct link_targets {
	struct publisher v[LINK_TARGETS_MAX];
	size_t n;
	double confidence;	/* of each */
	const char *why;
};

static void add_target(struct link_targets *t, struct publisher x)
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
	ptrdiff_t member = repo_of(w, uri);
	const struct publishers *all = publishers_of(w, p);
	struct publisher x = { (size_t)member, NULL, true };

	if (member < 0)
		return false;
	for (size_t i = 0; i < all->n; i++)
		if (all->v[i].member == (size_t)member)
			x = all->v[i];
	add_target(t, x);
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
				add_target(t, all->v[i]);
		s += n;
		if (*s == '/')
			s++;
	}
	t->confidence = confidence;
	t->why = arena_printf(w->a, "from %s", path);
	return t->n == 1;
}

/* The publishers of the exact name in the same ecosystem; none if `from` publishes it itself. */
static void by_name(
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
			add_target(t, all->v[i]);
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
		add_target(t, all->v[i]);
	}
	if (!t->n)
		return;
	t->confidence = 0.9 / (double)t->n;
	t->why = arena_printf(w->a, "publishes %s", t->v[0].at->name);
	if (t->n > LINK_TARGETS_MAX)
		t->n = 0;
}

static void find_targets(
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
	by_name(w, from, p, t);
	if (!t->n && !strcmp(p->ecosystem, "go"))
		by_path_below(w, from, p, t);
}

/* ---- rows ---- */

static void add(struct link_list *out, struct link x)
{
	out->v = grow(out->v, &out->cap, out->n + 1, sizeof x);
	out->v[out->n++] = x;
}

/* Where the target publishes its package; NULL if that is not known. */
static void set_target_place(struct link *x, const struct package *at)
{
	if (!at)
		return;
	x->target_doc_path = at->file;
	x->target_line = at->line;
}

/* `npm @acme/ui ^3.2 (dev) as ui, from …` */
static const char *evidence(const struct package *p, const char *why, struct arena *a)
{
	struct buf b = { 0 };

	buf_printf(&b, "%s %s", p->ecosystem, p->name);
	if (text_is_set(p->range))
		buf_printf(&b, " %s", p->range);
	if (p->scope && strcmp(p->scope, "runtime"))
		buf_printf(&b, " (%s)", p->scope);
	if (p->key)
		buf_printf(&b, " as %s", p->key);
	if (why)
		buf_printf(&b, ", %s", why);
	const char *s = arena_str(a, b.p);
	buf_free(&b);
	return s;
}

static void link_package(
    const struct publisher_index *w, size_t from, const struct package *p, struct link_list *out)
{
	struct link_targets t;

	find_targets(w, from, p, &t);
	for (size_t i = 0; i < t.n && i < LINK_TARGETS_MAX; i++) {
		if (t.v[i].member == from)
			continue;
		struct link x = {
			.source_repo_uri = w->m[from].repo_uri,
			.source_doc_path = p->file,
			.source_line = p->line,
			.target_repo_uri = w->m[t.v[i].member].repo_uri,
			.relation = "depends_on_package",
			.confidence = t.confidence,
			.evidence = evidence(p, t.why, w->a),
			.package = p->name,
			.ecosystem = p->ecosystem,
			.range = p->range,
			.scope = p->scope,
		};
		set_target_place(&x, t.v[i].at);
		add(out, x);
	}
}

void dependency_links_packages(
    const struct match_member *m, size_t n, struct arena *a, struct link_list *out)
{
	struct publisher_index w = { .m = m, .n = n, .a = a };

	publisher_index_init(&w);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; m[i].facts && k < m[i].facts->packages.n; k++) {
			const struct package *p = &m[i].facts->packages.v[k];
			if (!strcmp(p->side, "depends") && p->name)
				link_package(&w, i, p, out);
		}
	publisher_index_fini(&w);
}

/* ---- documents ---- */

static void add_file(struct publisher_index *w, size_t member, const char *path)
{
	if (path)
		*map_at(w->files, arena_printf(w->a, "%zu %s", member, path)) = w;
}

/* Note the files that facts are from: some of those that exist. */
static void index_files(struct publisher_index *w)
{
	w->files = map_new();
	for (size_t i = 0; i < w->n; i++) {
		const struct contracts_res *f = w->m[i].facts;
		for (size_t k = 0; f && k < f->facts.n; k++)
			add_file(w, i, f->facts.v[k].file);
		for (size_t k = 0; f && k < f->packages.n; k++)
			add_file(w, i, f->packages.v[k].file);
	}
}

struct member_files {
	struct publisher_index *w;
	size_t member;
};

static bool has_file(void *arg, const char *path)
{
	const struct member_files *x = arg;

	if (!x->w->files)
		index_files(x->w);
	return map_get(x->w->files, arena_printf(x->w->a, "%zu %s", x->member, path)) != NULL;
}

/* Set the file that a mentioned page shows. */
static void set_page_target(
    struct publisher_index *w, size_t member, const char *url, struct link *x)
{
	const struct match_member *m = &w->m[member];
	size_t n = strlen(m->repo_uri);
	struct forge_page page;

	if (strncasecmp(url, m->repo_uri, n) || !forge_page_read(url + n, &page, w->a))
		return;
	x->target_doc_path = forge_page_file(
	    &page, m->facts ? m->facts->branch : NULL, has_file, &(struct member_files){ w, member });
	x->target_line = page.line;
	x->evidence = url;
}

/* The one member that a mention refers to; false if there is none or several. */
static bool resolve_mention(const struct publisher_index *w, const struct host_index *h,
    size_t from, const struct package *p, struct link_targets *t)
{
	struct host_names names;

	*t = (struct link_targets){ .confidence = 1 };
	if (strcmp(p->ecosystem, "url")) {
		by_name(w, from, p, t);
		return t->n == 1;
	}
	ptrdiff_t member = repo_of(w, p->name);
	if (member >= 0) {
		add_target(t, (struct publisher){ (size_t)member, NULL, true });
		return true;
	}
	const char *host = arena_strn(w->a, p->name, strcspn(p->name, "/"));
	if (host_index_find(h, host, &names, w->a) != HOST_MEMBER || names.loose || names.n != 1)
		return false;
	add_target(t, (struct publisher){ names.members[0], NULL, true });
	t->confidence = 0.9;
	return true;
}

/* By the document of a link and the repository that it leads to. */
static int compare_documents(const struct link *a, const struct link *b)
{
	int c = strcmp(a->source_repo_uri, b->source_repo_uri);

	if (!c)
		c = strcmp(a->source_doc_path, b->source_doc_path);
	if (c)
		return c;
	return strcmp(a->target_repo_uri, b->target_repo_uri);
}

static bool same_documents(const struct link *a, const struct link *b)
{
	return !compare_documents(a, b);
}

static int by_document(const void *x, const void *y)
{
	const struct link *a = x, *b = y;
	int c = compare_documents(a, b);

	if (!c)
		c = compare_numbers(a->source_line, b->source_line);
	if (c)
		return c;
	return strcmp(a->evidence, b->evidence);
}

/* One link for all mentions of one member in one document. */
static struct link merge_mentions(const struct link *v, size_t n, struct arena *a)
{
	struct link x = v[0];
	struct buf b = { 0 };

	for (size_t i = 0; i < n; i++) {
		if (i && i < MENTIONS_MAX)
			buf_str(&b, ", ");
		if (i < MENTIONS_MAX)
			buf_str(&b, v[i].evidence);
		if (i)
			x.count += v[i].count;
		x.confidence = MAX(v[i].confidence, x.confidence);
		if (!x.target_doc_path) {
			x.target_doc_path = v[i].target_doc_path;
			x.target_line = v[i].target_line;
		}
	}
	if (n > MENTIONS_MAX)
		buf_printf(&b, " and %zu more", n - MENTIONS_MAX);
	x.evidence = arena_str(a, b.p);
	buf_free(&b);
	return x;
}

/* Append a link for a mention of another member, to `pages` if it is one of its files. */
static void link_mention(struct publisher_index *w, const struct host_index *h, size_t from,
    const struct package *p, struct link_list *out, struct link_list *pages)
{
	struct link_targets t;

	if (strcmp(p->side, "mentions") || !p->name || !p->file)
		return;
	if (!resolve_mention(w, h, from, p, &t) || t.v[0].member == from)
		return;
	struct link x = {
		.source_repo_uri = w->m[from].repo_uri,
		.source_doc_path = p->file,
		.source_line = p->line,
		.target_repo_uri = w->m[t.v[0].member].repo_uri,
		.relation = "references_doc",
		.confidence = t.confidence,
		.count = p->count,
		.evidence = p->name,
	};
	set_target_place(&x, t.v[0].at);
	if (strcmp(p->ecosystem, "url"))
		x.evidence = arena_printf(w->a, "%s %s", p->ecosystem, p->name);
	else if (p->path)
		set_page_target(w, t.v[0].member, p->path, &x);
	if (x.target_doc_path && p->path)
		add(pages, x);
	else
		add(out, x);
}

static bool same_pages(const struct link *a, const struct link *b)
{
	return same_documents(a, b) && !strcmp(a->target_doc_path, b->target_doc_path) &&
	    a->target_line == b->target_line;
}

static int by_page(const void *x, const void *y)
{
	const struct link *a = x, *b = y;
	int c = compare_documents(a, b);

	if (!c)
		c = strcmp(a->target_doc_path, b->target_doc_path);
	if (!c)
		c = compare_numbers(a->target_line, b->target_line);
	if (c)
		return c;
	return by_document(x, y);
}

/* Append one link for all mentions that are the `same`, and free the list. */
static void add_merged(struct link_list *all, int (*order)(const void *, const void *),
    bool (*same)(const struct link *, const struct link *), struct arena *a, struct link_list *out)
{
	if (all->n)
		qsort(all->v, all->n, sizeof *all->v, order);
	for (size_t i = 0, end; i < all->n; i = end) {
		end = i + 1;
		while (end < all->n && same(&all->v[end], &all->v[i]))
			end++;
		add(out, merge_mentions(all->v + i, end - i, a));
	}
	free(all->v);
}

void dependency_links_documents(
    const struct match_member *m, size_t n, struct arena *a, struct link_list *out)
{
	struct publisher_index w = { .m = m, .n = n, .a = a };
	struct host_index *h = host_index_new(m, n, a);
	struct link_list all = { 0 }, pages = { 0 };

	publisher_index_init(&w);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; m[i].facts && k < m[i].facts->packages.n; k++)
			link_mention(&w, h, i, &m[i].facts->packages.v[k], &all, &pages);
	publisher_index_fini(&w);
	host_index_free(h);
	add_merged(&all, by_document, same_documents, a, out);
	add_merged(&pages, by_page, same_pages, a, out);
}
