#ifndef SHARD_DAEMON_CRASH_BACKOFF_H
#define SHARD_DAEMON_CRASH_BACKOFF_H
/*
 * A repository whose ingests end by a crash again and again, at the same commit: how often, why,
 * and when the next one may begin. Kept in its folder (…/crashes), so that neither the shard nor
 * who starts it again makes a loop of it.
 */

#include <stdbool.h>
#include <stdint.h>

#include "shard/git/repo.h"

struct crash_backoff {
	int times;		/* in a row at this commit; 0: none */
	bool running;		/* an ingest has begun and has not ended */
	int64_t until;		/* real time, ms: none begins before, unless it is asked for */
	char commit[REPO_OID_SIZE];
	char cause[240];
};

/* What is known in the folder `dir`; zero when that is nothing. */
void crash_backoff_read(const char *dir, struct crash_backoff *);

/* An ingest begins; it has ended otherwise than by a crash: `well` forgets all. */
void crash_backoff_begin(const char *dir);
void crash_backoff_end(const char *dir, bool well);

/*
 * An ingest of the commit crashed: count it; `*out` says until when to wait: the first times
 * seconds, then twice as long each time up to an hour, by a fifth more or less.  The first `free`
 * times cost nothing.
 */
void crash_backoff_record(
    const char *dir, const char *commit, const char *cause, int free, struct crash_backoff *out);
#endif
