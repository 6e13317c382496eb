#include "shard/program/resolver.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/map.h"
#include "proto/base/minmax.h"
#include "shard/program/file_symbols.h"

/* ---- keys ---- */

enum { MIN_KEYS = 64 };

/* Put a key into the table; whether it is new. */
static bool keys_put(uint32_t *v, size_t size, uint32_t key)
{
	size_t i = key & (size - 1);

	while (v[i] && v[i] != key)
		i = (i + 1) & (size - 1);
	bool fresh = !v[i];
	v[i] = key;
	return fresh;
}

static void grow_keys(struct name_resolver *l)
{
	size_t size = MAX(l->keys.size * 2, MIN_KEYS);
	uint32_t *v = xcalloc(size, sizeof *v);

	for (size_t i = 0; i < l->keys.size; i++)
		if (l->keys.v[i])
			keys_put(v, size, l->keys.v[i]);
	free(l->keys.v);
	l->keys.v = v;
	l->keys.size = size;
}

void resolver_record_key(struct name_resolver *l, uint32_t key)
{
	if (l->keys.n * 2 >= l->keys.size)
		grow_keys(l);
	l->keys.n += keys_put(l->keys.v, l->keys.size, key);
}

static int by_name(const void *a, const void *b)
{
	const struct local *x = *(const struct local *const *)a, *y = *(const struct local *const *)b;

	if (x->definition != y->definition)
		return (x->definition > y->definition) - (x->definition < y->definition);
	int c = strcmp(x->name, y->name);
	if (c)
		return c;
	if (x->line != y->line)
		return (x->line > y->line) - (x->line < y->line);
	return (x > y) - (x < y);
}

void resolver_begin(struct name_resolver *l, struct source_file *f, const struct facts *x)
{
	l->file = f;
	l->facts = x;
	l->locals = arena_many(l->a, x->locals.n + 1, const struct local *);
	l->assigned = arena_many(l->a, x->locals.n + 1, const struct local *);
	l->nassigned = 0;
	for (size_t i = 0; i < x->locals.n; i++) {
		l->locals[i] = &x->locals.v[i];
		if (local_field(&x->locals.v[i]))
			l->assigned[l->nassigned++] = &x->locals.v[i];
	}
	if (x->locals.n)
		qsort(l->locals, x->locals.n, sizeof *l->locals, by_name);
	/* After a large file the table shrinks: clearing it for every later file would cost time. */
	while (l->keys.size > MIN_KEYS && l->keys.n * 8 < l->keys.size)
		l->keys.size /= 2;
	if (l->keys.v)
		memset(l->keys.v, 0, l->keys.size * sizeof *l->keys.v);
	l->keys.n = 0;
	l->memos.v = NULL;
	l->memos.n = l->memos.size = 0;
	l->included = NULL;
	l->default_name = NULL;
	l->depth = l->steps = 0;
	l->limit_reached = false;
}

void resolver_release(struct name_resolver *l)
{
	free(l->keys.v);
	l->keys.v = NULL;
	l->keys.size = 0;
}

/* ---- files ---- */

const struct file_list *resolver_files_by_path(struct name_resolver *l, const char *path)
{
	resolver_record_key(l, key_hash("p:", path, NULL));
	return program_files_by(l->w, FILES_BY_PATH, path);
}

const struct file_list *resolver_files_by_stem(struct name_resolver *l, const char *stem)
{
	resolver_record_key(l, key_hash("s:", stem, NULL));
	return program_files_by(l->w, FILES_BY_STEM, stem);
}

const struct file_list *resolver_files_in_dir(struct name_resolver *l, const char *dir)
{
	resolver_record_key(l, key_hash("d:", dir, NULL));
	return program_files_by(l->w, FILES_BY_DIR, dir);
}

const struct file_list *resolver_files_in_package(struct name_resolver *l, const char *package)
{
	resolver_record_key(l, key_hash("k:", package, NULL));
	return program_files_by(l->w, FILES_BY_PACKAGE, package);
}

/* ---- in one file ---- */

const uint32_t *resolver_find_definitions(
    struct name_resolver *l, struct source_file *f, const char *qualified, size_t *n)
{
	if (f != l->file)
		resolver_record_key(l, key_end(f->member_key, qualified));
	return file_symbols_find(program_file_symbols(l->w, f), qualified, n);
}

const struct sym *resolver_find_definition(
    struct name_resolver *l, struct source_file *f, const char *qualified)
{
	size_t n;
	const uint32_t *which = resolver_find_definitions(l, f, qualified, &n);

	if (n)
		return &program_file_symbols(l->w, f)->v[*which];
	return NULL;
}

const struct file_symbols *resolver_file_scope(struct name_resolver *l, struct source_file *f)
{
	if (f != l->file)
		resolver_record_key(l, f->scope_key);
	return program_file_symbols(l->w, f);
}

const struct file_symbols *resolver_type_bases(
    struct name_resolver *l, struct source_file *f, const char *type)
{
	if (f != l->file)
		resolver_record_key(l, key_end(f->type_key, type));
	return program_file_symbols(l->w, f);
}

const struct file_symbols *resolver_file_exports(struct name_resolver *l, struct source_file *f)
{
	if (f != l->file)
		resolver_record_key(l, key_hash("x:", f->path, NULL));
	return program_file_symbols(l->w, f);
}

void resolver_record_type_members(struct name_resolver *l, const char *dir, const char *type)
{
	resolver_record_key(l, key_hash("o:", dir, "#", type, NULL));
}

const struct sym *sym_parent(struct name_resolver *l, const struct sym *s)
{
	if (s->parent < 0)
		return NULL;
	return &program_file_symbols(l->w, sym_file(l, s))->v[s->parent];
}

/* ---- anywhere ---- */

static bool same_family(const struct name_resolver *l, const struct sym *s)
{
	const struct dialect *d = sym_file(l, s)->dialect;

	return d && (d == l->file->dialect || !strcmp(d->family, l->file->dialect->family));
}

static const char *last_part(const char *name)
{
	const char *dot = strrchr(name, '.');

	if (dot && dot[1])
		return dot + 1;
	return name;
}

static size_t add(
    struct name_resolver *l, const struct sym *s, const struct sym **out, size_t n, size_t max)
{
	if (n < max)
		out[n] = program_load_symbol(l->w, s);
	return n + 1;
}

/* Whether `full` is the package and the qualified name, joined by a dot. */
static bool full_name_is(const char *package, const char *qualified, const char *full)
{
	size_t n = 0;

	if (package)
		n = strlen(package);
	if (n && (strncmp(full, package, n) || full[n] != '.'))
		return false;
	return !strcmp(full + n + (n > 0), qualified);
}

static bool is_in_dir(
    const struct name_resolver *l, const struct sym *s, const char *dir, const char *qualified)
{
	if (!same_family(l, s) || strcmp(sym_file(l, s)->dir, dir))
		return false;
	return !strcmp(s->qualified, qualified);
}

size_t resolver_find_in_dir(struct name_resolver *l, const char *dir, const char *qualified,
    const struct sym **out, size_t max)
{
	size_t n = 0;

	resolver_record_key(l, key_hash("u:", dir, "#", qualified, NULL));
	const struct sym *s = program_find_name(l->w, last_part(qualified));
	for (; s && n <= max; s = s->next)
		if (is_in_dir(l, s, dir, qualified))
			n = add(l, s, out, n, max);
	return n;
}

static bool is_header(const struct source_file *f)
{
	const char *dot = strrchr(f->path, '.');

	return dot && word_list_has(&f->dialect->headers, dot + 1, strlen(dot + 1));
}

/* Whether it is a static function of another file of a program, and not in a header. */
static bool is_static(const struct name_resolver *l, const struct sym *s)
{
	if (l->file->dialect->share != SHARE_PROGRAM || s->exported || kind_is_type(s->kind))
		return false;
	return s->file != l->file->place && !is_header(sym_file(l, s));
}

/* Whether it is outside of all packages of another repository, where nobody can import it. */
static bool is_unpackaged(const struct name_resolver *l, const struct sym *s)
{
	const struct source_file *f = sym_file(l, s);

	return l->file->dialect->packaged && f->origin && !(f->package && *f->package);
}

static bool is_hidden(const struct name_resolver *l, const struct sym *s)
{
	return is_static(l, s) || is_unpackaged(l, s);
}

size_t resolver_find_full_name(
    struct name_resolver *l, const char *full, const struct sym **out, size_t max)
{
	size_t n = 0;

	resolver_record_key(l, key_hash("q:", full, NULL));
	const struct sym *s = program_find_name(l->w, last_part(full));
	for (; s && n <= max; s = s->next) {
		if (!same_family(l, s) || is_hidden(l, s))
			continue;
		if (full_name_is(sym_file(l, s)->package, s->qualified, full))
			n = add(l, s, out, n, max);
	}
	return n;
}

size_t resolver_keep_own(const struct name_resolver *l, int origin, const struct sym **v, size_t n)
{
	const struct dialect *d = l->file->dialect;
	size_t own = 0;

	if (d->parts && d->share == SHARE_PROGRAM)
		return n;
	for (size_t i = 0; i < n; i++)
		if (sym_file(l, v[i])->origin == origin)
			v[own++] = v[i];
	if (own)
		return own;
	return n;
}

size_t resolver_find_by_name(
    struct name_resolver *l, const char *name, const struct sym **out, size_t max)
{
	size_t n = 0;

	resolver_record_key(l, key_hash("n:", name, NULL));
	for (const struct sym *s = program_find_name(l->w, name); s && n <= max; s = s->next)
		if (same_family(l, s) && !sym_file(l, s)->origin)
			n = add(l, s, out, n, max);
	return n;
}

size_t resolver_find_external(
    struct name_resolver *l, const char *name, const struct sym **out, size_t max)
{
	size_t n = 0;

	for (const struct sym *s = program_find_name(l->w, name); s && n <= max; s = s->next)
		if (same_family(l, s) && sym_file(l, s)->origin)
			n = add(l, s, out, n, max);
	return n;
}

/* Definitions of the name in a type of that kind. */
static size_t find_in_owners(
    struct name_resolver *l, const char *name, enum kind owner, const struct sym **out, size_t max)
{
	size_t n = 0;

	resolver_record_key(l, key_hash("n:", name, NULL));
	for (const struct sym *s = program_find_name(l->w, name); s && n <= max; s = s->next)
		if (s->owner == owner && same_family(l, s))
			n = add(l, s, out, n, max);
	return n;
}

size_t resolver_find_iface_methods(
    struct name_resolver *l, const char *name, const struct sym **out, size_t max)
{
	return find_in_owners(l, name, KIND_interface, out, max);
}

size_t resolver_find_trait_methods(
    struct name_resolver *l, const char *name, const struct sym **out, size_t max)
{
	return find_in_owners(l, name, KIND_trait, out, max);
}

static size_t of_protos(
    struct name_resolver *l, const char *name, enum kind kind, const struct sym **out, size_t max)
{
	size_t n = 0;

	resolver_record_key(l, key_hash("n:", name, NULL));
	for (const struct sym *s = program_find_name(l->w, name); s && n <= max; s = s->next)
		if (s->kind == kind && source_file_is_proto(sym_file(l, s)))
			n = add(l, s, out, n, max);
	return n;
}

size_t resolver_find_services(
    struct name_resolver *l, const char *name, const struct sym **out, size_t max)
{
	return of_protos(l, name, KIND_interface, out, max);
}

size_t resolver_find_rpc_methods(
    struct name_resolver *l, const char *name, const struct sym **out, size_t max)
{
	return of_protos(l, name, KIND_method, out, max);
}
