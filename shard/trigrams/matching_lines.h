#ifndef SHARD_TRIGRAMS_MATCHING_LINES_H
#define SHARD_TRIGRAMS_MATCHING_LINES_H
/* The lines of a text that a match touches, as ripgrep prints them. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pattern_matcher;

struct matching_lines {
	struct pattern_matcher *m;
	const char *text;
	size_t n;
	bool multiline;
	size_t from; /* where the next match may begin */
	size_t at, end; /* the line of the last match: its start and its end, without its newline */
	uint64_t line; /* its number */
	uint64_t told; /* the last line that was reported */
	size_t until; /* the end of the last match: lines before it belong to it */
	bool within; /* lines of it are left */
};

/*
 * The bytes of the byte order mark of a file, which is no part of its first line; 0: it has none.
 */
size_t text_mark(const char *text, size_t n);

/* The text is without a byte order mark.  Borrows it. */
void matching_lines_begin(
    struct matching_lines *, struct pattern_matcher *, const char *text, size_t n, bool multiline);

struct matching_line {
	uint64_t line; /* 1-based */
	const char *text; /* without its newline */
	size_t n;
	size_t match, length; /* of the first match in it, in bytes from its start */
};

/* 1: the next line; 0: there is none; -1: the matcher was stopped. */
int matching_lines_next(struct matching_lines *, struct matching_line *out);
#endif
