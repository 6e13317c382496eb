#ifndef COORDINATOR_SEARCH_QUERY_EMBEDDING_H
#define COORDINATOR_SEARCH_QUERY_EMBEDDING_H
/* The vector of a question: from the coordinator's own embedder, once for all members, or from the caller. */

struct call;
struct coverage;
struct search;

/*
 * What s->mode and s->vector ask for into s->req: mode, vector, embedder.  Without a mode it is hybrid when there is an embedder.
 * INVALID_INPUT for a vector that does not fit, or a mode that nothing here can serve.
 */
int meaning_read(struct call *, struct search *);

/*
 * Embed the question when that is wanted, then go on; on another thread when it takes long.  An embedder that fails leaves the
 * search to words (s->without says why), but for mode vector, which ends the call with its error.
 */
void meaning_find(struct call *, struct search *, void (*then)(struct call *, struct search *));

/*
 * What the members have answered.  0, or -1 with EMBEDDER_MISMATCH when by meaning alone none of them could: then an empty list would
 * say that there is nothing.
 */
int meaning_check(struct call *, const struct search *);

/* Name in `coverage` the members whose vectors were not, or not all, asked. */
void meaning_cover(struct call *, const struct search *, struct coverage *);
#endif
