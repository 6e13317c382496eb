#include "shard/graph/scip/scip_overlay_internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/map.h"
#include "proto/base/minmax.h"

enum { MAX_ARGUMENTS = 500 };		/* bytes in brackets */

static struct overlay_definition variable;	/* a local that is not a definition of the index */

/* ---- what the names of a text mean ---- */

/* Whether the word of `n` bytes at `word` is also at `i`. */
static bool is_word_at(const char *text, size_t i, const char *word, size_t n)
{
	if (memcmp(text + i, word, n) || in_word(text[i + n]))
		return false;
	return !i || !in_word(text[i - 1]);
}

/* The definition of a local function: the one around whose first such word is this one. */
static struct overlay_definition *local_node(struct overlay_run *v, size_t from, size_t to)
{
	const char *t = v->source.text.p;
	struct overlay_definition *x = overlay_file_enclosing(v->doc, from, t + from, to - from);

	if (!x)
		return &variable;
	for (size_t i = x->start_byte; i < from; i++)
		if (is_word_at(t, i, t + from, to - from))
			return &variable;
	return x;
}

static void read_locals(struct overlay_run *v)
{
	size_t from, to;

	for (size_t i = 0; i < v->document.occurrences.n; i++) {
		const struct scip_occurrence *o = &v->document.occurrences.v[i];
		if (o->definition && scip_is_local(o->symbol) &&
		    source_text_word(&v->source, o->line, o->start, o->end, &from, &to))
			*map_at(v->locals, o->symbol) = local_node(v, from, to);
	}
}

static void put_target(struct overlay_site *s, struct overlay_definition *x)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->v[i] == x)
			return;
	if (s->n < MAX_TARGETS)
		s->v[s->n++] = x;
	s->verdict = VERDICT_KNOWN;
}

/* Whether a definition is in a scope of the site. */
static bool in_scope(
    const struct overlay_run *v, const struct overlay_site *s, const struct overlay_definition *x)
{
	const struct overlay_definition *up = NULL;

	if (x->doc == v->doc)
		up = overlay_file_definition(x->doc, x->parent);
	return up && up->start_byte <= s->from && s->from < up->end_byte;
}

void sites_record_dependency(struct overlay_run *v, const struct overlay_file *d)
{
	*map_at(v->used, d->path) = v;
	if (d->other)
		*map_at(v->used, d->other) = v;
}

/*
 * Add the definitions of a symbol.  Some indexers leave inner scopes out of its name: then several
 * definitions have it, and only those in the scope of the site are meant.
 */
static void put_targets(
    struct overlay_run *v, struct overlay_site *s, const struct scip_definition *first)
{
	const struct overlay_definition *one = NULL;
	bool several = false;

	for (const struct scip_definition *x = first; x; x = x->next) {
		sites_record_dependency(v, x->doc);
		if (overlay_file_load(v->p, x->doc, v->e) || !x->node)
			continue;
		several |= one && strcmp(one->qualified, x->node->qualified);
		if (!one)
			one = x->node;
	}
	for (const struct scip_definition *x = first; x; x = x->next)
		if (x->node && (!several || in_scope(v, s, x->node)))
			put_target(s, x->node);
}

/*
 * Whether the index defines nothing of the symbol's package.  Otherwise an undefined symbol may be
 * known by another name.
 */
static bool foreign(const struct overlay_run *v, const char *symbol)
{
	return !map_get(v->p->packages, arena_strn(v->a, symbol, scip_package_length(symbol)));
}

static void raise_verdict(struct overlay_site *s, enum verdict verdict)
{
	if (s->verdict < verdict)
		s->verdict = verdict;
}

static void classify_symbol(struct overlay_run *v, struct overlay_site *s, const char *symbol)
{
	if (scip_is_local(symbol)) {
		struct overlay_definition *local = map_get(v->locals, symbol);
		if (local == &variable)
			raise_verdict(s, VERDICT_LOCAL);
		else if (local)
			put_target(s, local);
		return;
	}
	const struct scip_definition *first = map_get(v->p->symbols, symbol);
	if (first)
		put_targets(v, s, first);
	else if (foreign(v, symbol))
		raise_verdict(s, VERDICT_EXTERNAL);
}

static bool renamed(const struct overlay_run *v, const char *name, const char *text, size_t n)
{
	for (size_t i = 0; i < v->facts.imports.n; i++) {
		const struct import *x = &v->facts.imports.v[i];
		if (x->alias && same_word(text, n, x->alias) &&
		    (!x->name || !strcmp(x->name, name) || !strcmp(x->name, "default")))
			return true;
	}
	return false;
}

/*
 * Whether the text has the name of the symbol that the index has there.  The index is not trusted:
 * scip-python uses the first name of a star import for all of them.
 */
static bool plausible(const struct overlay_run *v, const char *symbol, size_t from, size_t to)
{
	const char *text = v->source.text.p + from, *name;

	if (scip_is_local(symbol))
		return true;
	name = scip_name(symbol, v->a);
	if (!name)
		return false;
	if (same_word(text, to - from, name) || !strcmp(name, "constructor"))
		return true;
	return renamed(v, name, text, to - from);
}

/* One past the bracket that closes the one at `i`; `i` if there is none. */
static size_t skip(const struct scip_source_text *s, size_t i)
{
	const char *t = s->text.p;
	char open = t[i], close = open == '<' ? '>' : ')';
	size_t end = MIN(s->text.n, i + MAX_ARGUMENTS);
	int depth = 0;

	for (size_t k = i; k < end && t[k] != ';'; k++) {
		bool arrow = t[k] == '>' && t[k - 1] == '=';
		if (t[k] == open)
			depth++;
		else if (t[k] == close && !arrow)
			depth--;
		if (!depth)
			return k + 1;
	}
	return i;
}

/*
 * Whether `name(…) {` is the head of a method in an object literal: the name begins the line or
 * an element.
 */
static bool is_head(const struct scip_source_text *s, const struct overlay_site *x, size_t open)
{
	size_t begin = x->from, end = skip(s, open);

	while (begin && (s->text.p[begin - 1] == ' ' || s->text.p[begin - 1] == '\t'))
		begin--;
	if (begin && !strchr("\n{,", s->text.p[begin - 1]))
		return false;
	end += strspn(s->text.p + end, " \t");
	return end > open && s->text.p[end] == '{';
}

/*
 * Whether the name is called: `f(`, `f<T>(`, `f!(`, `f?.(`; a decorator is not, a method's head,
 * or a type before `(*f)`.
 */
static bool is_called(const struct scip_source_text *s, const struct overlay_site *x)
{
	size_t begin = s->lines.v[x->line - 1], i = x->to;

	while (begin < x->from && isspace((unsigned char)s->text.p[begin]))
		begin++;
	if (begin < x->from && s->text.p[begin] == '@')
		return false;
	i += strspn(s->text.p + i, " !?.");
	if (s->text.p[i] == '<')
		i = skip(s, i);
	return s->text.p[i] == '(' && s->text.p[i + 1] != '*' && !is_head(s, x, i);
}

static bool is_import(const struct overlay_run *v, uint32_t line)
{
	for (size_t i = 0; i < v->facts.imports.n; i++)
		if (v->facts.imports.v[i].line == line)
			return true;
	return false;
}

/* Whether the word before makes this a declaration: some indexers do not mark a second one. */
static bool is_declared(const struct scip_source_text *s, size_t from)
{
	static const char *const words[] = { "def", "class", "function", "func", "fn" };
	size_t end = from, begin;

	while (end && (s->text.p[end - 1] == ' ' || s->text.p[end - 1] == '\t'))
		end--;
	begin = end;
	while (begin && in_word(s->text.p[begin - 1]))
		begin--;
	for (size_t i = 0; i < LEN(words); i++)
		if (end < from && same_word(s->text.p + begin, end - begin, words[i]))
			return true;
	return false;
}

/*
 * The definition that a site is in: that of the reference there, or by place.  A field that a
 * method makes, and that stands in it, has nothing in it.
 */
static const struct overlay_definition *source_at(
    const struct overlay_run *v, uint32_t line, size_t from, size_t to)
{
	const struct overlay_definition *found = overlay_file_enclosing(v->doc, from, NULL, 0),
	                                *callable = NULL;

	for (size_t i = 0; i < v->facts.references.n; i++) {
		const struct reference *r = &v->facts.references.v[i];
		if (r->line == line && same_word(v->source.text.p + from, to - from, r->name)) {
			if (r->definition < 0)
				return NULL;
			return overlay_file_definition(v->doc, v->ids[r->definition]);
		}
	}
	for (size_t i = 0; i < v->doc->nodes.n && v->doc->nodes.v[i].start_byte <= from; i++)
		if (from < v->doc->nodes.v[i].end_byte && kind_is_callable(v->doc->nodes.v[i].kind))
			callable = &v->doc->nodes.v[i];
	if (found && kind_holds_value(found->kind) && callable)
		return callable;
	return found;
}

static void read_sites(struct overlay_run *v)
{
	size_t from, to;

	v->sites.v = arena_many(v->a, v->document.occurrences.n + 1, struct overlay_site);
	for (size_t i = 0; i < v->document.occurrences.n; i++) {
		const struct scip_occurrence *o = &v->document.occurrences.v[i];
		struct overlay_site *last = NULL;
		if (v->sites.n)
			last = &v->sites.v[v->sites.n - 1];
		if (o->definition || !source_text_word(&v->source, o->line, o->start, o->end, &from, &to) ||
		    is_declared(&v->source, from) || !plausible(v, o->symbol, from, to))
			continue;
		if (!last || last->from != from) {
			last = &v->sites.v[v->sites.n++];
			*last = (struct overlay_site){ .line = o->line, .from = from, .to = to };
			last->import = is_import(v, o->line);
			last->called = is_called(&v->source, last);
			if (last->import)
				last->source = NULL;
			else
				last->source = source_at(v, o->line, from, to);
		}
		classify_symbol(v, last, o->symbol);
	}
}

int64_t site_source(const struct overlay_site *s)
{
	if (s->source)
		return s->source->id;
	return 0;
}

static int by_source(const void *a, const void *b)
{
	const struct overlay_site *x = *(struct overlay_site *const *)a,
	                          *y = *(struct overlay_site *const *)b;
	int64_t i = site_source(x), k = site_source(y);

	if (i != k)
		return (i > k) - (i < k);
	return (x > y) - (x < y);
}

static void sort_sites(struct overlay_run *v)
{
	v->by_source = arena_many(v->a, v->sites.n + 1, struct overlay_site *);
	for (size_t i = 0; i < v->sites.n; i++)
		v->by_source[i] = &v->sites.v[i];
	qsort(v->by_source, v->sites.n, sizeof *v->by_source, by_source);
}

/* How often a word occurs on a line. */
static size_t words_on(const struct scip_source_text *s, uint32_t line, const char *word, size_t n)
{
	size_t found = 0, end = s->lines.v[line];

	for (size_t i = s->lines.v[line - 1]; i + n <= end; i++)
		found += !memcmp(s->text.p + i, word, n) && (!i || !in_word(s->text.p[i - 1])) &&
		    (i + n == s->text.n || !in_word(s->text.p[i + n]));
	return found;
}

/* The first site of a line or one after it. */
static size_t site_at(const struct overlay_run *v, uint32_t line)
{
	size_t lo = 0, hi = v->sites.n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (v->sites.v[mid].line < line)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

bool sites_cover_word(
    const struct overlay_run *v, uint32_t line, const char *name, enum verdict least)
{
	size_t known = 0;

	for (size_t i = site_at(v, line); i < v->sites.n && v->sites.v[i].line == line; i++) {
		const struct overlay_site *s = &v->sites.v[i];
		known += s->verdict >= least &&
		    same_word(v->source.text.p + s->from, s->to - s->from, name);
	}
	return known && line <= v->source.lines.n &&
	    known >= words_on(&v->source, line, name, strlen(name));
}

bool sites_match_text(const struct overlay_run *v)
{
	size_t all = 0, right = 0, from, to;

	for (size_t i = 0; i < v->document.occurrences.n; i++) {
		const struct scip_occurrence *o = &v->document.occurrences.v[i];
		const char *name = NULL;
		if (!o->definition)
			name = scip_name(o->symbol, v->a);
		all += name != NULL;
		right += name && source_text_word(&v->source, o->line, o->start, o->end, &from, &to) &&
		    same_word(v->source.text.p + from, to - from, name);
	}
	return 2 * right >= all;
}

void sites_read(struct overlay_run *v)
{
	read_locals(v);
	read_sites(v);
	sort_sites(v);
}
