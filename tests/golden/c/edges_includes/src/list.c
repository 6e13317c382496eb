#include "list.h"

static int check(int n)
{
	return n < LIST_MAX;
}

int list_add(struct list *l, int value)
{
	return check(value) && l->visit(l->head);
}
