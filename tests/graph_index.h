#ifndef TESTS_GRAPH_INDEX_H
#define TESTS_GRAPH_INDEX_H
/* An index of nothing but what the graph needs, file by file, and its edges as lines that a person reads. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/db.h"
#include "proto/base/embedded.h"
#include "proto/base/err.h"
#include "shard/facts.h"
#include "shard/facts_codec.h"
#include "shard/kinds.h"
#include "shard/parse.h"
#include "shard/resolve.h"
#include "shard/symbol.h"

static inline struct db *graph_open(const char *path, struct err *e)
{
	unlink(path);
	struct db *db = db_open(path, DB_CREATE, e);
	if (db && (db_exec(db, "pragma synchronous=off; pragma journal_mode=off", e) || db_exec(db, embedded_get("shard/schema.sql"), e) ||
	    db_exec(db, "create index symbols_key on symbols (key); create index symbols_file on symbols (file)", e))) {
		db_close(db);
		return NULL;
	}
	return db;
}

/* The facts of a text; they point into it. */
static inline void graph_facts(struct parser *p, const char *path, const char *text, size_t n, struct arena *a, struct facts *f,
    const struct lang **lang)
{
	*f = (struct facts){ 0 };
	if ((*lang = lang_of(path, text, n)))
		parse(p, *lang, text, n, 0, a, f);
}

/* Ids in order, from *next on. */
static inline int64_t *graph_ids(const struct facts *f, int64_t *next, struct arena *a)
{
	int64_t *ids = arena_many(a, f->definitions.n + 1, int64_t);

	for (size_t i = 0; i < f->definitions.n; i++)
		ids[i] = (*next)++;
	return ids;
}

/* Add a file as rows of `files`, `symbols` and `facts`. */
static inline int graph_put(struct db *db, int64_t id, const char *path, const char *language, const char *blob, bool test,
    const struct facts *f, const int64_t *ids, struct arena *a, struct err *e)
{
	struct buf bytes = { 0 };

	facts_encode(f, &bytes);
	int rc = db_run(db, e, "insert into files(id, path, blob, language, size, lines, test, generated, package, hash) "
	    "values (?, ?, ?, ?, 0, 0, ?, 0, ?, '')", "iSSSiS", id, path, blob, language, (int64_t)test, f->package);
	rc = rc ? rc : db_run(db, e, "insert into facts values (?, ?)", "ib", id, bytes.p, bytes.n);
	for (size_t i = 0; !rc && i < f->definitions.n; i++) {
		const struct definition *d = &f->definitions.v[i];
		rc = db_run(db, e, "insert into symbols(id, file, name, key, qualified, kind, start_line, end_line, parent, "
		    "exported, test, start_byte, end_byte) values (?, ?, ?, ?, ?, ?, ?, ?, nullif(?, 0), ?, ?, ?, ?)",
		    "iiSSSSiiiiiii", ids[i], id, d->name, symbol_key(d->name, a), d->qualified, d->kind,
		    (int64_t)d->start_line, (int64_t)d->end_line, d->parent < 0 ? 0 : ids[d->parent], (int64_t)d->exported,
		    (int64_t)(d->test || test), (int64_t)d->start_byte, (int64_t)d->end_byte);
	}
	buf_free(&bytes);
	return rc;
}

/* KIND source -> target confidence reason :line, sorted; `#` and a qualified name follow the path of a definition. */
static inline int graph_print(struct db *db, FILE *out, struct err *e)
{
	struct stmt *s = db_prep(db, "select e.kind, f.path || coalesce('#' || s.qualified, ''), "
	    "g.path || coalesce('#' || t.qualified, ''), e.confidence, e.reason, e.line from edges e "
	    "join files f on f.id = e.file join files g on g.id = e.target_file "
	    "left join symbols s on s.id = e.source left join symbols t on t.id = e.target "
	    "order by 2, e.line, e.kind, 3, t.start_byte", e);
	int rc = s ? 0 : -1;

	while (!rc && (rc = db_step(s, e)) == 1) {
		fprintf(out, "%s %s -> %s %d %s :%d\n", edge_name((enum edge_kind)db_int(s, 0)), db_str(s, 1), db_str(s, 2),
		    (int)db_int(s, 3), db_str(s, 4), (int)db_int(s, 5));
		rc = 0;
	}
	return rc;
}
#endif
