#ifndef SHARD_SYNTAX_SLASH_ENDINGS_H
#define SHARD_SYNTAX_SLASH_ENDINGS_H
/* Expressions that only see to it that a text ends with a slash. */
#include "shard/syntax/syntax_tree.h"

/* Whether a name gets its own value and a slash: `url += "/"`, `url = url + "/"`. */
bool assigns_slash(const struct syntax_tree *, const char *name, TSNode value);

/* Whether `longer` is `shorter` and a slash: `url` and `url + "/"`, `${url}/`. */
bool is_with_slash(const struct syntax_tree *, TSNode shorter, TSNode longer);

/* Whether a name gets a slash where the node is, or a member in its file. */
bool ends_with_slash(const struct syntax_tree *, TSNode name);
#endif
