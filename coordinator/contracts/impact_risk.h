#ifndef COORDINATOR_CONTRACTS_IMPACT_RISK_H
#define COORDINATOR_CONTRACTS_IMPACT_RISK_H
/*
 * How risky a change is, from what depends on it.  The thresholds are the table in impact_risk.c.
 */

#include <stdint.h>

struct impact_size {
	/* definitions and files without tests: at any depth, at the first */
	uint64_t affected, direct;
	uint64_t routes;		/* that it and those serve */
	uint64_t repos;			/* other repositories that call them */
};

/* LOW | MEDIUM | HIGH | CRITICAL */
const char *impact_risk_level(const struct impact_size *);

/* The higher of two; NULL is none. */
const char *impact_risk_max(const char *, const char *);
#endif
