#include "coordinator/cli/say.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* How many bytes of a control character `s` begins with; 0: with none.  U+0080 to U+009f are some too. */
static size_t control_length(const char *s)
{
	const unsigned char *c = (const unsigned char *)s;

	if (*c < ' ' || *c == 0x7f)
		return 1;
	return *c == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0 ? 2 : 0;
}

char *say_plain(char *s, const char *keep)
{
	char *to = s;

	for (const char *from = s; *from;) {
		size_t n = strchr(keep, *from) ? 0 : control_length(from);
		*to++ = n ? '?' : *from;
		from += n ? n : 1;
	}
	*to = 0;
	return s;
}

void say(FILE *f, const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	int n = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (n < 0)
		abort();
	fputs(say_plain(text, "\n\t"), f);
	free(text);
}
