#include "shard/storage/file_dependencies.h"

#include <stdbool.h>
#include <stdlib.h>

#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/sorting.h"
#include "proto/db/db.h"
#include "shard/base/varint.h"

/* of a key: a false user now and then costs less than more bytes of each */
enum { KEY_BITS = 24, KEY_MASK = (1 << KEY_BITS) - 1 };

static void sort(int32_t *keys, size_t n)
{
	uint64_t *v = xmalloc((n + 1) * sizeof *v);

	for (size_t i = 0; i < n; i++)
		v[i] = (uint64_t)(keys[i] & KEY_MASK);
	sort_hashes(v, n, KEY_BITS);
	for (size_t i = 0; i < n; i++)
		keys[i] = (int32_t)v[i];
	free(v);
}

void dependencies_pack(int32_t *keys, size_t n, struct buf *out)
{
	int64_t before = 0;

	sort(keys, n);
	for (size_t i = 0; i < n; i++) {
		uint64_t v = (uint64_t)(keys[i] - before);
		if (i && !v)
			continue;
		varint_put(out, v);
		before = keys[i];
	}
}

static const struct { const char *put, *get, *all;
} tables[] = {
	[DEPENDENCY_EDGES] = { "insert or replace into uses values (?, ?)",
	    "select keys from uses where file = ?", "select file, keys from uses order by file" },
	[DEPENDENCY_CONTRACTS] = { "insert or replace into asked values (?, ?)",
	    "select keys from asked where file = ?", "select file, keys from asked order by file" },
};

int dependencies_put_packed(
    struct db *db, enum dependency_kind what, int64_t file, const struct buf *b, struct err *e)
{
	return db_run(db, e, tables[what].put, "ib", file, b->p, b->n);
}

int dependencies_put(
    struct db *db, enum dependency_kind what, int64_t file, int32_t *keys, size_t n, struct err *e)
{
	struct buf b = { 0 };

	dependencies_pack(keys, n, &b);
	int rc = dependencies_put_packed(db, what, file, &b, e);
	buf_free(&b);
	return rc;
}

/* The next key; false at the end. */
static bool next(const uint8_t **p, const uint8_t *end, int64_t *key)
{
	uint64_t v;

	if (!varint_take(p, end, &v))
		return false;
	*key += (int64_t)(v & KEY_MASK);
	return true;
}

int dependencies_add(struct db *db, enum dependency_kind what, int64_t file, const int32_t *keys,
    size_t n, struct err *e)
{
	struct stmt *s = n ? db_prep(db, tables[what].get, e) : NULL;
	int rc = s ? db_bind(s, "i", file) : n ? -1 : 0;
	int32_t *all = NULL;
	size_t nall = 0, cap = 0;

	while (s && !rc && (rc = db_step(s, e)) == 1) {
		size_t bytes;
		const uint8_t *p = db_blob(s, 0, &bytes), *end = p + bytes;
		for (int64_t key = 0; next(&p, end, &key);) {
			all = grow(all, &cap, nall + 1, sizeof *all);
			all[nall++] = (int32_t)key;
		}
		rc = 0;
	}
	for (size_t i = 0; i < n; i++) {
		all = grow(all, &cap, nall + 1, sizeof *all);
		all[nall++] = keys[i];
	}
	if (!rc && n)
		rc = dependencies_put(db, what, file, all, nall, e);
	free(all);
	return rc;
}

static bool has_one(const uint8_t *p, size_t bytes, const int32_t *keys, size_t n)
{
	const uint8_t *end = p + bytes;
	size_t i = 0;

	for (int64_t key = 0; next(&p, end, &key);) {
		while (i < n && keys[i] < key)
			i++;
		if (i == n || keys[i] == key)
			return i < n;
	}
	return false;
}

int dependencies_find_files(struct db *db, enum dependency_kind what, int32_t *keys, size_t n,
    void (*each)(void *, int64_t), void *arg, struct err *e)
{
	struct stmt *s = n ? db_prep(db, tables[what].all, e) : NULL;
	int rc = s || !n ? 0 : -1;

	sort(keys, n);
	while (s && !rc && (rc = db_step(s, e)) == 1) {
		size_t bytes;
		const uint8_t *p = db_blob(s, 1, &bytes);
		if (has_one(p, bytes, keys, n))
			each(arg, db_int(s, 0));
		rc = 0;
	}
	return rc;
}
