#include "shard/definitions/ctags/ctags_internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/minmax.h"
#include "shard/syntax/node_rules.h"

enum { MAX_BACK = 5000 };

static int by_place(const void *a, const void *b)
{
	const struct located_tag *x = a, *y = b;

	if (x->tag.line != y->tag.line) {
		if (x->tag.line < y->tag.line)
			return -1;
		return 1;
	}
	if (x->order < y->order)
		return -1;
	return 1;
}

/* Whether `scope` is `p` as ctags writes it: the scope of `p`, something between, its name. */
static bool is_scope(const struct located_tag *p, const char *scope)
{
	size_t n = strlen(scope), name = strlen(p->tag.name),
	       up = p->tag.scope ? strlen(p->tag.scope) : 0;

	if (n < name || strcmp(scope + n - name, p->tag.name) != 0)
		return false;
	if (n == name)	/* some parsers name the innermost only */
		return true;
	if (!up)
		return !isalnum((unsigned char)scope[n - name - 1]);
	return n > up + name && !strncmp(scope, p->tag.scope, up);
}

static bool is_group(const struct located_tag *p)
{
	return type_in_list(
	           p->kind_rule->kind, "class|interface|trait|struct|enum|type|module|section") ||
	    p->end > p->tag.line;
}

/* What `i` is in: what its scope names, or without one what ends behind it. */
static int parent_of(const struct ctags_file *r, size_t i, const char *scope)
{
	uint64_t line = r->v[i].tag.line;

	for (size_t k = i; k-- && i - k < MAX_BACK;) {
		const struct located_tag *up = &r->v[k];
		if (scope ? is_group(up) && is_scope(up, scope) : up->end >= line && up->end > up->tag.line)
			return (int)k;
	}
	return -1;
}

/* The scope without its last name; NULL: it has only one. */
static char *scope_outer(struct ctags_file *r, const char *scope)
{
	size_t n = strlen(scope);

	while (n && (isalnum((unsigned char)scope[n - 1]) || scope[n - 1] == '_' || scope[n - 1] < 0))
		n--;
	while (n && !isalnum((unsigned char)scope[n - 1]) && scope[n - 1] != '_' && scope[n - 1] > 0)
		n--;
	if (n)
		return arena_strn(r->a, scope, n);
	return NULL;
}

/* Modules that are whole files, or the rest of one. */
static void find_modules(struct ctags_file *r)
{
	struct located_tag *last = NULL;

	for (size_t i = 0; i < r->count && r->t->of[r->lang].whole; i++) {
		struct located_tag *p = &r->v[i];
		if (strcmp(p->kind_rule->kind, "module") != 0 || p->end)
			continue;
		if (last)
			last->end = (uint32_t)p->tag.line - 1;
		p->end = r->lines;
		last = p;
	}
}

static void find_parents(struct ctags_file *r)
{
	for (size_t i = 0; i < r->count; i++) {
		const char *scope = r->v[i].tag.scope, *apart = r->t->of[r->lang].apart;
		r->v[i].parent = parent_of(r, i, scope);
		/* a scope that is no symbol */
		while (scope && r->v[i].parent < 0 && (scope = scope_outer(r, scope)))
			r->v[i].parent = parent_of(r, i, scope);
		r->v[i].named = r->v[i].parent;
		if (apart && type_in_list(r->v[i].tag.kind, apart))
			r->v[i].parent = -1;
	}
}

static bool within(const struct ctags_file *r, size_t i, size_t up)
{
	for (int k = (int)i; k >= 0; k = r->v[k].parent)
		if ((size_t)k == up)
			return true;
	return false;
}

static bool blank(const struct ctags_file *r, uint32_t from, uint32_t to)
{
	while (from < to && isspace((unsigned char)r->text[from]))
		from++;
	return from == to;
}

bool ctags_is_comment_line(const struct ctags_file *r, uint32_t line)
{
	const char *mark = r->t->of[r->lang].comment;
	uint32_t at = r->line[line - 1], end = r->line[line];

	while (at < end && (r->text[at] == ' ' || r->text[at] == '\t'))
		at++;
	return mark && end - at >= strlen(mark) && !memcmp(r->text + at, mark, strlen(mark));
}

/* Bytes of white space that the line begins with. */
static uint32_t indent(const struct ctags_file *r, uint32_t line)
{
	uint32_t at = r->line[line - 1];

	while (at < r->line[line] && (r->text[at] == ' ' || r->text[at] == '\t'))
		at++;
	return at - r->line[line - 1];
}

/*
 * Where ctags does not say it, what has a body ends before the next symbol that is not in it, or a
 * line that begins left of it; comments there are the next one's.
 */
static uint32_t end_of(const struct ctags_file *r, size_t i)
{
	uint32_t line = (uint32_t)r->v[i].tag.line, end = r->lines, held = line;

	if (!strcmp(r->v[i].kind_rule->kind, "type") && (i + 1 == r->count || !within(r, i + 1, i)))
		return line;	/* an alias */
	for (size_t k = i + 1; k < r->count; k++)
		if (within(r, k, i)) {
			held = (uint32_t)r->v[k].tag.line;
		} else {
			end = (uint32_t)r->v[k].tag.line - 1;
			break;
		}
	for (uint32_t k = held + 1; k <= end; k++)
		if (indent(r, k) < indent(r, line) && !blank(r, r->line[k - 1], r->line[k]))
			end = k - 1;
	while (
	    end > line && (blank(r, r->line[end - 1], r->line[end]) || ctags_is_comment_line(r, end)))
		end--;
	return MAX(end, line);
}

/*
 * What it is named after may be over before it begins: a proc of a namespace that is called like
 * another one.
 */
static void detach_ended_parents(struct ctags_file *r)
{
	for (size_t i = 0; i < r->count; i++) {
		struct located_tag *p = &r->v[i];
		if (p->parent >= 0 && r->v[p->parent].end < p->tag.line)
			p->parent = -1;
	}
}

static void find_ends(struct ctags_file *r)
{
	for (size_t i = 0; i < r->count; i++)
		if (!r->v[i].end && (r->v[i].kind_rule->callable || is_group(&r->v[i])))
			r->v[i].end = end_of(r, i);
	detach_ended_parents(r);
	for (size_t i = 0; i < r->count; i++) {
		struct located_tag *p = &r->v[i];
		if (!p->end)
			p->end = (uint32_t)p->tag.line;
		if (p->parent >= 0 && p->end >= r->v[p->parent].end)	/* whose last line is its own */
			p->end = r->v[p->parent].end - (p->tag.end != p->end);
		if (p->end < p->tag.line)
			p->end = (uint32_t)p->tag.line;
	}
}

/*
 * The bytes of each: whole lines, or from its name on when it shares its line with what is before
 * it.
 */
static void find_bytes(struct ctags_file *r)
{
	for (size_t i = 0; i < r->count; i++) {
		struct located_tag *p = &r->v[i];
		uint32_t at = r->line[p->tag.line - 1], eol = r->line[p->tag.line];
		bool second = i && r->v[i - 1].tag.line == p->tag.line;
		bool shared = second ||
		    (i + 1 < r->count && r->v[i + 1].tag.line == p->tag.line && p->end == p->tag.line);
		while (at < eol && isspace((unsigned char)r->text[at]))
			at++;
		if (second && r->v[i - 1].at > at)
			at = r->v[i - 1].at;
		const char *name = memmem(r->text + at, eol - at, p->tag.name, strlen(p->tag.name));
		if (second && name)
			at = (uint32_t)(name - r->text);
		p->at = at;
		p->to = r->line[p->end];
		if (shared && p->end == p->tag.line && !is_group(p) && name)
			p->to = (uint32_t)(name - r->text) + (uint32_t)strlen(p->tag.name);
		while (p->to > p->at && isspace((unsigned char)r->text[p->to - 1]))
			p->to--;
		if (p->parent >= 0 && p->to > r->v[p->parent].to)
			p->to = r->v[p->parent].to;
		if (p->to < p->at)
			p->to = p->at;
	}
}

void ctags_find_positions(struct ctags_file *r)
{
	if (r->count)
		qsort(r->v, r->count, sizeof *r->v, by_place);
	find_modules(r);
	find_parents(r);
	find_ends(r);
	find_bytes(r);
}
