/* What a file gives its importers. */
#include <string.h>
#include <strings.h>

#include "proto/base/arena.h"
#include "shard/facts/facts.h"
#include "shard/program/resolver_cache.h"
#include "shard/program/scope_lookup_internal.h"

/* Whether a file may export the definition as its default. */
static bool may_be_default(const struct sym *s)
{
	if (s->parent >= 0 || !s->exported)
		return false;
	return kind_is_type(s->kind) || kind_is_callable(s->kind);
}

/*
 * The most likely default export of a file: the definition with the name that the import gives it,
 * or with the name of the file, or the only one.
 */
static struct resolved_value only_export(struct name_resolver *l, struct source_file *f)
{
	const struct file_symbols *u = resolver_file_exports(l, f);
	const struct sym *only = NULL, *same = NULL;
	size_t n = 0;

	for (size_t i = 0; i < u->n; i++) {
		const struct sym *s = &u->v[i];
		if (!may_be_default(s))
			continue;
		if (l->default_name && !strcmp(s->name, l->default_name))
			return resolved_symbol(s, CONFIDENCE_TYPE, "import");
		if (!strcasecmp(s->name, f->stem))
			same = s;
		n += !only || strcmp(only->name, s->name);
		only = s;
	}
	if (!same && n == 1)
		same = only;
	return resolved_symbol(same, CONFIDENCE_TYPE, "import");
}

/* What a local of a file gives its importers (EXPORTS_LOCAL); RESOLVED_UNKNOWN if it is NULL. */
static struct resolved_value exported_value(
    struct name_resolver *l, struct source_file *f, const struct local *x)
{
	if (!x || !x->value || resolver_too_deep(l, MAX_EXPORT_DEPTH))
		return resolved_unknown();
	l->depth++;
	struct resolved_value v = infer_expression(l, f, -1, x->line, x->value);
	l->depth--;
	if (!resolved_is_known(&v))
		return resolved_unknown();
	if (v.confidence >= CONFIDENCE_PACKAGE)
		v.confidence = CONFIDENCE_IMPORT;
	v.reason = "import";
	return v;
}

/* The module that a file is nothing but: module.exports = require("./lib/x"). */
static struct resolved_value passed_module(struct name_resolver *l, struct source_file *f)
{
	const struct file_symbols *u = resolver_file_scope(l, f);
	const struct import *only = u->imports;

	if (!f->dialect->loader || u->nimports != 1 || u->n || !only->again)
		return resolved_unknown();
	if (only->name && strcmp(only->name, "*"))
		return resolved_unknown();
	return module_find(l, f, only->module, only->include);
}

struct resolved_value scope_find_whole_export(struct name_resolver *l, struct source_file *f)
{
	const struct local *x = scope_find_local(l, f, -1, EXPORTS_LOCAL, 0);

	if (x)
		return exported_value(l, f, x);
	return passed_module(l, f);
}

/* A name that the file gives its importers by assigning it: exports.x = y, module.exports = { x }. */
static struct resolved_value find_assigned_export(
    struct name_resolver *l, struct source_file *f, const char *name)
{
	const char *exported = arena_join_dotted(l->a, EXPORTS_LOCAL, name);

	return exported_value(l, f, scope_find_local(l, f, -1, exported, 0));
}

/* A name that a file has without defining it at its top. */
static struct resolved_value find_given_name(
    struct name_resolver *l, struct source_file *f, const char *name)
{
	bool is_default = !strcmp(name, "default");
	const struct local *x = scope_find_local(l, f, -1, name, 0);
	struct resolved_value v;

	if (x)
		v = scope_local_value(l, f, x);
	else
		v = scope_find_imported(l, f, -1, name);
	if (!v.what)
		v = scope_find_star_imported(l, f, name);
	if (v.what)
		return v;
	struct resolved_value whole = scope_find_whole_export(l, f);
	if (is_default && whole.what)
		return whole;
	if (is_default && !f->dialect->page)
		return only_export(l, f);
	return infer_member(l, whole, name);
}

static struct resolved_value find_export(
    struct name_resolver *l, struct source_file *f, const char *name)
{
	struct resolved_value v = find_assigned_export(l, f, name);

	if (!v.what)
		v = scope_find_definitions(l, f, name, CONFIDENCE_IMPORT, "import");
	if (v.what || resolver_too_deep(l, MAX_EXPORT_DEPTH) || resolver_out_of_steps(l))
		return v;
	l->depth++;
	v = find_given_name(l, f, name);
	l->depth--;
	return v;
}

struct resolved_value scope_find_export(
    struct name_resolver *l, struct source_file *f, const char *name)
{
	struct memo m = { .of = f, .what = MEMO_EXPORT, .text = name };

	if (memo_find(l, &m))
		return m.value;
	return memo_store(l, &m, find_export(l, f, m.text));
}
