#ifndef TESTS_ETCD_STORE_H
#define TESTS_ETCD_STORE_H
/*
 * What etcd does with keys, in the test's process: ranges, transactions, one watch and leases.  Values must not contain `'`.  The test
 * writes as other coordinators do.
 */
#include <stdlib.h>

#include "proto/base/arena.h"
#include "tests/fake_etcd.h"

enum { STORE_KEYS = 400 };

struct store_key {
	char *key, *value; /* value NULL: deleted */
	int64_t modified;
};

static struct etcd_store {
	struct fake_etcd f;
	pthread_mutex_t lock; /* guards what follows; taken before that of `f` */
	struct store_key keys[STORE_KEYS];
	size_t n;
	int64_t rev;
	struct {
		char *line;
		int64_t rev;
	} history[STORE_KEYS]; /* of what watches are told */
	size_t nhistory;
	int64_t watched_from;
	bool watched;
	int txns, grants, renewals, revokes, loads;
	/* what goes wrong */
	bool refuses_txns;
	bool expires_leases;
	bool fails; /* everything is answered with 503 */
	bool silent; /* no watch will ever be told what is written */
} store;

static inline struct store_key *store_at(const char *key)
{
	for (size_t i = 0; i < store.n; i++)
		if (!strcmp(store.keys[i].key, key))
			return &store.keys[i];
	assert_true(store.n < STORE_KEYS);
	store.keys[store.n] = (struct store_key){ .key = strdup(key) };
	return &store.keys[store.n++];
}

static inline void store_put_kv(struct buf *b, const struct store_key *k)
{
	buf_str(b, "{\"key\":\"");
	buf_base64(b, k->key, strlen(k->key));
	buf_printf(b, "\",\"mod_revision\":\"%lld\"", (long long)k->modified);
	if (k->value) {
		buf_str(b, ",\"value\":\"");
		buf_base64(b, k->value, strlen(k->value));
		buf_byte(b, '"');
	}
	buf_byte(b, '}');
}

/* Writes one key at the current revision, and appends its event. */
static inline void store_write(const char *key, const char *value, struct buf *events)
{
	struct store_key *k = store_at(key);

	if (!value && !k->value)
		return;
	free(k->value);
	k->value = value ? strdup(value) : NULL;
	k->modified = store.rev;
	buf_printf(events, "%s{%s\"kv\":", events->n ? "," : "", value ? "" : "\"type\":\"DELETE\",");
	store_put_kv(events, k);
	buf_byte(events, '}');
}

/* Tells the watch what happened at the current revision. */
static inline void store_tell(struct buf *events)
{
	struct buf line = { 0 };

	if (events->n && !store.silent) {
		buf_printf(&line, "{\"result\":{\"events\":[%s]}}\n", events->p);
		assert_true(store.nhistory < STORE_KEYS);
		store.history[store.nhistory].rev = store.rev;
		store.history[store.nhistory++].line = line.p;
		if (store.watched)
			fake_etcd_push(&store.f, line.p);
	}
	buf_free(events);
}

static inline void store_watched(void *ctx)
{
	(void)ctx;
	pthread_mutex_lock(&store.lock);
	for (size_t i = 0; i < store.nhistory; i++)
		if (store.history[i].rev >= store.watched_from)
			fake_etcd_push(&store.f, store.history[i].line);
	store.watched = true;
	pthread_mutex_unlock(&store.lock);
}

/* ---- requests ---- */

/* The text in quotes behind `name`; `*s` moves behind it.  NULL if it does not come before `end`. */
static inline char *store_text(const char **s, const char *name, const char *end)
{
	const char *at = strstr(*s, name);

	if (!at || at >= end)
		return NULL;
	at += strlen(name) + 1;
	size_t n = strcspn(at, "'");
	*s = at + n + 1;
	return strndup(at, n);
}

/* The number in quotes behind `name`. */
static inline int64_t store_number(const char *s, const char *name)
{
	const char *at = strstr(s, name);

	return at ? strtoll(at + strlen(name) + 1, NULL, 10) : -1;
}

static inline bool store_holds(const char *key, const char *condition)
{
	const struct store_key *k = store_at(key);
	int64_t rev = store_number(condition, "\"mod_revision\":");

	if (strstr(condition, "\"CREATE\""))
		return k->value;
	if (!strstr(condition, "\"LESS\""))
		return (k->value ? k->modified : 0) == rev;
	for (size_t i = 0; i < store.n; i++)
		if (!strncmp(store.keys[i].key, key, strlen(key)) && store.keys[i].value &&
		    store.keys[i].modified >= rev)
			return false;
	return true;
}

static inline bool store_guards_hold(const char *body, const char *end)
{
	const char *s = body;
	char *key;
	bool all = true;

	while ((key = store_text(&s, "{\"key\":", end))) {
		char *condition = strndup(s, strcspn(s, "}"));
		all &= store_holds(key, condition);
		free(condition);
		free(key);
	}
	return all;
}

static inline void store_txn(const char *body, struct buf *out)
{
	const char *s = strstr(body, "\"success\""), *end = body + strlen(body);
	bool done = store_guards_hold(body, s);
	struct buf events = { 0 };
	char *key;

	store.txns++;
	if (done && strstr(s, "{\"key\":"))
		store.rev++;
	while (done && (key = store_text(&s, "{\"key\":", end))) {
		char *value = *s == ',' ? store_text(&s, "\"value\":", end) : NULL;
		store_write(key, value, &events);
		free(value);
		free(key);
	}
	buf_printf(out, "{\"header\":{\"revision\":\"%lld\"}%s}", (long long)store.rev,
	    done ? ",\"succeeded\":true" : "");
	store_tell(&events);
}

static inline void store_range(struct buf *out)
{
	const char *sep = "";

	store.loads++;
	buf_printf(out, "{\"header\":{\"revision\":\"%lld\"},\"kvs\":[", (long long)store.rev);
	for (size_t i = 0; i < store.n; i++)
		if (store.keys[i].value) {
			buf_str(out, sep);
			store_put_kv(out, &store.keys[i]);
			sep = ",";
		}
	buf_str(out, "]}");
}

static inline int store_serve(const struct etcd_request *q, struct buf *out)
{
	if (store.fails) {
		buf_str(out, "{\"error\":\"timed out\"}");
		return 503;
	}
	if (store.refuses_txns && !strcmp(q->path, "kv/txn")) {
		buf_str(out, "{\"error\":\"request is too large\"}");
		return 400;
	}
	if (!strcmp(q->path, "watch")) {
		store.watched = false;
		store.watched_from = store_number(q->body, "\"start_revision\":");
		return -1;
	}
	if (!strcmp(q->path, "kv/txn")) {
		store_txn(q->body, out);
	} else if (!strcmp(q->path, "kv/range")) {
		store_range(out);
	} else if (!strcmp(q->path, "lease/grant")) {
		buf_printf(out, "{\"ID\":\"%d\"}", 700 + ++store.grants);
	} else if (!strcmp(q->path, "lease/keepalive")) {
		store.renewals++;
		buf_printf(out, "{\"result\":{\"header\":{\"revision\":\"%lld\"},\"TTL\":\"%d\"}}",
		    (long long)store.rev, store.expires_leases ? 0 : 9);
	} else {
		store.revokes++;
	}
	return 200;
}

static inline int store_answer(void *ctx, const struct etcd_request *q, struct buf *out)
{
	(void)ctx;
	pthread_mutex_lock(&store.lock);
	int status = store_serve(q, out);
	pthread_mutex_unlock(&store.lock);
	return status;
}

/* ---- for the test ---- */

/* An empty etcd, without an identity. */
static inline void store_start(void)
{
	store = (struct etcd_store){ .rev = 1, .lock = PTHREAD_MUTEX_INITIALIZER };
	fake_etcd_start(&store.f, store_answer, NULL);
	store.f.opened = store_watched;
}

static inline void store_stop(void)
{
	fake_etcd_stop(&store.f);
	fake_etcd_free(&store.f);
	for (size_t i = 0; i < store.n; i++) {
		free(store.keys[i].key);
		free(store.keys[i].value);
	}
	for (size_t i = 0; i < store.nhistory; i++)
		free(store.history[i].line);
	pthread_mutex_destroy(&store.lock);
}

/* Another coordinator writes or, with NULL, deletes. */
static inline void store_other(const char *key, const char *value)
{
	struct buf events = { 0 };

	pthread_mutex_lock(&store.lock);
	store.rev++;
	store_write(key, value, &events);
	store_tell(&events);
	pthread_mutex_unlock(&store.lock);
}

/* It writes, and no watch is told. */
static inline void store_other_silently(const char *key, const char *value)
{
	pthread_mutex_lock(&store.lock);
	store.silent = true;
	pthread_mutex_unlock(&store.lock);
	store_other(key, value);
	pthread_mutex_lock(&store.lock);
	store.silent = false;
	pthread_mutex_unlock(&store.lock);
}

/* The value of a key, in `a`; NULL if it does not exist. */
static inline const char *store_get(const char *key, struct arena *a)
{
	pthread_mutex_lock(&store.lock);
	const char *value = arena_str(a, store_at(key)->value);
	pthread_mutex_unlock(&store.lock);
	return value;
}

static inline int store_count(const int *counter)
{
	pthread_mutex_lock(&store.lock);
	int n = *counter;
	pthread_mutex_unlock(&store.lock);
	return n;
}

static inline void store_set(bool *failure, bool on)
{
	pthread_mutex_lock(&store.lock);
	*failure = on;
	pthread_mutex_unlock(&store.lock);
}

static inline int64_t store_revision(void)
{
	pthread_mutex_lock(&store.lock);
	int64_t rev = store.rev;
	pthread_mutex_unlock(&store.lock);
	return rev;
}

/* Goes back to an earlier revision, without a key. */
static inline void store_restore(const char *without, int64_t rev)
{
	pthread_mutex_lock(&store.lock);
	free(store_at(without)->value);
	store_at(without)->value = NULL;
	store.rev = rev;
	while (store.nhistory && store.history[store.nhistory - 1].rev > rev)
		free(store.history[--store.nhistory].line);
	pthread_mutex_unlock(&store.lock);
}

/* Whether a request contained this text. */
static inline bool store_was_asked(const char *text)
{
	pthread_mutex_lock(&store.f.lock);
	bool was = strstr(store.f.asked.p, text);
	pthread_mutex_unlock(&store.f.lock);
	return was;
}
#endif
