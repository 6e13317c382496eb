#include <stdio.h>
#include "list.h"

static int check(int n)
{
	return n;
}

int main(void)
{
	struct list l = { 0 };

	printf("%d\n", list_add(&l, check(LIST_MAX)));
	return 0;
}
