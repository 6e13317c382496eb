#include "shard/contracts/framework_objects.h"

#include <strings.h>

#include "proto/base/arena.h"
#include "shard/contracts/urls/other_files.h"
#include "shard/program/program.h"

/* Functions that are given each request before it is sent, and may send it elsewhere. */

enum { MAX_FUNCTIONS = 8, MAX_INTERCEPTS = 16, MAX_RAW = 160 };

/* What becomes of URLs: another base, something between it and the path.  NULL: neither. */
struct change {
	const char *base, *url;
};

/* Where a function stands, or the class that has it. */
struct body {
	struct reading *in;
	uint32_t from, to;
};

static bool body_find(struct asking *a, struct term t, struct body *out)
{
	struct origin o = origin_of(a, t);

	if (o.what == ORIGIN_DEFINITION) {
		const struct definition *d = &o.at.in->found->v[o.definition].def;
		*out = (struct body){ o.at.in, d->start_byte, d->end_byte };
	} else if (o.what == ORIGIN_NODE) {
		*out = (struct body){ o.at.in, node_from(o.at.n), node_to(o.at.n) };
	}
	return o.what == ORIGIN_DEFINITION || o.what == ORIGIN_NODE;
}

/* The interceptors that an expression is: one, or a list of them, also under a name. */
static size_t bodies_find(struct asking *a, struct term t, struct body out[MAX_FUNCTIONS])
{
	struct origin o = origin_of(a, t);
	TSNode each[MAX_FUNCTIONS];
	size_t found = 0, n = o.what == ORIGIN_NODE ? url_elements(o.at.in->t, o.at.n, each, MAX_FUNCTIONS) : 0;

	for (size_t i = 0; i < n; i++)
		found += body_find(a, (struct term){ o.at.in, each[i], NULL }, &out[found]);
	return n ? found : body_find(a, t, out);
}

/* What stands before the URL that a request had, which is all of the rest; NULL: that is not how it is made. */
static const char *before_url(struct asking *a, const char *text)
{
	size_t n = strlen(text);

	if (n && text[n - 1] == '}')
		while (n && text[n - 1] != '{')
			n--;
	if (!n || text[n - 1] != '{')
		return NULL;
	for (n--; n && text[n - 1] == '/'; n--)
		;
	return n ? arena_strn(a->a, text, n) : NULL;
}

/* Whether the spot is a change of what a function of the body is given. */
static bool changes_given(const struct body *b, const struct spot *p)
{
	TSNode name = p->node[ROLE_OBJECT];

	if (!p->changes || node_from(p->node[ROLE_PREFIX]) < b->from || node_to(p->node[ROLE_PREFIX]) > b->to)
		return false;
	if (ts_node_is_null(name))
		return true;
	TSNode function = parameter_function(b->in, name, b->in->t->text + node_from(name), node_len(name));
	return !ts_node_is_null(function) && node_from(function) >= b->from;
}

static void change_add(struct asking *a, const struct body *b, const struct spot *p, struct change *out)
{
	const char *text = spot_prefix(a, b->in, p);
	bool base = !strcmp(p->changes, "base");
	TSNode n = p->node[ROLE_PREFIX];

	if (!base && !(text = before_url(a, text)))
		return;
	if (!*text || (base ? out->base : out->url))
		return;
	*(base ? &out->base : &out->url) = text;
	url_step(a, b->in->file ? b->in->file->path : NULL, node_line(n),
	    arena_strn(a->a, b->in->t->text + node_from(n), node_len(n) > MAX_RAW ? MAX_RAW : node_len(n)));
}

/* Add what an interceptor of the spot does; whether that is anything. */
static bool change_find(struct asking *a, const struct framework *fw, struct reading *in, const struct spot *p, struct change *out)
{
	struct body body[MAX_FUNCTIONS];
	struct url_steps *steps = a->steps;

	a->budget = MAX_RAW;
	a->steps = NULL;	/* where it stands says nothing of the path */
	size_t n = bodies_find(a, (struct term){ in, p->node[ROLE_INTERCEPT], NULL }, body);
	a->steps = steps;
	for (size_t i = 0; i < n; i++) {
		struct spots *s = spots_there(body[i].in, fw);
		for (size_t k = 0; s && k < s->n; k++)
			if (changes_given(&body[i], &s->v[k]))
				change_add(a, &body[i], &s->v[k], out);
	}
	return out->base || out->url;
}

static const char *changed(struct asking *a, const struct change *c, const char *prefix)
{
	prefix = c->base ? c->base : prefix;
	return c->url ? path_join(a->a, prefix ? prefix : "", c->url) : prefix;
}

const char *intercepted(struct asking *a, const struct framework *fw, const struct identity *x, const char *prefix)
{
	struct spots *s = spots_there(x->in, fw);
	struct join_mount m[MAX_INTERCEPTS];
	struct change c = { 0 };

	if (!s || !s->intercepts)
		return prefix;
	for (size_t i = 0; i < s->n; i++)
		if (intercepts(&s->v[i]) && identity_meant(a, x->in, &s->v[i], x))
			change_find(a, fw, x->in, &s->v[i], &c);
	size_t n = a->join ? join_mounts(a->join, x, fw, m, MAX_INTERCEPTS) : 0;
	for (size_t i = 0; i < n; i++) {
		s = spots_there(m[i].in, fw);
		for (size_t k = 0; s && k < s->n; k++)
			if (intercepts(&s->v[k]) && has(&s->v[k], ROLE_BIND) && node_from(s->v[k].node[ROLE_BIND]) == m[i].at)
				change_find(a, fw, m[i].in, &s->v[k], &c);
	}
	return changed(a, &c, prefix);
}

bool said_of(const struct spot *p, const struct reading *in, struct term client)
{
	TSNode module = p->node[ROLE_OBJECT];

	return ts_node_is_null(module) || ts_node_is_null(client.n) ||
	    (node_len(module) == node_len(client.n) &&
	    !strncasecmp(in->t->text + node_from(module), client.in->t->text + node_from(client.n), node_len(module)));
}

/* Add what one of them does that stands at a byte of the file (UINT32_MAX: wherever). */
static bool changed_by(struct asking *a, const struct framework *fw, struct reading *in, uint32_t at,
    struct term client, struct change *out)
{
	struct spots *s = spots_there(in, fw);

	for (size_t i = 0; s && i < s->n; i++) {
		const struct spot *p = &s->v[i];
		if (p->global && has(p, ROLE_INTERCEPT) && (at == UINT32_MAX || node_from(p->node[ROLE_INTERCEPT]) == at) &&
		    said_of(p, in, client) && change_find(a, fw, in, p, out))
			return true;
	}
	return false;
}

const char *intercepted_all(struct asking *a, const struct framework *fw, struct term client, const char *prefix)
{
	struct spots *s = spots_there(a->home, fw);
	struct join_mount m[MAX_INTERCEPTS];
	struct change c = { 0 };

	if (!s || !s->global || !s->intercepts)
		return prefix;
	if (changed_by(a, fw, a->home, UINT32_MAX, client, &c))
		return changed(a, &c, prefix);
	a->unknown = true;
	size_t n = a->join ? join_globals(a->join, a->home, fw, INTERCEPTS_NAME, m, MAX_INTERCEPTS) : 0;
	for (size_t i = 0; i < n; i++)
		if (changed_by(a, fw, m[i].in, m[i].at, client, &c))
			return changed(a, &c, prefix);
	return prefix;
}
