#ifndef PROTO_QUERY_QUERY_PARSE_INTERNAL_H
#define PROTO_QUERY_QUERY_PARSE_INTERNAL_H
/* What the files of this module share. */

#include <stdbool.h>
#include <stddef.h>

#include "proto/query/search_query.h"

struct arena;
struct err;

struct query_parser {
	const char *text;
	size_t at;
	unsigned depth;
	bool negated; /* a `not` stands around */
	bool has_case; /* case: was given */
	struct search_query *query;
	struct arena *a;
	struct err *e;
};

/* Report what is wrong at a byte of the query.  Always false. */
bool query_error(struct query_parser *, size_t at, const char *what, ...)
    __attribute__((format(printf, 3, 4)));

/* The characters before a byte, and one. */
size_t query_column(const char *text, size_t at);

/* Whether a byte separates words. */
bool query_is_space(char c);

/*
 * Read the text or filter at the current place.  `*out` is NULL behind an option.  False with an
 * error.
 */
bool query_parse_atom(struct query_parser *, const struct query_node **out);

/* Parts joined, in the form that search_query.h describes.  NULL for no parts. */
const struct query_node *query_join(
    enum query_kind, const struct query_node **parts, size_t n, struct arena *);
const struct query_node *query_not(const struct query_node *, struct arena *);
#endif
