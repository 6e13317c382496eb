#ifndef SHARD_CONTRACTS_PATHS_URL_PATH_H
#define SHARD_CONTRACTS_PATHS_URL_PATH_H
/* Templates of paths and URLs, in the one form in which routes and calls are compared. */

#include <stdbool.h>

struct arena;

/*
 * The template of a path: `:id`, `{id}`, `{id:regex}` and `<int:id>` become `{}`, a rest `*` or
 * `{path...}` at the end becomes `{*}`.  It begins with one slash and ends with none.  `route`: the
 * text is a pattern, in which `:` and `?` mark parameters.
 */
const char *url_path(const char *text, bool route, struct arena *);

/*
 * Split a URL into `*host` (NULL if it has none) and `*path`, a template.  False: nothing of the
 * path is known; it is `{}`.
 */
bool url_split(const char *text, struct arena *, const char **host, const char **path);
#endif
