#ifndef SHARD_CONTRACTS_GATEWAYS_REGEX_TEMPLATE_H
#define SHARD_CONTRACTS_GATEWAYS_REGEX_TEMPLATE_H
/*
 * Regular expressions of gateways, as far as they are templates of paths: no engine, but what they
 * would capture is known.
 */

#include <stdbool.h>
#include <stddef.h>

#include "shard/contracts/gateways/path_rewrite.h"

/*
 * One alternative.  `text` and groups: fixed text with `{1}`, `{2}` for wild segments and `{*}`,
 * at the end, for a rest.
 */
struct regex_template {
	const char *text;
	/* [0]: all of it; NULL: there is none */
	const char *group[PATTERN_GROUPS], *name[PATTERN_GROUPS];
	const char *tail;	/* what of the text is behind the expression, not in it; NULL: nothing */
};

/* The alternatives, `max` at most; 0: it cannot be understood. */
size_t regex_template_read(
    const char *regex, struct regex_template *out, size_t max, struct arena *);

/* A replacement with the groups in it. */
const char *regex_template_expand(const struct regex_template *, const char *with, struct arena *);

/* `{1}` and so on as `{}`. */
const char *regex_template_plain(const char *text, struct arena *);
#endif
