#include "proto/text/forge_page.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/text/repo_uri.h"

/* What stands between the repository and the branch; the longest ones first. */
static const char *const forms[] = {
	"/-/blob/", "/-/raw/", "/-/blame/",				/* GitLab */
	"/src/branch/", "/src/tag/", "/src/commit/",			/* Gitea, Forgejo */
	"/raw/branch/", "/raw/tag/", "/raw/commit/",
	"/blame/branch/", "/blame/tag/", "/blame/commit/",
	"/blob/", "/raw/", "/blame/",					/* GitHub, Gogs */
	"/src/",							/* Bitbucket, Gogs */
};

/* What GitHub writes before names of branches and tags in addresses of raw files. */
static const char *const ref_kinds[] = { "refs/heads/", "refs/tags/" };

/* What stands before the number of a line in a fragment. */
static const char *const line_marks[] = { "lines-", "L", "l", "" };

static bool begins(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}

/* `5`, `5-9`, `5:9`, `5C3-L9C1`: the number, or 0 if it is something else. */
static uint64_t line_number(const char *s)
{
	char *end;

	if (!isdigit((unsigned char)*s))
		return 0;
	unsigned long long n = strtoull(s, &end, 10);
	if (*end && !strchr("-:,C&", *end))
		return 0;
	return n;
}

static uint64_t line_of_fragment(const char *s)
{
	for (size_t i = 0; i < LEN(line_marks); i++)
		if (begins(s, line_marks[i]))
			return line_number(s + strlen(line_marks[i]));
	return 0;
}

/* The decoded value of a parameter of the query, or NULL. */
static const char *parameter(const char *query, const char *name, struct arena *a)
{
	size_t n = strlen(name);

	while (query && *query) {
		size_t len = strcspn(query, "&#");
		if (len > n && !strncmp(query, name, n) && query[n] == '=')
			return uri_decode(query + n + 1, len - n - 1, a);
		if (query[len] != '&')
			return NULL;
		query += len + 1;
	}
	return NULL;
}

/* Azure DevOps: `?path=/app/server.py&version=GBmain&line=5`. */
static bool read_query(const char *query, struct forge_page *out, struct arena *a)
{
	const char *path = parameter(query, "path", a), *line = parameter(query, "line", a);

	if (!path || *path != '/' || !path[1])
		return false;
	*out = (struct forge_page){ .path = path + 1 };
	if (line)
		out->line = line_number(line);
	return true;
}

bool forge_page_read(const char *rest, struct forge_page *out, struct arena *a)
{
	size_t n = strcspn(rest, "?#");
	const char *fragment = strchr(rest, '#');

	if (!n && *rest == '?')
		return read_query(rest + 1, out, a);
	for (size_t i = 0; i < LEN(forms); i++) {
		size_t k = strlen(forms[i]);
		if (n <= k || !begins(rest, forms[i]))
			continue;
		const char *s = uri_decode(rest + k, n - k, a);
		for (size_t r = 0; r < LEN(ref_kinds); r++)
			if (begins(s, ref_kinds[r]))
				s += strlen(ref_kinds[r]);
		*out = (struct forge_page){ .ref_path = s };
		if (fragment)
			out->line = line_of_fragment(fragment + 1);
		return strchr(s, '/') && s[strlen(s) - 1] != '/';
	}
	return false;
}

const char *forge_page_file(const struct forge_page *p, const char *branch,
    bool (*exists)(void *arg, const char *path), void *arg)
{
	if (p->path)
		return p->path;
	size_t n = 0;
	if (branch)
		n = strlen(branch);
	if (n && !strncmp(p->ref_path, branch, n) && p->ref_path[n] == '/')
		return p->ref_path + n + 1;
	const char *first = strchr(p->ref_path, '/');
	for (const char *at = first; at; at = strchr(at + 1, '/'))
		if (exists(arg, at + 1))
			return at + 1;
	if (!first)
		return NULL;
	return first + 1;
}
