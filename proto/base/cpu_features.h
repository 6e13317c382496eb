#ifndef PROTO_BASE_CPU_FEATURES_H
#define PROTO_BASE_CPU_FEATURES_H
/* What the processor can, for the few loops that are written for it. */

enum { CPU_AVX2 = 1, CPU_AVX512 = 2, CPU_NEON = 4 };

/* The bits of what this machine has.  AVX2 is with FMA; AVX512 is F, BW, VL and VNNI. */
unsigned cpu_features(void);
#endif
