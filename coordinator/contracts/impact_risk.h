#ifndef COORDINATOR_CONTRACTS_IMPACT_RISK_H
#define COORDINATOR_CONTRACTS_IMPACT_RISK_H
/*
 * How risky a change is, from what depends on it.  The thresholds are the table in impact_risk.c.
 */

#include <stdint.h>

struct impact_size {
	/* definitions and files that are not tests: at any depth; at depth 1 */
	uint64_t affected, direct;
	uint64_t routes;		/* served by what changes or by what is affected */
	uint64_t repos;			/* other repositories that call these routes */
};

/* LOW | MEDIUM | HIGH | CRITICAL */
const char *impact_risk_level(const struct impact_size *);

/* The higher of two levels; NULL is lower than any. */
const char *impact_risk_max(const char *, const char *);
#endif
