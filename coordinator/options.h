#ifndef COORDINATOR_OPTIONS_H
#define COORDINATOR_OPTIONS_H
/* The coordinator's options; options.def has them all. */

#include "proto/base/options.h"

struct options {
#define OPT(type, name, arg, def, env, help) opt_##type name;
#include "coordinator/options.def"
};
#endif
