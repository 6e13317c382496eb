/* Records as JSON, written straight from the descriptors without a tree of values. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "proto/base/buf.h"
#include "proto/record/json.h"
#include "proto/record/record.h"

/* Whether `n` continuation bytes follow.  A NUL is none, so it does not read beyond a string. */
static bool continues(const unsigned char *s, int n)
{
	for (int i = 0; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return false;
	return true;
}

/*
 * The length of the UTF-8 sequence at `s`, or 0 if it is invalid (also if it is overlong, a
 * surrogate or too large).
 */
static size_t utf8(const unsigned char *s)
{
	unsigned char c = s[0];

	if (c < 0x80)
		return 1;
	if (c >= 0xc2 && c < 0xe0)
		return continues(s + 1, 1) ? 2 : 0;
	if (c >= 0xe0 && c < 0xf0) {
		bool overlong = c == 0xe0 && s[1] < 0xa0, surrogate = c == 0xed && s[1] > 0x9f;
		if (overlong || surrogate || !continues(s + 1, 2))
			return 0;
		return 3;
	}
	if (c >= 0xf0 && c < 0xf5) {
		bool overlong = c == 0xf0 && s[1] < 0x90, too_large = c == 0xf4 && s[1] > 0x8f;
		if (overlong || too_large || !continues(s + 1, 3))
			return 0;
		return 4;
	}
	return 0;
}

/* Whether it is an ASCII character that needs no escape. */
static bool is_plain(unsigned char c)
{
	static const uint32_t not [8] = { ~0u, 1u << ('"' & 31), 1u << ('\\' & 31), 1u << (0x7f & 31),
		~0u, ~0u, ~0u, ~0u };

	return !(not[c >> 5] >> (c & 31) & 1);
}

static const char *escape(unsigned char c)
{
	switch (c) {
	case '"': return "\\\"";
	case '\\': return "\\\\";
	case '\n': return "\\n";
	case '\t': return "\\t";
	case '\r': return "\\r";
	}
	return NULL;
}

/*
 * Whether eight bytes are all plain.  A byte that is not sets the highest bit of a difference, in
 * its own place or after it.
 */
static bool are_plain(const unsigned char *p)
{
	const uint64_t ones = 0x0101010101010101;
	uint64_t v, quote, slash, del;

	memcpy(&v, p, sizeof v);
	quote = v ^ ones * '"';
	slash = v ^ ones * '\\';
	del = v ^ ones * 0x7f;
	return !((v | (v - ones * ' ') | (quote - ones) | (slash - ones) | (del - ones)) & ones * 0x80);
}

/* Skips characters that need no escape. */
static const unsigned char *skip_plain(const unsigned char *p, const unsigned char *end)
{
	while (end - p >= 8 && are_plain(p))
		p += 8;
	for (;;) {
		if (is_plain(*p)) {
			p++;
			continue;
		}
		if (*p < 0x80)
			return p;
		size_t n = utf8(p);
		if (!n)
			return p;
		p += n;
	}
}

/* Writes a byte that cannot stand for itself. */
static void put_escaped(struct buf *out, unsigned char c)
{
	const char *known = escape(c);

	if (known)
		buf_str(out, known);
	else if (c < 0x80)
		buf_printf(out, "\\u%04x", c);
	else
		buf_str(out, "\xef\xbf\xbd");
}

void json_quote(struct buf *out, const char *s)
{
	if (!s) {
		buf_str(out, "null");
		return;
	}
	const unsigned char *p = (const unsigned char *)s, *end = p + strlen(s);
	buf_byte(out, '"');
	for (;;) {
		const unsigned char *from = p;
		p = skip_plain(p, end);
		buf_put(out, from, (size_t)(p - from));
		if (!*p)
			break;
		put_escaped(out, *p);
		p++;
	}
	buf_byte(out, '"');
}

static bool is_empty(const struct field *f, const void *v)
{
	switch (f->type) {
	case T_str: case T_json: return !*(const t_str *)v;
	case T_u64: case T_i64: return !*(const t_u64 *)v;
	case T_f64: return *(const t_f64 *)v == 0;
	case T_flag: return !*(const t_flag *)v;
	case T_bytes: return !((const t_bytes *)v)->n;
	case T_strs: return !((const t_strs *)v)->n;
	case T_sub: return !*(void *const *)v;
	case T_list: return !((const struct any_list *)v)->n;
	}
	return false;
}

static void put_f64(struct buf *out, double v)
{
	if (isfinite(v))
		buf_printf(out, "%.6g", v);
	else
		buf_str(out, "null");
}

static void put_str(const struct field *f, const char *s, struct buf *out)
{
	if (!s && !f->rule.null)
		s = "";
	json_quote(out, s);
}

static void put_raw(const char *json, struct buf *out)
{
	if (!json)
		json = "null";
	buf_str(out, json);
}

static void put_bytes(const t_bytes *v, struct buf *out)
{
	buf_byte(out, '"');
	buf_base64(out, v->p, v->n);
	buf_byte(out, '"');
}

static void put_strs(const t_strs *l, struct buf *out)
{
	buf_byte(out, '[');
	for (size_t i = 0; i < l->n; i++) {
		const char *s = l->v[i];
		if (i)
			buf_byte(out, ',');
		if (!s)
			s = "";
		json_quote(out, s);
	}
	buf_byte(out, ']');
}

static void put_list(const struct record *of, const struct any_list *l, struct buf *out)
{
	buf_byte(out, '[');
	for (size_t i = 0; i < l->n; i++) {
		if (i)
			buf_byte(out, ',');
		json_put(of, (const char *)l->v + i * of->size, out);
	}
	buf_byte(out, ']');
}

static void put_sub(const struct record *of, const void *m, struct buf *out)
{
	if (m)
		json_put(of, m, out);
	else
		buf_str(out, "null");
}

static void put_value(const struct field *f, const void *v, struct buf *out)
{
	switch (f->type) {
	case T_str: put_str(f, *(const t_str *)v, out); break;
	case T_json: put_raw(*(const t_json *)v, out); break;
	case T_u64: buf_u64(out, *(const t_u64 *)v); break;
	case T_i64: buf_printf(out, "%lld", (long long)*(const t_i64 *)v); break;
	case T_f64: put_f64(out, *(const t_f64 *)v); break;
	case T_flag: buf_str(out, *(const t_flag *)v ? "true" : "false"); break;
	case T_bytes: put_bytes(v, out); break;
	case T_strs: put_strs(v, out); break;
	case T_sub: put_sub(f->of, *(const void *const *)v, out); break;
	case T_list: put_list(f->of, v, out); break;
	}
}

void json_put(const struct record *r, const void *m, struct buf *out)
{
	bool first = true;

	buf_byte(out, '{');
	for (size_t i = 0; i < r->nfields; i++) {
		const struct field *f = &r->fields[i];
		const void *v = (const char *)m + f->off;
		if (is_empty(f, v) && !rule_always(&f->rule))
			continue;
		if (!first)
			buf_byte(out, ',');
		first = false;
		buf_byte(out, '"');
		buf_str(out, f->name);
		buf_put(out, "\":", 2);
		if (f->type == T_sub && f->rule.must && is_empty(f, v))
			buf_str(out, "{}");
		else
			put_value(f, v, out);
	}
	buf_byte(out, '}');
}
