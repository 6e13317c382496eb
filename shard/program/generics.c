#include <string.h>

#include "proto/base/arena.h"
#include "shard/program/file_symbols.h"
#include "shard/program/name_resolution.h"

enum { MAX_GENERIC_BASE_DEPTH = 4 };

/* Where a type parameter is declared: which of how many, by whom. */
struct type_parameter {
	struct source_file *file;
	int definition;
	size_t which;
	const char *bound;	/* NULL: none */
};

const char *generics_argument(struct arena *a, const char *type, size_t which)
{
	const char *from = type + strcspn(type, "<");
	int depth = 0;

	if (!*from++)
		return NULL;
	for (const char *c = from;; c++) {
		bool end = !*c || (*c == '>' && !depth);
		if (end || (*c == ',' && !depth)) {
			if (!which--) {
				if (c > from)
					return arena_strn(a, from, (size_t)(c - from));
				return NULL;
			}
			if (end)
				return NULL;
			from = c + 1;
		}
		depth += (*c == '<') - (*c == '>');
	}
}

/*
 * Look for `name` in `T:Shape,K,T:Named`: a list's first mention of it counts the place, the first
 * bound the bound.
 */
static bool among(struct name_resolver *l, const char *list, const char *name, size_t n,
    struct type_parameter *out, bool *found)
{
	size_t which = 0;

	for (const char *at = list; *at; which++) {
		size_t len = strcspn(at, ":,"), depth = 0, end = len;
		while (at[end] && (depth || at[end] != ',')) {
			depth += (size_t)(at[end] == '<') - (size_t)(at[end] == '>');
			end++;
		}
		if (len == n && !memcmp(at, name, n)) {
			if (!*found)
				out->which = which;
			*found = true;
			if (at[len] == ':' && end > len + 1 && !out->bound)
				out->bound = arena_strn(l->a, at + len + 1, end - len - 1);
		}
		at += end + (at[end] == ',');
	}
	return *found;
}

static bool declares(struct name_resolver *l, struct source_file *f, int d, const char *name,
    size_t n, struct type_parameter *out)
{
	const struct file_symbols *u = resolver_file_scope(l, f);
	bool found = false;

	*out = (struct type_parameter){ .file = f, .definition = d };
	for (size_t i = file_symbols_first_local(u, d); i < u->nlocals && u->locals[i].definition == d;
	     i++)
		if (!strcmp(u->locals[i].name, GENERICS_LOCAL))
			among(l, u->locals[i].type, name, n, out, &found);
	return found;
}

/*
 * A type parameter of the definition, of what is around it, or of the type that a method outside
 * of it says it belongs to.
 */
static bool find(struct name_resolver *l, struct source_file *f, int definition, const char *name,
    size_t n, struct type_parameter *out)
{
	const struct file_symbols *u = program_file_symbols(l->w, f);
	int d = definition, last = -1;

	for (; d >= 0; last = d, d = u->v[d].parent)
		if (declares(l, f, d, name, n, out))
			return true;
	if (last < 0 || !f->dialect->open_types || !kind_is_callable(u->v[last].kind) ||
	    !strchr(u->v[last].qualified, '.'))
		return false;
	struct resolved_value self = scope_find_self(l, f, last);
	return self.what == RESOLVED_INSTANCE && self.n &&
	    declares(l, sym_file(l, self.v[0]), self.v[0]->index, name, n, out);
}

bool generics_find_parameter(struct name_resolver *l, struct source_file *f, int definition,
    const char *name, const char **bound)
{
	struct type_parameter x;

	if (!find(l, f, definition, name, strlen(name), &x))
		return false;
	*bound = x.bound;
	return true;
}

/*
 * How the type is given the arguments of `type`, which it is or is derived from; NULL: it is not
 * known to be.
 */
static const struct generic_instance *instance_as_base(struct name_resolver *l,
    const struct generic_instance *g, const struct source_file *file, int definition, int depth)
{
	struct resolved_value base;
	const struct base_type *b;
	const struct generic_instance *found = NULL;

	if (sym_file(l, g->type) == file && g->type->index == definition)
		return g;
	if (depth >= MAX_GENERIC_BASE_DEPTH || resolver_out_of_steps(l))
		return NULL;
	for (size_t i = 0; !found && inherit_base(l, g->type, i, &base, &b); i++)
		if (base.what == RESOLVED_SYMBOLS && base.n == 1) {
			struct generic_instance *above = arena_one(l->a, struct generic_instance);
			*above = (struct generic_instance){ base.v[0], sym_file(l, g->type), g->type->index, b->type, g };
			found = instance_as_base(l, above, file, definition, depth + 1);
		}
	return found;
}

struct resolved_value generics_substitute(struct name_resolver *l, struct resolved_value v)
{
	struct type_parameter x;

	while (v.what == RESOLVED_TYPE_TEXT && v.definition >= 0 && !strpbrk(v.text, ".<[") &&
	    find(l, v.file, v.definition, v.text, strlen(v.text), &x) && !resolver_out_of_steps(l)) {
		const struct generic_instance *g = v.generics ?
		    instance_as_base(l, v.generics, x.file, x.definition, 0) :
		    NULL;
		const char *argument = NULL;
		if (g && g->text)
			argument = generics_argument(l->a, g->text, x.which);
		if (argument) {
			v.file = g->file;
			v.definition = g->definition;
			v.text = argument;
			v.generics = g->outer;
		} else if (x.bound && strcmp(x.bound, v.text)) {
			v.file = x.file;
			v.definition = x.definition;
			v.text = x.bound;
		} else {
			return (struct resolved_value){ 0 };
		}
	}
	return v;
}

const struct generic_instance *generics_instance_of(
    struct name_resolver *l, const struct resolved_value *of, const struct sym *type)
{
	struct generic_instance *g = arena_one(l->a, struct generic_instance);

	*g = (struct generic_instance){ .type = type };
	if (of->what == RESOLVED_TYPE_TEXT)
		*g = (struct generic_instance){ type, of->file, of->definition, of->text, of->generics };
	return g;
}
