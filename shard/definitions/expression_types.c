/* Types in normal form: expression.h. */
#include "shard/definitions/expression_internal.h"

#include "proto/base/minmax.h"
#include "shard/syntax/node_rules.h"
#include "shard/syntax/tree_nodes.h"

enum { MAX_NESTED = 12, MAX_ARGUMENTS = 6 };

static bool put_type(const struct syntax_tree *, TSNode, struct normal_form *, int depth);

/* A type within another; `?` if it has no normal form. */
static bool put_part(const struct syntax_tree *t, TSNode n, struct normal_form *f, int depth)
{
	size_t from = f->n;

	if (!ts_node_is_null(n) && put_type(t, n, f, depth))
		return true;
	f->n = from;
	return normal_form_put(f, "?", 1);
}

/* Whether the only node at the path is a list of type arguments, not a type. */
static bool is_argument_list(const struct syntax_tree *t, TSNode n)
{
	const struct node_rule *r = rules_of(t->rules, n);

	if (r && (r->type || r->exprs))
		return false;
	return ts_node_named_child_count(n) || !is_name_byte(t->text[node_start_byte(n)]);
}

/* Put `<` before the first argument and `,` before the others. */
static bool put_opening(struct normal_form *f, bool first)
{
	return normal_form_put(f, first ? "<" : ",", 1);
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
bool type_arguments_put(const struct syntax_tree *t, const struct node_path *p, TSNode n,
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
	return !count || normal_form_put(f, ">", 1);
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
		if (!normal_form_put(f, ".", 1) || !put_type(t, of, f, depth + 1))
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
		return type_arguments_put(t, &r->arguments, n, f, depth);
	f->n = from;
	return type_arguments_put(t, &r->arguments, n, f, depth) && keep_first_argument(f, from);
}

static bool put_synthetic_type(const struct syntax_tree *t, const struct type_rule *r, TSNode n,
    struct normal_form *f, int depth)
{
	if (!normal_form_put_text(f, r->word))
		return false;
	for (int i = 0; i < r->nparts; i++) {
		TSNode part = node_path_get(&r->part[i], n);
		if (!put_opening(f, i == 0) || !put_part(t, part, f, depth + 1))
			return false;
	}
	return normal_form_put(f, ">", 1);
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
	if (from < to && name_put(t->rules, f, t->text + from, to - from) &&
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
	    !name_put(t->rules, f, t->text + node_start_byte(n), node_len(n)))
		return false;
	if (word_set_has(&t->rules->self, f->p + from, f->n - from)) {	/* Self */
		f->n = from;
		return normal_form_put_text(f, "self");
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

	if (!ts_node_is_null(scope) &&
	    (!put_type(t, scope, f, depth + 1) || !normal_form_put(f, ".", 1)))
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
