#ifndef SHARD_TRIGRAMS_TEXT_ROWS_H
#define SHARD_TRIGRAMS_TEXT_ROWS_H
/* Reads the stored texts of a commit, and finds those that may match. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct db;
struct err;
struct gram_query;

/* Whether the index has texts at all: an older one, which is being rebuilt, has none. */
bool text_rows_exist(struct db *);

/* The id from which on texts have no lists yet. */
int64_t text_rows_fresh(struct db *, struct err *);

/* Call `take` for each text without lists, in order, with its trigrams (grams_collect). */
int text_rows_each_fresh(struct db *,
    void (*take)(void *arg, int64_t id, const uint32_t *grams, size_t n), void *arg, struct err *);

struct stored_text {
	int64_t id;
	const char *path, *language; /* language: NULL if it has none */
};

struct text_rows {
	struct stored_text *v;
	size_t n;
};

/*
 * The texts that may contain a match, by what their trigrams say, in order of path.  `wanted`
 * decides by path and language first.  In `a`.
 */
int text_rows_find(struct db *, const struct gram_query *,
    bool (*wanted)(void *arg, const char *path, const char *language), void *arg, struct arena *a,
    struct text_rows *out, struct err *);

/* A text, in `a`, and its length; NULL with `e` if it cannot be read. */
const char *text_rows_read(struct db *, int64_t id, struct arena *a, size_t *n, struct err *);
#endif
