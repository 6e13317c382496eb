#ifndef CLI_CLI_H
#define CLI_CLI_H
/* The command line: one function per row of commands.def, and what all of them are given. */

#include <stdbool.h>
#include <stdint.h>

#include "proto/base/err.h"
#include "proto/base/options.h"

struct arena;

enum { MANY = 1 << 20 };

/* Exit codes; scripts rely on them. */
enum { EXIT_OK, EXIT_DOWN, EXIT_USAGE, EXIT_TOOL };

struct cli_options {
#define OPT(type, name, arg, def, env, help) opt_##type name;
#include "coordinator/cli/options.def"
};

struct cli {
	struct cli_options o;
	struct list args;	/* words that are no options */
	struct arena *a;
	struct err e;		/* what failed, to be printed by main */
};

struct command {
	const char *words, *args;
	int fewest, most;
	const char *options, *summary;
	int (*run)(struct cli *);	/* the exit code */
};

extern const struct command commands[];		/* ends with NULL words */

#define COMMAND(f, words, args, fewest, most, options, summary) int cmd_##f(struct cli *);
#include "coordinator/cli/commands.def"

/* Arguments of a tool as people read them, on standard output.  0, or -1 when there is no such tool, which is said. */
int tool_help(const char *tool);
void tool_list(void);			/* all tools, a line each */
#endif
