#ifndef SHARD_GIT_GITIGNORE_H
#define SHARD_GIT_GITIGNORE_H
/*
 * Patterns of gitignore's syntax, read from a tree instead of the working directory: .atollignore
 * and .gitattributes.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

/* Zero-initialise; lives in the arena it is given. */
struct ignore_rules {
	struct ignore_pattern *v;
	size_t n, cap;
	uint64_t paths, steps;	/* that were asked for, and that matching them took */
	/* steps: more than 200000000, and 20000 a path; what is asked from then on is not ignored */
	bool spent;
	bool known, below;	/* whether what is in folder `dir` is ignored for the sake of a folder */
	char dir[4096];
};

/*
 * Add the lines of an ignore file that stands in folder `dir` ("" or "a/b/").  Folders must be
 * added before the folders in them: the last pattern that fits decides.
 */
void ignore_add(struct ignore_rules *, const char *dir, const char *text, size_t n, struct arena *);

/* Add the lines of a .gitattributes that say something of the attribute `attr`. */
void ignore_add_attr(struct ignore_rules *, const char *attr, const char *dir, const char *text,
    size_t n, struct arena *);

/* Whether a file is ignored: the last pattern that fits it, or a folder above it, says so. */
bool ignore_matches(struct ignore_rules *, const char *path);
#endif
