#include "coordinator/calls/list_pages.h"

#include "coordinator/base/page_cursor.h"
#include "coordinator/members/members.h"
#include "proto/base/arena.h"
#include "proto/base/minmax.h"

enum { LONGEST_MS = 30000, DOUBLINGS_MAX = 16 };

/* The numbers of a cursor: the index that the first page was read from, then the starts. */
enum { NUMBERS = PAGED_LISTS + 1 };

struct list_pages *list_pages_open(struct call *c, const char *cursor, struct member *m)
{
	struct list_pages *p = arena_one(c->a, struct list_pages);

	p->cursor = cursor;
	p->member = m;
	if (!cursor || !*cursor)
		return p;
	cursor_numbers(cursor, p->starts, NUMBERS);
	p->doublings = MIN(cursor_depth(cursor), DOUBLINGS_MAX);
	c->continues_list = true;
	if (p->starts[0])
		call_pin(c, m, p->starts[0]);
	return p;
}

static int64_t limit_ms(int64_t ms, size_t doublings)
{
	return MIN(ms << doublings, MAX(ms, LONGEST_MS));
}

int list_pages_ms(const struct list_pages *p, int64_t ms)
{
	return (int)limit_ms(ms, p->doublings);
}

void list_pages_starts(struct call *c, const struct list_pages *p, struct list_start **v, size_t *n)
{
	*v = arena_many(c->a, PAGED_LISTS, struct list_start);
	*n = 0;
	for (uint32_t i = 1; i <= PAGED_LISTS; i++)
		if (p->starts[i])
			(*v)[(*n)++] = (struct list_start){ i, p->starts[i] };
}

static const char *list_of(
    struct call *c, const struct list_pages *p, const struct freshness *stamp)
{
	const char *index = p->member->repo_uri;

	if (stamp)
		index = arena_printf(c->a, "%s %s", index, stamp->graph_hash);
	return cursor_fingerprint(c->tool->in, c->in, index, c->a);
}

int list_pages_check(struct call *c, const struct list_pages *p, const struct freshness *stamp)
{
	size_t offset;

	return cursor_read(p->cursor, list_of(c, p, stamp), &offset, &c->e);
}

const char *list_pages_next(struct call *c, const struct list_pages *p,
    const struct freshness *stamp, bool more, bool stopped, int64_t ms)
{
	uint32_t numbers[NUMBERS];
	size_t doublings = p->doublings;

	if (stopped && limit_ms(ms, doublings + 1) > limit_ms(ms, doublings))
		doublings++;
	if (!more && doublings == p->doublings)
		return NULL;
	for (size_t i = 0; i < NUMBERS; i++)
		numbers[i] = p->starts[i];
	numbers[0] = call_pinned(c, p->member);
	return cursor_make_with_numbers(list_of(c, p, stamp), 0, doublings, numbers, NUMBERS, c->a);
}
