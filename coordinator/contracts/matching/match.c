#include "coordinator/contracts/matching/match.h"

#include <stdlib.h>
#include <string.h>

#include "coordinator/contracts/matching/client_address.h"
#include "coordinator/contracts/matching/declarations.h"
#include "coordinator/contracts/matching/match_by_name.h"
#include "coordinator/contracts/matching/match_gateway.h"
#include "coordinator/contracts/matching/match_internal.h"
#include "coordinator/contracts/matching/match_kept_rows.h"
#include "coordinator/contracts/matching/match_memory.h"
#include "coordinator/contracts/matching/match_topic.h"
#include "coordinator/contracts/matching/member_relations.h"
#include "coordinator/contracts/matching/path_evidence.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/optional_text.h"
#include "proto/base/sorting.h"

bool match_text_equal(const char *s, const char *word)
{
	return s && !strcmp(s, word);
}

/* ---- order ---- */

static int by_uri(const void *x, const void *y)
{
	const struct match_member *a = x, *b = y;

	return strcmp(a->repo_uri, b->repo_uri);
}

int match_compare_places(const struct fact *a, const struct fact *b)
{
	int c = compare_texts(a->file, b->file);

	if (!c)
		c = compare_numbers(a->line, b->line);
	if (!c)
		c = compare_numbers(a->end_line, b->end_line);
	if (!c)
		c = compare_texts(a->method, b->method);
	if (!c)
		c = compare_texts(a->path, b->path);
	if (!c)
		c = compare_texts(a->symbol, b->symbol);
	if (!c)
		c = compare_texts(a->framework, b->framework);
	return c;
}

static int by_place(const void *x, const void *y)
{
	const struct fact *a = *(const struct fact *const *)x, *b = *(const struct fact *const *)y;
	int c = match_compare_places(a, b);

	if (!c)
		c = compare_texts(a->to, b->to);
	if (c)
		return c;
	return compare_texts(a->host, b->host);
}

static size_t count_facts(const struct match_member *m)
{
	if (!m->facts)
		return 0;
	return m->facts->facts.n;
}

/* Whether a fact is of this side and has all that matching needs. */
static bool is_usable(const struct fact *f, const char *side)
{
	return match_text_equal(f->side, side) && f->path && f->method && f->kind && f->file;
}

const struct fact **match_side(
    const struct match_member *m, const char *side, struct arena *a, size_t *n)
{
	size_t total = count_facts(m);
	const struct fact **v = arena_many(a, total, const struct fact *);

	*n = 0;
	for (size_t i = 0; i < total; i++)
		if (is_usable(&m->facts->facts.v[i], side))
			v[(*n)++] = &m->facts->facts.v[i];
	if (*n)
		qsort(v, *n, sizeof *v, by_place);
	return v;
}

/* ---- matching ---- */

static struct call_site *site_of(const struct match_context *w, size_t member, const struct fact *f)
{
	struct call_site *s = arena_one(w->a, struct call_site);

	*s = (struct call_site){ .member = member, .fact = f };
	if (match_text_equal(f->kind, "http"))
		s->path = path_split(f->path, w->a);
	bool begins_with_hole = s->path.n && s->path.kind[0] == SEG_PARAMETER;
	s->path.based = begins_with_hole && !text_is_set(f->host);
	s->path.bare = path_without_format(&s->path, w->a);
	if (match_text_equal(f->kind, "topic"))
		return s; /* its host is an exchange */
	s->host_class = host_index_find(w->hosts, f->host, &s->host, w->a);
	if (s->host_class != HOST_MEMBER)
		host_index_find_hint(w->hosts, f, &s->hint, w->a);
	return s;
}

struct call_site *match_site(const struct match_context *w, size_t member, const struct fact *f)
{
	struct call_site *s = site_of(w, member, f);

	declarations_apply(w, s);
	return s;
}

static void check_names(struct match_context *w, struct call_site *s)
{
	struct host_names host = s->host, hint = s->hint;

	drop_strangers(w, s->member, s, &host);
	drop_strangers(w, s->member, s, &hint);
	if (s->host_class == HOST_MEMBER && !host.n)
		s->host_class = HOST_UNREGISTERED;
	s->host = host;
	s->hint = hint;
}

void match_resolve(struct match_context *w, struct call_site *s)
{
	if (declarations_found(s))
		return;
	if (match_text_equal(s->fact->kind, "http"))
		check_names(w, s);
	if (!match_text_equal(s->fact->kind, "topic"))
		s->bases = address_index_servers(w, s, &s->nbases);
	match_choose(w, s);
	declarations_note_targets(s);
	match_rows(w, s);
	free(s->v);
}

/* Whether a file is in a folder of examples, tests or documents: no server that others call. */
static bool is_example(const char *file)
{
	static const char *const folders[] = { "example", "examples", "sample", "samples", "demo",
		"demos", "test", "tests", "testdata", "fixtures", "docs", "benchmark", "benchmarks" };

	for (const char *p = file, *slash; (slash = strchr(p, '/')); p = slash + 1)
		for (size_t i = 0; i < LEN(folders); i++)
			if (strlen(folders[i]) == (size_t)(slash - p) &&
			    !strncmp(p, folders[i], strlen(folders[i])))
				return true;
	return false;
}

static bool takes_formats(const struct fact *f)
{
	static const char *const frameworks[] = { "rails", "grape", "drf", "cakephp" };
	size_t i = 0;

	while (i < LEN(frameworks) && !match_text_equal(f->framework, frameworks[i]))
		i++;
	return i < LEN(frameworks);
}

static void add_provider(struct match_context *w, size_t member, const struct fact *f)
{
	struct provider *p = &w->providers[w->nproviders++];

	*p = (struct provider){ .member = member, .fact = f, .path = path_split(f->path, w->a) };
	p->everywhere = path_is_everywhere(&p->path);
	p->example = is_example(f->file);
	p->path.formats = takes_formats(f);
	if (match_text_equal(f->kind, "http"))
		w->serves[member] = true;
}

static void collect_providers(struct match_context *w)
{
	size_t total = 0, n;

	for (size_t i = 0; i < w->n; i++)
		total += count_facts(&w->m[i]);
	w->providers = arena_many(w->a, total, struct provider);
	w->of = arena_many(w->a, total, size_t);
	w->first = arena_many(w->a, w->n + 1, size_t);
	w->serves = arena_many(w->a, w->n, bool);
	for (size_t i = 0; i < w->n; i++) {
		const struct fact **v = match_side(&w->m[i], "provides", w->a, &n);
		w->first[i] = w->nproviders;
		for (size_t k = 0; k < n; k++)
			add_provider(w, i, v[k]);
	}
	w->first[w->n] = w->nproviders;
}

static void index_routes(struct match_context *w)
{
	const struct path_template **paths = arena_many(
	    w->a, w->nproviders, const struct path_template *);
	size_t n = 0;

	for (size_t i = 0; i < w->nproviders; i++)
		if (match_text_equal(w->providers[i].fact->kind, "http")) {
			w->of[n] = i;
			paths[n++] = &w->providers[i].path;
		}
	w->index = match_index_new(paths, n);
}

size_t match_find_member(const struct match_context *w, const char *repo_uri)
{
	size_t from = 0, to = w->n;

	while (from < to) {
		size_t middle = from + (to - from) / 2;
		if (strcmp(w->m[middle].repo_uri, repo_uri) < 0)
			from = middle + 1;
		else
			to = middle;
	}
	if (from < w->n && !strcmp(w->m[from].repo_uri, repo_uri))
		return from;
	return w->n;
}

struct provider_range match_providers_of(
    const struct match_context *w, const struct call_site *s, size_t member)
{
	match_memory_note(w->memory, s->member, member);
	return (struct provider_range){ w->first[member], w->first[member + 1] };
}

bool match_serves(const struct match_context *w, const struct call_site *s, size_t member)
{
	match_memory_note(w->memory, s->member, member);
	return w->serves[member];
}

bool match_has_unknown_server(const struct call_site *s)
{
	bool by_url = match_text_equal(s->fact->kind, "http") ||
	    match_text_equal(s->fact->kind, "graphql");

	return by_url && (s->host_class != HOST_MEMBER || s->host.loose);
}

static struct call_sites find_sites(const struct match_context *w)
{
	struct call_sites s = { .first = arena_many(w->a, w->n + 1, size_t) };

	for (size_t i = 0; i < w->n; i++) {
		size_t n;
		const struct fact **v = match_side(&w->m[i], "consumes", w->a, &n);
		s.first[i] = s.n;
		s.v = grow(s.v, &s.cap, s.n + n, sizeof *s.v);
		for (size_t k = 0; k < n; k++)
			s.v[s.n++] = match_site(w, i, v[k]);
	}
	s.first[w->n] = s.n;
	return s;
}

/* Count the requests of these callers, unless they are counted already. */
static void count_requests(
    struct match_context *w, const struct call_sites *s, const bool *callers, bool *counted)
{
	for (size_t i = 0; i < w->n; i++) {
		if (!callers[i] || counted[i])
			continue;
		counted[i] = true;
		for (size_t k = s->first[i]; k < s->first[i + 1]; k++)
			if (match_has_unknown_server(s->v[k]))
				address_index_add(w, s->v[k]);
	}
	address_index_build(w);
}

/*
 * Find the callers to match, and count their requests: all requests to an address tell who serves
 * it.
 */
static bool *find_callers(
    struct match_context *w, const struct call_sites *s, const struct match_result *before)
{
	bool *counted = arena_many(w->a, w->n, bool);

	bool *again = match_memory_compare(w->memory, w, s, before);
	if (before && !kept_rows_fit(w, before, again))
		again = match_memory_compare(w->memory, w, s, NULL);
	count_requests(w, s, again, counted);
	match_memory_spread(w->memory, w, again);
	count_requests(w, s, again, counted);
	match_memory_keep_lessons(w->memory, w, again);
	return again;
}

/*
 * Resolve calls in order.  Rows of `before` stay for callers that need not be matched again.  Returns
 * the number of those that are.
 */
static size_t resolve_all(struct match_context *w, const struct match_result *before)
{
	struct call_sites s = find_sites(w);
	const bool *again = find_callers(w, &s, before);
	struct kept_rows kept = { .before = before };
	size_t n = 0;

	for (size_t i = 0; i < w->n; i++) {
		n += again[i];
		if (before)
			kept_rows_pass(&kept, w, i, !again[i]);
		for (size_t k = s.first[i]; again[i] && k < s.first[i + 1]; k++)
			match_resolve(w, s.v[k]);
	}
	free(s.v);
	return n;
}

void match_begin(struct match_context *w, const struct match_member *members, size_t n,
    struct arena *a, struct match_result *out)
{
	struct match_member *m = arena_many(a, n, struct match_member);

	*w = (struct match_context){ .m = m, .n = n, .a = a, .out = out, .least = MATCH_LEAST };
	*out = (struct match_result){ 0 };
	if (n) {
		memcpy(m, members, n * sizeof *m);
		qsort(m, n, sizeof *m, by_uri);
	}
	w->hosts = host_index_new(m, n, a);
	collect_providers(w);
	index_routes(w);
	w->named = provider_name_index_new(w);
	w->topics = topic_index_new(w);
	w->addresses = address_index_new();
	w->relations = member_relations_new(m, n, a);
	w->gates = gateway_index_new(w);
	w->declarations = declarations_new(w);
}

void match_end(struct match_context *w)
{
	gateway_index_free(w->gates);
	member_relations_free(w->relations);
	address_index_free(w->addresses);
	topic_index_free(w->topics);
	provider_name_index_free(w->named);
	match_index_free(w->index);
	host_index_free(w->hosts);
}

/* Match in a context that match_begin made, and end it. */
static size_t match_in(struct match_context *w, const struct match_result *before)
{
	size_t callers = resolve_all(w, before);

	match_idle(w);
	declarations_report(w);
	match_end(w);
	return callers;
}

void match(const struct match_member *members, size_t n, struct arena *a, struct match_result *out)
{
	struct match_context w;

	match_begin(&w, members, n, a, out);
	match_in(&w, NULL);
}

size_t match_again(struct match_memory *m, const struct match_result *before,
    const struct match_member *members, size_t n, struct arena *a, struct match_result *out)
{
	struct match_context w;

	match_begin(&w, members, n, a, out);
	w.memory = m;
	return match_in(&w, before);
}

void match_unsure(
    const struct match_member *members, size_t n, struct arena *a, struct match_result *out)
{
	struct match_context w;

	match_begin(&w, members, n, a, out);
	w.least = 0;
	match_in(&w, NULL);
}

void match_result_free(struct match_result *m)
{
	free(m->contracts.v);
	free(m->unresolved.v);
	free(m->idle.v);
	free(m->notes.v);
	*m = (struct match_result){ 0 };
}
