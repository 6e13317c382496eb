#ifndef SHARD_INGEST_INGEST_PLAN_H
#define SHARD_INGEST_INGEST_PLAN_H
/* Which files of a commit are indexed, and which are skipped and why. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shard/git/repo.h"
#include "shard/index/index_writer.h"

struct arena;
struct err;
struct lang;
struct quarantine;

struct planned_file {
	struct indexed_file file;	/* `language` is NULL until it is known */
	const struct lang *lang;	/* NULL if only the content can tell */
	const char *left_out;	/* why only its names are indexed; NULL: all of it is */
	bool is_lock; /* of what is left out: packages are indexed, and no names */
};

/* A file that is skipped. */
struct skipped_file {
	const char *path, *reason;
	uint64_t size;
};

struct plan_rules;

struct plan {
	struct planned_file *v;		/* in order of path, first those that are not left out */
	size_t n;
	struct skipped_file *skipped;
	size_t nskipped, cap;
	struct rule_file *rules;	/* the files with rules that were applied */
	size_t nrules;
	struct rule_file *scips;	/* SCIP indexes (scip_sources.h), in order of path */
	size_t nscips;
};

/*
 * Walks the tree of `commit` and applies path rules, .atollignore, .gitattributes, size limits and
 * the quarantine. Everything lives in `a`, except what plan_free frees.
 */
int plan_make(struct plan *, struct repo *, const char *commit, uint64_t file_limit,
    const struct quarantine *, struct arena *a, struct err *e);
void plan_free(struct plan *);

/* Adds a file that is skipped after all. Keeps the pointers to the strings. */
void plan_add_skipped(struct plan *, const char *reason, const char *path, uint64_t size);

/* Whether a file at this path contains rules. */
bool plan_is_rule_file(const char *path);

/* The rules in these files, in `a`. */
struct plan_rules *plan_rules(struct repo *, const struct rule_file *, size_t n, struct arena *a);

/*
 * Why one entry is skipped, or NULL and `out` is filled: what plan_make does with each. Of a file that
 * is vendored by an attribute, too large or in a hidden folder, the names may still be read
 * (out->left_out), and of a lock file the packages.
 */
const char *plan_check_entry(const struct tree_entry *, struct plan_rules *, uint64_t file_limit,
    const struct quarantine *, struct planned_file *out);
#endif
