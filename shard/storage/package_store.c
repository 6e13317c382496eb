#include "shard/storage/package_store.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/deflate.h"
#include "proto/base/err.h"
#include "proto/db/db.h"
#include "proto/record/codec.h"
#include "proto/record/record.h"
#include "shard/base/text_lines.h"

/* The limit for the packages of one lock file, decompressed. */
enum { LOCK_BYTES_MAX = 64 << 20 };

/* ---- writing ---- */

static struct package with_valid_utf8(struct package p, struct arena *a)
{
	const char **texts[] = { &p.name, &p.range, &p.source, &p.path, &p.key, &p.scope };

	for (size_t i = 0; i < LEN(texts); i++)
		if (*texts[i])
			*texts[i] = text_utf8(*texts[i], strlen(*texts[i]), a);
	return p;
}

static int put_row(struct db *db, int64_t file, const struct buf *bytes, struct err *e)
{
	return db_run(db, e, "insert into packages values (?, ?)", "ib", file, bytes->p, bytes->n);
}

int packages_put(struct db *db, int64_t file, const struct package *v, size_t n, struct arena *a,
    struct err *e)
{
	struct buf bytes = { 0 };
	int rc = 0;

	for (size_t i = 0; !rc && i < n; i++) {
		struct package p = with_valid_utf8(v[i], a);
		bytes.n = 0;
		codec_put(&rec_package, &p, &bytes);
		rc = put_row(db, file, &bytes, e);
	}
	buf_free(&bytes);
	return rc;
}

int packages_put_locked(struct db *db, int64_t file, const struct package *v, size_t n,
    struct arena *a, struct err *e)
{
	struct package_list all = { { arena_many(a, n + 1, struct package), n } };
	struct buf plain = { 0 }, packed = { 0 };

	if (!n)
		return 0;
	for (size_t i = 0; i < n; i++) {
		all.packages.v[i] = with_valid_utf8(v[i], a);
		all.packages.v[i].line = 0; /* nobody asks for it, and it is a third of the space */
	}
	codec_put(&rec_package_list, &all, &plain);
	deflate_put(&packed, DEFLATE_SMALL, plain.p, plain.n);
	int rc = put_row(db, file, &packed, e);
	buf_free(&plain);
	buf_free(&packed);
	return rc;
}

/* ---- reading ---- */

struct package_rows {
	struct package *v;
	size_t n, cap;
};

typedef int row_reader(
    struct package_rows *, const void *p, size_t n, struct arena *, struct err *);

static int damaged(struct err *e, const char *what)
{
	return err_set(e, ERR_DB_ERROR, "%s cannot be decoded", what);
}

static int read_package(
    struct package_rows *rows, const void *p, size_t n, struct arena *a, struct err *e)
{
	rows->v = grow(rows->v, &rows->cap, rows->n + 1, sizeof *rows->v);
	if (codec_get(&rec_package, &rows->v[rows->n], p, n, a, e))
		return damaged(e, "a package");
	rows->n++;
	return 0;
}

static int read_lock(
    struct package_rows *rows, const void *p, size_t n, struct arena *a, struct err *e)
{
	struct package_list all;
	size_t size;
	const void *plain = deflate_get(p, n, LOCK_BYTES_MAX, a, &size);

	if (!plain || codec_get(&rec_package_list, &all, plain, size, a, e))
		return damaged(e, "the packages of a lock file");
	if (!all.packages.n)
		return 0;
	rows->v = grow(rows->v, &rows->cap, rows->n + all.packages.n, sizeof *rows->v);
	memcpy(rows->v + rows->n, all.packages.v, all.packages.n * sizeof *rows->v);
	rows->n += all.packages.n;
	return 0;
}

/* Reads the rows of a statement: a blob and the path of its file. */
static int read_rows(struct package_rows *rows, struct db *db, const char *sql, row_reader *read,
    struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db, sql, e);
	int rc;

	if (!s)
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		size_t n, first = rows->n;
		const void *p = db_blob(s, 0, &n);
		const char *file = arena_str(a, db_str(s, 1));
		if (read(rows, p, n, a, e))
			return -1;
		for (size_t i = first; i < rows->n; i++)
			rows->v[i].file = file;
	}
	return rc;
}

static int read_tables(
    bool locked, struct package **out, size_t *n, struct arena *a, struct err *e, struct db *db)
{
	struct package_rows rows = { 0 };
	int rc = read_rows(&rows, db,
	    "select p.row, f.path from packages p join files f on f.id = p.file", read_package, a, e);

	if (!rc && locked)
		rc = read_rows(&rows, db,
		    "select p.row, f.path from packages p join left_out f on f.id = p.file", read_lock, a,
		    e);
	*n = rows.n;
	*out = arena_many(a, rows.n + 1, struct package);
	if (rows.n)
		memcpy(*out, rows.v, rows.n * sizeof **out);
	free(rows.v);
	return rc;
}

int packages_read(struct db *db, struct package **out, size_t *n, struct arena *a, struct err *e)
{
	return read_tables(false, out, n, a, e, db);
}

int packages_read_locked(
    struct db *db, struct package **out, size_t *n, struct arena *a, struct err *e)
{
	return read_tables(true, out, n, a, e, db);
}
