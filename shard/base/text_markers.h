#ifndef SHARD_BASE_TEXT_MARKERS_H
#define SHARD_BASE_TEXT_MARKERS_H
/* A quick search for texts that identify a kind of file; most files contain none of them. */

#include <stdbool.h>
#include <stddef.h>

/*
 * Markers that contain a common part.  The search for the part comes first and mostly ends there.
 * A marker that does not contain the part is never found.
 */
struct text_markers {
	const char *part;
	const char *all[10];	/* up to the first NULL */
};

/* Whether text[0..n) contains a marker of any of the `nv` rows. */
bool text_markers_find(const struct text_markers *v, size_t nv, const char *text, size_t n);
#endif
