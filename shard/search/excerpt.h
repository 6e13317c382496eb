#ifndef SHARD_SEARCH_EXCERPT_H
#define SHARD_SEARCH_EXCERPT_H
/* Which lines of a long text say most about a question. */

#include <stddef.h>

#include "proto/text/tokens.h"

struct arena;

/* Lines of `text` among which to choose, and how much of them. */
struct excerpt_request {
	const char *text;
	size_t n;
	size_t from, to;	/* 1-based, inclusive; beyond the text is fine */
	size_t max;		/* bytes, at least EXCERPT_MIN */
	size_t before;		/* of these, at most so many in front of the best lines */
	size_t line;		/* where it is among them, this is the best one; 0: none is known */
};

/*
 * Whole lines, with their line ends, so that they are what the file has from line `from` to line
 * `to`; only a line that is longer than EXCERPT_LINE bytes is cut, around its first word that was
 * asked for, and "…" says where.
 */
struct excerpt {
	const char *text;	/* valid UTF-8; "": there is no such line */
	size_t from, to;
};

enum { EXCERPT_LINE = 400, EXCERPT_MIN = 40 };

/*
 * The best excerpt for `t`, in which `begins*` is any word that begins so; all of it when it fits,
 * its beginning when no term is in it.  Terms beyond 64 do not count.
 */
struct excerpt excerpt_choose(
    const struct excerpt_request *, const struct terms *t, struct arena *);
#endif
