/*
 * The web page: files that build.mjs makes from coordinator/web, embedded in the program.  They
 * contain no data; the page loads that from the API.
 */
#include <stdio.h>
#include <string.h>

#include "coordinator/api/http_routes.h"
#include "coordinator/http/media_types.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/net/crypto.h"
#include "proto/process/embedded.h"

#define PAGE_FOLDER "web/site/"

/* Media types by file name extension. */
static const struct { const char *end, *type; } types[] = {
	{ ".html", "text/html; charset=utf-8" },
	{ ".js", "text/javascript; charset=utf-8" },
	{ ".css", "text/css; charset=utf-8" },
	{ ".svg", "image/svg+xml" },
	{ ".txt", "text/plain; charset=utf-8" },
};

/* Even with hostile data the page runs its own scripts only, and sends nothing elsewhere. */
static const struct http_header page_headers[] = {
	{ "Content-Security-Policy",
	    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
	    " img-src 'self' data:; font-src 'self'; "
	    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'" },
	{ "X-Frame-Options", "DENY" },
	{ "Referrer-Policy", "no-referrer" },
	{ "Cross-Origin-Opener-Policy", "same-origin" },
	{ "Cross-Origin-Resource-Policy", "same-origin" },
	{ "Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()" },
};

static const char *type_of(const char *name)
{
	for (size_t i = 0; i < LEN(types); i++) {
		size_t n = strlen(types[i].end);
		if (strlen(name) > n && !strcmp(name + strlen(name) - n, types[i].end))
			return types[i].type;
	}
	return NULL;
}

/* Whether If-None-Match contains the ETag, in a list, weak or strong. */
static bool is_known(const struct exchange *x, const char *etag)
{
	const char *known = http_header(x, "If-None-Match");

	return known && (!strcmp(known, "*") || strstr(known, etag));
}

static void answer_not_found(struct exchange *x)
{
	struct err e = { 0 };

	err_set(&e, ERR_NOT_FOUND, "nothing answers at %.100s", x->path);
	err_hint(&e, "MCP answers at /mcp, tools at POST /api/v1/<tool>, the page at /.");
	http_fail(x, 404, &e, NULL);
}

/* Serves a file of the page, compressed if the client accepts that. */
static void serve(struct exchange *x, const char *name, const char *cache_control)
{
	const struct embedded *f = embedded_find(arena_printf(x->a, PAGE_FOLDER "%s", name));
	const struct embedded *zipped = NULL;
	const char *type = type_of(name);
	struct http_header headers[LEN(page_headers) + 6];
	char hash[SHA256_HEX];
	size_t n = 0;

	if (!f || !type) {
		answer_not_found(x);
		return;
	}
	if (media_accepts_encoding(http_header(x, "Accept-Encoding"), "gzip"))
		zipped = embedded_find(arena_printf(x->a, PAGE_FOLDER "%s.gz", name));
	crypto_sha256(f->p, (size_t)(f->end - f->p), hash);
	const char *etag = arena_printf(x->a, "\"%.16s%s\"", hash, zipped ? "-gz" : "");
	headers[n++] = (struct http_header){ "Content-Type", type };
	headers[n++] = (struct http_header){ "Cache-Control", cache_control };
	headers[n++] = (struct http_header){ "ETag", etag };
	headers[n++] = (struct http_header){ "Vary", "Accept-Encoding" };
	if (zipped)
		headers[n++] = (struct http_header){ "Content-Encoding", "gzip" };
	memcpy(headers + n, page_headers, sizeof page_headers);
	headers[n + LEN(page_headers)] = (struct http_header){ NULL, NULL };
	if (zipped)
		f = zipped;
	if (is_known(x, etag))
		http_answer_file(x, 304, "", 0, headers);
	else
		http_answer_file(x, 200, f->p, (size_t)(f->end - f->p), headers);
}

/* All views are one file, which evaluates the path.  Not cached, so a new version is noticed. */
void page_view(struct exchange *x)
{
	serve(x, "index.html", "no-cache");
}

void page_asset(struct exchange *x)
{
	serve(x, arena_printf(x->a, "assets/%s", x->rest), "public, max-age=31536000, immutable");
}
