#include "proto/embed/openai_api.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/net/crypto.h"
#include "proto/net/egress.h"
#include "proto/net/http_client.h"
#include "proto/process/options.h"

enum { FIRST_PAUSE_MS = 250, LONGEST_PAUSE_MS = 30000, SLEEP_SLICE_MS = 500 };

/* ---- settings ---- */

/* Whether a segment of the path is a version: /v1, /v1beta. */
static bool has_version(const char *url, size_t n)
{
	for (size_t i = 0; i + 2 < n; i++)
		if (url[i] == '/' && url[i + 1] == 'v' && isdigit((unsigned char)url[i + 2]) &&
		    (!i || url[i - 1] != '/'))
			return true;
	return false;
}

const char *openai_url(const char *base, const char *endpoint, struct arena *a)
{
	size_t n = strcspn(base, "?#"), m = strlen(endpoint);
	const char *query = base + n;

	while (n && base[n - 1] == '/')
		n--;
	if (n > m && base[n - m - 1] == '/' && !strncmp(base + n - m, endpoint, m))
		return arena_str(a, base);
	return arena_printf(
	    a, "%.*s%s/%s%s", (int)n, base, has_version(base, n) ? "" : "/v1", endpoint, query);
}

int openai_check(const char *flag, const char *url, const char *key_file, const char **key,
    struct arena *a, struct err *e)
{
	if (strncmp(url, "http://", 7) && strncmp(url, "https://", 8))
		return err_set(e, ERR_INVALID_INPUT, "--%s-url %s: neither http:// nor https://", flag,
		    fetch_display_url(url, a));
	if (key_file && *key_file &&
	    !(*key = options_read_secret(arena_printf(a, "%s-key-file", flag), key_file, a, e)))
		return -1;
	for (const char *s = *key ? *key : ""; *s; s++)
		if (iscntrl((unsigned char)*s))
			return err_set(
			    e, ERR_INVALID_INPUT, "the key of --%s-url holds a control character", flag);
	return 0;
}

/* ---- asking ---- */

static bool is_transient(int status)
{
	return !status || status == 408 || status == 429 || status >= 500;
}

static bool stopped(const struct openai *o)
{
	return o->stop && atomic_load(o->stop);
}

/* Half to all of twice the pause before. */
static int pause_ms(int try)
{
	int ms = LONGEST_PAUSE_MS;
	char hex[5];

	if (try < 7)
		ms = FIRST_PAUSE_MS << try;
	crypto_random_hex(hex, 2);
	return ms / 2 + (int)(strtol(hex, NULL, 16) * (ms / 2) / 0xffff);
}

static const char *hint_of(int status)
{
	if (status == 401 || status == 403)
		return "Check its key: the environment variable, or the option that names a file.";
	if (status == 429)
		return "Wait a moment and retry, less at once; or start `atoll up` with a key of more quota.";
	return "Check that it is up, its address, and that it has the model.";
}

static int failed(
    const struct openai *o, const struct fetch_response *r, struct arena *a, struct err *e)
{
	const char *shown = fetch_display_url(o->url, a);

	if (!r->status) {
		err_add(e, "%s", o->what);
		if (e && e->code == ERR_FORBIDDEN)
			return -1;
	} else if (r->status == 429) {
		err_set(
		    e, ERR_RATE_LIMITED, "%s at %.120s refuses more requests (HTTP 429)", o->what, shown);
	} else {
		err_set(e, ERR_UNAVAILABLE, "%s at %.120s answered HTTP %d", o->what, shown, r->status);
	}
	return err_hint(e, "%s", hint_of(r->status));
}

/* Whether the try, which took `ms`, is the last. */
static bool is_last(const struct openai *o, int try, int status, int64_t ms, int timeout_ms)
{
	return stopped(o) || !is_transient(status) ||
	    (o->tries && (try + 1 == o->tries || (!status && ms >= timeout_ms)));
}

static void sleep_unless_stopped(const struct openai *o, int ms)
{
	for (; ms > 0 && !stopped(o); ms -= SLEEP_SLICE_MS)
		clock_sleep(MIN(ms, SLEEP_SLICE_MS));
}

int openai_post(const struct openai *o, const char *body, size_t n, int64_t deadline_ms,
    struct fetch_response *out, struct arena *a, struct err *e)
{
	static const char *const headers[] = { "Content-Type: application/json",
	    "Accept: application/json, text/event-stream", NULL };
	struct fetch_request f = { .url = o->url, .egress = egress_policy_of(false), .headers = headers,
	    .bearer = o->key, .body = body, .nbody = n, .stop = o->stop,
		.keep = true };

	for (int try = 0, status = 0;; try++) {
		int64_t began = clock_ms(), left = deadline_ms - began;
		if (left < 1)
			f.timeout_ms = 1;
		else if (left < o->timeout_ms)
			f.timeout_ms = (int)left;
		else
			f.timeout_ms = o->timeout_ms;
		if (!fetch(&f, out, a, e) && out->status / 100 == 2)
			return 0;
		bool last = is_last(o, try, out->status, clock_ms() - began, f.timeout_ms) ||
		    (e && e->code == ERR_FORBIDDEN);
		int wait = out->retry_after_ms > 0 ? out->retry_after_ms : pause_ms(try);
		status = out->status = out->status ? out->status : status;	/* of the last that answered */
		if (last || clock_ms() + wait >= deadline_ms)
			return failed(o, out, a, e);
		sleep_unless_stopped(o, wait);
	}
}
