#include <string.h>

#include "proto/base/arena.h"
#include "shard/program/file_symbols.h"
#include "shard/program/name_resolution.h"

enum { MAX_GENERIC_BASE_DEPTH = 4 };

/* A type parameter: where it is declared, and its place there. */
struct type_parameter {
	struct source_file *file;
	int definition;
	size_t which;
	const char *bound;	/* or NULL */
};

const char *generics_argument(struct arena *a, const char *type, size_t which)
{
	const char *from = type + strcspn(type, "<");
	int depth = 0;

	if (!*from)
		return NULL;
	from++;
	for (const char *c = from;; c++) {
		bool last = !*c || (*c == '>' && !depth);
		bool ends = last || (*c == ',' && !depth);
		if (ends && !which) {
			if (c == from)
				return NULL;
			return arena_strn(a, from, (size_t)(c - from));
		}
		if (last)
			return NULL;
		if (ends) {
			which--;
			from = c + 1;
		}
		depth += (*c == '<') - (*c == '>');
	}
}

/* The length of the first type parameter of a list, with its bound. */
static size_t parameter_length(const char *list)
{
	size_t n = strcspn(list, ":,"), depth = 0;

	while (list[n] && (depth || list[n] != ',')) {
		depth += (size_t)(list[n] == '<') - (size_t)(list[n] == '>');
		n++;
	}
	return n;
}

/*
 * Search `name` in `T:Shape,K,T:Named`.  The first entry of that name determines the place, the
 * first bound determines the bound.
 */
static void search_list(struct name_resolver *l, const char *list, const char *name, size_t n,
    struct type_parameter *out, bool *found)
{
	size_t which = 0;

	for (const char *at = list; *at; which++) {
		size_t len = strcspn(at, ":,"), end = parameter_length(at);
		if (len == n && !memcmp(at, name, n)) {
			if (!*found)
				out->which = which;
			*found = true;
			if (at[len] == ':' && end > len + 1 && !out->bound)
				out->bound = arena_strn(l->a, at + len + 1, end - len - 1);
		}
		at += end;
		at += *at == ',';
	}
}

static bool declares(struct name_resolver *l, struct source_file *f, int d, const char *name,
    size_t n, struct type_parameter *out)
{
	const struct file_symbols *u = resolver_file_scope(l, f);
	bool found = false;

	*out = (struct type_parameter){ .file = f, .definition = d };
	for (size_t i = file_symbols_first_local(u, d); i < u->nlocals; i++) {
		if (u->locals[i].definition != d)
			break;
		if (!strcmp(u->locals[i].name, GENERICS_LOCAL))
			search_list(l, u->locals[i].type, name, n, out, &found);
	}
	return found;
}

/* Whether it is a method that is defined outside of its type. */
static bool is_outside_method(const struct source_file *f, const struct sym *s)
{
	return f->dialect->open_types && kind_is_callable(s->kind) && strchr(s->qualified, '.');
}

/*
 * Find a type parameter of the definition, of one around it, or of the type of a method that is
 * defined outside of it.
 */
static bool find(struct name_resolver *l, struct source_file *f, int definition, const char *name,
    size_t n, struct type_parameter *out)
{
	const struct file_symbols *u = program_file_symbols(l->w, f);
	int d = definition, last = -1;

	for (; d >= 0; d = u->v[d].parent) {
		if (declares(l, f, d, name, n, out))
			return true;
		last = d;
	}
	if (last < 0 || !is_outside_method(f, &u->v[last]))
		return false;
	struct resolved_value self = scope_find_self(l, f, last);
	if (self.what != RESOLVED_INSTANCE || !self.n)
		return false;
	return declares(l, sym_file(l, self.v[0]), self.v[0]->index, name, n, out);
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
 * The instance `g` as an instance of its own type or of a base, which is `definition` of the file.
 * NULL if it is not known to be derived from that.
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
	for (size_t i = 0; !found && inherit_base(l, g->type, i, &base, &b); i++) {
		if (base.what != RESOLVED_SYMBOLS || base.n != 1)
			continue;
		struct generic_instance *above = arena_one(l->a, struct generic_instance);
		*above = (struct generic_instance){
			.type = base.v[0],
			.file = sym_file(l, g->type),
			.definition = g->type->index,
			.text = b->type,
			.outer = g,
		};
		found = instance_as_base(l, above, file, definition, depth + 1);
	}
	return found;
}

/* Whether the value is a type parameter: `out`. */
static bool is_parameter(
    struct name_resolver *l, const struct resolved_value *v, struct type_parameter *out)
{
	if (v->what != RESOLVED_TYPE_TEXT || v->definition < 0 || strpbrk(v->text, ".<["))
		return false;
	return find(l, v->file, v->definition, v->text, strlen(v->text), out);
}

/* Replace the type parameter `x` once, by its argument or its bound; false if it has neither. */
static bool substitute_once(
    struct name_resolver *l, struct resolved_value *v, const struct type_parameter *x)
{
	const struct generic_instance *g = NULL;
	const char *argument = NULL;

	if (v->generics)
		g = instance_as_base(l, v->generics, x->file, x->definition, 0);
	if (g && g->text)
		argument = generics_argument(l->a, g->text, x->which);
	if (argument) {
		v->file = g->file;
		v->definition = g->definition;
		v->text = argument;
		v->generics = g->outer;
		return true;
	}
	if (!x->bound || !strcmp(x->bound, v->text))
		return false;
	v->file = x->file;
	v->definition = x->definition;
	v->text = x->bound;
	return true;
}

struct resolved_value generics_substitute(struct name_resolver *l, struct resolved_value v)
{
	struct type_parameter x;

	while (is_parameter(l, &v, &x) && !resolver_out_of_steps(l))
		if (!substitute_once(l, &v, &x))
			return resolved_unknown();
	return v;
}

const struct generic_instance *generics_instance_of(
    struct name_resolver *l, const struct resolved_value *of, const struct sym *type)
{
	struct generic_instance *g = arena_one(l->a, struct generic_instance);

	*g = (struct generic_instance){ .type = type };
	if (of->what != RESOLVED_TYPE_TEXT)
		return g;
	g->file = of->file;
	g->definition = of->definition;
	g->text = of->text;
	g->outer = of->generics;
	return g;
}
