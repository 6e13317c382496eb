#ifndef COORDINATOR_CLI_COMMANDS_COMMANDS_H
#define COORDINATOR_CLI_COMMANDS_COMMANDS_H
/* The commands: one function per row of commands.def. */

#include "coordinator/cli/base/cli.h"

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
 * cmd_call.c: arguments of a tool as people read them, on standard output.  0, or -1 when there is
 * no such tool, which is said.
 */
int tool_help(const char *tool);
void tool_list(void);			/* all tools, a line each */
#endif
