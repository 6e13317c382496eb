#include "proto/db/db_internal.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/die.h"
#include "proto/base/err.h"

struct stmt {
	struct db *db;
	const char *sql;	/* the literal; NULL from db_prep_once */
	sqlite3_stmt *s;
};

static const char *file_name(const struct db *d)
{
	const char *slash = strrchr(d->path, '/');

	if (slash)
		return slash + 1;
	return d->path;
}

static int fail(struct db *d, int rc, struct err *e)
{
	const char *why = "out of memory";

	if (rc == SQLITE_INTERRUPT) {
		err_set(e, ERR_UNAVAILABLE, "stopped at the deadline");
		return err_hint(e, "The question takes too long: ask for less, or again later.");
	}
	if (d->h)
		why = sqlite3_errmsg(d->h);
	if (rc == SQLITE_CANTOPEN)
		return err_set(e, ERR_NOT_FOUND, "%s: %s", d->path, why);
	/* clients see this message, so it does not contain the folder */
	return err_set(e, ERR_DB_ERROR, "%s: %s", file_name(d), why);
}

/*
 * Threads never share a connection, and nothing reads SQLite's memory statistics.  With both off,
 * SQLite takes far fewer locks.
 */
static void configure(void)
{
	sqlite3_config(SQLITE_CONFIG_MULTITHREAD);
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

struct db *db_open(const char *path, enum db_mode mode, struct err *e)
{
	static const int flags[] = {
		[DB_READ] = SQLITE_OPEN_READONLY,
		[DB_WRITE] = SQLITE_OPEN_READWRITE,
		[DB_CREATE] = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
	};
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct db *d = xcalloc(1, sizeof *d);

	pthread_once(&once, configure);
	d->path = xstrdup(path);
	int rc = sqlite3_open_v2(path, &d->h, flags[mode] | SQLITE_OPEN_NOMUTEX, NULL);
	if (!rc)
		rc = sqlite3_busy_timeout(d->h, 5000);
	if (!rc)
		rc = sqlite3_exec(d->h, "pragma temp_store=memory", NULL, NULL, NULL);
	if (rc) {
		fail(d, rc, e);
		db_close(d);
		return NULL;
	}
	return d;
}

void db_close(struct db *d)
{
	if (!d)
		return;
	for (size_t i = 0; i < d->nstmt_cache; i++)
		db_finalize(d->stmt_cache[i]);
	free(d->stmt_cache);
	sqlite3_close_v2(d->h);
	free(d->path);
	free(d);
}

int db_exec(struct db *d, const char *sql, struct err *e)
{
	int rc = sqlite3_exec(d->h, sql, NULL, NULL, NULL);

	if (rc)
		return fail(d, rc, e);
	return 0;
}

struct stmt *db_prep_once(struct db *d, const char *sql, struct err *e)
{
	struct stmt *s = xcalloc(1, sizeof *s);

	s->db = d;
	int rc = sqlite3_prepare_v2(d->h, sql, -1, &s->s, NULL);
	if (rc) {
		fail(d, rc, e);
		free(s);
		return NULL;
	}
	return s;
}

void db_finalize(struct stmt *s)
{
	if (!s)
		return;
	sqlite3_finalize(s->s);
	free(s);
}

struct stmt *db_prep(struct db *d, const char *sql, struct err *e)
{
	for (size_t i = 0; i < d->nstmt_cache; i++)
		if (d->stmt_cache[i]->sql == sql) {
			sqlite3_reset(d->stmt_cache[i]->s);
			sqlite3_clear_bindings(d->stmt_cache[i]->s);
			return d->stmt_cache[i];
		}
	struct stmt *s = db_prep_once(d, sql, e);
	if (!s)
		return NULL;
	s->sql = sql;
	d->stmt_cache = grow(d->stmt_cache, &d->cap, d->nstmt_cache + 1, sizeof(struct stmt *));
	return d->stmt_cache[d->nstmt_cache++] = s;
}

/* An empty blob, never SQL null, for a NULL pointer. */
static int bind_blob(struct stmt *s, int i, const void *p, size_t n)
{
	if (!p)
		p = "";
	return sqlite3_bind_blob64(s->s, i, p, n, SQLITE_STATIC);
}

static int bind_all(struct stmt *s, const char *letters, va_list ap)
{
	int rc = 0;

	for (int i = 1; *letters && !rc; letters++, i++) {
		const void *p;
		switch (*letters) {
		case 'i': rc = sqlite3_bind_int64(s->s, i, va_arg(ap, int64_t)); break;
		case 'f': rc = sqlite3_bind_double(s->s, i, va_arg(ap, double)); break;
		case 's':
			rc = sqlite3_bind_text(s->s, i, va_arg(ap, const char *), -1, SQLITE_TRANSIENT);
			break;
		case 'S':
			rc = sqlite3_bind_text(s->s, i, va_arg(ap, const char *), -1, SQLITE_STATIC);
			break;
		case 't':
			p = va_arg(ap, const char *);
			rc = sqlite3_bind_text64(s->s, i, p, va_arg(ap, size_t), SQLITE_STATIC, SQLITE_UTF8);
			break;
		case 'b':
			p = va_arg(ap, const void *);
			rc = bind_blob(s, i, p, va_arg(ap, size_t));
			break;
		default: rc = sqlite3_bind_null(s->s, i); break;
		}
	}
	if (rc)
		return -1;
	return 0;
}

int db_bind(struct stmt *s, const char *letters, ...)
{
	va_list ap;

	va_start(ap, letters);
	int rc = bind_all(s, letters, ap);
	va_end(ap);
	return rc;
}

int db_step(struct stmt *s, struct err *e)
{
	int rc = sqlite3_step(s->s);

	if (rc == SQLITE_ROW)
		return 1;
	if (rc == SQLITE_DONE) {
		sqlite3_reset(s->s);
		return 0;
	}
	fail(s->db, rc, e);
	sqlite3_reset(s->s);
	return -1;
}

int db_run(struct db *d, struct err *e, const char *sql, const char *letters, ...)
{
	struct stmt *s = db_prep(d, sql, e);
	va_list ap;
	int rc;

	if (!s)
		return -1;
	va_start(ap, letters);
	rc = bind_all(s, letters, ap);
	va_end(ap);
	if (rc)
		return fail(d, SQLITE_MISUSE, e);
	do
		rc = db_step(s, e);
	while (rc == 1);
	return rc;
}

int64_t db_number(struct db *d, const char *sql, struct err *e)
{
	struct stmt *s = db_prep(d, sql, e);
	int64_t n = 0;

	while (s && db_step(s, e) == 1)
		n = db_int(s, 0);
	return n;
}

int db_read_begin(struct db *d, struct err *e)
{
	return db_run(d, e, "begin", "");
}

void db_read_end(struct db *d)
{
	for (size_t i = 0; i < d->nstmt_cache; i++)
		sqlite3_reset(d->stmt_cache[i]->s);
	if (!sqlite3_get_autocommit(d->h))
		db_run(d, NULL, "rollback", "");
}

int db_copy(struct db *d, const char *path, struct err *e)
{
	struct db *to = db_open(path, DB_CREATE, e);
	int rc = 0;

	if (!to)
		return -1;
	sqlite3_backup *b = sqlite3_backup_init(to->h, "main", d->h, "main");
	if (b)
		sqlite3_backup_step(b, -1);
	if (!b || sqlite3_backup_finish(b))
		rc = fail(to, sqlite3_errcode(to->h), e);
	db_close(to);
	return rc;
}

int db_persist_wal(struct db *d, struct err *e)
{
	int rc = sqlite3_file_control(d->h, "main", SQLITE_FCNTL_PERSIST_WAL, &(int){ 1 });

	if (rc)
		return fail(d, rc, e);
	return 0;
}

const char *db_str(struct stmt *s, int col)
{
	const char *p = (const char *)sqlite3_column_text(s->s, col);

	if (!p)
		return "";
	return p;
}

int64_t db_int(struct stmt *s, int col)
{
	return sqlite3_column_int64(s->s, col);
}

const void *db_blob(struct stmt *s, int col, size_t *n)
{
	const void *p = sqlite3_column_blob(s->s, col);

	*n = (size_t)sqlite3_column_bytes(s->s, col);
	return p;
}

int db_null(struct stmt *s, int col)
{
	return sqlite3_column_type(s->s, col) == SQLITE_NULL;
}

const char *db_copy_text(struct stmt *s, int col, struct arena *a)
{
	if (db_null(s, col))
		return NULL;
	return arena_str(a, db_str(s, col));
}

int64_t db_last_id(struct db *d)
{
	return sqlite3_last_insert_rowid(d->h);
}

int64_t db_changes(struct db *d)
{
	return sqlite3_changes64(d->h);
}

int64_t db_total_changes(struct db *d)
{
	return sqlite3_total_changes64(d->h);
}

uint64_t db_data_version(struct db *d)
{
	unsigned others = 0;

	sqlite3_file_control(d->h, "main", SQLITE_FCNTL_DATA_VERSION, &others);
	return (uint64_t)others << 40 ^ (uint64_t)sqlite3_total_changes64(d->h);
}

bool db_must_stop(const struct db *d)
{
	if (d->cancelled && *d->cancelled)
		return true;
	return d->deadline && clock_ms() > d->deadline;
}

/* SQLite calls it while a statement runs, and interrupts the statement if it returns 1. */
static int must_stop(void *arg)
{
	return db_must_stop(arg);
}

void db_set_interrupt(struct db *d, const atomic_int *cancelled, int64_t deadline_ms)
{
	int steps = 0;		/* 0 = never call must_stop */

	if (cancelled || deadline_ms)
		steps = 1000;
	d->cancelled = cancelled;
	d->deadline = deadline_ms;
	sqlite3_progress_handler(d->h, steps, must_stop, d);
}
