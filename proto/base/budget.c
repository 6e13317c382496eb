#include "proto/base/budget.h"

#include "proto/base/arena.h"

static const struct budget_limits {
	const char *label;
	uint64_t nodes, nodes_per_byte, depth, megabytes, bytes_per_byte;
} limits[] = {
#define BUDGET(name, label, nodes, per_byte, depth, mb, bytes_per_byte) \
	{ label, nodes, per_byte, depth, mb, bytes_per_byte },
#include "proto/base/budgets.def"
};

/*
 * Records the limit that was exceeded.  The line comes last, so that the texts of two files that
 * exceeded the same limit differ only at the end.
 */
static const char *record(struct budget *b, const char *what, size_t line)
{
	const char *reason, *label = limits[b->of].label;

	if (line)
		reason = arena_printf(b->a, "%s: %s, line %zu", label, what, line);
	else
		reason = arena_printf(b->a, "%s: %s", label, what);
	arena_set_truncated(b->a, reason);
	return reason;
}

void budget_begin(struct budget *b, enum budget_kind of, size_t n, struct arena *a)
{
	const struct budget_limits *l = &limits[of];

	*b = (struct budget){ .of = of, .a = a, .nodes = l->nodes + n * l->nodes_per_byte,
		.bytes = arena_used(a) + (l->megabytes << 20) + n * l->bytes_per_byte };
}

bool budget_spend(struct budget *b, uint64_t nodes, size_t line)
{
	const struct budget_limits *l = &limits[b->of];

	if (b->exceeded)
		return false;
	if (nodes > b->nodes) {
		const char *what = arena_printf(b->a, "more than %llu nodes and %llu a byte",
		    (unsigned long long)l->nodes, (unsigned long long)l->nodes_per_byte);
		b->exceeded = record(b, what, line);
		return false;
	}
	if (arena_used(b->a) > b->bytes) {
		const char *what = arena_printf(b->a, "more than %llu MB and %llu bytes a byte",
		    (unsigned long long)l->megabytes, (unsigned long long)l->bytes_per_byte);
		b->exceeded = record(b, what, line);
		return false;
	}
	b->nodes -= nodes;
	return true;
}

bool budget_check_depth(struct budget *b, size_t depth, size_t line)
{
	uint64_t limit = limits[b->of].depth;

	if (depth < limit)
		return true;
	if (!arena_truncation_reason(b->a))
		record(b, arena_printf(b->a, "more than %llu levels", (unsigned long long)limit), line);
	return false;
}

void budget_report_limit(struct budget *b, size_t limit, const char *things, size_t line)
{
	if (!arena_truncation_reason(b->a))
		record(b, arena_printf(b->a, "more than %zu %s", limit, things), line);
}
