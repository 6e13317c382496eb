#ifndef PROTO_BASE_ORDER_H
#define PROTO_BASE_ORDER_H
/* Orders for qsort and bsearch. */
#include <stdint.h>

/* Of int64_t, the smallest first. */
static inline int order_int64(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}
#endif
