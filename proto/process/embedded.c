#include "proto/process/embedded.h"

#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"

const struct embedded *embedded_find(const char *name)
{
	for (const struct embedded *f = embedded_files; f->name; f++)
		if (!strcmp(f->name, name))
			return f;
	return NULL;
}

const char *embedded_contents(const char *name)
{
	const struct embedded *f = embedded_find(name);

	return f ? f->p : NULL;
}

/* The words of a line; -1: too many. */
static int split(char *line, char **word)
{
	char *save = NULL;
	int n = 0;

	for (char *w = strtok_r(line, " \t\r", &save); w && *w != '#';
	     w = strtok_r(NULL, " \t\r", &save)) {
		if (n == EMBEDDED_WORDS)
			return -1;
		word[n++] = w;
	}
	return n;
}

int embedded_each_row(const char *name, struct arena *a,
    const char *(*row)(void *, char **word, int n), void *arg, struct err *e)
{
	const char *text = embedded_contents(name), *bad = NULL;

	if (!text)
		return err_set(e, ERR_INTERNAL, "%s is not in this program", name);
	for (int number = 1; *text; number++) {
		char *word[EMBEDDED_WORDS];
		size_t size = strcspn(text, "\n");
		int n = split(arena_strn(a, text, size), word);
		if (n && (bad = n < 0 ? "too many words" : row(arg, word, n)))
			return err_set(e, ERR_INTERNAL, "%s:%d: %s", name, number, bad);
		text += size + (text[size] == '\n');
	}
	return 0;
}
