/* Parameters, local variables and assigned fields, by the `local` and `pattern` rows. */
#include <stdio.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/definitions/references_internal.h"
#include "shard/syntax/tree_nodes.h"

enum { MAX_PATTERN = 8 };	/* how deep patterns are followed */

/* What a name is given. */
struct local_binding {
	const struct local_rule *rule;
	const struct walk_position *place;
	const char *type;		/* NULL: not declared */
	TSNode node;			/* the value; null: unknown */
	const char *text;		/* its normal form, when `node` is null; NULL */
	bool element, member;		/* an element of it; the member of it that has the name */
	uint32_t line;			/* where it is given */
};

/* The normal form of what is given to a name. */
static const char *value_of(
    struct references *r, const struct local_binding *g, const struct normal_form *name)
{
	const char *text = g->text ? g->text : references_normal_value(r, g->node, false);
	struct normal_form f;

	if (!text || (!g->element && !g->member))
		return text;
	if (g->member && !name)
		return NULL;
	f.n = (size_t)snprintf(f.p, sizeof f.p, "%s%s%s%s", text, g->element ? "[]" : "",
	    g->member ? "." : "", g->member ? name->p : "");
	if (f.n > NORMAL_FORM_MAX)
		return NULL;
	return references_intern(r, &f);
}

static void add_local(struct references *r, const struct normal_form *name,
    const struct local_binding *g, const char *value, TSNode at)
{
	if (r->locals.n == MAX_LOCALS || (!g->type && !value))
		return;
	r->locals.v = grow(r->locals.v, &r->locals.cap, r->locals.n + 1, sizeof *r->locals.v);
	r->locals.v[r->locals.n++] = (struct local){ .name = references_intern(r, name),
		.type = g->type,
		.value = value,
		.definition = g->place->function,
		.line = node_line(at) > g->line ? node_line(at) : g->line,
		.parameter = g->rule->parameter && g->place->direct };
}

/* `self.x`, and nothing more. */
static bool is_field(const struct normal_form *f)
{
	return !strncmp(f->p, "self.", 5) && !strpbrk(f->p + 5, ".([!");
}

static void declare(struct references *r, TSNode n, const struct local_binding *g)
{
	const struct expr_rule *x = rules_expr(r->t, n);
	struct normal_form name;
	const char *value;

	if (x && x->op == EXPR_CALL)
		return;
	if (x ? !expression_normalize(r->t, n, &name) : !name_normalize(r->t, n, &name))
		return;
	if (is_field(&name)) {
		add_local(r, &name, g, value_of(r, g, &name), n);
		return;
	}
	if (strpbrk(name.p, ".([!"))
		return;
	if (g->rule->assign && !scopes_name(r->scopes, name.p, name.n)->visible)
		return;
	value = value_of(r, g, &name);
	references_claim(r, n, CLAIM_SKIP);
	if (!strcmp(name.p, "self") || !strcmp(name.p, "super") || !strcmp(name.p, "_"))
		return;
	scopes_declare(r->scopes, name.p, name.n, g->type || value);
	add_local(r, &name, g, value, n);
}

static void bind(struct references *, TSNode name, struct local_binding, int depth);

static const struct pattern_rule *pattern_of(const struct references *r, TSNode n)
{
	const struct node_rule *rule = NULL;

	if (!ts_node_is_null(n))
		rule = rules_of(r->t->rules, n);
	return rule ? rule->pattern : NULL;
}

/* The value of one name alone: of a list what it holds alone. */
static TSNode value_alone(const struct references *r, TSNode value)
{
	const struct pattern_rule *p = pattern_of(r, value);

	if (!p || p->op != PATTERN_LIST)
		return value;
	return ts_node_named_child_count(value) == 1 ? ts_node_named_child(value, 0) : (TSNode){ 0 };
}

/* Several names and one value, which may be a list of as many. */
static void bind_list(
    struct references *r, const TSNode *name, size_t n, struct local_binding g, int depth)
{
	const struct pattern_rule *values = pattern_of(r, g.node);
	bool pairs = values && values->op == PATTERN_LIST && ts_node_named_child_count(g.node) == n &&
	    n > 1;

	if (n == 1 && pattern_of(r, name[0]) && pattern_of(r, name[0])->op == PATTERN_LIST) {
		bind(r, name[0], g, depth);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		struct local_binding one = g;
		one.element = g.rule->element && (size_t)g.rule->element == i + 1 &&
		    (n == 1 || g.rule->element > 1);
		if (pairs)
			one.node = ts_node_named_child(g.node, (uint32_t)i);
		else
			one.node = value_alone(r, g.node);
		if (!pairs && !one.element && (n == 1 ? g.rule->element > 1 : !(g.rule->first && i == 0))) {
			one.node = (TSNode){ 0 };
			one.text = NULL;
		}
		bind(r, name[i], one, depth);
	}
}

static const char *instance_of(struct references *r, const char *type)
{
	struct normal_form f;

	f.n = (size_t)snprintf(f.p, sizeof f.p, "%s!", type);
	if (f.n > NORMAL_FORM_MAX)
		return NULL;
	return references_intern(r, &f);
}

static void bind_children(
    struct references *r, TSNode n, struct local_binding g, const struct pattern_rule *p, int depth)
{
	TSNode child[MANY_NODES];
	uint32_t count = nodes_named(n, child, MANY_NODES);

	if (count > MANY_NODES)
		count = MANY_NODES;
	if (p->op == PATTERN_LIST) {
		bind_list(r, child, count, g, depth);
		return;
	}
	g.text = value_of(r, &g, NULL);
	if (!g.text && g.type)
		g.text = instance_of(r, g.type);
	g.node = (TSNode){ 0 };
	g.element = p->op == PATTERN_ELEMENTS;
	g.member = p->op == PATTERN_OBJECT;
	g.type = NULL;
	for (uint32_t i = 0; i < count; i++)
		bind(r, child[i], g, depth);
}

/* `{key: name}`: the name is given the member `key`. */
static void bind_pair(
    struct references *r, TSNode n, struct local_binding g, const struct pattern_rule *p, int depth)
{
	struct normal_form key;

	if (g.text && name_normalize(r->t, node_path_get(&p->key, n), &key)) {
		g.text = value_of(r, &g, &key);
		g.element = g.member = false;
	} else {
		g.text = NULL;
	}
	bind(r, node_path_get(&p->name, n), g, depth);
}

static void bind(struct references *r, TSNode n, struct local_binding g, int depth)
{
	const struct pattern_rule *p = pattern_of(r, n);

	if (ts_node_is_null(n) || depth > MAX_PATTERN)
		return;
	if (!p || p->op == PATTERN_NAME) {
		declare(r, n, &g);
		return;
	}
	switch (p->op) {
	case PATTERN_PAIR: bind_pair(r, n, g, p, depth + 1); break;
	case PATTERN_INNER: bind(r, node_path_get(&p->name, n), g, depth + 1); break;
	case PATTERN_REST:	/* what is left, of which nothing is known */
		g.node = (TSNode){ 0 };
		g.text = NULL;
		g.element = g.member = false;
		bind(r, node_path_get(&p->name, n), g, depth + 1);
		break;
	default: bind_children(r, n, g, p, depth + 1);
	}
}

/* Whether a definition or another rule has taken the name already: it is among the next to come. */
static bool taken(const struct references *r, TSNode name)
{
	enum { NEAR = 16 };

	for (size_t i = r->pending.n, k = 0; i-- && k < NEAR; k++)
		if (r->pending.v[i].id == name.id)
			return true;
	return false;
}

/* `T` is `[]<T>` for what takes any number of them. */
static const char *variadic_type(struct references *r, const char *type)
{
	struct normal_form f;

	if (!type)
		return NULL;
	f.n = (size_t)snprintf(f.p, sizeof f.p, "[]<%s>", type);
	if (f.n > NORMAL_FORM_MAX)
		return NULL;
	return references_intern(r, &f);
}

/* The names at the rule's path, those that stand apart from what they name left out. */
static size_t names_of(const struct local_rule *l, TSNode n, TSNode *name)
{
	size_t count = node_path_all(&l->name, n, name, MANY_NODES), kept = 0;

	if (!count && l->name.chain && l->per.n) {
		name[0] = n;
		count = 1;
	}
	for (size_t i = 0; i < count; i++) {
		TSNode holder = n, at = node_path_follow(&l->name, name[i], &holder);
		if (!l->notlast || strcmp(ts_node_type(holder), l->notlast))
			name[kept++] = at;
	}
	return kept;
}

/*
 * Whether the row says nothing of a name that another one says something of: the parameter of a
 * callback, of what its call is of.
 */
static bool is_known_local(struct references *r, const struct local_binding *g, TSNode name)
{
	struct normal_form f;

	return !g->type && ts_node_is_null(g->node) && name_normalize(r->t, name, &f) &&
	    scopes_name(r->scopes, f.p, f.n)->visible == LOCAL_KNOWN;
}

/*
 * Type parameters, in one list for each definition; what they must be may be said later: T,U
 * T:Shape.
 */
static void collect_type_parameters(struct references *r, TSNode n, TSNode type,
    const struct local_rule *l, const struct walk_position *p)
{
	TSNode at[MANY_NODES];
	const char *bound = references_normal_type(r, type);
	struct local *last = NULL;
	struct normal_form name;

	if (r->locals.n)
		last = &r->locals.v[r->locals.n - 1];
	for (size_t i = 0, count = names_of(l, n, at); i < count; i++) {
		if (!name_normalize(r->t, at[i], &name) || strpbrk(name.p, ".:,<"))
			continue;
		references_claim(r, at[i], CLAIM_SKIP);
		scopes_declare(r->scopes, name.p, name.n, false);
		if (p->definition < 0)
			continue;
		bool more = last && last->definition == p->definition &&
		    !strcmp(last->name, GENERICS_LOCAL);
		char *text = arena_printf(r->t->arena, "%s%s%s%s%s", more ? last->type : "",
		    more ? "," : "", name.p, bound ? ":" : "", bound ? bound : "");
		if (more)
			last->type = text;
		else if (r->locals.n < MAX_LOCALS) {
			r->locals.v = grow(r->locals.v, &r->locals.cap, r->locals.n + 1, sizeof *r->locals.v);
			last = &r->locals.v[r->locals.n++];
			*last = (struct local){ .name = GENERICS_LOCAL, .type = text, .definition = p->definition, .line = node_line(at[i]) };
		}
	}
}

static void collect_receiver(
    struct references *r, TSNode n, TSNode type, const struct walk_position *p)
{
	const char *text = references_normal_type(r, type);

	if (!text || p->definition < 0 || r->locals.n == MAX_LOCALS)
		return;
	r->locals.v = grow(r->locals.v, &r->locals.cap, r->locals.n + 1, sizeof *r->locals.v);
	r->locals.v[r->locals.n++] = (struct local){
		.name = RECEIVER_LOCAL, .type = text, .definition = p->definition, .line = node_line(n)
	};
}

static void collect_local(struct references *r, TSNode n, TSNode type, const struct local_rule *l,
    const struct walk_position *p)
{
	struct local_binding g = { .rule = l,
		.place = p,
		.type = references_normal_type(r, type),
		.node = node_path_get(&l->value, n),
		.line = node_line(n) };
	TSNode name[MANY_NODES];
	size_t count = names_of(l, n, name);
	bool told = false;

	if (!count || (taken(r, name[0]) && (!l->parameter || is_known_local(r, &g, name[0]))))
		return;
	if (l->parameter && !p->local) {	/* of a declaration only */
		for (size_t i = 0; i < count; i++)
			references_claim(r, name[i], CLAIM_SKIP);
		references_claim(r, type, CLAIM_TYPE);
		return;
	}
	if (l->made.n && !ts_node_is_null(node_path_get(&l->made, n)))
		told = references_add_type(r, REF_NEW, type, -1, n, p);
	references_claim(r, type, told ? CLAIM_REPORTED : CLAIM_TYPE);
	if (r->claim != CLAIM_VALUE)
		references_claim(r, g.node, CLAIM_VALUE);
	if (l->rest)
		g.type = variadic_type(r, g.type);
	bind_list(r, name, count, g, 0);
}

void locals_collect(
    struct references *r, TSNode n, const struct local_rule *l, const struct walk_position *p)
{
	for (bool holds = true; l; l = l->next) {
		TSNode at[MANY_NODES], type;
		if (!l->again)
			holds = condition_holds(&l->when, r->t, n);
		if (!holds || (l->inside && !p->local))
			continue;
		size_t count = 1;
		if (l->per.n)
			count = node_path_all(&l->per, n, at, MANY_NODES);
		if (!l->per.n)
			at[0] = n;
		type = node_path_get(&l->type, n);
		for (size_t i = 0; i < count; i++)
			if (l->generic)
				collect_type_parameters(r, at[i], type, l, p);
			else if (l->receiver)
				collect_receiver(r, at[i], type, p);
			else
				collect_local(r, at[i], type, l, p);
	}
}
