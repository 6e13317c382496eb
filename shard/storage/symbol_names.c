/*
 * Tables `named` and `minors_named`: which files define a name, as sorted pairs of hash and file in
 * 4,096 or 1,024 rows.
 */
#include "shard/storage/symbol_store_internal.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/db/db.h"
#include "proto/text/symbol_match.h"
#include "shard/base/varint.h"

uint32_t symbols_hash_key(const char *key)
{
	uint32_t h = 2166136261u;

	for (; *key; key++)
		h = (h ^ (uint8_t)*key) * 16777619u;
	return h ^ h >> 15;
}

static int by_hash(const void *a, const void *b)
{
	const struct symbol_name_entry *x = a, *y = b;

	if (x->hash != y->hash)
		return (x->hash > y->hash) - (x->hash < y->hash);
	return (x->file > y->file) - (x->file < y->file);
}

static bool same_entry(const struct symbol_name_entry *x, const struct symbol_name_entry *y)
{
	return x->hash == y->hash && x->file == y->file;
}

/* Sort and remove duplicates; returns how many are left. */
static size_t sort(struct symbol_name_entry *v, size_t n)
{
	size_t k = 0;

	if (n)
		qsort(v, n, sizeof *v, by_hash);
	for (size_t i = 0; i < n; i++)
		if (!k || !same_entry(&v[k - 1], &v[i]))
			v[k++] = v[i];
	return k;
}

void symbols_collect_names(int64_t file, const struct stored_symbols *s, struct symbol_names *out)
{
	struct arena *a = arena_new();

	out->v = grow(out->v, &out->cap, s->n + 1, sizeof *out->v);
	for (size_t i = 0; i < s->n; i++)
		out->v[out->n++] = (struct symbol_name_entry){
			symbols_hash_key(symbol_key(s->v[i].name, a)), file
		};
	out->n = sort(out->v, out->n);
	arena_free(a);
}

static uint32_t bucket_of(const struct symbol_statements *sql, const struct symbol_name_entry *x)
{
	return x->hash >> sql->rest_bits;
}

/* How many of the first entries are in the same row; the entries are sorted. */
static size_t bucket_run(
    const struct symbol_statements *sql, const struct symbol_name_entry *v, size_t n)
{
	size_t run = 1;

	while (run < n && bucket_of(sql, &v[run]) == bucket_of(sql, v))
		run++;
	return run;
}

/* Write the sorted entries of one row; a row without entries is deleted. */
static int put_bucket(struct db *db, const struct symbol_statements *sql, uint32_t bucket,
    const struct symbol_name_entry *v, size_t n, struct err *e)
{
	struct symbol_name_entry before = { .hash = bucket << sql->rest_bits };
	struct buf b = { 0 };

	if (!n)
		return db_run(db, e, sql->remove_names, "i", (int64_t)bucket);
	for (size_t i = 0; i < n; i++) {
		if (v[i].hash != before.hash)
			before.file = 0;
		varint_put(&b, v[i].hash - before.hash);
		varint_put(&b, (uint64_t)(v[i].file - before.file));
		before = v[i];
	}
	int rc = db_run(db, e, sql->put_names, "ib", (int64_t)bucket, b.p, b.n);
	buf_free(&b);
	return rc;
}

/* Read the entries of a row, the hashes of which begin with `first`. */
static int take_bucket(
    const uint8_t *p, const uint8_t *end, uint32_t first, struct symbol_names *out, struct err *e)
{
	struct symbol_name_entry x = { .hash = first };
	uint64_t hash, file;

	while (p < end) {
		if (!varint_take(&p, end, &hash) || !varint_take(&p, end, &file))
			return err_set(e, ERR_DB_ERROR, "the index is damaged: names %08x", first);
		if (hash)
			x.file = 0;
		x.hash += (uint32_t)hash;
		x.file = (int64_t)(file + (uint64_t)x.file);
		out->v = grow(out->v, &out->cap, out->n + 1, sizeof *out->v);
		out->v[out->n++] = x;
	}
	return 0;
}

static int read_bucket(struct db *db, const struct symbol_statements *sql, uint32_t bucket,
    struct symbol_names *out, struct err *e)
{
	struct stmt *s = db_prep(db, sql->read_names, e);

	out->n = 0;
	if (!s || db_bind(s, "i", (int64_t)bucket))
		return -1;
	for (;;) {
		int rc = db_step(s, e);
		if (rc != 1)
			return rc;
		size_t n;
		const uint8_t *p = db_blob(s, 0, &n);
		if (take_bucket(p, p + n, bucket << sql->rest_bits, out, e))
			return -1;
	}
}

/* Add entries to the row that they all belong to (`in`), or remove them. */
static int change_bucket(struct db *db, const struct symbol_statements *sql,
    const struct symbol_name_entry *v, size_t n, bool in, struct err *e)
{
	uint32_t bucket = bucket_of(sql, v);
	struct symbol_names now = { 0 };
	int rc = read_bucket(db, sql, bucket, &now, e);
	size_t k = 0;

	now.v = grow(now.v, &now.cap, now.n + n, sizeof *now.v);
	if (in) {
		memcpy(now.v + now.n, v, n * sizeof *v);
		k = sort(now.v, now.n + n);
	} else {
		for (size_t i = 0; i < now.n; i++)
			if (!bsearch(&now.v[i], v, n, sizeof *v, by_hash))
				now.v[k++] = now.v[i];
	}
	if (!rc)
		rc = put_bucket(db, sql, bucket, now.v, k, e);
	free(now.v);
	return rc;
}

int symbols_update_names(struct db *db, enum symbol_rank rank, const struct symbol_names *v,
    const struct symbol_names *except, bool in, struct err *e)
{
	const struct symbol_statements *sql = symbols_statements(rank);
	struct symbol_name_entry *some = xmalloc((v->n + 1) * sizeof *some);
	size_t n = 0, run = 0;
	int rc = 0;

	for (size_t i = 0; i < v->n; i++)
		if (!except->n || !bsearch(&v->v[i], except->v, except->n, sizeof *except->v, by_hash))
			some[n++] = v->v[i];
	for (size_t i = 0; !rc && i < n; i += run) {
		run = bucket_run(sql, some + i, n - i);
		rc = change_bucket(db, sql, some + i, run, in, e);
	}
	free(some);
	return rc;
}

int symbols_write_names(struct db *db, enum symbol_rank rank, struct buf *keys, struct err *e)
{
	const struct symbol_statements *sql = symbols_statements(rank);
	struct symbol_name_entry *v = (struct symbol_name_entry *)(void *)keys->p;
	size_t n = sort(v, keys->n / sizeof *v), run = 0;
	int rc = 0;

	for (size_t i = 0; !rc && i < n; i += run) {
		run = bucket_run(sql, v + i, n - i);
		rc = put_bucket(db, sql, bucket_of(sql, &v[i]), v + i, run, e);
	}
	buf_free(keys);
	return rc;
}

/* Read the entries with a hash. */
static int read_entries(struct db *db, enum symbol_rank rank, uint32_t hash,
    struct symbol_names *all, struct err *e)
{
	const struct symbol_statements *sql = symbols_statements(rank);
	const struct symbol_name_entry asked = { .hash = hash };
	size_t k = 0;

	if (read_bucket(db, sql, bucket_of(sql, &asked), all, e))
		return -1;
	for (size_t i = 0; i < all->n; i++)
		if (all->v[i].hash == hash)
			all->v[k++] = all->v[i];
	all->n = k;
	return 0;
}

static int count_entries(
    struct db *db, enum symbol_rank rank, uint32_t hash, uint64_t *out, struct err *e)
{
	struct symbol_names all = { 0 };
	int rc = read_entries(db, rank, hash, &all, e);

	if (!rc)
		*out += all.n;
	free(all.v);
	return rc;
}

int symbols_count_files(struct db *db, const char *key, uint64_t *out, struct err *e)
{
	uint32_t hash = symbols_hash_key(key);

	*out = 0;
	if (count_entries(db, SYMBOLS_MAJOR, hash, out, e))
		return -1;
	return count_entries(db, SYMBOLS_MINOR, hash, out, e);
}

int symbols_find_files(struct db *db, enum symbol_rank rank, const char *key, struct arena *a,
    int64_t **files, size_t *n, struct err *e)
{
	struct symbol_names all = { 0 };
	int rc = read_entries(db, rank, symbols_hash_key(key), &all, e);

	*files = arena_many(a, all.n + 1, int64_t);
	*n = 0;
	for (size_t i = 0; !rc && i < all.n; i++)
		(*files)[(*n)++] = all.v[i].file;
	free(all.v);
	return rc;
}
