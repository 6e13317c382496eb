/* Names that need no import: of the folder, the package, the program. */
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/minmax.h"
#include "shard/program/name_resolution.h"
#include "shard/program/resolver_cache.h"

enum { MAX_SAME_NAME = 64 };

/* The definitions, without those that a later one of the same file and name replaces. */
static struct resolved_value without_replaced(struct name_resolver *l, struct resolved_value v)
{
	struct resolved_value out = v;

	out.n = 0;
	for (size_t i = 0; i < v.n; i++)
		resolved_add(l, &out, v.v[i]);
	return out;
}

static const struct include_list *included_by(struct name_resolver *l, struct source_file *f)
{
	struct include_list *x = l->included;

	while (x && x->of != f)
		x = x->next;
	if (x)
		return x;
	const struct file_symbols *u = resolver_file_scope(l, f);
	x = arena_one(l->a, struct include_list);
	*x = (struct include_list){
		.of = f,
		.v = arena_many(l->a, u->nimports + 1, struct source_file *),
		.next = l->included,
	};
	l->included = x;
	for (size_t i = 0; i < u->nimports; i++) {
		struct resolved_value m = { 0 };
		if (u->imports[i].include)
			m = module_find(l, f, u->imports[i].module, true);
		if (m.what == RESOLVED_FILE)
			x->v[x->n++] = m.file;
	}
	return x;
}

/* Whether a file includes another, or a file of the same stem: its header. */
static bool includes(
    struct name_resolver *l, struct source_file *f, const struct source_file *other)
{
	const struct include_list *x = included_by(l, f);

	for (size_t i = 0; i < x->n; i++)
		if (x->v[i] == other || !strcmp(x->v[i]->stem, other->stem))
			return true;
	return false;
}

/* How near a file is to `f`. */
enum nearness { INCLUDED, SAME_FOLDER, ELSEWHERE, NEARNESSES };

static enum nearness nearness_of(
    struct name_resolver *l, struct source_file *f, const struct source_file *other)
{
	if (other == f || includes(l, f, other))
		return INCLUDED;
	if (!strcmp(other->dir, f->dir))
		return SAME_FOLDER;
	return ELSEWHERE;
}

/*
 * Of several definitions in a program: those in included files, else those in the same folder, else
 * all.  RESOLVED_UNKNOWN if these are too many.
 */
static struct resolved_value nearest(
    struct name_resolver *l, struct source_file *f, const struct sym **v, size_t n)
{
	struct resolved_value found[NEARNESSES] = { { 0 } };
	size_t count[NEARNESSES] = { 0 };

	for (size_t i = 0; i < n; i++) {
		enum nearness near = ELSEWHERE;
		if (n > 1)
			near = nearness_of(l, f, sym_file(l, v[i]));
		if (count[near]++ < MAX_CANDIDATES)
			found[near].v[found[near].n++] = v[i];
	}
	for (int i = 0; i < NEARNESSES; i++) {
		if (count[i] > MAX_CANDIDATES)
			break;
		if (!count[i])
			continue;
		found[i].what = RESOLVED_SYMBOLS;
		found[i].confidence = CONFIDENCE_PACKAGE;
		found[i].reason = "package";
		return found[i];
	}
	return resolved_unknown();
}

/* Whether all are types: a module that many files reopen. */
static bool are_types(const struct sym **v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!kind_is_type(v[i]->kind))
			return false;
	return true;
}

/* The definitions of a full name in a package. */
static struct resolved_value full(
    struct name_resolver *l, struct source_file *f, const char *package, const char *name)
{
	const struct sym *v[MAX_SAME_NAME];
	const char *whole = name_with_prefix(l->a, package, name);
	size_t n = resolver_find_full_name(l, whole, v, MAX_SAME_NAME);
	struct resolved_value out = { 0 };

	if (n <= MAX_SAME_NAME)
		n = resolver_keep_own(l, f->origin, v, n);
	if (n <= MAX_SAME_NAME)
		out = without_replaced(l, nearest(l, f, v, n));
	if (out.what || !f->dialect->parts || n <= MAX_CANDIDATES)
		return out;
	if (!are_types(v, MIN(n, MAX_SAME_NAME)))
		return out;
	/* a namespace, whose parts are too many to be candidates */
	return (struct resolved_value){
		.what = RESOLVED_PACKAGE,
		.text = arena_str(l->a, whole),
		.confidence = CONFIDENCE_PACKAGE,
		.reason = "package",
	};
}

/* Search the beginnings of the definition's qualified name, from the inside outwards: a.b, a. */
static struct resolved_value around(struct name_resolver *l, struct source_file *f, int definition,
    const char *package, const char *name)
{
	const struct file_symbols *u = program_file_symbols(l->w, f);
	struct resolved_value v = { 0 };

	if (definition < 0 || !(f->dialect->open_types || f->dialect->outer_packages))
		return v;
	char *outer = arena_str(l->a, u->v[definition].qualified);
	if (u->v[definition].kind == KIND_module)
		v = full(l, f, name_with_prefix(l->a, package, outer), name);
	while (!v.what) {
		char *dot = strrchr(outer, '.');
		if (!dot)
			break;
		*dot = 0;
		v = full(l, f, name_with_prefix(l->a, package, outer), name);
	}
	return v;
}

/* A copy of the file's package, "" if it has none. */
static char *copy_package(struct name_resolver *l, const struct source_file *f)
{
	if (f->package)
		return arena_str(l->a, f->package);
	return arena_str(l->a, "");
}

/* Cut a package to the one above it. */
static void cut_last_part(char *package)
{
	char *dot = strrchr(package, '.');

	if (dot)
		*dot = 0;
	else
		*package = 0;
}

/* Search the package of the file and the packages around it. */
static struct resolved_value find_in_packages(
    struct name_resolver *l, struct source_file *f, const char *name)
{
	bool outwards = f->dialect->outer_packages || f->dialect->share == SHARE_PROGRAM;
	char *package = copy_package(l, f);

	for (;;) {
		struct resolved_value v = full(l, f, package, name);
		if (v.what || !*package || !outwards)
			return v;
		cut_last_part(package);
	}
}

static struct resolved_value find_in_folder(
    struct name_resolver *l, struct source_file *f, const char *name)
{
	struct resolved_value v = { .confidence = CONFIDENCE_PACKAGE, .reason = "package" };

	v.n = resolver_find_in_dir(l, f->dir, name, v.v, MAX_CANDIDATES);
	v.n = MIN(v.n, MAX_CANDIDATES);
	return without_replaced(l, v);
}

struct resolved_value scope_find_shared(
    struct name_resolver *l, struct source_file *f, int definition, const char *name)
{
	struct memo m = { .of = f, .what = MEMO_PACKAGE, .text = name };
	bool folder = f->dialect->share == SHARE_DIRECTORY;
	struct resolved_value v = { 0 };

	if (f->dialect->share == SHARE_FILE)
		return v;
	if (!folder)
		v = around(l, f, definition, f->package, name);
	if (v.what)
		return v;
	if (memo_find(l, &m))
		return m.value;
	if (folder)
		v = find_in_folder(l, f, m.text);
	else
		v = find_in_packages(l, f, m.text);
	return memo_store(l, &m, v);
}

/* Whether the name stands for a package relative to the file's: crate, self, super. */
static bool is_relative_package(const struct dialect *d, const char *name)
{
	size_t n = strlen(name);

	if (word_list_has(&d->crate, name, n))
		return true;
	return word_list_has(&d->here, name, n) || word_list_has(&d->up, name, n);
}

struct resolved_value scope_find_package(
    struct name_resolver *l, struct source_file *f, const char *name)
{
	const struct dialect *d = f->dialect;

	if (d->scheme != SCHEME_NAME || (d->share == SHARE_PROGRAM && !f->package))
		return resolved_unknown();
	if (is_relative_package(d, name))
		return module_find(l, f, name, false);
	struct resolved_value v = {
		.what = RESOLVED_PACKAGE,
		.confidence = CONFIDENCE_IMPORT,
		.reason = "import",
	};
	char *package = copy_package(l, f);
	bool crate = module_is_crate(l, f, name);
	if (crate && !*package)
		return module_find(l, f, name, false);
	for (;;) {
		if (*package)
			v.text = name_with_prefix(l->a, package, name);
		else
			v.text = arena_str(l->a, name);
		if (resolver_files_in_package(l, v.text)->n)
			return v;
		if (crate)	/* only a module below this one hides it */
			return module_find(l, f, name, false);
		if (!*package)
			return resolved_unknown();
		if (d->outer_packages)
			cut_last_part(package);
		else
			*package = 0;
	}
}

struct resolved_value scope_find_full_name(
    struct name_resolver *l, struct source_file *f, const char *name)
{
	if (!f->dialect->full_names)
		return resolved_unknown();
	return full(l, f, NULL, name);
}
