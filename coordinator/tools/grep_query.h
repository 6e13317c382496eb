#ifndef COORDINATOR_TOOLS_GREP_QUERY_H
#define COORDINATOR_TOOLS_GREP_QUERY_H
/* What tool grep searches for: its pattern, or its query, of which each member gets the part that is left once `repo:` is decided. */

#include "coordinator/calls/call.h"

struct member;
struct resolved_repos;
struct search_query;

/*
 * Check pattern or query as a shard would.  0 with the query, NULL for a pattern; -1 with INVALID_INPUT.
 */
int grep_query_read(struct call *, const struct grep_in *, const struct search_query **out);

/* 0, or -1 with INVALID_INPUT if no file of the members is in a language that the query names. */
int grep_query_check_languages(
    struct call *, const struct search_query *, const struct resolved_repos *);

/* The query for one member, or NULL if none of its files can match. */
const char *grep_query_for(struct call *, const struct search_query *, const struct member *);
#endif
