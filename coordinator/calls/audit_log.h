#ifndef COORDINATOR_CALLS_AUDIT_LOG_H
#define COORDINATOR_CALLS_AUDIT_LOG_H
/*
 * One log line for each call: who used which tool.  It never contains an argument, a secret, or a
 * message that may contain one.
 */

#include <stddef.h>
#include <stdint.h>

#include "proto/base/log.h"

struct caller;
struct member;

enum { AUDIT_REPOS = 8 };

/* The repositories that a call has read or changed: the first ones, and how many more at least. */
struct audit_repos {
	const char *v[AUDIT_REPOS];	/* borrowed; equal texts are equal pointers */
	size_t n, more;
};

void audit_add_repos(struct audit_repos *, struct member *const *, size_t n);

/*
 * Write the line.  `via` is how the call came (api, mcp, ...), `what` the tool or method, `outcome`
 * "ok" or an error code, `n` the number of equal calls that were refused.
 */
void audit(enum log_level, const struct caller *, const char *via, const char *what,
    const struct audit_repos *, const char *outcome, int64_t ms, uint64_t n);
#endif
