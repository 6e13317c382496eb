/* Export and import of a registry as lines of JSON. */
#include <string.h>

#include "coordinator/registry/registry_internal.h"
#include "coordinator/registry/replication.h"
#include "coordinator/registry/shared_tables_internal.h"
#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/db/db.h"
#include "proto/record/json.h"

/* ---- export ---- */

/* Adds the rows of a table, ordered by key, that come after the key `after`. */
static int add_rows(struct db *db, const struct shared_table *t, const char *after, size_t limit,
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
		const char *key = shared_key(t->name, parts, t->nkeys, a);
		if (after) {
			if (!strcmp(key, after))
				after = NULL;
			continue;
		}
		*last = key;
		lines->v[lines->n++] = arena_printf(
		    a, "{\"table\":\"%s\",\"row\":%s}", t->name, db_str(s, 0));
	}
	return rc;
}

static int export(struct db *db, const struct shared_tables *sh, const char *after, size_t limit,
    t_strs *lines, const char **next, struct arena *a, struct err *e)
{
	size_t from = 0;
	const char *parts[SHARED_PARTS], *last = NULL;

	if (after) {
		shared_key_split(after, parts, a);
		const struct shared_table *t = shared_table(sh, parts[0]);
		if (!t)
			return err_set(
			    e, ERR_INVALID_INPUT, "`after`: `%.80s` is not the key of an exported row", after);
		from = (size_t)(t - sh->v);
	}
	for (size_t i = from; i < sh->n && lines->n < limit; i++) {
		const struct shared_table *t = &sh->v[i];
		if (t->table_class != TABLE_EXPORTED)
			continue;
		if (add_rows(db, t, after, limit, lines, &last, a, e))
			return -1;
	}
	*next = NULL;
	if (lines->n == limit)
		*next = last;
	return 0;
}

int registry_export(struct registry *r, const char *after, size_t limit, t_strs *lines,
    const char **next, struct arena *a, struct err *e)
{
	struct db *db = registry_begin(r, e);

	*lines = (t_strs){ arena_many(a, limit, const char *), 0 };
	if (!db)
		return -1;
	const struct shared_tables *sh = registry_tables(r, e);
	int rc = -1;
	if (sh)
		rc = export(db, sh, after, limit, lines, next, a, e);
	return registry_end(r, rc, e);
}

/* ---- import ---- */

/* The table and the row, a JSON object, of a line; false if it is not a line of an export. */
static bool parse_line(const struct shared_tables *sh, const char *line,
    const struct shared_table **t, const char **row, struct arena *a)
{
	if (json_is(line) != JSON_IS_OBJECT)
		return false;
	const char *table = json_text_at(line, "table", a);
	if (!table)
		return false;
	*t = shared_table(sh, table);
	if (!*t || (*t)->table_class != TABLE_EXPORTED)
		return false;
	*row = json_member(line, "row", a);
	return *row && json_is(*row) == JSON_IS_OBJECT;
}

/* Reads a line; `parts` receives the values of its key columns. */
static int read_line(const struct shared_tables *sh, const char *line,
    const struct shared_table **t, const char **row, const char **parts, struct arena *a,
    struct err *e)
{
	if (!parse_line(sh, line, t, row, a)) {
		err_set(e, ERR_INVALID_INPUT, "`rows`: `%.80s` is not a row of an export", line);
		err_hint(e, "`atoll registry export` writes such rows.");
		return -1;
	}
	for (size_t i = 0; i < (*t)->nkeys; i++) {
		parts[i] = json_text_at(*row, (*t)->keys[i], a);
		if (!parts[i])
			return err_set(
			    e, ERR_INVALID_INPUT, "`rows`: a row of %s has no `%s`", (*t)->name, (*t)->keys[i]);
	}
	return 0;
}

/* Queues a running job again: the coordinator that ran it does not belong to this registry. */
static int requeue_job(struct db *db, const char *id, struct err *e)
{
	return db_run(db, e,
	    "update jobs set state = 'queued', holder = null, lease_ms = null"
	    " where id = ? and state = 'running'",
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
	/* Sources that a token imports are never the operator's, whatever the row contains. */
	if (importer && t == &sh->v[SHARED_sources])
		return db_run(
		    db, e, "update sources set added_by = ? where source = ?", "ss", importer, parts[0]);
	if (job)
		return requeue_job(db, parts[0], e);
	return 0;
}

static int import(struct db *db, const struct shared_tables *sh, const char *importer,
    const t_strs *lines, uint64_t *written, t_strs *left_out, struct arena *a, struct err *e)
{
	*written = 0;
	*left_out = (t_strs){ arena_many(a, lines->n, const char *), 0 };
	if (!sh)
		return -1;
	for (size_t i = 0; i < lines->n; i++)
		if (put_line(db, sh, importer, lines->v[i], written, left_out, a, e))
			return -1;
	return 0;
}

int registry_import(struct registry *r, const char *importer, const t_strs *lines,
    uint64_t *written, t_strs *left_out, struct arena *a, struct err *e)
{
	int rc, tries = 0;

	do {
		struct db *db = registry_begin_durable(r, e);
		if (db)
			rc = registry_end(
			    r, import(db, registry_tables(r, e), importer, lines, written, left_out, a, e), e);
		else
			rc = -1;
	} while (registry_retry(r, rc, &tries, e));
	return MAX(rc, -1);
}
