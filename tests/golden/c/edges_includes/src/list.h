#ifndef LIST_H
#define LIST_H
#define LIST_MAX 10

struct list {
	struct node *head;
	int (*visit)(struct node *);
};

int list_add(struct list *l, int value);
#endif
