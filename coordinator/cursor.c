#include "coordinator/cursor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/crypto.h"
#include "proto/base/err.h"
#include "proto/codec.h"

enum { LIST_LEN = 16 };

const char *cursor_list(const struct record *in, const void *args, const char *more, struct arena *a)
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
	buf_str(&b, more ? more : "");
	crypto_sha256(b.p, b.n, hex);
	buf_free(&b);
	return arena_strn(a, hex, LIST_LEN);
}

const char *cursor_make(const char *list, size_t offset, size_t depth, struct arena *a)
{
	struct buf b = { 0 };
	const char *text = arena_printf(a, "%s:%zu:%zu", list, offset, depth);

	buf_base64(&b, text, strlen(text));
	const char *out = arena_strn(a, b.p, b.n);
	buf_free(&b);
	return out;
}

static int parse(const char *cursor, char list[LIST_LEN + 1], size_t *offset, size_t *depth)
{
	struct buf b = { 0 };
	int n = 0, used = 0, rc = -1;

	if (strlen(cursor) < 100 && !buf_unbase64(&b, cursor, strlen(cursor)) && b.n) {
		n = sscanf(b.p, "%16[0-9a-f]:%zu:%zu%n", list, offset, depth, &used);
		rc = n == 3 && (size_t)used == b.n && strlen(list) == LIST_LEN ? 0 : -1;
	}
	buf_free(&b);
	return rc;
}

size_t cursor_depth(const char *cursor)
{
	char list[LIST_LEN + 1];
	size_t offset, depth;

	return cursor && !parse(cursor, list, &offset, &depth) ? depth : 0;
}

int cursor_read(const char *cursor, const char *list, size_t *offset, struct err *e)
{
	char its[LIST_LEN + 1];
	size_t depth;

	*offset = 0;
	if (!cursor || !*cursor)
		return 0;
	if (!parse(cursor, its, offset, &depth) && !strcmp(its, list))
		return 0;
	err_set(e, ERR_INVALID_INPUT, "cursor expired, repeat the query");
	return err_hint(e, "Call again without `cursor`: the arguments or the indexes have changed.");
}
