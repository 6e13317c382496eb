#ifndef COORDINATOR_MEMBERS_LIVENESS_H
#define COORDINATOR_MEMBERS_LIVENESS_H
/*
 * How alive one shard seems: suspicion, a circuit breaker, slow start.  Pure: the caller passes the
 * time in milliseconds of any monotonic clock, and does the locking.
 *
 * Suspicion is the phi of Hayashibara, Defago, Yared, Katayama: "The phi accrual failure detector"
 * (SRDS 2004): how unlikely it is, as a power of ten, that an overdue answer still arrives.  The
 * paper measures the gaps between heartbeats in a window.  Here probes are requests, so the time
 * that an answer takes is measured, and the probe interval may change.  Mean and deviation are
 * moving averages with the gains of Jacobson, "Congestion avoidance and control" (SIGCOMM 1988).
 *
 * The circuit breaker (Nygard, "Release It!", 2007) is for shards that answer probes but not
 * requests: after LIVENESS_MISSES failures in a row the shard gets no requests for a while; then
 * one request decides.  After a recovery the shard's share of the requests rises slowly.
 */

#include <stdbool.h>
#include <stdint.h>

enum {
	LIVENESS_MISSES = 4,		/* unanswered requests in a row that open the circuit */
	LIVENESS_MISS_MS = 200,		/* a shorter wait does not count as unanswered */
	LIVENESS_OPEN_MS = 1000,	/* until an open circuit is tried; doubled after each failure */
	LIVENESS_OPEN_MAX_MS = 30000,
	LIVENESS_TRIAL_MS = 5000,	/* after which a trial without a result is forgotten */
	LIVENESS_RAMP_MS = 10000,	/* from the recovery to the full share */
};

/*
 * The phi at which a shard is suspected (one of a thousand answers is that late), and at which it
 * is considered dead (one of a hundred million).
 */
#define LIVENESS_SUSPECT 3.0
#define LIVENESS_DEAD 8.0

enum circuit { CIRCUIT_CLOSED, CIRCUIT_OPEN, CIRCUIT_TRIAL };

/* All zero except `least_ms` for a shard of which nothing is known. */
struct liveness {
	double least_ms;		/* lower bound of the deviation, as a busy machine causes it */
	double mean_ms, dev_ms;		/* of the time that answers to probes took */
	bool answered, known;		/* it has answered; mean and deviation are known */
	int64_t silent_since;		/* an answer has been awaited since then; 0 = none is awaited */
	enum circuit circuit;
	int misses;			/* unanswered requests in a row */
	int64_t open_ms, until;		/* open: when it may be tried; trial: when that is forgotten */
	int64_t recovered_at;		/* 0 if it was never down */
};

/*
 * A probe was sent; it was answered after took_ms.  The first answer does not count, because its
 * time includes the connection.
 */
void liveness_probe_sent(struct liveness *, int64_t now);
void liveness_probe_answered(struct liveness *, int64_t now, int64_t took_ms);

/* Subtract the time for which the caller itself did not run from the shard's silence. */
void liveness_forgive(struct liveness *, int64_t ms);

double liveness_phi(const struct liveness *, int64_t now);

/* The shard was considered dead, and answers again. */
void liveness_recovered(struct liveness *, int64_t now);

/* A request was answered, if only with an error; a request was not answered for after_ms. */
void liveness_request_answered(struct liveness *, int64_t now);
void liveness_request_missed(struct liveness *, int64_t now, int64_t after_ms);

/* Whether a request may be sent; a request is sent, which is the trial if the circuit is open. */
bool liveness_admits(const struct liveness *, int64_t now);
void liveness_request_sent(struct liveness *, int64_t now);

/* The percentage (10 to 100) of its share of the requests that the shard should get. */
unsigned liveness_share(const struct liveness *, int64_t now);
#endif
