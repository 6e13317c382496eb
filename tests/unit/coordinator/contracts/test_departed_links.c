/* Which links the new rules do not make, and what became of their calls. */
#include "coordinator/contracts/departed_links.h"
#include "tests/contract_rows.h"

static struct contract *link_of(struct end *call, const char *server)
{
	struct contract *c = arena_one(a, struct contract);
	struct end *route = arena_one(a, struct end);

	*route = (struct end){
		.repo_uri = server, .file = "s.c", .line = 1, .method = "GET", .path = "/x"
	};
	*c = (struct contract){
		.kind = "http", .consumer = call, .producer = route, .confidence = 0.9
	};
	return c;
}

static struct end *call_at(const char *file, uint64_t at)
{
	struct end *e = arena_one(a, struct end);

	*e = (struct end){
		.repo_uri = "h/web", .file = file, .line = at, .method = "GET", .path = "/x"
	};
	return e;
}

/* The departed ones as lines: `a.c h/users 0.90 0.40 ambiguous: …`. */
static const char *departed_lines(const struct departed_links *d)
{
	const char *s = "";

	for (size_t i = 0; i < d->n; i++)
		s = arena_printf(a, "%s%s %s %.2f %.2f %s: %s\n", s, d->v[i].consumer->file,
		    d->v[i].producer->repo_uri, d->v[i].was, d->v[i].now, d->v[i].reason, d->v[i].missing);
	return s;
}

static void what_became_of_them(void **state)
{
	struct contract old[] = { *link_of(call_at("stays.c", 7), "h/users"),
		*link_of(call_at("guess.c", 1), "h/users"), *link_of(call_at("moves.c", 1), "h/users"),
		*link_of(call_at("gone.c", 1), "h/users"), *link_of(call_at("out.c", 1), "h/users") };
	struct contract now[] = { *link_of(call_at("stays.c", 9), "h/users"),
		*link_of(call_at("moves.c", 1), "h/people") };
	struct end candidates[] = { { .repo_uri = "h/people" }, { .repo_uri = "h/users" } };
	struct unresolved open[] = {
		{ .consumer = call_at("guess.c", 1),
		    .reason = "ambiguous",
		    .missing = "nothing tells which of 2 repositories is meant",
		    .confidence = 0.4,
		    .candidates = { candidates, 2 } },
		{ .consumer = call_at("out.c", 1),
		    .reason = "external",
		    .missing = "its host api.example.com is no member's",
		    .confidence = 0.3 },
	};
	struct match_result m = { .contracts = { now, LEN(now), LEN(now) },
		.unresolved = { open, LEN(open), LEN(open) } };
	struct departed_links d = { .old = old, .nold = LEN(old) };

	(void)state;
	departed_links_find(&m, a, &d);
	assert_int_equal(d.total, 4);
	assert_string_equal(departed_lines(&d),
	    "guess.c h/users 0.90 0.40 ambiguous: nothing tells which of 2 repositories is meant\n"
	    "moves.c h/users 0.90 0.00 elsewhere: it goes to h/people with confidence 0.90\n"
	    "gone.c h/users 0.90 0.00 unknown: the call is not found any more\n"
	    "out.c h/users 0.90 0.00 external: its host api.example.com is no member's\n");
}

static void the_list_is_bounded(void **state)
{
	struct contract *old = arena_many(a, 300, struct contract);
	struct match_result m = { 0 };
	struct departed_links d = { .old = old, .nold = 300 }, none = { 0 };

	(void)state;
	for (size_t i = 0; i < 300; i++)
		old[i] = *link_of(call_at(arena_printf(a, "%zu.c", i), 1), "h/users");
	departed_links_find(&m, a, &d);
	assert_int_equal(d.total, 300);
	assert_int_equal(d.n, 100);
	assert_string_equal(d.v[99].consumer->file, "99.c");
	departed_links_find(&m, a, &none);
	assert_int_equal(none.total + none.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_became_of_them),
		cmocka_unit_test(the_list_is_bounded),
	};

	return cmocka_run_group_tests(tests, contract_rows_setup, contract_rows_teardown);
}
