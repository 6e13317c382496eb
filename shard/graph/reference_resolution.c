#include "shard/graph/reference_resolution.h"

#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"

/*
 * Whether a name alone may mean the definition: a member if the reference has a receiver, otherwise
 * a function of the top level.
 */
static bool name_may_match(
    const struct name_resolver *l, const struct reference *r, const struct sym *s)
{
	bool member = s->kind == KIND_method || (s->kind == KIND_function && kind_is_type(s->owner));

	if (r->kind == REF_NEW || r->kind == REF_TYPE)
		return kind_is_type(s->kind) && s->kind != KIND_constant;
	if (!kind_is_callable(s->kind) || s->kind == KIND_constructor)
		return false;
	if (r->receiver)
		return member;
	return !member && (s->exported || sym_file(l, s) == l->file);
}

/* Whether the name alone means nothing: it is a value, a member of a base, or built in. */
static bool is_meaningless_alone(const struct dialect *d, const struct reference *r)
{
	if (r->kind == REF_VALUE || word_list_has(&d->builtin, r->name, strlen(r->name)))
		return true;
	return r->receiver && !strcmp(r->receiver, "super");
}

/*
 * The last resort: the definitions of the name anywhere.  `extends`: only those that may be called
 * on an object of any type.
 */
static struct resolved_value by_name(
    struct name_resolver *l, const struct reference *r, bool extends)
{
	const struct sym *v[4 * MAX_CANDIDATES];
	struct resolved_value out = {
		.what = RESOLVED_SYMBOLS,
		.confidence = CONFIDENCE_NAME,
		.reason = "name",
	};

	if (is_meaningless_alone(l->file->dialect, r))
		return resolved_unknown();
	size_t n = resolver_find_by_name(l, r->name, v, LEN(v));
	if (n > LEN(v))
		return resolved_unknown();
	for (size_t i = 0; i < n; i++) {
		if (!name_may_match(l, r, v[i]) || (extends && !v[i]->extends))
			continue;
		if (out.n == MAX_CANDIDATES)
			return resolved_unknown();
		out.v[out.n++] = v[i];
	}
	if (!out.n)
		return resolved_unknown();
	return out;
}

/* A variable at the top of a file that stands for its type: typeof x. */
static struct resolved_value resolve_value_of_type(
    struct name_resolver *l, const struct reference *r)
{
	struct resolved_value v = { 0 };

	if (!r->receiver)
		v = scope_find_name(l, l->file, r->definition, r->line, r->name);
	if (v.what != RESOLVED_SYMBOLS || !v.n)
		return resolved_unknown();
	if (!kind_holds_value(v.v[0]->kind) || v.v[0]->parent >= 0)
		return resolved_unknown();
	return v;
}

static struct resolved_value resolve_type(struct name_resolver *l, const struct reference *r)
{
	const char *type = name_with_prefix(l->a, r->receiver, r->name);
	struct resolved_value v = infer_named_type(l, l->file, r->definition, type);

	if (resolved_is_known(&v))
		return v;
	if (l->file->dialect->type_suffix) { /* [Mark] is MarkAttribute (C#) */
		type = arena_printf(l->a, "%s%s", type, l->file->dialect->type_suffix);
		struct resolved_value longer = infer_named_type(l, l->file, r->definition, type);
		if (resolved_is_known(&longer))
			return longer;
	}
	struct resolved_value variable = resolve_value_of_type(l, r);
	if (variable.what)
		return variable;
	return v;
}

static struct resolved_value resolve_name(struct name_resolver *l, const struct reference *r)
{
	if (strchr(r->name, '!')) /* save! (Ruby) is not an instance */
		return scope_find_name(l, l->file, r->definition, r->line, r->name);
	return infer_expression(l, l->file, r->definition, r->line, r->name);
}

/* A member of the receiver's value `on`. */
static struct resolved_value resolve_member(
    struct name_resolver *l, const struct reference *r, struct resolved_value on)
{
	if (!on.what && !strpbrk(r->receiver, ".(["))
		on = scope_find_package(l, l->file, r->receiver);
	struct resolved_value v = infer_member(l, on, r->name);
	if (!v.what)
		v = scope_find_full_name(l, l->file, arena_join_dotted(l->a, r->receiver, r->name));
	return v;
}

struct resolved_value reference_resolve(struct name_resolver *l, const struct reference *r)
{
	struct resolved_value v = { 0 }, on = { 0 };
	bool may_extend = r->kind == REF_CALL && r->receiver && l->file->dialect->extensions;

	l->steps = REFERENCE_STEPS;
	if (r->kind == REF_TYPE || r->kind == REF_NEW) {
		v = resolve_type(l, r);
	} else if (!r->receiver) {
		v = resolve_name(l, r);
	} else if (*r->receiver != '?') {
		on = infer_expression(l, l->file, r->definition, r->line, r->receiver);
		v = resolve_member(l, r, on);
	}
	if (resolved_is_known(&v))
		return v;
	if (r->kind == REF_CALL && r->receiver && l->file->dialect->trait_methods) {
		struct resolved_value found = extensions_find_trait_method(l, on, r->definition, r->name);
		if (found.what)
			return found;
	}
	if (may_extend) {
		struct resolved_value found = extensions_find(l, on, r->name);
		if (!found.what && !on.what)
			found = extensions_find_imported(l, r->name);
		if (found.what)
			return found;
	}
	if (!v.what)
		return by_name(l, r, false);
	if (may_extend)
		return by_name(l, r, true);
	return v;
}

bool reference_is_unclear(struct name_resolver *l, const struct reference *r)
{
	struct resolved_value on = { 0 };

	if (!r->receiver)
		return false;
	l->steps = REFERENCE_STEPS;
	if (*r->receiver != '?')
		on = infer_expression(l, l->file, r->definition, r->line, r->receiver);
	return on.what == RESOLVED_UNKNOWN;
}
