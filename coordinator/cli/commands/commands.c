#include "coordinator/cli/commands/commands.h"

#include <stddef.h>

const struct command commands[] = {
#define COMMAND(f, words, args, fewest, most, options, summary) \
	{ words, args, fewest, most, options, summary, cmd_##f },
#include "coordinator/cli/commands/commands.def"
	{ NULL, NULL, 0, 0, NULL, NULL, NULL },
};
