/* YAML as a list of scalars with their paths, its limits; rules for such lists, and what they say of keys and values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/text/call_rules.h"
#include "proto/text/gateway_rules.h"
#include "proto/text/yaml_flat.h"

static struct arena *a;
static struct err e;

static int begin(void **state)
{
	(void)state;
	a = arena_new();
	e = (struct err){ 0 };
	return 0;
}

static int end(void **state)
{
	(void)state;
	arena_free(a);
	return 0;
}

/* ---- reading ---- */

static void put_entries(void *arg, const struct flat_entry *v, size_t n)
{
	struct buf *b = arg;

	for (size_t i = 0; i < n; i++)
		buf_printf(b, "%u:%s=%s|", v[i].line, v[i].key, v[i].value);
	buf_str(b, "; ");
}

/* Each document, and the error. */
static const char *flat(const char *text)
{
	struct buf b = { 0 };

	e = (struct err){ 0 };
	buf_str(&b, "");
	if (flat_read(text, strlen(text), a, put_entries, &b, &e)) {
		assert_int_equal(e.code, ERR_INVALID_INPUT);
		buf_printf(&b, "!%s", e.msg);
	}
	const char *s = arena_strn(a, b.p, b.n);
	buf_free(&b);
	return s;
}

static void scalars_and_their_paths(void **state)
{
	static const struct {
		const char *yaml, *entries;
	} cases[] = {
		{ "a: 1\nb: two words\n", "1:a=1|2:b=two words|; " },
		{ "a:\n  b:\n    c: x\n  d: y\n", "3:a.b.c=x|4:a.d=y|; " },
		{ "list:\n- x\n- k: y\n  l: [1, 2]\n",
		    "2:list[0]=x|3:list[1].k=y|4:list[1].l[0]=1|4:list[1].l[1]=2|; " },
		{ "- - a\n  - b\n- c\n", "1:[0][0]=a|2:[0][1]=b|3:[1]=c|; " },
		{ "just text\n", "1:=just text|; " },
		{ "{\"json\": {\"a\": [true, null, \"\"]}}",
		    "1:json.a[0]=true|1:json.a[1]=null|1:json.a[2]=|; " },
		{ "a: &x {b: 1}\nc: *x\n", "1:a.b=1|1:c.b=1|; " },
		{ "a: |\n  line\n  two\n", "1:a=line\ntwo\n|; " },
		{ "? [k]\n: v\na: 1\n", "3:a=1|; " }, /* a key must be a scalar */
		{ "a: 1\n---\nb: 2\n", "1:a=1|; 3:b=2|; " },
		{ "a:\nb: {}\nc: []\n", "1:a=|; " },
		{ "", "" },
		{ "# nothing\n", "" },
		{ "a: 1\n---\nb: [\n", "1:a=1|; !line 4: did not find expected node content" },
		{ "a: 'x\n", "!line 2: found unexpected end of stream" },
		{ "a: *none\n", "!line 1: found undefined alias" },
	};

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++)
		if (strcmp(flat(cases[i].yaml), cases[i].entries))
			fail_msg("%s: %s", cases[i].yaml, flat(cases[i].yaml));
}

static int count_of(const char *text, char c)
{
	int n = 0;

	for (; *text; text++)
		n += *text == c;
	return n;
}

static void many_values(void **state)
{
	struct buf b = { 0 };

	(void)state;
	for (int i = 0; i < 20000; i++)
		buf_str(&b, "- x\n");
	const char *all = flat(b.p);
	assert_string_equal(all + strlen(all) - strlen("|20000:[19999]=x|; "), "|20000:[19999]=x|; ");
	buf_str(&b, "- y\n");
	assert_null(arena_truncation_reason(a));
	assert_string_equal(flat(b.p), all); /* as many as are read */
	assert_non_null(strstr(arena_truncation_reason(a), "more than 20000 values"));
	buf_free(&b);
}

/* Each level doubles: what is written in a few lines would fill the memory. */
static void aliases_without_end(void **state)
{
	struct buf b = { 0 };

	(void)state;
	buf_str(&b, "a0: &a0 [x, x]\n");
	for (int i = 1; i < 30; i++)
		buf_printf(&b, "a%d: &a%d [*a%d, *a%d]\n", i, i, i - 1, i - 1);
	const char *all = flat(b.p);
	assert_int_equal(count_of(all, '|'), 20000);
	buf_free(&b);
}

/* What is deeper than a path may be long is left out, what is beside it is not. */
static void long_paths(void **state)
{
	const char *name = arena_printf(a, "%0400d", 0), *longer = arena_printf(a, "%0401d", 0);

	(void)state;
	assert_string_equal(
	    flat(arena_printf(a, "%s: 1\nb: 2\n", name)), arena_printf(a, "1:%s=1|2:b=2|; ", name));
	assert_string_equal(flat(arena_printf(a, "%s: 1\nb: 2\n", longer)), "2:b=2|; ");
}

static void deep_brackets_are_cut(void **state)
{
	struct buf b = { 0 };

	(void)state;
	for (int i = 0; i < 300; i++)
		buf_str(&b, "[");
	assert_string_equal(flat(b.p), "!line 2: did not find expected node content");
	buf_free(&b);
}

/* ---- rules ---- */

static const struct flat_rule rules[] = {
	{ "name", FLAT_NAME, false },
	{ "rows[].path", FLAT_PATH, true },
	{ "rows[].method", FLAT_METHOD, false },
	{ "rows[].to", FLAT_TARGET, true },
	{ "rows[].tags[]", FLAT_TEXT, false },
	{ "other[].x", FLAT_TEXT, false },
};

static void check_entries(void *arg, const struct flat_entry *v, size_t n)
{
	const char **said = arg;

	e = (struct err){ 0 };
	if (!flat_check("f.yaml", v, n, rules, LEN(rules), &e))
		*said = "";
	else
		*said = arena_str(a, e.msg);
}

static const char *checked(const char *yaml)
{
	const char *said = "none";

	assert_int_equal(flat_read(yaml, strlen(yaml), a, check_entries, &said, &e), 0);
	return said;
}

static void keys_that_are_known(void **state)
{
	static const struct {
		const char *yaml, *said;
	} cases[] = {
		{ "name: x\nrows: [{path: /a, to: h, tags: [b, c]}, {to: h, path: /}]\nother: [{x: y}]\n",
		    "" },
		{ "size: x\n", "f.yaml:1: `size`: no such key; there are name, rows, other" },
		{ "nam: x\n", "f.yaml:1: `nam`: no such key; there are name" },
		{ "rows: [{path: /a, to: h}, {path: /a, to: h, way: x}]\n",
		    "f.yaml:1: `rows[1].way`: no such key; there are rows[].path, rows[].method, rows[].to, rows[].tags[]" },
		{ "other:\n- y: 1\n", "f.yaml:2: `other[0].y`: no such key; there are other[].x" },
		{ "rows: x\n",
		    "f.yaml:1: `rows`: no such key; there are rows[].path, rows[].method, rows[].to, rows[].tags[]" },
		{ "rows:\n- path: /a\n", "f.yaml:2: `rows[0].to`: is missing" },
		{ "rows: [{path: /a, to: h}, {to: h}]\n", "f.yaml:1: `rows[1].path`: is missing" },
		{ "rows: [{tags: [x]}]\n", "f.yaml:1: `rows[0].path`: is missing" },
		{ "other: [{x: 1}]\n", "" },
	};

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++)
		if (strcmp(checked(cases[i].yaml), cases[i].said))
			fail_msg("%s: %s", cases[i].yaml, checked(cases[i].yaml));
}

#define NO_NAME "is not a name or host: use letters, digits, . _ - and a port"
#define NO_PATH "is not a path: a path begins with / and contains no blank"
#define NO_METHOD "is not a method: use GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS or ANY"
#define NO_TARGET "is not a target: use host, host:port/path or a URL"

/* A value of each kind and what is wrong with it. */
static void values(void **state)
{
	static const struct {
		const char *key;
		const char *value, *fault;
	} cases[] = {
		{ "name", "a.b_c-D:8*", NULL },
		{ "name", "", NO_NAME },
		{ "name", "a b", NO_NAME },
		{ "name", "a/b", NO_NAME },
		{ "rows[0].path", "/", NULL },
		{ "rows[0].path", "/a/{b}", NULL },
		{ "rows[0].path", "a", NO_PATH },
		{ "rows[0].path", "", NO_PATH },
		{ "rows[0].path", "/a b", NO_PATH },
		{ "rows[0].path", "/a\tb", NO_PATH },
		{ "rows[0].path", "/a\n", NO_PATH },
		{ "rows[0].path", "/a?b", NO_PATH },
		{ "rows[0].path", "/a#b", NO_PATH },
		{ "rows[0].method", "ANY", NULL },
		{ "rows[0].method", "GET", NULL },
		{ "rows[0].method", "OPTIONS", NULL },
		{ "rows[0].method", "get", NO_METHOD },
		{ "rows[0].method", "", NO_METHOD },
		{ "rows[0].to", "http://h:1/x", NULL },
		{ "rows[0].to", "h", NULL },
		{ "rows[0].to", "/h", NO_TARGET },
		{ "rows[0].to", "", NO_TARGET },
		{ "rows[0].to", "h?x", NO_TARGET },
		{ "rows[0].to", "h x", NO_TARGET },
		{ "rows[0].tags[3]", "x", NULL },
		{ "rows[0].tags[3]", "", "is empty" },
	};

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++) {
		const struct flat_entry v[] = { { "rows[0].path", "/p", 1 }, { "rows[0].to", "h", 2 },
			{ cases[i].key, cases[i].value, 3 } };
		const char *want = "";
		e = (struct err){ 0 };
		if (cases[i].fault)
			want = arena_printf(
			    a, "f:3: `%s`: `%s` %s", cases[i].key, cases[i].value, cases[i].fault);
		assert_int_equal(
		    flat_check("f", v, LEN(v), rules, LEN(rules), &e), cases[i].fault ? -1 : 0);
		assert_string_equal(e.msg, want);
	}
	const struct flat_entry name[] = { { "name", arena_printf(a, "%0253d", 0), 1 } },
	                        longer[] = { { "name", arena_printf(a, "%0254d", 0), 1 } };
	assert_int_equal(flat_check("f", name, 1, rules, LEN(rules), &e), 0);
	assert_int_equal(flat_check("f", longer, 1, rules, LEN(rules), &e), -1);
}

/* ---- lists ---- */

static const struct flat_entry entries[] = { { "rows[0].a", "x", 3 }, { "rows[2].a", "y", 4 },
	{ "rows[10].b", "z", 5 }, { "rowsx[20].a", "no", 6 }, { "names[1]", "plain", 7 },
	{ "rows", "no", 8 } };

static void elements_of_lists(void **state)
{
	uint32_t line = 0;

	(void)state;
	assert_int_equal(flat_count(entries, LEN(entries), "rows"), 11);
	assert_int_equal(flat_count(entries, LEN(entries), "names"), 2);
	assert_int_equal(flat_count(entries, LEN(entries), "row"), 0);
	assert_int_equal(flat_count(entries, 2, "rows"), 3);
	assert_int_equal(flat_count(entries, 0, "rows"), 0);
	assert_string_equal(flat_get(entries, LEN(entries), "rows", 2, "a", &line), "y");
	assert_int_equal(line, 4);
	assert_string_equal(flat_get(entries, LEN(entries), "rows", 10, "b", NULL), "z");
	assert_string_equal(flat_get(entries, LEN(entries), "names", 1, "", &line), "plain");
	assert_int_equal(line, 7);
	assert_null(flat_get(entries, LEN(entries), "rows", 1, "a", &line));
	assert_null(flat_get(entries, LEN(entries), "rows", 2, "b", &line));
	assert_null(flat_get(entries, 1, "rows", 2, "a", &line));
	assert_int_equal(line, 7);
}

/* ---- gateways and calls ---- */

static const char *text(const char *s)
{
	return s ? s : "-";
}

static void put_fact(struct buf *b, const struct fact *f)
{
	buf_printf(b, "%s %s %s %s%s to %s at %s raw %s symbol %s %s %llu-%llu\n", f->side, f->kind,
	    f->method, text(f->host), f->path, text(f->to), text(f->at), text(f->raw), text(f->symbol),
	    f->framework, (unsigned long long)f->line, (unsigned long long)f->end_line);
}

static void put_gateways(void *arg, const struct flat_entry *v, size_t n)
{
	struct fact *f;
	size_t count = gateway_rules_to_facts(v, n, "mine", a, &f);

	for (size_t i = 0; i < count; i++)
		put_fact(arg, &f[i]);
}

static void put_calls(void *arg, const struct flat_entry *v, size_t n)
{
	struct fact *f;
	size_t count = call_rules_to_facts(v, n, "mine", a, &f);

	for (size_t i = 0; i < count; i++)
		put_fact(arg, &f[i]);
}

static void read_into(
    struct buf *b, const char *yaml, void (*put)(void *, const struct flat_entry *, size_t))
{
	buf_str(b, "");
	assert_int_equal(flat_read(yaml, strlen(yaml), a, put, b, &e), 0);
}

static void gateways(void **state)
{
	struct buf b = { 0 };

	(void)state;
	read_into(&b,
	    "gateways:\n- path: /a\n  to: h:1/a\n- path: /b\n  to: https://x/c/d\n  hosts: [p, q:2]\n- {to: y, path: /}\n",
	    put_gateways);
	assert_string_equal(b.p,
	    "forwards http ANY h:1/a to - at - raw h:1/a symbol - mine 2-2\n"
	    "forwards http ANY x/b to /c/d at p q:2 raw https://x/c/d symbol - mine 4-4\n"
	    "forwards http ANY y/ to - at - raw y symbol - mine 7-7\n");
	buf_free(&b);
	assert_string_equal(gateway_normalize_host("localhost:80"), ":80");
	assert_string_equal(gateway_normalize_host("127.0.0.1:80"), ":80");
	assert_string_equal(gateway_normalize_host("localhost"), "localhost");
	assert_string_equal(gateway_normalize_host("localhosts:80"), "localhosts:80");
	assert_string_equal(gateway_normalize_host("x.localhost:80"), "x.localhost:80");
}

static void calls(void **state)
{
	struct buf b = { 0 };

	(void)state;
	read_into(&b,
	    "links:\n- to: users\n- to: orders\n  path: /o\n  method: PUT\n  from: web\n  host: h\nnot:\n- to: old\n",
	    put_calls);
	assert_string_equal(b.p,
	    "consumes http ANY users/{*} to - at - raw - symbol - mine 2-2\n"
	    "consumes http PUT orders/o to - at h raw - symbol web mine 4-4\n"
	    "denies http ANY old/{*} to - at - raw - symbol - mine 9-9\n");
	buf_free(&b);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(scalars_and_their_paths),
		TEST(many_values),
		TEST(aliases_without_end),
		TEST(long_paths),
		TEST(deep_brackets_are_cut),
		TEST(keys_that_are_known),
		TEST(values),
		TEST(elements_of_lists),
		TEST(gateways),
		TEST(calls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
