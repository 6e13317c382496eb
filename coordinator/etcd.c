#include "coordinator/etcd.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/fetch.h"
#include "proto/json.h"

enum { ADDRESSES = 16, ANSWER_MS = 2000, CONNECT_MS = 700, LOAD_MS = 10000, PREFIX_MAX = 200 };

struct etcd {
	struct etcd_options o;
	struct arena *a;
	const char *shown, *prefix, *urls[ADDRESSES];
	size_t nurls;
	atomic_size_t at;
	pthread_mutex_t lock;		/* guards what follows */
	char *pass;			/* that a user has got; NULL: none yet */
};

/* ---- addresses ---- */

static int bad_url(struct err *e, const char *url, const char *why)
{
	err_set(e, ERR_INVALID_INPUT, "--registry %.120s: %s", url, why);
	return err_hint(e, "For example tls+etcd://10.0.0.1:2379,10.0.0.2:2379/atoll, or etcd://127.0.0.1:2379/atoll; without the option the registry is a file in --data.");
}

static bool is_loopback(const char *at)
{
	return !strncmp(at, "127.", 4) || !strncmp(at, "localhost:", 10) || !strncmp(at, "[::1]:", 6);
}

static int read_url(struct etcd *c, struct err *e)
{
	const char *url = c->o.url, *scheme = NULL, *s = url;

	if (!strncmp(s, "etcd://", 7))
		scheme = "http", s += 7;
	else if (!strncmp(s, "tls+etcd://", 11))
		scheme = "https", s += 11;
	if (!scheme)
		return bad_url(e, url, "is neither etcd:// nor tls+etcd://");
	size_t n = strcspn(s, "/");
	c->shown = arena_strn(c->a, s, n);
	const char *path = s + n + strspn(s + n, "/");
	size_t k = strlen(path);
	while (k && path[k - 1] == '/')
		k--;
	c->prefix = k ? arena_printf(c->a, "/%.*s/", (int)k, path) : "/atoll/";
	if (k > PREFIX_MAX)
		return bad_url(e, url, "the prefix is too long");
	for (char *at = arena_strn(c->a, s, n), *next; at; at = next) {
		if ((next = strchr(at, ',')))
			*next++ = 0;
		if (!strchr(at, ':') || strpbrk(at, "@?#"))
			return bad_url(e, url, "an address is HOST:PORT");
		if (!strcmp(scheme, "http") && !is_loopback(at))
			return bad_url(e, url, "etcd:// is not encrypted, and so for this machine's own addresses; elsewhere it is tls+etcd://");
		if (c->nurls == ADDRESSES)
			return bad_url(e, url, "has too many addresses");
		c->urls[c->nurls++] = arena_printf(c->a, "%s://%s", scheme, at);
	}
	return 0;
}

struct etcd *etcd_new(const struct etcd_options *o, struct err *e)
{
	struct etcd *c = calloc(1, sizeof *c);

	if (!c)
		abort();
	c->o = *o;
	c->a = arena_new();
	pthread_mutex_init(&c->lock, NULL);
	if (!read_url(c, e))
		return c;
	etcd_free(c);
	return NULL;
}

void etcd_free(struct etcd *c)
{
	if (!c)
		return;
	free(c->pass);
	pthread_mutex_destroy(&c->lock);
	arena_free(c->a);
	free(c);
}

const char *etcd_shown(const struct etcd *c)
{
	return c->shown;
}

const char *etcd_prefix(const struct etcd *c)
{
	return c->prefix;
}

size_t etcd_at(const struct etcd *c)
{
	return atomic_load(&c->at);
}

void etcd_turn(struct etcd *c)
{
	atomic_fetch_add(&c->at, 1);
}

/* ---- one request ---- */

struct ask {
	const char *path;
	const char *body;
	int timeout_ms;
	void (*data)(void *, const char *, size_t);
	void *arg;
	atomic_bool *stop;
};

static int post(struct etcd *c, const struct ask *q, const char *url, const char *pass, struct fetched *out, struct arena *a, struct err *e)
{
	const char *headers[] = { "Content-Type: application/json", pass ? arena_printf(a, "Authorization: %s", pass) : NULL, NULL };

	return fetch(&(struct fetch){ .url = arena_printf(a, "%s/v3/%s", url, q->path), .headers = headers, .ca = c->o.ca, .cert = c->o.cert,
	    .key = c->o.key, .body = q->body, .nbody = strlen(q->body), .timeout_ms = q->timeout_ms, .connect_ms = CONNECT_MS, .keep = !q->data, .data = q->data,
	    .arg = q->arg, .stop = q->stop }, out, a, e);
}

/* What an answer without success says. */
static int refused(const struct fetched *f, struct err *e)
{
	struct json *j = json_read(f->body, NULL);
	const struct json *error = json_key(j, "error");
	const char *why = json_str(error);

	if (!why)
		why = json_str(json_key(j, "message"));
	bool user = f->status == 401 || f->status == 403 || (why && (strstr(why, "user name") || strstr(why, "authentication")));
	enum err_code code = user ? ERR_FORBIDDEN : f->status < 500 ? ERR_INVALID_INPUT : ERR_UNAVAILABLE;
	err_set(e, code, "etcd: %.160s (HTTP %d)", why ? why : "no answer that can be read", f->status);
	if (code == ERR_FORBIDDEN)
		err_hint(e, "Check --registry-user and --registry-password-file: the user's role reads and writes what begins with the prefix.");
	json_free(j);
	return -1;
}

/* A pass for the user; NULL: there is no user, or `e`. */
static const char *login(struct etcd *c, const char *url, const char *spent, struct arena *a, struct err *e)
{
	struct buf b = { 0 };
	struct fetched f;

	if (!c->o.user || !*c->o.user)
		return NULL;
	pthread_mutex_lock(&c->lock);
	const char *pass = c->pass && (!spent || strcmp(c->pass, spent)) ? arena_str(a, c->pass) : NULL;
	pthread_mutex_unlock(&c->lock);
	if (pass)
		return pass;
	buf_str(&b, "{\"name\":");
	json_quote(&b, c->o.user);
	buf_str(&b, ",\"password\":");
	json_quote(&b, c->o.password);
	buf_byte(&b, '}');
	int rc = post(c, &(struct ask){ .path = "auth/authenticate", .body = b.p, .timeout_ms = ANSWER_MS }, url, NULL, &f, a, e);
	buf_free(&b);
	if (rc || f.status != 200) {
		if (!rc)
			refused(&f, e);
		return NULL;
	}
	struct json *j = json_read(f.body, NULL);
	pass = arena_str(a, json_str(json_key(j, "token")));
	json_free(j);
	pthread_mutex_lock(&c->lock);
	free(c->pass);
	c->pass = pass ? strdup(pass) : NULL;
	pthread_mutex_unlock(&c->lock);
	if (!pass)
		err_set(e, ERR_FORBIDDEN, "etcd: no token for the user %.60s", c->o.user);
	return pass;
}

/* At one address, with a new pass when the old one is spent. */
static int ask_at(struct etcd *c, const struct ask *q, const char *url, struct fetched *out, struct arena *a, struct err *e)
{
	struct err oops = { 0 };
	const char *pass = login(c, url, NULL, a, &oops);
	int rc = oops.code ? -1 : post(c, q, url, pass, out, a, &oops);

	if (!rc && out->status == 401 && pass && (pass = login(c, url, pass, a, &oops)))
		rc = post(c, q, url, pass, out, a, &oops);
	if (!rc && out->status != 200)
		rc = refused(out, &oops);
	if (rc && e)
		*e = oops;
	return rc;
}

/* Whether another address may do better, and must not have got it before. */
static bool elsewhere(const struct fetched *f, const struct err *e)
{
	return f->unsent || (e->code == ERR_UNAVAILABLE && strstr(e->msg, "no leader"));
}

static int ask(struct etcd *c, const struct ask *q, struct fetched *out, struct arena *a, struct err *e)
{
	struct err oops;
	int rc = -1;

	for (size_t i = 0; i < c->nurls; i++) {
		size_t at = atomic_load(&c->at);
		oops = (struct err){ 0 };
		*out = (struct fetched){ 0 };
		if (!(rc = ask_at(c, q, c->urls[at % c->nurls], out, a, &oops)) || oops.code != ERR_UNAVAILABLE)
			break;
		atomic_compare_exchange_strong(&c->at, &at, at + 1);
		if (!elsewhere(out, &oops))
			break;
	}
	if (rc && e)
		*e = oops;
	return rc;
}

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

/* The end of a range: behind all that begins with it, as every prefix ends with `/`. */
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
	char *out = arena_strn(a, b.p ? b.p : "", b.n);
	buf_free(&b);
	return out;
}

static int64_t number(const struct json *j)
{
	const char *s = json_str(j);

	return s ? strtoll(s, NULL, 10) : 0;
}

static int64_t revision(const struct json *answer)
{
	return number(json_key(json_key(answer, "header"), "revision"));
}

/* A key with its value; false: it is none of ours. */
static bool read_kv(const struct etcd *c, const struct json *j, bool gone, struct etcd_kv *out, struct arena *a)
{
	const char *key = bytes(json_key(j, "key"), a);
	size_t n = strlen(c->prefix);

	if (!key || strncmp(key, c->prefix, n))
		return false;
	const char *value = bytes(json_key(j, "value"), a);
	*out = (struct etcd_kv){ key + n, gone ? NULL : value ? value : "", number(json_key(j, "mod_revision")) };
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
	case ETCD_REV_IS: buf_printf(b, ",\"target\":\"MOD\",\"result\":\"EQUAL\",\"mod_revision\":\"%lld\"}", (long long)g->rev); break;
	case ETCD_EXISTS: buf_str(b, ",\"target\":\"CREATE\",\"result\":\"GREATER\",\"create_revision\":\"0\"}"); break;
	case ETCD_NONE_AFTER: buf_printf(b, ",\"target\":\"MOD\",\"result\":\"LESS\",\"mod_revision\":\"%lld\"}", (long long)g->rev + 1); break;
	}
}

static void put_op(const struct etcd *c, struct buf *b, const struct etcd_kv *op, int64_t lease)
{
	buf_printf(b, "{\"%s\":{", op->value ? "request_put" : "request_delete_range");
	put_bytes(b, "key", c->prefix, op->key);
	if (op->value) {
		buf_byte(b, ',');
		put_bytes(b, "value", "", op->value);
	}
	if (op->value && lease)
		buf_printf(b, ",\"lease\":\"%lld\"", (long long)lease);
	buf_str(b, "}}");
}

int etcd_txn(struct etcd *c, const struct etcd_guard *guards, size_t nguards, const struct etcd_kv *ops, size_t nops, int64_t lease,
    int64_t *rev, bool *unsent, struct err *e)
{
	struct buf b = { 0 };
	struct arena *a = arena_new();
	struct fetched f;

	buf_str(&b, "{\"compare\":[");
	for (size_t i = 0; i < nguards; i++) {
		buf_str(&b, i ? "," : "");
		put_guard(c, &b, &guards[i]);
	}
	buf_str(&b, "],\"success\":[");
	for (size_t i = 0; i < nops; i++) {
		buf_str(&b, i ? "," : "");
		put_op(c, &b, &ops[i], lease);
	}
	buf_str(&b, "]}");
	int rc = ask(c, &(struct ask){ .path = "kv/txn", .body = b.p, .timeout_ms = ANSWER_MS }, &f, a, e);
	*unsent = rc && f.unsent;
	struct json *j = rc ? NULL : json_read(f.body, e);
	if (j) {
		*rev = revision(j);
		rc = json_kind(json_key(j, "succeeded")) == JSON_IS_FLAG;	/* it is there when it is true */
	}
	rc = j ? rc : -1;
	json_free(j);
	buf_free(&b);
	arena_free(a);
	return rc;
}

int etcd_all(struct etcd *c, struct etcd_kv **v, size_t *n, int64_t *rev, struct arena *a, struct err *e)
{
	struct buf b = { 0 };
	struct fetched f;

	buf_byte(&b, '{');
	put_range(&b, c->prefix, "");
	buf_byte(&b, '}');
	int rc = ask(c, &(struct ask){ .path = "kv/range", .body = b.p, .timeout_ms = LOAD_MS }, &f, a, e);
	buf_free(&b);
	struct json *j = rc ? NULL : json_read(f.body, e);
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

/* ---- what changes ---- */

struct watching {
	struct etcd *c;
	struct buf line;
	void (*each)(void *, const struct etcd_kv *, size_t, int64_t);
	void *arg;
	struct err e;
};

static void take_events(struct watching *w, const struct json *result)
{
	const struct json *events = json_key(result, "events");
	struct arena *a = arena_new();
	struct etcd_kv *v = arena_many(a, json_len(events) + 1, struct etcd_kv);
	size_t n = 0;
	int64_t rev = 0;	/* the header's may be of later */

	for (size_t i = 0; i < json_len(events); i++) {
		const struct json *event = json_nth(events, i), *kv = json_key(event, "kv");
		const char *type = json_str(json_key(event, "type"));
		int64_t its = number(json_key(kv, "mod_revision"));
		n += read_kv(w->c, kv, type && !strcmp(type, "DELETE"), &v[n], a);
		rev = its > rev ? its : rev;
	}
	if (n)
		w->each(w->arg, v, n, rev);
	arena_free(a);
}

static void take_line(struct watching *w)
{
	struct json *j = json_read(w->line.p, NULL);
	const struct json *result = json_key(j, "result"), *error = json_key(j, "error");
	const char *why = json_str(error) ? json_str(error) : json_str(json_key(error, "message"));

	if (error)
		err_set(&w->e, ERR_UNAVAILABLE, "etcd: %.160s", why ? why : "the watch ended");
	else if (number(json_key(result, "compact_revision")))
		err_set(&w->e, ERR_NOT_FOUND, "etcd: that revision is forgotten");
	else if (json_kind(json_key(result, "canceled")) == JSON_IS_FLAG)
		err_set(&w->e, ERR_UNAVAILABLE, "etcd: the watch was ended there");
	else if (result)
		take_events(w, result);
	json_free(j);
}

static void on_data(void *arg, const char *p, size_t n)
{
	struct watching *w = arg;
	bool any = false;

	for (const char *nl; n && (nl = memchr(p, '\n', n)); n -= (size_t)(nl + 1 - p), p = nl + 1) {
		buf_put(&w->line, p, (size_t)(nl - p));
		if (w->line.n && !w->e.code)
			take_line(w);
		w->line.n = 0;
		any = true;
	}
	buf_put(&w->line, p, n);
	if (any)
		w->each(w->arg, NULL, 0, 0);
}

int etcd_watch(struct etcd *c, int64_t from, void (*each)(void *, const struct etcd_kv *, size_t, int64_t), void *arg, atomic_bool *stop,
    struct err *e)
{
	struct watching w = { .c = c, .each = each, .arg = arg };
	struct arena *a = arena_new();
	struct buf b = { 0 };
	struct fetched f = { 0 };
	struct err oops = { 0 };
	size_t at = atomic_load(&c->at);

	buf_str(&b, "{\"create_request\":{");
	put_range(&b, c->prefix, "");
	buf_printf(&b, ",\"start_revision\":\"%lld\"}}", (long long)from);
	const struct ask q = { .path = "watch", .body = b.p, .timeout_ms = -1, .data = on_data, .arg = &w, .stop = stop };
	int rc = ask_at(c, &q, c->urls[at % c->nurls], &f, a, &oops);
	if (rc && f.unsent)
		atomic_compare_exchange_strong(&c->at, &at, at + 1);
	if (w.e.code)
		oops = w.e;
	*e = oops;
	buf_free(&b);
	buf_free(&w.line);
	arena_free(a);
	return oops.code ? -1 : 0;
}

/* ---- leases ---- */

/* The answer of a request about a lease, to be freed; NULL with `e`. */
static struct json *lease_ask(struct etcd *c, const char *path, const char *name, int64_t value, struct err *e)
{
	struct arena *a = arena_new();
	struct fetched f;
	const char *body = arena_printf(a, "{\"%s\":\"%lld\"}", name, (long long)value);
	int rc = ask(c, &(struct ask){ .path = path, .body = body, .timeout_ms = ANSWER_MS }, &f, a, e);
	struct json *j = rc ? NULL : json_read(f.body, e);

	arena_free(a);
	return j;
}

int etcd_grant(struct etcd *c, int64_t seconds, int64_t *lease, struct err *e)
{
	struct json *j = lease_ask(c, "lease/grant", "TTL", seconds, e);

	if (!j)
		return -1;
	*lease = number(json_key(j, "ID"));
	json_free(j);
	return *lease ? 0 : err_set(e, ERR_UNAVAILABLE, "etcd: no lease");
}

int etcd_keep(struct etcd *c, int64_t lease, int64_t *rev, struct err *e)
{
	struct json *j = lease_ask(c, "lease/keepalive", "ID", lease, e);

	if (!j)
		return -1;
	const struct json *result = json_key(j, "result");
	int alive = number(json_key(result, "TTL")) > 0;
	*rev = revision(result);
	if (!result) {
		err_set(e, ERR_UNAVAILABLE, "etcd: the lease cannot be kept");
		alive = -1;
	}
	json_free(j);
	return alive;
}

int etcd_revoke(struct etcd *c, int64_t lease, struct err *e)
{
	struct json *j = lease_ask(c, "lease/revoke", "ID", lease, e);

	json_free(j);
	return j ? 0 : -1;
}
