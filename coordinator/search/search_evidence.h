#ifndef COORDINATOR_SEARCH_SEARCH_EVIDENCE_H
#define COORDINATOR_SEARCH_SEARCH_EVIDENCE_H
/* What the scope tools (search_code, ask_code) show of a search, in their documented shape. */

#include <stddef.h>

#include "coordinator/calls/call.h"

struct fanout_reply;
struct scope;
struct federated_search;

/*
 * Prepare a search over a scope, or over a repository without one, with texts and a minimum
 * relevance.  The caller completes and runs it.  NULL with the call's `e` set.
 */
struct federated_search *evidence_search(struct call *, const struct scope *, const char *repo,
    const char *repo_uri, const char *query, double min_score);

/*
 * All hits of the page with their texts, in the arena.  `repo` is "(unknown)" if the repository has
 * been removed meanwhile.
 */
struct evidence *evidence_list(struct call *, const struct federated_search *);

/* What was searched; `asked` is the requested scope, or NULL for a single repository. */
struct scope_done *evidence_scope(
    struct call *, const struct federated_search *, const struct scope *);

/* The data directories of what was searched, separated by commas; "…" if there are too many. */
const char *evidence_collection(struct call *, const struct federated_search *);

/* Make the failure of the only repository that was asked the failure of the call.  Returns -1. */
int evidence_fail(struct call *, const struct fanout_reply *);
#endif
