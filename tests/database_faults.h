#ifndef TESTS_DATABASE_FAULTS_H
#define TESTS_DATABASE_FAULTS_H
/* Lets the n-th statement of the program fail, when it is prepared or stepped. */
#include <dlfcn.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static int fault_after; /* so many calls succeed before one fails; negative: all do */
static bool fault_happened;

#define NEXT_SQLITE(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* What ends a transaction of which nothing is expected any more, and settings, never fail. */
static inline bool fault_now(const char *sql)
{
	static const char *const safe[] = { "rollback", "end", "pragma", "PRAGMA" };

	for (size_t i = 0; sql && i < sizeof safe / sizeof *safe; i++)
		if (!strncmp(sql, safe[i], strlen(safe[i])))
			return false;
	if (fault_after < 0 || fault_after-- > 0)
		return false;
	fault_happened = true;
	return true;
}

int sqlite3_step(sqlite3_stmt *s)
{
	if (fault_now(sqlite3_sql(s)))
		return SQLITE_IOERR;
	return NEXT_SQLITE(sqlite3_step)(s);
}

int sqlite3_prepare_v2(sqlite3 *db, const char *sql, int n, sqlite3_stmt **out, const char **tail)
{
	if (fault_now(sql)) {
		*out = NULL;
		return SQLITE_IOERR;
	}
	return NEXT_SQLITE(sqlite3_prepare_v2)(db, sql, n, out, tail);
}

int sqlite3_exec(
    sqlite3 *db, const char *sql, int (*each)(void *, int, char **, char **), void *arg, char **msg)
{
	if (fault_now(sql))
		return SQLITE_IOERR;
	int left = fault_after;
	fault_after = -1; /* it steps, too */
	int rc = NEXT_SQLITE(sqlite3_exec)(db, sql, each, arg, msg);
	fault_after = left;
	return rc;
}

/* Before a call: its n-th statement, from 0, is to fail. */
static inline void fault_at(int n)
{
	fault_happened = false;
	fault_after = n;
}

/* Behind the call: whether a statement failed. */
static inline bool fault_end(void)
{
	fault_after = -1;
	return fault_happened;
}
#endif
