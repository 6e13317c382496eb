#include "shard/syntax/languages.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "proto/base/buf.h"
#include "proto/base/minmax.h"

#define LANG(name, folder, grammar, extensions, names, interpreters) \
	const struct TSLanguage *grammar(void);
#include "shard/lang/langs.def"

#define LANG(name, folder, grammar, extensions, names, interpreters) \
	{ #name, folder, grammar, extensions, names, interpreters, READ_TREE },
#define BLOCKS(name, folder, grammar, extensions, names, interpreters) \
	{ #name, folder, grammar, extensions, names, interpreters, READ_BLOCKS },
#define TEXT(name, extensions, names, interpreters) \
	{ #name, NULL, NULL, extensions, names, interpreters, READ_TEXT },
#define SECTIONS(name, extensions, names, interpreters) \
	{ #name, NULL, NULL, extensions, names, interpreters, READ_SECTIONS },
#define KEYS(name, extensions, names, interpreters) \
	{ #name, NULL, NULL, extensions, names, interpreters, READ_KEYS },
#define SETTINGS(name, extensions, names, interpreters) \
	{ #name, NULL, NULL, extensions, names, interpreters, READ_SETTINGS },
enum { HEAD = 2048 };		/* bytes that are searched for the texts of `BYTES` rows */

const struct lang langs[] = {
#include "shard/lang/langs.def"
};
const size_t nlangs = LEN(langs);

#define BYTES(name, extension, texts) { #name, extension, texts },
static const struct { const char *name, *extension, *texts; } by_bytes[] = {
#include "shard/lang/langs.def"
};

#define SKIP(names) names " "
static const char skipped[] =
#include "shard/lang/langs.def"
	"";

#define SCRIPTS(extensions) extensions " "
static const char scripts[] =
#include "shard/lang/langs.def"
    "";

/* Lines that identify a file as another language than its extension suggests. */
static const struct { const char *name, *extensions, *words; } by_lines[] = {
#define LINES(name, extensions, words) { #name, extensions, words },
#include "shard/lang/langs.def"
};

/* The next of several words separated by one space. */
static const char *next_word(const char *s)
{
	s += strcspn(s, " ");
	return s + (*s == ' ');
}

/* Whether `word` is in `list`, words separated by spaces; `fold`: whatever the case. */
static bool listed(const char *list, const char *word, size_t n, bool fold)
{
	int (*compare)(const char *, const char *, size_t) = fold ? strncasecmp : strncmp;

	for (const char *s = list; n && *s; s = next_word(s))
		if (strcspn(s, " ") == n && !compare(s, word, n))
			return true;
	return false;
}

size_t lang_index(const char *name)
{
	size_t i = 0;

	while (i < nlangs && strcmp(langs[i].name, name))
		i++;
	return i;
}

static const struct lang *lang_called(const char *name)
{
	size_t i = lang_index(name);

	if (i == nlangs)
		return NULL;
	return &langs[i];
}

static const struct lang *by_name(const char *name)
{
	for (size_t i = 0; i < nlangs; i++)
		if (listed(langs[i].names, name, strlen(name), false))
			return &langs[i];
	return NULL;
}

static const struct lang *by_extension(const char *extension)
{
	for (size_t i = 0; i < nlangs; i++)
		if (listed(langs[i].extensions, extension, strlen(extension), true))
			return &langs[i];
	return NULL;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* The language of an interpreter, by its whole name or without a version at its end. */
static const struct lang *lang_of_interpreter(const char *word, size_t n)
{
	for (size_t length = n; length; length--) {
		if (length < n && !strchr(".0123456789", word[length]))
			continue;
		for (size_t i = 0; i < nlangs; i++)
			if (listed(langs[i].interpreters, word, length, false))
				return &langs[i];
	}
	return NULL;
}

static bool path_follows(const char *s, const char *end)
{
	while (s < end && is_blank(*s))
		s++;
	return s < end && *s == '/';
}

/*
 * `#!/usr/bin/env -S python3.11 -u` is a script for python3, or python; `#!/opt/launch /bin/sh` for what
 * it launches.
 */
static const struct lang *by_interpreter(const char *head, size_t n)
{
	if (n < 3 || memcmp(head, "#!", 2))
		return NULL;
	const char *s = head + 2, *end = memchr(head, '\n', n);
	if (!end)
		end = head + n;
	while (s < end) {
		while (s < end && (is_blank(*s) || *s == '\r'))
			s++;
		const char *word = s;
		for (; s < end && !is_blank(*s) && *s != '\r'; s++)
			if (*s == '/')
				word = s + 1;
		size_t len = (size_t)(s - word);
		const struct lang *l = lang_of_interpreter(word, len);
		if (l)
			return l;
		bool is_env = len == 3 && !memcmp(word, "env", 3);
		if (!is_env && *word != '-' && !path_follows(s, end))
			return NULL;
	}
	return NULL;
}

/*
 * Whether the keyword before `s` begins a declaration: a name or `{` follows after a blank, or `<`.
 */
static bool declares(const char *s, const char *end)
{
	const char *next = s;

	while (next < end && is_blank(*next))
		next++;
	if (next == end)
		return false;
	if (*next == '<')
		return true;
	if (next == s)
		return false;
	return isalpha((unsigned char)*next) || *next == '_' || *next == '{';
}

/* Whether the line begins with one of the words, as a label or as the keyword of a declaration. */
static bool begins(const char *s, const char *end, const char *words)
{
	while (s < end && is_blank(*s))
		s++;
	for (const char *w = words; s < end && *w; w = next_word(w)) {
		size_t n = strcspn(w, " ");
		if ((size_t)(end - s) < n || memcmp(s, w, n))
			continue;
		if (w[n - 1] == ':' || declares(s + n, end))
			return true;
	}
	return false;
}

/* Whether a line ends in a block comment, given whether it begins in one. */
static bool ends_in_comment(const char *s, const char *eol, bool comment)
{
	for (;;) {
		s = memmem(s, (size_t)(eol - s), comment ? "*/" : "/*", 2);
		if (!s)
			return comment;
		comment = !comment;
		s += 2;
	}
}

/* Whether a line outside block comments begins with one of the words. */
static bool line_begins(const char *text, size_t n, const char *words)
{
	const char *end = text + n;
	bool comment = false;

	for (const char *s = text; s < end;) {
		const char *eol = memchr(s, '\n', (size_t)(end - s));
		if (!eol)
			eol = end;
		if (!comment && begins(s, eol, words))
			return true;
		comment = ends_in_comment(s, eol, comment);
		s = eol + 1;
	}
	return false;
}

/* The language of a file by its lines, or else `l`, its language by name. */
static const struct lang *by_text(
    const struct lang *l, const char *extension, const char *text, size_t n)
{
	for (size_t i = 0; n && i < LEN(by_lines); i++) {
		if (!listed(by_lines[i].extensions, extension, strlen(extension), true))
			continue;
		if (line_begins(text, n, by_lines[i].words))
			return lang_called(by_lines[i].name);
	}
	return l;
}

/* Whether the head contains one of the words of a list. */
static bool head_has(const char *head, size_t n, const char *texts)
{
	for (const char *s = texts; *s; s = next_word(s))
		if (memmem(head, MIN(n, HEAD), s, strcspn(s, " ")))
			return true;
	return false;
}

/* The language of a file whose extension is ambiguous, by a text near its beginning. */
static const struct lang *by_head(const char *extension, const char *head, size_t n)
{
	for (size_t i = 0; head && i < LEN(by_bytes); i++)
		if (!strcasecmp(by_bytes[i].extension, extension) && head_has(head, n, by_bytes[i].texts))
			return lang_called(by_bytes[i].name);
	return NULL;
}

static bool is_script(const char *extension)
{
	return listed(scripts, extension, strlen(extension), true);
}

static const char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return path;
	return slash + 1;
}

bool lang_needs_content(const char *path)
{
	const char *name = file_name(path), *dot = strrchr(name, '.');

	if (!dot)
		return true;
	for (size_t i = 0; dot != name && i < LEN(by_bytes); i++)
		if (!strcasecmp(by_bytes[i].extension, dot + 1))
			return true;
	return dot != name && is_script(dot + 1);
}

const struct lang *lang_detect(const char *path, const char *head, size_t n)
{
	const char *name = file_name(path), *dot = strrchr(name, '.');

	if (listed(skipped, name, strlen(name), false))
		return NULL;
	const struct lang *l = by_name(name);
	if (l)
		return l;
	if (!strncmp(name, "Dockerfile.", 11))
		return by_name("Dockerfile");
	if (dot == name)
		return NULL;
	if (!dot || is_script(dot + 1))
		return by_interpreter(head, n);
	l = by_text(by_extension(dot + 1), dot + 1, head, n);
	if (l)
		return l;
	return by_head(dot + 1, head, n);
}

bool lang_defines_names(const struct lang *l)
{
	return l->read == READ_TREE || l->read == READ_BLOCKS || l->read == READ_TEXT;
}

const char *lang_name(const struct lang *l)
{
	return l->name;
}
