#ifndef PROTO_TEXT_REPO_URI_H
#define PROTO_TEXT_REPO_URI_H
/*
 * A repository's identity: repo_uri, the one handle, and what follows from it.  Results live in
 * the arena.
 */

#include <stddef.h>

#include "proto/base/redact.h"	/* uri_redact: the other half of what is done to remotes */

struct arena;

/*
 * The repo_uri of a git remote, `host[:port]/path`; NULL when it names no host (a path, file://, a
 * Windows path). Lower-case host; no scheme, user info, query, fragment, default port, outer
 * slashes or `.git`; path case kept.
 */
const char *uri_of_remote(const char *remote, struct arena *);

/*
 * The repo_uri of a repository without a hosted remote: `local:` + hex SHA-256 of its absolute
 * path.
 */
const char *uri_of_path(const char *abs_path, struct arena *);

/*
 * What a caller typed, brought to the canonical form where it can be (any remote form, `.git`,
 * slashes); never NULL.
 */
const char *uri_canonical(const char *typed, struct arena *);

/*
 * The human handle: the last two elements of the path; for local ones folder name (without .git) +
 * `-` + 6 hex digits of the uri.
 */
const char *uri_display_name(const char *uri, const char *abs_path, struct arena *);

/* Data directory and lock name: `repo_` + 16 hex digits. */
const char *uri_directory_name(const char *uri, struct arena *);

/*
 * `n` bytes with %XX as the byte that it stands for (RFC 3986, 2.1), once; what is no such thing
 * stays as it is.
 */
char *uri_decode(const char *text, size_t n, struct arena *);
#endif
