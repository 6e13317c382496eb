/*
 * URLs that are made of their parts: `url.URL{Scheme: "http", Host: h, Path: p}`,
 * `URL.build(host=h, path=p)`, `new URL("http", h, 80, p)`; and steps of builders.
 */
#include "shard/contracts/urls/url_evaluator_internal.h"

#include <ctype.h>

#include "proto/base/buf.h"
#include "proto/base/minmax.h"

/* The value of a key in a composite literal, or NULL. */
static const char *literal_key_text(struct eval *v, struct expression body, const char *key)
{
	uint32_t count = ts_node_named_child_count(body.n);

	for (uint32_t i = 0; i < count && i < MAX_ARGS; i++) {
		TSNode pair = ts_node_named_child(body.n, i);
		if (ts_node_named_child_count(pair) < 2 ||
		    !node_is(body.in->t, ts_node_named_child(pair, 0), key))
			continue;
		TSNode value = ts_node_named_child(ts_node_named_child(pair, 1), 0);
		return eval_string(v, expression_at(body, value));
	}
	return NULL;
}

/* The member of an object of parts that has one of the names; or a null node. */
static struct expression named_part(
    struct eval *v, struct expression parts, const char *const *name, size_t n)
{
	struct expression of = { 0 };

	for (size_t i = 0; i < n && ts_node_is_null(of.n); i++)
		of = literal_member(v->ask, parts, name[i]);
	return of;
}

static void put_host_and_path(struct eval *v, const char *host, const char *path)
{
	buf_str(v->out, "http://");
	buf_str(v->out, host);
	if (*path && *path != '/')
		buf_byte(v->out, '/');
	buf_str(v->out, path);
}

/* A URL whose parts have names; false: they have none. */
static bool eval_named_parts(struct eval *v, struct expression parts)
{
	static const char *const paths[] = {"path", "pathname"};
	static const char *const hosts[] = { "host", "hostname", "netloc", "authority" };
	struct expression host = named_part(v, parts, hosts, LEN(hosts)),
	                  path = named_part(v, parts, paths, LEN(paths));
	const char *where = "{}", *below = "";

	if (ts_node_is_null(host.n) && ts_node_is_null(path.n))
		return false;
	if (!ts_node_is_null(host.n))
		where = eval_string(v, host);
	if (!ts_node_is_null(path.n))
		below = eval_string(v, path);
	put_host_and_path(v, where, below);
	return true;
}

/*
 * A URL whose parts are in sequence: the scheme, the host behind it, and a path, which begins with
 * a slash if it is known.  Ports, users and what is null are between them.
 */
static void eval_parts_in_sequence(struct eval *v, const struct expression *part, size_t n)
{
	const char *host = "{}", *path = "";

	for (size_t i = 1; i < n && !*path; i++) {
		const char *text = eval_string(v, part[i]);
		if (*text == '/')
			path = text;
		else if (!strcmp(host, "{}") && isalpha((unsigned char)*text) && strcmp(text, "null"))
			host = text;
	}
	put_host_and_path(v, host, path);
}

void eval_url_of_parts(struct eval *v, const struct evaluated_call *m)
{
	struct expression list = expression_at(m->call, arguments_of(m->call.in->t, m->call.n)),
	                  part[MAX_ARGS], first = evaluated_argument(m, 0);
	size_t n = m->n;

	if (eval_named_parts(v, list) || (n == 1 && eval_named_parts(v, first)))
		return;
	for (size_t i = 0; i < n; i++)
		part[i] = evaluated_argument(m, i);
	if (n == 1)
		n = list_values(v->ask, first, part, MAX_ARGS);
	if (n < 3)	/* it is written in one, or seen from another one */
		eval_seen_from(v, m);
	else
		eval_parts_in_sequence(v, part, n);
}

void eval_parts(struct eval *v, struct expression t)
{
	TSNode type = ts_node_child_by_field_name(t.n, "type", 4),
	       body = ts_node_child_by_field_name(t.n, "body", 4);

	if (ts_node_is_null(type) || ts_node_is_null(body) || !node_is(t.in->t, type, "url.URL")) {
		eval_unknown(v);
		return;
	}
	struct expression b = expression_at(t, body);
	const char *scheme = literal_key_text(v, b, "Scheme"), *host = literal_key_text(v, b, "Host"),
	           *path = literal_key_text(v, b, "Path");
	if (!scheme && !host && path) {		/* a reference */
		buf_str(v->out, path);
		return;
	}
	if (!scheme || !strcmp(scheme, "{}"))
		scheme = "http";
	if (!host)
		host = "{}";
	buf_str(v->out, scheme);
	buf_str(v->out, "://");
	buf_str(v->out, host);
	if (!path)
		return;
	if (*path != '/')
		buf_byte(v->out, '/');
	buf_str(v->out, path);
}

void eval_segment_text(struct eval *v, const char *text)
{
	if (*text == '/')
		text++;
	if (!v->out->n || v->out->p[v->out->n - 1] != '/')
		buf_byte(v->out, '/');
	buf_str(v->out, text);
}

void eval_added(struct eval *v, enum call_how how, const char *text)
{
	bool whole = how == CALL_BELOW && (!strcmp(text, "{}") || !strcmp(text, URL_PARAMETER));

	if (how == CALL_SEGMENTS || (how == CALL_BELOW && !whole))
		eval_segment_text(v, text);
	else
		buf_str(v->out, text);
}

/* A step of a builder: the object it is called on, then what the arguments add. */
void eval_step(struct eval *v, const struct evaluated_call *m)
{
	size_t count = m->n;

	if (m->how == CALL_SAME)
		count = 0;
	else if (m->how != CALL_SEGMENTS)
		count = MIN(m->n, 1);
	if (m->how == CALL_HOST)
		buf_str(v->out, "//");
	else
		eval(v, evaluated_receiver(m));
	for (size_t i = 0; i < count; i++)
		eval_added(v, m->how, eval_string(v, evaluated_argument(m, i)));
}

/* Only the host of the URL that the method is called on. */
void eval_bare(struct eval *v, const struct evaluated_call *m)
{
	const char *host = eval_string(v, evaluated_receiver(m)), *slashes = strstr(host, "//");

	if (slashes)
		host = slashes + 2;
	buf_put(v->out, host, strcspn(host, "/:"));
}

/*
 * The object the method is called on, else the argument: env::var("X").unwrap_or(y).  A URL of
 * another machine is preferred to one of this machine.
 */
void eval_fallback(struct eval *v, const struct evaluated_call *m)
{
	const char *text = eval_string(v, evaluated_receiver(m)), *other = "{}";
	bool known = strcmp(text, "{}") != 0;

	if (m->n && (!known || url_is_local(text)))
		other = eval_string(v, evaluated_argument(m, 0));
	bool better = strcmp(other, "{}") && !url_is_local(other);
	if (known && !better)
		buf_str(v->out, text);
	else
		buf_str(v->out, other);
}

static void put_known(struct eval *v, const char *text)
{
	if (strcmp(text, "{}"))
		buf_str(v->out, text);
}

/* Two filters in sequence; one of which nothing is known adds nothing to the path. */
void eval_and(struct eval *v, const struct evaluated_call *m)
{
	const char *first = eval_string(v, evaluated_receiver(m));
	const char *second = eval_string(v, evaluated_argument(m, 0));

	put_known(v, first);
	put_known(v, second);
}

/* A segment of a path; without an argument, it is a parameter. */
void eval_segment(struct eval *v, const struct evaluated_call *m)
{
	buf_byte(v->out, '/');
	if (m->n)
		eval(v, evaluated_argument(m, 0));
	else
		eval_unknown(v);
}

void eval_other_path(struct eval *v, const struct evaluated_call *m)
{
	struct expression list = expression_at(m->call, arguments_of(m->call.in->t, m->call.n)),
	                  path = literal_member(v->ask, list, "path");
	size_t before = v->out->n;

	if (ts_node_is_null(path.n))
		path = evaluated_argument(m, 0);
	eval(v, evaluated_receiver(m));
	eval_put_path(v, before, eval_string(v, path));
}
