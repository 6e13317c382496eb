#ifndef COORDINATOR_SEARCH_RANK_FUSION_H
#define COORDINATOR_SEARCH_RANK_FUSION_H
/*
 * Merges the hits of many members into one ranking.  Pure and deterministic: it depends on the hits
 * alone, not on the order or the names of the members, except that ties are ordered by path, line,
 * blob and repo_uri.  The places of hits need not be known (light_hit.h); fuse_order_ties orders
 * ties once they are.
 *
 * Members score by common statistics (term_statistics.h), so their hits form one list by words and
 * one by names, the same as one index of everything would give: each is ordered over all members,
 * then cut.  The same holds for the cosines of their vectors.
 *
 * Scores of lists are brought to one scale by divisors that do not depend on who answered
 * (FUSE_WEIGHTED), so that a member that dies does not reorder the hits of others.
 */

#include <stdbool.h>
#include <stddef.h>

#include "proto/record/record.h"

struct arena;

enum fusion { FUSE_WEIGHTED, FUSE_RRF, FUSE_PER_REPO };	/* the first is the default */
enum { FUSE_LEXICAL = 1, FUSE_SYMBOL = 2, FUSE_VECTOR = 4, FUSE_PATH = 8 };

/* The hits of one member. */
struct member_hits {
	const char *repo_uri;
	struct hit *v;
	size_t n;
	/* the maximum lexical score for the question's words; 0 = unknown, or not searched by words */
	double max_lexical;
	bool vectors_complete;	/* each of its documents has a vector */
};

/* A copy of a fused document in another place. */
struct hit_copy {
	size_t member;		/* index of its struct member_hits */
	struct hit *hit;
};

struct fused_hit {
	size_t member;		/* index of its struct member_hits */
	struct hit *hit;
	double lexical;		/* breaks ties between equal scores */
	size_t rank;		/* from 0; fuse_order_ties does not update it */
	double score;		/* fused, higher is better */
	double relevance;	/* 0 to 1: its strongest evidence, but at least that of the hits below */
	double cosine;		/* the best of its copies; 0 = none */
	bool similar;		/* it only resembles the question: similar_hits.h */
	int sources;		/* FUSE_LEXICAL | FUSE_SYMBOL | FUSE_VECTOR | FUSE_PATH */
	struct hit_copy *also;	/* the same text in other places, ordered by path */
	size_t nalso;
};

/*
 * Rank the first `depth` texts of each list, best first.  Returns `*n` documents in the arena;
 * copies of a text are one document.
 */
struct fused_hit *fuse(const struct member_hits *, size_t members, enum fusion, size_t depth,
    struct arena *, size_t *n);

/* Extend the range [*from, *to) by the hits that are tied with its first or its last one. */
void fuse_tie_range(const struct fused_hit *v, size_t total, size_t *from, size_t *to);

/*
 * Order ties by place, once the places of a range of hits are known (with fuse_tie_range).  Copies
 * without a path are dropped, and so are texts without any other copy; the first copy is shown.
 * Returns how many hits remain.
 */
size_t fuse_order_ties(const struct member_hits *, struct fused_hit *v, size_t n);

/*
 * What to ask a member for again: from each list (words, name, meaning, path) the hits with at
 * least this score; SEARCH_NOT for none.
 */
enum { FUSE_LISTS = 4 };
struct refetch_request {
	bool again;
	double least[FUSE_LISTS];
};

/*
 * Whether the first `asked` hits of each member are enough to know the first `depth` texts of each
 * list.  If not, `more` (one for each member, zeroed) is set for the members that may have more.
 */
bool fuse_is_complete(const struct member_hits *, size_t members, size_t asked, size_t depth,
    struct arena *, struct refetch_request *more);
#endif
