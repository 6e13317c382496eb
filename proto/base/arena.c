#include "proto/base/arena.h"
#include "proto/base/die.h"

#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* FIRST with its head is what malloc has at hand in each thread. */
enum { FIRST = 1000, LARGEST = 1 << 20, ALIGN = alignof(max_align_t) };

struct arena_chunk {
	struct arena_chunk *next;
	size_t used, cap;
	alignas(max_align_t) char mem[];
};

struct arena {
	struct arena_chunk *head;
	size_t used, bound;	/* 0: without bound */
	const char *cut;
};

static struct arena_chunk *chunk_new(size_t cap)
{
	struct arena_chunk *c = xmalloc(sizeof *c + cap);

	*c = (struct arena_chunk){ .cap = cap };
	return c;
}

struct arena *arena_new(void)
{
	struct arena *a = xcalloc(1, sizeof *a);

	return a;
}

static void chunks_free(struct arena_chunk *c)
{
	for (struct arena_chunk *next; c; c = next) {
		next = c->next;
		free(c);
	}
}

void arena_free(struct arena *a)
{
	if (a)
		chunks_free(a->head);
	free(a);
}

void arena_reset(struct arena *a)
{
	a->used = a->bound = 0;
	a->cut = NULL;
	if (!a->head)
		return;
	chunks_free(a->head->next);
	a->head->next = NULL;
	a->head->used = 0;
}

/* The next bytes of the first chunk, which has them. */
static char *take(struct arena *a, size_t n)
{
	char *p = a->head->mem + a->head->used;

	n = (n + ALIGN - 1) / ALIGN * ALIGN;
	a->head->used += n;
	a->used += n;
	return p;
}

void *arena_get(struct arena *a, size_t n, size_t size)
{
	if (size && n > SIZE_MAX / 2 / size)
		die("out of memory: an arena is asked for more than addresses can name");
	size_t want = (n * size + ALIGN - 1) / ALIGN * ALIGN;

	if (!a->head || a->head->cap - a->head->used < want) {
		size_t cap = a->head ? a->head->cap * 2 : FIRST;
		if (cap > LARGEST)
			cap = LARGEST;
		if (a->bound && a->used + want > a->bound)
			die("an arena outgrew its limit");
		struct arena_chunk *c = chunk_new(cap > want ? cap : want);
		c->next = a->head;
		a->head = c;
	}
	return memset(take(a, want), 0, want);
}

char *arena_strn(struct arena *a, const char *s, size_t n)
{
	char *p = arena_get(a, n + 1, 1);

	if (n)
		memcpy(p, s, n);
	return p;
}

char *arena_str(struct arena *a, const char *s)
{
	if (s)
		return arena_strn(a, s, strlen(s));
	return NULL;
}

char *arena_join_dotted(struct arena *a, const char *x, const char *y)
{
	size_t n = strlen(x), m = strlen(y);
	char *s = arena_get(a, n + m + 2, 1);

	memcpy(s, x, n);
	s[n] = '.';
	memcpy(s + n + 1, y, m);
	return s;
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	/* most texts fit: formatted once */
	size_t room = 0;
	if (a->head)
		room = a->head->cap - a->head->used;
	va_list ap, again;

	va_start(ap, fmt);
	va_copy(again, ap);
	int n = vsnprintf(room ? a->head->mem + a->head->used : NULL, room, fmt, ap);
	va_end(ap);
	size_t size = (size_t)(n < 0 ? 0 : n) + 1;
	bool fits = n >= 0 && (size + ALIGN - 1) / ALIGN * ALIGN <= room;
	char *p = fits ? take(a, size) : arena_get(a, size, 1);
	if (!fits && n > 0)
		vsnprintf(p, size, fmt, again);
	va_end(again);
	return p;
}

size_t arena_used(const struct arena *a)
{
	return a->used;
}

void arena_set_truncated(struct arena *a, const char *why)
{
	if (!a->cut)
		a->cut = why;
}

const char *arena_truncation_reason(const struct arena *a)
{
	return a->cut;
}

void arena_set_limit(struct arena *a, size_t bytes)
{
	a->bound = bytes;
}
