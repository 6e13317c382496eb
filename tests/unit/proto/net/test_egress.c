/* Where requests may go: each spelling of an address, each kind of source. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the headers above */
#include <cmocka.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/net/egress.h"

static struct arena *a;

static const char *refuses(const struct egress_policy *x, const char *address)
{
	struct sockaddr_in v4 = { .sin_family = AF_INET };
	struct sockaddr_in6 v6 = { .sin6_family = AF_INET6 };

	if (inet_pton(AF_INET, address, &v4.sin_addr) == 1)
		return egress_refusal(x, (const struct sockaddr *)(const void *)&v4);
	assert_int_equal(inet_pton(AF_INET6, address, &v6.sin6_addr), 1);
	return egress_refusal(x, (const struct sockaddr *)(const void *)&v6);
}

static void addresses(void **state)
{
	static const struct {
		const char *address, *token, *operator; /* what they are refused as; NULL: they are not */
	} rows[] = {
		{ "127.0.0.1", "loopback", NULL },
		{ "127.255.0.3", "loopback", NULL },
		{ "0.0.0.0", "unspecified", NULL },
		{ "169.254.169.254", "link-local", "link-local" },
		{ "169.253.255.255", NULL, NULL },
		{ "169.255.0.0", NULL, NULL },
		{ "224.0.0.1", "multicast", NULL },
		{ "255.255.255.255", "reserved", NULL },
		{ "168.63.129.16", "a cloud's own service", "a cloud's own service" },
		{ "10.1.2.3", NULL, NULL },
		{ "192.168.0.1", NULL, NULL },
		{ "8.8.8.8", NULL, NULL },
		{ "::1", "loopback", NULL },
		{ "::", "unspecified", NULL },
		{ "fe80::1", "link-local", "link-local" },
		{ "febf::1", "link-local", "link-local" },
		{ "fc00::1", NULL, NULL },
		{ "2606:4700::1", NULL, NULL },
		{ "::ffff:127.0.0.1", "loopback", NULL },
		{ "::ffff:169.254.169.254", "link-local", "link-local" },
		{ "::ffff:8.8.8.8", NULL, NULL },
		{ "64:ff9b::a9fe:a9fe", "link-local", "link-local" },
		{ "64:ff9b:1::7f00:1", "loopback", NULL },
		{ "2002:7f00:1::", "loopback", NULL },
		{ "2002:a9fe:a9fe::1", "link-local", "link-local" },
		{ "2001:0:0:0:0:0:80ff:fffe", "loopback", NULL },
		{ "::127.0.0.1", "loopback", NULL },
		{ "fd00:ec2::254", "a cloud's own service", "a cloud's own service" },
	};

	(void)state;
	for (size_t i = 0; i < LEN(rows); i++) {
		const char *token = refuses(egress_policy_of(true), rows[i].address),
		           *operator= refuses(egress_policy_of(false), rows[i].address);
		assert_string_equal(token ? token : "", rows[i].token ? rows[i].token : "");
		assert_string_equal(operator ? operator : "", rows[i].operator ? rows[i].operator : "");
	}
}

static void options_admit(void **state)
{
	const char *all[] = { "https", "http", "file" };
	const struct egress_policy local = { .token = true, .local = true },
	                    link = { .token = true, .link_local = true },
	                    public = {
		                    .token = true, .public_only = true, .schemes = { all, LEN(all) }
	                    };

	(void)state;
	assert_null(refuses(&local, "127.0.0.1"));
	assert_string_equal(refuses(&local, "169.254.169.254"), "link-local");
	assert_null(refuses(&link, "169.254.169.254"));
	assert_string_equal(refuses(&link, "127.0.0.1"), "loopback");
	assert_string_equal(refuses(&public, "10.0.0.1"), "private");
	assert_string_equal(refuses(&public, "fd12::1"), "private");
	assert_null(refuses(&public, "8.8.8.8"));
	assert_int_equal(egress_check_source(&public, "http://8.8.8.8/x", a, NULL), 0);
	assert_int_equal(egress_check_source(&public, "/srv/x y", a, NULL), 0);
	assert_int_equal(egress_check_source(&public, "git@example.com:x/y", a, NULL), -1);
}

/* What a user with a token may name as the source of a repository, and what an operator may. */
static const struct {
	const char *source;
	enum err_code token, operator;
} source_rows[] = {
	{ "https://example.com/o/r.git", ERR_NONE, ERR_NONE },
	{ "https://u:p@example.com:8443/o/r", ERR_NONE, ERR_NONE },
	{ "git@example.com:o/r.git", ERR_NONE, ERR_NONE },
	{ "example.com:o/r", ERR_NONE, ERR_NONE },
	{ "ssh://git@example.com:2222/o/r", ERR_NONE, ERR_NONE },
	{ "git+ssh://example.com/o", ERR_NONE, ERR_NONE },
	{ "git://example.com/o/r", ERR_NONE, ERR_NONE },
	{ "https://[2606:4700::1]/o/r", ERR_NONE, ERR_NONE },
	{ "https://10.0.0.7/o/r", ERR_NONE, ERR_NONE },
	{ "http://example.com/o/r", ERR_FORBIDDEN, ERR_NONE },
	{ "/srv/git/r.git", ERR_FORBIDDEN, ERR_NONE },
	{ "/srv/git/with space", ERR_FORBIDDEN, ERR_NONE },
	{ "file:///srv/git/r.git", ERR_FORBIDDEN, ERR_NONE },
	{ "https://127.0.0.1/o/r", ERR_FORBIDDEN, ERR_NONE },
	{ "https://2130706433/o/r", ERR_FORBIDDEN, ERR_NONE },
	{ "https://0x7f000001/o/r", ERR_FORBIDDEN, ERR_NONE },
	{ "https://0177.0.0.1/o/r", ERR_FORBIDDEN, ERR_NONE },
	{ "https://127.1/o/r", ERR_FORBIDDEN, ERR_NONE },
	{ "https://0/o/r", ERR_FORBIDDEN, ERR_NONE },
	{ "https://2852039166/latest", ERR_FORBIDDEN, ERR_NONE },
	{ "https://0xA9.0xFE.0xA9.0xFE/x", ERR_FORBIDDEN, ERR_NONE },
	{ "https://[::1]/o/r", ERR_FORBIDDEN, ERR_NONE },
	{ "https://[::ffff:127.0.0.1]/o/r", ERR_FORBIDDEN, ERR_NONE },
	{ "https://[64:ff9b::a9fe:a9fe]/o/r", ERR_FORBIDDEN, ERR_NONE },
	{ "git@127.0.0.1:o/r", ERR_FORBIDDEN, ERR_NONE },
	{ "git@[::1]:o/r", ERR_FORBIDDEN, ERR_NONE },
	{ "https://localhost/o/r", ERR_FORBIDDEN, ERR_NONE },
	{ "https://LOCALHOST./o/r", ERR_FORBIDDEN, ERR_NONE },
	{ "https://x.localhost/o/r", ERR_FORBIDDEN, ERR_NONE },
	{ "https://metadata.google.internal/o/r", ERR_FORBIDDEN, ERR_NONE },
	{ "https://example.com@127.0.0.1/o/r", ERR_FORBIDDEN, ERR_NONE },
	{ "https://127.0.0.1:443/o@example.com/r", ERR_FORBIDDEN, ERR_NONE },
	{ "https://%31%32%37.0.0.1/o/r", ERR_INVALID_INPUT, ERR_NONE },
	{ "https://\xef\xbc\x91.example/o/r", ERR_INVALID_INPUT, ERR_NONE },
	{ "https://[fe80::1%25eth0]/o/r", ERR_INVALID_INPUT, ERR_NONE },
	{ "ext::sh -c id", ERR_INVALID_INPUT, ERR_INVALID_INPUT },
	{ "ext::id", ERR_INVALID_INPUT, ERR_INVALID_INPUT },
	{ "fd::17", ERR_INVALID_INPUT, ERR_INVALID_INPUT },
	{ "foo::https://example.com/o", ERR_INVALID_INPUT, ERR_INVALID_INPUT },
	{ "ftp://example.com/o", ERR_INVALID_INPUT, ERR_INVALID_INPUT },
	{ "gopher://example.com/o", ERR_INVALID_INPUT, ERR_INVALID_INPUT },
	{ "--upload-pack=id", ERR_INVALID_INPUT, ERR_INVALID_INPUT },
	{ "-x:y", ERR_INVALID_INPUT, ERR_INVALID_INPUT },
	{ "ssh://-oProxyCommand=id/x", ERR_INVALID_INPUT, ERR_INVALID_INPUT },
	{ "git@-oProxyCommand=id:x", ERR_INVALID_INPUT, ERR_INVALID_INPUT },
	{ "git@example.com:-x", ERR_INVALID_INPUT, ERR_INVALID_INPUT },
	{ "https:///o/r", ERR_INVALID_INPUT, ERR_INVALID_INPUT },
	{ "https://example.com:99999999/o", ERR_INVALID_INPUT, ERR_INVALID_INPUT },
	{ "https://example.com:1x/o", ERR_INVALID_INPUT, ERR_INVALID_INPUT },
	{ "https://example.com/o r", ERR_INVALID_INPUT, ERR_INVALID_INPUT },
	{ "https://example.com/o\nr", ERR_INVALID_INPUT, ERR_INVALID_INPUT },
	{ "https://example.com\\@127.0.0.1/o", ERR_INVALID_INPUT, ERR_INVALID_INPUT },
	{ "/srv/a\nb", ERR_INVALID_INPUT, ERR_INVALID_INPUT },
	{ "file://host/x", ERR_INVALID_INPUT, ERR_INVALID_INPUT },
	{ "relative/path", ERR_INVALID_INPUT, ERR_INVALID_INPUT },
	{ "", ERR_INVALID_INPUT, ERR_INVALID_INPUT },
	{ "https://[::1", ERR_INVALID_INPUT, ERR_INVALID_INPUT },
};

static void sources(void **state)
{
	(void)state;
	for (size_t i = 0; i < LEN(source_rows); i++) {
		struct err token = { 0 }, operator= { 0 };
		egress_check_source(egress_policy_of(true), source_rows[i].source, a, &token);
		egress_check_source(egress_policy_of(false), source_rows[i].source, a, &operator);
		if (token.code != source_rows[i].token || operator.code != source_rows[i].operator)
			fail_msg("%s: %s %s", source_rows[i].source, token.msg, operator.msg);
	}
}

/* Numeric addresses are resolved without DNS. */
static void numbers_are_resolved(void **state)
{
	struct egress_addresses v;
	struct egress_target s;
	struct err e = { 0 };

	(void)state;
	assert_int_equal(egress_parse("https://10.1.2.3:8443/x", &s, a, &e), 0);
	assert_int_equal(egress_resolve(egress_policy_of(true), &s, &v, &e), 0);
	assert_int_equal(v.n, 1);
	assert_string_equal(v.v[0], "10.1.2.3");
	assert_string_equal(s.port, "8443");
	assert_int_equal(egress_parse("https://0x7f.1/x", &s, a, &e), 0);
	assert_int_equal(egress_resolve(egress_policy_of(true), &s, &v, &e), -1);
	assert_int_equal(e.code, ERR_FORBIDDEN);
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
		cmocka_unit_test(addresses),
		cmocka_unit_test(options_admit),
		cmocka_unit_test(sources),
		cmocka_unit_test(numbers_are_resolved),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
