/* What others write to a shared registry, and what was there before. */
#include "coordinator/registry/replication_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/db/db.h"
#include "proto/net/crypto.h"

enum { AGAIN_MS = 300, WRONG_MS = 5000 };

/* The key that has the name of the registry. */
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

static int apply(struct replication *s, const struct etcd_kv *v, size_t n, int64_t whole,
    int64_t rev, struct err *e)
{
	struct db *db = registry_begin_untracked(s->r, e);

	if (!db)
		return -1;
	int rc = registry_end(s->r,
	    shared_tables_apply(s->tables, db, v, n, whole, &s->pending_changes, s->pending_arena, e),
	    e);
	if (!rc) {
		pthread_mutex_lock(&s->lock);
		if (rev > s->seen || whole)
			s->seen = rev;
		s->loaded |= whole > 0;
		pthread_cond_broadcast(&s->wake);
		pthread_mutex_unlock(&s->lock);
	}
	return rc;
}

static int other_registry(struct err *e, const char *why)
{
	err_set(e, ERR_INVALID_INPUT, "--registry: the file registry.db in --data %s", why);
	return err_hint(e,
	    "`atoll registry export FILE --data DIR`; start with another --data; then `atoll registry import FILE`.");
}

/* Whose copy the file is; "": nobody's. */
static int get_copy_of(struct db *db, char out[80], struct err *e)
{
	struct stmt *q = db_prep(db, "select registry from copy_of", e);
	int rc = q ? 0 : -1;

	*out = 0;
	while (!rc && (rc = db_step(q, e)) == 1) {
		snprintf(out, 80, "%s", db_str(q, 0));
		rc = 0;
	}
	return rc;
}

/*
 * Whether what is in the file may be replaced by the registry of that name (NULL: there is none
 * yet); it is a copy of it then.
 */
static int check_file(struct replication *s, struct db *db, const char *name, struct err *e)
{
	char was[80];
	bool any = false;

	if (get_copy_of(db, was, e))
		return -1;
	if (*was && !name)
		return other_registry(e, "is a copy of a registry that is not there any more");
	if (*was && strcmp(was, name))
		return other_registry(e, "is a copy of another registry");
	if (!*was && (shared_tables_have_rows(s->tables, db, &any, e) || any)) {
		if (any)
			return other_registry(e, "has a registry of its own");
		return -1;
	}
	if (*was || !name)
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
 * A registry has a name of its own: an etcd that has lost everything, or another one, cannot be
 * taken for it.
 */
static int create_identity(struct replication *s, struct err *e)
{
	const struct etcd_guard none = { ETCD_REV_IS, IDENTITY, 0 };
	char random[33];
	int64_t rev;
	bool unsent;

	crypto_random_hex(random, 16);
	if (etcd_txn(s->etcd, &none, 1, &(struct etcd_kv){ IDENTITY, random, 0 }, 1, 0, &rev, &unsent,
	        e) < 0)
		return -1;
	return 0;
}

/* All that there is; `*name` NULL: a registry was not made there yet. */
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
		if (create_identity(s, e) || get_all(s, &v, &n, &rev, &name, a, e))
			rc = -1;
		else
			rc = 0;
	}
	if (!rc)
		rc = apply(s, v, n, rev, rev, e);
	report_changes(s);
	if (!rc)
		log_info("registry.loaded", "etcd=%s revision=%lld keys=%zu",
		    log_quote(etcd_addresses(s->etcd)), (long long)rev, n);
	if (!rc)
		replication_wake_lease(s);
	arena_free(a);
	return rc;
}

static void on_events(void *arg, const struct etcd_kv *v, size_t n, int64_t rev)
{
	struct replication *s = arg;
	struct err e = { 0 };

	if (!n)			/* what came together is told together: of 1,000 shards that join, too */
		report_changes(s);
	if (!n || !apply(s, v, n, 0, rev, &e))
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
		int rc = loaded ? etcd_watch(s->etcd, seen + 1, on_events, s, &s->cancel_watch, &e) :
		                  replication_load(s, &e);
		if (rc && e.code == ERR_NOT_FOUND)	/* it is compacted */
			replication_mark_stale(s);
		if (atomic_load(&s->cancel_watch) || (!rc && !loaded))
			continue;
		if (rc)
			log_debug("registry.watch_failed", "message=%s", log_quote(e.msg));
		if (rc && e.code != ERR_UNAVAILABLE)
			replication_set_ready(s, false, e.msg);
		/* also where it was just ended there: whoever does that may do so again at once */
		replication_sleep(s, !rc || e.code == ERR_UNAVAILABLE ? AGAIN_MS : WRONG_MS, false);
	}
	return NULL;
}
