#include "coordinator/cli/up/log_tail.h"

#include <stdio.h>
#include <string.h>

#include "proto/base/arena.h"

enum { TAIL_MAX = 8192 };	/* bytes read from the end of a log, which may be large */

const char *log_tail_last_line(const char *path, struct arena *a)
{
	char end[TAIL_MAX + 1];
	FILE *f = fopen(path, "re");

	if (!f)
		return "";
	if (fseek(f, -TAIL_MAX, SEEK_END))	/* the file is shorter */
		rewind(f);
	size_t n = fread(end, 1, TAIL_MAX, f);
	fclose(f);
	while (n && end[n - 1] == '\n')
		n--;
	end[n] = 0;
	const char *before = memrchr(end, '\n', n);
	if (before)
		return arena_str(a, before + 1);
	return arena_str(a, end);
}

const char *log_tail_value(const char *line, const char *key, struct arena *a)
{
	const char *head = arena_printf(a, " %s=\"", key), *at = strstr(line, head);

	if (!at)
		return "";
	char *text = arena_str(a, at + strlen(head)), *to = text;
	for (const char *from = text; *from && *from != '"'; from++) {
		if (*from == '\\' && (from[1] == '"' || from[1] == '\\'))
			from++;
		*to++ = *from;
	}
	*to = 0;
	return text;
}
