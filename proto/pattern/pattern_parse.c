#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/pattern/pattern.h"
#include "proto/pattern/pattern_parse_internal.h"
#include "proto/pattern/unicode_sets.h"
#include "proto/pattern/utf8.h"

enum { NODE_MAX_DEPTH = 4 * PATTERN_MAX_DEPTH, FIRST_LIST = 4, MAX_MEMORY = 64 << 20 };

static size_t column_of(const struct parser *p, size_t at)
{
	size_t column = 1;

	for (size_t i = 0; i < at && i < p->n; i++)
		column += ((unsigned char)p->text[i] & 0xc0) != 0x80;
	return column;
}

bool parse_error(struct parser *p, size_t at, const char *what, ...)
{
	char text[200];
	va_list args;

	va_start(args, what);
	vsnprintf(text, sizeof text, what, args);
	va_end(args);
	err_set(p->e, ERR_INVALID_INPUT, "pattern: column %zu: %s", column_of(p, at), text);
	return false;
}

uint32_t peek(const struct parser *p)
{
	uint32_t c = NO_CHARACTER;

	utf8_decode(p->text + p->at, p->n - p->at, &c);
	return c;
}

bool looking_at(const struct parser *p, const char *s)
{
	size_t n = strlen(s);

	return p->n - p->at >= n && !memcmp(p->text + p->at, s, n);
}

void next_character(struct parser *p)
{
	uint32_t c;

	p->at += utf8_decode(p->text + p->at, p->n - p->at, &c);
}

bool skip(struct parser *p, const char *s)
{
	if (!looking_at(p, s))
		return false;
	p->at += strlen(s);
	return true;
}

void skip_space(struct parser *p)
{
	while (p->flags.extended) {
		uint32_t c = peek(p);
		if (c == '#') {
			while (peek(p) != '\n' && peek(p) != NO_CHARACTER)
				next_character(p);
		} else if (c != NO_CHARACTER && charset_has(unicode_space(), c)) {
			next_character(p);
		} else {
			return;
		}
	}
}

bool enter(struct parser *p)
{
	if (++p->depth <= PATTERN_MAX_DEPTH)
		return true;
	return parse_error(p, p->at, "groups and classes are nested deeper than %d; write it flatter",
	    PATTERN_MAX_DEPTH);
}

/* ---- nodes ---- */

static struct node *node_new(struct parser *p, enum node_kind kind)
{
	struct node *node = arena_one(p->a, struct node);

	node->kind = kind;
	return node;
}

const struct node *node_place(struct arena *a, enum place place)
{
	struct node *node = arena_one(a, struct node);

	node->kind = NODE_PLACE;
	node->place = place;
	return node;
}

const struct node *node_pair(
    struct arena *a, enum node_kind kind, const struct node *x, const struct node *y)
{
	const struct node **parts = arena_many(a, 2, const struct node *);
	struct node *node = arena_one(a, struct node);

	parts[0] = x;
	parts[1] = y;
	*node = (struct node){ .kind = kind, .parts = parts, .nparts = 2 };
	node->depth = 1 + (x->depth > y->depth ? x->depth : y->depth);
	return node;
}

/* A growing list of nodes in the parser's arena. */
struct list {
	const struct node **v;
	size_t n, cap;
};

static void list_add(struct parser *p, struct list *l, const struct node *node)
{
	if (l->n == l->cap) {
		size_t cap = l->cap ? 2 * l->cap : FIRST_LIST;
		const struct node **v = arena_many(p->a, cap, const struct node *);
		if (l->n)
			memcpy(v, l->v, l->n * sizeof *v);
		l->v = v;
		l->cap = cap;
	}
	l->v[l->n++] = node;
}

static bool depth_fits(struct parser *p, const struct node *node)
{
	if (node->depth <= NODE_MAX_DEPTH)
		return true;
	return parse_error(p, p->at, "repetitions are nested too deep; write it flatter");
}

static const struct node *list_node(struct parser *p, enum node_kind kind, const struct list *l)
{
	if (!l->n)
		return node_new(p, NODE_EMPTY);
	if (l->n == 1)
		return l->v[0];
	struct node *node = node_new(p, kind);
	node->parts = l->v;
	node->nparts = l->n;
	for (size_t i = 0; i < l->n; i++)
		if (l->v[i]->depth >= node->depth)
			node->depth = l->v[i]->depth + 1;
	return depth_fits(p, node) ? node : NULL;
}

/* One character of a set, or NULL with an error if that could only be a line end. */
static const struct node *set_node(struct parser *p, const struct charset *set, size_t at)
{
	struct node *node = node_new(p, NODE_SET);
	uint32_t only;

	node->set = set;
	if (!p->within_lines || !charset_has(set, '\n'))
		return node;
	if (charset_is_one(set, &only)) {
		parse_error(p, at,
		    "a line end matches nothing, because a match is within one line; leave it out or set `multiline`");
		return NULL;
	}
	node->set = charset_without(p->a, set, charset_one(p->a, '\n'));
	return node;
}

static const struct node *character_node(struct parser *p, uint32_t c, size_t at)
{
	const struct charset *set = charset_one(p->a, c);

	if (p->flags.ignore_case)
		set = unicode_fold(p->a, set);
	return set_node(p, set, at);
}

/* ---- atoms ---- */

static const struct node *parse_choice(struct parser *p);

static const struct node *line_place(struct parser *p, enum place line, enum place text)
{
	return node_place(p->a, p->flags.multi_line ? line : text);
}

static const struct node *dot(struct parser *p, size_t at)
{
	const struct charset *all = charset_inverse(p->a, charset_new(p->a, NULL, 0));

	if (!p->flags.dot_all)
		all = charset_without(p->a, all, charset_one(p->a, '\n'));
	return set_node(p, all, at);
}

/* The flags of (?i-x) up to `)` or `:`. */
static bool parse_flags(struct parser *p)
{
	bool on = true, any = false;

	for (;;) {
		uint32_t c = peek(p);
		size_t at = p->at;
		if (c == ':' || c == ')')
			break;
		next_character(p);
		any = any || c != '-';
		if (c == 'i')
			p->flags.ignore_case = on;
		else if (c == 'm')
			p->flags.multi_line = on;
		else if (c == 's')
			p->flags.dot_all = on;
		else if (c == 'U')
			p->flags.swap_greed = on;
		else if (c == 'x')
			p->flags.extended = on;
		else if (c == '-' && on)
			on = false;
		else if (c == 'u' && !on)
			return parse_error(
			    p, at, "(?-u) is not supported; write ASCII classes such as [0-9A-Za-z_]");
		else if (c != 'u')
			return parse_error(p, at,
			    "unknown flag; the flags are i, m, s, U, u and x, and a literal `(?` is written \\(\\?");
	}
	if (!any || (!on && p->text[p->at - 1] == '-'))
		return parse_error(
		    p, p->at, "a flag is missing; write one of i, m, s, U and x, or (?:...) for a group");
	return true;
}

static const struct {
	const char *begin, *what;
} unsupported[] = {
	{ "(?=", "look-ahead is not supported; match the text itself, and read the found lines" },
	{ "(?!",
	    "negative look-ahead is not supported; search without it, and sort out the found lines" },
	{ "(?<=", "look-behind is not supported; match the text before, too" },
	{ "(?<!",
	    "negative look-behind is not supported; search without it, and sort out the found lines" },
	{ "(?>", "atomic groups are not supported; write (?:...)" },
	{ "(?|", "branch resets are not supported; write (?:...)" },
	{ "(?#", "such comments are not supported; leave it out" },
	{ "(?P=", "back-references are not supported; repeat the pattern" },
	{ "(?P>", "recursion is not supported; repeat the pattern" },
};

static bool parse_group_name(struct parser *p)
{
	size_t from = p->at;

	while (peek(p) != '>' && peek(p) != NO_CHARACTER)
		next_character(p);
	if (p->at == from || !skip(p, ">"))
		return parse_error(p, from, "the name of this group has no end; write (?P<name>...)");
	return true;
}

/*
 * What stands between `(` and the group's pattern.  *only_flags if it was (?i), without a
 * pattern.
 */
static bool parse_group_start(struct parser *p, bool *only_flags)
{
	for (size_t i = 0; i < LEN(unsupported); i++)
		if (looking_at(p, unsupported[i].begin))
			return parse_error(p, p->at, "%s", unsupported[i].what);
	skip(p, "(");
	if (skip(p, "?P<") || skip(p, "?<"))
		return parse_group_name(p);
	if (!skip(p, "?"))
		return true;
	if (skip(p, ":"))
		return true;
	if (!parse_flags(p))
		return false;
	*only_flags = peek(p) == ')';
	next_character(p);
	return true;
}

/* The group at a `(`; *only_flags if it was none. */
static const struct node *parse_group(struct parser *p, bool *only_flags)
{
	size_t at = p->at;
	struct flags before = p->flags;

	if (!enter(p) || !parse_group_start(p, only_flags))
		return NULL;
	if (*only_flags) {
		p->depth--;
		return node_new(p, NODE_EMPTY);
	}
	const struct node *inner = parse_choice(p);
	if (!inner)
		return NULL;
	if (!skip(p, ")")) {
		parse_error(p, at, "this group is not closed; add `)`, or write \\( for a literal one");
		return NULL;
	}
	p->flags = before;
	p->depth--;
	return inner;
}

static const struct node *parse_escape_node(struct parser *p)
{
	size_t at = p->at;
	struct escape escape = { 0 };

	if (!parse_escape(p, &escape))
		return NULL;
	if (escape.kind == ESCAPE_PLACE)
		return node_place(p->a, escape.place);
	if (escape.kind == ESCAPE_SET)
		return set_node(p, escape.set, at);
	return character_node(p, escape.c, at);
}

/* Some patterns need much memory for each of their classes. */
static bool memory_fits(struct parser *p)
{
	if (arena_used(p->a) <= MAX_MEMORY)
		return true;
	return parse_error(p, p->at,
	    "the classes up to here take too much memory; write fewer, or ASCII classes such as [a-z]");
}

/* The smallest thing that a repetition may follow. */
static const struct node *parse_atom(struct parser *p, bool *only_flags)
{
	size_t at = p->at;
	uint32_t c = peek(p);

	if (c == '(')
		return parse_group(p, only_flags);
	if (c == '\\')
		return parse_escape_node(p);
	if (c == '[') {
		const struct charset *set = parse_class(p);
		return set ? set_node(p, set, at) : NULL;
	}
	next_character(p);
	if (c == '.')
		return dot(p, at);
	if (c == '^')
		return line_place(p, PLACE_LINE_START, PLACE_TEXT_START);
	if (c == '$')
		return line_place(p, PLACE_LINE_END, PLACE_TEXT_END);
	return character_node(p, c, at);
}

/* ---- repetitions ---- */

static bool is_repetition(uint32_t c)
{
	return c == '*' || c == '+' || c == '?' || c == '{';
}

static bool parse_count(struct parser *p, uint32_t *count)
{
	size_t from = p->at;
	uint64_t value = 0;

	skip_space(p);
	for (uint32_t c = peek(p); c >= '0' && c <= '9'; c = peek(p)) {
		value = value * 10 + (c - '0');
		if (value > PATTERN_MAX_STEPS)
			return parse_error(
			    p, from, "more than %d repetitions; write a smaller number", PATTERN_MAX_STEPS);
		next_character(p);
	}
	if (p->at == from)
		return parse_error(
		    p, from, "a number is missing; write {2} or {2,5}, or \\{ for a literal brace");
	*count = (uint32_t)value;
	skip_space(p);
	return true;
}

/* {2}, {2,} or {2,5} */
static bool parse_counts(struct parser *p, struct node *node)
{
	size_t at = p->at;

	skip(p, "{");
	if (!parse_count(p, &node->min))
		return false;
	node->max = node->min;
	if (skip(p, ",")) {
		skip_space(p);
		node->max = REPEAT_FOREVER;
		if (peek(p) != '}' && !parse_count(p, &node->max))
			return false;
	}
	if (!skip(p, "}"))
		return parse_error(
		    p, at, "this repetition is not closed; add `}`, or write \\{ for a literal brace");
	if (node->min > node->max)
		return parse_error(p, at, "{%u,%u} counts down; write {%u,%u}", node->min, node->max,
		    node->max, node->min);
	return true;
}

static bool parse_repetition(struct parser *p, struct node *node)
{
	if (peek(p) == '{')
		return parse_counts(p, node);
	node->min = peek(p) == '+';
	node->max = peek(p) == '?' ? 1 : REPEAT_FOREVER;
	next_character(p);
	return true;
}

/* The repetitions behind `what`. */
static const struct node *parse_repetitions(struct parser *p, const struct node *what)
{
	for (;;) {
		skip_space(p);
		if (!is_repetition(peek(p)))
			return what;
		struct node *node = node_new(p, NODE_REPEAT);
		const struct node **part = arena_one(p->a, const struct node *);
		*part = what;
		node->parts = part;
		node->nparts = 1;
		node->depth = what->depth + 1;
		if (!depth_fits(p, node) || !parse_repetition(p, node))
			return NULL;
		node->lazy = skip(p, "?") != p->flags.swap_greed;
		what = node;
	}
}

/* ---- sequences and alternatives ---- */

static bool nothing_to_repeat(struct parser *p)
{
	char c = (char)peek(p);

	return parse_error(p, p->at,
	    "nothing stands before `%c` that could repeat; write \\%c for the character", c, c);
}

static const struct node *parse_sequence(struct parser *p)
{
	struct list items = { 0 };

	for (;;) {
		skip_space(p);
		uint32_t c = peek(p);
		if (c == NO_CHARACTER || c == '|' || c == ')')
			return list_node(p, NODE_SEQUENCE, &items);
		if (is_repetition(c) && !nothing_to_repeat(p))
			return NULL;
		if (!memory_fits(p))
			return NULL;
		bool only_flags = false;
		const struct node *node = parse_atom(p, &only_flags);
		if (!node)
			return NULL;
		if (only_flags)
			continue;
		node = parse_repetitions(p, node);
		if (!node)
			return NULL;
		list_add(p, &items, node);
	}
}

static const struct node *parse_choice(struct parser *p)
{
	struct list branches = { 0 };

	do {
		const struct node *branch = parse_sequence(p);
		if (!branch)
			return NULL;
		list_add(p, &branches, branch);
	} while (skip(p, "|"));
	return list_node(p, NODE_CHOICE, &branches);
}

static const struct node *parse_literal(struct parser *p)
{
	struct list characters = { 0 };

	while (p->at < p->n) {
		size_t at = p->at;
		uint32_t c = peek(p);
		next_character(p);
		const struct node *node = character_node(p, c, at);
		if (!node)
			return NULL;
		list_add(p, &characters, node);
	}
	return list_node(p, NODE_SEQUENCE, &characters);
}

static bool is_utf8(struct parser *p)
{
	uint32_t c;

	for (size_t at = 0; at < p->n;) {
		size_t size = utf8_decode(p->text + at, p->n - at, &c);
		if (!size)
			return parse_error(p, at, "this is not UTF-8; send the pattern as UTF-8");
		at += size;
	}
	return true;
}

const struct node *pattern_parse(const char *text, size_t n, const struct pattern_options *options,
    struct arena *a, struct err *e)
{
	struct parser p = { .text = text,
		.n = n,
		.fixed = options->fixed,
		.within_lines = !options->multiline,
		.a = a,
		.e = e };

	p.flags.ignore_case = options->ignore_case;
	p.flags.multi_line = true;
	if (n > PATTERN_MAX_BYTES) {
		err_set(e, ERR_INVALID_INPUT, "pattern: %zu bytes; %d are the most, so write a shorter one",
		    n, PATTERN_MAX_BYTES);
		return NULL;
	}
	if (!is_utf8(&p))
		return NULL;
	if (p.fixed)
		return parse_literal(&p);
	const struct node *tree = parse_choice(&p);
	if (tree && p.at < n) {
		parse_error(&p, p.at, "this `)` closes no group; write \\) for a literal one");
		return NULL;
	}
	return tree;
}
