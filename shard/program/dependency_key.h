#ifndef SHARD_PROGRAM_DEPENDENCY_KEY_H
#define SHARD_PROGRAM_DEPENDENCY_KEY_H
/*
 * Keys of lookups as numbers; resolver.h lists their forms.  A file records the keys that it looks
 * up, and a change of another file touches keys.
 */

#include <stdint.h>

/*
 * The number of a key that is the concatenation of parts, ended by NULL.  key_begin hashes the
 * first parts, so that key_end only needs the last one.
 */
uint32_t key_hash(const char *part, ...) __attribute__((sentinel));
uint32_t key_begin(const char *part, ...) __attribute__((sentinel));
uint32_t key_end(uint32_t begun, const char *part);

/* The number that represents a key in table `uses`. */
int64_t dependency_key(const char *key);
#endif
