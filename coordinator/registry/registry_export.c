/* A registry as lines of text, and back: from a file to etcd, from etcd to a file. */
#include <string.h>

#include "coordinator/registry/registry_internal.h"
#include "coordinator/registry/replication.h"
#include "coordinator/registry/shared_tables_internal.h"
#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/db/db.h"
#include "proto/record/json.h"

/* ---- out ---- */

/* The rows of a table by key, behind `after`. */
static int rows_of(struct db *db, const struct shared_table *t, const char *after, size_t limit,
    t_strs *lines, const char **last, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db, t->sorted, e);
	size_t n = strlen(t->name);
	int rc;

	if (!s)
		return -1;
	if (after && (strncmp(after, t->name, n) || after[n] != '/'))
		after = NULL;
	while ((rc = db_step(s, e)) == 1) {
		const char *parts[SHARED_PARTS];
		if (lines->n == limit)
			continue;
		for (size_t i = 0; i < t->nkeys; i++)
			parts[i] = arena_str(a, db_str(s, (int)i + 1));
		if (after) {
			if (!strcmp(shared_key(t->name, parts, t->nkeys, a), after))
				after = NULL;
			continue;
		}
		*last = shared_key(t->name, parts, t->nkeys, a);
		lines->v[lines->n++] = arena_printf(
		    a, "{\"table\":\"%s\",\"row\":%s}", t->name, db_str(s, 0));
	}
	return rc;
}

static int out(struct db *db, const struct shared_tables *sh, const char *after, size_t limit,
    t_strs *lines, const char **next, struct arena *a, struct err *e)
{
	size_t from = 0;
	const char *parts[SHARED_PARTS], *last = NULL;

	if (after) {
		shared_key_split(after, parts, a);
		const struct shared_table *t = shared_table(sh, parts[0]);
		if (!t)
			return err_set(e, ERR_INVALID_INPUT, "`after`: `%.80s` is none of an export", after);
		from = (size_t)(t - sh->v);
	}
	for (size_t i = from; i < sh->n && lines->n < limit; i++)
		if (sh->v[i].table_class == TABLE_EXPORTED &&
		    rows_of(db, &sh->v[i], after, limit, lines, &last, a, e))
			return -1;
	if (lines->n == limit)
		*next = last;
	else
		*next = NULL;
	return 0;
}

int registry_export(struct registry *r, const char *after, size_t limit, t_strs *lines,
    const char **next, struct arena *a, struct err *e)
{
	struct db *db = registry_begin(r, e);
	const struct shared_tables *sh = NULL;

	if (db)
		sh = registry_tables(r, e);
	*lines = (t_strs){ arena_many(a, limit, const char *), 0 };
	if (!db)
		return -1;
	return registry_end(r, sh ? out(db, sh, after, limit, lines, next, a, e) : -1, e);
}

/* ---- in ---- */

/* The row of a line, and the values of its keys; -1: it is none. */
static int read_line(const struct shared_tables *sh, const char *line,
    const struct shared_table **t, const char **row, const char **parts, struct arena *a,
    struct err *e)
{
	const char *table = json_is(line) == JSON_IS_OBJECT ? json_text_at(line, "table", a) : NULL;

	if (table)
		*row = json_member(line, "row", a);
	else
		*row = NULL;
	if (table)
		*t = shared_table(sh, table);
	else
		*t = NULL;
	if (!*row || json_is(*row) != JSON_IS_OBJECT || !*t || (*t)->table_class != TABLE_EXPORTED) {
		err_set(e, ERR_INVALID_INPUT, "`rows`: `%.80s` is no row of an export", line);
		return err_hint(e, "`atoll registry export` writes them.");
	}
	for (size_t i = 0; i < (*t)->nkeys; i++)
		if (!(parts[i] = json_text_at(*row, (*t)->keys[i], a)))
			return err_set(
			    e, ERR_INVALID_INPUT, "`rows`: a row of %s has no `%s`", (*t)->name, (*t)->keys[i]);
	return 0;
}

/* Who ran it is not here: it is begun again. */
static int settle_job(struct db *db, const char *id, struct err *e)
{
	return db_run(db, e,
	    "update jobs set state = 'queued', holder = null, lease_ms = null where id = ? and state = 'running'",
	    "s", id);
}

static int put_line(struct db *db, const struct shared_tables *sh, const char *importer,
    const char *line, uint64_t *written, t_strs *left_out, struct arena *a, struct err *e)
{
	const struct shared_table *t;
	const char *row, *now, *parts[SHARED_PARTS];
	struct err oops = { 0 };

	if (read_line(sh, line, &t, &row, parts, a, e) || shared_row_json(db, t, parts, &now, a, e))
		return -1;
	bool job = t == &sh->v[SHARED_jobs];
	if (now && (job || !strcmp(now, row)))
		return 0;
	if (db_run(db, &oops, t->put, "s", row)) {
		left_out->v[left_out->n++] = arena_printf(
		    a, "%s: %s", shared_key(t->name, parts, t->nkeys, a), oops.msg);
		return 0;
	}
	*written += 1;
	/* not the operator's word, whatever the row says */
	if (importer && t == &sh->v[SHARED_sources])
		return db_run(
		    db, e, "update sources set added_by = ? where source = ?", "ss", importer, parts[0]);
	if (job)
		return settle_job(db, parts[0], e);
	return 0;
}

static int in(struct db *db, const struct shared_tables *sh, const char *importer,
    const t_strs *lines, uint64_t *written, t_strs *left_out, struct arena *a, struct err *e)
{
	int rc = sh ? 0 : -1;

	*written = 0;
	*left_out = (t_strs){ arena_many(a, lines->n, const char *), 0 };
	for (size_t i = 0; i < lines->n && !rc; i++)
		rc = put_line(db, sh, importer, lines->v[i], written, left_out, a, e);
	return rc;
}

int registry_import(struct registry *r, const char *importer, const t_strs *lines,
    uint64_t *written, t_strs *left_out, struct arena *a, struct err *e)
{
	int rc, tries = 0;

	do {
		struct db *db = registry_begin_durable(r, e);
		if (db)
			rc = registry_end(
			    r, in(db, registry_tables(r, e), importer, lines, written, left_out, a, e), e);
		else
			rc = -1;
	} while (registry_retry(r, rc, &tries, e));
	return rc ? -1 : 0;
}
