#include "shard/facts/facts_codec.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/deflate.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/map.h"
#include "shard/base/varint.h"
#include "shard/facts/facts.h"

/*
 * The format, compressed by deflate.h: FORMAT  nstrings nbytes {string NUL}*  package, then for
 * each list: its length, then column by column the field of all records.  A string is its index in
 * the table + 1, or 0 for NULL; a number is the zigzag difference to the previous record; a flag
 * is 0 or 1.  A qualified name that is the parent's qualified name, a dot and the name is stored
 * as NULL.
 */
enum { FORMAT = 2, MAX_JOINED_BYTES = 1 << 16, MAX_BYTES = 256 << 20 };

enum codec_column_type {
	END, STR,
	NAME,		/* a string that is never NULL */
	NUM,		/* uint32_t; the following ones are int */
	COUNT,		/* a count, or -1 */
	INDEX,		/* index of a definition, or -1 */
	PARENT,		/* index of an earlier definition, or -1 */
	KIND,		/* an enum, below `limit` */
	FLAG
};

struct codec_column {
	enum codec_column_type type;
	size_t off;
	int64_t limit;
};

#define F(type, record, field) { type, offsetof(struct record, field), 0 }
#define E(record, field, n) { KIND, offsetof(struct record, field), n }

static const struct codec_column definition_fields[] = { F(NAME, definition, name),
	F(STR, definition, qualified), F(NAME, definition, kind), F(STR, definition, type),
	F(STR, definition, value), F(NUM, definition, start_line), F(NUM, definition, end_line),
	F(NUM, definition, start_byte), F(NUM, definition, end_byte), F(PARENT, definition, parent),
	F(FLAG, definition, exported), F(FLAG, definition, test), { 0 } };
static const struct codec_column import_fields[] = { F(STR, import, module), F(STR, import, name),
	F(STR, import, alias), F(INDEX, import, definition), F(NUM, import, line),
	F(FLAG, import, again), F(FLAG, import, include), { 0 } };
static const struct codec_column reference_fields[] = {
	F(NAME, reference, name), F(STR, reference, receiver), E(reference, kind, REF_KINDS),
	F(INDEX, reference, definition), F(COUNT, reference, arguments), F(NUM, reference, line), { 0 }
};
static const struct codec_column base_type_fields[] = { F(NAME, base_type, type),
	F(STR, base_type, owner), F(INDEX, base_type, definition), F(NUM, base_type, line),
	E(base_type, relation, BASE_EITHER + 1), { 0 } };
static const struct codec_column local_fields[] = { F(NAME, local, name), F(STR, local, type),
	F(STR, local, value), F(INDEX, local, definition), F(NUM, local, line),
	F(FLAG, local, parameter), { 0 } };

/* The layout of every list in struct facts: `struct { T *v; size_t n; }`. */
struct record_array {
	void *v;
	size_t n;
};

static const struct encoded_list {
	size_t off, size;
	const struct codec_column *fields;
} lists[] = {
#define L(list, record) { offsetof(struct facts, list), sizeof(struct record), record##_fields }
	L(definitions, definition),
	L(imports, import),
	L(references, reference),
	L(bases, base_type),
	L(locals, local),
};

/* ---- encoding ---- */

struct facts_writer {
	struct buf text;		/* the strings of the table */
	struct map *strings;		/* string -> index + 1 */
};

static void put_string(struct facts_writer *w, struct buf *b, const char *s)
{
	if (!s) {
		varint_put(b, 0);
		return;
	}
	void **at = map_at(w->strings, s);
	if (!*at) {
		*at = (void *)(uintptr_t)map_len(w->strings);
		buf_put(&w->text, s, strlen(s) + 1);
	}
	varint_put(b, (uintptr_t)*at);
}

static int64_t number(enum codec_column_type type, const void *at)
{
	if (type == NUM)
		return (int64_t)*(const uint32_t *)at;
	return (int64_t)*(const int *)at;
}

/* Write one field of all records of a list. */
static void put_field(struct facts_writer *w, struct buf *b, const struct codec_column *f,
    const struct record_array *list, size_t size)
{
	const char *now = list->v;
	int64_t before = 0;

	for (size_t i = 0; i < list->n; i++, now += size) {
		if (f->type == STR || f->type == NAME) {
			put_string(w, b, *(const char *const *)(now + f->off));
		} else if (f->type == FLAG) {
			buf_byte(b, *(const bool *)(now + f->off));
		} else {
			int64_t v = number(f->type, now + f->off);
			varint_put_difference(b, v - before);
			before = v;
		}
	}
}

/* Whether the qualified name can be restored from the parent's and the name. */
static bool is_default_qualified(const struct definition *d, const struct definition *all)
{
	if (d->parent < 0)
		return !strcmp(d->qualified, d->name);
	const char *up = all[d->parent].qualified;
	if (!up)
		return false;
	size_t n = strlen(up);
	if (n >= MAX_JOINED_BYTES || strncmp(d->qualified, up, n))
		return false;
	return d->qualified[n] == '.' && !strcmp(d->qualified + n + 1, d->name);
}

/* A copy of the definitions without the qualified names that can be restored.  Free it. */
static struct definition *without_default_qualified(const struct definition *v, size_t n)
{
	struct definition *out = xmalloc((n + 1) * sizeof *out);

	for (size_t i = 0; i < n; i++) {
		out[i] = v[i];
		if (is_default_qualified(&v[i], v))
			out[i].qualified = NULL;
	}
	return out;
}

void facts_encode_plain(const struct facts *facts, struct buf *out)
{
	struct definition *definitions = without_default_qualified(
	    facts->definitions.v, facts->definitions.n);
	struct facts_writer w = { .strings = map_new() };
	struct buf b = { 0 };

	put_string(&w, &b, facts->package);
	for (size_t i = 0; i < LEN(lists); i++) {
		const void *list = (const char *)facts + lists[i].off;
		struct record_array s = *(const struct record_array *)list;
		if (lists[i].fields == definition_fields)
			s.v = definitions;
		varint_put(&b, s.n);
		for (const struct codec_column *f = lists[i].fields; f->type; f++)
			put_field(&w, &b, f, &s, lists[i].size);
	}
	varint_put(out, FORMAT);
	varint_put(out, map_len(w.strings));
	varint_put(out, w.text.n);
	buf_put(out, w.text.p, w.text.n);
	buf_put(out, b.p, b.n);
	buf_free(&b);
	buf_free(&w.text);
	map_free(w.strings);
	free(definitions);
}

void facts_encode(const struct facts *facts, struct buf *out)
{
	struct buf plain = { 0 };

	facts_encode_plain(facts, &plain);
	deflate_put(out, DEFLATE_SMALL, plain.p, plain.n);
	buf_free(&plain);
}

/* ---- decoding: the bytes may be anything ---- */

struct facts_input {
	const uint8_t *p, *end;
	const char **strings;
	size_t nstrings, ndefinitions;
	bool bad;
};

static uint64_t get_number(struct facts_input *s)
{
	uint64_t v = 0;

	s->bad |= !varint_take(&s->p, s->end, &v);
	return v;
}

/* A number of items that take at least a byte each, so it cannot exceed the rest of the input. */
static size_t get_count(struct facts_input *s)
{
	uint64_t n = get_number(s);

	if (n > (uint64_t)(s->end - s->p))
		s->bad = true;
	return s->bad ? 0 : (size_t)n;
}

static const char *get_string(struct facts_input *s)
{
	uint64_t i = get_number(s);

	if (i > s->nstrings)
		s->bad = true;
	if (s->bad || !i)
		return NULL;
	return s->strings[i - 1];
}

/* Whether a number is valid in a column; `i` is the index of the record in its list. */
static bool fits(const struct facts_input *s, const struct codec_column *f, int64_t v, size_t i)
{
	switch (f->type) {
	case NUM: return v >= 0 && v <= UINT32_MAX;
	case KIND: return v >= 0 && v < f->limit;
	case PARENT: return v >= -1 && v < (int64_t)i;
	case INDEX: return v >= -1 && v < (int64_t)s->ndefinitions;
	default: return v >= -1 && v <= INT32_MAX;
	}
}

static void get_value(
    struct facts_input *s, const struct codec_column *f, char *at, int64_t *before, size_t i)
{
	uint64_t u = get_number(s);
	int64_t v = *before = (int64_t)((uint64_t)*before + (u >> 1 ^ (0 - (u & 1))));

	if (!fits(s, f, v, i))
		s->bad = true;
	else if (f->type == NUM)
		*(uint32_t *)(void *)at = (uint32_t)v;
	else
		*(int *)(void *)at = (int)v;
}

static void get_field(struct facts_input *s, const struct codec_column *f,
    const struct record_array *list, size_t size)
{
	char *at = (char *)list->v + f->off;
	int64_t before = 0;

	for (size_t i = 0; i < list->n && !s->bad; i++, at += size) {
		if (f->type == STR || f->type == NAME) {
			const char *text = get_string(s);
			*(const char **)(void *)at = text;
			s->bad |= f->type == NAME && !text;
		} else if (f->type == FLAG) {
			*(bool *)at = get_number(s) & 1;
		} else {
			get_value(s, f, at, &before, i);
		}
	}
}

static void get_list(
    struct facts_input *s, const struct encoded_list *l, struct arena *a, struct record_array *out)
{
	out->n = get_count(s);
	out->v = arena_get(a, out->n + 1, l->size);
	if (l->fields == definition_fields)
		s->ndefinitions = out->n;
	for (const struct codec_column *f = l->fields; f->type; f++)
		get_field(s, f, out, l->size);
}

static bool restore_qualified_names(struct definition *v, size_t n, struct arena *a)
{
	for (size_t i = 0; i < n; i++) {
		if (v[i].qualified)
			continue;
		const char *up = NULL;
		if (v[i].parent >= 0)
			up = v[v[i].parent].qualified;
		if (up && strlen(up) >= MAX_JOINED_BYTES)
			return false;
		if (up)
			v[i].qualified = arena_join_dotted(a, up, v[i].name);
		else
			v[i].qualified = v[i].name;
	}
	return true;
}

static void get_strings(struct facts_input *s, struct arena *a)
{
	size_t n = get_count(s), bytes = get_count(s);
	const char *p = (const char *)s->p, *end = p + bytes;

	if (s->bad || n > bytes || (bytes && end[-1])) {
		s->bad = true;
		return;
	}
	s->strings = arena_many(a, n + 1, const char *);
	for (; s->nstrings < n && p < end; p += strlen(p) + 1)
		s->strings[s->nstrings++] = p;
	s->bad |= p != end || s->nstrings != n;
	s->p += bytes;
}

int facts_decode_plain(
    const void *bytes, size_t n, struct arena *a, struct facts *out, struct err *e)
{
	struct facts_input s = { .p = bytes };

	*out = (struct facts){ 0 };
	s.end = s.p + n;
	s.bad = !s.p || get_number(&s) != FORMAT;
	if (!s.bad)
		get_strings(&s, a);
	if (!s.bad)
		out->package = get_string(&s);
	for (size_t i = 0; i < LEN(lists) && !s.bad; i++) {
		void *list = (char *)out + lists[i].off;
		get_list(&s, &lists[i], a, list);
	}
	if (s.p != s.end)
		s.bad = true;
	if (s.bad || !restore_qualified_names(out->definitions.v, out->definitions.n, a)) {
		*out = (struct facts){ 0 };
		return err_set(e, ERR_DB_ERROR, "facts: the stored bytes are damaged");
	}
	return 0;
}

int facts_decode(const void *packed, size_t n, struct arena *a, struct facts *out, struct err *e)
{
	size_t size = 0;
	const void *plain = deflate_get(packed, n, MAX_BYTES, a, &size);

	return facts_decode_plain(plain, size, a, out, e);
}
