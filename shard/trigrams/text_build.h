#ifndef SHARD_TRIGRAMS_TEXT_BUILD_H
#define SHARD_TRIGRAMS_TEXT_BUILD_H
/*
 * The texts of a commit and their trigrams, in the index that is being written: all of them by a
 * full build, those that changed by an incremental one.  Texts that changed have no lists until
 * there are enough of them for a segment; until then each search reads them.
 */

#include <stdint.h>

struct db;
struct err;
struct repo;
struct tree_changes;

struct text_limits {
	uint64_t bytes_max; /* of a text; larger ones are counted only */
	int threads;
};

/*
 * Write the texts of a commit into tables that are empty.  `place` is the folder of `repo`: each
 * thread opens it for itself.
 */
int text_build_run(struct db *, struct repo *, const char *place, const char *commit,
    const struct text_limits *, struct err *);

/* Bring the tables to another commit, which differs in `changes`. */
int text_update_run(struct db *, struct repo *, const struct tree_changes *,
    const struct text_limits *, struct err *);
#endif
