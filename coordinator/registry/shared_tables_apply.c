/* Applies the changes of other coordinators to the tables of this one. */
#include <stdlib.h>
#include <string.h>

#include "coordinator/registry/job_table.h"
#include "coordinator/registry/shared_tables_internal.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/base/map.h"
#include "proto/db/db.h"

struct incoming_row {
	const struct shared_table *t;	/* NULL if no table changes */
	const char *parts[SHARED_PARTS], *key, *value;
	bool done;
};

struct incoming_rows {
	struct incoming_row *v;
	size_t n, cap;
};

struct apply_context {
	const struct shared_tables *sh;
	struct db *db;
	struct shared_changes *news;
	struct arena *a;
};

static void note_news(struct apply_context *x, const struct incoming_row *i)
{
	struct shared_changes *news = x->news;

	news->tables |= (uint64_t)1 << (i->t - x->sh->v);
	if (i->value)
		return;
	if (i->t == &x->sh->v[SHARED_repos]) {
		news->repos = grow(news->repos, &news->cap, news->nrepos + 1, sizeof *news->repos);
		news->repos[news->nrepos++] = i->parts[1];
	} else if (i->t == &x->sh->v[SHARED_endpoints]) {
		news->endpoints = grow(
		    news->endpoints, &news->cap_endpoints, news->nendpoints + 1, sizeof *news->endpoints);
		news->endpoints[news->nendpoints++] = (struct removed_endpoint){
			.repo_uri = i->parts[1],
			.replica = i->parts[2],
		};
	}
}

static int put_row(struct apply_context *x, const struct incoming_row *i, struct err *e)
{
	if (db_run(x->db, e, i->t->put, "s", i->value))
		return -1;
	if (i->t == &x->sh->v[SHARED_jobs])
		return job_update_index_status(x->db, i->parts[1], e);
	return 0;
}

static int drop_row(struct apply_context *x, const struct incoming_row *i, struct err *e)
{
	struct stmt *s = db_prep(x->db, i->t->drop, e);

	if (!s || shared_key_bind(s, i->parts + 1, i->t->nkeys))
		return -1;
	return db_step(s, e);
}

static int write_row(struct apply_context *x, const struct incoming_row *i, struct err *e)
{
	int rc;

	if (i->value)
		rc = put_row(x, i, e);
	else
		rc = drop_row(x, i, e);
	if (!rc)
		note_news(x, i);
	return rc;
}

static int note_revision(struct apply_context *x, const struct etcd_kv *kv, struct err *e)
{
	if (kv->value)
		return shared_revision_put(x->db, kv->key, kv->value, kv->rev, e);
	return db_run(x->db, e, "delete from revs where key = ?", "s", kv->key);
}

/* Reads an incoming row, and marks it as done if it changes nothing here.  -1: database error. */
static int read_incoming(
    struct apply_context *x, const struct etcd_kv *kv, struct incoming_row *out, struct err *e)
{
	const char *now;
	int64_t rev;
	bool live;

	*out = (struct incoming_row){ .key = kv->key, .value = kv->value, .done = true };
	if (shared_revision_get(x->db, kv->key, &rev, &live, e))
		return -1;
	if (rev > kv->rev)
		return 0;
	if (note_revision(x, kv, e))
		return -1;
	size_t n = shared_key_split(kv->key, out->parts, x->a);
	const struct shared_table *t = shared_table(x->sh, out->parts[0]);
	if (!t || n != t->nkeys + 1)
		return 0;
	if (shared_row_json(x->db, t, out->parts + 1, &now, x->a, e))
		return -1;
	out->t = t;
	if (now)
		out->done = kv->value && !strcmp(now, kv->value);
	else
		out->done = !kv->value;
	return 0;
}

/* Adds the rows of a table whose keys are not among `present`, as deletions. */
static int find_gone_rows(struct apply_context *x, const struct shared_table *t,
    const struct map *present, struct incoming_rows *gone, struct err *e)
{
	struct stmt *s = db_prep(x->db, t->all, e);
	int rc;

	if (!s)
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		struct incoming_row row = { .t = t, .parts = { t->name } };
		for (size_t k = 0; k < t->nkeys; k++)
			row.parts[k + 1] = arena_str(x->a, db_str(s, (int)k + 1));
		row.key = shared_key(t->name, row.parts + 1, t->nkeys, x->a);
		if (map_get(present, row.key))
			continue;
		gone->v = grow(gone->v, &gone->cap, gone->n + 1, sizeof *gone->v);
		gone->v[gone->n++] = row;
	}
	return rc;
}

/*
 * Finds the rows that a complete read at revision `whole` does not contain.  Those that this
 * coordinator has written since then stay.
 */
static int find_gone(struct apply_context *x, const struct map *present, int64_t whole,
    struct incoming_rows *gone, struct err *e)
{
	for (size_t i = 0; i < x->sh->n; i++)
		if (find_gone_rows(x, &x->sh->v[i], present, gone, e))
			return -1;
	for (size_t i = 0; i < gone->n; i++) {
		int64_t rev;
		bool live;
		if (shared_revision_get(x->db, gone->v[i].key, &rev, &live, e))
			return -1;
		gone->v[i].done = rev > whole;
	}
	return 0;
}

static int forget_revs(
    struct apply_context *x, const struct map *present, int64_t whole, struct err *e)
{
	struct stmt *s = db_prep(x->db, "select key from revs where rev <= ?", e);
	struct { const char **v; size_t n, cap; } gone = { 0 };
	int rc;

	if (!s || db_bind(s, "i", whole))
		return -1;
	while ((rc = db_step(s, e)) == 1)
		if (!map_get(present, db_str(s, 0))) {
			gone.v = grow(gone.v, &gone.cap, gone.n + 1, sizeof *gone.v);
			gone.v[gone.n++] = arena_str(x->a, db_str(s, 0));
		}
	for (size_t i = 0; i < gone.n && !rc; i++)
		rc = db_run(x->db, e, "delete from revs where key = ?", "s", gone.v[i]);
	free(gone.v);
	return rc;
}

/* Writes the rows that are not done, once.  Returns how many could be written. */
static size_t write_pass(struct apply_context *x, struct incoming_rows *rows, struct err *e)
{
	size_t written = 0;

	for (size_t i = 0; i < rows->n; i++) {
		if (rows->v[i].done)
			continue;
		*e = (struct err){ 0 };
		if (!write_row(x, &rows->v[i], e)) {
			rows->v[i].done = true;
			written++;
		}
	}
	return written;
}

/*
 * Repeats until no more rows can be written: a child may come before its parent, and a new holder
 * of a unique value before the release by the old one.
 */
static void write_all(struct apply_context *x, struct incoming_rows *rows, bool whole)
{
	struct err e = { 0 };

	while (write_pass(x, rows, &e) > 0)
		;
	/*
	 * A row with a unique value may have to wait for a later event, which releases the value that
	 * a row here still holds; so that is not worth a warning.
	 */
	for (size_t i = 0; i < rows->n; i++) {
		const struct incoming_row *row = &rows->v[i];
		if (!row->done && (whole || !row->t->unique[0]))
			log_warn(
			    "registry.row_skipped", "key=%s message=%s", log_quote(row->key), log_quote(e.msg));
	}
}

/*
 * Drops earlier rows with the key of the last one that could not be written: written later, they
 * would overwrite the newer row.
 */
static void supersede(struct incoming_rows *rows)
{
	const char *key = rows->v[rows->n - 1].key;

	for (size_t i = 0; i + 1 < rows->n; i++)
		if (!rows->v[i].done && !strcmp(rows->v[i].key, key))
			rows->v[i].done = true;
}

/* Events are written one by one: the next one may be about the same key, and is compared to it. */
static int add_event(
    struct apply_context *x, const struct etcd_kv *kv, struct incoming_rows *rows, struct err *e)
{
	struct incoming_row *row = &rows->v[rows->n - 1];

	if (read_incoming(x, kv, row, e))
		return -1;
	supersede(rows);
	if (row->t && !row->done)
		row->done = !write_row(x, row, NULL);
	return 0;
}

/* Before a complete read: finds the rows and revisions that it does not contain. */
static int begin_whole(struct apply_context *x, const struct etcd_kv *kvs, size_t n, int64_t whole,
    struct incoming_rows *gone, struct err *e)
{
	struct map *present = map_new();

	for (size_t i = 0; i < n; i++)
		*map_at(present, kvs[i].key) = present;
	int rc = find_gone(x, present, whole, gone, e);
	if (!rc)
		rc = forget_revs(x, present, whole, e);
	map_free(present);
	return rc;
}

int shared_tables_apply(const struct shared_tables *sh, struct db *db, const struct etcd_kv *kvs,
    size_t n, int64_t whole, struct shared_changes *news, struct arena *a, struct err *e)
{
	struct apply_context x = { sh, db, news, a };
	struct incoming_rows rows = { 0 };
	int rc = 0;

	if (whole)
		rc = begin_whole(&x, kvs, n, whole, &rows, e);
	for (size_t i = 0; i < n && !rc; i++) {
		rows.v = grow(rows.v, &rows.cap, rows.n + 1, sizeof *rows.v);
		rows.n++;
		if (whole)
			rc = read_incoming(&x, &kvs[i], &rows.v[rows.n - 1], e);
		else
			rc = add_event(&x, &kvs[i], &rows, e);
	}
	if (!rc)
		write_all(&x, &rows, whole);
	free(rows.v);
	return rc;
}

int shared_revisions_forget(struct db *db, struct err *e)
{
	return db_exec(db, "delete from revs", e);
}

int shared_tables_have_rows(const struct shared_tables *sh, struct db *db, bool *any, struct err *e)
{
	*any = false;
	for (size_t i = 0; i < sh->n && !*any; i++) {
		if (sh->v[i].table_class != TABLE_EXPORTED)
			continue;
		struct stmt *s = db_prep(db, sh->v[i].all, e);
		int rc;
		if (!s)
			return -1;
		while ((rc = db_step(s, e)) == 1)
			*any = true;
		if (rc)
			return -1;
	}
	return 0;
}
