#include "proto/base/cpu_features.h"

#if defined __x86_64__
unsigned cpu_features(void)
{
	unsigned has = 0;

	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
		has |= CPU_AVX2;
	if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
	    __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vnni"))
		has |= CPU_AVX512;
	return has;
}
#elif defined __aarch64__
unsigned cpu_features(void)
{
	return CPU_NEON;
}
#else
unsigned cpu_features(void)
{
	return 0;
}
#endif
