#ifndef TESTS_REPLICAS_BY_HAND_H
#define TESTS_REPLICAS_BY_HAND_H
/* A member with three shards, whose state the test sets. */
#include "tests/members_clock.h"

#define is_better is_better_to_show
#include "coordinator/members/members.c"
#undef is_better
#include "coordinator/members/index_status.c"
#include "coordinator/members/replica_selection.c"

#include "tests/members_by_hand.h"

static struct replica *one, *two, *three;

/* Three shards with a connection, of which the first is chosen when all else is equal and random is fixed. */
static inline int begin(void **state)
{
	int rc = hand_begin(state);

	one = hand_replica(m, "one");
	two = hand_replica(m, "two");
	three = hand_replica(m, "three");
	for (struct replica *r = one; r; r = r->next) {
		r->peer = (struct wire_peer *)r;
		r->index = 9;
		r->behind = 0;
	}
	return rc;
}

static inline struct freshness stamp_of(const char *commit, uint64_t generation)
{
	return (struct freshness){ .repo_uri = "h/one",
		.commit = commit,
		.generation = generation,
		.graph_hash = "hash",
		.indexed_at = "2026-01-01T00:00:00Z",
		.behind = 3 };
}
#endif
