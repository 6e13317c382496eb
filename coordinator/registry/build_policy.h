#ifndef COORDINATOR_REGISTRY_BUILD_POLICY_H
#define COORDINATOR_REGISTRY_BUILD_POLICY_H
/* When a repository is to be built, by what repo_index_metadata knows of its index.  Any thread. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct err;
struct registry;

/* A row; strings live in the arena, NULL: not known. */
struct index_meta {
	const char *indexed_at;		/* when the index was published */
	const char *checked_at;		/* when it was last known to be at the head */
	const char *head_sha;		/* indexed commit */
	const char *status;		/* pending | building | ready | failed */
};

/* All NULL when there is no row. */
int index_meta_get(
    struct registry *, const char *repo_uri, struct index_meta *, struct arena *, struct err *);

/*
 * Why it is to be built: "forced", "never indexed", "old" (neither indexed nor checked within
 * max_age_s, when that is not 0); NULL: it is fresh.  `now` is real time in milliseconds.
 */
const char *index_build_reason(
    const struct index_meta *, bool force, int64_t now, int64_t max_age_s);

/*
 * What is told of the indexing of a repository: its metadata and its jobs.  Pending when nothing
 * is known.  `out` is a record of tools.def; strings live in the arena.
 */
struct index_state;
int index_state_get(struct registry *, const char *repo_uri, int64_t max_age_s,
    struct index_state *out, struct arena *, struct err *);

/*
 * The repositories that are due by themselves and have had no job of indexing within max_age_s (0:
 * ever), at most `most`. `now` is real time.
 */
int index_list_due(struct registry *, int64_t now, int64_t max_age_s, const char ***uris, size_t *n,
    size_t most, struct arena *, struct err *);

/* When it will be old (real, milliseconds); 0: never, or it was never indexed. */
int64_t index_expires_at(const struct index_meta *, int64_t max_age_s);
#endif
