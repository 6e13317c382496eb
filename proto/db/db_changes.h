#ifndef PROTO_DB_DB_CHANGES_H
#define PROTO_DB_DB_CHANGES_H
/*
 * Which rows of some tables a transaction has changed, including those changed by cascades and
 * triggers (SQLite's session extension).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct db;
struct db_changes;
struct db_row;
struct err;

/* Start recording changes of these tables; each needs a primary key.  NULL with DB_ERROR. */
struct db_changes *db_changes_begin(struct db *, const char *const *tables, size_t n, struct err *);
void db_changes_end(struct db_changes *);	/* NULL is fine */

/* Whether a row has changed.  A row that was changed and changed back may count. */
bool db_changes_any(const struct db_changes *);

/*
 * Call `each` for every changed row until it returns a value other than 0, which is then the
 * result.  -1 with DB_ERROR.
 */
int db_changes_each(struct db_changes *,
    int (*each)(void *arg, const struct db_row *, struct err *), void *arg, struct err *);

enum db_row_change { DB_ROW_INSERTED, DB_ROW_UPDATED, DB_ROW_DELETED };

/* Within `each`: the table, and what happened to the row. */
const char *db_row_table(const struct db_row *);
enum db_row_change db_row_change(const struct db_row *);

/*
 * A column of the primary key, or any column of an inserted or a deleted row (its last value).  ""
 * or 0 for SQL null.  Text lives until `each` returns.
 */
const char *db_row_str(const struct db_row *, int col);
int64_t db_row_int(const struct db_row *, int col);

/* Whether the column of an updated row has changed. */
bool db_row_column_changed(const struct db_row *, int col);
#endif
