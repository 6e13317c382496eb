#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/db/db_internal.h"

/* Tables whose rows the program makes: SQLite's virtual tables. */

struct table_module {
	const struct db_table *table;
	void *arg;
	void (*drop)(void *);
};

struct virtual_table {
	sqlite3_vtab base;
	const struct table_module *made;
};

struct virtual_cursor {
	sqlite3_vtab_cursor base;
	void *rows;		/* NULL if there are none */
	bool end;
	int64_t at;
};

enum { ONE = 1, FEW = 30, ALL = 1000000 };	/* estimated rows of a lookup */

static int failed(sqlite3_vtab *t, const struct err *e)
{
	sqlite3_free(t->zErrMsg);
	t->zErrMsg = sqlite3_mprintf("%s", e->msg);
	return SQLITE_ERROR;
}

static int connect(
    sqlite3 *h, void *arg, int argc, const char *const *argv, sqlite3_vtab **out, char **error)
{
	const struct table_module *m = arg;
	struct virtual_table *t = sqlite3_malloc(sizeof *t);
	char *sql = sqlite3_mprintf("create table x(%s)", m->table->columns);

	(void)argc, (void)argv, (void)error;
	if (!t || !sql)
		die("out of memory");
	*t = (struct virtual_table){ .made = m };
	*out = &t->base;
	int rc = sqlite3_declare_vtab(h, sql);
	sqlite3_free(sql);
	return rc;
}

static int disconnect(sqlite3_vtab *t)
{
	sqlite3_free(t);
	return SQLITE_OK;
}

static bool is_key_constraint(const struct sqlite3_index_constraint *c, int keys)
{
	if (!c->usable || c->op != SQLITE_INDEX_CONSTRAINT_EQ)
		return false;
	return c->iColumn >= 0 && c->iColumn < keys;
}

/* The constraint on the leftmost key column that the statement has a value for, or -1. */
static int best_constraint(const sqlite3_index_info *x, int keys)
{
	int found = -1;

	for (int i = 0; i < x->nConstraint; i++) {
		if (!is_key_constraint(&x->aConstraint[i], keys))
			continue;
		if (found < 0 || x->aConstraint[i].iColumn < x->aConstraint[found].iColumn)
			found = i;
	}
	return found;
}

static int best_index(sqlite3_vtab *v, sqlite3_index_info *x)
{
	int keys = ((const struct virtual_table *)v)->made->table->keys;
	int found = best_constraint(x, keys), key = -1;

	if (found >= 0) {
		key = x->aConstraint[found].iColumn;
		x->aConstraintUsage[found].argvIndex = 1;
		x->aConstraintUsage[found].omit = 1;
	}
	x->idxNum = key;
	x->idxFlags = 0;
	if (key < 0) {
		x->estimatedRows = ALL;
	} else if (key > 0) {
		x->estimatedRows = FEW * key;
	} else {
		x->estimatedRows = ONE;
		x->idxFlags = SQLITE_INDEX_SCAN_UNIQUE;
	}
	x->estimatedCost = (double)x->estimatedRows;
	return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab *t, sqlite3_vtab_cursor **out)
{
	struct virtual_cursor *c = sqlite3_malloc(sizeof *c);

	(void)t;
	if (!c)
		die("out of memory");
	*c = (struct virtual_cursor){ .end = true };
	*out = &c->base;
	return SQLITE_OK;
}

static const struct db_table *table_of(const struct virtual_cursor *c)
{
	return ((const struct virtual_table *)c->base.pVtab)->made->table;
}

static void end_rows(struct virtual_cursor *c)
{
	if (c->rows)
		table_of(c)->close(c->rows);
	c->rows = NULL;
	c->end = true;
}

static int close_cursor(sqlite3_vtab_cursor *v)
{
	end_rows((struct virtual_cursor *)v);
	sqlite3_free(v);
	return SQLITE_OK;
}

static int next(sqlite3_vtab_cursor *v)
{
	struct virtual_cursor *c = (struct virtual_cursor *)v;
	struct err e = { 0 };
	int rc = table_of(c)->next(c->rows, &e);

	c->at++;
	c->end = rc != 1;
	if (rc < 0)
		return failed(v->pVtab, &e);
	return SQLITE_OK;
}

static struct db_value value_of(sqlite3_value *v)
{
	if (sqlite3_value_type(v) == SQLITE_TEXT)
		return (struct db_value){ .text = (const char *)sqlite3_value_text(v) };
	return (struct db_value){ .number = sqlite3_value_int64(v) };
}

static int filter(
    sqlite3_vtab_cursor *v, int key, const char *unused, int argc, sqlite3_value **argv)
{
	struct virtual_cursor *c = (struct virtual_cursor *)v;
	struct db_value wanted = { 0 };
	struct err e = { 0 };

	(void)unused, (void)argc;
	end_rows(c);
	if (key >= 0) {
		if (sqlite3_value_type(argv[0]) == SQLITE_NULL)
			return SQLITE_OK;
		wanted = value_of(argv[0]);
	}
	c->rows = table_of(c)->open(
	    ((const struct virtual_table *)v->pVtab)->made->arg, key, &wanted, &e);
	if (c->rows)
		return next(v);
	return failed(v->pVtab, &e);
}

static int at_end(sqlite3_vtab_cursor *v)
{
	return ((const struct virtual_cursor *)v)->end;
}

static int column(sqlite3_vtab_cursor *v, sqlite3_context *out, int i)
{
	const struct virtual_cursor *c = (const struct virtual_cursor *)v;
	struct db_value x = { 0 };

	table_of(c)->column(c->rows, i, &x);
	if (x.null)
		sqlite3_result_null(out);
	else if (x.text)
		sqlite3_result_text(out, x.text, -1, SQLITE_TRANSIENT);
	else
		sqlite3_result_int64(out, x.number);
	return SQLITE_OK;
}

static int row_id(sqlite3_vtab_cursor *v, sqlite3_int64 *out)
{
	*out = ((const struct virtual_cursor *)v)->at;
	return SQLITE_OK;
}

static const sqlite3_module module = {
	.xConnect = connect,
	.xBestIndex = best_index,
	.xDisconnect = disconnect,
	.xOpen = open_cursor,
	.xClose = close_cursor,
	.xFilter = filter,
	.xNext = next,
	.xEof = at_end,
	.xColumn = column,
	.xRowid = row_id,
};

static void drop(void *arg)
{
	struct table_module *m = arg;

	m->drop(m->arg);
	free(m);
}

int db_add_table(
    struct db *d, const struct db_table *t, void *arg, void (*drop_arg)(void *), struct err *e)
{
	struct table_module *m = xcalloc(1, sizeof *m);

	*m = (struct table_module){ t, arg, drop_arg };
	if (sqlite3_create_module_v2(d->h, t->name, &module, m, drop))
		return err_set(e, ERR_DB_ERROR, "%s: %s", d->path, sqlite3_errmsg(d->h));
	return 0;
}
