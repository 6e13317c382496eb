#include "shard/syntax/languages.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "proto/base/buf.h"
#include "proto/base/minmax.h"

#define LANG(name, folder, grammar, extensions, names, interpreters) const struct TSLanguage *grammar(void);
#include "shard/lang/langs.def"

#define LANG(name, folder, grammar, extensions, names, interpreters) \
	{ #name, folder, grammar, extensions, names, interpreters, READ_TREE },
#define BLOCKS(name, folder, grammar, extensions, names, interpreters) \
	{ #name, folder, grammar, extensions, names, interpreters, READ_BLOCKS },
#define TEXT(name, extensions, names, interpreters) { #name, NULL, NULL, extensions, names, interpreters, READ_TEXT },
#define SECTIONS(name, extensions, names, interpreters) { #name, NULL, NULL, extensions, names, interpreters, READ_SECTIONS },
#define KEYS(name, extensions, names, interpreters) { #name, NULL, NULL, extensions, names, interpreters, READ_KEYS },
#define SETTINGS(name, extensions, names, interpreters) \
	{ #name, NULL, NULL, extensions, names, interpreters, READ_SETTINGS },
enum { HEAD = 2048 };		/* bytes in which a file says what it is */

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

/* What makes a file of another language than its extension says. */
static const struct { const char *name, *extensions, *words; } by_lines[] = {
#define LINES(name, extensions, words) { #name, extensions, words },
#include "shard/lang/langs.def"
};

/* Whether `word` is in `list`, words separated by spaces. */
static bool listed(const char *list, const char *word, size_t n, bool fold)
{
	for (const char *s = list; n && *s; s += strcspn(s, " "), s += *s == ' ')
		if (strcspn(s, " ") == n && !(fold ? strncasecmp(s, word, n) : strncmp(s, word, n)))
			return true;
	return false;
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

/* `#!/usr/bin/env -S python3.11 -u` is python3's, or python's. */
static const struct lang *by_interpreter(const char *head, size_t n)
{
	const char *end = head + n,
	           *eol = n > 2 && !memcmp(head, "#!", 2) ? memchr(head, '\n', n) : NULL;

	if (eol)
		end = eol;
	else if (n < 3 || memcmp(head, "#!", 2))
		return NULL;
	for (const char *s = head + 2; s < end;) {
		while (s < end && (*s == ' ' || *s == '\t' || *s == '\r'))
			s++;
		const char *word = s;
		for (; s < end && *s != ' ' && *s != '\t' && *s != '\r'; s++)
			if (*s == '/')
				word = s + 1;
		size_t len = (size_t)(s - word);
		for (size_t keep = len; keep; keep--)
			if (keep == len || strchr(".0123456789", word[keep]))
				for (size_t i = 0; i < nlangs; i++)
					if (listed(langs[i].interpreters, word, keep, false))
						return &langs[i];
		if (!(len == 3 && !memcmp(word, "env", 3)) && *word != '-')
			return NULL;
	}
	return NULL;
}

/*
 * Whether the line begins with one of the words, as one that something is declared with: a name,
 * `{` or `<` follows.
 */
static bool begins(const char *s, const char *end, const char *words)
{
	while (s < end && (*s == ' ' || *s == '\t'))
		s++;
	for (const char *w = words; s < end && *w; w += strcspn(w, " "), w += *w == ' ') {
		size_t n = strcspn(w, " ");
		if ((size_t)(end - s) < n || memcmp(s, w, n))
			continue;
		const char *after = s + n;
		while (after < end && (*after == ' ' || *after == '\t'))
			after++;
		if (w[n - 1] == ':' ||
		    (after < end &&
		        (*after == '<' ||
		            (after > s + n &&
		                (isalpha((unsigned char)*after) || *after == '_' || *after == '{')))))
			return true;
	}
	return false;
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
		for (const char *c = s; (c = memmem(c, (size_t)(eol - c), comment ? "*/" : "/*", 2));
		     c += 2)
			comment = !comment;
		s = eol + 1;
	}
	return false;
}

/* What the lines of a file say of it, or `l`, what its name says. */
static const struct lang *by_text(
    const struct lang *l, const char *extension, const char *text, size_t n)
{
	for (size_t i = 0; n && i < LEN(by_lines); i++)
		if (listed(by_lines[i].extensions, extension, strlen(extension), true) &&
		    line_begins(text, n, by_lines[i].words))
			for (size_t k = 0; k < nlangs; k++)
				if (!strcmp(langs[k].name, by_lines[i].name))
					return &langs[k];
	return l;
}

/* A language of which some files with an extension are, by a text near the beginning. */
static const struct lang *by_head(const char *extension, const char *head, size_t n)
{
	for (size_t i = 0; i < LEN(by_bytes); i++)
		for (const char *s = by_bytes[i].texts; !strcasecmp(by_bytes[i].extension, extension) && *s;
		    s += strcspn(s, " "), s += *s == ' ')
			if (head && memmem(head, MIN(n, HEAD), s, strcspn(s, " ")))
				for (size_t k = 0; k < nlangs; k++)
					if (!strcmp(langs[k].name, by_bytes[i].name))
						return &langs[k];
	return NULL;
}

bool lang_needs_content(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path,
	           *dot = strrchr(name, '.');

	for (size_t i = 0; dot && dot != name && i < LEN(by_bytes); i++)
		if (!strcasecmp(by_bytes[i].extension, dot + 1))
			return true;
	return !dot;
}

const struct lang *lang_detect(const char *path, const char *head, size_t n)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path,
	           *dot = strrchr(name, '.');
	const struct lang *l;

	if (listed(skipped, name, strlen(name), false))
		return NULL;
	if ((l = by_name(name)))
		return l;
	if (!strncmp(name, "Dockerfile.", 11))
		return by_name("Dockerfile");
	if (dot && dot != name) {
		if ((l = by_text(by_extension(dot + 1), dot + 1, head, n)))
			return l;
		return by_head(dot + 1, head, n);
	}
	if (dot)
		return NULL;
	return by_interpreter(head, n);
}

const char *lang_name(const struct lang *l)
{
	return l->name;
}
