#include "coordinator/base/page_cursor.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/net/crypto.h"
#include "proto/record/codec.h"

enum { LIST_LEN = 16, LONGEST = 128 + CURSOR_NUMBERS * 28 };

const char *cursor_fingerprint(
    const struct record *in, const void *args, const char *more, struct arena *a)
{
	char hex[SHA256_HEX], *copy = arena_get(a, 1, in->size);
	struct buf b = { 0 };

	memcpy(copy, args, in->size);
	for (size_t i = 0; i < in->nfields; i++) {
		const struct field *f = &in->fields[i];
		if (f->type == T_str && !strcmp(f->name, "cursor"))
			*(t_str *)(copy + f->off) = NULL;
		if (f->type == T_u64 && !strcmp(f->name, "limit"))
			*(t_u64 *)(copy + f->off) = 0;
	}
	buf_str(&b, in->name);
	codec_put(in, copy, &b);
	if (more)
		buf_str(&b, more);
	crypto_sha256(b.p, b.n, hex);
	buf_free(&b);
	return arena_strn(a, hex, LIST_LEN);
}

const char *cursor_make_with_numbers(
    const char *list, size_t offset, size_t depth, const uint32_t *v, size_t n, struct arena *a)
{
	struct buf b = { 0 }, text = { 0 };

	buf_printf(&text, "%s:%zu:%zu", list, offset, depth);
	for (size_t i = 0, kept = 0; i < n && kept < CURSOR_NUMBERS; i++)
		if (v[i]) {
			buf_printf(&text, ":%zx.%x", i, v[i]);
			kept++;
		}
	buf_base64(&b, text.p, text.n);
	const char *out = arena_strn(a, b.p, b.n);
	buf_free(&text);
	buf_free(&b);
	return out;
}

const char *cursor_make(const char *list, size_t offset, size_t depth, struct arena *a)
{
	return cursor_make_with_numbers(list, offset, depth, NULL, 0, a);
}

/* Reads the numbers up to the end of the text; false if something else follows. */
static bool parse_numbers(const char *at, uint32_t *v, size_t n)
{
	while (*at) {
		size_t i;
		uint32_t x;
		int used;
		if (sscanf(at, ":%zx.%x%n", &i, &x, &used) != 2)
			return false;
		if (i < n)
			v[i] = x;
		at += used;
	}
	return true;
}

/* Decodes a cursor to text; false if it is not base64 or too long. */
static bool decode(const char *cursor, struct buf *b)
{
	size_t n = strlen(cursor);

	if (n >= LONGEST || buf_unbase64(b, cursor, n))
		return false;
	return b->n && strlen(b->p) == b->n;
}

static int parse(const char *cursor, char list[LIST_LEN + 1], size_t *offset, size_t *depth,
    uint32_t *v, size_t nv)
{
	struct buf b = { 0 };
	int used = 0, rc = -1;

	if (decode(cursor, &b)) {
		int n = sscanf(b.p, "%16[0-9a-f]:%zu:%zu%n", list, offset, depth, &used);
		if (n == 3 && strlen(list) == LIST_LEN && parse_numbers(b.p + used, v, nv))
			rc = 0;
	}
	buf_free(&b);
	return rc;
}

void cursor_numbers(const char *cursor, uint32_t *v, size_t n)
{
	char list[LIST_LEN + 1];
	size_t offset, depth;

	memset(v, 0, n * sizeof *v);
	if (cursor && parse(cursor, list, &offset, &depth, v, n))
		memset(v, 0, n * sizeof *v);
}

size_t cursor_depth(const char *cursor)
{
	char list[LIST_LEN + 1];
	size_t offset, depth;

	if (cursor && !parse(cursor, list, &offset, &depth, NULL, 0))
		return depth;
	return 0;
}

int cursor_read(const char *cursor, const char *list, size_t *offset, struct err *e)
{
	char its[LIST_LEN + 1];
	size_t depth;

	*offset = 0;
	if (!cursor || !*cursor)
		return 0;
	if (!parse(cursor, its, offset, &depth, NULL, 0) && !strcmp(its, list))
		return 0;
	err_set(e, ERR_INVALID_INPUT, "cursor expired, repeat the query");
	return err_hint(e, "Call again without `cursor`: the arguments or the indexes have changed.");
}
