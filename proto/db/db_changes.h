#ifndef PROTO_DB_DB_CHANGES_H
#define PROTO_DB_DB_CHANGES_H
/*
 * Which rows of some tables a transaction has touched, cascades and triggers included (SQLite's
 * session extension).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct db;
struct db_changes;
struct db_row;
struct err;

/* From now on; once per table that is named, each with a primary key.  NULL with DB_ERROR. */
struct db_changes *db_changes_begin(struct db *, const char *const *tables, size_t n, struct err *);
void db_changes_end(struct db_changes *);	/* NULL is fine */

/* Whether anything was touched; a row that was changed and changed back may count. */
bool db_changes_any(const struct db_changes *);

/*
 * Call `each` for every row that differs from what it was, until it gives other than 0, which is
 * then the result; -1 with DB_ERROR.
 */
int db_changes_each(struct db_changes *,
    int (*each)(void *arg, const struct db_row *, struct err *), void *arg, struct err *);

enum db_row_change { DB_ROW_INSERTED, DB_ROW_UPDATED, DB_ROW_DELETED };

/* Within `each`: the table, and what happened to the row. */
const char *db_row_table(const struct db_row *);
enum db_row_change db_row_change(const struct db_row *);

/*
 * A column of the primary key, or any of a row that is new or gone (as it was); "" or 0 for null.
 * Text lives as long as the call.
 */
const char *db_row_str(const struct db_row *, int col);
int64_t db_row_int(const struct db_row *, int col);

/* Whether the column of a row that is SET has another value than before. */
bool db_row_column_changed(const struct db_row *, int col);
#endif
