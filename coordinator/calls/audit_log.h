#ifndef COORDINATOR_CALLS_AUDIT_LOG_H
#define COORDINATOR_CALLS_AUDIT_LOG_H
/*
 * Who asked for what: a line of the log per call.  Never what was asked: neither an argument, a
 * secret nor a message that may hold one.
 */

#include <stddef.h>
#include <stdint.h>

#include "proto/base/log.h"

struct caller;
struct member;

enum { AUDIT_REPOS = 8 };

/* The repositories that a call has asked or changed: the first ones, and at least how many more. */
struct audit_repos {
	const char *v[AUDIT_REPOS];	/* borrowed, and equal ones are the same pointer */
	size_t n, more;
};

/* Add some. */
void audit_add_repos(struct audit_repos *, struct member *const *, size_t n);

/*
 * The line.  `via`: how it came (api, mcp, ...); `what`: tool or method; `outcome`: ok or a code;
 * `n` calls alike, refused ones.
 */
void audit(enum log_level, const struct caller *, const char *via, const char *what,
    const struct audit_repos *, const char *outcome, int64_t ms, uint64_t n);
#endif
