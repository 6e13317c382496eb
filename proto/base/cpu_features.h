#ifndef PROTO_BASE_CPU_FEATURES_H
#define PROTO_BASE_CPU_FEATURES_H
/* What the processor supports, for the few loops that have vector versions. */

enum { CPU_AVX2 = 1, CPU_AVX512 = 2, CPU_NEON = 4 };

/* The bits of this machine.  AVX2 implies FMA; AVX512 means F, BW, VL and VNNI. */
unsigned cpu_features(void);
#endif
