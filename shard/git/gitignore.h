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

/* Zero-initialise.  Its memory belongs to the arena that is passed to the functions. */
struct ignore_rules {
	struct ignore_pattern *v;
	size_t n, cap;
	uint64_t paths, steps;	/* paths that were checked; steps that matching them took */
	/* matching took more than 200000000 steps and 20000 a path; from then on no path is ignored */
	bool spent;
	bool known, below;	/* `below` is valid; the folder `dir` or one above it is ignored */
	char dir[4096];
};

/*
 * Add the lines of an ignore file in the folder `dir` ("" or "a/b/").  Add a folder before the
 * folders in it, because the last matching pattern decides.
 */
void ignore_add(struct ignore_rules *, const char *dir, const char *text, size_t n, struct arena *);

/* Add the lines of a .gitattributes file that set or unset the attribute `attr`. */
void ignore_add_attr(struct ignore_rules *, const char *attr, const char *dir, const char *text,
    size_t n, struct arena *);

/*
 * Whether a file is ignored, by the last pattern that matches it or because a folder above it is.
 */
bool ignore_matches(struct ignore_rules *, const char *path);
#endif
