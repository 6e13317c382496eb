#include "shard/prior.h"

#include <string.h>

#include "proto/base/buf.h"

int prior_of(bool test, const char *language)
{
	static const char *const prose[] = { "text", "markdown" };
	int prior = test ? PRIOR_FULL / 2 : PRIOR_FULL;

	for (size_t i = 0; i < LEN(prose); i++)
		if (!strcmp(language, prose[i]))
			prior = prior * 7 / 10;
	return prior;
}
