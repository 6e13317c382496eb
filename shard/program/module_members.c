#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/minmax.h"
#include "shard/program/module_lookup_internal.h"
#include "shard/program/resolver_cache.h"

enum { MAX_REEXPORT_DEPTH = 6 };

static struct resolved_value submodule(struct name_resolver *l, const char *dir, const char *name)
{
	const char *path = name;

	if (*dir)
		path = arena_printf(l->a, "%s/%s", dir, name);
	return module_find_path(l, l->file, path, CONFIDENCE_IMPORT, "import");
}

static struct resolved_value in_folder(
    struct name_resolver *l, const struct resolved_value *m, const char *name)
{
	struct resolved_value v = { .confidence = m->confidence, .reason = m->reason };

	if (l->file->dialect->scheme != SCHEME_DIRECTORY)
		return submodule(l, m->text, name);
	v.n = resolver_find_in_dir(l, m->text, name, v.v, MAX_CANDIDATES);
	v.n = MIN(v.n, MAX_CANDIDATES);
	if (v.n)
		v.what = RESOLVED_SYMBOLS;
	return v;
}

/* Whether an import re-exports something under the name: pub use. */
static bool reexports(const struct import *i, const char *name)
{
	if (!i->again || !i->name)
		return false;
	if (i->alias)
		return !strcmp(i->alias, name);
	return !strcmp(i->name, name);
}

/* Whether an import re-exports all names of its module. */
static bool reexports_all(const struct import *i)
{
	return i->again && i->name && !i->alias && !strcmp(i->name, "*");
}

/* What a file re-exports under the name; `all`: also names of modules that it re-exports. */
static struct resolved_value reexported_by(
    struct name_resolver *l, struct source_file *f, const char *name, bool all)
{
	const struct file_symbols *u = resolver_file_scope(l, f);
	struct resolved_value v = { 0 };

	for (size_t k = 0; k < u->nimports && v.what != RESOLVED_SYMBOLS; k++)
		if (reexports(&u->imports[k], name))
			v = import_value(l, f, &u->imports[k]);
	for (size_t k = 0; all && k < u->nimports && v.what != RESOLVED_SYMBOLS; k++) {
		if (!reexports_all(&u->imports[k]))
			continue;
		struct resolved_value m = import_value(l, f, &u->imports[k]);
		v = module_member(l, &m, name);
	}
	return v;
}

struct resolved_value module_reexport(
    struct name_resolver *l, const struct sym *module, const char *name)
{
	struct source_file *f = sym_file(l, module);
	const struct file_symbols *u = resolver_file_scope(l, f);
	struct resolved_value v = { 0 };

	if (resolver_too_deep(l, MAX_REEXPORT_DEPTH))
		return v;
	l->depth++;
	for (size_t k = 0; k < u->nimports && v.what != RESOLVED_SYMBOLS; k++) {
		const struct import *x = &u->imports[k];
		if (x->definition != module->index)
			continue;
		if (reexports(x, name)) {
			v = import_value(l, f, x);
		} else if (reexports_all(x)) {
			struct resolved_value m = import_value(l, f, x);
			v = module_member(l, &m, name);
		}
	}
	l->depth--;
	return v;
}

/* What a file of the package re-exports under the name. */
static struct resolved_value find_reexport(
    struct name_resolver *l, const char *package, const char *name)
{
	const struct file_list *files = resolver_files_in_package(l, package);
	struct resolved_value v = { 0 };

	if (resolver_too_deep(l, MAX_REEXPORT_DEPTH))
		return v;
	l->depth++;
	for (size_t i = 0; i < files->n && v.what != RESOLVED_SYMBOLS; i++) {
		struct source_file *f = files->v[i];
		if (!f->dialect || !f->dialect->path_package)	/* for example, a manifest */
			continue;
		v = reexported_by(l, f, name, !strcmp(f->package, package));
	}
	l->depth--;
	return v;
}

static struct resolved_value in_package(
    struct name_resolver *l, const struct resolved_value *m, const char *name)
{
	const char *full = name_with_prefix(l->a, m->text, name);
	struct resolved_value v = module_symbols(l, full);

	if (v.what)
		return v;
	if (resolver_files_in_package(l, full)->n)
		return module_package(arena_str(l->a, full));	/* `name` may not outlive the call */
	v = find_reexport(l, m->text, name);
	if (v.what == RESOLVED_SYMBOLS)
		return v;
	return module_external();
}

struct resolved_value module_member(
    struct name_resolver *l, const struct resolved_value *m, const char *name)
{
	struct resolved_value v = { 0 };

	switch (m->what) {
	case RESOLVED_FILE:
		v = scope_find_export(l, m->file, name);
		if (!v.what && m->file->dialect->dots &&
		    word_list_has(&m->file->dialect->index, m->file->stem, strlen(m->file->stem)))
			v = submodule(l, m->file->dir, name);
		break;
	case RESOLVED_DIR:
		v = in_folder(l, m, name);
		break;
	case RESOLVED_PACKAGE:
		v = in_package(l, m, name);
		break;
	case RESOLVED_SYMBOLS:
		return infer_member(l, *m, name);
	case RESOLVED_EXTERNAL:
		return *m;
	default:
		break;
	}
	if (v.what)
		return resolved_limit_confidence(v, m->confidence, m->reason);
	return v;
}

struct resolved_value module_value(struct name_resolver *l, struct resolved_value module)
{
	enum { MAX_MODULES = 4 };	/* each of which exports the next one */
	struct resolved_value v = module;

	for (int i = 0; i < MAX_MODULES && v.what == RESOLVED_FILE; i++)
		v = scope_find_whole_export(l, v.file);
	if (!resolved_is_known(&v))
		return module;
	return resolved_limit_confidence(v, module.confidence, module.reason);
}

/* The module of an import; without one, the file itself. */
static struct resolved_value import_module(
    struct name_resolver *l, struct source_file *f, const struct import *i)
{
	if (i->module && *i->module)
		return module_find(l, f, i->module, i->include);
	return (struct resolved_value){
		.what = RESOLVED_FILE,
		.file = f,
		.confidence = CONFIDENCE_IMPORT,
		.reason = "import",
	};
}

/* Whether the value is a definition or a module, not an object. */
static bool is_importable(const struct resolved_value *v)
{
	switch (v->what) {
	case RESOLVED_SYMBOLS:
	case RESOLVED_FILE:
	case RESOLVED_DIR:
	case RESOLVED_PACKAGE: return true;
	default: return false;
	}
}

static struct resolved_value find_import(
    struct name_resolver *l, struct source_file *f, const struct import *i)
{
	struct resolved_value m = import_module(l, f, i);

	if (!i->name || !strcmp(i->name, "*"))
		return m;
	bool is_default = !strcmp(i->name, "default");
	const char *outer = l->default_name;
	l->default_name = NULL;
	if (is_default)
		l->default_name = i->alias;
	struct resolved_value v = module_member(l, &m, i->name);
	l->default_name = outer;
	if (!v.what && m.what == RESOLVED_EXTERNAL)
		return m;
	if (!v.what && m.what == RESOLVED_FILE && is_default)
		return m;	/* module.exports, a page */
	if (is_importable(&v)) {
		if (v.confidence >= CONFIDENCE_PACKAGE)
			v.confidence = m.confidence;
		v.reason = "import";
	}
	return v;
}

struct resolved_value import_value(
    struct name_resolver *l, struct source_file *f, const struct import *i)
{
	struct memo m = { .of = f, .also = i, .what = MEMO_IMPORT };

	if (memo_find(l, &m))
		return m.value;
	return memo_store(l, &m, find_import(l, f, i));
}

const char *import_name(const struct import *i, const struct dialect *d, struct arena *a)
{
	if (i->alias)
		return i->alias;
	if (i->name)
		return i->name;
	const char *tail = module_to_path(a, i->module, d->separator), *slash = strrchr(tail, '/');
	if (slash)
		return slash + 1;
	return tail;
}
