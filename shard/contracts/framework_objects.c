#include "shard/contracts/framework_objects.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "shard/base/kinds.h"
#include "shard/contracts/urls/other_files.h"
#include "shard/program/program.h"
#include "shard/syntax/node_rules.h"

/*
 * Objects of frameworks: a router may be made in one file, filled in a second, mounted in a third, so it is known by the
 * expression that makes it.  A spot without a site says what a name or expression is made from, or mounted on, and
 * the prefix that it has there.
 */

enum { BUDGET = 4000, DEEPEST = 8, MAX_CALLERS = 16, MAX_MOUNTS = 16, MAX_WALKS = 40 };

/* ---- what an expression is ---- */

/* The text of a name without `this.` or `self.`. */
static const char *own_name(struct asking *a, struct term t)
{
	const char *s = t.in->t->text + node_from(t.n);
	size_t n = node_len(t.n);
	size_t own = own_prefix(s, n);

	return n > 200 ? NULL : arena_strn(a->a, s + own, n - own);
}

static void add(struct identities *out, struct identity x)
{
	for (size_t i = 0; i < out->n; i++)
		if (out->v[i].in == x.in && out->v[i].at == x.at && (x.at || !strcmp(out->v[i].name, x.name)))
			return;
	if (out->n < MAX_IDENTITIES)
		out->v[out->n++] = x;
}

/* What a call that gives back its object is made on: Router() in Router().use(x); null: it is none. */
static TSNode fluent_object(struct term t)
{
	const struct tree *tree = t.in->t;
	const struct expr_rule *x = rules_expr(tree, t.n);
	TSNode f = x && x->op == EXPR_CALL && x->function.n ? path_get(&x->function, t.n) : (TSNode){ 0 }, name, none = { 0 };

	x = ts_node_is_null(f) ? NULL : rules_expr(tree, f);
	if (!x || x->op != EXPR_MEMBER)
		return none;
	name = path_get(&x->name, f);
	const char *word = ts_node_is_null(name) ? NULL : tree->text + node_from(name);
	const char *generic = word ? memchr(word, '<', node_len(name)) : NULL;
	if (!word || !words_have(&tree->rules->fluent, word, generic ? (size_t)(generic - word) : node_len(name)))
		return none;
	return path_get(&x->object, f);
}

/* Whether it is the first parameter of a function: what a plugin is given by those who register it. */
static bool is_plugged(const struct origin *o)
{
	TSNode list = ts_node_child_by_field_name(o->function, "parameters", 10);
	TSNode first = ts_node_is_null(list) ? ts_node_child_by_field_name(o->function, "parameter", 9) : ts_node_named_child(list, 0);
	size_t n = o->name ? strlen(o->name) : 0;

	return n && !ts_node_is_null(first) && node_len(first) >= n && !memcmp(o->at.in->t->text + node_from(first), o->name, n) &&
	    (node_len(first) == n || !isalnum((unsigned char)o->at.in->t->text[node_from(first) + n]));
}

static void find(struct asking *a, struct term t, struct identities *out, int depth)
{
	struct term calls[MAX_CALLERS];
	struct origin o = origin_of(a, t);
	size_t before = out->n;
	TSNode object = o.what == ORIGIN_NODE && depth < DEEPEST ? fluent_object(o.at) : (TSNode){ 0 };

	if (!ts_node_is_null(object)) {
		find(a, (struct term){ o.at.in, object, o.at.given }, out, depth + 1);
		return;
	}
	if (o.what == ORIGIN_NODE && !(ts_node_eq(o.at.n, t.n) && !ts_node_named_child_count(t.n))) {
		add(out, (struct identity){ .in = o.at.in, .at = node_from(o.at.n) + 1, .name = o.name });
	} else if (o.what == ORIGIN_PARAMETER && a->join && depth < DEEPEST) {
		int d = reading_definition(o.at.in, node_from(o.function), true);
		bool its = d >= 0 && ts_node_eq(reading_node(o.at.in, d), o.function);
		size_t n = its ? join_callers(a->join, o.at.in, d, calls, MAX_CALLERS) : 0;
		for (size_t i = 0; i < n; i++) {
			struct given g = { o.at.in, o.function, calls[i] };
			struct term x = parameter_given(a, &g, o.name, strlen(o.name));
			if (!ts_node_is_null(x.n))
				find(a, x, out, depth + 1);
		}
		if (out->n == before && is_plugged(&o))
			add(out, (struct identity){ .in = o.at.in, .at = node_from(o.function) + 1, .name = o.name });
	} else if (o.what == ORIGIN_DEFINITION) {
		const struct definition *d = &o.at.in->found->v[o.definition].def;
		TSNode function = kind_type(kind_of(d->kind)) ? (TSNode){ 0 } : reading_node(o.at.in, o.definition);
		if (!ts_node_is_null(function) || !strcmp(d->kind, "class") || !strcmp(d->kind, "module"))
			add(out, (struct identity){ .in = o.at.in,
			    .at = (ts_node_is_null(function) ? d->start_byte : node_from(function)) + 1, .name = o.name });
	}
	const char *name = out->n == before ? own_name(a, t) : NULL;
	if (name)
		add(out, (struct identity){ t.in, 0, name, t.n });
}

void identities_of(struct asking *a, struct term t, struct identities *out)
{
	struct url_steps *steps = a->steps;

	out->n = 0;
	a->budget = BUDGET;
	a->depth = 0;
	a->steps = NULL;	/* what it is made from is no part of a path */
	find(a, t, out, 0);
	a->steps = steps;
}

/* The file that an expression is: a module's name, or a string that holds it; NULL: it is none. */
static struct reading *module_of(struct asking *a, struct term t)
{
	struct origin o = origin_of(a, t);
	struct buf name = { 0 };
	struct file *f;

	if (o.what == ORIGIN_MODULE)
		return o.at.in;
	if (o.what != ORIGIN_NODE || !a->join || !t.in->file)
		return NULL;
	url_text(a, t, &name);
	buf_str(&name, "");
	f = join_module(a->join, t.in, name.p);
	f = f ? f : strchr(name.p, '/') ? join_path(a->join, t.in, name.p) : NULL;
	buf_free(&name);
	return f ? join_read(a->join, f) : NULL;
}

void identities_bound(struct asking *a, struct reading *in, const struct spot *p, struct identities *out)
{
	struct term t = { in, p->node[ROLE_BIND], NULL };

	out->n = 0;
	a->budget = BUDGET;
	struct reading *there = p->module ? module_of(a, t) : NULL;
	const struct binding *b = there ? reading_binding(there->t, p->module, strlen(p->module), 0, NULL) : NULL;
	if (b)
		identities_of(a, (struct term){ there, b->value, NULL }, out);
	else if (there)		/* what nothing is given to is known by its name: the file itself */
		add(out, (struct identity){ there, 0, p->module, there->t->root });
	else if (!p->module)
		identities_of(a, t, out);
}

/* ---- what the framework says of it ---- */

const struct framework *framework_there(const struct reading *in, const struct framework *fw)
{
	for (const struct framework *f = contracts_first(in->frameworks, NULL); f; f = f->next)
		if (framework_twins(f, fw))
			return f;
	return NULL;
}

struct spots *spots_there(struct reading *in, const struct framework *fw)
{
	const struct framework *f = framework_there(in, fw);

	return f ? reading_spots(in, f) : NULL;
}

/* What the name of a declaration, which is no expression, is given. */
static bool declared(struct asking *a, struct reading *in, TSNode n, struct identities *out)
{
	const char *name = own_name(a, (struct term){ in, n, NULL });
	const struct binding *b = name ? reading_binding(in->t, name, strlen(name), node_from(n), NULL) : NULL;

	if (b)
		identities_of(a, (struct term){ in, b->value, NULL }, out);
	return b != NULL;
}

bool made_here(struct asking *a, struct reading *in, const struct spot *p)
{
	struct identities of = { 0 };
	const char *name = has(p, ROLE_BIND) ? own_name(a, (struct term){ in, p->node[ROLE_BIND], NULL }) : NULL;
	const struct binding *b = name ? reading_binding(in->t, name, strlen(name), node_from(p->node[ROLE_BIND]), NULL) : NULL;

	if (has(p, ROLE_INSTANCE))
		return true;
	if (!name || (b && origin_required(in, b->value)))
		return false;
	identities_of(a, b ? (struct term){ in, b->value, NULL } : (struct term){ in, p->node[ROLE_BIND], NULL }, &of);
	return of.n && of.v[0].at && of.v[0].in == in;
}

/* Whether a name, which a spot binds, is seen where another stands: parameters and locals only in their function. */
static bool seen(const struct reading *in, TSNode bind, TSNode at)
{
	const char *s = in->t->text + node_from(bind), *name = in->t->text + node_from(at);
	TSNode function;

	if (ts_node_is_null(at) || *s == '@' || memchr(s, '.', node_len(bind)) || memchr(name, '.', node_len(at)))
		return true;
	function = parameter_function(in, at, name, node_len(at));
	TSNode its = parameter_function(in, bind, s, node_len(bind));
	if (!ts_node_is_null(function) && !ts_node_is_null(its))
		return ts_node_eq(function, its);
	if (!ts_node_is_null(function))
		return node_from(function) <= node_from(bind) && node_to(bind) <= node_to(function);
	function = names_field(in, bind) ? (TSNode){ 0 } : reading_function(in, bind);
	return ts_node_is_null(function) || (node_from(function) <= node_from(at) && node_to(at) <= node_to(function));
}

bool identity_meant(struct asking *a, struct reading *in, const struct spot *p, const struct identity *x)
{
	struct identities of;

	if (has(p, ROLE_INSTANCE))
		return x->in == in && x->at == node_from(p->node[ROLE_INSTANCE]) + 1;
	if (!has(p, ROLE_BIND))
		return false;
	const char *name = own_name(a, (struct term){ in, p->node[ROLE_BIND], NULL });
	bool same = x->in == in && name && x->name && !strcmp(name, x->name);
	if (!x->at)
		return same && seen(in, p->node[ROLE_BIND], x->node);
	identities_bound(a, in, p, &of);
	if (of.n == 1 && !of.v[0].at && name && !ts_node_is_null(parameter_function(in, p->node[ROLE_BIND], name, strlen(name))))
		return false;	/* whatever has that name around */
	if (of.n == 1 && !of.v[0].at && !declared(a, in, p->node[ROLE_BIND], &of))
		return same;
	for (size_t i = 0; i < of.n; i++)
		if (of.v[i].in == x->in && of.v[i].at == x->at)
			return true;
	return false;
}

bool identity_bound(struct asking *a, const struct framework *fw, const struct identity *x)
{
	struct spots *s = spots_there(x->in, fw);

	for (size_t i = 0; s && i < s->n; i++)
		if (binds_object(&s->v[i]) && identity_meant(a, x->in, &s->v[i], x))
			return true;
	return false;
}

void prefixes_add(struct prefixes *out, const char *s)
{
	for (size_t i = 0; i < out->n; i++)
		if (!strcmp(out->v[i], s))
			return;
	if (out->n < MAX_PREFIXES)
		out->v[out->n++] = s;
}

const char *path_join(struct arena *a, const char *before, const char *after)
{
	return !*before ? after : !*after ? before : arena_printf(a, "%s/%s", before, after);
}

/* What a walk is on its way from, so that it goes round no circle. */
struct trail {
	const struct identity *x;
	const struct trail *from;
	int depth;
};

static void walk(struct asking *, const struct framework *, const struct identity *, const struct trail *, struct prefixes *out);

/* The function of which the thing, known by its name, is a parameter; null: none. */
static TSNode given_in(const struct identity *x)
{
	return parameter_function(x->in, x->node, x->name, strlen(x->name));
}

static bool same_thing(const struct identity *a, const struct identity *b)
{
	if (a->in != b->in || a->at != b->at)
		return false;
	return a->at || (!strcmp(a->name, b->name) && ts_node_eq(given_in(a), given_in(b)));
}

static bool been(const struct trail *t, const struct identity *x)
{
	for (; t; t = t->from)
		if (same_thing(t->x, x))
			return true;
	return false;
}

/* The prefixes that a link gives: each of its parent with its own, and `own`, which the child was made with, behind it. */
static void link_prefixes(struct asking *a, const struct framework *fw, struct reading *in, const struct spot *p, const char *own,
    const struct trail *trail, struct prefixes *out)
{
	struct prefixes above = { 0 };
	struct identities parents = { 0 };
	const char *prefix = prefixed(p) ? spot_prefix(a, in, p) : "";

	if (has(p, ROLE_OBJECT))
		identities_of(a, (struct term){ in, p->node[ROLE_OBJECT], NULL }, &parents);
	for (size_t i = 0; i < parents.n; i++)
		if (!been(trail, &parents.v[i]))
			walk(a, fw, &parents.v[i], trail, &above);
	if (!above.n)
		prefixes_add(&above, "");
	if (has(p, ROLE_BIND))
		scopes_around(a, in, spots_there(in, fw), p, &above);
	for (size_t i = 0; i < above.n; i++)
		prefixes_add(out, path_join(a->a, path_join(a->a, above.v[i], prefix), p->replaces ? "" : own));
}

/* What it was made with: a prefix without an object. */
static const char *made_with(struct asking *a, struct spots *s, const struct identity *x)
{
	for (size_t i = 0; s && i < s->n; i++) {
		const struct spot *p = &s->v[i];
		if (prefixed(p) && !has(p, ROLE_SITE) && !has(p, ROLE_SCOPE) && !has(p, ROLE_OBJECT) && !p->global && identity_meant(a, x->in, p, x))
			return spot_prefix(a, x->in, p);
	}
	return NULL;
}

size_t list_elements(struct asking *a, struct reading *in, TSNode n, TSNode *function, struct term *out, size_t max)
{
	const struct tree *t = in->t;
	TSNode call, callee;
	size_t found = 0;

	*function = reading_function(in, n);
	if (ts_node_is_null(*function) || reading_definition(in, node_from(*function), false) >= 0)
		return 0;
	call = ts_node_parent(*function);
	call = ts_node_is_null(call) ? call : ts_node_parent(call);
	const struct expr_rule *x = ts_node_is_null(call) ? NULL : rules_expr(t, call);
	callee = x && x->op == EXPR_CALL && x->function.n ? path_get(&x->function, call) : (TSNode){ 0 };
	x = ts_node_is_null(callee) ? NULL : rules_expr(t, callee);
	if (!x || x->op != EXPR_MEMBER)
		return 0;
	struct origin o = origin_of(a, (struct term){ in, path_get(&x->object, callee), NULL });
	const struct node_rule *r = o.what == ORIGIN_NODE ? rules_of(o.at.in->t->rules, o.at.n) : NULL;
	for (uint32_t i = 0, count = r && r->op == VALUE_LIST ? ts_node_named_child_count(o.at.n) : 0; i < count && found < max; i++)
		out[found++] = (struct term){ o.at.in, ts_node_named_child(o.at.n, i), o.at.given };
	return found;
}

/* The prefixes of a mount that a list's elements make, for those that are this thing. */
static void each_prefixes(struct asking *a, const struct framework *fw, struct reading *in, const struct spot *p, const char *own,
    const struct trail *trail, struct prefixes *out)
{
	struct term element[MAX_MOUNTS];
	TSNode function;
	size_t n;

	a->budget = BUDGET;
	n = list_elements(a, in, p->node[ROLE_BIND], &function, element, MAX_MOUNTS);
	for (size_t i = 0; i < n; i++) {
		struct identities of = { 0 };
		bool is = false;
		a->each = function;
		a->element = element[i];
		identities_bound(a, in, p, &of);
		for (size_t k = 0; k < of.n; k++)
			is |= of.v[k].in == trail->x->in && of.v[k].at == trail->x->at;
		if (is)
			link_prefixes(a, fw, in, p, own, trail, out);
		a->each = (TSNode){ 0 };
	}
	if (!n)
		link_prefixes(a, fw, in, p, own, trail, out);
}

static void walk(struct asking *a, const struct framework *fw, const struct identity *x, const struct trail *from, struct prefixes *out)
{
	const struct trail trail = { x, from, from ? from->depth + 1 : 0 };
	bool more = trail.depth <= DEEPEST && --a->walks > 0;
	struct spots *s = more ? spots_there(x->in, fw) : NULL;
	const char *own = more ? intercepted(a, fw, x, made_with(a, s, x)) : NULL;
	size_t before = out->n;

	for (size_t i = 0; s && i < s->n; i++) {
		const struct spot *p = &s->v[i];
		if (!has(p, ROLE_SITE) && !has(p, ROLE_SCOPE) && has(p, ROLE_OBJECT) &&
		    (has(p, ROLE_BIND) || has(p, ROLE_INSTANCE)) && identity_meant(a, x->in, p, x))
			link_prefixes(a, fw, x->in, p, own ? own : "", &trail, out);
	}
	struct join_mount m[MAX_MOUNTS];
	size_t n = a->join && more ? join_mounts(a->join, x, fw, m, MAX_MOUNTS) : 0;
	for (size_t i = 0; i < n; i++) {
		struct spots *there = spots_there(m[i].in, fw);
		for (size_t k = 0; there && k < there->n; k++)
			if (!has(&there->v[k], ROLE_SITE) && has(&there->v[k], ROLE_BIND) && has(&there->v[k], ROLE_OBJECT) &&
			    node_from(there->v[k].node[ROLE_BIND]) == m[i].at)
				each_prefixes(a, fw, m[i].in, &there->v[k], own ? own : "", &trail, out);
	}
	if (out->n == before)
		prefixes_add(out, own ? own : "");
}

void identity_prefixes(struct asking *a, const struct framework *fw, const struct identity *x, struct prefixes *out)
{
	a->walks = MAX_WALKS;
	walk(a, fw, x, NULL, out);
}
