#include "shard/manifests/document_urls.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/map.h"
#include "proto/base/minmax.h"
#include "proto/record/record.h"
#include "proto/text/repo_uri.h"

enum { MAX_DOCUMENT_URLS = 400, MAX_URL_NAME_BYTES = 300, SEGMENTS = 5 };

struct document_url_reader {
	struct arena *a;
	struct map *seen;	/* ecosystem and name -> place in v + 1 */
	struct package *v;
	size_t n, cap;
};

static void put(struct document_url_reader *r, const char *ecosystem, const char *name, size_t line)
{
	if (!name || !*name || strlen(name) > MAX_URL_NAME_BYTES || (r->n == MAX_DOCUMENT_URLS))
		return;
	void **at = map_at(r->seen, arena_printf(r->a, "%s %s", ecosystem, name));
	if (!*at) {
		r->v = grow(r->v, &r->cap, r->n + 1, sizeof *r->v);
		r->v[r->n++] = (struct package){
			.side = "mentions", .ecosystem = ecosystem, .name = name, .line = line
		};
		*at = (void *)(uintptr_t)r->n;
	}
	r->v[(uintptr_t)*at - 1].count++;
}

/* ---- pages of packages ---- */

/* Behind `before` so many segments are the name; `joint` is what stands between two of them. */
static const struct registry_page {
	const char *before, *ecosystem;
	int segments;
	const char *separator;
} pages[] = {
	{ "www.npmjs.com/package/", "npm", 1, NULL },
	{ "npmjs.com/package/", "npm", 1, NULL },
	{ "www.npmjs.org/package/", "npm", 1, NULL },
	{ "npmjs.org/package/", "npm", 1, NULL },
	{ "unpkg.com/", "npm", 1, NULL },
	{ "cdn.jsdelivr.net/npm/", "npm", 1, NULL },
	{ "pypi.org/project/", "pypi", 1, NULL },
	{ "pypi.python.org/pypi/", "pypi", 1, NULL },
	{ "crates.io/crates/", "cargo", 1, NULL },
	{ "docs.rs/crate/", "cargo", 1, NULL },
	{ "docs.rs/", "cargo", 1, NULL },
	{ "rubygems.org/gems/", "rubygems", 1, NULL },
	{ "www.nuget.org/packages/", "nuget", 1, NULL },
	{ "nuget.org/packages/", "nuget", 1, NULL },
	{ "packagist.org/packages/", "composer", 2, "/" },
	{ "pkg.go.dev/", "go", 9, "/" },
	{ "godoc.org/", "go", 9, "/" },
	{ "central.sonatype.com/artifact/", "maven", 2, ":" },
	{ "mvnrepository.com/artifact/", "maven", 2, ":" },
	{ "search.maven.org/artifact/", "maven", 2, ":" },
};

/* Where the segment at `s` ends. */
static size_t segment(const char *s)
{
	return strcspn(s, "/?#");
}

static const char *page_name(const struct registry_page *p, const char *s, struct arena *a)
{
	struct buf b = { 0 };
	int want = p->segments + (*s == '@' && p->segments == 1);	/* @scope/name */

	for (int i = 0; i < want && *s && *s != '?' && *s != '#'; i++) {
		size_t n = segment(s);
		/* name@1.2 */
		const char *version = NULL;
		if (i || *s != '@')
			version = memchr(s, '@', n);
		buf_str(&b, i ? p->separator ? p->separator : "/" : "");
		buf_put(&b, s, version ? (size_t)(version - s) : n);
		s += n + (s[n] == '/');
		if (version)
			break;
	}
	const char *name = NULL;
	if (b.n)
		name = arena_strn(a, b.p, b.n);
	buf_free(&b);
	return name;
}

static bool package_page(struct document_url_reader *r, const char *url, size_t line)
{
	for (size_t i = 0; i < LEN(pages); i++) {
		size_t n = strlen(pages[i].before);
		if (strncasecmp(url, pages[i].before, n))
			continue;
		put(r, pages[i].ecosystem, page_name(&pages[i], url + n, r->a), line);
		return true;
	}
	return false;
}

/* ---- repositories and services ---- */

/*
 * Hosts that show what another one holds; the path goes on behind as it is there, or behind `skip`
 * segments.
 */
static const struct {
	const char *host, *repository;
} mirrors[] = {
	{ "raw.githubusercontent.com/", "github.com/" },
	{ "api.github.com/repos/", "github.com/" },
	{ "codeload.github.com/", "github.com/" },
	{ "www.github.com/", "github.com/" },
	{ "deepwiki.com/", "github.com/" },
	{ "gitpod.io/#https://", "" },
};

/* owner.github.io/name is github.com/owner/name. */
static const char *of_pages(const char *url, struct arena *a)
{
	static const struct {
		const char *end, *host;
	} hosts[] = { { ".github.io/", "github.com" }, { ".gitlab.io/", "gitlab.com" } };

	for (size_t i = 0; i < LEN(hosts); i++) {
		const char *at = strstr(url, hosts[i].end);
		if (at && at == url + strcspn(url, "./"))
			return arena_printf(
			    a, "%s/%.*s/%s", hosts[i].host, (int)(at - url), url, at + strlen(hosts[i].end));
	}
	return url;
}

/* This machine, an address, a placeholder. */
static bool no_host(const char *s, size_t n)
{
	static const char *const names[] = { "localhost", "example.com", "host.docker.internal" };
	const char *colon = memchr(s, ':', n);

	if (colon)
		n = (size_t)(colon - s);
	for (size_t i = 0; i < LEN(names); i++)
		if (n == strlen(names[i]) && !strncasecmp(s, names[i], n))
			return true;
	return strspn(s, "0123456789.") >= n || *s == '[' || memchr(s, '$', n);
}

/* How many segments name a repository, where that is known; elsewhere groups have groups. */
static int most_segments(const char *s, size_t host)
{
	static const char *const two[] = { "github.com", "bitbucket.org", "codeberg.org" };

	for (size_t i = 0; i < LEN(two); i++)
		if (strlen(two[i]) == host && !strncasecmp(s, two[i], host))
			return 2;
	return SEGMENTS;
}

/* Host and the first segments, as a repo_uri. */
static void repository(struct document_url_reader *r, const char *url, size_t line)
{
	const char *s = of_pages(url, r->a), *end;
	size_t host;

	for (size_t i = 0; i < LEN(mirrors); i++)
		if (!strncasecmp(s, mirrors[i].host, strlen(mirrors[i].host)))
			s = arena_printf(r->a, "%s%s", mirrors[i].repository, s + strlen(mirrors[i].host));
	host = segment(s);
	if (no_host(s, host))
		return;
	end = s + host;
	for (int i = 0, most = most_segments(s, host); i < most && *end == '/' && segment(end + 1); i++)
		end += 1 + segment(end + 1);
	const char *short_of = strstr(s, "/-/");	/* GitLab's own pages */
	if (short_of && short_of < end)
		end = short_of;
	const char *uri = uri_of_remote(arena_printf(r->a, "https://%.*s", (int)(end - s), s), r->a);
	put(r, "url", uri ? uri : arena_strn(r->a, s, (size_t)(end - s)), line);
}

/* ---- documents ---- */

static bool is_openapi(const char *text, size_t n)
{
	static const char *const keys[] = { "openapi:", "swagger:", "\"openapi\"", "\"swagger\"" };
	size_t head = MIN(n, 4096);

	for (size_t i = 0; i < LEN(keys); i++) {
		const char *at = memmem(text, head, keys[i], strlen(keys[i]));
		if (at && (at == text || isspace((unsigned char)at[-1]) || at[-1] == '{'))
			return true;
	}
	return false;
}

static bool is_document(const char *path, const char *text, size_t n)
{
	static const char *const names[] = { "*.md", "*.mdx", "*.markdown", "*.rst", "*.adoc", "README",
		"README.txt", "CONTRIBUTING" };
	static const char *const maybe[] = { "*.yaml", "*.yml", "*.json" };
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	for (size_t i = 0; i < LEN(names); i++)
		if (!fnmatch(names[i], name, 0))
			return true;
	for (size_t i = 0; i < LEN(maybe); i++)
		if (!fnmatch(maybe[i], name, 0))
			return is_openapi(text, n);
	return false;
}

/* Letters that a URL is not likely to end with. */
static size_t url_length(const char *s, const char *end)
{
	size_t n = 0;

	while (s + n < end && !isspace((unsigned char)s[n]) && !strchr("\"'<>()`|\\^{}", s[n]))
		n++;
	while (n && strchr(".,:;!?]*_", s[n - 1]))
		n--;
	return n;
}

/* git@host:path */
static void scp_form(struct document_url_reader *r, const char *s, const char *end, size_t line)
{
	const char *uri = uri_of_remote(arena_strn(r->a, s, url_length(s, end)), r->a);

	if (uri)
		put(r, "url", uri, line);
}

static void read_line(struct document_url_reader *r, const char *s, const char *end, size_t line)
{
	while (s < end) {
		const char *scheme = memmem(s, (size_t)(end - s), "://", 3),
		           *scp = memmem(s, (size_t)(end - s), "git@", 4);
		if (scp && (!scheme || scp < scheme)) {
			scp_form(r, scp, end, line);
			s = scp + 4;
			continue;
		}
		if (!scheme)
			return;
		const char *url = scheme + 3;
		size_t n = url_length(url, end);
		const char *slash = memchr(url, '/', n),
		           *login = memchr(url, '@', slash ? (size_t)(slash - url) : n);
		const char *text = arena_strn(
		    r->a, login ? login + 1 : url, login ? n - (size_t)(login + 1 - url) : n);
		bool known = scheme > s && isalpha((unsigned char)scheme[-1]);
		if (known && *text && !package_page(r, text, line))
			repository(r, text, line);
		s = url + n;
	}
}

size_t document_urls_read(
    const char *path, const char *text, size_t n, struct arena *a, struct package **out)
{
	struct document_url_reader r = { .a = a };
	size_t line = 1;

	*out = NULL;
	if (!is_document(path, text, n))
		return 0;
	r.seen = map_new();
	for (const char *s = text, *end = text + n, *nl; s < end && r.n < MAX_DOCUMENT_URLS;
	     s = nl + 1, line++) {
		nl = memchr(s, '\n', (size_t)(end - s));
		if (!nl)
			nl = end;
		read_line(&r, s, nl, line);
	}
	map_free(r.seen);
	*out = arena_many(a, r.n + 1, struct package);
	if (r.n)
		memcpy(*out, r.v, r.n * sizeof *r.v);
	free(r.v);
	return r.n;
}
