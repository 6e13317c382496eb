#ifndef SHARD_INGEST_QUARANTINE_H
#define SHARD_INGEST_QUARANTINE_H
/*
 * Files that killed the ingest. They are noted before they are parsed
 * (DATA/<collection>/in-progress), get a strike when the child dies (file `quarantine` beside it),
 * and are skipped from the second strike on.
 */

#include <stdbool.h>
#include <stddef.h>

struct arena;

enum { QUARANTINE_STRIKES = 2 };

struct quarantine {
	struct quarantine_entry {
		const char *blob, *path;
		int strikes;
	} *v;
	size_t n;
};

/* Reads the strikes so far, into `a`. */
struct quarantine quarantine_read(const char *dir, struct arena *a);

/* Whether the blob must be skipped. */
bool quarantine_has(const struct quarantine *, const char *blob);

/*
 * The notes of a child: opens them (returns a descriptor, or -1); notes the file that thread `slot`
 * begins (blob NULL: it is done).
 */
int quarantine_open_notes(const char *dir);
void quarantine_note(int notes, int slot, const char *blob, const char *path);

/*
 * After a crash: gives each noted blob a strike, clears the notes, and returns the number of
 * strikes.
 */
size_t quarantine_strike(const char *dir);

/* After a success: forgets blobs with too few strikes, as they were parsed in the end. */
void quarantine_forgive(const char *dir);
#endif
