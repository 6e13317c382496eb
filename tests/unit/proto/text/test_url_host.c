/* Hosts of URLs are compared as hosts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the headers above */
#include <cmocka.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/text/url_host.h"

static void urls_are_taken_apart(void **state)
{
	static const struct { const char *url, *scheme, *name; int port; } cases[] = {
		{ "https://github.com/a/b", "https", "github.com", 443 },
		{ "HTTPS://GitHub.COM", "https", "github.com", 443 },
		{ "https://u:p@github.com:8443/a@b", "https", "github.com", 8443 },
		{ "https://github.com@evil.example/a", "https", "evil.example", 443 },
		{ "https://a@b@evil.example?x", "https", "evil.example", 443 },
		{ "http://[::1]:80/x", "http", "[::1]", 80 },
		{ "http://127.0.0.1:/x", "http", "127.0.0.1", 80 },
		{ "ssh://git@host/x", "ssh", "host", 22 },
		{ "file:///x", NULL, NULL, 0 },
		{ "github.com/a", NULL, NULL, 0 },
		{ "://github.com/a", NULL, NULL, 0 },
		{ "https://github.com\\@evil.example/a", "https", "evil.example", 443 },
		{ "https://evil.example\\.github.com/a", NULL, NULL, 0 },
		{ "https://github%2ecom/a", NULL, NULL, 0 },
		{ "https://github.com:443x/a", NULL, NULL, 0 },
		{ "https://github.com:+443/a", NULL, NULL, 0 },
		{ "https://github.com:0/a", NULL, NULL, 0 },
		{ "https://github.com:65536/a", NULL, NULL, 0 },
		{ "https://github.com:443:443/a", NULL, NULL, 0 },
		{ "https://git hub.com/a", NULL, NULL, 0 },
		{ "https://[::1/a", NULL, NULL, 0 },
		{ "https://[]/a", NULL, NULL, 0 },
		{ "https:///a", NULL, NULL, 0 },
		{ "", NULL, NULL, 0 },
	};
	struct arena *a = arena_new();

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++) {
		struct url_host h;
		int rc = url_host_parse(cases[i].url, &h, a);
		if (!!rc != !cases[i].name)
			fail_msg("%s: %d", cases[i].url, rc);
		if (rc)
			continue;
		assert_string_equal(h.scheme, cases[i].scheme);
		assert_string_equal(h.name, cases[i].name);
		assert_int_equal(h.port, cases[i].port);
	}
	arena_free(a);
}

static void rules_are_for_whole_hosts(void **state)
{
	static const struct { const char *url, *rule; bool is;
	} cases[] = {
		{ "https://github.com/a", "github.com", true },
		{ "https://github.com:443/a", "github.com", true },
		{ "https://github.com/a", "GitHub.com:443", true },
		{ "https://github.com:8443/a", "github.com", false },
		{ "https://github.com:8443/a", "github.com:8443", true },
		{ "https://github.com/a", "github.com:8443", false },
		{ "http://github.com/a", "github.com", true }, /* of which scheme a token is, others say */
		{ "https://github.com.evil.example/a", "github.com", false },
		{ "https://evilgithub.com/a", "github.com", false },
		{ "https://github.com./a", "github.com", false },
		{ "https://evil.example/github.com/a", "github.com", false },
		{ "https://evil.example/x.ghe.com/a", "*.ghe.com", false },
		{ "https://x.ghe.com/a", "*.ghe.com", true },
		{ "https://y.x.ghe.com/a", "*.ghe.com", true },
		{ "https://ghe.com/a", "*.ghe.com", false },
		{ "https://.ghe.com/a", "*.ghe.com", false },
		{ "https://xghe.com/a", "*.ghe.com", false },
		{ "https://x.ghe.com:8443/a", "*.ghe.com", false },
		{ "https://x.ghe.com.evil.example/a", "*.ghe.com", false },
		{ "https://[::1]:8443/a", "[::1]:8443", true },
		{ "https://evil.example/a", "*", false },
		{ "https://evil.example/a", "*.", false },
		{ "https://evil.example/a", "", false },
		{ "https://evil.example/a", "https://evil.example", false },
		{ "https://evil.example/a", "evil.example/", false },
		{ "https://evil.example/a", "u@evil.example", false },
	};
	struct arena *a = arena_new();

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++) {
		struct url_host h;
		assert_int_equal(url_host_parse(cases[i].url, &h, a), 0);
		if (url_host_matches(&h, cases[i].rule, a) != cases[i].is)
			fail_msg("%s, %s", cases[i].url, cases[i].rule);
	}
	assert_true(url_host_pattern_valid("*.example.org:8443", a));
	assert_false(url_host_pattern_valid("https://git.example.org", a));
	assert_false(url_host_pattern_valid("*", a));
	arena_free(a);
}

static void loopback_is_this_machine(void **state)
{
	static const char *const here[] = { "http://127.0.0.1:80/", "http://127.9.9.9/",
		"http://LOCALHOST/", "http://[::1]/" };
	static const char *const away[] = { "http://127.evil.example/",
		"http://localhost.evil.example/", "http://127.0.0.1.evil.example/",
		"http://127.0.0.1@evil.example/", "http://10.0.0.1/", "http://[::2]/",
		"http://localhost-x/" };
	struct arena *a = arena_new();
	struct url_host h;

	(void)state;
	for (size_t i = 0; i < LEN(here); i++)
		assert_true(!url_host_parse(here[i], &h, a) && url_host_is_loopback(&h));
	for (size_t i = 0; i < LEN(away); i++)
		assert_true(!url_host_parse(away[i], &h, a) && !url_host_is_loopback(&h));
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(urls_are_taken_apart),
		cmocka_unit_test(rules_are_for_whole_hosts),
		cmocka_unit_test(loopback_is_this_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
