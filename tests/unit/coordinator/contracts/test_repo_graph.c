/* Repositories as a graph: edges with counts, cycles, rank. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include <stdio.h>
#include <string.h>

#include "coordinator/contracts/links/repo_graph.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"

static struct arena *a;

#define PAIR(from, to, relation, n) { .consumer = from, .producer = to, .kind = relation, .calls = n }
#define NEEDS(from, to) PAIR(from, to, "depends_on", 1), PAIR(from, to, "depends_on_package", 2)

static struct repo_graph_out graph(const char *const *names, size_t n, const struct contract_pair *v, size_t npairs)
{
	struct repo_graph_out out = { 0 };
	struct repo_node *nodes = arena_many(a, n + 1, struct repo_node);

	for (size_t i = 0; i < n; i++)
		nodes[i] = (struct repo_node){ .repo_uri = names[i], .name = names[i] };
	repo_graph_build(nodes, n, v, npairs, a, &out);
	return out;
}

#define GRAPH(names, ...) graph(names, LEN(names), (struct contract_pair[]){ __VA_ARGS__ }, LEN(((struct contract_pair[]){ __VA_ARGS__ })))

static void who_is_needed_ranks_first(void **state)
{
	static const char *const names[] = { "web", "api", "lib", "alone" };
	struct repo_graph_out g = GRAPH(names, NEEDS("api", "lib"), NEEDS("web", "api"), PAIR("web", "api", "consumes_route", 3),
	    NEEDS("web", "lib"), PAIR("web", "web", "depends_on", 1), PAIR("web", "web", "consumes_route", 1),
	    PAIR("lib", "alone", "references_doc", 1), NEEDS("lib", "gone"));
	double sum = 0;

	(void)state;
	assert_string_equal(g.repos.v[0].repo_uri, "lib");
	assert_int_equal(g.repos.v[0].needed_by, 2);
	assert_int_equal(g.repos.v[0].depends_on, 0);
	assert_string_equal(g.repos.v[1].repo_uri, "api");
	for (size_t i = 0; i < g.repos.n; i++)
		sum += g.repos.v[i].rank;
	assert_true(fabs(sum - 1) < 1e-4);
	assert_true(g.repos.v[0].rank > 2 * g.repos.v[3].rank);
	assert_int_equal(g.edges.n, 4);
	assert_string_equal(g.edges.v[1].target, "api");
	assert_int_equal(g.edges.v[1].relations.n, 2);
	assert_int_equal(g.edges.v[1].relations.v[1].links, 3);
	assert_true(g.edges.v[1].depends);
	assert_false(g.edges.v[3].depends);	/* a document alone */
	assert_int_equal(g.cycles.n, 0);
}

static void cycles_are_found(void **state)
{
	static const char *const names[] = { "a", "b", "c", "d", "e", "f" };
	struct repo_graph_out g = GRAPH(names, NEEDS("a", "b"), NEEDS("b", "c"), NEEDS("c", "a"), NEEDS("c", "d"),
	    NEEDS("e", "f"), NEEDS("f", "e"));

	(void)state;
	assert_int_equal(g.cycles.n, 2);
	assert_int_equal(g.cycles.v[0].repos.n, 3);
	assert_string_equal(g.cycles.v[0].repos.v[0], "a");
	assert_string_equal(g.cycles.v[1].repos.v[1], "f");
	for (size_t i = 0; i < g.repos.n; i++)
		assert_int_equal(g.repos.v[i].cycle, strchr("abc", *g.repos.v[i].repo_uri) ? 1 : *g.repos.v[i].repo_uri == 'd' ? 0 : 2);
}

static void nobody_is_a_graph_too(void **state)
{
	struct repo_graph_out g = graph(NULL, 0, NULL, 0);

	(void)state;
	assert_int_equal(g.repos.n + g.edges.n + g.cycles.n, 0);
}

static void the_order_of_repositories_never_matters(void **state)
{
	static const char *const names[] = { "a", "b", "c" }, *const turned[] = { "c", "b", "a" };
	struct repo_graph_out x = GRAPH(names, NEEDS("a", "b"), NEEDS("b", "a")), y = GRAPH(turned, NEEDS("a", "b"), NEEDS("b", "a"));

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		assert_string_equal(x.repos.v[i].repo_uri, y.repos.v[i].repo_uri);
		assert_true(x.repos.v[i].rank == y.repos.v[i].rank);
	}
}

static int begin(void **state)
{
	(void)state;
	a = arena_new();
	return 0;
}

static int finish(void **state)
{
	(void)state;
	arena_free(a);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_is_needed_ranks_first), cmocka_unit_test(cycles_are_found), cmocka_unit_test(nobody_is_a_graph_too),
		cmocka_unit_test(the_order_of_repositories_never_matters),
	};

	return cmocka_run_group_tests(tests, begin, finish);
}
