#include "coordinator/caller.h"

#include <string.h>

#include "coordinator/tokens.h"
#include "coordinator/tool.h"
#include "proto/base/err.h"

const struct caller caller_local = { .name = "local", .everything = true, .is_operator = true };
const struct caller caller_nobody = { .name = "nobody", .read_only = true };
const struct caller caller_self = { .name = "self", .everything = true, .is_operator = true };

bool caller_sees(const struct caller *c, const char *repo_uri)
{
	if (c->token && !c->everything)
		return token_sees(c->token, repo_uri);
	for (size_t i = 0; !c->everything && i < c->n; i++)
		if (!strcmp(c->repo_uris[i], repo_uri))
			return true;
	return c->everything;
}

bool caller_knows_group(const struct caller *c, const char *group)
{
	return c->everything || (c->token && token_names_group(c->token, group));
}

int caller_may(const struct caller *c, const struct tool *t, struct err *e)
{
	if ((t->hints & WRITES) && c->read_only) {
		err_set(e, ERR_FORBIDDEN, "%s changes something, and the token `%.64s` may only read", t->name, c->name);
		return err_hint(e, "Use a token made without --read-only: `atoll token create --name NAME`.");
	}
	if ((t->hints & GOVERNS) && !c->everything) {
		err_set(e, ERR_FORBIDDEN, "%s is for tokens without limits, and `%.64s` is limited", t->name, c->name);
		return err_hint(e, "Use a token made without --group, --repo and --visibility: `atoll token create --name NAME`.");
	}
	return 0;
}
