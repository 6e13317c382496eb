/* What a caller reads of a reply, or of its absence: results, failures of the peer, answers that are none, and why none came. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <nng/nng.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/record/codec.h"
#include "proto/record/record.h"
#include "proto/wire/wire.h"
#include "proto/wire/wire_internal.h"

static struct arena *a;
static struct err e;
static struct wire_reply r;

static int begin(void **state)
{
	(void)state;
	a = arena_new();
	e = (struct err){ 0 };
	r = (struct wire_reply){ .name = "h/o/shop" };
	return 0;
}

static int end(void **state)
{
	(void)state;
	if (r.m)
		nng_msg_free(r.m);
	arena_free(a);
	return 0;
}

static void receive(const void *bytes, size_t n)
{
	assert_int_equal(nng_msg_alloc(&r.m, 0), 0);
	assert_int_equal(nng_msg_append(r.m, bytes, n), 0);
}

static void receive_reply(struct reply reply)
{
	struct buf b = { 0 };

	reply.v = 1;
	codec_put(&rec_reply, &reply, &b);
	receive(b.p, b.n);
	buf_free(&b);
}

static int get(struct snippet_req *out, const struct freshness **stamp)
{
	memset(out, 0x7f, sizeof *out);
	return wire_reply_get(&r, &rec_snippet_req, out, stamp, a, &e);
}

static void fails_with(enum err_code code, const char *msg, const char *hint)
{
	struct snippet_req out;

	assert_int_equal(get(&out, NULL), -1);
	assert_int_equal(e.code, code);
	assert_string_equal(e.msg, msg);
	assert_string_equal(e.hint, hint);
	assert_null(out.query); /* all is zero */
}

static void no_reply(void **state)
{
	static const struct {
		int rc;
		enum err_code code;
		const char *msg, *hint;
	} rows[] = {
		{ NNG_ETIMEDOUT, ERR_UNAVAILABLE, "h/o/shop: no answer by the deadline",
		    "It is busy, or the question takes long: ask again, or for less; `atoll status` shows whether it answers at all." },
		{ NNG_ECONNREFUSED, ERR_UNAVAILABLE, "h/o/shop: not connected", NULL },
		{ NNG_ECONNRESET, ERR_UNAVAILABLE, "h/o/shop: the connection was lost", NULL },
		{ NNG_EPEERAUTH, ERR_FORBIDDEN,
		    "h/o/shop: it does not prove that it has the cluster key, so no request is sent to it",
		    NULL },
		{ NNG_ECLOSED, ERR_UNAVAILABLE, "h/o/shop: Object closed", NULL },
	};
	const struct freshness *stamp;
	struct snippet_req out;

	(void)state;
	for (size_t i = 0; i < LEN(rows); i++) {
		struct err usual = { 0 };
		e = (struct err){ 0 };
		r.rc = rows[i].rc;
		err_set(&usual, rows[i].code, "x");
		fails_with(rows[i].code, rows[i].msg, rows[i].hint ? rows[i].hint : usual.hint);
		assert_int_equal(wire_reply_timed_out(&r), rows[i].rc == NNG_ETIMEDOUT);
	}
	assert_false(wire_reply_received(&r));
	assert_int_equal(wire_reply_bytes(&r), 0);
	assert_int_equal(wire_reply_peek(&r, &stamp, a), ERR_UNAVAILABLE);
	assert_null(stamp);
	stamp = (const struct freshness *)&out;
	assert_int_equal(get(&out, &stamp), -1);
	assert_null(stamp);
	assert_int_equal(wire_reply_get(&r, &rec_snippet_req, &out, NULL, a, NULL), -1);
}

static void a_result(void **state)
{
	const struct snippet_req sent = { .query = "where", .max_bytes = 300, .hits = true };
	struct freshness f = { .repo_uri = "h/o/shop", .commit = "c0ffee", .generation = 7 };
	const struct freshness *stamp = NULL;
	struct snippet_req out;
	struct buf body = { 0 };

	(void)state;
	codec_put(&rec_snippet_req, &sent, &body);
	receive_reply((struct reply){ .stamp = &f, .body = { body.p, body.n } });
	buf_free(&body);
	assert_int_equal(get(&out, &stamp), 0);
	assert_string_equal(out.query, "where");
	assert_int_equal(out.max_bytes, 300);
	assert_true(out.hits);
	assert_string_equal(stamp->commit, "c0ffee");
	assert_int_equal(stamp->generation, 7);
	assert_int_equal(get(&out, NULL), 0);
	assert_int_equal(wire_reply_peek(&r, &stamp, a), ERR_NONE);
	assert_int_equal(stamp->generation, 7);
	assert_true(wire_reply_received(&r));
	assert_false(wire_reply_timed_out(&r));
	assert_int_equal(wire_reply_bytes(&r), nng_msg_len(r.m));
	r.rc = NNG_ETIMEDOUT; /* of an earlier attempt */
	assert_false(wire_reply_timed_out(&r));
}

static void a_failure_of_the_peer(void **state)
{
	struct freshness f = { .repo_uri = "h/o/shop", .generation = 7 };
	const struct freshness *stamp = &f;

	(void)state;
	receive_reply((struct reply){ .code = "NOT_FOUND",
	    .message = "no file of all %%",
	    .hint = "look 100 % elsewhere",
	    .stamp = &f });
	fails_with(ERR_NOT_FOUND, "no file of all %%", "look 100 % elsewhere");
	assert_int_equal(wire_reply_peek(&r, &stamp, a), ERR_NOT_FOUND);
	assert_int_equal(stamp->generation, 7);
}

static void a_failure_without_words(void **state)
{
	struct err usual = { 0 };

	(void)state;
	receive_reply((struct reply){ .code = "RATE_LIMITED" });
	err_set(&usual, ERR_RATE_LIMITED, "x");
	fails_with(ERR_RATE_LIMITED, "RATE_LIMITED", usual.hint);
}

static void what_is_no_reply(void **state)
{
	const struct freshness *stamp;

	(void)state;
	receive("\xc1", 1);
	assert_int_equal(wire_reply_peek(&r, &stamp, a), ERR_INTERNAL);
	assert_null(stamp);
	struct snippet_req out;
	assert_int_equal(get(&out, NULL), -1);
	assert_int_equal(e.code, ERR_INTERNAL);
	const char *begin_of = "h/o/shop: its answer cannot be read: ";
	assert_memory_equal(e.msg, begin_of, strlen(begin_of));
	assert_true(strlen(e.msg) > strlen(begin_of));
	assert_null(strstr(e.msg + 1, "h/o/shop"));
	assert_int_equal(wire_reply_get(&r, &rec_snippet_req, &out, NULL, a, NULL), -1);
}

static void a_body_of_another_record(void **state)
{
	struct snippet_req out;

	(void)state;
	receive_reply((struct reply){ .body = { "\x93\x01\x02\x03", 4 } });
	assert_int_equal(get(&out, NULL), -1);
	assert_int_equal(e.code, ERR_INTERNAL);
	assert_non_null(strstr(e.msg, "its answer cannot be read: "));
}

static void long_names_are_cut(void **state)
{
	struct snippet_req out;

	(void)state;
	snprintf(r.name, sizeof r.name, "%0100d", 0);
	receive("\xc1", 1);
	assert_int_equal(get(&out, NULL), -1);
	assert_int_equal(strspn(e.msg, "0"), 80);
	assert_memory_equal(e.msg + 80, ": its", 5);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(no_reply),
		TEST(a_result),
		TEST(a_failure_of_the_peer),
		TEST(a_failure_without_words),
		TEST(what_is_no_reply),
		TEST(a_body_of_another_record),
		TEST(long_names_are_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
