#ifndef PROTO_TEXT_SYMBOL_MATCH_H
#define PROTO_TEXT_SYMBOL_MATCH_H
/* Comparison of symbol names, the same for index and query. */

#include <stdbool.h>
#include <stddef.h>

struct arena;

/*
 * The key of a name, which names that differ only in case and separators share: loadUsers,
 * load_users and LoadUsers have the key loadusers.  In the arena, or the name itself if it has no
 * letters and digits.
 */
const char *symbol_key(const char *name, struct arena *);

/* Whether the key of the name can begin with the first `n` bytes of a key. */
bool symbol_key_begins(const char *name, const char *key, size_t n);

/* Whether the name has this key. */
bool symbol_has_key(const char *name, const char *key);

/*
 * The last part of a qualified name as people write it: `Class.method`, `Class::method`,
 * `Class#method`, `a/b`.
 */
const char *symbol_base_name(const char *name);
#endif
