#include "shard/prior.h"

#include <string.h>

#include "proto/base/buf.h"

enum { TEST = 2 };	/* how many times less a test is worth: more than any other reason */

int prior_of(bool test, const char *language)
{
	static const char *const prose[] = { "text", "markdown" };
	int prior = test ? PRIOR_FULL / TEST : PRIOR_FULL;

	for (size_t i = 0; i < LEN(prose); i++)
		if (!strcmp(language, prose[i]))
			prior = prior * 6 / 10;
	return prior;
}

int prior_of_asked(int prior)
{
	return prior * TEST <= PRIOR_FULL ? prior * TEST : prior;
}
