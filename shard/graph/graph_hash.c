#include "shard/graph/graph_hash.h"

#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/sorting.h"
#include "proto/db/db.h"
#include "shard/facts/facts.h"
#include "shard/storage/edge_store.h"
#include "shard/storage/symbol_store.h"

/* Hash a string with its NUL, so that no two sequences of strings have the same bytes. */
static void put_str(struct crypto_hash *h, const char *s)
{
	if (!s)
		s = "";
	crypto_hash_put(h, s, strlen(s) + 1);
}

static unsigned char nibble(char hex)
{
	if (hex <= '9')
		return (unsigned char)(hex - '0');
	return (unsigned char)(hex - 'a' + 10);
}

static void end(struct crypto_hash *h, unsigned char out[GRAPH_HASH])
{
	char hex[SHA256_HEX];

	crypto_hash_end(h, hex);
	for (int i = 0; i < GRAPH_HASH; i++)
		out[i] = (unsigned char)(nibble(hex[2 * i]) << 4 | nibble(hex[2 * i + 1]));
}

/* Write a number and the byte after it; returns where to continue. */
static char *put_decimal(char *at, int64_t v, char after)
{
	char digits[20];
	size_t n = 0;
	uint64_t rest = (uint64_t)v;

	if (v < 0) {
		*at++ = '-';
		rest = -rest;
	}
	do {
		digits[n++] = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest);
	while (n)
		*at++ = digits[--n];
	*at++ = after;
	return at;
}

static void put_definition(struct crypto_hash *h, const struct definition *d)
{
	const int64_t number[] = { d->start_line, d->end_line, d->parent, d->exported, d->test };
	char numbers[80], *at = numbers;

	put_str(h, d->qualified);
	put_str(h, d->name);
	put_str(h, d->kind);
	put_str(h, d->signature);
	put_str(h, d->doc);
	put_str(h, d->type);
	for (size_t i = 0; i < LEN(number); i++)
		at = put_decimal(at, number[i], ' ');
	at[-1] = '\0';
	put_str(h, numbers);
}

void graph_hash_nodes(const struct facts *f, unsigned char out[GRAPH_HASH])
{
	struct crypto_hash *h = crypto_hash_new();

	put_str(h, f->package);
	for (size_t i = 0; i < f->definitions.n; i++)
		put_definition(h, &f->definitions.v[i]);
	end(h, out);
}

/* ---- edges ---- */

/* FNV-1a, 64 bits: of a string and its NUL, of the eight bytes of a number, the highest first. */
static const uint64_t fnv_start = 14695981039346656037u;

static uint64_t fnv_byte(uint64_t h, uint8_t byte)
{
	return (h ^ byte) * 1099511628211u;
}

static uint64_t fnv(uint64_t h, const char *s)
{
	do
		h = fnv_byte(h, (uint8_t)*s);
	while (*s++);
	return h;
}

static uint64_t fnv_number(uint64_t h, uint64_t v)
{
	for (int shift = 56; shift >= 0; shift -= 8)
		h = fnv_byte(h, (uint8_t)(v >> shift));
	return h;
}

uint64_t graph_hash_node(const char *path, const char *qualified, const char *kind, int64_t ordinal)
{
	uint64_t h = fnv(fnv_start, path);

	if (qualified)
		return fnv_number(fnv(fnv(h, qualified), kind), (uint64_t)ordinal);
	return h;
}

struct graph_hasher {
	struct db *db;
	const struct graph_node_hashes *names;
	struct arena *a;		/* of the current file */
	struct buf edges;		/* uint64_t, of the current file */
};

static uint64_t precomputed_end_hash(
    const struct graph_node_hashes *names, int64_t file, int64_t id)
{
	if (id)
		return names->definitions[names->first[file] + (size_t)symbol_number(id) - 1];
	return names->files[file];
}

static int file_hash(struct db *db, int64_t file, uint64_t *out, struct err *e)
{
	struct stmt *s = db_prep(db, "select path from files where id = ?", e);

	if (!s || db_bind(s, "i", file))
		return -1;
	for (;;) {
		int rc = db_step(s, e);
		if (rc != 1)
			return rc;
		*out = graph_hash_node(db_str(s, 0), NULL, NULL, 0);
	}
}

static int definition_hash(struct db *db, int64_t id, uint64_t *out, struct err *e)
{
	struct stmt *s = db_prep(db,
	    "select f.path, s.qualified, s.kind, s.ordinal from symbols s join files f on f.id = s.file"
	    " where s.id = ?",
	    e);

	if (!s || db_bind(s, "i", id))
		return -1;
	for (;;) {
		int rc = db_step(s, e);
		if (rc != 1)
			return rc;
		*out = graph_hash_node(db_str(s, 0), db_str(s, 1), db_str(s, 2), db_int(s, 3));
	}
}

/* The hash of the definition `id`, or of the file if that is 0. */
static int end_hash(struct graph_hasher *w, int64_t file, int64_t id, uint64_t *out, struct err *e)
{
	if (w->names) {
		*out = precomputed_end_hash(w->names, file, id);
		return 0;
	}
	*out = 0;
	if (id)
		return definition_hash(w->db, id, out, e);
	return file_hash(w->db, file, out, e);
}

static void put_edge(
    struct buf *edges, const struct stored_edge *x, uint64_t source, uint64_t target)
{
	uint64_t edge = fnv_number(fnv_number(fnv_number(fnv_start, x->kind), source), target);

	edge = fnv(fnv_number(fnv_number(edge, (uint64_t)x->confidence), x->line), x->reason);
	buf_put(edges, &edge, sizeof edge);
}

static int add_edge(
    struct graph_hasher *w, int64_t file, const struct stored_edge *x, struct err *e)
{
	uint64_t source, target;

	if (end_hash(w, file, x->source, &source, e) ||
	    end_hash(w, x->target_file, x->target, &target, e))
		return -1;
	put_edge(&w->edges, x, source, target);
	return 0;
}

/* Hash the edges in sorted order, and empty `edges`. */
static void hash_edges(struct buf *edges, struct crypto_hash *h)
{
	uint64_t *v = (void *)edges->p;
	size_t n = edges->n / sizeof *v;

	sort_hashes(v, n, 64);
	for (size_t i = 0; i < n; i++)
		v[i] = htobe64(v[i]);
	if (n)
		crypto_hash_put(h, v, n * sizeof *v);
	edges->n = 0;
}

void graph_hash_edges(const struct graph_node_hashes *names, int64_t file,
    const struct stored_edge *v, size_t n, unsigned char out[GRAPH_HASH])
{
	struct crypto_hash *h = crypto_hash_new();
	struct buf edges = { 0 };

	crypto_hash_put(h, names->nodes + file * GRAPH_HASH, GRAPH_HASH);
	for (size_t i = 0; i < n; i++)
		put_edge(&edges, &v[i], precomputed_end_hash(names, file, v[i].source),
		    precomputed_end_hash(names, v[i].target_file, v[i].target));
	hash_edges(&edges, h);
	end(h, out);
	buf_free(&edges);
}

/* The contract facts that were found in the file. */
static int put_contracts(struct graph_hasher *w, int64_t file, struct crypto_hash *h, struct err *e)
{
	struct stmt *s = db_prep(w->db, "select fact from contracts where owner = ? order by fact", e);

	if (!s || db_bind(s, "i", file))
		return -1;
	for (;;) {
		int rc = db_step(s, e);
		if (rc != 1)
			return rc;
		size_t n;
		const void *fact = db_blob(s, 0, &n);
		crypto_hash_put(h, fact, n);
	}
}

int graph_hash_put(struct db *db, int64_t file, const unsigned char hash[GRAPH_HASH], struct err *e)
{
	return db_run(
	    db, e, "update files set hash = ? where id = ?", "bi", hash, (size_t)GRAPH_HASH, file);
}

static int put_hash(struct graph_hasher *w, int64_t file, struct err *e)
{
	struct stmt *s = db_prep(w->db, "select nodes from files where id = ?", e);
	unsigned char out[GRAPH_HASH];

	if (!s || db_bind(s, "i", file) || db_step(s, e) != 1)
		return e->code ? -1 : 0;
	struct crypto_hash *h = crypto_hash_new();
	size_t bytes;
	const void *nodes = db_blob(s, 0, &bytes);
	crypto_hash_put(h, nodes, bytes);
	db_step(s, e);
	hash_edges(&w->edges, h);
	int rc = put_contracts(w, file, h, e);
	end(h, out);
	if (rc)
		return rc;
	return graph_hash_put(w->db, file, out, e);
}

static int hash_file(struct graph_hasher *w, int64_t file, struct err *e)
{
	struct stored_edges edges;
	int rc = edges_read(w->db, file, w->a, &edges, e);

	for (size_t i = 0; !rc && i < edges.n; i++)
		rc = add_edge(w, file, &edges.v[i], e);
	arena_reset(w->a);
	if (rc)
		return -1;
	return put_hash(w, file, e);
}

/* Hash the files whose ids a query returns. */
static int hash_each(struct graph_hasher *w, const char *sql, struct err *e)
{
	struct stmt *s = db_prep(w->db, sql, e);

	if (!s)
		return -1;
	for (;;) {
		int rc = db_step(s, e);
		if (rc != 1)
			return rc;
		rc = hash_file(w, db_int(s, 0), e);
		if (rc)
			return rc;
	}
}

int graph_hash_contracts(struct db *db, const struct graph_node_hashes *names, struct err *e)
{
	struct graph_hasher w = { .db = db, .names = names, .a = arena_new() };
	int rc = hash_each(&w, "select distinct owner from contracts order by owner", e);

	buf_free(&w.edges);
	arena_free(w.a);
	return rc;
}

int graph_hash_files(struct db *db, const int64_t *files, size_t nfiles,
    const struct graph_node_hashes *names, struct err *e)
{
	struct graph_hasher w = { .db = db, .names = names, .a = arena_new() };
	int rc = 0;

	if (!files)
		rc = hash_each(&w, "select id from files order by id", e);
	for (size_t i = 0; !rc && i < nfiles; i++)
		rc = hash_file(&w, files[i], e);
	buf_free(&w.edges);
	arena_free(w.a);
	return rc;
}

static int put_files(struct db *db, struct crypto_hash *h, struct err *e)
{
	struct stmt *s = db_prep(db, "select path, hash from files order by path", e);

	if (!s)
		return -1;
	for (;;) {
		int rc = db_step(s, e);
		if (rc != 1)
			return rc;
		size_t n;
		const void *hash = db_blob(s, 1, &n);
		put_str(h, db_str(s, 0));
		crypto_hash_put(h, hash, n);
	}
}

int graph_hash(struct db *db, char out[SHA256_HEX], struct err *e)
{
	struct crypto_hash *h = crypto_hash_new();
	int rc = put_files(db, h, e);

	crypto_hash_end(h, out);
	return rc;
}
