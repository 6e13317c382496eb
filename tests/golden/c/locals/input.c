struct list *find(struct list *l, const char *name, unsigned n)
{
	struct user *u = l->head, *last;
	user_t copy = *user_make(name);
	int i, found = count(l);
	struct list *(*next)(struct list *) = list_next;
	char buf[SIZE];

	for (struct user *v = u; v; v = v->next)
		v->touch(v);
	last = user_last(l);
	last->name = copy.name;
	struct item *it = (struct item *)l->data;
	it->go(&(struct point){ .x = i, .y = found });
	return next(l);
}
