/*
 * The answer of a call as text for models and people: its record, field by field, without JSON's
 * noise.  What does not fit is left out by whole items, and a line says how many and how to get
 * them.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "coordinator/calls/call.h"
#include "proto/base/buf.h"

enum { TEXT_MAX = 10 << 10, NOTE_MAX = 200, ITEM_MIN = 400, DOC_LINES = 12, SHORT = 4 };

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
	switch (f->type) {
	case T_str: case T_json: return *(const t_str *)at(f, m) && **(const t_str *)at(f, m);
	case T_u64: case T_i64: return f->rule.must || *(const t_u64 *)at(f, m);
	case T_f64: return f->rule.must || *(const t_f64 *)at(f, m) != 0;
	case T_flag: return f->rule.must || *(const t_flag *)at(f, m);
	case T_bytes: return false;
	case T_strs: case T_list: return list_at(f, m)->n;
	case T_sub: return *(void *const *)at(f, m);
	}
	return false;
}

/* A string that has lines of its own stands below its key, everything else behind it. */
static bool is_block(const struct field *f, const void *m)
{
	return f->type == T_sub || f->type == T_list ||
	    (f->type == T_str && strchr(*(const t_str *)at(f, m), '\n'));
}

static void put_inline(const struct field *f, const void *m, struct buf *out)
{
	const t_strs *l = at(f, m);

	switch (f->type) {
	case T_str: case T_json: buf_str(out, *(const t_str *)at(f, m)); break;
	case T_u64: buf_u64(out, *(const t_u64 *)at(f, m)); break;
	case T_i64: buf_printf(out, "%lld", (long long)*(const t_i64 *)at(f, m)); break;
	case T_f64: buf_printf(out, "%.4g", *(const t_f64 *)at(f, m)); break;
	case T_flag: buf_str(out, *(const t_flag *)at(f, m) ? "yes" : "no"); break;
	case T_strs:
		for (size_t i = 0; i < l->n; i++) {
			buf_str(out, i ? ", " : "");
			buf_str(out, l->v[i] ? l->v[i] : "");
		}
		break;
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

/* At most `most` lines of a text. */
static void put_lines(const char *s, int indent, int most, struct buf *out)
{
	for (int i = 0; *s; i++) {
		if (i == most) {
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
 * The fields of a record that say what it is and where in the source; they become its head,
 * `qualified (kind) repo_uri path:from-to`.  Its id is made of these, its name is the end of the
 * qualified one.
 */
struct item_lead {
	const struct field *repo, *path, *from, *to;
	const struct field *what, *kind, *id, *name;	/* with a qualified name only */
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

	if (!l.path || !l.from)		/* a `path` without lines is a route's */
		return (struct item_lead){ 0 };
	if ((l.what = named(r, "qualified"))) {
		l.kind = named(r, "kind");
		l.id = named(r, "id");
		l.name = named(r, "name");
	}
	return l;
}

static bool in_lead(const struct item_lead *l, const struct field *f)
{
	return f == l->repo || f == l->path || f == l->from || f == l->to || f == l->what ||
	    f == l->kind || f == l->id || f == l->name;
}

static void put_lead(const struct item_lead *l, const void *m, struct buf *out)
{
	/* not a file */
	if (l->what && strcmp(*(const t_str *)at(l->what, m), *(const t_str *)at(l->path, m))) {
		put_inline(l->what, m, out);
		if (l->kind) {
			buf_str(out, " (");
			put_inline(l->kind, m, out);
			buf_byte(out, ')');
		}
		buf_byte(out, ' ');
	}
	if (l->repo && is_shown(l->repo, m)) {
		put_inline(l->repo, m, out);
		buf_byte(out, ' ');
	}
	if (is_shown(l->path, m))
		put_inline(l->path, m, out);
	if (l->from && *(const t_u64 *)at(l->from, m)) {
		buf_byte(out, ':');
		put_inline(l->from, m, out);
		if (l->to && *(const t_u64 *)at(l->to, m) > *(const t_u64 *)at(l->from, m)) {
			buf_byte(out, '-');
			put_inline(l->to, m, out);
		}
	}
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
		put_lines(*(const t_str *)at(f, m), indent + 2,
		    !strcmp(f->name, "doc") && lines > DOC_LINES ? DOC_LINES : lines, out);
}

/* An index's stamp, as far as a reader can use it. */
static void put_stamp(const struct freshness *f, struct buf *out)
{
	buf_printf(out, "%s at commit %.12s, generation %llu, indexed %s; behind: %lld\n", f->repo_uri,
	    f->commit, (unsigned long long)f->generation, f->indexed_at, (long long)f->behind);
}

/*
 * From the current column: one line of what fits on a line, then the rest below, indented; of
 * texts at most `lines` lines.
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

/* Cut to at most `max` bytes, at the end of a line where there is one. */
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

/* Which argument of the tool brings what was left out. */
static void put_advice(
    const struct tool *tool, const struct field *f, size_t shown, size_t n, struct buf *out)
{
	static const char *const sizes[] = { "limit", "topK", NULL },
	                         *const cursors[] = { "cursor", NULL };
	const struct field *size = object_field(tool->in, sizes),
	                   *cursor = object_field(tool->in, cursors);

	buf_printf(out, "[cut: %zu of %zu %s shown; ", shown, n, f->name);
	if (size && cursor)
		buf_printf(
		    out, "repeat with %s=%zu and page on with cursor", size->name, shown ? shown : 1);
	else if (size)
		buf_printf(out, "the rest is in structuredContent, or ask more precisely");
	else
		buf_str(out, "the rest is in structuredContent");
	buf_str(out, "]\n");
}

/*
 * A list of the answer itself, the first `whole` items with all their lines, as many as fit into
 * `max` bytes; whether all did.
 */
static bool put_list(const struct tool *tool, const struct field *f, const void *m, size_t max,
    size_t whole, struct buf *out)
{
	const struct any_list *l = list_at(f, m);
	size_t start = out->n, i = 0;

	buf_printf(out, "%s:\n", f->name);
	for (; i < l->n; i++) {
		size_t before = out->n, room = start + max > before ? start + max - before : 0;
		buf_str(out, "- ");
		put_record(
		    f->of, (const char *)l->v + i * f->of->size, 2, i < whole ? INT_MAX : SHORT, out);
		if (out->n - before <= room)
			continue;
		/* half an item is better than none */
		cut(out, before, i == 0 && room > ITEM_MIN ? room : 0);
		break;
	}
	if (i < l->n)
		put_advice(tool, f, i, l->n, out);
	return i == l->n;
}

/*
 * The first items whole and a few lines of the others are better than none of these: as many whole
 * ones as fit so.
 */
static bool put_short(
    const struct tool *tool, const struct field *f, const void *m, size_t max, struct buf *out)
{
	size_t before = out->n, whole = list_at(f, m)->n;

	for (;; whole = whole > 8 ? whole - whole / 4 : whole - 1) {
		if (put_list(tool, f, m, max, whole, out))
			return true;
		out->n = before;
		if (!whole)
			return put_list(tool, f, m, max, SIZE_MAX, out);	/* not even so */
	}
}

/* The lists of an answer, and how many bytes each may take. */
struct list_share {
	const struct field *f;
	struct buf whole;		/* as it is where there is room enough for it */
	bool all;			/* and nothing of it is left out */
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

/* What is small gets what it needs; the others share the rest. */
static void divide_room(struct list_share *v, size_t n, size_t room)
{
	size_t open = n;

	for (bool again = true; again;) {
		size_t each = 0;
		if (open)
			each = room / open;
		again = false;
		for (size_t i = 0; i < n; i++)
			if (!v[i].room && v[i].whole.n <= each) {
				v[i].room = v[i].whole.n;
				room -= v[i].whole.n;
				open--;
				again = true;
			}
	}
	for (size_t i = 0; i < n; i++)
		if (!v[i].room) {
			if (room / open > NOTE_MAX)
				v[i].room = room / open - NOTE_MAX;
			else
				v[i].room = 0;
		}
}

/* The names of the lists that hold nothing, on one line. */
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

static void put_result(const struct tool *tool, const void *m, struct buf *out)
{
	const struct record *r = tool->out;
	static const char *const next[] = { "next_cursor", NULL };
	const struct field *cursor = object_field(r, next);
	struct buf front = { 0 }, tail = { 0 };
	struct list_share lists[LISTS];
	bool all = true, below = false;

	for (size_t i = 0; i < r->nfields; i++)
		if (r->fields[i].type == T_list)
			below = true;
		else if (&r->fields[i] != cursor)
			put_field(&r->fields[i], m, below ? &tail : &front);
	put_empty(r, m, &tail);
	cut(&front, 0, TEXT_MAX / 2);
	cut(&tail, 0, TEXT_MAX / 4);
	buf_put(out, front.p ? front.p : "", front.n);
	size_t n = find_lists(tool, m, lists);
	divide_room(lists, n, TEXT_MAX - out->n - tail.n - NOTE_MAX);
	for (size_t i = 0; i < n; i++) {
		struct list_share *l = &lists[i];
		if (l->all && l->whole.n <= l->room)
			buf_put(out, l->whole.p, l->whole.n);
		else
			all &= put_short(tool, l->f, m, l->room, out);
		buf_free(&l->whole);
	}
	if (cursor && all)	/* else it would skip what was cut */
		put_field(cursor, m, out);
	buf_put(out, tail.p ? tail.p : "", tail.n);
	buf_free(&front);
	buf_free(&tail);
}

static void put_problem(const struct call *c, struct buf *out)
{
	buf_printf(out, "Error (%s): %s\nHint: %s\n", err_name(c->e.code),
	    c->problem.message ? c->problem.message : c->e.msg,
	    c->problem.hint ? c->problem.hint : c->e.hint);
	for (size_t i = 0; i < rec_problem.nfields; i++)
		if (rec_problem.fields[i].type == T_list)
			put_field(&rec_problem.fields[i], &c->problem, out);
	if (c->problem.total_matches)
		buf_printf(out, "total_matches: %llu\n", (unsigned long long)c->problem.total_matches);
	out->p[--out->n] = '\0';	/* the last line's end */
}

/* Most of what there is. */
static bool is_plain(unsigned char c)
{
	return (c >= ' ' && c < 0x7f) || c == '\n';
}

/*
 * Bytes at `s` that nobody should see: control characters, terminal sequences, invisible and
 * direction marks.
 */
static size_t invisible_bytes(const unsigned char *s)
{
	if (s[0] == 0x1b && s[1] == '[') {
		size_t n = 2;
		while (s[n] >= 0x20 && s[n] < 0x40)
			n++;
		return n + (s[n] >= 0x40 && s[n] < 0x7f);
	}
	if ((s[0] < ' ' && s[0] != '\n' && s[0] != '\t') || s[0] == 0x7f)
		return 1;
	if (s[0] == 0xc2 && s[1] >= 0x80 && s[1] < 0xa0)
		return 2;
	if (s[0] == 0xe2 &&
	    ((s[1] == 0x80 && ((s[2] >= 0x8b && s[2] <= 0x8f) || (s[2] >= 0xaa && s[2] <= 0xae))) ||
	        (s[1] == 0x81 && s[2] >= 0xa0 && s[2] <= 0xaf)))
		return 3;
	if (s[0] == 0xef && s[1] == 0xbb && s[2] == 0xbf)
		return 3;
	return 0;
}

void call_text(const struct call *c, struct buf *out)
{
	static const char *const ranges[] = { "content", NULL };
	struct buf b = { 0 };

	if (c->e.code)
		put_problem(c, &b);
	else if (object_field(c->tool->out, ranges))
		put_record(c->tool->out, c->out, 0, INT_MAX, &b);	/* a range was asked for: all of it */
	else
		put_result(c->tool, c->out, &b);
	if (b.n > TEXT_MAX && (c->e.code || !object_field(c->tool->out, ranges)))
		cut(&b, 0, TEXT_MAX);
	for (const unsigned char *s = (const unsigned char *)b.p, *from = s; s && from; s = from) {
		size_t skip = 0;
		while (is_plain(*s) || (*s && !(skip = invisible_bytes(s))))
			s++;
		buf_put(out, from, (size_t)(s - from));
		from = *s ? s + skip : NULL;
	}
	buf_free(&b);
}
