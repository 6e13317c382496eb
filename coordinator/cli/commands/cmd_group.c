/* atoll group ...: each command calls one tool. */
#include <stddef.h>

#include "coordinator/cli/commands/commands.h"
#include "coordinator/cli/base/api_client.h"
#include "coordinator/cli/output/show_results.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"

int cmd_group_list(struct cli *cli)
{
	return show_call(cli, "group_list", "{}");
}

/* The tools that take a group and repositories. */
static int edit(struct cli *cli, const char *tool)
{
	struct buf b = { 0 };

	args_str(&b, "group", cli->args.v[0]);
	args_str(&b, "description", cli->o.description);
	args_strs(&b, "repos", cli->args.v + 1, cli->args.n - 1);
	return show_call(cli, tool, args_end(&b, cli->a));
}

int cmd_group_create(struct cli *cli)
{
	return edit(cli, "group_create");
}

int cmd_group_add(struct cli *cli)
{
	return edit(cli, "group_add");
}

int cmd_group_remove(struct cli *cli)
{
	return edit(cli, "group_remove");
}

int cmd_group_delete(struct cli *cli)
{
	return edit(cli, "group_delete");
}

int cmd_group_status(struct cli *cli)
{
	return edit(cli, "group_status");
}

int cmd_group_sync(struct cli *cli)
{
	return edit(cli, "group_sync");
}

/* The arguments of the tools whose results have pages. */
static const char *page_args(struct cli *cli, const char *query)
{
	struct buf b = { 0 };

	args_str(&b, "group", cli->args.v[0]);
	args_str(&b, "query", query);
	args_strs(&b, "kinds", cli->o.kinds.v, cli->o.kinds.n);
	args_strs(&b, "languages", cli->o.languages.v, cli->o.languages.n);
	args_strs(&b, "repos", cli->o.repos.v, cli->o.repos.n);
	args_str(&b, "path_prefix", cli->o.path_prefix);
	args_str(&b, "mode", cli->o.mode);
	args_str(&b, "relation", cli->o.relation);
	args_num(&b, "limit", cli->o.limit);
	args_str(&b, "cursor", cli->o.cursor);
	return args_end(&b, cli->a);
}

static int call_page(struct cli *cli, const char *tool, const char *query)
{
	return show_call(cli, tool, page_args(cli, query));
}

int cmd_group_query(struct cli *cli)
{
	const char *words = cli->args.v[1];

	for (size_t i = 2; i < cli->args.n; i++)
		words = arena_printf(cli->a, "%s %s", words, cli->args.v[i]);
	return call_page(cli, "group_query", words);
}

int cmd_group_contracts(struct cli *cli)
{
	bool rows = cli->o.limit || *cli->o.cursor;
	struct api_client c = client_from_options(cli);

	return show_call_as(
	    cli, &c, "group_contracts", rows ? "group_contracts" : "matrix", page_args(cli, NULL));
}

int cmd_group_graph(struct cli *cli)
{
	return show_call(cli, "repo_graph", page_args(cli, NULL));
}

int cmd_group_links(struct cli *cli)
{
	return call_page(cli, "group_cross_repo_links", NULL);
}
