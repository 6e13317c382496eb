#ifndef COORDINATOR_CONTRACTS_MATCHING_MATCH_PATH_H
#define COORDINATOR_CONTRACTS_MATCHING_MATCH_PATH_H
/*
 * Path templates, segment by segment: `{}` is a parameter or a hole, `{*}` a rest, alone or behind
 * the start of a segment.
 */

#include <stdbool.h>
#include <stddef.h>

struct arena;

/* text; {}; text around {}; with {*} */
enum path_segment_kind { SEG_LITERAL, SEG_PARAMETER, SEG_PATTERN, SEG_REST };

struct path_template {
	const char **seg;
	const enum path_segment_kind *kind;	/* of each */
	size_t n;
	const char *text;	/* all of them, as they are compared */
	size_t literals;	/* segments of fixed text alone */
	bool open;		/* ends in {*} */
	/*
	 * its first segment is a hole that may be a whole address; set by who knows that there is no
	 * other
	 */
	bool based;
};

/*
 * The segments of a template, in small letters; scheme and host, query, fragment, outer slashes
 * and what follows {*} are left out, and so are names of parameters.
 */
struct path_template path_split(const char *template, struct arena *);

/*
 * How far the ends of two templates may be apart: segments that a call has in front of the
 * route's, or the route of the call's.
 */
enum { STRIP_MAX = 3, EXTRA_MAX = 5 };

/* How a call's path fits that of a route; less is better but for `literals`. */
struct path_match {
	/* 0 exact, 1 after taking a prefix off the call's, 2 it is the end of the route's */
	int level;
	int shift;	/* segments that the call has more in front; negative: the route */
	bool rest;	/* through {*} */
	/*
	 * holes of the call that stand for fixed text of the route; the last segment is none, one in
	 * front may be
	 */
	int weak;
	int literals;	/* segments with the same text, or with text around a parameter */
};

/* Whether the two fit.  There is one way at most: both end together, or one of them is open. */
bool path_fit(
    const struct path_template *call, const struct path_template *route, struct path_match *);

/* Whether a call's path without its first `n` segments is that of a route, whatever these are. */
bool path_fit_after(const struct path_template *call, size_t n, const struct path_template *route,
    struct path_match *);

/*
 * Whether the first `n` segments may be in front of what a server sees: fixed text, behind an
 * address that is not known.  That a hole is a part of the address, though there is one, is a
 * guess.
 */
enum path_strip { STRIP_NO, STRIP_YES, STRIP_MAYBE };
enum path_strip path_strips(const struct path_template *, size_t n);

/*
 * How a segment of a call is one of a route: not; as a hole for its text; as its parameter; as its
 * text.
 */
enum segment_fit { FITS_NOT, FITS_WEAKLY, FITS_PARAMETER, FITS_TEXT };
enum segment_fit path_segment_fit(
    const char *call, enum path_segment_kind, const char *route, enum path_segment_kind);

/* Whether the template has no fixed text at all, but has segments. */
bool path_has_no_text(const struct path_template *);
#endif
