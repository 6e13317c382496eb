struct list {
	struct list *next;
	int n;
};

#define LIST_EACH(l, x) for (struct list *x = (l); x; x = x->next)

int list_len(struct list *l);
static inline int list_twice(int n) { return 2 * n; }
