#include "proto/text/package_name.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"

/* How ecosystems normalize names before they compare them.  The others compare exactly. */
static const struct naming {
	const char *ecosystem, *separators; /* any run of these counts as one `-` */
	bool fold_case;
} namings[] = {
	{ "pypi", "-_.", true },
	{ "cargo", "-_", false },
	{ "nuget", "", true },
	{ "composer", "", true },
};

static const struct naming exact = { .separators = "" };

static const struct naming *naming_of(const char *ecosystem)
{
	for (size_t i = 0; i < LEN(namings); i++)
		if (!strcmp(namings[i].ecosystem, ecosystem))
			return &namings[i];
	return &exact;
}

char *package_compared_name(const char *ecosystem, const char *name, struct arena *a)
{
	const struct naming *how = naming_of(ecosystem);
	char *s = arena_str(a, name), *to = s;

	for (const char *c = name; *c; c++) {
		if (strchr(how->separators, *c)) {
			if (to == s || to[-1] != '-')
				*to++ = '-';
		} else if (how->fold_case) {
			*to++ = (char)tolower((unsigned char)*c);
		} else {
			*to++ = *c;
		}
	}
	*to = 0;
	return s;
}
