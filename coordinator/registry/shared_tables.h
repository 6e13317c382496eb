#ifndef COORDINATOR_REGISTRY_SHARED_TABLES_H
#define COORDINATOR_REGISTRY_SHARED_TABLES_H
/*
 * Rows of shared tables (shared_tables.def) as keys with values, and back: pure but for the
 * database.  A key is TABLE/COLUMN/COLUMN with % and / written %25 and %2F; a value is the row as
 * JSON.  What is only one of its kind has a key UNIQUE/TABLE.NAME/VALUE besides, whose value is
 * the row's.  `revs`, a table in memory, has the revision of every key.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "coordinator/registry/etcd/etcd.h"

struct arena;
struct db;
struct db_changes;
struct err;

enum shared_table_class { TABLE_EXPORTED, TABLE_SECRET, TABLE_LEASED };

struct shared_table {
	const char *name, *rowid, *keys[4];
	const char *rows;
	enum shared_table_class table_class;
	const char *by_key, *by_rowid, *all, *sorted, *put, *drop;	/* statements */
	const char *unique[3], *unique_name[3];
	bool column[64];		/* which of the table's columns are shared */
	int at[4], rowid_at;		/* where the keys and the rowid stand */
	size_t nkeys;
};

/* All of them, ready for this database, which also gets its `revs`. */
struct shared_tables {
	struct shared_table *v;
	size_t n;
	const char **names;
};

int shared_tables_open(struct shared_tables *, struct db *, struct arena *, struct err *);

/*
 * What a transaction has to do elsewhere so that the others have it too, and what must hold for
 * that.
 */
struct shared_txn {
	struct etcd_kv *ops;		/* `rev`: as known here; 0: not there */
	size_t nops;
	struct etcd_guard *guards;	/* beside the revisions of ops */
	size_t nguards;
};

/*
 * Of the changes since db_changes_begin.  `seen`: the revision up to which everything is known
 * here.
 */
int shared_tables_collect(const struct shared_tables *, struct db *, struct db_changes *,
    int64_t seen, struct shared_txn *, struct arena *, struct err *);

/* It happened elsewhere, at this revision. */
int shared_tables_confirm(struct db *, const struct shared_txn *, int64_t rev, struct err *);

/* What applying has changed here. */
struct shared_changes {
	uint64_t tables;		/* bit i: the i-th of shared_tables.def */
	const char **repos;		/* repositories that are gone; to be freed, the names are not */
	size_t nrepos, cap;
	struct removed_endpoint {
		const char *repo_uri, *replica;
	} *endpoints;			/* that are gone; the same */
	size_t nendpoints, cap_endpoints;
};
enum {
#define SHARED(name, ...) SHARED_##name,
#define PARENT(...)
#define UNIQUE(...)
#include "coordinator/registry/shared_tables.def"
	SHARED_TABLES
};

/*
 * Take what others have done into the database, in its transaction.  Rows that cannot be (their
 * parents are missing, a newer program's words) are left out, and logged.  `whole` is 0, or: these
 * are all that there was at that revision, so others go.
 */
int shared_tables_apply(const struct shared_tables *, struct db *, const struct etcd_kv *, size_t n,
    int64_t whole, struct shared_changes *, struct arena *, struct err *);

/* Whether a table that goes into an export has rows. */
int shared_tables_have_rows(const struct shared_tables *, struct db *, bool *any, struct err *);
#endif
