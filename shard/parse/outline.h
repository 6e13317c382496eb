#ifndef SHARD_PARSE_OUTLINE_H
#define SHARD_PARSE_OUTLINE_H
/*
 * The definitions of texts that are not in the index.  The serving process never parses: a child
 * of the same program does (--outline), with limits of memory and time, and ends.
 */

#include <stddef.h>

struct arena;
struct err;
struct facts;

struct outline_text {
	const char *path;	/* decides the language */
	const char *p;
	size_t n;
	/* the answer, in the arena; NULL: no language, or it was not looked at */
	struct facts *facts;
};

/*
 * Parse them all, in a sandbox as --sandbox says (sandbox.h).  -1 with `e` (UNAVAILABLE) when the
 * child died or the time was up: then those that are missing stay NULL.
 */
int outline_parse(struct outline_text *, size_t n, const char *sandbox, int timeout_ms,
    struct arena *, struct err *);

/* Be the child: texts on standard input, facts on standard output.  The exit status. */
int outline_child_main(const char *sandbox, struct err *);
#endif
