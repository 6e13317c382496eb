#include "shard/effort.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "shard/tree.h"

enum { BASE = 32 << 20, PER_BYTE = 512 };

static _Thread_local uint64_t asked;

static void *must(void *p, size_t n)
{
	asked += n;
	if (!p && n)
		abort();	/* the file in progress is to blame */
	return p;
}

static void *take(size_t n)
{
	return must(malloc(n), n);
}

static void *take_zeroed(size_t n, size_t size)
{
	return must(calloc(n, size), n * size);
}

static void *take_again(void *p, size_t n)
{
	return must(realloc(p, n), n);
}

static void count(void)
{
	ts_set_allocator(take, take_zeroed, take_again, free);
}

void effort_init(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, count);
}

static int64_t processor_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

void effort_begin(struct effort *e, size_t n, int timeout_ms)
{
	bool limited = timeout_ms > 0;

	*e = (struct effort){
		.bytes = limited ? asked + BASE + (uint64_t)n * PER_BYTE : UINT64_MAX,
		.until = limited ? processor_us() + (int64_t)timeout_ms * 1000 : INT64_MAX,
	};
}

bool effort_spent(struct effort *e)
{
	if (!e->limit && asked > e->bytes)
		e->limit = "parse effort";
	if (!e->limit && e->until != INT64_MAX && processor_us() > e->until)
		e->limit = "parse time";
	return e->limit != NULL;
}
