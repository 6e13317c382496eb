/* What is said to etcd, byte for byte, and what is made of its answers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the above */
#include <cmocka.h>

#include "coordinator/registry/etcd/etcd.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "tests/fake_etcd.h"

static struct arena *a;
static struct fake_etcd f;
static struct etcd *c;
static struct err e;
/* The next answer: status 0 drops the connection, -1 keeps it open. */
static atomic_int status;
static _Atomic(const char *) body;

static int answer(void *ctx, const struct etcd_request *q, struct buf *out)
{
	(void)ctx;
	(void)q;
	buf_str(out, body);
	return status;
}

static int begin(void **state)
{
	(void)state;
	a = arena_new();
	e = (struct err){ 0 };
	status = 200;
	body = "{}";
	fake_etcd_start(&f, answer, NULL);
	const struct etcd_options o = {
		.url = arena_printf(a, "etcd://127.0.0.1:%d/t", f.port), .ca = "", .cert = "", .key = ""
	};
	c = etcd_new(&o, &e);
	return c ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	etcd_free(c);
	fake_etcd_stop(&f);
	fake_etcd_free(&f);
	arena_free(a);
	return 0;
}

static const char *base64(const char *s)
{
	struct buf b = { 0 };

	buf_base64(&b, s, strlen(s));
	const char *out = arena_str(a, b.p);
	buf_free(&b);
	return out;
}

/* A key with its value as etcd sends it; no value for NULL. */
static const char *kv(const char *key, const char *value, int rev)
{
	const char *v = value ? arena_printf(a, ",\"value\":\"%s\"", base64(value)) : "";

	return arena_printf(a, "{\"key\":\"%s\",\"mod_revision\":\"%d\"%s}", base64(key), rev, v);
}

/* What was asked since the last call. */
static void asked_is(const char *want)
{
	pthread_mutex_lock(&f.lock);
	const char *asked = arena_str(a, f.asked.p);
	f.asked.n = 0;
	pthread_mutex_unlock(&f.lock);
	assert_string_equal(asked, want);
}

/* ---- transactions ---- */

static void what_a_transaction_says(void **state)
{
	static const struct {
		struct etcd_guard guards[2];
		size_t nguards;
		struct etcd_kv ops[2];
		size_t nops;
		int64_t lease;
		const char *compare, *success;
	} v[] = {
		{ { { 0 } }, 0, { { 0 } }, 0, 0, "", "" },
		{ { { ETCD_REV_IS, "a", 7 } }, 1, { { "a", "v", 0 } }, 1, 0,
		    "{\"key\":'/t/a',\"target\":\"MOD\",\"result\":\"EQUAL\",\"mod_revision\":\"7\"}",
		    "{\"request_put\":{\"key\":'/t/a',\"value\":'v'}}" },
		{ { { ETCD_REV_IS, "b", 0 }, { ETCD_EXISTS, "g/x", 5 } }, 2,
		    { { "b", "", 0 }, { "c", NULL, 0 } }, 2, 77,
		    "{\"key\":'/t/b',\"target\":\"MOD\",\"result\":\"EQUAL\",\"mod_revision\":\"0\"},"
		    "{\"key\":'/t/g/x',\"target\":\"CREATE\",\"result\":\"GREATER\",\"create_revision\":\"0\"}",
		    "{\"request_put\":{\"key\":'/t/b',\"value\":'',\"lease\":\"77\"}},{\"request_delete_range\":{\"key\":'/t/c'}}" },
		{ { { ETCD_NONE_AFTER, "m/", 9 } }, 1, { { "c", NULL, 0 }, { "d", "\"w\"", 0 } }, 2, 0,
		    "{\"key\":'/t/m/',\"range_end\":'/t/m0',\"target\":\"MOD\",\"result\":\"LESS\",\"mod_revision\":\"10\"}",
		    "{\"request_delete_range\":{\"key\":'/t/c'}},{\"request_put\":{\"key\":'/t/d',\"value\":'\"w\"'}}" },
	};

	(void)state;
	body = "{\"header\":{\"revision\":\"12\"},\"succeeded\":true}";
	for (size_t i = 0; i < LEN(v); i++) {
		int64_t rev = 0;
		bool unsent = true;
		assert_int_equal(etcd_txn(c, v[i].guards, v[i].nguards, v[i].ops, v[i].nops, v[i].lease,
		                     &rev, &unsent, &e),
		    1);
		assert_int_equal(rev, 12);
		assert_false(unsent);
		asked_is(arena_printf(
		    a, "kv/txn [] {\"compare\":[%s],\"success\":[%s]}\n", v[i].compare, v[i].success));
	}
}

static int txn(int64_t *rev, bool *unsent)
{
	const struct etcd_kv op = { "a", "v", 0 };

	e = (struct err){ 0 };
	return etcd_txn(c, NULL, 0, &op, 1, 0, rev, unsent, &e);
}

static void what_a_transaction_became(void **state)
{
	static const struct {
		int status;
		const char *body;
		int rc;
		int64_t rev;
		enum err_code code;
	} v[] = {
		{ 200, "{\"header\":{\"revision\":\"3\"},\"succeeded\":true}", 1, 3, 0 },
		{ 200, "{\"header\":{\"revision\":\"4\"}}", 0, 4, 0 },
		{ 200, "{}", 0, 0, 0 },
		{ 200, "no json", -1, -5, ERR_INVALID_INPUT },
		{ 400, "{\"error\":\"too many operations\"}", -1, -5, ERR_INVALID_INPUT },
		{ 503, "{\"error\":\"timed out\"}", -1, -5, ERR_UNAVAILABLE },
		{ 0, "", -1, -5, ERR_UNAVAILABLE },
	};
	int64_t rev;
	bool unsent;

	(void)state;
	for (size_t i = 0; i < LEN(v); i++) {
		status = v[i].status;
		body = v[i].body;
		rev = -5;
		unsent = true;
		assert_int_equal(txn(&rev, &unsent), v[i].rc);
		assert_int_equal(rev, v[i].rev);
		assert_int_equal(e.code, v[i].code);
		assert_false(unsent);
	}
}

static void a_transaction_that_nobody_received_is_unsent(void **state)
{
	const struct etcd_options o = {
		.url = "etcd://127.0.0.1:1/t", .ca = "", .cert = "", .key = ""
	};
	const struct etcd_kv op = { "a", "v", 0 };
	struct etcd *nobody = etcd_new(&o, &e);
	int64_t rev;
	bool unsent = false;

	(void)state;
	assert_int_equal(etcd_txn(nobody, NULL, 0, &op, 1, 0, &rev, &unsent, &e), -1);
	assert_true(unsent);
	assert_int_equal(e.code, ERR_UNAVAILABLE);
	etcd_free(nobody);
}

/* ---- reading ---- */

static void all_keys_below_the_prefix(void **state)
{
	struct etcd_kv *v;
	size_t n;
	int64_t rev;

	(void)state;
	body = arena_printf(a,
	    "{\"header\":{\"revision\":\"90\"},\"kvs\":[%s,%s,%s,{\"key\":\"L3QvYWJj*\"},{},%s]}",
	    kv("/t/a/b", "1", 7), kv("/other/x", "2", 8), kv("/t/empty", NULL, 9),
	    kv("/t/z", "last", 80));
	assert_int_equal(etcd_get_all(c, &v, &n, &rev, a, &e), 0);
	asked_is("kv/range [] {\"key\":'/t/',\"range_end\":'/t0'}\n");
	assert_int_equal(rev, 90);
	assert_int_equal(n, 3);
	static const struct etcd_kv want[] = { { "a/b", "1", 7 }, { "empty", "", 9 },
		{ "z", "last", 80 } };
	for (size_t i = 0; i < n; i++) {
		assert_string_equal(v[i].key, want[i].key);
		assert_string_equal(v[i].value, want[i].value);
		assert_int_equal(v[i].rev, want[i].rev);
	}
	body = "{\"header\":{\"revision\":\"91\"}}";
	assert_int_equal(etcd_get_all(c, &v, &n, &rev, a, &e), 0);
	assert_int_equal(n, 0);
	assert_int_equal(rev, 91);
	body = "[";
	assert_int_equal(etcd_get_all(c, &v, &n, &rev, a, &e), -1);
	assert_int_equal(e.code, ERR_INVALID_INPUT);
}

/* ---- watching ---- */

static atomic_bool cancel;
static struct buf seen;
static const char *stop_at; /* what the last batch contains */

/* "key=value@rev" or "-key@rev" of each change, "(REV)" behind those of one event, "." at the end of a batch. */
static void on_change(void *ctx, const struct etcd_kv *v, size_t n, int64_t rev)
{
	assert_ptr_equal(ctx, &seen);
	for (size_t i = 0; i < n; i++)
		if (v[i].value)
			buf_printf(&seen, "%s=%s@%d ", v[i].key, v[i].value, (int)v[i].rev);
		else
			buf_printf(&seen, "-%s@%d ", v[i].key, (int)v[i].rev);
	if (n)
		buf_printf(&seen, "(%d) ", (int)rev);
	else
		buf_str(&seen, ". ");
	if (!n && stop_at && strstr(seen.p, stop_at))
		atomic_store(&cancel, true);
}

struct pushes {
	const char *pieces[6];
};

static void *push_all(void *arg)
{
	struct pushes *p = arg;

	fake_etcd_await_watch(&f, 1);
	for (size_t i = 0; i < LEN(p->pieces) && p->pieces[i]; i++)
		fake_etcd_push(&f, p->pieces[i]);
	if (!stop_at)
		fake_etcd_push(&f, NULL);
	return NULL;
}

/* Watches from revision 41 while etcd sends these pieces, and ends the watch after them or when `until` was seen. */
static int watch(struct pushes p, const char *until)
{
	pthread_t t;

	e = (struct err){ 0 };
	status = -1;
	seen.n = 0;
	buf_str(&seen, "");
	stop_at = until;
	atomic_store(&cancel, false);
	pthread_mutex_lock(&f.lock);
	f.watches = 0;
	pthread_mutex_unlock(&f.lock);
	assert_int_equal(pthread_create(&t, NULL, push_all, &p), 0);
	int rc = etcd_watch(c, 41, on_change, &seen, &cancel, &e);
	pthread_join(t, NULL);
	return rc;
}

static const char *event(const char *type, const char *kv_json)
{
	return arena_printf(a, "{%s\"kv\":%s}", type, kv_json);
}

static void changes_in_pieces(void **state)
{
	const char *del = "\"type\":\"DELETE\",", *put = "\"type\":\"PUT\",";

	(void)state;
	const char *first = arena_printf(a,
	    "{\"result\":{\"header\":{\"revision\":\"99\"},\"events\":[%s,%s,%s]}}\n",
	    event("", kv("/t/a", "1", 42)), event(del, kv("/t/b", NULL, 44)),
	    event(put, kv("/other/c", "3", 43)));
	const char *second = arena_printf(
	    a, "{\"result\":{\"events\":[%s]}}\n", event(put, kv("/t/d", NULL, 45)));
	const char *foreign = arena_printf(
	    a, "{\"result\":{\"events\":[%s]}}\n", event(put, kv("/other/d", "x", 46)));
	struct pushes p = { { "{\"result\":{\"created\":true}}\n\n", arena_printf(a, "%.30s", first),
		arena_printf(a, "%s%s", first + 30, second), foreign } };
	assert_int_equal(watch(p, NULL), 0);
	assert_int_equal(e.code, 0);
	struct buf without_batches = { 0 };
	for (const char *s = seen.p; *s; s++)
		if (strncmp(s, ". ", 2))
			buf_byte(&without_batches, *s);
		else
			s++;
	assert_string_equal(without_batches.p, "a=1@42 -b@44 (44) d=@45 (45) ");
	buf_free(&without_batches);
	asked_is(
	    "watch [] {\"create_request\":{\"key\":'/t/',\"range_end\":'/t0',\"start_revision\":\"41\"}}\n");
}

/* An incomplete line is no batch yet. */
static void batches_end_with_a_line(void **state)
{
	(void)state;
	assert_int_equal(watch((struct pushes){ { "{\"resu" } }, NULL), 0);
	assert_string_equal(seen.p, "");
	assert_int_equal(watch((struct pushes){ { "{}\n{}\n{\"result\"" } }, NULL), 0);
	assert_string_equal(seen.p, ". ");
	assert_int_equal(e.code, 0);
}

static void how_a_watch_ends(void **state)
{
	static const struct {
		const char *line;
		int rc;
		enum err_code code;
		const char *msg;
	} v[] = {
		{ "{\"error\":\"gone\"}\n", -1, ERR_UNAVAILABLE, "etcd: gone" },
		{ "{\"error\":{\"message\":\"lost\"}}\n", -1, ERR_UNAVAILABLE, "etcd: lost" },
		{ "{\"error\":{}}\n", -1, ERR_UNAVAILABLE, "etcd: the watch ended" },
		{ "{\"result\":{\"canceled\":true,\"compact_revision\":\"50\"}}\n", -1, ERR_NOT_FOUND,
		    "etcd: the revision was compacted" },
		{ "{\"result\":{\"canceled\":true}}\n", -1, ERR_UNAVAILABLE,
		    "etcd: the server canceled the watch" },
		{ "{\"result\":{\"compact_revision\":\"0\"}}\n", 0, 0, "" },
		/* the first reason is told */
		{ "{\"error\":\"one\"}\n{\"error\":\"two\"}\n", -1, ERR_UNAVAILABLE, "etcd: one" },
		{ "no json\n", 0, 0, "" },
	};

	(void)state;
	for (size_t i = 0; i < LEN(v); i++) {
		assert_int_equal(watch((struct pushes){ { v[i].line } }, NULL), v[i].rc);
		assert_int_equal(e.code, v[i].code);
		assert_string_equal(e.msg, v[i].msg);
	}
	assert_int_equal(etcd_endpoint_index(c), 0);
}

static void a_watch_of_nobody_goes_to_the_next_address(void **state)
{
	const struct etcd_options o = {
		.url = "etcd://127.0.0.1:1,127.0.0.1:1/t", .ca = "", .cert = "", .key = ""
	};
	struct etcd *nobody = etcd_new(&o, &e);

	(void)state;
	atomic_store(&cancel, false);
	for (size_t i = 1; i <= 3; i++) {
		assert_int_equal(etcd_watch(nobody, 1, on_change, &seen, &cancel, &e), -1);
		assert_int_equal(e.code, ERR_UNAVAILABLE);
		assert_int_equal(etcd_endpoint_index(nobody), i);
	}
	etcd_free(nobody);
}

static void a_watch_that_is_stopped(void **state)
{
	(void)state;
	assert_int_equal(watch((struct pushes){ { "{}\n" } }, ". "), -1);
	assert_int_equal(e.code, ERR_UNAVAILABLE);
	assert_string_equal(seen.p, ". ");
	assert_int_equal(etcd_endpoint_index(c), 0);
}

/* One that answers, but refuses, is not left. */
static void a_watch_that_is_refused(void **state)
{
	(void)state;
	status = 403;
	body = "{\"error\":\"permission denied\"}";
	atomic_store(&cancel, false);
	assert_int_equal(etcd_watch(c, 1, on_change, &seen, &cancel, &e), -1);
	assert_int_equal(e.code, ERR_FORBIDDEN);
	assert_int_equal(etcd_endpoint_index(c), 0);
}

/* ---- leases ---- */

static void a_lease_is_granted(void **state)
{
	int64_t lease = 0;

	(void)state;
	body = "{\"ID\":\"7587\",\"TTL\":\"10\"}";
	assert_int_equal(etcd_grant(c, 10, &lease, &e), 0);
	assert_int_equal(lease, 7587);
	asked_is("lease/grant [] {\"TTL\":\"10\"}\n");
	body = "{\"TTL\":\"10\"}";
	assert_int_equal(etcd_grant(c, 10, &lease, &e), -1);
	assert_int_equal(e.code, ERR_UNAVAILABLE);
	assert_string_equal(e.msg, "etcd: it did not grant a lease");
	status = 400;
	assert_int_equal(etcd_grant(c, 10, &lease, &e), -1);
	assert_int_equal(e.code, ERR_INVALID_INPUT);
}

static void a_lease_is_renewed(void **state)
{
	static const struct {
		const char *body;
		int rc;
		int64_t rev;
		enum err_code code;
	} v[] = {
		{ "{\"result\":{\"header\":{\"revision\":\"8\"},\"TTL\":\"1\"}}", 1, 8, 0 },
		{ "{\"result\":{\"header\":{\"revision\":\"9\"},\"TTL\":\"0\"}}", 0, 9, 0 },
		{ "{\"result\":{\"header\":{\"revision\":\"10\"}}}", 0, 10, 0 },
		{ "{\"result\":{\"TTL\":\"-1\"}}", 0, 0, 0 },
		{ "{\"header\":{\"revision\":\"8\"}}", -1, 0, ERR_UNAVAILABLE },
	};

	(void)state;
	for (size_t i = 0; i < LEN(v); i++) {
		int64_t rev = -1;
		e = (struct err){ 0 };
		body = v[i].body;
		assert_int_equal(etcd_keep_alive(c, 7587, &rev, &e), v[i].rc);
		assert_int_equal(rev, v[i].rev);
		assert_int_equal(e.code, v[i].code);
		asked_is("lease/keepalive [] {\"ID\":\"7587\"}\n");
	}
	int64_t rev;
	status = 500;
	assert_int_equal(etcd_keep_alive(c, 7587, &rev, &e), -1);
}

static void a_lease_is_given_back(void **state)
{
	(void)state;
	assert_int_equal(etcd_revoke(c, -3, &e), 0);
	asked_is("lease/revoke [] {\"ID\":\"-3\"}\n");
	status = 404;
	assert_int_equal(etcd_revoke(c, -3, &e), -1);
	assert_int_equal(e.code, ERR_INVALID_INPUT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_a_transaction_says, begin, end),
		cmocka_unit_test_setup_teardown(what_a_transaction_became, begin, end),
		cmocka_unit_test_setup_teardown(a_transaction_that_nobody_received_is_unsent, begin, end),
		cmocka_unit_test_setup_teardown(all_keys_below_the_prefix, begin, end),
		cmocka_unit_test_setup_teardown(changes_in_pieces, begin, end),
		cmocka_unit_test_setup_teardown(batches_end_with_a_line, begin, end),
		cmocka_unit_test_setup_teardown(how_a_watch_ends, begin, end),
		cmocka_unit_test_setup_teardown(a_watch_of_nobody_goes_to_the_next_address, begin, end),
		cmocka_unit_test_setup_teardown(a_watch_that_is_stopped, begin, end),
		cmocka_unit_test_setup_teardown(a_watch_that_is_refused, begin, end),
		cmocka_unit_test_setup_teardown(a_lease_is_granted, begin, end),
		cmocka_unit_test_setup_teardown(a_lease_is_renewed, begin, end),
		cmocka_unit_test_setup_teardown(a_lease_is_given_back, begin, end),
	};

	log_init("test", LOG_ERROR);
	int rc = cmocka_run_group_tests(tests, NULL, NULL);
	buf_free(&seen);
	return rc;
}
