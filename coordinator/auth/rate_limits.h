#ifndef COORDINATOR_AUTH_RATE_LIMITS_H
#define COORDINATOR_AUTH_RATE_LIMITS_H
/*
 * How much one caller may ask: calls at once, calls per second, open streams.  Callers go by their
 * names; whoever asks without a token is not limited, unless --limit-local, and the coordinator
 * itself never is.  Any thread.
 */

#include <stdint.h>

struct caller;
struct err;
struct limits_caller;
struct limits;
struct coordinator_config;

enum limits_kind { LIMITS_CALL, LIMITS_STREAM };

/* Why one was refused. */
enum limits_reason {
#define LIMIT(why, label, doc) LIMITS_##why,
#include "coordinator/auth/rate_limits.def"
	LIMITS_REASONS
};

/* What a caller holds while its call runs or its stream is open; zero-initialise. */
struct limits_permit {
	struct limits_caller *of;		/* NULL: nothing, or it is not limited */
	enum limits_kind what;
};

struct refusal {
	int64_t retry_ms;		/* when it may be worth another try */
	uint64_t n;			/* to be logged as so many refusals of that caller; 0: not now */
};

/* Reads the options once. */
struct limits *limits_new(const struct coordinator_config *);
void limits_free(struct limits *);	/* NULL is fine */

/*
 * Take a turn; `now_us`: clock_us().  0, limits_release follows; or -1 with RATE_LIMITED in `e`,
 * whose hint says when to come again, and `refusal`.  `limits` NULL: nothing is limited.
 */
int limits_acquire(struct limits *, const struct caller *, enum limits_kind, int64_t now_us,
    struct limits_permit *, struct refusal *, struct err *);

/* Give it back; nothing when there is none. */
void limits_release(struct limits *, struct limits_permit *);

/* Refused for another reason, which is counted with these. */
void limits_count_refusal(struct limits *, enum limits_reason);

/*
 * The same for those who have not said who they are: of how many the log is to be told now; 0:
 * later.
 */
uint64_t limits_refuse_anonymous(struct limits *, enum limits_reason, int64_t now_us);

/* ---- for metrics ---- */
uint64_t limits_refused(struct limits *, enum limits_reason);
const char *limits_label(enum limits_reason);

struct limits_counts {
	uint64_t callers, calls, streams;	/* known; theirs now */
};
struct limits_counts limits_counts(struct limits *);
#endif
