#include "shard/storage/edge_store.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/deflate.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/sorting.h"
#include "proto/db/db.h"
#include "shard/base/varint.h"
#include "shard/storage/symbol_store.h"

/* The first byte of a row's blob: how the rest is stored. */
enum { BLOB_PLAIN, BLOB_DEFLATED };

enum {
	MIN_DEFLATED_BYTES = 200,	/* fewer are not worth compressing */
	MAX_BLOB_BYTES = 1 << 30	/* more cannot be the edges of one file */
};

static int compare_edges(const void *a, const void *b)
{
	const struct stored_edge *x = a, *y = b;
	int c = compare_signed(x->source, y->source);

	if (!c)
		c = compare_signed(x->kind, y->kind);
	if (!c)
		c = compare_signed(x->target_file, y->target_file);
	if (!c)
		c = compare_signed(x->target, y->target);
	if (!c)
		c = compare_signed(x->line, y->line);
	if (!c)
		c = compare_signed(y->confidence, x->confidence);
	if (c)
		return c;
	return strcmp(x->reason, y->reason);
}

/* ---- writing ---- */

struct edge_types {
	const struct stored_edge **v;	/* an example edge of each type */
	size_t n, cap;
};

static bool same_type(const struct stored_edge *x, const struct stored_edge *y)
{
	return x->kind == y->kind && x->confidence == y->confidence && !strcmp(x->reason, y->reason);
}

/* The index of the edge's type, which is added if it is new. */
static size_t edge_type_index(struct edge_types *s, const struct stored_edge *x)
{
	for (size_t i = s->n; i--;)
		if (same_type(s->v[i], x))
			return i;
	s->v = grow(s->v, &s->cap, s->n + 1, sizeof *s->v);
	s->v[s->n] = x;
	return s->n++;
}

static void put_edges(
    struct buf *b, struct edge_types *types, int64_t file, const struct stored_edge *v, size_t n)
{
	struct stored_edge before = { .target_file = file };

	for (size_t i = 0; i < n; i++) {
		const struct stored_edge *x = &v[i];
		varint_put(b, (uint64_t)(symbol_number(x->source) - symbol_number(before.source)));
		varint_put(b, edge_type_index(types, x));
		varint_put_difference(b, x->target_file - before.target_file);
		varint_put_difference(b, symbol_number(x->target) - symbol_number(before.target));
		varint_put_difference(b, (int64_t)x->line - before.line);
		before = *x;
	}
}

static void put_edge_types(struct buf *b, const struct edge_types *s)
{
	varint_put(b, s->n);
	for (size_t i = 0; i < s->n; i++) {
		varint_put(b, s->v[i]->kind);
		varint_put(b, (uint64_t)s->v[i]->confidence);
		varint_put(b, strlen(s->v[i]->reason));
		buf_str(b, s->v[i]->reason);
	}
}

/* The files that edges lead to, sorted, without duplicates; the caller frees them. */
static int64_t *targets_of(const struct stored_edge *v, size_t n, size_t *ntargets)
{
	int64_t *files = xmalloc((n + 1) * sizeof *files);
	size_t k = 0;

	/* Many edges lead to the same file as the previous one: skipping those makes sorting cheap. */
	for (size_t i = 0; i < n; i++)
		if (!k || files[k - 1] != v[i].target_file)
			files[k++] = v[i].target_file;
	qsort(files, k, sizeof *files, compare_int64);
	n = k;
	k = 0;
	for (size_t i = 0; i < n; i++)
		if (!k || files[i] != files[k - 1])
			files[k++] = files[i];
	*ntargets = k;
	return files;
}

/* True of the edges of a full build: sorting them again would cost time for nothing. */
static bool is_sorted(const struct stored_edge *v, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (compare_edges(&v[i - 1], &v[i]) > 0)
			return false;
	return true;
}

/* Compress the blob if that saves at least an eighth. */
static void put_blob(struct buf *out, const struct buf *plain)
{
	buf_byte(out, BLOB_DEFLATED);
	if (plain->n >= MIN_DEFLATED_BYTES)
		deflate_put(out, DEFLATE_FAST, plain->p, plain->n);
	if (out->n > 1 && out->n < plain->n - plain->n / 8)
		return;
	out->n = 0;
	buf_byte(out, BLOB_PLAIN);
	buf_put(out, plain->p, plain->n);
}

void edges_pack(int64_t file, struct stored_edge *v, size_t n, struct packed_edges *out)
{
	struct edge_types types = { 0 };
	struct buf body = { 0 }, plain = { 0 };

	*out = (struct packed_edges){ 0 };
	if (!n)
		return;
	if (!is_sorted(v, n))
		qsort(v, n, sizeof *v, compare_edges);
	put_edges(&body, &types, file, v, n);
	put_edge_types(&plain, &types);
	buf_put(&plain, body.p, body.n);
	put_blob(&out->data, &plain);
	out->targets = targets_of(v, n, &out->ntargets);
	free(types.v);
	buf_free(&body);
	buf_free(&plain);
}

void packed_edges_free(struct packed_edges *p)
{
	buf_free(&p->data);
	free(p->targets);
	p->targets = NULL;
}

int edges_put_packed(struct db *db, int64_t file, const struct packed_edges *p, struct err *e)
{
	if (p->data.n)
		return db_run(db, e, "insert into edges values (?, ?)", "ib", file, p->data.p, p->data.n);
	return 0;
}

int edges_put_incoming(struct db *db, int64_t target, int64_t file, struct err *e)
{
	return db_run(db, e, "insert into incoming values (?, ?)", "ii", target, file);
}

int edges_put(struct db *db, int64_t file, struct stored_edge *v, size_t n, struct err *e)
{
	struct packed_edges p;
	int rc = edges_delete(db, file, e);

	edges_pack(file, v, n, &p);
	if (!rc)
		rc = edges_put_packed(db, file, &p, e);
	for (size_t i = 0; !rc && i < p.ntargets; i++)
		rc = edges_put_incoming(db, p.targets[i], file, e);
	packed_edges_free(&p);
	return rc;
}

/* ---- reading ---- */

static bool take_edge_type(
    const uint8_t **p, const uint8_t *end, struct stored_edge *out, struct arena *a)
{
	uint64_t kind, confidence, length;

	if (!varint_take(p, end, &kind) || !varint_take(p, end, &confidence))
		return false;
	if (!varint_take(p, end, &length) || length > (uint64_t)(end - *p) || confidence > 100)
		return false;
	*out = (struct stored_edge){ .kind = (unsigned)kind, .confidence = (int)confidence };
	out->reason = arena_strn(a, (const char *)*p, length);
	*p += length;
	return true;
}

static bool take_edge_types(
    const uint8_t **p, const uint8_t *end, struct stored_edge **out, uint64_t *n, struct arena *a)
{
	if (!varint_take(p, end, n) || *n > (uint64_t)(end - *p))
		return false;
	*out = arena_many(a, *n + 1, struct stored_edge);
	for (uint64_t i = 0; i < *n; i++)
		if (!take_edge_type(p, end, &(*out)[i], a))
			return false;
	return true;
}

/* Addition without undefined behaviour, because damaged bytes may overflow. */
static int64_t add_wrapping(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

/* Read the next edge into `x`, which holds the previous one. */
static bool take_edge(const uint8_t **p, const uint8_t *end, const struct stored_edge *types,
    uint64_t ntypes, struct stored_edge *x)
{
	uint64_t source, type;
	int64_t target_file, target, line;

	if (!varint_take(p, end, &source) || !varint_take(p, end, &type) || type >= ntypes)
		return false;
	if (!varint_take_difference(p, end, &target_file) || !varint_take_difference(p, end, &target))
		return false;
	if (!varint_take_difference(p, end, &line))
		return false;
	x->source = add_wrapping(x->source, (int64_t)source);
	x->target_file = add_wrapping(x->target_file, target_file);
	x->target = add_wrapping(x->target, target);
	x->line += (uint32_t)line;
	x->kind = types[type].kind;
	x->confidence = types[type].confidence;
	x->reason = types[type].reason;
	return true;
}

static bool take_edges(
    const uint8_t *p, size_t size, int64_t file, struct arena *a, struct stored_edges *out)
{
	const uint8_t *end = p + size;
	struct stored_edge *types, x = { .target_file = file };
	uint64_t ntypes;

	if (!take_edge_types(&p, end, &types, &ntypes, a))
		return false;
	/* An edge has five numbers of at least a byte each. */
	out->v = arena_many(a, (size_t)(end - p) / 5 + 1, struct stored_edge);
	while (p < end) {
		if (!take_edge(&p, end, types, ntypes, &x))
			return false;
		out->v[out->n] = x;
		out->v[out->n].source = symbol_id(file, symbol_number(x.source));
		out->v[out->n++].target = symbol_id(x.target_file, symbol_number(x.target));
	}
	return true;
}

static bool take_blob(
    const uint8_t *p, size_t n, int64_t file, struct arena *a, struct stored_edges *out)
{
	if (!n)
		return false;
	if (*p == BLOB_PLAIN)
		return take_edges(p + 1, n - 1, file, a, out);
	if (*p != BLOB_DEFLATED)
		return false;
	const void *plain = deflate_get(p + 1, n - 1, MAX_BLOB_BYTES, a, &n);
	return plain && take_edges(plain, n, file, a, out);
}

int edges_read(
    struct db *db, int64_t file, struct arena *a, struct stored_edges *out, struct err *e)
{
	struct stmt *s = db_prep(db, "select data from edges where file = ?", e);

	*out = (struct stored_edges){ 0 };
	if (!s || db_bind(s, "i", file))
		return -1;
	for (;;) {
		int rc = db_step(s, e);
		if (rc != 1)
			return rc;
		size_t n;
		const void *p = db_blob(s, 0, &n);
		if (!take_blob(p, n, file, a, out))
			return err_set(
			    e, ERR_DB_ERROR, "the index is damaged: edges of file %lld", (long long)file);
	}
}

int edges_delete(struct db *db, int64_t file, struct err *e)
{
	struct arena *a = arena_new();
	struct stored_edges old;
	int rc = edges_read(db, file, a, &old, e);
	size_t n = 0;
	int64_t *targets = NULL;

	if (!rc)
		targets = targets_of(old.v, old.n, &n);
	for (size_t i = 0; !rc && i < n; i++)
		rc = db_run(db, e, "delete from incoming where target_file = ? and file = ?", "ii",
		    targets[i], file);
	if (!rc && old.n)
		rc = db_run(db, e, "delete from edges where file = ?", "i", file);
	free(targets);
	arena_free(a);
	return rc;
}

static int read_incoming(struct db *db, int64_t file, struct buf *ids, struct err *e)
{
	struct stmt *s = db_prep(
	    db, "select file from incoming where target_file = ? order by file", e);

	if (!s || db_bind(s, "i", file))
		return -1;
	for (;;) {
		int rc = db_step(s, e);
		if (rc != 1)
			return rc;
		int64_t id = db_int(s, 0);
		buf_put(ids, &id, sizeof id);
	}
}

int edges_incoming_files(
    struct db *db, int64_t file, struct arena *a, int64_t **files, size_t *n, struct err *e)
{
	struct buf ids = { 0 };
	int rc = read_incoming(db, file, &ids, e);

	*n = ids.n / sizeof **files;
	*files = arena_many(a, *n + 1, int64_t);
	if (ids.n)
		memcpy(*files, ids.p, ids.n);
	buf_free(&ids);
	return rc;
}
