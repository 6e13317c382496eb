#include "shard/storage/file_dependencies.h"

#include <stdbool.h>
#include <stdlib.h>

#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/sorting.h"
#include "proto/db/db.h"
#include "shard/base/varint.h"

/*
 * Only these bits of a key are stored: a rare false user costs less than larger rows. Of 75,211
 * files (Linux), 0.7 are false users of a key of 24 bits, and each is resolved in vain; of 27 bits
 * 0.08, for 0.5 % of the index.
 */
enum { KEY_BITS = 27, KEY_MASK = (1 << KEY_BITS) - 1 };

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

static const struct {
	const char *put, *get, *all;
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

/* Advance `key` to the next key; false at the end. */
static bool next(const uint8_t **p, const uint8_t *end, int64_t *key)
{
	uint64_t v;

	if (!varint_take(p, end, &v))
		return false;
	*key += (int64_t)(v & KEY_MASK);
	return true;
}

struct key_list {
	int32_t *v;
	size_t n, cap;
};

static void add_key(struct key_list *l, int32_t key)
{
	l->v = grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
	l->v[l->n++] = key;
}

static int read_keys(
    struct db *db, enum dependency_kind what, int64_t file, struct key_list *out, struct err *e)
{
	struct stmt *s = db_prep(db, tables[what].get, e);

	if (!s || db_bind(s, "i", file))
		return -1;
	for (;;) {
		int rc = db_step(s, e);
		if (rc != 1)
			return rc;
		size_t bytes;
		const uint8_t *p = db_blob(s, 0, &bytes), *end = p + bytes;
		int64_t key = 0;
		while (next(&p, end, &key))
			add_key(out, (int32_t)key);
	}
}

int dependencies_add(struct db *db, enum dependency_kind what, int64_t file, const int32_t *keys,
    size_t n, struct err *e)
{
	struct key_list all = { 0 };

	if (!n)
		return 0;
	int rc = read_keys(db, what, file, &all, e);
	for (size_t i = 0; i < n; i++)
		add_key(&all, keys[i]);
	if (!rc)
		rc = dependencies_put(db, what, file, all.v, all.n, e);
	free(all.v);
	return rc;
}

/* Whether a packed row and the sorted keys have a key in common. */
static bool has_one(const uint8_t *p, size_t bytes, const int32_t *keys, size_t n)
{
	const uint8_t *end = p + bytes;
	int64_t key = 0;
	size_t i = 0;

	while (next(&p, end, &key)) {
		while (i < n && keys[i] < key)
			i++;
		if (i == n)
			return false;
		if (keys[i] == key)
			return true;
	}
	return false;
}

int dependencies_find_files(struct db *db, enum dependency_kind what, int32_t *keys, size_t n,
    void (*each)(void *, int64_t), void *arg, struct err *e)
{
	if (!n)
		return 0;
	struct stmt *s = db_prep(db, tables[what].all, e);
	if (!s)
		return -1;
	sort(keys, n);
	for (;;) {
		int rc = db_step(s, e);
		if (rc != 1)
			return rc;
		size_t bytes;
		const uint8_t *p = db_blob(s, 1, &bytes);
		if (has_one(p, bytes, keys, n))
			each(arg, db_int(s, 0));
	}
}
