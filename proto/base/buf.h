#ifndef PROTO_BASE_BUF_H
#define PROTO_BASE_BUF_H
/* Growing bytes and growing arrays.  Out of memory aborts. */

#include <stddef.h>
#include <stdint.h>

#define LEN(a) (sizeof(a) / sizeof *(a))

/*
 * Zero-initialise.  `p` is NUL-terminated after every put, and may be NULL while nothing was put.
 */
struct buf {
	char *p;
	size_t n, cap;
};

void buf_put(struct buf *, const void *, size_t n);
void buf_str(struct buf *, const char *);
void buf_printf(struct buf *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void buf_u64(struct buf *, uint64_t);	/* in decimal */
void buf_free(struct buf *);		/* and zero it */

/*
 * A base64 encoding or decoding appended.  buf_unbase64 returns 0, or -1 at a byte that does not
 * belong.
 */
void buf_base64(struct buf *, const void *, size_t n);
int buf_unbase64(struct buf *, const char *, size_t n);

/* Make `v`, an array of `*cap` elements of `size` bytes, hold at least `need`; the new array. */
void *grow(void *v, size_t *cap, size_t need, size_t size);

static inline void buf_byte(struct buf *b, char c)
{
	if (b->n + 2 > b->cap)
		b->p = grow(b->p, &b->cap, b->n + 2, 1);
	b->p[b->n++] = c;
	b->p[b->n] = 0;
}
#endif
