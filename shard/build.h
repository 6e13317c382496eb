#ifndef SHARD_BUILD_H
#define SHARD_BUILD_H
/* Writes one generation of the index, file by file in order of path, and its graph_hash.  One thread. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct build;
struct entry;
struct err;
struct fact;
struct facts;
struct index_info;

/* A file that is indexed. */
struct build_file {
	const char *path, *blob, *language;
	uint64_t size;
	bool test, generated;
};

/* Start FILE.tmp in `dir`, where info->file is FILE.  NULL with `e` (DB_ERROR). */
struct build *build_new(const char *dir, const struct index_info *info, struct err *e);

/* Add a file; to be called in order of path.  Keeps nothing of its arguments. */
int build_put(struct build *, const struct build_file *, const struct facts *, struct err *);

/* Add a contract fact of the file fact->file; in order of file and line.  Facts of files that are not there are dropped. */
int build_fact(struct build *, const struct fact *, struct err *);

/* Add a name under which others may call this repository. */
int build_name(struct build *, const char *name, struct err *);

/* Say that files were left out. */
int build_skip(struct build *, const char *reason, uint64_t files, uint64_t bytes, const char *example, struct err *);

/*
 * Complete `info` (counts, graph_hash) and write it, make the file durable and publish it.  `info` has everything else.
 * The build is to be freed in any case.
 */
int build_publish(struct build *, struct index_info *info, struct err *);
void build_free(struct build *);	/* NULL is fine; removes what was not published */
#endif
