/* Gateways: what they do to paths, and whom calls through them reach. */
#include "coordinator/contracts/matching/match_gateway.h"
#include "tests/contract_rows.h"

#define GIVES(want, ...) do { \
	struct match_member m_[] = { __VA_ARGS__ }; \
	assert_string_equal(rows(m_, LEN(m_)), want); \
} while (0)

static void rewriting(void **state)
{
	static const struct { const char *template, *to, *path, *want; } cases[] = {
		{ "/api/{*}", "/{*}", "/api/users/1", "/users/1" },
		{ "/api/{*}", "/{*}", "/api", "/" },
		{ "/api/{*}", NULL, "/API/users", "/API/users" },
		{ "/api/{*}", "/{*}", "/apis/users", NULL },
		{ "/api{*}", "/v1{*}", "/apis/users", "/v1s/users" },
		{ "/login", "/session", "/login", "/session" },
		{ "/login", "/session", "/login/", "/session" },
		{ "/login", "/session", "/login?next={}", "/session" },
		{ "/login", "/session", "/login{}", "/session" },
		{ "/login", "/session", "/login/x", NULL },
		{ "/{}/items/{}", "/of/{2}/{1}", "/a/items/{}", "/of/{}/a" },
		{ "/{}/{*}", "/{*}", "/api/users/{id}", "/users/{id}" },
		{ "/v{}/x/{*}", "/x/{*}", "/v2/x/y", "/x/y" },
		{ "/files/{}.png", "/thumbs/{1}", "/files/a.png", "/thumbs/a" },
		{ "/users/{*}", "/{*}", "/{}/1", NULL },
		{ "/{*}", "/base/{*}", "/x", "/base/x" },
	};

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++) {
		const char *got = gateway_rewrite_path(cases[i].template, cases[i].to, cases[i].path, a);
		if (strcmp(got ? got : "none", cases[i].want ? cases[i].want : "none"))
			fail_msg("%s of %s: %s instead of %s", cases[i].path, cases[i].template, got, cases[i].want);
	}
}

/* The producer is the service behind, not the gateway, and not one that only has the same path. */
static void named_gateways(void **state)
{
	(void)state;
	GIVES("GET /{} web>users gateway one_word\n- GET /{} carts\n",
	    MEMBER("gateway", FORWARD("/api/users/{*}", "users:8080", "/{*}")),
	    MEMBER("users", ROUTE("GET", "/{}")), MEMBER("carts", ROUTE("GET", "/{}")),
	    MEMBER("web", CALL("GET", "/api/users/{}", "gateway:80")));
	GIVES(
	    "GET /users/{} web>users gateway one_word\n- GET /api/{*} gateway\n- GET /api/users/{} legacy\n",
	    MEMBER("gateway", ROUTE("GET", "/api/{*}"), FORWARD("/api/{*}", "users", "/{*}")),
	    MEMBER("users", ROUTE("GET", "/users/{}")), MEMBER("legacy", ROUTE("GET", "/api/users/{}")),
	    MEMBER("web", CALL("GET", "/api/users/1", "gateway:80")));
	/* its own routes stay its own */
	GIVES("GET /api/me web>gateway host one_word\n- GET /me users\n",
	    MEMBER("gateway", ROUTE("GET", "/api/me"), FORWARD("/api/{*}", "users", "/{*}")),
	    MEMBER("users", ROUTE("GET", "/me")), MEMBER("web", CALL("GET", "/api/me", "gateway")));
	/* the name of a variable says who the gateway is, and who is behind it */
	struct fact pay = FORWARD("/pay/{*}", "{}:{}", "/{*}"), call = CALL("POST", "/pay/cards", NULL);
	pay.raw = "http://${PAYMENT_HOST}:${PAYMENT_PORT}/";
	call.raw = "process.env.GATEWAY_URL + '/pay/cards'";
	GIVES("POST /cards web>payment gateway one_word like_gateway\n", MEMBER("gateway", pay),
	    MEMBER("payment", ROUTE("POST", "/cards")), MEMBER("web", call));
}

static void the_most_special_row(void **state)
{
	(void)state;
	GIVES(
	    "GET /{} web>users gateway one_word\nGET /x/{} web>rest gateway one_word\nGET /sign web>auth gateway one_word\n",
	    MEMBER("auth", ROUTE("GET", "/sign")),
	    MEMBER("gateway", FORWARD("/{*}", "rest", NULL), FORWARD("/users/{*}", "users", "/{*}"),
	        FORWARD("/users/login", "auth", "/sign")),
	    MEMBER("rest", ROUTE("GET", "/x/{}")), MEMBER("users", ROUTE("GET", "/{}")),
	    MEMBER("web", CALL("GET", "/users/{}", "gateway"), CALL("GET", "/x/{}", "gateway"),
	        CALL("GET", "/users/login", "gateway")));
}

/* A relative address is the caller's own: the proxies of its repository are asked, then the group's. */
static void own_address(void **state)
{
	(void)state;
	GIVES("GET /list web>users gateway one_word\n- GET /list carts\n",
	    MEMBER("carts", ROUTE("GET", "/list")), MEMBER("users", ROUTE("GET", "/list")),
	    MEMBER("web", CALL("GET", "/api/list", NULL), FORWARD("/api/{*}", "users", "/{*}")));
	GIVES("GET /list web>users gateway one_word\n- GET /list carts\n",
	    MEMBER("carts", ROUTE("GET", "/list")),
	    MEMBER("infra", FORWARD("/api/{*}", "users", "/{*}")),
	    MEMBER("users", ROUTE("GET", "/list")), MEMBER("web", CALL("GET", "/api/list", NULL)));
	GIVES("GET /api/list web>web own_repository one_word\n- GET /list users\n",
	    MEMBER("infra", FORWARD("/api/{*}", "users", "/{*}")),
	    MEMBER("users", ROUTE("GET", "/list")),
	    MEMBER("web", CALL("GET", "/api/list", NULL), ROUTE("GET", "/api/list")));
	/* what takes all says nothing to those who do not name it */
	GIVES(
	    "GET /list web>carts acquainted one_of_several one_word\nGET /list web>users acquainted one_of_several one_word\n",
	    MEMBER("carts", ROUTE("GET", "/list")), MEMBER("infra", FORWARD("/{*}", "users", NULL)),
	    MEMBER("users", ROUTE("GET", "/list")), MEMBER("web", CALL("GET", "/list", NULL)));
	/* two gateways that disagree do not change what is found without them */
	GIVES("GET /api/list web>legacy acquainted one_word\n- GET /list carts\n- GET /list users\n",
	    MEMBER("carts", ROUTE("GET", "/list")),
	    MEMBER("infra", FORWARD("/api/{*}", "users", "/{*}")),
	    MEMBER("legacy", ROUTE("GET", "/api/list")),
	    MEMBER("other", FORWARD("/api/{*}", "carts", "/{*}")),
	    MEMBER("users", ROUTE("GET", "/list")), MEMBER("web", CALL("GET", "/api/list", NULL)));
	/* a port of this machine */
	struct match_member m[] = { MEMBER("users", ROUTE("GET", "/list")), MEMBER("web", CALL("GET", "/api/list", NULL),
	    FORWARD("/api/{*}", "localhost:5001", "/{*}")) };
	((struct contracts_res *)m[0].facts)->names = (t_strs){ (const char *[]){ ":5001" }, 1 };
	assert_string_equal(rows(m, 2), "GET /list web>users gateway one_word like_gateway\n");
}

static void public_hosts(void **state)
{
	struct fact one = FORWARD("/api/{*}", "users", "/{*}"), all = FORWARD("/{*}", "carts", NULL);

	(void)state;
	one.at = "shop.example.com www.example.com";
	all.at = "*.example.org";
	GIVES(
	    "GET /list web>users gateway one_word\nGET /list web>carts gateway one_word\n? GET /api/list web external\n",
	    MEMBER("carts", ROUTE("GET", "/list")), MEMBER("infra", one, all),
	    MEMBER("users", ROUTE("GET", "/list")),
	    MEMBER("web", CALL("GET", "/api/list", "www.example.com"),
	        CALL("GET", "/list", "a.b.example.org"), CALL("GET", "/api/list", "example.net")));
}

static void where_it_ends(void **state)
{
	(void)state;
	/* one gateway behind the other */
	GIVES("GET /list web>users gateway gateway one_word\n",
	    MEMBER("edge", FORWARD("/shop/{*}", "gateway", "/{*}")),
	    MEMBER("gateway", FORWARD("/api/{*}", "users", "/{*}")),
	    MEMBER("users", ROUTE("GET", "/list")),
	    MEMBER("web", CALL("GET", "/shop/api/list", "edge")));
	/* into the world; to a member that does not serve it; in a circle; to nobody who is known */
	GIVES("? GET /gh/users/{} web external\n- GET /users/{} users\n", MEMBER("users", ROUTE("GET", "/users/{}")),
	    MEMBER("web", CALL("GET", "/gh/users/{}", NULL), FORWARD("/gh/{*}", "api.example.com", "/{*}")));
	GIVES("? GET /api/list web no-producer\n- GET /list carts\n- GET /users users\n", MEMBER("carts", ROUTE("GET", "/list")),
	    MEMBER("gateway", FORWARD("/api/{*}", "users", "/{*}")), MEMBER("users", ROUTE("GET", "/users")),
	    MEMBER("web", CALL("GET", "/api/list", "gateway")));
	/* one word is not enough for the end of a longer route */
	GIVES("? GET /price/all web no-producer\n- GET /orders/price/{} orders\n",
	    MEMBER("gateway", FORWARD("/price/{*}", "orders", NULL)), MEMBER("orders", ROUTE("GET", "/orders/price/{}")),
	    MEMBER("web", CALL("GET", "/price/all", "gateway")));
	GIVES("? GET /x web no-producer\n", MEMBER("a", FORWARD("/{*}", "b", NULL)), MEMBER("b", FORWARD("/{*}", "a", NULL)),
	    MEMBER("web", CALL("GET", "/x", "a")));
	GIVES("GET /list web>carts acquainted passed_on stripped one_word\n",
	    MEMBER("carts", ROUTE("GET", "/list")),
	    MEMBER("gateway", FORWARD("/api/{*}", "nobody", "/{*}")),
	    MEMBER("web", CALL("GET", "/api/list", "gateway")));
}

/* Where the rewriting that is known leads nowhere, the path as it is may. */
static void rewriting_that_is_wrong(void **state)
{
	(void)state;
	GIVES("GET /api/list web>users gateway one_word\n",
	    MEMBER("gateway", FORWARD("/api/{*}", "users", "/v9/{*}")),
	    MEMBER("users", ROUTE("GET", "/api/list")),
	    MEMBER("web", CALL("GET", "/api/list", "gateway")));
}

/* A name beside it, or a name that leads nowhere, makes nothing less sure than the gateway alone. */
static void names_and_gateways(void **state)
{
	struct fact named = CALL("GET", "/api/feed/{}", NULL), plain = CALL("GET", "/api/feed/{}", NULL);

	(void)state;
	named.raw = "config.usersUrl + path";
	GIVES(
	    "GET /api/feed/{} web>users variable one_word\nGET /api/feed/{} web>users gateway one_word\n",
	    MEMBER("edge", FORWARD("/api/{*}", "users", NULL)),
	    MEMBER("users", ROUTE("GET", "/api/feed/{}")), MEMBER("web", named, plain));
	/* its own proxy rewrites what it asks USERS_URL for */
	GIVES("GET /x/feed/{} web>users gateway\nGET /x/feed/{} web>users gateway\n",
	    MEMBER("users", ROUTE("GET", "/x/feed/{}")),
	    MEMBER("web", FORWARD("/api/{*}", "users", "/x/{*}"), named, plain));
	GIVES("GET /feed/{} web>users gateway one_word\nGET /feed/{} web>users gateway one_word\n",
	    MEMBER("users", ROUTE("GET", "/feed/{}")),
	    MEMBER("web", FORWARD("/api/{*}", "users", "/{*}"), named, plain));
	/* who is asked in the end serves it below another path; the very path is sent to who asks them */
	struct fact in_between = CALL("GET", "/api/feed/{}", NULL);
	in_between.raw = "usersUrl + '/feed/' + id";
	GIVES("GET /feed/{} front>users host one_word\nGET /feed/{} web>front gateway one_word\n",
	    MEMBER("front", ROUTE("GET", "/feed/{}"), CALL("GET", "/feed/{}", "users")),
	    MEMBER("users", ROUTE("GET", "/feed/{}")),
	    MEMBER("web", FORWARD("/api/{*}", "front", "/{*}"), in_between));
	/* behind the gateway that is named two would serve it, behind the own proxy but one of them */
	named.path = "/{}/items/{}";
	GIVES(
	    "GET /users{*} web>users gateway gateway gateway one_word rest\n- ANY /{}/users/{*} shop\n",
	    MEMBER("shop", FORWARD("/{*}", "web", NULL), FORWARD("/{*}", "users", "/users/{*}"),
	        ROUTE("ANY", "/{}/users/{*}")),
	    MEMBER("users", FORWARD("/{*}", "shop:80", "/users/{*}"), ROUTE("ANY", "/users{*}")),
	    MEMBER("web", FORWARD("/{*}", "users", "/{*}"), named));
	/* what is served as it is, is surer than behind a way that has to be guessed */
	plain = CALL("GET", "/{}/orders", NULL);
	plain.raw = "edgeUrl + '/orders'";
	GIVES("GET /{}/orders web>users acquainted gateway gateway one_word\n",
	    MEMBER("edge", FORWARD("/{*}", "users", "/{*}")),
	    MEMBER("users", FORWARD("/{*}", "users", "/x/{1}/{*}"), ROUTE("GET", "/{}/orders")),
	    MEMBER("web", plain));
}

static void evidence_names_the_gateway(void **state)
{
	struct match_member m[] = { MEMBER("gateway", FORWARD("/api/{*}", "users:80", "/{*}")), MEMBER("users", ROUTE("GET", "/list")),
		MEMBER("web", CALL("GET", "/api/list", "gateway")) };
	struct match_result o;

	(void)state;
	match(m, 3, a, &o);
	assert_int_equal(o.contracts.n, 1);
	const struct clue *c = &o.contracts.v[0].evidence.v[0];
	assert_string_equal(c->repo_uri, "h/shop/gateway");
	assert_int_equal(c->line, m[0].facts->facts.v[0].line);
	assert_string_equal(c->text, "test: /api/{*} goes to users:80 as /list");
	match_result_free(&o);
}

/* Every row of a gateway leads to its own names: it is followed once for each path, not once for each way to it. */
static void gateways_that_lead_to_themselves(void **state)
{
	struct fact rules[60];
	struct arena *before = a;

	(void)state;
	for (size_t i = 0; i < LEN(rules); i++) {
		rules[i] = FORWARD("/{*}", i % 2 ? "shop" : "shop:80", "/{*}");
		rules[i].at = arena_printf(a, "host%zu.example.com", i);
	}
	struct match_member m[] = { member("h/shop/shop", "shop/shop", rules, LEN(rules)),
		MEMBER("back", ROUTE("GET", "/other")),
		MEMBER("page", CALL("GET", "/orders/all", "shop"), CALL("GET", "/carts/all", "shop")) };
	a = arena_new();
	assert_string_equal(rows(m, LEN(m)),
	    "? GET /orders/all page no-producer\n? GET /carts/all page no-producer\n- GET /other back\n");
	assert_true(arena_used(a) < 4 << 20);
	arena_free(a);
	a = before;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rewriting),
		cmocka_unit_test(named_gateways),
		cmocka_unit_test(the_most_special_row),
		cmocka_unit_test(own_address),
		cmocka_unit_test(public_hosts),
		cmocka_unit_test(where_it_ends),
		cmocka_unit_test(rewriting_that_is_wrong),
		cmocka_unit_test(names_and_gateways),
		cmocka_unit_test(evidence_names_the_gateway),
		cmocka_unit_test(gateways_that_lead_to_themselves),
	};

	return cmocka_run_group_tests(tests, contract_rows_setup, contract_rows_teardown);
}
