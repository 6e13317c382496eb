#include "coordinator/registry/replication_internal.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/base/minmax.h"
#include "proto/db/db_changes.h"

enum {
	/* etcd accepts 128 operations in a transaction; each row has up to three guards */
	ROWS_PER_PART = 40,
	WHOLE_MAX = 120,	/* rows and guards of a transaction that is not split */
	CONFLICT_WAIT_MS = 100,
};

/* ---- state ---- */

void replication_set_ready(struct replication *s, bool ready, const char *why)
{
	pthread_mutex_lock(&s->lock);
	if (s->ready != ready) {
		enum log_level level = LOG_WARN;
		const char *event = "registry.unavailable";
		if (ready) {
			level = LOG_INFO;
			event = "registry.ready";
		}
		s->since = clock_ms();
		log_at(level, event, "etcd=%s revision=%lld message=%s", log_quote(etcd_addresses(s->etcd)),
		    (long long)s->seen, log_quote(why));
	}
	s->ready = ready;
	snprintf(s->message, sizeof s->message, "%s", why);
	pthread_mutex_unlock(&s->lock);
}

bool replication_is_ready(struct replication *s)
{
	pthread_mutex_lock(&s->lock);
	bool ready = s->ready && s->loaded;
	pthread_mutex_unlock(&s->lock);
	return ready;
}

bool replication_stopping(struct replication *s)
{
	pthread_mutex_lock(&s->lock);
	bool stop = s->stopping;
	pthread_mutex_unlock(&s->lock);
	return stop;
}

void replication_wake_lease(struct replication *s)
{
	pthread_mutex_lock(&s->lock);
	s->wake_lease = true;
	pthread_cond_broadcast(&s->wake);
	pthread_mutex_unlock(&s->lock);
}

void replication_sleep(struct replication *s, int64_t ms, bool lease_thread)
{
	int64_t until = clock_ms() + ms;
	struct timespec t = { until / 1000, until % 1000 * 1000000 };

	pthread_mutex_lock(&s->lock);
	while (!s->stopping && clock_ms() < until) {
		if (lease_thread && s->wake_lease)
			break;
		pthread_cond_timedwait(&s->wake, &s->lock, &t);
	}
	if (lease_thread)
		s->wake_lease = false;
	pthread_mutex_unlock(&s->lock);
}

/* ---- writes of this coordinator ---- */

struct db_changes *replication_begin(struct replication *s, struct err *e)
{
	return db_changes_begin(s->r->db, s->tables->names, s->tables->n, e);
}

static int away(struct replication *s, const char *why, struct err *e)
{
	err_set(e, ERR_UNAVAILABLE,
	    "registry: etcd at %.100s does not answer; changes are not possible until it does%s%.80s",
	    etcd_addresses(s->etcd), *why ? ": " : "", why);
	return err_hint(e, "Reads still work. Try again later; `atoll doctor` shows the state.");
}

static int commit_part(struct replication *s, struct shared_txn *t, const struct etcd_guard *more,
    size_t nmore, struct err *e)
{
	struct etcd_guard *guards = xmalloc((t->nops + nmore + 1) * sizeof *guards);
	size_t n = 0;
	int64_t rev = 0;
	bool unsent;

	for (size_t i = 0; i < t->nops; i++)
		guards[n++] = (struct etcd_guard){ ETCD_REV_IS, t->ops[i].key, t->ops[i].rev };
	for (size_t i = 0; i < nmore; i++)
		guards[n++] = more[i];
	int rc = etcd_txn(s->etcd, guards, n, t->ops, t->nops, 0, &rev, &unsent, e);
	free(guards);
	pthread_mutex_lock(&s->lock);
	if (rc > 0) {
		s->commits++;
	} else if (rc < 0) {
		s->failures++;
	} else {
		s->conflicts++;
		s->conflict_revision = rev;
	}
	pthread_mutex_unlock(&s->lock);
	if (rc < 0)
		return -1;
	if (!rc)
		return REGISTRY_CONFLICT;
	return shared_tables_confirm(s->r->db, t, rev, e);
}

/*
 * Commits everything at once, or in parts when it is too much.  Each part is consistent by itself;
 * repeating the call after an error completes it.
 */
static int commit_all(struct replication *s, const struct shared_txn *t, struct err *e)
{
	size_t size = t->nops;
	if (t->nops + t->nguards > WHOLE_MAX)
		size = ROWS_PER_PART;
	size_t parts = (t->nops + size - 1) / size;
	size_t guards = (t->nguards + parts - 1) / parts;
	int rc = 0;

	for (size_t i = 0; i < parts && !rc; i++) {
		size_t first = i * size, guard = MIN(i * guards, t->nguards);
		struct shared_txn one = { t->ops + first, MIN(t->nops - first, size), NULL, 0 };
		rc = commit_part(s, &one, t->guards + guard, MIN(t->nguards - guard, guards), e);
	}
	return rc;
}

static int commit_shared(struct replication *s, const struct shared_txn *t, struct err *e)
{
	struct err oops = { 0 };

	if (!t->nops)
		return 0;
	if (!replication_is_ready(s))
		return away(s, "", e);
	int rc = commit_all(s, t, &oops);
	if (rc == REGISTRY_CONFLICT) {
		err_set(e, ERR_UNAVAILABLE,
		    "registry: another coordinator changed the same rows at the same time; try again");
	} else if (rc && oops.code == ERR_UNAVAILABLE) {
		replication_set_ready(s, false, oops.msg);
		replication_wake_lease(s);
		away(s, oops.msg, e);
	} else if (rc && oops.code && e) {
		*e = oops;
	}
	return rc;
}

int replication_commit(struct replication *s, struct db_changes *changes, struct err *e)
{
	struct shared_txn t;

	if (!db_changes_any(changes))
		return 0;
	struct arena *a = arena_new();
	pthread_mutex_lock(&s->lock);
	int64_t seen = s->seen;
	pthread_mutex_unlock(&s->lock);
	int rc = shared_tables_collect(s->tables, s->r->db, changes, seen, &t, a, e);
	if (!rc)
		rc = commit_shared(s, &t, e);
	arena_free(a);
	return rc;
}

void replication_mark_stale(struct replication *s)
{
	pthread_mutex_lock(&s->lock);
	s->loaded = false;
	atomic_store(&s->cancel_watch, true);
	pthread_mutex_unlock(&s->lock);
}

void replication_wait_conflict(struct replication *s)
{
	int64_t until = clock_ms() + CONFLICT_WAIT_MS;
	struct timespec t = { until / 1000, until % 1000 * 1000000 };

	pthread_mutex_lock(&s->lock);
	while (!s->stopping && s->seen < s->conflict_revision && clock_ms() < until)
		pthread_cond_timedwait(&s->wake, &s->lock, &t);
	pthread_mutex_unlock(&s->lock);
}

/* ---- opening and closing ---- */

/* The first load.  An etcd that does not answer is not an error: the threads try again. */
static int load_first(struct replication *s, struct err *e)
{
	struct err oops = { 0 };

	if (!replication_load(s, &oops)) {
		replication_renew_lease(s);
		return 0;
	}
	if (oops.code != ERR_UNAVAILABLE) {
		*e = oops;
		return -1;
	}
	log_warn("registry.unavailable", "etcd=%s message=%s", log_quote(etcd_addresses(s->etcd)),
	    log_quote(oops.msg));
	snprintf(s->message, sizeof s->message, "%s", oops.msg);
	return 0;
}

static int start_threads(struct replication *s, struct err *e)
{
	if (pthread_create(&s->watcher, NULL, replication_watch_thread, s))
		return err_set(e, ERR_INTERNAL, "cannot start a thread for the registry");
	if (pthread_create(&s->lease_thread, NULL, replication_lease_thread, s)) {
		pthread_mutex_lock(&s->lock);
		s->stopping = true;
		pthread_mutex_unlock(&s->lock);
		atomic_store(&s->cancel_watch, true);
		pthread_join(s->watcher, NULL);
		return err_set(e, ERR_INTERNAL, "cannot start a thread for the registry");
	}
	s->threads = true;
	return 0;
}

static int open_all(struct replication *s, struct err *e)
{
	pthread_mutex_lock(&s->r->lock);
	s->tables = registry_tables(s->r, e);
	pthread_mutex_unlock(&s->r->lock);
	if (!s->tables)
		return -1;
	s->etcd = etcd_new(&s->o.etcd, e);
	if (!s->etcd)
		return -1;
	if (load_first(s, e))
		return -1;
	return start_threads(s, e);
}

int registry_replicate(struct registry *r, const struct replication_options *o, struct err *e)
{
	struct replication *s = xcalloc(1, sizeof *s);

	s->r = r;
	s->o = *o;
	s->since = clock_ms();
	s->pending_arena = arena_new();
	pthread_mutex_init(&s->lock, NULL);
	pthread_mutex_init(&s->news_lock, NULL);
	clock_init_cond(&s->wake);
	if (open_all(s, e)) {
		replication_close(s);
		return -1;
	}
	pthread_mutex_lock(&r->lock);
	r->sharing = s;
	pthread_mutex_unlock(&r->lock);
	return 0;
}

static void stop(struct replication *s)
{
	pthread_mutex_lock(&s->lock);
	s->stopping = true;
	atomic_store(&s->cancel_watch, true);
	pthread_cond_broadcast(&s->wake);
	pthread_mutex_unlock(&s->lock);
}

void registry_set_listener(
    struct registry *r, void (*news)(void *, const struct shared_changes *), void *ctx)
{
	struct replication *s = NULL;
	struct err e = { 0 };

	if (r)
		s = r->sharing;
	if (!s)
		return;
	pthread_mutex_lock(&s->news_lock);
	s->news = news;
	s->ctx = ctx;
	pthread_mutex_unlock(&s->news_lock);
	if (news)
		return;
	stop(s);
	if (s->threads) {
		pthread_join(s->lease_thread, NULL);
		if (s->lease && etcd_revoke(s->etcd, s->lease, &e))
			log_warn("registry.lease_revoke_failed", "message=%s", log_quote(e.msg));
		pthread_join(s->watcher, NULL);
	}
	s->lease = 0;
	s->threads = false;
}

void replication_close(struct replication *s)
{
	if (!s)
		return;
	if (s->r->sharing)
		registry_set_listener(s->r, NULL, NULL);
	etcd_free(s->etcd);
	free(s->pending_changes.repos);
	free(s->pending_changes.endpoints);
	arena_free(s->pending_arena);
	pthread_cond_destroy(&s->wake);
	pthread_mutex_destroy(&s->news_lock);
	pthread_mutex_destroy(&s->lock);
	free(s);
}
