#ifndef COORDINATOR_REGISTRY_BUILD_POLICY_H
#define COORDINATOR_REGISTRY_BUILD_POLICY_H
/* Decides from repo_index_metadata when a repository has to be built.  Any thread. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct err;
struct registry;

/* A row of repo_index_metadata.  Strings live in the arena; NULL = unknown. */
struct index_meta {
	const char *indexed_at;		/* when the index was published */
	const char *checked_at;		/* when the index was last seen to be at the head */
	const char *head_sha;		/* the indexed commit */
	const char *status;		/* pending | building | ready | failed */
};

/* All fields are NULL if there is no row. */
int index_meta_get(
    struct registry *, const char *repo_uri, struct index_meta *, struct arena *, struct err *);

/*
 * Why the index has to be built: "forced", "never indexed" or "old" (neither indexed nor checked
 * within max_age_s; 0 = never old).  NULL if it is fresh.  `now` is real time in milliseconds.
 */
const char *index_build_reason(
    const struct index_meta *, bool force, int64_t now, int64_t max_age_s);

/*
 * The state of a repository's indexing, from its metadata and its jobs; "pending" if nothing is
 * known.  `out` is a record of tools.def; strings live in the arena.
 */
struct index_state;
int index_state_get(struct registry *, const char *repo_uri, int64_t max_age_s,
    struct index_state *out, struct arena *, struct err *);

/*
 * At most `max` repositories that are due and have had no indexing job within max_age_s (0: ever).
 * `now` is real time in milliseconds.
 */
int index_list_due(struct registry *, int64_t now, int64_t max_age_s, const char ***uris, size_t *n,
    size_t max, struct arena *, struct err *);

/* When the index will be old (real time, milliseconds); 0 if never, or if it was never indexed. */
int64_t index_expires_at(const struct index_meta *, int64_t max_age_s);
#endif
