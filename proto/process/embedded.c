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

	if (!f)
		return NULL;
	return f->p;
}

/* Splits a line into words, up to a comment.  Returns their number, or -1 if there are too many. */
static int split(char *line, char **word)
{
	char *save = NULL;
	int n = 0;

	for (;;) {
		char *w = strtok_r(line, " \t\r", &save);
		if (!w || *w == '#')
			return n;
		if (n == EMBEDDED_WORDS)
			return -1;
		word[n++] = w;
		line = NULL;
	}
}

int embedded_each_row(const char *name, struct arena *a,
    const char *(*row)(void *, char **word, int n), void *arg, struct err *e)
{
	const char *text = embedded_contents(name);

	if (!text)
		return err_set(e, ERR_INTERNAL, "the file %s is not in this program", name);
	for (int number = 1; *text; number++) {
		char *word[EMBEDDED_WORDS];
		size_t size = strcspn(text, "\n");
		int n = split(arena_strn(a, text, size), word);
		const char *fault = NULL;
		if (n < 0)
			fault = "too many words";
		else if (n > 0)
			fault = row(arg, word, n);
		if (fault)
			return err_set(e, ERR_INTERNAL, "%s:%d: %s", name, number, fault);
		text += size + (text[size] == '\n');
	}
	return 0;
}
