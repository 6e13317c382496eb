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

/* How the edges of a file are kept: the first byte of the blob. */
enum { BLOB_PLAIN, BLOB_DEFLATED };
/* bytes that are not worth packing; that cannot be edges of one file */
enum { FEW = 200, MOST = 1 << 30 };

static int compare(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int compare_edges(const void *a, const void *b)
{
	const struct stored_edge *x = a, *y = b;
	int c = compare(x->source, y->source);

	if (!c)
		c = compare(x->kind, y->kind);
	if (!c)
		c = compare(x->target_file, y->target_file);
	if (!c)
		c = compare(x->target, y->target);
	if (!c)
		c = compare(x->line, y->line);
	if (!c)
		c = compare(y->confidence, x->confidence);
	if (c)
		return c;
	return strcmp(x->reason, y->reason);
}

/* ---- writing ---- */

struct edge_types {
	const struct stored_edge **v;	/* an edge of each */
	size_t n, cap;
};

static size_t edge_type_index(struct edge_types *s, const struct stored_edge *x)
{
	for (size_t i = s->n; i--;)
		if (s->v[i]->kind == x->kind && s->v[i]->confidence == x->confidence &&
		    !strcmp(s->v[i]->reason, x->reason))
			return i;
	s->v = grow(s->v, &s->cap, s->n + 1, sizeof *s->v);
	s->v[s->n] = x;
	return s->n++;
}

static void put_edges(
    struct buf *b, struct edge_types *sorts, int64_t file, const struct stored_edge *v, size_t n)
{
	struct stored_edge before = { .target_file = file };

	for (size_t i = 0; i < n; i++) {
		const struct stored_edge *x = &v[i];
		varint_put(b, (uint64_t)(symbol_number(x->source) - symbol_number(before.source)));
		varint_put(b, edge_type_index(sorts, x));
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

/* The files that edges lead to, each once, in order; the caller frees them. */
static int64_t *targets_of(const struct stored_edge *v, size_t n, size_t *ntargets)
{
	int64_t *files = xmalloc((n + 1) * sizeof *files);
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		if (!k || files[k - 1] != v[i].target_file)	/* many lead where the one before does */
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

/* As they come when a whole index is resolved. */
static bool sorted(const struct stored_edge *v, size_t n)
{
	size_t i = 1;

	while (i < n && compare_edges(&v[i - 1], &v[i]) <= 0)
		i++;
	return i >= n;
}

/* Packed where that takes an eighth off. */
static void put_blob(struct buf *out, const struct buf *plain)
{
	buf_byte(out, BLOB_DEFLATED);
	if (plain->n >= FEW)
		deflate_put(out, DEFLATE_FAST, plain->p, plain->n);
	if (out->n > 1 && out->n < plain->n - plain->n / 8)
		return;
	out->n = 0;
	buf_byte(out, BLOB_PLAIN);
	buf_put(out, plain->p, plain->n);
}

void edges_pack(int64_t file, struct stored_edge *v, size_t n, struct packed_edges *out)
{
	struct edge_types sorts = { 0 };
	struct buf body = { 0 }, plain = { 0 };

	*out = (struct packed_edges){ 0 };
	if (!n)
		return;
	if (!sorted(v, n))
		qsort(v, n, sizeof *v, compare_edges);
	put_edges(&body, &sorts, file, v, n);
	put_edge_types(&plain, &sorts);
	buf_put(&plain, body.p, body.n);
	put_blob(&out->data, &plain);
	out->targets = targets_of(v, n, &out->ntargets);
	free(sorts.v);
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

static bool take_edge_types(
    const uint8_t **p, const uint8_t *end, struct stored_edge **out, uint64_t *n, struct arena *a)
{
	if (!varint_take(p, end, n) || *n > (uint64_t)(end - *p))
		return false;
	*out = arena_many(a, *n + 1, struct stored_edge);
	for (uint64_t i = 0; i < *n; i++) {
		uint64_t kind, confidence, length;
		if (!varint_take(p, end, &kind) || !varint_take(p, end, &confidence) ||
		    !varint_take(p, end, &length) || length > (uint64_t)(end - *p) || confidence > 100)
			return false;
		(*out)[i] = (struct stored_edge){ .kind = (unsigned)kind, .confidence = (int)confidence,
			.reason = arena_strn(a, (const char *)*p, length) };
		*p += length;
	}
	return true;
}

/* Damaged bytes may overflow. */
static int64_t add_wrapping(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

static bool take_edge(const uint8_t **p, const uint8_t *end, const struct stored_edge *sorts,
    uint64_t nsorts, struct stored_edge *x)
{
	uint64_t source, sort;
	int64_t target_file, target, line;

	if (!varint_take(p, end, &source) || !varint_take(p, end, &sort) || sort >= nsorts ||
	    !varint_take_difference(p, end, &target_file) || !varint_take_difference(p, end, &target) ||
	    !varint_take_difference(p, end, &line))
		return false;
	x->source = add_wrapping(x->source, (int64_t)source);
	x->target_file = add_wrapping(x->target_file, target_file);
	x->target = add_wrapping(x->target, target);
	x->line += (uint32_t)line;
	x->kind = sorts[sort].kind;
	x->confidence = sorts[sort].confidence;
	x->reason = sorts[sort].reason;
	return true;
}

static bool take_edges(
    const uint8_t *p, size_t size, int64_t file, struct arena *a, struct stored_edges *out)
{
	const uint8_t *end = p + size;
	struct stored_edge *sorts, x = { .target_file = file };
	uint64_t nsorts;

	if (!take_edge_types(&p, end, &sorts, &nsorts, a))
		return false;
	/* an edge has five numbers */
	out->v = arena_many(a, (size_t)(end - p) / 5 + 1, struct stored_edge);
	while (p < end) {
		if (!take_edge(&p, end, sorts, nsorts, &x))
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
	if (n && *p == BLOB_PLAIN)
		return take_edges(p + 1, n - 1, file, a, out);
	const void *plain = NULL;
	if (n && *p == BLOB_DEFLATED)
		plain = deflate_get(p + 1, n - 1, MOST, a, &n);
	return plain && take_edges(plain, n, file, a, out);
}

int edges_read(
    struct db *db, int64_t file, struct arena *a, struct stored_edges *out, struct err *e)
{
	struct stmt *s = db_prep(db, "select data from edges where file = ?", e);
	int rc = -1;

	if (s)
		rc = db_bind(s, "i", file);
	*out = (struct stored_edges){ 0 };
	while (!rc && (rc = db_step(s, e)) == 1) {
		size_t n;
		const void *p = db_blob(s, 0, &n);
		if (take_blob(p, n, file, a, out))
			rc = 0;
		else
			rc = err_set(
			    e, ERR_DB_ERROR, "the index is damaged: edges of file %lld", (long long)file);
	}
	return rc;
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

int edges_incoming_files(
    struct db *db, int64_t file, struct arena *a, int64_t **files, size_t *n, struct err *e)
{
	struct stmt *s = db_prep(
	    db, "select file from incoming where target_file = ? order by file", e);
	int rc = -1;
	struct buf ids = { 0 };

	if (s)
		rc = db_bind(s, "i", file);
	while (!rc && (rc = db_step(s, e)) == 1) {
		int64_t id = db_int(s, 0);
		buf_put(&ids, &id, sizeof id);
		rc = 0;
	}
	*n = ids.n / sizeof **files;
	*files = arena_many(a, *n + 1, int64_t);
	if (ids.n)
		memcpy(*files, ids.p, ids.n);
	buf_free(&ids);
	return rc;
}
