#ifndef COORDINATOR_SEARCH_SEARCH_FILTERS_H
#define COORDINATOR_SEARCH_SEARCH_FILTERS_H
/* Filters of a search, checked so that a typing error does not look like an empty answer. */

#include <stddef.h>

#include "coordinator/calls/call.h"

struct arena;
struct fanout;
struct member;

/*
 * 0, or -1 with INVALID_INPUT if no file of these members is in one of the languages; it names the
 * languages that there are.
 */
int filter_languages(struct call *, struct member **, size_t n, const t_strs *languages);

/* A path prefix without leading `./` and `/`; NULL if nothing is left. */
const char *filter_prefix(const char *typed);

/*
 * A hint for an answer without hits: no file of these members has the prefix.  NULL if that is not
 * the reason, or not known.
 */
const char *filter_hint(const struct fanout *, const char *prefix, struct arena *);

/* 0, or -1 with INVALID_INPUT for a score that no hit can have. */
int filter_score(struct call *, double min);
#endif
