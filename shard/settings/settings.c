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

/* ---- what is kept ---- */

static bool secret(const char *key)
{
	static const char *const words[] = { "password", "passwd", "secret", "token", "apikey",
		"accesskey", "privatekey", "credential" };

	for (size_t i = 0; i < LEN(words); i++)
		if (strstr(key, words[i]))
			return true;
	return false;
}

/* A URL, a path, a host, a port, a placeholder: one word of their letters. */
static bool is_url_like(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)s[i]) && !strchr("-._~:/?#@!$&*+,;=%{}|[]", s[i]))
			return false;
	return n && n <= SETTINGS_MAX_VALUE;
}

/* Without the name and password before the host. */
static const char *without_login(struct arena *a, const char *s, size_t n)
{
	const char *scheme = memmem(s, n, "://", 3), *from = scheme ? scheme + 3 : s, *end = s + n,
	           *at = NULL;

	for (const char *p = from; scheme && p < end && *p != '/'; p++) {
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
	size_t longest = SETTINGS_MAX_KEY;

	if (r->unfiltered)
		longest = SETTINGS_MAX_VALUE;
	if (r->n == SETTINGS_MAX_COUNT)
		arena_set_truncated(r->a, "settings: more than 5000");
	if (!nkey || nkey > longest || r->n == SETTINGS_MAX_COUNT ||
	    (!r->unfiltered && (memchr(key, '{', nkey) || !is_url_like(value, n))))
		return;
	key = arena_strn(r->a, key, nkey);
	if (!r->unfiltered && secret(settings_key(key, r->a)))
		return;
	if (r->unfiltered)
		value = arena_strn(r->a, value, n);
	else
		value = without_login(r->a, value, n);
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
	const char *nl = memchr(s, '\n', (size_t)(end - s));

	return nl ? nl : end;
}

static size_t trimmed(const char *s, const char *end)
{
	while (end > s && blank(end[-1]))
		end--;
	return (size_t)(end - s);
}

/* `value`, "value" or 'value', up to a comment: its bytes, and where what follows begins. */
static const char *quoted(const char *s, const char *end, const char **value, size_t *n)
{
	const char *close = NULL;
	const char *stop = s;

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
 * NAME=VALUE, NAME: VALUE, NAME VALUE; a value goes on after a line's last backslash and is then
 * none of ours.
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

/*
 * `ENV NAME=VALUE NAME="VALUE"`, `ENV NAME VALUE`, `ARG NAME=VALUE`, the first of which may go on
 * over lines.
 */
static void read_dockerfile(struct settings_reader *r)
{
	size_t line = 1, n;
	bool on = false;

	for (const char *s = r->text, *end; s < r->end; s = end + 1, line++) {
		end = line_end(s, r->end);
		const char *stop = s + trimmed(s, end), *at = past_blanks(s, stop), *value;
		bool more = stop > at && stop[-1] == '\\';
		stop -= more;
		if (!on && stop - at > 4 && (!strncasecmp(at, "ENV ", 4) || !strncasecmp(at, "ARG ", 4))) {
			at = past_blanks(at + 4, stop);
			on = true;
		}
		while (on && at < stop) {
			size_t length = name_length(at, stop);
			const char *name = at;
			at += length;
			if (!length || at == stop)
				break;
			at = quoted(past_blanks(at + 1, stop), stop, &value, &n);
			settings_put(r, name, length, value, n, line);
			at = past_blanks(at, stop);
		}
		on &= more;
	}
}

/* ---- by the file's name ---- */

/* The first that fits counts. */
static const struct settings_format {
	const char *pattern;
	void (*lines)(struct settings_reader *);
	void (*documents)(struct settings_reader *, yaml_document_t *, const yaml_node_t *);
} forms[] = {
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
	const char *slash = strrchr(path, '/');

	for (size_t i = 0; i < LEN(forms); i++)
		if (!fnmatch(forms[i].pattern, slash ? slash + 1 : path, 0))
			return &forms[i];
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
	struct err fault = { 0 };	/* what is before it counts */

	if (f && f->lines == read_properties) {
		read_properties(&r);
		each(arg, r.v, r.n);
	} else {
		flat_read(text, n, a, visit_settings, &t, &fault);
	}
	free(r.v);
}
