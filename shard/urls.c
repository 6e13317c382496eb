#include "shard/urls.h"

#include <ctype.h>
#include <stdlib.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/msg.h"
#include "shard/rules.h"

enum { DEEP = 24, LONGEST = 2000, MAX_STEPS = 16, MAX_ARGS = 16, MAX_RAW = 160, BUDGET = 2000 };

struct eval {
	const struct tree *t;
	struct buf *out;
	struct url_steps *steps;
	int depth;
	int *budget;		/* nodes that may still be looked at: names can refer to each other without end */
};

static void eval(struct eval *, TSNode);

static void hole(struct eval *v)
{
	buf_str(v->out, "{}");
}

static void add_text(struct eval *v, uint32_t from, uint32_t to)
{
	if (v->out->n + (to - from) <= LONGEST)
		buf_put(v->out, v->t->text + from, to - from);
}

static void escape(struct eval *v, TSNode n)
{
	static const char from[] = "nrt0", to[] = { '\n', '\r', '\t', ' ' };
	char c = node_len(n) > 1 ? v->t->text[node_from(n) + 1] : ' ';
	const char *at = strchr(from, c);

	buf_byte(v->out, at && *at ? to[at - from] : c);
}

/* A string literal or template: its pieces in order. */
static void eval_text(struct eval *v, TSNode n)
{
	TSTreeCursor c = ts_tree_cursor_new(n);

	for (bool more = ts_tree_cursor_goto_first_child(&c); more && v->out->n < LONGEST;
	    more = ts_tree_cursor_goto_next_sibling(&c)) {
		TSNode k = ts_tree_cursor_current_node(&c);
		const struct node_rule *r = rules_of(v->t->rules, k);
		unsigned marks = r ? r->marks : 0;
		if (marks & MARK_PIECE)
			add_text(v, node_from(k), node_to(k));
		else if (marks & MARK_ESCAPE)
			escape(v, k);
		else if (marks & MARK_HOLE)
			eval(v, ts_node_named_child(k, 0));
	}
	ts_tree_cursor_delete(&c);
}

/* Fill in a format's placeholders with its arguments; `brace`: {} {0} {name}, else %s %d %v. */
static void fill(struct eval *v, const char *format, TSNode arguments, uint32_t first, bool brace)
{
	uint32_t next = first, count = ts_node_is_null(arguments) ? 0 : ts_node_named_child_count(arguments);

	for (const char *s = format; *s && v->out->n < LONGEST; s++) {
		const char *end = NULL;
		if (brace && *s == '{')
			end = strchr(s, '}');
		else if (!brace && *s == '%' && s[1] != '%')
			end = s + 1 + strspn(s + 1, "0123456789.+-# ");
		if (!end || !*end) {
			s += !brace && *s == '%' && s[1] == '%';
			buf_byte(v->out, *s);
			continue;
		}
		if (next < count && next - first < MAX_ARGS && (!brace || end == s + 1 || isdigit((unsigned char)s[1])))
			eval(v, ts_node_named_child(arguments, next++));
		else
			hole(v);
		s = end;
	}
}

static void eval_format(struct eval *v, TSNode template, TSNode arguments, uint32_t first, bool brace)
{
	struct buf format = { 0 };
	struct eval sub = { .t = v->t, .out = &format, .steps = v->steps, .depth = v->depth, .budget = v->budget };

	eval(&sub, template);
	fill(v, format.p ? format.p : "", arguments, first, brace);
	buf_free(&format);
}

static bool known(const char *s, size_t n)
{
	return n && !(n == 2 && !memcmp(s, "{}", 2));
}

/* `a || b`: the first that is known. */
static void eval_either(struct eval *v, TSNode a, TSNode b)
{
	size_t before = v->out->n;

	eval(v, a);
	if (known(v->out->p + before, v->out->n - before))
		return;
	v->out->n = before;
	eval(v, b);
}

static void eval_join(struct eval *v, TSNode n)
{
	TSNode left = ts_node_child_by_field_name(n, "left", 4), right = ts_node_child_by_field_name(n, "right", 5);
	TSNode op = ts_node_child_by_field_name(n, "operator", 8);

	if (ts_node_is_null(op)) {	/* literals side by side */
		for (uint32_t i = 0, count = ts_node_named_child_count(n); i < count && i < MAX_ARGS; i++)
			eval(v, ts_node_named_child(n, i));
	} else if (node_is(v->t, op, "+")) {
		eval(v, left);
		eval(v, right);
	} else if (node_is(v->t, op, "||") || node_is(v->t, op, "??") || node_is(v->t, op, "or")) {
		eval_either(v, left, right);
	} else if (node_is(v->t, op, "%")) {
		bool tuple = !strcmp(ts_node_type(right), "tuple");
		eval_format(v, left, tuple ? right : n, tuple ? 0 : 1, false);
	} else {
		hole(v);
	}
}

static const struct binding *binding_find(const struct tree *t, const char *name, size_t n, uint32_t at)
{
	const struct binding *best = NULL;
	bool twice = false;

	for (size_t i = 0; i < t->bindings.n; i++) {
		const struct binding *b = &t->bindings.v[i];
		if (at < b->from || at >= b->to || strlen(b->name) != n || memcmp(b->name, name, n))
			continue;
		if (best && b->from == best->from && b->to == best->to) {
			twice = true;
		} else if (!best || b->to - b->from < best->to - best->from) {
			best = b;
			twice = false;
		}
	}
	return twice ? NULL : best;
}

static void note_step(struct eval *v, const struct binding *b)
{
	uint32_t len = node_len(b->value);
	struct step *s;

	if (v->steps->n == MAX_STEPS)
		return;
	v->steps->v = grow(v->steps->v, &v->steps->cap, v->steps->n + 1, sizeof *s);
	s = &v->steps->v[v->steps->n++];
	*s = (struct step){ .line = node_line(b->value),
		.text = arena_printf(v->t->arena, "%s = %.*s", b->name, (int)(len > MAX_RAW ? MAX_RAW : len),
		    v->t->text + node_from(b->value)) };
}

/* A name of this file; of `this.x`, `self.x` and `Type.X` the last part. */
static void eval_name(struct eval *v, TSNode n)
{
	const char *text = v->t->text + node_from(n), *name = text;
	size_t len = node_len(n), part = len;
	const struct binding *b;

	for (size_t i = 0; i < len; i++)
		if (text[i] == '.') {
			name = text + i + 1;
			part = len - i - 1;
		}
	size_t owner = (size_t)(name - text);
	bool own = (owner == 5 && (!memcmp(text, "this.", 5) || !memcmp(text, "self.", 5)));
	if (owner && !own && !isupper((unsigned char)*text)) {
		hole(v);
		return;
	}
	b = binding_find(v->t, name, part, node_from(n));
	if (!b || (node_from(n) >= node_from(b->value) && node_to(n) <= node_to(b->value))) {
		hole(v);
		return;
	}
	note_step(v, b);
	eval(v, b->value);
}

/* The text of a call before its arguments, without white space. */
static void callee(const struct tree *t, TSNode call, TSNode arguments, char *out, size_t cap)
{
	uint32_t from = node_from(call), to = node_from(arguments);
	size_t n = 0;

	if (to - from > cap)
		from = to - (uint32_t)cap;
	for (uint32_t i = from; i < to && n + 1 < cap; i++)
		if (!isspace((unsigned char)t->text[i]))
			out[n++] = t->text[i];
	out[n] = '\0';
}

static const struct call_rule *call_find(const struct rules *r, const char *name)
{
	size_t n = strlen(name);

	for (size_t i = 0; i < r->calls.n; i++) {
		const char *want = r->calls.v[i].name;
		size_t len = strlen(want);
		if (!strcmp(want, name) || (*want == '.' && n > len && !strcmp(name + n - len, want)))
			return &r->calls.v[i];
	}
	return NULL;
}

/* What a method is called on. */
static TSNode receiver(TSNode call)
{
	TSNode f = ts_node_child_by_field_name(call, "function", 8);
	TSNode o = ts_node_child_by_field_name(ts_node_is_null(f) ? call : f, "object", 6);

	return ts_node_is_null(o) && !ts_node_is_null(f) ? ts_node_named_child(f, 0) : o;
}

static void eval_call(struct eval *v, TSNode n)
{
	TSNode arguments = ts_node_child_by_field_name(n, "arguments", 9), first;
	const struct call_rule *rule;
	char name[80];

	if (ts_node_is_null(arguments)) {
		hole(v);
		return;
	}
	callee(v->t, n, arguments, name, sizeof name);
	rule = call_find(v->t->rules, name);
	first = ts_node_named_child(arguments, 0);
	if (!rule)
		hole(v);
	else if (*rule->name == '.')
		eval_format(v, receiver(n), arguments, 0, rule->how == CALL_BRACE);
	else if (rule->how == CALL_PRINTF || rule->how == CALL_BRACE)
		eval_format(v, first, arguments, 1, rule->how == CALL_BRACE);
	else
		eval(v, rule->how == CALL_FIRST ? first : ts_node_named_child(arguments, 1));
}

static void eval(struct eval *v, TSNode n)
{
	const struct node_rule *r = ts_node_is_null(n) ? NULL : rules_of(v->t->rules, n);

	if (!r || r->op == VALUE_NONE || v->depth >= DEEP || v->out->n >= LONGEST || --*v->budget < 0) {
		hole(v);
		return;
	}
	v->depth++;
	switch (r->op) {
	case VALUE_TEXT: eval_text(v, n); break;
	case VALUE_JOIN: eval_join(v, n); break;
	case VALUE_INNER: eval(v, ts_node_named_child(n, 0)); break;
	case VALUE_NAME: eval_name(v, n); break;
	case VALUE_CALL: eval_call(v, n); break;
	case VALUE_NONE: break;
	}
	v->depth--;
}

void url_text(const struct tree *t, TSNode n, struct buf *out, struct url_steps *steps)
{
	int budget = BUDGET;
	struct eval v = { .t = t, .out = out, .steps = steps, .budget = &budget };

	eval(&v, n);
}
