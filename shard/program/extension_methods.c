/* Functions that are called on objects of types that do not define them. */
#include <string.h>

#include "shard/program/name_resolution.h"

enum { MOST_NAMED = 32, MAX_BASE_DEPTH = 8 };

const char *extensions_receiver(struct name_resolver *l, const struct sym *s)
{
	const struct local *x = NULL;

	if (s->has_receiver && s->index >= 0)
		x = scope_find_local(l, sym_file(l, s), s->index, RECEIVER_LOCAL, 0);
	return x ? x->type : NULL;
}

/* The last name of a type, without its arguments. */
static size_t last_name(const char *type, const char **name)
{
	size_t n = strcspn(type, "<"), from = n;

	while (from && type[from - 1] != '.')
		from--;
	*name = type + from;
	return n - from;
}

static bool same_name(const char *a, const char *b)
{
	const char *x, *y;
	size_t n = last_name(a, &x);

	return n == last_name(b, &y) && !memcmp(x, y, n);
}

static bool derived(
    struct name_resolver *l, const struct sym *type, const struct sym *from, int depth)
{
	struct resolved_value base;
	const struct base_type *b;
	bool found = type == from || syms_are_one_type(l, type, from);

	for (size_t i = 0; !found && depth < MAX_BASE_DEPTH && !resolver_out_of_steps(l) &&
	     inherit_base(l, type, i, &base, &b);
	     i++)
		for (size_t k = 0; !found && base.what == RESOLVED_SYMBOLS && k < base.n; k++)
			found = derived(l, base.v[k], from, depth + 1);
	return found;
}

/*
 * Whether objects of `types`, or of the type of another repository that `text` names, may be its
 * receiver.
 */
static bool fits(struct name_resolver *l, const struct sym *s, const struct resolved_value *types,
    const char *text)
{
	const char *receiver = extensions_receiver(l, s);
	struct resolved_value wanted;

	if (!receiver)
		return false;
	wanted = infer_named_type(l, sym_file(l, s), s->index, receiver);
	if (wanted.what != RESOLVED_SYMBOLS || types->what != RESOLVED_SYMBOLS)
		return wanted.what != RESOLVED_SYMBOLS && types->what != RESOLVED_SYMBOLS && text &&
		    same_name(text, receiver);
	for (size_t i = 0; i < types->n; i++)
		for (size_t k = 0; k < wanted.n; k++)
			if (derived(l, types->v[i], wanted.v[k], 0))
				return true;
	return false;
}

struct resolved_value extensions_find(
    struct name_resolver *l, struct resolved_value of, const char *name)
{
	const struct sym *v[MOST_NAMED];
	struct resolved_value out = { .confidence = CONFIDENCE_INHERITED, .reason = "type" },
	                      types = { 0 };
	size_t n;

	of = generics_substitute(l, infer_instance(l, of));
	if (of.what == RESOLVED_TYPE_TEXT)
		types = infer_named_type(l, of.file, of.definition, of.text);
	else if (of.what == RESOLVED_INSTANCE)
		types = of, types.what = RESOLVED_SYMBOLS;
	else
		return (struct resolved_value){ 0 };
	n = resolver_find_by_name(l, name, v, MOST_NAMED);
	for (size_t i = 0; i < n && i < MOST_NAMED && out.n < MAX_CANDIDATES; i++)
		if (fits(l, v[i], &types, of.what == RESOLVED_TYPE_TEXT ? of.text : NULL))
			resolved_add(l, &out, v[i]);
	return out.n ? out : (struct resolved_value){ 0 };
}
