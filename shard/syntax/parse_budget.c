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

enum { BASE_BYTES = 32 << 20, BYTES_PER_BYTE = 512 };

/* Added by deploy/tree-sitter.patch: bytes allocated in this thread, including subtrees. */
extern _Thread_local uint64_t ts_asked;

/*
 * The allocator of tree-sitter.  If mimalloc is installed, it is loaded for tree-sitter only; it
 * saves a seventh of the processor time of an index (tests/results/index-cost.md).  With
 * sanitizers it is not used, as they have their own heap.
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

	if (!lib)
		return;
	for (size_t i = 0; i < LEN(names); i++) {
		found[i] = dlsym(lib, names[i]);
		if (!found[i])
			return;
	}
	memcpy(&heap, found, sizeof heap);
#endif
}

static void *count_allocation(void *p, size_t n)
{
	ts_asked += n;
	if (!p && n)
		die("out of memory: tree-sitter");	/* the file in progress gets the strike */
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
	int64_t us = (int64_t)timeout_ms * 1000;

	*e = (struct parse_budget){ .bytes = UINT64_MAX, .until = INT64_MAX };
	e->earliest = clock_us() + us;
	if (timeout_ms <= 0)
		return;
	e->bytes = ts_asked + BASE_BYTES + (uint64_t)n * BYTES_PER_BYTE;
	e->until = processor_us() + us;
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
	if (e->limit)
		return true;
	if (ts_asked > e->bytes) {
		e->limit = "parse effort";
		return true;
	}
	if (e->until == INT64_MAX || clock_us() <= e->earliest || processor_us() <= e->until)
		return false;
	e->limit = "parse time";
	return true;
}
