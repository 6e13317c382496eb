#include "shard/index/left_out_names.h"

#include <stdbool.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/minmax.h"
#include "proto/db/db.h"
#include "shard/facts/facts.h"
#include "shard/index/index_rows.h"
#include "shard/index/index_writer.h"
#include "shard/storage/package_store.h"
#include "shard/storage/symbol_store.h"

/* The definitions and minor names of a file, merged by place. */
static struct stored_symbols merge(
    const struct stored_symbols *major, const struct stored_symbols *minor, struct arena *a)
{
	size_t n = MIN(major->n, LEFT_OUT_NAMES_MAX);
	size_t nminor = MIN(minor->n, LEFT_OUT_NAMES_MAX - n), i = 0, k = 0;
	struct stored_symbols out = { arena_many(a, n + nminor + 1, struct stored_symbol), 0 };
	int64_t *places = arena_many(a, n + 1, int64_t);

	while (i < n || k < nminor) {
		bool is_major = k == nminor || (i < n && major->v[i].start_byte <= minor->v[k].start_byte);
		struct stored_symbol *x = &out.v[out.n];
		if (!is_major) {
			*x = minor->v[k++];
		} else {
			*x = major->v[i];
			x->signature = NULL;	/* half of the space, and a snippet shows it */
			if (x->up >= 0)
				x->up = places[x->up];
			places[i++] = (int64_t)out.n;
		}
		out.n++;
	}
	return out;
}

static struct stored_symbols names_of(
    int64_t id, const struct indexed_file *x, const struct facts *f, struct arena *a)
{
	struct facts names = { .definitions = { f->definitions.v, f->definitions.n },
		.minors = { f->minors.v, f->minors.n } };
	const struct row_file r = { .id = id, .x = x, .f = &names };
	int64_t *no_ids = arena_many(a, f->definitions.n + 1, int64_t);
	struct stored_symbols major = rows_symbols(&r, no_ids, rows_ordinals(&names, a), a);
	struct stored_symbols minor = rows_minors(&r, a);

	return merge(&major, &minor, a);
}

int left_out_names_put(struct db *db, int64_t id, const struct indexed_file *x,
    const struct facts *f, struct buf *keys, struct arena *a, struct err *e)
{
	struct stored_symbols names = names_of(id, x, f, a);

	if (db_run(db, e, "insert into left_out values (?, ?, ?, ?, ?, ?, ?)", "iSSSiii", id,
	        rows_valid_utf8(x->path, a), x->blob, x->language, (int64_t)f->lines, (int64_t)x->test,
	        (int64_t)x->generated))
		return -1;
	if (packages_put_locked(db, id, f->packages.v, f->packages.n, a, e))
		return -1;
	return symbols_put(db, id, SYMBOLS_MINOR, &names, keys, e);
}

int left_out_names_remove(struct db *db, const char *path, struct err *e)
{
	static const struct stored_symbols none;
	struct stmt *s = db_prep(db, "select id from left_out where path = ?", e);
	int64_t id = 0;
	int rc;

	if (!s || db_bind(s, "s", path))
		return -1;
	while ((rc = db_step(s, e)) == 1)
		id = db_int(s, 0);
	if (rc || !id)
		return rc;
	if (symbols_put(db, id, SYMBOLS_MINOR, &none, NULL, e))
		return -1;
	if (db_run(db, e, "delete from packages where file = ?", "i", id))
		return -1;
	return db_run(db, e, "delete from left_out where id = ?", "i", id);
}
