#include "proto/base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/die.h"
#include "proto/base/minmax.h"

/* A first chunk with its header still fits in the thread cache of malloc. */
enum { FIRST = 1000, LARGEST = 1 << 20, ALIGN = alignof(max_align_t) };

struct arena_chunk {
	struct arena_chunk *next;
	size_t used, cap;
	alignas(max_align_t) char mem[];
};

struct arena {
	struct arena_chunk *head;
	size_t used;
	size_t bound;		/* 0 = no limit */
	const char *cut;	/* why the contents are incomplete, or NULL */
};

static struct arena_chunk *chunk_new(size_t cap)
{
	struct arena_chunk *c = xmalloc(sizeof *c + cap);

	*c = (struct arena_chunk){ .cap = cap };
	return c;
}

struct arena *arena_new(void)
{
	return xcalloc(1, sizeof(struct arena));
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

static size_t aligned(size_t n)
{
	return (n + ALIGN - 1) / ALIGN * ALIGN;
}

/* Takes `n` bytes, rounded up, from the first chunk, which must have room for them. */
static char *take(struct arena *a, size_t n)
{
	char *p = a->head->mem + a->head->used;

	n = aligned(n);
	a->head->used += n;
	a->used += n;
	return p;
}

/* Puts a chunk with room for at least `want` bytes in front of the others. */
static void add_chunk(struct arena *a, size_t want)
{
	size_t cap = FIRST;

	if (a->bound && a->used + want > a->bound)
		die("an arena outgrew its limit");
	if (a->head)
		cap = MIN(a->head->cap * 2, LARGEST);
	struct arena_chunk *c = chunk_new(MAX(cap, want));
	c->next = a->head;
	a->head = c;
}

void *arena_get(struct arena *a, size_t n, size_t size)
{
	if (size && n > SIZE_MAX / 2 / size)
		die("out of memory: an arena allocation exceeds the address space");
	size_t want = aligned(n * size);

	if (!a->head || a->head->cap - a->head->used < want)
		add_chunk(a, want);
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
	char *p = NULL;
	size_t room = 0;
	va_list ap, again;

	/* Format straight into the free part of the first chunk: most texts fit. */
	if (a->head) {
		p = a->head->mem + a->head->used;
		room = a->head->cap - a->head->used;
	}
	va_start(ap, fmt);
	va_copy(again, ap);
	int n = vsnprintf(p, room, fmt, ap);
	va_end(ap);
	size_t size = (size_t)MAX(n, 0) + 1;
	if (n >= 0 && aligned(size) <= room) {
		p = take(a, size);
	} else {
		p = arena_get(a, size, 1);
		if (n > 0)
			vsnprintf(p, size, fmt, again);
	}
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
