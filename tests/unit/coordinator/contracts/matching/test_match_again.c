/* A match that knows the one before gives the rows that a new one gives, whatever has changed. */
#include "tests/contract_rows.h"

#include "coordinator/contracts/matching/match_memory.h"
#include "proto/base/err.h"
#include "tests/random_number.h"

enum { MEMBERS = 24, FACTS = 10, NOUNS = 6, EDITS = 150, ROUNDS = 4 };

static uint64_t seed;

#define PICK(v) ((v)[random_number(&seed, LEN(v))])

/* ---- a federation that is made up ---- */

static const char *made_up_path(void)
{
	static const char *const words[] = { "orders", "carts", "users", "items", "login", "files", "teams", "seats" };
	static const char *const roots[] = { "", "/api", "/api/v1", "/{}", "/svc3", "/gate" };
	static const char *const tails[] = { "", "/{}", "/{}/notes", "/{*}", "/count", "/{}.json" };

	return arena_printf(
	    a, "%s/%s%u%s", PICK(roots), PICK(words), random_number(&seed, NOUNS), PICK(tails));
}

static const char *made_up_host(void)
{
	static const char *const hosts[] = { NULL, NULL, "{}", "localhost:3000", "api.vendor.example.com", "billing", "gateway" };

	if (random_number(&seed, 3))
		return PICK(hosts);
	return arena_printf(a, "svc%u:8080", random_number(&seed, MEMBERS + 2));
}

static struct fact http_fact(const char *side)
{
	static const char *const methods[] = { "GET", "GET", "POST", "ANY" };
	struct fact f = fact(side, "http", PICK(methods), made_up_path(), NULL);

	if (strcmp(side, "consumes"))
		return f;
	f.host = made_up_host();
	if (!random_number(&seed, 4))
		f.raw = arena_printf(a, "process.env.SVC%u_URL + path", random_number(&seed, MEMBERS));
	return f;
}

static struct fact named_fact(const char *side)
{
	unsigned n = random_number(&seed, 12);
	bool sends = !strcmp(side, "consumes");

	if (n % 3 == 0)
		return fact(side, "grpc", "RPC", arena_printf(a, "shop.Orders%u/Get", n / 3), NULL);
	if (n % 3 == 1)
		return fact(side, "graphql", "GRAPHQL", arena_printf(a, "query:order%u", n / 3), sends ? made_up_host() : NULL);
	return fact(side, "topic", sends ? "PUBLISH" : "SUBSCRIBE", arena_printf(a, "orders.%u.placed", n / 3), NULL);
}

static struct fact made_up_fact(void)
{
	unsigned n = random_number(&seed, 20);

	if (n == 0)
		return fact("forwards", "http", "ANY", arena_printf(a, "/gate/%u/{*}", random_number(&seed, 4)),
		    arena_printf(a, "svc%u", random_number(&seed, MEMBERS)));
	const char *side = n % 2 ? "provides" : "consumes";
	return n < 6 ? named_fact(side) : http_fact(side);
}

/* What people declare: where calls go, and where not. */
static struct fact declaration(void)
{
	struct fact f = fact(random_number(&seed, 2) ? "consumes" : "denies", "http", "GET", made_up_path(),
	    arena_printf(a, "svc%u", random_number(&seed, MEMBERS)));

	f.framework = "atoll.yaml";
	f.file = "atoll.yaml";
	return f;
}

static struct match_member made_up_member(unsigned i)
{
	static const char *const owners[] = { "aaaa", "aaaa", "bbbb", "cccc" };
	const char *owner = PICK(owners);
	struct fact v[FACTS];

	for (size_t k = 0; k < FACTS; k++)
		v[k] = made_up_fact();
	if (i % 5 == 0)
		v[0] = declaration();
	return member(arena_printf(a, "h/%s/svc%02u", owner, i), arena_printf(a, "%s/svc%u", owner, i), v, FACTS);
}

/* ---- changes ---- */

enum change { ROUTE_OR_CALL, MOVED, OTHER, CHANGES };

/* Change a fact of a member, in a copy of its facts. */
static void edit(struct match_member *m, enum change what)
{
	struct contracts_res *r = arena_one(a, struct contracts_res);
	size_t n = m->facts->facts.n;

	*r = *m->facts;
	r->facts.v = arena_many(a, n + 1, struct fact);
	memcpy(r->facts.v, m->facts->facts.v, n * sizeof *r->facts.v);
	struct fact *f = &r->facts.v[random_number(&seed, (unsigned)n)];
	if (what == MOVED)
		f->line = f->end_line = ++line;
	else if (what == OTHER)
		*f = made_up_fact();
	else if (!strcmp(f->kind, "http") && !strcmp(f->framework, "test") && strcmp(f->side, "forwards"))
		*f = http_fact(f->side);
	if (!random_number(&seed, 5) && !strcmp(r->facts.v[n - 1].kind, "http"))
		r->facts.n--;
	m->facts = r;
}

/* ---- rows ---- */

#define ENCODE(list, rec)                                                                          \
	for (size_t i = 0; i < o->list.n; i++) {                                                       \
		codec_put(&rec, &o->list.v[i], b);                                                         \
		buf_str(b, "\n");                                                                          \
	}

static void encode(const struct match_result *o, struct buf *b)
{
	ENCODE(contracts, rec_contract)
	ENCODE(unresolved, rec_unresolved)
	ENCODE(idle, rec_idle_producer)
	for (size_t i = 0; i < o->notes.n; i++)
		codec_put(&rec_clue, &o->notes.v[i].clue, b);
}

/* The rows as they are read from a table. */
static void read_again(const struct match_result *o, struct match_result *out)
{
	struct buf b = { 0 };
	struct err e = { 0 };

	*out = (struct match_result){ 0 };
	out->contracts.v = calloc(o->contracts.n + 1, sizeof *out->contracts.v);
	out->unresolved.v = calloc(o->unresolved.n + 1, sizeof *out->unresolved.v);
	for (size_t i = 0; i < o->contracts.n; i++) {
		b.n = 0;
		codec_put(&rec_contract, &o->contracts.v[i], &b);
		assert_int_equal(codec_get(&rec_contract, &out->contracts.v[out->contracts.n++], b.p, b.n, a, &e), 0);
	}
	for (size_t i = 0; i < o->unresolved.n; i++) {
		b.n = 0;
		codec_put(&rec_unresolved, &o->unresolved.v[i], &b);
		assert_int_equal(codec_get(&rec_unresolved, &out->unresolved.v[out->unresolved.n++], b.p, b.n, a, &e), 0);
	}
	buf_free(&b);
}

/* Match anew and again, and compare.  `before` becomes the rows.  Returns the callers that were matched. */
static size_t check(struct match_memory *memory, struct match_result *before, const struct match_member *m, size_t n)
{
	struct match_result whole, again;
	struct buf want = { 0 }, got = { 0 };

	match(m, n, a, &whole);
	size_t callers = match_again(memory, before->contracts.v ? before : NULL, m, n, a, &again);
	encode(&whole, &want);
	encode(&again, &got);
	assert_int_equal(got.n, want.n);
	assert_memory_equal(got.p, want.p, want.n);
	match_result_free(before);
	read_again(&again, before);
	match_result_free(&whole);
	match_result_free(&again);
	buf_free(&want);
	buf_free(&got);
	return callers;
}

static void rows_are_those_of_a_new_match(void **state)
{
	(void)state;
	for (size_t round = 0; round < ROUNDS; round++) {
		struct match_memory *memory = match_memory_new();
		struct match_result before = { 0 };
		struct match_member m[MEMBERS];
		size_t matched = 0;
		seed = 100 + round;
		for (unsigned i = 0; i < MEMBERS; i++)
			m[i] = made_up_member(i);
		assert_int_equal(check(memory, &before, m, MEMBERS), MEMBERS);
		assert_int_equal(check(memory, &before, m, MEMBERS) < MEMBERS, 1);
		for (size_t k = 0; k < EDITS; k++) {
			for (size_t i = 0; i <= k % 2; i++)
				edit(&m[random_number(&seed, MEMBERS)], random_number(&seed, CHANGES));
			matched += check(memory, &before, m, MEMBERS);
		}
		assert_true(matched < EDITS * MEMBERS);
		match_result_free(&before);
		match_memory_free(memory);
	}
}

/* ---- how little is matched ---- */

static struct match_member services[4];

/* Two shops that know nothing of each other. */
static void open_shops(void)
{
	services[0] = member("h/aaaa/carts", "aaaa/carts", (struct fact[]){ ROUTE("GET", "/carts/{}/lines") }, 1);
	services[1] = member("h/aaaa/web", "aaaa/web", (struct fact[]){ CALL("GET", "/carts/{}/lines", "carts") }, 1);
	services[2] = member("h/bbbb/users", "bbbb/users", (struct fact[]){ ROUTE("GET", "/users/{}/keys") }, 1);
	services[3] = member("h/bbbb/site", "bbbb/site", (struct fact[]){ CALL("GET", "/users/{}/keys", "users") }, 1);
}

static void only_those_that_a_change_concerns_are_matched(void **state)
{
	struct match_memory *memory = match_memory_new();
	struct match_result before = { 0 };

	(void)state;
	open_shops();
	assert_int_equal(check(memory, &before, services, 4), 4);
	assert_int_equal(check(memory, &before, services, 4), 0);
	services[0] = member("h/aaaa/carts", "aaaa/carts", (struct fact[]){ ROUTE("GET", "/baskets/{}") }, 1);
	assert_int_equal(check(memory, &before, services, 4), 1);
	services[3] = member("h/bbbb/site", "bbbb/site", (struct fact[]){ CALL("GET", "/users/{}", "users") }, 1);
	assert_int_equal(check(memory, &before, services, 4), 1);
	services[2] = member("h/bbbb/users", "bbbb/users", (struct fact[]){ ROUTE("GET", "/users/{}") }, 1);
	assert_int_equal(check(memory, &before, services, 4), 1);
	/* another member, or a gateway, may concern all */
	assert_int_equal(check(memory, &before, services, 3), 3);
	services[2] = member("h/bbbb/users", "bbbb/users", (struct fact[]){ FORWARD("/x/{*}", "carts", NULL) }, 1);
	assert_int_equal(check(memory, &before, services, 3), 3);
	match_result_free(&before);
	match_memory_free(memory);
}

/* Rows that lead to nothing are not those of the last match. */
static void rows_of_another_match_are_not_kept(void **state)
{
	struct match_memory *memory = match_memory_new();
	struct match_result before = { 0 };

	(void)state;
	open_shops();
	check(memory, &before, services, 4);
	assert_int_equal(before.contracts.n, 2);
	before.contracts.v[0].producer->line += 7;
	assert_int_equal(check(memory, &before, services, 4), 4);
	match_result_free(&before);
	match_memory_free(memory);
}

/* A federation whose members change one by one. */
struct federation {
	struct match_memory *memory;
	struct match_result before;
	struct match_member m[4];
	size_t n;
};

#define IS(f, i, owner, name, ...)                                                                 \
	(f).m[i] = member("h/" owner "/" name, owner "/" name, (struct fact[]){ { 0 }, __VA_ARGS__ } + 1, \
	    LEN(((struct fact[]){ { 0 }, __VA_ARGS__ })) - 1)

static size_t callers_after(struct federation *f)
{
	return check(f->memory, &f->before, f->m, f->n);
}

static void end(struct federation *f)
{
	match_result_free(&f->before);
	match_memory_free(f->memory);
}

#define HUB ROUTE("GET", "/carts/{}/lines"), ROUTE("GET", "/users/{}/keys"), ROUTE("GET", "/teams/{}/seats"), ROUTE("GET", "/plans")
#define MOST(host) CALL("GET", "/carts/{}/lines", host), CALL("GET", "/users/{}/keys", host), CALL("GET", "/teams/{}/seats", host)

/* Who serves an address is told by all that call it. */
static void callers_of_one_address_are_matched_together(void **state)
{
	struct federation f = { .memory = match_memory_new(), .n = 3 };

	(void)state;
	IS(f, 0, "aaaa", "hub", HUB);
	IS(f, 1, "bbbb", "one", CALL("GET", "/plans", "api.hub.example.com"));
	IS(f, 2, "cccc", "two", CALL("GET", "/carts/{}/lines", "api.hub.example.com"));
	callers_after(&f);
	assert_int_equal(f.before.contracts.n, 0);
	IS(f, 2, "cccc", "two", MOST("api.hub.example.com"));
	assert_int_equal(callers_after(&f), 2);
	assert_int_equal(f.before.contracts.n, 4);
	IS(f, 2, "cccc", "two", CALL("GET", "/carts/{}/lines", "elsewhere"));
	assert_int_equal(callers_after(&f), 2);
	assert_int_equal(f.before.contracts.n, 0);
	end(&f);
}

/* Callers that are not matched still tell who serves the addresses of those that are. */
static void callers_that_stay_are_counted(void **state)
{
	struct federation f = { .memory = match_memory_new(), .n = 4 };

	(void)state;
	IS(f, 0, "aaaa", "hub", HUB);
	IS(f, 1, "bbbb", "one", CALL("GET", "/x/y", NULL), CALL("GET", "/plans", "api.hub.example.com"));
	IS(f, 2, "cccc", "two", CALL("GET", "/z", "api.hub.example.com"));
	IS(f, 3, "dddd", "far", MOST("api.hub.example.com"));
	callers_after(&f);
	assert_int_equal(f.before.contracts.n, 4);
	IS(f, 1, "bbbb", "one", CALL("GET", "/x/z", NULL), CALL("GET", "/plans", "api.hub.example.com"));
	assert_int_equal(callers_after(&f), 1);
	assert_int_equal(f.before.contracts.n, 4);
	end(&f);
}

/* What a caller tells is remembered also if it was matched because of another one. */
static void what_is_told_is_remembered(void **state)
{
	struct federation f = { .memory = match_memory_new(), .n = 4 };

	(void)state;
	IS(f, 0, "aaaa", "hub", HUB);
	IS(f, 1, "bbbb", "one", CALL("GET", "/x", "api.near.example.com"), MOST("api.hub.example.com"));
	IS(f, 2, "cccc", "two", CALL("GET", "/y", NULL));
	IS(f, 3, "dddd", "far", CALL("GET", "/plans", "api.hub.example.com"));
	callers_after(&f);
	assert_int_equal(f.before.contracts.n, 4);
	IS(f, 2, "cccc", "two", MOST("api.near.example.com"));
	assert_int_equal(callers_after(&f), 2);
	IS(f, 3, "dddd", "far", CALL("GET", "/plans", "api.hub.example.com"), CALL("GET", "/z", NULL));
	assert_int_equal(callers_after(&f), 1);
	assert_int_equal(f.before.contracts.n, 7);
	end(&f);
}

static void routes_of_a_named_member(void **state)
{
	struct federation f = { .memory = match_memory_new(), .n = 3 };

	(void)state;
	IS(f, 0, "aaaa", "hub", ROUTE("GET", "/{*}"));
	IS(f, 1, "bbbb", "one", CALL("GET", "/x/y", "hub:8080"));
	IS(f, 2, "cccc", "two", CALL("GET", "/x/y", "billing"));
	callers_after(&f);
	assert_int_equal(f.before.contracts.n, 1);
	IS(f, 0, "aaaa", "hub", ROUTE("GET", "/{*}"));
	assert_int_equal(callers_after(&f), 1);
	IS(f, 0, "aaaa", "hub", ROUTE("GET", "/else"));
	assert_int_equal(callers_after(&f), 1);
	assert_int_equal(f.before.contracts.n, 0);
	end(&f);
}

/* A route that moves concerns those whose rows name its place, and its order among equals decides. */
static void routes_that_move(void **state)
{
	struct federation f = { .memory = match_memory_new(), .n = 3 };
	struct fact first = ROUTE("GET", "/carts/{}/lines"), second = ROUTE("GET", "/carts/{}/lines");

	(void)state;
	IS(f, 0, "aaaa", "hub", first, second);
	IS(f, 1, "aaaa", "hub-one", CALL("GET", "/carts/{}/lines", "hub"));
	IS(f, 2, "aaaa", "hub-two", CALL("GET", "/carts/{}/nothing", "hub"));
	callers_after(&f);
	assert_int_equal(f.before.contracts.n, 1);
	assert_int_equal(f.before.contracts.v[0].producer->line, first.line);
	first.line = first.end_line = ++line;
	IS(f, 0, "aaaa", "hub", first, second);
	assert_int_equal(callers_after(&f), 1);
	assert_int_equal(f.before.contracts.v[0].producer->line, second.line);
	IS(f, 0, "aaaa", "hub", first, second, ROUTE("GET", "/else"));
	assert_int_equal(callers_after(&f), 2);
	end(&f);
}

static void declarations_are_always_judged(void **state)
{
	struct federation f = { .memory = match_memory_new(), .n = 3 };
	struct fact link = CALL("GET", "/a/b", "nobody");

	(void)state;
	link.framework = link.file = "atoll.yaml";
	IS(f, 0, "aaaa", "hub", ROUTE("GET", "/a/b"));
	IS(f, 1, "bbbb", "one", link, CALL("GET", "/a/b", NULL));
	IS(f, 2, "cccc", "two", CALL("GET", "/c/d", "hub"));
	callers_after(&f);
	IS(f, 2, "cccc", "two", CALL("GET", "/c/e", "hub"));
	assert_int_equal(callers_after(&f), 2);
	end(&f);
}

static int start(void **state)
{
	(void)state;
	a = arena_new();
	return 0;
}

static int stop(void **state)
{
	(void)state;
	arena_free(a);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_those_of_a_new_match),
		cmocka_unit_test(only_those_that_a_change_concerns_are_matched),
		cmocka_unit_test(rows_of_another_match_are_not_kept),
		cmocka_unit_test(callers_of_one_address_are_matched_together),
		cmocka_unit_test(callers_that_stay_are_counted),
		cmocka_unit_test(what_is_told_is_remembered),
		cmocka_unit_test(routes_of_a_named_member),
		cmocka_unit_test(routes_that_move),
		cmocka_unit_test(declarations_are_always_judged),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
