#ifndef COORDINATOR_CLI_UP_SHARD_FOLDERS_H
#define COORDINATOR_CLI_UP_SHARD_FOLDERS_H
/* What shards keep in the data folder: a folder repo_… each, with its index, vectors and mirror. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct err;
struct status_out;

struct shard_folder {
	const char *name, *path;
	uint64_t bytes;
	int64_t idle_s;			/* since anything in it was written */
	bool served;			/* a shard has it open */
	bool known;			/* of a repository in `status`; false without */
};

/* Those in DATA, by name. */
struct shard_folder *shard_folders_list(
    const char *data, const struct status_out *, size_t *n, struct arena *);

/*
 * Delete one that is not served; waits up to `wait_ms` for its shard to end.  -1 with UNAVAILABLE:
 * it is served; NOT_FOUND; INTERNAL.
 */
int shard_folder_delete(const char *data, const char *name, int wait_ms, struct err *);

/*
 * Delete those of no repository that nobody has written to for so long; how many bytes that gave
 * back.
 */
uint64_t shard_folders_prune(
    const char *data, const struct status_out *, int64_t idle_s, struct arena *);
#endif
