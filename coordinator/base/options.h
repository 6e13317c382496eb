#ifndef COORDINATOR_BASE_OPTIONS_H
#define COORDINATOR_BASE_OPTIONS_H
/* The coordinator's options, which options.def lists. */

#include <stddef.h>

#include "proto/process/options.h"

struct arena;
struct err;

struct coordinator_config {
#define OPT(type, name, arg, def, env, help) opt_##type name;
#include "coordinator/base/options.def"
};

/*
 * Fill `o` from the command line, the environment and the options file.  0; 1 if --help or
 * --version was printed; -1 with `e`.  Strings live in `a`.
 */
int coordinator_options(
    struct coordinator_config *o, int argc, char **argv, struct arena *a, struct err *e);

/* Where the secrets in the options come from (options_list_secrets). */
struct secret_origin *coordinator_secrets(
    const struct coordinator_config *, struct arena *, size_t *n);
#endif
