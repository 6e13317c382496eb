#ifndef PROTO_TEXT_REPO_URI_H
#define PROTO_TEXT_REPO_URI_H
/*
 * A repository's identity, repo_uri, and the names derived from it.  Results live in the arena.
 */

#include <stddef.h>

#include "proto/base/redact.h"	/* uri_redact, for remotes in messages */

struct arena;

/*
 * The repo_uri of a git remote, `host[:port]/path`: a lower-case host and the path in its case,
 * without scheme, user info, query, fragment, default port, slashes at the ends or `.git`.  NULL if
 * the remote names no host (a path, file://, a Windows path).
 */
const char *uri_of_remote(const char *remote, struct arena *);

/*
 * The repo_uri of a repository without a hosted remote: `local:` + hex SHA-256 of its absolute
 * path.
 */
const char *uri_of_path(const char *abs_path, struct arena *);

/*
 * The canonical form of what a user typed (any form of a remote, with `.git` or slashes), or the
 * text itself if it has none.  Never NULL.
 */
const char *uri_canonical(const char *typed, struct arena *);

/*
 * The name for people: the last two elements of the path; for a local repository, the name of its
 * folder without .git, `-` and 6 hex digits of the uri.
 */
const char *uri_display_name(const char *uri, const char *abs_path, struct arena *);

/* The name of the data directory and the lock: `repo_` + 16 hex digits. */
const char *uri_directory_name(const char *uri, struct arena *);

/*
 * Decode each %XX in `n` bytes once (RFC 3986, 2.1).  A % that is not followed by two hex digits
 * stays unchanged.
 */
char *uri_decode(const char *text, size_t n, struct arena *);
#endif
