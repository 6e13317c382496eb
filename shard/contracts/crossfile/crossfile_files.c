#include "shard/contracts/crossfile/crossfile_internal.h"

#include <stdio.h>
#include <stdlib.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/db/db.h"
#include "shard/contracts/crossfile/tree_cache.h"
#include "shard/parse/parser.h"
#include "shard/program/name_resolution.h"

enum { MOST_STEPS = 500 };

/* ---- files ---- */

static int by_id(const void *a, const void *b)
{
	const struct source_file *x = *(struct source_file *const *)a,
	                         *y = *(struct source_file *const *)b;

	return (x->id > y->id) - (x->id < y->id);
}

struct source_file *crossfile_file_by_id(const struct crossfile *j, int64_t id)
{
	size_t lo = 0, hi = j->w->nfiles;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		if (j->by_id[mid]->id < id)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo < j->w->nfiles && j->by_id[lo]->id == id)
		return j->by_id[lo];
	return NULL;
}

struct source_file *crossfile_file_by_path(const struct crossfile *j, const char *path)
{
	size_t lo = 0, hi = j->w->nfiles;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		int c = strcmp(j->w->files[mid].path, path);
		if (!c)
			return &j->w->files[mid];
		if (c < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return NULL;
}

static void reading_free(struct contract_file *r)
{
	if (!r)
		return;
	struct arena *a = r->retained.tree.arena;
	framework_matches_free(r->spots);
	retained_tree_free(&r->retained);
	buf_free(r->text);
	arena_free(a);
}

void crossfile_evict(struct crossfile *j)
{
	for (unsigned age = 64, last = 0; j->bytes > j->most && !last; last = !age, age /= 4)
		for (size_t i = 0; i < j->w->nfiles; i++) {
			struct contract_file *r = j->reading[i];
			if (!r || j->owners - r->asked < age)
				continue;
			j->bytes -= r->text->n;
			reading_free(r);
			j->reading[i] = NULL;
		}
}

void crossfile_end(struct crossfile *j)
{
	for (size_t i = 0; j->reading && i < j->w->nfiles; i++)
		reading_free(j->reading[i]);
	resolver_release(&j->look);
	parser_free(j->own);
	free(j->by_id);
	free(j->reading);
}

static const struct other_files ask = {
	.read = crossfile_read_file,
	.name = crossfile_resolve_name,
	.constant = crossfile_constant,
	.lacks = crossfile_lacks_method,
	.module = crossfile_module,
	.path = crossfile_find_path,
	.callers = crossfile_callers,
	.setting = crossfile_setting,
	.base = crossfile_base_type,
	.derived = crossfile_derived_types,
	.type = crossfile_object_type,
	.anonymous = crossfile_calls_of_anonymous,
	.mounts = crossfile_mounts,
	.named = crossfile_mounts_by_name,
	.binds = crossfile_uses_framework,
	.globals = crossfile_globals,
};

int crossfile_begin(struct crossfile *j, struct crossfile_pool *w, const struct text_source *texts,
    size_t number, struct err *e)
{
	*j = (struct crossfile){ .head.ask = &ask,
		.db = w->db,
		.lock = &w->lock,
		.texts = texts,
		.e = e,
		.w = w->w,
		.binds = w->binds,
		.look.w = w->w };
	if (number < texts->nparsers) {
		j->parser = texts->parser[number];
	} else {
		j->own = parser_new(e);
		j->parser = j->own;
	}
	if (!j->parser)
		return -1;
	j->by_id = xcalloc(j->w->nfiles + 1, sizeof *j->by_id);
	j->reading = xcalloc(j->w->nfiles + 1, sizeof *j->reading);
	for (size_t i = 0; i < j->w->nfiles; i++)
		j->by_id[i] = &j->w->files[i];
	qsort(j->by_id, j->w->nfiles, sizeof *j->by_id, by_id);
	return 0;
}

/* Append the text of a file; false: it cannot be read. */
static bool text_get(struct crossfile *j, const struct source_file *f, struct buf *out)
{
	char blob[80] = "";
	struct stmt *s = db_prep(j->db, "select blob from files where id = ?", j->e);

	if (!s || db_bind(s, "i", f->id))
		return false;
	while (db_step(s, j->e) == 1)
		snprintf(blob, sizeof blob, "%s", db_str(s, 0));
	return *blob && !j->texts->get(j->texts->arg, f->path, blob, out);
}

/* The file, if its tree was cached when it was parsed; or NULL. */
static struct contract_file *read_cached(struct crossfile *j, const struct source_file *f)
{
	struct cached_tree h;

	if (!j->texts->tree_cache || !tree_cache_take(j->texts->tree_cache, f->path, &h))
		return NULL;
	const struct lang *l = lang_detect(f->path, h.text.p, h.text.n);
	if (!l || !parser_adopt(j->parser, l, &h.retained)) {
		cached_tree_free(&h);
		return NULL;
	}
	struct contract_file *r = arena_one(h.a, struct contract_file);
	r->text = arena_one(h.a, struct buf);
	*r->text = h.text;
	r->retained = h.retained;
	r->spots = h.retained.spots;
	r->retained.spots = NULL;
	return r;
}

static struct contract_file *reparse(struct crossfile *j, const struct source_file *f)
{
	struct arena *a = arena_new();
	struct contract_file *r = arena_one(a, struct contract_file);

	r->text = arena_one(a, struct buf);
	crossfile_lock(j);
	bool have = text_get(j, f, r->text);
	crossfile_unlock(j);
	const struct lang *l = NULL;
	if (have)
		l = lang_detect(f->path, r->text->p, r->text->n);
	if (!l || !parse_retain(j->parser, l, r->text->p, r->text->n, a, &r->retained)) {
		buf_free(r->text);
		arena_free(a);
		return NULL;
	}
	return r;
}

static struct contract_file *read_again(struct crossfile *j, struct source_file *f)
{
	struct contract_file *r = read_cached(j, f);

	if (!r)
		r = reparse(j, f);
	if (!r)
		return NULL;
	r->t = &r->retained.tree;
	r->found = &r->retained.found;
	r->facts = &r->retained.facts;
	r->frameworks = r->retained.frameworks;
	r->file = f;
	j->bytes += r->text->n;
	return r;
}

struct contract_file *crossfile_read_file(struct crossfile *j, struct source_file *f)
{
	resolver_record_key(&j->look, key_hash("b:", f->path, NULL));
	if (!j->reading[f->place])
		j->reading[f->place] = read_again(j, f);
	if (j->reading[f->place])
		j->reading[f->place]->asked = j->owners;
	return j->reading[f->place];
}

/* ---- names ---- */

struct name_resolver *crossfile_resolver(struct crossfile *j)
{
	j->look.steps = MOST_STEPS;
	j->look.depth = 0;
	j->look.limit_reached = false;
	return &j->look;
}

/* A name that a type shares with its constructor means the type. */
static const struct sym *type_of_constructor(struct crossfile *j, const struct sym *s)
{
	const struct sym *parent = NULL;

	if (s->kind == KIND_constructor)
		parent = sym_parent(&j->look, s);
	if (parent && !strcmp(parent->name, s->name))
		return parent;
	return s;
}

int crossfile_resolve_name(struct crossfile *j, struct contract_file *r, TSNode at,
    const char *chain, const struct sym **sym, struct source_file **file)
{
	int d = enclosing_definition(r, node_start_byte(at), false);
	struct resolved_value v = { 0 };

	if (r->file->dialect && j->look.file->dialect)
		v = infer_expression(crossfile_resolver(j), r->file, d, node_line(at), chain);
	if (v.what == RESOLVED_FILE && v.file) {
		*file = v.file;
		return 2;
	}
	if (v.what != RESOLVED_SYMBOLS || !v.n)
		return 0;
	*sym = program_load_symbol(j->w, type_of_constructor(j, v.v[0]));
	*file = sym_file(&j->look, *sym);
	return 1;
}

/* The only field or constant of that name in the repository, or NULL. */
static const struct sym *only_constant(struct crossfile *j, const char *name)
{
	const struct sym *v[8], *one = NULL;
	size_t n = resolver_find_by_name(crossfile_resolver(j), name, v, LEN(v));

	for (size_t i = 0; i < n && n <= LEN(v); i++) {
		if (!kind_holds_value(v[i]->kind) || v[i]->test)
			continue;
		if (one)
			return NULL;
		one = program_load_symbol(j->w, v[i]);
	}
	return one;
}

struct expression crossfile_constant(struct crossfile *j, struct contract_file *r, const char *name)
{
	struct expression none = { 0 };

	if (!r->file || !*name || !j->look.file->dialect)
		return none;
	const struct sym *one = only_constant(j, name);
	if (!one)
		return none;
	struct contract_file *in = other_files_read(j, sym_file(&j->look, one));
	if (!in || one->index < 0 || (size_t)one->index >= in->found->n)
		return none;
	const struct definition *d = &in->found->v[one->index].def;
	const struct binding *b = find_local_binding(in->t, d->name, strlen(d->name), d->start_byte, d);
	if (!b)
		return none;
	return (struct expression){ in, b->value, NULL };
}

/* Whether the file has a method whose qualified name ends with TYPE.METHOD. */
static bool has_member(const struct contract_file *in, const char *member)
{
	size_t len = strlen(member);

	for (size_t k = 0; k < in->found->n; k++) {
		const char *name = in->found->v[k].def.qualified;
		size_t have = strlen(name);
		if (have >= len && !strcmp(name + have - len, member))
			return true;
	}
	return false;
}

bool crossfile_lacks_method(
    struct crossfile *j, struct contract_file *r, const char *type, const char *method)
{
	const struct sym *v[8];
	bool found = false;

	if (!r->file || !j->look.file->dialect)
		return false;
	size_t n = resolver_find_by_name(crossfile_resolver(j), type, v, LEN(v));
	const char *member = arena_printf(j->look.a, "%s.%s", type, method);
	for (size_t i = 0; i < n && n <= LEN(v); i++) {
		if ((!kind_is_type(v[i]->kind) && v[i]->kind != KIND_module) || v[i]->test)
			continue;
		struct contract_file *in = other_files_read(j, sym_file(&j->look, v[i]));
		found = true;
		if (in && has_member(in, member))
			return false;
	}
	return found;
}

struct source_file *crossfile_module(
    struct crossfile *j, struct contract_file *r, const char *module)
{
	struct resolved_value v = { 0 };

	if (r->file->dialect && j->look.file->dialect)
		v = module_find(crossfile_resolver(j), r->file, arena_str(j->look.a, module), false);
	if (v.what == RESOLVED_FILE)
		return v.file;
	return NULL;
}

struct source_file *crossfile_find_path(
    struct crossfile *j, struct contract_file *r, const char *path)
{
	struct resolved_value v = { 0 };

	if (!strncmp(path, "{}", 2))	/* __DIR__ */
		path += 2;
	if (*path == '/')
		path++;
	if (!*path || !r->file)
		return NULL;
	if (r->file->dialect && j->look.file->dialect)
		v = module_find(crossfile_resolver(j), r->file, arena_str(j->look.a, path), true);
	if (v.what == RESOLVED_FILE)
		return v.file;
	return NULL;
}
