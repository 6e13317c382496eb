/*
 * atoll up: runs a coordinator and one shard per repository on this machine, or with --join only
 * the shards, until Ctrl-C.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "coordinator/cli/commands/commands.h"
#include "coordinator/cli/base/api_client.h"
#include "coordinator/cli/up/codebase_root.h"
#include "coordinator/cli/up/reconciler.h"
#include "coordinator/cli/base/terminal_text.h"
#include "coordinator/cli/up/runtime_paths.h"
#include "coordinator/cli/up/repo_argument.h"
#include "coordinator/cli/up/supervisor.h"
#include "proto/base/arena.h"
#include "proto/base/die.h"
#include "proto/net/crypto.h"
#include "proto/process/process_limits.h"

enum { POLL_MS = 1000 };

/* The repositories of the command line, or else those of --codebase-root and --repo-root. */
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
		    "--codebase-root (CODEBASE_ROOT): %s contains no git repository with a commit", root);
	struct string_list all = { arena_many(cli->a, out->n + 1, const char *), 0 };
	for (size_t i = 0; i < out->n; i++)
		all.v[all.n++] = out->v[i];
	if (*one)
		all.v[all.n++] = one;
	*out = all;
	return 0;
}

/* Those that are repositories.  The others are reported on standard error. */
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
 * Make a token for our own calls.  The coordinator inherits it in the environment and accepts it
 * as long as it runs.
 */
static const char *make_starter_token(struct cli *cli)
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

/* A client of the coordinator of --join, or of the one that we start, whose URL follows. */
static struct api_client make_client(struct cli *cli)
{
	if (!*cli->o.join)
		return (struct api_client){ .token = make_starter_token(cli), .ca = cli->o.ca };
	cli->o.url = cli->o.join;
	return client_from_options(cli);
}

/* Run everything until a signal arrives or it cannot go on.  The exit code. */
static int supervise(struct cli *cli, const struct runtime_paths *site, struct string_list sources)
{
	struct supervisor *programs = supervisor_new(cli->o.verbose ? NULL : site->logs);
	struct reconciler f = {
		.programs = programs,
		.site = site,
		.o = &cli->o,
		.sources = sources,
		.host = host_name(cli),
		.joins = *cli->o.join,
		.client = make_client(cli),
		.poll_ms = POLL_MS,
	};
	if (*cli->o.codebase_root && !cli->args.n)
		f.root = codebase_root_new(cli->o.codebase_root, &sources);
	pthread_t thread;

	if (pthread_create(&thread, NULL, reconciler_run, &f))
		die("cannot start a thread");
	supervisor_run(programs);
	supervisor_end(programs);
	pthread_join(thread, NULL);
	codebase_root_free(f.root);
	supervisor_free(programs);
	return f.rc;
}

int cmd_up(struct cli *cli)
{
	struct runtime_paths site = { .lock = -1 };
	struct string_list typed;
	int rc = EXIT_UNAVAILABLE;

	limits_raise_files();
	if (cli->o.keep_days < -1) {
		err_set(&cli->e, ERR_INVALID_INPUT, "--keep-days: %lld is less than -1",
		    (long long)cli->o.keep_days);
		return EXIT_USAGE;
	}
	if (find_sources(cli, &typed))
		return EXIT_UNAVAILABLE;
	struct string_list sources = check_sources(cli, &typed);
	if (typed.n && !sources.n) {
		err_set(&cli->e, ERR_INVALID_INPUT, "none of these is a git repository with a commit");
		err_hint(&cli->e,
		    "Name a folder that contains one, or a URL to clone; `git commit` makes the first"
		    " commit.");
		return EXIT_UNAVAILABLE;
	}
	if (!runtime_paths_open(&site, cli->o.data, cli->a, &cli->e))
		rc = supervise(cli, &site, sources);
	runtime_paths_close(&site);
	return rc;
}
