#ifndef SHARD_DAEMON_CRASH_BACKOFF_H
#define SHARD_DAEMON_CRASH_BACKOFF_H
/*
 * Pauses for a repository whose ingests crash again and again at the same commit. The file
 * `crashes` in its folder records how often, why, and when the next ingest may begin, so that
 * neither the shard nor its supervisor loops.
 */

#include <stdbool.h>
#include <stdint.h>

#include "shard/git/repo.h"

struct crash_backoff {
	int times;		/* crashes in a row at this commit */
	bool running;		/* an ingest has begun and has not ended */
	int64_t until;		/* real time, ms: no ingest begins before, unless it is requested */
	char commit[REPO_OID_SIZE];
	char cause[240];
};

/* Reads the record in the folder `dir`; all zero if there is none. */
void crash_backoff_read(const char *dir, struct crash_backoff *);

/*
 * Records that an ingest begins; that it has ended without a crash. `well` (it succeeded) deletes
 * the record.
 */
void crash_backoff_begin(const char *dir);
void crash_backoff_end(const char *dir, bool well);

/*
 * Records a crash at the commit, and returns in `*out` how long to wait: seconds at first, then
 * twice as long each time up to an hour, varied by a fifth. The first `free` crashes cause almost
 * no pause.
 */
void crash_backoff_record(
    const char *dir, const char *commit, const char *cause, int free, struct crash_backoff *out);
#endif
