#include <string.h>

#include "proto/base/arena.h"
#include "shard/program/module_lookup_internal.h"
#include "shard/program/resolver_cache.h"

static struct value submodule(struct look *l, const char *dir, const char *name)
{
	return module_at(l, l->file, *dir ? arena_printf(l->a, "%s/%s", dir, name) : name, SURE_IMPORT, "import");
}

static struct value in_folder(struct look *l, const struct value *m, const char *name)
{
	struct value v = { .what = SYMBOLS, .confidence = m->confidence, .reason = m->reason };

	if (l->file->dialect->scheme != SCHEME_DIRECTORY)
		return submodule(l, m->text, name);
	v.n = look_folder(l, m->text, name, v.v, MOST_CANDIDATES);
	if (v.n > MOST_CANDIDATES)
		v.n = MOST_CANDIDATES;
	if (!v.n)
		v.what = NOTHING;
	return v;
}

/* What a file of the package takes from elsewhere and offers under the name: pub use. */
static struct value offered_again(struct look *l, const char *package, const char *name)
{
	enum { DEEPEST = 6 };
	const struct file_list *files = look_package(l, package);
	struct value v = { 0 };

	if (look_deep(l, DEEPEST))
		return v;
	l->depth++;
	for (size_t i = 0; i < files->n && v.what != SYMBOLS; i++) {
		if (!files->v[i]->dialect || !files->v[i]->dialect->path_package)	/* a manifest, say */
			continue;
		const struct unit *u = look_inside(l, files->v[i]);
		for (size_t k = 0; k < u->nimports && v.what != SYMBOLS; k++)
			if (u->imports[k].again && u->imports[k].name &&
			    !strcmp(u->imports[k].alias ? u->imports[k].alias : u->imports[k].name, name))
				v = import_value(l, files->v[i], &u->imports[k]);
	}
	l->depth--;
	return v;
}

static struct value in_package(struct look *l, const struct value *m, const char *name)
{
	const char *full = *m->text ? arena_dotted(l->a, m->text, name) : name;
	struct value v = module_symbols(l, full);

	if (v.what)
		return v;
	if (look_package(l, full)->n)
		return module_package(full);
	v = offered_again(l, m->text, name);
	return v.what == SYMBOLS ? v : module_outside();
}

struct value module_member(struct look *l, const struct value *m, const char *name)
{
	struct value v = { 0 };

	switch (m->what) {
	case IN_FILE:
		v = visible_export(l, m->file, name);
		if (!v.what && m->file->dialect->dots && word_among(&m->file->dialect->index, m->file->stem, strlen(m->file->stem)))
			v = submodule(l, m->file->dir, name);
		break;
	case IN_DIR:
		v = in_folder(l, m, name);
		break;
	case IN_PACKAGE:
		v = in_package(l, m, name);
		break;
	case SYMBOLS:
		return typing_member(l, *m, name);
	case OUTSIDE:
		return *m;
	default:
		break;
	}
	return v.what ? value_weaker(v, m->confidence, m->reason) : v;
}

static struct value find_import(struct look *l, struct file *f, const struct import *i)
{
	struct value m;

	if (i->module && *i->module) {
		m = module_find(l, f, i->module, i->include);
	} else {
		m = (struct value){ .what = IN_FILE, .file = f, .confidence = SURE_IMPORT, .reason = "import" };
	}
	if (!i->name || !strcmp(i->name, "*"))
		return m;
	const char *outer = l->wanted;
	l->wanted = !strcmp(i->name, "default") ? i->alias : NULL;
	struct value v = module_member(l, &m, i->name);
	l->wanted = outer;
	if (v.what == NOTHING && (m.what == OUTSIDE || (m.what == IN_FILE && !strcmp(i->name, "default"))))
		return m;	/* module.exports, a page */
	if (v.what == SYMBOLS || v.what == IN_FILE || v.what == IN_DIR || v.what == IN_PACKAGE) {
		v.confidence = v.confidence < SURE_PACKAGE ? v.confidence : m.confidence;
		v.reason = "import";
	}
	return v;
}

struct value import_value(struct look *l, struct file *f, const struct import *i)
{
	struct memo m = { .of = f, .also = i, .what = MEMO_IMPORT };

	return memo_find(l, &m) ? m.value : memo_keep(l, &m, find_import(l, f, i));
}

const char *import_name(const struct import *i, const struct dialect *d, struct arena *a)
{
	if (i->alias)
		return i->alias;
	if (i->name)
		return i->name;
	const char *tail = module_slashed(a, i->module, d->separator), *slash = strrchr(tail, '/');
	return slash ? slash + 1 : tail;
}
