/* Expressions of several cases, one of which gives the value: match, when, switch. */
#include "shard/contracts/urls/url_evaluator_internal.h"

#include <ctype.h>

#include "proto/base/minmax.h"

enum { MOST_CASES = 32 };

struct value_case {
	TSNode value, pattern;	/* a null pattern: all that is left */
};

struct value_cases {
	struct value_case v[MOST_CASES];
	size_t n;
	bool more;		/* there are too many */
};

static void add_case(const struct syntax_tree *t, TSNode n, struct value_cases *out)
{
	const struct node_rule *r = rules_of(t->rules, n);
	struct value_case c = { .value = node_path_get(&r->case_value, n) };

	if (r->case_pattern.n)
		c.pattern = node_path_get(&r->case_pattern, n);
	if (ts_node_is_null(c.value) || eval_is_no_value(t, c.value))
		return;
	out->more |= out->n == MOST_CASES;
	if (!out->more)
		out->v[out->n++] = c;
}

/* The cases among the children of a node, or of its block. */
static void gather_cases(const struct syntax_tree *t, TSNode n, bool block, struct value_cases *out)
{
	for (uint32_t i = 0, count = ts_node_named_child_count(n); i < count; i++) {
		TSNode child = ts_node_named_child(n, i);
		const struct node_rule *r = rules_of(t->rules, child);
		if (r && (r->marks & MARK_CASE))
			add_case(t, child, out);
		else if (block && i + 1 == count)
			gather_cases(t, child, false, out);
	}
}

/* What the cases are compared with: a member or name, or the object itself. */
static TSNode subject_of(TSNode n)
{
	TSNode s = ts_node_named_child(n, 0);

	while (ts_node_named_child_count(s) == 1)
		s = ts_node_named_child(s, 0);
	return s;
}

/* The argument that the calls at hand give for the subject; a null node: it is not known. */
static struct expression subject_argument(struct dataflow_context *a, struct expression subject)
{
	const char *name = subject.in->t->text + node_start_byte(subject.n);
	size_t len = node_len(subject.n);
	struct expression out = { 0 };
	bool own = word_set_has(&subject.in->t->rules->self, name, len);

	for (const struct call_frame *g = subject.given; g && ts_node_is_null(out.n); g = g->call.given) {
		if (ts_node_is_null(g->call.n) || ts_node_is_null(g->function) || g->in != subject.in ||
		    !node_within(subject.n, g->function))
			continue;
		if (!own)
			return parameter_argument(a, g, name, len);
		out = g->call;
		out.n = call_object(g->call.in->t, g->call.n);
	}
	return out;
}

/* The last name or the text of an expression, without signs around it. */
static const char *last_word(const struct syntax_tree *t, TSNode n, size_t *len)
{
	const char *from = t->text + node_start_byte(n), *end = t->text + node_end_byte(n), *s;

	while (end > from && !isalnum((unsigned char)end[-1]) && end[-1] != '_')
		end--;
	s = end;
	while (s > from && (isalnum((unsigned char)s[-1]) || s[-1] == '_'))
		s--;
	*len = (size_t)(end - s);
	return s;
}

/* Whether it is a name of a constant, or a literal, which no statement changes. */
static bool is_fixed(const struct syntax_tree *t, TSNode n)
{
	const struct node_rule *r = rules_of(t->rules, n);
	size_t len;
	const char *word = last_word(t, n, &len);

	if (r && r->op == VALUE_TEXT)
		return true;
	return len && (isupper((unsigned char)*word) || isdigit((unsigned char)*word));
}

/* The case that the argument of the calls at hand chooses, or NULL. */
static const struct value_case *decided_case(
    struct dataflow_context *a, struct expression t, const struct value_cases *cases)
{
	struct expression subject = { t.in, subject_of(t.n), t.given }, given = { 0 };
	size_t n, m;

	if (t.given && !ts_node_is_null(subject.n))
		given = subject_argument(a, subject);
	if (ts_node_is_null(given.n) || !is_fixed(given.in->t, given.n))
		return NULL;
	const char *word = last_word(given.in->t, given.n, &n);
	for (size_t i = 0; i < cases->n; i++) {
		if (ts_node_is_null(cases->v[i].pattern))
			continue;
		const char *of = last_word(t.in->t, cases->v[i].pattern, &m);
		if (n == m && !memcmp(word, of, n))
			return &cases->v[i];
	}
	return NULL;
}

TSNode case_value(struct dataflow_context *a, struct expression t)
{
	struct value_cases cases = { .n = 0 };
	const struct value_case *decided;

	if (ts_node_is_null(node_field(t.n, "consequence")))	/* else it is a condition */
		gather_cases(t.in->t, t.n, true, &cases);
	if (!cases.n || cases.more)
		return (TSNode){ 0 };
	decided = decided_case(a, t, &cases);
	a->decided |= decided != NULL;
	if (decided)
		return decided->value;
	a->choices = MAX(a->choices, (int)cases.n);
	return cases.v[MIN((size_t)a->choice, cases.n - 1)].value;
}
