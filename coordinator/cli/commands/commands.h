#ifndef COORDINATOR_CLI_COMMANDS_COMMANDS_H
#define COORDINATOR_CLI_COMMANDS_COMMANDS_H
/* The commands: one function per row of commands.def. */

#include "coordinator/cli/base/cli.h"

struct buf;

struct command {
	const char *words, *args;
	int fewest, most;
	const char *options, *summary;
	int (*run)(struct cli *);	/* the exit code */
};

extern const struct command commands[];		/* ends with NULL words */

#define COMMAND(f, words, args, fewest, most, options, summary) int cmd_##f(struct cli *);
#include "coordinator/cli/commands/commands.def"

/*
 * cmd_call.c: print a tool's arguments on standard output.  0, or -1 after an error message if the
 * tool does not exist.
 */
int tool_help(const char *tool);
void tool_list(void);			/* print all tools, one per line */

/* cmd_repo.c: add the argument REPO, a folder, a repo_uri or URL, or a name, to a tool's arguments. */
void args_repo(struct cli *, struct buf *);
#endif
