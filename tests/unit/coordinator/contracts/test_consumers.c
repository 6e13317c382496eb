/* Who calls what: the other ends of contracts by route, lines and file; routes as people write them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* cmocka wants the above */
#include <cmocka.h>

#include "coordinator/contracts/consumers.c"
#include "coordinator/contracts/served_routes.h"

static struct call call;

/* ---- contracts ---- */

#define ROUTE_END(repo, f, l, m, p)                                                                \
	&(struct end)                                                                                  \
	{                                                                                              \
		.repo_uri = repo, .file = f, .line = l, .end_line = l + 2, .method = m, .path = p,         \
		.symbol = "s-" repo                                                                        \
	}
#define END(repo, f, l) ROUTE_END(repo, f, l, "GET", "/p")

static struct contract contract(struct end *p, struct end *q, double confidence)
{
	return (struct contract){ .method = "GET",
		.path = "/p",
		.producer = p,
		.consumer = q,
		.confidence = confidence,
		.cross_repo = strcmp(p->repo_uri, q->repo_uri),
		.scope = "test" };
}

/* "RELATION REPO PATH:LINE-END [CONTRACT] SYMBOL CONFIDENCE DEPTH", a line each. */
static const char *shown(const struct cross_end *v, size_t n)
{
	const char *s = "";

	for (size_t i = 0; i < n; i++)
		s = arena_printf(call.a, "%s%s %s %s:%llu-%llu [%s] %s %.1f %llu%s%s\n", s, v[i].relation,
		    v[i].repo_uri, v[i].path, (unsigned long long)v[i].start_line,
		    (unsigned long long)v[i].end_line, v[i].contract, v[i].symbol, v[i].confidence,
		    (unsigned long long)v[i].depth, v[i].ambiguous ? " ambiguous" : "",
		    v[i].scope ? arena_printf(call.a, " %s", v[i].scope) : "");
	return s;
}

static struct consumers all_of(const struct contract *v, size_t n)
{
	struct consumers k = { .v = arena_many(call.a, n, struct contract), .n = n, .cap = n };

	memcpy(k.v, v, n * sizeof *v);
	return k;
}

static void callers_of_a_route(void **state)
{
	struct contract v[] = {
		contract(END("api", "r.c", 5), END("web", "w.c", 1), 0.9),
		contract(END("api", "r.c", 5), END("api", "own.c", 2), 0.8),
		contract(END("api", "r.c", 6), END("web", "w.c", 3), 0.7),
		contract(END("other", "r.c", 5), END("web", "w.c", 4), 0.6),
		contract(ROUTE_END("api", "r.c", 5, "GET", "/q"), END("web", "w.c", 5), 0.5),
		contract(ROUTE_END("api", "r.c", 5, "PUT", "/p"), END("web", "w.c", 6), 0.4),
		contract(END("api", "x.c", 5), END("web", "w.c", 7), 0.3),
		contract(END("api", "r.c", 5), END("mobile", "m.c", 8), 0.2),
	};
	struct consumers k = all_of(v, LEN(v));
	const struct route_row route = { .file = "r.c", .line = 5, .method = "GET", .path = "/p" },
	                       none = { .file = "r.c", .line = 9, .method = "GET", .path = "/p" };
	struct cross_end_list out = { 0 };

	(void)state;
	k.v[7].ambiguous = true;
	k.v[7].scope = NULL;
	assert_true(consumers_add_external(&call, &k, "api", &route, 3, &out));
	assert_string_equal(shown(out.v, out.n),
	    "called_by web w.c:1-3 [GET /p] s-web 0.9 3 test\n"
	    "called_by mobile m.c:8-10 [GET /p] s-mobile 0.2 3 ambiguous\n");
	assert_false(consumers_add_external(&call, &k, "api", &none, 3, &out));
	assert_int_equal(out.n, 2);
	assert_true(consumers_add_internal(&call, &k, "api", &route, 1, &out));
	assert_int_equal(out.n, 3);
	assert_string_equal(shown(out.v + 2, 1), "called_by api own.c:2-4 [GET /p] s-api 0.8 1 test\n");
	assert_false(consumers_add_internal(&call, &k, "other", &route, 1, &out));
}

static void what_lines_call(void **state)
{
	struct contract v[] = {
		contract(END("api", "r.c", 5), END("web", "w.c", 9), 1),
		contract(END("api", "r.c", 6), END("web", "w.c", 10), 1),
		contract(END("api", "r.c", 7), END("web", "w.c", 20), 1),
		contract(END("api", "r.c", 8), END("web", "w.c", 21), 1),
		contract(END("api", "r.c", 9), END("web", "x.c", 15), 1),
		contract(END("api", "r.c", 10), END("app", "w.c", 15), 1),
		contract(END("web", "r.c", 11), END("web", "w.c", 15), 1),
	};
	struct consumers k = all_of(v, LEN(v));
	struct cross_end_list out = { 0 };

	(void)state;
	consumers_add_outgoing(&call, &k, "web", "w.c", 10, 20, 2, &out);
	assert_string_equal(shown(out.v, out.n),
	    "calls api r.c:6-8 [GET /p] s-api 1.0 2 test\ncalls api r.c:7-9 [GET /p] s-api 1.0 2 test\n");
}

/* Many, so that the list grows. */
static void as_many_as_there_are(void **state)
{
	struct consumers k = { .v = arena_many(call.a, 200, struct contract) };
	struct end *producer = END("api", "r.c", 5);
	struct cross_end_list out = { 0 };

	(void)state;
	for (; k.n < 200; k.n++) {
		struct end *q = arena_one(call.a, struct end);
		*q = (struct end){
			.repo_uri = "web", .file = "w.c", .line = k.n + 1, .end_line = k.n + 1, .symbol = "s"
		};
		k.v[k.n] = contract(producer, q, 1);
	}
	consumers_add_outgoing(&call, &k, "web", "w.c", 1, 200, 1, &out);
	assert_int_equal(out.n, 200);
	for (size_t i = 0; i < 200; i++)
		assert_int_equal(out.v[i].start_line, 5);
	const struct route_row route = { .file = "r.c", .line = 5, .method = "GET", .path = "/p" };
	out.n = 0;
	consumers_add_external(&call, &k, "api", &route, 1, &out);
	assert_int_equal(out.n, 200);
	for (size_t i = 0; i < 200; i++)
		assert_int_equal(out.v[i].start_line, i + 1);
}

static void crossings_of_a_file(void **state)
{
	struct contract v[] = {
		contract(END("api", "f.c", 30), END("web", "w.c", 1), 1),
		contract(END("other", "o.c", 2), END("api", "f.c", 10), 1),
		contract(END("api", "f.c", 10), END("web", "w.c", 3), 1),
		contract(END("api", "f.c", 10), END("web", "w.c", 3), 1),
		contract(END("api", "g.c", 10), END("web", "w.c", 4), 1),
		contract(END("api", "f.c", 40), END("api", "f.c", 50), 1),
		contract(END("api", "f.c", 10), END("web", "w.c", 2), 1),
		contract(END("api", "f.c", 10), END("web", "v.c", 9), 1),
		contract(END("api", "f.c", 10), END("mobile", "x.c", 9), 1),
	};
	struct consumers k = all_of(v, LEN(v));
	struct file_crossing *w;
	size_t n;

	(void)state;
	consumers_file_crossings(&call, &k, "api", "f.c", &w, &n);
	const char *s = "";
	for (size_t i = 0; i < n; i++)
		s = arena_printf(call.a, "%s%llu-%llu %s %s %s:%llu\n", s, (unsigned long long)w[i].at_line,
		    (unsigned long long)w[i].at_end_line, w[i].end->relation, w[i].end->repo_uri,
		    w[i].end->path, (unsigned long long)w[i].end->start_line);
	assert_string_equal(s,
	    "10-12 called_by mobile x.c:9\n10-12 called_by web v.c:9\n10-12 called_by web w.c:2\n10-12 called_by web w.c:3\n"
	    "10-12 calls other o.c:2\n30-32 called_by web w.c:1\n40-42 called_by api f.c:50\n50-52 calls api f.c:40\n");
	consumers_file_crossings(&call, &k, "api", "none.c", &w, &n);
	assert_int_equal(n, 0);
}

static struct cross_end end_of(const char *repo, const char *path, uint64_t line, const char *what,
    const char *relation, uint64_t depth)
{
	return (struct cross_end){ .repo_uri = repo,
		.path = path,
		.start_line = line,
		.contract = what,
		.relation = relation,
		.depth = depth,
		.symbol = "" };
}

static void each_end_once(void **state)
{
	struct cross_end v[] = {
		end_of("b", "p", 1, "c", "calls", 2),
		end_of("a", "p", 1, "c", "calls", 2),
		end_of("a", "p", 1, "c", "calls", 1),
		end_of("a", "p", 1, "c", "calls", 3),
		end_of("a", "q", 1, "c", "calls", 1),
		end_of("a", "p", 2, "c", "calls", 1),
		end_of("a", "p", 1, "d", "calls", 1),
		end_of("a", "p", 1, "c", "called_by", 1),
		end_of("b", "p", 1, "c", "calls", 2),
	};
	struct cross_end_list l = { v, LEN(v), LEN(v) }, none = { 0 };

	(void)state;
	consumers_sort_unique(&l);
	const char *s = "";
	for (size_t i = 0; i < l.n; i++)
		s = arena_printf(call.a, "%s%llu %s %s %llu %s %s\n", s, (unsigned long long)v[i].depth,
		    v[i].repo_uri, v[i].path, (unsigned long long)v[i].start_line, v[i].contract,
		    v[i].relation);
	assert_string_equal(s,
	    "1 a p 1 c called_by\n1 a p 1 c calls\n1 a p 1 d calls\n1 a p 2 c calls\n1 a q 1 c calls\n2 b p 1 c calls\n");
	consumers_sort_unique(&none);
	assert_int_equal(none.n, 0);
}

static void reasons(void **state)
{
	struct consumers k = { 0 };

	(void)state;
	for (int i = 0; i < 25; i++)
		add_reason(&k, arena_printf(call.a, "reason %d", i % 23), call.a);
	assert_int_equal(k.reasons.n, REASONS);
	assert_string_equal(k.reasons.v[19], "reason 19");
	add_reason(&k, "reason 0", call.a);
	assert_int_equal(k.reasons.n, REASONS);
	struct consumers one = { 0 };
	add_reason(&one, "x", call.a);
	add_reason(&one, "x", call.a);
	add_reason(&one, "y", call.a);
	assert_int_equal(one.reasons.n, 2);
}

/* ---- routes as they are written ---- */

static void queries(void **state)
{
	static const struct {
		const char *route, *method, *want_method, *want_path;
	} v[] = {
		{ "/a", NULL, NULL, "/a" },
		{ "GET /a", NULL, "GET", "/a" },
		{ "GET   /a", NULL, "GET", "/a" },
		{ "GET /a", "PUT", "PUT", "/a" },
		{ "GET", NULL, NULL, "GET" },
		{ "get /a", NULL, NULL, "get /a" },
		{ "", "", NULL, NULL },
		{ NULL, "PUT", "PUT", NULL },
		{ "/a/:id", NULL, NULL, "/a/{}" },
		{ "/a/:id/b", NULL, NULL, "/a/{}/b" },
		{ "/a/<int:id>/b", NULL, NULL, "/a/{}/b" },
		{ "/a/{id}", NULL, NULL, "/a/{}" },
		{ "/a/${id}/b", NULL, NULL, "/a/{}/b" },
		{ "/a/$id", NULL, NULL, "/a/$id" },
		{ "/a/x:y", NULL, NULL, "/a/x:y" },
		{ "/a/:", NULL, NULL, "/a/:" },
		{ "/a/*", NULL, NULL, "/a/{*}" },
		{ "/a/*path", NULL, NULL, "/a/{*}" },
		{ "/a/b*", NULL, NULL, "/a/b*" },
		{ "/a/{*}", NULL, NULL, "/a/{*}" },
		{ "/a/{id", NULL, NULL, "/a/{}" },
		{ "/a/<id", NULL, NULL, "/a/{}" },
		{ ":id", NULL, NULL, "{}" },
		{ "*", NULL, NULL, "{*}" },
		{ "/a/v{x}-{y}", NULL, NULL, "/a/v{}-{}" },
	};

	(void)state;
	for (size_t i = 0; i < LEN(v); i++) {
		struct route_query q = route_query_parse(v[i].route, v[i].method, call.a);
		if (!texts_equal(q.method, v[i].want_method) || !texts_equal(q.path, v[i].want_path))
			fail_msg("row %zu: %s %s", i, q.method ? q.method : "-", q.path ? q.path : "-");
	}
}

static void which_routes_are_meant(void **state)
{
	static const struct {
		const char *route, *kind, *method, *path;
		enum route_match_kind how;
	} v[] = {
		{ "/a/:id", "http", "GET", "/a/{}", ROUTE_MATCH_TEMPLATE },
		{ "GET /a/{x}", "http", "GET", "/a/{}", ROUTE_MATCH_TEMPLATE },
		{ "PUT /a/{x}", "http", "GET", "/a/{}", ROUTE_MATCH_NONE },
		{ "PUT /a/{x}", "http", "ANY", "/a/{}", ROUTE_MATCH_TEMPLATE },
		{ "/a/7", "http", "GET", "/a/{}", ROUTE_MATCH_PATH },
		{ "/a", "http", "GET", "/a/{}", ROUTE_MATCH_TEXT },
		{ "/b", "http", "GET", "/a/{}", ROUTE_MATCH_NONE },
		{ "/a/b", "http", "GET", "/a/{*}", ROUTE_MATCH_PATH },
		{ "a", "http", "GET", "/x/a/b", ROUTE_MATCH_TEXT },
		{ "/a/7", "grpc", "GET", "/a/{}", ROUTE_MATCH_NONE },
		{ "orders", "topic", "PUBLISH", "orders.created", ROUTE_MATCH_TEXT },
		{ "/a/", "http", "GET", "/a", ROUTE_MATCH_TEMPLATE },
	};

	(void)state;
	for (size_t i = 0; i < LEN(v); i++) {
		struct route_query q = route_query_parse(v[i].route, NULL, call.a);
		const struct fact f = { .kind = v[i].kind, .method = v[i].method, .path = v[i].path };
		if (route_query_match(&q, &f, call.a) != v[i].how)
			fail_msg("row %zu: %d", i, route_query_match(&q, &f, call.a));
	}
	struct route_query any = route_query_parse(NULL, "GET", call.a);
	const struct fact f = { .kind = "http", .method = "GET", .path = "/x" },
	                  g = { .kind = "http", .method = "PUT", .path = "/x" };
	assert_int_equal(route_query_match(&any, &f, call.a), ROUTE_MATCH_TEMPLATE);
	assert_int_equal(route_query_match(&any, &g, call.a), ROUTE_MATCH_NONE);
}

static int begin(void **state)
{
	(void)state;
	call.a = arena_new();
	return 0;
}

static int end(void **state)
{
	(void)state;
	arena_free(call.a);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(callers_of_a_route),
		cmocka_unit_test(what_lines_call),
		cmocka_unit_test(as_many_as_there_are),
		cmocka_unit_test(crossings_of_a_file),
		cmocka_unit_test(each_end_once),
		cmocka_unit_test(reasons),
		cmocka_unit_test(queries),
		cmocka_unit_test(which_routes_are_meant),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
