#include "coordinator/registry/etcd/etcd_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/net/http_client.h"
#include "proto/record/json.h"

enum { LOAD_MS = 10000 };

/* ---- keys and numbers ---- */

static void put_bytes(struct buf *b, const char *name, const char *prefix, const char *s)
{
	struct buf whole = { 0 };

	buf_str(&whole, prefix);
	buf_str(&whole, s);
	buf_printf(b, "\"%s\":\"", name);
	buf_base64(b, whole.p, whole.n);
	buf_byte(b, '"');
	buf_free(&whole);
}

/* The range of all keys that begin with a prefix, which must end with `/`. */
static void put_range(struct buf *b, const char *prefix, const char *s)
{
	struct buf whole = { 0 };

	put_bytes(b, "key", prefix, s);
	buf_str(&whole, prefix);
	buf_str(&whole, s);
	whole.p[whole.n - 1]++;
	buf_byte(b, ',');
	put_bytes(b, "range_end", "", whole.p);
	buf_free(&whole);
}

static char *bytes(const struct json *j, struct arena *a)
{
	const char *s = json_str(j);
	struct buf b = { 0 };

	if (!s || buf_unbase64(&b, s, strlen(s))) {
		buf_free(&b);
		return NULL;
	}
	buf_str(&b, "");	/* so that b.p is not NULL */
	char *out = arena_strn(a, b.p, b.n);
	buf_free(&b);
	return out;
}

static int64_t number(const struct json *j)
{
	const char *s = json_str(j);

	if (s)
		return strtoll(s, NULL, 10);
	return 0;
}

static int64_t revision(const struct json *answer)
{
	return number(json_key(json_key(answer, "header"), "revision"));
}

/* Reads a key and its value; false if the key is outside our prefix. */
static bool read_kv(
    const struct etcd *c, const struct json *j, bool gone, struct etcd_kv *out, struct arena *a)
{
	const char *key = bytes(json_key(j, "key"), a);
	size_t n = strlen(c->prefix);

	if (!key || strncmp(key, c->prefix, n))
		return false;
	const char *value = NULL;
	if (!gone) {
		value = bytes(json_key(j, "value"), a);
		if (!value)
			value = "";
	}
	*out = (struct etcd_kv){ key + n, value, number(json_key(j, "mod_revision")) };
	return true;
}

/* ---- transactions ---- */

static void put_guard(const struct etcd *c, struct buf *b, const struct etcd_guard *g)
{
	buf_byte(b, '{');
	if (g->what == ETCD_NONE_AFTER)
		put_range(b, c->prefix, g->key);
	else
		put_bytes(b, "key", c->prefix, g->key);
	switch (g->what) {
	case ETCD_REV_IS:
		buf_printf(b, ",\"target\":\"MOD\",\"result\":\"EQUAL\",\"mod_revision\":\"%lld\"}",
		    (long long)g->rev);
		break;
	case ETCD_EXISTS:
		buf_str(b, ",\"target\":\"CREATE\",\"result\":\"GREATER\",\"create_revision\":\"0\"}");
		break;
	case ETCD_NONE_AFTER:
		buf_printf(b, ",\"target\":\"MOD\",\"result\":\"LESS\",\"mod_revision\":\"%lld\"}",
		    (long long)g->rev + 1);
		break;
	}
}

static void put_op(const struct etcd *c, struct buf *b, const struct etcd_kv *op, int64_t lease)
{
	if (!op->value) {
		buf_str(b, "{\"request_delete_range\":{");
		put_bytes(b, "key", c->prefix, op->key);
		buf_str(b, "}}");
		return;
	}
	buf_str(b, "{\"request_put\":{");
	put_bytes(b, "key", c->prefix, op->key);
	buf_byte(b, ',');
	put_bytes(b, "value", "", op->value);
	if (lease)
		buf_printf(b, ",\"lease\":\"%lld\"", (long long)lease);
	buf_str(b, "}}");
}

static void put_txn(const struct etcd *c, struct buf *b, const struct etcd_guard *guards,
    size_t nguards, const struct etcd_kv *ops, size_t nops, int64_t lease)
{
	buf_str(b, "{\"compare\":[");
	for (size_t i = 0; i < nguards; i++) {
		buf_str(b, i ? "," : "");
		put_guard(c, b, &guards[i]);
	}
	buf_str(b, "],\"success\":[");
	for (size_t i = 0; i < nops; i++) {
		buf_str(b, i ? "," : "");
		put_op(c, b, &ops[i], lease);
	}
	buf_str(b, "]}");
}

/* Sends a request and parses its answer, which the caller frees; NULL with `e`. */
static struct json *ask(struct etcd *c, const struct etcd_call *q, struct err *e)
{
	struct arena *a = arena_new();
	struct fetch_response f;
	struct json *j = NULL;

	if (!etcd_call(c, q, &f, a, e))
		j = json_read(f.body, e);
	arena_free(a);
	return j;
}

int etcd_txn(struct etcd *c, const struct etcd_guard *guards, size_t nguards,
    const struct etcd_kv *ops, size_t nops, int64_t lease, int64_t *rev, bool *unsent,
    struct err *e)
{
	struct buf b = { 0 };
	struct arena *a = arena_new();
	struct fetch_response f;

	put_txn(c, &b, guards, nguards, ops, nops, lease);
	const struct etcd_call q = { .path = "kv/txn", .body = b.p, .timeout_ms = ETCD_ANSWER_MS };
	int rc = etcd_call(c, &q, &f, a, e);
	*unsent = rc && f.unsent;
	struct json *j = NULL;
	if (!rc)
		j = json_read(f.body, e);
	rc = -1;
	if (j) {
		*rev = revision(j);
		/* etcd omits a flag that is false */
		rc = json_kind(json_key(j, "succeeded")) == JSON_IS_FLAG;
	}
	json_free(j);
	buf_free(&b);
	arena_free(a);
	return rc;
}

int etcd_get_all(
    struct etcd *c, struct etcd_kv **v, size_t *n, int64_t *rev, struct arena *a, struct err *e)
{
	struct buf b = { 0 };

	buf_byte(&b, '{');
	put_range(&b, c->prefix, "");
	buf_byte(&b, '}');
	const struct etcd_call q = { .path = "kv/range", .body = b.p, .timeout_ms = LOAD_MS };
	struct json *j = ask(c, &q, e);
	buf_free(&b);
	if (!j)
		return -1;
	const struct json *kvs = json_key(j, "kvs");
	*rev = revision(j);
	*v = arena_many(a, json_len(kvs) + 1, struct etcd_kv);
	*n = 0;
	for (size_t i = 0; i < json_len(kvs); i++)
		*n += read_kv(c, json_nth(kvs, i), false, &(*v)[*n], a);
	json_free(j);
	return 0;
}

/* ---- watching ---- */

struct etcd_watch_state {
	struct etcd *c;
	struct buf line;
	void (*each)(void *, const struct etcd_kv *, size_t, int64_t);
	void *arg;
	struct err e;
};

static void take_events(struct etcd_watch_state *w, const struct json *result)
{
	const struct json *events = json_key(result, "events");
	struct arena *a = arena_new();
	struct etcd_kv *v = arena_many(a, json_len(events) + 1, struct etcd_kv);
	size_t n = 0;
	int64_t rev = 0;	/* of the events; the header may carry a later revision */

	for (size_t i = 0; i < json_len(events); i++) {
		const struct json *event = json_nth(events, i), *kv = json_key(event, "kv");
		const char *type = json_str(json_key(event, "type"));
		bool gone = type && !strcmp(type, "DELETE");
		int64_t modified = number(json_key(kv, "mod_revision"));
		if (read_kv(w->c, kv, gone, &v[n], a))
			n++;
		rev = MAX(modified, rev);
	}
	if (n)
		w->each(w->arg, v, n, rev);
	arena_free(a);
}

static void take_line(struct etcd_watch_state *w)
{
	struct json *j = json_read(w->line.p, NULL);
	const struct json *result = json_key(j, "result"), *error = json_key(j, "error");
	const char *why = json_str(error);

	if (!why)
		why = json_str(json_key(error, "message"));
	if (!why)
		why = "the watch ended";
	if (error)
		err_set(&w->e, ERR_UNAVAILABLE, "etcd: %.160s", why);
	else if (number(json_key(result, "compact_revision")))
		err_set(&w->e, ERR_NOT_FOUND, "etcd: the revision was compacted");
	else if (json_kind(json_key(result, "canceled")) == JSON_IS_FLAG)
		err_set(&w->e, ERR_UNAVAILABLE, "etcd: the server canceled the watch");
	else if (result)
		take_events(w, result);
	json_free(j);
}

static void on_data(void *arg, const char *p, size_t n)
{
	struct etcd_watch_state *w = arg;
	const char *end = p + n;
	bool any = false;

	while (p < end) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		if (!nl)
			break;
		buf_put(&w->line, p, (size_t)(nl - p));
		if (w->line.n && !w->e.code)
			take_line(w);
		w->line.n = 0;
		p = nl + 1;
		any = true;
	}
	buf_put(&w->line, p, (size_t)(end - p));
	if (any)
		w->each(w->arg, NULL, 0, 0);
}

int etcd_watch(struct etcd *c, int64_t from,
    void (*each)(void *, const struct etcd_kv *, size_t, int64_t), void *arg, atomic_bool *stop,
    struct err *e)
{
	struct etcd_watch_state w = { .c = c, .each = each, .arg = arg };
	struct arena *a = arena_new();
	struct buf b = { 0 };
	struct fetch_response f = { 0 };
	struct err oops = { 0 };
	size_t at = atomic_load(&c->at);

	buf_str(&b, "{\"create_request\":{");
	put_range(&b, c->prefix, "");
	buf_printf(&b, ",\"start_revision\":\"%lld\"}}", (long long)from);
	const struct etcd_call q = {
		.path = "watch", .body = b.p, .timeout_ms = -1, .data = on_data, .arg = &w, .stop = stop
	};
	int rc = etcd_call_at(c, &q, c->urls[at % c->nurls], &f, a, &oops);
	if (rc && f.unsent)
		atomic_compare_exchange_strong(&c->at, &at, at + 1);
	if (w.e.code)
		oops = w.e;
	buf_free(&b);
	buf_free(&w.line);
	arena_free(a);
	*e = oops;
	if (oops.code)
		return -1;
	return 0;
}

/* ---- leases ---- */

/* The answer to a request about a lease, which the caller frees; NULL with `e`. */
static struct json *ask_lease(
    struct etcd *c, const char *path, const char *name, int64_t value, struct err *e)
{
	char body[64];

	snprintf(body, sizeof body, "{\"%s\":\"%lld\"}", name, (long long)value);
	const struct etcd_call q = { .path = path, .body = body, .timeout_ms = ETCD_ANSWER_MS };
	return ask(c, &q, e);
}

int etcd_grant(struct etcd *c, int64_t seconds, int64_t *lease, struct err *e)
{
	struct json *j = ask_lease(c, "lease/grant", "TTL", seconds, e);

	if (!j)
		return -1;
	*lease = number(json_key(j, "ID"));
	json_free(j);
	if (*lease)
		return 0;
	return err_set(e, ERR_UNAVAILABLE, "etcd: it did not grant a lease");
}

int etcd_keep_alive(struct etcd *c, int64_t lease, int64_t *rev, struct err *e)
{
	struct json *j = ask_lease(c, "lease/keepalive", "ID", lease, e);

	if (!j)
		return -1;
	const struct json *result = json_key(j, "result");
	int alive = number(json_key(result, "TTL")) > 0;
	*rev = revision(result);
	if (!result) {
		err_set(e, ERR_UNAVAILABLE, "etcd: it did not renew the lease");
		alive = -1;
	}
	json_free(j);
	return alive;
}

int etcd_revoke(struct etcd *c, int64_t lease, struct err *e)
{
	struct json *j = ask_lease(c, "lease/revoke", "ID", lease, e);

	if (!j)
		return -1;
	json_free(j);
	return 0;
}
