#include "proto/base/redact.h"

#include <string.h>

#include "proto/base/arena.h"

const char *uri_redact(const char *text, struct arena *a)
{
	char *out = arena_str(a, text), *w = out;

	for (const char *r = out; *r;) {
		if (strncmp(r, "://", 3)) {
			*w++ = *r++;
			continue;
		}
		memmove(w, r, 3);
		w += 3;
		r += 3;
		const char *at = NULL;
		for (const char *c = r; *c && !strchr("/ \t\n'\"", *c); c++)
			if (*c == '@')
				at = c;
		if (at)
			r = at + 1;
	}
	*w = 0;
	return out;
}
