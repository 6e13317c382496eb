#ifndef SHARD_CONTRACTS_GATEWAYS_PATH_REWRITE_H
#define SHARD_CONTRACTS_GATEWAYS_PATH_REWRITE_H
/*
 * What a gateway does to a path: a public template, `{}` for a segment and `{*}` for a rest, and
 * what its target sees, where `{1}` is what the first `{}` took and `{*}` the rest.  `/api/{*}`
 * takes `/api`, too; `/api{*}` whatever begins so.
 */

#include <stdbool.h>
#include <stddef.h>

struct arena;

enum { MAX_PATH_REWRITES = 16, PATTERN_GROUPS = 10 };

struct path_rewrite {
	const char *path, *to;
};

/* What one rule of a gateway says, the more special first. */
struct path_rewrites {
	struct path_rewrite v[MAX_PATH_REWRITES];
	size_t n;
};

/* How a pattern of paths is written. */
enum path_rewrite_style {
	PATH_REWRITE_EXACT,		/* the very path */
	PATH_REWRITE_TEXT_PREFIX,		/* a beginning, of any text: nginx, Envoy */
	PATH_REWRITE_SEGMENT_PREFIX,		/* a beginning, of whole segments: Ingress */
	PATH_REWRITE_ANT,		/* star for a segment, two for a rest, {name}: Spring */
	PATH_REWRITE_REGEX,
};

/* Add the templates of a pattern, the path unchanged; false: it cannot be understood. */
bool path_rewrite_add(
    struct path_rewrites *, enum path_rewrite_style, const char *pattern, struct arena *);

/*
 * Leave out the first `n` segments of what the target sees; a beginning, where it is one; put one
 * in front; replace all.
 */
void path_rewrite_strip_segments(struct path_rewrites *, size_t n, struct arena *);
void path_rewrite_strip_prefix(struct path_rewrites *, const char *prefix, struct arena *);
void path_rewrite_add_prefix(struct path_rewrites *, const char *prefix, struct arena *);
void path_rewrite_set(struct path_rewrites *, const char *path, struct arena *);

/* Put `with` in place of the text in front of the rest (of all, where there is none). */
void path_rewrite_replace_prefix(struct path_rewrites *, const char *with, struct arena *);

/*
 * Put `with`, that may name groups ($1 ${name} \1), in place of what the expression matches from
 * the beginning on; `whole`: and of what is behind it.
 */
void path_rewrite_replace_regex(
    struct path_rewrites *, const char *regex, const char *with, bool whole, struct arena *);

/* The target's template; NULL: the path as it is. */
const char *path_rewrite_target(const struct path_rewrite *, struct arena *);
#endif
