#ifndef COORDINATOR_SEARCH_SEARCH_H
#define COORDINATOR_SEARCH_SEARCH_H
/*
 * One search over any number of members, as if they were one: learn what statistics the question
 * needs (term_statistics.h), ask those that may hold a match for their best hits by these, fuse,
 * cut a page, fetch the texts of that page from those that own it.  What search_code, ask_code,
 * query and group_query have in common.
 */

#include "coordinator/calls/fanout.h"
#include "coordinator/members/term_statistics.h"
#include "coordinator/search/rank_fusion.h"
#include "proto/text/question.h"

struct federated_search {
	/* to be set */
	struct search_req req;		/* but for the limit and the statistics */
	struct member **members;
	size_t nmembers;
	enum fusion fusion;
	size_t limit;			/* hits in the page */
	const char *cursor;		/* of the page before, or NULL */
	double min_relevance;		/* leave out what is less relevant */
	const char *mode, *vector;	/* as the caller has them (query_embedding.h); NULL: did not say */
	bool texts;			/* fetch snippets */
	void (*then)(struct call *, struct federated_search *);

	/* the page */
	struct fused_hit *v;
	size_t n, from, total;
	struct snippet *snippets;	/* one per hit; empty text when it could not be had */
	const char *next_cursor;
	/* of the members that were asked, perhaps none; all but the first may be NULL */
	struct fanout *found, *more, *placed, *fetched;
	struct coverage *coverage;
	bool complete;
	const char *hint;		/* why nothing was found, where it is not for the words; or NULL */
	const char *no_vectors_reason;		/* why it was searched without vectors, or NULL */

	/* of search.c */
	size_t depth;			/* of each list of hits, over all members */
	struct member_hits *hits;		/* of each of `found` */
	struct fused_hit *all;		/* the ranking */
	struct page_items *items;		/* of search_page.c */
	/* the part of it that is placed: the page, and what is equal to its ends */
	size_t low, high;
	size_t text_bytes;		/* of a snippet that is for a model; else 0 */
	struct question ask;
	struct query_terms wanted;
	uint64_t *settled;		/* what each member serves for certain (members_known_generations) */
	void (*on_embedded)(struct call *, struct federated_search *);
	size_t skipped;			/* members that cannot hold a match */
	bool again;			/* members' indexes had moved: this is the second attempt */
};

/*
 * Run it; `then` fills the answer from it and ends the call.  When it cannot run at all the call
 * ends with its error.
 */
void search_run(struct call *, struct federated_search *);

/*
 * From `then`: fetch the snippets of the page again, with up to `bytes` each, for a model to read;
 * `then` is called anew.
 */
void search_refetch_snippets(struct call *, struct federated_search *, size_t bytes,
    void (*then)(struct call *, struct federated_search *));

/* INVALID_INPUT for an empty or huge query, or an unknown kind. */
int search_check(struct call *, const char *query, const t_strs *kinds);

/* Names of FUSE_LEXICAL | FUSE_SYMBOL | FUSE_VECTOR | FUSE_PATH. */
t_strs search_sources(int sources, struct arena *);
#endif
