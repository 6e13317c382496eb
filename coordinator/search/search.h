#ifndef COORDINATOR_SEARCH_SEARCH_H
#define COORDINATOR_SEARCH_SEARCH_H
/*
 * One search over any number of members, as if they were one index: collect the statistics that the
 * question needs (term_statistics.h), ask the members that may have a match for their best hits,
 * fuse these, cut a page, and fetch the texts of the page from the members that own them.  Shared
 * by search_code, ask_code, query, group_query and scope_query.
 */

#include "coordinator/calls/fanout.h"
#include "coordinator/members/term_statistics.h"
#include "coordinator/search/rank_fusion.h"
#include "proto/text/question.h"

struct federated_search {
	/* set by the caller */
	struct search_req req;		/* without limit and statistics */
	struct member **members;
	size_t nmembers;
	enum fusion fusion;
	size_t limit;			/* hits in a page */
	const char *cursor;		/* from the previous page, or NULL */
	double min_relevance;		/* drop less relevant hits */
	const char *mode, *vector;	/* as given (query_embedding.h), or NULL */
	bool texts;			/* fetch snippets */
	void (*then)(struct call *, struct federated_search *);

	/* the page */
	struct fused_hit *v;
	size_t n, from, total;		/* of the page; its place in all; all */
	size_t matches;			/* of all, the first: the others only resemble the question */
	size_t too_low;			/* hits below min_relevance */
	struct snippet *snippets;	/* one for each hit; empty if it could not be fetched */
	const char *next_cursor;
	/* replies of the members that were asked; all but `found` may be NULL */
	struct fanout *found, *more, *placed, *fetched;
	struct coverage *coverage;
	bool complete;
	const char *hint;		/* why nothing was found, or what may be missing; or NULL */
	const char *no_vectors_reason;	/* why vectors were not searched, or NULL */
	const char *some_without_vectors;	/* why those of a member were not; or NULL */

	/* private to search.c and search_page.c */
	size_t depth;			/* length of each list of hits, over all members */
	struct member_hits *hits;	/* of each reply in `found` */
	struct fused_hit *all;		/* the ranking */
	struct page_items *items;
	size_t low, high;		/* part of the ranking whose places are known */
	size_t text_bytes;		/* length of snippets for a language model, else 0 */
	struct question ask;
	struct query_terms wanted;
	uint64_t *settled;		/* generation that each member certainly serves, else 0 */
	void (*on_embedded)(struct call *, struct federated_search *);
	size_t skipped;			/* members that cannot have a match */
	bool again;			/* an index has changed meanwhile: this is the second attempt */
};

/*
 * Run the search.  `then` fills the answer from it and ends the call.  If the search cannot run,
 * the call ends with the error instead.
 */
void search_run(struct call *, struct federated_search *);

/*
 * Called from `then`: fetch the snippets of the page again with up to `bytes` each, for a language
 * model, and call the new `then`.
 */
void search_refetch_snippets(struct call *, struct federated_search *, size_t bytes,
    void (*then)(struct call *, struct federated_search *));

/* 0, or -1 with INVALID_INPUT for an empty or too long query, or an unknown kind. */
int search_check(struct call *, const char *query, const t_strs *kinds);

/* How many hits of the page, the first ones, match the question; the others only resemble it. */
size_t search_page_matches(const struct federated_search *);

/* Names of FUSE_LEXICAL | FUSE_SYMBOL | FUSE_VECTOR | FUSE_PATH. */
t_strs search_sources(int sources, struct arena *);
#endif
