#ifndef PROTO_DB_DB_INTERNAL_H
#define PROTO_DB_DB_INTERNAL_H
/* What the files of db share.  The one includer of sqlite3.h. */

#define SQLITE_ENABLE_SESSION		/* for db_changes.c; Debian's SQLite has it */
#define SQLITE_ENABLE_PREUPDATE_HOOK
#include <sqlite3.h>

#include "proto/db/db.h"

struct db {
	sqlite3 *h;
	char *path;
	struct stmt **stmt_cache;
	size_t nstmt_cache, cap;
	const atomic_int *cancelled;
	int64_t deadline;
};
#endif
