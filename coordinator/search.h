#ifndef COORDINATOR_SEARCH_H
#define COORDINATOR_SEARCH_H
/*
 * One search over any number of members: ask all for their best hits, fuse, cut a page, fetch the texts of that page
 * from those that own it.  What search_code, ask_code, query and group_query have in common.
 */

#include "coordinator/fanout.h"
#include "coordinator/fuse.h"

struct search {
	/* to be set */
	struct search_req req;		/* but for the limit */
	struct member **members;
	size_t nmembers;
	enum fusion fusion;
	size_t limit;			/* hits in the page */
	const char *cursor;		/* of the page before, or NULL */
	double min_relevance;		/* leave out what is less relevant */
	bool texts;			/* fetch snippets */
	void (*then)(struct call *, struct search *);

	/* the page */
	struct fused *v;
	size_t n, from, total;
	struct snippet *snippets;	/* one per hit; empty text when it could not be had */
	const char *next_cursor;
	struct fanout *found, *fetched;	/* fetched may be NULL */
	struct coverage *coverage;
	bool complete;
	size_t depth;			/* hits asked of each member */
};

/* Run it; `then` fills the answer from it and ends the call.  When it cannot run at all the call ends with its error. */
void search_run(struct call *, struct search *);

/* INVALID_INPUT for an empty or huge query, an unknown kind, or mode `vector`. */
int search_check(struct call *, const char *query, const char *mode, const t_strs *kinds);

/* Names of FUSE_LEXICAL | FUSE_SYMBOL. */
t_strs search_sources(int sources, struct arena *);
#endif
