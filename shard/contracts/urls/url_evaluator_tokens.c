#include "shard/contracts/urls/url_evaluator_internal.h"

#include <ctype.h>
#include <stdlib.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"

/*
 * Macros that make strings, `format!("{}/users/{id}", base)`.  No grammar parses their arguments:
 * there are only tokens.
 */

enum { MAX_RUN = 60, MAX_CALLEE = 80 };

/* The tokens of one argument. */
struct token_run {
	TSNode v[MAX_RUN];
	size_t n;
};

static bool is_tokens(const struct syntax_tree *t, TSNode n)
{
	const struct node_rule *r = rules_of(t->rules, n);

	return r && r->marks & MARK_TOKENS;
}

/* The runs between the commas of a list of tokens; how many there are. */
static size_t runs_read(const struct syntax_tree *t, TSNode list, struct token_run *out, size_t max)
{
	uint32_t count = ts_node_child_count(list);
	size_t n = 0;

	for (uint32_t i = 1; i + 1 < count && n < max; i++) {
		TSNode k = ts_node_child(list, i);
		if (i == 1)
			out[n++].n = 0;
		if (!node_is(t, k, ",")) {
			if (out[n - 1].n < MAX_RUN)
				out[n - 1].v[out[n - 1].n++] = k;
		} else if (n < max) {
			out[n++].n = 0;
		}
	}
	return n;
}

static void eval_run(struct eval *v, struct expression t, const TSNode *k, size_t n);

/* The text of tokens without white space; only its end if it is too long. */
static void tokens_text(
    const struct syntax_tree *t, const TSNode *k, size_t n, char out[MAX_CALLEE])
{
	char *end = out + MAX_CALLEE - 1;
	size_t len = 0;

	for (size_t i = n; i-- > 0;) {
		size_t have = node_len(k[i]);
		if (len + have >= MAX_CALLEE - 1)
			break;
		len += have;
		memcpy(end - len, t->text + node_start_byte(k[i]), have);
	}
	memmove(out, end - len, len);
	out[len] = '\0';
}

/* The index of the last token with that text, plus one; 0 if there is none. */
static size_t last_token(const struct syntax_tree *t, const TSNode *k, size_t n, const char *text)
{
	while (n && !node_is(t, k[n - 1], text))
		n--;
	return n;
}

/* What a closure returns: the tokens behind its parameters. */
static void eval_closure(struct eval *v, struct expression t, const struct token_run *r)
{
	size_t from = 0;

	if (r->n && node_is(t.in->t, r->v[0], "||")) {
		from = 1;
	} else if (r->n && node_is(t.in->t, r->v[0], "|")) {
		from = 1;
		while (from < r->n && !node_is(t.in->t, r->v[from], "|"))
			from++;
		if (from < r->n)
			from++;
	}
	eval_run(v, t, r->v + from, r->n - from);
}

/* x.unwrap_or(y), x.unwrap_or_else(|| y): the object if it is known, else the argument. */
static void run_either(struct eval *v, struct expression t, const TSNode *object, size_t n,
    const struct token_run *fallback)
{
	size_t before = v->out->n;

	eval_run(v, t, object, n);
	if (eval_known(v->out, before))
		return;
	v->out->n = before;
	eval_closure(v, t, fallback);
}

static void run_setting(struct eval *v, struct expression t, TSNode key)
{
	if (!eval_setting(v, t.in, eval_string(v, expression_at(t, key)), NULL))
		eval_unknown(v);
}

static const char *run_chain(
    const struct syntax_tree *t, const TSNode *k, size_t n, struct arena *a);

/* What a function of this repository returns that the tokens call: `self.base()`, `request.path()`. */
static void run_own_call(struct eval *v, struct expression t, const TSNode *k, size_t n)
{
	const char *chain = run_chain(t.in->t, k, n, v->ask->a);
	struct origin o = { 0 };

	if (chain && n == 1)
		o = origin_of(v->ask, expression_at(t, k[0]));
	else if (chain)
		o = origin_chain(v->ask, expression_at(t, k[0]), chain);
	if (!eval_function(v, &o) && !eval_parameter_of_site(v, &o))
		eval_unknown(v);
}

/* A call among tokens: `k` are those before its arguments. */
static void run_call(struct eval *v, struct expression t, const TSNode *k, size_t n, TSNode list)
{
	const struct syntax_tree *tree = t.in->t;
	char callee[MAX_CALLEE];
	struct token_run arg[4];

	tokens_text(tree, k, n, callee);
	const struct call_rule *rule = call_rule_of(tree->rules, callee);
	if (!rule) {
		run_own_call(v, t, k, n);
		return;
	}
	size_t args = runs_read(tree, list, arg, LEN(arg)), dot = last_token(tree, k, n, ".");
	if (rule->how == CALL_SAME && dot)
		eval_run(v, t, k, dot - 1);
	else if (rule->how == CALL_EITHER && dot && args)
		run_either(v, t, k, dot - 1, &arg[0]);
	else if (rule->how == CALL_FIRST && args)
		eval_run(v, t, arg[0].v, arg[0].n);
	else if (rule->how == CALL_ENV && args && arg[0].n == 1)
		run_setting(v, t, arg[0].v[0]);
	else
		eval_unknown(v);
}

static bool is_name(const struct syntax_tree *t, TSNode n)
{
	char first = t->text[node_start_byte(n)];

	return isalpha((unsigned char)first) || first == '_';
}

/* Names joined by `.` and `::`, as one dotted name; NULL: the tokens are something else. */
static const char *run_chain(
    const struct syntax_tree *t, const TSNode *k, size_t n, struct arena *a)
{
	struct buf b = { 0 };
	bool names = n > 0;

	for (size_t i = 0; i < n && names; i++) {
		bool sign = node_is(t, k[i], ".") || node_is(t, k[i], "::");
		if (i % 2 == 1)
			names = sign;
		else
			names = !sign && is_name(t, k[i]);
		if (sign)
			buf_byte(&b, '.');
		else if (word_set_has(&t->rules->self, t->text + node_start_byte(k[i]), node_len(k[i])))
			buf_str(&b, "self");
		else
			buf_put(&b, t->text + node_start_byte(k[i]), node_len(k[i]));
	}
	const char *s = NULL;
	if (names)
		s = arena_strn(a, b.p, b.n);
	buf_free(&b);
	return s;
}

/* Without what does not change a value: `&mut`, `*`, `?`, `.await`. */
static void strip_run(const struct syntax_tree *t, const TSNode **k, size_t *n)
{
	while (*n && (node_is(t, **k, "&") || node_is(t, **k, "*") || node_is(t, **k, "mut"))) {
		++*k;
		--*n;
	}
	while (*n && node_is(t, (*k)[*n - 1], "?"))
		--*n;
	while (*n > 1 && node_is(t, (*k)[*n - 1], "await") && node_is(t, (*k)[*n - 2], "."))
		*n -= 2;
}

/* An expression that is only tokens. */
static void eval_run(struct eval *v, struct expression t, const TSNode *k, size_t n)
{
	const struct syntax_tree *tree = t.in->t;
	const char *chain = NULL;

	strip_run(tree, &k, &n);
	if (v->depth >= MAX_ARGS || !n) {
		eval_unknown(v);
		return;
	}
	size_t plus = last_token(tree, k, n, "+");
	v->depth++;
	if (n > 1)
		chain = run_chain(tree, k, n, v->ask->a);
	if (n == 1) {
		eval(v, expression_at(t, k[0]));
	} else if (plus > 1) {
		eval_run(v, t, k, plus - 1);
		eval_run(v, t, k + plus, n - plus);
	} else if (is_tokens(tree, k[n - 1])) {
		run_call(v, t, k, n - 1, k[n - 1]);
	} else if (chain) {
		eval_chain(v, expression_at(t, k[0]), chain);
	} else {
		eval_unknown(v);
	}
	v->depth--;
}

/* The value of an argument `name = value`; false: there is none. */
static bool eval_named(
    struct eval *v, struct expression t, const struct token_run *arg, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (arg[i].n > 2 && node_is(t.in->t, arg[i].v[0], name) &&
		    node_is(t.in->t, arg[i].v[1], "=")) {
			eval_run(v, t, arg[i].v + 2, arg[i].n - 2);
			return true;
		}
	return false;
}

/* One placeholder; `at`: the argument that is its turn if it has no name. */
static void run_hole(struct eval *v, struct expression t, const char *name,
    const struct token_run *arg, size_t n, size_t at)
{
	if (*name && !isdigit((unsigned char)*name)) {
		if (!eval_named(v, t, arg, n, name))
			eval_chain(v, t, name);
		return;
	}
	if (*name)
		at = (size_t)atoi(name);
	if (at < n)
		eval_run(v, t, arg[at].v, arg[at].n);
	else
		eval_unknown(v);
}

/*
 * A format with its arguments in place of {}, {0}, {name}; a name that no argument has is a
 * variable.
 */
static void run_format(
    struct eval *v, struct expression t, const char *format, const struct token_run *arg, size_t n)
{
	size_t next = 0;

	for (const char *s = format; *s; s++) {
		const char *end = NULL;
		if (*s == '{' && s[1] != '{')
			end = strchr(s, '}');
		if (!end) {
			if ((*s == '{' || *s == '}') && s[1] == *s)
				s++;
			buf_byte(v->out, *s);
			continue;
		}
		const char *name = arena_strn(v->ask->a, s + 1, strcspn(s + 1, ":}"));
		run_hole(v, t, name, arg, n, next);
		if (!*name)
			next++;
		s = end;
	}
}

/* path!("users" / u32 / ..): a string is a segment, a type is a parameter, `..` is the rest. */
static void run_segments(struct eval *v, struct expression t, TSNode list)
{
	for (uint32_t i = 0, count = ts_node_named_child_count(list); i < count; i++) {
		const struct node_rule *r = rules_of(t.in->t->rules, ts_node_named_child(list, i));
		buf_byte(v->out, '/');
		if (r && r->op == VALUE_TEXT)
			eval(v, expression_at(t, ts_node_named_child(list, i)));
		else
			eval_unknown(v);
	}
}

/* What a macro makes of its `n` arguments. */
static void eval_macro_rule(struct eval *v, struct expression t, const struct call_rule *rule,
    const struct token_run *arg, size_t n)
{
	if (!n) {
		eval_unknown(v);
	} else if (rule->how == CALL_BRACE && arg[0].n == 1) {
		run_format(v, t, eval_string(v, expression_at(t, arg[0].v[0])), arg + 1, n - 1);
	} else if (rule->how == CALL_FIRST) {
		eval_run(v, t, arg[0].v, arg[0].n);
	} else if (rule->how == CALL_APPEND) {
		for (size_t i = 0; i < n; i++)
			eval_run(v, t, arg[i].v, arg[i].n);
	} else if (rule->how == CALL_ENV && arg[0].n == 1) {
		run_setting(v, t, arg[0].v[0]);
	} else {
		eval_unknown(v);
	}
}

bool eval_macro(struct eval *v, struct expression t)
{
	const struct syntax_tree *tree = t.in->t;
	uint32_t count = ts_node_child_count(t.n);
	struct token_run *arg = arena_many(v->ask->a, MAX_ARGS, struct token_run);
	char name[MAX_CALLEE];

	if (!count)
		return false;
	TSNode list = ts_node_child(t.n, count - 1);
	if (ts_node_is_null(list) || !is_tokens(tree, list))
		return false;
	call_callee(tree, t.n, list, name, sizeof name);
	const struct call_rule *rule = call_rule_of(tree->rules, name);
	if (!rule)
		eval_unknown(v);
	else if (rule->how == CALL_SEGMENT)
		run_segments(v, t, list);
	else
		eval_macro_rule(v, t, rule, arg, runs_read(tree, list, arg, MAX_ARGS));
	return true;
}
