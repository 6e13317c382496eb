#ifndef SHARD_CONTRACTS_GATEWAYS_REGEX_TEMPLATE_H
#define SHARD_CONTRACTS_GATEWAYS_REGEX_TEMPLATE_H
/*
 * Regular expressions of gateways, as far as they are templates of paths.  They are not executed;
 * only their captures are computed.
 */

#include <stdbool.h>
#include <stddef.h>

#include "shard/contracts/gateways/path_rewrite.h"

/*
 * One alternative.  `text` and groups: literal text with `{1}`, `{2}` for wildcard segments and
 * `{*}`, at the end, for the rest.
 */
struct regex_template {
	const char *text;
	/* [0]: the whole match; NULL if there is none */
	const char *group[PATTERN_GROUPS], *name[PATTERN_GROUPS];
	const char *tail;	/* the end of the text that the expression does not match; NULL if none */
};

/* Read the alternatives, `max` at most, into `out`; how many.  0: it cannot be understood. */
size_t regex_template_read(
    const char *regex, struct regex_template *out, size_t max, struct arena *);

/* A replacement with the values of its groups. */
const char *regex_template_expand(const struct regex_template *, const char *with, struct arena *);

/* The text with `{}` in place of `{1}`, `{2}` and so on. */
const char *regex_template_plain(const char *text, struct arena *);
#endif
