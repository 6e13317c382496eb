#ifndef PROTO_TEXT_SYMBOL_H
#define PROTO_TEXT_SYMBOL_H
/* How names of symbols are compared, the same in index and query. */

struct arena;

/* What names that differ only in case and separators share: loadUsers, load_users and LoadUsers give loadusers. */
const char *symbol_key(const char *name, struct arena *);

/* The last part of a qualified name as people write it: `Class.method`, `Class::method`, `Class#method`, `a/b`. */
const char *symbol_last(const char *name);
#endif
