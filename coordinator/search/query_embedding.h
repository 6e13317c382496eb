#ifndef COORDINATOR_SEARCH_QUERY_EMBEDDING_H
#define COORDINATOR_SEARCH_QUERY_EMBEDDING_H
/*
 * The vector of a question: from the coordinator's own embedder, once for all members, or from the
 * caller.
 */

struct call;
struct coverage;
struct federated_search;

/*
 * What s->mode and s->vector ask for into s->req: mode, vector, embedder.  Without a mode it is
 * hybrid when there is an embedder. INVALID_INPUT for a vector that does not fit, or a mode that
 * nothing here can serve.
 */
int query_embedding_read(struct call *, struct federated_search *);

/*
 * Embed the question when that is wanted, then go on; on another thread when it takes long.  An
 * embedder that fails leaves the search to words (s->without says why), but for mode vector, which
 * ends the call with its error.
 */
void query_embedding_compute(struct call *, struct federated_search *,
    void (*then)(struct call *, struct federated_search *));

/*
 * What the members have answered.  0, or -1 with EMBEDDER_MISMATCH when by meaning alone none of
 * them could: then an empty list would say that there is nothing.
 */
int query_embedding_check(struct call *, const struct federated_search *);

/* Name in `coverage` the members whose vectors were not, or not all, asked. */
void query_embedding_coverage(struct call *, const struct federated_search *, struct coverage *);
#endif
