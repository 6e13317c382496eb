#ifndef COORDINATOR_CONTRACTS_LINK_EXPLANATION_H
#define COORDINATOR_CONTRACTS_LINK_EXPLANATION_H
/*
 * Why one repository is linked to another, or is not: matches the calls of the first, and compares
 * those without a link to the second with what that serves.  Pure but for the deadline: the same
 * facts give the same answer, whatever the order of the members.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "coordinator/contracts/matching/match.h"

struct arena;

struct link_question {
	const char *from, *to; /* repo_uris of members; `to` may be NULL: any member */
	const char *method; /* of the call, or NULL */
	const char
	    *path; /* a part of the call's path, or one with values; FILE or FILE:LINE; or NULL */
	const char *from_lacks, *to_lacks; /* why a repository has no facts, or NULL */
	const char *from_stale, *to_stale; /* why its facts may be outdated, or NULL */
	size_t joined; /* packages and documents that join the two */
	size_t from_row,
	    limit; /* rows before this page and on it, over the contracts, those that join, and the missing ones */
	int64_t deadline_ms; /* monotonic; 0: none */
};

struct link_explanation {
	struct contract *contracts; /* all that fit the question */
	size_t ncontracts;
	struct link_problem *problems;
	size_t nproblems;
	struct missing_link *missing; /* those on the page */
	size_t nmissing, all_missing;
	const char *step; /* what fails first; NULL if the two are linked */
	const char *why; /* the answer in words */
	bool stopped; /* there was not enough time for all calls */
};

/* Lives in the arena and points into the facts. */
void link_explain(const struct match_member *, size_t n, const struct link_question *,
    struct arena *, struct link_explanation *out);
#endif
