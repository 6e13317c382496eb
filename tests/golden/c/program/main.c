#include <stdio.h>
#include "lib/list.h"

static int grow(int n)
{
	return n - 1;
}

typedef int (*step)(int);

static int apply(step s, int n)
{
	return s(n);
}

int main(void)
{
	struct list l = { 0 };

	printf("%d\n", list_len(&l));
	return apply(grow, list_twice(l.n));
}
