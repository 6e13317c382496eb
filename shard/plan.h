#ifndef SHARD_PLAN_H
#define SHARD_PLAN_H
/* Which files of a commit are indexed, and which are left out and why. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shard/build.h"
#include "shard/repo.h"

struct arena;
struct err;
struct lang;
struct map;
struct quarantine;

struct planned {
	struct build_file file;		/* language once it is known */
	const struct lang *lang;	/* NULL: the bytes decide */
};

struct skipped {
	uint64_t files, bytes;
	const char *example;
};

struct plan {
	struct planned *v;		/* in order of path */
	size_t n;
	struct map *skips;		/* reason -> struct skipped, in `a` */
	struct arena *a;
};

/*
 * Walk the tree of `commit`: path rules, .atollignore, .gitattributes, sizes, quarantine.  Everything lives in `a`;
 * plan_free ends the rest.
 */
int plan_make(struct plan *, struct repo *, const char *commit, uint64_t file_limit, const struct quarantine *,
    struct arena *a, struct err *e);
void plan_free(struct plan *);

/* Count a file as left out. */
void plan_skip(struct plan *, const char *reason, const char *path, uint64_t size);
#endif
