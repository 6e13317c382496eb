#include "coordinator/contracts/links/dependency_links.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "coordinator/contracts/links/package_publishers.h"
#include "coordinator/contracts/links/version_tag.h"
#include "coordinator/contracts/matching/match_host.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/map.h"
#include "proto/base/minmax.h"
#include "proto/base/optional_text.h"
#include "proto/base/sorting.h"
#include "proto/text/forge_page.h"

enum { MENTIONS_MAX = 3 };	/* mentions shown in the evidence of a document */

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

	publishers_find(w, from, p, &t);
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
			.pinned = p->pinned,
			.scope = p->scope,
		};
		set_target_place(&x, t.v[i].at);
		if (w->m[t.v[i].member].facts)
			x.tag = version_tag_find(&w->m[t.v[i].member].facts->tags, p->name, p->pinned);
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
		publishers_by_name(w, from, p, t);
		return t->n == 1;
	}
	ptrdiff_t member = publishers_repo(w, p->name);
	if (member >= 0) {
		link_targets_add(t, (struct publisher){ (size_t)member, NULL, true });
		return true;
	}
	const char *host = arena_strn(w->a, p->name, strcspn(p->name, "/"));
	if (host_index_find(h, host, &names, w->a) != HOST_MEMBER || names.loose || names.n != 1)
		return false;
	link_targets_add(t, (struct publisher){ names.members[0], NULL, true });
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
