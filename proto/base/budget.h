#ifndef PROTO_BASE_BUDGET_H
#define PROTO_BASE_BUDGET_H
/*
 * Limits on the cost of reading one text: nodes visited, depth, and bytes allocated in the reader's
 * arena.  budgets.def lists the limits of all readers.  A reader that exceeds one stops; the arena
 * records the first limit that was exceeded (arena_set_truncated), so that the caller can report
 * it with the file.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

enum budget_kind {
#define BUDGET(name, label, nodes, per_byte, depth, mb, bytes_per_byte) BUDGET_##name,
#include "proto/base/budgets.def"
};

struct budget {
	enum budget_kind of;
	struct arena *a;
	uint64_t nodes;		/* how many more may be visited */
	uint64_t bytes;		/* the maximum size of the arena */
	/* `yaml: more than 200000 nodes and 4 a byte, line 7`, or NULL while nothing was exceeded */
	const char *exceeded;
};

/* Start the budget of a text of `n` bytes that is read into the arena, which must outlive it. */
void budget_begin(struct budget *, enum budget_kind, size_t n, struct arena *);

/*
 * Count `nodes` more visits, at a line of the text (0 = unknown).  False once a limit is exceeded;
 * every later call then returns false too.
 */
bool budget_spend(struct budget *, uint64_t nodes, size_t line);

/* Whether values at this depth may be read (the root is at 0).  Their siblings still may. */
bool budget_check_depth(struct budget *, size_t depth, size_t line);

/* Report that the reader's own limit of so many things was exceeded. */
void budget_report_limit(struct budget *, size_t limit, const char *things, size_t line);
#endif
