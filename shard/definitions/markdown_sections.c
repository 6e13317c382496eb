#include "shard/definitions/markdown_sections.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "shard/definitions/declaration_head.h"
#include "shard/definitions/definitions.h"
#include "shard/facts/qualified_name.h"
#include "shard/syntax/comment.h"

enum { LEVELS = 6 };

struct markdown_reader {
	const char *text, *end;
	struct arena *a;
	struct found_definitions *out;
	int open[LEVELS];		/* the open section of each level, or -1 */
	uint32_t number;		/* of the line, 1-based */
	char fence;			/* ` or ~ inside a code block, else 0 */
	size_t fence_length;
	bool comment;			/* inside <!-- --> */
};

/* A line without its newline. */
struct markdown_line {
	const char *p;
	size_t n;
};

static struct markdown_line line_at(const struct markdown_reader *r, const char *p)
{
	const char *eol = memchr(p, '\n', (size_t)(r->end - p));

	if (!eol)
		eol = r->end;
	if (eol > p && eol[-1] == '\r')
		eol--;
	return (struct markdown_line){ p, (size_t)(eol - p) };
}

static const char *next_line(const struct markdown_reader *r, const char *p)
{
	const char *eol = memchr(p, '\n', (size_t)(r->end - p));

	if (eol)
		return eol + 1;
	return r->end;
}

/* How many times the line repeats the byte `c` after at most three blanks. */
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

/* Whether the line is part of a code block, fences included. */
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
		depth += (*p == '(') - (*p == ')');
		if (!depth)
			return p;
	}
	return NULL;
}

/* Whether the byte is markup of code, emphasis, links or images. */
static bool is_markup(struct markdown_line l, size_t i)
{
	if (strchr("[]`*\\", l.p[i]))
		return true;
	return l.p[i] == '!' && i + 1 < l.n && l.p[i + 1] == '[';
}

/* The end of the tag or link target that begins at `i`, or NULL. */
static const char *markup_end(struct markdown_line l, size_t i)
{
	if (l.p[i] == '<')
		return memchr(l.p + i, '>', l.n - i);
	if (l.p[i] == ']' && i + 1 < l.n && l.p[i + 1] == '(')
		return parentheses_end(l.p + i + 1, l.p + l.n);
	return NULL;
}

/* The words of a heading: the texts of links, no tags, no markup of code and emphasis. */
static const char *heading_name(struct markdown_reader *r, struct markdown_line l)
{
	struct buf b = { 0 };

	for (size_t i = 0; i < l.n && b.n < MAX_NAME_BYTES; i++) {
		char c = l.p[i];
		const char *close = markup_end(l, i);
		if (close) {
			i = (size_t)(close - l.p);
			continue;
		}
		if (is_markup(l, i))
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

/* End the sections of `level` and below before line `line`, which begins at `at`. */
static void end_sections(struct markdown_reader *r, int level, const char *at, uint32_t line)
{
	while (at > r->text && isspace((unsigned char)at[-1])) {
		at--;
		line -= *at == '\n';
	}
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
	f.def = (struct definition){
		.name = name,
		.qualified = name,
		.kind = "section",
		.start_line = r->number,
		.start_byte = f.from,
		.parent = up,
		.exported = true,
	};
	if (up >= 0)
		f.def.qualified = qualified_join(r->a, r->out->v[up].def.qualified, name);
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
	while (name->n) {
		char last = name->p[name->n - 1];
		if (last != '#' && !isspace((unsigned char)last))
			break;
		name->n--;
	}
	return (int)n - 1;
}

/* Whether the line consists of two or more of `c`. */
static bool is_underline(struct markdown_line l, char c)
{
	size_t indent, n = run(l, c, &indent);

	return n >= 2 && blank((struct markdown_line){ l.p + indent + n, l.n - indent - n });
}

/* A line of text that the next line underlines: its level, or -1. */
static int setext(struct markdown_line before, struct markdown_line l, struct markdown_line under)
{
	if (!blank(before) || blank(l) || strchr(" \t#>-*+|`~=<", *l.p))
		return -1;
	if (is_underline(under, '='))
		return 0;
	if (is_underline(under, '-'))
		return 1;
	return -1;
}

static bool is_front_matter_fence(struct markdown_line l)
{
	return l.n == 3 && !memcmp(l.p, "---", 3);
}

/* The text after the front matter, if the file begins with it; sets the line's number. */
static const char *after_front_matter(struct markdown_reader *r)
{
	const char *p = next_line(r, r->text);
	uint32_t number = 2;

	r->number = 1;
	if (!is_front_matter_fence(line_at(r, r->text)))
		return r->text;
	while (p < r->end && !is_front_matter_fence(line_at(r, p))) {
		p = next_line(r, p);
		number++;
	}
	if (p == r->end)
		return r->text;
	r->number = number + 1;
	return next_line(r, p);
}

/* Begin a section if the line is a heading. */
static void read_line(struct markdown_reader *r, const char *p, struct markdown_line before)
{
	struct markdown_line l = line_at(r, p), name = l;
	const char *next = next_line(r, p);

	if (in_code(r, l) || in_comment(r, l))
		return;
	int level = atx(l, &name);
	if (level < 0 && next < r->end)
		level = setext(before, l, line_at(r, next));
	if (level < 0)
		return;
	const char *words = heading_name(r, name);
	if (!words)
		return;
	end_sections(r, level, p, r->number);
	begin_section(r, level, p, words);
}

void markdown_sections_find(
    const char *text, size_t n, struct arena *a, struct found_definitions *out)
{
	struct markdown_reader r = {
		.text = text, .end = text + n, .a = a, .out = out, .open = { -1, -1, -1, -1, -1, -1 }
	};
	struct markdown_line before = { text, 0 };
	const char *p = after_front_matter(&r);

	out->n = 0;
	while (p < r.end) {
		read_line(&r, p, before);
		before = line_at(&r, p);
		p = next_line(&r, p);
		r.number++;
	}
	if (!n || text[n - 1] != '\n')
		r.number--;
	end_sections(&r, 0, r.end, r.number);
}
