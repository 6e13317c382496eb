#ifndef COORDINATOR_CLI_BASE_CLI_H
#define COORDINATOR_CLI_BASE_CLI_H
/* What every command receives, and its exit codes. */

#include <stdbool.h>
#include <stdint.h>

#include "proto/base/err.h"
#include "proto/base/optional_text.h"
#include "proto/process/options.h"

struct arena;

enum { ARGS_UNLIMITED = 1 << 20 };

/* Exit codes; scripts rely on them. */
enum { EXIT_OK, EXIT_UNAVAILABLE, EXIT_USAGE, EXIT_TOOL };

struct cli_options {
#define OPT(type, name, arg, def, env, help) opt_##type name;
#include "coordinator/cli/base/options.def"
};

struct cli {
	struct cli_options o;
	struct string_list args;	/* the words that are not options */
	struct arena *a;
	struct err e;		/* main prints it if it is set */
};
#endif
