#ifndef SHARD_SYMBOL_H
#define SHARD_SYMBOL_H
/* How names of symbols are compared. */

/* The doc comment of a row `s` of symbols, as a column of a SELECT. */
#define SYMBOL_DOC "packed_text((select docs from told where told.file = s.file), s.place)"

struct arena;

/* What names that differ only in case and separators share: loadUsers, load_users and LoadUsers give loadusers. */
const char *symbol_key(const char *name, struct arena *);

/* The last part of a qualified name as people write it: `Class.method`, `Class::method`, `Class#method`, `a/b`. */
const char *symbol_last(const char *name);
#endif
