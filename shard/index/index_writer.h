#ifndef SHARD_INDEX_INDEX_WRITER_H
#define SHARD_INDEX_INDEX_WRITER_H
/* Writes the index: a whole one into a new file, or the difference between two commits into the published one.  One thread. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct build;
struct err;
struct facts;
struct index_info;
struct scips;
struct texts;

/* A file that is indexed. */
struct build_file {
	const char *path, *blob, *language;
	uint64_t size;
	bool test, generated;
};

/* A .atollignore or .gitattributes; a SCIP index. */
struct rule_file {
	const char *path, *blob;
};

/* Start FILE.tmp in `dir`, where info->file is FILE.  NULL with `e` (DB_ERROR). */
struct build *build_new(const char *dir, const struct index_info *info, struct err *e);

/*
 * Add a file; in order of path.  Its contract facts are given their file (test and generated code has none).
 * Keeps nothing of its arguments.
 */
int build_put(struct build *, const struct build_file *, struct facts *, struct err *);

/* Add a name under which others may call this repository. */
int build_name(struct build *, const char *name, struct err *);

/* Say that a file was left out, and that a file holds rules by which others are. */
int build_skip(struct build *, const char *path, const char *reason, uint64_t size, struct err *);
int build_rule(struct build *, const char *path, const char *blob, struct err *);

/* Say that a file is a SCIP index. */
int build_scip(struct build *, const char *path, const char *blob, struct err *);

/*
 * Resolve with so many threads, find the contracts that need more than one file (NULL texts: none), put SCIP indexes over that
 * (NULL: none), complete `info` (counts, graph_hash) and write it, make all of it durable and publish it.  `info` has everything
 * else.  The build is to be freed in any case.
 */
int build_publish(struct build *, struct index_info *info, const struct texts *, const struct scips *, int threads, struct err *);
void build_free(struct build *);	/* NULL is fine; removes what was not published */
#endif
