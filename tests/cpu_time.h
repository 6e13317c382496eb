#ifndef TESTS_CPU_TIME_H
#define TESTS_CPU_TIME_H
/* Tests limit processor time, not elapsed time, as the machine may be busy. */
#include <stdint.h>
#include <time.h>

/* Processor time of this process, in milliseconds. */
static inline int64_t cpu_ms(void)
{
	return (int64_t)clock() * 1000 / CLOCKS_PER_SEC;
}
#endif
