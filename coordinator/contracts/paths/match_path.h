#ifndef COORDINATOR_CONTRACTS_PATHS_MATCH_PATH_H
#define COORDINATOR_CONTRACTS_PATHS_MATCH_PATH_H
/*
 * Path templates, segment by segment.  `{}` is a parameter of a route or a hole (an unknown part)
 * of a call; `{*}` stands for the rest of the path and may follow the text of a segment.
 */

#include <stdbool.h>
#include <stddef.h>

struct arena;

/* text; {}; text with {} in it; a segment with {*} */
enum path_segment_kind { SEG_LITERAL, SEG_PARAMETER, SEG_PATTERN, SEG_REST };

struct path_template {
	const char **seg;
	const enum path_segment_kind *kind;	/* of each segment */
	size_t n;
	const char *text;	/* the normalized path */
	size_t literals;	/* number of segments of kind SEG_LITERAL */
	bool open;		/* ends in {*} */
	/* the first segment is a hole that may be the whole address; set if no host is known */
	bool based;
	bool formats;	/* of a route: what is served may have a format behind it, as in x.json */
	const struct path_template *bare;	/* of a call: without its format; NULL: it has none */
};

/*
 * The segments of a template in lower case, without scheme, host, query, fragment, outer slashes,
 * names of parameters, and whatever follows {*}.
 */
struct path_template path_split(const char *template, struct arena *);

/* A call's path without the format at its end, `.json` or the like; NULL: it has none. */
const struct path_template *path_without_format(const struct path_template *, struct arena *);

/*
 * The maximum number of leading segments that only the call has (STRIP_MAX), or only the route
 * (EXTRA_MAX).
 */
enum { STRIP_MAX = 3, EXTRA_MAX = 5 };

/* How a call's path fits that of a route; lower is better, except for `literals`. */
struct path_match {
	/* 0 exact, 1 after a prefix of the call's path is removed, 2 it is a suffix of the route's */
	int level;
	int shift;	/* leading segments that only the call has; negative: only the route */
	bool rest;	/* through {*} */
	int weak;	/* holes of the call that stand for text of the route; never the last segment */
	int literals;	/* segments with the same text, or with text around a parameter */
};

/* Whether the two fit.  They do so in one way only: both end together, or one of them is open. */
bool path_fit(
    const struct path_template *call, const struct path_template *route, struct path_match *);

/* Whether a call's path without its first `n` segments fits a route, whatever those are. */
bool path_fit_after(const struct path_template *call, size_t n, const struct path_template *route,
    struct path_match *);

/*
 * Whether a gateway may strip the first `n` segments before a server sees the path: they must be
 * fixed text, after a hole that is the unknown address.  If the address is known, taking the hole
 * for a part of it is a guess (STRIP_MAYBE).
 */
enum path_strip { STRIP_NO, STRIP_YES, STRIP_MAYBE };
enum path_strip path_strips(const struct path_template *, size_t n);

/*
 * How a segment of a call fits one of a route: not at all; a hole stands for the route's text; it
 * is the value of the route's parameter; it is the route's text.
 */
enum segment_fit { FITS_NOT, FITS_WEAKLY, FITS_PARAMETER, FITS_TEXT };
enum segment_fit path_segment_fit(
    const char *call, enum path_segment_kind, const char *route, enum path_segment_kind);

/* Whether the template has segments, but none with fixed text. */
bool path_has_no_text(const struct path_template *);

/* Whether a segment says nothing about what a path is about: `api`, `v1`, `rest`. */
bool path_is_common_word(const char *segment);

/* Whether nearly every server has the path, so that it does not tell which one is meant. */
bool path_is_everywhere(const struct path_template *);

/* What the texts of a call and a route, which fit as the match describes, tell. */
struct path_words {
	int telling; /* segments with the same text that are no common words */
	int taken; /* words of the call that parameters of the route take */
	int guessed; /* holes of the call that stand for words of the route that tell something */
	int removed; /* words of the call in front of the route that are not common */
};
struct path_words path_words(
    const struct path_template *call, const struct path_template *route, const struct path_match *);
#endif
