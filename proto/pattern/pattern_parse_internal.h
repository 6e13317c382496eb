#ifndef PROTO_PATTERN_PATTERN_PARSE_INTERNAL_H
#define PROTO_PATTERN_PATTERN_PARSE_INTERNAL_H
/* What the files of the parser share. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/pattern/pattern_tree.h"

enum { NO_CHARACTER = UINT32_MAX };

/* What (?i) and the like switch. */
struct flags {
	bool ignore_case, dot_all, multi_line, swap_greed, extended;
};

struct parser {
	const char *text;
	size_t n, at;
	bool fixed, within_lines;
	struct flags flags;
	unsigned depth; /* of groups and classes around */
	struct arena *a;
	struct err *e;
};

/* Report what is wrong at a byte of the pattern.  Always false. */
bool parse_error(struct parser *, size_t at, const char *what, ...)
    __attribute__((format(printf, 3, 4)));

/* The character at the current place, or NO_CHARACTER at the end. */
uint32_t peek(const struct parser *);

/* Whether the rest begins so. */
bool looking_at(const struct parser *, const char *s);

/* Go behind the character, or behind `s` if the rest begins so. */
void next_character(struct parser *);
bool skip(struct parser *, const char *s);

/* With flag x, go behind white space and comments. */
void skip_space(struct parser *);

bool enter(struct parser *); /* one level deeper; false with an error if that is too deep */

/* An escape stands for a character, a set, or a place. */
struct escape {
	enum { ESCAPE_CHARACTER, ESCAPE_SET, ESCAPE_PLACE } kind;
	uint32_t c;
	const struct charset *set;
	enum place place;
};

/* Read the escape at a backslash. */
bool parse_escape(struct parser *, struct escape *);

/* Read the class at a `[`.  NULL with an error. */
const struct charset *parse_class(struct parser *);
#endif
