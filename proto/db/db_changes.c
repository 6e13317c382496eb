#include "proto/db/db_changes.h"

#include <stdlib.h>

#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/db/db_internal.h"

struct db_changes {
	sqlite3_session *s;
};

struct db_row {
	sqlite3_changeset_iter *at;
	const char *table;
	enum db_row_change is;
};

static int fail(int rc, struct err *e)
{
	return err_set(e, ERR_DB_ERROR, "reading the changed rows: %s", sqlite3_errstr(rc));
}

struct db_changes *db_changes_begin(
    struct db *d, const char *const *tables, size_t n, struct err *e)
{
	struct db_changes *c = xcalloc(1, sizeof *c);
	int rc = sqlite3session_create(d->h, "main", &c->s);

	for (size_t i = 0; i < n && !rc; i++)
		rc = sqlite3session_attach(c->s, tables[i]);
	if (!rc)
		return c;
	fail(rc, e);
	db_changes_end(c);
	return NULL;
}

void db_changes_end(struct db_changes *c)
{
	if (!c)
		return;
	if (c->s)
		sqlite3session_delete(c->s);
	free(c);
}

bool db_changes_any(const struct db_changes *c)
{
	return !sqlite3session_isempty(c->s);
}

static struct db_row current_row(sqlite3_changeset_iter *at)
{
	struct db_row row = { .at = at, .is = DB_ROW_DELETED };
	int op, n, indirect;

	sqlite3changeset_op(at, &row.table, &n, &op, &indirect);
	if (op == SQLITE_INSERT)
		row.is = DB_ROW_INSERTED;
	else if (op == SQLITE_UPDATE)
		row.is = DB_ROW_UPDATED;
	return row;
}

static int walk(sqlite3_changeset_iter *at,
    int (*each)(void *, const struct db_row *, struct err *), void *arg, struct err *e)
{
	for (;;) {
		int rc = sqlite3changeset_next(at);
		if (rc == SQLITE_DONE)
			return 0;
		if (rc != SQLITE_ROW)
			return fail(rc, e);
		struct db_row row = current_row(at);
		rc = each(arg, &row, e);
		if (rc)
			return rc;
	}
}

int db_changes_each(struct db_changes *c, int (*each)(void *, const struct db_row *, struct err *),
    void *arg, struct err *e)
{
	sqlite3_changeset_iter *at = NULL;
	void *bytes = NULL;
	int n = 0, rc = sqlite3session_changeset(c->s, &n, &bytes);

	if (!rc)
		rc = sqlite3changeset_start(&at, n, bytes);
	if (rc)
		rc = fail(rc, e);
	else
		rc = walk(at, each, arg, e);
	if (at)
		sqlite3changeset_finalize(at);
	sqlite3_free(bytes);
	return rc;
}

const char *db_row_table(const struct db_row *r)
{
	return r->table;
}

enum db_row_change db_row_change(const struct db_row *r)
{
	return r->is;
}

static sqlite3_value *value(const struct db_row *r, int col)
{
	sqlite3_value *v = NULL;

	if (r->is == DB_ROW_INSERTED)
		sqlite3changeset_new(r->at, col, &v);
	else
		sqlite3changeset_old(r->at, col, &v);
	return v;
}

const char *db_row_str(const struct db_row *r, int col)
{
	sqlite3_value *v = value(r, col);
	const char *s = NULL;

	if (v)
		s = (const char *)sqlite3_value_text(v);
	if (!s)
		return "";
	return s;
}

int64_t db_row_int(const struct db_row *r, int col)
{
	sqlite3_value *v = value(r, col);

	if (v)
		return sqlite3_value_int64(v);
	return 0;
}

bool db_row_column_changed(const struct db_row *r, int col)
{
	sqlite3_value *v = NULL;

	sqlite3changeset_new(r->at, col, &v);
	return v != NULL;
}
