#ifndef PROTO_RECORD_GAPS_H
#define PROTO_RECORD_GAPS_H
/* What an index lacks of its repository, by cause: gaps.def. */

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct freshness;

enum gap_effect { GAP_FILES, GAP_HISTORY, GAP_LIMIT };

struct gap_kind {
	const char *cause;
	enum gap_effect effect;
	const char *what, *remedy;
};

extern const struct gap_kind gap_kinds[];	/* ends with a NULL cause */

/* The row of a cause; that of `missing` for a cause that only a newer program knows. */
const struct gap_kind *gap_kind(const char *cause);

/* Whether the index lacks something with this effect.  False for NULL, and for older programs. */
bool gaps_have(const struct freshness *, enum gap_effect);

/*
 * "3 paths (missing: the repository does not have the object), e.g. src/a.py; ..." for all gaps
 * with this effect, in `a`; NULL if there are none.  The remedy for the first of them; NULL if none.
 */
const char *gaps_describe(const struct freshness *, enum gap_effect, struct arena *a);
const char *gaps_remedy(const struct freshness *, enum gap_effect);
#endif
