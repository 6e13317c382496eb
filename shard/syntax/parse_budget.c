#include "shard/syntax/parse_budget.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/die.h"
#include "shard/syntax/syntax_tree.h"

enum { BASE = 32 << 20, PER_BYTE = 512 };

/* Of our own (deploy/tree-sitter.patch): what was asked for in this thread, subtrees included. */
extern _Thread_local uint64_t ts_asked;

/*
 * Where tree-sitter's memory comes from: mimalloc where it is installed, which takes a seventh off
 * the processor time of an index (tests/results/index-cost.md); loaded here, it replaces nothing
 * else.  Sanitizers see to their own heap.
 */
static struct {
	void *(*take)(size_t), *(*zeroed)(size_t, size_t), *(*again)(void *, size_t);
	void (*give)(void *);
} heap = { malloc, calloc, realloc, free };

static void find_heap(void)
{
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
	static const char *const names[] = { "mi_malloc", "mi_calloc", "mi_realloc", "mi_free" };
	void *lib = dlopen("libmimalloc.so.2", RTLD_NOW | RTLD_LOCAL), *found[LEN(names)];

	for (size_t i = 0; lib && i < LEN(names); i++)
		if (!(found[i] = dlsym(lib, names[i])))
			lib = NULL;
	if (lib)
		memcpy(&heap, found, sizeof heap);
#endif
}

static void *count_allocation(void *p, size_t n)
{
	ts_asked += n;
	if (!p && n)
		die("out of memory: tree-sitter");	/* the file in progress is to blame */
	return p;
}

static void *take(size_t n)
{
	return count_allocation(heap.take(n), n);
}

static void *counted_calloc(size_t n, size_t size)
{
	return count_allocation(heap.zeroed(n, size), n * size);
}

static void *counted_realloc(void *p, size_t n)
{
	return count_allocation(heap.again(p, n), n);
}

static void give(void *p)
{
	heap.give(p);
}

static void install_allocator(void)
{
	find_heap();
	ts_set_allocator(take, counted_calloc, counted_realloc, give);
}

void parse_budget_init(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, install_allocator);
}

static int64_t processor_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

void parse_budget_begin(struct parse_budget *e, size_t n, int timeout_ms)
{
	bool limited = timeout_ms > 0;
	int64_t us = (int64_t)timeout_ms * 1000;

	*e = (struct parse_budget){
		.bytes = limited ? ts_asked + BASE + (uint64_t)n * PER_BYTE : UINT64_MAX,
		.until = limited ? processor_us() + us : INT64_MAX,
		.earliest = clock_us() + us,
	};
}

uint64_t parse_budget_pause(void)
{
	return ts_asked;
}

void parse_budget_resume(struct parse_budget *e, uint64_t aside)
{
	if (e->bytes != UINT64_MAX)
		e->bytes += ts_asked - aside;
}

bool parse_budget_spent(struct parse_budget *e)
{
	if (!e->limit && ts_asked > e->bytes)
		e->limit = "parse effort";
	if (!e->limit && e->until != INT64_MAX && clock_us() > e->earliest && processor_us() > e->until)
		e->limit = "parse time";
	return e->limit != NULL;
}
