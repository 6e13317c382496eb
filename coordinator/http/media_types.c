#include "coordinator/http/media_types.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char blanks[] = " \t";

/*
 * How special a range is that fits `type`: 3 the type itself, 2 its kind, 1 anything; 0: it does
 * not fit.
 */
static int fit(const char *range, size_t n, const char *type)
{
	size_t kind = strcspn(type, "/") + 1;

	if (n == strlen(type) && !strncasecmp(range, type, n))
		return 3;
	if (n == kind + 1 && !strncasecmp(range, type, kind) && range[kind] == '*')
		return 2;
	return n == 3 && !strncmp(range, "*/*", 3);
}

/* Whether the parameters of a range, up to `end`, say that it is not wanted: `q=0`, `q=0.000`. */
static bool unwanted(const char *s, const char *end)
{
	while (s < end) {
		s += strspn(s, "; \t");
		size_t n = strcspn(s, ";,");
		if (s + n <= end && n > 2 && (*s == 'q' || *s == 'Q') && s[1] == '=' && s[2] == '0' &&
		    strspn(s + 2, "0. \t") >= n - 2)
			return true;
		s += n;
	}
	return false;
}

bool media_accepts_type(const char *accept, const char *type)
{
	int best = 0;
	bool wanted = !accept;

	for (const char *s = accept; s && *s;) {
		s += strspn(s, ", \t");
		const char *end = s + strcspn(s, ",");
		size_t n = strcspn(s, ",; \t");
		int how = fit(s, n, type);
		if (how > best) {
			best = how;
			wanted = !unwanted(s + n, end);
		}
		s = end;
	}
	return wanted;
}

bool media_is_json(const char *content_type)
{
	const char *s = content_type ? content_type + strspn(content_type, blanks) : "";
	size_t n = strcspn(s, "; \t");

	return (n == 16 && !strncasecmp(s, "application/json", n)) ||
	    (n > 5 && !strncasecmp(s + n - 5, "+json", 5));
}

bool media_accepts_encoding(const char *accept, const char *coding)
{
	for (const char *s = accept; s && *s;) {
		s += strspn(s, ", \t");
		const char *end = s + strcspn(s, ",");
		size_t n = strcspn(s, ",; \t");
		if (n == strlen(coding) && !strncasecmp(s, coding, n))
			return !unwanted(s + n, end);
		s = end;
	}
	return false;
}
