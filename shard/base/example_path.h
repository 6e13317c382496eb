#ifndef SHARD_BASE_EXAMPLE_PATH_H
#define SHARD_BASE_EXAMPLE_PATH_H

#include <stdbool.h>

/* Whether the file is in a folder of examples, so that it shows how other code may be used. */
bool path_is_example(const char *path);
#endif
