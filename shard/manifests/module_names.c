#include "shard/manifests/module_names.h"

#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/text/yaml_flat.h"
#include "shard/facts/facts.h"

/*
 * The name is the word after `before`, which begins a line but for blanks; between `skip` and one
 * of `end`.
 */
static const struct {
	const char *language, *before, *skip, *end;
} manifests[] = {
	{ "gomod", "module", " \t\"", " \t\r\n\"" },
	{ "json", "\"name\"", " \t:\"", "\"\r\n" },
};

static const char *after_word(const char *line, const char *end, const char *word)
{
	size_t n = strlen(word);

	while (line < end && strchr(" \t{", *line))
		line++;
	if ((size_t)(end - line) > n && !memcmp(line, word, n))
		return line + n;
	return NULL;
}

const char *module_name_read(const char *language, const char *text, size_t n, struct arena *a)
{
	const char *end = text + n, *next;
	size_t m = 0;

	while (m < LEN(manifests) && strcmp(manifests[m].language, language))
		m++;
	for (const char *line = text; m < LEN(manifests) && line < end; line = next) {
		next = memchr(line, '\n', (size_t)(end - line));
		next = next ? next + 1 : end;
		const char *name = after_word(line, next, manifests[m].before);
		if (!name)
			continue;
		while (name < next && strchr(manifests[m].skip, *name))
			name++;
		size_t len = 0;
		while (name + len < next && !strchr(manifests[m].end, name[len]))
			len++;
		if (len)
			return arena_strn(a, name, len);
		return NULL;
	}
	return NULL;
}

/* ---- TypeScript ---- */

/* Behind a string or a comment that begins at `s`; NULL: neither does. */
static const char *skipped(const char *s, const char *end)
{
	if (*s == '"') {
		for (s++; s < end && *s != '"'; s++)
			s += *s == '\\' && s + 1 < end;
		return s < end ? s + 1 : end;
	}
	if (*s != '/' || s + 1 == end || (s[1] != '/' && s[1] != '*'))
		return NULL;
	const char *close = s[1] == '/' ? memchr(s, '\n', (size_t)(end - s)) :
	                                  memmem(s + 2, (size_t)(end - s - 2), "*/", 2);
	if (!close)
		return end;
	if (s[1] == '/')
		return close;
	return close + 2;
}

/* JSON without its comments and tabs, which YAML's readers refuse. */
static char *plain(const char *text, size_t n, struct arena *a)
{
	char *out = arena_strn(a, text, n);

	for (char *s = out, *end = out + n; s < end;) {
		const char *next = skipped(s, end);
		bool blank = *s == '\t' || (next && *s == '/');
		for (next = next ? next : s + 1; s < next; s++) {
			if (blank && *s != '\n')
				*s = ' ';
		}
	}
	return out;
}

struct alias_reader {
	struct arena *a;
	struct facts *out;
};

static void alias_add(
    struct alias_reader *x, const char *base, const char *target, const char *alias, uint32_t line)
{
	struct import *i = &x->out->imports.v[x->out->imports.n++];

	*i = (struct import){ .module = arena_printf(x->a, "%s%s%s", base, *base ? "/" : "", target), .alias = alias, .definition = -1,
		.line = line };
}

static void aliases_read(void *arg, const struct flat_entry *v, size_t n)
{
	static const char paths[] = "compilerOptions.paths.", root[] = "compilerOptions.baseUrl";
	struct alias_reader *x = arg;
	const struct flat_entry *base = NULL;

	x->out->imports.v = arena_many(x->a, n + 1, struct import);
	for (size_t i = 0; i < n; i++) {
		if (!strcmp(v[i].key, root))
			base = &v[i];
	}
	for (size_t i = 0; i < n; i++) {
		const char *name = v[i].key + sizeof paths - 1, *end = strrchr(v[i].key, '[');
		if (!strncmp(v[i].key, paths, sizeof paths - 1) && end && end > name)
			alias_add(x, base ? base->value : "", v[i].value,
			    arena_strn(x->a, name, (size_t)(end - name)), v[i].line);
	}
	if (base)
		alias_add(x, base->value, "*", "*", base->line);
}

void module_aliases_read(const char *text, size_t n, struct arena *a, struct facts *out)
{
	struct alias_reader x = { a, out };
	struct err e = { 0 };	/* what is no JSON says nothing */

	if (memmem(text, n, "\"compilerOptions\"", 17) &&
	    (memmem(text, n, "\"paths\"", 7) || memmem(text, n, "\"baseUrl\"", 9)))
		flat_read(plain(text, n, a), n, a, aliases_read, &x, &e);
}
