#ifndef COORDINATOR_CONTRACTS_MATCHING_FAILING_STEP_H
#define COORDINATOR_CONTRACTS_MATCHING_FAILING_STEP_H
/* Why a call is not linked to a route. */

#include "coordinator/contracts/matching/match_trial.h"
#include "coordinator/contracts/matching/path_difference.h"

enum link_step {
#define LINK_STEP(id, name, doc) STEP_##id,
#include "coordinator/contracts/matching/link_steps.def"
};

/* `not-indexed`, `host`, … */
const char *link_step_name(enum link_step);

/* A call, and what the matcher made of it. */
struct explained_call {
	size_t member;
	const struct fact *fact;
	const struct call_site *site;
	struct path_template path; /* of any kind of call, without a hole that may be the address */
	const struct contract *link; /* its surest one, or NULL */
	const struct unresolved *row; /* if it has no link, or NULL */
};

/* The call of a fact, as far as the fact tells. */
struct explained_call explained_call(
    const struct match_trials *, size_t member, const struct fact *, struct arena *);

/* What gateways forward to members: the rules by which a caller may see a route under another path. */
struct gateway_rules {
	struct gateway_rule {
		size_t gateway, target;
		const struct fact *fact;
	} * v; /* ordered by target */
	size_t n;
};
struct gateway_rules gateway_rules_find(const struct match_context *, struct arena *);

/* A route that the call might be for.  The least distance is the nearest. */
struct near_route {
	const struct provider *provider;
	const struct gateway_rule *rule; /* by which the caller would reach it, or NULL */
	const struct path_template *seen; /* the path under which the caller would reach it */
	struct path_difference path; /* from that */
	bool fits; /* the path, as a server would see it */
	int distance;
};

/* Compare without matching; false if the two are of different kinds.  Paths of gateways: in the arena. */
bool near_route_measure(const struct explained_call *, const struct provider *,
    const struct gateway_rules *, struct arena *, struct near_route *out);

struct step_failure {
	enum link_step step;
	const char *text; /* a sentence without an end */
	const char
	    *at; /* FILE:LINE of the expression that is computed, or of the declaration; or NULL */
	const char *declaration; /* the line of atoll.yaml that would join the two, or NULL */
	const char *declared_in; /* the repo_uri of the repository whose file that is */
};

/* Find the step that fails, by matching the call with one thing changed at a time. */
void failing_step(struct match_trials *, const struct explained_call *, const struct near_route *,
    struct arena *, struct step_failure *out);

/*
 * A name that means this member and no other one as a host, or NULL.  In the arena or borrowed from
 * the member.
 */
const char *member_host_name(const struct match_context *, size_t member, struct arena *);
#endif
