#ifndef SHARD_OPTIONS_H
#define SHARD_OPTIONS_H
/* The shard's options; options.def has them all. */

#include "proto/base/options.h"

struct options {
#define OPT(type, name, arg, def, env, help) opt_##type name;
#include "shard/options.def"
};
#endif
