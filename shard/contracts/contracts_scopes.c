#include "shard/contracts/contracts_internal.h"

#include <string.h>

#include "proto/base/arena.h"
#include "shard/contracts/urls/other_files.h"

/* The prefixes of the scopes around a site: in its file, and around the calls of its function. */

enum { MAX_SCOPES = 8, MAX_CALLERS = 16, MAX_CALLS = 4 };

static bool scopes(const struct framework_match *p, TSNode n)
{
	return has(p, ROLE_SCOPE) && prefixed(p) && !has(p, ROLE_SITE) &&
	    node_within(n, p->node[ROLE_SCOPE]);
}

/*
 * Whether two matches give alternative prefixes of one scope.  A prefix without a node comes before
 * the others.
 */
static bool same_scope(const struct framework_match *a, const struct framework_match *b)
{
	return ts_node_eq(a->node[ROLE_SCOPE], b->node[ROLE_SCOPE]) &&
	    has(a, ROLE_PREFIX) == has(b, ROLE_PREFIX);
}

/* Whether the prefix of `a` comes after that of `b`. */
static bool inside(const struct framework_match *a, const struct framework_match *b)
{
	if (ts_node_eq(a->node[ROLE_SCOPE], b->node[ROLE_SCOPE]))
		return has(a, ROLE_PREFIX) && !has(b, ROLE_PREFIX);
	return node_within(a->node[ROLE_SCOPE], b->node[ROLE_SCOPE]);
}

/* The outermost scope around a node inside `last`, or NULL. */
static const struct framework_match *next_scope(
    const struct framework_matches *spots, TSNode n, const struct framework_match *last)
{
	const struct framework_match *best = NULL;

	for (size_t i = 0; i < spots->n; i++) {
		const struct framework_match *p = &spots->v[i];
		if (scopes(p, n) && (!last || inside(p, last)) && (!best || inside(best, p)))
			best = p;
	}
	return best;
}

/* Whether the scope's prefix is the mount's own. */
static bool own_scope(const struct framework_match *scope, const struct framework_match *mount)
{
	return has(scope, ROLE_PREFIX) && has(mount, ROLE_PREFIX) &&
	    ts_node_eq(scope->node[ROLE_PREFIX], mount->node[ROLE_PREFIX]);
}

void scopes_around(struct dataflow_context *a, struct contract_file *in,
    const struct framework_matches *spots, const struct framework_match *mount,
    struct prefixes *out)
{
	TSNode n = mount->node[ROLE_BIND];
	const struct framework_match *scope = next_scope(spots, n, NULL);

	for (int depth = 0; scope && depth < MAX_SCOPES; depth++, scope = next_scope(spots, n, scope)) {
		struct prefixes here = { 0 };
		for (size_t i = 0; i < spots->n; i++) {
			const struct framework_match *p = &spots->v[i];
			if (scopes(p, n) && same_scope(p, scope) && !has(p, ROLE_OBJECT) &&
			    !own_scope(p, mount))
				prefixes_add(&here, framework_match_prefix(a, in, p, NULL));
		}
		if (here.n)
			prefixes_join(out, &here, a->a);
	}
}

/* Append the prefixes of the scopes around a node, from the outside in; whether there are any. */
static bool around_prefixes(struct fact_builder *c, TSNode n, struct prefixes *out)
{
	const struct framework_match *scope = next_scope(c->spots, n, NULL);
	bool any = scope != NULL;

	for (int depth = 0; scope && depth < MAX_SCOPES; depth++) {
		struct prefixes here = { 0 }, above = { 0 };
		for (size_t i = 0; i < c->spots->n; i++) {
			const struct framework_match *p = &c->spots->v[i];
			if (!scopes(p, n) || !same_scope(p, scope))
				continue;
			if (!depth && has(p, ROLE_OBJECT) && !above.n) {
				struct site_object object;
				object_find(c, (struct expression){ c->in, p->node[ROLE_OBJECT], NULL }, &object);
				object_prefixes(c, &object, false, &above);
				c->open = true;
			}
			prefixes_add(&here, framework_match_prefix(&c->ask, c->in, p, NULL));
		}
		if (above.n)
			prefixes_join(out, &above, c->a);
		prefixes_join(out, &here, c->a);
		scope = next_scope(c->spots, n, scope);
	}
	return any;
}

static bool called_prefixes(struct fact_builder *, TSNode, int depth, struct prefixes *out);

/*
 * Add the prefixes around a call of a function, or around the match that hands the function over,
 * with its own; whether there are any.
 */
static bool add_prefixes_at(struct fact_builder *c, struct contract_file *in, TSNode n,
    const struct framework_match *handed, int depth, struct prefixes *found)
{
	const struct framework *fw = framework_in_file(in, c->fw);
	struct prefixes above = { .v = { "" }, .n = 1 };
	struct fact_builder of = *c;
	const char *own = "";

	if (!fw)
		return false;
	of.in = in;
	of.spots = framework_find_matches(in, fw);
	bool any = called_prefixes(&of, n, depth + 1, &above);
	any |= around_prefixes(&of, n, &above);
	if (handed && prefixed(handed))
		own = framework_match_prefix(&c->ask, in, handed, NULL);
	for (size_t k = 0; k < above.n; k++)
		prefixes_add(found, path_join(c->a, above.v[k], own));
	return any || *own;
}

/* Whether the match hands a function over, which is called below a prefix: path("/x", X::routes) */
static bool hands_over(const struct framework_match *p)
{
	return p->called && has(p, ROLE_BIND) && !has(p, ROLE_SITE) && !has(p, ROLE_SCOPE);
}

enum { MAX_HANDED = 3 };

/*
 * What the code around a node is where it is handed over: its function, what that returns, and the
 * value of the field that it stands in; how many.
 */
static size_t handed_objects(
    const struct fact_builder *c, TSNode n, int function, struct framework_object out[MAX_HANDED])
{
	int field = enclosing_definition(c->in, node_start_byte(n), false);
	TSNode node = { 0 }, value;
	size_t found = 0;

	if (function >= 0)
		node = definition_function_node(c->in, function);
	if (!ts_node_is_null(node))
		out[found++] = (struct framework_object){ .in = c->in, .at = node_start_byte(node) + 1 };
	if (!ts_node_is_null(node) && function_return_values(c->in, node, &value, 1))
		out[found++] = (struct framework_object){ .in = c->in, .at = node_start_byte(value) + 1 };
	if (field < 0 || field == function)
		return found;
	const char *name = c->in->found->v[field].def.name;
	const struct binding *b = find_local_binding(
	    c->in->t, name, strlen(name), node_start_byte(n), NULL);
	if (b && node_within(n, b->value))
		out[found++] = (struct framework_object){ .in = c->in,
			.at = node_start_byte(b->value) + 1 };
	return found;
}

/* Add the prefixes where an object is handed over, in this file and others. */
static bool handed_prefixes(
    struct fact_builder *c, const struct framework_object *x, int depth, struct prefixes *found)
{
	struct object_mount m[MAX_CALLERS];
	bool any = false;

	for (size_t i = 0; i < c->spots->n; i++) {
		const struct framework_match *p = &c->spots->v[i];
		if (hands_over(p) && match_concerns_object(&c->ask, c->in, p, x))
			any |= add_prefixes_at(c, c->in, p->node[ROLE_BIND], p, depth, found);
	}
	size_t n = other_files_mounts(c->ask.join, x, c->fw, m, MAX_CALLERS);
	for (size_t i = 0; i < n; i++) {
		struct framework_matches *there = framework_matches_in_file(m[i].in, c->fw);
		for (size_t k = 0; there && k < there->n; k++) {
			const struct framework_match *p = &there->v[k];
			if (hands_over(p) && node_start_byte(p->node[ROLE_BIND]) == m[i].at)
				any |= add_prefixes_at(c, m[i].in, p->node[ROLE_BIND], p, depth, found);
		}
	}
	return any;
}

/*
 * Append the prefixes around each call of the function that contains the node, around the calls of
 * those callers, and where the function is handed over.
 */
static bool called_prefixes(struct fact_builder *c, TSNode n, int depth, struct prefixes *out)
{
	int definition = enclosing_definition(c->in, node_start_byte(n), true);
	struct framework_object handed[MAX_HANDED];
	struct prefixes found = { 0 };
	struct expression calls[MAX_CALLERS];
	size_t ncalls = 0;
	bool any = false;

	c->ask.unknown = true;
	if (depth == MAX_CALLS || !c->ask.join)
		return false;
	size_t nhanded = handed_objects(c, n, definition, handed);
	for (size_t i = 0; i < nhanded; i++)
		any |= handed_prefixes(c, &handed[i], depth, &found);
	if (definition >= 0)
		ncalls = other_files_callers(c->ask.join, c->in, definition, calls, MAX_CALLERS);
	for (size_t i = 0; i < ncalls; i++)
		any |= add_prefixes_at(c, calls[i].in, calls[i].n, NULL, depth, &found);
	if (any)
		prefixes_join(out, &found, c->a);
	return any;
}

/* Append the prefixes of the type that the site counts for, or of the type around the site. */
static bool inherited_prefixes(
    struct fact_builder *c, const struct contract_site *s, struct prefixes *out)
{
	struct framework_type own = { c->in, c->spots, NULL };
	const struct framework_type *t = c->under;
	struct prefixes found = { 0 };

	if (!t) {
		own.d = enclosing_type(c->in, s->node);
		if (!own.d)
			return false;
		t = &own;
	}
	if (!type_prefixes(c, t, 0, &found))
		return false;
	prefixes_join(out, &found, c->a);
	return true;
}

/* Append the prefixes around the calls through which a site is seen. */
static bool prefixes_around_calls(
    struct fact_builder *c, const struct call_frame *given, struct prefixes *out)
{
	const struct framework *fw = framework_in_file(given->call.in, c->fw);
	struct fact_builder of = *c;
	bool any = false;

	if (given->call.given)
		any = prefixes_around_calls(c, given->call.given, out);
	if (!fw)
		return any;
	of.in = given->call.in;
	of.spots = framework_find_matches(of.in, fw);
	return around_prefixes(&of, given->call.n, out) || any;
}

/* Whether a scope around a node is the root of all: it says that it has no prefix. */
static bool is_rooted(const struct fact_builder *c, TSNode n)
{
	for (size_t i = 0; i < c->spots->n; i++)
		if (scopes(&c->spots->v[i], n) && !has(&c->spots->v[i], ROLE_PREFIX))
			return true;
	return false;
}

bool scope_prefixes(struct fact_builder *c, const struct contract_site *s,
    const struct call_frame *given, struct prefixes *out)
{
	bool called = false;

	if (c->under && inherited_prefixes(c, s, out))
		return true;
	if (s->called && given)
		called = prefixes_around_calls(c, given, out);
	else if (s->called)
		called = called_prefixes(c, s->node, 0, out);
	bool any = around_prefixes(c, s->node, out) || called;

	if (!any)
		any = inherited_prefixes(c, s, out);
	if (s->mounted && c->ask.join && !called && !is_rooted(c, s->node))
		c->ask.unmounted = true;
	return any;
}
