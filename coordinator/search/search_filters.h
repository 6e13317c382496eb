#ifndef COORDINATOR_SEARCH_SEARCH_FILTERS_H
#define COORDINATOR_SEARCH_SEARCH_FILTERS_H
/* What keeps hits out of a search: checked, so that a typing error is not an empty answer. */

#include <stddef.h>

#include "coordinator/calls/call.h"

struct arena;
struct fanout;
struct member;

/*
 * INVALID_INPUT naming the value and those that there are, when no file of these members is in a
 * language.
 */
int filter_languages(struct call *, struct member **, size_t n, const t_strs *languages);

/* A path prefix as paths begin: without `./` and `/`; NULL when nothing is left of it. */
const char *filter_prefix(const char *typed);

/*
 * Of an answer without hits: that none of these members has a file that begins so; NULL when that
 * is not why, or not known.
 */
const char *filter_hint(const struct fanout *, const char *prefix, struct arena *);

/* INVALID_INPUT for a score that no hit can have. */
int filter_score(struct call *, double min);
#endif
