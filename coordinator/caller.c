#include "coordinator/caller.h"

#include <string.h>

const struct caller caller_local = { .name = "local", .everything = true };

bool caller_sees(const struct caller *c, const char *repo_uri)
{
	for (size_t i = 0; !c->everything && i < c->n; i++)
		if (!strcmp(c->repo_uris[i], repo_uri))
			return true;
	return c->everything;
}
