#include "proto/record/codec.h"

#include <msgpack.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/record/record.h"

/* Limits on what a message may make the decoder allocate, far above what Atoll's messages need. */
enum {
	DEPTH_MAX = 16,
	OBJECTS_FREE = 1 << 16, OBJECT_BYTES = 3,	/* msgpack objects: free ones + 1 per 3 bytes */
	ROOM_FREE = 1 << 20, ROOM_PER_BYTE = 12,	/* bytes of the record: free ones + 12 per byte */
};

static int to_buf(void *b, const char *p, size_t n)
{
	buf_put(b, p, n);
	return 0;
}

static void put_str(msgpack_packer *pk, const char *s)
{
	msgpack_pack_str_with_body(pk, s, strlen(s));
}

static bool is_absent(const struct field *f, const void *v)
{
	switch (f->type) {
	case T_str: case T_json: return !*(const t_str *)v;
	case T_sub: return !*(void *const *)v;
	case T_bytes: return !((const t_bytes *)v)->n;
	case T_strs: return !((const t_strs *)v)->n;
	case T_list: return !((const struct any_list *)v)->n;
	case T_u64: return !*(const t_u64 *)v;
	case T_i64: return !*(const t_i64 *)v;
	case T_flag: return !*(const t_flag *)v;
	case T_f64: return *(const t_f64 *)v == 0;
	}
	return false;
}

static void put_record(msgpack_packer *pk, const struct record *r, const char *m);

static void put_strs(msgpack_packer *pk, const t_strs *l)
{
	msgpack_pack_array(pk, l->n);
	for (size_t i = 0; i < l->n; i++) {
		const char *s = l->v[i];
		if (!s)
			s = "";
		put_str(pk, s);
	}
}

static void put_list(msgpack_packer *pk, const struct record *of, const struct any_list *l)
{
	msgpack_pack_array(pk, l->n);
	for (size_t i = 0; i < l->n; i++)
		put_record(pk, of, (const char *)l->v + i * of->size);
}

static void put_value(msgpack_packer *pk, const struct field *f, const void *v)
{
	switch (f->type) {
	case T_str: case T_json: put_str(pk, *(const t_str *)v); break;
	case T_u64: msgpack_pack_uint64(pk, *(const t_u64 *)v); break;
	case T_i64: msgpack_pack_int64(pk, *(const t_i64 *)v); break;
	case T_f64: msgpack_pack_double(pk, *(const t_f64 *)v); break;
	case T_flag: msgpack_pack_true(pk); break;
	case T_bytes:
		msgpack_pack_bin_with_body(pk, ((const t_bytes *)v)->p, ((const t_bytes *)v)->n);
		break;
	case T_strs: put_strs(pk, v); break;
	case T_sub: put_record(pk, f->of, *(const void *const *)v); break;
	case T_list: put_list(pk, f->of, v); break;
	}
}

static void put_record(msgpack_packer *pk, const struct record *r, const char *m)
{
	size_t n = 0;

	for (size_t i = 0; i < r->nfields; i++)
		n += !is_absent(&r->fields[i], m + r->fields[i].off);
	msgpack_pack_map(pk, n);
	for (size_t i = 0; i < r->nfields; i++) {
		const struct field *f = &r->fields[i];
		if (is_absent(f, m + f->off))
			continue;
		put_str(pk, f->name);
		put_value(pk, f, m + f->off);
	}
}

void codec_put(const struct record *r, const void *m, struct buf *out)
{
	msgpack_packer pk;

	msgpack_packer_init(&pk, out, to_buf);
	put_record(&pk, r, m);
}

/* ---- checking a message before msgpack decodes it ---- */

/*
 * What follows the first byte of an object: bytes of length, then payload bytes, then child
 * objects.
 */
struct msgpack_head {
	unsigned length_bytes;
	size_t payload, children;
	bool counts_children, pairs, known;
};

static struct msgpack_head head(uint8_t t)
{
	static const struct msgpack_head wide[32] = {	/* 0xc0 .. 0xdf */
		[0x00] = { .known = true }, [0x02] = { .known = true }, [0x03] = { .known = true },
		[0x04] = { 1, .known = true }, [0x05] = { 2, .known = true }, [0x06] = { 4, .known = true },
		[0x0a] = { 0, 4, .known = true }, [0x0b] = { 0, 8, .known = true },
		[0x0c] = { 0, 1, .known = true }, [0x0d] = { 0, 2, .known = true },
		[0x0e] = { 0, 4, .known = true }, [0x0f] = { 0, 8, .known = true },
		[0x10] = { 0, 1, .known = true }, [0x11] = { 0, 2, .known = true },
		[0x12] = { 0, 4, .known = true }, [0x13] = { 0, 8, .known = true },
		[0x19] = { 1, .known = true }, [0x1a] = { 2, .known = true }, [0x1b] = { 4, .known = true },
		[0x1c] = { 2, .counts_children = true, .known = true },
		[0x1d] = { 4, .counts_children = true, .known = true },
		[0x1e] = { 2, .counts_children = true, .pairs = true, .known = true },
		[0x1f] = { 4, .counts_children = true, .pairs = true, .known = true },
	};

	if (t < 0x80 || t >= 0xe0)
		return (struct msgpack_head){ .known = true };
	if (t < 0x90)
		return (struct msgpack_head){ .children = 2 * (t & 15u), .known = true };
	if (t < 0xa0)
		return (struct msgpack_head){ .children = t & 15u, .known = true };
	if (t < 0xc0)
		return (struct msgpack_head){ .payload = t & 31u, .known = true };
	return wide[t - 0xc0];
}

/* Reads the head of the object at p[*i] with its length.  False if it is unknown or cut off. */
static bool read_head(const uint8_t *p, size_t n, size_t *i, struct msgpack_head *h)
{
	size_t length = 0;

	if (*i >= n)
		return false;
	*h = head(p[(*i)++]);
	if (!h->known || h->length_bytes > n - *i)
		return false;
	for (unsigned k = 0; k < h->length_bytes; k++)
		length = length << 8 | p[(*i)++];
	if (h->counts_children)
		h->children = length << h->pairs;
	else if (h->length_bytes)
		h->payload = length;
	return h->payload <= n - *i && h->children <= n - *i;
}

/*
 * Whether p[0..n) is exactly one object with a bounded depth, and with a number of objects that
 * suits its size.  msgpack uses 24 bytes for each object, and allocates what an array claims to
 * contain before it reads that (msgpack-c #985).
 */
static bool fits(const uint8_t *p, size_t n)
{
	size_t left[DEPTH_MAX + 1] = { 1 }, i = 0, objects = OBJECTS_FREE + n / OBJECT_BYTES;
	int depth = 0;

	while (depth >= 0) {
		if (!left[depth]) {
			depth--;
			continue;
		}
		left[depth]--;
		struct msgpack_head h;
		if (!read_head(p, n, &i, &h) || h.children > objects)
			return false;
		objects -= h.children;
		i += h.payload;
		if (!h.children)
			continue;
		depth++;
		if (depth > DEPTH_MAX)
			return false;
		left[depth] = h.children;
	}
	return i == n;
}

/* ---- decoding ---- */

/* A message that is being decoded. */
struct codec_decoder {
	struct arena *a;
	struct err *e;
	size_t room;		/* bytes that may still be allocated */
	bool strict;		/* a request: missing MUST fields are an error */
};

static int get_record(
    struct codec_decoder *rd, const struct record *r, char *m, const msgpack_object *o);

/* Zeroed memory for `count` elements.  NULL with INVALID_INPUT if that is too much. */
static void *alloc_bounded(struct codec_decoder *rd, const struct record *r, const struct field *f,
    size_t count, size_t size)
{
	if (size && count > rd->room / size) {
		err_set(rd->e, ERR_INVALID_INPUT,
		    "%s.%s: %zu elements of the message would take more memory than any message needs",
		    r->name, f->name, count);
		return NULL;
	}
	rd->room -= count * size;
	return arena_get(rd->a, count, size);
}

static const char *text_of(struct codec_decoder *rd, const struct record *r, const struct field *f,
    const char *p, size_t n)
{
	char *s = alloc_bounded(rd, r, f, n + 1, 1);

	if (s && n)
		memcpy(s, p, n);
	return s;
}

static int wrong_type(struct codec_decoder *rd, const struct record *r, const struct field *f)
{
	return err_set(rd->e, ERR_INVALID_INPUT, "%s.%s: wrong type on the wire", r->name, f->name);
}

static int get_list(struct codec_decoder *rd, const struct record *r, const struct field *f,
    struct any_list *l, const msgpack_object *o)
{
	if (o->type != MSGPACK_OBJECT_ARRAY)
		return wrong_type(rd, r, f);
	l->n = o->via.array.size;
	l->v = alloc_bounded(rd, r, f, l->n, f->of->size);
	if (!l->v)
		return -1;
	for (size_t i = 0; i < l->n; i++)
		if (get_record(rd, f->of, (char *)l->v + i * f->of->size, &o->via.array.ptr[i]))
			return -1;
	return 0;
}

static int get_strs(struct codec_decoder *rd, const struct record *r, const struct field *f,
    t_strs *l, const msgpack_object *o)
{
	if (o->type != MSGPACK_OBJECT_ARRAY)
		return wrong_type(rd, r, f);
	l->n = o->via.array.size;
	l->v = alloc_bounded(rd, r, f, l->n, sizeof *l->v);
	if (!l->v)
		return -1;
	for (size_t i = 0; i < l->n; i++) {
		const msgpack_object *s = &o->via.array.ptr[i];
		if (s->type != MSGPACK_OBJECT_STR)
			return wrong_type(rd, r, f);
		l->v[i] = text_of(rd, r, f, s->via.str.ptr, s->via.str.size);
		if (!l->v[i])
			return -1;
	}
	return 0;
}

static bool get_f64(t_f64 *v, const msgpack_object *o)
{
	switch (o->type) {
	case MSGPACK_OBJECT_POSITIVE_INTEGER: *v = (double)o->via.u64; return true;
	case MSGPACK_OBJECT_NEGATIVE_INTEGER: *v = (double)o->via.i64; return true;
	case MSGPACK_OBJECT_FLOAT32:
	case MSGPACK_OBJECT_FLOAT64: *v = o->via.f64; return true;
	default: return false;
	}
}

static bool get_u64(t_u64 *v, const msgpack_object *o)
{
	if (o->type != MSGPACK_OBJECT_POSITIVE_INTEGER)
		return false;
	*v = o->via.u64;
	return true;
}

static bool get_i64(t_i64 *v, const msgpack_object *o)
{
	bool positive = o->type == MSGPACK_OBJECT_POSITIVE_INTEGER;

	if (!positive && o->type != MSGPACK_OBJECT_NEGATIVE_INTEGER)
		return false;
	if (positive && o->via.u64 > INT64_MAX)
		return false;
	*v = o->via.i64;
	return true;
}

static int get_sub(struct codec_decoder *rd, const struct record *r, const struct field *f,
    void **v, const msgpack_object *o)
{
	*v = alloc_bounded(rd, r, f, 1, f->of->size);
	if (!*v)
		return -1;
	return get_record(rd, f->of, *v, o);
}

static int get_str(struct codec_decoder *rd, const struct record *r, const struct field *f,
    t_str *v, const msgpack_object *o)
{
	if (o->type != MSGPACK_OBJECT_STR)
		return wrong_type(rd, r, f);
	*v = text_of(rd, r, f, o->via.str.ptr, o->via.str.size);
	if (!*v)
		return -1;
	return 0;
}

static int get_bytes(struct codec_decoder *rd, const struct record *r, const struct field *f,
    t_bytes *v, const msgpack_object *o)
{
	if (o->type != MSGPACK_OBJECT_BIN)
		return wrong_type(rd, r, f);
	*v = (t_bytes){ text_of(rd, r, f, o->via.bin.ptr, o->via.bin.size), o->via.bin.size };
	if (!v->p)
		return -1;
	return 0;
}

static int get_field(struct codec_decoder *rd, const struct record *r, const struct field *f,
    void *v, const msgpack_object *o)
{
	bool good = false;

	switch (f->type) {
	case T_u64: good = get_u64(v, o); break;
	case T_i64: good = get_i64(v, o); break;
	case T_f64: good = get_f64(v, o); break;
	case T_flag:
		good = o->type == MSGPACK_OBJECT_BOOLEAN;
		if (good)
			*(t_flag *)v = o->via.boolean;
		break;
	case T_str:
	case T_json: return get_str(rd, r, f, v, o);
	case T_bytes: return get_bytes(rd, r, f, v, o);
	case T_strs: return get_strs(rd, r, f, v, o);
	case T_sub: return get_sub(rd, r, f, v, o);
	case T_list: return get_list(rd, r, f, v, o);
	}
	if (!good)
		return wrong_type(rd, r, f);
	return 0;
}

/* Peers write fields in the order of the table, so the search starts after the last one found. */
static const struct field *find(const struct record *r, size_t *next, const msgpack_object *k)
{
	if (k->type != MSGPACK_OBJECT_STR)
		return NULL;
	for (size_t n = 0; n < r->nfields; n++) {
		size_t i = (*next + n) % r->nfields;
		const char *name = r->fields[i].name;
		/* a key may hold NULs */
		if (strlen(name) == k->via.str.size && !memcmp(name, k->via.str.ptr, k->via.str.size)) {
			*next = i + 1;
			return &r->fields[i];
		}
	}
	return NULL;
}

static int fill(struct codec_decoder *rd, const struct record *r, char *m);

/* A nested record that must be there: one with all fields absent. */
static int fill_sub(
    struct codec_decoder *rd, const struct record *r, const struct field *f, void **v)
{
	*v = alloc_bounded(rd, r, f, 1, f->of->size);
	if (!*v)
		return -1;
	return fill(rd, f->of, *v);
}

static int missing(struct codec_decoder *rd, const struct record *r, const struct field *f)
{
	err_set(rd->e, ERR_INVALID_INPUT, "%s.%s: missing from the request", r->name, f->name);
	return err_hint(rd->e, "Send it: %s.", f->doc);
}

static bool needs_filling(const struct field *f, const void *v)
{
	bool pointer = f->type == T_str || f->type == T_json || f->type == T_sub;

	return f->rule.must && pointer && is_absent(f, v);
}

static int fill_field(
    struct codec_decoder *rd, const struct record *r, const struct field *f, void *v)
{
	if (rd->strict)
		return missing(rd, r, f);
	if (f->type == T_sub)
		return fill_sub(rd, r, f, v);
	const char *text = "";
	if (f->type == T_json)
		text = "null";
	*(t_str *)v = text;
	return 0;
}

/* Fills the fields that the message did not contain, by the rules of codec.h. */
static int fill(struct codec_decoder *rd, const struct record *r, char *m)
{
	for (size_t i = 0; i < r->nfields; i++) {
		const struct field *f = &r->fields[i];
		void *v = m + f->off;
		if (f->type == T_bytes && !((t_bytes *)v)->p)
			((t_bytes *)v)->p = "";
		if (needs_filling(f, v) && fill_field(rd, r, f, v))
			return -1;
	}
	return 0;
}

static int get_record(
    struct codec_decoder *rd, const struct record *r, char *m, const msgpack_object *o)
{
	if (o->type != MSGPACK_OBJECT_MAP)
		return err_set(rd->e, ERR_INVALID_INPUT, "%s: not a map on the wire", r->name);
	size_t next = 0;
	for (uint32_t i = 0; i < o->via.map.size; i++) {
		const msgpack_object *v = &o->via.map.ptr[i].val;
		const struct field *f = find(r, &next, &o->via.map.ptr[i].key);
		if (!f || v->type == MSGPACK_OBJECT_NIL)
			continue;
		if (get_field(rd, r, f, m + f->off, v))
			return -1;
	}
	return fill(rd, r, m);
}

static int decode(
    const struct record *r, void *m, const void *p, size_t n, struct codec_decoder *rd)
{
	msgpack_unpacked u;
	size_t off = 0;
	int rc = -1;

	memset(m, 0, r->size);
	rd->room = ROOM_FREE + ROOM_PER_BYTE * n;
	msgpack_unpacked_init(&u);
	if (!fits(p, n) || msgpack_unpack_next(&u, p, n, &off) != MSGPACK_UNPACK_SUCCESS)
		err_set(rd->e, ERR_INVALID_INPUT, "%s: not one msgpack object", r->name);
	else
		rc = get_record(rd, r, m, &u.data);
	msgpack_unpacked_destroy(&u);
	if (rc)
		memset(m, 0, r->size);	/* so that no caller uses half of a list */
	return rc;
}

int codec_get(const struct record *r, void *m, const void *p, size_t n, struct arena *a,
    struct err *e)
{
	return decode(r, m, p, n, &(struct codec_decoder){ .a = a, .e = e });
}

int codec_get_request(const struct record *r, void *m, const void *p, size_t n, struct arena *a,
    struct err *e)
{
	return decode(r, m, p, n, &(struct codec_decoder){ .a = a, .e = e, .strict = true });
}
