#ifndef SHARD_SYNTAX_MACRO_TOKENS_H
#define SHARD_SYNTAX_MACRO_TOKENS_H
/* The tokens of Rust's macros, for macro_expansion. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct macro_token {
	const char *s;
	uint32_t n;
	uint32_t row;	/* from 0 */
	uint32_t skip;	/* of an opening bracket: how far the closing one is; else 0 */
	bool space;	/* there is white space before it */
};

/* Tokens in a row, somewhere in a list. */
struct macro_slice {
	const struct macro_token *v;
	size_t n;
};

struct macro_tokens {
	struct macro_token *v;	/* from grow(): the owner frees it */
	size_t n, cap;
};

/* Append the tokens of a text, without comments.  False: brackets do not match. */
bool macro_tokens_read(const char *text, size_t n, struct macro_tokens *out);

/* Set the distances of brackets again after tokens were moved.  False: they do not match. */
bool macro_tokens_link(struct macro_tokens *);

void macro_tokens_add(struct macro_tokens *, const struct macro_token *);

bool macro_token_is(const struct macro_token *, const char *text);
bool macro_token_is_word(const struct macro_token *);

/* What is inside the bracket at `i` of the slice. */
struct macro_slice macro_group(struct macro_slice, size_t i);

/* The slice from `i` on. */
struct macro_slice macro_rest(struct macro_slice, size_t i);
#endif
