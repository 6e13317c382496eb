/* Records to msgpack and back: every type, every cut, hostile counts and depth. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
/* cmocka needs the headers above */
#include <cmocka.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/record/codec.h"
#include "proto/record/record.h"

static struct buf encode(struct arena *a)
{
	static const char *names[] = { "orders", "" };
	struct fact *facts = arena_many(a, 2, struct fact);
	struct step *steps = arena_many(a, 1, struct step);
	struct buf b = { 0 };

	steps[0] = (struct step){ "a.js", 3, "BASE" };
	facts[0] = (struct fact){ .side = "consumes",
		.kind = "http",
		.method = "GET",
		.path = "/users/{}",
		.framework = "fetch",
		.file = "a.js",
		.line = 12,
		.end_line = 14,
		.steps = { steps, 1 } };
	facts[1] = (struct fact){ .side = "provides", .path = "/é", .reason = NULL };
	struct contracts_res r = {
		.facts = { facts, 2 }, .next = -5, .total = UINT64_MAX, .names = { names, 2 }
	};
	codec_put(&rec_contracts_res, &r, &b);
	return b;
}

static void round_trip(void **state)
{
	struct arena *a = arena_new();
	struct contracts_res r;
	struct err e = { 0 };
	struct buf b = encode(a);

	(void)state;
	assert_int_equal(codec_get(&rec_contracts_res, &r, b.p, b.n, a, &e), 0);
	assert_int_equal(r.facts.n, 2);
	assert_string_equal(r.facts.v[0].path, "/users/{}");
	assert_int_equal(r.facts.v[0].end_line, 14);
	assert_string_equal(r.facts.v[0].steps.v[0].text, "BASE");
	assert_null(r.facts.v[0].host);
	assert_string_equal(r.facts.v[1].path, "/é");
	assert_int_equal(r.next, -5);
	assert_true(r.total == UINT64_MAX);
	assert_string_equal(r.names.v[0], "orders");
	assert_string_equal(r.names.v[1], "");
	buf_free(&b);
	arena_free(a);
}

static void nested_and_bytes(void **state)
{
	struct arena *a = arena_new();
	struct freshness f = { .repo_uri = "h/a", .behind = -1 };
	struct reply in = { .v = 1, .stamp = &f, .body = { "\0\1\2", 3 } }, out;
	struct buf b = { 0 };

	(void)state;
	codec_put(&rec_reply, &in, &b);
	assert_int_equal(codec_get(&rec_reply, &out, b.p, b.n, a, NULL), 0);
	assert_int_equal(out.stamp->behind, -1);
	assert_int_equal(out.body.n, 3);
	assert_memory_equal(out.body.p, "\0\1\2", 3);
	assert_null(out.code);
	buf_free(&b);
	arena_free(a);
}

/* A newer peer sends fields that we do not know; an older one leaves some out. */
static void other_versions(void **state)
{
	struct arena *a = arena_new();
	struct hello in = { .protocol = 1, .repo_uri = "h/a", .generation = 9 };
	struct health_res out;
	struct buf b = { 0 };

	(void)state;
	codec_put(&rec_hello, &in, &b);
	assert_int_equal(codec_get(&rec_health_res, &out, b.p, b.n, a, NULL), 0);
	assert_int_equal(out.generation, 9);
	assert_null(out.phase);
	buf_free(&b);
	arena_free(a);
}

static void every_cut_and_every_flip(void **state)
{
	struct arena *a = arena_new();
	struct contracts_res r;
	struct err e = { 0 };
	struct buf b = encode(a);

	(void)state;
	for (size_t n = 0; n < b.n; n++)
		assert_int_equal(codec_get(&rec_contracts_res, &r, b.p, n, a, &e), -1);
	assert_int_equal(e.code, ERR_INVALID_INPUT);
	for (size_t i = 0; i < b.n; i++)
		for (int k = 1; k < 256; k += 5) {
			b.p[i] ^= (char)k;
			codec_get(&rec_contracts_res, &r, b.p, b.n, a, &e);
			b.p[i] ^= (char)k;
		}
	buf_free(&b);
	arena_free(a);
}

/* The claimed size of an array must not be allocated before its elements are there. */
static void hostile_counts(void **state)
{
	static const struct { const char *p; size_t n; } bad[] = {
		{ "\xdd\x7f\xff\xff\xff", 5 }, { "\xdf\x7f\xff\xff\xff", 5 }, { "\xdb\xff\xff\xff\xff", 5 },
		{ "\xc6\xff\xff\xff\xff", 5 }, { "\xdc\xff\xff", 3 }, { "\xc1", 1 }, { "\xd4\x01\x01", 3 },
		{ "", 0 }, { "\x80\x80", 2 }, { "\x90", 1 },
	};
	struct arena *a = arena_new();
	struct contracts_res r;
	struct rusage before, after;
	char deep[100000];

	(void)state;
	getrusage(RUSAGE_SELF, &before);
	for (size_t i = 0; i < LEN(bad); i++)
		assert_int_equal(codec_get(&rec_contracts_res, &r, bad[i].p, bad[i].n, a, NULL), -1);
	memset(deep, 0x91, sizeof deep);
	assert_int_equal(codec_get(&rec_contracts_res, &r, deep, sizeof deep, a, NULL), -1);
	getrusage(RUSAGE_SELF, &after);
	assert_true(after.ru_maxrss - before.ru_maxrss < 64 << 10);
	arena_free(a);
}

/* A key of a field's name, a NUL and more is unknown, and is not compared beyond the name's end. */
static void key_with_a_nul(void **state)
{
	enum { N = 32 << 20 };
	const uint8_t head[] = { 0x81, 0xdb, N >> 24, N >> 16 & 0xff, N >> 8 & 0xff, N & 0xff, 'v',
		'\0' };
	struct arena *a = arena_new();
	struct buf b = { 0 };
	struct reply r;
	struct err e = { 0 };

	(void)state;
	buf_put(&b, head, sizeof head);
	for (int i = 2; i < N; i++)
		buf_byte(&b, 'x');
	buf_byte(&b, 7);
	assert_int_equal(codec_get(&rec_reply, &r, b.p, b.n, a, &e), 0);
	assert_int_equal(r.v, 0);
	buf_free(&b);
	arena_free(a);
}

/* A number that does not fit the field is refused, not truncated. */
static void numbers_that_do_not_fit(void **state)
{
	const uint8_t large[] = { 0x81, 0xa4, 'n', 'e', 'x', 't', 0xcf, 0x80, 0, 0, 0, 0, 0, 0, 0 },
	              most[] = { 0x81, 0xa4, 'n', 'e', 'x', 't', 0xcf, 0x7f, 0xff, 0xff, 0xff, 0xff,
		              0xff, 0xff, 0xff },
	              negative[] = { 0x81, 0xa5, 't', 'o', 't', 'a', 'l', 0xff };
	struct arena *a = arena_new();
	struct contracts_res r;
	struct err e = { 0 };

	(void)state;
	assert_int_equal(codec_get(&rec_contracts_res, &r, large, sizeof large, a, &e), -1);
	assert_int_equal(e.code, ERR_INVALID_INPUT);
	assert_int_equal(codec_get(&rec_contracts_res, &r, negative, sizeof negative, a, &e), -1);
	assert_int_equal(codec_get(&rec_contracts_res, &r, most, sizeof most, a, &e), 0);
	assert_true(r.next == INT64_MAX);
	arena_free(a);
}

/* Fields that an older peer omits or sends as nil are filled, also in nested records and lists. */
static void what_is_absent_is_filled(void **state)
{
	/* {facts: [{}, {path: nil, steps: [{}]}]}, {v: 1, stamp: {}} and {hits: nil} */
	static const char facts[] = "\x81\xa5"
	                            "facts\x92\x80\x82\xa4path\xc0\xa5steps\x91\x80",
	                  reply[] = "\x82\xa1v\x01\xa5stamp\x80", hits[] = "\x81\xa4hits\xc0";
	struct arena *a = arena_new();
	struct contracts_res c;
	struct search_res h;
	struct reply r;
	struct err e = { 0 };

	(void)state;
	assert_int_equal(codec_get(&rec_contracts_res, &c, facts, sizeof facts - 1, a, &e), 0);
	assert_int_equal(c.facts.n, 2);
	for (size_t i = 0; i < 2; i++) {
		assert_string_equal(c.facts.v[i].side, "");
		assert_string_equal(c.facts.v[i].path, "");
		assert_null(c.facts.v[i].host);		/* MAY */
	}
	assert_string_equal(c.facts.v[1].steps.v[0].text, "");
	assert_int_equal(codec_get(&rec_reply, &r, reply, sizeof reply - 1, a, &e), 0);
	assert_string_equal(r.stamp->repo_uri, "");
	assert_null(r.code);
	assert_non_null(r.body.p);
	assert_int_equal(r.body.n, 0);
	assert_int_equal(codec_get(&rec_search_res, &h, hits, sizeof hits - 1, a, &e), 0);
	assert_int_equal(h.hits.n, 0);
	arena_free(a);
}

/* Missing fields of a request are not filled: the error names record and field. */
static void what_a_request_lacks_is_named(void **state)
{
	static const struct { const struct record *r; const char *p, *what;
	} rows[] = {
		{ &rec_peers_req, "\x80", "peers_req.repo_uri:" },
		{ &rec_file_req, "\x81\xa4path\xc0", "file_req.path:" },
		{ &rec_impact_req, "\x81\xa5spots\x91\x81\xa4line\x01", "position.path:" },
		{ &rec_request, "\x81\xa1v\x01", "request.rpc:" },
	};
	struct arena *a = arena_new();

	(void)state;
	for (size_t i = 0; i < LEN(rows); i++) {
		void *m = arena_get(a, 1, rows[i].r->size);
		struct err e = { 0 };
		assert_int_equal(codec_get_request(rows[i].r, m, rows[i].p, strlen(rows[i].p), a, &e), -1);
		assert_int_equal(e.code, ERR_INVALID_INPUT);
		assert_non_null(strstr(e.msg, rows[i].what));
		assert_non_null(strstr(e.hint, "Send it"));
		assert_int_equal(codec_get(rows[i].r, m, rows[i].p, strlen(rows[i].p), a, &e), 0);
	}
	/* Numbers, flags and lists that are zero are left out by who asks: that is no lack. */
	struct knows_req k;
	assert_int_equal(codec_get_request(&rec_knows_req, &k, "\x80", 1, a, NULL), 0);
	arena_free(a);
}

static void put_list(struct buf *b, const char *key, size_t n, const char *element)
{
	const uint8_t head[] = { 0xdd, (uint8_t)(n >> 24), (uint8_t)(n >> 16), (uint8_t)(n >> 8),
		(uint8_t)n };

	buf_byte(b, (char)0x81);
	buf_byte(b, (char)(0xa0 + strlen(key)));
	buf_str(b, key);
	buf_put(b, head, sizeof head);
	for (size_t i = 0; i < n; i++)
		buf_str(b, element);
}

/* The size of a message bounds memory, also for lists of empty elements and unknown fields. */
static void memory_is_bounded(void **state)
{
	enum { MANY = 4 << 20, SOME = 1500 };
	static const struct { const char *key, *element;
	} bad[] = {
		{ "facts", "\x80" },
		{ "facts", "\x81\xa4side\xa0" },
		{ "nobody", "\x90" },
		{ "names", "\xa0" },
		{ "nobody", "\x91\x91\x91\xc0" },
	};
	struct arena *a = arena_new();
	struct contracts_res r;
	struct rusage before, after;

	(void)state;
	for (size_t i = 0; i < LEN(bad); i++) {
		struct buf b = { 0 };
		struct err e = { 0 };
		put_list(&b, bad[i].key, MANY, bad[i].element);
		getrusage(RUSAGE_SELF, &before);
		assert_int_equal(codec_get(&rec_contracts_res, &r, b.p, b.n, a, &e), -1);
		assert_int_equal(e.code, ERR_INVALID_INPUT);
		getrusage(RUSAGE_SELF, &after);
		assert_true(after.ru_maxrss - before.ru_maxrss < 256 << 10);
		buf_free(&b);
	}
	struct buf b = { 0 };
	put_list(&b, "facts", SOME, "\x80");	/* as many as a page has */
	assert_int_equal(codec_get(&rec_contracts_res, &r, b.p, b.n, a, NULL), 0);
	assert_int_equal(r.facts.n, SOME);
	buf_free(&b);
	arena_free(a);
}

static void rpc_names(void **state)
{
	(void)state;
	for (int i = 0; i < NRPCS; i++)
		assert_int_equal(rpc_id(rpcs[i].name), i);
	assert_int_equal(rpc_id("no such"), NRPCS);
	assert_int_equal(rpc_id(NULL), NRPCS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(round_trip),
		cmocka_unit_test(nested_and_bytes),
		cmocka_unit_test(other_versions),
		cmocka_unit_test(every_cut_and_every_flip),
		cmocka_unit_test(hostile_counts),
		cmocka_unit_test(key_with_a_nul),
		cmocka_unit_test(numbers_that_do_not_fit),
		cmocka_unit_test(what_is_absent_is_filled),
		cmocka_unit_test(what_a_request_lacks_is_named),
		cmocka_unit_test(memory_is_bounded),
		cmocka_unit_test(rpc_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
