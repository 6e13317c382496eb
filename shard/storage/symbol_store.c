#include "shard/storage/symbol_store_internal.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/deflate.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/db/db.h"
#include "proto/text/symbol_match.h"
#include "shard/base/kinds.h"
#include "shard/base/varint.h"

enum { EXPORTED = 1, TEST = 2, HAS_EXTRA = 4, SHIFT = 3 };			/* of the head */
enum { QUALIFIED = 1, ORDINAL = 2, NUMBER = 4, PLAIN = 8 };		/* what is more */
enum { NAME_PLACEHOLDER = 1, MAX_QUALIFIED_BYTES = 1 << 16, MAX_QUALIFIED_PARTS = 6000,
    MAX_DOC_BYTES = 64 << 20 };

static int damaged(int64_t file, struct err *e)
{
	return err_set(
	    e, ERR_DB_ERROR, "the index is damaged: definitions of file %lld", (long long)file);
}

/* ---- definitions ---- */

static bool is_joined(const struct stored_symbol *x, const struct stored_symbol *parent)
{
	size_t n = 0;

	if (parent)
		n = strlen(parent->qualified);
	if (!parent)
		return !strcmp(x->qualified, x->name);
	return n < MAX_QUALIFIED_BYTES && !strncmp(x->qualified, parent->qualified, n) &&
	    x->qualified[n] == '.' && !strcmp(x->qualified + n + 1, x->name);
}

static void put_string(struct buf *b, const char *s)
{
	buf_put(b, s, strlen(s) + 1);
}

/* A signature, with a mark instead of the name. */
static void put_signature(struct buf *b, const char *signature, const char *name, bool plain)
{
	const char *at = NULL;

	if (!plain && *name)
		at = strstr(signature, name);
	if (at) {
		buf_put(b, signature, (size_t)(at - signature));
		buf_byte(b, NAME_PLACEHOLDER);
		signature = at + strlen(name);
	}
	put_string(b, signature);
}

static void put_symbol(struct buf *b, const struct stored_symbols *s, size_t i)
{
	const struct stored_symbol *x = &s->v[i];
	const char *signature = x->signature ? x->signature : "";
	unsigned more = (is_joined(x, x->up < 0 ? NULL : &s->v[x->up]) ? 0 : QUALIFIED) |
	    (x->ordinal ? ORDINAL : 0) | (symbol_number(x->id) == (int64_t)i + 1 ? 0 : NUMBER) |
	    (strchr(signature, NAME_PLACEHOLDER) ? PLAIN : 0);

	put_string(b, x->name);
	varint_put(b,
	    (uint64_t)kind_of(x->kind) << SHIFT | (x->exported ? EXPORTED : 0) | (x->test ? TEST : 0) |
	        (more ? HAS_EXTRA : 0));
	if (more)
		varint_put(b, more);
	if (more & QUALIFIED)
		put_string(b, x->qualified);
	if (more & ORDINAL)
		varint_put(b, (uint64_t)x->ordinal);
	if (more & NUMBER)
		varint_put(b, (uint64_t)symbol_number(x->id));
	put_signature(b, signature, x->name, more & PLAIN);
	varint_put(b, x->up < 0 ? 0 : (uint64_t)((int64_t)i - x->up));
	varint_put_difference(b, x->end_byte - x->start_byte);
	varint_put_difference(b, x->end_line - x->start_line);
}

static int put_definitions(
    struct db *db, int64_t file, const struct stored_symbols *s, struct err *e)
{
	struct buf b = { 0 }, one = { 0 };
	int64_t byte = 0, line = 0;

	varint_put(&b, s->n);
	for (size_t i = 0; i < s->n; i++) {
		one.n = 0;
		put_symbol(&one, s, i);
		varint_put(&b, one.n);
		varint_put_difference(&b, s->v[i].start_byte - byte);
		varint_put_difference(&b, s->v[i].start_line - line);
		buf_put(&b, one.p, one.n);
		byte = s->v[i].start_byte;
		line = s->v[i].start_line;
	}
	int rc = db_run(
	    db, e, "insert or replace into definitions values (?, ?)", "ib", file, b.p, b.n);
	buf_free(&one);
	buf_free(&b);
	return rc;
}

static int put_docs(struct db *db, int64_t file, const struct stored_symbols *s, struct err *e)
{
	struct buf text = { 0 }, packed = { 0 };
	bool any = false;

	for (size_t i = 0; i < s->n; i++) {
		const struct stored_symbol *x = &s->v[i];
		any |= x->doc && *x->doc;
		put_string(&text, x->doc ? x->doc : "");
	}
	if (any)
		deflate_put(&packed, DEFLATE_FAST, text.p, text.n);
	int rc = 0;
	if (any)
		rc = db_run(
		    db, e, "insert or replace into told values (?, ?)", "ib", file, packed.p, packed.n);
	buf_free(&text);
	buf_free(&packed);
	return rc;
}

/* ---- writing ---- */

/* The definitions that the file has go; the look-up by name follows to those that it gets. */
static int replace(struct db *db, int64_t file, const struct symbol_names *is, struct err *e)
{
	struct arena *a = arena_new();
	struct stored_symbols old;
	struct symbol_names was = { 0 };
	int rc = symbols_read(db, file, a, &old, e);

	if (!rc)
		symbols_collect_names(file, &old, &was);
	if (rc || symbols_update_names(db, &was, is, false, e) ||
	    symbols_update_names(db, is, &was, true, e) ||
	    db_run(db, e, "delete from definitions where file = ?", "i", file) ||
	    db_run(db, e, "delete from told where file = ?", "i", file))
		rc = -1;
	else
		rc = 0;
	free(was.v);
	arena_free(a);
	return rc;
}

int symbols_put(
    struct db *db, int64_t file, const struct stored_symbols *s, struct buf *keys, struct err *e)
{
	struct symbol_names is = { 0 };
	int rc = 0;

	if (s->n >> SYMBOL_BITS)
		rc = err_set(e, ERR_DB_ERROR, "file %lld has too many definitions", (long long)file);
	symbols_collect_names(file, s, &is);
	if (keys)
		buf_put(keys, is.v, is.n * sizeof *is.v);
	else if (!rc)
		rc = replace(db, file, &is, e);
	if (!rc && s->n) {
		if (put_definitions(db, file, s, e) || put_docs(db, file, s, e))
			rc = -1;
		else
			rc = 0;
	}
	free(is.v);
	return rc;
}

/* ---- reading ---- */

struct symbol_blob_reader {
	const uint8_t *p, *end;
	bool bad;
};

static uint64_t take(struct symbol_blob_reader *in)
{
	uint64_t v = 0;

	in->bad |= !varint_take(&in->p, in->end, &v);
	return v;
}

/* Damaged bytes may overflow. */
static int64_t take_from(struct symbol_blob_reader *in, int64_t before)
{
	int64_t v = 0;

	in->bad |= !varint_take_difference(&in->p, in->end, &v);
	return (int64_t)((uint64_t)before + (uint64_t)v);
}

static const char *take_string(struct symbol_blob_reader *in)
{
	const char *s = (const char *)in->p;
	const uint8_t *nul = NULL;

	if (in->p < in->end)
		nul = memchr(in->p, 0, (size_t)(in->end - in->p));
	in->bad |= !nul;
	in->p = nul ? nul + 1 : in->end;
	return nul ? s : "";
}

static void find_records(struct symbol_blob_reader *in, struct packed_symbols *out)
{
	struct symbol_record at = { 0 };

	for (; out->n < out->most && !in->bad; out->n++) {
		uint64_t size = take(in);
		at.start_byte = take_from(in, at.start_byte);
		at.start_line = take_from(in, at.start_line);
		at.p = in->p;
		in->bad |= size > (uint64_t)(in->end - in->p);
		in->p += in->bad ? 0 : size;
		at.end = in->p;
		out->records[out->n] = at;
	}
}

int packed_symbols_read(struct db *db, int64_t file, size_t most, struct arena *a,
    struct packed_symbols *out, struct err *e)
{
	struct stmt *s = db_prep(db, "select data from definitions where file = ?", e);
	int rc = -1;

	if (s)
		rc = db_bind(s, "i", file);
	*out = (struct packed_symbols){ .file = file, .a = a };
	while (!rc && (rc = db_step(s, e)) == 1) {
		size_t n;
		const void *p = db_blob(s, 0, &n);
		/* its end is a NUL */
		const uint8_t *copy = memcpy(arena_get(a, n + 1, 1), p ? p : "", n);
		struct symbol_blob_reader in = { .p = copy, .end = copy + n };
		out->count = take(&in);
		if (in.bad || out->count > n)
			return damaged(file, e);
		out->most = MIN(most, out->count);
		out->records = arena_many(a, out->most + 1, struct symbol_record);
		out->v = arena_many(a, out->most + 1, struct stored_symbol *);
		find_records(&in, out);
		if (in.bad || (out->most == out->count && in.p != in.end))
			rc = damaged(file, e);
		else
			rc = 0;
	}
	return rc;
}

const char *packed_symbols_name(const struct packed_symbols *s, size_t i)
{
	return (const char *)s->records[i].p;
}

static const char *take_signature(
    struct symbol_blob_reader *in, const char *name, bool plain, struct arena *a)
{
	const char *s = take_string(in), *here = plain ? NULL : strchr(s, NAME_PLACEHOLDER);

	if (!*s || !here)
		return *s ? s : NULL;
	size_t n = (size_t)(here - s), m = strlen(name), rest = strlen(here + 1) + 1;
	char *out = arena_get(a, n + m + rest, 1);
	memcpy(out, s, n);
	memcpy(out + n, name, m);
	memcpy(out + n + m, here + 1, rest);
	return out;
}

/* The beginning of a record; what is more. */
static uint64_t take_head(struct symbol_blob_reader *in, const struct packed_symbols *s, size_t i,
    struct stored_symbol *x)
{
	*in = (struct symbol_blob_reader){ .p = s->records[i].p, .end = s->records[i].end };
	x->name = take_string(in);
	uint64_t head = take(in), more = head & HAS_EXTRA ? take(in) : 0;

	in->bad |= head >> SHIFT >= KINDS;
	if (in->bad)
		x->kind = "";
	else
		x->kind = kind_name((enum kind)(head >> SHIFT));
	x->exported = (head & EXPORTED) != 0;
	x->test = (head & TEST) != 0;
	if (more & QUALIFIED)
		x->qualified = take_string(in);
	else
		x->qualified = NULL;
	if (more & ORDINAL)
		x->ordinal = (int64_t)take(in);
	else
		x->ordinal = 0;
	x->id = symbol_id(s->file, more & NUMBER ? symbol_number((int64_t)take(in)) : (int64_t)i + 1);
	return more;
}

static bool take_symbol(struct packed_symbols *s, size_t i, struct stored_symbol *x)
{
	struct stored_symbol parent;
	struct symbol_blob_reader in, of_parent;
	uint64_t more = take_head(&in, s, i, x);

	x->signature = take_signature(&in, x->name, more & PLAIN, s->a);
	uint64_t up = take(&in);
	in.bad |= up > i;
	if (up && !in.bad)
		x->up = (int64_t)(i - up);
	else
		x->up = -1;
	if (x->up >= 0)
		take_head(&of_parent, s, (size_t)x->up, &parent);
	if (x->up < 0)
		x->parent = 0;
	else
		x->parent = parent.id;
	x->start_byte = s->records[i].start_byte;
	x->start_line = s->records[i].start_line;
	x->end_byte = take_from(&in, x->start_byte);
	x->end_line = take_from(&in, x->start_line);
	return !in.bad && in.p == in.end;
}

struct stored_symbol *packed_symbols_get(struct packed_symbols *s, size_t i, struct err *e)
{
	if (s->v[i])
		return s->v[i];
	struct stored_symbol *x = arena_one(s->a, struct stored_symbol);
	if (!take_symbol(s, i, x)) {
		damaged(s->file, e);
		return NULL;
	}
	return s->v[i] = x;
}

int packed_symbols_qualify(struct packed_symbols *s, size_t i, struct err *e)
{
	struct stored_symbol *x = packed_symbols_get(s, i, e), *p = x;
	const char *parts[MAX_QUALIFIED_PARTS];
	size_t n = 0, size = 0;

	while (x && !x->qualified && p && n < MAX_QUALIFIED_PARTS && size < MAX_QUALIFIED_BYTES) {
		if (p->qualified)
			parts[n] = p->qualified;
		else
			parts[n] = p->name;
		size += strlen(parts[n++]) + 1;
		if (p->qualified || p->up < 0)
			break;
		p = packed_symbols_get(s, (size_t)p->up, e);
	}
	if (!x || !p)
		return -1;
	if (!n)
		return 0;
	char *w = arena_get(s->a, size, 1);
	x->qualified = w;
	while (n--) {
		w = stpcpy(w, parts[n]);
		*w++ = n ? '.' : 0;
	}
	return 0;
}

int symbols_read(
    struct db *db, int64_t file, struct arena *a, struct stored_symbols *out, struct err *e)
{
	struct packed_symbols s;
	int rc = packed_symbols_read(db, file, SIZE_MAX, a, &s, e);

	*out = (struct stored_symbols){ arena_many(a, rc ? 0 : s.n, struct stored_symbol), 0 };
	for (size_t i = 0; !rc && i < s.n; i++) {
		rc = packed_symbols_qualify(&s, i, e);
		if (!rc)
			out->v[out->n++] = *s.v[i];
	}
	return rc;
}

int packed_symbols_load_docs(struct db *db, struct packed_symbols *out, struct err *e)
{
	struct stmt *s = db_prep(db, "select docs from told where file = ?", e);
	int rc = -1;

	if (s)
		rc = db_bind(s, "i", out->file);
	out->docs = arena_many(out->a, out->n + 1, const char *);
	while (!rc && (rc = db_step(s, e)) == 1) {
		size_t n;
		const void *p = db_blob(s, 0, &n);
		struct symbol_blob_reader in = { .p = deflate_get(p, n, MAX_DOC_BYTES, out->a, &n) };
		in.end = in.p ? in.p + n : NULL;
		for (size_t i = 0; i < out->n; i++) {
			out->docs[i] = take_string(&in);
			if (!*out->docs[i])
				out->docs[i] = NULL;
		}
		if (in.bad)
			rc = damaged(out->file, e);
		else
			rc = 0;
	}
	return rc;
}
