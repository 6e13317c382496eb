#ifndef COORDINATOR_MEMBERS_LIVENESS_H
#define COORDINATOR_MEMBERS_LIVENESS_H
/*
 * How alive one shard seems: suspicion, a circuit breaker, slow start.  Pure: whoever asks says
 * what time it is, in milliseconds of any clock that does not jump; nothing is locked.
 *
 * Suspicion is the phi of Hayashibara, Defago, Yared, Katayama: "The phi accrual failure detector"
 * (SRDS 2004): how unlikely it is, as a power of ten, that an answer which has not come so far
 * still comes.  There heartbeats are sent and the gaps between them are kept in a window; here
 * they are asked for, so what counts is the time that an answer takes, and that how often is asked
 * may change.  Mean and deviation are moving averages with the gains of Jacobson, "Congestion
 * avoidance and control" (SIGCOMM 1988).
 *
 * The breaker (Nygard, "Release It!", 2007) is for who answers probes, but not requests: after
 * MISSES in a row none is made for a while; then one is, and decides.  Who comes back is given its
 * share of the work by and by.
 */

#include <stdbool.h>
#include <stdint.h>

enum {
	LIVENESS_MISSES = 4,			/* requests in a row without an answer that open the circuit */
	LIVENESS_MISS_MS = 200,			/* shorter waits say nothing */
	/* until an open circuit is tried, doubled each time that fails, up to */
	LIVENESS_OPEN_MS = 1000,
	LIVENESS_OPEN_MAX_MS = 30000,
	LIVENESS_TRIAL_MS = 5000,		/* after which a trial that told nothing is forgotten */
	LIVENESS_RAMP_MS = 10000,		/* from the return to the whole share */
};

/*
 * Phi at which a shard is suspected: one answer of a thousand is that late; and taken for dead:
 * one of a hundred million.
 */
#define LIVENESS_SUSPECT 3.0
#define LIVENESS_DEAD 8.0

enum circuit { CIRCUIT_CLOSED, CIRCUIT_OPEN, CIRCUIT_TRIAL };

/* All zero but `least_ms`: nothing is known. */
struct liveness {
	/* the deviation is taken for no less: what a busy machine does to anybody */
	double least_ms;
	double mean_ms, dev_ms;		/* of the time that probes were answered in */
	bool answered, known;		/* it has answered; such a time is known */
	int64_t silent_since;		/* asked then, and nothing was heard since; 0: nothing is awaited */
	enum circuit circuit;
	int misses;			/* requests in a row */
	int64_t open_ms, until;		/* open: not before; trial: forgotten then */
	int64_t recovered_at;			/* when it came back; 0: it was never away */
};

/*
 * A probe leaves; it was answered after so long.  The first one waited for the connection as well,
 * so its time says nothing.
 */
void liveness_probe_sent(struct liveness *, int64_t now);
void liveness_probe_answered(struct liveness *, int64_t now, int64_t took_ms);

/* The time that whoever asks was not running itself: nobody's silence. */
void liveness_forgive(struct liveness *, int64_t ms);

double liveness_phi(const struct liveness *, int64_t now);

/* It was taken for dead, and answers again. */
void liveness_recovered(struct liveness *, int64_t now);

/* A request was answered (by a failure, too); it was not, after so long. */
void liveness_request_answered(struct liveness *, int64_t now);
void liveness_request_missed(struct liveness *, int64_t now, int64_t after_ms);

/* Whether a request may be made; one that is made begins: of an open circuit it is the trial. */
bool liveness_admits(const struct liveness *, int64_t now);
void liveness_request_sent(struct liveness *, int64_t now);

/* 1..100: percent of its share of the work. */
unsigned liveness_share(const struct liveness *, int64_t now);
#endif
