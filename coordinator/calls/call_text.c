/*
 * The answer of a call as text for models and people: its record, field by field, without the noise
 * of JSON.  What does not fit is left out item by item, and a line tells how many items are missing
 * and how to get them.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "coordinator/calls/call.h"
#include "coordinator/calls/visible_text.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "proto/base/optional_text.h"

enum {
	TEXT_MAX = 10 << 10,
	NOTE_MAX = 200,		/* room for the line about missing items */
	ITEM_MIN = 400,		/* room that makes a part of an item worth showing */
	DOC_LINES = 12,		/* lines of a doc */
	SHORT = 4,		/* lines of each text of a shortened item */
};

/* ---- one value ---- */

static const void *at(const struct field *f, const void *m)
{
	return (const char *)m + f->off;
}

static const struct any_list *list_at(const struct field *f, const void *m)
{
	return at(f, m);
}

static bool is_shown(const struct field *f, const void *m)
{
	const t_str *s = at(f, m);

	switch (f->type) {
	case T_str:
	case T_json: return text_is_set(*s);
	case T_u64: case T_i64: return f->rule.must || *(const t_u64 *)at(f, m);
	case T_f64: return f->rule.must || *(const t_f64 *)at(f, m) != 0;
	case T_flag: return f->rule.must || *(const t_flag *)at(f, m);
	case T_bytes: return false;
	case T_strs: case T_list: return list_at(f, m)->n;
	case T_sub: return *(void *const *)at(f, m);
	}
	return false;
}

/* Whether a value is put below its key: a record, a list, or a text with several lines. */
static bool is_block(const struct field *f, const void *m)
{
	if (f->type == T_str)
		return strchr(*(const t_str *)at(f, m), '\n');
	return f->type == T_sub || f->type == T_list;
}

static void put_strs(const t_strs *l, struct buf *out)
{
	for (size_t i = 0; i < l->n; i++) {
		if (i)
			buf_str(out, ", ");
		buf_str(out, text_or_empty(l->v[i]));
	}
}

static void put_inline(const struct field *f, const void *m, struct buf *out)
{
	switch (f->type) {
	case T_str: case T_json: buf_str(out, *(const t_str *)at(f, m)); break;
	case T_u64: buf_u64(out, *(const t_u64 *)at(f, m)); break;
	case T_i64: buf_printf(out, "%lld", (long long)*(const t_i64 *)at(f, m)); break;
	case T_f64: buf_printf(out, "%.4g", *(const t_f64 *)at(f, m)); break;
	case T_flag: buf_str(out, *(const t_flag *)at(f, m) ? "yes" : "no"); break;
	case T_strs: put_strs(at(f, m), out); break;
	default: break;
	}
}

static void put_key(const struct field *f, struct buf *out)
{
	buf_str(out, f->name);
	buf_put(out, ": ", 2);
}

static void put_spaces(int n, struct buf *out)
{
	while (n-- > 0)
		buf_byte(out, ' ');
}

/* Put at most `max` lines of a text. */
static void put_lines(const char *s, int indent, int max, struct buf *out)
{
	for (int i = 0; *s; i++) {
		if (i == max) {
			put_spaces(indent, out);
			buf_str(out, "…\n");
			return;
		}
		size_t n = strcspn(s, "\n");
		put_spaces(indent, out);
		buf_put(out, s, n);
		buf_byte(out, '\n');
		s += n + (s[n] == '\n');
	}
}

/* ---- one record ---- */

/*
 * The fields that tell what a record is and where it is in the source.  They become its first line,
 * `qualified (kind) repo_uri path:from-to`, which makes its id and name redundant.
 */
struct item_lead {
	const struct field *repo, *path, *from, *to;
	const struct field *what, *kind, *id, *name;	/* only if there is a qualified name */
};

static const struct field *object_field(const struct record *r, const char *const *names)
{
	for (; *names; names++)
		for (size_t i = 0; i < r->nfields; i++)
			if (!strcmp(r->fields[i].name, *names))
				return &r->fields[i];
	return NULL;
}

static const struct field *named(const struct record *r, const char *name)
{
	return object_field(r, (const char *const[]){ name, NULL });
}

static struct item_lead find_lead(const struct record *r)
{
	static const char *const path[] = { "file", "path", NULL },
	                         *const from[] = { "line", "start_line", "startLine", NULL },
	                         *const to[] = { "end_line", "endLine", NULL };
	struct item_lead l = { .repo = named(r, "repo_uri"),
		.path = object_field(r, path),
		.from = object_field(r, from),
		.to = object_field(r, to) };

	if (!l.path || !l.from)		/* a `path` without lines belongs to a route */
		return (struct item_lead){ 0 };
	l.what = named(r, "qualified");
	if (l.what) {
		l.kind = named(r, "kind");
		l.id = named(r, "id");
		l.name = named(r, "name");
	}
	return l;
}

static bool in_lead(const struct item_lead *l, const struct field *f)
{
	const struct field *const all[] = {
		l->repo, l->path, l->from, l->to, l->what, l->kind, l->id, l->name
	};

	for (size_t i = 0; i < LEN(all); i++)
		if (f == all[i])
			return true;
	return false;
}

/* `qualified (kind) `, unless the qualified name is only the path of a file. */
static void put_lead_name(const struct item_lead *l, const void *m, struct buf *out)
{
	if (!l->what || !strcmp(*(const t_str *)at(l->what, m), *(const t_str *)at(l->path, m)))
		return;
	put_inline(l->what, m, out);
	if (l->kind) {
		buf_str(out, " (");
		put_inline(l->kind, m, out);
		buf_byte(out, ')');
	}
	buf_byte(out, ' ');
}

/* `:from-to`, or `:from` for a single line. */
static void put_lead_lines(const struct item_lead *l, const void *m, struct buf *out)
{
	t_u64 from = *(const t_u64 *)at(l->from, m);

	if (!from)
		return;
	buf_printf(out, ":%llu", (unsigned long long)from);
	if (l->to && *(const t_u64 *)at(l->to, m) > from) {
		buf_byte(out, '-');
		put_inline(l->to, m, out);
	}
}

static void put_lead(const struct item_lead *l, const void *m, struct buf *out)
{
	put_lead_name(l, m, out);
	if (l->repo && is_shown(l->repo, m)) {
		put_inline(l->repo, m, out);
		buf_byte(out, ' ');
	}
	if (is_shown(l->path, m))
		put_inline(l->path, m, out);
	put_lead_lines(l, m, out);
}

static void put_record(
    const struct record *, const void *m, int indent, int lines, struct buf *out);

static void put_items(const struct field *f, const void *m, int indent, int lines, struct buf *out)
{
	const struct any_list *l = list_at(f, m);

	for (size_t i = 0; i < l->n; i++) {
		put_spaces(indent, out);
		buf_str(out, "- ");
		put_record(f->of, (const char *)l->v + i * f->of->size, indent + 2, lines, out);
	}
}

static void put_text(const struct field *f, const void *m, int indent, int lines, struct buf *out)
{
	if (!strcmp(f->name, "doc"))
		lines = MIN(lines, DOC_LINES);
	put_lines(*(const t_str *)at(f, m), indent, lines, out);
}

static void put_block(
    const struct field *f, const void *m, int indent, bool named, int lines, struct buf *out)
{
	if (named || f->type != T_str) {
		put_spaces(indent, out);
		buf_printf(out, "%s:%s", f->name, f->type == T_sub ? " " : "\n");
	}
	if (f->type == T_sub)
		put_record(f->of, *(void *const *)at(f, m), indent + 2, lines, out);
	else if (f->type == T_list)
		put_items(f, m, indent, lines, out);
	else
		put_text(f, m, indent + 2, lines, out);
}

/* The parts of an index's stamp that a reader can use.  What it lacks is part of the coverage. */
static void put_stamp(const struct freshness *f, struct buf *out)
{
	buf_printf(out, "%s at commit %.12s, generation %llu, indexed %s; behind: %lld\n", f->repo_uri,
	    f->commit, (unsigned long long)f->generation, f->indexed_at, (long long)f->behind);
}

/*
 * Put a record at the current column: one line with all short values, then the rest below it,
 * indented.  Texts have at most `lines` lines.
 */
static void put_record(
    const struct record *r, const void *m, int indent, int lines, struct buf *out)
{
	struct item_lead lead = find_lead(r);
	const char *sep = "";

	if (lead.path)
		sep = "; ";
	if (r == &rec_freshness) {
		put_stamp(m, out);
		return;
	}
	if (lead.path)
		put_lead(&lead, m, out);
	for (size_t i = 0; i < r->nfields; i++) {
		const struct field *f = &r->fields[i];
		if (in_lead(&lead, f) || !is_shown(f, m) || is_block(f, m))
			continue;
		buf_str(out, sep);
		put_key(f, out);
		put_inline(f, m, out);
		sep = "; ";
	}
	buf_byte(out, '\n');
	for (size_t i = 0; i < r->nfields; i++) {
		const struct field *f = &r->fields[i];
		if (!in_lead(&lead, f) && is_shown(f, m) && is_block(f, m))
			put_block(f, m, indent, !lead.path, lines, out);
	}
}

/* ---- the whole answer ---- */

/* Cut what follows `from` to at most `max` bytes, at the end of a line if possible. */
static void cut(struct buf *b, size_t from, size_t max)
{
	if (b->n - from <= max)
		return;
	b->n = from + max;
	for (size_t n = b->n; n > from + max / 2; n--)
		if (b->p[n - 1] == '\n') {
			b->n = n;
			break;
		}
	while (b->n > from && ((unsigned char)b->p[b->n] & 0xc0) == 0x80)
		b->n--;
	b->p[b->n] = 0;
}

/* Tell how many items are missing and which argument of the tool brings them. */
static void put_advice(
    const struct tool *tool, const struct field *f, size_t shown, size_t n, struct buf *out)
{
	static const char *const sizes[] = { "limit", "topK", NULL },
	                         *const cursors[] = { "cursor", NULL };
	const struct field *size = object_field(tool->in, sizes),
	                   *cursor = object_field(tool->in, cursors);
	size_t page = MAX(shown, 1);

	buf_printf(out, "[cut: %zu of %zu %s shown; ", shown, n, f->name);
	if (size && cursor)
		buf_printf(out, "repeat with %s=%zu and page on with cursor", size->name, page);
	else if (size)
		buf_str(out, "the rest is in structuredContent, or ask more precisely");
	else
		buf_str(out, "the rest is in structuredContent");
	buf_str(out, "]\n");
}

/*
 * Put as many items of a list as fit into `max` bytes, the first `whole` ones with all their lines
 * and the others shortened.  Whether all items fitted.
 */
static bool put_list(const struct tool *tool, const struct field *f, const void *m, size_t max,
    size_t whole, struct buf *out)
{
	const struct any_list *l = list_at(f, m);
	size_t end = out->n + max;

	buf_printf(out, "%s:\n", f->name);
	for (size_t i = 0; i < l->n; i++) {
		size_t before = out->n;
		buf_str(out, "- ");
		put_record(
		    f->of, (const char *)l->v + i * f->of->size, 2, i < whole ? INT_MAX : SHORT, out);
		if (out->n <= MAX(end, before))
			continue;
		size_t room = 0;
		if (i == 0 && end > before + ITEM_MIN)	/* a part of the first item is better than none */
			room = end - before;
		cut(out, before, room);
		put_advice(tool, f, i, l->n, out);
		return false;
	}
	return true;
}

/*
 * Put a list that does not fit: some items whole and a few lines of the others, with as many whole
 * items as possible.  If not even that fits, put as many whole items as fit.  Whether all items are
 * there.
 */
static bool put_short(
    const struct tool *tool, const struct field *f, const void *m, size_t max, struct buf *out)
{
	size_t before = out->n, whole = list_at(f, m)->n;

	for (;;) {
		if (put_list(tool, f, m, max, whole, out))
			return true;
		out->n = before;
		if (!whole)
			return put_list(tool, f, m, max, SIZE_MAX, out);
		if (whole > 8)
			whole -= whole / 4;
		else
			whole--;
	}
}

/* The lists of an answer, and how many bytes each may take. */
struct list_share {
	const struct field *f;
	struct buf whole;		/* the text that it has if there is room enough */
	bool all;			/* that text has all items */
	size_t room;
};

enum { LISTS = 24 };

static size_t find_lists(const struct tool *tool, const void *m, struct list_share *v)
{
	const struct record *r = tool->out;
	size_t n = 0;

	for (size_t i = 0; i < r->nfields && n < LISTS; i++) {
		if (r->fields[i].type != T_list || !list_at(&r->fields[i], m)->n)
			continue;
		v[n] = (struct list_share){ .f = &r->fields[i] };
		v[n].all = put_list(tool, v[n].f, m, TEXT_MAX, SIZE_MAX, &v[n].whole);
		n++;
	}
	return n;
}

/* Give the lists that need at most `each` bytes what they need; whether there were any. */
static bool serve_small(struct list_share *v, size_t n, size_t each, size_t *room, size_t *open)
{
	bool any = false;

	for (size_t i = 0; i < n; i++) {
		if (v[i].room || v[i].whole.n > each)
			continue;
		v[i].room = v[i].whole.n;
		*room -= v[i].whole.n;
		--*open;
		any = true;
	}
	return any;
}

/* Small lists get what they need; the others share the rest equally. */
static void divide_room(struct list_share *v, size_t n, size_t room)
{
	size_t open = n;
	bool served = true;

	while (open && served)
		served = serve_small(v, n, room / open, &room, &open);
	for (size_t i = 0; i < n; i++)
		if (!v[i].room && room / open > NOTE_MAX)
			v[i].room = room / open - NOTE_MAX;
}

/* Put the names of empty lists on one line. */
static void put_empty(const struct record *r, const void *m, struct buf *out)
{
	const char *sep = "none: ";

	for (size_t i = 0; i < r->nfields; i++)
		if (r->fields[i].type == T_list && !list_at(&r->fields[i], m)->n) {
			buf_printf(out, "%s%s", sep, r->fields[i].name);
			sep = ", ";
		}
	if (*sep == ',')
		buf_byte(out, '\n');
}

static void put_field(const struct field *f, const void *m, struct buf *out)
{
	if (!is_shown(f, m))
		return;
	if (is_block(f, m)) {
		put_block(f, m, 0, true, INT_MAX, out);
		return;
	}
	put_key(f, out);
	put_inline(f, m, out);
	buf_byte(out, '\n');
}

/* Put the fields that are not lists: those before the first list, and those behind it. */
static void put_fields(const struct record *r, const void *m, const struct field *cursor,
    struct buf *front, struct buf *tail)
{
	struct buf *to = front;

	for (size_t i = 0; i < r->nfields; i++) {
		if (r->fields[i].type == T_list)
			to = tail;
		else if (&r->fields[i] != cursor)
			put_field(&r->fields[i], m, to);
	}
	put_empty(r, m, tail);
	cut(front, 0, TEXT_MAX / 2);
	cut(tail, 0, TEXT_MAX / 4);
}

/* Put the lists into the room; whether all their items are there. */
static bool put_lists(const struct tool *tool, const void *m, size_t room, struct buf *out)
{
	struct list_share lists[LISTS];
	size_t n = find_lists(tool, m, lists);
	bool all = true;

	divide_room(lists, n, room);
	for (size_t i = 0; i < n; i++) {
		struct list_share *l = &lists[i];
		if (l->all && l->whole.n <= l->room)
			buf_put(out, l->whole.p, l->whole.n);
		else if (!put_short(tool, l->f, m, l->room, out))
			all = false;
		buf_free(&l->whole);
	}
	return all;
}

static void put_result(const struct tool *tool, const void *m, struct buf *out)
{
	static const char *const next[] = { "next_cursor", NULL };
	const struct field *cursor = object_field(tool->out, next);
	struct buf front = { 0 }, tail = { 0 };

	put_fields(tool->out, m, cursor, &front, &tail);
	buf_put(out, text_or_empty(front.p), front.n);
	bool all = put_lists(tool, m, TEXT_MAX - out->n - tail.n - NOTE_MAX, out);
	if (cursor && all)	/* otherwise the next page would skip what was cut */
		put_field(cursor, m, out);
	buf_put(out, text_or_empty(tail.p), tail.n);
	buf_free(&front);
	buf_free(&tail);
}

static void put_problem(const struct call *c, struct buf *out)
{
	buf_printf(out, "Error (%s): %s\nHint: %s\n", err_name(c->e.code),
	    text_or(c->problem.message, c->e.msg), text_or(c->problem.hint, c->e.hint));
	for (size_t i = 0; i < rec_problem.nfields; i++)
		if (rec_problem.fields[i].type == T_list)
			put_field(&rec_problem.fields[i], &c->problem, out);
	if (c->problem.total_matches)
		buf_printf(out, "total_matches: %llu\n", (unsigned long long)c->problem.total_matches);
	out->p[--out->n] = '\0';	/* no newline at the end */
}

void call_text(const struct call *c, struct buf *out)
{
	static const char *const ranges[] = { "content", NULL };
	bool is_range = !c->e.code && object_field(c->tool->out, ranges);
	struct buf b = { 0 };

	if (c->e.code)
		put_problem(c, &b);
	else if (is_range)
		put_record(c->tool->out, c->out, 0, INT_MAX, &b);
	else
		put_result(c->tool, c->out, &b);
	if (!is_range)
		cut(&b, 0, TEXT_MAX);
	if (b.p)
		visible_text_put(b.p, out);
	buf_free(&b);
}
