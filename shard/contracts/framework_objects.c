#include "shard/contracts/framework_objects.h"

#include <ctype.h>
#include <string.h>

#include "proto/base/arena.h"
#include "shard/base/kinds.h"
#include "shard/contracts/urls/derived_types.h"
#include "shard/contracts/urls/other_files.h"
#include "shard/program/program.h"
#include "shard/syntax/node_rules.h"

/*
 * Objects of frameworks.  A router may be created in one file, filled in a second and mounted in a
 * third, so it is identified by the expression that creates it.  A match without a site tells what
 * a name or expression is created from, or mounted on, and its prefix there.
 */

enum { MAX_CHAIN = 200, MAX_CALLERS = 16, MAX_RETURNED = 4 };

const char *framework_object_name(struct dataflow_context *a, struct expression t)
{
	const char *s = t.in->t->text + node_start_byte(t.n);
	size_t n = node_len(t.n);
	size_t own = self_prefix(s, n);

	if (n > 200)
		return NULL;
	return arena_strn(a->a, s + own, n - own);
}

void framework_object_add(struct framework_object_list *out, struct framework_object x)
{
	for (size_t i = 0; i < out->n; i++)
		if (framework_object_is(&out->v[i], &x) && (x.at || !strcmp(out->v[i].name, x.name)))
			return;
	if (out->n < MAX_FRAMEWORK_OBJECTS)
		out->v[out->n++] = x;
}

/* Whether the name is among the words, one of which may end in a star: `Set*`. */
static bool is_fluent(const struct word_set *words, const char *name, size_t n)
{
	if (word_set_has(words, name, n))
		return true;
	for (size_t i = 0; i < words->n; i++) {
		size_t len = strlen(words->v[i]);
		if (words->v[i][len - 1] == '*' && n >= len && !memcmp(words->v[i], name, len - 1))
			return true;
	}
	return false;
}

/* The object of a call that returns it: Router() in Router().use(x); or a null node. */
static TSNode fluent_object(struct expression t)
{
	const struct syntax_tree *tree = t.in->t;
	TSNode f = called_member(tree, t.n), none = { 0 };

	if (ts_node_is_null(f))
		return none;
	const struct expr_rule *x = rules_expr(tree, f);
	TSNode name = node_path_get(&x->name, f);
	if (ts_node_is_null(name))
		return none;
	const char *word = tree->text + node_start_byte(name);
	size_t n = node_len(name);
	const char *generic = memchr(word, '<', n);
	if (generic)
		n = (size_t)(generic - word);
	if (!is_fluent(&tree->rules->fluent, word, n))
		return none;
	return node_path_get(&x->object, f);
}

/* Whether it is the first parameter of a function: the object that a plugin is registered with. */
static bool is_plugin_parameter(const struct origin *o)
{
	TSNode first, list = ts_node_child_by_field_name(o->function, "parameters", 10);

	if (!o->name || !*o->name)
		return false;
	if (ts_node_is_null(list))
		first = ts_node_child_by_field_name(o->function, "parameter", 9);
	else
		first = ts_node_named_child(list, 0);
	if (ts_node_is_null(first))
		return false;
	if (!ts_node_is_null(node_field(first, "name")))	/* behind its type */
		first = node_field(first, "name");
	size_t n = strlen(o->name), len = node_len(first);
	const char *text = o->at.in->t->text + node_start_byte(first);
	if (len < n || memcmp(text, o->name, n))
		return false;
	return len == n || !isalnum((unsigned char)text[n]);
}

static void find(
    struct dataflow_context *, struct expression, struct framework_object_list *out, int depth);

/* A parameter: what each caller passes, or else what the plugin is registered with. */
static void find_by_callers(struct dataflow_context *a, const struct origin *o,
    struct framework_object_list *out, int depth)
{
	struct expression calls[MAX_CALLERS];
	int d = enclosing_definition(o->at.in, node_start_byte(o->function), true);
	size_t n = 0, before = out->n;

	bool named = d >= 0 && ts_node_eq(definition_function_node(o->at.in, d), o->function);

	if (a->join && !a->as_declared && named)
		n = other_files_callers(a->join, o->at.in, d, calls, MAX_CALLERS);
	for (size_t i = 0; i < n; i++) {
		struct call_frame g = { o->at.in, o->function, calls[i], derived_receiver(a, calls[i]),
			false, NULL };
		struct expression x = parameter_argument(a, &g, o->name, strlen(o->name));
		if (!ts_node_is_null(x.n) && !means_nothing(x.in->t, x.n)) /* else it makes one itself */
			find(a, x, out, depth + 1);
	}
	if (out->n == before && is_plugin_parameter(o))
		framework_object_add(out,
		    (struct framework_object){
		        .in = o->at.in, .at = node_start_byte(o->function) + 1, .name = o->name });
}

/* Whether a framework may make an object of such a definition. */
static bool is_made_by_framework(const char *kind)
{
	return !strcmp(kind, "class") || !strcmp(kind, "struct") || !strcmp(kind, "module");
}

void framework_object_of_definition(const struct origin *o, struct framework_object_list *out)
{
	const struct definition *d = &o->at.in->found->v[o->definition].def;
	uint32_t at = d->start_byte;
	TSNode function = { 0 };

	if (kind_holds_value(kind_of(d->kind))) {
		framework_object_add(out,
		    (struct framework_object){ .in = o->at.in,
		        .name = d->name,
		        .node = definition_node(o->at.in, o->definition) });
		return;
	}
	if (!kind_is_type(kind_of(d->kind)))
		function = definition_function_node(o->at.in, o->definition);
	if (!ts_node_is_null(function))
		at = node_start_byte(function);
	else if (!is_made_by_framework(d->kind))
		return;
	framework_object_add(out, (struct framework_object){ .in = o->at.in, .at = at + 1, .name = o->name });
}

/* Whether the parameter is of a function without a name, which nothing else calls. */
static bool is_anonymous(const struct origin *o)
{
	int d = enclosing_definition(o->at.in, node_start_byte(o->function), true);

	return d < 0 || !ts_node_eq(definition_function_node(o->at.in, d), o->function);
}

struct expression skip_fluent_calls(struct expression t)
{
	for (;;) {
		struct expression object = { t.in, fluent_object(t), t.given };
		if (ts_node_is_null(object.n) || ts_node_is_null(fluent_object(object)))
			return t;
		t = object;
	}
}

/* The origin of the object that a chain of calls began with, which `*t` becomes. */
static struct origin chain_begin(struct dataflow_context *a, struct expression *t)
{
	*t = skip_fluent_calls(*t);
	struct origin o = origin_of(a, *t);

	for (int i = 0; i < MAX_CHAIN && o.what == ORIGIN_NODE; i++) {
		TSNode object = fluent_object(o.at);
		if (ts_node_is_null(object))
			break;
		struct type_ref self = o.self;
		*t = skip_fluent_calls((struct expression){ o.at.in, object, o.at.given });
		o = origin_of(a, *t);
		if (!o.self.in && o.what == ORIGIN_NODE && o.at.in == t->in)
			o.self = self;
	}
	return o;
}

/*
 * The type that the site at hand is seen for, if its method of a base makes the value: a router
 * that a trait's function returns is another one for each type.
 */
static struct type_ref made_for_self(struct dataflow_context *a, const struct origin *o)
{
	struct type_ref base = { o->at.in, -1 }, none = { 0 };

	a->placed = true;
	if (!a->self.in || o->at.in != a->home)
		return none;
	base.type = enclosing_type_index(o->at.in, o->at.n);
	bool itself = a->self.in == base.in && a->self.type == base.type;
	if (base.type < 0 || itself || !derived_is(a, a->self, base))
		return none;
	return a->self;
}

/*
 * The type whose objects each have a value of their own; none if that is only the type around the
 * value.
 */
static struct type_ref owner_of(struct dataflow_context *a, const struct origin *o)
{
	struct type_ref none = { 0 };

	if (!o->self.in)
		return made_for_self(a, o);
	a->own = a->owned = true;
	if (o->self.in == o->at.in && o->self.type == enclosing_type_index(o->at.in, o->at.n))
		return none;
	return o->self;
}

/* The name of the method that a call calls; a null node: it is no call of a method. */
static TSNode called_name(const struct syntax_tree *t, TSNode call)
{
	TSNode member = called_member(t, call);

	if (ts_node_is_null(member))
		return member;
	return node_path_get(&rules_expr(t, member)->name, member);
}

static bool is_same_text(const struct syntax_tree *t, TSNode a, TSNode b)
{
	return !ts_node_is_null(b) && node_len(a) == node_len(b) &&
	    !memcmp(t->text + node_start_byte(a), t->text + node_start_byte(b), node_len(a));
}

uint32_t framework_object_place(const struct syntax_tree *t, TSNode made)
{
	TSNode name = called_name(t, made), below = made;

	for (int i = 0; i < MAX_CHAIN && !ts_node_is_null(name); i++) {
		below = call_receiver(t, below);
		if (ts_node_is_null(below))
			break;
		if (is_same_text(t, name, called_name(t, below)))
			return node_start_byte(name) + 1;
	}
	return node_start_byte(made) + 1;
}

/* Add what an expression makes, and the object that it belongs to. */
static void add_made(
    struct dataflow_context *a, const struct origin *o, struct framework_object_list *out)
{
	struct framework_object x = { .in = o->at.in,
		.at = framework_object_place(o->at.in->t, o->at.n),
		.name = o->name,
		.self = owner_of(a, o) };
	const struct call_frame *g = frame_of_maker(a, o->at.given);

	if (g) {
		x.given = o->at.given;
		x.maker = g->call;
	}
	framework_object_add(out, x);
}

/* Add what a function returns in several places: an object that branches change on its way. */
static void find_returned(struct dataflow_context *a, const struct origin *o,
    struct framework_object_list *out, int depth)
{
	struct expression returned[MAX_RETURNED];
	size_t n = 0;

	if (o->what == ORIGIN_NODE && depth < OBJECTS_DEEP)
		n = origin_return_values(a, o->at, returned, MAX_RETURNED);
	for (size_t i = 0; n > 1 && i < n; i++)
		find(a, returned[i], out, depth + 1);
}

/* Whether it is a parameter; another name is known by what the framework's matches bind it to. */
static bool is_parameter_name(struct expression t)
{
	const char *name = t.in->t->text + node_start_byte(t.n);

	return !ts_node_is_null(function_of_parameter(t.in, t.n, name, node_len(t.n)));
}

/* Add what each side of `session or self.session` makes. */
static void find_either(struct dataflow_context *a, const struct origin *o,
    struct framework_object_list *out, int depth)
{
	static const char *const either[] = { "or", "||", "??" };
	TSNode operator= { 0 };

	if (o->what == ORIGIN_NODE && depth < OBJECTS_DEEP)
		operator= node_field(o->at.n, "operator");
	if (ts_node_is_null(operator) || ts_node_is_null(node_field(o->at.n, "left")) ||
	    ts_node_is_null(node_field(o->at.n, "right")))
		return;
	for (size_t i = 0; i < LEN(either); i++) {
		if (!node_is(o->at.in->t, operator, either[i]))
			continue;
		struct expression left = { o->at.in, node_field(o->at.n, "left"), o->at.given },
		                  right = { o->at.in, node_field(o->at.n, "right"), o->at.given };
		find(a, left, out, depth + 1);
		find(a, right, out, depth + 1);
	}
}

static void find(
    struct dataflow_context *a, struct expression t, struct framework_object_list *out, int depth)
{
	struct origin o = chain_begin(a, &t);
	size_t before = out->n;

	find_returned(a, &o, out, depth);
	if (out->n > before)
		return;

	bool itself = ts_node_eq(o.at.n, t.n) && !ts_node_named_child_count(t.n);
	if (o.what == ORIGIN_NODE && !itself) {
		add_made(a, &o, out);
		if (ts_node_eq(o.at.n, t.n) || is_parameter_name(t))
			find_either(a, &o, out, depth);
	} else if (o.what == ORIGIN_PARAMETER && depth < OBJECTS_DEEP && (a->join || is_anonymous(&o)))
		find_by_callers(a, &o, out, depth);
	else if (o.what == ORIGIN_DEFINITION)
		framework_object_of_definition(&o, out);
	if (out->n > before)
		return;
	const char *name = framework_object_name(a, t);
	if (name)
		framework_object_add(out, (struct framework_object){ .in = t.in, .name = name, .node = t.n });
}

void framework_objects_of(
    struct dataflow_context *a, struct expression t, struct framework_object_list *out)
{
	struct url_steps *steps = a->steps;

	out->n = 0;
	a->budget = OBJECT_BUDGET;
	a->depth = 0;
	a->steps = NULL;	/* how the object is created is not part of a path */
	a->objects = true;
	find(a, t, out, 0);
	a->objects = false;
	a->steps = steps;
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
	if (!*before)
		return after;
	if (!*after)
		return before;
	return arena_printf(a, "%s/%s", before, after);
}
