#include "shard/definitions/search_documents.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "shard/definitions/definitions.h"

/* All in lines. */
enum {
	WINDOW = 60,			/* about the maximum of a document of text */
	MIN_WINDOW_LINES = 25,		/* from here on a blank line ends it */
	MIN_HEADING_LINES = 5,		/* from here on a heading ends it */
	TAIL = 8,			/* a shorter rest joins the document before it */
	MIN_NESTED_LINES = 20,		/* of a function in a function, to be a document */
	/* of a definition that is neither a function nor a type with a body, to be a document */
	MIN_PLAIN_LINES = 3
};

struct draft_part {
	uint32_t from, to;
	struct draft_part *next;
};

struct document_draft {
	int definition;
	uint32_t from, to;
	struct draft_part *parts, **tail;
	size_t n;
};

struct document_splitter {
	const char *text;
	uint32_t n;
	uint32_t *line;		/* offsets of lines */
	uint32_t lines;
	struct arena *arena;
	struct document_draft *draft;
	size_t ndrafts, cap;
	struct { size_t draft; uint32_t to; bool prose; } *open;
	size_t nopen, open_cap;
};

/* The start of the next line, or the end of the text. */
static const char *next_line(const struct document_splitter *d, const char *s)
{
	const char *end = d->text + d->n, *eol = memchr(s, '\n', (size_t)(end - s));

	if (eol)
		return eol + 1;
	return end;
}

static void index_lines(struct document_splitter *d)
{
	const char *end = d->text + d->n;
	uint32_t count = 0;

	for (const char *s = d->text; s < end; s = next_line(d, s))
		count++;
	d->line = arena_many(d->arena, count + 1, uint32_t);
	for (const char *s = d->text; s < end; s = next_line(d, s))
		d->line[d->lines++] = (uint32_t)(s - d->text);
	d->line[d->lines] = d->n;
}

/* The 1-based line of a byte. */
static uint32_t line_at(const struct document_splitter *d, uint32_t at)
{
	uint32_t lo = 0, hi = d->lines;

	while (lo + 1 < hi) {
		uint32_t mid = (lo + hi) / 2;
		if (d->line[mid] <= at)
			lo = mid;
		else
			hi = mid;
	}
	return lo + 1;
}

static void trim(const struct document_splitter *d, uint32_t *from, uint32_t *to)
{
	while (*from < *to && isspace((unsigned char)d->text[*from]))
		++*from;
	while (*from < *to && isspace((unsigned char)d->text[*to - 1]))
		--*to;
}

static bool has_words(const struct document_splitter *d, uint32_t from, uint32_t to)
{
	for (; from < to; from++)
		if (isalnum((unsigned char)d->text[from]) || (d->text[from] & 0x80))
			return true;
	return false;
}

static size_t draft_new(struct document_splitter *d, int definition, uint32_t from, uint32_t to)
{
	d->draft = grow(d->draft, &d->cap, d->ndrafts + 1, sizeof *d->draft);
	d->draft[d->ndrafts] = (struct document_draft){
		.definition = definition,
		.from = from,
		.to = to,
	};
	return d->ndrafts++;
}

static void draft_add(struct document_splitter *d, size_t i, uint32_t from, uint32_t to)
{
	struct document_draft *dr = &d->draft[i];
	struct draft_part *p = arena_one(d->arena, struct draft_part);

	*p = (struct draft_part){ .from = from, .to = to };
	if (dr->tail)
		*dr->tail = p;
	else
		dr->parts = p;
	dr->tail = &p->next;
	dr->n += to - from + 1;
}

static bool blank_line(const struct document_splitter *d, uint32_t i)
{
	for (uint32_t k = d->line[i]; k < d->line[i + 1]; k++)
		if (!isspace((unsigned char)d->text[k]))
			return false;
	return true;
}

static bool is_underline(const char *s, uint32_t n)
{
	return n > 3 && strchr("=-~^", *s) && s[1] == *s && s[2] == *s;
}

/* Whether line `i` is a heading: `# Name`, or text that the next line underlines. */
static bool is_heading(const struct document_splitter *d, uint32_t i)
{
	const char *s = d->text + d->line[i];
	uint32_t n = d->line[i + 1] - d->line[i];

	if (n > 3 && *s == '#' && (s[1] == '#' || s[1] == ' '))
		return true;
	if (i + 1 >= d->lines || blank_line(d, i))
		return false;
	return is_underline(d->text + d->line[i + 1], d->line[i + 2] - d->line[i + 1]);
}

/* Where the window that begins at line `i` ends, at line `end` at the latest. */
static uint32_t window_end(const struct document_splitter *d, uint32_t i, uint32_t end, bool prose)
{
	uint32_t last_blank = 0;

	if (end - i <= WINDOW && !prose)
		return end;
	for (uint32_t k = i + 1; k < end; k++) {
		uint32_t lines = k - i;
		if (prose && lines >= MIN_HEADING_LINES && is_heading(d, k))
			return k;
		if (end - k < TAIL)
			continue;
		if (blank_line(d, k)) {
			last_blank = k;
			if (lines >= MIN_WINDOW_LINES && !prose)
				return k;
		}
		if (lines < WINDOW)
			continue;
		if (last_blank)
			return last_blank;
		return k;
	}
	return end;
}

/* Split text outside definitions into windows, each a document. */
static void gap(struct document_splitter *d, uint32_t from, uint32_t to, bool prose)
{
	uint32_t first = line_at(d, from) - 1, end = line_at(d, to - 1);

	for (uint32_t i = first, next; i < end; i = next) {
		next = window_end(d, i, end, prose);
		uint32_t a = MAX(d->line[i], from), b = MIN(d->line[next], to);
		trim(d, &a, &b);
		if (a == b)
			continue;
		if (!has_words(d, a, b) && d->ndrafts)
			draft_add(d, d->ndrafts - 1, a, b);
		else
			draft_add(d, draft_new(d, -1, a, b), a, b);
	}
}

/* Split the text of a section into windows: further documents of the same definition. */
static void section(struct document_splitter *d, size_t *draft, uint32_t from, uint32_t to)
{
	uint32_t end = line_at(d, to - 1);

	for (uint32_t i = line_at(d, from) - 1, next; i < end; i = next) {
		next = window_end(d, i, end, false);
		uint32_t a = MAX(d->line[i], from), b = MIN(d->line[next], to);
		if (d->draft[*draft].parts && next - i > TAIL)
			*draft = draft_new(d, d->draft[*draft].definition, a, b);
		draft_add(d, *draft, a, b);
		d->draft[*draft].to = b;
	}
}

static void add_text_range(struct document_splitter *d, uint32_t from, uint32_t to)
{
	uint32_t a = from, b = to;

	trim(d, &a, &b);
	if (a == b)
		return;
	if (!d->nopen) {
		gap(d, a, b, false);
		return;
	}
	while (from < a && d->text[a - 1] != '\n')	/* include the first line's indentation */
		a--;
	if (d->open[d->nopen - 1].prose)
		section(d, &d->open[d->nopen - 1].draft, a, b);
	else
		draft_add(d, d->open[d->nopen - 1].draft, a, b);
}

static bool is_type(const char *kind)
{
	static const char *const kinds[] = { "class", "interface", "struct", "enum", "trait" };

	for (size_t i = 0; i < LEN(kinds); i++)
		if (!strcmp(kind, kinds[i]))
			return true;
	return false;
}

/* Whether a definition is a document of its own, not part of the one around it. */
static bool stands_alone(const struct found_definitions *l, const struct found_definition *f)
{
	uint32_t lines = f->def.end_line - f->def.start_line + 1;
	const struct found_definition *up = NULL;

	if (f->def.parent >= 0)
		up = &l->v[f->def.parent];
	if (!strcmp(f->def.kind, "section"))
		return lines >= MIN_HEADING_LINES || !up;
	if (!f->first || !strcmp(f->def.kind, "field") || (up && up->flat))
		return false;
	if (f->nested)
		return lines >= MIN_NESTED_LINES;
	if (f->def.signature && strcmp(f->def.kind, "macro"))
		return f->has_body && lines > 1;
	if (up && (!strcmp(f->def.kind, "constant") || !strcmp(f->def.kind, "variable")))
		return false;
	return lines >= MIN_PLAIN_LINES || (f->has_body && is_type(f->def.kind));
}

static void close_until(struct document_splitter *d, uint32_t at, uint32_t *pos)
{
	for (; d->nopen && d->open[d->nopen - 1].to <= at; d->nopen--) {
		uint32_t to = d->open[d->nopen - 1].to;
		if (to > *pos) {
			add_text_range(d, *pos, to);
			*pos = to;
		}
	}
}

static void split_at_definitions(struct document_splitter *d, const struct found_definitions *l)
{
	uint32_t pos = 0;

	for (size_t i = 0; i < l->n; i++) {
		const struct found_definition *f = &l->v[i];
		uint32_t from = f->from, to = f->to;
		if (!stands_alone(l, f))
			continue;
		close_until(d, from, &pos);
		while (to < d->n && strchr(" \t;,", d->text[to]) && d->text[to])
			to++;
		if (from < pos)
			from = pos;
		if (d->nopen && to > d->open[d->nopen - 1].to)
			to = d->open[d->nopen - 1].to;
		if (from >= to)
			continue;
		add_text_range(d, pos, from);
		pos = from;
		d->open = grow(d->open, &d->open_cap, d->nopen + 1, sizeof *d->open);
		d->open[d->nopen].draft = draft_new(d, (int)i, from, to);
		d->open[d->nopen].prose = !strcmp(f->def.kind, "section");
		d->open[d->nopen++].to = to;
	}
	close_until(d, UINT32_MAX, &pos);
	add_text_range(d, pos, d->n);
}

static void finish(
    const struct document_splitter *d, const struct document_draft *dr, struct document *out)
{
	uint32_t from = dr->from, to = dr->to;

	trim(d, &from, &to);
	uint32_t last = from;
	if (to > from)
		last = to - 1;
	out->definition = dr->definition;
	out->start_line = line_at(d, from);
	out->end_line = line_at(d, last);
	if (dr->parts && !dr->parts->next) {
		out->body = d->text + dr->parts->from;
		out->nbody = dr->parts->to - dr->parts->from;
		return;
	}
	char *body = arena_get(d->arena, dr->n + 1, 1);
	for (const struct draft_part *p = dr->parts; p; p = p->next) {
		memcpy(body + out->nbody, d->text + p->from, p->to - p->from);
		out->nbody += p->to - p->from;
		if (p->next)
			body[out->nbody++] = '\n';
	}
	out->body = body;
}

void search_documents_split(const char *text, size_t n, const struct found_definitions *found,
    struct arena *a, struct facts *f)
{
	struct document_splitter d = { .text = text, .n = (uint32_t)n, .arena = a };
	uint32_t from = 0, to = (uint32_t)n;

	index_lines(&d);
	f->lines = d.lines;
	trim(&d, &from, &to);
	if (found)
		split_at_definitions(&d, found);
	else if (from < to)
		gap(&d, from, to, true);
	f->documents.v = arena_many(a, d.ndrafts, struct document);
	f->documents.n = d.ndrafts;
	for (size_t i = 0; i < d.ndrafts; i++)
		finish(&d, &d.draft[i], &f->documents.v[i]);
	free(d.draft);
	free(d.open);
}
