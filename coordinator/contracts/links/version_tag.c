#include "coordinator/contracts/links/version_tag.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "proto/base/buf.h"
#include "proto/base/optional_text.h"

/* What may stand before a version, besides a package's name. */
static const char *const words[] = { "", "v", "release", "releases", "rel", "version", "ver" };

enum fit { NO_VERSION, OF_REPOSITORY, OF_PACKAGE };

static const char *without_v(const char *version)
{
	if (*version == 'v' || *version == 'V')
		return version + 1;
	return version;
}

/* The length of what is before a version, without the signs and the `v` between them. */
static size_t trimmed(const char *tag, size_t n)
{
	if (n && (tag[n - 1] == 'v' || tag[n - 1] == 'V') && (n == 1 || strchr("-_@/.", tag[n - 2])))
		n--;
	while (n && strchr("-_@/.", tag[n - 1]))
		n--;
	return n;
}

static bool is_text(const char *s, size_t n, const char *text)
{
	return strlen(text) == n && !strncasecmp(s, text, n);
}

/* Whether `n` bytes end with the last part of a package's name: `acme/core`, `group:core`. */
static bool ends_with_name(const char *s, size_t n, const char *package)
{
	const char *last = package + strlen(package);

	while (last > package && !strchr("/:", last[-1]))
		last--;
	size_t len = strlen(last);
	if (!len || len > n || strncasecmp(s + n - len, last, len))
		return false;
	return n == len || strchr("/@-_.", s[n - len - 1]);
}

static enum fit fit_of(const char *tag, const char *package, const char *version)
{
	size_t n = strlen(tag), len = strlen(version);

	if (len > n || strcmp(tag + n - len, version))
		return NO_VERSION;
	n = trimmed(tag, n - len);
	for (size_t i = 0; i < LEN(words); i++)
		if (is_text(tag, n, words[i]))
			return OF_REPOSITORY;
	return ends_with_name(tag, n, package) ? OF_PACKAGE : NO_VERSION;
}

const char *version_tag_find(const t_strs *tags, const char *package, const char *version)
{
	enum fit best = NO_VERSION;
	const char *found = NULL;

	if (!text_is_set(version) || !package)
		return NULL;
	version = without_v(version);
	for (size_t i = 0; *version && i < tags->n; i++) {
		enum fit fit = fit_of(tags->v[i], package, version);
		if (fit <= best)
			continue;
		best = fit;
		found = tags->v[i];
	}
	return found;
}
