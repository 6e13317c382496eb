/* One request to etcd: parses the address, logs in, and chooses the member to ask. */
#include "coordinator/registry/etcd/etcd_internal.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/net/http_client.h"
#include "proto/record/json.h"

enum { CONNECT_MS = 700, PREFIX_MAX = 200 };

/* ---- addresses ---- */

static int bad_url(struct err *e, const char *url, const char *why)
{
	err_set(e, ERR_INVALID_INPUT, "--registry %.120s: %s", url, why);
	return err_hint(e,
	    "For example tls+etcd://10.0.0.1:2379,10.0.0.2:2379/atoll, or etcd://127.0.0.1:2379/atoll;"
	    " without the option, the registry is a file in --data.");
}

static bool is_loopback(const char *at)
{
	return !strncmp(at, "127.", 4) || !strncmp(at, "localhost:", 10) || !strncmp(at, "[::1]:", 6);
}

static int read_prefix(struct etcd *c, const char *path, struct err *e)
{
	path += strspn(path, "/");
	size_t n = strlen(path);
	while (n && path[n - 1] == '/')
		n--;
	if (n > PREFIX_MAX)
		return bad_url(e, c->o.url, "the prefix is too long");
	c->prefix = "/atoll/";
	if (n)
		c->prefix = arena_printf(c->a, "/%.*s/", (int)n, path);
	return 0;
}

static int add_address(struct etcd *c, bool tls, const char *at, struct err *e)
{
	const char *url = c->o.url;

	if (!strchr(at, ':') || strpbrk(at, "@?#"))
		return bad_url(e, url, "an address is HOST:PORT");
	if (!tls && !is_loopback(at))
		return bad_url(
		    e, url, "etcd:// is not encrypted: it may only name this machine; use tls+etcd://");
	if (c->nurls == ETCD_ADDRESSES)
		return bad_url(e, url, "has too many addresses");
	c->urls[c->nurls++] = arena_printf(c->a, "%s://%s", tls ? "https" : "http", at);
	return 0;
}

static int read_url(struct etcd *c, struct err *e)
{
	const char *s = c->o.url;
	bool tls = !strncmp(s, "tls+etcd://", 11);

	if (!tls && strncmp(s, "etcd://", 7))
		return bad_url(e, s, "is neither etcd:// nor tls+etcd://");
	s += strlen(tls ? "tls+etcd://" : "etcd://");
	size_t n = strcspn(s, "/");
	c->shown = arena_strn(c->a, s, n);
	if (read_prefix(c, s + n, e))
		return -1;
	for (const char *at = c->shown;; at++) {
		size_t k = strcspn(at, ",");
		if (add_address(c, tls, arena_strn(c->a, at, k), e))
			return -1;
		at += k;
		if (!*at)
			return 0;
	}
}

struct etcd *etcd_new(const struct etcd_options *o, struct err *e)
{
	struct etcd *c = xcalloc(1, sizeof *c);

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

const char *etcd_addresses(const struct etcd *c)
{
	return c->shown;
}

const char *etcd_prefix(const struct etcd *c)
{
	return c->prefix;
}

size_t etcd_endpoint_index(const struct etcd *c)
{
	return atomic_load(&c->at);
}

/* ---- one request ---- */

static int post(struct etcd *c, const struct etcd_call *q, const char *url, const char *pass,
    struct fetch_response *out, struct arena *a, struct err *e)
{
	const char *headers[] = { "Content-Type: application/json", NULL, NULL };

	if (pass)
		headers[1] = arena_printf(a, "Authorization: %s", pass);
	const struct fetch_request request = {
		.url = arena_printf(a, "%s/v3/%s", url, q->path),
		.headers = headers,
		.ca = c->o.ca,
		.cert = c->o.cert,
		.key = c->o.key,
		.body = q->body,
		.nbody = strlen(q->body),
		.timeout_ms = q->timeout_ms,
		.connect_ms = CONNECT_MS,
		.keep = !q->data,
		.data = q->data,
		.arg = q->arg,
		.stop = q->stop,
	};
	return fetch(&request, out, a, e);
}

static bool is_login_failure(const struct fetch_response *f, const char *why)
{
	if (f->status == 401 || f->status == 403)
		return true;
	return strstr(why, "user name") || strstr(why, "authentication");
}

/* Turns an answer that is not a success into an error.  Always -1. */
static int refused(const struct fetch_response *f, struct err *e)
{
	struct json *j = json_read(f->body, NULL);
	const char *why = json_str(json_key(j, "error"));

	if (!why)
		why = json_str(json_key(j, "message"));
	if (!why)
		why = "unreadable answer";
	enum err_code code = ERR_UNAVAILABLE;
	if (is_login_failure(f, why))
		code = ERR_FORBIDDEN;
	else if (f->status < 500)
		code = ERR_INVALID_INPUT;
	err_set(e, code, "etcd: %.160s (HTTP %d)", why, f->status);
	if (code == ERR_FORBIDDEN)
		err_hint(e,
		    "Check --registry-user and --registry-password-file;"
		    " the user's role must read and write the keys under the prefix.");
	json_free(j);
	return -1;
}

/* The session token in use, in `a`; NULL if there is none, or only the `rejected` one. */
static const char *current_pass(struct etcd *c, const char *rejected, struct arena *a)
{
	const char *pass = NULL;

	pthread_mutex_lock(&c->lock);
	if (c->pass && (!rejected || strcmp(c->pass, rejected)))
		pass = arena_str(a, c->pass);
	pthread_mutex_unlock(&c->lock);
	return pass;
}

/* Asks for a session token: NULL in `*pass` if the answer has none.  -1 with `e`. */
static int authenticate(
    struct etcd *c, const char *url, const char **pass, struct arena *a, struct err *e)
{
	struct buf b = { 0 };
	struct fetch_response f;

	buf_str(&b, "{\"name\":");
	json_quote(&b, c->o.user);
	buf_str(&b, ",\"password\":");
	json_quote(&b, c->o.password);
	buf_byte(&b, '}');
	const struct etcd_call q = {
		.path = "auth/authenticate", .body = b.p, .timeout_ms = ETCD_ANSWER_MS
	};
	int rc = post(c, &q, url, NULL, &f, a, e);
	buf_free(&b);
	if (rc)
		return -1;
	if (f.status != 200)
		return refused(&f, e);
	struct json *j = json_read(f.body, NULL);
	*pass = arena_str(a, json_str(json_key(j, "token")));
	json_free(j);
	return 0;
}

/* Keeps the session token for the next requests, or none if it is NULL. */
static void set_current_pass(struct etcd *c, const char *pass)
{
	pthread_mutex_lock(&c->lock);
	free(c->pass);
	c->pass = NULL;
	if (pass)
		c->pass = xstrdup(pass);
	pthread_mutex_unlock(&c->lock);
}

/*
 * A session token of the user; NULL if no user is configured, or with `e`.  `rejected` is one that
 * etcd no longer accepts, or NULL.
 */
static const char *login(
    struct etcd *c, const char *url, const char *rejected, struct arena *a, struct err *e)
{
	if (!c->o.user || !*c->o.user)
		return NULL;
	const char *pass = current_pass(c, rejected, a);
	if (pass)
		return pass;
	if (authenticate(c, url, &pass, a, e))
		return NULL;
	set_current_pass(c, pass);
	if (!pass)
		err_set(e, ERR_FORBIDDEN, "etcd: no token for the user %.60s", c->o.user);
	return pass;
}

/* Logs in again when etcd rejects the session token. */
int etcd_call_at(struct etcd *c, const struct etcd_call *q, const char *url,
    struct fetch_response *out, struct arena *a, struct err *e)
{
	struct err oops = { 0 };
	const char *pass = login(c, url, NULL, a, &oops);
	int rc = -1;

	if (!oops.code)
		rc = post(c, q, url, pass, out, a, &oops);
	if (!rc && out->status == 401 && pass) {
		pass = login(c, url, pass, a, &oops);
		if (pass)
			rc = post(c, q, url, pass, out, a, &oops);
	}
	if (!rc && out->status != 200)
		rc = refused(out, &oops);
	if (rc && e)
		*e = oops;
	return rc;
}

/* Whether another address may be tried: this one cannot have executed the request. */
static bool may_try_next(const struct fetch_response *f, const struct err *e)
{
	return f->unsent || (e->code == ERR_UNAVAILABLE && strstr(e->msg, "no leader"));
}

int etcd_call(struct etcd *c, const struct etcd_call *q, struct fetch_response *out,
    struct arena *a, struct err *e)
{
	struct err oops;
	int rc = -1;

	for (size_t i = 0; i < c->nurls; i++) {
		size_t at = atomic_load(&c->at);
		oops = (struct err){ 0 };
		*out = (struct fetch_response){ 0 };
		rc = etcd_call_at(c, q, c->urls[at % c->nurls], out, a, &oops);
		if (!rc || oops.code != ERR_UNAVAILABLE)
			break;
		atomic_compare_exchange_strong(&c->at, &at, at + 1);
		if (!may_try_next(out, &oops))
			break;
	}
	if (rc && e)
		*e = oops;
	return rc;
}
