#include <string.h>

#include "proto/base/arena.h"
#include "shard/program/module_lookup_internal.h"
#include "shard/program/resolver_cache.h"

static struct resolved_value submodule(struct name_resolver *l, const char *dir, const char *name)
{
	return module_find_path(l, l->file, *dir ? arena_printf(l->a, "%s/%s", dir, name) : name,
	    CONFIDENCE_IMPORT, "import");
}

static struct resolved_value in_folder(
    struct name_resolver *l, const struct resolved_value *m, const char *name)
{
	struct resolved_value v = {
		.what = RESOLVED_SYMBOLS, .confidence = m->confidence, .reason = m->reason
	};

	if (l->file->dialect->scheme != SCHEME_DIRECTORY)
		return submodule(l, m->text, name);
	v.n = resolver_find_in_dir(l, m->text, name, v.v, MAX_CANDIDATES);
	if (v.n > MAX_CANDIDATES)
		v.n = MAX_CANDIDATES;
	if (!v.n)
		v.what = RESOLVED_UNKNOWN;
	return v;
}

/* What a file of the package takes from elsewhere and offers under the name: pub use. */
static struct resolved_value find_reexport(
    struct name_resolver *l, const char *package, const char *name)
{
	enum { MAX_REEXPORT_DEPTH = 6 };
	const struct file_list *files = resolver_files_in_package(l, package);
	struct resolved_value v = { 0 };

	if (resolver_too_deep(l, MAX_REEXPORT_DEPTH))
		return v;
	l->depth++;
	for (size_t i = 0; i < files->n && v.what != RESOLVED_SYMBOLS; i++) {
		if (!files->v[i]->dialect || !files->v[i]->dialect->path_package)	/* a manifest, say */
			continue;
		const struct file_symbols *u = resolver_file_scope(l, files->v[i]);
		for (size_t k = 0; k < u->nimports && v.what != RESOLVED_SYMBOLS; k++)
			if (u->imports[k].again && u->imports[k].name &&
			    !strcmp(u->imports[k].alias ? u->imports[k].alias : u->imports[k].name, name))
				v = import_value(l, files->v[i], &u->imports[k]);
	}
	l->depth--;
	return v;
}

static struct resolved_value in_package(
    struct name_resolver *l, const struct resolved_value *m, const char *name)
{
	const char *full = *m->text ? arena_join_dotted(l->a, m->text, name) : name;
	struct resolved_value v = module_symbols(l, full);

	if (v.what)
		return v;
	if (resolver_files_in_package(l, full)->n)
		return module_package(full);
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

static struct resolved_value find_import(
    struct name_resolver *l, struct source_file *f, const struct import *i)
{
	struct resolved_value m;

	if (i->module && *i->module) {
		m = module_find(l, f, i->module, i->include);
	} else {
		m = (struct resolved_value){
			.what = RESOLVED_FILE, .file = f, .confidence = CONFIDENCE_IMPORT, .reason = "import"
		};
	}
	if (!i->name || !strcmp(i->name, "*"))
		return m;
	const char *outer = l->default_name;
	if (!strcmp(i->name, "default"))
		l->default_name = i->alias;
	else
		l->default_name = NULL;
	struct resolved_value v = module_member(l, &m, i->name);
	l->default_name = outer;
	if (v.what == RESOLVED_UNKNOWN &&
	    (m.what == RESOLVED_EXTERNAL || (m.what == RESOLVED_FILE && !strcmp(i->name, "default"))))
		return m;	/* module.exports, a page */
	if (v.what == RESOLVED_SYMBOLS || v.what == RESOLVED_FILE || v.what == RESOLVED_DIR ||
	    v.what == RESOLVED_PACKAGE) {
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
	return slash ? slash + 1 : tail;
}
