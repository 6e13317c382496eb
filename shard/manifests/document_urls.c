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
#include "proto/base/optional_text.h"
#include "proto/record/record.h"
#include "proto/text/forge_page.h"
#include "proto/text/repo_uri.h"

enum { MAX_DOCUMENT_URLS = 400, MAX_URL_NAME_BYTES = 300, MAX_SEGMENTS = 5,
	MAX_SCP_BYTES = 1000 };

struct document_url_reader {
	struct arena *a;
	struct map *seen;	/* ecosystem, name and page -> index in v, plus 1 */
	struct package *v;
	size_t n, cap;
};

/* Count a mention.  `page` is the URL of a file in a repository, or NULL. */
static void put_page(struct document_url_reader *r, const char *ecosystem, const char *name,
    const char *page, size_t line)
{
	if (!name || !*name || strlen(name) > MAX_URL_NAME_BYTES)
		return;
	if (r->n == MAX_DOCUMENT_URLS)
		return;
	const char *key = arena_printf(r->a, "%s %s %s", ecosystem, name, text_or_empty(page));
	void **at = map_at(r->seen, key);
	if (!*at) {
		r->v = grow(r->v, &r->cap, r->n + 1, sizeof *r->v);
		r->v[r->n++] = (struct package){
			.side = "mentions", .ecosystem = ecosystem, .name = name, .path = page, .line = line
		};
		*at = (void *)(uintptr_t)r->n;
	}
	r->v[(uintptr_t)*at - 1].count++;
}

static void put(struct document_url_reader *r, const char *ecosystem, const char *name, size_t line)
{
	put_page(r, ecosystem, name, NULL, line);
}

/* ---- pages of packages ---- */

/* After `before`, so many segments are the name, joined by `separator` ("/" if NULL). */
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

/* The length of the segment at `s`. */
static size_t segment(const char *s)
{
	return strcspn(s, "/?#");
}

static const char *page_name(const struct registry_page *p, const char *s, struct arena *a)
{
	const char *separator = p->separator ? p->separator : "/";
	struct buf b = { 0 };
	int want = p->segments + (*s == '@' && p->segments == 1);	/* @scope/name */

	for (int i = 0; i < want && *s && *s != '?' && *s != '#'; i++) {
		size_t n = segment(s), name = n;
		const char *version = NULL;	/* name@1.2 */
		if (i || *s != '@')
			version = memchr(s, '@', n);
		if (version)
			name = (size_t)(version - s);
		if (i)
			buf_str(&b, separator);
		buf_put(&b, s, name);
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

/* Hosts that show the repositories of another host, with the same path. */
static const struct {
	const char *host, *repository;
	bool raw;	/* branch and file follow the repository at once */
} mirrors[] = {
	{ "raw.githubusercontent.com/", "github.com/", true },
	{ "api.github.com/repos/", "github.com/", false },
	{ "codeload.github.com/", "github.com/", false },
	{ "www.github.com/", "github.com/", false },
	{ "deepwiki.com/", "github.com/", false },
	{ "gitpod.io/#https://", "", false },
};

/* owner.github.io/name is github.com/owner/name. */
static const char *without_pages(const char *url, struct arena *a)
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

/* Whether the host is this machine, an IP address or a placeholder. */
static bool is_no_public_host(const char *s, size_t n)
{
	static const char *const names[] = { "localhost", "example.com", "host.docker.internal" };
	const char *colon = memchr(s, ':', n);

	if (colon)
		n = (size_t)(colon - s);
	for (size_t i = 0; i < LEN(names); i++)
		if (n == strlen(names[i]) && !strncasecmp(s, names[i], n))
			return true;
	bool is_address = strspn(s, "0123456789.") >= n || *s == '[';
	return is_address || memchr(s, '$', n);
}

/* The maximum number of segments of a repository's path; other hosts may have nested groups. */
static int max_segments(const char *s, size_t host)
{
	static const char *const two[] = { "github.com", "bitbucket.org", "codeberg.org" };

	for (size_t i = 0; i < LEN(two); i++)
		if (strlen(two[i]) == host && !strncasecmp(s, two[i], host))
			return 2;
	return MAX_SEGMENTS;
}

/*
 * The URL if it is that of a file in a repository, else NULL.  Where the repository ends in it is
 * not known: the coordinator finds the member whose repo_uri it begins with.
 */
static const char *file_page(const char *url, size_t host, struct arena *a)
{
	const char *end = url + strcspn(url, "?#");
	struct forge_page page;

	if (strlen(url) > MAX_URL_NAME_BYTES)	/* it is not kept, and all folders would be tried */
		return NULL;
	for (const char *at = url + host; *at && at < end; at += 1 + strcspn(at + 1, "/?#"))
		if (at > url + host && forge_page_read(at, &page, a))
			return url;
	if (*end == '?' && memmem(url, (size_t)(end - url), "/_git/", 6) &&
	    forge_page_read(end, &page, a))
		return url;
	return NULL;
}

/* `owner/name/branch/file` of a host of raw files, in the form that others have. */
static const char *with_raw(const char *s, struct arena *a)
{
	size_t n = segment(s);

	for (int i = 0; i < 2 && s[n] == '/'; i++)
		n += 1 + segment(s + n + 1);
	if (s[n] != '/')
		return s;
	return arena_printf(a, "%.*s/raw%s", (int)n, s, s + n);
}

/* Host and the first segments, as a repo_uri. */
static void repository(struct document_url_reader *r, const char *url, size_t line)
{
	const char *s = without_pages(url, r->a), *page = NULL;
	bool is_website = s != url;

	for (size_t i = 0; i < LEN(mirrors); i++)
		if (!strncasecmp(s, mirrors[i].host, strlen(mirrors[i].host))) {
			s = arena_printf(r->a, "%s%s", mirrors[i].repository, s + strlen(mirrors[i].host));
			if (mirrors[i].raw)
				s = with_raw(s, r->a);
		}
	size_t host = segment(s);
	if (is_no_public_host(s, host))
		return;
	const char *end = s + host;
	int left = max_segments(s, host);
	for (; left && *end == '/' && segment(end + 1); left--)
		end += 1 + segment(end + 1);
	const char *gitlab_page = strstr(s, "/-/");
	if (gitlab_page && gitlab_page < end)
		end = gitlab_page;
	const char *uri = uri_of_remote(arena_printf(r->a, "https://%.*s", (int)(end - s), s), r->a);
	if (!uri)
		uri = arena_strn(r->a, s, (size_t)(end - s));
	if (!is_website)
		page = file_page(s, host, r->a);
	put_page(r, "url", uri, page, line);
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
	const char *name = path, *slash = strrchr(path, '/');

	if (slash)
		name = slash + 1;
	for (size_t i = 0; i < LEN(names); i++)
		if (!fnmatch(names[i], name, 0))
			return true;
	for (size_t i = 0; i < LEN(maybe); i++)
		if (!fnmatch(maybe[i], name, 0))
			return is_openapi(text, n);
	return false;
}

/* The length of the URL at `s`, without punctuation at its end. */
static size_t url_length(const char *s, const char *end)
{
	size_t n = 0;

	while (s + n < end && !isspace((unsigned char)s[n]) && !strchr("\"'<>()`|\\^{}", s[n]))
		n++;
	while (n && strchr(".,:;!?]*_", s[n - 1]))
		n--;
	return n;
}

/* git@host:path; `put` would refuse a name that is nearly as long as MAX_SCP_BYTES. */
static void scp_form(struct document_url_reader *r, const char *s, const char *end, size_t line)
{
	if (end - s > MAX_SCP_BYTES)
		end = s + MAX_SCP_BYTES;
	size_t n = url_length(s, end);
	if (n == MAX_SCP_BYTES)
		return;
	const char *uri = uri_of_remote(arena_strn(r->a, s, n), r->a);
	if (uri)
		put(r, "url", uri, line);
}

/* A URL's text from its host on: without scheme, user and password. */
static const char *from_host(const char *url, size_t n, struct arena *a)
{
	const char *end = url + n, *slash = memchr(url, '/', n);

	if (!slash)
		slash = end;
	const char *at = memchr(url, '@', (size_t)(slash - url));
	if (at)
		url = at + 1;
	return arena_strn(a, url, (size_t)(end - url));
}

/*
 * The next place of a word from `s` on, or NULL.  `last` is what the search before this one found:
 * it is not repeated until `s` has passed it, since a line may be long and have many URLs.
 */
static const char *next_place(const char *last, const char *s, const char *end, const char *word)
{
	if (!last || last >= s)
		return last;
	return memmem(s, (size_t)(end - s), word, strlen(word));
}

static void read_line(struct document_url_reader *r, const char *s, const char *end, size_t line)
{
	const char *scheme = memmem(s, (size_t)(end - s), "://", 3);
	const char *scp = memmem(s, (size_t)(end - s), "git@", 4);

	while (s < end) {
		scheme = next_place(scheme, s, end, "://");
		scp = next_place(scp, s, end, "git@");
		if (scp && (!scheme || scp < scheme)) {
			scp_form(r, scp, end, line);
			s = scp + 4;
			continue;
		}
		if (!scheme)
			return;
		const char *url = scheme + 3;
		size_t n = url_length(url, end);
		const char *text = from_host(url, n, r->a);
		bool has_scheme = scheme > s && isalpha((unsigned char)scheme[-1]);
		if (has_scheme && *text && !package_page(r, text, line))
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
	const char *s = text, *end = text + n;
	while (s < end && r.n < MAX_DOCUMENT_URLS) {
		const char *newline = memchr(s, '\n', (size_t)(end - s));
		if (!newline)
			newline = end;
		read_line(&r, s, newline, line);
		s = newline + 1;
		line++;
	}
	map_free(r.seen);
	*out = arena_many(a, r.n + 1, struct package);
	if (r.n)
		memcpy(*out, r.v, r.n * sizeof *r.v);
	free(r.v);
	return r.n;
}
