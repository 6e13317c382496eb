#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/db/db.h"
#include "shard/base/text_lines.h"
#include "shard/git/repo.h"
#include "shard/graph/graph_query.h"
#include "shard/handlers/rpc_handlers.h"
#include "shard/search/symbol_lookup.h"

enum { MEMBERS = 500 };		/* maximum members of a type */
enum { HEAD_MAX = 400 };	/* maximum bytes of a head */

/* A definition, and the location of its text. */
struct member_text {
	struct symbol y;
	struct graph_node node;
	uint64_t from, to;	/* bytes of its file */
	int64_t parent;
};

struct member_texts {
	struct member_text *v;
	size_t n, cap;
};

/*
 * How a language opens and closes a body, as its own source shows; so there is no table of
 * languages.
 */
static const struct block_style {
	char mark;		/* the character between a head and its body */
	const char *open;	/* after a head */
	const char *close;	/* below the members */
	const char *body;	/* after a callable without its body */
} styles[] = {
	{ '{', " {", "}", ";" },
	{ ':', ":", "", ": ..." },
	{ 0, "", "", "" },
};

/* ---- definitions from the index ---- */

static int read_member_text(
    struct db *db, struct graph_node node, struct member_texts *out, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db,
	    "select s.name, s.qualified, s.kind, s.signature, s.doc, f.path, s.start_line, s.end_line,"
	    " p.qualified, s.exported, s.test, s.start_byte, s.end_byte, ifnull(s.parent, 0)"
	    " from symbols s join files f on f.id = s.file left join symbols p on p.id = s.parent"
	    " where s.id = ?",
	    e);
	int rc;

	if (!s || db_bind(s, "i", node.symbol))
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		out->v = grow(out->v, &out->cap, out->n + 1, sizeof *out->v);
		out->v[out->n++] = (struct member_text){
			.node = node,
			.y = symbol_of_row(s, a),
			.from = (uint64_t)db_int(s, 11),
			.to = (uint64_t)db_int(s, 12),
			.parent = db_int(s, 13),
		};
	}
	return rc;
}

static int members_of(
    struct db *db, struct graph_node node, struct member_texts *out, struct arena *a, struct err *e)
{
	struct neighbours found = { 0 };
	int rc = graph_members(db, node, &found, a, e);

	for (size_t i = 0; !rc && i < found.n && out->n < MEMBERS; i++)
		rc = read_member_text(db, found.v[i].node, out, a, e);
	free(found.v);
	return rc;
}

/* ---- text of heads ---- */

/* The length of the decorators and annotations before a head. */
static size_t skip_decorators(const char *p, size_t n)
{
	size_t i = 0;

	while (i < n && p[i] == '@') {
		int deep = 0;
		for (; i < n && (deep || !isspace((unsigned char)p[i])); i++)
			deep += (p[i] == '(') - (p[i] == ')');
		while (i < n && isspace((unsigned char)p[i]))
			i++;
	}
	return i;
}

/* Whether a colon here ends the head of a block: the rest of the line is empty or a comment. */
static bool ends_line(const char *p, const char *end)
{
	const char *line = memchr(p, '\n', (size_t)(end - p));
	const char *rest = p + 1;

	while (rest < end && (*rest == ' ' || *rest == '\t' || *rest == '\r'))
		rest++;
	return line && (rest == line || *rest == '#');
}

/*
 * Whether the head continues in the next line: that begins with one of the words that continue a
 * head.
 */
static bool continues_line(const char *p, const char *end)
{
	static const char *const words[] = { "{", "extends", "implements", "where", ":" };

	while (p < end && isspace((unsigned char)*p))
		p++;
	for (size_t i = 0; i < LEN(words); i++)
		if ((size_t)(end - p) > strlen(words[i]) && !strncmp(p, words[i], strlen(words[i])))
			return true;
	return false;
}

/* How the bracket depth changes at a character; `->` and `=>` close nothing. */
static int depth_change(const char *p, size_t i)
{
	switch (p[i]) {
	case '(':
	case '[':
	case '<': return 1;
	case ')':
	case ']': return -1;
	case '>':
		if (i && (p[i - 1] == '-' || p[i - 1] == '='))
			return 0;
		return -1;
	default: return 0;
	}
}

/*
 * The end of a definition's head: at its body, outside of brackets.  `*mark` is what opens the
 * body, or 0.
 */
static size_t head_end(const char *p, size_t n, char *mark)
{
	size_t max = MIN(n, HEAD_MAX);
	int deep = 0;

	*mark = 0;
	for (size_t i = 0; i < max; i++) {
		deep += depth_change(p, i);
		if (deep > 0)
			continue;
		if (p[i] == '{' || (p[i] == ':' && ends_line(p + i, p + n))) {
			*mark = p[i];
			return i;
		}
		if (p[i] == '\n' && !continues_line(p + i, p + n))
			return i;
	}
	return max;
}

/* The text on one line, without blanks at its ends. */
static const char *collapse_spaces(const char *p, size_t n, struct arena *a)
{
	char *s = text_utf8(p, n, a), *w = s;

	for (const char *r = s; *r; r++) {
		if (!isspace((unsigned char)*r))
			*w++ = *r;
		else if (w > s && w[-1] != ' ')
			*w++ = ' ';
	}
	while (w > s && (w[-1] == ' ' || w[-1] == ';' || w[-1] == ','))
		w--;
	*w = 0;
	return s;
}

/* The first line of a definition without a body. */
static const char *line_of(const char *p, size_t n, struct arena *a)
{
	const char *end = memchr(p, '\n', n);

	if (end)
		n = (size_t)(end - p);
	return collapse_spaces(p, n, a);
}

static bool is_type(const char *kind)
{
	static const char *const kinds[] = { "class", "interface", "trait", "struct", "enum",
		"module" };

	for (size_t i = 0; i < LEN(kinds); i++)
		if (!strcmp(kind, kinds[i]))
			return true;
	return false;
}

struct outline_writer {
	struct db *db;
	const struct buf *text;	/* of the target's file; its p is not NULL */
	int64_t file;
	const struct block_style *style;
	struct buf out;
	struct arena *a;
};

/* The source of a definition; "" if it is in another file. */
static const char *source(const struct outline_writer *o, const struct member_text *p, size_t *n)
{
	bool here = p->node.file == o->file && p->from <= p->to && p->to <= o->text->n;

	*n = 0;
	if (!here)
		return "";
	*n = p->to - p->from;
	return o->text->p + p->from;
}

static const struct block_style *style_of(char mark)
{
	size_t i = 0;

	while (styles[i].mark && styles[i].mark != mark)
		i++;
	return &styles[i];
}

static void put_line(struct outline_writer *o, int indent, const char *s, const char *end)
{
	buf_printf(&o->out, "%*s%s%s\n", indent * 4, "", s, end);
}

static int put_part(
    struct outline_writer *o, const struct member_text *p, int indent, struct err *e);

/* Writes those members that are below a parent (`inside`), or those that are not. */
static int put_some_members(struct outline_writer *o, const struct member_texts *members,
    bool inside, int indent, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < members->n; i++)
		if ((members->v[i].parent != 0) == inside)
			rc = put_part(o, &members->v[i], indent, e);
	return rc;
}

static int put_type(
    struct outline_writer *o, const struct member_text *p, int indent, struct err *e)
{
	struct member_texts members = { 0 };
	size_t n;
	char mark;
	const char *src = source(o, p, &n);
	size_t skip = skip_decorators(src, n);
	const char *head = collapse_spaces(src + skip, head_end(src + skip, n - skip, &mark), o->a);
	int rc = members_of(o->db, p->node, &members, o->a, e);

	if (!o->style || mark)
		o->style = style_of(mark);
	const struct block_style *style = o->style;
	put_line(o, indent, *head ? head : p->y.qualified, style->open);
	if (!rc)
		rc = put_some_members(o, &members, true, indent + 1, e);
	if (*style->close)
		put_line(o, indent, style->close, "");
	if (!rc)	/* members outside of the type, as in the source */
		rc = put_some_members(o, &members, false, indent, e);
	free(members.v);
	return rc;
}

/* A field that a constructor assigns has no line of its own among the members. */
static bool is_assigned(const char *src, size_t n)
{
	static const char *const marks[] = { "self.", "this.", "=" };

	for (size_t i = 0; i < LEN(marks); i++)
		if (n > strlen(marks[i]) && !strncmp(src, marks[i], strlen(marks[i])))
			return true;
	return false;
}

static int put_part(
    struct outline_writer *o, const struct member_text *p, int indent, struct err *e)
{
	size_t n;
	const char *src = source(o, p, &n), *line = p->y.name, *end = "";
	size_t skip = skip_decorators(src, n);

	if (is_type(p->y.kind))
		return put_type(o, p, indent, e);
	if (p->y.signature) {
		line = p->y.signature;
		if (o->style && indent)
			end = o->style->body;
	} else if (n > skip && !is_assigned(src + skip, n - skip)) {
		line = line_of(src + skip, n - skip, o->a);
	}
	put_line(o, indent, line, end);
	return 0;
}

/* ---- the request ---- */

static int put_file(struct outline_writer *o, const struct member_texts *members, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < members->n; i++) {
		o->style = NULL;
		rc = put_part(o, &members->v[i], 0, e);
	}
	return rc;
}

static void put_members(
    const struct member_texts *members, size_t limit, struct signature_res *out, struct arena *a)
{
	out->total = members->n;
	out->members.v = arena_many(a, MIN(members->n, limit), struct symbol);
	for (; out->members.n < members->n && out->members.n < limit; out->members.n++)
		out->members.v[out->members.n] = members->v[out->members.n].y;
}

static int file_of(struct db *db, int64_t file, const char **blob, const char **language,
    struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db, "select blob, language from files where id = ?", e);
	int rc;

	if (!s || db_bind(s, "i", file))
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		*blob = db_copy_text(s, 0, a);
		*language = db_copy_text(s, 1, a);
	}
	return rc;
}

/* Reads the target's definitions (none for a file), and their members. */
static int read_target(struct db *db, const struct symbol_target *t, struct member_texts *own,
    struct member_texts *members, struct arena *a, struct err *e)
{
	for (size_t i = 0; i < t->nids; i++) {
		struct graph_node node = { t->file, t->ids[i] };
		if (t->ids[i] && read_member_text(db, node, own, a, e))
			return -1;
		if (members_of(db, node, members, a, e))
			return -1;
	}
	return 0;
}

static int outline(struct index_reader *r, const struct symbol_target *t,
    const struct symbol_req *q, struct signature_res *out, struct arena *a, struct err *e)
{
	const char *blob = "", *language = NULL;
	struct buf source_text = { 0 };
	struct outline_writer o = { .db = r->db, .text = &source_text, .file = t->file, .a = a };
	struct member_texts own = { 0 }, members = { 0 };
	struct repo *repo = index_reader_repo(r, e);
	int rc = -1;

	buf_str(&source_text, "");	/* never NULL */
	buf_str(&o.out, "");
	if (repo)
		rc = file_of(r->db, t->file, &blob, &language, a, e);
	if (!rc)
		rc = repo_blob_text(repo, blob, &source_text, e);
	if (!rc)
		rc = read_target(r->db, t, &own, &members, a, e);
	for (size_t i = 0; !rc && i < own.n; i++)
		rc = put_part(&o, &own.v[i], 0, e);
	if (!rc && !own.n)
		rc = put_file(&o, &members, e);
	if (!rc) {
		put_members(&members, q->limit, out, a);
		out->language = language;
		out->stub = arena_str(a, o.out.p);
	}
	buf_free(&o.out);
	buf_free(&source_text);
	free(own.v);
	free(members.v);
	return rc;
}

int rpc_signature(struct shard *shard, struct index_reader *r, const struct symbol_req *q,
    struct signature_res *out, struct arena *a, struct err *e)
{
	const struct symbol_query asked = { q->symbol, q->path, q->kind,
		index_reader_until(r, SIMILAR_NAMES_PERCENT) };
	struct symbol_target *t = arena_one(a, struct symbol_target);

	(void)shard;
	if (symbol_lookup_target(r->db, &asked, q->limit, t, a, e))
		return -1;
	out->total = t->total;
	out->target = (struct symbol *)t->symbol;
	out->candidates.v = t->candidates;
	out->candidates.n = t->ncandidates;
	if (t->symbol)
		return outline(r, t, q, out, a, e);
	return 0;
}
