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

/* Whether a version begins at the slash s[0]: /v1, /v1beta. */
static bool is_version(const char *s)
{
	return s[0] == '/' && s[1] == 'v' && isdigit((unsigned char)s[2]);
}

/* Whether a segment of the path is a version.  The second slash of `//` begins none. */
static bool has_version(const char *url, size_t n)
{
	for (size_t i = 0; i + 2 < n; i++) {
		bool after_slash = i && url[i - 1] == '/';
		if (!after_slash && is_version(url + i))
			return true;
	}
	return false;
}

const char *openai_url(const char *base, const char *endpoint, struct arena *a)
{
	size_t n = strcspn(base, "?#"), m = strlen(endpoint);
	const char *query = base + n, *version = "/v1";

	while (n && base[n - 1] == '/')
		n--;
	if (n > m && base[n - m - 1] == '/' && !strncmp(base + n - m, endpoint, m))
		return arena_str(a, base);
	if (has_version(base, n))
		version = "";
	return arena_printf(a, "%.*s%s/%s%s", (int)n, base, version, endpoint, query);
}

static bool has_control(const char *s)
{
	for (; *s; s++)
		if (iscntrl((unsigned char)*s))
			return true;
	return false;
}

int openai_check(const char *flag, const char *url, const char *key_file, const char **key,
    struct arena *a, struct err *e)
{
	if (strncmp(url, "http://", 7) && strncmp(url, "https://", 8))
		return err_set(e, ERR_INVALID_INPUT, "--%s-url %s: neither http:// nor https://", flag,
		    fetch_display_url(url, a));
	if (key_file && *key_file) {
		*key = options_read_secret(arena_printf(a, "%s-key-file", flag), key_file, a, e);
		if (!*key)
			return -1;
	}
	if (*key && has_control(*key))
		return err_set(
		    e, ERR_INVALID_INPUT, "the key of --%s-url contains a control character", flag);
	return 0;
}

/* ---- requests ---- */

static bool is_transient(int status)
{
	return !status || status == 408 || status == 429 || status >= 500;
}

static bool stopped(const struct openai *o)
{
	return o->stop && atomic_load(o->stop);
}

/* The pause doubles each time, with jitter: half of it is random. */
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
		return "Wait a moment and send fewer requests, or start `atoll up` with a key that has a"
		       " higher quota.";
	return "Check that it is running, its address, and that it has the model.";
}

/* The API refuses requests for `wait_ms`; 0 = for a time that it does not tell. */
static void refused(const char *what, const char *shown, int wait_ms, struct err *e)
{
	if (!wait_ms) {
		err_set(
		    e, ERR_RATE_LIMITED, "%s at %.120s refuses further requests (HTTP 429)", what, shown);
		return;
	}
	err_set(e, ERR_RATE_LIMITED, "%s at %.120s refuses further requests for %d s (HTTP 429)", what,
	    shown, (wait_ms + 999) / 1000);
	if (e)
		e->retry_after_ms = wait_ms;
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
		refused(o->what, shown, r->retry_after_ms, e);
	} else {
		err_set(e, ERR_UNAVAILABLE, "%s at %.120s answered HTTP %d", o->what, shown, r->status);
	}
	return err_hint(e, "%s", hint_of(r->status));
}

/* Whether the try, which took `ms`, is the last. */
static bool is_last(const struct openai *o, int try, int status, int64_t ms, int timeout_ms)
{
	if (stopped(o) || !is_transient(status))
		return true;
	if (!o->tries)
		return false;
	bool timed_out = !status && ms >= timeout_ms;
	return timed_out || try + 1 == o->tries;
}

/* The time limit of a request: at least 1 ms, because 0 means the default. */
static int limit_ms(const struct openai *o, int64_t left)
{
	if (left < 1)
		return 1;
	return (int)MIN(left, o->timeout_ms);
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
	    .bearer = o->key, .body = body, .nbody = n, .stop = o->stop, .keep = true };
	int status = 0, retry_after = 0;	/* of the last request that was answered */

	for (int try = 0;; try++) {
		int64_t began = clock_ms();
		f.timeout_ms = limit_ms(o, deadline_ms - began);
		if (!fetch(&f, out, a, e) && out->status / 100 == 2)
			return 0;
		bool forbidden = e && e->code == ERR_FORBIDDEN;
		bool last = is_last(o, try, out->status, clock_ms() - began, f.timeout_ms);
		int wait = pause_ms(try);
		if (out->retry_after_ms > 0)
			wait = out->retry_after_ms;
		if (out->status) {
			status = out->status;
			retry_after = out->retry_after_ms;
		}
		out->status = status;
		out->retry_after_ms = retry_after;
		if (forbidden || last || clock_ms() + wait >= deadline_ms)
			return failed(o, out, a, e);
		sleep_unless_stopped(o, wait);
	}
}
