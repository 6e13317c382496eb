#include "shard/interfaces/package_interfaces.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/deflate.h"
#include "proto/base/err.h"
#include "proto/db/db.h"
#include "proto/record/codec.h"
#include "shard/facts/facts.h"
#include "shard/facts/facts_codec.h"
#include "shard/interfaces/interface_facts.h"
#include "shard/manifests/packages.h"
#include "shard/program/module_rules.h"

/* A package while its files are found. */
struct package_files {
	struct package_interface package;
	struct { struct interface_file *v; size_t n, cap; } files;
	size_t bytes;
};

struct interface_maker {
	struct arena *a;
	struct { struct package_files *v; size_t n, cap; } packages;
};

/* ---- packages ---- */

static const char *folder_of(const char *path, struct arena *a)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return "";
	return arena_strn(a, path, (size_t)(slash - path));
}

static struct package_files *find_package(
    struct interface_maker *m, const char *ecosystem, const char *folder)
{
	for (size_t i = 0; i < m->packages.n; i++) {
		struct package_files *p = &m->packages.v[i];
		if (!strcmp(p->package.ecosystem, ecosystem) && !strcmp(p->package.folder, folder))
			return p;
	}
	return NULL;
}

static struct package_files *add_package(struct interface_maker *m, struct package_interface p)
{
	m->packages.v = grow(
	    m->packages.v, &m->packages.cap, m->packages.n + 1, sizeof *m->packages.v);
	struct package_files *out = &m->packages.v[m->packages.n++];
	*out = (struct package_files){ .package = p };
	return out;
}

/* The first package that a folder publishes is that of its files. */
static void add_published(struct interface_maker *m, const struct package *x)
{
	const char *folder;

	if (strcmp(x->side, "publishes") || !x->name || !x->file)
		return;
	folder = folder_of(x->file, m->a);
	if (find_package(m, x->ecosystem, folder))
		return;
	add_package(m, (struct package_interface){
		.ecosystem = x->ecosystem,
		.name = x->name,
		.version = x->range,
		.folder = folder,
	});
}

static int read_packages(struct interface_maker *m, struct db *db, struct err *e)
{
	struct { struct package *v; size_t n, cap; } rows = { 0 };
	struct package *all;
	struct stmt *s = db_prep(
	    db, "select p.row, f.path from packages p join files f on f.id = p.file", e);
	int rc = -1;

	while (s && (rc = db_step(s, e)) == 1) {
		size_t n;
		const void *p = db_blob(s, 0, &n);
		rows.v = grow(rows.v, &rows.cap, rows.n + 1, sizeof *rows.v);
		rc = codec_get(&rec_package, &rows.v[rows.n], p, n, m->a, e);
		if (rc)
			break;
		rows.v[rows.n++].file = arena_str(m->a, db_str(s, 1));
	}
	if (!rc) {
		size_t n = packages_resolve(rows.v, rows.n, m->a, &all);
		for (size_t i = 0; i < n; i++)
			add_published(m, &all[i]);
	}
	free(rows.v);
	return rc;
}

/* Whether the path is in the folder, or below it. */
static bool is_below(const char *path, const char *folder)
{
	size_t n = strlen(folder);

	return !n || (!strncmp(path, folder, n) && path[n] == '/');
}

/* The package of a file: the innermost of its ecosystem. */
static struct package_files *package_of(
    struct interface_maker *m, const char *ecosystem, const char *path)
{
	struct package_files *best = NULL;

	for (size_t i = 0; i < m->packages.n; i++) {
		struct package_files *p = &m->packages.v[i];
		if (strcmp(p->package.ecosystem, ecosystem) || !is_below(path, p->package.folder))
			continue;
		if (!best || strlen(p->package.folder) > strlen(best->package.folder))
			best = p;
	}
	return best;
}

/*
 * The same; where imports do not need a package's name, files outside of all packages are those of
 * one that is the whole repository.
 */
static struct package_files *package_for(
    struct interface_maker *m, const struct dialect *d, const char *path)
{
	const char *ecosystem = d->ecosystem ? d->ecosystem : d->family;
	struct package_files *p = package_of(m, ecosystem, path);

	if (p || d->scheme == SCHEME_DIRECTORY || d->suffix || d->path_package)
		return p;
	return add_package(m, (struct package_interface){ .ecosystem = ecosystem, .folder = "" });
}

/* ---- files ---- */

static void add_file(struct interface_maker *m, struct package_files *p, struct interface_file x)
{
	x.path = arena_str(m->a, x.path);
	x.language = arena_str(m->a, x.language);
	x.package = arena_str(m->a, x.package);
	p->files.v = grow(p->files.v, &p->files.cap, p->files.n + 1, sizeof *p->files.v);
	p->files.v[p->files.n++] = x;
	p->bytes += x.facts.n + strlen(x.path);
}

/* A manifest that names its folder for imports. */
static void add_manifest(struct interface_maker *m, const struct interface_file *x)
{
	const char *folder = folder_of(x->path, m->a);

	for (size_t i = 0; i < m->packages.n; i++)
		if (!strcmp(m->packages.v[i].package.folder, folder))
			add_file(m, &m->packages.v[i], *x);
}

static bool is_header(const struct dialect *d, const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot && word_list_has(&d->headers, dot + 1, strlen(dot + 1));
}

/* Sets the facts of a file that code of other repositories can see. */
static int show_facts(struct interface_maker *m, struct interface_file *x, bool exported,
    const void *bytes, size_t n, struct arena *a, struct err *e)
{
	struct facts whole, shown;
	struct buf out = { 0 };

	if (facts_decode(bytes, n, a, &whole, e))
		return err_add(e, "%s", x->path);
	interface_facts(&whole, exported, a, &shown);
	facts_encode(&shown, &out);
	x->facts.p = memcpy(arena_get(m->a, out.n, 1), out.p, out.n);
	x->facts.n = out.n;
	buf_free(&out);
	return 0;
}

static int add_code(struct interface_maker *m, const struct dialect *d, struct interface_file x,
    const void *bytes, size_t n, struct arena *a, struct err *e)
{
	bool exported = d->share == SHARE_PROGRAM && d->headers.n && !is_header(d, x.path);
	struct package_files *p = package_for(m, d, x.path);

	if (!p || p->bytes > INTERFACE_MAX_BYTES)
		return 0;
	if (show_facts(m, &x, exported, bytes, n, a, e))
		return -1;
	add_file(m, p, x);
	return 0;
}

static int read_files(struct interface_maker *m, struct db *db, struct err *e)
{
	struct stmt *s = db_prep(db,
	    "select f.path, f.language, f.package, x.facts from files f"
	    " left join facts x on x.file = f.id where not f.test order by f.path",
	    e);
	struct arena *a = arena_new();
	int rc = -1;

	while (s && (rc = db_step(s, e)) == 1) {
		struct interface_file x = { .path = db_str(s, 0), .language = db_str(s, 1) };
		const struct dialect *d = dialect_find(x.language);
		size_t n = 0;
		const void *facts = db_blob(s, 3, &n);
		if (!db_null(s, 2))
			x.package = db_str(s, 2);
		if (d && n && add_code(m, d, x, facts, n, a, e))
			rc = -1;
		if (!d && x.package && n && show_facts(m, &x, false, facts, n, a, e))
			rc = -1;
		if (!d && x.package)
			add_manifest(m, &x);
		arena_reset(a);
		if (rc < 0)
			break;
	}
	arena_free(a);
	return rc;
}

/* ---- bytes ---- */

static void pack(struct interface_maker *m, struct package_files *p)
{
	struct interface x = { .files = { p->files.v, p->files.n } };
	struct buf plain = { 0 }, out = { 0 };

	codec_put(&rec_interface, &x, &plain);
	deflate_put(&out, DEFLATE_SMALL, plain.p, plain.n);
	p->package.bytes = memcpy(arena_get(m->a, out.n, 1), out.p, out.n);
	p->package.n = out.n;
	crypto_sha256(out.p, out.n, p->package.hash);
	buf_free(&plain);
	buf_free(&out);
}

static int by_place(const void *a, const void *b)
{
	const struct package_interface *x = a, *y = b;
	int c = strcmp(x->ecosystem, y->ecosystem);

	if (c)
		return c;
	return strcmp(x->folder, y->folder);
}

static void take_packages(struct interface_maker *m, struct package_interface **out, size_t *n)
{
	*out = arena_many(m->a, m->packages.n + 1, struct package_interface);
	*n = 0;
	for (size_t i = 0; i < m->packages.n; i++) {
		struct package_files *p = &m->packages.v[i];
		p->package.files = p->files.n;
		if (p->bytes > INTERFACE_MAX_BYTES)
			p->package.too_large = "its interface is larger than 16 MB";
		else if (p->files.n)
			pack(m, p);
		if (p->files.n)
			(*out)[(*n)++] = p->package;
	}
	if (*n)
		qsort(*out, *n, sizeof **out, by_place);
}

int package_interfaces_make(
    struct db *db, struct arena *a, struct package_interface **out, size_t *n, struct err *e)
{
	struct interface_maker m = { .a = a };
	int rc = dialects_read(e);

	*n = 0;
	if (!rc)
		rc = read_packages(&m, db, e);
	if (!rc)
		rc = read_files(&m, db, e);
	if (!rc)
		take_packages(&m, out, n);
	for (size_t i = 0; i < m.packages.n; i++)
		free(m.packages.v[i].files.v);
	free(m.packages.v);
	return rc;
}

int interface_unpack(
    const void *bytes, size_t n, struct arena *a, struct interface *out, struct err *e)
{
	size_t size;
	const void *plain = deflate_get(bytes, n, INTERFACE_MAX_WHOLE, a, &size);

	if (!plain)
		return err_set(e, ERR_INVALID_INPUT, "the interface is damaged, or too large");
	return codec_get(&rec_interface, out, plain, size, a, e);
}
