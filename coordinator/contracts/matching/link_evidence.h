#ifndef COORDINATOR_CONTRACTS_MATCHING_LINK_EVIDENCE_H
#define COORDINATOR_CONTRACTS_MATCHING_LINK_EVIDENCE_H
/*
 * What speaks for a target of a call and against it, and how likely it makes the link.  Each kind of
 * evidence has a code, a weight and a sentence: evidence.def.
 */

#include "coordinator/contracts/matching/match_internal.h"

enum evidence_kind {
#define EVIDENCE(code, start, weight, sentence) EVIDENCE_##code,
#include "coordinator/contracts/matching/evidence.def"
#undef EVIDENCE
	EVIDENCE_KINDS
};

struct link_evidence {
	bool has[EVIDENCE_KINDS];
};

struct link_evidence link_evidence_of(
    const struct match_context *, const struct call_site *, const struct match_target *);

/* The probability, 0 to 1, that a link with this evidence is right; 1 if it is declared. */
double link_evidence_probability(const struct link_evidence *);

/* Set the clues of a row, from the call to the route; they live in the arena of the context. */
void link_evidence_explain(const struct match_context *, const struct call_site *,
    const struct match_target *, const struct link_evidence *, struct contract *row);
#endif
