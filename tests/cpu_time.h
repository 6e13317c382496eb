#ifndef TESTS_CPU_TIME_H
#define TESTS_CPU_TIME_H
/* What a bound on work is about: what else the machine does is nobody's fault. */
#include <stdint.h>
#include <time.h>

/* Processor time of this process, in milliseconds. */
static inline int64_t cpu_ms(void)
{
	return (int64_t)clock() * 1000 / CLOCKS_PER_SEC;
}
#endif
