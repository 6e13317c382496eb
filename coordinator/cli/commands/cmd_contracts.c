/* atoll calls and atoll why: who calls a route, and why one repository is linked to another, or is not. */
#include <strings.h>

#include "coordinator/cli/commands/commands.h"
#include "coordinator/cli/base/api_client.h"
#include "coordinator/cli/output/show_results.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"

int cmd_calls(struct cli *cli)
{
	struct api_client c = client_from_options(cli);
	struct buf b = { 0 };

	args_str(&b, "group", cli->o.group.n ? cli->o.group.v[0] : "default");
	if (strcasecmp(cli->args.v[0], "ANY"))
		args_str(&b, "method", cli->args.v[0]);
	args_str(&b, "path", cli->args.v[1]);
	args_num(&b, "limit", cli->o.limit);
	args_str(&b, "cursor", cli->o.cursor);
	return show_call_as(
	    cli, &c, "group_contracts", cli->o.why ? "calls" : "group_contracts", args_end(&b, cli->a));
}

int cmd_why(struct cli *cli)
{
	struct buf b = { 0 };

	if (cli->o.group.n)
		args_str(&b, "group", cli->o.group.v[0]);
	args_str(&b, "from", cli->args.v[0]);
	args_str(&b, "to", cli->args.v[1]);
	if (cli->args.n == 4)
		args_str(&b, "method", cli->args.v[2]);
	if (cli->args.n > 2)
		args_str(&b, "path", cli->args.v[cli->args.n - 1]);
	args_num(&b, "limit", cli->o.limit);
	args_str(&b, "cursor", cli->o.cursor);
	return show_call(cli, "explain_link", args_end(&b, cli->a));
}
