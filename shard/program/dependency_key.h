#ifndef SHARD_PROGRAM_DEPENDENCY_KEY_H
#define SHARD_PROGRAM_DEPENDENCY_KEY_H
/*
 * Keys of what is looked up, as numbers (resolver.h has their forms): what a file asked for, and
 * what a change of another touches.
 */

#include <stdint.h>

/*
 * The number of a key that is put together from parts; NULL ends them.  In two steps: what the
 * first parts give, and the last.
 */
uint32_t key_hash(const char *part, ...) __attribute__((sentinel));
uint32_t key_begin(const char *part, ...) __attribute__((sentinel));
uint32_t key_end(uint32_t begun, const char *part);

/* The number by which a key is stored in `uses`. */
int64_t dependency_key(const char *key);
#endif
