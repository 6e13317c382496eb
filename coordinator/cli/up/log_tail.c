#include "coordinator/cli/up/log_tail.h"

#include <stdio.h>
#include <string.h>

#include "proto/base/arena.h"

enum { TAIL_MAX = 8192 };	/* a log may have grown for months: no more of its end is read */

const char *log_tail_last_line(const char *path, struct arena *a)
{
	char end[TAIL_MAX + 1];
	FILE *f = fopen(path, "re");

	if (!f)
		return "";
	if (fseek(f, -TAIL_MAX, SEEK_END))	/* it is shorter */
		rewind(f);
	size_t n = fread(end, 1, TAIL_MAX, f);
	fclose(f);
	while (n && end[n - 1] == '\n')
		n--;
	end[n] = 0;
	const char *before = memrchr(end, '\n', n);
	return arena_str(a, before ? before + 1 : end);
}

const char *log_tail_value(const char *line, const char *key, struct arena *a)
{
	const char *at = strstr(line, arena_printf(a, " %s=\"", key));
	char *text = arena_str(a, at ? at + strlen(key) + 3 : ""), *to = text;

	for (const char *from = text; *from && *from != '"'; from++)
		*to++ = *from == '\\' && (from[1] == '"' || from[1] == '\\') ? *++from : *from;
	*to = 0;
	return text;
}
