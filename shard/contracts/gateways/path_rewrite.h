#ifndef SHARD_CONTRACTS_GATEWAYS_PATH_REWRITE_H
#define SHARD_CONTRACTS_GATEWAYS_PATH_REWRITE_H
/*
 * What a gateway does to a path: a public template, `{}` for a segment and `{*}` for a rest, and what its target sees, where
 * `{1}` is what the first `{}` took and `{*}` the rest.  `/api/{*}` takes `/api`, too; `/api{*}` whatever begins so.
 */

#include <stdbool.h>
#include <stddef.h>

struct arena;

enum { FORWARDS = 16, PATTERN_GROUPS = 10 };

struct forward {
	const char *path, *to;
};

/* What one rule of a gateway says, the more special first. */
struct forwards {
	struct forward v[FORWARDS];
	size_t n;
};

/* How a pattern of paths is written. */
enum forward_style {
	FORWARD_EXACT,		/* the very path */
	FORWARD_TEXT,		/* a beginning, of any text: nginx, Envoy */
	FORWARD_BELOW,		/* a beginning, of whole segments: Ingress */
	FORWARD_ANT,		/* star for a segment, two for a rest, {name}: Spring */
	FORWARD_REGEX,
};

/* Add the templates of a pattern, the path unchanged; false: it cannot be understood. */
bool forward_add(struct forwards *, enum forward_style, const char *pattern, struct arena *);

/* Leave out the first `n` segments of what the target sees; a beginning, where it is one; put one in front; replace all. */
void forward_strip(struct forwards *, size_t n, struct arena *);
void forward_cut(struct forwards *, const char *prefix, struct arena *);
void forward_prefix(struct forwards *, const char *prefix, struct arena *);
void forward_set(struct forwards *, const char *path, struct arena *);

/* Put `with` in place of the text in front of the rest (of all, where there is none). */
void forward_begin(struct forwards *, const char *with, struct arena *);

/*
 * Put `with`, that may name groups ($1 ${name} \1), in place of what the expression matches from the beginning on; `whole`: and
 * of what is behind it.
 */
void forward_replace(struct forwards *, const char *regex, const char *with, bool whole, struct arena *);

/* The target's template; NULL: the path as it is. */
const char *forward_to(const struct forward *, struct arena *);
#endif
