#ifndef PROTO_PROCESS_EMBEDDED_H
#define PROTO_PROCESS_EMBEDDED_H
/*
 * Data files built into the program (queries, tables, SQL), found by their path in the source tree,
 * or below $BUILD.
 */

#include <stddef.h>

struct arena;
struct err;

enum { EMBEDDED_WORDS = 16 };

/* `end` points at a NUL that is not part of the file. */
struct embedded {
	const char *name, *p, *end;
};

/* All files of this program, sorted by name; the last has a NULL name.  embed.sh generates them. */
extern const struct embedded embedded_files[];

/* The file called `name`, or NULL. */
const struct embedded *embedded_find(const char *name);

/* Its text, NUL-terminated, or NULL. */
const char *embedded_contents(const char *name);

/*
 * Call `row` with the words of each line of a table, which are allocated in the arena; it returns
 * NULL, or what is wrong with them.  A word that begins with # starts a comment.  0, or -1 with
 * INTERNAL, naming the line.
 */
int embedded_each_row(const char *name, struct arena *,
    const char *(*row)(void *, char **word, int n), void *arg, struct err *);
#endif
