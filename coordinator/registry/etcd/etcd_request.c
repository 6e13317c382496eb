/* One request to etcd: where it is, who asks, and which of its members answers. */
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
	    "For example tls+etcd://10.0.0.1:2379,10.0.0.2:2379/atoll, or etcd://127.0.0.1:2379/atoll; without the option the registry is a file in --data.");
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
	if (k)
		c->prefix = arena_printf(c->a, "/%.*s/", (int)k, path);
	else
		c->prefix = "/atoll/";
	if (k > PREFIX_MAX)
		return bad_url(e, url, "the prefix is too long");
	for (char *at = arena_strn(c->a, s, n), *next; at; at = next) {
		if ((next = strchr(at, ',')))
			*next++ = 0;
		if (!strchr(at, ':') || strpbrk(at, "@?#"))
			return bad_url(e, url, "an address is HOST:PORT");
		if (!strcmp(scheme, "http") && !is_loopback(at))
			return bad_url(e, url,
			    "etcd:// is not encrypted, and so for this machine's own addresses; elsewhere it is tls+etcd://");
		if (c->nurls == ETCD_ADDRESSES)
			return bad_url(e, url, "has too many addresses");
		c->urls[c->nurls++] = arena_printf(c->a, "%s://%s", scheme, at);
	}
	return 0;
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
	const char *headers[] = { "Content-Type: application/json",
		pass ? arena_printf(a, "Authorization: %s", pass) : NULL, NULL };

	return fetch(&(struct fetch_request){ .url = arena_printf(a, "%s/v3/%s", url, q->path),
	    .headers = headers, .ca = c->o.ca, .cert = c->o.cert,
	    .key = c->o.key, .body = q->body, .nbody = strlen(q->body), .timeout_ms = q->timeout_ms,
	    .connect_ms = CONNECT_MS, .keep = !q->data, .data = q->data, .arg = q->arg,
	    .stop = q->stop }, out, a, e);
}

/* What an answer without success says. */
static int refused(const struct fetch_response *f, struct err *e)
{
	struct json *j = json_read(f->body, NULL);
	const struct json *error = json_key(j, "error");
	const char *why = json_str(error);

	if (!why)
		why = json_str(json_key(j, "message"));
	bool user = f->status == 401 || f->status == 403 ||
	    (why && (strstr(why, "user name") || strstr(why, "authentication")));
	enum err_code code = user ? ERR_FORBIDDEN :
	    f->status < 500       ? ERR_INVALID_INPUT :
	                            ERR_UNAVAILABLE;
	err_set(e, code, "etcd: %.160s (HTTP %d)", why ? why : "no answer that can be read", f->status);
	if (code == ERR_FORBIDDEN)
		err_hint(e,
		    "Check --registry-user and --registry-password-file: the user's role reads and writes what begins with the prefix.");
	json_free(j);
	return -1;
}

/* A pass for the user; NULL: there is no user, or `e`. */
static const char *login(
    struct etcd *c, const char *url, const char *spent, struct arena *a, struct err *e)
{
	struct buf b = { 0 };
	struct fetch_response f;

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
	int rc = post(c,
	    &(struct etcd_call){
	        .path = "auth/authenticate", .body = b.p, .timeout_ms = ETCD_ANSWER_MS },
	    url, NULL, &f, a, e);
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
	if (pass)
		c->pass = strdup(pass);
	else
		c->pass = NULL;
	pthread_mutex_unlock(&c->lock);
	if (!pass)
		err_set(e, ERR_FORBIDDEN, "etcd: no token for the user %.60s", c->o.user);
	return pass;
}

/* With a new pass when the old one is spent. */
int etcd_call_at(struct etcd *c, const struct etcd_call *q, const char *url,
    struct fetch_response *out, struct arena *a, struct err *e)
{
	struct err oops = { 0 };
	const char *pass = login(c, url, NULL, a, &oops);
	int rc = -1;

	if (!oops.code)
		rc = post(c, q, url, pass, out, a, &oops);
	if (!rc && out->status == 401 && pass && (pass = login(c, url, pass, a, &oops)))
		rc = post(c, q, url, pass, out, a, &oops);
	if (!rc && out->status != 200)
		rc = refused(out, &oops);
	if (rc && e)
		*e = oops;
	return rc;
}

/* Whether another address may do better, and must not have got it before. */
static bool elsewhere(const struct fetch_response *f, const struct err *e)
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
		if (!(rc = etcd_call_at(c, q, c->urls[at % c->nurls], out, a, &oops)) ||
		    oops.code != ERR_UNAVAILABLE)
			break;
		atomic_compare_exchange_strong(&c->at, &at, at + 1);
		if (!elsewhere(out, &oops))
			break;
	}
	if (rc && e)
		*e = oops;
	return rc;
}
