/* Parameters, local variables and assigned fields, by the `local` and `pattern` rows. */
#include <stdarg.h>
#include <stdio.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "shard/definitions/doc_types.h"
#include "shard/definitions/references_internal.h"
#include "shard/syntax/tree_nodes.h"

enum { MAX_PATTERN = 8 };	/* how deep patterns are followed */

/* What a name is bound to. */
struct local_binding {
	const struct local_rule *rule;
	const struct walk_position *place;
	const char *type;		/* NULL if it is not declared */
	TSNode node;			/* the value; null if it is unknown */
	const char *text;		/* the value's normal form, if `node` is null; or NULL */
	bool element, member;		/* bound to an element of the value; to its member of that name */
	bool result;			/* a name for what the function returns */
	uint32_t line;			/* of the binding */
};

static struct local *new_local(struct references *r)
{
	r->locals.v = grow(r->locals.v, &r->locals.cap, r->locals.n + 1, sizeof *r->locals.v);
	return &r->locals.v[r->locals.n++];
}

/* The formatted normal form, kept once; NULL if it is too long. */
__attribute__((format(printf, 2, 3))) static const char *intern_printf(
    struct references *r, const char *fmt, ...)
{
	struct normal_form f;
	va_list args;

	va_start(args, fmt);
	f.n = (size_t)vsnprintf(f.p, sizeof f.p, fmt, args);
	va_end(args);
	if (f.n > NORMAL_FORM_MAX)
		return NULL;
	return references_intern(r, &f);
}

/* The normal form of what a name is bound to. */
static const char *value_of(
    struct references *r, const struct local_binding *g, const struct normal_form *name)
{
	const char *text = g->text;

	if (!text)
		text = references_normal_value(r, g->node, false);
	if (!text || (!g->element && !g->member))
		return text;
	if (!g->member)
		return intern_printf(r, "%s[]", text);
	if (!name)
		return NULL;
	if (g->element)
		return intern_printf(r, "%s[].%s", text, name->p);
	return intern_printf(r, "%s.%s", text, name->p);
}

static void add_local(struct references *r, const struct normal_form *name,
    const struct local_binding *g, const char *value, TSNode at)
{
	if (r->locals.n == MAX_LOCALS || (!g->type && !value))
		return;
	*new_local(r) = (struct local){
		.name = references_intern(r, name),
		.type = g->type,
		.value = value,
		.definition = g->place->function,
		.line = MAX(node_line(at), g->line),
		.parameter = g->rule->parameter && g->place->direct && !g->result,
	};
}

/* `self.x` and nothing more. */
static bool is_field(const struct normal_form *f)
{
	return !strncmp(f->p, "self.", 5) && !strpbrk(f->p + 5, ".([!");
}

/* The name that is declared; false if the node holds none. */
static bool declared_name(const struct references *r, TSNode n, struct normal_form *name)
{
	const struct expr_rule *x = rules_expr(r->t, n);

	if (!x)
		return name_normalize(r->t, n, name);
	return x->op != EXPR_CALL && expression_normalize(r->t, n, name);
}

static bool is_reserved(const char *name)
{
	return !strcmp(name, "self") || !strcmp(name, "super") || !strcmp(name, "_");
}

/* The binding, with the type of a parameter that only the function's comment tells. */
static struct local_binding with_documented_type(
    const struct references *r, const struct local_binding *g, const struct normal_form *name)
{
	struct local_binding out = *g;

	if (!g->type && g->rule->parameter && g->place->direct && !g->result)
		out.type = doc_types_parameter(r->t->rules, g->place->doc, name->p, r->t->arena);
	return out;
}

static void declare(struct references *r, TSNode n, const struct local_binding *declared)
{
	struct normal_form name;
	const char *value;

	if (!declared_name(r, n, &name))
		return;
	const struct local_binding binding = with_documented_type(r, declared, &name), *g = &binding;
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
	if (is_reserved(name.p))
		return;
	scopes_declare(r->scopes, name.p, name.n, g->type || value);
	add_local(r, &name, g, value, n);
}

static void bind(struct references *, TSNode name, struct local_binding, int depth);

static const struct pattern_rule *pattern_of(const struct references *r, TSNode n)
{
	const struct node_rule *rule;

	if (ts_node_is_null(n))
		return NULL;
	rule = rules_of(r->t->rules, n);
	if (!rule)
		return NULL;
	return rule->pattern;
}

static bool is_list(const struct references *r, TSNode n)
{
	const struct pattern_rule *p = pattern_of(r, n);

	return p && p->op == PATTERN_LIST;
}

/* The value of a single name: a list must have a single element, which is the value. */
static TSNode single_value(const struct references *r, TSNode value)
{
	if (!is_list(r, value))
		return value;
	if (ts_node_named_child_count(value) == 1)
		return ts_node_named_child(value, 0);
	return (TSNode){ 0 };
}

/* Whether the rule binds name `i` of `n` to elements of the value. */
static bool is_bound_to_element(const struct local_rule *rule, size_t i, size_t n)
{
	if (!rule->element || (size_t)rule->element != i + 1)
		return false;
	return n == 1 || rule->element > 1;
}

/* Whether the rule binds name `i` of `n` to the whole value. */
static bool is_bound_to_value(const struct local_rule *rule, size_t i, size_t n)
{
	if (n == 1)
		return rule->element <= 1;
	return rule->first && i == 0;
}

/* Bind several names to one value, which may be a list of as many values. */
static void bind_list(
    struct references *r, const TSNode *name, size_t n, struct local_binding g, int depth)
{
	bool pairs = n > 1 && is_list(r, g.node) && ts_node_named_child_count(g.node) == n;

	if (n == 1 && is_list(r, name[0])) {
		bind(r, name[0], g, depth);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		struct local_binding one = g;
		one.element = is_bound_to_element(g.rule, i, n);
		if (pairs) {
			one.node = ts_node_named_child(g.node, (uint32_t)i);
		} else if (one.element || is_bound_to_value(g.rule, i, n)) {
			one.node = single_value(r, g.node);
		} else {
			one.node = (TSNode){ 0 };
			one.text = NULL;
		}
		bind(r, name[i], one, depth);
	}
}

static void bind_children(
    struct references *r, TSNode n, struct local_binding g, const struct pattern_rule *p, int depth)
{
	TSNode child[MANY_NODES];
	uint32_t count = nodes_named(n, child, MANY_NODES);

	count = MIN(count, MANY_NODES);
	if (p->op == PATTERN_LIST) {
		bind_list(r, child, count, g, depth);
		return;
	}
	g.text = value_of(r, &g, NULL);
	if (!g.text && g.type)
		g.text = intern_printf(r, "%s!", g.type);
	g.node = (TSNode){ 0 };
	g.element = p->op == PATTERN_ELEMENTS;
	g.member = p->op == PATTERN_OBJECT;
	g.type = NULL;
	for (uint32_t i = 0; i < count; i++)
		bind(r, child[i], g, depth);
}

/* `{key: name}`: bind the name to the member `key`. */
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
	case PATTERN_REST:	/* the remaining elements, whose value is unknown */
		g.node = (TSNode){ 0 };
		g.text = NULL;
		g.element = g.member = false;
		bind(r, node_path_get(&p->name, n), g, depth + 1);
		break;
	default: bind_children(r, n, g, p, depth + 1);
	}
}

/* Whether a definition or another rule has claimed the name: then it is among the next claims. */
static bool is_claimed(const struct references *r, TSNode name)
{
	enum { NEAR = 16 };

	for (size_t i = r->pending.n, k = 0; i-- && k < NEAR; k++)
		if (r->pending.v[i].id == name.id)
			return true;
	return false;
}

/* The type of a variadic parameter: `[]<T>` for `T`. */
static const char *variadic_type(struct references *r, const char *type)
{
	if (!type)
		return NULL;
	return intern_printf(r, "[]<%s>", type);
}

/* The names at the rule's path, without those in holders that the rule excludes. */
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
 * Whether this rule knows nothing about a name that another rule has bound to a value: the
 * parameter of a callback, whose value follows from the call.
 */
static bool is_known_local(struct references *r, const struct local_binding *g, TSNode name)
{
	struct normal_form f;

	if (g->type || !ts_node_is_null(g->node) || !name_normalize(r->t, name, &f))
		return false;
	return scopes_name(r->scopes, f.p, f.n)->visible == LOCAL_KNOWN;
}

/* The list of type parameters of the definition, if it is the local that was added last. */
static struct local *open_generics(struct references *r, int definition)
{
	if (!r->locals.n)
		return NULL;
	struct local *last = &r->locals.v[r->locals.n - 1];
	if (last->definition != definition || strcmp(last->name, GENERICS_LOCAL))
		return NULL;
	return last;
}

/* Add a type parameter with its bound (NULL if it has none) to the list of the definition. */
static void add_type_parameter(
    struct references *r, const char *name, const char *bound, int definition, uint32_t line)
{
	struct local *generics = open_generics(r, definition);
	char *text;

	if (bound)
		text = arena_printf(r->t->arena, "%s:%s", name, bound);
	else
		text = arena_str(r->t->arena, name);
	if (generics) {
		generics->type = arena_printf(r->t->arena, "%s,%s", generics->type, text);
		return;
	}
	if (r->locals.n == MAX_LOCALS)
		return;
	*new_local(r) = (struct local){
		.name = GENERICS_LOCAL,
		.type = text,
		.definition = definition,
		.line = line,
	};
}

/*
 * Type parameters, in one list for each definition.  The same parameter may follow again with its
 * bound: T,U,T:Shape.
 */
static void collect_type_parameters(struct references *r, TSNode n, TSNode type,
    const struct local_rule *l, const struct walk_position *p)
{
	TSNode at[MANY_NODES];
	const char *bound = references_normal_type(r, type);
	size_t count = names_of(l, n, at);
	struct normal_form name;

	for (size_t i = 0; i < count; i++) {
		if (!name_normalize(r->t, at[i], &name) || strpbrk(name.p, ".:,<"))
			continue;
		references_claim(r, at[i], CLAIM_SKIP);
		scopes_declare(r->scopes, name.p, name.n, false);
		if (p->definition >= 0)
			add_type_parameter(r, name.p, bound, p->definition, node_line(at[i]));
	}
}

/* A local without a name of its own: what the function is called on, or calls a literal on. */
static void collect_receiver(
    struct references *r, const char *name, TSNode n, TSNode type, const struct walk_position *p)
{
	const char *text = references_normal_type(r, type);

	if (!text || p->definition < 0 || r->locals.n == MAX_LOCALS)
		return;
	*new_local(r) = (struct local){
		.name = name,
		.type = text,
		.definition = p->definition,
		.line = node_line(n),
	};
}

/* Whether a declaration stands in the list of what a function returns: func f() (n int, e error) */
static bool is_in_result(const struct walk_position *p)
{
	if (p->depth < 2)
		return false;
	TSNode list = p->path[p->depth - 1], result = node_field(p->path[p->depth - 2], "result");
	return !ts_node_is_null(result) && ts_node_eq(result, list);
}

/* A parameter without a name: only that there is one, and its type, is known. */
static void collect_unnamed(
    struct references *r, TSNode n, TSNode type, const struct walk_position *p)
{
	const char *text = references_normal_type(r, type);

	references_claim(r, type, CLAIM_TYPE);
	if (!text || !p->direct || p->function < 0 || r->locals.n == MAX_LOCALS || is_in_result(p))
		return;
	*new_local(r) = (struct local){
		.name = "_",
		.type = text,
		.definition = p->function,
		.line = node_line(n),
		.parameter = true,
	};
}

/* Whether another rule has bound the name, and this one adds nothing. */
static bool is_bound_already(
    struct references *r, const struct local_rule *l, const struct local_binding *g, TSNode name)
{
	if (!is_claimed(r, name))
		return false;
	return !l->parameter || is_known_local(r, g, name);
}

static void collect_local(struct references *r, TSNode n, TSNode type, const struct local_rule *l,
    const struct walk_position *p)
{
	struct local_binding g = {
		.rule = l,
		.place = p,
		.type = references_normal_type(r, type),
		.node = node_path_get(&l->value, n),
		.line = node_line(n),
		.result = l->parameter && is_in_result(p),
	};
	TSNode name[MANY_NODES];
	size_t count = names_of(l, n, name);
	enum claim claim = CLAIM_TYPE;

	if (!count || is_bound_already(r, l, &g, name[0]))
		return;
	if (l->parameter && !p->local) {	/* of a function without a body */
		for (size_t i = 0; i < count; i++)
			references_claim(r, name[i], CLAIM_SKIP);
		references_claim(r, type, CLAIM_TYPE);
		return;
	}
	if (l->made.n && !ts_node_is_null(node_path_get(&l->made, n)) &&
	    references_add_type(r, REF_NEW, type, -1, n, p))
		claim = CLAIM_REPORTED;
	references_claim(r, type, claim);
	if (r->claim != CLAIM_VALUE)
		references_claim(r, g.node, CLAIM_VALUE);
	if (l->rest)
		g.type = variadic_type(r, g.type);
	bind_list(r, name, count, g, 0);
}

/* `module.exports.x`, `exports.x` and a key `x` as `exports.x`; NULL if it is no name. */
static const char *export_name(struct references *r, TSNode name)
{
	static const char module[] = "module.", exports[] = EXPORTS_LOCAL;
	struct normal_form f;
	const char *text = f.p, *rest;

	if (!declared_name(r, name, &f))
		return NULL;
	if (!strncmp(text, module, sizeof module - 1))
		text += sizeof module - 1;
	if (!strcmp(text, exports) || !strcmp(text, "export"))
		return EXPORTS_LOCAL;
	rest = text;
	if (!strncmp(text, EXPORTS_LOCAL ".", sizeof exports))
		rest = text + sizeof exports;
	if (strpbrk(rest, ".([!"))
		return NULL;
	return intern_printf(r, EXPORTS_LOCAL ".%s", rest);
}

/* What a file gives its importers: module.exports = f, exports.x = y.  `x` as x needs no row. */
static void collect_export(
    struct references *r, TSNode n, const struct local_rule *l, const struct walk_position *p)
{
	const char *name = export_name(r, node_path_get(&l->name, n));
	const char *value = references_normal_value(r, node_path_get(&l->value, n), false);

	if (!name || !value || p->function >= 0 || r->locals.n == MAX_LOCALS)
		return;
	const char *last = strchr(name, '.');
	if (last && !strcmp(last + 1, value))
		return;
	*new_local(r) = (struct local){
		.name = name,
		.value = value,
		.definition = -1,
		.line = node_line(n),
	};
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
		at[0] = n;
		if (l->per.n)
			count = node_path_all(&l->per, n, at, MANY_NODES);
		type = node_path_get(&l->type, n);
		for (size_t i = 0; i < count; i++)
			if (l->generic)
				collect_type_parameters(r, at[i], type, l, p);
			else if (l->receiver)
				collect_receiver(r, RECEIVER_LOCAL, at[i], type, p);
			else if (l->block)
				collect_receiver(r, BLOCK_LOCAL, at[i], type, p);
			else if (l->exported)
				collect_export(r, at[i], l, p);
			else if (l->unnamed)
				collect_unnamed(r, at[i], type, p);
			else
				collect_local(r, at[i], type, l, p);
	}
}
