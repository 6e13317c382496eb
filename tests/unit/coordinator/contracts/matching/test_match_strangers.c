/* Repositories that have nothing to do with each other, in one group: what fits by chance is no link. */
#include "tests/contract_rows.h"

#define GIVES(want, ...)                                                                           \
	do {                                                                                           \
		struct match_member m_[] = { __VA_ARGS__ };                                                \
		assert_string_equal(rows(m_, LEN(m_)), want);                                              \
	} while (0)

/* A member of another owner; the owners are as long as each other, as rows() cuts them off. */
#define OF(owner, name, ...)                                                                       \
	member("h/" owner "/" name, owner "/" name, (struct fact[]){ { 0 }, __VA_ARGS__ } + 1,         \
	    LEN(((struct fact[]){ { 0 }, __VA_ARGS__ })) - 1)

static void routes_that_take_everything(void **state)
{
	(void)state;
	GIVES("? GET /api/alerts sdk no-producer\n- GET /api/{*} hub\n- GET /{}{}/{} hub\n",
	    OF("aaaa", "hub", ROUTE("GET", "/api/{*}"), ROUTE("GET", "/{}{}/{}")),
	    OF("bbbb", "sdk", CALL("GET", "/api/alerts", "{}")));
	GIVES("GET /files/{*} hub-sdk>hub related one_word rest\n",
	    OF("aaaa", "hub", ROUTE("GET", "/files/{*}")),
	    OF("aaaa", "hub-sdk", CALL("GET", "/files/x/y", "{}")), OF("bbbb", "else"),
	    OF("cccc", "more"));
}

static void words_that_parameters_take(void **state)
{
	(void)state;
	GIVES("? POST /contacts/create web no-producer\n- POST /contacts/{} bank\n",
	    OF("aaaa", "bank", ROUTE("POST", "/contacts/{}")),
	    OF("bbbb", "web", CALL("POST", "/contacts/create", NULL)));
	GIVES("? GET /labels web no-producer\n- GET /{}s lib\n",
	    OF("aaaa", "lib", ROUTE("GET", "/{}s")), OF("bbbb", "web", CALL("GET", "/labels", NULL)));
}

static void one_common_word(void **state)
{
	(void)state;
	GIVES("? POST /login web no-producer\n- POST /login shop\n",
	    OF("aaaa", "shop", ROUTE("POST", "/login")),
	    OF("bbbb", "web", CALL("POST", "/login", NULL)));
	GIVES(
	    "POST /login web>shop address one_word\nGET /carts web>shop address one_word\nGET /items web>shop address one_word\n",
	    OF("aaaa", "shop", ROUTE("POST", "/login"), ROUTE("GET", "/carts"), ROUTE("GET", "/items")),
	    OF("bbbb", "web", CALL("POST", "/login", NULL), CALL("GET", "/carts", NULL),
	        CALL("GET", "/items", NULL)));
	GIVES("POST /user/login web>shop path_only\n", OF("aaaa", "shop", ROUTE("POST", "/user/login")),
	    OF("bbbb", "web", CALL("POST", "/user/login", NULL)));
}

static void a_client_of_somebody_else(void **state)
{
	(void)state;
	/* two requests of seven fit, and the neighbours of those that fit are not served */
	GIVES(
	    "? GET /repos/{}/issues sdk no-producer\n? GET /repos/{}/pulls sdk no-producer\n? GET /repos/{}/runs sdk no-producer\n"
	    "? GET /orgs/{}/teams sdk no-producer\n? GET /gists/starred sdk no-producer\n? GET /emojis/all sdk no-producer\n"
	    "? GET /user/keys sdk no-producer\n- GET /repos/{}/issues forge\n- GET /user/keys forge\n",
	    OF("aaaa", "forge", ROUTE("GET", "/repos/{}/issues"), ROUTE("GET", "/user/keys")),
	    OF("bbbb", "sdk", CALL("GET", "/repos/{}/issues", "{}"),
	        CALL("GET", "/repos/{}/pulls", "{}"), CALL("GET", "/repos/{}/runs", "{}"),
	        CALL("GET", "/orgs/{}/teams", "{}"), CALL("GET", "/gists/starred", "{}"),
	        CALL("GET", "/emojis/all", "{}"), CALL("GET", "/user/keys", "{}")));
}

static void several_servers_of_one_address(void **state)
{
	(void)state;
	/* each serves its part of what a page asks its own origin for */
	GIVES(
	    "GET /api/orders/{} web>one path_only served one_word\nPOST /api/orders/{}/items web>one path_only served\nGET /api/users/{}/mail web>two path_only\nGET /api/stock/all web>six path_only\n",
	    OF("aaaa", "one", ROUTE("GET", "/api/orders/{}"), ROUTE("POST", "/api/orders/{}/items")),
	    OF("bbbb", "two", ROUTE("GET", "/api/users/{}/mail")),
	    OF("cccc", "six", ROUTE("GET", "/api/stock/all")),
	    OF("dddd", "web", CALL("GET", "/api/orders/{}", NULL),
	        CALL("POST", "/api/orders/{}/items", NULL), CALL("GET", "/api/users/{}/mail", NULL),
	        CALL("GET", "/api/stock/all", NULL)));
}

static void segments_that_nobody_strips(void **state)
{
	(void)state;
	GIVES("? GET /x/y/user/keys web no-producer\n- GET /user/keys shop\n",
	    OF("aaaa", "shop", ROUTE("GET", "/user/keys")),
	    OF("bbbb", "web", CALL("GET", "/x/y/user/keys", NULL)));
	GIVES("GET /user/keys web>shop path_only stripped\n",
	    OF("aaaa", "shop", ROUTE("GET", "/user/keys")),
	    OF("bbbb", "web", CALL("GET", "/api/v2/user/keys", NULL)));
}

static void names_that_only_resemble(void **state)
{
	(void)state;
	GIVES("? GET /login bank no-producer\n- GET /login user\n",
	    OF("aaaa", "user", ROUTE("GET", "/login")),
	    OF("bbbb", "bank", CALL("GET", "/login", "userservice:8080")));
	GIVES("GET /login bank>user host one_word\n", OF("aaaa", "user", ROUTE("GET", "/login")),
	    OF("bbbb", "bank", CALL("GET", "/login", "user:8080")));
	GIVES("? GET /orders/all web no-producer\n- GET /{} order-service\n",
	    OF("aaaa", "order-service", ROUTE("GET", "/{}")),
	    OF("bbbb", "web", CALL("GET", "/orders/all", NULL)));
}

/* A word in front of a path is the repository's own name, or the rest of the path says something. */
static void names_in_front_of_a_path(void **state)
{
	struct match_member m[] = { OF("aaaa", "demo", ROUTE("GET", "/{}")),
		OF("aaaa", "web", CALL("GET", "/orders/all", NULL)) };

	(void)state;
	((struct contracts_res *)m[0].facts)->names = (t_strs){ (const char *[]){ "order-service" }, 1 };
	assert_string_equal(rows(m, LEN(m)), "? GET /orders/all web no-producer\n- GET /{} demo\n");
	GIVES("GET /{} web>order-service prefix stripped one_word\n",
	    OF("aaaa", "order-service", ROUTE("GET", "/{}")),
	    OF("aaaa", "web", CALL("GET", "/orders/all", NULL)));
}

static void proxies_of_others(void **state)
{
	struct fact proxy = FORWARD("/api/{*}", "localhost:4000", "/{*}");
	struct match_member m[] = { OF("aaaa", "ui", proxy),
		OF("bbbb", "backend", ROUTE("GET", "/signup/now")),
		OF("cccc", "sdk", CALL("GET", "/api/admin/signup/now", NULL)) };

	(void)state;
	((struct contracts_res *)m[1].facts)->names = (t_strs){ (const char *[]){ ":4000" }, 1 };
	m[0].facts->facts.v[0].framework = "dev-proxy";
	assert_string_equal(rows(m, LEN(m)),
	    "? GET /api/admin/signup/now sdk no-producer\n- GET /signup/now backend\n");
}

static struct fact topic(const char *side, const char *name)
{
	return fact(side, "topic", "TOPIC", name, NULL);
}

/* Two repositories that have nothing to do with each other do not share `orders`. */
static void topics_of_strangers(void **state)
{
	(void)state;
	GIVES("? TOPIC orders web no-producer\n- TOPIC orders shop\n",
	    OF("aaaa", "shop", topic("provides", "orders")),
	    OF("bbbb", "web", topic("consumes", "orders")));
	GIVES("? TOPIC user.events web no-producer\n- TOPIC user.* shop\n",
	    OF("aaaa", "shop", topic("provides", "user.*")),
	    OF("bbbb", "web", topic("consumes", "user.events")));
	GIVES("TOPIC invoice-paid web>shop contract_name\n",
	    OF("aaaa", "shop", topic("provides", "invoice-paid")),
	    OF("bbbb", "web", topic("consumes", "invoice-paid")));
	GIVES("TOPIC orders shop-web>shop contract_name\n",
	    OF("aaaa", "shop", topic("provides", "orders")),
	    OF("aaaa", "shop-web", topic("consumes", "orders")), OF("cccc", "else"),
	    OF("dddd", "more"));
}

static struct fact named(const char *side, const char *kind, const char *path)
{
	return fact(side, kind, "RPC", path, NULL);
}

/* Nor `Query.users` or `Users/Get`; a package that both write is no coincidence. */
static void names_of_strangers(void **state)
{
	(void)state;
	GIVES("? RPC Query.users web no-producer\n- RPC Query.users shop\n",
	    OF("aaaa", "shop", named("provides", "graphql", "Query.users")),
	    OF("bbbb", "web", named("consumes", "graphql", "Query.users")));
	GIVES("? RPC Users/Get web no-producer\n- RPC acme.Users/Get shop\n",
	    OF("aaaa", "shop", named("provides", "grpc", "acme.Users/Get")),
	    OF("bbbb", "web", named("consumes", "grpc", "Users/Get")));
	GIVES(
	    "? RPC grpc.health.v1.Health/Check web no-producer\n- RPC grpc.health.v1.Health/Check shop\n",
	    OF("aaaa", "shop", named("provides", "grpc", "grpc.health.v1.Health/Check")),
	    OF("bbbb", "web", named("consumes", "grpc", "grpc.health.v1.Health/Check")));
	GIVES("RPC acme.Users/Get web>shop contract_name\n",
	    OF("aaaa", "shop", named("provides", "grpc", "acme.Users/Get")),
	    OF("bbbb", "web", named("consumes", "grpc", "acme.Users/Get")));
}

static struct fact in_file(const char *file, struct fact f)
{
	f.file = file;
	return f;
}

/* A folder asks for what it asks for, even if another folder sends the same requests elsewhere. */
static void a_library_for_several_servers(void **state)
{
	(void)state;
	GIVES(
	    "GET /films sdk>hub path_only one_word\nGET /films/{} sdk>hub path_only one_word\nGET /tags sdk>hub path_only one_word\n"
	    "GET /films sdk>hub path_only one_word\nGET /films/{} sdk>hub path_only one_word\nGET /tags sdk>hub path_only one_word\n"
	    "? GET /albums/{} sdk no-producer\n? GET /artists/{} sdk no-producer\n? GET /songs/{} sdk no-producer\n"
	    "? GET /tracks/{} sdk no-producer\n? GET /labels/{} sdk no-producer\n? GET /charts/{} sdk no-producer\n"
	    "? GET /covers/{} sdk no-producer\n",
	    OF("aaaa", "hub", ROUTE("GET", "/films"), ROUTE("GET", "/films/{}"), ROUTE("GET", "/tags")),
	    OF("bbbb", "sdk", in_file("a/a.c", CALL("GET", "/films", "{}")),
	        in_file("a/a.c", CALL("GET", "/films/{}", "{}")),
	        in_file("a/a.c", CALL("GET", "/tags", "{}")),
	        in_file("b/b.c", CALL("GET", "/films", "{}")),
	        in_file("b/b.c", CALL("GET", "/films/{}", "{}")),
	        in_file("b/b.c", CALL("GET", "/tags", "{}")),
	        in_file("c/c.c", CALL("GET", "/albums/{}", "{}")),
	        in_file("c/c.c", CALL("GET", "/artists/{}", "{}")),
	        in_file("c/c.c", CALL("GET", "/songs/{}", "{}")),
	        in_file("c/c.c", CALL("GET", "/tracks/{}", "{}")),
	        in_file("c/c.c", CALL("GET", "/labels/{}", "{}")),
	        in_file("c/c.c", CALL("GET", "/charts/{}", "{}")),
	        in_file("c/c.c", CALL("GET", "/covers/{}", "{}"))));
}

/* The requests to an address count although its name turns out to be nobody's. */
static void an_address_whose_name_is_dropped(void **state)
{
	(void)state;
	GIVES(
	    "GET /carts web>shop address one_word\nGET /items web>shop address one_word\nGET /login web>shop address one_word\n",
	    OF("aaaa", "user"),
	    OF("bbbb", "shop", ROUTE("GET", "/carts"), ROUTE("GET", "/items"), ROUTE("GET", "/login")),
	    OF("cccc", "web", CALL("GET", "/carts", "userservice:8080"),
	        CALL("GET", "/items", "userservice:8080"), CALL("GET", "/login", "userservice:8080")));
}

/* What somebody wrote down for Atoll counts for all. */
static void declared_gateways(void **state)
{
	struct fact rule = FORWARD("/shop/{*}", "backend", "/{*}");
	struct match_member m[] = { OF("aaaa", "ui", rule),
		OF("bbbb", "backend", ROUTE("GET", "/signup")),
		OF("cccc", "sdk", CALL("GET", "/shop/signup", NULL)) };

	(void)state;
	m[0].facts->facts.v[0].framework = "nginx";
	assert_string_equal(
	    rows(m, LEN(m)), "? GET /shop/signup sdk no-producer\n- GET /signup backend\n");
	m[0].facts->facts.v[0].framework = "atoll.yaml";
	assert_string_equal(rows(m, LEN(m)), "GET /signup sdk>backend gateway one_word\n");
	m[0].facts->facts.v[0].framework = "routing";
	assert_string_equal(rows(m, LEN(m)), "GET /signup sdk>backend gateway one_word\n");
}

static struct fact example(struct fact f)
{
	f.file = "examples/auth/server.js";
	return f;
}

static void servers_of_examples(void **state)
{
	(void)state;
	GIVES("? GET /user/profile web no-producer\n- GET /user/profile lib\n",
	    OF("aaaa", "lib", example(ROUTE("GET", "/user/profile"))),
	    OF("bbbb", "web", CALL("GET", "/user/profile", NULL)));
}

/* What relates two repositories: a word of their names, an owner that few have, a package. */
static void what_relates(void **state)
{
	struct match_member m[] = { OF("aaaa", "ledger", ROUTE("GET", "/login")),
		OF("bbbb", "py-app", CALL("GET", "/login", NULL)) };
	struct package published = { .side = "publishes",
		.ecosystem = "pypi",
		.name = "Ledger-API",
		.file = "setup.py",
		.line = 1 };
	struct package needed = {
		.side = "depends", .ecosystem = "pypi", .name = "ledger-api", .file = "reqs.txt", .line = 1
	};
	struct contracts_res *server = (struct contracts_res *)m[0].facts,
	                     *client = (struct contracts_res *)m[1].facts;

	(void)state;
	GIVES("GET /login pyledger>ledger related one_word\n",
	    OF("aaaa", "ledger", ROUTE("GET", "/login")),
	    OF("bbbb", "pyledger", CALL("GET", "/login", NULL)));
	GIVES("GET /login ledger-web>the-ledger related one_word\n",
	    OF("aaaa", "the-ledger", ROUTE("GET", "/login")),
	    OF("bbbb", "ledger-web", CALL("GET", "/login", NULL)));
	assert_string_equal(rows(m, LEN(m)), "? GET /login py-app no-producer\n- GET /login ledger\n");
	server->packages.v = &published;
	server->packages.n = 1;
	client->packages.v = &needed;
	client->packages.n = 1;
	assert_string_equal(rows(m, LEN(m)), "GET /login py-app>ledger acquainted one_word\n");
	needed = (struct package){ .side = "mentions",
		.ecosystem = "url",
		.name = "h/AAAA/ledger/issues",
		.file = "README.md",
		.line = 1 };
	assert_string_equal(rows(m, LEN(m)), "GET /login py-app>ledger acquainted one_word\n");
	needed.name = "h/aaaa/other";
	assert_string_equal(rows(m, LEN(m)), "? GET /login py-app no-producer\n- GET /login ledger\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(routes_that_take_everything),
		cmocka_unit_test(words_that_parameters_take),
		cmocka_unit_test(one_common_word),
		cmocka_unit_test(a_client_of_somebody_else),
		cmocka_unit_test(several_servers_of_one_address),
		cmocka_unit_test(segments_that_nobody_strips),
		cmocka_unit_test(names_that_only_resemble),
		cmocka_unit_test(names_in_front_of_a_path),
		cmocka_unit_test(proxies_of_others),
		cmocka_unit_test(topics_of_strangers),
		cmocka_unit_test(names_of_strangers),
		cmocka_unit_test(a_library_for_several_servers),
		cmocka_unit_test(an_address_whose_name_is_dropped),
		cmocka_unit_test(declared_gateways),
		cmocka_unit_test(servers_of_examples),
		cmocka_unit_test(what_relates),
	};

	return cmocka_run_group_tests(tests, contract_rows_setup, contract_rows_teardown);
}
