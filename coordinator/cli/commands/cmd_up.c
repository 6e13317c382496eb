/*
 * atoll up: a coordinator and one shard per repository on this machine, or the shards alone for
 * one elsewhere, until Ctrl-C.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "coordinator/cli/commands/commands.h"
#include "coordinator/cli/base/api_client.h"
#include "coordinator/cli/up/reconciler.h"
#include "coordinator/cli/base/terminal_text.h"
#include "coordinator/cli/up/runtime_paths.h"
#include "coordinator/cli/up/repo_argument.h"
#include "coordinator/cli/up/supervisor.h"
#include "proto/base/arena.h"
#include "proto/base/die.h"
#include "proto/net/crypto.h"
#include "proto/process/process_limits.h"

/* What shall be served: of the command line; else of the environment's two. */
static int find_sources(struct cli *cli, struct string_list *out)
{
	const char *root = cli->o.codebase_root, *one = cli->o.repo_root;

	*out = cli->args;
	if (cli->args.n)
		return 0;
	if (*root && sources_in_folder(root, out, cli->a, &cli->e))
		return -1;
	if (*root && !out->n)
		return err_set(&cli->e, ERR_INVALID_INPUT,
		    "--codebase-root (CODEBASE_ROOT): no git repository with a commit stands in %s", root);
	struct string_list all = { arena_many(cli->a, out->n + 1, const char *), 0 };
	for (size_t i = 0; i < out->n; i++)
		all.v[all.n++] = out->v[i];
	if (*one)
		all.v[all.n++] = one;
	*out = all;
	return 0;
}

/* Those that are repositories; the others are named. */
static struct string_list check_sources(struct cli *cli, const struct string_list *typed)
{
	struct string_list good = { arena_many(cli->a, typed->n + 1, const char *), 0 };

	for (size_t i = 0; i < typed->n; i++) {
		struct err e = { 0 };
		const char *source = source_resolve(typed->v[i], cli->a, &e);
		if (source)
			good.v[good.n++] = source;
		else
			say(stderr, "atoll: left out: %s\n", e.msg);
	}
	return good;
}

/*
 * A token of its own, by the environment, which the programs that it starts inherit: the
 * coordinator knows it as long as it runs.
 */
static const char *own_token(struct cli *cli)
{
	char *token = arena_many(cli->a, 41, char);

	crypto_random_hex(token, 20);
	setenv("ATOLL_STARTER_TOKEN", token, 1);
	return token;
}

static const char *host_name(struct cli *cli)
{
	char name[256] = "";

	gethostname(name, sizeof name - 1);
	if (*cli->o.host)
		return cli->o.host;
	return arena_str(cli->a, name);
}

/* The coordinator of --join. */
static struct api_client remote_client(struct cli *cli)
{
	cli->o.url = cli->o.join;
	return client_from_options(cli);
}

int cmd_up(struct cli *cli)
{
	struct runtime_paths site = { .lock = -1 };
	struct string_list typed;
	pthread_t thread;
	int rc = EXIT_UNAVAILABLE;

	limits_raise_files();
	if (cli->o.keep_days < -1) {
		err_set(&cli->e, ERR_INVALID_INPUT, "--keep-days: %lld is not -1 or more",
		    (long long)cli->o.keep_days);
		return EXIT_USAGE;
	}
	if (find_sources(cli, &typed))
		return EXIT_UNAVAILABLE;
	struct string_list sources = check_sources(cli, &typed);
	if (typed.n && !sources.n) {
		err_set(&cli->e, ERR_INVALID_INPUT, "none of these is a git repository with a commit");
		err_hint(&cli->e,
		    "Name a folder that holds one, or a URL to clone; `git commit` makes the first commit.");
		return EXIT_UNAVAILABLE;
	}
	if (!runtime_paths_open(&site, cli->o.data, cli->a, &cli->e)) {
		struct supervisor *programs = supervisor_new(cli->o.verbose ? NULL : site.logs);
		struct reconciler f = {
			.programs = programs, .site = &site, .o = &cli->o, .sources = sources,
			    .host = host_name(cli), .joins = *cli->o.join,
			.client = *cli->o.join ? remote_client(cli) :
			    (struct api_client){ .token = own_token(cli), .ca = cli->o.ca },
		};
		if (pthread_create(&thread, NULL, reconciler_run, &f))
			die("cannot start a thread");
		supervisor_run(programs);
		supervisor_end(programs);
		pthread_join(thread, NULL);
		supervisor_free(programs);
		rc = f.rc;
	}
	runtime_paths_close(&site);
	return rc;
}
