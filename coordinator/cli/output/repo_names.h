#ifndef COORDINATOR_CLI_OUTPUT_REPO_NAMES_H
#define COORDINATOR_CLI_OUTPUT_REPO_NAMES_H
/* Display names for the repositories that a result names by repo_uri. */

struct arena;
struct api_client;
struct repo_names;

/*
 * The names for the result in `body`.  The name of a hosted repository follows from its repo_uri;
 * those of local ones are requested from the coordinator.  Never NULL; lives in the arena.
 */
struct repo_names *repo_names_for(const struct api_client *, const char *body, struct arena *);

struct arena *repo_names_arena(const struct repo_names *);

/*
 * The name.  For a local repository that is no longer registered, its repo_uri, shortened to what
 * commands accept.  "" for NULL.
 */
const char *repo_names_get(const struct repo_names *, const char *repo_uri);

/* The repo_uri; a local one is shortened to what commands accept. */
const char *repo_names_uri(const struct repo_names *, const char *repo_uri);
#endif
