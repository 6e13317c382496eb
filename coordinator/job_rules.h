#ifndef COORDINATOR_JOB_RULES_H
#define COORDINATOR_JOB_RULES_H
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
int index_meta_get(struct registry *, const char *repo_uri, struct index_meta *, struct arena *, struct err *);

/*
 * Why it is to be built: "forced", "never indexed", "old" (neither indexed nor checked within max_age_s, when that is not 0);
 * NULL: it is fresh.  `now` is real time in milliseconds.
 */
const char *index_due(const struct index_meta *, bool force, int64_t now, int64_t max_age_s);

/* When it will be old (real, milliseconds); 0: never, or it was never indexed. */
int64_t index_old_at(const struct index_meta *, int64_t max_age_s);
#endif
