#include "shard/contracts/framework_objects.h"

#include <strings.h>

#include "proto/base/arena.h"
#include "proto/base/minmax.h"
#include "shard/contracts/urls/other_files.h"
#include "shard/program/program.h"

/* Functions that receive each request before it is sent, and may change its URL. */

enum { MAX_FUNCTIONS = 8, MAX_INTERCEPTS = 16, MAX_RAW = 160 };

/* A change of URLs: another base, or a prefix between the base and the path; NULL: unchanged. */
struct url_change {
	const char *base, *url;
};

/* The file and the bytes of a function, or of the class that contains it. */
struct function_body {
	struct contract_file *in;
	uint32_t from, to;
};

static bool body_find(struct dataflow_context *a, struct expression t, struct function_body *out)
{
	struct origin o = origin_of(a, t);

	if (o.what == ORIGIN_DEFINITION) {
		const struct definition *d = &o.at.in->found->v[o.definition].def;
		*out = (struct function_body){ o.at.in, d->start_byte, d->end_byte };
		return true;
	}
	if (o.what == ORIGIN_NODE) {
		*out = (struct function_body){ o.at.in, node_start_byte(o.at.n), node_end_byte(o.at.n) };
		return true;
	}
	return false;
}

/* The interceptors that an expression means: one, or a list of them, also by a name. */
static size_t bodies_find(
    struct dataflow_context *a, struct expression t, struct function_body out[MAX_FUNCTIONS])
{
	struct origin o = origin_of(a, t);
	TSNode each[MAX_FUNCTIONS];
	size_t found = 0, n = 0;

	if (o.what == ORIGIN_NODE)
		n = url_elements(o.at.in->t, o.at.n, each, MAX_FUNCTIONS);
	if (!n)
		return body_find(a, t, out);
	for (size_t i = 0; i < n; i++)
		found += body_find(a, (struct expression){ o.at.in, each[i], NULL }, &out[found]);
	return found;
}

/* The text before the request's old URL, which must be at the end; NULL: there is none. */
static const char *prefix_of_rewritten_url(struct dataflow_context *a, const char *text)
{
	size_t n = strlen(text);

	if (n && text[n - 1] == '}')
		while (n && text[n - 1] != '{')
			n--;
	if (!n || text[n - 1] != '{')
		return NULL;
	n--;
	while (n && text[n - 1] == '/')
		n--;
	if (n)
		return arena_strn(a->a, text, n);
	return NULL;
}

/* Whether the match changes a parameter of a function in the body. */
static bool changes_body_parameter(const struct function_body *b, const struct framework_match *p)
{
	TSNode name = p->node[ROLE_OBJECT];

	if (!p->changes || node_start_byte(p->node[ROLE_PREFIX]) < b->from ||
	    node_end_byte(p->node[ROLE_PREFIX]) > b->to)
		return false;
	if (ts_node_is_null(name))
		return true;
	TSNode function = function_of_parameter(
	    b->in, name, b->in->t->text + node_start_byte(name), node_len(name));
	return !ts_node_is_null(function) && node_start_byte(function) >= b->from;
}

static void change_add(struct dataflow_context *a, const struct function_body *b,
    const struct framework_match *p, struct url_change *out)
{
	const char *text = framework_match_prefix(a, b->in, p, NULL), **field = &out->base,
	           *path = NULL;
	TSNode n = p->node[ROLE_PREFIX];

	if (strcmp(p->changes, "base")) {
		field = &out->url;
		text = prefix_of_rewritten_url(a, text);
	}
	if (!text || !*text || *field)
		return;
	*field = text;
	if (b->in->file)
		path = b->in->file->path;
	url_add_step(a, path, node_line(n),
	    arena_strn(a->a, b->in->t->text + node_start_byte(n), MIN(node_len(n), (uint32_t)MAX_RAW)));
}

/* Add the changes that the interceptors of a match make; false: they make none. */
static bool add_interceptor_changes(struct dataflow_context *a, const struct framework *fw,
    struct contract_file *in, const struct framework_match *p, struct url_change *out)
{
	struct function_body body[MAX_FUNCTIONS];
	struct url_steps *steps = a->steps;

	a->budget = MAX_RAW;
	a->steps = NULL;	/* its steps are not part of the path */
	size_t n = bodies_find(a, (struct expression){ in, p->node[ROLE_INTERCEPT], NULL }, body);
	a->steps = steps;
	for (size_t i = 0; i < n; i++) {
		struct framework_matches *s = framework_matches_in_file(body[i].in, fw);
		for (size_t k = 0; s && k < s->n; k++)
			if (changes_body_parameter(&body[i], &s->v[k]))
				change_add(a, &body[i], &s->v[k], out);
	}
	return out->base || out->url;
}

static const char *apply_url_change(
    struct dataflow_context *a, const struct url_change *c, const char *prefix)
{
	if (c->base)
		prefix = c->base;
	if (!c->url)
		return prefix;
	if (!prefix)
		return c->url;
	return path_join(a->a, prefix, c->url);
}

const char *apply_interceptors(struct dataflow_context *a, const struct framework *fw,
    const struct framework_object *x, const char *prefix)
{
	struct framework_matches *s = framework_matches_in_file(x->in, fw);
	struct object_mount m[MAX_INTERCEPTS];
	struct url_change c = { 0 };

	if (!s || !s->intercepts)
		return prefix;
	for (size_t i = 0; i < s->n; i++)
		if (intercepts(&s->v[i]) && match_concerns_object(a, x->in, &s->v[i], x))
			add_interceptor_changes(a, fw, x->in, &s->v[i], &c);
	size_t n = 0;
	if (a->join)
		n = other_files_mounts(a->join, x, fw, m, MAX_INTERCEPTS);
	for (size_t i = 0; i < n; i++) {
		s = framework_matches_in_file(m[i].in, fw);
		for (size_t k = 0; s && k < s->n; k++)
			if (intercepts(&s->v[k]) && has(&s->v[k], ROLE_BIND) &&
			    node_start_byte(s->v[k].node[ROLE_BIND]) == m[i].at)
				add_interceptor_changes(a, fw, m[i].in, &s->v[k], &c);
	}
	return apply_url_change(a, &c, prefix);
}

bool global_applies_to_client(
    const struct framework_match *p, const struct contract_file *in, struct expression client)
{
	TSNode module = p->node[ROLE_OBJECT];

	if (ts_node_is_null(module) || ts_node_is_null(client.n))
		return true;
	return node_len(module) == node_len(client.n) &&
	    !strncasecmp(in->t->text + node_start_byte(module),
	        client.in->t->text + node_start_byte(client.n), node_len(module));
}

/* Add what the first global interceptor at a byte of the file (UINT32_MAX: anywhere) changes. */
static bool collect_changes_at(struct dataflow_context *a, const struct framework *fw,
    struct contract_file *in, uint32_t at, struct expression client, struct url_change *out)
{
	struct framework_matches *s = framework_matches_in_file(in, fw);

	for (size_t i = 0; s && i < s->n; i++) {
		const struct framework_match *p = &s->v[i];
		if (!p->global || !has(p, ROLE_INTERCEPT))
			continue;
		if (at != UINT32_MAX && node_start_byte(p->node[ROLE_INTERCEPT]) != at)
			continue;
		if (global_applies_to_client(p, in, client) && add_interceptor_changes(a, fw, in, p, out))
			return true;
	}
	return false;
}

const char *apply_global_interceptors(struct dataflow_context *a, const struct framework *fw,
    struct expression client, const char *prefix)
{
	struct framework_matches *s = framework_matches_in_file(a->home, fw);
	struct object_mount m[MAX_INTERCEPTS];
	struct url_change c = { 0 };

	if (!s || !s->global || !s->intercepts)
		return prefix;
	if (collect_changes_at(a, fw, a->home, UINT32_MAX, client, &c))
		return apply_url_change(a, &c, prefix);
	a->unknown = true;
	size_t n = 0;
	if (a->join)
		n = other_files_globals(a->join, a->home, fw, INTERCEPTS_NAME, m, MAX_INTERCEPTS);
	for (size_t i = 0; i < n; i++)
		if (collect_changes_at(a, fw, m[i].in, m[i].at, client, &c))
			return apply_url_change(a, &c, prefix);
	return prefix;
}
