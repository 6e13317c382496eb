#ifndef SHARD_PARSE_OUTLINE_H
#define SHARD_PARSE_OUTLINE_H
/*
 * Finds the definitions of texts that are not in the index.  The serving process never parses.  A
 * child process of the same program (--outline) does, with limits of memory and time.
 */

#include <stddef.h>

struct arena;
struct err;
struct facts;

struct outline_text {
	const char *path;	/* decides the language */
	const char *p;
	size_t n;
	/* the result, in the arena; NULL if it has no language, or was not parsed */
	struct facts *facts;
};

/*
 * Parse all texts in a sandbox with the mode of --sandbox (sandbox.h).  -1 with `e` (UNAVAILABLE)
 * if the child died or the time was up; then the missing results stay NULL.
 */
int outline_parse(struct outline_text *, size_t n, const char *sandbox, int timeout_ms,
    struct arena *, struct err *);

/* Run as the child: texts on standard input, facts on standard output.  Returns the exit status. */
int outline_child_main(const char *sandbox, struct err *);
#endif
