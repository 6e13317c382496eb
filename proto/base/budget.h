#ifndef PROTO_BASE_BUDGET_H
#define PROTO_BASE_BUDGET_H
/*
 * What reading one text may cost, counted where a reader walks: nodes that it looks at, depth,
 * bytes that it makes in its arena. The limits of all readers stand in budgets.def.  Who goes
 * beyond stops, and the arena keeps the first limit that was met (arena_set_truncated), for
 * whoever tells people of the file.
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
	uint64_t nodes, bytes;	/* nodes that are left; bytes of the arena when it is enough */
	/* `yaml: more than 200000 nodes and 4 a byte, line 7`; NULL: there is some left */
	const char *exceeded;
};

/* For a text of `n` bytes that is read into `a`, which must outlive the budget. */
void budget_begin(struct budget *, enum budget_kind, size_t n, struct arena *);

/*
 * Look at `nodes` more, at a line of the text (0: it has none); false: it is enough, now and from
 * now on.
 */
bool budget_spend(struct budget *, uint64_t nodes, size_t line);

/* Go down to this depth (the root is at 0); false: it is too deep, which ends nothing beside. */
bool budget_check_depth(struct budget *, size_t depth, size_t line);

/* A limit of the reader's own was met, of `most` things. */
void budget_report_limit(struct budget *, size_t most, const char *things, size_t line);
#endif
