#ifndef PROTO_DB_DB_H
#define PROTO_DB_DB_H
/*
 * The part of SQLite that Atoll uses.  One `struct db` per thread.
 *
 *   struct stmt *s = db_prep(db, "select name from t where id = ? and kind = ?", e);
 *   if (s && !db_bind(s, "is", (int64_t)7, "x"))
 *           while ((rc = db_step(s, e)) == 1)
 *                   use(db_str(s, 0));
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct db;
struct err;
struct stmt;

enum db_mode { DB_READ, DB_WRITE, DB_CREATE };

/*
 * Open the file.  DB_CREATE creates it if it does not exist; DB_READ refuses writes.
 * Errors: NOT_FOUND (no such file), DB_ERROR (anything else, naming the file).
 */
struct db *db_open(const char *path, enum db_mode, struct err *);
void db_close(struct db *);		/* NULL is fine */

/* Run statements without results. */
int db_exec(struct db *, const char *sql, struct err *);

/*
 * The prepared statement of `sql`, a literal: statements are cached by its address and reset with
 * nothing bound.  NULL with `e` set.  The db owns it.
 */
struct stmt *db_prep(struct db *, const char *sql, struct err *);

/* The same for a text built at run time.  The caller frees it with db_finalize. */
struct stmt *db_prep_once(struct db *, const char *sql, struct err *);
void db_finalize(struct stmt *);

/*
 * Bind all parameters in order by letters: i int64_t, f double, s const char * (NULL is SQL null;
 * copied), S const char * (not copied: must outlive the step), t const char *, size_t (text of
 * that length; not copied), b const void *, size_t (blob; not copied), n nothing (SQL null).  0,
 * or -1 (db_step then reports why).
 */
int db_bind(struct stmt *, const char *letters, ...);

/* 1: a row; 0: done; -1: failed (DB_ERROR; UNAVAILABLE if db_set_interrupt stopped it). */
int db_step(struct stmt *, struct err *);

/* db_prep, db_bind and db_step to the end, for a statement that returns no rows. */
int db_run(struct db *, struct err *, const char *sql, const char *letters, ...);

/* The number in the last row of a statement without parameters; 0 without rows, or with `e` set. */
int64_t db_number(struct db *, const char *sql, struct err *e);

/*
 * Begin a read transaction: until db_read_end every statement sees the same version of the file.
 * db_read_end also resets statements with unread rows, so that nothing holds an old version.
 */
int db_read_begin(struct db *, struct err *);
void db_read_end(struct db *);

/*
 * Leave -wal and -shm beside the file when it is closed, so that opening it again needs no space
 * on the disk for them.
 */
int db_persist_wal(struct db *, struct err *);

/*
 * Copy the database, as of db_read_begin if it was called, to a new file page by page, so rowids
 * stay the same.  DB_ERROR.
 */
int db_copy(struct db *, const char *path, struct err *);

/* Columns of the row.  Text and blobs live until the next step; db_str returns "" for SQL null. */
const char *db_str(struct stmt *, int col);
int64_t db_int(struct stmt *, int col);
const void *db_blob(struct stmt *, int col, size_t *n);
int db_null(struct stmt *, int col);
/* A copy of a text; NULL for SQL null. */
const char *db_copy_text(struct stmt *, int col, struct arena *);

int64_t db_last_id(struct db *);	/* rowid of the last insert */
int64_t db_changes(struct db *);	/* rows that the last statement changed */
int64_t db_total_changes(struct db *);		/* rows that all statements changed, cascades too */

/*
 * A number that changes whenever the data may have changed, through this db or another one.  May
 * be called while a statement runs.
 */
uint64_t db_data_version(struct db *);

/*
 * A read-only table whose rows the program makes, for the statements of one db; it is not stored in
 * the file.  The functions may run statements on the db, but must step each to its end before they
 * return.
 */
struct db_value {
	const char *text;	/* NULL if it is a number; lives until the next row */
	int64_t number;
	int null;
};

struct db_table {
	const char *name, *columns;	/* the columns in the syntax of CREATE TABLE */
	/* the number of key columns, from the left: the first finds one row, later ones more */
	int keys;
	/* Begin with the rows whose column `key` has this value, or all if -1.  NULL with `e` set. */
	void *(*open)(void *arg, int key, const struct db_value *, struct err *e);
	int (*next)(void *rows, struct err *e);		/* like db_step */
	void (*column)(void *rows, int column, struct db_value *out);	/* `out` is zeroed */
	void (*close)(void *rows);
};

/* Add the table, which takes ownership of `arg`: `drop` frees it with the db, or if this fails. */
int db_add_table(
    struct db *, const struct db_table *, void *arg, void (*drop)(void *), struct err *);

/*
 * Interrupt the statements of this db when `*cancelled` becomes non-zero or the monotonic clock
 * passes `deadline_ms` (0 = never).  `cancelled` must stay valid until the next call replaces it.
 */
void db_set_interrupt(struct db *, const atomic_int *cancelled, int64_t deadline_ms);

/* Whether that is so now, for work between statements. */
bool db_must_stop(const struct db *);
#endif
