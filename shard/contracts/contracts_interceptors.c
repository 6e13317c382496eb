#include "shard/contracts/framework_objects.h"

#include <strings.h>

#include "proto/base/arena.h"
#include "shard/contracts/urls/other_files.h"
#include "shard/program/program.h"

/* Functions that are given each request before it is sent, and may send it elsewhere. */

enum { MAX_FUNCTIONS = 8, MAX_INTERCEPTS = 16, MAX_RAW = 160 };

/* What becomes of URLs: another base, something between it and the path.  NULL: neither. */
struct url_change {
	const char *base, *url;
};

/* Where a function stands, or the class that has it. */
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
	} else if (o.what == ORIGIN_NODE) {
		*out = (struct function_body){ o.at.in, node_start_byte(o.at.n), node_end_byte(o.at.n) };
	}
	return o.what == ORIGIN_DEFINITION || o.what == ORIGIN_NODE;
}

/* The interceptors that an expression is: one, or a list of them, also under a name. */
static size_t bodies_find(
    struct dataflow_context *a, struct expression t, struct function_body out[MAX_FUNCTIONS])
{
	struct origin o = origin_of(a, t);
	TSNode each[MAX_FUNCTIONS];
	size_t found = 0,
	       n = o.what == ORIGIN_NODE ? url_elements(o.at.in->t, o.at.n, each, MAX_FUNCTIONS) : 0;

	for (size_t i = 0; i < n; i++)
		found += body_find(a, (struct expression){ o.at.in, each[i], NULL }, &out[found]);
	if (n)
		return found;
	return body_find(a, t, out);
}

/*
 * What stands before the URL that a request had, which is all of the rest; NULL: that is not how
 * it is made.
 */
static const char *prefix_of_rewritten_url(struct dataflow_context *a, const char *text)
{
	size_t n = strlen(text);

	if (n && text[n - 1] == '}')
		while (n && text[n - 1] != '{')
			n--;
	if (!n || text[n - 1] != '{')
		return NULL;
	for (n--; n && text[n - 1] == '/'; n--)
		;
	if (n)
		return arena_strn(a->a, text, n);
	return NULL;
}

/* Whether the spot is a change of what a function of the body is given. */
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
	const char *text = framework_match_prefix(a, b->in, p);
	bool base = !strcmp(p->changes, "base");
	TSNode n = p->node[ROLE_PREFIX];

	if (!base && !(text = prefix_of_rewritten_url(a, text)))
		return;
	if (!*text || (base ? out->base : out->url))
		return;
	*(base ? &out->base : &out->url) = text;
	url_add_step(a, b->in->file ? b->in->file->path : NULL, node_line(n),
	    arena_strn(a->a, b->in->t->text + node_start_byte(n),
	        node_len(n) > MAX_RAW ? MAX_RAW : node_len(n)));
}

/* Add what an interceptor of the spot does; whether that is anything. */
static bool add_interceptor_changes(struct dataflow_context *a, const struct framework *fw,
    struct contract_file *in, const struct framework_match *p, struct url_change *out)
{
	struct function_body body[MAX_FUNCTIONS];
	struct url_steps *steps = a->steps;

	a->budget = MAX_RAW;
	a->steps = NULL;	/* where it stands says nothing of the path */
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
	if (c->url)
		return path_join(a->a, prefix ? prefix : "", c->url);
	return prefix;
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

	return ts_node_is_null(module) || ts_node_is_null(client.n) ||
	    (node_len(module) == node_len(client.n) &&
	        !strncasecmp(in->t->text + node_start_byte(module),
	            client.in->t->text + node_start_byte(client.n), node_len(module)));
}

/* Add what one of them does that stands at a byte of the file (UINT32_MAX: wherever). */
static bool collect_changes_at(struct dataflow_context *a, const struct framework *fw,
    struct contract_file *in, uint32_t at, struct expression client, struct url_change *out)
{
	struct framework_matches *s = framework_matches_in_file(in, fw);

	for (size_t i = 0; s && i < s->n; i++) {
		const struct framework_match *p = &s->v[i];
		if (p->global && has(p, ROLE_INTERCEPT) &&
		    (at == UINT32_MAX || node_start_byte(p->node[ROLE_INTERCEPT]) == at) &&
		    global_applies_to_client(p, in, client) && add_interceptor_changes(a, fw, in, p, out))
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
