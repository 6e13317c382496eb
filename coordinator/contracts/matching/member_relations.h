#ifndef COORDINATOR_CONTRACTS_MATCHING_MEMBER_RELATIONS_H
#define COORDINATOR_CONTRACTS_MATCHING_MEMBER_RELATIONS_H
/*
 * What two repositories have to do with each other, whatever one calls of the other: the same owner,
 * a word of their names, a package of the one that the other needs, or its mention.  In a group
 * whose members mostly have one owner, the owner tells nothing.
 */

#include <stddef.h>

#include "coordinator/contracts/matching/match.h"

enum relation {
	RELATION_NONE, /* nothing is known that joins them */
	RELATION_POSSIBLE, /* one needs or mentions the other, or both have the owner of most members */
	RELATION_EVIDENT, /* a word of their names, or an owner that few members have */
};

struct member_relations;

/* Reads the members' names and packages.  Lives in the arena; free with member_relations_free. */
struct member_relations *member_relations_new(
    const struct match_member *, size_t n, struct arena *);
void member_relations_free(struct member_relations *); /* NULL is fine */

/*
 * How two members are related, in either direction.  `*why`, unless it is NULL, becomes a sentence
 * in the arena, or NULL if there is nothing to say.
 */
enum relation member_relation(struct member_relations *, size_t x, size_t y, const char **why);
#endif
