#include "tests/contract_rows.h"

#define GIVES(want, ...) do { \
	struct match_member m_[] = { __VA_ARGS__ }; \
	assert_string_equal(rows(m_, LEN(m_)), want); \
} while (0)

static void parameter_names_do_not_matter(void **state)
{
	(void)state;
	GIVES("GET /users/{} web>users acquainted one_word\n",
	    MEMBER("users", ROUTE("GET", "/users/{}")), MEMBER("web", CALL("GET", "/users/{}", NULL)));
	GIVES("GET /users/{} web>users acquainted one_word\n",
	    MEMBER("users", ROUTE("GET", "/users/{}")), MEMBER("web", CALL("GET", "/users/42", "{}")));
}

static void fixed_text_before_parameters(void **state)
{
	(void)state;
	GIVES("GET /articles/feed web>api acquainted\n- GET /articles/{} api\n",
	    MEMBER("api", ROUTE("GET", "/articles/{}"), ROUTE("GET", "/articles/feed")),
	    MEMBER("web", CALL("GET", "/articles/feed", NULL)));
}

static void methods_must_agree(void **state)
{
	(void)state;
	GIVES("? POST /users web no-producer\n- GET /users users\n", MEMBER("users", ROUTE("GET", "/users")),
	    MEMBER("web", CALL("POST", "/users", NULL)));
	GIVES("POST /users web>users acquainted one_word\n", MEMBER("users", ROUTE("ANY", "/users")),
	    MEMBER("web", CALL("POST", "/users", NULL)));
}

/* A call of unknown method is for one of those that fit: a link if there is only one. */
static void unknown_methods_are_not_sure(void **state)
{
	(void)state;
	GIVES("? ANY /users web no-producer with candidates\n- GET /users users\n- POST /users users\n",
	    MEMBER("users", ROUTE("GET", "/users"), ROUTE("POST", "/users")),
	    MEMBER("web", CALL("ANY", "/users", NULL)));
	GIVES("GET /users web>users acquainted any_method one_word\n",
	    MEMBER("users", ROUTE("GET", "/users")), MEMBER("web", CALL("ANY", "/users", NULL)));
}

#define PART(m, p) { .side = "provides", .kind = "http", .method = m, .path = p, .file = "r", .line = 1, .framework = "f", \
	.reason = "dynamic", .partial = true }

/* A route whose prefix is not known may be another one: it is no sure target, and whole routes come first. */
static void partial_routes_are_not_sure(void **state)
{
	(void)state;
	GIVES("GET /client/features web>a acquainted partial\n",
	    MEMBER("a", PART("GET", "/client/features")),
	    MEMBER("web", CALL("GET", "/client/features", NULL)));
	GIVES("GET /api/client/features web>b acquainted suffix\n- GET /client/features a\n",
	    MEMBER("a", PART("GET", "/client/features")),
	    MEMBER("b", ROUTE("GET", "/api/client/features")),
	    MEMBER("web", CALL("GET", "/client/features", "{}")));
}

static void host_names_a_service(void **state)
{
	(void)state;
	GIVES("GET /items/{} web>cart host one_word\n- GET /items/{} stock\n",
	    MEMBER("cart", ROUTE("GET", "/items/{}")), MEMBER("stock", ROUTE("GET", "/items/{}")),
	    MEMBER("web", CALL("GET", "/items/{}", "cart:8080")));
	GIVES("GET /items/{} web>cart host one_word\n- GET /items/{} stock\n",
	    MEMBER("cart", ROUTE("GET", "/items/{}")), MEMBER("stock", ROUTE("GET", "/items/{}")),
	    MEMBER("web", CALL("GET", "/items/{}", "cart.shop.svc.cluster.local")));
	GIVES("GET /items/{} web>cart host one_word\n", MEMBER("cart", ROUTE("GET", "/items/{}")),
	    MEMBER("web", CALL("GET", "/items/{}", "cart{}")));
}

static void host_names_from_manifests(void **state)
{
	struct match_member m[] = { MEMBER("users", ROUTE("GET", "/u")), MEMBER("web", CALL("GET", "/u", "accounts")) };

	(void)state;
	((struct contracts_res *)m[0].facts)->names = (t_strs){ (const char *[]){ "accounts" }, 1 };
	assert_string_equal(rows(m, 2), "GET /u web>users host one_word\n");
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
	GIVES("GET /users web>users acquainted stripped one_word\n",
	    MEMBER("users", ROUTE("GET", "/users")), MEMBER("web", CALL("GET", "/api/users", NULL)));
	GIVES("GET /api/v1/users/{} web>users acquainted suffix one_word\n",
	    MEMBER("users", ROUTE("GET", "/api/v1/users/{}")),
	    MEMBER("web", CALL("GET", "/users/{}", "{}")));
	GIVES("GET /carts/{}/items web>a acquainted suffix one_word\n- GET /items a\n",
	    MEMBER("a", ROUTE("GET", "/items"), ROUTE("GET", "/carts/{}/items")),
	    MEMBER("web", CALL("GET", "/{}/items", "{}")));
	GIVES("? GET /{}/items web no-producer with candidates\n- GET /items a\n",
	    MEMBER("a", ROUTE("GET", "/items")), MEMBER("web", CALL("GET", "/{}/items", "{}")));
	GIVES("GET /items web>a acquainted stripped one_word\n- GET /carts/{}/items a\n",
	    MEMBER("a", ROUTE("GET", "/items"), ROUTE("GET", "/carts/{}/items")),
	    MEMBER("web", CALL("GET", "/{}/items", NULL)));
	GIVES("GET /users web>b acquainted one_word\n- GET /api/users a\n",
	    MEMBER("a", ROUTE("GET", "/api/users")), MEMBER("b", ROUTE("GET", "/users")),
	    MEMBER("web", CALL("GET", "/users", NULL)));
	GIVES("GET /files/{*} web>a acquainted one_word rest\n",
	    MEMBER("a", ROUTE("GET", "/files/{*}")), MEMBER("web", CALL("GET", "/files/x/y", NULL)));
}

static void own_repository_first(void **state)
{
	(void)state;
	GIVES("GET /users web>web own_repository one_word\n- GET /users users\n",
	    MEMBER("users", ROUTE("GET", "/users")),
	    MEMBER("web", ROUTE("GET", "/users"), CALL("GET", "/users", NULL)));
	GIVES("GET /users web>users host one_word\n- GET /users web\n",
	    MEMBER("users", ROUTE("GET", "/users")),
	    MEMBER("web", ROUTE("GET", "/users"), CALL("GET", "/users", "users")));
	GIVES("GET /users web>users acquainted one_word\n- GET /{*} web\n",
	    MEMBER("users", ROUTE("GET", "/users")),
	    MEMBER("web", ROUTE("GET", "/{*}"), CALL("GET", "/users", NULL)));
}

static void equals_are_ambiguous(void **state)
{
	(void)state;
	GIVES(
	    "GET /x web>a acquainted one_of_several one_word\nGET /x web>b acquainted one_of_several one_word\n",
	    MEMBER("a", ROUTE("GET", "/x")), MEMBER("b", ROUTE("GET", "/x")),
	    MEMBER("web", CALL("GET", "/x", NULL)));
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
	GIVES("RPC shop.Cart/Add other>cart contract_name\n",
	    MEMBER("cart", fact("provides", "grpc", "RPC", "shop.Cart/Add", NULL)),
	    MEMBER("other", fact("consumes", "grpc", "RPC", "Cart/Add", NULL)));
	GIVES("RPC shop.Cart/Add web>cart contract_name\n",
	    MEMBER("cart", fact("provides", "grpc", "RPC", "shop.Cart/Add", NULL)),
	    MEMBER("web", fact("consumes", "grpc", "RPC", "shop.Cart/Add", NULL)));
	GIVES("? RPC bank.Cart/Add web no-producer\n- RPC shop.Cart/Add cart\n",
	    MEMBER("cart", fact("provides", "grpc", "RPC", "shop.Cart/Add", NULL)),
	    MEMBER("web", fact("consumes", "grpc", "RPC", "bank.Cart/Add", NULL)));
}

static void all_subscribers_get_a_topic(void **state)
{
	(void)state;
	GIVES("SUBSCRIBE orders web>a contract_name\nSUBSCRIBE orders web>b contract_name\n",
	    MEMBER("a", fact("provides", "topic", "SUBSCRIBE", "orders", NULL)),
	    MEMBER("b", fact("provides", "topic", "SUBSCRIBE", "orders", NULL)),
	    MEMBER("web", fact("consumes", "topic", "PUBLISH", "orders", NULL)));
}

static void names_like_a_members(void **state)
{
	(void)state;
	GIVES("GET /items/{} web>acme-cart-service host_like one_word\n- GET /items/{} stock\n",
	    MEMBER("acme-cart-service", ROUTE("GET", "/items/{}")),
	    MEMBER("stock", ROUTE("GET", "/items/{}")),
	    MEMBER("web", CALL("GET", "/items/{}", "carts:80")));
	GIVES("GET /items/{} web>cartservice host_like one_word\n- GET /items/{} stock\n",
	    MEMBER("cartservice", ROUTE("GET", "/items/{}")),
	    MEMBER("stock", ROUTE("GET", "/items/{}")),
	    MEMBER("web", CALL("GET", "/items/{}", "cart-api.prod.svc.cluster.local")));
	GIVES("? GET /items/{} web external\n- GET /items/{} cart\n", MEMBER("cart", ROUTE("GET", "/items/{}")),
	    MEMBER("web", CALL("GET", "/items/{}", "cart.example.com")));
}

/* Two letters are a name when they are all of it; without it the host would be a stranger, and the call less sure than without one. */
static void names_of_two_letters(void **state)
{
	(void)state;
	GIVES("GET /items/feed web>m3 host_like\n- GET /items/feed m4\n",
	    MEMBER("m3", ROUTE("GET", "/items/feed")), MEMBER("m4", ROUTE("GET", "/items/feed")),
	    MEMBER("web", CALL("GET", "/items/feed", "m3-service")));
	GIVES("GET /items/feed web>shop-ui acquainted unknown_host\n",
	    MEMBER("shop-ui", ROUTE("GET", "/items/feed")),
	    MEMBER("web", CALL("GET", "/items/feed", "ui-service")));
}

static struct fact hinted(const char *path, const char *host, const char *raw, const char *step)
{
	struct fact f = CALL("GET", path, host);

	f.raw = raw;
	if (step) {
		f.steps.v = arena_one(a, struct step);
		f.steps.v[0] = (struct step){ "src/a.c", 1, step };
		f.steps.n = 1;
	}
	return f;
}

static void what_holds_an_address_names_a_service(void **state)
{
	static const char *const raws[] = { "endpoints.cartsUrl + \"/items/\" + id", "`${CART_SERVICE_URL}/items/${id}`",
		"config.getCartUri() + path", "cart_base_url .. path" };

	(void)state;
	for (size_t i = 0; i < LEN(raws); i++)
		GIVES("GET /items/{} web>cart variable one_word\n- GET /items/{} stock\n",
		    MEMBER("cart", ROUTE("GET", "/items/{}")), MEMBER("stock", ROUTE("GET", "/items/{}")),
		    MEMBER("web", hinted("/items/{}", "{}", raws[i], NULL)));
	GIVES("GET /items/{} web>cart variable one_word\n- GET /items/{} stock\n",
	    MEMBER("cart", ROUTE("GET", "/items/{}")), MEMBER("stock", ROUTE("GET", "/items/{}")),
	    MEMBER("web",
	        hinted("/items/{}", "localhost:3001", "base + path",
	            "base = process.env.CART_ADDR || x")));
	GIVES(
	    "GET /items/{} web>cart acquainted one_of_several one_word\nGET /items/{} web>stock acquainted one_of_several one_word\n",
	    MEMBER("cart", ROUTE("GET", "/items/{}")), MEMBER("stock", ROUTE("GET", "/items/{}")),
	    MEMBER("web", hinted("/items/{}", "{}", "apiUrl + cart.id", NULL)));
}

static void the_only_route_of_who_is_called(void **state)
{
	(void)state;
	GIVES(
	    "GET / web>advice variable suffix guessed one_word\n- GET /health advice\n- POST /x advice\n",
	    MEMBER("advice", ROUTE("GET", "/"), ROUTE("GET", "/health"), ROUTE("POST", "/x")),
	    MEMBER("web", hinted("{}", NULL, "\"http://\" + env.adviceSvcAddr", NULL)));
	GIVES("? GET {} web dynamic\n- GET / advice\n- GET /all advice\n", MEMBER("advice", ROUTE("GET", "/"), ROUTE("GET", "/all")),
	    MEMBER("web", hinted("{}", NULL, "\"http://\" + env.adviceSvcAddr", NULL)));
}

static void ports_of_this_machine(void **state)
{
	struct match_member m[] = { MEMBER("cart", ROUTE("GET", "/x")), MEMBER("stock", ROUTE("GET", "/x")),
		MEMBER("web", CALL("GET", "/x", "localhost:8081")) };

	(void)state;
	((struct contracts_res *)m[1].facts)->names = (t_strs){ (const char *[]){ ":8081" }, 1 };
	assert_string_equal(rows(m, 3), "GET /x web>stock variable one_word\n- GET /x cart\n");
}

static void who_serves_an_address(void **state)
{
	(void)state;
	/* most of what is called out there is served here: two backends of one API, one without its prefix */
	GIVES(
	    "GET /api/tags web>a address one_word\nGET /tags web>b address stripped one_word\n"
	    "GET /api/posts/{} web>a address one_word\nGET /posts/{} web>b address stripped one_word\n"
	    "GET /api/posts/{} web>a address one_word\nGET /posts/feed web>b address stripped\n"
	    "POST /api/posts web>a address one_word\nPOST /posts web>b address stripped one_word\n",
	    MEMBER("a", ROUTE("GET", "/api/tags"), ROUTE("GET", "/api/posts/{}"),
	        ROUTE("POST", "/api/posts")),
	    MEMBER("b", ROUTE("GET", "/tags"), ROUTE("GET", "/posts/{}"), ROUTE("GET", "/posts/feed"),
	        ROUTE("POST", "/posts")),
	    MEMBER("web", CALL("GET", "/api/tags", "api.example.com"),
	        CALL("GET", "/api/posts/{}", "api.example.com"),
	        CALL("GET", "/api/posts/feed", "api.example.com"),
	        CALL("POST", "/api/posts", "api.example.com")));
	GIVES("? GET /tags web external\n? GET /users web external\n? GET /repos web external\n- GET /tags a\n- GET /things a\n",
	    MEMBER("a", ROUTE("GET", "/tags"), ROUTE("GET", "/things")), MEMBER("web", CALL("GET", "/tags", "api.example.com"),
	    CALL("GET", "/users", "api.example.com"), CALL("GET", "/repos", "api.example.com")));
	GIVES(
	    "GET / load>shop address one_word\nGET /cart load>shop address one_word\nPOST /cart load>shop address one_word\nGET /item/{} load>shop address one_word\n"
	    "- GET / other\n",
	    MEMBER("shop", ROUTE("GET", "/"), ROUTE("GET", "/cart"), ROUTE("POST", "/cart"),
	        ROUTE("GET", "/item/{}")),
	    MEMBER("other", ROUTE("GET", "/")),
	    MEMBER("load", CALL("GET", "/", NULL), CALL("GET", "/cart", NULL),
	        CALL("POST", "/cart", NULL), CALL("GET", "/item/{}", NULL)));
}

static void through_a_gateway(void **state)
{
	(void)state;
	GIVES("GET /users/{} web>users acquainted passed_on stripped one_word\n", MEMBER("gateway"),
	    MEMBER("users", ROUTE("GET", "/users/{}")),
	    MEMBER("web", CALL("GET", "/api/users/{}", "gateway:8080")));
	GIVES(
	    "GET /users/{} gateway>users host one_word rest\nGET /users gateway>users host one_word rest\nGET /api/{*} web>gateway host one_word rest\n- GET /teams users\n",
	    MEMBER("gateway", ROUTE("GET", "/api/{*}"), CALL("GET", "/users{*}", "users")),
	    MEMBER("users", ROUTE("GET", "/users/{}"), ROUTE("GET", "/users"), ROUTE("GET", "/teams")),
	    MEMBER("web", CALL("GET", "/api/users/{}", "gateway:8080")));
}

static void names_in_front_of_a_path(void **state)
{
	(void)state;
	GIVES("GET /current web>account-service prefix stripped one_word\n- GET /current stats\n",
	    MEMBER("account-service", ROUTE("GET", "/current")),
	    MEMBER("stats", ROUTE("GET", "/current")),
	    MEMBER("web", CALL("GET", "/api/accounts/current", NULL)));
	GIVES(
	    "POST / web>account-service prefix stripped one_word\nGET /{} web>account-service prefix stripped one_word\n",
	    MEMBER("account-service", ROUTE("GET", "/{}"), ROUTE("POST", "/")),
	    MEMBER("web", CALL("POST", "/accounts", NULL), CALL("GET", "/accounts/{}", NULL)));
	GIVES("PUT /{} web>statistics-service prefix stripped one_word\n",
	    MEMBER("statistics-service", ROUTE("PUT", "/{}")),
	    MEMBER("web", CALL("PUT", "/statistics/{}", "statistics-service")));
	GIVES("GET /users/login web>auth acquainted\n- GET /login users\n",
	    MEMBER("auth", ROUTE("GET", "/users/login")), MEMBER("users", ROUTE("GET", "/login")),
	    MEMBER("web", CALL("GET", "/users/login", NULL)));
}

static void what_every_server_has_says_nothing(void **state)
{
	(void)state;
	GIVES("? GET /health web no-producer\n- GET /health a\n", MEMBER("a", ROUTE("GET", "/health")),
	    MEMBER("web", CALL("GET", "/health", NULL)));
	GIVES("GET /health web>a host one_word\n", MEMBER("a", ROUTE("GET", "/health")),
	    MEMBER("web", CALL("GET", "/health", "a")));
	GIVES("? GET /login web no-producer\n- GET /admin/login a\n", MEMBER("a", ROUTE("GET", "/admin/login")),
	    MEMBER("web", CALL("GET", "/login", NULL)));
}

static void holes_for_text(void **state)
{
	(void)state;
	GIVES("GET /api/users/list web>a acquainted guessed one_word\n",
	    MEMBER("a", ROUTE("GET", "/api/users/list")),
	    MEMBER("web", CALL("GET", "/api/{}/list", NULL)));
	GIVES("? GET /api/{} web no-producer\n- GET /api/users a\n- GET /api/orders a\n",
	    MEMBER("a", ROUTE("GET", "/api/users"), ROUTE("GET", "/api/orders")), MEMBER("web", CALL("GET", "/api/{}", NULL)));
	GIVES("GET /api/users web>a acquainted one_word\n", MEMBER("a", ROUTE("GET", "/api/users")),
	    MEMBER("web", CALL("GET", "/api/users{}", NULL)));
}

static void prefixes_of_segments(void **state)
{
	(void)state;
	GIVES(
	    "GET /customers{*} web>a host one_word rest\nGET /customers{*} web>a host one_word rest\n- GET /custom a\n",
	    MEMBER("a", ROUTE("GET", "/customers{*}"), ROUTE("GET", "/custom")),
	    MEMBER("web", CALL("GET", "/customers/{}/cards", "a"), CALL("GET", "/customers", "a")));
	GIVES("GET /report.{} web>a acquainted one_word\n", MEMBER("a", ROUTE("GET", "/report.{}")),
	    MEMBER("web", CALL("GET", "/Report.pdf", NULL)));
	GIVES("GET /users web>a acquainted one_word\n", MEMBER("a", ROUTE("GET", "/users")),
	    MEMBER("web", CALL("HEAD", "/users", NULL)));
}

/* Rails answers /users and /users.json alike. */
static void formats_behind_a_path(void **state)
{
	struct fact users = ROUTE("GET", "/users"), user = ROUTE("GET", "/users/{}"),
	            feed = ROUTE("GET", "/feed.json");

	(void)state;
	users.framework = user.framework = feed.framework = "rails";
	GIVES(
	    "GET /users web>a address one_word\nGET /users web>a host one_word\nGET /users/{} web>a address one_word\nGET /feed.json web>a address one_word\n",
	    MEMBER("a", users, user, feed),
	    MEMBER("web", CALL("GET", "/users.json", NULL), CALL("GET", "/users.xml", "a"),
	        CALL("GET", "/users/{}.json", NULL), CALL("GET", "/feed.json", NULL)));
	GIVES("? GET /users.json web no-producer\n- GET /users a\n",
	    MEMBER("a", ROUTE("GET", "/users")), MEMBER("web", CALL("GET", "/users.json", NULL)));
	GIVES("? GET /users.x web no-producer\n- GET /users a\n", MEMBER("a", users),
	    MEMBER("web", CALL("GET", "/users.x", NULL)));
}

static void patterns_of_topics(void **state)
{
	(void)state;
	GIVES(
	    "SUBSCRIBE orders.# web>a contract_name\nSUBSCRIBE orders.*.paid web>b contract_name\n- SUBSCRIBE orders.paid c\n",
	    MEMBER("a", fact("provides", "topic", "SUBSCRIBE", "orders.#", NULL)),
	    MEMBER("b", fact("provides", "topic", "SUBSCRIBE", "orders.*.paid", NULL)),
	    MEMBER("c", fact("provides", "topic", "SUBSCRIBE", "orders.paid", NULL)),
	    MEMBER("web", fact("consumes", "topic", "PUBLISH", "orders.eu.paid", NULL)));
}

static void grpc_by_name_and_at_home(void **state)
{
	static const char check[] = "grpc.health.v1.Health/Check";

	(void)state;
	GIVES(
	    "RPC grpc.health.v1.Health/Check b>b own_repository\nRPC grpc.health.v1.Health/Check web>a host\n",
	    MEMBER("a", fact("provides", "grpc", "RPC", check, NULL)),
	    MEMBER("b", fact("provides", "grpc", "RPC", check, NULL),
	        fact("consumes", "grpc", "RPC", check, NULL)),
	    MEMBER("web", fact("consumes", "grpc", "RPC", check, "a:50051")));
}

static struct fact field(const char *side, const char *path, const char *host)
{
	return fact(side, "graphql", "GRAPHQL", path, host);
}

/* A field of a root type: named host, then the own repository; of an address in the world those who serve most of what it is asked for. */
static void fields_of_graphql(void **state)
{
	(void)state;
	GIVES("GRAPHQL Query.users web>users contract_name\n- GRAPHQL Mutation.users users\n",
	    MEMBER("users", field("provides", "Query.users", NULL),
	        field("provides", "Mutation.users", NULL)),
	    MEMBER("web", field("consumes", "Query.users", NULL)));
	GIVES(
	    "GRAPHQL Query.users web>a contract_name one_of_several\nGRAPHQL Query.users web>b contract_name one_of_several\n",
	    MEMBER("a", field("provides", "Query.users", NULL)),
	    MEMBER("b", field("provides", "Query.users", NULL)),
	    MEMBER("web", field("consumes", "Query.users", NULL)));
	GIVES("GRAPHQL Query.users b>b own_repository\nGRAPHQL Query.users web>a host\n",
	    MEMBER("a", field("provides", "Query.users", NULL)),
	    MEMBER("b", field("provides", "Query.users", NULL), field("consumes", "Query.users", NULL)),
	    MEMBER("web", field("consumes", "Query.users", "a:4000")));
	GIVES("? GRAPHQL Query.viewer web external\n- GRAPHQL Query.viewer a\n", MEMBER("a", field("provides", "Query.viewer", NULL)),
	    MEMBER("web", field("consumes", "Query.viewer", "api.github.com")));
	GIVES(
	    "GRAPHQL Query.a web>a address\nGRAPHQL Query.b web>a address\nGRAPHQL Query.c web>a address\n- GRAPHQL Query.a b\n",
	    MEMBER("a", field("provides", "Query.a", NULL), field("provides", "Query.b", NULL),
	        field("provides", "Query.c", NULL)),
	    MEMBER("b", field("provides", "Query.a", NULL)),
	    MEMBER("web", field("consumes", "Query.a", "api.example.com"),
	        field("consumes", "Query.b", "api.example.com"),
	        field("consumes", "Query.c", "api.example.com")));
}

static struct fact documented(const char *method, const char *path)
{
	struct fact f = ROUTE(method, path);

	f.reason = "documented";
	return f;
}

/* What only a document says counts less than what code says, but for the host. */
static void documents_say_less_than_code(void **state)
{
	(void)state;
	GIVES("GET /users web>a acquainted one_word documented\n",
	    MEMBER("a", documented("GET", "/users")), MEMBER("web", CALL("GET", "/users", NULL)));
	GIVES("GET /users web>b acquainted one_word\n- GET /users a\n",
	    MEMBER("a", documented("GET", "/users")), MEMBER("b", ROUTE("GET", "/users")),
	    MEMBER("web", CALL("GET", "/users", NULL)));
	GIVES("GET /users web>a host one_word documented\n- GET /users b\n",
	    MEMBER("a", documented("GET", "/users")), MEMBER("b", ROUTE("GET", "/users")),
	    MEMBER("web", CALL("GET", "/users", "a")));
}

static void links_once_and_in_both_directions(void **state)
{
	struct match_member m[] = {
		MEMBER("users", ROUTE("GET", "/users"), ROUTE("GET", "/users/{}")),
		MEMBER("web", CALL("GET", "/users", NULL), CALL("GET", "/users/{}", NULL), CALL("GET", "/nothing", NULL)),
	};
	struct match_result o;
	size_t n;

	(void)state;
	match(m, 2, a, &o);
	struct link *v = repo_links_build(&o, m, 2, a, &n);
	assert_int_equal(n, 4);
	assert_string_equal(v[0].relation, "consumer_of");
	assert_string_equal(v[0].source_repo_uri, "h/shop/users");
	assert_string_equal(v[1].relation, "depends_on");
	assert_string_equal(v[1].source_repo_uri, "h/shop/web");
	assert_null(v[1].source_doc_path);
	assert_string_equal(v[2].relation, "consumes_route");
	assert_string_equal(v[2].target_doc_path, "src/a.c");
	assert_true(v[2].source_line < v[3].source_line);
	match_result_free(&o);
}

static void ids_are_stable(void **state)
{
	struct match_member m[] = { MEMBER("web", CALL("GET", "/x", NULL)) };
	struct match_result o, p;

	(void)state;
	match(m, 1, a, &o);
	match(m, 1, a, &p);
	assert_int_equal(strlen(o.unresolved.v[0].id), strlen("fetches:unresolved:") + 16);
	assert_string_equal(o.unresolved.v[0].id, p.unresolved.v[0].id);
	match_result_free(&o);
	match_result_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parameter_names_do_not_matter),
		cmocka_unit_test(fixed_text_before_parameters),
		cmocka_unit_test(methods_must_agree),
		cmocka_unit_test(unknown_methods_are_not_sure),
		cmocka_unit_test(partial_routes_are_not_sure),
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
		cmocka_unit_test(names_like_a_members),
		cmocka_unit_test(names_of_two_letters),
		cmocka_unit_test(what_holds_an_address_names_a_service),
		cmocka_unit_test(the_only_route_of_who_is_called),
		cmocka_unit_test(ports_of_this_machine),
		cmocka_unit_test(who_serves_an_address),
		cmocka_unit_test(through_a_gateway),
		cmocka_unit_test(names_in_front_of_a_path),
		cmocka_unit_test(what_every_server_has_says_nothing),
		cmocka_unit_test(holes_for_text),
		cmocka_unit_test(prefixes_of_segments),
		cmocka_unit_test(formats_behind_a_path),
		cmocka_unit_test(patterns_of_topics),
		cmocka_unit_test(grpc_by_name_and_at_home),
		cmocka_unit_test(fields_of_graphql),
		cmocka_unit_test(documents_say_less_than_code),
		cmocka_unit_test(links_once_and_in_both_directions),
		cmocka_unit_test(ids_are_stable),
	};

	return cmocka_run_group_tests(tests, contract_rows_setup, contract_rows_teardown);
}
