#include "shard/formats/value_tree.h"

#include <ctype.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"

/*
 * TOML, as far as manifests need it: dates and numbers are texts, and after an error reading
 * continues on the next line.
 */

struct toml_reader {
	struct value_tree *t;
	const char *s, *end;
	size_t line;
};

static bool at(const struct toml_reader *r, char c)
{
	return r->s < r->end && *r->s == c;
}

static bool take(struct toml_reader *r, char c)
{
	if (!at(r, c))
		return false;
	r->line += c == '\n';
	r->s++;
	return true;
}

static void rest_of_line(struct toml_reader *r)
{
	const char *newline = memchr(r->s, '\n', (size_t)(r->end - r->s));

	if (!newline)
		newline = r->end;
	r->s = newline;
}

/* Skip blanks and comments, and with `lines` also newlines. */
static void skip(struct toml_reader *r, bool lines)
{
	while (r->s < r->end) {
		bool blank = *r->s == ' ' || *r->s == '\t' || *r->s == '\r';
		if (*r->s == '#')
			rest_of_line(r);
		else if (blank || (lines && *r->s == '\n'))
			take(r, *r->s);
		else
			return;
	}
}

static bool at_three(const struct toml_reader *r, char mark)
{
	return r->end - r->s > 2 && r->s[0] == mark && r->s[1] == mark && r->s[2] == mark;
}

/* "text" or 'text', or a text of several lines between three marks. */
static const char *quoted(struct toml_reader *r)
{
	char mark = *r->s;
	bool three = at_three(r, mark);
	struct buf b = { 0 };

	r->s += three ? 3 : 1;
	while (r->s < r->end) {
		bool closes = three ? at_three(r, mark) : *r->s == mark || *r->s == '\n';
		if (closes)
			break;
		if (*r->s == '\\' && mark == '"' && r->s + 1 < r->end)
			r->s++;		/* names and versions contain no escaped letters */
		buf_byte(&b, *r->s);
		take(r, *r->s);
	}
	if (three && r->end - r->s > 2)
		r->s += 3;
	else
		r->s += at(r, mark);
	const char *s = arena_strn(r->t->a, b.p, b.n);
	buf_free(&b);
	return s;
}

static const char *key(struct toml_reader *r)
{
	const char *from = r->s;

	if (at(r, '"') || at(r, '\''))
		return quoted(r);
	while (r->s < r->end && (isalnum((unsigned char)*r->s) || *r->s == '_' || *r->s == '-'))
		r->s++;
	if (r->s > from)
		return arena_strn(r->t->a, from, (size_t)(r->s - from));
	return NULL;
}

static struct value_node *child_of(
    struct value_tree *t, struct value_node *up, const char *name, size_t line)
{
	struct value_node *x = value_tree_child(t, up, name);

	if (x)
		return x;
	return value_tree_add(t, up, name, NULL, line);
}

/* The node at a dotted key such as a.b.c below `up`, created as needed.  NULL on an error. */
static struct value_node *path(struct toml_reader *r, struct value_node *up)
{
	for (;;) {
		skip(r, false);
		const char *name = key(r);
		if (!name)
			return NULL;
		skip(r, false);
		up = child_of(r->t, up, name, r->line);
		if (!up || !take(r, '.'))
			return up;
	}
}

static bool value(struct toml_reader *, struct value_node *, int depth);

static bool pair(struct toml_reader *r, struct value_node *up, int depth)
{
	struct value_node *x = path(r, up);

	if (!x || !take(r, '='))
		return false;
	x->line = (uint32_t)r->line;
	skip(r, false);
	return value(r, x, depth);
}

static bool element(struct toml_reader *r, struct value_node *x, int depth)
{
	struct value_node *c = value_tree_add(r->t, x, NULL, NULL, r->line);

	return c && value(r, c, depth);
}

/* The items of a container up to `close`, which is taken; each is read by `item`. */
static bool items(struct toml_reader *r, struct value_node *x, char close, int depth,
    bool (*item)(struct toml_reader *, struct value_node *, int depth))
{
	for (;;) {
		skip(r, true);
		if (take(r, close))
			return true;
		if (r->s == r->end || !item(r, x, depth))
			return false;
		skip(r, true);
		take(r, ',');
	}
}

static bool value(struct toml_reader *r, struct value_node *x, int depth)
{
	const char *from = r->s;

	if (depth > VALUE_TREE_MAX_DEPTH)
		return false;
	if (at(r, '"') || at(r, '\'')) {
		x->value = quoted(r);
		return true;
	}
	if (take(r, '['))
		return items(r, x, ']', depth + 1, element);
	if (take(r, '{'))
		return items(r, x, '}', depth + 1, pair);
	while (r->s < r->end && !strchr(" \t\r\n,]}#", *r->s))
		r->s++;
	x->value = arena_strn(r->t->a, from, (size_t)(r->s - from));
	return r->s > from;
}

/* [a.b] and [[a.b]]: the following table.  A table of an array is a child without a name. */
static struct value_node *table(struct toml_reader *r)
{
	bool many = take(r, '[');
	struct value_node *x = path(r, r->t->root);

	if (x && many)
		x = value_tree_add(r->t, x, NULL, NULL, r->line);
	if (x && !x->child)
		x->line = (uint32_t)r->line;
	rest_of_line(r);
	return x;
}

void value_tree_read_toml(struct value_tree *t, const char *text, size_t n)
{
	struct toml_reader r = { t, text, text + n, 1 };
	struct value_node *in = t->root;

	for (skip(&r, true); r.s < r.end; skip(&r, true)) {
		if (take(&r, '['))
			in = table(&r);
		else if (!in || !pair(&r, in, 0))
			rest_of_line(&r);
	}
}
