/*
 * This coordinator's lease in a shared registry, the election of a leader, and the state that
 * `atoll status` shows.
 */
#include "coordinator/registry/replication_internal.h"

#include <stdio.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/base/minmax.h"
#include "proto/db/db.h"
#include "proto/record/json.h"

enum { AGAIN_MS = 300, LEASE_MIN_S = 2 };

static int64_t lease_s(const struct replication *s)
{
	int64_t n = (s->o.lease_ms + 999) / 1000;

	return MAX(n, LEASE_MIN_S);
}

/*
 * Writes a row that etcd deletes when this coordinator's lease ends.  1: written; 0: with `guard`,
 * if the row exists already.
 */
static int put_live(struct replication *s, const char *key, const char *value, bool guard,
    int64_t *rev, struct err *e)
{
	const struct etcd_guard none = { ETCD_REV_IS, key, 0 };
	const struct etcd_kv op = { key, value, 0 };
	bool unsent;

	return etcd_txn(s->etcd, &none, guard, &op, 1, s->lease, rev, &unsent, e);
}

static int register_self(struct replication *s, int64_t *rev, struct err *e)
{
	struct buf b = { 0 };
	char now[CLOCK_ISO], key[80];

	if (etcd_grant(s->etcd, lease_s(s), &s->lease, e))
		return -1;
	clock_iso(now);
	snprintf(key, sizeof key, "coordinators/%s", s->r->self);
	buf_str(&b, "{\"id\":");
	json_quote(&b, s->r->self);
	buf_str(&b, ",\"host\":");
	json_quote(&b, s->o.host);
	buf_str(&b, ",\"http\":");
	json_quote(&b, s->o.http);
	buf_printf(&b, ",\"started_at\":\"%s\"}", now);
	int rc = put_live(s, key, b.p, false, rev, e);
	buf_free(&b);
	if (rc >= 0)
		return 0;
	s->lease = 0;
	return -1;
}

void replication_get_leader(struct registry *r, char out[40])
{
	struct stmt *q = db_prep(
	    registry_read_begin(r), "select id from leaders where what = 'schedule'", NULL);

	*out = 0;
	while (q && db_step(q, NULL) == 1)
		snprintf(out, 40, "%s", db_str(q, 0));
	registry_read_end(r, 0);
}

static int lead(struct replication *s, struct err *e)
{
	char leader[40], value[100];

	replication_get_leader(s->r, leader);
	if (*leader)
		return 0;
	snprintf(value, sizeof value, "{\"what\":\"schedule\",\"id\":\"%s\"}", s->r->self);
	int64_t rev;
	int rc = put_live(s, "leaders/schedule", value, true, &rev, e);
	if (rc == 1)
		log_info("registry.leader", "id=%s", s->r->self);
	return MIN(rc, 0);
}

/* Renews the lease.  -1 also when it has expired; then etcd may have lost everything else, too. */
static int keep_alive(struct replication *s, int64_t *rev, struct err *e)
{
	int alive = etcd_keep_alive(s->etcd, s->lease, rev, e);

	if (alive > 0)
		return 0;
	if (alive < 0)
		return -1;
	s->lease = 0;
	replication_mark_stale(s);
	return err_set(e, ERR_UNAVAILABLE, "the lease of this coordinator has expired");
}

static int beat(struct replication *s, struct err *e)
{
	pthread_mutex_lock(&s->lock);
	int64_t began = clock_ms(), rev = 0, seen = s->seen;
	pthread_mutex_unlock(&s->lock);
	int rc;

	if (s->lease)
		rc = keep_alive(s, &rev, e);
	else
		rc = register_self(s, &rev, e);
	if (rc)
		return -1;
	if (rev < seen)		/* etcd was restored from a backup */
		replication_mark_stale(s);
	pthread_mutex_lock(&s->lock);
	s->alive_until = began + 1000 * lease_s(s);
	bool moved = s->watched_endpoint != etcd_endpoint_index(s->etcd);
	pthread_mutex_unlock(&s->lock);
	if (moved)	/* the watch is still connected to an address that failed other requests */
		atomic_store(&s->cancel_watch, true);
	return lead(s, e);
}

void replication_renew_lease(struct replication *s)
{
	struct err e = { 0 };

	pthread_mutex_lock(&s->lock);
	/* Before the first load, we do not know whether this etcd holds our registry. */
	bool known = s->loaded || s->lease;
	pthread_mutex_unlock(&s->lock);
	if (!known)
		return;
	if (beat(s, &e)) {
		replication_set_ready(s, false, e.msg);
		atomic_store(&s->cancel_watch, true);
		return;
	}
	pthread_mutex_lock(&s->lock);
	bool loaded = s->loaded;
	pthread_mutex_unlock(&s->lock);
	if (loaded)
		replication_set_ready(s, true, "");
}

void *replication_lease_thread(void *arg)
{
	struct replication *s = arg;

	while (!replication_stopping(s)) {
		int64_t ms = AGAIN_MS;
		pthread_mutex_lock(&s->lock);
		if (s->ready)
			ms = 1000 * lease_s(s) / 3;
		pthread_mutex_unlock(&s->lock);
		replication_sleep(s, ms, true);
		if (!replication_stopping(s))
			replication_renew_lease(s);
	}
	return NULL;
}

int registry_check_standalone(struct registry *r, struct err *e)
{
	struct stmt *q = db_prep(registry_read_begin(r), "select registry from copy_of", e);
	bool any = false;
	int rc = -1;

	while (q && (rc = db_step(q, e)) == 1)
		any = true;
	registry_read_end(r, rc);
	if (rc || !any)
		return rc;
	err_set(e, ERR_INVALID_INPUT,
	    "--data: its registry.db is a copy of a registry in etcd, but --registry is not given");
	return err_hint(e,
	    "Give --registry (ATOLL_REGISTRY) as before;"
	    " `atoll registry export FILE --data DIR` reads the copy.");
}

const char *registry_instance_id(const struct registry *r)
{
	return r->self;
}

bool registry_is_shared(const struct registry *r)
{
	return r->sharing;
}

bool registry_is_ready(struct registry *r)
{
	return !r->sharing || replication_is_ready(r->sharing);
}

bool registry_lease_is_valid(struct registry *r)
{
	struct replication *s = r->sharing;

	if (!s)
		return true;
	pthread_mutex_lock(&s->lock);
	bool alive = clock_ms() < s->alive_until;
	pthread_mutex_unlock(&s->lock);
	return alive;
}

bool registry_is_leader(struct registry *r)
{
	char leader[40];

	if (!r->sharing)
		return true;
	replication_get_leader(r, leader);
	return !strcmp(leader, r->self) && registry_lease_is_valid(r);
}

void registry_sync_state(struct registry *r, struct registry_sync_state *out, struct arena *a)
{
	struct replication *s = r->sharing;
	char leader[40];

	*out = (struct registry_sync_state){
		.kind = "sqlite", .state = "ready", .self = r->self, .leader = r->self
	};
	if (!s)
		return;
	replication_get_leader(r, leader);
	pthread_mutex_lock(&s->lock);
	*out = (struct registry_sync_state){
		.kind = "etcd",
		.at = etcd_addresses(s->etcd),
		.state = "away",
		.since_ms = clock_ms() - s->since,
		.revision = s->seen,
		.self = r->self,
		.commits = s->commits,
		.conflicts = s->conflicts,
		.failures = s->failures,
	};
	if (s->ready && s->loaded)
		out->state = "ready";
	if (*s->message)
		out->message = arena_str(a, s->message);
	if (*leader)
		out->leader = arena_str(a, leader);
	pthread_mutex_unlock(&s->lock);
}

static int get_peers(
    struct db *db, struct registry_peer **v, size_t *n, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(
	    db, "select id, host, http, started_at, count(*) over () from coordinators order by id", e);
	int rc;

	*n = 0;
	*v = NULL;
	if (!s)
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		if (!*v)
			*v = arena_many(a, (size_t)db_int(s, 4), struct registry_peer);
		(*v)[(*n)++] = (struct registry_peer){
			.id = arena_str(a, db_str(s, 0)),
			.host = arena_str(a, db_str(s, 1)),
			.http = arena_str(a, db_str(s, 2)),
			.started_at = arena_str(a, db_str(s, 3)),
		};
	}
	return rc;
}

int registry_peers(
    struct registry *r, struct registry_peer **v, size_t *n, struct arena *a, struct err *e)
{
	return registry_read_end(r, get_peers(registry_read_begin(r), v, n, a, e));
}
