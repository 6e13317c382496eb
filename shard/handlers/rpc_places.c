#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/db/db.h"
#include "shard/handlers/rpc_handlers.h"
#include "shard/storage/symbol_store.h"

enum { MAX_PLACES = 5000 };

/* The definitions of the file at a path; read again only if it is another path than before. */
struct file_definitions {
	const char *path;
	struct stored_symbols symbols;
};

static int read_definitions(
    struct db *db, const char *path, struct file_definitions *f, struct arena *a, struct err *e)
{
	struct stmt *s;
	int64_t file = 0;
	int rc;

	if (f->path && !strcmp(f->path, path))
		return 0;
	*f = (struct file_definitions){ .path = path };
	s = db_prep(db, "select id from files where path = ?", e);
	if (!s || db_bind(s, "S", path))
		return -1;
	while ((rc = db_step(s, e)) == 1)
		file = db_int(s, 0);
	if (rc || !file)
		return rc;
	return symbols_read(db, file, a, &f->symbols, e);
}

int rpc_places(struct shard *shard, struct index_reader *r, const struct places_req *q,
    struct places_res *out, struct arena *a, struct err *e)
{
	struct file_definitions f = { 0 };

	(void)shard;
	out->places.n = MIN(q->symbols.n, MAX_PLACES);
	out->places.v = arena_many(a, out->places.n + 1, struct symbol_place);
	for (size_t i = 0; i < out->places.n; i++) {
		const struct used_symbol *x = &q->symbols.v[i];
		if (!x->path || read_definitions(r->db, x->path, &f, a, e))
			return x->path ? -1 : err_set(e, ERR_INVALID_INPUT, "symbols.path is missing");
		for (size_t k = 0; k < f.symbols.n; k++) {
			const struct stored_symbol *y = &f.symbols.v[k];
			if (out->places.v[i].line || strcmp(y->qualified, x->symbol))
				continue;
			out->places.v[i].line = (uint64_t)y->start_line;
			out->places.v[i].end_line = (uint64_t)y->end_line;
		}
	}
	return 0;
}
