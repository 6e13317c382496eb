/* The operator's table of hosts and gateways. */
#include <unistd.h>

#include "coordinator/contracts/operator_routing.h"
#include "proto/base/err.h"
#include "tests/contract_rows.h"

static char file[64];

static void write_file(const char *text)
{
	snprintf(file, sizeof file, "/tmp/atoll-routing-%d.yaml", (int)getpid());
	FILE *f = fopen(file, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void hosts_and_gateways(void **state)
{
	struct match_member m[4] = { MEMBER("carts", ROUTE("GET", "/list")), MEMBER("users", ROUTE("GET", "/list")),
		MEMBER("web", CALL("GET", "/list", "accounts.example.com"), CALL("GET", "/list", "localhost:9001"),
		    CALL("GET", "/c/list", "api.example.com")) };
	struct operator_routing r;
	struct err e = { 0 };
	size_t n = 3;

	(void)state;
	write_file("repositories:\n  - name: users\n    hosts: [accounts.example.com]\n  - name: shop/carts\n    hosts: ['localhost:9001']\n"
	    "gateways:\n  - path: /c/{*}\n    to: carts/{*}\n    hosts: [api.example.com]\n");
	assert_int_equal(operator_routing_read(file, a, &r, &e), 0);
	operator_routing_apply(&r, m, &n, a);
	assert_int_equal(n, 4);
	assert_string_equal(rows(m, n),
	    "GET /list web>users declared one_word\nGET /list web>carts declared one_word\nGET /list web>carts declared one_word\n");
	assert_int_equal(m[3].facts->facts.v[0].line, 7);
	assert_string_equal(m[3].facts->facts.v[0].file, file);
	unlink(file);
}

/* Where the calls of a repository go and do not go; without the table they are ambiguous. */
static void links_and_denials(void **state)
{
	static const char *const tables[] = {
		"links:\n  - {from: shop/web, method: GET, path: '/list', to: users}\n",
		"not:\n  - {from: web, path: '/list', to: shop/carts}\n",
	};
	struct operator_routing r;

	(void)state;
	for (size_t i = 0; i < LEN(tables); i++) {
		struct match_member m[4] = { MEMBER("carts", ROUTE("GET", "/list")),
			MEMBER("users", ROUTE("GET", "/list")), MEMBER("web", CALL("GET", "/list", NULL)) };
		struct err e = { 0 };
		size_t n = 3;
		assert_non_null(strstr(rows(m, n), "one_of_several"));
		write_file(tables[i]);
		assert_int_equal(operator_routing_read(file, a, &r, &e), 0);
		operator_routing_apply(&r, m, &n, a);
		assert_int_equal(n, 3);
		assert_int_equal(r.calls[0].fact.line, 2);
		assert_string_equal(r.calls[0].fact.file, file);
		const char *got = rows(m, n);
		if (!strstr(got, "GET /list web>users ") || strstr(got, "one_of_several"))
			fail_msg("%s gives %s", tables[i], got);
		unlink(file);
	}
}

static void faults_are_named(void **state)
{
	static const struct { const char *text, *want;
	} cases[] = {
		{ "repositories:\n  - hosts: [a]\n", ":2: `repositories[0].name`: is missing" },
		{ "repositories:\n  - name: a\n    host: b\n", ":3: `repositories[0].host`: no such key" },
		{ "gateways:\n  - path: x\n    to: b\n", ":2: `gateways[0].path`: `x` is not a path" },
		{ "links:\n  - path: /x\n    to: b\n", ":2: `links[0].from`: is missing" },
		{ "not:\n  - from: web\n", ":2: `not[0].to`: is missing" },
		{ "not:\n  - {from: web, to: b, adress: c}\n",
		    ":2: `not[0].adress`: no such key; there are not[].to, not[].path, not[].method, not[].host, not[].from" },
		{ "gateways: [\n", ": line 2: " },
	};
	struct operator_routing r;

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++) {
		struct err e = { 0 };
		write_file(cases[i].text);
		assert_int_equal(operator_routing_read(file, a, &r, &e), -1);
		if (strncmp(e.msg, file, strlen(file)) || strncmp(e.msg + strlen(file), cases[i].want, strlen(cases[i].want)))
			fail_msg("%s instead of %s", e.msg, cases[i].want);
		unlink(file);
	}
	struct err e = { 0 };
	assert_int_equal(operator_routing_read("/nowhere/at/all", a, &r, &e), -1);
	assert_non_null(strstr(e.msg, "/nowhere/at/all"));
	assert_int_equal(operator_routing_read("", a, &r, &e), 0);
	assert_int_equal(r.nhosts + r.ngateways, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hosts_and_gateways),
		cmocka_unit_test(links_and_denials),
		cmocka_unit_test(faults_are_named),
	};

	return cmocka_run_group_tests(tests, contract_rows_setup, contract_rows_teardown);
}
