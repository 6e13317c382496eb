#include "shard/manifests/module_names.h"

#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/text/yaml_flat.h"
#include "shard/facts/facts.h"

/*
 * The name follows `before`, which begins a line, after any characters of `skip`; it ends at one of
 * `end`.  `section`: only behind a line that begins so.
 */
static const struct {
	const char *language, *before, *skip, *end, *section;
} manifests[] = {
	{ "gomod", "module", " \t\"", " \t\r\n\"", "" },
	{ "json", "\"name\"", " \t:\"", "\"\r\n", "" },
	{ "toml", "name", " \t=\"'", "\"'\r\n", "[package]" },	/* Cargo.toml */
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

/* The name in the arena, as code writes it: my-shop is my_shop in Rust. */
static const char *written_name(const char *name, size_t n, bool section, struct arena *a)
{
	char *out = arena_strn(a, name, n);

	for (char *s = out; section && *s; s++)
		if (*s == '-')
			*s = '_';
	return out;
}

/* The name in a section ("": anywhere) of a manifest, the row `m`; NULL if it has none. */
static const char *name_in_section(
    size_t m, const char *section, const char *text, size_t n, struct arena *a)
{
	const char *end = text + n, *next;
	bool inside = !*section;

	for (const char *line = text; line < end; line = next) {
		next = memchr(line, '\n', (size_t)(end - line));
		if (next)
			next++;
		else
			next = end;
		if (*section && *line == '[')
			inside = !strncmp(line, section, strlen(section));
		const char *name = after_word(line, next, manifests[m].before);
		if (!name || !inside)
			continue;
		while (name < next && strchr(manifests[m].skip, *name))
			name++;
		size_t len = 0;
		while (name + len < next && !strchr(manifests[m].end, name[len]))
			len++;
		if (len)
			return written_name(name, len, *section, a);
		return NULL;
	}
	return NULL;
}

const char *module_name_read(const char *language, const char *text, size_t n, struct arena *a)
{
	const char *name, *library = NULL;
	size_t m = 0;

	while (m < LEN(manifests) && strcmp(manifests[m].language, language))
		m++;
	if (m == LEN(manifests))
		return NULL;
	name = name_in_section(m, manifests[m].section, text, n, a);
	if (name && *manifests[m].section)	/* a library may have a name of its own */
		library = name_in_section(m, "[lib]", text, n, a);
	if (library)
		return library;
	return name;
}

/* ---- TypeScript ---- */

/* The end of a string whose quote is at `s`. */
static const char *string_end(const char *s, const char *end)
{
	for (s++; s < end && *s != '"'; s++)
		s += *s == '\\' && s + 1 < end;
	return s < end ? s + 1 : end;
}

/* The end of a comment that begins at `s`, or NULL if none does. */
static const char *comment_end(const char *s, const char *end)
{
	const char *close = NULL;

	if (*s != '/' || s + 1 == end)
		return NULL;
	if (s[1] == '/') {
		close = memchr(s, '\n', (size_t)(end - s));
		return close ? close : end;
	}
	if (s[1] != '*')
		return NULL;
	close = memmem(s + 2, (size_t)(end - s - 2), "*/", 2);
	return close ? close + 2 : end;
}

/* JSON with blanks instead of comments and tabs, which the YAML reader rejects. */
static char *without_comments(const char *text, size_t n, struct arena *a)
{
	char *out = arena_strn(a, text, n);

	for (char *s = out, *end = out + n; s < end;) {
		const char *next = comment_end(s, end);
		bool blank = next || *s == '\t';
		if (*s == '"')
			next = string_end(s, end);
		else if (!next)
			next = s + 1;
		for (; s < next; s++)
			if (blank && *s != '\n')
				*s = ' ';
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
	const char *slash = *base ? "/" : "";
	struct import *i = &x->out->imports.v[x->out->imports.n++];

	*i = (struct import){ .module = arena_printf(x->a, "%s%s%s", base, slash, target),
		.alias = alias,
		.definition = -1,
		.line = line };
}

/* Make room for `n` more aliases; the documents before this one may have some. */
static void reserve_aliases(struct alias_reader *x, size_t n)
{
	size_t had = x->out->imports.n;
	struct import *v = arena_many(x->a, had + n, struct import);

	if (had)
		memcpy(v, x->out->imports.v, had * sizeof *v);
	x->out->imports.v = v;
}

static void aliases_read(void *arg, const struct flat_entry *v, size_t n)
{
	static const char paths[] = "compilerOptions.paths.", root[] = "compilerOptions.baseUrl";
	struct alias_reader *x = arg;
	const struct flat_entry *base = NULL;
	const char *dir = "";

	reserve_aliases(x, n + 1);
	for (size_t i = 0; i < n; i++) {
		if (!strcmp(v[i].key, root))
			base = &v[i];
	}
	if (base)
		dir = base->value;
	for (size_t i = 0; i < n; i++) {
		if (strncmp(v[i].key, paths, strlen(paths)))
			continue;
		const char *name = v[i].key + strlen(paths), *end = strrchr(v[i].key, '[');
		if (!end || end <= name)
			continue;
		const char *alias = arena_strn(x->a, name, (size_t)(end - name));
		alias_add(x, dir, v[i].value, alias, v[i].line);
	}
	if (base)
		alias_add(x, dir, "*", "*", base->line);
}

void module_aliases_read(const char *text, size_t n, struct arena *a, struct facts *out)
{
	struct alias_reader x = { a, out };
	struct err ignored = { 0 };	/* a broken file has no aliases */

	if (!memmem(text, n, "\"compilerOptions\"", 17))
		return;
	if (memmem(text, n, "\"paths\"", 7) || memmem(text, n, "\"baseUrl\"", 9))
		flat_read(without_comments(text, n, a), n, a, aliases_read, &x, &ignored);
}
