#include "shard/interfaces/package_interfaces.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/deflate.h"
#include "proto/base/err.h"
#include "proto/base/map.h"
#include "proto/db/db.h"
#include "proto/net/crypto.h"
#include "proto/record/codec.h"
#include "shard/facts/facts.h"
#include "shard/facts/facts_codec.h"
#include "shard/interfaces/imported_modules.h"
#include "shard/manifests/packages.h"
#include "shard/program/module_rules.h"
#include "shard/storage/package_store.h"

enum { MAX_HEADERS = 2000, MAX_MODULES = 2000, MAX_PATH_BYTES = 4096 };

/* A package while its files are found. */
struct package_files {
	struct interface_ref ref;
	struct {
		struct interface_file *v;
		size_t n, cap;
	} files;
	struct {
		const char **v;
		size_t n, cap;
	} headers;
	struct map *modules; /* packages and namespaces that its files define something in */
	struct crypto_hash *hash;
	size_t bytes;
	bool has_manifest; /* a file that names its folder is among the files */
};

struct interface_maker {
	struct arena *a;
	struct {
		struct package_files **v;
		size_t n, cap;
	} packages;
	struct map *places;		/* ecosystem, blank, folder -> package */
	bool keeps_files; /* of all packages */
};

/* ---- packages ---- */

static const char *folder_of(const char *path, struct arena *a)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return "";
	return arena_strn(a, path, (size_t)(slash - path));
}

static void **place_of(struct interface_maker *m, const char *ecosystem, const char *folder)
{
	return map_at(m->places, arena_printf(m->a, "%s %s", ecosystem, folder));
}

static struct package_files *add_package(struct interface_maker *m, struct interface_ref ref)
{
	void **at = place_of(m, ref.ecosystem, ref.folder);
	struct package_files *p;

	if (*at)	/* the first package that a folder publishes is that of its files */
		return *at;
	p = arena_one(m->a, struct package_files);
	p->ref = ref;
	p->hash = crypto_hash_new();
	p->modules = map_new();
	*at = p;
	m->packages.v = grow(m->packages.v, &m->packages.cap, m->packages.n + 1, sizeof *m->packages.v);
	m->packages.v[m->packages.n++] = p;
	return p;
}

static void add_published(struct interface_maker *m, const struct package *x)
{
	if (strcmp(x->side, "publishes") || !x->name || !x->file)
		return;
	add_package(m,
	    (struct interface_ref){
	        .ecosystem = x->ecosystem,
	        .name = x->name,
	        .version = x->range,
	        .folder = folder_of(x->file, m->a),
	    });
}

static int read_packages(struct interface_maker *m, struct db *db, struct err *e)
{
	struct package *rows, *all;
	size_t n;

	if (packages_read(db, &rows, &n, m->a, e))
		return -1;
	n = packages_resolve(rows, n, m->a, &all);
	for (size_t i = 0; i < n; i++)
		add_published(m, &all[i]);
	return 0;
}

/* The package of a file: the innermost of its ecosystem; NULL if there is none. */
static struct package_files *package_of(
    struct interface_maker *m, const char *ecosystem, const char *path)
{
	char *folder = arena_str(m->a, path);

	while (*folder) {
		char *slash = strrchr(folder, '/');
		*(slash ? slash : folder) = 0;
		struct package_files *p = *place_of(m, ecosystem, folder);
		if (p)
			return p;
	}
	return NULL;
}

/*
 * The same; where imports do not need a package's name, files outside of all packages are those of
 * one that is the whole repository.
 */
static struct package_files *package_for(
    struct interface_maker *m, const struct dialect *d, const char *path)
{
	const char *ecosystem = dialect_ecosystem(d);
	struct package_files *p = package_of(m, ecosystem, path);

	if (p || d->scheme == SCHEME_DIRECTORY || d->suffix || d->path_package)
		return p;
	return add_package(m, (struct interface_ref){ .ecosystem = ecosystem, .folder = "" });
}

/* ---- files ---- */

static void hash_text(struct crypto_hash *h, const char *text)
{
	if (text)
		crypto_hash_put(h, text, strlen(text));
	crypto_hash_put(h, "", 1);
}

/* What the hash of an interface covers of a file; `facts` is the hash of its facts. */
static void hash_file(struct crypto_hash *h, const struct interface_file *x, const char *facts)
{
	hash_text(h, x->path);
	hash_text(h, x->language);
	hash_text(h, x->package);
	hash_text(h, x->signatures);
	hash_text(h, facts);
}

static void add_file(struct interface_maker *m, struct package_files *p,
    const struct interface_file *x, const char *facts_hash)
{
	struct interface_file *copy;

	p->ref.files++;
	hash_file(p->hash, x, facts_hash);
	if (!m->keeps_files)
		return;
	p->files.v = grow(p->files.v, &p->files.cap, p->files.n + 1, sizeof *p->files.v);
	copy = &p->files.v[p->files.n++];
	*copy = (struct interface_file){
		.path = arena_str(m->a, x->path),
		.language = arena_str(m->a, x->language),
		.package = arena_str(m->a, x->package),
		.signatures = arena_str(m->a, x->signatures),
		.facts = x->facts,
	};
}

static void add_header(
    struct interface_maker *m, struct package_files *p, const struct dialect *d, const char *path)
{
	const char *dot = strrchr(path, '.');

	if (!dot || !word_list_has(&d->headers, dot + 1, strlen(dot + 1)))
		return;
	if (p->headers.n == MAX_HEADERS)
		return;
	p->headers.v = grow(p->headers.v, &p->headers.cap, p->headers.n + 1, sizeof *p->headers.v);
	p->headers.v[p->headers.n++] = arena_str(m->a, path);
}

/* `lines`: of list_modules. */
static void add_modules(struct package_files *p, const char *lines, struct arena *a)
{
	while (*lines && map_len(p->modules) < MAX_MODULES) {
		size_t n = strcspn(lines, "\n");
		const char *line = arena_strn(a, lines, n);
		*map_at(p->modules, strchr(line, ' ') + 1) = p;
		lines += n + 1;
	}
}

/* A manifest names its folder for imports. */
static void add_manifest(
    struct interface_maker *m, const struct interface_file *x, const char *facts_hash)
{
	const char *folder = folder_of(x->path, m->a);

	for (size_t i = 0; i < m->packages.n; i++)
		if (!strcmp(m->packages.v[i]->ref.folder, folder)) {
			add_file(m, m->packages.v[i], x, facts_hash);
			m->packages.v[i]->has_manifest = true;
		}
}

/*
 * Manifests that are no source files name no folder: a file of this name does it, so that everybody
 * knows where the modules of a package in a folder begin.
 */
static void add_root(struct interface_maker *m, struct package_files *p)
{
	if (!p->ref.files || p->has_manifest || !p->ref.name || !*p->ref.folder)
		return;
	const struct interface_file root = { .path = arena_printf(m->a, "%s/(package)", p->ref.folder),
		.language = "",
		.package = p->ref.name };
	add_file(m, p, &root, NULL);
}

/* A row of the cache. */
struct shown_row {
	struct interface_file file;
	const char *facts_hash, *modules;
	size_t bytes;
};

static void add_shown(struct interface_maker *m, const struct shown_row *row)
{
	const struct interface_file *x = &row->file;
	const struct dialect *d = dialect_find(x->language);
	struct package_files *p;

	if (!d) {
		add_manifest(m, x, row->facts_hash);
		return;
	}
	p = package_for(m, d, x->path);
	if (!p)
		return;
	p->bytes += row->bytes;
	add_header(m, p, d, x->path);
	add_modules(p, row->modules, m->a);
	add_file(m, p, x, row->facts_hash);
}

static int read_shown(struct interface_maker *m, struct db *cache, struct err *e)
{
	struct stmt *s = db_prep(cache,
	    "select path, language, package, hash, length(facts), signatures, modules from shown"
	    " order by path",
	    e);
	int rc = -1;

	while (s && (rc = db_step(s, e)) == 1) {
		struct shown_row row = {
			.file = { .path = db_str(s, 0), .language = db_str(s, 1), .signatures = db_str(s, 5) },
			.facts_hash = db_str(s, 3),
			.bytes = (size_t)db_int(s, 4),
			.modules = db_str(s, 6),
		};
		if (!db_null(s, 2))
			row.file.package = db_str(s, 2);
		add_shown(m, &row);
	}
	return rc;
}

/* ---- all packages ---- */

static int by_place(const void *a, const void *b)
{
	const struct package_files *x = *(struct package_files *const *)a;
	const struct package_files *y = *(struct package_files *const *)b;
	int c = strcmp(x->ref.ecosystem, y->ref.ecosystem);

	if (c)
		return c;
	return strcmp(x->ref.folder, y->ref.folder);
}

static void finish_package(struct interface_maker *m, struct package_files *p)
{
	char *hash = arena_get(m->a, SHA256_HEX, 1);

	add_root(m, p);
	crypto_hash_end(p->hash, hash);
	p->ref.hash = hash;
	p->ref.headers.v = arena_many(m->a, p->headers.n + 1, const char *);
	p->ref.headers.n = p->headers.n;
	if (p->headers.n)
		memcpy(p->ref.headers.v, p->headers.v, p->headers.n * sizeof *p->headers.v);
	p->ref.modules = sorted_keys(p->modules, m->a);
	if (p->bytes > INTERFACE_MAX_BYTES)
		p->ref.problem = "its interface is larger than 16 MB";
}

static int read_all(struct interface_maker *m, struct db *index, struct db *cache, struct err *e)
{
	m->places = map_new();
	int rc = dialects_read(e);
	if (!rc)
		rc = read_packages(m, index, e);
	if (!rc)
		rc = read_shown(m, cache, e);
	if (m->packages.n)
		qsort(m->packages.v, m->packages.n, sizeof *m->packages.v, by_place);
	for (size_t i = 0; i < m->packages.n; i++)
		finish_package(m, m->packages.v[i]);
	return rc;
}

static void release(struct interface_maker *m)
{
	for (size_t i = 0; i < m->packages.n; i++) {
		free(m->packages.v[i]->files.v);
		free(m->packages.v[i]->headers.v);
		map_free(m->packages.v[i]->modules);
	}
	free(m->packages.v);
	map_free(m->places);
}

int package_interfaces_list(struct db *index, struct db *cache, struct arena *a,
    struct interface_ref **out, size_t *n, struct err *e)
{
	struct interface_maker m = { .a = a };
	int rc = read_all(&m, index, cache, e);

	*out = arena_many(a, m.packages.n + 1, struct interface_ref);
	*n = 0;
	for (size_t i = 0; i < m.packages.n; i++)
		if (m.packages.v[i]->ref.files)
			(*out)[(*n)++] = m.packages.v[i]->ref;
	release(&m);
	return rc;
}

static struct package_contents contents_of(const struct package_files *p, struct arena *a)
{
	struct interface_file *files = arena_many(a, p->files.n + 1, struct interface_file);

	if (p->files.n)
		memcpy(files, p->files.v, p->files.n * sizeof *files);
	return (struct package_contents){ p->ref, files, p->files.n };
}

int package_interfaces_contents(struct db *index, struct db *cache, struct arena *a,
    struct package_contents **out, size_t *n, struct err *e)
{
	struct interface_maker m = { .a = a, .keeps_files = true };
	int rc = read_all(&m, index, cache, e);

	*out = arena_many(a, m.packages.n + 1, struct package_contents);
	*n = 0;
	for (size_t i = 0; i < m.packages.n; i++)
		if (m.packages.v[i]->ref.files)
			(*out)[(*n)++] = contents_of(m.packages.v[i], a);
	release(&m);
	return rc;
}

/* ---- bytes ---- */

static int read_facts(
    struct interface_maker *m, struct db *cache, struct interface_file *x, struct err *e)
{
	struct stmt *s = db_prep(cache, "select facts from shown where path = ?", e);
	int rc;

	if (!s || db_bind(s, "S", x->path))
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		size_t n;
		const void *bytes = db_blob(s, 0, &n);
		x->facts.p = deflate_get(bytes, n, INTERFACE_MAX_FACTS, m->a, &x->facts.n);
		if (!x->facts.p)
			return err_set(e, ERR_DB_ERROR, "the facts of %.80s are damaged", x->path);
	}
	return rc;
}

static void hash_interface(const struct interface *x, char out[SHA256_HEX])
{
	struct crypto_hash *h = crypto_hash_new();

	for (size_t i = 0; i < x->files.n; i++) {
		const struct interface_file *f = &x->files.v[i];
		char facts[SHA256_HEX];
		crypto_sha256(f->facts.p, f->facts.n, facts);
		hash_file(h, f, f->facts.n ? facts : NULL);
	}
	crypto_hash_end(h, out);
}

void interface_pack(
    const struct interface *x, struct arena *a, struct bytes *out, char hash[SHA256_HEX])
{
	struct buf plain = { 0 }, packed = { 0 };

	hash_interface(x, hash);
	codec_put(&rec_interface, x, &plain);
	deflate_put(&packed, DEFLATE_SMALL, plain.p, plain.n);
	out->p = memcpy(arena_get(a, packed.n, 1), packed.p, packed.n);
	out->n = packed.n;
	buf_free(&plain);
	buf_free(&packed);
}

static int pack(struct interface_maker *m, struct db *cache, struct package_files *p,
    struct bytes *out, struct err *e)
{
	struct interface x = { .files = { p->files.v, p->files.n } };
	char hash[SHA256_HEX];

	for (size_t i = 0; i < p->files.n; i++)
		if (read_facts(m, cache, &p->files.v[i], e))
			return -1;
	interface_pack(&x, m->a, out, hash);
	return 0;
}

int package_interface_pack(struct db *index, struct db *cache, const char *hash, struct arena *a,
    struct bytes *out, struct err *e)
{
	struct interface_maker m = { .a = a, .keeps_files = true };
	int rc = read_all(&m, index, cache, e);

	*out = (struct bytes){ 0 };
	for (size_t i = 0; !rc && !out->n && i < m.packages.n; i++)
		if (!strcmp(m.packages.v[i]->ref.hash, hash) && !m.packages.v[i]->ref.problem)
			rc = pack(&m, cache, m.packages.v[i], out, e);
	release(&m);
	return rc;
}

int interface_unpack(
    struct bytes packed, const char *hash, struct arena *a, struct interface *out, struct err *e)
{
	size_t size;
	char found[SHA256_HEX];
	const void *plain = deflate_get(packed.p, packed.n, INTERFACE_MAX_WHOLE, a, &size);

	*out = (struct interface){ 0 };
	if (!plain)
		return err_set(e, ERR_INVALID_INPUT, "the interface is damaged, or too large");
	if (codec_get(&rec_interface, out, plain, size, a, e))
		return -1;
	hash_interface(out, found);
	if (!strcmp(found, hash))
		return 0;
	*out = (struct interface){ 0 };
	return err_set(e, ERR_INVALID_INPUT, "the interface is not the one of hash %.16s", hash);
}

/* ---- what may come from anybody ---- */

/* Whether it is the path of a file below a repository's root, in printable characters. */
static bool is_sane_path(const char *path)
{
	if (!*path || *path == '/' || strlen(path) > MAX_PATH_BYTES)
		return false;
	for (const char *c = path; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 127)
			return false;
	for (const char *part = path; part; part = strchr(part, '/')) {
		part += *part == '/';
		size_t n = strcspn(part, "/");
		if (!n || (n == 1 && *part == '.') || (n == 2 && !memcmp(part, "..", 2)))
			return false;
	}
	return true;
}

static int check_file(
    const struct interface_file *x, size_t *memory, struct arena *a, struct err *e)
{
	struct facts f;

	if (!is_sane_path(x->path))
		return err_set(
		    e, ERR_INVALID_INPUT, "the interface has a file with the path \"%.80s\"", x->path);
	if (x->facts.n > INTERFACE_MAX_FACTS)
		return err_set(e, ERR_INVALID_INPUT, "the facts of %.80s are too large", x->path);
	if (x->facts.n && facts_decode_plain(x->facts.p, x->facts.n, a, &f, e))
		return err_set(e, ERR_INVALID_INPUT, "the facts of %.80s are damaged", x->path);
	*memory += arena_used(a);
	if (*memory > INTERFACE_MAX_MEMORY)
		return err_set(e, ERR_INVALID_INPUT, "the interface takes more than %d MB of memory",
		    INTERFACE_MAX_MEMORY >> 20);
	return 0;
}

int interface_check(const struct interface *x, struct err *e)
{
	struct arena *a = arena_new();
	size_t memory = 0;
	int rc = 0;

	for (size_t i = 0; i < x->files.n && !rc; i++) {
		rc = check_file(&x->files.v[i], &memory, a, e);
		arena_reset(a);
	}
	arena_free(a);
	return rc;
}
