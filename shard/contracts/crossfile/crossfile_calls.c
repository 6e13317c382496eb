#include "shard/contracts/crossfile/crossfile_internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "proto/base/arena.h"
#include "proto/base/die.h"
#include "shard/storage/edge_store.h"
#include "shard/storage/symbol_store.h"
#include "shard/syntax/node_rules.h"

enum {
	SURE_CALL = 40,
	ONLY_NAME = 30,
	MOST_CALLS = 2000,
	MOST_GUESSES = 200,
	MOST_ARGUMENTS = 16,
	SHORTEST_OBJECT = 3
};

/* ---- callers ---- */

struct call_search {
	struct contract_file *in;
	TSNode first;		/* the call at the edge's line */
	const char *name;
	uint32_t line;
	int definition;
	struct expression *out;
	size_t n, max;
	int budget;
	bool gather;		/* else search for the first call */
	bool on_anything;	/* calls on any object count */
	struct crossfile *join;
	const struct contract_file *of;	/* the definition that is called ... */
	int called;			/* ... by its index there */
};

static TSNode callee_of(const struct syntax_tree *t, TSNode call)
{
	const struct expr_rule *x = rules_expr(t, call);

	if (!x || (x->op != EXPR_CALL && x->op != EXPR_NEW))
		return (TSNode){ 0 };
	if (x->op == EXPR_NEW)
		return node_path_get(&x->type, call);
	if (x->function.n)
		return node_path_get(&x->function, call);
	return node_path_get(&x->name, call);
}

/* The length of a callee without type arguments: get<User>, service[Order]. */
static size_t bare_len(const struct syntax_tree *t, TSNode callee)
{
	const char *s = t->text + node_start_byte(callee), *open = NULL;
	size_t n = node_len(callee);

	if (n && s[n - 1] == '>')
		open = memchr(s, '<', n);
	else if (n && s[n - 1] == ']')
		open = memchr(s, '[', n);
	if (!open)
		return n;
	n = (size_t)(open - s);
	while (n && s[n - 1] == ':')	/* Rust: get::<User> */
		n--;
	return n;
}

static bool ends_with(const struct syntax_tree *t, TSNode n, const char *name)
{
	size_t len = strlen(name), have = bare_len(t, n);
	const char *s = t->text + node_start_byte(n);

	if (have < len || memcmp(s + have - len, name, len))
		return false;
	return have == len || strchr(".>:& \t\n(", s[have - len - 1]);
}

static bool same_text(const struct syntax_tree *t, TSNode a, TSNode b)
{
	size_t n = bare_len(t, a);

	return n == bare_len(t, b) &&
	    !memcmp(t->text + node_start_byte(a), t->text + node_start_byte(b), n);
}

/* The object of a method call, where the grammar has it apart from the name; null: none. */
static TSNode object_of(const struct syntax_tree *t, TSNode call)
{
	const struct expr_rule *x = rules_expr(t, call);

	if (!x)
		return (TSNode){ 0 };
	return node_path_get(&x->object, call);
}

/* Whether a call of that name on another object is known to be of another definition. */
static bool is_call_of_other(const struct call_search *c, TSNode call)
{
	TSNode own = object_of(c->in->t, call), first = object_of(c->in->t, c->first);
	const struct sym *sym;
	struct source_file *f;

	if (ts_node_is_null(own) || (!ts_node_is_null(first) && same_text(c->in->t, own, first)))
		return false;
	const char *chain = node_dotted_name(c->in, call, c->join->look.a);
	if (!chain || strlen(chain) <= 2)
		return false;
	chain = arena_strn(c->join->look.a, chain, strlen(chain) - 2);	/* without () */
	if (other_files_resolve_name(c->join, c->in, call, chain, &sym, &f) != 1)
		return false;
	if (sym->owner == KIND_interface || sym->owner == KIND_trait)
		return false;
	return f != c->of->file || strcmp(sym->qualified, c->of->found->v[c->called].def.qualified);
}

/* Whether the callee begins or ends at the edge's line. */
static bool is_at_line(const struct call_search *c, TSNode call, TSNode callee)
{
	return node_line(call) == c->line || node_line(callee) == c->line ||
	    node_end_row(callee) + 1 == c->line;
}

/* The function that a callee means: what a local name stands for, `register := api.Register`. */
static TSNode meant_function(const struct call_search *c, TSNode callee)
{
	const struct syntax_tree *t = c->in->t;
	const struct binding *b = NULL;
	uint32_t at = node_start_byte(callee);

	if (!ts_node_named_child_count(callee))
		b = find_local_binding(t, t->text + at, node_len(callee), at, NULL);
	if (b && ends_with(t, b->value, c->name))
		return b->value;
	return callee;
}

/* Whether a call is like the first one, and in the same definition. */
static bool is_like_first(const struct call_search *c, TSNode call, TSNode callee)
{
	const struct syntax_tree *t = c->in->t;
	bool same;

	if (c->on_anything)
		same = ends_with(t, callee, c->name);
	else
		same = same_text(t, meant_function(c, callee), meant_function(c, callee_of(t, c->first)));
	return same && enclosing_definition(c->in, node_start_byte(call), true) == c->definition &&
	    !is_call_of_other(c, call);
}

/* Whether no call that counts can be in the node, or the first one is known already. */
static bool skips(const struct call_search *c, TSNode n)
{
	if (c->gather && c->definition >= 0) {
		const struct definition *d = &c->in->found->v[c->definition].def;
		return node_end_byte(n) <= d->start_byte || node_start_byte(n) >= d->end_byte;
	}
	if (c->gather)
		return false;
	return !ts_node_is_null(c->first) || node_line(n) > c->line || node_end_row(n) + 1 < c->line;
}

static void calls_walk(struct call_search *c, TSNode n)
{
	if (--c->budget < 0 || c->n == c->max || skips(c, n))
		return;
	TSNode callee = callee_of(c->in->t, n);
	if (!ts_node_is_null(callee)) {
		if (c->gather && is_like_first(c, n, callee))
			c->out[c->n++] = (struct expression){ c->in, n, NULL };
		else if (!c->gather && is_at_line(c, n, callee) &&
		    ends_with(c->in->t, meant_function(c, callee), c->name))
			c->first = n;
	}
	for (uint32_t i = 0, count = ts_node_named_child_count(n); i < count; i++)
		calls_walk(c, ts_node_named_child(n, i));
}

/* The nth alias by which the file may call what has the name elsewhere, or NULL. */
static const char *local_alias(const struct contract_file *r, const char *name, int nth)
{
	for (size_t i = 0; i < r->facts->imports.n; i++) {
		const struct import *x = &r->facts->imports.v[i];
		if (!x->alias)
			continue;
		bool any = !x->name || !strcmp(x->name, "default") || !strcmp(x->name, "*");
		if ((any || !strcmp(x->name, name)) && !nth--)
			return x->alias;
	}
	return NULL;
}

/* The origin of what a call is of; a method's name alone would be that of any object. */
static struct origin origin_of_called(
    struct dataflow_context *a, struct contract_file *r, TSNode call)
{
	const char *chain = NULL;

	if (ts_node_is_null(object_of(r->t, call)))
		return origin_of(a, (struct expression){ r, callee_of(r->t, call), NULL });
	chain = node_dotted_name(r, call, a->a);
	if (!chain || strlen(chain) <= 2)
		return (struct origin){ 0 };
	chain = arena_strn(a->a, chain, strlen(chain) - 2);	/* without () */
	return origin_chain(a, (struct expression){ r, call, NULL }, chain);
}

/* Whether the call is of that definition; the resolver may have guessed it by its name. */
static bool call_is_of_definition(struct crossfile *j, struct contract_file *r, TSNode call,
    const struct contract_file *of, int definition)
{
	struct dataflow_context a = { .join = j, .a = j->look.a, .budget = MOST_CALLS, .home = r };
	struct origin o = origin_of_called(&a, r, call);

	if (o.at.in != of)
		return false;
	if (o.what == ORIGIN_DEFINITION)
		return o.definition == definition;
	return o.what == ORIGIN_NODE && ts_node_eq(o.at.n, definition_function_node(of, definition));
}

/* The type that a function says its parameter or receiver has, or a null node. */
static TSNode declared_type(const struct syntax_tree *t, TSNode function, TSNode name)
{
	static const char *const lists[] = { "receiver", "parameters" };

	for (size_t i = 0; i < LEN(lists); i++) {
		TSNode list = node_field(function, lists[i]);
		uint32_t count = 0;
		if (!ts_node_is_null(list))
			count = ts_node_named_child_count(list);
		for (uint32_t k = 0; k < count; k++) {
			TSNode p = ts_node_named_child(list, k), own = node_field(p, "name");
			if (!ts_node_is_null(own) && same_text(t, own, name))
				return node_field(p, "type");
		}
	}
	return (TSNode){ 0 };
}

/* Whether the text is one name. */
static bool is_single_name(const char *s)
{
	while (isalnum((unsigned char)*s) || *s == '_')
		s++;
	return !*s;
}

/* Whether both are in the same folder. */
static bool same_folder(const struct source_file *a, const struct source_file *b)
{
	const char *p = strrchr(a->path, '/'), *q = strrchr(b->path, '/');

	if (!p || !q)
		return p == q;
	return p - a->path == q - b->path && !memcmp(a->path, b->path, (size_t)(p - a->path));
}

/*
 * Whether the call, which the resolver guessed by the name alone, is of a method of an object whose
 * type this package names but does not define, because it is generated or left out.
 */
static bool fits_undefined_type(struct crossfile *j, struct contract_file *r, TSNode call,
    const struct contract_file *of, int definition)
{
	TSNode object = call_receiver(r->t, call), arguments[MOST_ARGUMENTS];
	const struct sym *sym;
	struct source_file *f;

	while (!ts_node_is_null(object) && ts_node_named_child_count(object))
		object = ts_node_named_child(object, 0);
	if (ts_node_is_null(object) || !same_folder(r->file, of->file))
		return false;
	TSNode type = declared_type(r->t, enclosing_function(r, object), object);
	if (ts_node_is_null(type))
		return false;
	const char *name = arena_strn(j->look.a, r->t->text + node_start_byte(type), node_len(type));
	name += strspn(name, "*&");
	if (!is_single_name(name) || other_files_resolve_name(j, r, call, name, &sym, &f))
		return false;
	int takes = parameter_count(of, definition_function_node(of, definition));
	return call_arguments(r->t, call, arguments, MOST_ARGUMENTS) == (size_t)takes;
}

/* A place where another file calls a definition. */
struct edge_call {
	struct source_file *file;
	const char *name;
	uint32_t line;
	bool sure;
};

/* Whether it is an extension method, called on objects of other types. */
static bool extends_others(const struct contract_file *of, int definition)
{
	TSNode function = definition_function_node(of, definition);

	return !ts_node_is_null(function) && is_extension_method(of, function);
}

/* Whether the letters and digits of the two texts are the same, from their ends on. */
static bool ends_alike(
    const char *long_end, const char *from, const char *short_end, const char *to)
{
	while (short_end > to) {
		if (!isalnum((unsigned char)short_end[-1])) {
			short_end--;
			continue;
		}
		while (long_end > from && !isalnum((unsigned char)long_end[-1]))
			long_end--;
		if (long_end == from ||
		    tolower((unsigned char)long_end[-1]) != tolower((unsigned char)short_end[-1]))
			return false;
		long_end--;
		short_end--;
	}
	return long_end == from || isupper((unsigned char)*long_end);
}

/*
 * Whether the object of a call has the name of the definition's type, or its last words: @api.get
 * of class Api, client.post of class ShopClient.
 */
static bool object_named_like_type(
    const struct contract_file *r, TSNode call, const struct contract_file *of, int definition)
{
	int type = of->found->v[definition].def.parent;
	TSNode object = call_object(r->t, call);

	if (type < 0 || ts_node_is_null(object) || node_len(object) < SHORTEST_OBJECT)
		return false;
	const char *name = of->found->v[type].def.name, *from = r->t->text + node_start_byte(object),
	           *end = r->t->text + node_end_byte(object);
	const char *last = end;
	while (last > from && last[-1] != '.' && last[-1] != '>')
		last--;
	return ends_alike(name + strlen(name), name, end, last);
}

static void calls_at(struct crossfile *j, const struct edge_call *e, const struct contract_file *of,
    int definition, struct expression *out, size_t *n, size_t max)
{
	const char *name = e->name;
	struct contract_file *r = other_files_read(j, e->file);
	struct call_search c = { .in = r, .name = name, .line = e->line, .out = out, .n = *n,
	    .max = max, .budget = MOST_CALLS * 10,
		.on_anything = extends_others(of, definition), .join = j, .of = of, .called = definition };

	if (!r)
		return;
	calls_walk(&c, r->t->root);
	for (int i = 0; ts_node_is_null(c.first); i++) {
		c.name = local_alias(r, name, i);
		if (!c.name)
			return;
		calls_walk(&c, r->t->root);
	}
	if (!e->sure && !object_named_like_type(r, c.first, of, definition) &&
	    !call_is_of_definition(j, r, c.first, of, definition) &&
	    !fits_undefined_type(j, r, c.first, of, definition))
		return;
	c.definition = enclosing_definition(r, node_start_byte(c.first), true);
	if (c.definition >= 0 && r->found->v[c.definition].def.test)	/* in a file with other code */
		return;
	c.gather = true;
	c.budget = MOST_CALLS * 100;
	calls_walk(&c, r->t->root);
	*n = c.n;
}

struct source_file **crossfile_referring_files(
    struct crossfile *j, const struct source_file *f, struct arena *a, size_t *n)
{
	int64_t *ids;
	size_t nids;

	*n = 0;
	crossfile_lock(j);
	int rc = edges_incoming_files(j->db, f->id, a, &ids, &nids, j->e);
	crossfile_unlock(j);
	if (rc)
		return NULL;
	struct source_file **v = arena_many(a, nids + 1, struct source_file *);
	for (size_t i = 0; i < nids; i++) {
		struct source_file *from = crossfile_file_by_id(j, ids[i]);
		if (from && !from->test)
			v[(*n)++] = from;
	}
	for (size_t i = 1; i < *n; i++)
		for (size_t k = i; k && v[k]->place < v[k - 1]->place; k--) {
			struct source_file *swap = v[k];
			v[k] = v[k - 1];
			v[k - 1] = swap;
		}
	return v;
}

int crossfile_edges_from(
    struct crossfile *j, const struct source_file *f, struct arena *a, struct stored_edges *out)
{
	crossfile_lock(j);
	int rc = edges_read(j->db, f->id, a, out, j->e);
	crossfile_unlock(j);
	return rc;
}

/*
 * How sure an edge is that the definition is called, or an overload of it with as many arguments:
 * the confidence is divided among overloads that differ only in types.
 */
static int call_confidence(const struct stored_edges *edges, const struct stored_edge *e,
    const struct file_symbols *u, int definition)
{
	int sum = 0;

	for (size_t i = 0; i < edges->n; i++) {
		const struct stored_edge *x = &edges->v[i];
		if (x->kind != e->kind || x->source != e->source || x->line != e->line ||
		    x->target_file != e->target_file)
			continue;
		for (size_t k = 0; k < u->n; k++)
			if (u->v[k].number == symbol_number(x->target) &&
			    !strcmp(u->v[k].qualified, u->v[definition].qualified))
				sum += x->confidence;
	}
	return sum;
}

static void calls_of(struct crossfile *j, const struct contract_file *of, int definition,
    struct arena *a, struct expression *out, size_t *n, size_t max)
{
	const struct file_symbols *u = program_file_symbols(j->w, of->file);
	const struct definition *d = &of->found->v[definition].def;
	/* it is called by the name of its type */
	bool constructor = d->parent >= 0 && !strcmp(d->kind, "constructor");
	const char *name = d->name;
	int guesses = MOST_GUESSES, least = SURE_CALL;
	struct stored_edges edges;
	char number[24];
	size_t ncallers;

	if ((size_t)definition >= u->n)
		return;
	int64_t id = symbol_id(of->file->id, u->v[definition].number);
	if (constructor)
		name = of->found->v[d->parent].def.name;
	if (extends_others(of, definition))
		least = ONLY_NAME;
	snprintf(number, sizeof number, "%lld", (long long)id);
	resolver_record_key(&j->look, key_hash("c:", number, NULL));
	struct source_file **callers = crossfile_referring_files(j, of->file, a, &ncallers);
	for (size_t i = 0; i < ncallers && *n < max && !crossfile_edges_from(j, callers[i], a, &edges);
	     i++)
		for (size_t k = 0; k < edges.n; k++) {
			if (edges.v[k].kind != EDGE_CALLS || edges.v[k].target != id)
				continue;
			bool sure = call_confidence(&edges, &edges.v[k], u, definition) >= least;
			struct edge_call e = { callers[i], name, edges.v[k].line, sure };
			if (e.sure || guesses-- > 0)
				calls_at(j, &e, of, definition, out, n, max);
		}
}

/* Where calls are gathered. */
struct found_calls {
	struct arena *a;
	struct expression *out;
	size_t *n, max;
};

/* The calls of a base's method that may be of the one that overrides it. */
static void calls_of_base(struct crossfile *j, struct contract_file *above, int overridden,
    const struct contract_file *of, int definition, struct found_calls *to)
{
	size_t first = *to->n, kept = first;

	calls_of(j, above, overridden, to->a, to->out, to->n, to->max);
	for (size_t i = first; i < *to->n; i++)
		if (crossfile_call_may_reach(j, to->out[i], above, overridden, of, definition))
			to->out[kept++] = to->out[i];
	*to->n = kept;
}

/*
 * The calls of what a method overrides: a call of an interface's method may be of any
 * implementation.
 */
static void calls_of_overridden(struct crossfile *j, const struct contract_file *of, int definition,
    struct arena *a, struct expression *out, size_t *n, size_t max)
{
	const struct file_symbols *u = program_file_symbols(j->w, of->file);
	struct found_calls found = { a, out, n, max };
	struct stored_edges edges;

	if ((size_t)definition >= u->n || crossfile_edges_from(j, of->file, a, &edges))
		return;
	int64_t id = symbol_id(of->file->id, u->v[definition].number);
	for (size_t i = 0; i < edges.n; i++) {
		const struct stored_edge *e = &edges.v[i];
		if (e->kind != EDGE_OVERRIDES || e->source != id)
			continue;
		struct source_file *f = crossfile_file_by_id(j, e->target_file);
		struct contract_file *above = NULL;
		if (f)
			above = other_files_read(j, f);
		if (!above)
			continue;
		const struct file_symbols *there = program_file_symbols(j->w, f);
		for (size_t k = 0; k < there->n && k < above->found->n; k++)
			if (there->v[k].number == symbol_number(e->target))
				calls_of_base(j, above, (int)k, of, definition, &found);
	}
}

static int by_place(const void *a, const void *b)
{
	const struct expression *x = a, *y = b;

	if (x->in != y->in) {
		if (x->in->file->place < y->in->file->place)
			return -1;
		return 1;
	}
	return (node_start_byte(x->n) > node_start_byte(y->n)) -
	    (node_start_byte(x->n) < node_start_byte(y->n));
}

/* The calls of a definition that were looked for, while one file's questions are answered. */
struct cached_callers {
	const struct contract_file *of;
	int definition;
	size_t max, n;
	struct expression *v;
	struct cached_callers *next;
};

/* The head of the list that has the definition's calls. */
static struct cached_callers **callers_place(
    struct crossfile *j, const struct contract_file *r, int definition)
{
	uint64_t hash = ((uint64_t)(uintptr_t)r + (uint64_t)definition) * 0x9e3779b97f4a7c15u;

	return &j->calls[hash >> (64 - CALLERS_BITS)];
}

static struct cached_callers *find_calls(
    struct crossfile *j, struct contract_file *r, int definition, size_t max)
{
	const struct definition *d = &r->found->v[definition].def;
	struct cached_callers *k = arena_one(j->look.a, struct cached_callers);
	struct cached_callers **place = callers_place(j, r, definition);
	struct expression *v = xmalloc(max * sizeof *v);
	struct arena *a = arena_new();
	size_t n = 0;

	*k = (struct cached_callers){ .of = r, .definition = definition, .max = max, .next = *place };
	*place = k;
	calls_of(j, r, definition, a, v, &n, max);
	calls_of_overridden(j, r, definition, a, v, &n, max);
	if (!n && d->parent >= 0 && !strcmp(d->kind, "constructor"))
		calls_of(j, r, d->parent, a, v, &n, max);
	crossfile_calls_of_returned(
	    j, r, definition_function_node(r, definition), d->parent, d->name, v, &n, max);
	crossfile_calls_of_value(j, r, definition, v, &n, max);
	crossfile_calls_of_mixed_in(j, r, definition, v, &n, max);
	if (n)
		qsort(v, n, sizeof *v, by_place);
	for (size_t i = 0; i < n; i++)
		if (!k->n || v[k->n - 1].in != v[i].in || !ts_node_eq(v[k->n - 1].n, v[i].n))
			v[k->n++] = v[i];
	k->v = arena_many(j->look.a, k->n, struct expression);
	if (k->n)
		memcpy(k->v, v, k->n * sizeof *v);
	free(v);
	arena_free(a);
	return k;
}

size_t crossfile_callers(struct crossfile *j, struct contract_file *r, int definition,
    struct expression *out, size_t max)
{
	struct cached_callers *k;

	if (!r->file)
		return 0;
	k = *callers_place(j, r, definition);
	while (k && (k->of != r || k->definition != definition || k->max != max))
		k = k->next;
	if (!k)
		k = find_calls(j, r, definition, max);
	if (k->n)
		memcpy(out, k->v, k->n * sizeof *out);
	return k->n;
}
