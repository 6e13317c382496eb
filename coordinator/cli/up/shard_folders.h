#ifndef COORDINATOR_CLI_UP_SHARD_FOLDERS_H
#define COORDINATOR_CLI_UP_SHARD_FOLDERS_H
/* The folders of shards in the data folder: repo_…, each with an index, vectors and a mirror. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct err;
struct status_out;

struct shard_folder {
	const char *name, *path;
	uint64_t bytes;
	int64_t idle_s;			/* since the last write to it */
	bool served;			/* a shard has it open */
	bool known;			/* a repository in `status` has it; false if `status` is NULL */
};

/* All of them in `data`, sorted by name.  In the arena; NULL if `data` cannot be read. */
struct shard_folder *shard_folders_list(
    const char *data, const struct status_out *, size_t *n, struct arena *);

/*
 * Delete one; waits up to `wait_ms` for its shard to end.  -1 with UNAVAILABLE if a shard has it
 * open, NOT_FOUND or INTERNAL.
 */
int shard_folder_delete(const char *data, const char *name, int wait_ms, struct err *);

/* Delete those of no repository that were idle for longer than `idle_s`.  The bytes freed. */
uint64_t shard_folders_prune(
    const char *data, const struct status_out *, int64_t idle_s, struct arena *);
#endif
