#ifndef SHARD_INGEST_QUARANTINE_H
#define SHARD_INGEST_QUARANTINE_H
/*
 * Files that killed the ingest: noted before they are parsed (DATA/<collection>/in-progress),
 * struck when the child dies (…/quarantine), left out from the second strike on.
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

/* What is struck so far; lives in `a`. */
struct quarantine quarantine_read(const char *dir, struct arena *a);

/* Whether the blob is to be left out. */
bool quarantine_has(const struct quarantine *, const char *blob);

/*
 * The notes of a child: open them (a descriptor, or -1), and note what thread `slot` begins; NULL:
 * it is done.
 */
int quarantine_open_notes(const char *dir);
void quarantine_note(int notes, int slot, const char *blob, const char *path);

/* After a crash: one strike for each noted blob; how many there were.  The notes are cleared. */
size_t quarantine_strike(const char *dir);

/* After a success: forget blobs with too few strikes, which were parsed at last. */
void quarantine_forgive(const char *dir);
#endif
