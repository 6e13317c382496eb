/* What speaks for a link and against it: how sure it makes the link, and what a person reads. */
#include "tests/contract_rows.h"

#include "coordinator/contracts/matching/link_evidence.h"

static const struct {
	const char *code;
	double start, weight;
} kinds[] = {
#define EVIDENCE(code, start, weight, sentence) { #code, start, weight },
#include "coordinator/contracts/matching/evidence.def"
#undef EVIDENCE
};

static void evidence_moves_the_probability_to_its_side(void **state)
{
	(void)state;
	for (size_t i = 0; i < EVIDENCE_KINDS; i++) {
		struct link_evidence without = { 0 };
		without.has[EVIDENCE_path] = true;
		struct link_evidence with = without;
		with.has[i] = true;
		double more = link_evidence_probability(&with) - link_evidence_probability(&without);
		assert_true(more * kinds[i].start >= 0);
		if (kinds[i].weight != 0 && i != EVIDENCE_path)
			assert_true(more != 0);
	}
}

static void what_is_declared_is_certain(void **state)
{
	struct link_evidence e = { 0 };

	(void)state;
	e.has[EVIDENCE_path] = e.has[EVIDENCE_declared] = e.has[EVIDENCE_suffix] = true;
	assert_true(link_evidence_probability(&e) == 1);
}

/* `code text` of every clue of the only contract. */
static const char *clues(const struct match_member *m, size_t n)
{
	struct match_result o;
	const char *s = "";

	match(m, n, a, &o);
	assert_int_equal(o.contracts.n, 1);
	for (size_t i = 0; i < o.contracts.v[0].evidence.n; i++) {
		const struct clue *c = &o.contracts.v[0].evidence.v[i];
		s = arena_printf(
		    a, "%s%s: %s %s:%d\n", s, c->code ? c->code : "step", c->text, c->file, (int)c->line);
	}
	match_result_free(&o);
	return s;
}

static void each_link_says_why(void **state)
{
	(void)state;
	line = 0;
	struct match_member named[] = { MEMBER("users", ROUTE("GET", "/users/{}/mail")),
		MEMBER("web", CALL("GET", "/api/users/{}/mail", "users:80")) };
	assert_string_equal(clues(named, LEN(named)),
	    "host: host users names shop/users src/a.c:2\n"
	    "stripped: GET /api/users/{}/mail is, without its prefix, GET /users/{}/mail src/a.c:1\n");
	struct match_member own[] = { MEMBER(
		"shop", ROUTE("GET", "/carts/{*}"), CALL("GET", "/carts/mine", NULL)) };
	assert_string_equal(clues(own, LEN(own)),
	    "own_repository: the caller's own repository serves it, and no host says otherwise src/a.c:4\n"
	    "path: GET /carts/mine is GET /carts/{*} src/a.c:3\n"
	    "one_word: one word of the path tells something at most src/a.c:4\n"
	    "rest: the route takes whatever begins so src/a.c:3\n");
}

static void what_weakens_a_link_adds_up(void **state)
{
	struct fact documented = ROUTE("GET", "/users/{}/mail");
	struct match_member m[] = { MEMBER("users", documented),
		MEMBER("web", CALL("GET", "/api/users/{}/mail", "{}")) };

	(void)state;
	assert_string_equal(rows(m, LEN(m)), "GET /users/{}/mail web>users acquainted stripped\n");
	m[0].facts->facts.v[0].reason = "documented";
	assert_string_equal(rows(m, LEN(m)),
	    "? GET /api/users/{}/mail web no-producer with candidates\n- GET /users/{}/mail users\n");
}

/* Weights are fitted to all candidates, those that are no links among them. */
static void what_is_unsure_is_a_candidate(void **state)
{
	struct match_member m[] = { MEMBER("users", ROUTE("GET", "/users/{}/mail")),
		MEMBER("web", CALL("GET", "/api/users/{}/mail", "{}")) };
	struct match_result links, all;

	(void)state;
	m[0].facts->facts.v[0].reason = "documented";
	match(m, LEN(m), a, &links);
	match_unsure(m, LEN(m), a, &all);
	assert_int_equal(links.contracts.n, 0);
	assert_int_equal(links.unresolved.v[0].candidates.n, 1);
	assert_int_equal(all.contracts.n, 1);
	assert_true(all.contracts.v[0].confidence < MATCH_LEAST);
	match_result_free(&links);
	match_result_free(&all);
}

/* A reader who asks for at least the confidence that he was shown finds the link again. */
static void a_confidence_is_what_answers_show(void **state)
{
	struct match_member m[] = { MEMBER("users", ROUTE("GET", "/users/{}/mail")),
		MEMBER("web", CALL("GET", "/users/{}/mail", "users")) };
	struct match_result o;

	(void)state;
	match(m, LEN(m), a, &o);
	assert_int_equal(o.contracts.n, 1);
	assert_true(atof(arena_printf(a, "%.3f", o.contracts.v[0].confidence)) == o.contracts.v[0].confidence);
	match_result_free(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(evidence_moves_the_probability_to_its_side),
		cmocka_unit_test(what_is_declared_is_certain),
		cmocka_unit_test(each_link_says_why),
		cmocka_unit_test(what_weakens_a_link_adds_up),
		cmocka_unit_test(what_is_unsure_is_a_candidate),
		cmocka_unit_test(a_confidence_is_what_answers_show),
	};

	return cmocka_run_group_tests(tests, contract_rows_setup, contract_rows_teardown);
}
