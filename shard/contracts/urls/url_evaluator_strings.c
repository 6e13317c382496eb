/* Functions that make a text out of texts: joined, replaced, resolved, listed. */
#include "shard/contracts/urls/url_evaluator_internal.h"

#include <ctype.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"

struct expression evaluated_argument(const struct evaluated_call *m, size_t i)
{
	TSNode n = { 0 };

	if (i < m->n)
		n = m->arg[i];
	return expression_at(m->call, n);
}

struct expression evaluated_receiver(const struct evaluated_call *m)
{
	return expression_at(m->call, called_object(m->call.in->t, m->call.n));
}

/* Whether an argument is an unknown constant of a type: an option such as UriKind.Relative. */
static bool is_option(const struct evaluated_call *m, size_t i, const char *text)
{
	if (!i || strcmp(text, "{}"))
		return false;
	return isupper((unsigned char)m->call.in->t->text[node_start_byte(m->arg[i])]);
}

/* The arguments, joined with slashes. */
void eval_joined(struct eval *v, const struct evaluated_call *m)
{
	for (size_t i = 0; i < m->n; i++) {
		const char *text = eval_string(v, evaluated_argument(m, i));
		if (is_option(m, i, text))
			continue;
		if (i && v->out->n) {	/* one slash between two parts */
			if (v->out->p[v->out->n - 1] != '/')
				buf_byte(v->out, '/');
			text += strspn(text, "/");
		}
		buf_str(v->out, text);
	}
}

/*
 * The string the method is called on, with its first argument replaced by the second; of a
 * function, the string is the first argument or (`swap`) the third.
 */
void eval_replaced(
    struct eval *v, const struct call_rule *rule, const struct evaluated_call *m)
{
	bool method = *rule->name == '.' || *rule->name == '-', third = m->how == CALL_SWAP;
	const char *text, *found = NULL;
	size_t next = 0;

	if (method)
		text = eval_string(v, evaluated_receiver(m));
	else if (third)
		text = eval_string(v, evaluated_argument(m, 2));
	else
		text = eval_string(v, evaluated_argument(m, next++));
	const char *what = eval_string(v, evaluated_argument(m, next++));

	if (*what && strcmp(what, "{}"))
		found = strstr(text, what);
	if (!found) {
		buf_str(v->out, text);
		return;
	}
	buf_put(v->out, text, (size_t)(found - text));
	eval(v, evaluated_argument(m, next));
	buf_str(v->out, found + strlen(what));
}

/*
 * A reference resolved against a base: it replaces what follows the base's last slash, or the whole
 * path.  The base of a method is the object it is called on.
 */
static void put_resolved(struct buf *out, const char *base, const char *reference)
{
	const char *scheme = strstr(base, "://"), *host = base;

	if (!strncmp(reference, "./", 2))
		reference += 2;
	if (strstr(reference, "://")) {
		buf_str(out, reference);
		return;
	}
	if (scheme)
		host = scheme + 3;
	const char *end = strchr(host, '/');
	if (!end)
		end = base + strlen(base);
	else if (*reference != '/')
		end = strrchr(base, '/');
	buf_put(out, base, (size_t)(end - base));
	if (*reference != '/')
		buf_byte(out, '/');
	buf_str(out, reference);
}

void eval_resolved(
    struct eval *v, const struct call_rule *rule, const struct evaluated_call *m)
{
	bool method = *rule->name == '.';
	struct expression of = evaluated_argument(m, 0);
	const char *reference = NULL;

	if (method)
		of = evaluated_receiver(m);
	const char *base = eval_string(v, of);
	if (m->n > !method)
		reference = eval_string(v, evaluated_argument(m, !method));
	if (!reference || is_option(m, !method, reference))	/* there is no base */
		buf_str(v->out, base);
	else
		put_resolved(v->out, base, reference);
}

/* Each argument resolved against what those before it make: URI.join(base, "v1/", "users"). */
void eval_resolved_all(struct eval *v, const struct evaluated_call *m)
{
	const char *base = eval_string(v, evaluated_argument(m, 0));

	for (size_t i = 1; i < m->n; i++) {
		struct buf b = { 0 };
		put_resolved(&b, base, eval_string(v, evaluated_argument(m, i)));
		base = arena_strn(v->ask->a, b.p, b.n);
		buf_free(&b);
	}
	buf_str(v->out, base);
}

/* The arguments in sequence. */
void eval_concatenated(struct eval *v, const struct evaluated_call *m)
{
	for (size_t i = 0; i < m->n; i++)
		eval(v, evaluated_argument(m, i));
}

/* What an object that collects a text is made with: a number is its size. */
void eval_collected(struct eval *v, const struct evaluated_call *m)
{
	const char *text = eval_string(v, evaluated_argument(m, 0));

	if (m->n && strcmp(text, "{}"))
		buf_str(v->out, text);
}

static bool is_text(struct expression t)
{
	const struct node_rule *r = NULL;

	if (!ts_node_is_null(t.n))
		r = rules_of(t.in->t->rules, t.n);
	if (r && r->op == VALUE_LAST && ts_node_named_child_count(t.n))
		return is_text(expression_at(t, last_named_child(t.n)));
	return r && r->op == VALUE_TEXT;
}

/* The node whose children are the elements of a list that is written where it is used. */
static TSNode list_of_elements(struct expression list)
{
	const struct node_rule *r = NULL;

	for (int depth = 0; depth < 4 && !ts_node_is_null(list.n); depth++) {
		r = rules_of(list.in->t->rules, list.n);
		if (node_type_is(list.n, "composite_literal"))
			list.n = node_field(list.n, "body");
		else if (r && r->op == VALUE_INNER)
			list.n = ts_node_named_child(list.n, 0);
		else if (r && r->op == VALUE_LAST)
			list.n = last_named_child(list.n);
		else
			break;
	}
	return list.n;
}

/* The arguments that a rest parameter stands for, `*parts`; how many. */
static size_t rest_arguments(struct expression splat, struct expression out[MAX_ARGS])
{
	TSNode name = ts_node_named_child(splat.n, 0), arg[MAX_ARGS];
	size_t n = 0;

	if (ts_node_is_null(name))
		return 0;
	const char *text = splat.in->t->text + node_start_byte(name);
	TSNode function = function_of_parameter(splat.in, name, text, node_len(name));
	for (const struct call_frame *g = splat.given; g && !ts_node_is_null(function);
	     g = g->call.given) {
		if (g->in != splat.in || !ts_node_eq(g->function, function))
			continue;
		n = parameter_rest_arguments(g, text, node_len(name), arg, MAX_ARGS);
		for (size_t i = 0; i < n; i++)
			out[i] = (struct expression){ g->call.in, arg[i], g->call.given };
		break;
	}
	return n;
}

/* One element of a list, or all that are spread there. */
static void eval_element_of_list(
    struct eval *v, struct expression element, struct expression between)
{
	struct expression rest[MAX_ARGS];
	size_t n = 0;

	if (node_type_is(element.n, "splat_argument") || node_type_is(element.n, "spread_element"))
		n = rest_arguments(element, rest);
	if (!n)
		eval(v, element);
	for (size_t i = 0; i < n; i++) {
		if (i)
			eval(v, between);
		eval(v, rest[i]);
	}
}

void eval_elements(struct eval *v, struct expression list, struct expression between)
{
	struct expression written = expression_at(list, list_of_elements(list));
	uint32_t count = 0;

	struct origin o = origin_of(v->ask, written);
	if (o.what == ORIGIN_NODE)
		written = expression_at(o.at, list_of_elements(o.at));
	if (!ts_node_is_null(written.n))
		count = ts_node_named_child_count(written.n);
	if (!count)
		eval_unknown(v);
	for (uint32_t i = 0; i < count && i < MAX_ARGS; i++) {
		if (i)
			eval(v, between);
		eval_element_of_list(v, expression_at(written, ts_node_named_child(written.n, i)), between);
	}
}

/*
 * `"/".join([a, b])`, `strings.Join([]string{a, b}, "/")`, `implode("/", [$a, $b])`,
 * `string.Join("/", a, b)`
 */
void eval_list(struct eval *v, const struct call_rule *rule, const struct evaluated_call *m)
{
	struct expression first = evaluated_argument(m, 0), second = evaluated_argument(m, 1);

	if (*rule->name == '.') {
		eval_elements(v, first, evaluated_receiver(m));
	} else if (!is_text(first)) {
		eval_elements(v, first, second);
	} else if (m->n == 2) {
		eval_elements(v, second, first);
	} else {
		for (size_t i = 1; i < m->n; i++) {
			if (i > 1)
				eval(v, first);
			eval(v, evaluated_argument(m, i));
		}
	}
}
