#ifndef TESTS_GRAPH_INDEX_H
#define TESTS_GRAPH_INDEX_H
/* An index with only the tables of the graph, and its edges as readable lines. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/db/db.h"
#include "proto/process/embedded.h"
#include "proto/record/codec.h"
#include "proto/record/record.h"
#include "shard/base/kinds.h"
#include "shard/facts/facts.h"
#include "shard/facts/facts_codec.h"
#include "shard/graph/edge_resolution.h"
#include "shard/parse/parser.h"
#include "shard/program/program.h"
#include "shard/storage/edge_store.h"
#include "shard/storage/symbol_store.h"

static inline struct db *graph_open(const char *path, struct err *e)
{
	unlink(path);
	struct db *db = db_open(path, DB_CREATE, e);
	if (db && (db_exec(db, "pragma synchronous=off; pragma journal_mode=off; begin", e) ||
	    db_exec(db, embedded_contents("shard/index/schema.sql"), e) || db_exec(db, "commit", e) || symbols_register_table(db, e))) {
		db_close(db);
		return NULL;
	}
	return db;
}

/* The facts of a text, which point into it. */
static inline void graph_facts(struct parser *p, const char *path, const char *text, size_t n, struct arena *a, struct facts *f,
    const struct lang **lang)
{
	*f = (struct facts){ 0 };
	if ((*lang = lang_detect(path, text, n)))
		parse(p, *lang, text, n, 0, a, f);
}

/* Assign ids to the definitions of a new file. */
static inline int64_t *graph_ids(const struct facts *f, int64_t file, struct arena *a)
{
	int64_t *ids = arena_many(a, f->definitions.n + 1, int64_t);

	for (size_t i = 0; i < f->definitions.n; i++)
		ids[i] = symbol_id(file, (int64_t)i + 1);
	return ids;
}

/* Add a file: its row, its definitions and its facts. */
static inline int graph_put(struct db *db, int64_t id, const char *path, const char *language, const char *blob, bool test,
    const struct facts *f, const int64_t *ids, struct arena *a, struct err *e)
{
	struct stored_symbols s = { arena_many(a, f->definitions.n + 1, struct stored_symbol), f->definitions.n };
	struct buf bytes = { 0 };

	facts_encode(f, &bytes);
	int rc = db_run(db, e, "insert into files(id, path, blob, language, size, lines, test, generated, package, hash) "
	    "values (?, ?, ?, ?, 0, 0, ?, 0, ?, '')", "iSSSiS", id, path, blob, language, (int64_t)test, f->package);
	rc = rc ? rc : db_run(db, e, "insert into facts values (?, ?)", "ib", id, bytes.p, bytes.n);
	for (size_t i = 0; i < s.n; i++) {
		const struct definition *d = &f->definitions.v[i];
		s.v[i] = (struct stored_symbol){ .id = ids[i],
			.name = d->name,
			.qualified = d->qualified,
			.kind = d->kind,
			.signature = d->signature,
			.start_line = d->start_line,
			.end_line = d->end_line,
			.up = d->parent,
			.exported = d->exported,
			.test = d->test || test,
			.start_byte = d->start_byte,
			.end_byte = d->end_byte };
	}
	rc = rc ? rc : symbols_put(db, id, SYMBOLS_MAJOR, &s, NULL, e);
	buf_free(&bytes);
	return rc;
}

/* Resolve all files that were passed to graph_put, with the same facts. */
static inline int graph_resolve(struct db *db, int threads, struct err *e)
{
	struct stmt *s = db_prep(db, "select f.id, f.path, f.language, f.package, f.test, x.facts from files f join facts x on x.file = f.id", e);
	struct program *w = s ? program_new(e) : NULL;
	int rc = w ? 0 : -1;

	while (!rc && (rc = db_step(s, e)) == 1) {
		struct arena *a = arena_new();
		struct facts f = { 0 };
		size_t n;
		const void *bytes = db_blob(s, 5, &n);
		rc = facts_decode(bytes, n, a, &f, e);
		if (!rc)
			program_add_file(w,
			    &(struct source_file_info){ db_int(s, 0), db_str(s, 1), db_str(s, 2),
			        db_null(s, 3) ? NULL : db_str(s, 3), db_int(s, 4), 0 },
			    &f);
		arena_free(a);
	}
	if (!rc)
		program_finish(w);
	rc = rc ? rc : resolve_all(db, w, threads, NULL, NULL, e);
	program_free(w);
	return rc;
}

/* A printed edge and its sort key. */
struct graph_line {
	char *source, *target;
	int64_t start;
	struct stored_edge edge;
};

static inline char *graph_end(struct db *db, int64_t file, int64_t symbol, int64_t *start, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db, "select f.path || coalesce('#' || s.qualified, ''), s.start_byte from files f"
	    " left join symbols s on s.id = ?2 where f.id = ?1", e);
	char *out = arena_str(a, "?");

	if (s && !db_bind(s, "ii", file, symbol))
		while (db_step(s, e) == 1) {
			out = arena_str(a, db_str(s, 0));
			*start = db_int(s, 1);
		}
	return out;
}

static inline int graph_by_text(const void *a, const void *b)
{
	const struct graph_line *x = a, *y = b;
	int c = strcmp(x->source, y->source);

	c = c ? c : (x->edge.line > y->edge.line) - (x->edge.line < y->edge.line);
	c = c ? c : (int)x->edge.kind - (int)y->edge.kind;
	c = c ? c : strcmp(x->target, y->target);
	return c ? c : (x->start > y->start) - (x->start < y->start);
}

static inline void graph_file_lines(struct db *db, int64_t file, struct buf *lines, struct arena *a, struct err *e)
{
	struct stored_edges edges;

	if (edges_read(db, file, a, &edges, e))
		return;
	for (size_t i = 0; i < edges.n; i++) {
		const struct stored_edge *x = &edges.v[i];
		struct graph_line l = { .edge = *x };
		l.source = graph_end(db, file, x->source, &l.start, a, e);
		l.target = graph_end(db, x->target_file, x->target, &l.start, a, e);
		buf_put(lines, &l, sizeof l);
	}
}

/* Prints the contracts that the resolver found: side METHOD path file:line symbol. */
static inline void graph_print_contracts(struct db *db, FILE *out, struct err *e)
{
	struct stmt *s = db_prep(db, "select fact from contracts c join files f on f.id = c.file where c.joined <> 4 order by f.path, c.id", e);
	struct arena *a = arena_new();

	while (s && db_step(s, e) == 1) {
		struct fact f;
		size_t n;
		const void *p = db_blob(s, 0, &n);
		if (!codec_get(&rec_fact, &f, p, n, a, e))
			fprintf(out, "%s %s %s %s:%llu %s\n", f.side, f.method, f.path, f.file, (unsigned long long)f.line, f.symbol ? f.symbol : "-");
	}
	arena_free(a);
}

/* KIND source -> target confidence reason :line, sorted; `#` and a qualified name follow the path of a definition. */
static inline int graph_print(struct db *db, FILE *out, struct err *e)
{
	struct arena *a = arena_new();
	struct buf lines = { 0 };

	db_exec(db, "begin", e);	/* one lock for all statements */
	struct stmt *s = db_prep(db, "select id from files order by path", e);
	while (s && db_step(s, e) == 1)
		graph_file_lines(db, db_int(s, 0), &lines, a, e);
	struct graph_line *v = (struct graph_line *)(void *)lines.p;
	size_t n = lines.n / sizeof *v;
	if (n)
		qsort(v, n, sizeof *v, graph_by_text);
	for (size_t i = 0; i < n; i++)
		fprintf(out, "%s %s -> %s %d %s :%u\n", edge_name((enum edge_kind)v[i].edge.kind), v[i].source, v[i].target,
		    v[i].edge.confidence, v[i].edge.reason, v[i].edge.line);
	buf_free(&lines);
	arena_free(a);
	graph_print_contracts(db, out, e);
	db_exec(db, "commit", e);
	return e->code ? -1 : 0;
}
#endif
