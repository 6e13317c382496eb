/* atoll.yaml: what people say of a repository, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* cmocka wants the above */
#include <cmocka.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/record/record.h"
#include "shard/contracts/specs/atoll_yaml.h"
#include "shard/facts/facts.h"
#include "shard/settings/settings.h"

static const char *read(const char *path, const char *text, struct arena *a, struct facts *f)
{
	const char *out = "";

	*f = (struct facts){ 0 };
	atoll_yaml_read(path, text, strlen(text), a, f);
	for (size_t i = 0; i < f->settings.n; i++)
		out = arena_printf(a, "%s%s=%s@%u\n", out, f->settings.v[i].key, f->settings.v[i].value, f->settings.v[i].line);
	for (size_t i = 0; i < f->contracts.n; i++) {
		const struct fact *c = &f->contracts.v[i];
		out = arena_printf(a, "%s%s %s [%s]%s => %s at %s %s@%d\n", out, c->side, c->method, c->host ? c->host : "", c->path,
		    c->to ? c->to : "", c->at ? c->at : "", c->symbol ? c->symbol : "-", (int)c->line);
	}
	return out;
}

static void what_it_says(void **state)
{
	static const char text[] =
	    "# of the orders\nservices:\n  - name: orders\n    hosts: [orders.example.com, 'localhost:8081']\n"
	    "    base: /api/v1/\n  - name: reports\nroutes:\n  - path: /orders/{}\n    method: GET\n    handler: Orders.one\n  - path: /health\n"
	    "links:\n  - path: /users/{}\n    to: users\n    method: DELETE\n    from: cleanup.sh\n"
	    "gateways:\n  - path: /shop/{*}\n    to: http://web:3000/{*}\n    hosts: [shop.example.com, www.example.com]\n"
	    "  - path: /login\n    to: auth:80\nexclude:\n  - legacy/\n  - 'tools/*.py'\n"
	    "not:\n  - {to: shop/users, path: '/users/{*}', method: GET}\n  - host: USERS_URL\n    to: users\n";
	static const char want[] =
	    "atoll.name=orders@3\natoll.name=orders.example.com@4\natoll.name=:8081@4\natoll.name=reports@6\n"
	    "atoll.exclude=legacy/*@24\natoll.exclude=tools/*.py@25\n"
	    "forwards ANY [orders]/api/v1/{*} => /{*} at  -@4\nprovides GET []/orders/{} =>  at  Orders.one@8\n"
	    "provides ANY []/health =>  at  -@11\nconsumes DELETE [users]/users/{} =>  at  cleanup.sh@13\n"
	    "forwards ANY [web:3000]/shop/{*} => /{*} at shop.example.com www.example.com -@18\nforwards ANY [auth:80]/login =>  at  -@21\n"
	    "denies GET [shop/users]/users/{*} =>  at  -@27\ndenies ANY [users]/{*} =>  at USERS_URL -@29\n";
	struct arena *a = arena_new();
	struct facts f;

	(void)state;
	assert_string_equal(read("atoll.yaml", text, a, &f), want);
	assert_null(f.limit);
	assert_string_equal(read("sub/atoll.yaml", text, a, &f), "");
	assert_string_equal(read("atoll.yaml", "", a, &f), "");
	assert_null(f.limit);
	arena_free(a);
}

/* A fault names file, line and key, and nothing of the file counts. */
static void what_is_refused(void **state)
{
	static const struct { const char *text, *want;
	} cases[] = {
		{ "services:\n  - name: a\n    bse: /x\n",
		    "atoll.yaml:3: `services[0].bse`: no such key; there are services[].name, services[].hosts[], services[].base" },
		{ "services:\n  - name: a\n  - hosts: [b]\n",
		    "atoll.yaml:3: `services[1].name`: is missing" },
		{ "services:\n  - name: a\n    base: api\n",
		    "atoll.yaml:3: `services[0].base`: `api` is not a path" },
		{ "services:\n  - name: 'a b'\n",
		    "atoll.yaml:2: `services[0].name`: `a b` is not a name or host" },
		{ "services:\n  - name: a\n    hosts: b\n",
		    "atoll.yaml:3: `services[0].hosts`: no such key" },
		{ "links:\n  - path: /x\n    to: a\n    method: FETCH\n",
		    "atoll.yaml:4: `links[0].method`: `FETCH` is not a method" },
		{ "links:\n  - path: /x\n", "atoll.yaml:2: `links[0].to`: is missing" },
		{ "gateways:\n  - path: /x\n    to: /y\n",
		    "atoll.yaml:3: `gateways[0].to`: `/y` is not a target" },
		{ "not:\n  - path: /x\n", "atoll.yaml:2: `not[0].to`: is missing" },
		{ "not:\n  - to: a\n    path: x\n", "atoll.yaml:3: `not[0].path`: `x` is not a path" },
		{ "not:\n  - to: a\n    host: 'a b'\n",
		    "atoll.yaml:3: `not[0].host`: `a b` is not a name or host" },
		{ "not:\n  - to: a\n    hosts: b\n",
		    "atoll.yaml:3: `not[0].hosts`: no such key; there are not[].to, not[].path, not[].method, not[].host, not[].from" },
		{ "exclude: tests/\n", "atoll.yaml:1: `exclude`: no such key" },
		{ "exclude: ['']\n", "atoll.yaml:1: `exclude[0]`: `` is empty" },
		{ "just a text\n",
		    "atoll.yaml:1: ``: no such key; there are services, routes, links, not, gateways, exclude" },
		{ "services:\n  - name: [a\n", "atoll.yaml: line 3: " },
		{ "services:\n  - name: a\n---\nservices: []\n", "atoll.yaml: more than one document" },
	};
	struct facts f;

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++) {
		struct arena *a = arena_new();
		assert_string_equal(read("atoll.yaml", cases[i].text, a, &f), "");
		if (!f.limit || strncmp(f.limit, cases[i].want, strlen(cases[i].want)))
			fail_msg("%s: `%s` instead of `%s`", cases[i].text, f.limit ? f.limit : "", cases[i].want);
		arena_free(a);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_it_says),
		cmocka_unit_test(what_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
