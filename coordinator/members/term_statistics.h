#ifndef COORDINATOR_MEMBERS_TERM_STATISTICS_H
#define COORDINATOR_MEMBERS_TERM_STATISTICS_H
/*
 * What is known of the words in the members' indexes, so that a question to several is scored as
 * if they were one: how many documents each has, how long, and how many hold a term.  Counts are
 * kept per member for the index that they are of (at most a few thousand terms each) and asked for
 * when a question needs them; a member that is down keeps its last.  Of each there is also a
 * sketch of all its words (bloom_filter.h), by which members that hold none of a question's are
 * left out.
 *
 * Whether counts are still true is seen from the stamp of what a member answers; whether it can be
 * left out, from the generation that it announces.  Thread-safe.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/record/record.h"

struct arena;
struct member;
struct question;
struct stats;

struct stats *stats_new(void);
void stats_free(struct stats *);	/* NULL is fine */

/* A question's terms and names as they are looked up; lives in the arena. */
struct query_terms {
	const struct question *q;
	uint64_t *terms, *keys;
	bool *open, any_open;	/* prefixes, of which no sketch can tell */
};
struct query_terms stats_query_terms(const struct question *, struct arena *);

/* The sketch of a member's index.  `words` may be empty: it has too many. */
void stats_sketch(
    struct stats *, const struct member *, const struct freshness *, struct bytes words);

/* A member's generations began anew: they say nothing about the sketch. */
void stats_invalidate_sketch(struct stats *, const struct member *);

/*
 * What must be asked of a member before its documents can be counted; NULL: nothing.
 * `generation`: what it serves for certain (members_known_generations); 0: not known.
 */
const struct stats_req *stats_missing(struct stats *, const struct member *, uint64_t generation,
    const struct query_terms *, struct arena *);

/*
 * What a member said, of the index that is stamped; `stamp` NULL: it failed, and is not asked
 * again for a moment.
 */
void stats_update(
    struct stats *, const struct member *, const struct stats_res *, const struct freshness *stamp);

/*
 * Whether what is known of a member is of the index with this stamp; if not, it is asked for next.
 */
bool stats_is_current(struct stats *, const struct member *, const struct freshness *stamp);

/* Whether a member, at the generation that it serves for certain, cannot hold a match. */
bool stats_rules_out(
    struct stats *, const struct member *, uint64_t generation, const struct query_terms *);

/* Fill in the terms that are searched for and the numbers of all these members together. */
void stats_sum(struct stats *, struct member *const *, size_t n, const struct query_terms *,
    struct search_req *, struct arena *);
#endif
