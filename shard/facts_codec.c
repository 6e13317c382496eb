#include "shard/facts_codec.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/map.h"
#include "shard/facts.h"

/*
 * FORMAT  nstrings nbytes {string NUL}*  package  then for each list: n, then for each record: its fields, flags last.
 * A string is its place in the table + 1, 0 for NULL; a number is the zigzag difference to the record before it; the flags
 * of a record are the bits of one number.  A qualified name that is its parent's and its own, joined, is NULL.
 */
enum { FORMAT = 1, LONGEST_JOINED = 1 << 16 };

enum column_type {
	END, STR,
	NAME,		/* a string that is never NULL */
	NUM,		/* uint32_t; the others are int */
	COUNT,		/* or -1 */
	INDEX,		/* of a definition, or -1 */
	PARENT,		/* of one before it, or -1 */
	KIND,		/* an enum, below `most` */
	FLAG
};

struct column {
	enum column_type type;
	size_t off;
	int64_t most;
};

#define F(type, record, field) { type, offsetof(struct record, field), 0 }
#define E(record, field, n) { KIND, offsetof(struct record, field), n }

static const struct column definition_fields[] = {
	F(NAME, definition, name), F(STR, definition, qualified), F(NAME, definition, kind), F(STR, definition, type),
	F(STR, definition, value), F(NUM, definition, start_line), F(NUM, definition, end_line),
	F(NUM, definition, start_byte), F(NUM, definition, end_byte), F(PARENT, definition, parent),
	F(FLAG, definition, exported), F(FLAG, definition, test), { 0 }
};
static const struct column import_fields[] = {
	F(STR, import, module), F(STR, import, name), F(STR, import, alias), F(INDEX, import, definition),
	F(NUM, import, line), F(FLAG, import, again), F(FLAG, import, include), { 0 }
};
static const struct column reference_fields[] = {
	F(NAME, reference, name), F(STR, reference, receiver), E(reference, kind, REF_KINDS),
	F(INDEX, reference, definition), F(COUNT, reference, arguments), F(NUM, reference, line), { 0 }
};
static const struct column base_fields[] = {
	F(NAME, base, type), F(STR, base, owner), F(INDEX, base, definition), F(NUM, base, line),
	E(base, relation, BASE_EITHER + 1), { 0 }
};
static const struct column local_fields[] = {
	F(NAME, local, name), F(STR, local, type), F(STR, local, value), F(INDEX, local, definition), F(NUM, local, line),
	F(FLAG, local, parameter), { 0 }
};

/* All lists of facts that are encoded; each is `struct { T *v; size_t n; }`. */
struct array {
	void *v;
	size_t n;
};

static const struct list {
	size_t off, size;
	const struct column *fields;
} lists[] = {
#define L(list, record) { offsetof(struct facts, list), sizeof(struct record), record##_fields }
	L(definitions, definition), L(imports, import), L(references, reference), L(bases, base), L(locals, local),
};

/* ---- encoding ---- */

struct writer {
	struct buf *out, text;		/* the table's strings */
	struct map *strings;		/* -> place + 1 */
};

static void put_number(struct buf *b, uint64_t v)
{
	for (; v > 127; v >>= 7)
		buf_byte(b, (char)(v | 128));
	buf_byte(b, (char)v);
}

static void put_difference(struct buf *b, int64_t v)
{
	put_number(b, (uint64_t)v << 1 ^ (uint64_t)(v >> 63));
}

static void put_string(struct writer *w, struct buf *b, const char *s)
{
	void **at = s ? map_at(w->strings, s) : NULL;

	if (at && !*at) {
		*at = (void *)(uintptr_t)map_len(w->strings);
		buf_put(&w->text, s, strlen(s) + 1);
	}
	put_number(b, at ? (uintptr_t)*at : 0);
}

static int64_t number(enum column_type type, const void *at)
{
	return type == NUM ? (int64_t)*(const uint32_t *)at : (int64_t)*(const int *)at;
}

static void put_record(struct writer *w, struct buf *b, const struct column *f, const char *now, const char *before)
{
	uint64_t flags = 0, bit = 1;

	for (; f->type; f++)
		if (f->type == STR || f->type == NAME)
			put_string(w, b, *(const char *const *)(now + f->off));
		else if (f->type == FLAG)
			flags |= *(const bool *)(now + f->off) ? bit : 0, bit <<= 1;
		else
			put_difference(b, number(f->type, now + f->off) - (before ? number(f->type, before + f->off) : 0));
	if (bit > 1)
		put_number(b, flags);
}

static bool is_joined(const struct definition *d, const struct definition *all)
{
	const char *up = d->parent < 0 ? NULL : all[d->parent].qualified;
	size_t n = up ? strlen(up) : 0;

	if (!up)
		return d->parent < 0 && !strcmp(d->qualified, d->name);
	return n < LONGEST_JOINED && !strncmp(d->qualified, up, n) && d->qualified[n] == '.' && !strcmp(d->qualified + n + 1, d->name);
}

static void put_definitions(struct writer *w, struct buf *b, const struct definition *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct definition d = v[i];
		if (is_joined(&d, v))
			d.qualified = NULL;
		put_record(w, b, definition_fields, (const char *)&d, i ? (const char *)&v[i - 1] : NULL);
	}
}

void facts_encode(const struct facts *facts, struct buf *out)
{
	struct writer w = { .out = out, .strings = map_new() };
	struct buf b = { 0 };

	put_string(&w, &b, facts->package);
	for (size_t i = 0; i < LEN(lists); i++) {
		const struct array *s = (const void *)((const char *)facts + lists[i].off);
		put_number(&b, s->n);
		if (lists[i].fields == definition_fields)
			put_definitions(&w, &b, s->v, s->n);
		else
			for (size_t k = 0; k < s->n; k++) {
				const char *now = (const char *)s->v + k * lists[i].size;
				put_record(&w, &b, lists[i].fields, now, k ? now - lists[i].size : NULL);
			}
	}
	put_number(out, FORMAT);
	put_number(out, map_len(w.strings));
	put_number(out, w.text.n);
	buf_put(out, w.text.p, w.text.n);
	buf_put(out, b.p, b.n);
	buf_free(&b);
	buf_free(&w.text);
	map_free(w.strings);
}

/* ---- decoding: the bytes may be anything ---- */

struct input {
	const uint8_t *p, *end;
	const char **strings;
	size_t nstrings, ndefinitions;
	bool bad;
};

static uint64_t get_number(struct input *s)
{
	uint64_t v = 0;

	for (int shift = 0; s->p < s->end && shift < 64; shift += 7) {
		uint8_t byte = *s->p++;
		v |= (uint64_t)(byte & 127) << shift;
		if (!(byte & 128))
			return v;
	}
	s->bad = true;
	return 0;
}

/* A number that counts what takes at least a byte each. */
static size_t get_count(struct input *s)
{
	uint64_t n = get_number(s);

	if (n > (uint64_t)(s->end - s->p))
		s->bad = true;
	return s->bad ? 0 : (size_t)n;
}

static const char *get_string(struct input *s)
{
	uint64_t i = get_number(s);

	if (i > s->nstrings)
		s->bad = true;
	return s->bad || !i ? NULL : s->strings[i - 1];
}

/* `i` is the place of the record among those of its list. */
static bool fits(const struct input *s, const struct column *f, int64_t v, size_t i)
{
	switch (f->type) {
	case NUM: return v >= 0 && v <= UINT32_MAX;
	case KIND: return v >= 0 && v < f->most;
	case PARENT: return v >= -1 && v < (int64_t)i;
	case INDEX: return v >= -1 && v < (int64_t)s->ndefinitions;
	default: return v >= -1 && v <= INT32_MAX;
	}
}

static void get_value(struct input *s, const struct column *f, char *now, const char *before, size_t i)
{
	uint64_t u = get_number(s);
	int64_t old = before ? number(f->type, before + f->off) : 0;
	int64_t v = (int64_t)((uint64_t)old + (u >> 1 ^ (0 - (u & 1))));

	if (!fits(s, f, v, i))
		s->bad = true;
	else if (f->type == NUM)
		*(uint32_t *)(now + f->off) = (uint32_t)v;
	else
		*(int *)(now + f->off) = (int)v;
}

static void get_record(struct input *s, const struct column *fields, char *now, const char *before, size_t i)
{
	uint64_t flags = 0;
	bool any = false;

	for (const struct column *f = fields; f->type && !s->bad; f++) {
		const char *string;
		switch (f->type) {
		case STR: case NAME:
			*(const char **)(now + f->off) = string = get_string(s);
			s->bad |= f->type == NAME && !string;
			break;
		case FLAG:
			flags = any ? flags >> 1 : get_number(s);
			any = true;
			*(bool *)(now + f->off) = flags & 1;
			break;
		default:
			get_value(s, f, now, before, i);
		}
	}
}

static void get_list(struct input *s, const struct list *l, struct arena *a, struct array *out)
{
	size_t n = get_count(s);

	out->v = arena_get(a, n + 1, l->size);
	if (l->fields == definition_fields)
		s->ndefinitions = n;
	for (; out->n < n && !s->bad; out->n++) {
		char *now = (char *)out->v + out->n * l->size;
		get_record(s, l->fields, now, out->n ? now - l->size : NULL, out->n);
	}
}

static bool join(struct definition *v, size_t n, struct arena *a)
{
	for (size_t i = 0; i < n; i++) {
		if (v[i].qualified)
			continue;
		const char *up = v[i].parent < 0 ? NULL : v[v[i].parent].qualified;
		if (up && strlen(up) >= LONGEST_JOINED)
			return false;
		v[i].qualified = up ? arena_printf(a, "%s.%s", up, v[i].name) : v[i].name;
	}
	return true;
}

static void get_strings(struct input *s, struct arena *a)
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

int facts_decode(const void *bytes, size_t n, struct arena *a, struct facts *out, struct err *e)
{
	struct input s = { .p = bytes, .end = (const uint8_t *)bytes + n };

	*out = (struct facts){ 0 };
	s.bad = get_number(&s) != FORMAT;
	get_strings(&s, a);
	out->package = get_string(&s);
	for (size_t i = 0; i < LEN(lists) && !s.bad; i++)
		get_list(&s, &lists[i], a, (struct array *)(void *)((char *)out + lists[i].off));
	if (s.bad || s.p != s.end || !join(out->definitions.v, out->definitions.n, a)) {
		*out = (struct facts){ 0 };
		return err_set(e, ERR_DB_ERROR, "facts: the bytes are not what facts_encode makes");
	}
	return 0;
}
