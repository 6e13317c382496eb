#ifndef COORDINATOR_SEARCH_QUERY_EMBEDDING_H
#define COORDINATOR_SEARCH_QUERY_EMBEDDING_H
/*
 * The vector of a question: made once for all members by the coordinator's own embedder, or given
 * by the caller.
 */

struct call;
struct coverage;
struct federated_search;

/*
 * Set the mode, vector and embedder of s->req from s->mode and s->vector.  The default mode is
 * hybrid if there is an embedder, else lexical.  0, or -1 with INVALID_INPUT for a vector that does
 * not fit or a mode that needs a missing embedder.
 */
int query_embedding_read(struct call *, struct federated_search *);

/*
 * Embed the question if the mode needs it, then call `then`; on another thread if the embedder is
 * remote.  If the embedder fails, the search continues by words alone (s->no_vectors_reason), but
 * in mode vector the call ends with the error.
 */
void query_embedding_compute(struct call *, struct federated_search *,
    void (*then)(struct call *, struct federated_search *));

/*
 * In mode vector, make members without fitting vectors failures (EMBEDDER_MISMATCH; NO_INDEX: they
 * are missing), because an empty list would mean that nothing was found.  0, or -1 with that error
 * if no member is left.  Call it before fanout_coverage.
 */
int query_embedding_check(struct call *, struct federated_search *);

/*
 * Name in the coverage the members whose vectors were not searched, or not all of them; the first
 * reason is also s->some_without_vectors.
 */
void query_embedding_coverage(struct call *, struct federated_search *, struct coverage *);
#endif
