#ifndef PROTO_PROCESS_EMBEDDED_H
#define PROTO_PROCESS_EMBEDDED_H
/*
 * Data files carried in the program (queries, tables, SQL), found by their path in the source
 * tree, or below $BUILD.
 */

#include <stddef.h>

struct arena;
struct err;

enum { EMBEDDED_WORDS = 16 };

/* `end` points at a NUL that is not part of the file. */
struct embedded {
	const char *name, *p, *end;
};

/*
 * All of this program's files, sorted by name; the last has a NULL name.  Written by embed.sh at
 * build time.
 */
extern const struct embedded embedded_files[];

/* The file called `name`, or NULL. */
const struct embedded *embedded_find(const char *name);

/* Its text, NUL-terminated, or NULL. */
const char *embedded_contents(const char *name);

/*
 * Hand the words of each line of a table to `row`, which may keep them (they are in `a`) and
 * returns NULL or what is wrong with them.  What begins with # is a comment, and is left out with
 * what follows it.  INTERNAL names the line.
 */
int embedded_each_row(const char *name, struct arena *,
    const char *(*row)(void *, char **word, int n), void *arg, struct err *);
#endif
