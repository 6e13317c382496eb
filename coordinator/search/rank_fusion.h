#ifndef COORDINATOR_SEARCH_RANK_FUSION_H
#define COORDINATOR_SEARCH_RANK_FUSION_H
/*
 * Hits of many members into one ranking.  Pure and deterministic: depends on the hits alone, not
 * on the order of the members or on their names (but for ties between otherwise equal hits, which
 * go by path, line, blob, repo_uri).  Where a hit stands need not be known for that (light_hit.h):
 * fuse_order_ties brings ties in order when it is.
 *
 * Members score by common statistics (term_statistics.h), so their hits make one list by words and
 * one by names, the same that one index of everything would give: each ordered over all members,
 * then cut.  So do the cosines of their vectors.
 *
 * Scores of lists are brought to one scale by what does not depend on who answered
 * (FUSE_WEIGHTED), so that who dies moves no other.
 */

#include <stdbool.h>
#include <stddef.h>

#include "proto/record/record.h"

struct arena;

enum fusion { FUSE_WEIGHTED, FUSE_RRF, FUSE_PER_REPO };	/* the first is the default */
enum { FUSE_LEXICAL = 1, FUSE_SYMBOL = 2, FUSE_VECTOR = 4, FUSE_PATH = 8 };

/* What one member found. */
struct member_hits {
	const char *repo_uri;
	struct hit *v;
	size_t n;
	/*
	 * what the question's words could give a hit at most; 0: not known, or it was not asked by
	 * words
	 */
	double most;
};

/* A copy of a fused document somewhere else. */
struct hit_copy {
	size_t member;		/* index of its struct member_hits */
	struct hit *hit;
};

struct fused_hit {
	size_t member;		/* index of its struct member_hits */
	struct hit *hit;
	double lexical;		/* of equals that with more stands first */
	size_t rank;		/* from 0 on; among equals not as fuse_order_ties has it */
	double score;		/* fused, higher is better */
	double relevance;	/* cosine; where there is none lexical score over the best one; 0 to 1 */
	int sources;		/* FUSE_LEXICAL | FUSE_SYMBOL | FUSE_VECTOR | FUSE_PATH */
	struct hit_copy *also;	/* the same text in other places, by repo_uri and path */
	size_t nalso;
};

/*
 * The ranking of the first `depth` texts of each list, best first; `*n` documents in the arena.
 * Copies count once.
 */
struct fused_hit *fuse(const struct member_hits *, size_t members, enum fusion, size_t depth,
    struct arena *, size_t *n);

/*
 * Equals stand together: the texts from *from up to *to and those that are equal to the first or
 * the last of them.
 */
void fuse_tie_range(const struct fused_hit *v, size_t total, size_t *from, size_t *to);

/*
 * Of texts of which it is known where their copies stand, equals together: leave out copies
 * without path, and texts that have no other; show the first copy, and bring equals in order.  How
 * many are left.
 */
size_t fuse_order_ties(const struct member_hits *, struct fused_hit *v, size_t n);

/*
 * What else a member may have: of each list (by words, name, meaning, path) the hits with at least
 * that score; SEARCH_NOT: none.
 */
enum { FUSE_LISTS = 4 };
struct refetch_request {
	bool again;
	double least[FUSE_LISTS];
};

/*
 * When every member gave its first `asked` hits of each list: whether the first `depth` texts of
 * all together can be told from them; else who may have more of them, in `more`, zeroed, one for
 * each member.
 */
bool fuse_is_complete(const struct member_hits *, size_t members, size_t asked, size_t depth,
    struct arena *, struct refetch_request *more);
#endif
