#ifndef PROTO_BASE_DB_OWN_H
#define PROTO_BASE_DB_OWN_H
/* What the files of db share.  The one includer of sqlite3.h. */

#define SQLITE_ENABLE_SESSION		/* db_changes.c; Debian builds it in */
#define SQLITE_ENABLE_PREUPDATE_HOOK
#include <sqlite3.h>

#include "proto/base/db.h"

struct db {
	sqlite3 *h;
	char *path;
	struct stmt **kept;
	size_t nkept, cap;
	const atomic_int *cancelled;
	int64_t deadline;
};
#endif
