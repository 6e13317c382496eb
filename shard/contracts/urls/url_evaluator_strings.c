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
	if (!i || i >= m->n || strcmp(text, "{}"))
		return false;
	return isupper((unsigned char)m->call.in->t->text[node_start_byte(m->arg[i])]);
}

/* The arguments, with the elements of lists that are spread among them; how many. */
static size_t arguments_spread(
    struct eval *v, const struct evaluated_call *m, struct expression out[MAX_ARGS])
{
	size_t n = 0;

	for (size_t i = 0; i < m->n && n < MAX_ARGS; i++) {
		const struct node_rule *r = rules_of(m->call.in->t->rules, m->arg[i]);
		size_t more = 0;
		if (r && r->marks & MARK_SPREAD)
			more = list_values(v->ask, expression_at(m->call, ts_node_named_child(m->arg[i], 0)),
			    out + n, MAX_ARGS - n);
		if (!more)
			out[n] = evaluated_argument(m, i);
		n += more ? more : 1;
	}
	return n;
}

/* The arguments, joined with slashes. */
void eval_joined(struct eval *v, const struct evaluated_call *m)
{
	struct expression part[MAX_ARGS];
	size_t n = arguments_spread(v, m, part);

	for (size_t i = 0; i < n; i++) {
		const char *text = eval_string(v, part[i]);
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
 * A replacement by an expression that only normalizes slashes: of several one stays, those at the
 * end go.  False: it is another expression.
 */
static bool replaces_slashes(struct eval *v, const char *what, const char *text)
{
	static const char *const one[] = { "\\/+", "/+", "\\/{2,}", "\\/\\/+", "//+", "/{2,}" },
	                        *const last[] = { "\\/+$", "\\/$", "/+$", "/$", "\\/*$", "/*$" };
	bool merge = false, cut = false;
	size_t before = v->out->n;

	for (size_t i = 0; i < LEN(one); i++) {
		merge |= !strcmp(what, one[i]);
		cut |= !strcmp(what, last[i]);
	}
	if (!merge && !cut)
		return false;
	for (const char *s = text; *s; s++)
		if (!merge || *s != '/' || s[1] != '/' || (s > text && s[-1] == ':'))
			buf_byte(v->out, *s);
	while (cut && v->out->n > before && v->out->p[v->out->n - 1] == '/')
		v->out->n--;
	return true;
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
	if (replaces_slashes(v, what, text))
		return;
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

static bool is_text(struct expression t)
{
	const struct node_rule *r = NULL;

	if (!ts_node_is_null(t.n))
		r = rules_of(t.in->t->rules, t.n);
	if (r && r->op == VALUE_LAST && ts_node_named_child_count(t.n))
		return is_text(expression_at(t, last_named_child(t.n)));
	return r && r->op == VALUE_TEXT;
}

/* Whether a call makes the value. */
static bool is_made(struct eval *v, struct expression t)
{
	struct origin o = origin_of(v->ask, t);
	const struct expr_rule *x = NULL;

	if (o.what == ORIGIN_NODE)
		x = rules_expr(o.at.in->t, o.at.n);
	return x && x->op == EXPR_CALL;
}

/*
 * The elements of a list with a text between them; what is no list, and is joined to an object that
 * a call makes, is seen from it: `URL(base).join(path)`.
 */
static void eval_elements(struct eval *v, struct expression list, struct expression between)
{
	struct expression item[MAX_ARGS];
	size_t count = list_values(v->ask, list, item, MAX_ARGS);

	if (!count && is_made(v, between)) {
		put_resolved(v->out, eval_string(v, between), eval_string(v, list));
		return;
	}
	if (!count) {
		struct origin o = origin_of(v->ask, list);
		if (!eval_parameter_of_site(v, &o))
			eval_unknown(v);
	}
	size_t begin = v->out->n;
	for (size_t i = 0; i < count; i++) {
		if (i)
			eval_next(v, between);
		size_t before = v->out->n;
		eval_next(v, item[i]);
		bool base = i == 1 && count > 2 && before == begin + 1 && v->out->p[begin] == '/';
		if (base && !eval_known(v->out, before)) {	/* ["", base, path]: no segment, but a base */
			v->out->n = begin;
			eval_unknown(v);
		}
	}
}

void eval_resolved(
    struct eval *v, const struct call_rule *rule, const struct evaluated_call *m)
{
	bool method = strchr(".-", *rule->name) != NULL;
	struct expression of = evaluated_argument(m, 0), first;
	const char *reference = "";

	if (method && m->n == 1 && list_values(v->ask, evaluated_receiver(m), &first, 1)) {
		eval_elements(v, evaluated_receiver(m), of);
		return;
	}

	if (method)
		of = evaluated_receiver(m);
	const char *base = eval_string(v, of);
	bool alone = m->n <= !method;
	if (!alone)
		reference = eval_string(v, evaluated_argument(m, !method));
	if (alone || is_option(m, !method, reference))	/* there is no base */
		buf_str(v->out, base);
	else
		put_resolved(v->out, base, reference);
}

void eval_seen_from(struct eval *v, const struct evaluated_call *m)
{
	if (m->n == 2)
		put_resolved(v->out, eval_string(v, evaluated_argument(m, 0)),
		    eval_string(v, evaluated_argument(m, 1)));
	else
		eval(v, evaluated_argument(m, 0));
}

void eval_with_base_url(struct eval *v, const struct evaluated_call *m)
{
	const char *path = eval_string(v, evaluated_argument(m, 0));

	if (m->n > 1)
		put_resolved(v->out, eval_string(v, evaluated_argument(m, 1)), path);
	else
		buf_str(v->out, path);
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

/* The texts that `n` nodes of the call's file give, with another one between them. */
static void eval_between(struct eval *v, const struct evaluated_call *m, const TSNode *part,
    size_t n, const char *between)
{
	for (size_t i = 0; i < n; i++) {
		if (i)
			buf_str(v->out, between);
		eval(v, expression_at(m->call, part[i]));
	}
}

/* `String.join("/", a, b)`; `listOf(a, b).joinToString("/")`, whose list is where it is made. */
void eval_separated(struct eval *v, const struct evaluated_call *m)
{
	const char *between = eval_string(v, evaluated_argument(m, 0));
	struct evaluated_call list = { .call = m->call };

	struct expression first;
	if (m->how == CALL_SEPARATED && m->n == 2 &&
	    (rest_is_given(m->call.given, evaluated_argument(m, 1)) ||
	        list_values(v->ask, evaluated_argument(m, 1), &first, 1))) {
		eval_elements(v, evaluated_argument(m, 1), evaluated_argument(m, 0));
		return;
	}
	if (m->how == CALL_SEPARATED && m->n) {
		eval_between(v, m, m->arg + 1, m->n - 1, between);
		return;
	}
	if (rest_is_given(m->call.given, evaluated_receiver(m))) {
		eval_elements(v, evaluated_receiver(m), evaluated_argument(m, 0));
		return;
	}
	struct origin o = origin_of(v->ask, evaluated_receiver(m));
	if (eval_parameter_of_site(v, &o))
		return;
	if (o.what == ORIGIN_NODE) {
		list.call = o.at;
		list.n = call_arguments(o.at.in->t, o.at.n, list.arg, MAX_ARGS);
	}
	if (list.n)
		eval_between(v, &list, list.arg, list.n, between);
	else
		eval_unknown(v);
}

/*
 * `"/".join([a, b])`, `strings.Join([]string{a, b}, "/")`, `implode("/", [$a, $b])`,
 * `string.Join("/", a, b)`, `[a, b].join("/")`
 */
void eval_list(struct eval *v, const struct call_rule *rule, const struct evaluated_call *m)
{
	struct expression list = evaluated_argument(m, 0), between = evaluated_argument(m, 1);
	TSNode arguments = arguments_of(m->call.in->t, m->call.n);
	bool first = *rule->name != '.' && is_text(list);

	if (node_type_is(arguments, "generator_expression"))	/* "/".join(str(p) for p in parts) */
		list.n = arguments;
	if (m->how == CALL_ELEMENTS) {
		between = list;
		list = evaluated_receiver(m);
	} else if (*rule->name == '.') {
		between = evaluated_receiver(m);
	} else if (first) {
		between = list;
		list = evaluated_argument(m, 1);
	}
	if (!first || m->n < 3) {
		eval_elements(v, list, between);
		return;
	}
	for (size_t i = 1; i < m->n; i++) {
		if (i > 1)
			eval(v, between);
		eval(v, evaluated_argument(m, i));
	}
}
