#include "shard/storage/symbol_store_internal.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/deflate.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/base/optional_text.h"
#include "proto/db/db.h"
#include "proto/text/symbol_match.h"
#include "shard/base/kinds.h"
#include "shard/base/varint.h"

enum { EXPORTED = 1, TEST = 2, HAS_EXTRA = 4, SHIFT = 3 };		/* flags of the head */
/* flags of the extra fields; PLAIN: the signature has no placeholder */
enum { QUALIFIED = 1, ORDINAL = 2, NUMBER = 4, PLAIN = 8 };
enum {
	NAME_PLACEHOLDER = 1,
	MAX_QUALIFIED_BYTES = 1 << 16,
	MAX_QUALIFIED_PARTS = 6000,
	MAX_DOC_BYTES = 64 << 20,
	PLAIN_MINORS_BYTES = 200,	/* fewer are not worth compressing */
	COMPRESSED = 0		/* as the first byte; a list that is stored is not empty */
};

const struct symbol_statements *symbols_statements(enum symbol_rank rank)
{
	static const struct symbol_statements of[] = {
		[SYMBOLS_MAJOR] = {
			.rest_bits = 20,
			.files = "select file from definitions order by file",
			.read = "select data from definitions where file = ?",
			.put = "insert or replace into definitions values (?, ?)",
			.remove = "delete from definitions where file = ?",
			.read_names = "select data from named where bucket = ?",
			.put_names = "insert or replace into named values (?, ?)",
			.remove_names = "delete from named where bucket = ?",
		},
		[SYMBOLS_MINOR] = {
			.rest_bits = 22,
			.files = "select file from minors order by file",
			.read = "select data from minors where file = ?",
			.put = "insert or replace into minors values (?, ?)",
			.remove = "delete from minors where file = ?",
			.read_names = "select data from minors_named where bucket = ?",
			.put_names = "insert or replace into minors_named values (?, ?)",
			.remove_names = "delete from minors_named where bucket = ?",
		},
	};

	return &of[rank];
}

static int damaged(int64_t file, struct err *e)
{
	return err_set(
	    e, ERR_DB_ERROR, "the index is damaged: definitions of file %lld", (long long)file);
}

/* ---- definitions ---- */

/* Whether the qualified name is its parent's and its own name, joined: then it is not stored. */
static bool is_joined(const struct stored_symbol *x, const struct stored_symbol *parent)
{
	if (!parent)
		return !strcmp(x->qualified, x->name);
	size_t n = strlen(parent->qualified);
	if (n >= MAX_QUALIFIED_BYTES || strncmp(x->qualified, parent->qualified, n))
		return false;
	return x->qualified[n] == '.' && !strcmp(x->qualified + n + 1, x->name);
}

static void put_string(struct buf *b, const char *s)
{
	buf_put(b, s, strlen(s) + 1);
}

/* A signature, with a placeholder for the name unless it is `plain`. */
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

static const struct stored_symbol *parent_of(
    const struct stored_symbols *s, const struct stored_symbol *x)
{
	if (x->up < 0)
		return NULL;
	return &s->v[x->up];
}

/* Which extra fields the definition at place `i` needs. */
static unsigned extra_fields(const struct stored_symbols *s, size_t i, const char *signature)
{
	const struct stored_symbol *x = &s->v[i];
	unsigned extra = 0;

	if (!is_joined(x, parent_of(s, x)))
		extra |= QUALIFIED;
	if (x->ordinal)
		extra |= ORDINAL;
	if (x->id && symbol_number(x->id) != (int64_t)i + 1)
		extra |= NUMBER;
	if (strchr(signature, NAME_PLACEHOLDER))
		extra |= PLAIN;
	return extra;
}

static void put_head(struct buf *b, const struct stored_symbol *x, unsigned extra)
{
	uint64_t head = (uint64_t)kind_of(x->kind) << SHIFT;

	if (x->exported)
		head |= EXPORTED;
	if (x->test)
		head |= TEST;
	if (extra)
		head |= HAS_EXTRA;
	varint_put(b, head);
	if (extra)
		varint_put(b, extra);
}

static void put_symbol(struct buf *b, const struct stored_symbols *s, size_t i)
{
	const struct stored_symbol *x = &s->v[i];
	const char *signature = text_or_empty(x->signature);
	unsigned extra = extra_fields(s, i, signature);
	uint64_t up = 0;

	put_string(b, x->name);
	put_head(b, x, extra);
	if (extra & QUALIFIED)
		put_string(b, x->qualified);
	if (extra & ORDINAL)
		varint_put(b, (uint64_t)x->ordinal);
	if (extra & NUMBER)
		varint_put(b, (uint64_t)symbol_number(x->id));
	put_signature(b, signature, x->name, extra & PLAIN);
	if (x->up >= 0)
		up = (uint64_t)((int64_t)i - x->up);
	varint_put(b, up);
	varint_put_difference(b, x->end_byte - x->start_byte);
	varint_put_difference(b, x->end_line - x->start_line);
}

/* Compresses the definitions, with a mark before them. */
static void compress(struct buf *b)
{
	struct buf packed = { 0 };

	buf_byte(&packed, COMPRESSED);
	deflate_put(&packed, DEFLATE_FAST, b->p, b->n);
	buf_free(b);
	*b = packed;
}

static int put_definitions(struct db *db, int64_t file, enum symbol_rank rank,
    const struct stored_symbols *s, struct err *e)
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
	if (rank == SYMBOLS_MINOR && b.n > PLAIN_MINORS_BYTES)
		compress(&b);
	int rc = db_run(db, e, symbols_statements(rank)->put, "ib", file, b.p, b.n);
	buf_free(&one);
	buf_free(&b);
	return rc;
}

static int put_docs(struct db *db, int64_t file, const struct stored_symbols *s, struct err *e)
{
	struct buf text = { 0 }, packed = { 0 };
	bool any = false;
	int rc = 0;

	for (size_t i = 0; i < s->n; i++) {
		const char *doc = text_or_empty(s->v[i].doc);
		any |= *doc != '\0';
		put_string(&text, doc);
	}
	if (any) {
		deflate_put(&packed, DEFLATE_FAST, text.p, text.n);
		rc = db_run(
		    db, e, "insert or replace into told values (?, ?)", "ib", file, packed.p, packed.n);
	}
	buf_free(&text);
	buf_free(&packed);
	return rc;
}

/* ---- writing ---- */

static int read_all(struct db *db, int64_t file, enum symbol_rank rank, struct arena *a,
    struct stored_symbols *out, struct err *e);

static int delete_rows(struct db *db, int64_t file, enum symbol_rank rank, struct err *e)
{
	int rc = db_run(db, e, symbols_statements(rank)->remove, "i", file);

	if (rc || rank == SYMBOLS_MINOR)
		return rc;
	return db_run(db, e, "delete from told where file = ?", "i", file);
}

/* Delete the definitions of the file, and change the names that find it to `new`. */
static int replace(struct db *db, int64_t file, enum symbol_rank rank,
    const struct symbol_names *new, struct err *e)
{
	struct arena *a = arena_new();
	struct stored_symbols symbols;
	struct symbol_names old = { 0 };
	int rc = read_all(db, file, rank, a, &symbols, e);

	if (!rc) {
		symbols_collect_names(file, &symbols, &old);
		rc = symbols_update_names(db, rank, &old, new, false, e);
	}
	if (!rc)
		rc = symbols_update_names(db, rank, new, &old, true, e);
	if (!rc)
		rc = delete_rows(db, file, rank, e);
	free(old.v);
	arena_free(a);
	return rc;
}

int symbols_put(struct db *db, int64_t file, enum symbol_rank rank, const struct stored_symbols *s,
    struct buf *keys, struct err *e)
{
	struct symbol_names names = { 0 };
	int rc = 0;

	if (s->n >= SYMBOL_MINOR)
		rc = err_set(e, ERR_DB_ERROR, "file %lld has too many definitions", (long long)file);
	symbols_collect_names(file, s, &names);
	if (keys)
		buf_put(keys, names.v, names.n * sizeof *names.v);
	else if (!rc)
		rc = replace(db, file, rank, &names, e);
	if (!rc && s->n)
		rc = put_definitions(db, file, rank, s, e);
	if (!rc && s->n && rank == SYMBOLS_MAJOR)
		rc = put_docs(db, file, s, e);
	free(names.v);
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

/* Add the next difference to `before`, without undefined behaviour if damaged bytes overflow. */
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
	if (!nul) {
		in->bad = true;
		in->p = in->end;
		return "";
	}
	in->p = nul + 1;
	return s;
}

static void find_records(struct symbol_blob_reader *in, struct packed_symbols *out)
{
	struct symbol_record at = { 0 };

	for (; out->n < out->max && !in->bad; out->n++) {
		uint64_t size = take(in);
		at.start_byte = take_from(in, at.start_byte);
		at.start_line = take_from(in, at.start_line);
		at.p = in->p;
		in->bad |= size > (uint64_t)(in->end - in->p);
		if (!in->bad)
			in->p += size;
		at.end = in->p;
		out->records[out->n] = at;
	}
}

/* Find the records of a blob, of which the arena gets a copy. */
static int read_blob(const void *p, size_t n, size_t max, struct packed_symbols *out, struct err *e)
{
	bool is_packed = n > 1 && *(const uint8_t *)p == COMPRESSED;

	if (is_packed)
		p = deflate_get((const uint8_t *)p + 1, n - 1, MAX_DOC_BYTES, out->a, &n);
	if (is_packed && !p)
		return damaged(out->file, e);
	uint8_t *copy = arena_get(out->a, n + 1, 1);	/* ends with a NUL */
	struct symbol_blob_reader in = { .p = copy, .end = copy + n };
	if (n)
		memcpy(copy, p, n);
	out->count = take(&in);
	if (in.bad || out->count > n)
		return damaged(out->file, e);
	out->max = MIN(max, out->count);
	out->records = arena_many(out->a, out->max + 1, struct symbol_record);
	out->v = arena_many(out->a, out->max + 1, struct stored_symbol *);
	find_records(&in, out);
	if (in.bad || (out->max == out->count && in.p != in.end))
		return damaged(out->file, e);
	return 0;
}

int packed_symbols_read(struct db *db, int64_t file, enum symbol_rank rank, size_t max,
    struct arena *a, struct packed_symbols *out, struct err *e)
{
	struct stmt *s = db_prep(db, symbols_statements(rank)->read, e);

	*out = (struct packed_symbols){ .file = file, .rank = rank, .a = a };
	if (!s || db_bind(s, "i", file))
		return -1;
	for (;;) {
		int rc = db_step(s, e);
		if (rc != 1)
			return rc;
		size_t n;
		const void *p = db_blob(s, 0, &n);
		if (read_blob(p, n, max, out, e))
			return -1;
	}
}

const char *packed_symbols_name(const struct packed_symbols *s, size_t i)
{
	return (const char *)s->records[i].p;
}

static const char *take_signature(
    struct symbol_blob_reader *in, const char *name, bool plain, struct arena *a)
{
	const char *s = take_string(in), *here = NULL;

	if (!*s)
		return NULL;
	if (!plain)
		here = strchr(s, NAME_PLACEHOLDER);
	if (!here)
		return s;
	size_t n = (size_t)(here - s), m = strlen(name), rest = strlen(here + 1) + 1;
	char *out = arena_get(a, n + m + rest, 1);
	memcpy(out, s, n);
	memcpy(out + n, name, m);
	memcpy(out + n + m, here + 1, rest);
	return out;
}

/* Read the beginning of a record, up to its signature; returns the flags of the extra fields. */
static uint64_t take_head(struct symbol_blob_reader *in, const struct packed_symbols *s, size_t i,
    struct stored_symbol *x)
{
	int64_t number = (int64_t)i + 1;
	uint64_t extra = 0;

	*in = (struct symbol_blob_reader){ .p = s->records[i].p, .end = s->records[i].end };
	x->name = take_string(in);
	uint64_t head = take(in);
	if (head & HAS_EXTRA)
		extra = take(in);
	in->bad |= head >> SHIFT >= KINDS;
	x->kind = "";
	if (!in->bad)
		x->kind = kind_name((enum kind)(head >> SHIFT));
	x->exported = (head & EXPORTED) != 0;
	x->test = (head & TEST) != 0;
	x->qualified = NULL;
	if (extra & QUALIFIED)
		x->qualified = take_string(in);
	x->ordinal = 0;
	if (extra & ORDINAL)
		x->ordinal = (int64_t)take(in);
	if (extra & NUMBER)
		number = symbol_number((int64_t)take(in));
	if (s->rank == SYMBOLS_MINOR)
		number |= SYMBOL_MINOR;
	x->id = symbol_id(s->file, number);
	return extra;
}

/* Set the place and the id of the parent, which is `up` places before the definition at `i`. */
static void take_parent(
    const struct packed_symbols *s, size_t i, uint64_t up, struct stored_symbol *x)
{
	struct symbol_blob_reader in;
	struct stored_symbol parent;

	x->up = -1;
	x->parent = 0;
	if (!up)
		return;
	x->up = (int64_t)(i - up);
	take_head(&in, s, (size_t)x->up, &parent);
	x->parent = parent.id;
}

static bool take_symbol(struct packed_symbols *s, size_t i, struct stored_symbol *x)
{
	struct symbol_blob_reader in;
	uint64_t extra = take_head(&in, s, i, x);

	x->signature = take_signature(&in, x->name, extra & PLAIN, s->a);
	uint64_t up = take(&in);
	if (in.bad || up > i)
		return false;
	take_parent(s, i, up, x);
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

	if (!x)
		return -1;
	if (x->qualified)
		return 0;
	while (n < MAX_QUALIFIED_PARTS && size < MAX_QUALIFIED_BYTES) {
		parts[n] = p->name;
		if (p->qualified)
			parts[n] = p->qualified;
		size += strlen(parts[n++]) + 1;
		if (p->qualified || p->up < 0)
			break;
		p = packed_symbols_get(s, (size_t)p->up, e);
		if (!p)
			return -1;
	}
	char *w = arena_get(s->a, size, 1);
	x->qualified = w;
	while (n--) {
		w = stpcpy(w, parts[n]);
		*w++ = '.';
	}
	w[-1] = '\0';
	return 0;
}

static int read_all(struct db *db, int64_t file, enum symbol_rank rank, struct arena *a,
    struct stored_symbols *out, struct err *e)
{
	struct packed_symbols s;

	*out = (struct stored_symbols){ 0 };
	if (packed_symbols_read(db, file, rank, SIZE_MAX, a, &s, e))
		return -1;
	out->v = arena_many(a, s.n, struct stored_symbol);
	for (size_t i = 0; i < s.n; i++) {
		if (packed_symbols_qualify(&s, i, e))
			return -1;
		out->v[out->n++] = *s.v[i];
	}
	return 0;
}

int symbols_read(
    struct db *db, int64_t file, struct arena *a, struct stored_symbols *out, struct err *e)
{
	return read_all(db, file, SYMBOLS_MAJOR, a, out, e);
}

/* Read the docs of a row; false if it is damaged. */
static bool take_docs(const void *p, size_t n, struct packed_symbols *out)
{
	struct symbol_blob_reader in = { .p = deflate_get(p, n, MAX_DOC_BYTES, out->a, &n) };

	if (in.p)
		in.end = in.p + n;
	for (size_t i = 0; i < out->n; i++) {
		out->docs[i] = take_string(&in);
		if (!*out->docs[i])
			out->docs[i] = NULL;
	}
	return !in.bad;
}

int packed_symbols_load_docs(struct db *db, struct packed_symbols *out, struct err *e)
{
	struct stmt *s = db_prep(db, "select docs from told where file = ?", e);

	out->docs = arena_many(out->a, out->n + 1, const char *);
	if (!s || db_bind(s, "i", out->file))
		return -1;
	for (;;) {
		int rc = db_step(s, e);
		if (rc != 1)
			return rc;
		size_t n;
		const void *p = db_blob(s, 0, &n);
		if (!take_docs(p, n, out))
			return damaged(out->file, e);
	}
}
