#ifndef COORDINATOR_TOOLS_GREP_QUERY_H
#define COORDINATOR_TOOLS_GREP_QUERY_H
/*
 * What tool grep searches for: its pattern, or its query, of which each member gets the part that
 * is left once `repo:` is decided.
 */

#include <stdbool.h>
#include <stdint.h>

#include "coordinator/calls/call.h"

struct member;
struct pattern;
struct resolved_repos;
struct search_query;

/*
 * A query, also of a pattern, and the patterns of its atoms by number; NULL for those that have
 * none.
 */
struct grep_patterns {
	const struct search_query *query;
	struct pattern **v;
};

/*
 * Check pattern or query as a shard would.  0, or -1 with INVALID_INPUT; call grep_query_free in
 * any case.
 */
int grep_query_read(struct call *, const struct grep_in *, struct grep_patterns *out);
void grep_query_free(struct grep_patterns *);

/*
 * Whether no text of a member can match, at the generation that it serves for certain
 * (term_statistics.h).
 */
bool grep_query_rules_out(
    struct call *, const struct grep_patterns *, const struct member *, uint64_t generation);

/* 0, or -1 with INVALID_INPUT if no file of the members is in a language that the query names. */
int grep_query_check_languages(
    struct call *, const struct search_query *, const struct resolved_repos *);

/* The query for one member, or NULL if none of its files can match. */
const char *grep_query_for(struct call *, const struct search_query *, const struct member *);
#endif
