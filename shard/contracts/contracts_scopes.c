#include "shard/contracts/contracts_internal.h"

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

/*
 * Append the prefixes around each call of the function that contains the node, and around the calls
 * of those callers.
 */
static bool called_prefixes(struct fact_builder *c, TSNode n, int depth, struct prefixes *out)
{
	int definition = enclosing_definition(c->in, node_start_byte(n), true);
	struct prefixes found = { 0 };
	struct expression calls[MAX_CALLERS];
	bool any = false;

	c->ask.unknown = true;
	if (definition < 0 || depth == MAX_CALLS || !c->ask.join)
		return false;
	size_t ncalls = other_files_callers(c->ask.join, c->in, definition, calls, MAX_CALLERS);
	for (size_t i = 0; i < ncalls; i++) {
		const struct framework *fw = framework_in_file(calls[i].in, c->fw);
		struct prefixes above = { .v = { "" }, .n = 1 };
		struct fact_builder of = *c;
		if (!fw)
			continue;
		of.in = calls[i].in;
		of.spots = framework_find_matches(of.in, fw);
		any |= called_prefixes(&of, calls[i].n, depth + 1, &above);
		any |= around_prefixes(&of, calls[i].n, &above);
		for (size_t k = 0; k < above.n; k++)
			prefixes_add(&found, above.v[k]);
	}
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

	if (any || inherited_prefixes(c, s, out))
		return true;
	c->ask.unmounted |= s->mounted && c->ask.join;
	return false;
}
