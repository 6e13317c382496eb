#include "shard/uses/gone_names.h"

#include <string.h>

#include "proto/base/arena.h"
#include "shard/facts/facts.h"
#include "shard/graph/reference_resolution.h"
#include "shard/program/module_rules.h"
#include "shard/program/name_resolution.h"
#include "shard/program/program.h"
#include "shard/program/resolver.h"

enum { MAX_REEXPORTS = 4 }; /* modules that export all names of another, one after the other */

/* Whether it adds all names of another module to those of its file. */
static bool adds_names(const struct source_file *f, const struct import *x)
{
	if (!x->name || strcmp(x->name, "*") || x->alias)
		return false;
	return x->again || f->dialect->dots;
}

/* Whether the code of a file shows all names that it exports. */
static bool shows_all(struct name_resolver *l, struct source_file *f, int depth)
{
	const struct file_symbols *u = resolver_file_scope(l, f);
	struct resolved_value whole = scope_find_whole_export(l, f);

	if (depth == MAX_REEXPORTS || whole.what) /* module.exports = …, which may be computed */
		return false;
	for (size_t i = 0; i < u->n; i++)
		if (!strcmp(u->v[i].name, "__getattr__"))
			return false;
	for (size_t i = 0; i < u->nimports; i++) {
		if (!adds_names(f, &u->imports[i]))
			continue;
		struct resolved_value m = import_value(l, f, &u->imports[i]);
		if (m.what != RESOLVED_FILE || !shows_all(l, m.file, depth + 1))
			return false;
	}
	return u->n + u->nimports > 0;
}

/* Whether the file exports a name that it imports, from where nobody knows it. */
static bool passes_on(const struct file_symbols *u, const char *name)
{
	for (size_t i = 0; i < u->nimports; i++) {
		const struct import *x = &u->imports[i];
		const char *as = x->alias ? x->alias : x->name;
		if (as && !strcmp(as, name))
			return true;
	}
	return false;
}

/* The first file of the list if all are of other repositories, and in the language of the code. */
static const struct source_file *external_file(
    const struct name_resolver *l, const struct file_list *list)
{
	const struct source_file *first = NULL;

	for (size_t i = 0; i < list->n; i++) {
		const struct source_file *f = list->v[i];
		if (!f->dialect) /* a manifest */
			continue;
		if (!f->origin || f->dialect != l->file->dialect)
			return NULL;
		if (!first)
			first = f;
	}
	return first;
}

static const struct source_file *whole_file(
    struct name_resolver *l, struct source_file *f, const char *name)
{
	if (!f->origin || passes_on(resolver_file_scope(l, f), name) || !shows_all(l, f, 0))
		return NULL;
	return f;
}

/* The module, if another repository has it and its code shows all of its names. */
static struct lacking_module whole_module(
    struct name_resolver *l, const struct resolved_value *m, const char *name)
{
	struct lacking_module out = { .in_folder = true };

	switch (m->what) {
	case RESOLVED_FILE: return (struct lacking_module){ whole_file(l, m->file, name), false };
	case RESOLVED_DIR: out.file = external_file(l, resolver_files_in_dir(l, m->text)); break;
	case RESOLVED_PACKAGE:
		out.file = external_file(l, resolver_files_in_package(l, m->text));
		break;
	default: break;
	}
	return out;
}

/* Whether nothing but code makes the names of modules: no preprocessor, no macros. */
static bool is_plain(const struct dialect *d)
{
	return !d->headers.n && !d->path_package && d->share != SHARE_PROGRAM;
}

struct lacking_module gone_import(struct name_resolver *l, const struct import *x)
{
	static const struct lacking_module none;

	if (!is_plain(l->file->dialect) || x->include || !x->module || !*x->module)
		return none;
	if (!x->name || !strcmp(x->name, "*") || !strcmp(x->name, "default"))
		return none;
	l->steps = REFERENCE_STEPS;
	struct resolved_value m = module_find(l, l->file, x->module, false);
	struct resolved_value v = import_value(l, l->file, x);
	if (resolved_is_known(&v) || l->steps <= 0)
		return none;
	return whole_module(l, &m, x->name);
}

struct lacking_module gone_member(struct name_resolver *l, const struct reference *r)
{
	static const struct lacking_module none;

	if (!is_plain(l->file->dialect) || !r->receiver || *r->receiver == '?')
		return none;
	l->steps = REFERENCE_STEPS;
	struct resolved_value m = infer_expression(l, l->file, r->definition, r->line, r->receiver);
	if (m.what != RESOLVED_FILE && m.what != RESOLVED_DIR)
		return none;
	struct resolved_value v = module_member(l, &m, r->name);
	if (resolved_is_known(&v) || l->steps <= 0)
		return none;
	return whole_module(l, &m, r->name);
}
