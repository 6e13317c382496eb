#ifndef PROTO_BASE_BUF_H
#define PROTO_BASE_BUF_H
/* Growing strings and growing arrays.  They die when there is no memory. */

#include <stddef.h>
#include <stdint.h>

#define LEN(a) (sizeof(a) / sizeof *(a))

/*
 * Zero-initialise.  `p` is NUL-terminated after every append; it may be NULL before the first one.
 */
struct buf {
	char *p;
	size_t n, cap;
};

void buf_put(struct buf *, const void *, size_t n);
void buf_str(struct buf *, const char *);
void buf_printf(struct buf *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void buf_u64(struct buf *, uint64_t);	/* in decimal */
void buf_free(struct buf *);		/* also zeroes it */

/* Append the base64 encoding or decoding.  buf_unbase64 returns 0, or -1 for an invalid byte. */
void buf_base64(struct buf *, const void *, size_t n);
int buf_unbase64(struct buf *, const char *, size_t n);

/* Make room for `need` elements in `v`, an array of `*cap` elements of `size` bytes; the array. */
void *grow(void *v, size_t *cap, size_t need, size_t size);

static inline void buf_byte(struct buf *b, char c)
{
	if (b->n + 2 > b->cap)
		b->p = grow(b->p, &b->cap, b->n + 2, 1);
	b->p[b->n++] = c;
	b->p[b->n] = 0;
}
#endif
