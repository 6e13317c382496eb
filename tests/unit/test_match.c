#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/links.h"
#include "coordinator/match.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/codec.h"

static struct arena *a;
static uint64_t line;

static struct fact fact(const char *side, const char *kind, const char *method, const char *path, const char *host)
{
	line++;
	return (struct fact){ .side = side, .kind = kind, .method = method, .path = path, .host = host, .framework = "test",
		.symbol = "f", .file = "src/a.c", .line = line, .end_line = line };
}

#define ROUTE(m, p)      fact("provides", "http", m, p, NULL)
#define CALL(m, p, host) fact("consumes", "http", m, p, host)

static struct match_member member(const char *uri, const char *name, const struct fact *v, size_t n)
{
	struct contracts_res *r = arena_one(a, struct contracts_res);

	r->facts.v = arena_many(a, n, struct fact);
	if (n)
		memcpy(r->facts.v, v, n * sizeof *v);
	r->facts.n = n;
	return (struct match_member){ uri, name, r };
}

#define MEMBER(name, ...) member("h/shop/" name, "shop/" name, (struct fact[]){ __VA_ARGS__ }, \
	LEN(((struct fact[]){ __VA_ARGS__ })))

/* The rows as lines, for comparing: `GET /x web>users 1.00`, `? GET /x web external`, `- GET /x users`. */
static const char *rows(const struct match_member *m, size_t n)
{
	struct matched o;
	struct buf b = { 0 };

	match(m, n, a, &o);
	for (size_t i = 0; i < o.contracts.n; i++) {
		const struct contract *c = &o.contracts.v[i];
		buf_printf(&b, "%s %s %s>%s %.2f%s\n", c->method, c->path, c->consumer->repo_uri + 7,
		    c->producer->repo_uri + 7, c->confidence, c->ambiguous ? " ambiguous" : "");
	}
	for (size_t i = 0; i < o.unresolved.n; i++) {
		const struct unresolved *u = &o.unresolved.v[i];
		buf_printf(&b, "? %s %s %s %s%s\n", u->method, u->path, u->consumer->repo_uri + 7, u->reason,
		    u->candidates.n ? " with candidates" : "");
	}
	for (size_t i = 0; i < o.idle.n; i++)
		buf_printf(&b, "- %s %s %s\n", o.idle.v[i].producer->method, o.idle.v[i].producer->path,
		    o.idle.v[i].producer->repo_uri + 7);
	match_done(&o);
	const char *s = arena_strn(a, b.p ? b.p : "", b.n);
	buf_free(&b);
	return s;
}

#define GIVES(want, ...) do { \
	struct match_member m_[] = { __VA_ARGS__ }; \
	assert_string_equal(rows(m_, LEN(m_)), want); \
} while (0)

static void parameter_names_do_not_matter(void **state)
{
	(void)state;
	GIVES("GET /users/{} web>users 0.90\n", MEMBER("users", ROUTE("GET", "/users/{}")),
	    MEMBER("web", CALL("GET", "/users/{}", NULL)));
	GIVES("GET /users/{} web>users 0.90\n", MEMBER("users", ROUTE("GET", "/users/{}")),
	    MEMBER("web", CALL("GET", "/users/42", "{}")));
}

static void fixed_text_before_parameters(void **state)
{
	(void)state;
	GIVES("GET /articles/feed web>api 0.90\n- GET /articles/{} api\n",
	    MEMBER("api", ROUTE("GET", "/articles/{}"), ROUTE("GET", "/articles/feed")),
	    MEMBER("web", CALL("GET", "/articles/feed", NULL)));
}

static void methods_must_agree(void **state)
{
	(void)state;
	GIVES("? POST /users web no-producer\n- GET /users users\n", MEMBER("users", ROUTE("GET", "/users")),
	    MEMBER("web", CALL("POST", "/users", NULL)));
	GIVES("POST /users web>users 0.90\n", MEMBER("users", ROUTE("ANY", "/users")),
	    MEMBER("web", CALL("POST", "/users", NULL)));
}

static void host_names_a_service(void **state)
{
	(void)state;
	GIVES("GET /items/{} web>cart 1.00\n- GET /items/{} stock\n", MEMBER("cart", ROUTE("GET", "/items/{}")),
	    MEMBER("stock", ROUTE("GET", "/items/{}")), MEMBER("web", CALL("GET", "/items/{}", "cart:8080")));
	GIVES("GET /items/{} web>cart 1.00\n- GET /items/{} stock\n", MEMBER("cart", ROUTE("GET", "/items/{}")),
	    MEMBER("stock", ROUTE("GET", "/items/{}")), MEMBER("web", CALL("GET", "/items/{}", "cart.shop.svc.cluster.local")));
	GIVES("GET /items/{} web>cart 1.00\n", MEMBER("cart", ROUTE("GET", "/items/{}")),
	    MEMBER("web", CALL("GET", "/items/{}", "cart{}")));
}

static void host_names_from_manifests(void **state)
{
	struct match_member m[] = { MEMBER("users", ROUTE("GET", "/u")), MEMBER("web", CALL("GET", "/u", "accounts")) };

	(void)state;
	((struct contracts_res *)m[0].facts)->names = (t_strs){ (const char *[]){ "accounts" }, 1 };
	assert_string_equal(rows(m, 2), "GET /u web>users 1.00\n");
}

static void the_world_is_external(void **state)
{
	(void)state;
	GIVES("? GET /users web external\n- GET /users users\n", MEMBER("users", ROUTE("GET", "/users")),
	    MEMBER("web", CALL("GET", "/users", "api.github.com")));
}

static void prefixes_and_bases(void **state)
{
	(void)state;
	GIVES("GET /users web>users 0.70\n", MEMBER("users", ROUTE("GET", "/users")),
	    MEMBER("web", CALL("GET", "/api/users", NULL)));
	GIVES("GET /api/v1/users/{} web>users 0.60\n", MEMBER("users", ROUTE("GET", "/api/v1/users/{}")),
	    MEMBER("web", CALL("GET", "/users/{}", "{}")));
	GIVES("GET /users web>b 0.90\n- GET /api/users a\n", MEMBER("a", ROUTE("GET", "/api/users")),
	    MEMBER("b", ROUTE("GET", "/users")), MEMBER("web", CALL("GET", "/users", NULL)));
	GIVES("GET /files/{*} web>a 0.72\n", MEMBER("a", ROUTE("GET", "/files/{*}")),
	    MEMBER("web", CALL("GET", "/files/x/y", NULL)));
}

static void own_repository_first(void **state)
{
	(void)state;
	GIVES("GET /users web>web 0.90\n- GET /users users\n", MEMBER("users", ROUTE("GET", "/users")),
	    MEMBER("web", ROUTE("GET", "/users"), CALL("GET", "/users", NULL)));
	GIVES("GET /users web>users 1.00\n- GET /users web\n", MEMBER("users", ROUTE("GET", "/users")),
	    MEMBER("web", ROUTE("GET", "/users"), CALL("GET", "/users", "users")));
	GIVES("GET /users web>users 0.90\n- GET /{*} web\n", MEMBER("users", ROUTE("GET", "/users")),
	    MEMBER("web", ROUTE("GET", "/{*}"), CALL("GET", "/users", NULL)));
}

static void equals_are_ambiguous(void **state)
{
	(void)state;
	GIVES("GET /x web>a 0.50 ambiguous\nGET /x web>b 0.50 ambiguous\n", MEMBER("a", ROUTE("GET", "/x")),
	    MEMBER("b", ROUTE("GET", "/x")), MEMBER("web", CALL("GET", "/x", NULL)));
}

static void too_many_equals_are_unresolved(void **state)
{
	struct match_member m[10];

	(void)state;
	for (size_t i = 0; i < 9; i++)
		m[i] = member(arena_printf(a, "h/shop/m%zu", i), arena_printf(a, "shop/m%zu", i),
		    &(struct fact){ .side = "provides", .kind = "http", .method = "GET", .path = "/x", .file = "a", .line = 1 }, 1);
	m[9] = MEMBER("web", CALL("GET", "/x", NULL));
	const char *s = rows(m, 10);
	assert_non_null(strstr(s, "? GET /x web ambiguous with candidates\n- GET /x m0\n"));
	assert_non_null(strstr(s, "- GET /x m8\n"));
}

static void what_is_not_known_is_dynamic(void **state)
{
	(void)state;
	GIVES("? GET {} web dynamic\n- GET /{} users\n- GET / users\n",
	    MEMBER("users", ROUTE("GET", "/{}"), ROUTE("GET", "/")), MEMBER("web", CALL("GET", "{}", NULL)));
	GIVES("? GET / web no-producer\n- GET / users\n", MEMBER("users", ROUTE("GET", "/")),
	    MEMBER("web", CALL("GET", "/", NULL)));
}

static void grpc_with_and_without_package(void **state)
{
	(void)state;
	GIVES("RPC shop.Cart/Add other>cart 0.70\n",
	    MEMBER("cart", fact("provides", "grpc", "RPC", "shop.Cart/Add", NULL)),
	    MEMBER("other", fact("consumes", "grpc", "RPC", "Cart/Add", NULL)));
	GIVES("RPC shop.Cart/Add web>cart 0.90\n", MEMBER("cart", fact("provides", "grpc", "RPC", "shop.Cart/Add", NULL)),
	    MEMBER("web", fact("consumes", "grpc", "RPC", "shop.Cart/Add", NULL)));
	GIVES("? RPC bank.Cart/Add web no-producer\n- RPC shop.Cart/Add cart\n",
	    MEMBER("cart", fact("provides", "grpc", "RPC", "shop.Cart/Add", NULL)),
	    MEMBER("web", fact("consumes", "grpc", "RPC", "bank.Cart/Add", NULL)));
}

static void all_subscribers_get_a_topic(void **state)
{
	(void)state;
	GIVES("SUBSCRIBE orders web>a 1.00\nSUBSCRIBE orders web>b 1.00\n",
	    MEMBER("a", fact("provides", "topic", "SUBSCRIBE", "orders", NULL)),
	    MEMBER("b", fact("provides", "topic", "SUBSCRIBE", "orders", NULL)),
	    MEMBER("web", fact("consumes", "topic", "PUBLISH", "orders", NULL)));
}

/* ---- over many random facts ---- */

static struct match_member *random_federation(size_t n, unsigned seed)
{
	static const char *const paths[] = { "/", "/users", "/users/{}", "/api/users/{}", "/{}", "/{*}", "/x/{}/y", "{}",
		"/users/{*}", "/orders/{}/items" };
	static const char *const methods[] = { "GET", "POST", "ANY" };
	static const char *const hosts[] = { NULL, "m1", "m2:80", "api.example.com", "{}", "unknown" };
	struct match_member *m = arena_many(a, n, struct match_member);

	srand(seed);
	for (size_t i = 0; i < n; i++) {
		struct fact v[40];
		for (size_t k = 0; k < LEN(v); k++)
			v[k] = fact(rand() % 2 ? "provides" : "consumes", rand() % 9 ? "http" : "topic", methods[rand() % 3],
			    paths[rand() % 10], hosts[rand() % 6]);
		m[i] = member(arena_printf(a, "h/shop/m%zu", i), arena_printf(a, "shop/m%zu", i), v, LEN(v));
	}
	return m;
}

static bool at(const struct end *e, const char *uri, const struct fact *f)
{
	return !strcmp(e->repo_uri, uri) && !strcmp(e->file, f->file) && e->line == f->line;
}

static bool listed(const struct matched *o, const char *uri, const struct fact *f)
{
	for (size_t i = 0; i < o->contracts.n; i++)
		if (at(o->contracts.v[i].producer, uri, f) || at(o->contracts.v[i].consumer, uri, f))
			return true;
	for (size_t i = 0; i < o->unresolved.n; i++)
		if (at(o->unresolved.v[i].consumer, uri, f))
			return true;
	for (size_t i = 0; i < o->idle.n; i++)
		if (at(o->idle.v[i].producer, uri, f))
			return true;
	return false;
}

static void every_fact_is_in_a_list(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed < 20; seed++) {
		struct match_member *m = random_federation(6, seed);
		struct matched o;
		match(m, 6, a, &o);
		for (size_t i = 0; i < 6; i++)
			for (size_t k = 0; k < m[i].facts->facts.n; k++)
				assert_true(listed(&o, m[i].repo_uri, &m[i].facts->facts.v[k]));
		match_done(&o);
	}
}

static void order_of_members_does_not_matter(void **state)
{
	(void)state;
	struct match_member *m = random_federation(6, 7), turned[6];
	const char *want = rows(m, 6);
	for (size_t i = 0; i < 6; i++)
		turned[i] = m[(i + 4) % 6];
	assert_string_equal(rows(turned, 6), want);
}

static void links_once_and_in_both_directions(void **state)
{
	struct match_member m[] = {
		MEMBER("users", ROUTE("GET", "/users"), ROUTE("GET", "/users/{}")),
		MEMBER("web", CALL("GET", "/users", NULL), CALL("GET", "/users/{}", NULL), CALL("GET", "/nothing", NULL)),
	};
	struct matched o;
	size_t n;

	(void)state;
	match(m, 2, a, &o);
	struct link *v = links_of(&o, a, &n);
	assert_int_equal(n, 4);
	assert_string_equal(v[0].relation, "consumer_of");
	assert_string_equal(v[0].source_repo_uri, "h/shop/users");
	assert_string_equal(v[1].relation, "depends_on");
	assert_string_equal(v[1].source_repo_uri, "h/shop/web");
	assert_null(v[1].source_doc_path);
	assert_string_equal(v[2].relation, "consumes_route");
	assert_string_equal(v[2].target_doc_path, "src/a.c");
	assert_true(v[2].source_line < v[3].source_line);
	match_done(&o);
}

static void ids_are_stable(void **state)
{
	struct match_member m[] = { MEMBER("web", CALL("GET", "/x", NULL)) };
	struct matched o, p;

	(void)state;
	match(m, 1, a, &o);
	match(m, 1, a, &p);
	assert_int_equal(strlen(o.unresolved.v[0].id), strlen("fetches:unresolved:") + 16);
	assert_string_equal(o.unresolved.v[0].id, p.unresolved.v[0].id);
	match_done(&o);
	match_done(&p);
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
		cmocka_unit_test(parameter_names_do_not_matter),
		cmocka_unit_test(fixed_text_before_parameters),
		cmocka_unit_test(methods_must_agree),
		cmocka_unit_test(host_names_a_service),
		cmocka_unit_test(host_names_from_manifests),
		cmocka_unit_test(the_world_is_external),
		cmocka_unit_test(prefixes_and_bases),
		cmocka_unit_test(own_repository_first),
		cmocka_unit_test(equals_are_ambiguous),
		cmocka_unit_test(too_many_equals_are_unresolved),
		cmocka_unit_test(what_is_not_known_is_dynamic),
		cmocka_unit_test(grpc_with_and_without_package),
		cmocka_unit_test(all_subscribers_get_a_topic),
		cmocka_unit_test(every_fact_is_in_a_list),
		cmocka_unit_test(order_of_members_does_not_matter),
		cmocka_unit_test(links_once_and_in_both_directions),
		cmocka_unit_test(ids_are_stable),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
