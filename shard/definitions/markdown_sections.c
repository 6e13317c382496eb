#include "shard/definitions/markdown_sections.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "shard/definitions/declaration_head.h"
#include "shard/definitions/definitions.h"
#include "shard/syntax/comment.h"

enum { LEVELS = 6 };

struct markdown_reader {
	const char *text, *end;
	struct arena *a;
	struct found_definitions *out;
	int open[LEVELS];		/* section of each level that is open, or -1 */
	uint32_t number;		/* of the line, 1-based */
	char fence;			/* ` or ~ while in code */
	size_t fence_length;
	bool comment;			/* within <!-- --> */
};

/* A line without its end. */
struct markdown_line {
	const char *p;
	size_t n;
};

static struct markdown_line line_at(const struct markdown_reader *r, const char *p)
{
	const char *eol = memchr(p, '\n', (size_t)(r->end - p));
	size_t n = (size_t)((eol ? eol : r->end) - p);

	return (struct markdown_line){ p, n && p[n - 1] == '\r' ? n - 1 : n };
}

static const char *next_line(const struct markdown_reader *r, const char *p)
{
	const char *eol = memchr(p, '\n', (size_t)(r->end - p));

	return eol ? eol + 1 : r->end;
}

/* How many bytes `c` the line begins with, after at most three blanks. */
static size_t run(struct markdown_line l, char c, size_t *indent)
{
	size_t i = 0, n = 0;

	while (i < l.n && i < 4 && l.p[i] == ' ')
		i++;
	while (i < 4 && i + n < l.n && l.p[i + n] == c)
		n++;
	*indent = i;
	return n;
}

static bool blank(struct markdown_line l)
{
	for (size_t i = 0; i < l.n; i++)
		if (!isspace((unsigned char)l.p[i]))
			return false;
	return true;
}

/* Whether the line is code, or begins or ends it. */
static bool in_code(struct markdown_reader *r, struct markdown_line l)
{
	size_t indent;

	if (r->fence) {
		if (run(l, r->fence, &indent) >= r->fence_length)
			r->fence = 0;
		return true;
	}
	for (const char *c = "`~"; *c; c++) {
		size_t n = run(l, *c, &indent);
		if (n < 3 || (*c == '`' && memchr(l.p + indent + n, '`', l.n - indent - n)))
			continue;
		r->fence = *c;
		r->fence_length = n;
		return true;
	}
	return false;
}

static bool in_comment(struct markdown_reader *r, struct markdown_line l)
{
	bool was = r->comment;
	const char *begin = memmem(l.p, l.n, "<!--", 4);

	if (!was && begin == l.p)
		r->comment = true;
	if (r->comment && memmem(l.p, l.n, "-->", 3))
		r->comment = false;
	return was || begin == l.p;
}

/* The parenthesis that closes the one at `p`, or NULL. */
static const char *parentheses_end(const char *p, const char *end)
{
	int depth = 0;

	for (; p < end; p++) {
		depth += *p == '(' ? 1 : *p == ')' ? -1 : 0;
		if (!depth)
			return p;
	}
	return NULL;
}

/* The words of a heading: of links the text, no tags, no marks of code and emphasis. */
static const char *heading_name(struct markdown_reader *r, struct markdown_line l)
{
	struct buf b = { 0 };

	for (size_t i = 0; i < l.n && b.n < MAX_NAME_BYTES; i++) {
		char c = l.p[i];
		const char *close = NULL;
		if (c == '<')
			close = memchr(l.p + i, '>', l.n - i);
		if (c == ']' && i + 1 < l.n && l.p[i + 1] == '(')
			close = parentheses_end(l.p + i + 1, l.p + l.n);
		if (close) {
			i = (size_t)(close - l.p);
			continue;
		}
		if (strchr("[]`*\\", c) || (c == '!' && i + 1 < l.n && l.p[i + 1] == '['))
			continue;
		if (!isspace((unsigned char)c))
			buf_byte(&b, c);
		else if (b.n && b.p[b.n - 1] != ' ')
			buf_byte(&b, ' ');
	}
	while (b.n && b.p[b.n - 1] == ' ')
		b.n--;
	if (b.n > MAX_NAME_BYTES - 4)
		b.n = text_utf8_truncate(b.p, MAX_NAME_BYTES - 4);
	const char *name = NULL;
	if (b.n)
		name = arena_strn(r->a, b.p, b.n);
	buf_free(&b);
	return name;
}

/* The sections of `level` and below end before the line that begins at `at`. */
static void end_sections(struct markdown_reader *r, int level, const char *at, uint32_t line)
{
	while (at > r->text && isspace((unsigned char)at[-1]))
		line -= *--at == '\n';
	for (int i = level; i < LEVELS; i++) {
		if (r->open[i] < 0)
			continue;
		struct found_definition *f = &r->out->v[r->open[i]];
		f->def.end_byte = f->to = (uint32_t)(at - r->text);
		f->def.end_line = MAX(line, f->def.start_line);
		f->has_body = f->def.end_line > f->def.start_line;
		r->open[i] = -1;
	}
}

static void begin_section(struct markdown_reader *r, int level, const char *at, const char *name)
{
	struct found_definition f = { .from = (uint32_t)(at - r->text), .first = true };
	int up = -1;

	for (int i = 0; i < level; i++) {
		if (r->open[i] >= 0)
			up = r->open[i];
	}
	f.def = (struct definition){ .name = name, .qualified = name, .kind = "section",
	    .start_line = r->number,
		.start_byte = f.from, .parent = up, .exported = true };
	if (up >= 0)
		f.def.qualified = arena_printf(r->a, "%s.%s", r->out->v[up].def.qualified, name);
	r->out->v = grow(r->out->v, &r->out->cap, r->out->n + 1, sizeof f);
	r->open[level] = (int)r->out->n;
	r->out->v[r->out->n++] = f;
}

/* `## Name ##`: its level, or -1. */
static int atx(struct markdown_line l, struct markdown_line *name)
{
	size_t indent, n = run(l, '#', &indent);

	if (!n || n > LEVELS || (indent + n < l.n && !isspace((unsigned char)l.p[indent + n])))
		return -1;
	*name = (struct markdown_line){ l.p + indent + n, l.n - indent - n };
	while (name->n && (name->p[name->n - 1] == '#' || isspace((unsigned char)name->p[name->n - 1])))
		name->n--;
	return (int)n - 1;
}

/* A line of text that is underlined: its level, or -1. */
static int setext(struct markdown_line before, struct markdown_line l, struct markdown_line under)
{
	size_t indent, n;

	if (!blank(before) || blank(l) || strchr(" \t#>-*+|`~=<", *l.p))
		return -1;
	for (int level = 0; level < 2; level++)
		if ((n = run(under, "=-"[level], &indent)) >= 2 &&
		    blank((struct markdown_line){ under.p + indent + n, under.n - indent - n }))
			return level;
	return -1;
}

/* What follows `---` lines at the beginning of a file, if it has them. */
static const char *after_front_matter(struct markdown_reader *r)
{
	struct markdown_line l = line_at(r, r->text);

	r->number = 1;
	if (l.n != 3 || memcmp(l.p, "---", 3))
		return r->text;
	const char *p = next_line(r, r->text);
	for (uint32_t number = 2; p < r->end; p = next_line(r, p), number++) {
		l = line_at(r, p);
		if (l.n == 3 && !memcmp(l.p, "---", 3)) {
			r->number = number + 1;
			return next_line(r, p);
		}
	}
	return r->text;
}

void markdown_sections_find(
    const char *text, size_t n, struct arena *a, struct found_definitions *out)
{
	struct markdown_reader r = {
		.text = text, .end = text + n, .a = a, .out = out, .open = { -1, -1, -1, -1, -1, -1 }
	};
	struct markdown_line before = { text, 0 }, l, name;

	out->n = 0;
	for (const char *p = after_front_matter(&r), *next; p < r.end;
	     p = next, before = l, r.number++) {
		l = name = line_at(&r, p);
		next = next_line(&r, p);
		if (in_code(&r, l) || in_comment(&r, l))
			continue;
		int level = atx(l, &name);
		if (level < 0 && next < r.end)
			level = setext(before, l, line_at(&r, next));
		const char *words = NULL;
		if (level >= 0)
			words = heading_name(&r, name);
		if (!words)
			continue;
		end_sections(&r, level, p, r.number);
		begin_section(&r, level, p, words);
	}
	end_sections(&r, 0, r.end, n && text[n - 1] == '\n' ? r.number : r.number - 1);
}
