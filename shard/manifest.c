#include "shard/manifest.h"

#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"

/* The name is the word after `before`, which begins a line but for blanks; between `skip` and one of `end`. */
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
	return (size_t)(end - line) > n && !memcmp(line, word, n) ? line + n : NULL;
}

const char *manifest_name(const char *language, const char *text, size_t n, struct arena *a)
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
		return len ? arena_strn(a, name, len) : NULL;
	}
	return NULL;
}
