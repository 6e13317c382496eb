#ifndef TESTS_LINK_FEDERATIONS_H
#define TESTS_LINK_FEDERATIONS_H
/* Small federations whose members have links to each other, each in a way of its own; and the fixture shop, as it is indexed. */
#include "coordinator/contracts/link_explanation.h"
#include "shard/handlers/rpc_handlers.h"
#include "tests/contracts_index.h"
#include "tests/generated_sources.h"
#include "tests/contract_rows.h"

enum { MEMBERS_MAX = 8 };

struct federation {
	struct match_member m[MEMBERS_MAX];
	size_t n;
};

/* ---- the federations ---- */

#define FEDERATION(...)                                                                            \
	(struct federation)                                                                            \
	{                                                                                              \
		{ __VA_ARGS__ }, LEN(((struct match_member[]){ __VA_ARGS__ }))                             \
	}

static inline struct fact with_raw(struct fact f, const char *raw)
{
	f.raw = raw;
	return f;
}

static inline struct match_member with_name(struct match_member m, const char *name)
{
	struct contracts_res *r = arena_one(a, struct contracts_res);
	const char **v = arena_one(a, const char *);

	*v = name;
	*r = *m.facts;
	r->names = (t_strs){ v, 1 };
	m.facts = r;
	return m;
}

#define USERS                                                                                      \
	MEMBER("users", ROUTE("GET", "/users"), ROUTE("GET", "/users/{}"), ROUTE("POST", "/users"),    \
	    ROUTE("DELETE", "/users/{}/sessions"), ROUTE("GET", "/health"))
#define CARTS                                                                                      \
	MEMBER("carts", ROUTE("GET", "/api/v1/carts/{}"), ROUTE("POST", "/api/v1/carts/{}/items"),     \
	    ROUTE("GET", "/health"))

static inline struct federation named_hosts(void)
{
	return FEDERATION(USERS, CARTS,
	    MEMBER("web", CALL("GET", "/users/{}", "users"), CALL("POST", "/users", "users:8080"),
	        CALL("DELETE", "/users/{}/sessions", "users.shop.svc.cluster.local"),
	        CALL("GET", "/api/v1/carts/{}", "carts"),
	        CALL("POST", "/api/v1/carts/{}/items", "carts")));
}

static inline struct federation variables(void)
{
	return FEDERATION(USERS, CARTS,
	    MEMBER("web", with_raw(CALL("GET", "/users/{}", NULL), "USERS_URL + '/users/' + id"),
	        with_raw(CALL("POST", "/api/v1/carts/{}/items", NULL),
	            "`${config.cartsBaseUrl}/api/v1/carts/${id}/items`")));
}

static inline struct federation public_hosts(void)
{
	return FEDERATION(with_name(USERS, "accounts.example.com"),
	    with_name(CARTS, "carts.example.com"),
	    MEMBER("web", CALL("GET", "/users/{}", "accounts.example.com"),
	        CALL("GET", "/api/v1/carts/{}", "carts.example.com")));
}

static inline struct federation gateway(void)
{
	return FEDERATION(USERS, CARTS,
	    MEMBER("edge-gateway", FORWARD("/shop/{*}", "users", "/{*}"),
	        FORWARD("/basket/{*}", "carts", "/api/v1/{*}")),
	    MEMBER("web", CALL("GET", "/shop/users/{}", "edge-gateway"),
	        CALL("POST", "/shop/users", "edge-gateway"),
	        CALL("GET", "/basket/carts/{}", "edge-gateway")));
}

/* Nothing is known of the host, but one server answers all of it. */
static inline struct federation one_server(void)
{
	return FEDERATION(MEMBER("notes", ROUTE("GET", "/notes"), ROUTE("POST", "/notes"),
	                      ROUTE("GET", "/notes/{}/history"), ROUTE("GET", "/folders"),
	                      ROUTE("POST", "/folders/{}/share")),
	    USERS,
	    MEMBER("web", CALL("GET", "/notes", NULL), CALL("POST", "/notes", NULL),
	        CALL("GET", "/notes/{}/history", NULL), CALL("GET", "/folders", NULL),
	        CALL("POST", "/folders/{}/share", NULL)));
}

static inline struct federation names_in_common(void)
{
	return FEDERATION(
	    MEMBER("invoices-api", ROUTE("GET", "/invoices/{}"), ROUTE("PUT", "/invoices/{}/state")),
	    CARTS,
	    MEMBER("invoices-web", CALL("GET", "/invoices/{}", NULL),
	        CALL("PUT", "/invoices/{}/state", NULL)));
}

/* Servers of the same paths: only the address tells which one is meant. */
static inline struct federation alike(void)
{
	return FEDERATION(MEMBER("reports", ROUTE("GET", "/jobs/{}"), ROUTE("POST", "/jobs")),
	    MEMBER("exports", ROUTE("GET", "/jobs/{}"), ROUTE("POST", "/jobs")),
	    MEMBER("imports", ROUTE("GET", "/jobs/{}"), ROUTE("POST", "/jobs")),
	    MEMBER("web", CALL("GET", "/jobs/{}", "exports"), CALL("POST", "/jobs", "reports"),
	        CALL("GET", "/jobs/{}", "imports")),
	    MEMBER("cli", with_raw(CALL("GET", "/jobs/{}", NULL), "REPORTS_URL + '/jobs/' + id"),
	        with_raw(CALL("POST", "/jobs", NULL), "config.exportsUrl + '/jobs'"),
	        with_raw(CALL("POST", "/jobs", NULL), "`${process.env.IMPORTS_BASE_URL}/jobs`")));
}

#define RPC_OF(side, path, host) fact(side, "grpc", "RPC", path, host)
#define FIELD_OF(side, path, host) fact(side, "graphql", "GRAPHQL", path, host)

static inline struct federation other_kinds(void)
{
	return FEDERATION(MEMBER("ledger", RPC_OF("provides", "bank.Ledger/Book", NULL),
	                      RPC_OF("provides", "bank.Ledger/Balance", NULL)),
	    MEMBER("graph", FIELD_OF("provides", "Query.users", NULL),
	        FIELD_OF("provides", "Query.orders", NULL)),
	    MEMBER("mailer", fact("provides", "topic", "SUBSCRIBE", "orders.created", NULL)),
	    MEMBER("web", RPC_OF("consumes", "bank.Ledger/Book", "ledger:50051"),
	        FIELD_OF("consumes", "Query.users", "graph"),
	        fact("consumes", "topic", "PUBLISH", "orders.created", NULL)));
}

/* The facts of a folder, as a shard gives them. */
static inline struct match_member indexed(const char *name)
{
	static struct sources tree;
	char dir[] = "/tmp/atoll-explanation.XXXXXX";
	struct index_info info;
	struct err e = { 0 };
	struct parser *p = parser_new(&e);
	struct contracts_res *r = arena_one(a, struct contracts_res);

	assert_non_null(mkdtemp(dir));
	sources_read(&tree, arena_printf(a, "tests/fixtures/shop/%s", name), "");
	assert_int_equal(sources_index(&tree, p, dir, &info, &e), 0);
	struct index_reader reader = {
		.db = store_open(dir, info.file, &e), .info = info, .data = dir
	};
	assert_int_equal(
	    rpc_contracts(NULL, &reader, &(struct contracts_req){ .limit = 5000 }, r, a, &e), 0);
	db_close(reader.db);
	parser_free(p);
	sources_free(&tree);
	assert_int_equal(system(arena_printf(a, "rm -rf %s", dir)), 0);
	return (struct match_member){ arena_printf(a, "h/shop/%s", name),
		arena_printf(a, "shop/%s", name), r };
}

static inline struct federation shop(void)
{
	return FEDERATION(indexed("web"), indexed("users"), indexed("catalog"), indexed("orders"));
}

static struct federation (*const federations[])(void) = { named_hosts, variables, public_hosts,
	gateway, one_server, names_in_common, alike, other_kinds, shop };
static struct federation made[LEN(federations)];

/* Each call in a function of its own. */
static inline void name_functions(struct federation *f)
{
	for (size_t i = 0; i < f->n; i++)
		for (size_t k = 0; k < f->m[i].facts->facts.n; k++) {
			struct fact *x = &f->m[i].facts->facts.v[k];
			if (x->symbol && !strcmp(x->symbol, "f"))
				x->symbol = arena_printf(a, "f%zu", k);
		}
}

static inline int link_federations_setup(void **state)
{
	contract_rows_setup(state);
	for (size_t i = 0; i < LEN(federations); i++) {
		made[i] = federations[i]();
		name_functions(&made[i]);
	}
	return 0;
}
#endif
