#ifndef PROTO_DB_DB_H
#define PROTO_DB_DB_H
/*
 * SQLite, as much of it as Atoll uses.  One `struct db` per thread.
 *
 *   struct stmt *s = db_prep(db, "select name from t where id = ? and kind = ?", e);
 *   if (s && !db_bind(s, "is", (int64_t)7, "x"))
 *           while ((rc = db_step(s, e)) == 1)
 *                   use(db_str(s, 0));
 */

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct db;
struct err;
struct stmt;

enum db_mode { DB_READ, DB_WRITE, DB_CREATE };

/*
 * Open the file.  DB_CREATE makes it when absent; DB_READ refuses writes.
 * Errors: NOT_FOUND (no such file), DB_ERROR (anything else, naming the path).
 */
struct db *db_open(const char *path, enum db_mode, struct err *);
void db_close(struct db *);		/* NULL is fine */

/* Run statements without results. */
int db_exec(struct db *, const char *sql, struct err *);

/*
 * The prepared statement of `sql`, a literal (kept by address and reused: reset, nothing bound).
 * NULL with `e` set.  It belongs to the db.
 */
struct stmt *db_prep(struct db *, const char *sql, struct err *);

/* The same for a text made at run time: the caller ends it with db_finalize. */
struct stmt *db_prep_once(struct db *, const char *sql, struct err *);
void db_finalize(struct stmt *);

/*
 * Bind all parameters in order by letters: i int64_t, f double, s const char * (NULL is SQL null;
 * copied), S const char * (not copied: must outlive the step), t const char *, size_t (text of
 * that length; not copied), b const void *, size_t (blob; not copied), n nothing (SQL null).  0,
 * or -1 (then db_step says why).
 */
int db_bind(struct stmt *, const char *letters, ...);

/* 1: a row; 0: done; -1: failed (DB_ERROR; UNAVAILABLE when the guard stopped it). */
int db_step(struct stmt *, struct err *);

/* db_prep, db_bind and db_step to the end, for a statement that gives no rows. */
int db_run(struct db *, struct err *, const char *sql, const char *letters, ...);

/*
 * Begin to read: until db_read_end every statement sees what the first one saw.  db_read_end also
 * forgets rows that were not asked for, so that nothing holds on to an old version of the file.
 */
int db_read_begin(struct db *, struct err *);
void db_read_end(struct db *);

/*
 * Keep -wal and -shm beside the file when it is closed: who opens it next needs no room on the
 * disk for them.
 */
int db_persist_wal(struct db *, struct err *);

/*
 * Write what this db reads, within db_read_begin at that point, to a new file: page for page the
 * same, so rowids too.  DB_ERROR.
 */
int db_copy(struct db *, const char *path, struct err *);

/* Columns of the row.  Text and blobs live until the next step; db_str gives "" for SQL null. */
const char *db_str(struct stmt *, int col);
int64_t db_int(struct stmt *, int col);
const void *db_blob(struct stmt *, int col, size_t *n);
int db_null(struct stmt *, int col);

int64_t db_last_id(struct db *);	/* rowid of the last insert */
int64_t db_changes(struct db *);	/* rows that the last statement changed */
int64_t db_total_changes(struct db *);		/* rows that all statements changed, cascades too */

/*
 * Another number when what a statement sees may have changed, by this db or by others; asked for
 * while a statement runs.
 */
uint64_t db_data_version(struct db *);

/*
 * A table whose rows the program makes, for the statements of one db: read only, not in the file.
 * Statements may be run on the db while rows are made, but must be at their ends when a function
 * returns.
 */
struct db_value {
	const char *text;	/* NULL: a number; lives until the next row */
	int64_t number;
	int null;
};

struct db_table {
	const char *name, *columns;	/* as create table has them */
	/* the first so many columns find rows quickly, the earlier the fewer; the very first one row */
	int keys;
	/* Begin: the rows whose column `key` (-1: all of them) has this value.  NULL with `e`. */
	void *(*open)(void *arg, int key, const struct db_value *, struct err *e);
	int (*next)(void *rows, struct err *e);		/* as db_step */
	void (*column)(void *rows, int column, struct db_value *out);	/* `out` is 0 */
	void (*close)(void *rows);
};

/* `arg` is the table's, and goes with the db by `drop`, also when this fails. */
int db_add_table(
    struct db *, const struct db_table *, void *arg, void (*drop)(void *), struct err *);

/*
 * Stop statements of this db when `*cancelled` becomes non-zero or the monotonic clock passes
 * `deadline_ms` (0: never).  NULL takes the guard away.  `cancelled` is read until then.
 */
void db_set_interrupt(struct db *, const atomic_int *cancelled, int64_t deadline_ms);
#endif
