#include "coordinator/registry/registry_internal.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/db/db.h"
#include "proto/db/db_changes.h"
#include "proto/net/crypto.h"
#include "proto/process/directory.h"
#include "proto/process/embedded.h"

enum { NAME_MAX_LEN = 64, TRIES = 8 };

/* The lock file holds the owner's process id, for the message to the second one. */
static int lock_dir(struct registry *r, const char *dir, struct err *e)
{
	char path[4200], pid[32] = "";

	snprintf(path, sizeof path, "%s/coordinator.lock", dir);
	r->lock_fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (r->lock_fd < 0)
		return err_set(e, ERR_INVALID_INPUT, "--data: %s: %s", path, strerror(errno));
	if (flock(r->lock_fd, LOCK_EX | LOCK_NB)) {
		ssize_t n = read(r->lock_fd, pid, sizeof pid - 1);
		pid[MAX(n, 0)] = 0;
		err_set(e, ERR_UNAVAILABLE, "another coordinator runs on --data %s (process %s)", dir, pid);
		return err_hint(e, "Stop it, or choose another --data.");
	}
	int n = snprintf(pid, sizeof pid, "%ld", (long)getpid());
	if (ftruncate(r->lock_fd, 0) || pwrite(r->lock_fd, pid, (size_t)n, 0) != n)
		return err_set(e, ERR_INVALID_INPUT, "--data: %s: %s", path, strerror(errno));
	return 0;
}

/* Locks the folder.  Files from an older version, or restored by hand, may be world-readable. */
static int take_folder(struct registry *r, const char *dir, struct err *e)
{
	if (directory_create_private(dir, "--data", e) || lock_dir(r, dir, e))
		return -1;
	directory_restrict_files(dir, "registry.db*");
	directory_restrict_files(dir, "coordinator.lock");
	return 0;
}

static int version_get(struct db *db, int64_t *v, struct err *e)
{
	struct stmt *s = db_prep(db, "pragma user_version", e);

	if (!s || db_step(s, e) != 1)
		return -1;
	*v = db_int(s, 0);
	return db_step(s, e);
}

/*
 * Applies the files schema/0001.sql, 0002.sql, …, each in its own transaction.  user_version counts
 * the applied ones.
 */
static int migrate(struct db *db, struct err *e)
{
	int64_t have, last = 0;
	char name[64], done[64];

	if (version_get(db, &have, e))
		return -1;
	for (;; last++) {
		snprintf(name, sizeof name, "coordinator/schema/%04d.sql", (int)last + 1);
		const char *sql = embedded_contents(name);
		if (!sql)
			break;
		if (last < have)
			continue;
		snprintf(done, sizeof done, "pragma user_version = %d", (int)last + 1);
		if (db_exec(db, "begin immediate", e) || db_exec(db, sql, e) || db_exec(db, done, e) ||
		    db_exec(db, "commit", e))
			return err_add(e, "%s", name);
	}
	if (have > last) {
		err_set(e, ERR_SCHEMA_MISMATCH,
		    "the registry has schema %d, this program supports up to %d", (int)have, (int)last);
		return err_hint(e, "Start the newer atoll-coordinator, or choose another --data.");
	}
	return 0;
}

static int read_scope(struct registry *r, int64_t *scope, struct err *e)
{
	struct stmt *s = db_prep(r->db, "select version from scope", e);

	if (!s || db_step(s, e) != 1)
		return -1;
	*scope = db_int(s, 0);
	return db_step(s, e);
}

static struct registry *new_registry(void)
{
	struct registry *r = xcalloc(1, sizeof *r);

	r->lock_fd = -1;
	pthread_mutex_init(&r->lock, NULL);
	pthread_mutex_init(&r->read_lock, NULL);
	pthread_mutex_init(&r->view_lock, NULL);
	return r;
}

static int open_writer(struct registry *r, const char *path, struct err *e)
{
	r->db = db_open(path, DB_CREATE, e);
	if (!r->db)
		return -1;
	if (*path && db_exec(r->db, "pragma journal_mode = wal; pragma synchronous = normal", e))
		return -1;
	if (migrate(r->db, e))
		return -1;
	return db_exec(r->db, "pragma foreign_keys = on", e);
}

static int open_files(struct registry *r, const char *dir, struct err *e)
{
	char path[4200];

	snprintf(path, sizeof path, "%.4100s/registry.db", dir);
	int64_t scope;
	if (take_folder(r, dir, e) || open_writer(r, path, e) || read_scope(r, &scope, e))
		return -1;
	r->scope = scope;
	r->reader = db_open(path, DB_READ, e);
	if (!r->reader)
		return -1;
	r->snapshot_db = db_open(path, DB_READ, e);
	return r->snapshot_db ? 0 : -1;
}

struct registry *registry_open(const char *dir, struct err *e)
{
	struct registry *r = new_registry();
	char random[9];

	crypto_random_hex(random, 4);
	snprintf(r->self, sizeof r->self, "%ld-%s", (long)getpid(), random);
	if (!open_files(r, dir, e))
		return r;
	if (e && e->code == ERR_DB_ERROR)	/* unlike an index, a registry cannot be rebuilt */
		err_hint(e,
		    "Check the disk, restore registry.db from a backup (deploy/README.md, Backup),"
		    " or choose another --data.");
	registry_close(r);
	return NULL;
}

struct registry *registry_open_temporary(struct err *e)
{
	struct registry *r = new_registry();

	if (!open_writer(r, "", e))
		return r;
	registry_close(r);
	return NULL;
}

void registry_close(struct registry *r)
{
	if (!r)
		return;
	replication_close(r->sharing);
	groups_cache_free(r->groups);
	db_close(r->reader);
	db_close(r->snapshot_db);
	db_close(r->db);
	arena_free(r->tables_arena);
	if (r->lock_fd >= 0)
		close(r->lock_fd);
	pthread_mutex_destroy(&r->view_lock);
	pthread_mutex_destroy(&r->read_lock);
	pthread_mutex_destroy(&r->lock);
	free(r);
}

/* Call with the lock held. */
static int begin(struct registry *r, const char *sql, struct err *e)
{
	if (r->sharing) {
		r->changes = replication_begin(r->sharing, e);
		if (!r->changes)
			return -1;
	}
	if (!db_exec(r->db, sql, e))
		return 0;
	db_changes_end(r->changes);
	r->changes = NULL;
	return -1;
}

struct db *registry_begin(struct registry *r, struct err *e)
{
	pthread_mutex_lock(&r->lock);
	if (!begin(r, "begin", e))
		return r->db;
	pthread_mutex_unlock(&r->lock);
	return NULL;
}

const struct shared_tables *registry_tables(struct registry *r, struct err *e)
{
	struct shared_tables tables = { 0 };

	if (r->tables.n)
		return &r->tables;
	if (!r->tables_arena)
		r->tables_arena = arena_new();
	if (shared_tables_open(&tables, r->db, r->tables_arena, e))
		return NULL;
	r->tables = tables;
	return &r->tables;
}

struct db *registry_begin_untracked(struct registry *r, struct err *e)
{
	pthread_mutex_lock(&r->lock);
	if (!db_exec(r->db, "begin", e))
		return r->db;
	pthread_mutex_unlock(&r->lock);
	return NULL;
}

struct db *registry_begin_durable(struct registry *r, struct err *e)
{
	pthread_mutex_lock(&r->lock);
	r->durable = true;
	if (!begin(r, "pragma synchronous = full; begin", e))
		return r->db;
	db_exec(r->db, "pragma synchronous = normal", NULL);
	r->durable = false;
	pthread_mutex_unlock(&r->lock);
	return NULL;
}

static int commit(struct registry *r, struct err *e)
{
	int rc = 0;

	if (r->changes)
		rc = replication_commit(r->sharing, r->changes, e);
	if (rc)
		return rc;
	rc = db_exec(r->db, "commit", e);
	if (rc && r->changes)
		replication_mark_stale(r->sharing);
	return rc;
}

int registry_end(struct registry *r, int rc, struct err *e)
{
	int64_t scope = 0;

	if (!rc)
		rc = read_scope(r, &scope, e);	/* before the commit, after which nothing may fail */
	if (!rc)
		rc = commit(r, e);
	db_changes_end(r->changes);
	r->changes = NULL;
	if (!rc)
		r->scope = scope;
	else
		db_exec(r->db, "rollback", NULL);
	if (r->durable)
		db_exec(r->db, "pragma synchronous = normal", NULL);
	r->durable = false;
	if (r->writes != db_total_changes(r->db)) {
		r->writes = db_total_changes(r->db);
		atomic_fetch_add(&r->version, 1);
	}
	pthread_mutex_unlock(&r->lock);
	return rc;
}

uint64_t registry_version(struct registry *r)
{
	return atomic_load(&r->version);
}

bool registry_retry(struct registry *r, int rc, int *tries, struct err *e)
{
	if (rc != REGISTRY_CONFLICT || ++*tries >= TRIES)
		return false;
	replication_wait_conflict(r->sharing);
	if (e)
		*e = (struct err){ 0 };
	return true;
}

struct db *registry_read_begin(struct registry *r)
{
	pthread_mutex_lock(&r->read_lock);
	return r->reader;
}

int registry_read_end(struct registry *r, int rc)
{
	pthread_mutex_unlock(&r->read_lock);
	return rc;
}

struct db *registry_snapshot_begin(struct registry *r, struct err *e)
{
	if (!r->snapshot_db)
		return registry_begin(r, e);
	pthread_mutex_lock(&r->view_lock);
	if (!db_read_begin(r->snapshot_db, e))
		return r->snapshot_db;
	pthread_mutex_unlock(&r->view_lock);
	return NULL;
}

int registry_snapshot_end(struct registry *r, int rc)
{
	if (!r->snapshot_db)
		return registry_end(r, rc, NULL);
	db_read_end(r->snapshot_db);
	pthread_mutex_unlock(&r->view_lock);
	return rc;
}

int64_t registry_scope_version(struct registry *r)
{
	return r->scope;
}

int registry_check_name(const char *field, const char *name, struct err *e)
{
	size_t n = 0;

	while (isalnum((unsigned char)name[n]) || (name[n] && strchr("_-.", name[n])))
		n++;
	bool valid = !name[n];
	if (valid && n && n <= NAME_MAX_LEN)
		return 0;
	return err_set(e, ERR_INVALID_INPUT,
	    "`%s`: `%.80s` is not a valid name: use letters, digits, `_`, `-`, `.`; at most %d", field,
	    name, NAME_MAX_LEN);
}

int registry_strings(struct stmt *s, t_strs *out, struct arena *a, struct err *e)
{
	const char **v = NULL;
	size_t n = 0, cap = 0;
	int rc;

	while ((rc = db_step(s, e)) == 1) {
		v = grow(v, &cap, n + 1, sizeof *v);
		v[n++] = arena_str(a, db_str(s, 0));
	}
	out->v = arena_many(a, n, const char *);
	out->n = n;
	if (n)
		memcpy(out->v, v, n * sizeof *v);
	free(v);
	return rc;
}
