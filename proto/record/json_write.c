/* Records as JSON: a walk over the descriptors that needs no tree of values. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "proto/base/buf.h"
#include "proto/record/json.h"
#include "proto/record/record.h"

/*
 * Bytes of the UTF-8 sequence at s, or 0 when it is none (overlong, surrogate and too large
 * included).
 */
static size_t utf8(const unsigned char *s)
{
	if (s[0] < 0x80)
		return 1;
	if (s[0] >= 0xc2 && s[0] < 0xe0) {
		if ((s[1] & 0xc0) == 0x80)
			return 2;
		return 0;
	}
	if (s[0] >= 0xe0 && s[0] < 0xf0) {
		if ((s[1] & 0xc0) != 0x80 || (s[2] & 0xc0) != 0x80)
			return 0;
		if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f))
			return 0;
		return 3;
	}
	if (s[0] >= 0xf0 && s[0] < 0xf5) {
		if ((s[1] & 0xc0) != 0x80 || (s[2] & 0xc0) != 0x80 || (s[3] & 0xc0) != 0x80)
			return 0;
		if ((s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
			return 0;
		return 4;
	}
	return 0;
}

/* ASCII that stands for itself. */
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
 * Whether eight bytes are all plain: in a byte that is not, or behind one, the highest bit of some
 * sum is set.
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

/* Behind what stands for itself from `p` on. */
static const unsigned char *skip_plain(const unsigned char *p, const unsigned char *end)
{
	while (end - p >= 8 && are_plain(p))
		p += 8;
	while (is_plain(*p) || (*p >= 0x80 && utf8(p)))
		p += *p < 0x80 ? 1 : utf8(p);
	return p;
}

void json_quote(struct buf *out, const char *s)
{
	if (!s) {
		buf_str(out, "null");
		return;
	}
	const unsigned char *p = (const unsigned char *)s, *from = p, *end = p + strlen(s);
	buf_byte(out, '"');
	for (size_t k; *p; p += k, from = p) {
		p = skip_plain(p, end);
		buf_put(out, from, (size_t)(p - from));
		k = *p ? 1 : 0;
		if (!*p)
			break;
		if (escape(*p))
			buf_str(out, escape(*p));
		else if (*p < 0x80)
			buf_printf(out, "\\u%04x", *p);
		else
			buf_str(out, "\xef\xbf\xbd");
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

static void put_value(const struct field *f, const void *v, struct buf *out)
{
	switch (f->type) {
	case T_str:
		json_quote(out, *(const t_str *)v ? *(const t_str *)v : f->rule.null ? NULL : "");
		break;
	case T_json: buf_str(out, *(const t_json *)v ? *(const t_json *)v : "null"); break;
	case T_u64: buf_u64(out, *(const t_u64 *)v); break;
	case T_i64: buf_printf(out, "%lld", (long long)*(const t_i64 *)v); break;
	case T_f64: put_f64(out, *(const t_f64 *)v); break;
	case T_flag: buf_str(out, *(const t_flag *)v ? "true" : "false"); break;
	case T_bytes:
		buf_byte(out, '"');
		buf_base64(out, ((const t_bytes *)v)->p, ((const t_bytes *)v)->n);
		buf_byte(out, '"');
		break;
	case T_strs: {
		const t_strs *l = v;
		buf_byte(out, '[');
		for (size_t i = 0; i < l->n; i++) {
			if (i)
				buf_byte(out, ',');
			json_quote(out, l->v[i] ? l->v[i] : "");
		}
		buf_byte(out, ']');
		break;
	}
	case T_sub:
		if (*(const void *const *)v)
			json_put(f->of, *(const void *const *)v, out);
		else
			buf_str(out, "null");
		break;
	case T_list: {
		const struct any_list *l = v;
		buf_byte(out, '[');
		for (size_t i = 0; i < l->n; i++) {
			if (i)
				buf_byte(out, ',');
			json_put(f->of, (const char *)l->v + i * f->of->size, out);
		}
		buf_byte(out, ']');
		break;
	}
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
