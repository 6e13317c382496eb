#include "shard/contracts/urls/derived_types.h"

#include <ctype.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/base/kinds.h"
#include "shard/contracts/urls/other_files.h"
#include "shard/syntax/node_rules.h"

enum { DEEPEST = 6, MOST_BASES = 8, MOST_NODES = 4000 };

int enclosing_type_index(const struct contract_file *in, TSNode n)
{
	uint32_t from = node_start_byte(n), to = node_end_byte(n);
	int i = found_around(in->found, from, to, (int)in->found->n);

	while (i >= 0 && !kind_is_type(kind_of(in->found->v[i].def.kind)))
		i = found_around(in->found, from, to, i);
	return i;
}

/*
 * The types from `from` up to the one below `to`, into v[depth] and on.  How many there are in all;
 * 0: `from` is `to`, or is not derived from it.
 */
static size_t path_to_base(struct dataflow_context *a, struct type_ref from, struct type_ref to,
    struct type_ref *v, size_t depth)
{
	struct type_ref base;

	if (depth == DEEPEST)
		return 0;
	if (from.in == to.in && from.type == to.type)
		return depth;
	v[depth] = from;
	for (size_t i = 0; i < MOST_BASES; i++) {
		if (!other_files_base_type(a->join, from.in, from.type, i, &base.in, &base.type))
			return 0;
		size_t n = 0;
		if (base.type >= 0)
			n = path_to_base(a, base, to, v, depth + 1);
		if (n)
			return n;
	}
	return 0;
}

static size_t path_from_self(struct dataflow_context *a, struct type_ref self,
    struct contract_file *in, int type, struct type_ref *v)
{
	if (!a->join || !self.in || type < 0)
		return 0;
	return path_to_base(a, self, (struct type_ref){ in, type }, v, 0);
}

bool derived_is(struct dataflow_context *a, struct type_ref type, struct type_ref base)
{
	struct type_ref v[DEEPEST];

	if (type.in == base.in && type.type == base.type)
		return true;
	return path_from_self(a, type, base.in, base.type, v) > 0;
}

struct type_ref derived_self(struct dataflow_context *a, struct expression t)
{
	struct type_ref around = { t.in, enclosing_type_index(t.in, t.n) };

	if (around.type < 0)
		return (struct type_ref){ 0 };
	for (const struct call_frame *g = t.given; g; g = g->call.given)
		if (g->self.in && derived_is(a, g->self, around))
			return g->self;
	if (a->self.in && derived_is(a, a->self, around))
		return a->self;
	return around;
}

/* The object that a method is called on, or a null node. */
static TSNode object_of_call(const struct syntax_tree *t, TSNode call)
{
	const struct expr_rule *x = rules_expr(t, call);

	if (x && x->object.n)
		return node_path_get(&x->object, call);
	return call_receiver(t, call);
}

/* Whether a call is of a method of the object that the code belongs to. */
static bool is_own_call(const struct syntax_tree *t, TSNode object)
{
	if (ts_node_is_null(object))
		return true;
	const char *s = t->text + node_start_byte(object);
	return word_set_has(&t->rules->self, s, node_len(object)) ||
	    word_set_has(&t->rules->super, s, node_len(object));
}

bool derived_own_call(struct expression call)
{
	return is_own_call(call.in->t, object_of_call(call.in->t, call.n));
}

struct type_ref derived_object_type(struct dataflow_context *a, struct expression at, TSNode object)
{
	struct type_ref type = { at.in, -1 };

	if (is_own_call(at.in->t, object))
		return derived_self(a, at);
	const char *chain = node_dotted_name(at.in, object, a->a);
	if (chain && a->join)
		type.type = other_files_object_type(a->join, at.in, object, chain, &type.in);
	if (type.type < 0)
		return (struct type_ref){ 0 };
	return type;
}

struct type_ref derived_receiver(struct dataflow_context *a, struct expression call)
{
	return derived_object_type(a, call, object_of_call(call.in->t, call.n));
}

/* Whether the type has a private member of the name, which derived types cannot override. */
static bool is_private(const struct contract_file *in, int type, const char *name, size_t n)
{
	static const char word[] = "private ";

	for (size_t i = 0; i < in->found->n; i++) {
		const struct definition *d = &in->found->v[i].def;
		if (d->parent == type && strlen(d->name) == n && !memcmp(d->name, name, n) &&
		    memmem(in->t->text + d->start_byte, d->end_byte - d->start_byte, word, sizeof word - 1))
			return true;
	}
	return false;
}

/* Whether a member is defined, and not only declared. */
static bool is_defined(const struct contract_file *in, int definition)
{
	const struct definition *d = &in->found->v[definition].def;
	const char *end = in->t->text + d->end_byte, *from = in->t->text + d->start_byte;

	if (memchr(from, '=', (size_t)(end - from)) || memchr(from, '{', (size_t)(end - from)))
		return true;
	TSNode function = definition_function_node(in, definition), returned;
	return !ts_node_is_null(function) && function_return_values(in, function, &returned, 1);
}

bool derived_is_outside_member(const struct contract_file *in, const struct definition *d, int type)
{
	const char *owner = in->found->v[type].def.qualified;
	size_t n = strlen(owner);

	if (d->parent >= 0 || strncmp(d->qualified, owner, n) || d->qualified[n] != '.')
		return false;
	return !strcmp(d->qualified + n + 1, d->name);
}

/* Whether a definition overrides the member `name` of a base of its type `parent`. */
static bool overrides(
    const struct contract_file *in, int definition, int parent, const char *name, size_t n)
{
	const struct definition *d = &in->found->v[definition].def;
	const struct word_set *kinds = &in->t->rules->replaced;

	if (strlen(d->name) != n || memcmp(d->name, name, n))
		return false;
	if (d->parent != parent && !derived_is_outside_member(in, d, parent))
		return false;
	if (kinds->n && !word_set_has(kinds, d->kind, strlen(d->kind)))
		return false;
	return is_defined(in, definition);
}

int derived_override(struct dataflow_context *a, struct expression t, const char *name, size_t n,
    struct contract_file **in)
{
	int around = enclosing_type_index(t.in, t.n);
	struct type_ref v[DEEPEST];
	size_t ntypes = path_from_self(a, derived_self(a, t), t.in, around, v);

	a->own |= around >= 0;
	if (ntypes && is_private(t.in, around, name, n))
		return -1;
	for (size_t k = 0; k < ntypes; k++)
		for (size_t i = 0; i < v[k].in->found->n; i++)
			if (overrides(v[k].in, (int)i, v[k].type, name, n)) {
				*in = v[k].in;
				return (int)i;
			}
	return -1;
}

/* ---- constructors ---- */

/* The node of a call's callee, by the fields that grammars have for it; null if it is no call. */
static TSNode called_name(TSNode n)
{
	static const char *const fields[] = { "function", "method", "name" };

	if (!strstr(ts_node_type(n), "call"))
		return (TSNode){ 0 };
	for (size_t i = 0; i < LEN(fields); i++) {
		TSNode name = node_field(n, fields[i]);
		if (!ts_node_is_null(name))
			return name;
	}
	return (TSNode){ 0 };
}

/* Whether a word means the base type; in Python the word is a call. */
static bool is_super(const struct rules *r, const char *word, size_t n)
{
	for (size_t i = 0; i < r->super.n; i++)
		if (strcspn(r->super.v[i], "(") == n && !memcmp(r->super.v[i], word, n))
			return true;
	return false;
}

/*
 * Whether the node hands arguments to the constructor of the base: super(…), super().__init__(…),
 * : base(…), : Base(…)
 */
static bool delegates(const struct syntax_tree *t, TSNode n)
{
	const struct node_rule *r = rules_of(t->rules, n);
	const char *s = t->text + node_start_byte(n), *end = t->text + node_end_byte(n);
	size_t word = 0;

	if (!r || !(r->marks & MARK_DELEGATE))
		return false;
	while (s < end && strchr(": ", *s))
		s++;
	while (s + word < end && (s[word] == '_' || isalpha((unsigned char)s[word])))
		word++;
	bool super = is_super(t->rules, s, word), self = word_set_has(&t->rules->self, s, word);
	TSNode name = called_name(n);
	if (ts_node_is_null(name))
		return super || !self;
	const char *last = t->text + node_start_byte(name), *to = t->text + node_end_byte(name),
	           *dot = memrchr(last, '.', (size_t)(to - last));
	if (dot)
		last = dot + 1;
	return super &&
	    (is_super(t->rules, last, (size_t)(to - last)) ||
	        word_set_has(&t->rules->constructors, last, (size_t)(to - last)));
}

struct constructor_calls {
	const struct contract_file *in;
	int type, budget;
	struct expression *out;
	size_t n, max;
};

static void find_delegates(struct constructor_calls *x, TSNode n)
{
	const struct node_rule *r = rules_of(x->in->t->rules, n);

	if (--x->budget < 0 || x->n == x->max || (r && r->marks & MARK_ANNOTATION))
		return;
	if (delegates(x->in->t, n)) {
		TSNode argument;
		if (enclosing_type_index(x->in, n) == x->type && call_arguments(x->in->t, n, &argument, 1))
			x->out[x->n++] = (struct expression){ (struct contract_file *)x->in, n, NULL };
		return;
	}
	for (uint32_t i = 0, count = ts_node_named_child_count(n); i < count; i++)
		find_delegates(x, ts_node_named_child(n, i));
}

/* The calls in a type, looked for once: walking the type takes long. */
struct known_delegates {
	int type;
	size_t max, n;
	struct expression *v;
	struct known_delegates *next;
};

static const struct known_delegates *delegates_in(struct contract_file *in, int type, size_t max)
{
	struct known_delegates *k = in->delegates;
	struct constructor_calls x = { .in = in, .type = type, .budget = MOST_NODES, .max = max };

	while (k && (k->type != type || k->max != max))
		k = k->next;
	if (k)
		return k;
	x.out = arena_many(in->t->arena, max, struct expression);
	find_delegates(&x, definition_node(in, type));
	k = arena_one(in->t->arena, struct known_delegates);
	*k = (struct known_delegates){ type, max, x.n, x.out, in->delegates };
	in->delegates = k;
	return k;
}

size_t derived_constructor_calls(struct dataflow_context *a, struct type_ref self,
    struct contract_file *in, int type, struct expression *out, size_t max)
{
	struct type_ref v[DEEPEST];
	size_t n = path_from_self(a, self, in, type, v);

	if (!n)
		return 0;
	const struct known_delegates *k = delegates_in(v[n - 1].in, v[n - 1].type, max);
	if (k->n)
		memcpy(out, k->v, k->n * sizeof *out);
	return k->n;
}

TSNode derived_primary_constructor(
    const struct contract_file *in, int type, const char *name, size_t n)
{
	if (type < 0)
		return (TSNode){ 0 };
	TSNode node = definition_node(in, type);
	if (ts_node_is_null(node) || !function_has_parameter(in, node, name, n))
		return (TSNode){ 0 };
	return node;
}
