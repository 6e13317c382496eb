#ifndef SHARD_CONTRACTS_GATEWAYS_PATH_REWRITE_H
#define SHARD_CONTRACTS_GATEWAYS_PATH_REWRITE_H
/*
 * How a gateway changes a path: a public template, with `{}` for a segment and `{*}` for the rest,
 * and the path that its target sees, where `{1}` is what the first `{}` matched and `{*}` the rest.
 * `/api/{*}` also matches `/api`; `/api{*}` matches everything that begins so.
 */

#include <stdbool.h>
#include <stddef.h>

struct arena;

enum { MAX_PATH_REWRITES = 16, PATTERN_GROUPS = 10 };

struct path_rewrite {
	const char *path, *to;
};

/* The rewrites of one rule, the more specific first. */
struct path_rewrites {
	struct path_rewrite v[MAX_PATH_REWRITES];
	size_t n;
};

/* How a pattern of paths is written. */
enum path_rewrite_style {
	PATH_REWRITE_EXACT,		/* this path only */
	PATH_REWRITE_TEXT_PREFIX,	/* a prefix of any text: nginx, Envoy */
	PATH_REWRITE_SEGMENT_PREFIX,	/* a prefix of whole segments: Ingress */
	PATH_REWRITE_ANT,		/* * for a segment, ** for the rest, {name}: Spring */
	PATH_REWRITE_REGEX,
};

/* Add the templates of a pattern, the path unchanged; false: it cannot be understood. */
bool path_rewrite_add(
    struct path_rewrites *, enum path_rewrite_style, const char *pattern, struct arena *);

/*
 * Change what the target sees: remove the first `n` segments; remove a prefix, where it is one;
 * prepend a prefix; replace the whole path.
 */
void path_rewrite_strip_segments(struct path_rewrites *, size_t n, struct arena *);
void path_rewrite_strip_prefix(struct path_rewrites *, const char *prefix, struct arena *);
void path_rewrite_add_prefix(struct path_rewrites *, const char *prefix, struct arena *);
void path_rewrite_set(struct path_rewrites *, const char *path, struct arena *);

/* Replace the text before the rest (the whole path, if there is no rest) by `with`. */
void path_rewrite_replace_prefix(struct path_rewrites *, const char *with, struct arena *);

/*
 * Replace what the expression matches at the beginning by `with`, which may name groups ($1 ${name}
 * \1); `whole`: also what follows the match.
 */
void path_rewrite_replace_regex(
    struct path_rewrites *, const char *regex, const char *with, bool whole, struct arena *);

/* The target's template; NULL if the path is unchanged. */
const char *path_rewrite_target(const struct path_rewrite *, struct arena *);
#endif
