#ifndef PROTO_PATTERN_PATTERN_LITERAL_H
#define PROTO_PATTERN_PATTERN_LITERAL_H
/* What a match must contain or begin with, to skip most of a text quickly. */

#include <stdbool.h>
#include <stddef.h>

#include "proto/pattern/pattern_tree.h"

enum { LITERAL_MAX = 32, BYTE_VALUES = 256, FOLDED = 0x20 };

/*
 * Bytes that stand somewhere in every match.  n = 0: none are known.  Where `fold` is FOLDED, the
 * byte is a lower-case ASCII letter and the upper-case one fits, too; elsewhere it is 0.
 */
struct literal {
	char bytes[LITERAL_MAX], fold[LITERAL_MAX];
	size_t n;
	size_t rarest; /* index of the byte that is the rarest in source code */
	bool begins; /* every match begins with them */
	bool whole; /* every match is them */
};

void literal_find(struct literal *, const struct node *, bool within_lines);

/* The first place of the literal in the text, or NULL. */
const char *literal_search(const struct literal *, const char *text, size_t n);

/* The bytes with which a match may begin. */
struct first_bytes {
	bool known; /* else a match may begin with any byte, or be empty */
	bool has[BYTE_VALUES];
	size_t n;
	unsigned char only; /* if n is 1 */
};

void first_bytes_find(struct first_bytes *, const struct node *);

/* The first such byte of the text, or its end. */
const char *first_bytes_search(const struct first_bytes *, const char *text, const char *end);
#endif
