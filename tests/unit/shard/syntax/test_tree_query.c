/* Queries over a tree: what each predicate lets through, and what is refused when a query is read. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "shard/syntax/parse_budget.h"
#include "shard/syntax/tree_query.h"

const TSLanguage *tree_sitter_c(void);

static const char first[] = "int one = two; int two = two; int three = 3;\n";
static const char chain[] = "int one = api\n\t.make\n\t->users.\n\tget(1, two);\n";
static const char *source = first;

static struct arena *a;
static struct buf got;

static int take(void *arg, const struct query *q, const TSQueryMatch *m)
{
	int *left = arg;

	for (uint16_t i = 0; i < m->capture_count; i++) {
		TSNode n = m->captures[i].node;
		const char *name = query_capture(q, m->captures[i].index);
		if (*name != '_')
			buf_printf(&got, "%s%s=%.*s", got.n ? " " : "", name, (int)node_len(n),
			    source + node_start_byte(n));
	}
	return --*left == 0;
}

/* CAPTURE=TEXT of the first `most` matches, or what is wrong with the query. */
static const char *first_matches(const char *text, int most)
{
	struct err e = { 0 };
	struct query *q = query_new(tree_sitter_c(), "some.scm", text, &e);
	struct parse_budget effort;
	struct syntax_tree t = { .text = source, .arena = a, .effort = &effort };

	t.n = strlen(source);

	got.n = 0;
	if (!q)
		return arena_str(a, e.msg);
	parse_budget_begin(&effort, t.n, 10000);
	TSParser *parser = ts_parser_new();
	assert_true(ts_parser_set_language(parser, tree_sitter_c()));
	TSTree *tree = ts_parser_parse_string(parser, NULL, source, (uint32_t)strlen(source));
	t.root = ts_tree_root_node(tree);
	query_each(q, &t, take, &most);
	ts_tree_delete(tree);
	ts_parser_delete(parser);
	query_free(q);
	return arena_strn(a, got.p ? got.p : "", got.n);
}

#define DECLARED "(init_declarator declarator: (identifier) @n value: (_) @_v "

static void predicates(void **state)
{
	/* clang-format off */
	static const struct { const char *query, *matches; } cases[] = {
		{ DECLARED ")", "n=one n=two n=three" },
		{ DECLARED "(#eq? @n \"two\"))", "n=two" },
		{ DECLARED "(#not-eq? @n \"two\"))", "n=one n=three" },
		{ DECLARED "(#eq? @n @_v))", "n=two" },
		{ DECLARED "(#not-eq? @n @_v))", "n=one n=three" },
		{ DECLARED "(#eq? @n \"tw\"))", "" },
		{ DECLARED "(#match? @n \"^t\"))", "n=two n=three" },
		{ DECLARED "(#not-match? @n \"^t\"))", "n=one" },
		{ DECLARED "(#any-of? @n \"one\" \"three\"))", "n=one n=three" },
		{ DECLARED "(#not-any-of? @n \"one\" \"three\"))", "n=two" },
		{ DECLARED "(#any-of? @n \"one\"))", "n=one" },
		{ DECLARED "(#match? @n \"^t\") (#not-eq? @n \"two\"))", "n=three" },
		{ "((identifier) @a (#eq? @a \"one\")) ((number_literal) @b (#match? @b \"3\"))", "a=one b=3" },
	};
	/* clang-format on */

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++) {
		const char *s = first_matches(cases[i].query, 100);
		if (strcmp(s, cases[i].matches))
			print_message("%s\n", cases[i].query);
		assert_string_equal(s, cases[i].matches);
	}
	assert_string_equal(first_matches(DECLARED ")", 2), "n=one n=two");
}

static void a_chain_over_lines_stands_in_one(void **state)
{
	(void)state;
	source = chain;
	assert_string_equal(
	    first_matches(DECLARED "(#match? @_v \"^api\\\\.make->users\\\\.get.1, two.$\"))", 9),
	    "n=one");
	assert_string_equal(first_matches(DECLARED "(#match? @_v \"\\n\"))", 9), "");
	source = first;
}

static void what_is_refused(void **state)
{
	/* clang-format off */
	static const struct { const char *query, *why; } cases[] = {
		{ DECLARED "(#eq? @n))", "no such predicate, or wrong arguments: #eq?" },
		{ DECLARED "(#match? @n))", "no such predicate, or wrong arguments: #match?" },
		{ DECLARED "(#eq? \"n\" @n))", "no such predicate, or wrong arguments: #eq?" },
		{ DECLARED "(#is? @n \"x\"))", "no such predicate, or wrong arguments: #is?" },
		{ DECLARED "(#set!))", "no such predicate, or wrong arguments: #set!" },
		{ DECLARED "(#match? @n \"[\"))", "pattern `[`: " },
		{ "(identifier) @a\n(no_such_node) @b", "some.scm:2" },
		{ "(identifier", "some.scm:1" },
	};
	/* clang-format on */

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++)
		if (!strstr(first_matches(cases[i].query, 100), cases[i].why))
			fail_msg("%s: %s", cases[i].query, first_matches(cases[i].query, 100));
}

static void properties(void **state)
{
	struct err e = { 0 };
	struct query *q = query_new(tree_sitter_c(), "some.scm",
	    "((identifier) @a (#set! kind \"name\") (#set! alone)) ((number_literal) @b (#set! kind \"number\"))",
	    &e);

	(void)state;
	assert_non_null(q);
	assert_string_equal(query_property(q, 0, "kind"), "name");
	assert_string_equal(query_property(q, 0, "alone"), "");
	assert_string_equal(query_property(q, 1, "kind"), "number");
	assert_null(query_property(q, 1, "alone"));
	assert_true(query_has_property(q, "alone"));
	assert_true(query_has_property(q, "kind"));
	assert_false(query_has_property(q, "kin"));
	assert_string_equal(query_capture(q, 0), "a");
	assert_string_equal(query_capture(q, 1), "b");
	assert_null(query_capture(q, 2));
	query_free(q);
	query_free(NULL);
}

static int setup(void **state)
{
	(void)state;
	a = arena_new();
	parse_budget_init();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	buf_free(&got);
	arena_free(a);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(predicates),
		cmocka_unit_test(a_chain_over_lines_stands_in_one),
		cmocka_unit_test(what_is_refused),
		cmocka_unit_test(properties),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
