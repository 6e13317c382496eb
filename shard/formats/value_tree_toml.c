#include "shard/formats/value_tree.h"

#include <ctype.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"

/*
 * TOML, as much of it as tells a manifest: dates and numbers are texts, and what is wrong ends at
 * its line.
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

/* Blanks and comments; line breaks too where the place allows them. */
static void skip(struct toml_reader *r, bool lines)
{
	while (r->s < r->end) {
		if (*r->s == '#')
			while (r->s < r->end && *r->s != '\n')
				r->s++;
		else if (*r->s == ' ' || *r->s == '\t' || *r->s == '\r' || (lines && *r->s == '\n'))
			take(r, *r->s);
		else
			return;
	}
}

static void rest_of_line(struct toml_reader *r)
{
	const char *nl = memchr(r->s, '\n', (size_t)(r->end - r->s));

	r->s = nl ? nl : r->end;
}

/* "text", 'text', and with three of them over lines. */
static const char *quoted(struct toml_reader *r)
{
	char mark = *r->s;
	bool three = r->end - r->s > 2 && r->s[1] == mark && r->s[2] == mark;
	struct buf b = { 0 };

	r->s += three ? 3 : 1;
	while (r->s < r->end) {
		if (*r->s == mark && (!three || (r->end - r->s > 2 && r->s[1] == mark && r->s[2] == mark)))
			break;
		if (*r->s == '\n' && !three)
			break;
		if (*r->s == '\\' && mark == '"' && r->s + 1 < r->end)
			r->s++;		/* letters that escapes stand for are in no name or version */
		buf_byte(&b, *r->s);
		take(r, *r->s);
	}
	r->s += r->end - r->s > 2 && three ? 3 : at(r, mark);
	const char *s = arena_strn(r->t->a, b.p ? b.p : "", b.n);
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

/* a.b.c from `up` on; all but the last may be there already.  NULL: it is broken. */
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

static bool list(struct toml_reader *r, struct value_node *x, char close, int depth)
{
	for (;;) {
		skip(r, true);
		if (take(r, close))
			return true;
		if (r->s == r->end)
			return false;
		struct value_node *c = NULL;
		if (close == ']')
			c = value_tree_add(r->t, x, NULL, NULL, r->line);
		if (close == ']' ? !c || !value(r, c, depth) : !pair(r, x, depth))
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
		return list(r, x, ']', depth + 1);
	if (take(r, '{'))
		return list(r, x, '}', depth + 1);
	while (r->s < r->end && !strchr(" \t\r\n,]}#", *r->s))
		r->s++;
	x->value = arena_strn(r->t->a, from, (size_t)(r->s - from));
	return r->s > from;
}

/* [a.b] and [[a.b]]: the table that follows.  One of an array is a child without a name. */
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

	while (skip(&r, true), r.s < r.end) {
		if (take(&r, '[')) {
			in = table(&r);
		} else if (!in || !pair(&r, in, 0)) {
			rest_of_line(&r);
		}
	}
}
