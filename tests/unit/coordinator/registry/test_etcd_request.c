/* One request to etcd: which address is asked, when the client logs in, and what a refusal means. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the above */
#include <cmocka.h>

#include "coordinator/registry/etcd/etcd_internal.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/net/http_client.h"
#include "tests/fake_etcd.h"

struct answer {
	int status;
	const char *body;
};

/* Prepared answers; behind the last one, connections are dropped. */
struct answers {
	const struct answer *v;
	size_t n;
};

static struct arena *a;
static struct fake_etcd f;

static int next_answer(void *ctx, const struct etcd_request *q, struct buf *out)
{
	struct answers *left = ctx;

	(void)q;
	if (!left->n)
		return 0;
	left->n--;
	buf_str(out, left->v->body);
	return left->v++->status;
}

static int begin(void **state)
{
	(void)state;
	a = arena_new();
	return 0;
}

static int end(void **state)
{
	(void)state;
	arena_free(a);
	return 0;
}

static struct etcd *client(const char *url, const char *user, struct err *e)
{
	const struct etcd_options o = {
		.url = url, .ca = "", .cert = "", .key = "", .user = user, .password = "p\"w"
	};

	return etcd_new(&o, e);
}

static int call(struct etcd *c, struct err *e)
{
	const struct etcd_call q = { .path = "kv/range", .body = "{}", .timeout_ms = ETCD_ANSWER_MS };
	struct fetch_response out;

	*e = (struct err){ 0 };
	return etcd_call(c, &q, &out, a, e);
}

/* Makes `calls` calls with these answers; what the last one returned. */
static int calls(const struct answer *v, size_t n, int calls, const char *user, struct err *e)
{
	struct answers left = { v, n };
	int rc = 0;

	fake_etcd_start(&f, next_answer, &left);
	struct etcd *c = client(arena_printf(a, "etcd://127.0.0.1:%d/atoll", f.port), user, e);
	assert_non_null(c);
	for (int i = 0; i < calls; i++)
		rc = call(c, e);
	etcd_free(c);
	fake_etcd_stop(&f);
	return rc;
}

static void asked_is(const char *want)
{
	assert_string_equal(f.asked.p, want);
	fake_etcd_free(&f);
}

#define LOGIN "auth/authenticate [] {\"name\":\"u\",\"password\":\"p\\\"w\"}\n"

static void a_user_logs_in_once(void **state)
{
	static const struct answer answers[] = { { 200, "{\"token\":\"one\"}" }, { 200, "{}" },
		{ 200, "{}" } };
	struct err e;

	(void)state;
	assert_int_equal(calls(answers, LEN(answers), 2, "u", &e), 0);
	asked_is(LOGIN "kv/range [one] {}\nkv/range [one] {}\n");
}

static void without_a_user_nobody_logs_in(void **state)
{
	static const struct answer answers[] = { { 200, "{}" }, { 401, "{\"error\":\"no token\"}" } };
	struct err e;

	(void)state;
	assert_int_equal(calls(answers, 1, 1, "", &e), 0);
	asked_is("kv/range [] {}\n");
	assert_int_equal(calls(answers, 2, 2, NULL, &e), -1);
	assert_int_equal(e.code, ERR_FORBIDDEN);
	asked_is("kv/range [] {}\nkv/range [] {}\n");
}

static void a_rejected_token_is_replaced(void **state)
{
	static const struct answer answers[] = {
		{ 200, "{\"token\":\"one\"}" },
		{ 200, "{}" },
		{ 401, "{}" },
		{ 200, "{\"token\":\"two\"}" },
		{ 200, "{}" },
		{ 200, "{}" },
	};
	struct err e;

	(void)state;
	assert_int_equal(calls(answers, LEN(answers), 3, "u", &e), 0);
	asked_is(LOGIN "kv/range [one] {}\nkv/range [one] {}\n" LOGIN
	               "kv/range [two] {}\nkv/range [two] {}\n");
}

/* A token that etcd rejects, and for which it gives no other one, is not used again. */
static void no_token(void **state)
{
	static const struct answer answers[] = {
		{ 200, "{\"token\":\"one\"}" },
		{ 200, "{}" },
		{ 401, "{\"message\":\"invalid auth token\"}" },
		{ 200, "{}" },
		{ 200, "{\"token\":\"two\"}" },
		{ 200, "{}" },
	};
	struct err e;

	(void)state;
	assert_int_equal(calls(answers, 4, 2, "u", &e), -1);
	assert_int_equal(e.code, ERR_FORBIDDEN);
	assert_string_equal(e.msg, "etcd: invalid auth token (HTTP 401)");
	asked_is(LOGIN "kv/range [one] {}\nkv/range [one] {}\n" LOGIN);
	assert_int_equal(calls(answers, LEN(answers), 3, "u", &e), 0);
	asked_is(LOGIN "kv/range [one] {}\nkv/range [one] {}\n" LOGIN LOGIN "kv/range [two] {}\n");
}

static void a_login_that_fails_asks_nothing(void **state)
{
	static const struct answer answers[] = { { 400,
		"{\"error\":\"authentication failed, invalid user ID or password\"}" } };
	static const struct answer no_token = { 200, "{\"header\":{}}" };
	struct err e;

	(void)state;
	assert_int_equal(calls(answers, 1, 1, "u", &e), -1);
	assert_int_equal(e.code, ERR_FORBIDDEN);
	assert_string_equal(
	    e.msg, "etcd: authentication failed, invalid user ID or password (HTTP 400)");
	asked_is(LOGIN);
	assert_int_equal(calls(&no_token, 1, 1, "u", &e), -1);
	assert_int_equal(e.code, ERR_FORBIDDEN);
	assert_string_equal(e.msg, "etcd: no token for the user u");
	asked_is(LOGIN);
}

#define CHECK_USER                                                                                 \
	"Check --registry-user and --registry-password-file;"                                          \
	" the user's role must read and write the keys under the prefix."

static void what_a_refusal_means(void **state)
{
	static const struct {
		struct answer answer;
		enum err_code code;
		const char *msg;
		bool check_user;
	} v[] = {
		{ { 401, "{\"error\":\"a\",\"message\":\"b\"}" }, ERR_FORBIDDEN, "etcd: a (HTTP 401)",
		    true },
		{ { 403, "{\"message\":\"b\"}" }, ERR_FORBIDDEN, "etcd: b (HTTP 403)", true },
		{ { 400, "{\"message\":\"user name is empty\"}" }, ERR_FORBIDDEN,
		    "etcd: user name is empty (HTTP 400)", true },
		{ { 400, "{\"message\":\"authentication is off\"}" }, ERR_FORBIDDEN,
		    "etcd: authentication is off (HTTP 400)", true },
		{ { 402, "{}" }, ERR_INVALID_INPUT, "etcd: unreadable answer (HTTP 402)", false },
		{ { 404, "not found" }, ERR_INVALID_INPUT, "etcd: unreadable answer (HTTP 404)", false },
		{ { 204, "" }, ERR_INVALID_INPUT, "etcd: unreadable answer (HTTP 204)", false },
		{ { 499, "{\"error\":\"x\"}" }, ERR_INVALID_INPUT, "etcd: x (HTTP 499)", false },
		{ { 500, "{\"error\":\"x\"}" }, ERR_UNAVAILABLE, "etcd: x (HTTP 500)", false },
		{ { 503, "{\"error\":1}" }, ERR_UNAVAILABLE, "etcd: unreadable answer (HTTP 503)", false },
	};
	struct err e;

	(void)state;
	for (size_t i = 0; i < LEN(v); i++) {
		assert_int_equal(calls(&v[i].answer, 1, 1, "", &e), -1);
		assert_int_equal(e.code, v[i].code);
		assert_string_equal(e.msg, v[i].msg);
		assert_int_equal(!strcmp(e.hint, CHECK_USER), v[i].check_user);
		fake_etcd_free(&f);
	}
}

/* Calls with an unreachable address first, then the fake one twice; how many requests came, and which address is used next. */
static int two_addresses(
    const struct answer *v, size_t n, const char *url, size_t *at, struct err *e)
{
	struct answers left = { v, n };

	fake_etcd_start(&f, next_answer, &left);
	struct etcd *c = client(arena_printf(a, url, f.port, f.port), "", e);
	assert_non_null(c);
	assert_int_equal(etcd_endpoint_index(c), 0);
	int rc = call(c, e);
	*at = etcd_endpoint_index(c);
	etcd_free(c);
	fake_etcd_stop(&f);
	return rc;
}

static void the_next_address_is_asked_if_nothing_can_happen_twice(void **state)
{
	static const struct {
		const char *url;
		struct answer answers[2];
		size_t n, at;
		int rc;
		const char *asked;
	} v[] = {
		{ "etcd://127.0.0.1:1,127.0.0.1:%d/t", { { 200, "{}" } }, 1, 1, 0, "kv/range [] {}\n" },
		{ "etcd://127.0.0.1:%d,127.0.0.1:1/t", { { 200, "{}" } }, 1, 0, 0, "kv/range [] {}\n" },
		{ "etcd://127.0.0.1:%d,127.0.0.1:%d/t",
		    { { 503, "{\"error\":\"etcdserver: no leader\"}" }, { 200, "{}" } }, 2, 1, 0,
		    "kv/range [] {}\nkv/range [] {}\n" },
		{ "etcd://127.0.0.1:%d,127.0.0.1:%d/t",
		    { { 503, "{\"error\":\"request timed out\"}" }, { 200, "{}" } }, 2, 1, -1,
		    "kv/range [] {}\n" },
		{ "etcd://127.0.0.1:%d,127.0.0.1:%d/t",
		    { { 400, "{\"error\":\"no leader\"}" }, { 200, "{}" } }, 2, 0, -1, "kv/range [] {}\n" },
		{ "etcd://127.0.0.1:%d,127.0.0.1:%d/t", { { 0, "" }, { 200, "{}" } }, 2, 1, -1,
		    "kv/range [] {}\n" },
		{ "etcd://127.0.0.1:1,127.0.0.1:1/t", { { 0, NULL } }, 0, 2, -1, "" },
	};
	struct err e;
	size_t at;

	(void)state;
	for (size_t i = 0; i < LEN(v); i++) {
		assert_int_equal(two_addresses(v[i].answers, v[i].n, v[i].url, &at, &e), v[i].rc);
		assert_int_equal(at, v[i].at);
		assert_int_equal(e.code,
		    v[i].rc ? (v[i].answers[0].status == 400 ? ERR_INVALID_INPUT : ERR_UNAVAILABLE) : 0);
		asked_is(v[i].asked);
	}
}

#define A64 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define A200 A64 A64 A64 "aaaaaaaa"
#define H15 "h:1,h:2,h:3,h:4,h:5,h:6,h:7,h:8,h:9,h:10,h:11,h:12,h:13,h:14,h:15"

static void prefixes(void **state)
{
	static const struct {
		const char *url, *addresses, *prefix;
	} v[] = {
		{ "etcd://127.0.0.1:1", "127.0.0.1:1", "/atoll/" },
		{ "etcd://127.0.0.1:1/", "127.0.0.1:1", "/atoll/" },
		{ "etcd://localhost:1//x//", "localhost:1", "/x/" },
		{ "etcd://[::1]:1/x/y", "[::1]:1", "/x/y/" },
		{ "tls+etcd://10.0.0.1:1/" A200 "/", "10.0.0.1:1", "/" A200 "/" },
		{ "tls+etcd://" H15 ",h:16/z", H15 ",h:16", "/z/" },
	};
	struct err e = { 0 };

	(void)state;
	for (size_t i = 0; i < LEN(v); i++) {
		struct etcd *c = client(v[i].url, "", &e);
		assert_non_null(c);
		assert_string_equal(etcd_addresses(c), v[i].addresses);
		assert_string_equal(etcd_prefix(c), v[i].prefix);
		etcd_free(c);
	}
	etcd_free(NULL);
}

static void bad_urls(void **state)
{
	static const char
	    encrypt[] = "etcd:// is not encrypted: it may only name this machine; use tls+etcd://";
	static const struct {
		const char *url, *why;
	} v[] = {
		{ "tls+etcd:/h:1", "is neither etcd:// nor tls+etcd://" },
		{ "etcd:/127.0.0.1:1", "is neither etcd:// nor tls+etcd://" },
		{ "etcd://128.0.0.1:1", encrypt },
		{ "etcd://localhosts:1", encrypt },
		{ "etcd://[::2]:1", encrypt },
		{ "tls+etcd://h", "an address is HOST:PORT" },
		{ "tls+etcd://h:1,", "an address is HOST:PORT" },
		{ "tls+etcd://u@h:1", "an address is HOST:PORT" },
		{ "tls+etcd://h:1?x", "an address is HOST:PORT" },
		{ "tls+etcd://h:1#x", "an address is HOST:PORT" },
		{ "tls+etcd://h:1/a" A200, "the prefix is too long" },
		{ "tls+etcd://" H15 ",h:16,h:17/z", "has too many addresses" },
	};

	(void)state;
	for (size_t i = 0; i < LEN(v); i++) {
		struct err e = { 0 };
		assert_null(client(v[i].url, "", &e));
		assert_int_equal(e.code, ERR_INVALID_INPUT);
		assert_string_equal(e.msg, arena_printf(a, "--registry %.120s: %s", v[i].url, v[i].why));
		assert_string_equal(e.hint,
		    "For example tls+etcd://10.0.0.1:2379,10.0.0.2:2379/atoll, or etcd://127.0.0.1:2379/atoll;"
		    " without the option, the registry is a file in --data.");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_user_logs_in_once, begin, end),
		cmocka_unit_test_setup_teardown(without_a_user_nobody_logs_in, begin, end),
		cmocka_unit_test_setup_teardown(a_rejected_token_is_replaced, begin, end),
		cmocka_unit_test_setup_teardown(no_token, begin, end),
		cmocka_unit_test_setup_teardown(a_login_that_fails_asks_nothing, begin, end),
		cmocka_unit_test_setup_teardown(what_a_refusal_means, begin, end),
		cmocka_unit_test_setup_teardown(
		    the_next_address_is_asked_if_nothing_can_happen_twice, begin, end),
		cmocka_unit_test_setup_teardown(prefixes, begin, end),
		cmocka_unit_test_setup_teardown(bad_urls, begin, end),
	};

	log_init("test", LOG_ERROR);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
