/* Access to the HTTP server: where it may listen, and which pages and callers it accepts. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "coordinator/auth/caller.h"
#include "coordinator/auth/tokens.h"
#include "coordinator/base/options.h"
#include "coordinator/http/http_internal.h"

/* Beyond this machine, code is sent only encrypted and to authenticated clients. */
int http_check_listen(struct http_server *h, struct err *e)
{
	const struct coordinator_config *o = h->in.o;
	struct sockaddr_storage sa;
	socklen_t len;
	bool loopback;

	if (origin_address(o->http, &sa, &len, &loopback, e))
		return -1;
	h->exposed = !loopback || o->behind_proxy;
	h->names = (struct origin_names){ o->allow_host.v, o->allow_host.n, !loopback };
	if (h->exposed && !tokens_exist(h->in.tokens)) {
		err_set(e, ERR_INVALID_INPUT,
		    "--http %.80s%s: there is no token: anyone who reaches it could read every repository",
		    o->http, loopback ? " --behind-proxy" : "");
		return err_hint(e,
		    "Create one with `atoll token create --name NAME --data DIR`,"
		    " or give --bootstrap-token-file FILE.");
	}
	if (!loopback && !o->behind_proxy && !h->tls) {
		err_set(e, ERR_INVALID_INPUT,
		    "--http %.80s: without TLS, tokens and code would cross the network in the clear",
		    o->http);
		return err_hint(e,
		    "Give --http-cert FILE and --http-key FILE;"
		    " or --behind-proxy, if a proxy in front terminates TLS.");
	}
	if (h->tls && !*o->http_key)
		return err_set(
		    e, ERR_INVALID_INPUT, "--http-cert and --http-key go together: --http-key is missing");
	if (h->tls && !*o->http_cert)
		return err_set(
		    e, ERR_INVALID_INPUT, "--http-cert and --http-key go together: --http-cert is missing");
	return 0;
}

int http_check_origin(struct http_request *x)
{
	const char *host = http_header(&x->pub, MHD_HTTP_HEADER_HOST);
	const char *origin = http_header(&x->pub, MHD_HTTP_HEADER_ORIGIN);

	if (host && !origin_host_allowed(host, &x->http->names)) {
		err_set(&x->refusal, ERR_FORBIDDEN, "Host `%.80s` is not this machine", host);
		err_hint(&x->refusal, "Use %s, or start the coordinator with --allow-host NAME.",
		    x->http->in.url);
		return http_request_reject(x, 403);
	}
	if (origin && !origin_page_allowed(origin, host)) {
		err_set(&x->refusal, ERR_FORBIDDEN, "Origin `%.80s` may not use this server", origin);
		err_hint(
		    &x->refusal, "Use a client that is not a web page, or a page served by this machine.");
		return http_request_reject(x, 403);
	}
	return 0;
}

static int unauthorized(struct http_request *x, const char *challenge)
{
	snprintf(x->refusal_header, sizeof x->refusal_header, "WWW-Authenticate: %s", challenge);
	return http_request_reject(x, 401);
}

int http_authenticate(struct http_request *x, bool open)
{
	const char *given = http_header(&x->pub, MHD_HTTP_HEADER_AUTHORIZATION);
	bool needed = x->http->exposed || tokens_exist(x->http->in.tokens);

	if (!needed) {
		x->pub.caller = &caller_local;
		return 0;
	}
	if (!given && open)
		return 0;
	if (!given || strncasecmp(given, "Bearer ", 7) != 0) {
		err_set(&x->refusal, ERR_FORBIDDEN,
		    given ? "Authorization is not a bearer token" : "a token is needed here");
		err_hint(&x->refusal,
		    "Send `Authorization: Bearer TOKEN`; `atoll` reads it from ATOLL_TOKEN;"
		    " `atoll token create --help` shows how to create one.");
		return unauthorized(x, "Bearer realm=\"atoll\"");
	}
	const struct caller *c = tokens_caller(
	    x->http->in.tokens, given + 7 + strspn(given + 7, " "), &x->refusal);
	if (!c)
		return unauthorized(x, "Bearer error=\"invalid_token\"");
	x->pub.caller = c;
	return 0;
}
