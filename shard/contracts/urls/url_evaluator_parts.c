/* Composite literals that are URLs: `url.URL{Scheme: "http", Host: h, Path: p}`. */
#include "shard/contracts/urls/url_evaluator_internal.h"

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

void eval_url_of_parts(struct eval *v, struct expression call)
{
	struct expression list = expression_at(call, arguments_of(call.in->t, call.n));
	struct expression host = literal_member(v->ask, list, "host"),
	                  path = literal_member(v->ask, list, "path");

	buf_str(v->out, "http://");
	if (ts_node_is_null(host.n))
		eval_unknown(v);
	else
		eval(v, host);
	if (!ts_node_is_null(path.n))
		eval(v, path);
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
