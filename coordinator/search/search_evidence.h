#ifndef COORDINATOR_SEARCH_SEARCH_EVIDENCE_H
#define COORDINATOR_SEARCH_SEARCH_EVIDENCE_H
/* What the scope tools (search_code, ask_code) show of a search, in their documented shape. */

#include <stddef.h>

#include "coordinator/calls/call.h"

struct fanout_reply;
struct scope;
struct federated_search;

/*
 * A search of a scope, or else of a repository, with texts and without what is less relevant, to
 * be completed and run; NULL: the call has an error.
 */
struct federated_search *evidence_search(struct call *, const struct scope *, const char *repo,
    const char *repo_uri, const char *query, double min_score);

/*
 * The hits of the page with their texts; `repo` is (unknown) where the repository was removed
 * meanwhile.
 */
void evidence_list(struct call *, const struct federated_search *, struct evidence **v, size_t *n);

/* What was searched, as which scope that was asked for; NULL: one repository. */
struct scope_done *evidence_scope(
    struct call *, const struct federated_search *, const struct scope *);

/*
 * The data directories of what was searched, separated by commas; "…" for those that are too many
 * to list.
 */
const char *evidence_collection(struct call *, const struct federated_search *);

/* End of a tool that asked one repository, which failed: its failure is the call's.  Always -1. */
int evidence_fail(struct call *, const struct fanout_reply *);
#endif
