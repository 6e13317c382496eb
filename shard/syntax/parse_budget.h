#ifndef SHARD_SYNTAX_PARSE_BUDGET_H
#define SHARD_SYNTAX_PARSE_BUDGET_H
/*
 * Limits the cost of parsing one file.  Work is counted in bytes that tree-sitter allocates,
 * because that is the same on every machine: source code takes up to 120 bytes per byte of text, a
 * text that attacks a parser thousands, and each takes about a nanosecond.  The thread's processor
 * time is a last resort, because it makes indexes differ.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct parse_budget {
	uint64_t bytes;		/* limit of the bytes allocated by this thread */
	int64_t until;		/* limit of its processor time, which takes a system call to read */
	int64_t earliest;		/* clock_us before which it cannot have used that much time */
	const char *limit;	/* the limit that was reached, as `status` counts it, or NULL */
};

/* Install the counting allocator.  Call it before tree-sitter is used; later calls do nothing. */
void parse_budget_init(void);

/* Begin a file of `n` bytes, on the thread that parses it.  `timeout_ms` 0: without any limit. */
void parse_budget_begin(struct parse_budget *, size_t n, int timeout_ms);

/*
 * What the thread allocates between these two calls is not counted, because it is kept for later
 * files.  Pass the result of the first to the second.
 */
uint64_t parse_budget_pause(void);
void parse_budget_resume(struct parse_budget *, uint64_t aside);

/* Whether a limit was reached; sets `limit`. */
bool parse_budget_spent(struct parse_budget *);
#endif
