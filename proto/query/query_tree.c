/* Trees of queries: they are built, printed and decided here. */
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/query/query_parse_internal.h"

static const struct query_node always = { .kind = QUERY_TRUE }, never = { .kind = QUERY_FALSE };

/* ---- building ---- */

static size_t parts_of_kind(enum query_kind kind, const struct query_node *part)
{
	return part->kind == kind ? part->nparts : 1;
}

const struct query_node *query_join(
    enum query_kind kind, const struct query_node **parts, size_t n, struct arena *a)
{
	size_t total = 0;

	if (!n)
		return NULL;
	if (n == 1)
		return parts[0];
	for (size_t i = 0; i < n; i++)
		total += parts_of_kind(kind, parts[i]);
	const struct query_node **all = arena_many(a, total, const struct query_node *);
	struct query_node *node = arena_one(a, struct query_node);
	*node = (struct query_node){ .kind = kind, .parts = all };
	for (size_t i = 0; i < n; i++) {
		if (parts[i]->kind != kind) {
			all[node->nparts++] = parts[i];
			continue;
		}
		for (size_t k = 0; k < parts[i]->nparts; k++)
			all[node->nparts++] = parts[i]->parts[k];
	}
	return node;
}

const struct query_node *query_not(const struct query_node *part, struct arena *a)
{
	if (part->kind == QUERY_NOT)
		return part->parts[0];
	if (part->kind == QUERY_TRUE)
		return &never;
	if (part->kind == QUERY_FALSE)
		return &always;
	const struct query_node **parts = arena_one(a, const struct query_node *);
	struct query_node *node = arena_one(a, struct query_node);
	parts[0] = part;
	*node = (struct query_node){ .kind = QUERY_NOT, .parts = parts, .nparts = 1 };
	return node;
}

const struct search_query *search_query_of_pattern(
    const char *pattern, bool fixed, bool ignore_case, struct arena *a)
{
	struct search_query *q = arena_one(a, struct search_query);
	struct query_node *atom = arena_one(a, struct query_node);

	*atom = (struct query_node){
		.kind = QUERY_TEXT, .text = pattern, .regex = !fixed, .column = 1
	};
	*q = (struct search_query){
		.root = atom, .letter_case = ignore_case ? QUERY_CASE_NO : QUERY_CASE_YES, .natoms = 1
	};
	return q;
}

/* ---- printing ---- */

static const char *const prefixes[] = {
	[QUERY_TEXT] = "",
	[QUERY_FILE] = "file:",
	[QUERY_REPO] = "repo:",
	[QUERY_LANG] = "lang:",
	[QUERY_SYM] = "sym:",
};

static void print_quoted(struct buf *b, const char *text)
{
	buf_byte(b, '"');
	for (const char *s = text; *s; s++) {
		if (*s == '"' || *s == '\\')
			buf_byte(b, '\\');
		buf_byte(b, *s);
	}
	buf_byte(b, '"');
}

static void print_regex(struct buf *b, const char *text)
{
	buf_byte(b, '/');
	for (const char *s = text; *s; s++) {
		if (*s == '/')
			buf_byte(b, '\\');
		buf_byte(b, *s);
		if (*s == '\\' && s[1])
			buf_byte(b, *++s);
	}
	buf_byte(b, '/');
}

static void print_node(struct buf *b, const struct query_node *);

static void print_parts(struct buf *b, const struct query_node *node, const char *between)
{
	for (size_t i = 0; i < node->nparts; i++) {
		bool group = node->kind == QUERY_ALL && node->parts[i]->kind == QUERY_ONE;
		buf_str(b, i ? between : "");
		buf_str(b, group ? "(" : "");
		print_node(b, node->parts[i]);
		buf_str(b, group ? ")" : "");
	}
}

static void print_not(struct buf *b, const struct query_node *part)
{
	bool group = part->kind == QUERY_ALL || part->kind == QUERY_ONE;

	buf_str(b, group ? "-(" : "-");
	print_node(b, part);
	buf_str(b, group ? ")" : "");
}

static void print_node(struct buf *b, const struct query_node *node)
{
	switch (node->kind) {
	case QUERY_ALL: print_parts(b, node, " "); return;
	case QUERY_ONE: print_parts(b, node, " or "); return;
	case QUERY_NOT: print_not(b, node->parts[0]); return;
	case QUERY_TRUE: buf_str(b, "file:\"\""); return;
	case QUERY_FALSE: buf_str(b, "-file:\"\""); return;
	default: break;
	}
	buf_str(b, prefixes[node->kind]);
	if (node->regex)
		print_regex(b, node->text);
	else
		print_quoted(b, node->text);
}

const char *search_query_print(const struct search_query *q, struct arena *a)
{
	static const char *const cases[] = {
		[QUERY_CASE_AUTO] = "", [QUERY_CASE_YES] = "case:yes ", [QUERY_CASE_NO] = "case:no "
	};
	struct buf b = { 0 };

	buf_str(&b, cases[q->letter_case]);
	print_node(&b, q->root);
	const char *text = arena_str(a, b.p);
	buf_free(&b);
	return text;
}

/* ---- looking through ---- */

static bool has_lines(const struct query_node *node)
{
	if (node->kind == QUERY_TEXT || node->kind == QUERY_SYM)
		return true;
	for (size_t i = 0; node->kind != QUERY_NOT && i < node->nparts; i++)
		if (has_lines(node->parts[i]))
			return true;
	return false;
}

bool search_query_has_lines(const struct search_query *q)
{
	return has_lines(q->root);
}

static int each(
    const struct query_node *node, int (*see)(void *arg, const struct query_node *atom), void *arg)
{
	int rc = 0;

	if (node->kind == QUERY_TRUE || node->kind == QUERY_FALSE)
		return 0;
	if (!node->nparts)
		return see(arg, node);
	for (size_t i = 0; !rc && i < node->nparts; i++)
		rc = each(node->parts[i], see, arg);
	return rc;
}

int search_query_each(
    const struct search_query *q, int (*see)(void *arg, const struct query_node *atom), void *arg)
{
	return each(q->root, see, arg);
}

/* ---- deciding ---- */

struct decision {
	int (*decide)(void *arg, const struct query_node *atom);
	void *arg;
	struct arena *a;
};

static const struct query_node *decide(const struct decision *, const struct query_node *);

/* ALL without what holds, ONE without what does not hold. */
static const struct query_node *decide_parts(
    const struct decision *d, const struct query_node *node)
{
	const struct query_node *neutral = node->kind == QUERY_ALL ? &always : &never;
	const struct query_node *final = node->kind == QUERY_ALL ? &never : &always;
	const struct query_node **left = arena_many(d->a, node->nparts, const struct query_node *);
	size_t n = 0;

	for (size_t i = 0; i < node->nparts; i++) {
		const struct query_node *part = decide(d, node->parts[i]);
		if (part == final)
			return final;
		if (part != neutral)
			left[n++] = part;
	}
	return n ? query_join(node->kind, left, n, d->a) : neutral;
}

static const struct query_node *decide(const struct decision *d, const struct query_node *node)
{
	switch (node->kind) {
	case QUERY_ALL:
	case QUERY_ONE: return decide_parts(d, node);
	case QUERY_NOT: return query_not(decide(d, node->parts[0]), d->a);
	case QUERY_TRUE: return &always;
	case QUERY_FALSE: return &never;
	default: break;
	}
	int known = d->decide(d->arg, node);
	if (known < 0)
		return node;
	return known ? &always : &never;
}

const struct search_query *search_query_decide(const struct search_query *q,
    int (*decide_atom)(void *arg, const struct query_node *atom), void *arg, struct arena *a)
{
	const struct decision d = { decide_atom, arg, a };
	struct search_query *out = arena_one(a, struct search_query);

	*out = *q;
	out->root = decide(&d, q->root);
	return out;
}
