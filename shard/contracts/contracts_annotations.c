#include "shard/contracts/contracts_internal.h"

#include <string.h>

#include "proto/base/arena.h"
#include "shard/contracts/urls/derived_types.h"
#include "shard/contracts/urls/other_files.h"

/*
 * Annotations that a repository composes of those of a framework, or derives from its types: what an
 * annotation's type says of a site, for the object that the annotation makes.
 */

enum { MAX_EACH = 10, BUDGET = 4000 };

/* An annotation: the expression that makes it, and its type. */
struct annotation {
	struct expression made;
	struct framework_type type;
	struct type_ref self;
};

/* What it says; an annotation without a method is one of a type. */
struct annotation_facts {
	const char *verb[MAX_VERBS];
	int nverbs;
	struct prefixes paths;
	bool has_path;
};

static void add_verb(struct fact_builder *c, struct expression t, struct annotation_facts *out)
{
	const char *verb = verb_in(node_raw(t.in->t, t.n, c->a));

	if (!verb)
		verb = verb_in(expression_text(&c->ask, t));
	if (verb && out->nverbs < MAX_VERBS)
		out->verb[out->nverbs++] = verb;
}

/* Add the methods that an expression means, one or a list. */
static void add_methods(struct fact_builder *c, struct expression t, struct annotation_facts *out)
{
	TSNode each[MAX_EACH] = { t.n };
	size_t n = url_elements(t.in->t, t.n, each, MAX_EACH);

	if (!n)
		each[n++] = t.n;
	for (size_t i = 0; i < n; i++)
		add_verb(c, (struct expression){ t.in, each[i], t.given }, out);
}

/* The arguments of an annotation, or a null node. */
static TSNode annotation_arguments(const struct annotation *of)
{
	TSNode list = node_field(of->made.n, "arguments");

	if (ts_node_is_null(list) && ts_node_named_child_count(of->made.n) == 2)
		list = ts_node_named_child(of->made.n, 1);
	return list;
}

/*
 * The argument of an annotation for a member; one alone, without a name, is for the member `value`.
 * False: there is none.
 */
static bool annotation_argument(
    const struct annotation *of, const char *name, struct expression *out)
{
	const struct syntax_tree *t = of->made.in->t;
	TSNode list = annotation_arguments(of);
	uint32_t n = 0;

	if (!ts_node_is_null(list))
		n = ts_node_named_child_count(list);
	for (uint32_t i = 0; i < n; i++) {
		TSNode argument = ts_node_named_child(list, i), key = node_field(argument, "key"),
		       value = node_field(argument, "value");
		uint32_t parts = ts_node_named_child_count(argument);
		bool pair = node_type_is(argument, "value_argument") && parts == 2;
		if (pair) {
			key = ts_node_named_child(argument, 0);
			value = ts_node_named_child(argument, 1);
		}
		bool alone = ts_node_is_null(key) && n == 1 && !strcmp(name, "value");
		if (alone)
			value = argument;
		else if (ts_node_is_null(key) || !node_is(t, key, name))
			continue;
		*out = (struct expression){ of->made.in, value, of->made.given };
		return true;
	}
	return false;
}

/* The value of a member of the annotation as an object; false: it is not known. */
static bool member_value(
    struct fact_builder *c, const struct annotation *of, const char *name, struct expression *out)
{
	struct origin o;

	if (annotation_argument(of, name, out))
		return true;
	c->ask.budget = BUDGET;
	o = origin_made_member(&c->ask, of->self, of->made, name);

	*out = o.at;
	return o.what == ORIGIN_NODE && !ts_node_is_null(o.at.n);
}

static void add_path(struct annotation_facts *out, const char *text)
{
	out->has_path = true;
	prefixes_add(&out->paths, text);
}

/* Add what one match at a type of the annotation says. */
static void match_says(struct fact_builder *c, const struct annotation *of,
    const struct framework_type *at, const struct framework_match *p,
    const struct call_frame *given, bool *path, struct annotation_facts *out)
{
	struct expression value;

	if (has(p, ROLE_METHOD))
		add_methods(c, (struct expression){ at->in, p->node[ROLE_METHOD], given }, out);
	if (p->methods && member_value(c, of, p->methods, &value))
		add_methods(c, value, out);
	if (out->has_path && !*path)
		return; /* a derived type says it */
	if (prefixed(p)) {
		add_path(out, framework_match_prefix(&c->ask, at->in, p, given));
		*path = true;
	}
	if (!p->template)
		return;
	const char *text = "{}";
	if (p->only && !annotation_argument(of, p->template, &value))
		return; /* it only stands for the member of another annotation */
	if (member_value(c, of, p->template, &value))
		text = expression_text(&c->ask, value);
	add_path(out, text);
	*path = true;
}

/* Add what one of the annotation's types and its bases say. */
static void type_says(struct fact_builder *c, const struct annotation *of,
    const struct framework_type *at, int depth, struct annotation_facts *out)
{
	struct type_ref type = { at->in, type_index(at->in, at->d) };
	const struct call_frame *given = constructor_frames(&c->ask, type, of->self, of->made, 0);
	bool path = false;

	for (size_t i = 0; i < at->spots->n; i++) {
		const struct framework_match *p = &at->spots->v[i];
		if (!has(p, ROLE_SITE) && scope_is_type(at->in, p, at->d))
			match_says(c, of, at, p, given, &path, out);
	}
	for (size_t i = 0; i < at->spots->n && depth < MAX_BASES; i++) {
		const struct framework_match *p = &at->spots->v[i];
		struct framework_type base;
		if (has(p, ROLE_CLASS) && !has(p, ROLE_SITE) && !p->composed &&
		    scope_is_type(at->in, p, at->d) && type_base(c, at->in, p, &base))
			type_says(c, of, &base, depth + 1, out);
	}
}

/* The annotation that names its type at a node: the node's parent, or what that stands in. */
static TSNode annotation_of(TSNode name)
{
	TSNode n = node_parent(name);

	if (node_type_is(n, "user_type") && node_type_is(node_parent(n), "constructor_invocation"))
		n = node_parent(n);
	return n;
}

/* What the annotation of a match in a file says; false: its type is not of this repository. */
static bool annotation_says(struct fact_builder *c, struct contract_file *in,
    const struct framework_match *p, struct annotation_facts *out)
{
	struct annotation of = { .made = { in, annotation_of(p->node[ROLE_CLASS]), NULL } };

	*out = (struct annotation_facts){ 0 };
	if (!type_resolve(c, in, p->node[ROLE_CLASS], p->composed, &of.type))
		return false;
	of.self = (struct type_ref){ of.type.in, type_index(of.type.in, of.type.d) };
	if (of.self.type < 0)
		return false;
	type_says(c, &of, &of.type, 0, out);
	return true;
}

bool annotation_add(
    struct fact_builder *c, const struct framework_match *site, struct contract_site *s)
{
	struct annotation_facts says;

	if (!annotation_says(c, c->in, site, &says) || !says.nverbs)
		return false;
	for (int i = 0; i < says.nverbs && s->nmethods < MAX_VERBS; i++)
		s->method[s->nmethods++].verb = says.verb[i];
	for (size_t i = 0, own = (size_t)s->npaths; i < says.paths.n && !own; i++)
		if (s->npaths < MAX_PATHS)
			s->path[s->npaths++] = (struct path_part){ .prefix = says.paths.v[i],
				.style = s->style };
	return true;
}

bool annotation_is_route(
    struct fact_builder *c, struct contract_file *in, const struct framework_match *p)
{
	struct annotation_facts says;

	return annotation_says(c, in, p, &says) && says.nverbs > 0;
}

bool annotation_prefixes(struct fact_builder *c, struct contract_file *in,
    const struct framework_match *p, struct prefixes *out)
{
	struct annotation_facts says;

	if (!annotation_says(c, in, p, &says))
		return false;
	for (size_t i = 0; i < says.paths.n; i++)
		prefixes_add(out, says.paths.v[i]);
	return says.has_path;
}
