#include "coordinator/api/webhooks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "coordinator/api/http_routes.h"
#include "coordinator/auth/caller.h"
#include "coordinator/auth/rate_limits.h"
#include "coordinator/calls/context.h"
#include "coordinator/jobs/jobs.h"
#include "coordinator/members/members.h"
#include "coordinator/registry/webhook_deliveries.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/base/thread_pool.h"
#include "proto/net/crypto.h"
#include "proto/process/options.h"
#include "proto/record/json.h"
#include "proto/text/repo_uri.h"

const struct forge forges[] = {
#define FORGE(name, title, env, proof, proof_header, event_header, push, ping, delivery, object, \
    urls) \
	{ #name, title, proof, proof_header, event_header, push, ping, delivery, object, urls, \
	  offsetof(struct coordinator_config, name##_webhook_secret), \
	  offsetof(struct coordinator_config, name##_webhook_secret_file) },
#include "coordinator/base/forges.def"
	{ 0 }
};

static const struct forge *forge_get(const char *name)
{
	for (const struct forge *f = forges; f->name; f++)
		if (!strcmp(f->name, name))
			return f;
	return NULL;
}

static const char **option(struct coordinator *co, size_t offset)
{
	return (const char **)((char *)&co->o + offset);
}

int webhooks_open(struct coordinator *co, struct err *e)
{
	char flag[64];

	for (const struct forge *f = forges; f->name; f++) {
		const char *path = *option(co, f->secret_file);
		if (!*path)
			continue;
		snprintf(flag, sizeof flag, "%s-webhook-secret-file", f->name);
		const char *secret = options_read_secret(flag, path, co->a, e);
		*option(co, f->secret) = secret;
		if (!secret)
			return -1;
	}
	return 0;
}

bool webhook_verify(
    const struct forge *f, const char *secret, const char *proof, const void *body, size_t n)
{
	char hmac[SHA256_HEX];

	if (f->proof == SECRET)
		return crypto_equal_strings(proof, secret);
	crypto_hmac(secret, body, n, hmac);
	if (proof && !strncmp(proof, "sha256=", 7))
		proof += 7;
	return crypto_equal_strings(proof, hmac);
}

/* ---- the contents of a push ---- */

/* The field `payload` of a form (application/x-www-form-urlencoded), or NULL. */
static const char *form_payload(const char *body, size_t n, struct arena *a)
{
	static const char field[] = "payload=";
	char *s = arena_strn(a, body, n), *at = s;

	while (strncmp(at, field, strlen(field)) != 0) {
		at = strchr(at, '&');
		if (!at)
			return NULL;
		at++;
	}
	at += strlen(field);
	size_t len = strcspn(at, "&");
	for (size_t i = 0; i < len; i++)
		if (at[i] == '+')
			at[i] = ' ';
	return uri_decode(at, len, a);
}

static bool is_form(const char *type)
{
	static const char form[] = "application/x-www-form-urlencoded";

	return type && !strncasecmp(type, form, strlen(form));
}

static void read_uris(
    const struct forge *f, const struct json *repository, struct push *out, struct arena *a)
{
	size_t k = 0;

	for (const char *s = f->urls; *s && k < LEN(out->uris);
	     s += strcspn(s, " "), s += strspn(s, " ")) {
		const char *url = json_str(json_key(repository, arena_strn(a, s, strcspn(s, " "))));
		const char *uri = NULL;
		if (url)
			uri = uri_of_remote(url, a);
		if (uri)
			out->uris[k++] = uri;
	}
	out->repo_uri = out->uris[0];
}

/* A commit of the push, or NULL; forges send zeros if there is none. */
static const char *commit(const struct json *push, const char *key, struct arena *a)
{
	const char *s = json_str(json_key(push, key));

	if (s && strspn(s, "0") < strlen(s))
		return arena_str(a, s);
	return NULL;
}

static const char *why_ignored(const char *ref, const char *branch, const char *after)
{
	if (strncmp(ref, "refs/heads/", 11) != 0)
		return "not a branch";
	if (!branch || strcmp(ref + 11, branch) != 0)
		return "not the default branch";
	if (after)
		return NULL;
	return "the branch was deleted";
}

static int read_push(
    const struct forge *f, const struct json *j, struct push *out, struct arena *a, struct err *e)
{
	const struct json *repository = json_key(j, f->object);
	const char *ref = json_str(json_key(j, "ref"));

	if (!ref)
		return err_set(e, ERR_INVALID_INPUT, "the push has no `ref`");
	read_uris(f, repository, out, a);
	if (!out->repo_uri)
		return err_set(e, ERR_INVALID_INPUT,
		    "the push does not name a repository: `%s` has none of %s", f->object, f->urls);
	out->before = commit(j, "before", a);
	out->after = commit(j, "after", a);
	out->ignored = why_ignored(ref, json_str(json_key(repository, "default_branch")), out->after);
	return 0;
}

int webhook_parse(const struct forge *f, const char *type, const char *body, size_t n,
    struct push *out, struct arena *a, struct err *e)
{
	const char *text = NULL;
	struct json *j = NULL;

	if (is_form(type))
		text = form_payload(body, n, a);
	else if (strlen(body) == n)
		text = body;
	if (text)
		j = json_read(text, NULL);
	*out = (struct push){ 0 };
	if (!j) {
		err_set(e, ERR_INVALID_INPUT, "the body is neither JSON nor a form with JSON in `payload`");
		return err_hint(e, "Set the content type of the webhook to application/json.");
	}
	int rc = read_push(f, j, out, a, e);
	json_free(j);
	return rc;
}

/* ---- the endpoint ---- */

/* A request on its way to a worker, where its headers are no longer available. */
struct webhook_request {
	struct exchange *x;
	const struct forge *forge;
	const char *secret, *proof, *event, *delivery, *type;
};

static void answer(
    struct webhook_request *h, int status, const char *what, const char *key, const char *value)
{
	struct buf b = { 0 };

	buf_printf(&b, "{\"status\":\"%s\"", what);
	if (key) {
		buf_printf(&b, ",\"%s\":", key);
		json_quote(&b, value);
	}
	buf_byte(&b, '}');
	if (!key) {
		key = "reason";
		value = "";
	}
	log_info("webhook", "forge=%s event=%s delivery=%s status=%s %s=%s", h->forge->name,
	    log_quote(h->event), log_quote(h->delivery), what, key, log_quote(value));
	http_answer(h->x, status, "application/json", &b, NULL);
}

static void refuse(struct webhook_request *h, int status, struct err *e)
{
	enum log_level level = LOG_INFO;
	bool log = true;

	if (status == 401) {	/* unauthenticated clients cannot flood the log */
		level = LOG_WARN;
		log = limits_refuse_anonymous(h->x->co->limits, LIMITS_UNKNOWN, clock_us());
	}
	if (log)
		log_at(level, "webhook", "forge=%s event=%s delivery=%s status=%d message=%s",
		    h->forge->name, log_quote(h->event), log_quote(h->delivery), status, log_quote(e->msg));
	http_fail(h->x, status, e, NULL);
}

static struct member *object_member(const struct webhook_request *h, const struct push *p)
{
	struct member *m = NULL;

	for (size_t i = 0; !m && i < LEN(p->uris) && p->uris[i]; i++)
		m = members_get(h->x->co->members, &caller_local, p->uris[i]);
	return m;
}

static void take_push(struct webhook_request *h, const struct push *p)
{
	struct exchange *x = h->x;
	struct member *m = object_member(h, p);
	struct job job;
	struct err e = { 0 };
	const char *done;
	bool fresh;

	if (!m) {
		answer(h, 202, "ignored", "reason",
		    arena_printf(x->a, "%.200s is not registered here", p->repo_uri));
		return;
	}
	if (deliveries_get(x->co->registry, h->forge->name, h->delivery, &done, x->a, &e)) {
		refuse(h, 0, &e);
		return;
	}
	if (done) {
		answer(h, 202, "repeated", "job", done);
		return;
	}
	struct job_request want = {
		.kind = job_kind("update"),
		.of = m->repo_uri,
		.base = p->before,
		.head = p->after,
		.reason = arena_printf(x->a, "push (%s)", h->forge->title),
		.caller = h->forge->name,
		.delay_ms = x->co->o.push_delay_ms,
	};
	if (jobs_enqueue(x->co->jobs, &want, &job, &fresh, x->a, &e) ||
	    deliveries_put(x->co->registry, h->forge->name, h->delivery, job.id, &e))
		refuse(h, 0, &e);
	else
		answer(h, 202, "accepted", "job", job.id);
}

static void take(void *arg)
{
	struct webhook_request *h = arg;
	struct exchange *x = h->x;
	struct push p;
	struct err e = { 0 };

	if (!webhook_verify(h->forge, h->secret, h->proof, x->body, x->n)) {
		err_set(
		    &e, ERR_FORBIDDEN, h->proof ? "%s is wrong" : "%s is missing", h->forge->proof_header);
		err_hint(&e, "Give the webhook the secret in --%s-webhook-secret-file.", h->forge->name);
		refuse(h, 401, &e);
	} else if (!h->event) {
		err_set(&e, ERR_INVALID_INPUT, "%s is missing", h->forge->event_header);
		refuse(h, 400, &e);
	} else if (!strcmp(h->event, h->forge->ping)) {
		answer(h, 200, "pong", NULL, NULL);
	} else if (strcmp(h->event, h->forge->push) != 0) {
		answer(h, 202, "ignored", "reason", "not a push");
	} else if (webhook_parse(h->forge, h->type, x->body, x->n, &p, x->a, &e)) {
		refuse(h, 400, &e);
	} else if (p.ignored) {
		answer(h, 202, "ignored", "reason", p.ignored);
	} else {
		take_push(h, &p);
	}
}

static const char *header(struct exchange *x, const char *name)
{
	const char *s = http_header(x, name);

	if (s)
		return arena_str(x->a, s);
	return NULL;
}

/* The webhooks of the forge are not configured, or there is no such forge. */
static void off(struct exchange *x, const struct forge *f, struct err *e)
{
	const char *names = "";

	if (f) {
		err_set(e, ERR_NOT_FOUND, "webhooks of %s are off: there is no secret", f->title);
		err_hint(e, "Start the coordinator with --%s-webhook-secret-file FILE.", f->name);
		return;
	}
	for (f = forges; f->name; f++)
		names = arena_printf(x->a, "%s%s%s", names, *names ? ", " : "", f->name);
	err_set(e, ERR_NOT_FOUND, "no forge is called `%.40s`", x->rest);
	err_hint(e, "Forges are %s.", names);
}

void webhook_post(struct exchange *x)
{
	const struct forge *f = forge_get(x->rest);
	const char *secret = f ? *option(x->co, f->secret) : "";
	struct err e = { 0 };

	if (!*secret) {
		off(x, f, &e);
		http_fail(x, 0, &e, NULL);
		return;
	}
	struct webhook_request *h = arena_one(x->a, struct webhook_request);
	*h = (struct webhook_request){
		.x = x,
		.forge = f,
		.secret = secret,
		.proof = header(x, f->proof_header),
		.event = header(x, f->event_header),
		.delivery = header(x, f->delivery_header),
		.type = header(x, "Content-Type"),
	};
	if (pool_run(x->co->pool, take, h)) {
		err_set(&e, ERR_RATE_LIMITED, "too many requests are waiting");
		http_fail(x, 0, &e, "Retry-After: 1");
	}
}
