#ifndef SHARD_BASE_TEXT_MARKERS_H
#define SHARD_BASE_TEXT_MARKERS_H
/* Texts that tell what a file is, looked for quickly: most files have none of them. */

#include <stdbool.h>
#include <stddef.h>

/*
 * Marks that have a part in common.  Where the part is not, none of them is looked for; a mark
 * without the part is never found.
 */
struct text_markers {
	const char *part;
	const char *all[10];	/* up to the first NULL */
};

/* Whether text[0..n) holds a mark of any of the `nv` rows. */
bool text_markers_find(const struct text_markers *v, size_t nv, const char *text, size_t n);
#endif
