/* atoll token ...: bearer tokens of a running coordinator or of a data folder. */
#include <stddef.h>

#include "coordinator/cli/commands/commands.h"
#include "coordinator/cli/base/api_client.h"
#include "coordinator/cli/output/show_results.h"
#include "coordinator/cli/up/runtime_paths.h"
#include "proto/base/buf.h"

static int call(struct cli *cli, const char *tool, struct buf *args)
{
	struct api_client c = client_from_options(cli);

	if (*cli->o.data)
		c.data = runtime_data_dir(cli->o.data, cli->a);
	return show_call_as(cli, &c, tool, tool, args_end(args, cli->a));
}

int cmd_token_create(struct cli *cli)
{
	struct buf b = { 0 };

	if (!*cli->o.name) {
		err_set(&cli->e, ERR_INVALID_INPUT, "--name is missing");
		err_hint(&cli->e, "Logs and `atoll token list` show the token by its name.");
		return EXIT_USAGE;
	}
	args_str(&b, "name", cli->o.name);
	args_strs(&b, "groups", cli->o.group.v, cli->o.group.n);
	args_strs(&b, "repos", cli->o.repo.v, cli->o.repo.n);
	args_str(&b, "visibility", cli->o.visibility);
	args_flag(&b, "read_only", cli->o.read_only);
	args_str(&b, "expires", cli->o.expires);
	return call(cli, "token_create", &b);
}

int cmd_token_list(struct cli *cli)
{
	struct buf b = { 0 };

	return call(cli, "token_list", &b);
}

int cmd_token_revoke(struct cli *cli)
{
	struct buf b = { 0 };

	args_str(&b, "name", cli->args.v[0]);
	return call(cli, "token_revoke", &b);
}
