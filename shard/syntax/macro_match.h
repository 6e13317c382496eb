#ifndef SHARD_SYNTAX_MACRO_MATCH_H
#define SHARD_SYNTAX_MACRO_MATCH_H
/* Matches the arguments of a macro with a pattern: `$name:expr, $($path:literal => $f:ident),*`. */

#include "shard/syntax/macro_tokens.h"

enum { MACRO_MAX_DEPTH = 4, MACRO_MAX_BINDINGS = 2000 };

/* What a variable of the pattern is; in repetitions, once for each. */
struct macro_binding {
	struct macro_token name;
	uint32_t repetition[MACRO_MAX_DEPTH];
	int depth;
	struct macro_slice value;
};

struct macro_bindings {
	struct macro_binding *v;	/* from grow(): the owner frees it */
	size_t n, cap;
};

/* Whether the pattern matches all of the input; adds what its variables are. */
bool macro_match(struct macro_slice pattern, struct macro_slice input, struct macro_bindings *out);

/*
 * The repetition `$(...) separator *` at `i` of a pattern or a body: what is inside, its separator
 * (NULL: none) and its sign.  Returns where it ends; 0: it is none.
 */
struct macro_repetition {
	struct macro_slice inside;
	const struct macro_token *separator;
	char sign;
};
size_t macro_repetition_at(struct macro_slice, size_t i, struct macro_repetition *out);
#endif
