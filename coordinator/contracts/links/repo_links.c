#include "coordinator/contracts/links/repo_links.h"

#include <stdlib.h>
#include <string.h>

#include "coordinator/contracts/links/dependency_links.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/map.h"
#include "proto/base/optional_text.h"
#include "proto/base/sorting.h"

/* That a repository uses another one, of which several definitions were resolved. */
static const double USES_CONFIDENCE = 0.95;

static const struct {
	const char *kind, *relation;
} relations[] = {
	{ "http", "consumes_route" },
	{ "grpc", "calls_rpc" },
	{ "topic", "publishes_to" },
	{ "graphql", "queries_field" },
};

static const char *relation_of(const char *kind)
{
	for (size_t i = 0; i < LEN(relations); i++)
		if (!strcmp(relations[i].kind, kind))
			return relations[i].relation;
	return "consumes_route";
}

/* Links of whole repositories come before links of their files. */
static int compare(const void *x, const void *y)
{
	const struct link *a = x, *b = y;
	int c = compare_texts(a->source_repo_uri, b->source_repo_uri);

	if (!c)
		c = compare_texts(a->source_doc_path, b->source_doc_path);
	if (!c)
		c = compare_numbers(a->source_line, b->source_line);
	if (!c)
		c = compare_texts(a->target_repo_uri, b->target_repo_uri);
	if (!c)
		c = compare_texts(a->target_doc_path, b->target_doc_path);
	if (!c)
		c = compare_numbers(a->target_line, b->target_line);
	if (!c)
		c = compare_texts(a->relation, b->relation);
	if (!c)
		c = compare_texts(a->source_symbol, b->source_symbol);
	if (!c)
		c = compare_texts(a->target_symbol, b->target_symbol);
	if (!c)
		c = (a->confidence < b->confidence) - (a->confidence > b->confidence);
	if (c)
		return c;
	return compare_texts(a->evidence, b->evidence);
}

/* Whether two links of whole repositories differ in their confidence and evidence alone. */
static bool same_repo_link(const struct link *a, const struct link *b)
{
	if (a->source_doc_path || text_is_set(b->source_doc_path))
		return false;
	return a->source_line == b->source_line && a->target_line == b->target_line &&
	    !compare_texts(a->source_repo_uri, b->source_repo_uri) &&
	    !compare_texts(a->target_repo_uri, b->target_repo_uri) &&
	    !compare_texts(a->target_doc_path, b->target_doc_path) &&
	    !compare_texts(a->relation, b->relation) &&
	    !compare_texts(a->source_symbol, b->source_symbol) &&
	    !compare_texts(a->target_symbol, b->target_symbol);
}

static size_t sort_unique(struct link *v, size_t n)
{
	size_t k = 0;

	if (n)
		qsort(v, n, sizeof *v, compare);
	for (size_t i = 0; i < n; i++) {
		bool repeated = k && (!compare(&v[k - 1], &v[i]) || same_repo_link(&v[k - 1], &v[i]));
		if (!repeated)
			v[k++] = v[i];
	}
	return k;
}

static void add(struct link_list *out, struct link x)
{
	out->v = grow(out->v, &out->cap, out->n + 1, sizeof x);
	out->v[out->n++] = x;
}

/* What a link between files makes of their repositories. */
static void add_pair(struct link_list *out, const struct link *x)
{
	struct link depends = {
		.source_repo_uri = x->source_repo_uri,
		.target_repo_uri = x->target_repo_uri,
		.relation = "depends_on",
		.confidence = x->confidence,
		.evidence = x->evidence,
	};
	struct link reverse = depends;

	reverse.source_repo_uri = x->target_repo_uri;
	reverse.target_repo_uri = x->source_repo_uri;
	reverse.relation = "consumer_of";
	add(out, depends);
	add(out, reverse);
}

static void add_contracts(const struct match_result *m, struct arena *a, struct link_list *out)
{
	for (size_t i = 0; i < m->contracts.n; i++) {
		const struct contract *c = &m->contracts.v[i];
		const struct end *from = c->consumer, *to = c->producer;
		if (c->cross_repo)
			add(out,
			    (struct link){ .source_repo_uri = from->repo_uri,
			        .source_doc_path = from->file,
			        .source_line = from->line,
			        .source_symbol = from->symbol,
			        .target_repo_uri = to->repo_uri,
			        .target_doc_path = to->file,
			        .target_line = to->line,
			        .target_symbol = to->symbol,
			        .relation = relation_of(c->kind),
			        .confidence = c->confidence,
			        .evidence = arena_printf(a, "%s %s", c->method, c->path) });
	}
}

static const char *uses_evidence(const struct use_total *x, struct arena *a)
{
	if (!x->uses)
		return "its code imports packages of it; what it uses is not known: run group_sync";
	return arena_printf(a, "%llu uses of %llu definitions", (unsigned long long)x->uses,
	    (unsigned long long)x->symbols);
}

/* One link for all uses of a member's definitions in another member. */
static void add_uses(const struct match_member *m, size_t n, struct arena *a, struct link_list *out)
{
	struct map *known = map_new();

	for (size_t i = 0; i < n; i++)
		*map_at(known, m[i].repo_uri) = known;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; m[i].facts && k < m[i].facts->uses.n; k++) {
			const struct use_total *x = &m[i].facts->uses.v[k];
			if (map_get(known, x->repo_uri))
				add(out,
				    (struct link){ .source_repo_uri = m[i].repo_uri,
				        .target_repo_uri = x->repo_uri,
				        .relation = "uses_symbol",
				        .confidence = USES_CONFIDENCE,
				        .evidence = uses_evidence(x, a),
				        .count = x->uses,
				        .symbols = x->symbols });
		}
	map_free(known);
}

struct link *repo_links_build(const struct match_result *m, const struct match_member *members,
    size_t nmembers, struct arena *a, size_t *n)
{
	struct link_list all = { 0 };

	add_contracts(m, a, &all);
	dependency_links_packages(members, nmembers, a, &all);
	add_uses(members, nmembers, a, &all);
	for (size_t i = 0, k = all.n; i < k; i++) {
		struct link x = all.v[i];	/* the list moves as it grows */
		add_pair(&all, &x);
	}
	dependency_links_documents(members, nmembers, a, &all);
	*n = sort_unique(all.v, all.n);
	struct link *v = arena_many(a, *n + 1, struct link);
	if (*n)
		memcpy(v, all.v, *n * sizeof *v);
	free(all.v);
	return v;
}
