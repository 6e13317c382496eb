/*
 * The page: files that build.mjs made of coordinator/web and that are carried in the program.
 * They hold no data: that comes by the API.
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

/* Of each kind of file by its ending. */
static const struct { const char *end, *type; } types[] = {
	{ ".html", "text/html; charset=utf-8" },
	{ ".js", "text/javascript; charset=utf-8" },
	{ ".css", "text/css; charset=utf-8" },
	{ ".svg", "image/svg+xml" },
	{ ".txt", "text/plain; charset=utf-8" },
};

/*
 * Whatever the page should be made to show: it runs nothing but its own files, sends nothing
 * elsewhere, and stands in no frame.
 */
static const struct http_header page_headers[] = {
	{ "Content-Security-Policy",
	    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; font-src 'self'; "
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

/* Whether If-None-Match names it: any of a list, weak or not. */
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

/* The file of that name below the site, as the client takes it. */
static void serve(struct exchange *x, const char *name, const char *kept)
{
	const struct embedded *f = embedded_find(arena_printf(x->a, PAGE_FOLDER "%s", name)),
	                      *zipped = NULL;
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
	headers[n++] = (struct http_header){ "Cache-Control", kept };
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

/*
 * Each view is the same file, which looks at the path; asked for anew each time, so that a newer
 * program is noticed.
 */
void page_view(struct exchange *x)
{
	serve(x, "index.html", "no-cache");
}

void page_asset(struct exchange *x)
{
	serve(x, arena_printf(x->a, "assets/%s", x->rest), "public, max-age=31536000, immutable");
}
