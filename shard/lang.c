#include "shard/lang.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "proto/base/buf.h"
#include "shard/parse.h"

#define LANG(name, folder, grammar, extensions, names, interpreters) const struct TSLanguage *grammar(void);
#include "shard/lang/langs.def"

#define LANG(name, folder, grammar, extensions, names, interpreters) \
	{ #name, folder, grammar, extensions, names, interpreters },
#define TEXT(name, extensions, names, interpreters) { #name, NULL, NULL, extensions, names, interpreters },
const struct lang langs[] = {
#include "shard/lang/langs.def"
};
const size_t nlangs = LEN(langs);

#define SKIP(names) names " "
static const char skipped[] =
#include "shard/lang/langs.def"
	"";

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
	const char *end = head + n, *eol = n > 2 && !memcmp(head, "#!", 2) ? memchr(head, '\n', n) : NULL;

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

const struct lang *lang_of(const char *path, const char *head, size_t n)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
	const struct lang *l;

	if (listed(skipped, name, strlen(name), false))
		return NULL;
	if ((l = by_name(name)))
		return l;
	if (!strncmp(name, "Dockerfile.", 11))
		return by_name("Dockerfile");
	if (dot && dot != name)
		return by_extension(dot + 1);
	return dot ? NULL : by_interpreter(head, n);
}

const char *lang_name(const struct lang *l)
{
	return l->name;
}
