#include "shard/contracts/urls/dataflow.h"

#include <ctype.h>
#include <string.h>

#include "proto/base/buf.h"

/*
 * The values that a local variable may have where it is used: of those that it is given before the
 * use, the last one that is certain, and those that branches assign after it.
 */

enum { MOST = 16, MOST_TESTED = 100 };

struct reaching_set {
	const struct binding *v[MOST];
	size_t n;
};

/* Whether the node runs only sometimes, judged by the names that grammars give to such nodes. */
static bool is_branch(TSNode n)
{
	static const char *const words[] = { "if", "else", "elif", "elsif", "unless", "switch", "case",
		"when", "match", "catch", "except", "rescue", "for", "while", "until", "loop", "do",
		"expression_case", "type_case", "default_case", "conditional", "ternary" };
	const char *type = ts_node_type(n);

	if (!strcmp(type, "do_block"))
		return false;
	for (size_t i = 0; i < LEN(words); i++) {
		size_t len = strlen(words[i]);
		if (!strncmp(type, words[i], len) && (!type[len] || type[len] == '_'))
			return true;
	}
	return false;
}

bool runs_conditionally(TSNode value, TSNode use)
{
	for (TSNode n = node_parent(value); !ts_node_is_null(n) && !node_within(use, n);
	     n = node_parent(n))
		if (is_branch(n))
			return true;
	return false;
}

bool are_opposite(TSNode a, TSNode b)
{
	TSNode n = node_parent(a);

	while (!ts_node_is_null(n) && !node_within(b, n))
		n = node_parent(n);
	return !ts_node_is_null(n) && !strncmp(ts_node_type(n), "if", 2);
}

/* Whether the use is where the value is not given: in the `else` of the `if` that gives it. */
static bool excludes(TSNode value, TSNode use)
{
	TSNode n = node_parent(value);

	while (!ts_node_is_null(n) && !node_within(use, n))
		n = node_parent(n);
	if (ts_node_is_null(n))
		return false;
	TSNode then = node_field(n, "consequence"), other = node_field(n, "alternative");
	return !ts_node_is_null(then) && !ts_node_is_null(other) && node_within(value, then) &&
	    node_within(use, other);
}

bool binding_combines(const struct syntax_tree *t, const struct binding *b)
{
	const char *s = t->text + node_start_byte(b->value);

	while (s > t->text && strchr(" \t\n(", s[-1]))
		s--;
	if (s > t->text + 2 && s[-1] == '=' && s[-2] == s[-3] && strchr("|?", s[-2]))
		return false;	/* `x ||= y`: only if there is no old one */
	return s > t->text + 1 && s[-1] == '=' && strchr("+-*/%|&^?.~", s[-2]);
}

/* Whether the value is put behind the old one, and is no number. */
static bool appends(const struct syntax_tree *t, const struct binding *b)
{
	const char *value = t->text + node_start_byte(b->value), *s = value;

	if (!binding_combines(t, b) || isdigit((unsigned char)*value))
		return false;
	while (strchr(" \t\n(", s[-1]))
		s--;
	return strchr("+.~", s[-2]) != NULL;
}

bool means_empty(const struct syntax_tree *t, TSNode n)
{
	static const char *const texts[] = { "\"\"", "''", "``", "null", "nil", "None", "undefined",
		"string.Empty", "String.Empty" };

	for (size_t i = 0; i < LEN(texts); i++)
		if (node_is(t, n, texts[i]))
			return true;
	return false;
}

/* Whether the node runs while the file is read from top to bottom, not when something is called. */
static bool runs_at_once(const struct syntax_tree *t, TSNode n)
{
	for (n = node_parent(n); !ts_node_is_null(n); n = node_parent(n))
		if (is_function_node(t, n) || node_type_is(n, "do_block"))
			return false;
	return true;
}

/*
 * The values that the variable is given before its use, in the innermost function.  False: it is
 * not local, and what is called may change it, or there are too many.
 */
static bool gather_before(
    const struct syntax_tree *t, const char *name, size_t len, TSNode use, struct reaching_set *out)
{
	uint32_t from = 0, to = UINT32_MAX;

	for (const struct binding *b = NULL; (b = binding_named(t, name, len, b));) {
		if (node_start_byte(use) < b->from || node_start_byte(use) >= b->to)
			continue;
		if (b->to - b->from < to - from) {
			out->n = 0;
			from = b->from;
			to = b->to;
		}
		if (b->from != from || b->to != to || node_end_byte(b->value) > node_start_byte(use))
			continue;
		if (excludes(b->value, use))
			continue;
		if (out->n == MOST)
			return false;
		out->v[out->n++] = b;
	}
	return from || to < t->n || runs_at_once(t, use);
}

/* Remove the values that the last certain one replaces. */
static void reaching(struct reaching_set *l, TSNode use)
{
	size_t certain = 0;

	for (size_t i = 0; i < l->n; i++)
		if (!runs_conditionally(l->v[i]->value, use))
			certain = i;
	memmove(l->v, l->v + certain, (l->n - certain) * sizeof *l->v);
	l->n -= certain;
}

static bool is_word(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)s[i]) && s[i] != '_')
			return false;
	return n > 0 && !isdigit((unsigned char)*s);
}

/* Whether the text of the node has the word. */
static bool has_word(const struct syntax_tree *t, TSNode at, const char *word, size_t n)
{
	const char *s = t->text + node_start_byte(at), *end = s + node_len(at), *from = s;

	while ((s = memmem(s, (size_t)(end - s), word, n))) {
		bool begins = s == from || !is_word(s - 1, 1);
		bool ends = s + n == end || !is_word(s + n, 1);
		if (begins && ends)
			return true;
		s++;
	}
	return false;
}

/*
 * Whether a name in the condition is also one in the value: `if (base) prefix = base + "/"`.
 * `*left`: how many more nodes are looked at.
 */
static bool has_tested_name(const struct syntax_tree *t, TSNode condition, TSNode value, int *left)
{
	uint32_t n = ts_node_named_child_count(condition);

	if (--*left < 0)
		return false;
	if (!n) {
		const char *name = t->text + node_start_byte(condition);
		return is_word(name, node_len(condition)) && has_word(t, value, name, node_len(condition));
	}
	for (uint32_t i = 0; i<n && * left> 0; i++)
		if (has_tested_name(t, ts_node_named_child(condition, i), value, left))
			return true;
	return false;
}

/* Whether a branch gives the value only if what it is made of is there. */
static bool is_optional(const struct syntax_tree *t, TSNode value, TSNode use)
{
	int left = MOST_TESTED;

	for (TSNode n = node_parent(value); !ts_node_is_null(n) && !node_within(use, n);
	     n = node_parent(n)) {
		TSNode condition = ts_node_child_by_field_name(n, "condition", 9);
		if (!ts_node_is_null(condition) && !node_within(value, condition))
			return has_tested_name(t, condition, value, &left);
	}
	return false;
}

/* Whether one of the others always replaces the first. */
static bool is_replaced(const struct syntax_tree *t, const struct reaching_set *l, TSNode use)
{
	if (l->n < 2 || runs_conditionally(l->v[0]->value, use))
		return false;
	for (size_t i = 2; i < l->n; i++)
		for (size_t k = 1; k < i; k++)
			if (are_opposite(l->v[k]->value, l->v[i]->value))
				return true;
	return means_empty(t, l->v[0]->value) && !is_optional(t, l->v[1]->value, use);
}

/*
 * Whether a combined value may be ignored, because it need not change the path: it is a query, or
 * is conditional.
 */
static bool may_be_ignored(const struct syntax_tree *t, const struct binding *b, TSNode use)
{
	const char *s = t->text + node_start_byte(b->value);

	while (strchr("$@\"'`", *s) && *s)
		s++;
	return strchr("?&", *s) || runs_conditionally(b->value, use);
}

/* Those of the values that reach the use, into `out`; 0: unknown. */
static size_t select_reaching(const struct syntax_tree *t, struct reaching_set *l, TSNode use,
    const struct binding **out, size_t max)
{
	size_t n = 0, kept = 0;

	for (size_t i = 0; i < l->n; i++) {
		if (!binding_combines(t, l->v[i]))
			l->v[kept++] = l->v[i];
		else if (!appends(t, l->v[i]) && !may_be_ignored(t, l->v[i], use))
			return 0;
	}
	l->n = kept;
	reaching(l, use);
	for (size_t i = is_replaced(t, l, use); i < l->n && n < max; i++)
		out[n++] = l->v[i];
	return n;
}

size_t reaching_values(const struct syntax_tree *t, const char *name, size_t len, TSNode use,
    const struct binding **out, size_t max)
{
	struct reaching_set l = { 0 };

	if (!gather_before(t, name, len, use, &l))
		return 0;
	return select_reaching(t, &l, use, out, max);
}

size_t reaching_parameter_values(const struct syntax_tree *t, const char *name, size_t len,
    TSNode use, const struct binding **out, size_t max, bool *argument)
{
	size_t n = reaching_values(t, name, len, use, out, max);

	*argument = !n || runs_conditionally(out[0]->value, use);
	for (size_t i = 1; i < n && *argument; i++)
		for (size_t k = 0; k < i; k++)
			*argument &= !are_opposite(out[k]->value, out[i]->value);
	return n;
}

size_t reaching_additions(const struct syntax_tree *t, const char *name, size_t len, TSNode use,
    const struct binding **out, size_t max, uint32_t *from)
{
	struct reaching_set l = { 0 };
	size_t begin = 0, n = 0;

	*from = 0;
	if (!gather_before(t, name, len, use, &l) || !l.n)
		return 0;
	*from = l.v[0]->from;
	for (size_t i = 0; i < l.n; i++)
		if (!binding_combines(t, l.v[i]) && !runs_conditionally(l.v[i]->value, use)) {
			*from = node_end_byte(l.v[i]->value);
			begin = i + 1;
		}
	for (size_t i = begin; i < l.n && n < max; i++)
		if (appends(t, l.v[i]))
			out[n++] = l.v[i];
	return n;
}

size_t parameter_additions(const struct contract_file *in, TSNode use, const struct binding **out,
    size_t max, uint32_t *from)
{
	const char *name = in->t->text + node_start_byte(use);
	TSNode function = function_of_parameter(in, use, name, node_len(use));
	size_t n = 0;

	*from = 0;
	if (ts_node_is_null(function))
		return 0;
	*from = node_start_byte(function);
	for (const struct binding *b = NULL; (b = binding_named(in->t, name, node_len(use), b));)
		if (n < max && node_within(b->value, function) && appends(in->t, b) &&
		    node_end_byte(b->value) <= node_start_byte(use))
			out[n++] = b;
	return n;
}

size_t file_additions(
    const struct contract_file *in, TSNode use, const struct binding **out, size_t max)
{
	const char *name = in->t->text + node_start_byte(use);
	bool inside = !ts_node_is_null(enclosing_function(in, use));
	size_t n = 0;

	for (const struct binding *b = NULL; (b = binding_named(in->t, name, node_len(use), b));) {
		bool before = inside || node_end_byte(b->value) <= node_start_byte(use);
		if (n < max && !b->from && before && appends(in->t, b) &&
		    ts_node_is_null(enclosing_function(in, b->value)))
			out[n++] = b;
	}
	return n;
}

bool means_nothing(const struct syntax_tree *t, TSNode value)
{
	static const char *const nothing[] = { "None", "null", "nil", "undefined" };

	for (size_t i = 0; i < LEN(nothing) && !ts_node_is_null(value); i++)
		if (node_is(t, value, nothing[i]))
			return true;
	return false;
}

/* The values that several functions give, of which one does so when the others have not. */
static size_t late_values(const struct reaching_set *l, const struct binding **out, size_t max)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n && n < max; i++)
		out[n++] = l->v[i];
	return n;
}

size_t reaching_member_values(const struct contract_file *in, const char *name, size_t len,
    const struct definition *type, const struct binding **out, size_t max)
{
	struct reaching_set l = { 0 };
	TSNode function = { 0 };
	bool late = false, other = false;

	for (const struct binding *b = NULL; (b = binding_named(in->t, name, len, b));) {
		if (b->from || node_start_byte(b->value) < type->start_byte ||
		    node_end_byte(b->value) > type->end_byte)
			continue;
		TSNode around = enclosing_function(in, b->value);
		if (means_nothing(in->t, b->value) ||
		    (ts_node_is_null(around) && means_empty(in->t, b->value))) {
			late = true;
			continue;
		}
		if (ts_node_is_null(around) || l.n == MOST)
			return 0;
		other |= l.n && !ts_node_eq(around, function);
		if (!l.n)
			function = around;
		l.v[l.n++] = b;
	}
	if (!l.n || (other && !late))
		return 0;
	if (other)
		return late_values(&l, out, max);
	return select_reaching(in->t, &l, function, out, max);
}
