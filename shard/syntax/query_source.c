#include "shard/syntax/query_source.h"

#include <stdbool.h>
#include <string.h>

#include "proto/base/buf.h"
#include "proto/base/err.h"

static const char FIELD[] = "function:", BLANKS[] = " \t\n";

/* The end of the string, comment or single character at `s`. */
static const char *piece_end(const char *s)
{
	if (*s == ';')
		return s + strcspn(s, "\n");
	if (*s != '"')
		return s + 1;
	for (s++; *s && *s != '"'; s++)
		s += *s == '\\' && s[1];
	return s + (*s == '"');
}

/* The bracket that closes the one at `s`, or `s` if it is none. */
static const char *closing(const char *s)
{
	int depth = 0;

	for (; *s; s = piece_end(s)) {
		if (*s == '(' || *s == '[')
			depth++;
		else if (*s == ')' || *s == ']')
			depth--;
		if (!depth)
			break;
	}
	return s;
}

/* The end of a node's pattern, in brackets or a word, and of the captures after it. */
static const char *pattern_end(const char *s)
{
	s = closing(s);
	s += strcspn(s, " \t\n)]");
	s += *s == ')' || *s == ']';
	for (;;) {
		const char *next = s + strspn(s, BLANKS);
		if (*next != '@')
			return s;
		s = next + strcspn(next, " \t\n)]");
	}
}

/* Append the text on one line and without comments, so that errors name the right line. */
static void flat(struct buf *out, const char *s, const char *end)
{
	for (const char *next; s < end; s = next) {
		next = piece_end(s);
		if (*s == '\n')
			buf_byte(out, ' ');
		else if (*s != ';')
			buf_put(out, s, (size_t)(next - s));
	}
}

static void expand_called(const char *s, const char *end, const char *type, struct buf *out);

/*
 * A pattern and its captures.  Of an alternation, each pattern with the captures: tree-sitter
 * loses captures of an alternation in another one.
 */
static void alternatives(const char *s, const char *end, const char *type, struct buf *out)
{
	const char *last = end;

	if (*s != '[') {
		expand_called(s, end, type, out);
		return;
	}
	last = closing(s);
	for (const char *next = s + 1; next < last;) {
		s = next;
		next = piece_end(s);
		if (strchr(BLANKS, *s) || *s == ';') {
			buf_put(out, s, (size_t)(next - s));
			continue;
		}
		next = pattern_end(s);
		expand_called(s, next, type, out);
		flat(out, last + 1, end);
	}
}

static void expand_called(const char *s, const char *end, const char *type, struct buf *out)
{
	for (const char *next; s < end; s = next) {
		next = piece_end(s);
		if (strncmp(s, FIELD, sizeof FIELD - 1)) {
			buf_put(out, s, (size_t)(next - s));
			continue;
		}
		const char *from = s + sizeof FIELD - 1;
		from += strspn(from, BLANKS);
		next = pattern_end(from);
		buf_str(out, "function: [");
		alternatives(from, next, type, out);
		buf_printf(out, " (%s ", type);
		flat(out, from, next);
		buf_str(out, ")]");
	}
}

void query_expand_called(const char *text, const char *type, struct buf *out)
{
	expand_called(text, text + strlen(text), type, out);
}

/* ---- repeated queries ---- */

static const char EACH[] = "; each ", ROW[] = ";  ", END[] = "; end",
                  NAME_LETTERS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

static const char *line_end(const char *s)
{
	s += strcspn(s, "\n");
	return s + (*s == '\n');
}

static bool begins(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}

/* The line of the `; end` that belongs to the `; each` on the line before `s`; NULL if none. */
static const char *each_end(const char *s)
{
	for (int depth = 1; *s; s = line_end(s)) {
		depth += begins(s, EACH) - begins(s, END);
		if (!depth)
			return s;
	}
	return NULL;
}

/* The end of a cell: ` |` and a blank, or the end of the line. */
static const char *cell_end(const char *s)
{
	for (; *s && *s != '\n'; s++)
		if (s[0] == ' ' && s[1] == '|' && strchr(" \n", s[2]))
			break;
	return s;
}

/* Append the cell of a row for a name.  False if there is no such name. */
static bool put_cell(
    const char *names, const char *row, const char *name, size_t n, struct buf *out)
{
	const char *cell = row + 1;	/* after the `;` */

	for (names += strspn(names, " "); *names != '\n'; names += strspn(names, " ")) {
		size_t len = strcspn(names, " \n");
		const char *end = cell_end(cell);
		if (len == n && !memcmp(names, name, n)) {
			cell += strspn(cell, " ");
			if (end > cell)
				buf_put(out, cell, (size_t)(end - cell));
			return true;
		}
		cell = end;
		if (*end == ' ')
			cell += 2;	/* ` |` */
		names += len;
	}
	return false;
}

/* Append the text with the cells of a row in place of `$NAME`. */
static void put_row(
    const char *s, const char *end, const char *names, const char *row, struct buf *out)
{
	while (s < end) {
		size_t n = 0;
		if (*s == '$')
			n = strspn(s + 1, NAME_LETTERS);
		while (n && !put_cell(names, row, s + 1, n, out))
			n--;	/* $VERBFields */
		if (!n)
			buf_byte(out, *s);
		s += n + 1;
	}
}

static int put_each(const char *names, const char *rows, const char *body, const char *end,
    struct buf *out, struct err *e)
{
	int rc = 0;

	for (const char *row = rows; !rc && row < body; row = line_end(row)) {
		struct buf once = { 0 }, expanded = { 0 };
		put_row(body, end, names, row, &once);
		buf_str(&once, "");
		rc = query_expand_each(once.p, &expanded, e);
		buf_str(&expanded, "");
		if (row == rows)
			buf_str(out, expanded.p);
		else
			flat(out, expanded.p, expanded.p + expanded.n);
		buf_free(&once);
		buf_free(&expanded);
	}
	return rc;
}

int query_expand_each(const char *text, struct buf *out, struct err *e)
{
	for (const char *s = text, *next; *s; s = next) {
		next = line_end(s);
		if (!begins(s, EACH)) {
			buf_put(out, s, (size_t)(next - s));
			continue;
		}
		const char *rows = next, *body = rows, *end = each_end(rows);
		while (begins(body, ROW))
			body = line_end(body);
		if (!end)
			return err_set(e, ERR_INTERNAL, "`%.*s` has no `; end`", (int)strcspn(s, "\n"), s);
		if (body == rows)
			return err_set(e, ERR_INTERNAL, "`%.*s` has no rows", (int)strcspn(s, "\n"), s);
		for (const char *line = s; line < body; line = line_end(line))
			buf_byte(out, '\n');	/* so that errors name the right line */
		if (put_each(s + sizeof EACH - 1, rows, body, end, out, e))
			return -1;
		buf_byte(out, '\n');
		next = line_end(end);
	}
	return 0;
}

/* ---- shapes ---- */

static const char ROWS[] = "; rows ", SHAPE[] = "; shape ";

/* Where the names of the cells of a shape stand, or NULL. */
static const char *shape_in(const char *text, const char *name, size_t n)
{
	for (; *text; text = line_end(text)) {
		const char *its = text + sizeof SHAPE - 1;
		if (begins(text, SHAPE) && strcspn(its, " \n") == n && !memcmp(its, name, n))
			return its + n;
	}
	return NULL;
}

int query_expand_shapes(
    const char *text, const char *const *shapes, size_t n, struct buf *out, struct err *e)
{
	for (const char *s = text, *next; *s; s = next) {
		next = line_end(s);
		if (!begins(s, ROWS)) {
			buf_put(out, s, (size_t)(next - s));
			continue;
		}
		const char *name = s + sizeof ROWS - 1, *rows = next, *names = NULL, *end = NULL;
		while (begins(next, ROW))
			next = line_end(next);
		for (size_t i = 0; i < n && !names; i++)
			if (shapes[i])
				names = shape_in(shapes[i], name, strcspn(name, "\n"));
		if (names)
			end = each_end(line_end(names));
		if (!end)
			return err_set(e, ERR_INTERNAL, "no shape `%.*s`", (int)strcspn(name, "\n"), name);
		const char *body = line_end(names);
		struct buf once = { 0 };
		buf_put(&once, body, (size_t)(end - body));
		buf_str(&once, "");
		buf_printf(out, "; each%.*s%.*s", (int)(body - names), names, (int)(next - rows), rows);
		int rc = query_expand_shapes(once.p, shapes, n, out, e);
		buf_free(&once);
		if (rc)
			return rc;
		buf_str(out, "; end\n");
	}
	return 0;
}
