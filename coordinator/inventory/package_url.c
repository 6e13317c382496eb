#include "coordinator/inventory/package_url.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/optional_text.h"
#include "proto/text/package_name.h"

enum name_form { AS_WRITTEN, LOWER_CASE, AS_COMPARED };

/* `divider` ends the first part of a name; names without one are not packages. */
static const struct package_type {
	const char *ecosystem, *type;
	enum name_form form;
	char divider;
} types[] = {
	{ "npm", "npm", AS_WRITTEN, 0 },
	{ "pypi", "pypi", AS_COMPARED, 0 },
	{ "go", "golang", LOWER_CASE, 0 },
	{ "maven", "maven", AS_WRITTEN, ':' },
	{ "cargo", "cargo", AS_WRITTEN, 0 },
	{ "nuget", "nuget", AS_WRITTEN, 0 },
	{ "rubygems", "gem", AS_WRITTEN, 0 },
	{ "composer", "composer", AS_COMPARED, '/' },
};

/* Names that manifests require like packages, but that nobody publishes. */
static const struct {
	const char *ecosystem, *name;
} runtimes[] = {
	{ "pypi", "python" },
	{ "npm", "node" },
};

static const struct package_type *type_of(const char *ecosystem)
{
	for (size_t i = 0; i < LEN(types); i++)
		if (!strcmp(types[i].ecosystem, ecosystem))
			return &types[i];
	return NULL;
}

static bool is_runtime(const char *ecosystem, const char *name)
{
	for (size_t i = 0; i < LEN(runtimes); i++)
		if (!strcmp(runtimes[i].ecosystem, ecosystem) && !strcmp(runtimes[i].name, name))
			return true;
	return false;
}

static bool is_package(const struct package_type *t, const char *name)
{
	if (!t || !*name || strchr(name, '$') || is_runtime(t->ecosystem, name))
		return false;
	if (!t->divider)
		return true;
	const char *divider = strchr(name, t->divider);
	return divider && divider > name && divider[1];
}

static char *lower_case(const char *s, struct arena *a)
{
	char *out = arena_str(a, s);

	for (char *c = out; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	return out;
}

static const char *name_in_form(const struct package_type *t, const char *name, struct arena *a)
{
	if (t->form == AS_COMPARED)
		return package_compared_name(t->ecosystem, name, a);
	if (t->form == LOWER_CASE)
		return lower_case(name, a);
	return name;
}

static bool needs_no_escape(unsigned char c)
{
	return isalnum(c) || (c && strchr(".-_~:", c));
}

/* Append a text percent-encoded, but each `divider` as a slash. */
static void put_encoded(struct buf *b, const char *s, const char *dividers)
{
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;
		if (strchr(dividers, c))
			buf_byte(b, '/');
		else if (needs_no_escape(c))
			buf_byte(b, (char)c);
		else
			buf_printf(b, "%%%02X", c);
	}
}

const char *package_url(
    const char *ecosystem, const char *name, const char *version, struct arena *a)
{
	const struct package_type *t = type_of(ecosystem);
	struct buf b = { 0 };

	if (!is_package(t, name))
		return NULL;
	const char dividers[] = { '/', t->divider, 0 };
	buf_printf(&b, "pkg:%s/", t->type);
	put_encoded(&b, name_in_form(t, name, a), dividers);
	if (text_is_set(version) && !strchr(version, '$')) {
		buf_byte(&b, '@');
		put_encoded(&b, version, "");
	}
	const char *url = arena_strn(a, b.p, b.n);
	buf_free(&b);
	return url;
}
