/* Methods that are defined outside of the types whose objects they are called on. */
#include <string.h>

#include "proto/base/minmax.h"
#include "shard/program/name_resolution.h"

enum { MAX_SAME_NAME = 32, MAX_BASE_DEPTH = 8 };

const char *extensions_receiver(struct name_resolver *l, const struct sym *s)
{
	if (!s->has_receiver || s->index < 0)
		return NULL;
	const struct local *x = scope_find_local(l, sym_file(l, s), s->index, RECEIVER_LOCAL, 0);
	if (!x)
		return NULL;
	return x->type;
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

/* Whether `type` is `from`, or derived from it. */
static bool is_derived(
    struct name_resolver *l, const struct sym *type, const struct sym *from, int depth)
{
	struct resolved_value base;
	const struct base_type *b;

	if (type == from || syms_are_one_type(l, type, from))
		return true;
	if (depth >= MAX_BASE_DEPTH)
		return false;
	for (size_t i = 0;; i++) {
		if (resolver_out_of_steps(l) || !inherit_base(l, type, i, &base, &b))
			return false;
		for (size_t k = 0; base.what == RESOLVED_SYMBOLS && k < base.n; k++)
			if (is_derived(l, base.v[k], from, depth + 1))
				return true;
	}
}

/*
 * Whether objects of `types`, or of the type `text` if that is outside of this repository, may be
 * its receiver.
 */
static bool fits(struct name_resolver *l, const struct sym *s, const struct resolved_value *types,
    const char *text)
{
	const char *receiver = extensions_receiver(l, s);
	struct resolved_value wanted;

	if (!receiver)
		return false;
	wanted = infer_named_type(l, sym_file(l, s), s->index, receiver);
	if ((wanted.what == RESOLVED_SYMBOLS) != (types->what == RESOLVED_SYMBOLS))
		return false;
	if (wanted.what != RESOLVED_SYMBOLS)
		return text && same_name(text, receiver);
	for (size_t i = 0; i < types->n; i++)
		for (size_t k = 0; k < wanted.n; k++)
			if (is_derived(l, types->v[i], wanted.v[k], 0))
				return true;
	return false;
}

struct resolved_value extensions_find(
    struct name_resolver *l, struct resolved_value of, const char *name)
{
	const struct sym *v[MAX_SAME_NAME];
	struct resolved_value out = { .confidence = CONFIDENCE_INHERITED, .reason = "type" }, types;
	const char *text = NULL;
	size_t n;

	of = generics_substitute(l, infer_instance(l, of));
	if (of.what == RESOLVED_TYPE_TEXT) {
		types = infer_named_type(l, of.file, of.definition, of.text);
		text = of.text;
	} else if (of.what == RESOLVED_INSTANCE) {
		types = of;
		types.what = RESOLVED_SYMBOLS;
	} else {
		return resolved_unknown();
	}
	n = resolver_find_by_name(l, name, v, MAX_SAME_NAME);
	n = MIN(n, MAX_SAME_NAME);
	for (size_t i = 0; i < n && out.n < MAX_CANDIDATES; i++)
		if (fits(l, v[i], &types, text))
			resolved_add(l, &out, v[i]);
	if (!out.n)
		return resolved_unknown();
	return out;
}
