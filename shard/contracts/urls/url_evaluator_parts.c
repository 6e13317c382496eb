/*
 * URLs that are made of their parts: `url.URL{Scheme: "http", Host: h, Path: p}`,
 * `URL.build(host=h, path=p)`, `new URL("http", h, 80, p)`.
 */
#include "shard/contracts/urls/url_evaluator_internal.h"

#include <ctype.h>

#include "proto/base/buf.h"

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
