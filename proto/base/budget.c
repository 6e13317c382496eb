#include "proto/base/budget.h"

#include "proto/base/arena.h"

static const struct budget_limits {
	const char *label;
	uint64_t nodes, nodes_per_byte, depth, megabytes, bytes_per_byte;
} limits[] = {
#define BUDGET(name, label, nodes, per_byte, depth, mb, bytes_per_byte) { label, nodes, per_byte, depth, mb, bytes_per_byte },
#include "proto/base/budgets.def"
};

/* Two files whose limits were the same say the same but for the line, which comes last. */
static const char *tell(struct budget *b, const char *what, size_t line)
{
	const char *says = line ?
	    arena_printf(b->a, "%s: %s, line %zu", limits[b->of].label, what, line) :
	    arena_printf(b->a, "%s: %s", limits[b->of].label, what);

	arena_set_truncated(b->a, says);
	return says;
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
	if (nodes > b->nodes)
		b->exceeded = tell(b,
		    arena_printf(b->a, "more than %llu nodes and %llu a byte", (unsigned long long)l->nodes,
		        (unsigned long long)l->nodes_per_byte),
		    line);
	else if (arena_used(b->a) > b->bytes)
		b->exceeded = tell(b,
		    arena_printf(b->a, "more than %llu MB and %llu bytes a byte",
		        (unsigned long long)l->megabytes, (unsigned long long)l->bytes_per_byte),
		    line);
	else
		b->nodes -= nodes;
	return !b->exceeded;
}

bool budget_check_depth(struct budget *b, size_t depth, size_t line)
{
	uint64_t most = limits[b->of].depth;

	if (depth >= most && !arena_truncation_reason(b->a))
		tell(b, arena_printf(b->a, "more than %llu levels", (unsigned long long)most), line);
	return depth < most;
}

void budget_report_limit(struct budget *b, size_t most, const char *things, size_t line)
{
	if (!arena_truncation_reason(b->a))
		tell(b, arena_printf(b->a, "more than %zu %s", most, things), line);
}
