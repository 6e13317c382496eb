#include "shard/definitions/ctags/ctags_internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/minmax.h"
#include "shard/syntax/node_rules.h"

/*
 * How many tags before a tag may be the one around it; how many a file compares in all, after which
 * tags have no parent; and the longest scope that is looked at: ctags writes each tag with the
 * names of all tags around it.
 */
enum { MAX_BACK = 5000, MAX_COMPARED = 10000000, MAX_SCOPE_BYTES = 1000 };

static int by_place(const void *a, const void *b)
{
	const struct located_tag *x = a, *y = b;

	if (x->tag.line != y->tag.line)
		return (x->tag.line > y->tag.line) - (x->tag.line < y->tag.line);
	return (x->order > y->order) - (x->order < y->order);
}

/* Whether ctags writes `p` as `scope`: the scope of `p`, a separator, and its name. */
static bool is_scope(const struct located_tag *p, const char *scope)
{
	const char *outer = p->tag.scope;
	size_t n = strlen(scope), name = strlen(p->tag.name);

	if (n < name || strcmp(scope + n - name, p->tag.name) != 0)
		return false;
	if (n == name)	/* some parsers write only the innermost name */
		return true;
	if (!outer || !*outer)
		return !isalnum((unsigned char)scope[n - name - 1]);
	return n > strlen(outer) + name && !strncmp(scope, outer, strlen(outer));
}

/* Whether a tag can contain others. */
static bool is_group(const struct located_tag *p)
{
	static const char kinds[] = "class|interface|trait|struct|enum|type|module|section";

	return type_in_list(p->kind_rule->kind, kinds) || p->end > p->tag.line;
}

/* Whether `up` is around line `line`, by its scope or (NULL) by its end. */
static bool contains(const struct located_tag *up, uint64_t line, const char *scope)
{
	if (scope)
		return is_group(up) && is_scope(up, scope);
	return up->end >= line && up->end > up->tag.line;
}

/* The tag around tag `i`, or -1. */
static int parent_of(struct ctags_file *r, size_t i, const char *scope)
{
	for (size_t k = i; k-- && i - k < MAX_BACK && r->compared++ < MAX_COMPARED;)
		if (contains(&r->v[k], r->v[i].tag.line, scope))
			return (int)k;
	return -1;
}

static bool is_name_byte(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c < 0;
}

/* The scope without its last name; NULL if it has only one. */
static char *scope_outer(struct ctags_file *r, const char *scope)
{
	size_t n = strlen(scope);

	while (n && is_name_byte(scope[n - 1]))
		n--;
	while (n && !is_name_byte(scope[n - 1]))
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

/* The tag around tag `i`, or -1: what the innermost part of its scope names that is a symbol. */
static int nearest_parent(struct ctags_file *r, size_t i)
{
	const char *scope = r->v[i].tag.scope;
	int parent;

	if (scope && strlen(scope) > MAX_SCOPE_BYTES)
		return -1;
	parent = parent_of(r, i, scope);

	while (scope && parent < 0) {
		scope = scope_outer(r, scope);
		if (scope)
			parent = parent_of(r, i, scope);
	}
	return parent;
}

static void find_parents(struct ctags_file *r)
{
	const char *apart = r->t->of[r->lang].apart;

	for (size_t i = 0; i < r->count; i++) {
		struct located_tag *p = &r->v[i];
		p->parent = nearest_parent(r, i);
		p->named = p->parent;
		if (apart && type_in_list(p->tag.kind, apart))
			p->parent = -1;
	}
}

static bool is_blank_line(const struct ctags_file *r, uint32_t line)
{
	uint32_t from = r->line[line - 1], to = r->line[line];

	while (from < to && isspace((unsigned char)r->text[from]))
		from++;
	return from == to;
}

bool ctags_is_comment_line(const struct ctags_file *r, uint32_t line)
{
	const char *mark = r->t->of[r->lang].comment;
	uint32_t at = r->line[line - 1], end = r->line[line];

	if (!mark)
		return false;
	while (at < end && (r->text[at] == ' ' || r->text[at] == '\t'))
		at++;
	return end - at >= strlen(mark) && !memcmp(r->text + at, mark, strlen(mark));
}

/* How many bytes of white space the line begins with. */
static uint32_t indent(const struct ctags_file *r, uint32_t line)
{
	uint32_t at = r->line[line - 1];

	while (at < r->line[line] && (r->text[at] == ' ' || r->text[at] == '\t'))
		at++;
	return at - r->line[line - 1];
}

/* What find_ends needs to know about lines and tags, so that it looks at each of them once. */
struct end_finder {
	uint32_t *indent;	/* by line; UINT32_MAX if it is blank */
	uint32_t *outdented;	/* by line: the next line that is indented less; or 0 */
	uint32_t *text;		/* by line: the last line up to it that is neither blank nor a comment */
	size_t *next;		/* by tag: the next tag that is not within it */
};

/* The first line from `from` on that is indented less than `indent`; 0 if there is none. */
static uint32_t first_outdented(
    const struct ctags_file *r, const struct end_finder *x, uint32_t from, uint32_t indent)
{
	if (from > r->lines)
		return 0;
	while (from && x->indent[from] >= indent)
		from = x->outdented[from];
	return from;
}

static void find_lines(const struct ctags_file *r, struct end_finder *x)
{
	x->indent = arena_many(r->a, r->lines + 1, uint32_t);
	x->outdented = arena_many(r->a, r->lines + 1, uint32_t);
	x->text = arena_many(r->a, r->lines + 1, uint32_t);
	for (uint32_t k = 1; k <= r->lines; k++) {
		x->indent[k] = UINT32_MAX;
		x->text[k] = x->text[k - 1];
		if (is_blank_line(r, k))
			continue;
		x->indent[k] = indent(r, k);
		if (!ctags_is_comment_line(r, k))
			x->text[k] = k;
	}
	for (uint32_t k = r->lines; k >= 1; k--)
		x->outdented[k] = first_outdented(r, x, k + 1, x->indent[k]);
}

/* A parent comes before its members, so a tag is within `i` if its parent is not before `i`. */
static void find_next(const struct ctags_file *r, struct end_finder *x)
{
	x->next = arena_many(r->a, r->count + 1, size_t);
	for (size_t i = r->count; i--;) {
		size_t k = i + 1;
		while (k < r->count && r->v[k].parent >= (int)i)
			k = x->next[k];
		x->next[i] = k;
	}
}

/*
 * The last line of a tag with a body, where ctags does not report it.  It ends before the next
 * symbol outside of it, or before a line with less indentation; comments before those belong to
 * the next symbol.
 */
static uint32_t end_of(const struct ctags_file *r, const struct end_finder *x, size_t i)
{
	uint32_t line = (uint32_t)r->v[i].tag.line, end = r->lines;
	size_t next = x->next[i];

	if (!strcmp(r->v[i].kind_rule->kind, "type") && next == i + 1)
		return line;	/* an alias */
	if (next < r->count)
		end = (uint32_t)r->v[next].tag.line - 1;
	uint32_t last_inside = (uint32_t)r->v[next - 1].tag.line;
	uint32_t outdented = first_outdented(r, x, last_inside + 1, x->indent[line]);
	if (outdented && outdented <= end)
		end = outdented - 1;
	if (end > line)
		end = x->text[end];
	return MAX(end, line);
}

/*
 * Clear parents that end before their members: a proc of a namespace that is called like another
 * one.
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
	struct end_finder x;

	find_lines(r, &x);
	find_next(r, &x);
	for (size_t i = 0; i < r->count; i++)
		if (!r->v[i].end && (r->v[i].kind_rule->callable || is_group(&r->v[i])))
			r->v[i].end = end_of(r, &x, i);
	detach_ended_parents(r);
	for (size_t i = 0; i < r->count; i++) {
		struct located_tag *p = &r->v[i];
		if (!p->end)
			p->end = (uint32_t)p->tag.line;
		/* Unless ctags reported the end, the last line belongs to the parent. */
		if (p->parent >= 0 && p->end >= r->v[p->parent].end)
			p->end = r->v[p->parent].end - (p->tag.end != p->end);
		if (p->end < p->tag.line)
			p->end = (uint32_t)p->tag.line;
	}
}

/*
 * The bytes of tag `i`: whole lines.  If an earlier tag is on the same line, it begins at its
 * name; a tag of one line that shares the line ends with its name.
 */
static void find_bytes_of(struct ctags_file *r, size_t i)
{
	struct located_tag *p = &r->v[i];
	uint32_t at = r->line[p->tag.line - 1], eol = r->line[p->tag.line];
	bool second = i && r->v[i - 1].tag.line == p->tag.line;
	bool shared = second || (i + 1 < r->count && r->v[i + 1].tag.line == p->tag.line);
	bool one_line = p->end == p->tag.line;

	while (at < eol && isspace((unsigned char)r->text[at]))
		at++;
	if (second)
		at = MAX(at, r->v[i - 1].at);
	const char *name = memmem(r->text + at, eol - at, p->tag.name, strlen(p->tag.name));
	if (second && name)
		at = (uint32_t)(name - r->text);
	p->at = at;
	p->to = r->line[p->end];
	if (name && shared && one_line && !is_group(p))
		p->to = (uint32_t)(name - r->text) + (uint32_t)strlen(p->tag.name);
	while (p->to > p->at && isspace((unsigned char)r->text[p->to - 1]))
		p->to--;
	if (p->parent >= 0)
		p->to = MIN(p->to, r->v[p->parent].to);
	p->to = MAX(p->to, p->at);
}

void ctags_find_positions(struct ctags_file *r)
{
	if (r->count)
		qsort(r->v, r->count, sizeof *r->v, by_place);
	find_modules(r);
	find_parents(r);
	find_ends(r);
	for (size_t i = 0; i < r->count; i++)
		find_bytes_of(r, i);
}
