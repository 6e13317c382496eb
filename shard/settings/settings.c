#include "shard/settings/settings_internal.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/text/yaml_flat.h"
#include "shard/settings/helm_templates.h"

/* ---- the filter ---- */

static bool is_secret(const char *key)
{
	static const char *const words[] = { "password", "passwd", "secret", "token", "apikey",
		"accesskey", "privatekey", "credential", "pwd" };

	for (size_t i = 0; i < LEN(words); i++)
		if (strstr(key, words[i]))
			return true;
	return false;
}

/* Whether a part of the value is one: `Server=x;Password=y`, `http://x/?token=y`. */
static bool holds_secret(const char *value, size_t n, struct arena *a)
{
	const char *from = value, *end = value + n;

	for (const char *p = value; p < end; p++) {
		if (*p == '=' && is_secret(settings_key(arena_strn(a, from, (size_t)(p - from)), a)))
			return true;
		if (strchr(";?&,", *p))
			from = p + 1;
	}
	return false;
}

/* One word of the characters that occur in URLs, paths, hosts, ports and placeholders. */
static bool is_url_like(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)s[i]) && !strchr("-._~:/?#@!$&*+,;=%{}|[]", s[i]))
			return false;
	return n && n <= SETTINGS_MAX_VALUE;
}

/* A URL without the name and password before the host. */
static const char *without_login(struct arena *a, const char *s, size_t n)
{
	const char *from = memmem(s, n, "://", 3), *end = s + n, *at = NULL;

	if (from)
		from += 3;
	for (const char *p = from; p && p < end && *p != '/'; p++) {
		if (*p == '@')
			at = p;
	}
	if (at)
		return arena_printf(a, "%.*s%.*s", (int)(from - s), s, (int)(end - at - 1), at + 1);
	return arena_strn(a, s, n);
}

void settings_put(struct settings_reader *r, const char *key, size_t nkey, const char *value,
    size_t n, size_t line)
{
	size_t max_key = r->unfiltered ? SETTINGS_MAX_VALUE : SETTINGS_MAX_KEY;

	if (r->n == SETTINGS_MAX_COUNT) {
		arena_set_truncated(r->a, "settings: more than 5000");
		return;
	}
	if (!nkey || nkey > max_key)
		return;
	if (!r->unfiltered && (memchr(key, '{', nkey) || !is_url_like(value, n)))
		return;
	key = arena_strn(r->a, key, nkey);
	if (r->unfiltered) {
		value = arena_strn(r->a, value, n);
	} else {
		if (is_secret(settings_key(key, r->a)) || holds_secret(value, n, r->a))
			return;
		value = without_login(r->a, value, n);
	}
	r->v = grow(r->v, &r->cap, r->n + 1, sizeof *r->v);
	r->v[r->n++] = (struct setting){ key, value, r->service, (uint32_t)line };
}

const char *settings_key(const char *key, struct arena *a)
{
	char *s = arena_str(a, key), *to = s;

	for (const char *c = s; *c; c++)
		if (isalnum((unsigned char)*c))
			*to++ = (char)tolower((unsigned char)*c);
	*to = '\0';
	return s;
}

/* ---- files of lines ---- */

static bool blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static const char *past_blanks(const char *s, const char *end)
{
	while (s < end && blank(*s))
		s++;
	return s;
}

static const char *line_end(const char *s, const char *end)
{
	const char *newline = memchr(s, '\n', (size_t)(end - s));

	if (!newline)
		return end;
	return newline;
}

static size_t trimmed(const char *s, const char *end)
{
	while (end > s && blank(end[-1]))
		end--;
	return (size_t)(end - s);
}

/* Read `value`, "value" or 'value' into *value and *n; returns its end. */
static const char *quoted(const char *s, const char *end, const char **value, size_t *n)
{
	const char *close = NULL, *stop = s;

	if (s < end && (*s == '"' || *s == '\''))
		close = memchr(s + 1, *s, (size_t)(end - s - 1));
	if (close) {
		*value = s + 1;
		*n = (size_t)(close - s - 1);
		return close + 1;
	}
	while (stop < end && !blank(*stop))
		stop++;
	*value = s;
	*n = (size_t)(stop - s);
	return stop;
}

static size_t name_length(const char *s, const char *end)
{
	size_t n = 0;

	while (s + n < end && (isalnum((unsigned char)s[n]) || strchr("_.-", s[n])))
		n++;
	return n;
}

/* [export ]NAME=VALUE */
static void read_env(struct settings_reader *r)
{
	size_t line = 1, n;
	const char *value;

	for (const char *s = r->text, *end; s < r->end; s = end + 1, line++) {
		end = line_end(s, r->end);
		const char *name = past_blanks(s, end);
		if (end - name > 7 && !strncmp(name, "export ", 7))
			name = past_blanks(name + 7, end);
		size_t length = name_length(name, end);
		const char *eq = past_blanks(name + length, end);
		if (eq == end || *eq != '=')
			continue;
		quoted(past_blanks(eq + 1, end), end, &value, &n);
		settings_put(r, name, length, value, n, line);
	}
}

/*
 * NAME=VALUE, NAME: VALUE, NAME VALUE.  A value that continues on the next line keeps its
 * backslash, so the filter drops it.
 */
static void read_properties(struct settings_reader *r)
{
	size_t line = 1;

	for (const char *s = r->text, *end; s < r->end; s = end + 1, line++) {
		end = line_end(s, r->end);
		const char *name = past_blanks(s, end), *value = name;
		if (value == end || *value == '#' || *value == '!')
			continue;
		while (value < end && !blank(*value) && *value != '=' && *value != ':')
			value++;
		size_t n = (size_t)(value - name);
		value = past_blanks(value, end);
		if (value < end && (*value == '=' || *value == ':'))
			value = past_blanks(value + 1, end);
		settings_put(r, name, n, value, trimmed(value, end), line);
	}
}

static bool is_env_or_arg(const char *s, const char *end)
{
	if (end - s <= 4)
		return false;
	return !strncasecmp(s, "ENV ", 4) || !strncasecmp(s, "ARG ", 4);
}

/* NAME=VALUE NAME="VALUE", or NAME VALUE. */
static void read_assignments(
    struct settings_reader *r, const char *at, const char *stop, size_t line)
{
	while (at < stop) {
		const char *name = at, *value;
		size_t length = name_length(at, stop), n;
		at += length;
		if (!length || at == stop)
			break;
		at = quoted(past_blanks(at + 1, stop), stop, &value, &n);
		settings_put(r, name, length, value, n, line);
		at = past_blanks(at, stop);
	}
}

/* The instructions ENV and ARG, which may continue after a backslash at the end of a line. */
static void read_dockerfile(struct settings_reader *r)
{
	size_t line = 1;
	bool inside = false;	/* in such an instruction */

	for (const char *s = r->text, *end; s < r->end; s = end + 1, line++) {
		end = line_end(s, r->end);
		const char *stop = s + trimmed(s, end), *at = past_blanks(s, stop);
		bool continues = stop > at && stop[-1] == '\\';
		stop -= continues;
		if (!inside && is_env_or_arg(at, stop)) {
			at = past_blanks(at + 4, stop);
			inside = true;
		}
		if (inside)
			read_assignments(r, at, stop, line);
		inside &= continues;
	}
}

/* ---- the formats ---- */

/* The first pattern that matches the name of the file counts. */
static const struct settings_format {
	const char *pattern;
	void (*lines)(struct settings_reader *);
	void (*documents)(struct settings_reader *, yaml_document_t *, const yaml_node_t *);
} formats[] = {
	{ ".env", read_env, NULL },
	{ ".env.*", read_env, NULL },
	{ "*.env", read_env, NULL },
	{ "*.properties", read_properties, NULL },
	{ "Dockerfile*", read_dockerfile, NULL },
	{ "*.[Dd]ockerfile", read_dockerfile, NULL },
	{ "application*.y*ml", NULL, settings_flat },
	{ "bootstrap*.y*ml", NULL, settings_flat },
	{ "config*.y*ml", NULL, settings_config },
	{ "settings*.y*ml", NULL, settings_config },
	{ "appsettings*.json", NULL, settings_flat },
	{ "values*.y*ml", NULL, settings_values },
	{ "kustomization.y*ml", NULL, settings_kustomization },
	{ "*.y*ml", NULL, settings_deployment },
};

static const struct settings_format *settings_format_of(const char *path)
{
	const char *name = path, *slash = strrchr(path, '/');

	if (slash)
		name = slash + 1;
	for (size_t i = 0; i < LEN(formats); i++)
		if (!fnmatch(formats[i].pattern, name, 0))
			return &formats[i];
	return NULL;
}

bool settings_match_path(const char *path)
{
	return settings_format_of(path) != NULL;
}

size_t settings_read(
    const char *path, const char *text, size_t n, struct arena *a, struct setting **out)
{
	const struct settings_format *f = settings_format_of(path);

	if (f && f->documents && helm_is_template(path, text, n))
		text = helm_to_yaml(text, n, a, &n);
	struct settings_reader r = { .path = path, .text = text, .end = text + n, .a = a };
	if (f && f->lines)
		f->lines(&r);
	else if (f)
		settings_yaml(&r, f->documents);
	*out = arena_many(a, r.n, struct setting);
	if (r.n)
		memcpy(*out, r.v, r.n * sizeof *r.v);
	free(r.v);
	return r.n;
}

struct settings_visitor {
	struct arena *a;
	void (*each)(void *, const struct setting *, size_t n);
	void *arg;
};

static void visit_settings(void *arg, const struct flat_entry *v, size_t n)
{
	const struct settings_visitor *t = arg;
	struct setting *s = arena_many(t->a, n, struct setting);

	for (size_t i = 0; i < n; i++)
		s[i] = (struct setting){ v[i].key, v[i].value, NULL, v[i].line };
	t->each(t->arg, s, n);
}

void settings_each_document(const char *path, const char *text, size_t n, struct arena *a,
    void (*each)(void *, const struct setting *, size_t n), void *arg)
{
	struct settings_reader r = {
		.path = path, .text = text, .end = text + n, .a = a, .unfiltered = true
	};
	struct settings_visitor t = { a, each, arg };
	const struct settings_format *f = settings_format_of(path);
	struct err ignored = { 0 };	/* the values before an error count */

	if (f && f->lines == read_properties) {
		read_properties(&r);
		each(arg, r.v, r.n);
	} else {
		flat_read(text, n, a, visit_settings, &t, &ignored);
	}
	free(r.v);
}
