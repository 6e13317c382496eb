/* Declared truth: links, what is no link, services and gateways that people write down. Each with the declaration and without. */
#include "coordinator/contracts/matching/declarations.h"
#include "tests/contract_rows.h"

static struct fact declared(struct fact f, const char *framework)
{
	f.framework = framework;
	f.file = "atoll.yaml";
	f.symbol = NULL;
	return f;
}

#define LINK(m, p, to) declared(fact("consumes", "http", m, p, to), "atoll.yaml")
#define NOT(m, p, to) declared(fact(DECLARED_NOT, "http", m, p, to), "atoll.yaml")

static struct fact not_at(const char *address, const char *to)
{
	struct fact f = NOT("ANY", "/{*}", to);

	f.at = address;
	return f;
}

static struct fact with_raw(struct fact f, const char *raw)
{
	f.raw = raw;
	return f;
}

/* The rows with only those codes of evidence that are about certainty. */
static const char *certain_rows(const struct match_member *m, size_t n)
{
	static const char *const kept[] = { "declared", "one_of_several" };
	char *s = arena_str(a, rows(m, n)), *next;
	const char *out = "";

	for (char *l = strtok_r(s, "\n", &next); l; l = strtok_r(NULL, "\n", &next)) {
		char *codes = strchr(l, '>');
		if (codes)
			codes = strchr(codes, ' ');
		if (!codes) {
			out = arena_printf(a, "%s%s\n", out, l);
			continue;
		}
		out = arena_printf(a, "%s%.*s", out, (int)(codes - l), l);
		for (size_t i = 0; i < LEN(kept); i++)
			if (strstr(codes, kept[i]))
				out = arena_printf(a, "%s %s", out, kept[i]);
		out = arena_printf(a, "%s\n", out);
	}
	return out;
}

#define GIVES(want, ...)                                                                           \
	do {                                                                                           \
		struct match_member m_[] = { __VA_ARGS__ };                                                \
		assert_string_equal(certain_rows(m_, LEN(m_)), want);                                      \
	} while (0)

/* The notes about declarations as lines: `web:3: …`. */
static const char *notes(const struct match_member *m, size_t n)
{
	struct match_result o;
	struct buf b = { 0 };

	match(m, n, a, &o);
	for (size_t i = 0; i < o.notes.n; i++)
		buf_printf(&b, "%s: %s%s\n", o.notes.v[i].clue.repo_uri + 7, o.notes.v[i].clue.text,
		    o.notes.v[i].unknown ? " (unknown)" : "");
	match_result_free(&o);
	const char *s = arena_strn(a, b.p ? b.p : "", b.n);
	buf_free(&b);
	return s;
}

#define NOTES(want, ...)                                                                           \
	do {                                                                                           \
		struct match_member m_[] = { __VA_ARGS__ };                                                \
		assert_string_equal(notes(m_, LEN(m_)), want);                                             \
	} while (0)

/* The first evidence of the only call, linked or not. */
static const char *evidence(const struct match_member *m, size_t n)
{
	struct match_result o;
	const char *s = "";

	match(m, n, a, &o);
	assert_int_equal(o.contracts.n + o.unresolved.n, 1);
	if (o.contracts.n)
		s = arena_printf(a, "%s:%d %s", o.contracts.v[0].evidence.v[0].file,
		    (int)o.contracts.v[0].evidence.v[0].line, o.contracts.v[0].evidence.v[0].text);
	else if (o.unresolved.v[0].evidence.n)
		s = arena_printf(a, "%s:%d %s", o.unresolved.v[0].evidence.v[0].file,
		    (int)o.unresolved.v[0].evidence.v[0].line, o.unresolved.v[0].evidence.v[0].text);
	match_result_free(&o);
	return s;
}

#define USERS MEMBER("users", ROUTE("GET", "/users/{}"), ROUTE("DELETE", "/users/{}"))
#define ADMIN MEMBER("admin", ROUTE("GET", "/users/{}"))

static void links_direct_calls(void **state)
{
	(void)state;
	GIVES(
	    "GET /users/{} web>admin one_of_several\nGET /users/{} web>users one_of_several\n- DELETE /users/{} users\n",
	    ADMIN, USERS, MEMBER("web", CALL("GET", "/users/{}", NULL)));
	GIVES("GET /users/{} web>users declared\n- GET /users/{} admin\n- DELETE /users/{} users\n",
	    ADMIN, USERS,
	    MEMBER("web", CALL("GET", "/users/{}", NULL), LINK("GET", "/users/{}", "users")));
	/* whatever the host is, and a hole in front of the path */
	GIVES("GET /users/{} web>users declared\n- GET /users/{} admin\n- DELETE /users/{} users\n",
	    ADMIN, USERS,
	    MEMBER("web", CALL("GET", "/users/7", "admin"), LINK("GET", "/users/{}", "users")));
	GIVES("GET /users/{} web>users declared\n- GET /users/{} admin\n- DELETE /users/{} users\n",
	    ADMIN, USERS,
	    MEMBER("web", CALL("GET", "{}/users/{}", NULL), LINK("ANY", "/users/{*}", "shop/users")));
	/* another method, another path */
	GIVES(
	    "DELETE /users/{} web>users declared\nGET /users/{} web>admin one_of_several\nGET /users/{} web>users one_of_several\n",
	    ADMIN, USERS,
	    MEMBER("web", CALL("GET", "/users/{}", NULL), LINK("DELETE", "/users/{}", "users")));
}

/* A link is a call of its own if the code has none of that kind, or only in other places than it names. */
static void links_are_calls(void **state)
{
	struct fact from = LINK("GET", "/users/{}", "users");

	(void)state;
	GIVES("DELETE /users/{} web>users declared\n- GET /users/{} users\n", USERS,
	    MEMBER("web", LINK("DELETE", "/users/{}", "users")));
	GIVES("- GET /users/{} users\n- DELETE /users/{} users\n", USERS, MEMBER("web"));
	from.symbol = "cleanup.sh";
	GIVES("GET /users/{} web>users declared\nGET /users/{} web>admin\n- DELETE /users/{} users\n",
	    ADMIN, USERS, MEMBER("web", CALL("GET", "/users/{}", "admin"), from));
	from.symbol = "a.c";
	GIVES("GET /users/{} web>users declared\n- GET /users/{} admin\n- DELETE /users/{} users\n",
	    ADMIN, USERS, MEMBER("web", CALL("GET", "/users/{}", "admin"), from));
	/* a call of any method goes to all of them */
	GIVES("GET /users/{} web>users declared\nDELETE /users/{} web>users declared\n", USERS,
	    MEMBER("web", LINK("ANY", "/users/{}", "users")));
}

static void what_is_no_link(void **state)
{
	(void)state;
	GIVES("GET /users/{} web>users\n- DELETE /users/{} users\n", USERS,
	    MEMBER("web", CALL("GET", "/users/{}", NULL)));
	GIVES("? GET /users/{} web no-producer\n- GET /users/{} users\n- DELETE /users/{} users\n",
	    USERS, MEMBER("web", CALL("GET", "/users/{}", NULL), NOT("GET", "/users/{}", "users")));
	/* the next best one */
	GIVES("GET /users/{} web>admin\n- GET /users/{} users\n- DELETE /users/{} users\n", ADMIN,
	    USERS, MEMBER("web", CALL("GET", "/users/{}", NULL), NOT("ANY", "/users/{*}", "users")));
	/* even against the host and the own repository */
	GIVES("? GET /users/{} web no-producer\n- GET /users/{} users\n- DELETE /users/{} users\n",
	    USERS, MEMBER("web", CALL("GET", "/users/{}", "users"), NOT("ANY", "/{*}", "users")));
	GIVES("GET /users/{} web>users\n- DELETE /users/{} users\n- GET /users/{} web\n", USERS,
	    MEMBER("web", CALL("GET", "/users/{}", NULL), ROUTE("GET", "/users/{}"),
	        NOT("ANY", "/{*}", "shop/web")));
	/* another method, another path, another caller */
	GIVES("GET /users/{} web>users\n- DELETE /users/{} users\n", USERS,
	    MEMBER("web", CALL("GET", "/users/{}", NULL), NOT("DELETE", "/users/{}", "users"),
	        NOT("GET", "/user/{}", "users")));
	GIVES("GET /users/{} web>users\n- DELETE /users/{} users\n",
	    MEMBER("other", NOT("GET", "/users/{}", "users")), USERS,
	    MEMBER("web", CALL("GET", "/users/{}", NULL)));
	/* the rest of the calls is not affected */
	GIVES("DELETE /users/{} web>users\n? GET /users/{} web no-producer\n- GET /users/{} users\n",
	    USERS,
	    MEMBER("web", CALL("GET", "/users/{}", NULL), CALL("DELETE", "/users/{}", NULL),
	        NOT("GET", "/users/{}", "users")));
}

#define OF(owner, name, ...)                                                                       \
	member("h/" owner "/" name, owner "/" name, (struct fact[]){ { 0 }, __VA_ARGS__ } + 1,         \
	    LEN(((struct fact[]){ { 0 }, __VA_ARGS__ })) - 1)

/* Who is left out does not explain the requests to an address either. */
static void what_is_left_out_explains_nothing(void **state)
{
	struct package published = { .side = "publishes",
		.ecosystem = "pypi",
		.name = "ledger-api",
		.file = "setup.py",
		.line = 1 };
	struct package needed = {
		.side = "depends", .ecosystem = "pypi", .name = "ledger-api", .file = "reqs.txt", .line = 1
	};
	struct match_member m[] = { OF("aaaa", "hub", ROUTE("POST", "/contacts/create")),
		OF("bbbb", "bank", ROUTE("POST", "/contacts/{}")),
		OF("cccc", "web", CALL("POST", "/contacts/create", NULL), NOT("ANY", "/{*}", "aaaa/hub")) };

	(void)state;
	((struct contracts_res *)m[1].facts)->packages.v = &published;
	((struct contracts_res *)m[1].facts)->packages.n = 1;
	((struct contracts_res *)m[2].facts)->packages.v = &needed;
	((struct contracts_res *)m[2].facts)->packages.n = 1;
	assert_string_equal(
	    certain_rows(m, LEN(m)), "POST /contacts/{} web>bank\n- POST /contacts/create hub\n");
}

/* A host, or the variable that has it, is a client address. */
static void addresses_that_are_no_link(void **state)
{
	(void)state;
	GIVES("GET /users/{} web>users\n- DELETE /users/{} users\n", USERS,
	    MEMBER("web", with_raw(CALL("GET", "/users/{}", NULL), "`${USERS_URL}/users/${id}`")));
	GIVES("? GET /users/{} web no-producer\n- GET /users/{} users\n- DELETE /users/{} users\n",
	    USERS,
	    MEMBER("web", with_raw(CALL("GET", "/users/{}", NULL), "`${USERS_URL}/users/${id}`"),
	        not_at("USERS_URL", "users")));
	GIVES("GET /users/{} web>users\n- DELETE /users/{} users\n", USERS,
	    MEMBER("web", with_raw(CALL("GET", "/users/{}", NULL), "`${OTHER_USERS_URL}/users/${id}`"),
	        not_at("USERS_URL", "users")));
	GIVES("? GET /users/{} web no-producer\n- GET /users/{} users\n- DELETE /users/{} users\n",
	    USERS, MEMBER("web", CALL("GET", "/users/{}", "users:8080"), not_at("users", "users")));
	GIVES("GET /users/{} web>users\n- DELETE /users/{} users\n", USERS,
	    MEMBER(
	        "web", CALL("GET", "/users/{}", "users:8080"), not_at("users.example.com", "users")));
}

static void other_protocols(void **state)
{
	struct fact serves = fact("provides", "grpc", "RPC", "shop.Users/Get", NULL),
	            calls = fact("consumes", "grpc", "RPC", "shop.Users/Get", NULL);
	struct fact listens = fact("provides", "topic", "SUBSCRIBE", "signups", NULL),
	            sends = fact("consumes", "topic", "PUBLISH", "signups", NULL);

	(void)state;
	GIVES("RPC shop.Users/Get web>users\n", MEMBER("users", serves), MEMBER("web", calls));
	GIVES("? RPC shop.Users/Get web no-producer\n- RPC shop.Users/Get users\n",
	    MEMBER("users", serves), MEMBER("web", calls, NOT("ANY", "/{*}", "users")));
	GIVES("SUBSCRIBE signups web>users\n", MEMBER("users", listens), MEMBER("web", sends));
	GIVES("? PUBLISH signups web no-producer\n- SUBSCRIBE signups users\n",
	    MEMBER("users", listens), MEMBER("web", sends, NOT("ANY", "/{*}", "users")));
}

/* A gateway that leads to a repository that is left out leads nowhere. */
static void behind_gateways(void **state)
{
	(void)state;
	GIVES("GET /list web>carts\n- GET /list users\n", MEMBER("carts", ROUTE("GET", "/list")),
	    MEMBER("users", ROUTE("GET", "/list")),
	    MEMBER("web", FORWARD("/c/{*}", "carts", "/{*}"), CALL("GET", "/c/list", NULL)));
	GIVES("GET /list web>carts declared\n- GET /list users\n",
	    MEMBER("carts", ROUTE("GET", "/list")), MEMBER("users", ROUTE("GET", "/list")),
	    MEMBER("web", declared(FORWARD("/c/{*}", "carts", "/{*}"), "atoll.yaml"),
	        CALL("GET", "/c/list", NULL)));
	GIVES("GET /c/list web>users\n- GET /list carts\n", MEMBER("carts", ROUTE("GET", "/list")),
	    MEMBER("users", ROUTE("GET", "/c/list")),
	    MEMBER("web", FORWARD("/c/{*}", "carts", "/{*}"), CALL("GET", "/c/list", NULL),
	        NOT("ANY", "/{*}", "carts")));
	GIVES("? GET /c/list web no-producer\n- GET /list carts\n",
	    MEMBER("carts", ROUTE("GET", "/list")),
	    MEMBER("web", FORWARD("/c/{*}", "carts", "/{*}"), CALL("GET", "/c/list", NULL),
	        NOT("ANY", "/{*}", "carts")));
}

/* A declared name is certain even if it is only a port. */
static void services(void **state)
{
	struct match_member m[] = { MEMBER("users", ROUTE("GET", "/users/{}")),
		MEMBER("web", CALL("GET", "/users/{}", "localhost:8081")) };
	struct contracts_res *users = (struct contracts_res *)m[0].facts;

	(void)state;
	users->names = (t_strs){ (const char *[]){ ":8081" }, 1 };
	assert_string_equal(certain_rows(m, LEN(m)), "GET /users/{} web>users\n");
	users->declared = users->names;
	assert_string_equal(certain_rows(m, LEN(m)), "GET /users/{} web>users declared\n");
}

static void evidence_names_the_declaration(void **state)
{
	struct match_member m[] = { USERS,
		MEMBER("web", CALL("GET", "/users/{}", NULL), LINK("GET", "/users/{}", "users")) };
	struct match_member n[] = { USERS,
		MEMBER("web", CALL("GET", "/users/{}", NULL), NOT("GET", "/users/{}", "users")) };
	struct match_member o[] = { ADMIN, USERS,
		MEMBER("web", CALL("GET", "/users/{}", NULL), NOT("GET", "/users/{}", "users")) };

	(void)state;
	assert_string_equal(evidence(m, LEN(m)),
	    arena_printf(a, "atoll.yaml:%d `links` declares that it goes to users",
	        (int)m[1].facts->facts.v[1].line));
	assert_string_equal(evidence(n, LEN(n)),
	    arena_printf(a, "atoll.yaml:%d `not` declares that it does not go to users",
	        (int)n[1].facts->facts.v[1].line));
	assert_string_equal(evidence(o, LEN(o)),
	    arena_printf(a, "atoll.yaml:%d `not` declares that it does not go to users",
	        (int)o[2].facts->facts.v[1].line));
}

static void contradictions_are_named(void **state)
{
	struct fact no = NOT("GET", "/users/{*}", "users");

	(void)state;
	NOTES("", USERS,
	    MEMBER("web", CALL("GET", "/users/{}", NULL), LINK("DELETE", "/users/{}", "users"), no));
	no.line = 77;
	NOTES(
	    "web: `links` and `not` (atoll.yaml:77) contradict each other: GET /users/{} to users; `not` counts: remove one\n",
	    USERS,
	    MEMBER("web", LINK("GET", "/users/{}", "users"), CALL("GET", "/users/{}", NULL), no));
	GIVES("? GET /users/{} web no-producer\n- GET /users/{} users\n- DELETE /users/{} users\n",
	    USERS, MEMBER("web", LINK("GET", "/users/{}", "users"), NOT("GET", "/users/{}", "users")));
	NOTES(
	    "web: `links` names no repository of the group: `user-database`; use a name as `atoll status` shows it (unknown)\n"
	    "web: `not` names no repository of the group: `pear`; use a name as `atoll status` shows it (unknown)\n",
	    USERS,
	    MEMBER("web", LINK("GET", "/users/{}", "user-database"), NOT("ANY", "/{*}", "pear")));
	NOTES(
	    "web: `links` leads nowhere: users serves no GET /people; correct it, or declare the route in `routes`\n",
	    USERS, MEMBER("web", LINK("GET", "/people", "users")));
	NOTES(
	    "web: `not` is about no call: this repository has none with GET /people; correct or remove it\n"
	    "web: `not` is about no call: this repository has none with ANY /{*} at PEOPLE_URL; correct or remove it\n",
	    USERS,
	    MEMBER("web", CALL("GET", "/users/{}", NULL), NOT("GET", "/people", "users"),
	        not_at("PEOPLE_URL", "users")));
}

/* A link may name what resembles a repository's name; what is left out must be named exactly. */
static void names_that_resemble(void **state)
{
	struct match_member m[] = { member("h/else/orders-service", "else/orders-service",
		                            &(struct fact){ 0 }, 1),
		MEMBER("other"), MEMBER("third"), MEMBER("web", LINK("GET", "/x", "orders")) };

	(void)state;
	m[0].facts->facts.v[0] = ROUTE("GET", "/x");
	assert_non_null(strstr(rows(m, LEN(m)), "declared"));
	NOTES(
	    "web: `not` names no repository of the group: `orders`; use a name as `atoll status` shows it (unknown)\n",
	    MEMBER("orders-service"),
	    MEMBER("web", CALL("GET", "/x", NULL), NOT("ANY", "/{*}", "orders")));
}

/* A link to a repository without that route does not lead to somebody else. */
static void links_that_lead_nowhere(void **state)
{
	(void)state;
	GIVES("? GET /users/{} web no-producer\n- GET /users/{} admin\n", ADMIN, MEMBER("empty"),
	    MEMBER("web", CALL("GET", "/users/{}", NULL), LINK("GET", "/users/{}", "empty")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(links_direct_calls),
		cmocka_unit_test(links_are_calls),
		cmocka_unit_test(what_is_no_link),
		cmocka_unit_test(what_is_left_out_explains_nothing),
		cmocka_unit_test(addresses_that_are_no_link),
		cmocka_unit_test(other_protocols),
		cmocka_unit_test(behind_gateways),
		cmocka_unit_test(services),
		cmocka_unit_test(evidence_names_the_declaration),
		cmocka_unit_test(contradictions_are_named),
		cmocka_unit_test(names_that_resemble),
		cmocka_unit_test(links_that_lead_nowhere),
	};

	return cmocka_run_group_tests(tests, contract_rows_setup, contract_rows_teardown);
}
