#include "list.h"

static int grow(int n)
{
	return n + 1;
}

int list_len(struct list *l)
{
	int n = 0;
	LIST_EACH(l, x)
		n = grow(n);
	return n;
}
