/* One record with every type and every rule: as msgpack, as JSON, as a schema, and what is said of values that do not fit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* cmocka wants the above */
#include <cmocka.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/record/codec.h"
#include "proto/record/gaps.h"
#include "proto/record/json.h"
#include "proto/record/record.h"

struct part {
	t_str name;
	t_u64 size;
	t_str note;
};

struct all {
	t_str text, word;
	t_json raw;
	t_u64 count;
	t_i64 sign;
	t_f64 real;
	t_flag flag;
	t_bytes bytes;
	t_strs names;
	struct part *part, *other;
	struct {
		struct part *v;
		size_t n;
	} parts;
	t_u64 limited;
	t_str maybe;
};

static const struct field part_fields[] = {
	{ "name", "its name", T_str, offsetof(struct part, name), NULL, MUST },
	{ "size", "its size", T_u64, offsetof(struct part, size), NULL, MAY },
	{ "note", "a note", T_str, offsetof(struct part, note), NULL, MAY },
};
static const struct record rec_part = { "part", part_fields, LEN(part_fields),
	sizeof(struct part) };

#define F(name, type, of, ...)                                                                     \
	{                                                                                              \
#name, "the " #name, type, offsetof(struct all, name), of, __VA_ARGS__                     \
	}
static const struct field all_fields[] = {
	F(text, T_str, NULL, MUST),
	F(word, T_str, NULL, ONEOF_DEF("one|two|three", "two")),
	F(raw, T_json, NULL, MAY),
	F(count, T_u64, NULL, MAY),
	F(sign, T_i64, NULL, MAY),
	F(real, T_f64, NULL, MAY),
	F(flag, T_flag, NULL, MAY),
	F(bytes, T_bytes, NULL, MAY),
	F(names, T_strs, NULL, MAY),
	F(part, T_sub, &rec_part, MAY),
	F(other, T_sub, &rec_part, NUL),
	F(parts, T_list, &rec_part, MAY),
	F(limited, T_u64, NULL, IN(2, 5, "3")),
	F(maybe, T_str, NULL, NUL),
};
static const struct record rec_all = { "all", all_fields, LEN(all_fields), sizeof(struct all) };

static struct arena *a;

static const char *json_of(const struct all *m)
{
	struct buf b = { 0 };

	json_put(&rec_all, m, &b);
	const char *s = arena_strn(a, b.p, b.n);
	buf_free(&b);
	return s;
}

/* ---- msgpack ---- */

/* Encodes and decodes. */
static struct all through(const struct all *m)
{
	struct buf b = { 0 };
	struct all out;
	struct err e = { 0 };

	codec_put(&rec_all, m, &b);
	if (codec_get(&rec_all, &out, b.p, b.n, a, &e))
		fail_msg("%s", e.msg);
	buf_free(&b);
	return out;
}

static void numbers_of_every_size(void **state)
{
	static const uint64_t unsigned_ones[] = { 1, 127, 128, 255, 256, 65535, 65536, UINT32_MAX,
		(uint64_t)UINT32_MAX + 1, INT64_MAX, (uint64_t)INT64_MAX + 1, UINT64_MAX };
	static const int64_t signed_ones[] = { -1, -32, -33, -128, -129, -32768, -32769, INT32_MIN,
		(int64_t)INT32_MIN - 1, INT64_MIN, 1, 128, INT64_MAX };
	static const double reals[] = { 0.5, -0.25, 1e300, 3, -7 };

	(void)state;
	for (size_t i = 0; i < LEN(unsigned_ones); i++)
		assert_true(through(&(struct all){ .count = unsigned_ones[i] }).count == unsigned_ones[i]);
	for (size_t i = 0; i < LEN(signed_ones); i++)
		assert_true(through(&(struct all){ .sign = signed_ones[i] }).sign == signed_ones[i]);
	for (size_t i = 0; i < LEN(reals); i++)
		assert_true(through(&(struct all){ .real = reals[i] }).real == reals[i]);
	struct part parts[] = { { .name = "a", .size = 7 }, { .name = "b", .note = "x" } };
	const char *names[] = { "n", NULL, "" };
	const struct all out = through(&(struct all){ .text = "t",
	    .raw = "[1]",
	    .flag = true,
	    .bytes = { "\0z", 2 },
	    .names = { names, 3 },
	    .part = &parts[1],
	    .parts = { parts, 2 } });
	assert_string_equal(json_of(&out),
	    "{\"text\":\"t\",\"word\":\"\",\"raw\":[1],\"flag\":true,\"bytes\":\"AHo=\",\"names\":[\"n\",\"\",\"\"],"
	    "\"part\":{\"name\":\"b\",\"note\":\"x\"},\"other\":null,\"parts\":[{\"name\":\"a\",\"size\":7},{\"name\":\"b\",\"note\":\"x\"}],"
	    "\"limited\":0,\"maybe\":null}");
	assert_null(out.part->name[0] == 'b' ? NULL : "");
	assert_null(out.parts.v[0].note);
	const struct all none = through(&(struct all){ 0 });
	assert_string_equal(none.text, ""); /* MUST */
	assert_null(none.word);
	assert_null(none.part);
	assert_non_null(none.bytes.p);
	for (size_t n = 0; n < 70000; n = n * 2 + 1) { /* texts of every length of length */
		char *text = calloc(n + 1, 1);
		memset(text, 'x', n);
		assert_string_equal(through(&(struct all){ .text = text }).text, text);
		assert_int_equal(through(&(struct all){ .bytes = { text, n } }).bytes.n, n);
		free(text);
	}
}

/* A message {"KEY": VALUE}, both in msgpack; NULL if it is decoded, else what is said. */
static const char *fault(
    const char *key, const char *value, size_t n, bool request, struct all *out)
{
	struct buf b = { 0 };
	struct err e = { 0 };

	buf_byte(&b, (char)0x81);
	buf_byte(&b, (char)(0xa0 | strlen(key)));
	buf_str(&b, key);
	buf_put(&b, value, n);
	int rc = (request ? codec_get_request : codec_get)(&rec_all, out, b.p, b.n, a, &e);
	buf_free(&b);
	return rc ? arena_str(a, e.msg) : NULL;
}

static void values_on_the_wire(void **state)
{
	enum { ANY = 0, WRONG = 1, BROKEN = 2 };
	/* clang-format off */
	static const struct { const char *key, *value; size_t n; int verdict; const char *json; } rows[] = {
		{ "text", "\xa1z", 2, ANY, "\"text\":\"z\"" }, { "text", "\xd9\x01z", 3, ANY, "\"text\":\"z\"" }, { "text", "\xda\0\x01z", 4, ANY, "\"text\":\"z\"" },
		{ "text", "\xdb\0\0\0\x01z", 6, ANY, "\"text\":\"z\"" }, { "text", "\xc4\x01z", 3, WRONG, NULL }, { "text", "\x01", 1, WRONG, NULL },
		{ "text", "\xc0", 1, ANY, "\"text\":\"\"" }, { "text", "\xa2z", 2, BROKEN, NULL }, { "text", "\xd9\x02z", 3, BROKEN, NULL },
		{ "raw", "\xa2[]", 3, ANY, "\"raw\":[]" }, { "raw", "\x90", 1, WRONG, NULL },
		{ "count", "\x7f", 1, ANY, "\"count\":127" }, { "count", "\xcc\xff", 2, ANY, "\"count\":255" }, { "count", "\xcd\x01\0", 3, ANY, "\"count\":256" },
		{ "count", "\xce\0\x01\0\0", 5, ANY, "\"count\":65536" }, { "count", "\xcf\0\0\0\x01\0\0\0\0", 9, ANY, "\"count\":4294967296" },
		{ "count", "\xd0\x05", 2, ANY, "\"count\":5" }, { "count", "\xff", 1, WRONG, NULL }, { "count", "\xca\x3f\x80\0\0", 5, WRONG, NULL },
		{ "count", "\xa1" "1", 2, WRONG, NULL }, { "count", "\xcc", 1, BROKEN, NULL }, { "count", "\xcd\x01", 2, BROKEN, NULL },
		{ "sign", "\xff", 1, ANY, "\"sign\":-1" }, { "sign", "\xd0\x80", 2, ANY, "\"sign\":-128" }, { "sign", "\xd1\xff\0", 3, ANY, "\"sign\":-256" },
		{ "sign", "\xd2\xff\xff\0\0", 5, ANY, "\"sign\":-65536" }, { "sign", "\xd3\xff\xff\xff\xff\0\0\0\0", 9, ANY, "\"sign\":-4294967296" },
		{ "sign", "\x05", 1, ANY, "\"sign\":5" }, { "sign", "\xcf\x80\0\0\0\0\0\0\0", 9, WRONG, NULL }, { "sign", "\xcf\x7f\xff\xff\xff\xff\xff\xff\xff", 9, ANY, "\"sign\":9223372036854775807" },
		{ "sign", "\xc3", 1, WRONG, NULL },
		{ "real", "\xca\x3f\x80\0\0", 5, ANY, "\"real\":1" }, { "real", "\xcb\x3f\xe0\0\0\0\0\0\0", 9, ANY, "\"real\":0.5" }, { "real", "\x02", 1, ANY, "\"real\":2" },
		{ "real", "\xfe", 1, ANY, "\"real\":-2" }, { "real", "\xa1" "1", 2, WRONG, NULL },
		{ "flag", "\xc3", 1, ANY, "\"flag\":true" }, { "flag", "\xc2", 1, ANY, "\"limited\"" }, { "flag", "\x01", 1, WRONG, NULL },
		{ "bytes", "\xc4\x01z", 3, ANY, "\"bytes\":\"eg==\"" }, { "bytes", "\xc5\0\x01z", 4, ANY, "\"bytes\":\"eg==\"" }, { "bytes", "\xc6\0\0\0\x01z", 6, ANY, "\"bytes\":\"eg==\"" },
		{ "bytes", "\xa1z", 2, WRONG, NULL },
		{ "names", "\x92\xa1" "a\xa0", 4, ANY, "\"names\":[\"a\",\"\"]" }, { "names", "\xdc\0\x01\xa1" "a", 5, ANY, "\"names\":[\"a\"]" }, { "names", "\xdd\0\0\0\x01\xa1" "a", 7, ANY, "\"names\":[\"a\"]" },
		{ "names", "\x91\x01", 2, WRONG, NULL }, { "names", "\xa1z", 2, WRONG, NULL }, { "names", "\x91", 1, BROKEN, NULL },
		{ "part", "\x81\xa4name\xa1p", 8, ANY, "\"part\":{\"name\":\"p\"}" }, { "part", "\xde\0\x01\xa4name\xa1p", 10, ANY, "\"part\":{\"name\":\"p\"}" },
		{ "part", "\xdf\0\0\0\x01\xa4name\xa1p", 12, ANY, "\"part\":{\"name\":\"p\"}" }, { "part", "\x80", 1, ANY, "\"part\":{\"name\":\"\"}" },
		{ "part", "\x81\xa4name", 6, BROKEN, NULL },
		{ "parts", "\x91\x81\xa4size\x02", 8, ANY, "\"parts\":[{\"name\":\"\",\"size\":2}]" }, { "parts", "\x80", 1, WRONG, NULL },
		{ "none", "\x01", 1, ANY, "\"limited\"" }, { "none", "\xd4\x01z", 3, BROKEN, NULL }, { "none", "\xd8\x01zzzzzzzzzzzzzzzz", 18, BROKEN, NULL },
		{ "none", "\xc1", 1, BROKEN, NULL }, { "none", "\xc7\x01\x01z", 4, BROKEN, NULL },
		{ "text", "\xa1zz", 3, BROKEN, NULL },			/* more than one object */
	};
	/* clang-format on */
	struct all out;

	(void)state;
	for (size_t i = 0; i < LEN(rows); i++) {
		const char *said = fault(rows[i].key, rows[i].value, rows[i].n, false, &out), *want = NULL;
		if (rows[i].verdict == WRONG)
			want = arena_printf(a, "all.%s: wrong type on the wire", rows[i].key);
		else if (rows[i].verdict == BROKEN)
			want = "all: not one msgpack object";
		if (!rows[i].json && said && !strcmp(said, want) && !out.text && !out.names.n)
			continue;
		if (rows[i].json && !said && strstr(json_of(&out), rows[i].json))
			continue;
		fail_msg("row %zu, %s: said %s, made %s", i, rows[i].key, said ? said : "nothing",
		    said ? "" : json_of(&out));
	}
	assert_string_equal(fault("part", "\x01", 1, false, &out), "part: not a map on the wire");
	assert_string_equal(fault("parts", "\x91\x01", 2, false, &out), "part: not a map on the wire");
}

static void what_a_request_must_have(void **state)
{
	struct err e = { 0 };
	struct all out;

	(void)state;
	assert_null(fault("text", "\xa1z", 2, true, &out));
	assert_string_equal(
	    fault("word", "\xa1z", 2, true, &out), "all.text: missing from the request");
	assert_int_equal(codec_get_request(&rec_all, &out, "\x80", 1, a, &e), -1);
	assert_string_equal(e.hint, "Send it: the text.");
	assert_int_equal(
	    codec_get_request(&rec_all, &out, "\x82\xa4text\xa1z\xa4part\x80", 14, a, &e), -1);
	assert_string_equal(e.msg, "part.name: missing from the request");
}

/* Many small objects in few bytes, and a list whose elements are large in memory. */
static void memory_is_bounded(void **state)
{
	enum { N = 200000 };
	struct buf b = { 0 };
	struct err e = { 0 };
	struct all out;

	(void)state;
	buf_put(&b, "\x81\xa5parts\xdd", 8);
	for (int shift = 24; shift >= 0; shift -= 8)
		buf_byte(&b, (char)(N >> shift & 0xff));
	for (int i = 0; i < N; i++)
		buf_byte(&b, (char)0x80);
	assert_int_equal(codec_get(&rec_all, &out, b.p, b.n, a, &e), -1);
	assert_string_equal(e.msg, "all: not one msgpack object"); /* more objects than suit its size */
	b.n = 0;
	buf_put(&b, "\x81\xa5parts\xdd\0\0\xff\xff", 12);
	for (int i = 0; i < 0xffff; i++)
		buf_byte(&b, (char)0x80);
	assert_int_equal(codec_get(&rec_all, &out, b.p, b.n, a, &e), 0);
	assert_int_equal(out.parts.n, 0xffff);
	buf_free(&b);
}

/* ---- JSON ---- */

static void arguments_and_their_faults(void **state)
{
	/* clang-format off */
	static const struct { const char *text, *fault, *made; } rows[] = {
		{ "{\"text\":\"t\"}", NULL, "{\"text\":\"t\",\"word\":\"two\",\"other\":null,\"limited\":3,\"maybe\":null}" },
		{ "{\"text\":\"t\",\"word\":null,\"maybe\":null}", NULL, "{\"text\":\"t\",\"word\":\"two\",\"other\":null,\"limited\":3,\"maybe\":null}" },
		{ "{\"text\":\"\",\"raw\":null,\"real\":2,\"flag\":false,\"count\":2.0}", NULL, "{\"text\":\"\",\"word\":\"two\",\"raw\":null,\"count\":2,\"real\":2,\"other\":null,\"limited\":3,\"maybe\":null}" },
		{ "{\"text\":\"t\",\"limited\":2}", NULL, "{\"text\":\"t\",\"word\":\"two\",\"other\":null,\"limited\":2,\"maybe\":null}" },
		{ "{\"text\":\"t\",\"limited\":5,\"word\":\"three\",\"sign\":-9007199254740992}", NULL, "{\"text\":\"t\",\"word\":\"three\",\"sign\":-9007199254740992,\"other\":null,\"limited\":5,\"maybe\":null}" },
		{ "", "`text` is missing: the text", NULL }, { NULL, "`text` is missing: the text", NULL }, { "{\"text\":null}", "`text` is missing: the text", NULL },
		{ "[]", "`arguments`: [] is not an object", NULL }, { "{", "not JSON: line 1, column 1: string or '}' expected near end of file", NULL },
		{ "{\"text\":1}", "`text`: 1 is not a string", NULL }, { "{\"text\":\"a\\u0000\"}", "`text`: contains a NUL character", NULL },
		{ "{\"text\":\"t\",\"word\":\"on\"}", "`word`: \"on\" is not one of one|two|three", NULL },
		{ "{\"text\":\"t\",\"word\":\"\"}", "`word`: \"\" is not one of one|two|three", NULL },
		{ "{\"text\":\"t\",\"word\":\"one|two\"}", "`word`: \"one|two\" is not one of one|two|three", NULL },
		{ "{\"text\":\"t\",\"limited\":1}", "`limited`: 1 is not between 2 and 5", NULL }, { "{\"text\":\"t\",\"limited\":6}", "`limited`: 6 is not between 2 and 5", NULL },
		{ "{\"text\":\"t\",\"count\":-1}", "`count`: -1 is not 0 or more", NULL }, { "{\"text\":\"t\",\"count\":1.5}", "`count`: 1.5 is not a whole number", NULL },
		{ "{\"text\":\"t\",\"count\":\"1\"}", "`count`: \"1\" is not a whole number", NULL }, { "{\"text\":\"t\",\"sign\":9007199254740994}", "`sign`: 9007199254740994 is not a whole number", NULL },
		{ "{\"text\":\"t\",\"real\":\"1\"}", "`real`: \"1\" is not a number", NULL }, { "{\"text\":\"t\",\"flag\":1}", "`flag`: 1 is not true or false", NULL },
		{ "{\"text\":\"t\",\"bytes\":\"*\"}", "`bytes`: \"*\" is not base64", NULL }, { "{\"text\":\"t\",\"bytes\":1}", "`bytes`: 1 is not base64", NULL },
		{ "{\"text\":\"t\",\"names\":\"n\"}", "`names`: \"n\" is not an array of strings", NULL }, { "{\"text\":\"t\",\"names\":[\"n\",1]}", "`names`: 1 is not a string", NULL },
		{ "{\"text\":\"t\",\"names\":[\"n\",\"\\u0000\"]}", "`names[1]`: contains a NUL character", NULL },
		{ "{\"text\":\"t\",\"part\":1}", "`part`: 1 is not an object", NULL }, { "{\"text\":\"t\",\"part\":{}}", "`part.name` is missing: its name", NULL },
		{ "{\"text\":\"t\",\"part\":{\"name\":\"n\",\"nam\":1}}", "`part.nam`: unknown argument; use name, size or note", NULL },
		{ "{\"text\":\"t\",\"parts\":[{\"name\":\"n\"},{\"name\":2}]}", "`parts[1].name`: 2 is not a string", NULL }, { "{\"text\":\"t\",\"parts\":{}}", "`parts`: {} is not an array", NULL },
		{ "{\"text\":\"t\",\"parts\":[7]}", "`parts[0]`: 7 is not an object", NULL },
		{ "{\"text\":\"t\",\"x\":1}", "`x`: unknown argument; use text, word, raw, count, sign, real, flag, bytes, names, part, other, parts, limited or maybe", NULL },
		{ "{\"text\":\"t\",\"text\":\"u\"}", "not JSON: line 1, column 18: duplicate object key near '\"text\"'", NULL },
		{ "{\"text\":[\"123456789 123456789 123456789 123456789 123456789 12345678\"]}",
			"`text`: [\"123456789 123456789 123456789 123456789 123456789 12345678… is not a string", NULL },
		{ "{\"text\":[\"123456789 123456789 123456789 123456789 123456789 123456\"]}",
			"`text`: [\"123456789 123456789 123456789 123456789 123456789 123456\"] is not a string", NULL },
	};
	/* clang-format on */
	(void)state;
	for (size_t i = 0; i < LEN(rows); i++) {
		struct all m = { 0 };
		struct err e = { 0 };
		int rc = json_get(&rec_all, &m, rows[i].text, a, &e);
		assert_string_equal(rc ? e.msg : json_of(&m), rows[i].fault ? rows[i].fault : rows[i].made);
		assert_int_equal(e.code, rc ? ERR_INVALID_INPUT : ERR_NONE);
	}
	struct all m = { 0 };
	struct err e = { 0 };
	assert_int_equal(
	    json_get_lax(&rec_all, &m,
	        "{\"x\":1,\"word\":\"none\",\"limited\":99,\"part\":{\"y\":2},\"parts\":[{}],\"flag\":true,\"bytes\":\"eg\",\"raw\":{\"a\":[1, 2]}}",
	        a, &e),
	    0);
	assert_string_equal(json_of(&m),
	    "{\"text\":\"\",\"word\":\"none\",\"raw\":{\"a\":[1,2]},\"flag\":true,\"bytes\":\"eg==\",\"part\":{\"name\":\"\"},\"other\":null,"
	    "\"parts\":[{\"name\":\"\"}],\"limited\":99,\"maybe\":null}");
	assert_int_equal(json_get_lax(&rec_all, &m, "{\"count\":\"x\"}", a, &e), -1);
	struct {
		int none;
	} nothing;
	const struct record rec_none = { "none", NULL, 0, sizeof nothing };
	assert_int_equal(json_get(&rec_none, &nothing, "{\"a\":1}", a, &e), -1);
	assert_string_equal(e.msg, "`a`: unknown argument; none is accepted");
}

static void depth_has_a_limit(void **state)
{
	char deep[300];

	(void)state;
	for (int n = 64; n <= 65; n++) {
		memset(deep, '[', (size_t)n);
		memset(deep + n, ']', (size_t)n);
		deep[2 * n] = 0;
		assert_int_equal(json_is(deep), n == 64 ? JSON_IS_ARRAY : JSON_IS_BAD);
	}
	struct err e = { 0 };
	assert_null(json_read(deep, &e));
	assert_string_equal(e.msg, "JSON nested deeper than 64 levels");
	assert_int_equal(
	    json_is(
	        "[\"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\\\"[[[\"]"),
	    JSON_IS_ARRAY);
	for (int i = 0; i < 100; i++)
		strcpy(deep + 2 * i, "[]");
	deep[0] = '[';
	memcpy(deep, "[[],[],{},{}]", 14);
	assert_int_equal(json_is(deep), JSON_IS_ARRAY);
}

static void kinds_and_members(void **state)
{
	static const struct {
		const char *text;
		enum json_is is;
	} rows[] = { { "null", JSON_IS_NULL }, { "true", JSON_IS_FLAG }, { "false", JSON_IS_FLAG },
		{ "-1", JSON_IS_NUMBER }, { "1.5", JSON_IS_NUMBER }, { "\"\"", JSON_IS_STRING },
		{ "[]", JSON_IS_ARRAY }, { "{}", JSON_IS_OBJECT }, { "", JSON_IS_BAD },
		{ "{} x", JSON_IS_BAD }, { "\"\xff\"", JSON_IS_BAD }, { "nul", JSON_IS_BAD } };
	static const struct {
		const char *text, *value;
	} texts[] = { { "\"\"", "" }, { "\"a b\"", "a b" }, { "\"\\u00e9\\n\"", "é\n" },
		{ "\"é\"", "é" }, { "\"a\" ", "a" }, { "\"a\\u0000b\"", NULL }, { "1", NULL },
		{ "\"a", NULL }, { "\"a\"b", NULL }, { "\"a\x7f\"", "a\x7f" }, { "[\"a\"]", NULL } };
	struct err e = { 0 };
	double d;

	(void)state;
	assert_int_equal(json_is(NULL), JSON_IS_BAD);
	for (size_t i = 0; i < LEN(rows); i++)
		assert_int_equal(json_is(rows[i].text), rows[i].is);
	for (size_t i = 0; i < LEN(texts); i++) {
		const char *got = json_text(texts[i].text, a);
		if (texts[i].value)
			assert_string_equal(got, texts[i].value);
		else
			assert_null(got);
	}
	assert_null(json_text(NULL, a));
	assert_string_equal(json_member("{\"a\": [1, 2]}", "a", a), "[1,2]");
	assert_null(json_member("{\"a\":1}", "b", a));
	assert_null(json_member("[1]", "a", a));
	assert_null(json_member(NULL, "a", a));
	assert_string_equal(json_item("[1, {\"b\": 2}]", 1, a), "{\"b\":2}");
	assert_null(json_item("[1]", 1, a));
	assert_string_equal(json_text_at("{\"a\":\"x\"}", "a", a), "x");
	assert_null(json_text_at("{\"a\":1}", "a", a));
	assert_null(json_text_at("[]", "a", a));
	assert_null(json_text_at(NULL, "a", a));
	struct json *j = json_read("{\"a\":[1,\"x\",2.5]}", &e);
	const struct json *list = json_key(j, "a");
	assert_int_equal(json_kind(list), JSON_IS_ARRAY);
	assert_int_equal(json_len(list), 3);
	assert_int_equal(json_len(j), 0);
	assert_true(json_num(json_nth(list, 2), &d) && d == 2.5);
	assert_false(json_num(json_nth(list, 1), &d));
	assert_string_equal(json_str(json_nth(list, 1)), "x");
	assert_null(json_str(json_nth(list, 0)));
	assert_null(json_nth(list, 3));
	assert_null(json_key(NULL, "a"));
	assert_string_equal(json_raw(list, a), "[1,\"x\",2.5]");
	assert_null(json_raw(NULL, a));
	assert_int_equal(json_kind(NULL), JSON_IS_BAD);
	json_free(j);
	json_free(NULL);
	assert_null(json_read(NULL, &e));
}

static void texts_are_quoted(void **state)
{
	static const struct {
		const char *text, *json;
	} rows[] = { { NULL, "null" }, { "", "\"\"" }, { "plain text", "\"plain text\"" },
		{ "\"\\\n\t\r", "\"\\\"\\\\\\n\\t\\r\"" },
		{ "\x01\x1f\x7f ", "\"\\u0001\\u001f\\u007f \"" },
		{ "é߿ࠀ中퟿𐀀😀", "\"é߿ࠀ中퟿𐀀😀\"" }, { "\xc3", "\"\xef\xbf\xbd\"" },
		{ "\xc1\xbf", "\"\xef\xbf\xbd\xef\xbf\xbd\"" },
		{ "\xe0\x9f\xbf", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"" },
		{ "\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"" },
		{ "\xf0\x8f\xbf\xbf", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"" },
		{ "\xf4\x90\x80\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"" },
		{ "\xf5", "\"\xef\xbf\xbd\"" }, { "\xf4\x8f\xbf\xbf", "\"\xf4\x8f\xbf\xbf\"" },
		{ "\xe4\xb8", "\"\xef\xbf\xbd\xef\xbf\xbd\"" }, { "\x80", "\"\xef\xbf\xbd\"" } };
	struct buf b = { 0 };

	(void)state;
	for (size_t i = 0; i < LEN(rows); i++) {
		b.n = 0;
		json_quote(&b, rows[i].text);
		assert_string_equal(arena_strn(a, b.p, b.n), rows[i].json);
	}
	/* each character at each place of a word of eight, which are looked at together */
	for (int c = 1; c < 128; c++)
		for (size_t at = 0; at < 8; at++) {
			char text[] = "abcdefghabcdefgh", one[2] = { (char)c, 0 };
			text[at] = (char)c;
			b.n = 0;
			json_quote(&b, one);
			const char *alone = arena_strn(a, b.p + 1, b.n - 2);
			b.n = 0;
			json_quote(&b, text);
			assert_string_equal(arena_strn(a, b.p, b.n),
			    arena_printf(a, "\"%.*s%s%s\"", (int)at, text, alone, text + at + 1));
		}
	buf_free(&b);
	assert_non_null(strstr(json_of(&(struct all){ .real = INFINITY }), "\"real\":null"));
}

static void schemas(void **state)
{
	struct buf b = { 0 };

	(void)state;
#define PART                                                                                       \
	"{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\",\"description\":\"its name\"},\"size\":{\"type\":\"integer\""
#define PART_END                                                                                   \
	"\"description\":\"its size\"},\"note\":{\"type\":\"string\",\"description\":\"a note\"}},\"required\":[\"name\"]"
	json_schema(&rec_part, true, &b);
	assert_string_equal(arena_strn(a, b.p, b.n),
	    PART ",\"minimum\":0," PART_END ",\"additionalProperties\":false}");
	b.n = 0;
	json_schema(&rec_part, false, &b);
	assert_string_equal(arena_strn(a, b.p, b.n), PART "," PART_END "}");
	b.n = 0;
	json_schema(&rec_all, true, &b);
	assert_string_equal(arena_strn(a, b.p, b.n),
	    "{\"type\":\"object\",\"properties\":{\"text\":{\"type\":\"string\",\"description\":\"the text\"},"
	    "\"word\":{\"type\":\"string\",\"enum\":[\"one\",\"two\",\"three\"],\"default\":\"two\",\"description\":\"the word\"},\"raw\":{\"description\":\"the raw\"},"
	    "\"count\":{\"type\":\"integer\",\"minimum\":0,\"description\":\"the count\"},\"sign\":{\"type\":\"integer\",\"description\":\"the sign\"},"
	    "\"real\":{\"type\":\"number\",\"description\":\"the real\"},\"flag\":{\"type\":\"boolean\",\"description\":\"the flag\"},"
	    "\"bytes\":{\"type\":\"string\",\"description\":\"the bytes\"},\"names\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"description\":\"the names\"},"
	    "\"part\":{\"$ref\":\"#/$defs/part\",\"description\":\"the part\"},\"other\":{\"$ref\":\"#/$defs/part\",\"description\":\"the other\"},"
	    "\"parts\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/part\"},\"description\":\"the parts\"},"
	    "\"limited\":{\"type\":\"integer\",\"minimum\":2,\"maximum\":5,\"default\":3,\"description\":\"the limited\"},"
	    "\"maybe\":{\"type\":\"string\",\"description\":\"the maybe\"}},\"required\":[\"text\"],\"additionalProperties\":false,\"$defs\":{\"part\":" PART
	    ",\"minimum\":0," PART_END ",\"additionalProperties\":false}}}");
	b.n = 0;
	json_schema(&rec_all, false, &b);
	const char *result = arena_strn(a, b.p, b.n);
	assert_non_null(strstr(result,
	    "\"other\":{\"anyOf\":[{\"$ref\":\"#/$defs/part\"},{\"type\":\"null\"}],\"description\":\"the other\"}"));
	assert_non_null(strstr(result, "\"limited\":{\"type\":\"integer\",\"description\""));
	assert_non_null(strstr(result, "\"maybe\":{\"type\":[\"string\",\"null\"],"));
	assert_non_null(strstr(
	    result, "\"required\":[\"text\",\"word\",\"other\",\"limited\",\"maybe\"],\"$defs\""));
	b.n = 0;
	json_schema_brief(&rec_all, &b);
	assert_string_equal(arena_strn(a, b.p, b.n),
	    "{\"type\":\"object\",\"properties\":{\"text\":{\"type\":\"string\"},\"word\":{\"type\":\"string\"},"
	    "\"other\":{\"type\":[\"object\",\"null\"]},\"limited\":{\"type\":\"integer\"},\"maybe\":{\"type\":[\"string\",\"null\"]}}}");
	b.n = 0;
	json_schema_either(&rec_part, &rec_part, &b);
	assert_string_equal(arena_strn(a, b.p, b.n),
	    arena_printf(a, "{\"type\":\"object\",\"anyOf\":[%s,%s]}", PART "," PART_END "}",
	        PART "," PART_END "}"));
	buf_free(&b);
}

/* ---- what an index lacks ---- */

static void gaps(void **state)
{
	struct gap v[] = { { .cause = "missing", .number = 1, .example = "a.c" },
		{ .cause = "of a newer program", .number = 2 }, { .cause = "shallow", .number = 1 },
		{ .cause = "shallow", .number = 3 }, { .cause = "too-large", .number = 4, .example = "" } };
	const struct freshness f = { .gaps = { v, LEN(v) } }, none = { 0 };

	(void)state;
	assert_string_equal(gaps_describe(&f, GAP_FILES, a),
	    "1 path (missing: the repository does not have the object), e.g. a.c; "
	    "2 paths (of a newer program: the repository does not have the object)");
	assert_string_equal(gaps_describe(&f, GAP_HISTORY, a),
	    "the history before 1 commit (shallow: the clone is shallow); the history before 3 commits (shallow: the clone is shallow)");
	assert_string_equal(
	    gaps_describe(&f, GAP_LIMIT, a), "4 paths (too-large: larger than --file-limit)");
	assert_string_equal(
	    gaps_remedy(&f, GAP_HISTORY), "`git fetch --unshallow` gets the whole history");
	assert_string_equal(gaps_remedy(&f, GAP_LIMIT), "raise --file-limit (ATOLL_FILE_LIMIT)");
	assert_true(gaps_have(&f, GAP_FILES) && gaps_have(&f, GAP_HISTORY) && gaps_have(&f, GAP_LIMIT));
	assert_false(gaps_have(&none, GAP_FILES) || gaps_have(NULL, GAP_FILES));
	assert_null(gaps_describe(NULL, GAP_FILES, a));
	assert_null(gaps_remedy(NULL, GAP_FILES));
	assert_null(gaps_remedy(&none, GAP_LIMIT));
	const struct freshness one = { .gaps = { v, 1 } };
	assert_false(gaps_have(&one, GAP_LIMIT));
	assert_null(gaps_describe(&one, GAP_LIMIT, a));
	assert_string_equal(gap_kind("quarantined")->remedy, "report the file");
	const char *names[] = { "a", "b" };
	assert_string_equal(strs_join(&(struct strs){ names, 2 }, a), "a, b");
	assert_string_equal(strs_join(&(struct strs){ names, 1 }, a), "a");
	assert_string_equal(strs_join(&(struct strs){ NULL, 0 }, a), "");
	for (int i = 0; i < NRPCS; i++)
		assert_int_equal(rpc_id(rpcs[i].name), i);
	assert_int_equal(rpc_id("none"), NRPCS);
}

static int setup(void **state)
{
	(void)state;
	a = arena_new();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	arena_free(a);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_of_every_size),
		cmocka_unit_test(values_on_the_wire),
		cmocka_unit_test(what_a_request_must_have),
		cmocka_unit_test(memory_is_bounded),
		cmocka_unit_test(arguments_and_their_faults),
		cmocka_unit_test(depth_has_a_limit),
		cmocka_unit_test(kinds_and_members),
		cmocka_unit_test(texts_are_quoted),
		cmocka_unit_test(schemas),
		cmocka_unit_test(gaps),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
