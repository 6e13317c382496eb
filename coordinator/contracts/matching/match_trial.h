#ifndef COORDINATOR_CONTRACTS_MATCHING_MATCH_TRIAL_H
#define COORDINATOR_CONTRACTS_MATCHING_MATCH_TRIAL_H
/* For explanations: what becomes of single calls, as they are and as they might be. */

#include "coordinator/contracts/matching/match_internal.h"

struct match_trials;

/* Indexes what the members provide.  Lives in the arena; free with match_trials_free. */
struct match_trials *match_trials_new(const struct match_member *, size_t n, struct arena *);
void match_trials_free(struct match_trials *); /* NULL is fine */

/* The members, ordered by repo_uri, and what they provide. */
const struct match_context *match_trials_context(const struct match_trials *);

/* The position of a member there; SIZE_MAX if there is none. */
size_t match_trials_find(const struct match_trials *, const char *repo_uri);

/* Match the calls of one member as match() does.  Free the rows with match_result_free. */
void match_trials_calls(struct match_trials *, size_t member, struct match_result *out);

/*
 * Match one call of a member: `now`, in the place of its fact `was`, or in addition to all facts if
 * that is NULL.  The rows are borrowed until the next trial.
 */
const struct match_result *match_trial(
    struct match_trials *, size_t member, const struct fact *was, const struct fact *now);
#endif
