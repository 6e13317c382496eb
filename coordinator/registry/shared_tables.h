#ifndef COORDINATOR_REGISTRY_SHARED_TABLES_H
#define COORDINATOR_REGISTRY_SHARED_TABLES_H
/*
 * Maps rows of shared tables (shared_tables.def) to etcd keys and values, and back.  No I/O except
 * the database.  A key is TABLE/COLUMN/COLUMN with % and / written as %25 and %2F; a value is the
 * row as JSON.  A row with a unique value also has a key unique/TABLE.NAME/VALUE, whose value is
 * the row's key.  `revs`, a temporary table, has the revision of every key.
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
	int at[4], rowid_at;		/* column numbers of the keys and the rowid */
	size_t nkeys;
};

struct shared_tables {
	struct shared_table *v;
	size_t n;
	const char **names;
};

/* Prepare all shared tables for a database, and create its `revs`. */
int shared_tables_open(struct shared_tables *, struct db *, struct arena *, struct err *);

/* The etcd transaction that makes a local transaction visible to the other coordinators. */
struct shared_txn {
	struct etcd_kv *ops;		/* `rev`: the known revision; 0 = the key does not exist */
	size_t nops;
	struct etcd_guard *guards;	/* in addition to the revisions of ops */
	size_t nguards;
};

/*
 * Build it from the changes since db_changes_begin.  `seen` is the last revision that has been
 * applied here.
 */
int shared_tables_collect(const struct shared_tables *, struct db *, struct db_changes *,
    int64_t seen, struct shared_txn *, struct arena *, struct err *);

/* Record that etcd has committed it at this revision. */
int shared_tables_confirm(struct db *, const struct shared_txn *, int64_t rev, struct err *);

/* What shared_tables_apply has changed.  The caller frees the arrays, but not their strings. */
struct shared_changes {
	uint64_t tables;		/* bit i: the i-th table of shared_tables.def */
	const char **repos;		/* deleted repositories */
	size_t nrepos, cap;
	struct removed_endpoint {
		const char *repo_uri, *replica;
	} *endpoints;			/* deleted endpoints */
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
 * Apply rows written by other coordinators, within a transaction.  Rows that cannot be written
 * (a parent is missing, a newer version wrote them) are skipped and logged.  If `whole` is not 0,
 * the rows are everything that existed at that revision, and all others are deleted.
 */
int shared_tables_apply(const struct shared_tables *, struct db *, const struct etcd_kv *, size_t n,
    int64_t whole, struct shared_changes *, struct arena *, struct err *);

/*
 * Forget the revisions of all keys, within a transaction: etcd counts from an earlier one again, so
 * they say nothing about what is newer.
 */
int shared_revisions_forget(struct db *, struct err *);

/* Whether any exported table has rows. */
int shared_tables_have_rows(const struct shared_tables *, struct db *, bool *any, struct err *);
#endif
