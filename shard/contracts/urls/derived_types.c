#include "shard/contracts/urls/derived_types.h"

#include <ctype.h>

#include "proto/base/buf.h"
#include "shard/base/kinds.h"
#include "shard/contracts/urls/other_files.h"
#include "shard/syntax/node_rules.h"

enum { DEEPEST = 6, MOST_BASES = 8, MOST_NODES = 4000 };

int enclosing_type_index(const struct contract_file *in, TSNode n)
{
	int best = -1;

	for (size_t i = 0; i < in->found->n && in->found->v[i].def.start_byte <= node_start_byte(n);
	     i++)
		if (node_end_byte(n) <= in->found->v[i].def.end_byte &&
		    kind_is_type(kind_of(in->found->v[i].def.kind)))
			best = (int)i;
	return best;
}

/*
 * The types from `from` up to the one below `to`: into v[depth] and on; how many there are in all,
 * 0: it is not derived from it.
 */
static size_t path_to_base(struct dataflow_context *a, struct type_ref from, struct type_ref to,
    struct type_ref *v, size_t depth)
{
	struct type_ref base;
	size_t n = 0;

	if (depth == DEEPEST || (from.in == to.in && from.type == to.type))
		return depth < DEEPEST ? depth : 0;
	v[depth] = from;
	for (size_t i = 0; !n && i < MOST_BASES &&
	     other_files_base_type(a->join, from.in, from.type, i, &base.in, &base.type);
	     i++) {
		if (base.type < 0)
			n = 0;
		else
			n = path_to_base(a, base, to, v, depth + 1);
	}
	return n;
}

static size_t path_from_self(
    struct dataflow_context *a, struct contract_file *in, int type, struct type_ref *v)
{
	if (!a->join || !a->self.in || type < 0)
		return 0;
	return path_to_base(a, a->self, (struct type_ref){ in, type }, v, 0);
}

/* Whether code of the type itself means its own member, whatever derived types call so. */
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

/* Whether the text of the node says what a member is, and does not only declare it. */
static bool says(const struct contract_file *in, const struct definition *d)
{
	const char *end = in->t->text + d->end_byte, *from = in->t->text + d->start_byte;

	return memchr(from, '=', (size_t)(end - from)) || memchr(from, '{', (size_t)(end - from));
}

int derived_override(struct dataflow_context *a, struct expression t, const char *name, size_t n,
    struct contract_file **in)
{
	int around = enclosing_type_index(t.in, t.n);
	struct type_ref v[DEEPEST];
	size_t ntypes = path_from_self(a, t.in, around, v);

	a->own |= around >= 0;
	if (ntypes && is_private(t.in, around, name, n))
		return -1;
	for (size_t k = 0; k < ntypes; k++)
		for (size_t i = 0; i < v[k].in->found->n; i++) {
			const struct definition *d = &v[k].in->found->v[i].def;
			const struct word_set *kinds = &v[k].in->t->rules->replaced;
			if (d->parent != v[k].type || strlen(d->name) != n || memcmp(d->name, name, n) ||
			    !says(v[k].in, d) || (kinds->n && !word_set_has(kinds, d->kind, strlen(d->kind))))
				continue;
			*in = v[k].in;
			return (int)i;
		}
	return -1;
}

/* ---- constructors ---- */

/* The name that a call calls, by the names that grammars have for it; null: the node is no call. */
static TSNode called_name(TSNode n)
{
	static const char *const fields[] = { "function", "method", "name" };
	TSNode name = { 0 };

	for (size_t i = 0; i < LEN(fields) && ts_node_is_null(name) && strstr(ts_node_type(n), "call");
	     i++)
		name = node_field(n, fields[i]);
	return name;
}

/* Whether a word means the base, in Python as a call. */
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

/* The node that a definition begins and ends with. */
static TSNode node_of(const struct contract_file *in, int definition)
{
	const struct definition *d = &in->found->v[definition].def;

	return ts_node_descendant_for_byte_range(
	    in->t->root, d->start_byte, d->end_byte ? d->end_byte - 1 : 0);
}

size_t derived_constructor_calls(struct dataflow_context *a, struct contract_file *in, int type,
    struct expression *out, size_t max)
{
	struct type_ref v[DEEPEST];
	size_t n = path_from_self(a, in, type, v);
	struct constructor_calls x = { .budget = MOST_NODES, .out = out, .max = max };

	if (!n)
		return 0;
	x.in = v[n - 1].in;
	x.type = v[n - 1].type;
	find_delegates(&x, node_of(x.in, x.type));
	return x.n;
}

TSNode derived_primary_constructor(
    const struct contract_file *in, int type, const char *name, size_t n)
{
	TSNode node = type < 0 ? (TSNode){ 0 } : node_of(in, type);

	return !ts_node_is_null(node) && function_has_parameter(in, node, name, n) ? node :
	                                                                             (TSNode){ 0 };
}
