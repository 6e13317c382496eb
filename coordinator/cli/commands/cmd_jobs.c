/* atoll jobs ...: background jobs. */
#include "coordinator/cli/commands/commands.h"
#include "coordinator/cli/base/api_client.h"
#include "coordinator/cli/output/show_results.h"
#include "proto/base/buf.h"

int cmd_jobs_list(struct cli *cli)
{
	struct buf b = { 0 };

	args_str(&b, "state", cli->o.state);
	args_num(&b, "limit", cli->o.limit);
	args_str(&b, "cursor", cli->o.cursor);
	return show_call(cli, "job_list", args_end(&b, cli->a));
}

static int show_one_job(struct cli *cli, const char *tool)
{
	struct buf b = { 0 };

	args_str(&b, "id", cli->args.v[0]);
	return show_call(cli, tool, args_end(&b, cli->a));
}

int cmd_jobs_show(struct cli *cli)
{
	return show_one_job(cli, "job_show");
}

int cmd_jobs_cancel(struct cli *cli)
{
	return show_one_job(cli, "job_cancel");
}
