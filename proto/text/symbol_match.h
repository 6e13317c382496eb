#ifndef PROTO_TEXT_SYMBOL_MATCH_H
#define PROTO_TEXT_SYMBOL_MATCH_H
/* How names of symbols are compared, the same in index and query. */

#include <stdbool.h>

struct arena;

/*
 * What names that differ only in case and separators share: loadUsers, load_users and LoadUsers
 * give loadusers.
 */
const char *symbol_key(const char *name, struct arena *);

/* Whether that is the key of a name. */
bool symbol_has_key(const char *name, const char *key);

/*
 * The last part of a qualified name as people write it: `Class.method`, `Class::method`,
 * `Class#method`, `a/b`.
 */
const char *symbol_base_name(const char *name);
#endif
