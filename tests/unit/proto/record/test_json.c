/* Records as JSON: what is written, what is refused and how it is named, schemas. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
/* cmocka needs the headers above */
#include <cmocka.h>

#include "coordinator/calls/call.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/record/json.h"

static struct arena *a;

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

static void refuse(const struct record *r, const char *text, const char *names)
{
	struct err e = { 0 };
	void *m = arena_get(a, 1, r->size);

	assert_int_equal(json_get(r, m, text, a, &e), -1);
	assert_int_equal(e.code, ERR_INVALID_INPUT);
	if (!strstr(e.msg, names))
		fail_msg("`%s` does not name `%s`", e.msg, names);
}

static void defaults_and_bounds(void **state)
{
	struct group_query_in q = { 0 };
	struct err e = { 0 };

	(void)state;
	assert_int_equal(
	    json_get(&rec_group_query_in, &q, "{\"group\":\"g\",\"query\":\"x\"}", a, &e), 0);
	assert_int_equal(q.limit, 20);
	assert_string_equal(q.fusion, "weighted");
	assert_null(q.mode);
	refuse(&rec_group_query_in, "{\"group\":\"g\"}", "query");
	refuse(&rec_contracts_res, "{\"facts\":[],\"total\":-1}", "`total`: -1 is not 0 or more");
	refuse(&rec_group_query_in, "{\"group\":\"g\",\"query\":\"x\",\"limit\":-1}",
	    "`limit`: -1 is not between 1 and 100");
	refuse(&rec_group_query_in, "{\"group\":\"g\",\"query\":\"x\",\"limit\":0}",
	    "`limit`: 0 is not between 1 and 100");
	refuse(&rec_group_query_in, "{\"group\":\"g\",\"query\":\"x\",\"limit\":1.5}", "limit");
	refuse(&rec_group_query_in, "{\"group\":\"g\",\"query\":\"x\",\"limit\":\"5\"}", "limit");
	refuse(&rec_group_query_in, "{\"group\":\"g\",\"query\":\"x\",\"fusion\":\"rr\"}", "fusion");
	refuse(&rec_group_query_in, "{\"group\":7,\"query\":\"x\"}", "group");
	refuse(&rec_group_query_in, "{\"group\":\"g\",\"query\":\"x\",\"kinds\":[1]}", "kinds");
	refuse(&rec_group_query_in, "{\"group\":\"g\",\"query\":\"x\",\"grop\":1}", "grop");
	refuse(&rec_group_query_in, "{\"group\":\"g\",\"group\":\"h\",\"query\":\"x\"}", "duplicate");
	refuse(&rec_group_query_in, "[1]", "arguments");
	refuse(&rec_group_query_in, "{", "JSON");
	refuse(&rec_group_query_in, "{\"group\":\"a\\u0000b\",\"query\":\"x\"}", "NUL");
	refuse(&rec_group_query_in, "{\"group\":\"g\",\"query\":\"x\",\"kinds\":[\"a\",\"b\\u0000c\"]}",
	    "`kinds[1]`: contains a NUL");
	refuse(&rec_search_code_in, "{\"query\":\"x\",\"scope\":{\"type\":\"some\"}}", "scope.type");
}

static void null_is_absent_and_whole_reals_are_whole(void **state)
{
	struct group_query_in q = { 0 };

	(void)state;
	assert_int_equal(
	    json_get(&rec_group_query_in, &q,
	        "{\"group\":\"g\",\"query\":\"x\",\"limit\":7.0,\"cursor\":null,\"kinds\":null}", a,
	        NULL),
	    0);
	assert_int_equal(q.limit, 7);
	assert_null(q.cursor);
}

static void what_is_written(void **state)
{
	struct choice c = { .repo_uri = "h/\"a\"\n\x01\xff\xe2\x82\xac" };
	struct problem p = {
		.code = "X", .message = "m", .hint = "h", .choices = { &c, 1 }, .total_matches = 2
	};
	struct buf b = { 0 };

	(void)state;
	json_put(&rec_problem, &p, &b);
	assert_string_equal(b.p,
	    "{\"code\":\"X\",\"message\":\"m\",\"hint\":\"h\",\"choices\":[{\"repo_uri\":"
	    "\"h/\\\"a\\\"\\n\\u0001\xef\xbf\xbd\xe2\x82\xac\",\"default_branch\":null,\"group\":null}],"
	    "\"total_matches\":2}");
	assert_int_equal(json_is(b.p), JSON_IS_OBJECT);
	buf_free(&b);
}

static void strings_are_always_utf8(void **state)
{
	static const char *const odd[] = { "\xc0\x80", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xe2\x82",
		"\x80", "a\xf0\x9f\x98" };

	(void)state;
	for (size_t i = 0; i < LEN(odd); i++) {
		struct buf b = { 0 };
		json_quote(&b, odd[i]);
		assert_int_equal(json_is(b.p), JSON_IS_STRING);
		assert_non_null(strstr(b.p, "\xef\xbf\xbd"));
		buf_free(&b);
	}
}

static void every_record_round_trips_through_its_schema(void **state)
{
	(void)state;
	for (const struct tool *t = tools; t->name; t++) {
		struct buf b = { 0 };
		json_schema(t->in, true, &b);
		assert_int_equal(json_is(b.p), JSON_IS_OBJECT);
		assert_non_null(strstr(b.p, "\"additionalProperties\":false"));
		b.n = 0;
		json_schema(t->out, false, &b);
		assert_int_equal(json_is(b.p), JSON_IS_OBJECT);
		b.n = 0;
		json_put(t->out, arena_get(a, 1, t->out->size), &b);
		assert_int_equal(json_is(b.p), JSON_IS_OBJECT);
		buf_free(&b);
	}
}

/* Each "$ref" of a schema resolves; returns their number. */
static size_t refs_of(const char *schema)
{
	static const char mark[] = "\"$ref\":\"#/$defs/";
	const char *defs = json_member(schema, "$defs", a);
	size_t n = 0;

	for (const char *s = schema; (s = strstr(s, mark)); n++) {
		s += strlen(mark);
		assert_non_null(defs);
		assert_non_null(json_member(defs, arena_strn(a, s, strcspn(s, "\"")), a));
	}
	return n;
}

static void schemas_say_a_thing_once(void **state)
{
	size_t all = 0;

	(void)state;
	for (const struct tool *t = tools; t->name; t++) {
		struct buf b = { 0 };
		json_schema_either(t->out, &rec_problem_answer, &b);
		assert_int_equal(json_is(b.p), JSON_IS_OBJECT);
		all += refs_of(b.p);
		assert_non_null(
		    json_member(json_member(json_item(json_member(b.p, "anyOf", a), 1, a), "properties", a),
		        "error", a));
		for (size_t i = 0; i < t->out->nfields; i++)	/* every description is there */
			assert_non_null(strstr(b.p, t->out->fields[i].name));
		buf_free(&b);
	}
	assert_true(all > 10);
}

static void what_may_be_null_says_so(void **state)
{
	struct buf b = { 0 };

	(void)state;
	json_schema(&rec_context_out, false, &b);
	const char *target = json_member(json_member(b.p, "properties", a), "target", a);
	assert_string_equal(json_item(json_member(target, "anyOf", a), 1, a), "{\"type\":\"null\"}");
	buf_free(&b);
}

static void a_brief_schema_has_types_alone(void **state)
{
	struct buf b = { 0 };

	(void)state;
	json_schema_brief(&rec_group_query_out, &b);
	const char *properties = json_member(b.p, "properties", a);
	assert_string_equal(json_member(properties, "coverage", a), "{\"type\":\"object\"}");
	assert_string_equal(json_member(properties, "results", a), "{\"type\":\"array\"}");
	assert_null(json_member(b.p, "required", a));
	buf_free(&b);
}

/* Eight bytes are checked together: none may be missed at any position. */
static void each_byte_at_each_place(void **state)
{
	static const char *const known[256] = {
		['"'] = "\\\"", ['\\'] = "\\\\", ['\n'] = "\\n", ['\t'] = "\\t", ['\r'] = "\\r"
	};
	char text[20], want[40], other[8];

	(void)state;
	for (int c = 1; c < 256; c++)
		for (size_t at = 0; at < sizeof text - 1; at++) {
			struct buf b = { 0 };
			memset(text, '~', sizeof text - 1);
			text[sizeof text - 1] = 0;
			text[at] = (char)c;
			bool control = c < ' ' || c == 0x7f;
			snprintf(other, sizeof other, control ? "\\u%04x" : "%c", c);
			snprintf(want, sizeof want, "\"%.*s%s%s\"", (int)at, text,
			    known[c]     ? known[c] :
			        c < 0x80 ? other :
			                   "\xef\xbf\xbd",
			    text + at + 1);
			json_quote(&b, text);
			assert_string_equal(b.p, want);
			buf_free(&b);
		}
}

static void raw_values(void **state)
{
	const char *o = "{\"a\":{\"b\":[1,\"x\"]},\"io.x/y\":\"v\"}";

	(void)state;
	assert_string_equal(json_text(json_member(o, "io.x/y", a), a), "v");
	assert_string_equal(json_item(json_member(json_member(o, "a", a), "b", a), 1, a), "\"x\"");
	assert_null(json_item(json_member(json_member(o, "a", a), "b", a), 2, a));
	assert_null(json_member(o, "none", a));
	assert_string_equal(json_text("\"\"", a), "");
	assert_string_equal(json_text("\"a\\\"\\u00e9 \\\\\"", a), "a\"\u00e9 \\");
	assert_string_equal(json_text(" \"\u00e9\" ", a), "\u00e9");
	assert_null(json_text("\"a\" \"b\"", a));
	assert_null(json_text("\"a", a));
	assert_null(json_text("\"", a));
	assert_null(json_text("7", a));
	assert_null(json_text("\"a\\u0000b\"", a));
	assert_int_equal(json_is("nul"), JSON_IS_BAD);
	assert_int_equal(json_is("null"), JSON_IS_NULL);
	char *deep = arena_get(a, 1, 401);
	memset(deep, '[', 200);
	memset(deep + 200, ']', 200);
	assert_int_equal(json_is(deep), JSON_IS_BAD);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(defaults_and_bounds),
		cmocka_unit_test(null_is_absent_and_whole_reals_are_whole),
		cmocka_unit_test(what_is_written),
		cmocka_unit_test(strings_are_always_utf8),
		cmocka_unit_test(every_record_round_trips_through_its_schema),
		cmocka_unit_test(schemas_say_a_thing_once),
		cmocka_unit_test(what_may_be_null_says_so),
		cmocka_unit_test(a_brief_schema_has_types_alone),
		cmocka_unit_test(each_byte_at_each_place),
		cmocka_unit_test(raw_values),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
