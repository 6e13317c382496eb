#include "proto/net/http_client.h"

#include <curl/curl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/redact.h"
#include "proto/net/egress.h"
#include "proto/net/sse.h"

enum { STOP_MS = 200 };

struct fetch_transfer {
	CURL *c;
	struct buf body;
	struct sse_parser events;
	void (*data)(void *arg, const char *p, size_t n);
	size_t max;
	struct fetch_response *out;
	struct arena *a;
	const struct egress_policy *egress;
	const char *refused;		/* what the refused address is, such as "loopback" */
};

/*
 * Checks the address of each connection, since a name may resolve to another address the second
 * time.
 */
static curl_socket_t on_socket(void *arg, curlsocktype purpose, struct curl_sockaddr *to)
{
	struct fetch_transfer *w = arg;

	(void)purpose;
	const char *refused = egress_refusal(w->egress, &to->addr);
	if (refused) {
		w->refused = refused;
		return CURL_SOCKET_BAD;
	}
	return socket(to->family, to->socktype | SOCK_CLOEXEC, to->protocol);
}

/* on_socket opens the sockets, so sanitizers, which do not see into libcurl, expect us to close. */
static int on_close(void *arg, curl_socket_t s)
{
	(void)arg;
	return close(s);
}

static bool is_event_stream(const struct fetch_transfer *w)
{
	char *type = NULL;

	if (curl_easy_getinfo(w->c, CURLINFO_CONTENT_TYPE, &type) || !type)
		return false;
	return !strncasecmp(type, "text/event-stream", 17);
}

static size_t on_body(char *p, size_t size, size_t n, void *arg)
{
	struct fetch_transfer *w = arg;

	if (w->events.event && is_event_stream(w)) {
		if (sse_parser_feed(&w->events, p, size * n))
			return 0;
		return size * n;
	}
	if (w->data) {
		w->data(w->events.arg, p, size * n);
		return size * n;
	}
	if (w->body.n + size * n > w->max)
		return 0;
	buf_put(&w->body, p, size * n);
	return size * n;
}

static const char *header_value(const char *p, size_t n, const char *name, struct arena *a)
{
	size_t k = strlen(name);

	if (n <= k || strncasecmp(p, name, k))
		return NULL;
	p += k;
	n -= k;
	while (n && (*p == ' ' || *p == '\t')) {
		p++;
		n--;
	}
	while (n && strchr(" \t\r\n", p[n - 1]))
		n--;
	return arena_strn(a, p, n);
}

static size_t on_header(char *p, size_t size, size_t n, void *arg)
{
	struct fetch_transfer *w = arg;
	const char *v = header_value(p, size * n, "mcp-session-id:", w->a);

	if (v)
		w->out->session = v;
	return size * n;
}

static void transfer(CURLM *m, const atomic_bool *stop)
{
	int running = 1;

	while (running && !atomic_load(stop)) {
		if (curl_multi_perform(m, &running))
			break;
		if (running && curl_multi_poll(m, NULL, 0, STOP_MS, NULL))
			break;
	}
}

static CURLcode result_of(CURLM *m)
{
	CURLcode code = CURLE_ABORTED_BY_CALLBACK;
	int left;

	for (;;) {
		const CURLMsg *msg = curl_multi_info_read(m, &left);
		if (!msg)
			return code;
		if (msg->msg == CURLMSG_DONE)
			code = msg->data.result;
	}
}

/*
 * Performs the request until it is done or `*stop` is set.  The multi interface checks that several
 * times a second; a callback of curl_easy_perform would be called once a second.
 */
static CURLcode run(CURL *c, const atomic_bool *stop)
{
	CURLM *m = NULL;

	if (stop)
		m = curl_multi_init();
	if (!m)
		return curl_easy_perform(c);
	curl_multi_add_handle(m, c);
	transfer(m, stop);
	CURLcode code = result_of(m);
	curl_multi_remove_handle(m, c);
	curl_multi_cleanup(m);
	return code;
}

/* The thread's handle for requests with `keep`, which holds its connections. */
static pthread_key_t kept_handle;

static void init(void)
{
	curl_global_init(CURL_GLOBAL_DEFAULT);
	pthread_key_create(&kept_handle, curl_easy_cleanup);
}

static CURL *handle(bool keep)
{
	CURL *c = NULL;

	if (keep)
		c = pthread_getspecific(kept_handle);
	if (c)
		return c;
	c = curl_easy_init();
	if (!c)
		die("out of memory");
	if (keep)
		pthread_setspecific(kept_handle, c);
	return c;
}

static void set_timeouts(CURL *c, const struct fetch_request *f)
{
	long total = 30000;

	if (f->timeout_ms > 0)
		total = f->timeout_ms;
	if (f->timeout_ms < 0) {
		total = 0;	/* no limit, except for stalled transfers */
		curl_easy_setopt(c, CURLOPT_CONNECTTIMEOUT, 30L);
		curl_easy_setopt(c, CURLOPT_LOW_SPEED_LIMIT, 1L);
		curl_easy_setopt(c, CURLOPT_LOW_SPEED_TIME, 60L);
	}
	curl_easy_setopt(c, CURLOPT_TIMEOUT_MS, total);
	if (f->connect_ms)
		curl_easy_setopt(c, CURLOPT_CONNECTTIMEOUT_MS, (long)f->connect_ms);
}

static void set_certificates(CURL *c, const struct fetch_request *f)
{
	if (f->ca && *f->ca)
		curl_easy_setopt(c, CURLOPT_CAINFO, f->ca);
	if (f->cert && *f->cert)
		curl_easy_setopt(c, CURLOPT_SSLCERT, f->cert);
	if (f->key && *f->key)
		curl_easy_setopt(c, CURLOPT_SSLKEY, f->key);
}

static void set_options(
    CURL *c, const struct fetch_request *f, struct curl_slist *headers, struct fetch_transfer *w)
{
	curl_easy_setopt(c, CURLOPT_URL, f->url);
	curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR, "http,https");
	set_timeouts(c, f);
	set_certificates(c, f);
	curl_easy_setopt(c, CURLOPT_HTTPHEADER, headers);
	curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, on_body);
	curl_easy_setopt(c, CURLOPT_WRITEDATA, w);
	curl_easy_setopt(c, CURLOPT_HEADERFUNCTION, on_header);
	curl_easy_setopt(c, CURLOPT_HEADERDATA, w);
	if (f->egress) {
		curl_easy_setopt(c, CURLOPT_OPENSOCKETFUNCTION, on_socket);
		curl_easy_setopt(c, CURLOPT_CLOSESOCKETFUNCTION, on_close);
		curl_easy_setopt(c, CURLOPT_OPENSOCKETDATA, w);
	}
	if (f->body) {
		curl_easy_setopt(c, CURLOPT_POSTFIELDS, f->body);
		curl_easy_setopt(c, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)f->nbody);
	}
	if (f->method)
		curl_easy_setopt(c, CURLOPT_CUSTOMREQUEST, f->method);
}

const char *fetch_display_url(const char *url, struct arena *a)
{
	const char *s = uri_redact(url, a);

	return arena_strn(a, s, strcspn(s, "?#"));
}

static int retry_after_ms(CURL *c)
{
	curl_off_t seconds = 0;

	if (curl_easy_getinfo(c, CURLINFO_RETRY_AFTER, &seconds) || seconds <= 0)
		return 0;
	if (seconds < 86400)
		return (int)seconds * 1000;
	return 86400 * 1000;
}

static enum fetch_failure why(CURLcode code, const char *url)
{
	bool tls = !strncasecmp(url, "https:", 6);

	if (code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_ISSUER_ERROR)
		return FETCH_DISTRUSTED;
	if (code == CURLE_SSL_CONNECT_ERROR && tls)
		return FETCH_WANTS_HTTP;
	if (code == CURLE_GOT_NOTHING && !tls)
		return FETCH_WANTS_HTTPS;
	return FETCH_OTHER;
}

static struct curl_slist *make_headers(const struct fetch_request *f, struct arena *a)
{
	struct curl_slist *headers = NULL;

	for (const char *const *h = f->headers; h && *h; h++)
		headers = curl_slist_append(headers, *h);
	if (f->bearer && *f->bearer)
		headers = curl_slist_append(
		    headers, arena_printf(a, "Authorization: Bearer %s", f->bearer));
	return curl_slist_append(headers, "Expect:");
}

static bool nothing_sent(CURL *c)
{
	long sent = 0;

	return !curl_easy_getinfo(c, CURLINFO_REQUEST_SIZE, &sent) && !sent;
}

static int fail(
    const struct fetch_request *f, const struct fetch_transfer *w, CURLcode code, struct err *e)
{
	const char *url = fetch_display_url(f->url, w->a);
	enum err_code kind = ERR_UNAVAILABLE;

	w->out->unsent = nothing_sent(w->c);
	if (w->refused)
		return egress_set_refusal(f->egress, url, w->refused, e);
	if (code == CURLE_WRITE_ERROR)
		return err_set(e, kind, "%s: the answer is larger than %zu bytes", url, w->max);
	if (code == CURLE_URL_MALFORMAT || code == CURLE_UNSUPPORTED_PROTOCOL)
		kind = ERR_INVALID_INPUT;
	return err_set(e, kind, "%s: %s", url, curl_easy_strerror(code));
}

static void fill_response(const struct fetch_transfer *w)
{
	struct fetch_response *out = w->out;
	char *type = NULL;
	long status = 0;

	curl_easy_getinfo(w->c, CURLINFO_RESPONSE_CODE, &status);
	curl_easy_getinfo(w->c, CURLINFO_CONTENT_TYPE, &type);
	out->status = (int)status;
	out->retry_after_ms = retry_after_ms(w->c);
	out->type = "";
	if (type)
		out->type = arena_str(w->a, type);
	out->body = arena_strn(w->a, w->body.p, w->body.n);
	out->n = w->body.n;
}

int fetch(const struct fetch_request *f, struct fetch_response *out, struct arena *a, struct err *e)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct fetch_transfer w = { .max = 64 << 20,
		.out = out,
		.a = a,
		.events = { f->event, f->arg },
		.data = f->data,
		.egress = f->egress };
	int rc = 0;

	pthread_once(&once, init);
	*out = (struct fetch_response){ 0 };
	if (f->max)
		w.max = f->max;
	w.c = handle(f->keep);
	struct curl_slist *headers = make_headers(f, a);
	set_options(w.c, f, headers, &w);
	CURLcode code = run(w.c, f->stop);
	out->why = why(code, f->url);
	if (code)
		rc = fail(f, &w, code, e);
	else
		fill_response(&w);
	if (*w.events.id)
		out->last_event = arena_str(a, w.events.id);
	buf_free(&w.body);
	sse_parser_free(&w.events);
	curl_slist_free_all(headers);
	if (f->keep)
		curl_easy_reset(w.c);	/* its connections stay open */
	else
		curl_easy_cleanup(w.c);
	return rc;
}
