/* Which names and addresses mean this machine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <netinet/in.h>

#include "coordinator/http/origin_check.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"

static const struct origin_names none;

static void only_loopback_names_are_hosts(void **state)
{
	static const char *const good[] = { "localhost", "LocalHost:80", "127.0.0.1", "127.0.0.1:7700", "127.9.9.9",
		"[::1]", "[::1]:7700", "localhost:65535" };
	static const char *const bad[] = { "", ":", ":80", "evil.example.com", "localhost.evil.example.com",
		"127.0.0.1.evil.example.com", "10.0.0.1:7700", "0.0.0.0", "[::]", "[::]:1", "[::1", "::1", "[::1]x",
		"localhost:", "localhost:x", "localhost:1x", "localhost:65536", "localhost:999999", "localhost/", "localhost@x",
		"127.0.0.1:80:80", "2130706433", "0x7f.0.0.1", "127.1", "[fe80::1%lo]", "[127.0.0.1" };

	(void)state;
	for (size_t i = 0; i < LEN(good); i++)
		if (!origin_host_allowed(good[i], &none))
			fail_msg("`%s` is refused", good[i]);
	for (size_t i = 0; i < LEN(bad); i++)
		if (origin_host_allowed(bad[i], &none))
			fail_msg("`%s` is accepted", bad[i]);
}

static void only_loopback_pages_are_origins(void **state)
{
	static const char *const bad[] = { "", "null", "http://", "localhost", "file://localhost", "http://evil.example.com",
		"https://localhost.evil.example.com", "http://localhost:80/path", "http://user@localhost",
		"http://evil.example.com/http://localhost" };

	(void)state;
	assert_true(origin_page_allowed("http://localhost:3000", "127.0.0.1:7700"));
	assert_true(origin_page_allowed("https://127.0.0.1", "127.0.0.1:7700"));
	assert_true(origin_page_allowed("HTTP://[::1]:7700", "127.0.0.1:7700"));
	for (size_t i = 0; i < LEN(bad); i++)
		if (origin_page_allowed(bad[i], "127.0.0.1:7700"))
			fail_msg("`%s` is accepted", bad[i]);
}

/* Beyond loopback: the names that it was told, and addresses, which no page can re-bind. */
static void other_names_must_be_told(void **state)
{
	static const char *const v[] = { "atoll.example.com", "coordinator" };
	static const struct origin_names told = { v, 2, true }, proxied = { v, 1, false };

	(void)state;
	assert_true(origin_host_allowed("atoll.example.com", &told));
	assert_true(origin_host_allowed("Coordinator:7700", &told));
	assert_true(origin_host_allowed("10.1.2.3:7700", &told));
	assert_true(origin_host_allowed("[fd00::1]:7700", &told));
	assert_true(origin_host_allowed("localhost", &told));
	assert_false(origin_host_allowed("evil.example.com", &told));
	assert_false(origin_host_allowed("atoll.example.com.evil.example.com", &told));
	assert_false(origin_host_allowed("10.1.2.3:7700", &proxied));
	assert_false(origin_host_allowed("fd00::1", &told));
	assert_true(origin_page_allowed("https://atoll.example.com", "atoll.example.com"));
	assert_true(origin_page_allowed("https://10.1.2.3:7700", "10.1.2.3:7700"));
	assert_false(origin_page_allowed("https://evil.example.com", "atoll.example.com"));
	assert_false(origin_page_allowed("https://atoll.example.com", NULL));
}

static void addresses_are_read(void **state)
{
	struct sockaddr_storage sa;
	socklen_t len;
	struct err e = { 0 };
	bool loopback;
	static const char *const bad[] = { "", "7700", ":7700", "example.com:80", "127.0.0.1", "127.0.0.1:x", "127.0.0.1:70000", "::1:7700" };
	static const char *const open[] = { "0.0.0.0:7700", "[::]:7700", "192.168.1.1:7700", "[fe80::1]:1" };

	(void)state;
	assert_int_equal(origin_address("localhost:7700", &sa, &len, &loopback, &e), 0);
	assert_int_equal(sa.ss_family, AF_INET);
	assert_int_equal(ntohs(((struct sockaddr_in *)&sa)->sin_port), 7700);
	assert_int_equal(len, sizeof(struct sockaddr_in));
	assert_true(loopback);
	assert_int_equal(origin_address("[::1]:0", &sa, &len, &loopback, &e), 0);
	assert_int_equal(sa.ss_family, AF_INET6);
	assert_true(loopback);
	for (size_t i = 0; i < LEN(open); i++)
		if (origin_address(open[i], &sa, &len, &loopback, &e) || loopback)
			fail_msg("`%s`: %s", open[i], e.msg);
	for (size_t i = 0; i < LEN(bad); i++) {
		e.code = ERR_NONE;
		if (origin_address(bad[i], &sa, &len, &loopback, &e) != -1 || e.code != ERR_INVALID_INPUT || !strstr(e.msg, "--http"))
			fail_msg("`%s`: %s", bad[i], e.msg);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_loopback_names_are_hosts),
		cmocka_unit_test(only_loopback_pages_are_origins),
		cmocka_unit_test(other_names_must_be_told),
		cmocka_unit_test(addresses_are_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
