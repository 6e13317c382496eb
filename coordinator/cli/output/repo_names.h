#ifndef COORDINATOR_CLI_OUTPUT_REPO_NAMES_H
#define COORDINATOR_CLI_OUTPUT_REPO_NAMES_H
/* What people call the repositories that an answer names by repo_uri. */

struct arena;
struct api_client;
struct repo_names;

/*
 * The names for an answer.  A hosted repository's follows from its repo_uri; those of local ones,
 * when `body` has any, are asked of the coordinator.  Never NULL; lives in the arena.
 */
struct repo_names *repo_names_for(const struct api_client *, const char *body, struct arena *);

struct arena *repo_names_arena(const struct repo_names *);

/*
 * The name; of a local repository that is not known any more, as many digits as are accepted as
 * input.  "" for NULL.
 */
const char *repo_names_get(const struct repo_names *, const char *repo_uri);

/* The repo_uri itself, a local one shortened to what is accepted as input. */
const char *repo_names_uri(const struct repo_names *, const char *repo_uri);
#endif
