#include "shard/definitions/expression.h"

#include <ctype.h>

#include "proto/base/minmax.h"
#include "shard/syntax/node_rules.h"
#include "shard/syntax/tree_nodes.h"

enum { MAX_LINKS = 16, MAX_STEPS = 32, MAX_NESTED = 12, MAX_ARGUMENTS = 6 };

static bool put(struct normal_form *f, const char *s, size_t n)
{
	if (f->n + n > NORMAL_FORM_MAX)
		return false;
	memcpy(f->p + f->n, s, n);
	f->n += n;
	f->p[f->n] = '\0';
	return true;
}

static bool put_str(struct normal_form *f, const char *s)
{
	return put(f, s, strlen(s));
}

static const bool name_bytes[256] = {
	['0' ... '9'] = true,
	['A' ... 'Z'] = true,
	['a' ... 'z'] = true,
	['_'] = true,
	['$'] = true,
	['@'] = true,
	['#'] = true,
	['.'] = true,
	['~'] = true,
	[0x80 ... 0xff] = true,
};

static bool name_byte(char c)
{
	return name_bytes[(unsigned char)c];
}

/* How many of the first bytes are copied to a name unchanged. */
static size_t name_span(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && name_byte(s[i]))
		i++;
	return i;
}

/* The length of a separator between the parts of a name; 0 if there is none. */
static size_t separator_length(const char *s, size_t n)
{
	static const char *const pairs[] = { "::", "->", "?." };

	for (size_t i = 0; n >= 2 && i < 3; i++)
		if (!memcmp(s, pairs[i], 2))
			return 2;
	return *s == '\\';
}

/* Bytes that a name may contain, but that its normal form leaves out. */
static bool is_dropped_byte(char c)
{
	return isspace((unsigned char)c) || c == '`' || c == '?';
}

/* Append a name with dots between its parts; type arguments at its end are dropped. */
static bool put_name(const struct rules *r, struct normal_form *f, const char *s, size_t n)
{
	size_t from = f->n, i = 0;

	while (i < n) {
		size_t len = name_span(s + i, n - i);
		if (len) {
			if (!put(f, s + i, len))
				return false;
			i += len;
			continue;
		}
		len = separator_length(s + i, n - i);
		if (len) {
			if (f->n > from && !put(f, ".", 1))
				return false;
			i += len;
			continue;
		}
		bool last = i + 1 == n;
		if (last && word_set_has(&r->name_ends, s + i, 1)) {
			if (!put(f, s + i, 1))
				return false;
		} else if (s[i] == '<' && s[n - 1] == '>') {
			break;
		} else if (!is_dropped_byte(s[i])) {
			return false;
		}
		i++;
	}
	return f->n > from && !isdigit((unsigned char)f->p[from]);
}

bool name_normalize(const struct syntax_tree *t, TSNode n, struct normal_form *f)
{
	f->n = 0;
	f->p[0] = '\0';
	return !ts_node_is_null(n) && put_name(t->rules, f, t->text + node_start_byte(n), node_len(n));
}

/* "self" or "super" if that is what the word means in the language, else NULL. */
static const char *self_word(const struct rules *r, const char *word, size_t n)
{
	if (word_set_has(&r->self, word, n))
		return "self";
	if (word_set_has(&r->super, word, n))
		return "super";
	return NULL;
}

/* Replace the first part of `f` if it means the object itself or its base. */
static bool put_self(const struct rules *r, struct normal_form *f)
{
	struct normal_form rest = *f;
	size_t first = strcspn(f->p, ".");
	const char *word = self_word(r, f->p, first);

	if (f->p[0] == '@' && word_set_has(&r->self, "@", 1)) {
		f->n = 0;
		return put_str(f, "self.@") && put_str(f, rest.p + strspn(rest.p, "@"));
	}
	if (!word)
		return true;
	f->n = 0;
	return put_str(f, word) && put(f, rest.p + first, rest.n - first);
}

/* What follows the primary expression, from right to left. */
struct postfix_chain {
	struct { enum { LINK_NAME, LINK_CALL, LINK_INDEX } kind; TSNode name; } v[MAX_LINKS];
	int n;
};

static bool link_add(struct postfix_chain *l, int kind, TSNode name)
{
	if (l->n == MAX_LINKS)
		return false;
	l->v[l->n].kind = kind;
	l->v[l->n++].name = name;
	return true;
}

static TSNode inner_of(const struct expr_rule *x, TSNode n)
{
	if (x->of.n)
		return node_path_get(&x->of, n);
	return nodes_first_named(n);
}

TSNode expression_unwrap(const struct syntax_tree *t, TSNode n)
{
	for (int i = 0; i < MAX_STEPS && !ts_node_is_null(n); i++) {
		const struct expr_rule *x = rules_expr(t, n);
		bool wraps = x && (x->op == EXPR_INNER || (x->op == EXPR_INDEX && x->calls));
		if (!wraps)
			break;
		n = inner_of(x, n);
	}
	return n;
}

static bool put_arguments(
    const struct syntax_tree *, const struct node_path *, TSNode, struct normal_form *, int depth);

/* Write the instance of a type: `T!`. */
static bool put_instance(
    const struct syntax_tree *t, const struct expr_rule *x, TSNode n, struct normal_form *f)
{
	TSNode type = node_path_get(&x->type, n);

	if (ts_node_is_null(type) || !type_normalize(t, type, f))
		return false;
	bool has_arguments = f->n && f->p[f->n - 1] == '>';
	if (x->with.n && f->n && !has_arguments && !put_arguments(t, &x->with, n, f, 0))
		return false;
	return put(f, "!", 1);
}

/* A step towards the primary expression. */
enum step_result {
	STEP_NO_FORM = -1,	/* the expression has no normal form */
	STEP_CONTINUE,		/* `*n` is the expression that remains */
	STEP_DONE		/* the primary is in `f` */
};

static enum step_result step_name(const struct syntax_tree *t, TSNode n, struct normal_form *f)
{
	if (name_normalize(t, n, f) && put_self(t->rules, f))
		return STEP_DONE;
	return STEP_NO_FORM;
}

static enum step_result step_link(struct postfix_chain *l, int kind, TSNode name)
{
	if (link_add(l, kind, name))
		return STEP_CONTINUE;
	return STEP_NO_FORM;
}

static enum step_result step_member(const struct syntax_tree *t, const struct expr_rule *x,
    TSNode *n, struct postfix_chain *l, struct normal_form *f)
{
	TSNode name = node_path_get(&x->name, *n);

	*n = node_path_get(&x->object, *n);
	if (ts_node_is_null(*n))
		return step_name(t, name, f);
	return step_link(l, LINK_NAME, name);
}

static enum step_result step(
    const struct syntax_tree *t, TSNode *n, struct postfix_chain *l, struct normal_form *f)
{
	const struct expr_rule *x = rules_expr(t, *n);
	TSNode at = *n, none = { 0 };

	if (!x)
		return STEP_NO_FORM;
	switch (x->op) {
	case EXPR_NAME: return step_name(t, at, f);
	case EXPR_NEW:
		if (put_instance(t, x, at, f))
			return STEP_DONE;
		return STEP_NO_FORM;
	case EXPR_CAST:
		if (put_instance(t, x, at, f))
			return STEP_DONE;
		*n = node_path_get(&x->of, at);
		return STEP_CONTINUE;
	case EXPR_INNER:
	case EXPR_SUM:
		*n = inner_of(x, at);
		return STEP_CONTINUE;
	case EXPR_INDEX:
		*n = node_path_get(&x->of, at);
		if (x->calls && l->n && l->v[l->n - 1].kind == LINK_CALL)
			return STEP_CONTINUE;
		return step_link(l, LINK_INDEX, none);
	case EXPR_CALL:
		if (!link_add(l, LINK_CALL, none))
			return STEP_NO_FORM;
		if (!x->function.n)
			break;
		*n = node_path_get(&x->function, at);
		return STEP_CONTINUE;
	case EXPR_MEMBER: break;
	}
	return step_member(t, x, n, l, f);
}

/* Write Python's super() as super, as in other languages. */
static void fold_super(const struct rules *r, struct postfix_chain *l, struct normal_form *f)
{
	char called[16];

	if (!l->n || l->v[l->n - 1].kind != LINK_CALL || f->n + 2 >= sizeof called)
		return;
	memcpy(called, f->p, f->n);
	memcpy(called + f->n, "()", 3);
	if (!word_set_has(&r->super, called, f->n + 2))
		return;
	f->n = 0;
	put_str(f, "super");
	l->n--;
}

static bool put_link(
    const struct syntax_tree *t, const struct postfix_chain *l, int i, struct normal_form *f)
{
	TSNode name = l->v[i].name;

	switch (l->v[i].kind) {
	case LINK_CALL: return put(f, "()", 2);
	case LINK_INDEX: return put(f, "[]", 2);
	case LINK_NAME: break;
	}
	if (!put(f, ".", 1) || ts_node_is_null(name))
		return false;
	return put_name(t->rules, f, t->text + node_start_byte(name), node_len(name));
}

bool expression_normalize(const struct syntax_tree *t, TSNode n, struct normal_form *f)
{
	struct postfix_chain l = { .n = 0 };
	enum step_result result = STEP_CONTINUE;

	for (int i = 0; i < MAX_STEPS && result == STEP_CONTINUE; i++) {
		if (ts_node_is_null(n))
			return false;
		result = step(t, &n, &l, f);
	}
	if (result != STEP_DONE)
		return false;
	fold_super(t->rules, &l, f);
	for (int i = l.n; i-- > 0;)
		if (!put_link(t, &l, i, f))
			return false;
	return true;
}

void normal_form_split(
    const struct normal_form *f, struct normal_form *name, struct normal_form *rest)
{
	size_t end = strcspn(f->p, "<"), dot = end;

	while (dot && f->p[dot - 1] != '.')
		dot--;
	name->n = rest->n = 0;
	rest->p[0] = name->p[0] = '\0';
	put(name, f->p + dot, end - dot);
	if (dot)
		put(rest, f->p, dot - 1);
}

static bool split_member(const struct syntax_tree *t, const struct expr_rule *x, TSNode n,
    struct normal_form *name, struct normal_form *receiver)
{
	TSNode object = node_path_get(&x->object, n);

	receiver->n = 0;
	receiver->p[0] = '\0';
	if (!name_normalize(t, node_path_get(&x->name, n), name))
		return false;
	if (ts_node_is_null(object))
		return put_self(t->rules, name);
	if (!expression_normalize(t, object, receiver)) {
		receiver->n = 0;
		put(receiver, "?", 1);
	}
	return true;
}

bool expression_split(
    const struct syntax_tree *t, TSNode n, struct normal_form *name, struct normal_form *receiver)
{
	const struct expr_rule *x;
	struct normal_form whole;

	n = expression_unwrap(t, n);
	if (ts_node_is_null(n))
		return false;
	x = rules_expr(t, n);
	if (!x)
		return false;
	if (x->op == EXPR_MEMBER || (x->op == EXPR_CALL && !x->function.n))
		return split_member(t, x, n, name, receiver);
	if (x->op != EXPR_NAME)
		return false;
	if (!name_normalize(t, n, &whole) || !put_self(t->rules, &whole))
		return false;
	normal_form_split(&whole, name, receiver);
	return true;
}

static bool put_type(const struct syntax_tree *, TSNode, struct normal_form *, int depth);

/* A type within another; `?` if it has no normal form. */
static bool put_part(const struct syntax_tree *t, TSNode n, struct normal_form *f, int depth)
{
	size_t from = f->n;

	if (!ts_node_is_null(n) && put_type(t, n, f, depth))
		return true;
	f->n = from;
	return put(f, "?", 1);
}

/* Whether the only node at the path is a list of type arguments, not a type. */
static bool is_argument_list(const struct syntax_tree *t, TSNode n)
{
	const struct node_rule *r = rules_of(t->rules, n);

	if (r && (r->type || r->exprs))
		return false;
	return ts_node_named_child_count(n) || !name_byte(t->text[node_start_byte(n)]);
}

/* Put `<` before the first argument and `,` before the others. */
static bool put_opening(struct normal_form *f, bool first)
{
	return put(f, first ? "<" : ",", 1);
}

/* Remove what is no type: lifetimes.  Returns how many are left. */
static size_t keep_types(const struct syntax_tree *t, TSNode *v, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		const struct node_rule *r = rules_of(t->rules, v[i]);
		if (!r || !r->type || r->type->op != TYPE_ABSENT)
			v[kept++] = v[i];
	}
	return kept;
}

/* `<A,B>`: the nodes at the path, or those in the list at the path. */
static bool put_arguments(const struct syntax_tree *t, const struct node_path *p, TSNode n,
    struct normal_form *f, int depth)
{
	TSNode arg[MAX_ARGUMENTS];
	size_t count = node_path_all(p, n, arg, MAX_ARGUMENTS);

	if (count == 1 && is_argument_list(t, arg[0])) {
		count = nodes_named(arg[0], arg, MAX_ARGUMENTS);
		count = MIN(count, MAX_ARGUMENTS);
	}
	count = keep_types(t, arg, count);
	for (size_t i = 0; i < count; i++)
		if (!put_opening(f, i == 0) || !put_part(t, arg[i], f, depth + 1))
			return false;
	return !count || put(f, ">", 1);
}

/* Whether the last part of a generic type's name, from `from` on, stands for its argument. */
static bool is_dropped(const struct rules *r, const struct normal_form *f, size_t from)
{
	const char *last = f->p + from, *dot = strrchr(last, '.');

	if (dot)
		last = dot + 1;
	return word_set_has(&r->drop, last, strlen(last));
}

/* The generic type or its first named child, whichever the rule names. */
static TSNode inner_type(const struct type_rule *r, TSNode n)
{
	if (r->of.n)
		return node_path_get(&r->of, n);
	return nodes_first_named(n);
}

/* Append the further parts of a type whose parts are siblings: Outer.Inner (Kotlin). */
static bool put_outer_parts(
    const struct syntax_tree *t, TSNode n, TSNode of, struct normal_form *f, int depth)
{
	uint32_t end = node_end_byte(of);

	/* Finding a sibling starts from the root: it is too slow to do without a dot. */
	if (end >= node_end_byte(n) || !memchr(t->text + end, '.', node_end_byte(n) - end))
		return true;
	for (;;) {
		of = ts_node_next_named_sibling(of);
		if (ts_node_is_null(of) || t->text[node_start_byte(of) - 1] != '.')
			return true;
		if (!put(f, ".", 1) || !put_type(t, of, f, depth + 1))
			return false;
	}
}

/* Keep the first of the type arguments `<A,B>` that begin at `from`, without its brackets. */
static bool keep_first_argument(struct normal_form *f, size_t from)
{
	if (f->n < from + 2)
		return false;
	f->n -= 2;
	memmove(f->p + from, f->p + from + 1, f->n - from);
	for (size_t i = from, nested = 0; i < f->n; i++) {
		nested += f->p[i] == '<';
		nested -= f->p[i] == '>';
		if (f->p[i] == ',' && !nested)
			f->n = i;
	}
	f->p[f->n] = '\0';
	return f->n > from && f->p[from] != '?';
}

static bool put_generic(const struct syntax_tree *t, const struct type_rule *r, TSNode n,
    struct normal_form *f, int depth)
{
	size_t from = f->n;
	TSNode of = inner_type(r, n);

	if (ts_node_is_null(of) || !put_type(t, of, f, depth + 1))
		return false;
	if (!put_outer_parts(t, n, of, f, depth))
		return false;
	if (!is_dropped(t->rules, f, from))
		return put_arguments(t, &r->arguments, n, f, depth);
	f->n = from;
	return put_arguments(t, &r->arguments, n, f, depth) && keep_first_argument(f, from);
}

static bool put_synthetic_type(const struct syntax_tree *t, const struct type_rule *r, TSNode n,
    struct normal_form *f, int depth)
{
	if (!put_str(f, r->word))
		return false;
	for (int i = 0; i < r->nparts; i++) {
		TSNode part = node_path_get(&r->part[i], n);
		if (!put_opening(f, i == 0) || !put_part(t, part, f, depth + 1))
			return false;
	}
	return put(f, ">", 1);
}

/* The first member of a union that has a normal form. */
static bool put_union(const struct syntax_tree *t, TSNode n, struct normal_form *f, int depth)
{
	size_t from = f->n;
	uint32_t count = ts_node_named_child_count(n);

	count = MIN(count, MAX_ARGUMENTS);
	for (uint32_t i = 0; i < count; i++) {
		if (put_type(t, ts_node_named_child(n, i), f, depth + 1))
			return true;
		f->n = from;
	}
	return false;
}

/* A part of a quoted type; false, with nothing put, if it is no name or the absence of a value. */
static bool put_quoted_part(
    const struct syntax_tree *t, uint32_t from, uint32_t to, struct normal_form *f)
{
	size_t before = f->n;

	while (from < to && t->text[from] == ' ')
		from++;
	while (to > from && t->text[to - 1] == ' ')
		to--;
	if (from < to && put_name(t->rules, f, t->text + from, to - from) &&
	    !word_set_has(&t->rules->null, f->p + before, f->n - before))
		return true;
	f->n = before;
	f->p[before] = '\0';
	return false;
}

/* A string that holds the name of a type. */
static bool put_quoted(const struct syntax_tree *t, TSNode n, struct normal_form *f)
{
	uint32_t from = node_start_byte(n), to = node_end_byte(n);

	while (from < to && strchr("\"'", t->text[from]))
		from++;
	while (to > from && strchr("\"'", t->text[to - 1]))
		to--;
	while (from < to) {	/* the first part of `User | None` that is a type */
		uint32_t end = from;
		while (end < to && t->text[end] != '|')
			end++;
		if (put_quoted_part(t, from, end, f))
			return true;
		from = end + 1;
	}
	return false;
}

/* A name, unless it stands for the absence of a value. */
static bool put_type_name(const struct syntax_tree *t, TSNode n, struct normal_form *f)
{
	size_t from = f->n;

	if (node_len(n) > NORMAL_FORM_MAX ||
	    !put_name(t->rules, f, t->text + node_start_byte(n), node_len(n)))
		return false;
	if (word_set_has(&t->rules->self, f->p + from, f->n - from)) {	/* Self */
		f->n = from;
		return put_str(f, "self");
	}
	return !word_set_has(&t->rules->null, f->p + from, f->n - from);
}

/* A type without a rule: a name, a word, or the type that is its only child. */
static bool put_plain(const struct syntax_tree *t, TSNode n, struct normal_form *f, int depth)
{
	const struct expr_rule *x = rules_expr(t, n);
	uint32_t count = ts_node_named_child_count(n);
	bool names = x && (x->op == EXPR_NAME || x->op == EXPR_MEMBER);

	if (names || !count)
		return put_type_name(t, n, f);
	return count == 1 && put_type(t, nodes_first_named(n), f, depth);
}

/* `scope.T<…>`; a scope that is dropped (std) is left out. */
static bool put_member_type(const struct syntax_tree *t, const struct type_rule *r, TSNode n,
    struct normal_form *f, int depth)
{
	TSNode scope = node_path_get(&r->object, n), name = node_path_get(&r->of, n);
	size_t from = f->n;

	if (!ts_node_is_null(scope) && (!put_type(t, scope, f, depth + 1) || !put(f, ".", 1)))
		return false;
	if (f->n > from && word_set_has(&t->rules->drop, f->p + from, f->n - from - 1)) {
		f->n = from;
		f->p[from] = '\0';
	}
	return !ts_node_is_null(name) && put_type(t, name, f, depth + 1);
}

static bool put_type(const struct syntax_tree *t, TSNode n, struct normal_form *f, int depth)
{
	const struct node_rule *rule = rules_of(t->rules, n);
	const struct type_rule *r = NULL;
	TSNode inner;

	if (rule)
		r = rule->type;
	if (depth > MAX_NESTED)
		return false;
	if (!r)
		return put_plain(t, n, f, depth + 1);
	switch (r->op) {
	case TYPE_NAME: return put_type_name(t, n, f);
	case TYPE_GENERIC: return put_generic(t, r, n, f, depth);
	case TYPE_MAKE: return put_synthetic_type(t, r, n, f, depth);
	case TYPE_UNION: return put_union(t, n, f, depth);
	case TYPE_TEXT: return put_quoted(t, n, f);
	case TYPE_INNER:
		inner = inner_type(r, n);
		return !ts_node_is_null(inner) && put_type(t, inner, f, depth + 1);
	case TYPE_MEMBER: return put_member_type(t, r, n, f, depth);
	case TYPE_NONE:
	case TYPE_ABSENT: break;
	}
	return false;
}

bool type_normalize(const struct syntax_tree *t, TSNode n, struct normal_form *f)
{
	f->n = 0;
	f->p[0] = '\0';
	return !ts_node_is_null(n) && put_type(t, n, f, 0);
}
