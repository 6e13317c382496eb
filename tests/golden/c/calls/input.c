#include "store.h"

static int refresh(struct store *s, void (*done)(int))
{
	store_open(s, 1);
	s->ops->flush(s);
	(*s->hook)(s, LIMIT);
	done(0);
	s[0].users->next->count++;
	register_handler(on_close, &settings, sizeof(struct user));
	CHECK(s->size < MAX(1, 2));
	return cond ? first(s) : second();
}

int (*table_get(void))(int)
{
	return refresh_all;
}
