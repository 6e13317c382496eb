#ifndef COORDINATOR_MEMBERS_TERM_STATISTICS_H
#define COORDINATOR_MEMBERS_TERM_STATISTICS_H
/*
 * Statistics of the terms in the members' indexes, so that a search over several members is scored
 * as if they were one index: how many documents each has, how long they are, and how many contain
 * a term.  Counts are cached per member and index (at most a few thousand terms) and requested when
 * a query needs them; those of a member that is down stay.  There is also a sketch of all words of
 * a member (bloom_filter.h), and one of the trigrams of its texts (gram_sketch.h), by which members
 * without a match are skipped.
 *
 * The stamp of a member's answer shows whether its counts are current; the generation that it
 * announces shows whether its sketch is.  Thread-safe.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/record/record.h"
#include "proto/text/bloom_filter.h"

struct arena;
struct gram_query;
struct member;
struct question;
struct stats;

struct stats *stats_new(void);
void stats_free(struct stats *);	/* NULL is fine */

/* The hashes of a query's terms and names; lives in the arena. */
struct query_terms {
	const struct question *q;
	uint64_t *terms, *keys;
	size_t nkeys;
	uint64_t beginnings[BLOOM_BEGINNINGS];	/* of the name that is asked for */
	size_t nbeginnings;
	bool longer_names;	/* names that begin so are an answer too, as far as is known */
	bool *open, any_open;	/* prefixes, which a sketch cannot contain */
	uint64_t name, name_key;	/* of the definitions that longer names would follow; 0 = none */
};
struct query_terms stats_query_terms(const struct question *, struct arena *);

/* Store the sketch of a member's index.  It has no words if the index has too many. */
void stats_sketch(struct stats *, const struct member *, const struct freshness *,
    const struct sketch_res *);

/* The member counts generations from the start again, so its sketch cannot be trusted. */
void stats_invalidate_sketch(struct stats *, const struct member *);

/*
 * The statistics that must be requested from a member for these terms; NULL if none are missing.
 * `generation` is what it serves for certain (members_known_generations); 0 = unknown.
 */
const struct stats_req *stats_missing(struct stats *, const struct member *, uint64_t generation,
    const struct query_terms *, struct arena *);

/*
 * Store a member's answer for the index with this stamp.  If `stamp` is NULL, the request failed,
 * and the member is not asked again for a moment.
 */
void stats_update(
    struct stats *, const struct member *, const struct stats_res *, const struct freshness *stamp);

/*
 * Whether the counts of a member belong to the index with this stamp.  If not, marks them as old, so
 * that stats_missing requests new ones at once.
 */
bool stats_check_index(struct stats *, const struct member *, const struct freshness *stamp);

/* Whether a member cannot have a match at the generation that it serves for certain. */
bool stats_rules_out(
    struct stats *, const struct member *, uint64_t generation, const struct query_terms *);

/* Whether no text of a member can match, at the generation that it serves for certain. */
bool stats_rules_out_grams(
    struct stats *, const struct member *, uint64_t generation, const struct gram_query *);

/*
 * Fill in the terms to search for, and the statistics of all these members together. Sets
 * `longer_names`.
 */
void stats_sum(struct stats *, struct member *const *, size_t n, struct query_terms *,
    struct search_req *, struct arena *);
#endif
