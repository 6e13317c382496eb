/* Loads a shared registry into the copy, and applies what other coordinators write. */
#include "coordinator/registry/replication_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/base/minmax.h"
#include "proto/db/db.h"
#include "proto/net/crypto.h"

enum { AGAIN_MS = 300, WRONG_MS = 5000 };

/* The key whose value identifies the registry. */
#define IDENTITY "registry"

static void report_changes(struct replication *s)
{
	if (s->pending_changes.tables & (1 << SHARED_leaders))
		replication_wake_lease(s);
	pthread_mutex_lock(&s->news_lock);
	if (s->news && s->pending_changes.tables)
		s->news(s->ctx, &s->pending_changes);
	pthread_mutex_unlock(&s->news_lock);
	free(s->pending_changes.repos);
	free(s->pending_changes.endpoints);
	s->pending_changes = (struct shared_changes){ 0 };
	arena_reset(s->pending_arena);
}

/* Whether this complete read is older than what was applied: etcd was restored from a backup. */
static bool is_restored(struct replication *s, int64_t whole)
{
	pthread_mutex_lock(&s->lock);
	bool restored = whole && whole < s->seen;
	pthread_mutex_unlock(&s->lock);
	return restored;
}

static int apply_rows(struct replication *s, struct db *db, const struct etcd_kv *v, size_t n,
    int64_t whole, struct err *e)
{
	if (is_restored(s, whole) && shared_revisions_forget(db, e))
		return -1;
	return shared_tables_apply(
	    s->tables, db, v, n, whole, &s->pending_changes, s->pending_arena, e);
}

static int apply(struct replication *s, const struct etcd_kv *v, size_t n, int64_t whole,
    int64_t rev, struct err *e)
{
	struct db *db = registry_begin_untracked(s->r, e);

	if (!db)
		return -1;
	int rc = registry_end(s->r, apply_rows(s, db, v, n, whole, e), e);
	if (rc)
		return rc;
	pthread_mutex_lock(&s->lock);
	if (rev > s->seen || whole)
		s->seen = rev;
	if (whole)
		s->loaded = true;
	pthread_cond_broadcast(&s->wake);
	pthread_mutex_unlock(&s->lock);
	return 0;
}

static int other_registry(struct err *e, const char *why)
{
	err_set(e, ERR_INVALID_INPUT, "--registry: the file registry.db in --data %s", why);
	return err_hint(e,
	    "Run `atoll registry export FILE --data DIR`, start with another --data,"
	    " then run `atoll registry import FILE`.");
}

/* The identity of the registry that the file is a copy of; empty if it is not a copy. */
static int get_copy_of(struct db *db, char out[80], struct err *e)
{
	struct stmt *q = db_prep(db, "select registry from copy_of", e);
	int rc;

	*out = 0;
	if (!q)
		return -1;
	while ((rc = db_step(q, e)) == 1)
		snprintf(out, 80, "%s", db_str(q, 0));
	return rc;
}

/*
 * Checks that the registry called `name` may replace the contents of the file, and marks the file
 * as its copy.  `name` is NULL if the registry does not exist yet.
 */
static int check_file(struct replication *s, struct db *db, const char *name, struct err *e)
{
	char was[80];
	bool any;

	if (get_copy_of(db, was, e))
		return -1;
	if (*was) {
		if (!name)
			return other_registry(e, "is a copy of a registry that no longer exists");
		if (strcmp(was, name))
			return other_registry(e, "is a copy of another registry");
		return 0;
	}
	if (shared_tables_have_rows(s->tables, db, &any, e))
		return -1;
	if (any)
		return other_registry(e, "has a registry of its own");
	if (!name)
		return 0;
	return db_run(db, e, "insert into copy_of (registry) values (?)", "s", name);
}

static int check_copy(struct replication *s, const char *name, struct err *e)
{
	struct db *db = registry_begin_untracked(s->r, e);

	if (db)
		return registry_end(s->r, check_file(s, db, name, e), e);
	return -1;
}

/*
 * Gives the registry an identity, unless it has one.  An etcd that has lost its data, or another
 * etcd, thus cannot be mistaken for it.
 */
static int create_identity(struct replication *s, struct err *e)
{
	const struct etcd_guard none = { ETCD_REV_IS, IDENTITY, 0 };
	char random[33];
	int64_t rev;
	bool unsent;

	crypto_random_hex(random, 16);
	const struct etcd_kv op = { IDENTITY, random, 0 };
	int rc = etcd_txn(s->etcd, &none, 1, &op, 1, 0, &rev, &unsent, e);
	return MIN(rc, 0);
}

/* Reads all rows; `*name` is NULL if etcd holds no registry yet. */
static int get_all(struct replication *s, struct etcd_kv **v, size_t *n, int64_t *rev,
    const char **name, struct arena *a, struct err *e)
{
	*name = NULL;
	if (etcd_get_all(s->etcd, v, n, rev, a, e))
		return -1;
	for (size_t i = 0; i < *n; i++)
		if (!strcmp((*v)[i].key, IDENTITY))
			*name = (*v)[i].value;
	return check_copy(s, *name, e);
}

int replication_load(struct replication *s, struct err *e)
{
	struct arena *a = arena_new();
	struct etcd_kv *v;
	const char *name;
	size_t n;
	int64_t rev;
	int rc = get_all(s, &v, &n, &rev, &name, a, e);

	if (!rc && !name) {
		rc = create_identity(s, e);
		if (!rc)
			rc = get_all(s, &v, &n, &rev, &name, a, e);
	}
	if (!rc)
		rc = apply(s, v, n, rev, rev, e);
	report_changes(s);
	if (!rc) {
		log_info("registry.loaded", "etcd=%s revision=%lld keys=%zu",
		    log_quote(etcd_addresses(s->etcd)), (long long)rev, n);
		replication_wake_lease(s);
	}
	arena_free(a);
	return rc;
}

static void on_events(void *arg, const struct etcd_kv *v, size_t n, int64_t rev)
{
	struct replication *s = arg;
	struct err e = { 0 };

	if (!n) {	/* the end of a batch: report 1,000 new shards with one call */
		report_changes(s);
		return;
	}
	if (!apply(s, v, n, 0, rev, &e))
		return;
	log_error("registry.apply_failed", "message=%s", log_quote(e.msg));
	replication_mark_stale(s);
}

static bool is_loaded(struct replication *s, int64_t *seen)
{
	pthread_mutex_lock(&s->lock);
	*seen = s->seen;
	bool loaded = s->loaded;
	s->watched_endpoint = etcd_endpoint_index(s->etcd);
	pthread_mutex_unlock(&s->lock);
	return loaded;
}

void *replication_watch_thread(void *arg)
{
	struct replication *s = arg;
	int64_t seen;

	while (!replication_stopping(s)) {
		struct err e = { 0 };
		atomic_store(&s->cancel_watch, replication_stopping(s));
		bool loaded = is_loaded(s, &seen);
		int rc;
		if (loaded)
			rc = etcd_watch(s->etcd, seen + 1, on_events, s, &s->cancel_watch, &e);
		else
			rc = replication_load(s, &e);
		if (rc && e.code == ERR_NOT_FOUND)	/* the revision was compacted */
			replication_mark_stale(s);
		if (atomic_load(&s->cancel_watch) || (!rc && !loaded))
			continue;
		/* Sleep even after a normal end: a server that ends a watch may do so again at once. */
		int64_t ms = AGAIN_MS;
		if (rc)
			log_debug("registry.watch_failed", "message=%s", log_quote(e.msg));
		if (rc && e.code != ERR_UNAVAILABLE) {
			replication_set_ready(s, false, e.msg);
			ms = WRONG_MS;
		}
		replication_sleep(s, ms, false);
	}
	return NULL;
}
