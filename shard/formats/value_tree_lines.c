#include "shard/formats/value_tree.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"

/* Manifests that consist of lines: INI, go.mod, requirements.txt, yarn.lock, Gemfile.lock. */

struct line_reader {
	const char *next, *end;
	const char *s;		/* the current line, without blanks around it */
	size_t n, number;
	size_t indent; /* blanks before it */
	bool indented;
};

static bool next_line(struct line_reader *l)
{
	if (l->next >= l->end)
		return false;
	const char *stop = memchr(l->next, '\n', (size_t)(l->end - l->next));
	if (!stop)
		stop = l->end;
	const char *begin = l->next;
	l->s = begin;
	l->next = stop + 1;
	l->number++;
	l->indented = l->s < stop && (*l->s == ' ' || *l->s == '\t');
	while (l->s < stop && isspace((unsigned char)*l->s))
		l->s++;
	l->indent = (size_t)(l->s - begin);
	while (stop > l->s && isspace((unsigned char)stop[-1]))
		stop--;
	l->n = (size_t)(stop - l->s);
	return true;
}

static size_t trimmed(const char *s, size_t n)
{
	while (n && isspace((unsigned char)s[n - 1]))
		n--;
	return n;
}

/* The bytes before a comment, whose mark must be at the beginning or after a blank. */
static size_t before_comment(const char *s, size_t n, const char *mark)
{
	size_t m = strlen(mark);

	for (size_t i = 0; i + m <= n; i++) {
		bool may_begin = !i || isspace((unsigned char)s[i - 1]);
		if (may_begin && !memcmp(s + i, mark, m))
			return trimmed(s, i);
	}
	return n;
}

static struct value_node *ini_section(struct value_tree *t, const struct line_reader *l)
{
	return value_tree_add(t, t->root, arena_strn(t->a, l->s + 1, l->n - 2), NULL, l->number);
}

/* `name = value` or `name: value`; the value is also its first child. */
static struct value_node *ini_value(
    struct value_tree *t, struct value_node *section, const struct line_reader *l)
{
	size_t name = 0;

	while (name < l->n && l->s[name] != '=' && l->s[name] != ':')
		name++;
	size_t value = name + (name < l->n);
	while (value < l->n && isspace((unsigned char)l->s[value]))
		value++;
	const char *key = arena_strn(t->a, l->s, trimmed(l->s, name));
	const char *text = arena_strn(t->a, l->s + value, l->n - value);
	struct value_node *x = value_tree_add(t, section, key, text, l->number);
	if (x && *x->value)
		value_tree_add(t, x, NULL, x->value, l->number);
	return x;
}

void value_tree_read_ini(struct value_tree *t, const char *text, size_t n)
{
	struct line_reader l = { .next = text, .end = text + n };
	struct value_node *section = t->root, *x = NULL;

	while (section && next_line(&l)) {
		if (!l.n || *l.s == '#' || *l.s == ';' || *l.s == '!')
			continue;
		if (*l.s == '[' && l.s[l.n - 1] == ']') {
			section = ini_section(t, &l);
			x = NULL;
		} else if (l.indented && x) {		/* a continuation line */
			size_t m = before_comment(l.s, l.n, "#");
			value_tree_add(t, x, NULL, arena_strn(t->a, l.s, m), l.number);
		} else {
			x = ini_value(t, section, &l);
		}
	}
}

/* ---- go.mod ---- */

/* The next word of the line, without quotes; "" at its end. */
static const char *word(struct value_tree *t, const char **s, const char *end)
{
	const char *from;

	while (*s < end && isspace((unsigned char)**s))
		++*s;
	from = *s;
	while (*s < end && !isspace((unsigned char)**s))
		++*s;
	size_t n = (size_t)(*s - from);
	if (n > 1 && (*from == '"' || *from == '`') && from[n - 1] == *from)
		return arena_strn(t->a, from + 1, n - 2);
	return arena_strn(t->a, from, n);
}

/* A directive: `require a v1`, `replace a [v1] => b [v2]`, `module a`. */
static void directive(
    struct value_tree *t, const char *what, const struct line_reader *l, const char *s)
{
	const char *end = l->s + before_comment(l->s, l->n, "//"), *comment = end;
	const char *name = word(t, &s, end);
	struct value_node *x = NULL;

	if (*name)
		x = value_tree_add(t, t->root, what, name, l->number);
	if (!x || !strcmp(what, "module"))
		return;
	const char *version = word(t, &s, end);
	if (strcmp(what, "replace")) {
		value_tree_add(t, x, "version", version, l->number);
		if (memmem(comment, l->n - (size_t)(comment - l->s), "indirect", 8))
			value_tree_add(t, x, "indirect", "true", l->number);
		return;
	}
	if (strcmp(version, "=>"))	/* replaces only this version */
		word(t, &s, end);
	value_tree_add(t, x, "with", word(t, &s, end), l->number);
	value_tree_add(t, x, "version", word(t, &s, end), l->number);
}

void value_tree_read_gomod(struct value_tree *t, const char *text, size_t n)
{
	struct line_reader l = { .next = text, .end = text + n };
	const char *block = NULL;

	while (next_line(&l)) {
		const char *s = l.s, *end = s + before_comment(l.s, l.n, "//");
		if (s == end)
			continue;
		if (*s == ')') {
			block = NULL;
			continue;
		}
		if (block) {
			directive(t, block, &l, s);
			continue;
		}
		const char *what = word(t, &s, end);
		if (end[-1] != '(')
			directive(t, what, &l, s);
		else if (strcmp(what, "require("))
			block = what;
		else
			block = "require";
	}
}

/* ---- requirements.txt ---- */

/*
 * Whether the line is an option of pip.  After `-e` or `--editable` comes a requirement; then `*s`
 * and `*n` are moved to it.
 */
static bool is_option(const char **s, size_t *n)
{
	static const char *const editable[] = { "-e", "--editable" };

	if (**s != '-')
		return false;
	for (size_t i = 0; i < LEN(editable); i++) {
		size_t m = strlen(editable[i]);
		if (*n > m && !strncmp(*s, editable[i], m) && strchr(" \t=", (*s)[m])) {
			*s += m + 1;
			*n -= m + 1;
			return false;
		}
	}
	return true;
}

/* A requirement without the options after it.  An option alone is no requirement: `-e  --x`. */
static void put_requirement(struct value_tree *t, const char *s, size_t n, size_t line)
{
	while (n && isspace((unsigned char)*s)) {
		s++;
		n--;
	}
	if (!n || *s == '-')
		return;
	const char *option = memmem(s, n, " --", 3);
	if (option)
		n = trimmed(s, (size_t)(option - s));
	value_tree_add(t, t->root, NULL, arena_strn(t->a, s, n), line);
}

void value_tree_read_requirements(struct value_tree *t, const char *text, size_t n)
{
	struct line_reader l = { .next = text, .end = text + n };
	bool inside = false;	/* on a continuation line, which has only hashes */

	while (next_line(&l)) {
		const char *s = l.s;
		size_t m = before_comment(s, l.n, "#");
		bool continues = m && s[m - 1] == '\\';
		m = trimmed(s, m - continues);
		if (m && !inside && !is_option(&s, &m))
			put_requirement(t, s, m, l.number);
		inside = continues;
	}
}

/* ---- lines by their indentation ---- */

/* A text without the quotes or parentheses around it. */
static const char *unwrapped(struct value_tree *t, const char *s, size_t n)
{
	static const char *const pairs[] = { "\"\"", "()" };

	for (size_t i = 0; i < LEN(pairs); i++)
		if (n > 1 && s[0] == pairs[i][0] && s[n - 1] == pairs[i][1])
			return arena_strn(t->a, s + 1, n - 2);
	return arena_strn(t->a, s, n);
}

/* `name value` or `name: value`; a line that ends with a colon, or is a long key, is only a name. */
static struct value_node *indented_line(
    struct value_tree *t, struct value_node *up, const struct line_reader *l)
{
	const char *s = l->s, *end = l->s + l->n, *stop = s;
	bool is_long_key = l->n > 2 && !memcmp(s, "? ", 2);

	if (is_long_key)
		s += 2;
	if (is_long_key || end[-1] == ':')
		return value_tree_add(
		    t, up, unwrapped(t, s, (size_t)(end - s) - (end[-1] == ':')), NULL, l->number);
	while (stop < end && !isspace((unsigned char)*stop))
		stop++;
	const char *value = stop;
	while (value < end && isspace((unsigned char)*value))
		value++;
	size_t n = (size_t)(stop - s);
	if (s[n - 1] == ':')
		n--;
	return value_tree_add(
	    t, up, unwrapped(t, s, n), unwrapped(t, value, (size_t)(end - value)), l->number);
}

void value_tree_read_indented(struct value_tree *t, const char *text, size_t n)
{
	struct {
		struct value_node *x;
		size_t indent;
	} open[VALUE_TREE_MAX_DEPTH + 1] = { { t->root, 0 } };
	struct line_reader l = { .next = text, .end = text + n };
	size_t depth = 0;

	while (next_line(&l)) {
		bool is_rest_of_key = l.n == 1 && *l.s == ':';
		if (!l.n || *l.s == '#' || is_rest_of_key)
			continue;
		while (depth && open[depth].indent >= l.indent)
			depth--;
		struct value_node *x = indented_line(t, open[depth].x, &l);
		if (!x || depth == VALUE_TREE_MAX_DEPTH)
			continue;
		open[++depth].x = x;
		open[depth].indent = l.indent;
	}
}
