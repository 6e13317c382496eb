#include "shard/definitions/expression.h"

#include <ctype.h>

#include "shard/syntax/node_rules.h"
#include "shard/syntax/tree_nodes.h"
#include "proto/base/minmax.h"

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
	['0' ... '9'] = true, ['A' ... 'Z'] = true, ['a' ... 'z'] = true, ['_'] = true, ['$'] = true,
	    ['@'] = true, ['#'] = true,
	['.'] = true, ['~'] = true, [0x80 ... 0xff] = true,
};

static bool name_byte(char c)
{
	return name_bytes[(unsigned char)c];
}

/* How many of the bytes may stand in a name as they are. */
static size_t name_span(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && name_byte(s[i]))
		i++;
	return i;
}

/* Bytes of a sign that separates the parts of a name; 0: none is there. */
static size_t separator(const char *s, size_t n)
{
	if (n >= 2 && (!memcmp(s, "::", 2) || !memcmp(s, "->", 2) || !memcmp(s, "?.", 2)))
		return 2;
	return *s == '\\';
}

/* Append a name with dots between its parts; type arguments at its end are dropped. */
static bool put_name(const struct rules *r, struct normal_form *f, const char *s, size_t n)
{
	size_t from = f->n, len;

	for (size_t i = 0; i < n; i += len) {
		if ((len = name_span(s + i, n - i))) {
			if (!put(f, s + i, len))
				return false;
			continue;
		}
		if ((len = separator(s + i, n - i))) {
			if (f->n > from && !put(f, ".", 1))
				return false;
			continue;
		}
		len = 1;
		if (i + 1 == n && word_set_has(&r->name_ends, s + i, 1)) {
			if (!put(f, s + i, 1))
				return false;
		} else if (s[i] == '<' && s[n - 1] == '>') {
			break;
		} else if (!isspace((unsigned char)s[i]) && s[i] != '`' && s[i] != '?') {
			return false;
		}
	}
	return f->n > from && !isdigit((unsigned char)f->p[from]);
}

bool name_normalize(const struct syntax_tree *t, TSNode n, struct normal_form *f)
{
	f->n = 0;
	f->p[0] = '\0';
	return !ts_node_is_null(n) && put_name(t->rules, f, t->text + node_start_byte(n), node_len(n));
}

/* Replace the first part of `f` when it means the object itself or its base. */
static bool put_self(const struct rules *r, struct normal_form *f)
{
	struct normal_form rest = *f;
	size_t first = strcspn(f->p, ".");
	const char *word = word_set_has(&r->self, f->p, first) ? "self" :
	    word_set_has(&r->super, f->p, first)               ? "super" :
	                                                         NULL;

	if (f->p[0] == '@' && word_set_has(&r->self, "@", 1)) {
		f->n = 0;
		return put_str(f, "self.@") && put_str(f, rest.p + strspn(rest.p, "@"));
	}
	if (!word)
		return true;
	f->n = 0;
	return put_str(f, word) && put(f, rest.p + first, rest.n - first);
}

/* What follows the primary of an expression, from right to left. */
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
		if (!x || (x->op != EXPR_INNER && (x->op != EXPR_INDEX || !x->calls)))
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
	if (x->with.n && f->n && f->p[f->n - 1] != '>' && !put_arguments(t, &x->with, n, f, 0))
		return false;
	return put(f, "!", 1);
}

/*
 * One step towards the primary: 1 when it is in `f`, 0 when `*n` is the expression that remains,
 * -1 when there is no form.
 */
static int step(
    const struct syntax_tree *t, TSNode *n, struct postfix_chain *l, struct normal_form *f)
{
	const struct expr_rule *x = rules_expr(t, *n);
	TSNode at = *n, none = { 0 };

	if (!x)
		return -1;
	switch (x->op) {
	case EXPR_NAME:
		if (name_normalize(t, at, f) && put_self(t->rules, f))
			return 1;
		return -1;
	case EXPR_NEW:
		if (put_instance(t, x, at, f))
			return 1;
		return -1;
	case EXPR_CAST:
		if (put_instance(t, x, at, f))
			return 1;
		*n = node_path_get(&x->of, at);
		return 0;
	case EXPR_INNER:
		*n = inner_of(x, at);
		return 0;
	case EXPR_INDEX:
		*n = node_path_get(&x->of, at);
		if (x->calls && l->n && l->v[l->n - 1].kind == LINK_CALL)
			return 0;
		if (link_add(l, LINK_INDEX, none))
			return 0;
		return -1;
	case EXPR_CALL:
		if (!link_add(l, LINK_CALL, none))
			return -1;
		if (x->function.n) {
			*n = node_path_get(&x->function, at);
			return 0;
		}
		break;
	case EXPR_MEMBER:
		break;
	}
	*n = node_path_get(&x->object, at);
	at = node_path_get(&x->name, at);
	if (ts_node_is_null(*n)) {
		if (name_normalize(t, at, f) && put_self(t->rules, f))
			return 1;
		return -1;
	}
	if (link_add(l, LINK_NAME, at))
		return 0;
	return -1;
}

/* Python's super() is what other languages call super. */
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

bool expression_normalize(const struct syntax_tree *t, TSNode n, struct normal_form *f)
{
	struct postfix_chain l = { .n = 0 };
	int done = 0;

	for (int i = 0; i < MAX_STEPS && !done; i++) {
		if (ts_node_is_null(n))
			done = -1;
		else
			done = step(t, &n, &l, f);
	}
	if (done != 1)
		return false;
	fold_super(t->rules, &l, f);
	while (l.n--) {
		TSNode name = l.v[l.n].name;
		if (l.v[l.n].kind == LINK_CALL      ? !put(f, "()", 2) :
		        l.v[l.n].kind == LINK_INDEX ? !put(f, "[]", 2) :
		                                      !put(f, ".", 1) || ts_node_is_null(name) ||
		            !put_name(t->rules, f, t->text + node_start_byte(name), node_len(name)))
			return false;
	}
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

bool expression_split(
    const struct syntax_tree *t, TSNode n, struct normal_form *name, struct normal_form *receiver)
{
	const struct expr_rule *x;
	struct normal_form whole;
	TSNode object;

	n = expression_unwrap(t, n);
	if (ts_node_is_null(n))
		x = NULL;
	else
		x = rules_expr(t, n);
	if (!x || (x->op != EXPR_NAME && x->op != EXPR_MEMBER && (x->op != EXPR_CALL || x->function.n)))
		return false;
	if (x->op == EXPR_NAME) {
		if (!name_normalize(t, n, &whole) || !put_self(t->rules, &whole))
			return false;
		normal_form_split(&whole, name, receiver);
		return true;
	}
	object = node_path_get(&x->object, n);
	receiver->n = 0;
	receiver->p[0] = '\0';
	if (!name_normalize(t, node_path_get(&x->name, n), name) ||
	    (ts_node_is_null(object) && !put_self(t->rules, name)))
		return false;
	if (!ts_node_is_null(object) && !expression_normalize(t, object, receiver)) {
		receiver->n = 0;
		put(receiver, "?", 1);
	}
	return true;
}

static bool put_type(const struct syntax_tree *, TSNode, struct normal_form *, int depth);

/* A type within another; `?` when it has no form. */
static bool put_part(const struct syntax_tree *t, TSNode n, struct normal_form *f, int depth)
{
	size_t from = f->n;

	if (!ts_node_is_null(n) && put_type(t, n, f, depth))
		return true;
	f->n = from;
	return put(f, "?", 1);
}

/* `<A,B>`: the nodes at the path, or what is in the one that is there when it is no type itself. */
static bool put_arguments(const struct syntax_tree *t, const struct node_path *p, TSNode n,
    struct normal_form *f, int depth)
{
	TSNode arg[MAX_ARGUMENTS];
	size_t count = node_path_all(p, n, arg, MAX_ARGUMENTS);
	const struct node_rule *r = NULL;

	if (count == 1)
		r = rules_of(t->rules, arg[0]);
	if (count == 1 && (!r || (!r->type && !r->exprs)) &&
	    (ts_node_named_child_count(arg[0]) || !name_byte(t->text[node_start_byte(arg[0])]))) {
		count = nodes_named(arg[0], arg, MAX_ARGUMENTS);
		count = MIN(count, MAX_ARGUMENTS);
	}
	for (size_t i = 0; i < count; i++)
		if (!put(f, i ? "," : "<", 1) || !put_part(t, arg[i], f, depth + 1))
			return false;
	return !count || put(f, ">", 1);
}

/* Whether a generic type's name from `from` on says that its argument is meant. */
static bool dropped(const struct rules *r, const struct normal_form *f, size_t from)
{
	const char *dot = strrchr(f->p + from, '.'), *last = dot ? dot + 1 : f->p + from;

	return word_set_has(&r->drop, last, strlen(last));
}

static bool put_generic(const struct syntax_tree *t, const struct type_rule *r, TSNode n,
    struct normal_form *f, int depth)
{
	size_t from = f->n;
	TSNode of = r->of.n ? node_path_get(&r->of, n) : nodes_first_named(n);

	if (ts_node_is_null(of) || !put_type(t, of, f, depth + 1))
		return false;
	/* Who stands beside a node is asked from the root on. */
	bool dotted = node_end_byte(of) < node_end_byte(n) &&
	    memchr(t->text + node_end_byte(of), '.', node_end_byte(n) - node_end_byte(of));
	for (TSNode more = of; dotted && !ts_node_is_null(more = ts_node_next_named_sibling(more)) &&
	     t->text[node_start_byte(more) - 1] == '.';)
		if (!put(f, ".", 1) || !put_type(t, more, f, depth + 1))	/* Outer.Inner (Kotlin) */
			return false;
	if (!dropped(t->rules, f, from))
		return put_arguments(t, &r->arguments, n, f, depth);
	f->n = from;
	if (!put_arguments(t, &r->arguments, n, f, depth) || f->n < from + 2)
		return false;
	f->n -= 2;			/* <T> is T; of several the first counts */
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

static bool put_synthetic_type(const struct syntax_tree *t, const struct type_rule *r, TSNode n,
    struct normal_form *f, int depth)
{
	if (!put_str(f, r->word))
		return false;
	for (int i = 0; i < r->nparts; i++) {
		if (!put(f, i ? "," : "<", 1) || !put_part(t, node_path_get(&r->part[i], n), f, depth + 1))
			return false;
	}
	return put(f, ">", 1);
}

static bool put_union(const struct syntax_tree *t, TSNode n, struct normal_form *f, int depth)
{
	size_t from = f->n;

	for (uint32_t i = 0, count = ts_node_named_child_count(n); i < count && i < MAX_ARGUMENTS;
	     i++) {
		if (put_type(t, ts_node_named_child(n, i), f, depth + 1))
			return true;
		f->n = from;
	}
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
	return from < to && put_name(t->rules, f, t->text + from, to - from);
}

/* A name, unless it is one that means nothing. */
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

/* A type without a rule: what it is as an expression, a word, or what it alone holds. */
static bool put_plain(const struct syntax_tree *t, TSNode n, struct normal_form *f, int depth)
{
	const struct expr_rule *x = rules_expr(t, n);
	uint32_t count = ts_node_named_child_count(n);

	if ((x && (x->op == EXPR_NAME || x->op == EXPR_MEMBER)) || !count)
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
	if (f->n > from && word_set_has(&t->rules->drop, f->p + from, f->n - from - 1))
		f->p[f->n = from] = '\0';
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
		if (r->of.n)
			inner = node_path_get(&r->of, n);
		else
			inner = nodes_first_named(n);
		return !ts_node_is_null(inner) && put_type(t, inner, f, depth + 1);
	case TYPE_MEMBER: return put_member_type(t, r, n, f, depth);
	case TYPE_NONE: break;
	}
	return false;
}

bool type_normalize(const struct syntax_tree *t, TSNode n, struct normal_form *f)
{
	f->n = 0;
	f->p[0] = '\0';
	return !ts_node_is_null(n) && put_type(t, n, f, 0);
}
