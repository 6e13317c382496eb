#include "coordinator/sharing.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "coordinator/registry_own.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/crypto.h"
#include "proto/base/db.h"
#include "proto/base/db_changes.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/json.h"

/* Rows in one transaction: etcd takes 128 at most, and each has up to three guards. */
enum { AT_ONCE = 40, ALL_AT_ONCE = 120, WAIT_MS = 100, AGAIN_MS = 300, WRONG_MS = 5000, LEASE_MIN_S = 2 };

/* The key that has the name of the registry. */
#define IDENTITY "registry"

struct sharing {
	struct registry *r;
	struct sharing_options o;
	struct etcd *etcd;
	const struct shared *tables;
	pthread_mutex_t lock;		/* guards what follows */
	pthread_cond_t wake;
	bool loaded;			/* all of it was read once, and since then watched */
	bool ready;			/* etcd answers */
	bool stopping, look;		/* look: the keeper shall, at once */
	int64_t since, seen;		/* in this state, monotonic; revision */
	int64_t wanted;			/* revision of the last conflict */
	int64_t lease, alive_until;	/* monotonic */
	char message[240];
	uint64_t commits, conflicts, failures;
	size_t watched_at;
	atomic_bool hang_up;		/* of the watch */
	pthread_mutex_t news_lock;	/* held while `news` runs */
	void (*news)(void *, const struct shared_news *);
	void *ctx;
	struct shared_news heard;	/* not told yet; this and its strings are the watcher's */
	struct arena *heard_a;
	pthread_t watcher, keeper;
	bool threads;
};

/* ---- state ---- */

static void set_ready(struct sharing *s, bool ready, const char *why)
{
	pthread_mutex_lock(&s->lock);
	if (s->ready != ready) {
		s->since = clock_ms();
		log_at(ready ? LOG_INFO : LOG_WARN, ready ? "registry.ready" : "registry.away", "etcd=%s revision=%lld message=%s",
		    log_quote(etcd_shown(s->etcd)), (long long)s->seen, log_quote(why));
	}
	s->ready = ready;
	snprintf(s->message, sizeof s->message, "%s", why);
	pthread_mutex_unlock(&s->lock);
}

static bool is_ready(struct sharing *s)
{
	pthread_mutex_lock(&s->lock);
	bool ready = s->ready && s->loaded;
	pthread_mutex_unlock(&s->lock);
	return ready;
}

static bool stopping(struct sharing *s)
{
	pthread_mutex_lock(&s->lock);
	bool stop = s->stopping;
	pthread_mutex_unlock(&s->lock);
	return stop;
}

static void look(struct sharing *s)
{
	pthread_mutex_lock(&s->lock);
	s->look = true;
	pthread_cond_broadcast(&s->wake);
	pthread_mutex_unlock(&s->lock);
}

/* Until the keeper shall look, or something ends. */
static void rest(struct sharing *s, int64_t ms, bool keeper)
{
	int64_t until = clock_ms() + ms;
	struct timespec t = { until / 1000, until % 1000 * 1000000 };

	pthread_mutex_lock(&s->lock);
	while (!s->stopping && !(keeper && s->look) && clock_ms() < until)
		pthread_cond_timedwait(&s->wake, &s->lock, &t);
	if (keeper)
		s->look = false;
	pthread_mutex_unlock(&s->lock);
}

/* ---- what this one writes ---- */

struct db_changes *sharing_begin(struct sharing *s, struct err *e)
{
	return db_changes_begin(s->r->db, s->tables->names, s->tables->n, e);
}

static int away(struct sharing *s, const char *why, struct err *e)
{
	err_set(e, ERR_UNAVAILABLE, "registry: etcd at %.100s does not answer: changes wait until it does%s%.80s", etcd_shown(s->etcd),
	    *why ? "; " : "", why);
	return err_hint(e, "What is known is still answered; retry, and see `atoll doctor`.");
}

static int part(struct sharing *s, struct shared_txn *t, const struct etcd_guard *more, size_t nmore, struct err *e)
{
	struct etcd_guard *guards = malloc((t->nops + nmore + 1) * sizeof *guards);
	size_t n = 0;
	int64_t rev = 0;
	bool unsent;

	if (!guards)
		abort();
	for (size_t i = 0; i < t->nops; i++)
		guards[n++] = (struct etcd_guard){ ETCD_REV_IS, t->ops[i].key, t->ops[i].rev };
	for (size_t i = 0; i < nmore; i++)
		guards[n++] = more[i];
	int rc = etcd_txn(s->etcd, guards, n, t->ops, t->nops, 0, &rev, &unsent, e);
	free(guards);
	pthread_mutex_lock(&s->lock);
	*(rc > 0 ? &s->commits : rc ? &s->failures : &s->conflicts) += 1;
	if (!rc)
		s->wanted = rev;
	pthread_mutex_unlock(&s->lock);
	return rc > 0 ? shared_done(s->r->db, t, rev, e) : rc ? -1 : REGISTRY_CONFLICT;
}

/* All at once, or in parts when it is too much: each is right by itself, and who repeats it does the rest. */
static int commit_all(struct sharing *s, const struct shared_txn *t, struct err *e)
{
	size_t size = t->nops + t->nguards <= ALL_AT_ONCE ? t->nops : AT_ONCE, parts = (t->nops + size - 1) / size;
	size_t guards = (t->nguards + parts - 1) / parts;
	int rc = 0;

	for (size_t i = 0; i < parts && !rc; i++) {
		size_t first = i * size, guard = i * guards < t->nguards ? i * guards : t->nguards;
		struct shared_txn one = { t->ops + first, t->nops - first < size ? t->nops - first : size, NULL, 0 };
		rc = part(s, &one, t->guards + guard, t->nguards - guard < guards ? t->nguards - guard : guards, e);
	}
	return rc;
}

int sharing_commit(struct sharing *s, struct db_changes *changes, struct err *e)
{
	struct shared_txn t;
	struct err oops = { 0 };

	if (!db_changes_any(changes))
		return 0;
	struct arena *a = arena_new();
	pthread_mutex_lock(&s->lock);
	int64_t seen = s->seen;
	pthread_mutex_unlock(&s->lock);
	int rc = shared_collect(s->tables, s->r->db, changes, seen, &t, a, e);
	if (!rc && t.nops && !is_ready(s))
		rc = away(s, "", e);
	else if (!rc && t.nops && (rc = commit_all(s, &t, &oops)) == REGISTRY_CONFLICT)
		err_set(e, ERR_UNAVAILABLE, "registry: others change the same things at the same time; repeat it");
	else if (rc && oops.code == ERR_UNAVAILABLE) {
		set_ready(s, false, oops.msg);
		look(s);
		away(s, oops.msg, e);
	} else if (rc && oops.code && e)
		*e = oops;
	arena_free(a);
	return rc;
}

void sharing_lost(struct sharing *s)
{
	pthread_mutex_lock(&s->lock);
	s->loaded = false;
	atomic_store(&s->hang_up, true);
	pthread_mutex_unlock(&s->lock);
}

void sharing_wait(struct sharing *s)
{
	int64_t until = clock_ms() + WAIT_MS;
	struct timespec t = { until / 1000, until % 1000 * 1000000 };

	pthread_mutex_lock(&s->lock);
	while (!s->stopping && s->seen < s->wanted && clock_ms() < until)
		pthread_cond_timedwait(&s->wake, &s->lock, &t);
	pthread_mutex_unlock(&s->lock);
}

/* ---- what others write ---- */

static void tell(struct sharing *s)
{
	if (s->heard.tables & (1 << SHARED_leaders))
		look(s);
	pthread_mutex_lock(&s->news_lock);
	if (s->news && s->heard.tables)
		s->news(s->ctx, &s->heard);
	pthread_mutex_unlock(&s->news_lock);
	free(s->heard.repos);
	s->heard = (struct shared_news){ 0 };
	arena_reset(s->heard_a);
}

static int apply(struct sharing *s, const struct etcd_kv *v, size_t n, int64_t whole, int64_t rev, struct err *e)
{
	struct db *db = registry_begin_apart(s->r, e);

	if (!db)
		return -1;
	int rc = registry_end(s->r, shared_apply(s->tables, db, v, n, whole, &s->heard, s->heard_a, e), e);
	if (!rc) {
		pthread_mutex_lock(&s->lock);
		s->seen = rev > s->seen || whole ? rev : s->seen;
		s->loaded |= whole > 0;
		pthread_cond_broadcast(&s->wake);
		pthread_mutex_unlock(&s->lock);
	}
	return rc;
}

static int other_registry(struct err *e, const char *why)
{
	err_set(e, ERR_INVALID_INPUT, "--registry: the file registry.db in --data %s", why);
	return err_hint(e, "`atoll registry export FILE --data DIR`; start with another --data; then `atoll registry import FILE`.");
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

/* Whether what is in the file may be replaced by the registry of that name (NULL: there is none yet); it is a copy of it then. */
static int check_file(struct sharing *s, struct db *db, const char *name, struct err *e)
{
	char was[80];
	bool any = false;

	if (get_copy_of(db, was, e))
		return -1;
	if (*was && !name)
		return other_registry(e, "is a copy of a registry that is not there any more");
	if (*was && strcmp(was, name))
		return other_registry(e, "is a copy of another registry");
	if (!*was && (shared_any(s->tables, db, &any, e) || any))
		return any ? other_registry(e, "has a registry of its own") : -1;
	return *was || !name ? 0 : db_run(db, e, "insert into copy_of (registry) values (?)", "s", name);
}

static int check_copy(struct sharing *s, const char *name, struct err *e)
{
	struct db *db = registry_begin_apart(s->r, e);

	return db ? registry_end(s->r, check_file(s, db, name, e), e) : -1;
}

/* A registry has a name of its own: an etcd that has lost everything, or another one, cannot be taken for it. */
static int name_it(struct sharing *s, struct err *e)
{
	const struct etcd_guard none = { ETCD_REV_IS, IDENTITY, 0 };
	char random[33];
	int64_t rev;
	bool unsent;

	crypto_random_hex(random, 16);
	return etcd_txn(s->etcd, &none, 1, &(struct etcd_kv){ IDENTITY, random, 0 }, 1, 0, &rev, &unsent, e) < 0 ? -1 : 0;
}

/* All that there is; `*name` NULL: a registry was not made there yet. */
static int get_all(struct sharing *s, struct etcd_kv **v, size_t *n, int64_t *rev, const char **name, struct arena *a, struct err *e)
{
	*name = NULL;
	if (etcd_all(s->etcd, v, n, rev, a, e))
		return -1;
	for (size_t i = 0; i < *n; i++)
		if (!strcmp((*v)[i].key, IDENTITY))
			*name = (*v)[i].value;
	return check_copy(s, *name, e);
}

static int load(struct sharing *s, struct err *e)
{
	struct arena *a = arena_new();
	struct etcd_kv *v;
	const char *name;
	size_t n;
	int64_t rev;
	int rc = get_all(s, &v, &n, &rev, &name, a, e);

	if (!rc && !name)
		rc = name_it(s, e) || get_all(s, &v, &n, &rev, &name, a, e) ? -1 : 0;
	if (!rc)
		rc = apply(s, v, n, rev, rev, e);
	tell(s);
	if (!rc)
		log_info("registry.loaded", "etcd=%s revision=%lld keys=%zu", log_quote(etcd_shown(s->etcd)), (long long)rev, n);
	if (!rc)
		look(s);
	arena_free(a);
	return rc;
}

static void on_events(void *arg, const struct etcd_kv *v, size_t n, int64_t rev)
{
	struct sharing *s = arg;
	struct err e = { 0 };

	if (!n)			/* what came together is told together: of 1,000 shards that join, too */
		tell(s);
	if (!n || !apply(s, v, n, 0, rev, &e))
		return;
	log_error("registry.apply", "message=%s", log_quote(e.msg));
	sharing_lost(s);
}

static bool is_loaded(struct sharing *s, int64_t *seen)
{
	pthread_mutex_lock(&s->lock);
	*seen = s->seen;
	bool loaded = s->loaded;
	s->watched_at = etcd_at(s->etcd);
	pthread_mutex_unlock(&s->lock);
	return loaded;
}

static void *watch(void *arg)
{
	struct sharing *s = arg;
	int64_t seen;

	while (!stopping(s)) {
		struct err e = { 0 };
		atomic_store(&s->hang_up, stopping(s));
		int rc = is_loaded(s, &seen) ? etcd_watch(s->etcd, seen + 1, on_events, s, &s->hang_up, &e) : load(s, &e);
		if (rc && e.code == ERR_NOT_FOUND)	/* it is compacted */
			sharing_lost(s);
		if (!rc || atomic_load(&s->hang_up))
			continue;
		log_debug("registry.watch", "message=%s", log_quote(e.msg));
		if (e.code != ERR_UNAVAILABLE)
			set_ready(s, false, e.msg);
		rest(s, e.code == ERR_UNAVAILABLE ? AGAIN_MS : WRONG_MS, false);
	}
	return NULL;
}

/* ---- this one among the others ---- */

static int64_t lease_s(const struct sharing *s)
{
	int64_t n = (s->o.lease_ms + 999) / 1000;

	return n > LEASE_MIN_S ? n : LEASE_MIN_S;
}

/* Write a row that goes when this coordinator does; unless `guard` and it is there: 0. */
static int put_live(struct sharing *s, const char *key, const char *value, bool guard, int64_t *rev, struct err *e)
{
	const struct etcd_guard none = { ETCD_REV_IS, key, 0 };
	const struct etcd_kv op = { key, value, 0 };
	bool unsent;

	return etcd_txn(s->etcd, &none, guard, &op, 1, s->lease, rev, &unsent, e);
}

static int enter(struct sharing *s, int64_t *rev, struct err *e)
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
	if (rc < 0)
		s->lease = 0;
	return rc < 0 ? -1 : 0;
}

/* The leader's id in `out`; "": nobody. */
static void get_leader(struct registry *r, char out[40])
{
	struct stmt *q = db_prep(registry_read(r), "select id from leaders where what = 'schedule'", NULL);

	*out = 0;
	while (q && db_step(q, NULL) == 1)
		snprintf(out, 40, "%s", db_str(q, 0));
	registry_read_end(r, 0);
}

static int lead(struct sharing *s, struct err *e)
{
	char leader[40], value[100];

	get_leader(s->r, leader);
	if (*leader)
		return 0;
	snprintf(value, sizeof value, "{\"what\":\"schedule\",\"id\":\"%s\"}", s->r->self);
	int64_t rev;
	int rc = put_live(s, "leaders/schedule", value, true, &rev, e);
	if (rc == 1)
		log_info("registry.leader", "id=%s", s->r->self);
	return rc < 0 ? -1 : 0;
}

/* -1: etcd does not answer, or has forgotten this coordinator: then it may have forgotten all. */
static int beat(struct sharing *s, struct err *e)
{
	pthread_mutex_lock(&s->lock);
	int64_t began = clock_ms(), rev = 0, seen = s->seen;
	pthread_mutex_unlock(&s->lock);
	int alive = s->lease ? etcd_keep(s->etcd, s->lease, &rev, e) : 1;

	if (!alive) {
		s->lease = 0;
		sharing_lost(s);
		return err_set(e, ERR_UNAVAILABLE, "the lease of this coordinator is over");
	}
	if (alive < 0 || (!s->lease && enter(s, &rev, e)))
		return -1;
	if (rev < seen)		/* what was there was restored from a backup */
		sharing_lost(s);
	pthread_mutex_lock(&s->lock);
	s->alive_until = began + 1000 * lease_s(s);
	bool turned = s->watched_at != etcd_at(s->etcd);
	pthread_mutex_unlock(&s->lock);
	if (turned)		/* the watch hangs on an address that failed others */
		atomic_store(&s->hang_up, true);
	return lead(s, e);
}

static void keep(struct sharing *s)
{
	struct err e = { 0 };

	pthread_mutex_lock(&s->lock);
	bool may = s->loaded || s->lease;	/* before, it is not known whether this is the registry */
	pthread_mutex_unlock(&s->lock);
	if (!may)
		return;
	if (beat(s, &e)) {
		set_ready(s, false, e.msg);
		atomic_store(&s->hang_up, true);
		return;
	}
	pthread_mutex_lock(&s->lock);
	bool loaded = s->loaded;
	pthread_mutex_unlock(&s->lock);
	if (loaded)
		set_ready(s, true, "");
}

static void *keeper(void *arg)
{
	struct sharing *s = arg;

	while (!stopping(s)) {
		pthread_mutex_lock(&s->lock);
		bool ready = s->ready;
		pthread_mutex_unlock(&s->lock);
		rest(s, ready ? 1000 * lease_s(s) / 3 : AGAIN_MS, true);
		if (!stopping(s))
			keep(s);
	}
	return NULL;
}

/* ---- opening and closing ---- */

static int open_all(struct sharing *s, struct err *e)
{
	struct err oops = { 0 };

	pthread_mutex_lock(&s->r->lock);
	s->tables = registry_tables(s->r, e);
	pthread_mutex_unlock(&s->r->lock);
	if (!s->tables || !(s->etcd = etcd_new(&s->o.etcd, e)))
		return -1;
	if (load(s, &oops)) {
		if (oops.code != ERR_UNAVAILABLE) {
			*e = oops;
			return -1;
		}
		log_warn("registry.away", "etcd=%s message=%s", log_quote(etcd_shown(s->etcd)), log_quote(oops.msg));
		snprintf(s->message, sizeof s->message, "%s", oops.msg);
	} else {
		keep(s);
	}
	if (pthread_create(&s->watcher, NULL, watch, s))
		return err_set(e, ERR_INTERNAL, "no thread for the registry");
	if (pthread_create(&s->keeper, NULL, keeper, s)) {
		pthread_mutex_lock(&s->lock);
		s->stopping = true;
		pthread_mutex_unlock(&s->lock);
		atomic_store(&s->hang_up, true);
		pthread_join(s->watcher, NULL);
		return err_set(e, ERR_INTERNAL, "no thread for the registry");
	}
	s->threads = true;
	return 0;
}

int registry_share(struct registry *r, const struct sharing_options *o, struct err *e)
{
	struct sharing *s = calloc(1, sizeof *s);
	pthread_condattr_t attr;

	if (!s)
		abort();
	s->r = r;
	s->o = *o;
	s->since = clock_ms();
	s->heard_a = arena_new();
	pthread_mutex_init(&s->lock, NULL);
	pthread_mutex_init(&s->news_lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&s->wake, &attr);
	pthread_condattr_destroy(&attr);
	if (open_all(s, e)) {
		sharing_close(s);
		return -1;
	}
	pthread_mutex_lock(&r->lock);
	r->sharing = s;
	pthread_mutex_unlock(&r->lock);
	return 0;
}

static void stop(struct sharing *s)
{
	pthread_mutex_lock(&s->lock);
	s->stopping = true;
	atomic_store(&s->hang_up, true);
	pthread_cond_broadcast(&s->wake);
	pthread_mutex_unlock(&s->lock);
}

void registry_listen(struct registry *r, void (*news)(void *, const struct shared_news *), void *ctx)
{
	struct sharing *s = r ? r->sharing : NULL;
	struct err e = { 0 };

	if (!s)
		return;
	pthread_mutex_lock(&s->news_lock);
	s->news = news;
	s->ctx = ctx;
	pthread_mutex_unlock(&s->news_lock);
	if (news)
		return;
	stop(s);
	if (s->threads)
		pthread_join(s->keeper, NULL);
	if (s->threads && s->lease && etcd_revoke(s->etcd, s->lease, &e))
		log_warn("registry.leave", "message=%s", log_quote(e.msg));
	s->lease = 0;
	if (s->threads)
		pthread_join(s->watcher, NULL);
	s->threads = false;
}

void sharing_close(struct sharing *s)
{
	if (!s)
		return;
	if (s->r->sharing)
		registry_listen(s->r, NULL, NULL);
	etcd_free(s->etcd);
	free(s->heard.repos);
	arena_free(s->heard_a);
	pthread_cond_destroy(&s->wake);
	pthread_mutex_destroy(&s->news_lock);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

/* ---- what others ask ---- */

int registry_alone(struct registry *r, struct err *e)
{
	struct stmt *q = db_prep(registry_read(r), "select registry from copy_of", e);
	bool any = false;
	int rc = q ? 0 : -1;

	while (q && (rc = db_step(q, e)) == 1)
		any = true;
	registry_read_end(r, rc);
	if (rc || !any)
		return rc;
	err_set(e, ERR_INVALID_INPUT, "--data: its registry.db is the copy of a registry in etcd, and --registry is not given");
	return err_hint(e, "Give --registry (ATOLL_REGISTRY) as before; `atoll registry export FILE --data DIR` reads the copy.");
}

const char *registry_self(const struct registry *r)
{
	return r->self;
}

bool registry_is_shared(const struct registry *r)
{
	return r->sharing;
}

bool registry_is_ready(struct registry *r)
{
	return !r->sharing || is_ready(r->sharing);
}

bool registry_alive(struct registry *r)
{
	struct sharing *s = r->sharing;

	if (!s)
		return true;
	pthread_mutex_lock(&s->lock);
	bool alive = clock_ms() < s->alive_until;
	pthread_mutex_unlock(&s->lock);
	return alive;
}

bool registry_leads(struct registry *r)
{
	char leader[40];

	if (!r->sharing)
		return true;
	get_leader(r, leader);
	return !strcmp(leader, r->self) && registry_alive(r);
}

void registry_now(struct registry *r, struct registry_now *out, struct arena *a)
{
	struct sharing *s = r->sharing;
	char leader[40];

	*out = (struct registry_now){ .kind = "sqlite", .state = "ready", .self = r->self, .leader = r->self };
	if (!s)
		return;
	get_leader(r, leader);
	pthread_mutex_lock(&s->lock);
	*out = (struct registry_now){ .kind = "etcd", .at = etcd_shown(s->etcd), .state = s->ready && s->loaded ? "ready" : "away",
		.message = *s->message ? arena_str(a, s->message) : NULL, .since_ms = clock_ms() - s->since, .revision = s->seen, .self = r->self,
		.leader = *leader ? arena_str(a, leader) : NULL, .commits = s->commits, .conflicts = s->conflicts, .failures = s->failures };
	pthread_mutex_unlock(&s->lock);
}

static int get_peers(struct db *db, struct registry_peer **v, size_t *n, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db, "select id, host, http, started_at, count(*) over () from coordinators order by id", e);
	int rc;

	*n = 0;
	*v = NULL;
	if (!s)
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		if (!*v)
			*v = arena_many(a, (size_t)db_int(s, 4), struct registry_peer);
		(*v)[(*n)++] = (struct registry_peer){ arena_str(a, db_str(s, 0)), arena_str(a, db_str(s, 1)), arena_str(a, db_str(s, 2)),
			arena_str(a, db_str(s, 3)) };
	}
	return rc;
}

int registry_peers(struct registry *r, struct registry_peer **v, size_t *n, struct arena *a, struct err *e)
{
	return registry_read_end(r, get_peers(registry_read(r), v, n, a, e));
}
