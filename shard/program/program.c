#include "shard/program/program_internal.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/map.h"
#include "proto/db/db.h"
#include "proto/text/symbol_match.h"
#include "shard/base/string_pool.h"
#include "shard/base/text_lines.h"
#include "shard/facts/facts_codec.h"
#include "shard/program/file_symbols.h"
#include "shard/program/module_paths.h"
#include "shard/program/resolver.h"
#include "shard/storage/symbol_store.h"

static bool is_ascii(const char *s)
{
	while (*s > 0)
		s++;
	return !*s;
}

const char *program_intern(struct program *w, const char *s)
{
	if (!s)
		return NULL;
	if (is_ascii(s))
		return string_pool_intern(w->strings, s);
	struct arena *a = arena_new();
	const char *interned = string_pool_intern(w->strings, text_utf8(s, strlen(s), a));
	arena_free(a);
	return interned;
}

/* ---- files ---- */

static int by_path(const void *a, const void *b)
{
	const struct source_file *x = a, *y = b;

	return strcmp(x->path, y->path);
}

static struct source_file *add_file(struct program *w, const struct source_file_info *x)
{
	w->files = grow(w->files, &w->cap, w->nfiles + 1, sizeof *w->files);
	struct source_file *f = &w->files[w->nfiles++];
	*f = (struct source_file){
		.id = x->id,
		.path = arena_str(w->a, x->path),
		.test = x->test,
		.origin = x->origin,
		.package = program_intern(w, x->package),
		.dialect = dialect_find(x->language),
	};
	return f;
}

/* Whether the files are in order of path already, as those of a full build are. */
static bool is_sorted(const struct program *w)
{
	for (size_t i = 1; i < w->nfiles; i++)
		if (by_path(&w->files[i - 1], &w->files[i]) > 0)
			return false;
	return true;
}

/* Sort and describe the files, once all are added. */
static void finish_files(struct program *w)
{
	if (!is_sorted(w))
		qsort(w->files, w->nfiles, sizeof *w->files, by_path);
	for (size_t i = 0; i < w->nfiles; i++)
		w->files[i].place = (uint32_t)i;
	program_describe_files(w);
}

struct program *program_new(struct err *e)
{
	struct program *w = xcalloc(1, sizeof *w);

	*w = (struct program){
		.a = arena_new(),
		.strings = string_pool_new(),
		.names = map_new(),
		.e = e,
	};
	if (!dialects_read(e))
		return w;
	program_free(w);
	return NULL;
}

static int read_files(struct program *w)
{
	struct stmt *s = db_prep(w->db, "select id, path, language, test, package from files", w->e);

	if (!s)
		return -1;
	for (;;) {
		int rc = db_step(s, w->e);
		if (rc != 1)
			return rc;
		struct source_file_info x = {
			.id = db_int(s, 0),
			.path = db_str(s, 1),
			.language = db_str(s, 2),
			.test = db_int(s, 3),
		};
		if (!db_null(s, 4))
			x.package = db_str(s, 4);
		add_file(w, &x);
	}
}

struct program *program_begin(struct db *db, struct err *e)
{
	struct program *w = program_new(e);

	if (!w)
		return NULL;
	w->db = db;
	if (!read_files(w))
		return w;
	program_free(w);
	return NULL;
}

struct program *program_open(struct db *db, struct err *e)
{
	struct program *w = program_begin(db, e);

	if (w)
		finish_files(w);
	return w;
}

void program_free(struct program *w)
{
	if (!w)
		return;
	program_free_lists(w);
	map_free(w->names);
	free(w->all.v);
	free(w->all.hashes);
	string_pool_free(w->strings);
	arena_free(w->a);
	free(w->files);
	free(w);
}

/* ---- symbols ---- */

/* Set the fields that follow from the signature, which stored facts lack. */
static void take_signature(struct sym *s, const char *signature)
{
	if (s->extends || !signature_is_extension(signature))
		return;
	s->extends = true;
	s->least -= s->least > 0;
}

/* Definitions are stored in the order of the facts. */
static int take_ids(struct program *w, const struct source_file *f)
{
	struct arena *a = arena_new();
	struct stored_symbols stored;
	int rc = symbols_read(w->db, f->id, a, &stored, w->e);

	for (size_t i = 0; !rc && i < f->symbols->n && i < stored.n; i++) {
		f->symbols->v[i].number = (uint32_t)symbol_number(stored.v[i].id);
		take_signature(&f->symbols->v[i], stored.v[i].signature);
	}
	arena_free(a);
	return rc;
}

static int decode(struct program *w, struct source_file *f, const void *bytes, size_t n)
{
	struct arena *a = arena_new();
	struct facts x = { 0 };
	int rc = facts_decode(bytes, n, a, &x, w->e);

	if (rc)
		err_add(w->e, "%s", f->path);
	else
		f->symbols = file_symbols_new(w, f, &x);
	arena_free(a);
	return rc;
}

static int load(struct program *w, struct source_file *f)
{
	struct stmt *s = db_prep(w->db, "select facts from facts where file = ?", w->e);
	size_t n;

	if (!s || db_bind(s, "i", f->id))
		return -1;
	int rc = db_step(s, w->e);
	if (rc != 1)
		return rc;
	const void *bytes = db_blob(s, 0, &n);
	rc = decode(w, f, bytes, n);
	db_step(s, rc ? NULL : w->e);	/* ends the statement; the first error stays */
	if (rc)
		return rc;
	return take_ids(w, f);
}

const struct file_symbols *program_file_symbols(struct program *w, struct source_file *f)
{
	static struct file_symbols none;

	if (f->symbols)
		return f->symbols;
	if (!w->db)
		return &none;
	load(w, f);
	if (!f->symbols)
		f->symbols = &none;
	return f->symbols;
}

/* ---- names ---- */

static uint32_t hash(const char *s)	/* FNV-1a */
{
	uint32_t h = 2166136261u;

	while (*s)
		h = (h ^ (uint8_t)*s++) * 16777619u;
	return h ^ h >> 15;
}

static size_t name_slot(const struct program *w, const char *name, uint32_t h)
{
	size_t i = h & (w->all.size - 1);

	while (w->all.v[i] && (w->all.hashes[i] != h || strcmp(w->all.v[i]->name, name)))
		i = (i + 1) & (w->all.size - 1);
	return i;
}

/* Put a definition before the others of its name. */
static void name_put(struct program *w, struct sym *s)
{
	uint32_t h = hash(s->name);
	size_t i = name_slot(w, s->name, h);

	s->next = w->all.v[i];
	w->all.v[i] = s;
	w->all.hashes[i] = h;
}

static size_t symbol_count(const struct source_file *f)
{
	if (!f->symbols)
		return 0;
	return f->symbols->n;
}

static void list_names(struct program *w)
{
	size_t n = 0;

	for (size_t i = 0; i < w->nfiles; i++)
		n += symbol_count(&w->files[i]);
	w->all.size = 1;
	while (w->all.size < n + n / 3 + 1)
		w->all.size *= 2;
	w->all.v = xcalloc(w->all.size, sizeof *w->all.v);
	w->all.hashes = xcalloc(w->all.size, sizeof *w->all.hashes);
	for (size_t i = w->nfiles; i--;) {
		const struct source_file *f = &w->files[i];
		for (size_t k = symbol_count(f); k--;) {
			f->symbols->v[k].file = (uint32_t)i;
			name_put(w, &f->symbols->v[k]);
		}
	}
}

bool source_file_is_proto(const struct source_file *f)
{
	const char *dot = strrchr(f->path, '.');

	return dot && !strcmp(dot, ".proto");
}

void program_add_file(struct program *w, const struct source_file_info *x, const struct facts *f)
{
	struct source_file *file = add_file(w, x);
	bool has_aliases = f->imports.n > 0;	/* a configuration: module_aliases_read */

	if (file->dialect || source_file_is_proto(file) || has_aliases)
		file->symbols = file_symbols_new(w, file, f);
}

void program_finish(struct program *w)
{
	finish_files(w);
	if (!w->db)
		program_make_lists(w);
	list_names(w);
}

struct positioned_sym {
	struct sym *sym;
	int64_t place;
};

static int by_position(const void *a, const void *b)
{
	const struct positioned_sym *x = a, *y = b;

	if (x->sym->file != y->sym->file)
		return (x->sym->file > y->sym->file) - (x->sym->file < y->sym->file);
	return (x->place > y->place) - (x->place < y->place);
}

static struct source_file *file_by_path(struct program *w, const char *path)
{
	struct source_file key = { .path = path };

	return bsearch(&key, w->files, w->nfiles, sizeof key, by_path);
}

static struct sym *read_symbol_row(struct program *w, struct stmt *s, const char *name)
{
	struct sym *x = arena_one(w->a, struct sym);
	struct source_file *f = file_by_path(w, db_str(s, 5));

	*x = (struct sym){
		.name = name,
		.qualified = program_intern(w, db_str(s, 1)),
		.number = (uint32_t)symbol_number(db_int(s, 0)),
		.index = -1,
		.parent = -1,
		.kind = (uint8_t)kind_of(db_str(s, 2)),
		.owner = (uint8_t)kind_of(db_str(s, 7)),
		.exported = db_int(s, 3),
		.test = db_int(s, 4),
	};
	if (f)
		x->file = f->place;
	return x;
}

struct positioned_syms {
	struct positioned_sym *v;
	size_t n, cap;
};

/* Append the definitions of a name.  A failure is stored in w->e. */
static void read_named_rows(struct program *w, const char *name, struct positioned_syms *out)
{
	struct arena *a = arena_new();
	struct stmt *s = db_prep(w->db,
	    "select s.id, s.qualified, s.kind, s.exported, s.test, f.path, s.place, "
	    " coalesce(p.kind, '') from symbols s join files f on f.id = s.file"
	    " left join symbols p on p.id = s.parent"
	    " where s.key = ? and s.name = ?",
	    w->e);

	if (s && !db_bind(s, "SS", symbol_key(name, a), name)) {
		while (db_step(s, w->e) == 1) {
			out->v = grow(out->v, &out->cap, out->n + 1, sizeof *out->v);
			out->v[out->n].sym = read_symbol_row(w, s, name);
			out->v[out->n++].place = db_int(s, 6);
		}
	}
	arena_free(a);
}

/* The first definition of a name in the files that are in memory; NULL if there is none. */
static struct sym *listed_name(const struct program *w, const char *name)
{
	if (!w->all.v)
		return NULL;
	return w->all.v[name_slot(w, name, hash(name))];
}

bool program_has_external(const struct program *w, const char *name)
{
	const struct sym *s = listed_name(w, name);

	while (s && !w->files[s->file].origin)
		s = s->next;
	return s != NULL;
}

/* The first definition of a name, linked to the others; NULL if there is none. */
static struct sym *read_named(struct program *w, const char *name)
{
	struct positioned_syms all = { 0 };
	struct sym *first = listed_name(w, name);

	read_named_rows(w, name, &all);
	if (all.n)
		qsort(all.v, all.n, sizeof *all.v, by_position);
	for (size_t i = all.n; i--;) {
		all.v[i].sym->next = first;
		first = all.v[i].sym;
	}
	free(all.v);
	return first;
}

const struct sym *program_find_name(struct program *w, const char *name)
{
	static struct sym no_symbol;	/* cached for a name without definitions */

	if (!w->db)
		return listed_name(w, name);
	void **at = map_at(w->names, name);
	if (!*at)
		*at = read_named(w, program_intern(w, name));
	if (!*at)
		*at = &no_symbol;
	if (*at == &no_symbol)
		return NULL;
	return *at;
}

const struct sym *program_load_symbol(struct program *w, const struct sym *s)
{
	if (s->index >= 0)
		return s;
	const struct file_symbols *u = program_file_symbols(w, &w->files[s->file]);
	for (size_t i = 0; i < u->n; i++)
		if (u->v[i].number == s->number)
			return &u->v[i];
	return s;
}
