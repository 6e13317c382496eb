#ifndef COORDINATOR_AUTH_RATE_LIMITS_H
#define COORDINATOR_AUTH_RATE_LIMITS_H
/*
 * Limits per caller: running calls, calls per second, open streams.  Callers are identified by
 * their names.  Local callers without a token are not limited, unless --limit-local is set; the
 * coordinator itself never is.  Any thread.
 */

#include <stdint.h>

struct caller;
struct err;
struct limits_caller;
struct limits;
struct coordinator_config;

enum limits_kind { LIMITS_CALL, LIMITS_STREAM };

/* Why a request was refused. */
enum limits_reason {
#define LIMIT(why, label, doc) LIMITS_##why,
#include "coordinator/auth/rate_limits.def"
	LIMITS_REASONS
};

/* Held while a call runs or a stream is open; zero-initialise. */
struct limits_permit {
	struct limits_caller *of;	/* NULL if nothing is held or the caller is not limited */
	enum limits_kind what;
};

struct refusal {
	int64_t retry_ms;		/* when a retry may succeed */
	uint64_t n;			/* refusals of this caller to log now; 0 = do not log */
};

/* Reads the options once. */
struct limits *limits_new(const struct coordinator_config *);
void limits_free(struct limits *);	/* NULL is fine */

/*
 * Acquire a permit at `now_us` (clock_us()).  After 0 call limits_release; -1 with RATE_LIMITED,
 * whose hint says when to retry, and `refusal`.  If `limits` is NULL, nothing is limited.
 */
int limits_acquire(struct limits *, const struct caller *, enum limits_kind, int64_t now_us,
    struct limits_permit *, struct refusal *, struct err *);

/* Release a permit; does nothing if none is held. */
void limits_release(struct limits *, struct limits_permit *);

/* Count a refusal for another reason. */
void limits_count_refusal(struct limits *, enum limits_reason);

/*
 * The same for an unauthenticated client.  Returns how many refusals to log now; 0 = do not log.
 */
uint64_t limits_refuse_anonymous(struct limits *, enum limits_reason, int64_t now_us);

/* ---- for metrics ---- */
uint64_t limits_refused(struct limits *, enum limits_reason);
const char *limits_label(enum limits_reason);

struct limits_counts {
	uint64_t callers, calls, streams;	/* known callers; their running calls and open streams */
};
struct limits_counts limits_counts(struct limits *);
#endif
