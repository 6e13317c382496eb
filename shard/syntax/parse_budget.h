#ifndef SHARD_SYNTAX_PARSE_BUDGET_H
#define SHARD_SYNTAX_PARSE_BUDGET_H
/*
 * What reading one file may cost.  Work is counted in bytes that tree-sitter asks for, as many on
 * every machine: source code takes up to 120 for each of its own, what is written against a parser
 * thousands, and a nanosecond for each.  The thread's processor time is a last resort, because it
 * makes indexes differ.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct parse_budget {
	uint64_t bytes;		/* asked for by this thread, when it is enough */
	int64_t until;		/* processor time of this thread, to read which is a system call */
	int64_t earliest;		/* clock_us before which it cannot have spent as much */
	const char *limit;	/* the one that was reached, as `status` counts it; NULL: none */
};

/* Once a process, before tree-sitter is used. */
void parse_budget_init(void);

/* For a file of `n` bytes, on the thread that reads it; `timeout_ms` 0: without any limit. */
void parse_budget_begin(struct parse_budget *, size_t n, int timeout_ms);

/*
 * What the thread asks for between these two is not for the file: what it keeps for the files
 * after it.
 */
uint64_t parse_budget_pause(void);
void parse_budget_resume(struct parse_budget *, uint64_t aside);

/* Whether it is enough. */
bool parse_budget_spent(struct parse_budget *);
#endif
