/* Functions that are called on objects of types that do not define them. */
#include <string.h>

#include "shard/program/name_resolution.h"

enum { MOST_NAMED = 32, DEEPEST = 8 };

const char *extensions_receiver(struct look *l, const struct sym *s)
{
	const struct local *x = s->receives && s->index >= 0 ? visible_local(l, file_of(l, s), s->index, RECEIVER_LOCAL, 0) : NULL;

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

static bool derived(struct look *l, const struct sym *type, const struct sym *from, int depth)
{
	struct value base;
	const struct base *b;
	bool found = type == from || value_part(l, type, from);

	for (size_t i = 0; !found && depth < DEEPEST && !look_spent(l) && inherit_base(l, type, i, &base, &b); i++)
		for (size_t k = 0; !found && base.what == SYMBOLS && k < base.n; k++)
			found = derived(l, base.v[k], from, depth + 1);
	return found;
}

/* Whether objects of `types`, or of the type of another repository that `text` names, may be its receiver. */
static bool fits(struct look *l, const struct sym *s, const struct value *types, const char *text)
{
	const char *receiver = extensions_receiver(l, s);
	struct value wanted;

	if (!receiver)
		return false;
	wanted = typing_type(l, file_of(l, s), s->index, receiver);
	if (wanted.what != SYMBOLS || types->what != SYMBOLS)
		return wanted.what != SYMBOLS && types->what != SYMBOLS && text && same_name(text, receiver);
	for (size_t i = 0; i < types->n; i++)
		for (size_t k = 0; k < wanted.n; k++)
			if (derived(l, types->v[i], wanted.v[k], 0))
				return true;
	return false;
}

struct value extensions_find(struct look *l, struct value of, const char *name)
{
	const struct sym *v[MOST_NAMED];
	struct value out = { .confidence = SURE_INHERITED, .reason = "type" }, types = { 0 };
	size_t n;

	of = generics_settle(l, typing_object(l, of));
	if (of.what == TYPED)
		types = typing_type(l, of.file, of.definition, of.text);
	else if (of.what == OBJECT)
		types = of, types.what = SYMBOLS;
	else
		return (struct value){ 0 };
	n = look_named(l, name, v, MOST_NAMED);
	for (size_t i = 0; i < n && i < MOST_NAMED && out.n < MOST_CANDIDATES; i++)
		if (fits(l, v[i], &types, of.what == TYPED ? of.text : NULL))
			value_add(l, &out, v[i]);
	return out.n ? out : (struct value){ 0 };
}
