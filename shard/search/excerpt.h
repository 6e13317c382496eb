#ifndef SHARD_SEARCH_EXCERPT_H
#define SHARD_SEARCH_EXCERPT_H
/* Chooses the lines of a long text that tell most about a question. */

#include <stddef.h>

#include "proto/text/tokens.h"

struct arena;

/* The lines of `text` to choose from, and the size of the excerpt. */
struct excerpt_request {
	const char *text;
	size_t n;
	size_t from, to;	/* 1-based, inclusive; beyond the text is fine */
	size_t max;		/* bytes, at least EXCERPT_MIN */
	size_t before;		/* maximum bytes before the best lines */
	size_t line;		/* the best line, if it is in the range; 0 = unknown */
	const char *phrase;	/* shown as it is written, rather than other lines; or NULL */
	const char *name;	/* its first line is shown unless better lines have it too; or NULL */
};

/*
 * Complete lines with their line ends, exactly lines `from` to `to` of the file. Only a line of
 * more than EXCERPT_LINE bytes is cut, around the phrase or its first term, and "…" marks the cuts.
 */
struct excerpt {
	const char *text;	/* valid UTF-8; "" if there is no such line */
	size_t from, to;
};

enum { EXCERPT_LINE = 400, EXCERPT_MIN = 40 };

/*
 * The best excerpt for the terms `t`, in which `begins*` matches any word with that prefix. If the
 * text fits, all of it; if no term is in it, its beginning. Terms beyond the 64th are ignored.
 */
struct excerpt excerpt_choose(
    const struct excerpt_request *, const struct terms *t, struct arena *);
#endif
