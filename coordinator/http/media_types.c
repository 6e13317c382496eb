#include "coordinator/http/media_types.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char blanks[] = " \t";

/* How a range matches `type`: 3 the type itself, 2 its major type, 1 any type, 0 not at all. */
static int fit(const char *range, size_t n, const char *type)
{
	size_t kind = strcspn(type, "/") + 1;

	if (n == strlen(type) && !strncasecmp(range, type, n))
		return 3;
	if (n == kind + 1 && !strncasecmp(range, type, kind) && range[kind] == '*')
		return 2;
	return n == 3 && !strncmp(range, "*/*", 3);
}

/* Whether a parameter of n bytes is `q=0`, `q=0.0` and so on. */
static bool is_zero_quality(const char *s, size_t n)
{
	if (n < 3 || strncasecmp(s, "q=0", 3))
		return false;
	return strspn(s + 2, "0. \t") >= n - 2;
}

/* Whether the parameters of a range, up to `end`, exclude it with `q=0`. */
static bool is_excluded(const char *s, const char *end)
{
	while (s < end) {
		s += strspn(s, "; \t");
		size_t n = strcspn(s, ";,");
		if (s + n <= end && is_zero_quality(s, n))
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
			wanted = !is_excluded(s + n, end);
		}
		s = end;
	}
	return wanted;
}

bool media_is_json(const char *content_type)
{
	if (!content_type)
		return false;
	const char *s = content_type + strspn(content_type, blanks);
	size_t n = strcspn(s, "; \t");
	if (n == 16 && !strncasecmp(s, "application/json", n))
		return true;
	return n > 5 && !strncasecmp(s + n - 5, "+json", 5);
}

bool media_accepts_encoding(const char *accept, const char *coding)
{
	for (const char *s = accept; s && *s;) {
		s += strspn(s, ", \t");
		const char *end = s + strcspn(s, ",");
		size_t n = strcspn(s, ",; \t");
		if (n == strlen(coding) && !strncasecmp(s, coding, n))
			return !is_excluded(s + n, end);
		s = end;
	}
	return false;
}
