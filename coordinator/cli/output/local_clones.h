#ifndef COORDINATOR_CLI_OUTPUT_LOCAL_CLONES_H
#define COORDINATOR_CLI_OUTPUT_LOCAL_CLONES_H
/* Which repositories are folders of this machine. */

struct api_client;
struct arena;
struct local_clones;

/* Ask the coordinator.  Empty if it does not say, as to a caller who may not see paths.  In `a`. */
struct local_clones *local_clones_read(const struct api_client *, struct arena *a);
void local_clones_free(struct local_clones *); /* NULL is fine */

/* The folder of a repository, or NULL; `clones` may be NULL. */
const char *local_clones_folder(const struct local_clones *clones, const char *repo_uri);
#endif
