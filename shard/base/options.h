#ifndef SHARD_BASE_OPTIONS_H
#define SHARD_BASE_OPTIONS_H
/* The shard's options; options.def lists them. */

#include "proto/process/options.h"

struct options {
#define OPT(type, name, arg, def, env, help) opt_##type name;
#include "shard/base/options.def"
};
#endif
