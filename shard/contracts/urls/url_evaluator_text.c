#include "shard/contracts/urls/url_evaluator_internal.h"

#include <ctype.h>
#include <stdlib.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"

void eval_source(struct eval *v, const struct syntax_tree *t, uint32_t from, uint32_t to)
{
	if (v->out->n + (to - from) <= LONGEST)
		buf_put(v->out, t->text + from, to - from);
}

/*
 * A piece of a literal.  The dollar that begins a placeholder of a setting is written `\$` where a
 * plain one begins a hole (Kotlin).
 */
static void add_piece(struct eval *v, const struct syntax_tree *t, TSNode piece)
{
	uint32_t from = node_start_byte(piece), to = node_end_byte(piece);

	for (uint32_t i = from; i + 2 < to; i++) {
		if (memcmp(t->text + i, "\\${", 3))
			continue;
		eval_source(v, t, from, i);
		from = i + 1;
	}
	eval_source(v, t, from, to);
}

static void escape(struct eval *v, const struct syntax_tree *t, TSNode n)
{
	static const char from[] = "nrt0", to[] = { '\n', '\r', '\t', ' ' };
	char c = ' ';

	if (node_len(n) > 1)
		c = t->text[node_start_byte(n) + 1];
	const char *at = strchr(from, c);
	if (at && *at)
		c = to[at - from];
	buf_byte(v->out, c);
}

/* An expression inside a string: its first child that has a value. */
static void eval_hole(struct eval *v, struct expression t)
{
	const struct node_rule *own = rules_of(t.in->t->rules, t.n);
	const struct expr_rule *index = rules_expr(t.in->t, t.n);

	if (own && (own->op || (index && index->op == EXPR_INDEX))) {
		eval(v, t);
		return;
	}
	for (uint32_t i = 0, count = ts_node_named_child_count(t.n); i < count && i < MAX_ARGS; i++) {
		TSNode k = ts_node_named_child(t.n, i);
		const struct node_rule *r = rules_of(t.in->t->rules, k);
		const struct expr_rule *x = rules_expr(t.in->t, k);
		if ((r && r->op) || (x && x->op == EXPR_INDEX)) {
			eval(v, expression_at(t, k));
			return;
		}
	}
	eval(v, t);
}

/* What a part of a string literal is. */
static unsigned marks_of(const struct syntax_tree *t, TSNode n)
{
	const struct node_rule *r = rules_of(t->rules, n);

	if (r)
		return r->marks;
	return 0;
}

/* A string literal whose node has no parts: C#'s @"x", Ruby's :x and x:; or a number. */
static void eval_plain_text(struct eval *v, struct expression t)
{
	const char *text = t.in->t->text, *from = text + node_start_byte(t.n);
	const char *quote = memchr(from, '"', node_len(t.n));

	if (isdigit((unsigned char)*from) || strspn(from, IDENTIFIER) >= node_len(t.n))
		eval_source(v, t.in->t, node_start_byte(t.n), node_end_byte(t.n));
	if (*from == ':')
		eval_source(v, t.in->t, node_start_byte(t.n) + 1, node_end_byte(t.n));
	if (quote && quote + 1 < text + node_end_byte(t.n))
		eval_source(v, t.in->t, (uint32_t)(quote + 1 - text), node_end_byte(t.n) - 1);
}

/* A string literal while its parts are evaluated. */
struct text_parts {
	uint32_t end;	/* of the last part */
	bool hole;	/* it was a hole */
	size_t first;	/* the end, in the output, of a hole that the text begins with */
};

/* What follows a part that the output has from `at` on. */
static void end_part(struct eval *v, struct text_parts *p, size_t at, bool hole)
{
	if (hole || p->hole)
		eval_join_slashes(v, at);
	if (p->first && at == p->first)
		eval_forget_placeholder(v, true, at);
	if (!at && hole)
		p->first = v->out->n;
	p->hole = hole;
}

/* The text between two parts of a literal whose grammar has no nodes for it (Scala). */
static void eval_gap(struct eval *v, const struct syntax_tree *t, struct text_parts *p, TSNode next)
{
	uint32_t to = node_start_byte(next), blank = p->end;
	size_t at = v->out->n;

	while (blank < to && isspace((unsigned char)t->text[blank]))
		blank++;
	if (blank >= to)
		return;
	eval_source(v, t, p->end, to);
	end_part(v, p, at, false);
}

void eval_text(struct eval *v, struct expression t)
{
	TSTreeCursor c = ts_tree_cursor_new(t.n);
	struct text_parts p = { .end = node_start_byte(t.n) };
	bool gaps = marks_of(t.in->t, t.n) & MARK_GAPS;

	if (!ts_node_child_count(t.n))
		eval_plain_text(v, t);
	for (bool more = ts_tree_cursor_goto_first_child(&c); more && v->out->n < LONGEST;
	     more = ts_tree_cursor_goto_next_sibling(&c)) {
		TSNode k = ts_tree_cursor_current_node(&c);
		unsigned marks = marks_of(t.in->t, k);
		if (gaps)
			eval_gap(v, t.in->t, &p, k);
		p.end = node_end_byte(k);
		size_t at = v->out->n;
		if (marks & MARK_PIECE)
			add_piece(v, t.in->t, k);
		else if (marks & MARK_ESCAPE)
			escape(v, t.in->t, k);
		else if (marks & MARK_HOLE)
			eval_hole(v, expression_at(t, k));
		end_part(v, &p, at, marks & MARK_HOLE);
	}
	ts_tree_cursor_delete(&c);
}

/* The value of a keyword argument, `name=value`; a null node if there is none. */
static TSNode named_argument(
    const struct syntax_tree *t, const TSNode *arg, size_t n, const char *name, size_t len)
{
	for (size_t i = 0; i < n; i++) {
		TSNode key = ts_node_child_by_field_name(arg[i], "name", 4);
		if (node_type_is(arg[i], "pair"))
			key = node_field(arg[i], "key");
		if (!ts_node_is_null(key) && node_len(key) == len &&
		    !memcmp(t->text + node_start_byte(key), name, len))
			return ts_node_child_by_field_name(arg[i], "value", 5);
	}
	return (TSNode){ 0 };
}

/* A placeholder of a format. */
struct placeholder {
	const char *end;	/* its last character; NULL: there is none */
	const char *name;	/* or NULL */
	size_t len;		/* of the name */
	int number;		/* of the argument from 0; -1: the next one */
};

/* {} {0} {name} {name:02d} */
static struct placeholder brace_placeholder(const char *s)
{
	struct placeholder p = { .number = -1 };

	if (*s != '{')
		return p;
	p.end = strchr(s, '}');
	if (isdigit((unsigned char)s[1])) {
		p.number = atoi(s + 1);
	} else if (p.end > s + 1) {
		p.name = s + 1;
		p.len = strspn(s + 1, IDENTIFIER);
	}
	return p;
}

/* %s %5.2f %(name)s %<name>s %{name} %[2]s %2$s */
static struct placeholder percent_placeholder(const char *s)
{
	struct placeholder p = { .number = -1 };

	if (*s != '%' || s[1] == '%')
		return p;
	const char *rest = s + 1;
	size_t digits = strspn(rest, "0123456789");
	if (strchr("({<", *rest) && *rest) {
		p.name = rest + 1;
		p.len = strcspn(p.name, ")}>");
		rest = p.name + p.len + (p.name[p.len] != '\0');
		if (rest[-1] == '}') {	/* %{name} has no letter behind it */
			p.end = rest - 1;
			return p;
		}
	} else if (*rest == '[') {
		p.number = atoi(rest + 1) - 1;
		rest += strcspn(rest, "]");
		rest += *rest == ']';
	} else if (digits && rest[digits] == '$') {
		p.number = atoi(rest) - 1;
		rest += digits + 1;
	}
	p.end = rest + strspn(rest, "0123456789.+-# ");
	if (!*p.end)
		p.end = NULL;
	return p;
}

/* The member of a dictionary, perhaps of one that is spread, for a placeholder. */
static struct expression member_of_last(
    struct eval *v, struct expression t, const struct placeholder *p)
{
	const struct node_rule *r = rules_of(t.in->t->rules, t.n);

	if (strstr(ts_node_type(t.n), "splat") || (r && r->marks & MARK_SPREAD))
		t.n = ts_node_named_child(t.n, 0);
	return origin_member(v->ask, t, arena_strn(v->ask->a, p->name, p->len));
}

/* The argument for a placeholder; a null node: it is unknown. */
static struct expression placeholder_value(struct eval *v, const struct placeholder *p,
    struct expression t, const TSNode *arg, size_t n, size_t *next)
{
	struct expression none = { 0 };
	TSNode named = { 0 };

	if (p->name)
		named = named_argument(t.in->t, arg, n, p->name, p->len);
	if (!ts_node_is_null(named))
		return expression_at(t, named);
	if (p->name && n)	/* "…" % {"name": x}, "…".format(**names) */
		return member_of_last(v, expression_at(t, arg[n - 1]), p);
	if (p->name)
		return none;
	size_t at = (size_t)p->number;
	if (p->number < 0)
		at = (*next)++;
	if (at < n)
		return expression_at(t, arg[at]);
	return none;
}

/*
 * Replace a format's placeholders with its arguments: {} {0} {name} if `brace`, else %s %d %v.
 */
static void fill(struct eval *v, const char *format, struct expression t, const TSNode *arg,
    size_t n, bool brace)
{
	size_t next = 0;

	for (const char *s = format; *s && v->out->n < LONGEST; s++) {
		struct placeholder p = brace ? brace_placeholder(s) : percent_placeholder(s);
		if (!p.end) {
			if (!brace && *s == '%' && s[1] == '%')
				s++;
			buf_byte(v->out, *s);
			continue;
		}
		struct expression value = placeholder_value(v, &p, t, arg, n, &next);
		if (ts_node_is_null(value.n))
			eval_unknown(v);
		else
			eval(v, value);
		s = p.end;
	}
}

void eval_format(struct eval *v, struct expression template, struct expression t, const TSNode *arg,
    size_t n, bool brace)
{
	struct buf format = { 0 };

	eval_into(v, template, &format);
	if (format.n)
		fill(v, format.p, t, arg, n, brace);
	buf_free(&format);
}
