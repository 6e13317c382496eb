#include "coordinator/auth/caller.h"

#include <string.h>

#include "coordinator/auth/tokens.h"

const struct caller caller_local = { .name = "local", .everything = true, .is_operator = true };
const struct caller caller_nobody = { .name = "nobody", .read_only = true };
const struct caller caller_self = { .name = "self", .everything = true, .is_operator = true };

bool caller_sees(const struct caller *c, const char *repo_uri)
{
	if (c->everything)
		return true;
	if (c->token)
		return token_sees(c->token, repo_uri);
	for (size_t i = 0; i < c->n; i++)
		if (!strcmp(c->repo_uris[i], repo_uri))
			return true;
	return false;
}

bool caller_knows_group(const struct caller *c, const char *group)
{
	if (c->everything)
		return true;
	return c->token && token_names_group(c->token, group);
}
