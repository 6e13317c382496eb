#include "shard/contracts/contracts_internal.h"

#include "proto/base/arena.h"
#include "shard/contracts/urls/other_files.h"
#include "shard/program/program.h"

/* ---- what types inherit ---- */

enum { MOST_DERIVED = 16 };

static bool is_kind_of_type(const struct definition *d)
{
	return !strcmp(d->kind, "class") || !strcmp(d->kind, "interface") || !strcmp(d->kind, "trait");
}

const struct definition *enclosing_type(const struct contract_file *in, TSNode n)
{
	const struct definition *best = NULL;

	for (size_t i = 0; i < in->found->n; i++) {
		const struct definition *d = &in->found->v[i].def;
		if (d->start_byte > node_start_byte(n))
			break;
		if (node_end_byte(n) <= d->end_byte && is_kind_of_type(d))
			best = d;
	}
	return best;
}

/* Whether a node is the whole definition, perhaps without its decorators. */
static bool is_declaration(const struct contract_file *in, TSNode n, const struct definition *d)
{
	if (node_end_byte(n) < d->end_byte)
		return false;
	if (node_start_byte(n) <= d->start_byte)
		return true;
	TSNode name = node_field(n, "name");
	return !ts_node_is_null(name) && node_is(in->t, name, d->name);
}

bool scope_is_type(
    const struct contract_file *in, const struct framework_match *p, const struct definition *d)
{
	return has(p, ROLE_SCOPE) && is_declaration(in, p->node[ROLE_SCOPE], d) &&
	    enclosing_type(in, p->node[ROLE_SCOPE]) == d;
}

bool type_abstract(const struct contract_file *in, const struct definition *d)
{
	const char *from = in->t->text + d->start_byte;

	if (!strcmp(d->kind, "struct") || !strcmp(d->kind, "enum"))
		return false;
	if (strcmp(d->kind, "class"))
		return true;
	const char *end = memmem(from, d->end_byte - d->start_byte, "class ", 6);
	if (!end)
		return false;
	return memmem(from, (size_t)(end - from), "abstract ", 9) != NULL;
}

const struct definition *type_named(const struct contract_file *in, const char *name)
{
	for (size_t i = 0; i < in->found->n; i++) {
		const struct definition *d = &in->found->v[i].def;
		if (!strcmp(d->name, name) && is_kind_of_type(d))
			return d;
	}
	return NULL;
}

/* The length of a type's name without its arguments: Shop.Crud<Order>. */
static size_t name_length(const char *s, size_t n)
{
	const char *open = memchr(s, '<', n);

	if (open)
		return (size_t)(open - s);
	return n;
}

/* The definition, or the type around it if it is a constructor, which has the type's name. */
static const struct definition *type_of_definition(const struct contract_file *in, int definition)
{
	const struct definition *d = &in->found->v[definition].def;

	if (d->parent >= 0 && kind_is_callable(kind_of(d->kind)))
		return &in->found->v[d->parent].def;
	return d;
}

/* The name of a type that a node names, with the ending that may be left out. */
static const char *type_name(
    const struct contract_file *in, TSNode n, const char *ending, struct arena *a)
{
	const char *text = in->t->text + node_start_byte(n);
	const char *name = arena_strn(a, text, name_length(text, node_len(n)));
	size_t len = strlen(name), end = strlen(ending);

	if (len > end && !strcmp(name + len - end, ending))
		return name;
	return arena_printf(a, "%s%s", name, ending);
}

bool type_resolve(struct fact_builder *c, struct contract_file *in, TSNode n, const char *ending,
    struct framework_type *out)
{
	const char *name = type_name(in, n, ending, c->a);
	const struct sym *sym;
	struct source_file *f;

	*out = (struct framework_type){ in, NULL, type_named(in, name) };
	if (!out->d) {
		c->open = true;
		if (!c->ask.join || !in->file ||
		    other_files_resolve_name(c->ask.join, in, n, name, &sym, &f) != 1)
			return false;
		out->in = other_files_read(c->ask.join, f);
		if (!out->in || sym->index < 0 || (size_t)sym->index >= out->in->found->n)
			return false;
		out->d = type_of_definition(out->in, sym->index);
	}
	out->spots = framework_matches_in_file(out->in, c->fw);
	return out->spots != NULL;
}

bool type_base(struct fact_builder *c, struct contract_file *in, const struct framework_match *p,
    struct framework_type *out)
{
	return type_resolve(c, in, p->node[ROLE_CLASS], "", out);
}

/* Whether a match states a prefix of the type itself. */
static bool states_prefix(const struct framework_type *t, const struct framework_match *p)
{
	return prefixed(p) && !has(p, ROLE_SITE) && scope_is_type(t->in, p, t->d);
}

/* Add the prefixes that annotations of this repository give the type; whether there are any. */
static bool annotated_prefixes(
    struct fact_builder *c, const struct framework_type *t, struct prefixes *out)
{
	bool any = false;

	for (size_t i = 0; i < t->spots->n; i++) {
		const struct framework_match *p = &t->spots->v[i];
		if (p->composed && !has(p, ROLE_SITE) && scope_is_type(t->in, p, t->d))
			any |= annotation_prefixes(c, t->in, p, out);
	}
	return any;
}

bool type_prefixes(
    struct fact_builder *c, const struct framework_type *t, int depth, struct prefixes *out)
{
	bool any = false;

	for (size_t i = 0; i < t->spots->n; i++)
		if (states_prefix(t, &t->spots->v[i])) {
			prefixes_add(out, framework_match_prefix(&c->ask, t->in, &t->spots->v[i], NULL));
			any = true;
		}
	if (annotated_prefixes(c, t, out))
		any = true;
	for (size_t i = 0; i < t->spots->n && !any && depth < MAX_BASES; i++) {
		const struct framework_match *p = &t->spots->v[i];
		struct framework_type base;
		if (has(p, ROLE_CLASS) && !has(p, ROLE_SITE) && !p->composed &&
		    scope_is_type(t->in, p, t->d) && type_base(c, t->in, p, &base))
			any = type_prefixes(c, &base, depth + 1, out);
	}
	return any;
}

/* Whether the type of another file states a prefix of its own. */
static bool derived_states_prefix(struct fact_builder *c, const struct type_ref *derived)
{
	struct framework_type t = { derived->in, NULL, &derived->in->found->v[derived->type].def };

	t.spots = framework_matches_in_file(derived->in, c->fw);
	for (size_t i = 0; t.spots && i < t.spots->n; i++)
		if (states_prefix(&t, &t.spots->v[i]))
			return true;
	return t.spots && annotated_prefixes(c, &t, &(struct prefixes){ 0 });
}

int type_index(const struct contract_file *in, const struct definition *d)
{
	for (size_t i = 0; i < in->found->n; i++)
		if (&in->found->v[i].def == d)
			return (int)i;
	return -1;
}

bool type_is_only_base(struct fact_builder *c, const struct framework_type *t)
{
	struct type_ref below[MOST_DERIVED];
	struct prefixes own = { 0 };
	int type = type_index(t->in, t->d);
	size_t n = 0;

	if (type_prefixes(c, t, 0, &own))
		return false;
	c->open = true;
	if (c->ask.join)
		n = other_files_derived_types(c->ask.join, t->in, type, below, LEN(below));
	for (size_t i = 0; i < n; i++)
		if (derived_states_prefix(c, &below[i]))
			return true;
	return false;
}
