/* Why there is a link, or none: single answers, their pages and order, and what is said of a lack of time. */
#include "tests/link_federations.h"

#define WEB "h/shop/web"

static struct link_explanation ask(const struct federation *f, const char *to, const char *path)
{
	const struct link_question q = { .from = WEB, .to = to, .path = path, .limit = 10 };
	struct link_explanation out;

	link_explain(f->m, f->n, &q, a, &out);
	return out;
}

static const struct link_candidate *nearest(const struct link_explanation *e)
{
	assert_true(e->nmissing > 0 && e->missing[0].candidates.n > 0);
	return &e->missing[0].candidates.v[0];
}

static void a_link_has_its_evidence(void **state)
{
	struct federation f = named_hosts();
	struct link_explanation e = ask(&f, "h/shop/users", NULL);

	(void)state;
	assert_int_equal(e.ncontracts, 3);
	assert_null(e.step);
	assert_string_equal(e.why, "shop/web is linked to shop/users by 3 contracts");
	for (size_t i = 0; i < e.ncontracts; i++)
		assert_true(e.contracts[i].evidence.n > 0);
	assert_int_equal(e.nmissing, 0);
}

/* An equal server elsewhere, which the call names. */
static void another_repository_is_the_better_target(void **state)
{
	struct federation f = FEDERATION(MEMBER("users", ROUTE("GET", "/people/{}")),
	    MEMBER("web", ROUTE("GET", "/people/{}"), CALL("GET", "/people/{}", NULL)));
	struct link_explanation e = ask(&f, "h/shop/users", NULL);

	(void)state;
	assert_string_equal(e.step, "other");
	assert_string_equal(e.missing[0].goes_to, WEB);
	assert_non_null(strstr(nearest(&e)->text, "the call goes to shop/web instead"));
}

static void several_serve_it_equally_well(void **state)
{
	struct federation f = FEDERATION(MEMBER("one", ROUTE("GET", "/people/{}")),
	    MEMBER("two", ROUTE("GET", "/people/{}")), MEMBER("three", ROUTE("GET", "/people/{}")),
	    MEMBER("web", CALL("GET", "/people/{}", NULL)));
	struct link_explanation e = ask(&f, "h/shop/two", NULL);

	(void)state;
	assert_string_equal(e.step, "other");
	assert_non_null(strstr(nearest(&e)->text, "shop/one, shop/three"));
}

static void nothing_joins_strangers(void **state)
{
	struct fact call = CALL("GET", "/people/{}", NULL), route = ROUTE("GET", "/people/{}");
	struct federation f = { { member(WEB, "shop/web", &call, 1),
		                        member("h/elsewhere/registry", "elsewhere/registry", &route, 1) },
		2 };
	struct link_explanation e = ask(&f, "h/elsewhere/registry", NULL);

	(void)state;
	assert_string_equal(e.step, "evidence");
	assert_string_equal(nearest(&e)->atoll_yaml,
	    "links: [{method: GET, path: '/people/{}', to: registry, from: src/a.c}]");
	assert_string_equal(nearest(&e)->atoll_yaml_of, WEB);
}

/* What only a document declares is possible, but not likely if nothing else speaks for it. */
static void too_little_speaks_for_it(void **state)
{
	struct fact call = CALL("GET", "/people/{}", NULL), route = ROUTE("GET", "/people/{*}");
	struct federation f = { .n = 2 };

	(void)state;
	route.reason = "documented";
	route.partial = true;
	f.m[0] = member(WEB, "shop/web", &call, 1);
	f.m[1] = member("h/shop/registry", "shop/registry", &route, 1);
	struct link_explanation e = ask(&f, "h/shop/registry", NULL);
	assert_int_equal(e.ncontracts, 0);
	assert_string_equal(e.step, "evidence");
	assert_non_null(strstr(e.why, "too little speaks for shop/registry"));
	assert_non_null(strstr(e.why, "only a document declares the route"));
}

static void a_method_may_be_unknown(void **state)
{
	struct federation f = FEDERATION(USERS, MEMBER("web", CALL("ANY", "/users", "users")));
	struct link_explanation e = ask(&f, "h/shop/users", NULL);

	(void)state;
	if (!e.ncontracts)
		assert_string_equal(e.step, "method");
}

/* The gateway's own path is compared, not the one behind it. */
static void paths_are_compared_in_front_of_a_gateway(void **state)
{
	struct federation f = FEDERATION(USERS,
	    MEMBER("edge-gateway", FORWARD("/shop/{*}", "users", "/{*}")),
	    MEMBER("web", CALL("DELETE", "/shop/users/{}/session", "edge-gateway")));
	struct link_explanation e = ask(&f, "h/shop/users", NULL);

	(void)state;
	assert_string_equal(e.step, "path");
	assert_string_equal(nearest(&e)->text,
	    "segment 4 of the path is `session`, that of the nearest route `sessions`; "
	    "shop/edge-gateway forwards `/shop/{*}`");
}

static void quotes_in_a_line_are_doubled(void **state)
{
	struct federation f = FEDERATION(
	    MEMBER("users", ROUTE("GET", "/it's/{}")), MEMBER("web", CALL("GET", "/its/{}", "users")));
	struct link_explanation e = ask(&f, "h/shop/users", NULL);

	(void)state;
	assert_string_equal(e.step, "path");
	assert_string_equal(nearest(&e)->atoll_yaml,
	    "links: [{method: GET, path: '/it''s/{}', to: users, from: src/a.c}]");
}

/* A name that two members have joins nobody, so no line is proposed. */
static void no_line_for_a_name_of_two(void **state)
{
	struct fact route = ROUTE("GET", "/people/{}");
	struct federation f = FEDERATION(MEMBER("users", ROUTE("GET", "/people/{}")),
	    member("h/other/users", "other/users", &route, 1),
	    MEMBER("web", CALL("POST", "/people/{}", "nobody")));
	struct link_explanation e = ask(&f, "h/shop/users", NULL);

	(void)state;
	assert_null(e.missing[0].candidates.v[0].atoll_yaml);
}

static const char *text_of(const struct link_explanation *e)
{
	struct buf b = { 0 };

	buf_printf(&b, "%s: %s\n", e->step ? e->step : "linked", e->why);
	for (size_t i = 0; i < e->nmissing; i++)
		for (size_t k = 0; k < e->missing[i].candidates.n; k++) {
			const struct link_candidate *c = &e->missing[i].candidates.v[k];
			buf_printf(&b, "%s %s:%llu %s %s %s %s\n", e->missing[i].call->path,
			    e->missing[i].call->file, (unsigned long long)e->missing[i].call->line,
			    c->route->path, c->step, c->text, c->atoll_yaml ? c->atoll_yaml : "-");
		}
	const char *s = arena_strn(a, b.p ? b.p : "", b.n);
	buf_free(&b);
	return s;
}

static void the_order_of_members_does_not_matter(void **state)
{
	(void)state;
	for (size_t i = 0; i < LEN(made); i++) {
		struct federation back = { .n = made[i].n };
		for (size_t k = 0; k < back.n; k++)
			back.m[k] = made[i].m[back.n - 1 - k];
		for (size_t k = 0; k < back.n; k++) {
			const struct link_question q = {
				.from = back.m[0].repo_uri, .to = back.m[k].repo_uri, .limit = 10
			};
			struct link_explanation x, y;
			link_explain(made[i].m, made[i].n, &q, a, &x);
			link_explain(back.m, back.n, &q, a, &y);
			assert_string_equal(text_of(&x), text_of(&y));
		}
	}
}

static void pages_hold_each_row_once(void **state)
{
	struct federation f = FEDERATION(USERS,
	    MEMBER("web", CALL("GET", "/users/{}", "users"), CALL("PUT", "/users/{}", "users"),
	        CALL("PATCH", "/users/{}", "users"), CALL("POST", "/user", "users"),
	        CALL("POST", "/usrs", "users")));
	struct link_explanation all = ask(&f, "h/shop/users", NULL);
	size_t seen = 0;

	(void)state;
	assert_int_equal(all.ncontracts, 1);
	assert_int_equal(all.all_missing, 4);
	for (size_t from = 0; from < 6; from += 2) {
		const struct link_question q = {
			.from = WEB, .to = "h/shop/users", .from_row = from, .limit = 2
		};
		struct link_explanation page;
		link_explain(f.m, f.n, &q, a, &page);
		for (size_t i = 0; i < page.nmissing; i++)
			assert_int_equal(page.missing[i].call->line, all.missing[seen++].call->line);
	}
	assert_int_equal(seen, 4);
}

static void too_little_time_is_said(void **state)
{
	struct federation f = named_hosts();
	const struct link_question q = {
		.from = WEB, .to = "h/shop/users", .limit = 10, .deadline_ms = 1
	};
	struct link_explanation e;

	(void)state;
	link_explain(f.m, f.n, &q, a, &e);
	assert_true(e.stopped);
}

/* That an index is behind is no step as long as something else fails. */
static void a_stale_index_is_a_last_resort(void **state)
{
	struct federation f = FEDERATION(USERS, MEMBER("web", CALL("PUT", "/users/{}", "users")));
	const struct link_question q = {
		.from = WEB, .to = "h/shop/users", .limit = 10, .to_stale = "it is behind"
	};
	struct link_explanation e;

	(void)state;
	link_explain(f.m, f.n, &q, a, &e);
	assert_string_equal(e.step, "method");
	assert_int_equal(e.nproblems, 1);
	assert_string_equal(e.problems[0].step, "not-indexed");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_link_has_its_evidence),
		cmocka_unit_test(another_repository_is_the_better_target),
		cmocka_unit_test(several_serve_it_equally_well),
		cmocka_unit_test(nothing_joins_strangers),
		cmocka_unit_test(too_little_speaks_for_it),
		cmocka_unit_test(a_method_may_be_unknown),
		cmocka_unit_test(paths_are_compared_in_front_of_a_gateway),
		cmocka_unit_test(quotes_in_a_line_are_doubled),
		cmocka_unit_test(no_line_for_a_name_of_two),
		cmocka_unit_test(the_order_of_members_does_not_matter),
		cmocka_unit_test(pages_hold_each_row_once),
		cmocka_unit_test(too_little_time_is_said),
		cmocka_unit_test(a_stale_index_is_a_last_resort),
	};

	return cmocka_run_group_tests(tests, link_federations_setup, contract_rows_teardown);
}
