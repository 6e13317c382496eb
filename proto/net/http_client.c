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
	const char *refused;		/* what the address is that was not dialled */
};

/*
 * Of each connection, once its address is known: also when a name means another one the second
 * time.
 */
static curl_socket_t on_socket(void *arg, curlsocktype purpose, struct curl_sockaddr *to)
{
	struct fetch_transfer *w = arg;
	const char *refused = NULL;

	if (w->egress)
		refused = egress_refusal(w->egress, &to->addr);
	(void)purpose;
	if (refused) {
		w->refused = refused;
		return CURL_SOCKET_BAD;
	}
	return socket(to->family, to->socktype | SOCK_CLOEXEC, to->protocol);
}

/* Who opens sockets closes them, also for sanitizers, which do not look into libcurl. */
static int on_close(void *arg, curl_socket_t s)
{
	(void)arg;
	return close(s);
}

static size_t on_body(char *p, size_t size, size_t n, void *arg)
{
	struct fetch_transfer *w = arg;
	char *type = NULL;

	if (w->events.event && !curl_easy_getinfo(w->c, CURLINFO_CONTENT_TYPE, &type) && type &&
	    !strncasecmp(type, "text/event-stream", 17)) {
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
	p += k, n -= k;
	while (n && (*p == ' ' || *p == '\t'))
		p++, n--;
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

/* Until it is done, or nobody wants it any more: curl by itself would ask once a second. */
static CURLcode run(CURL *c, const atomic_bool *stop)
{
	CURLM *m = NULL;
	if (stop)
		m = curl_multi_init();
	CURLcode code = CURLE_ABORTED_BY_CALLBACK;
	int running = 1, left;

	if (!m)
		return curl_easy_perform(c);
	curl_multi_add_handle(m, c);
	while (running && !atomic_load(stop))
		if (curl_multi_perform(m, &running) ||
		    (running && curl_multi_poll(m, NULL, 0, STOP_MS, NULL)))
			break;
	for (CURLMsg *msg; (msg = curl_multi_info_read(m, &left));)
		if (msg->msg == CURLMSG_DONE)
			code = msg->data.result;
	curl_multi_remove_handle(m, c);
	curl_multi_cleanup(m);
	return code;
}

/* A thread's handle whose connection is kept. */
static pthread_key_t kept;

static void init(void)
{
	curl_global_init(CURL_GLOBAL_DEFAULT);
	pthread_key_create(&kept, curl_easy_cleanup);
}

static CURL *handle(bool keep)
{
	CURL *c = NULL;

	if (keep)
		c = pthread_getspecific(kept);
	if (!c && !(c = curl_easy_init()))
		die("out of memory");
	if (keep)
		pthread_setspecific(kept, c);
	return c;
}

static void ask(
    CURL *c, const struct fetch_request *f, struct curl_slist *headers, struct fetch_transfer *w)
{
	curl_easy_setopt(c, CURLOPT_URL, f->url);
	curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR, "http,https");
	curl_easy_setopt(c, CURLOPT_TIMEOUT_MS,
	    (long)(f->timeout_ms < 0 ? 0 :
	            f->timeout_ms    ? f->timeout_ms :
	                               30000));
	if (f->timeout_ms < 0) {
		curl_easy_setopt(c, CURLOPT_CONNECTTIMEOUT, 30L);
		curl_easy_setopt(c, CURLOPT_LOW_SPEED_LIMIT, 1L);
		curl_easy_setopt(c, CURLOPT_LOW_SPEED_TIME, 60L);
	}
	if (f->connect_ms)
		curl_easy_setopt(c, CURLOPT_CONNECTTIMEOUT_MS, (long)f->connect_ms);
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
	if (f->ca && *f->ca)
		curl_easy_setopt(c, CURLOPT_CAINFO, f->ca);
	if (f->cert && *f->cert)
		curl_easy_setopt(c, CURLOPT_SSLCERT, f->cert);
	if (f->key && *f->key)
		curl_easy_setopt(c, CURLOPT_SSLKEY, f->key);
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

int fetch(const struct fetch_request *f, struct fetch_response *out, struct arena *a, struct err *e)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct fetch_transfer w = { .max = f->max ? f->max : 64 << 20,
		.out = out,
		.a = a,
		.events = { f->event, f->arg },
		.data = f->data,
		.egress = f->egress };
	struct curl_slist *headers = NULL;
	char *type = NULL;
	long status = 0;
	int rc = -1;

	pthread_once(&once, init);
	*out = (struct fetch_response){ 0 };
	CURL *c = w.c = handle(f->keep);
	for (const char *const *h = f->headers; h && *h; h++)
		headers = curl_slist_append(headers, *h);
	if (f->bearer && *f->bearer)
		headers = curl_slist_append(
		    headers, arena_printf(a, "Authorization: Bearer %s", f->bearer));
	headers = curl_slist_append(headers, "Expect:");
	ask(c, f, headers, &w);
	CURLcode code = run(c, f->stop);
	long sent = 0;
	out->unsent = code && !curl_easy_getinfo(c, CURLINFO_REQUEST_SIZE, &sent) && !sent;
	out->why = why(code, f->url);
	if (code && w.refused) {
		egress_set_refusal(f->egress, fetch_display_url(f->url, a), w.refused, e);
	} else if (code == CURLE_WRITE_ERROR) {
		err_set(e, ERR_UNAVAILABLE, "%s: the answer is larger than %zu bytes",
		    fetch_display_url(f->url, a), w.max);
	} else if (code) {
		err_set(e,
		    code == CURLE_URL_MALFORMAT || code == CURLE_UNSUPPORTED_PROTOCOL ? ERR_INVALID_INPUT :
		                                                                        ERR_UNAVAILABLE,
		    "%s: %s", fetch_display_url(f->url, a), curl_easy_strerror(code));
	} else {
		curl_easy_getinfo(c, CURLINFO_RESPONSE_CODE, &status);
		curl_easy_getinfo(c, CURLINFO_CONTENT_TYPE, &type);
		out->status = (int)status;
		out->retry_after_ms = retry_after_ms(c);
		if (type)
			out->type = arena_str(a, type);
		else
			out->type = "";
		out->body = arena_strn(a, w.body.p ? w.body.p : "", w.body.n);
		out->n = w.body.n;
		rc = 0;
	}
	if (*w.events.id)
		out->last_event = arena_str(a, w.events.id);
	else
		out->last_event = NULL;
	buf_free(&w.body);
	sse_parser_free(&w.events);
	curl_slist_free_all(headers);
	if (f->keep)
		curl_easy_reset(c);	/* not its connections */
	else
		curl_easy_cleanup(c);
	return rc;
}
