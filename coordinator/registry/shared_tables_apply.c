/* What others have done, taken into the tables of this coordinator. */
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
	const struct shared_table *t;	/* NULL: nothing to do in a table */
	const char *parts[SHARED_PARTS], *key, *value;
	bool done;
};

struct apply_context {
	const struct shared_tables *sh;
	struct db *db;
	struct shared_changes *news;
	struct arena *a;
};

static void note_news(struct apply_context *x, const struct incoming_row *i)
{
	x->news->tables |= (uint64_t)1 << (i->t - x->sh->v);
	if (!i->value && i->t == &x->sh->v[SHARED_repos]) {
		x->news->repos = grow(
		    x->news->repos, &x->news->cap, x->news->nrepos + 1, sizeof *x->news->repos);
		x->news->repos[x->news->nrepos++] = i->parts[1];
	} else if (!i->value && i->t == &x->sh->v[SHARED_endpoints]) {
		x->news->endpoints = grow(x->news->endpoints, &x->news->cap_endpoints,
		    x->news->nendpoints + 1, sizeof *x->news->endpoints);
		x->news->endpoints[x->news->nendpoints++] = (struct removed_endpoint){ i->parts[1],
			i->parts[2] };
	}
}

static int write_row(struct apply_context *x, const struct incoming_row *i, struct err *e)
{
	struct stmt *s = db_prep(x->db, i->value ? i->t->put : i->t->drop, e);
	int rc;

	if (!s ||
	    (i->value ? db_bind(s, "s", i->value) : shared_key_bind(s, i->parts + 1, i->t->nkeys)))
		return -1;
	while ((rc = db_step(s, e)) == 1)
		;
	if (!rc && i->value && i->t == &x->sh->v[SHARED_jobs])
		rc = job_update_index_status(x->db, i->parts[1], e);
	if (!rc)
		note_news(x, i);
	return rc;
}

/* What is known already is not done again.  -1: the database fails. */
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
	if (kv->value ? shared_revision_put(x->db, kv->key, kv->value, kv->rev, e) :
	    db_run(x->db, e, "delete from revs where key = ?", "s", kv->key))
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

/* Rows that were there before and are not any more; those that were made here since then stay. */
static int find_gone(struct apply_context *x, const struct map *there, int64_t whole,
    struct incoming_row **v, size_t *n, size_t *cap, struct err *e)
{
	for (size_t i = 0; i < x->sh->n; i++) {
		const struct shared_table *t = &x->sh->v[i];
		struct stmt *s = db_prep(x->db, t->all, e);
		size_t first = *n;
		int rc;
		if (!s)
			return -1;
		while ((rc = db_step(s, e)) == 1) {
			struct incoming_row item = { .t = t, .parts = { t->name } };
			for (size_t k = 0; k < t->nkeys; k++)
				item.parts[k + 1] = arena_str(x->a, db_str(s, (int)k + 1));
			item.key = shared_key(t->name, item.parts + 1, t->nkeys, x->a);
			if (map_get(there, item.key))
				continue;
			*v = grow(*v, cap, *n + 1, sizeof **v);
			(*v)[(*n)++] = item;
		}
		if (rc)
			return -1;
		for (size_t k = first; k < *n; k++) {
			int64_t rev;
			bool live;
			if (shared_revision_get(x->db, (*v)[k].key, &rev, &live, e))
				return -1;
			(*v)[k].done = rev > whole;
		}
	}
	return 0;
}

static int forget_revs(
    struct apply_context *x, const struct map *there, int64_t whole, struct err *e)
{
	struct stmt *s = db_prep(x->db, "select key from revs where rev <= ?", e);
	struct { const char **v; size_t n, cap; } gone = { 0 };
	int rc;

	if (!s || db_bind(s, "i", whole))
		return -1;
	while ((rc = db_step(s, e)) == 1)
		if (!map_get(there, db_str(s, 0))) {
			gone.v = grow(gone.v, &gone.cap, gone.n + 1, sizeof *gone.v);
			gone.v[gone.n++] = arena_str(x->a, db_str(s, 0));
		}
	for (size_t i = 0; i < gone.n && !rc; i++)
		rc = db_run(x->db, e, "delete from revs where key = ?", "s", gone.v[i]);
	free(gone.v);
	return rc;
}

/*
 * Until nothing more can be done: a child may come before its parent, what is the only one of its
 * kind before the one that was.
 */
static void write_all(struct apply_context *x, struct incoming_row *v, size_t n, bool whole)
{
	struct err e = { 0 };

	for (bool more = true, moved; more; more = more && moved) {
		more = moved = false;
		for (size_t i = 0; i < n; i++) {
			if (v[i].done)
				continue;
			e = (struct err){ 0 };
			v[i].done = !write_row(x, &v[i], &e);
			moved |= v[i].done;
			more |= !v[i].done;
		}
	}
	/*
	 * One of a kind may have to wait until what comes later says that the other one, which is here
	 * already, is right.
	 */
	for (size_t i = 0; i < n; i++)
		if (!v[i].done && (whole || !v[i].t->unique[0]))
			log_warn(
			    "registry.row_skipped", "key=%s message=%s", log_quote(v[i].key), log_quote(e.msg));
}

/*
 * What could not be written is not to be any more when the same key comes again: it would be put
 * in place of what is newer.
 */
static void supersede(struct incoming_row *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!v[i].done && !strcmp(v[i].key, v[n].key))
			v[i].done = true;
}

int shared_tables_apply(const struct shared_tables *sh, struct db *db, const struct etcd_kv *kvs,
    size_t n, int64_t whole, struct shared_changes *news, struct arena *a, struct err *e)
{
	struct apply_context x = { sh, db, news, a };
	struct map *there = map_new();
	struct { struct incoming_row *v; size_t n, cap; } items = { 0 };
	int rc = 0;

	for (size_t i = 0; whole && i < n; i++)
		*map_at(there, kvs[i].key) = there;
	if (whole) {
		if (find_gone(&x, there, whole, &items.v, &items.n, &items.cap, e) ||
		    forget_revs(&x, there, whole, e))
			rc = -1;
		else
			rc = 0;
	}
	for (size_t i = 0; i < n && !rc; i++) {
		items.v = grow(items.v, &items.cap, items.n + 1, sizeof *items.v);
		rc = read_incoming(&x, &kvs[i], &items.v[items.n++], e);
		if (!rc && !whole)
			supersede(items.v, items.n - 1);
		/* the same key again: what came before must be there to be compared with */
		if (!rc && !whole && items.v[items.n - 1].t && !items.v[items.n - 1].done)
			items.v[items.n - 1].done = !write_row(&x, &items.v[items.n - 1], NULL);
	}
	if (!rc)
		write_all(&x, items.v, items.n, whole);
	free(items.v);
	map_free(there);
	return rc;
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
