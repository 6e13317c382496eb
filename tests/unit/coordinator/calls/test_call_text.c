/* Answers as text: what a model reads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "coordinator/calls/call.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"

static struct arena *a;

/* The text of an answer of `tool`; lives in the arena. */
static const char *text_of(const char *tool, const void *out, const struct err *e, const struct problem *p)
{
	struct call c = { .tool = tool_get(tool), .a = a, .out = (void *)out };
	struct buf b = { 0 };

	if (e)
		c.e = *e;
	if (p)
		c.problem = *p;
	call_text(&c, &b);
	const char *s = arena_strn(a, b.p ? b.p : "", b.n);
	buf_free(&b);
	return s;
}

static size_t count(const char *s, const char *what)
{
	size_t n = 0;

	for (; (s = strstr(s, what)); s += strlen(what))
		n++;
	return n;
}

static struct group_query_out hits(size_t n, const char *snippet)
{
	static struct coverage coverage = { .members = 3, .answered = 2 };
	static struct failed_member failed = { "github.com/a/down", "UNAVAILABLE", "not connected", 7 };
	static const char *sources[] = { "lexical", "symbol" };
	struct group_query_out o = { .group = "g", .coverage = &coverage, .next_cursor = "c2", .total = 90 };

	coverage.failed.v = &failed;
	coverage.failed.n = 1;
	o.results.n = n;
	o.results.v = arena_many(a, n, struct group_hit);
	for (size_t i = 0; i < n; i++)
		o.results.v[i] = (struct group_hit){ .rank = i + 1, .repo_uri = "github.com/a/b", .repo = "a/b", .path = "src/x.py",
			.start_line = 12, .end_line = 30, .symbol = "Shop.order", .snippet = snippet, .score = 0.0321,
			.sources = { sources, 2 } };
	return o;
}

static void a_hit_has_a_head_and_its_source(void **state)
{
	struct group_query_out o = hits(2, "def order():\n\tpass\n");
	const char *s = text_of("group_query", &o, NULL, NULL);

	(void)state;
	assert_non_null(strstr(s, "- github.com/a/b src/x.py:12-30; rank: 1;"));
	assert_non_null(strstr(s, "symbol: Shop.order"));
	assert_non_null(strstr(s, "sources: lexical, symbol"));
	assert_non_null(strstr(s, "\n    def order():\n    \tpass\n"));
	assert_non_null(strstr(s, "complete: no\n"));
	assert_non_null(strstr(s, "failed:\n"));
	assert_non_null(strstr(s, "repo_uri: github.com/a/down; code: UNAVAILABLE"));
	assert_non_null(strstr(s, "next_cursor: c2\n"));
	assert_null(strstr(s, "[cut"));
	assert_null(strstr(s, "kind:"));	/* empty fields are left out */
}

/* Each kind of field, with and without a value. */
static void fields_of_each_kind(void **state)
{
	static const char *repos[] = { "a/b", "c/d" };
	struct scope_done scope = { .type = "repos", .repos = { repos, 2 } };
	struct evidence v[] = { { .repo = "a/b",
		                        .repo_uri = "github.com/a/b",
		                        .path = "x.py",
		                        .startLine = 3,
		                        .endLine = 4,
		                        .score = 0.25,
		                        .snippet = "x = 1\n\ny = 2",
		                        .symbol = "Shop.x",
		                        .cited = true },
		{ .repo = "c/d",
		    .repo_uri = "github.com/c/d",
		    .path = "y.py",
		    .startLine = 5,
		    .endLine = 5,
		    .snippet = "z" } };
	struct search_code_meta meta = {
		.scope = &scope, .topK = 8, .minScore = 0.125, .droppedByMinScore = 2, .collection = "data"
	};
	struct search_code_out o = { .results = { v, 1 },
		.similar = { v + 1, 1 },
		.meta = &meta,
		.mode = "hybrid",
		.complete = true,
		.took_ms = 7 };
	struct search_code_out none = { .meta = &(struct search_code_meta){ .topK = 0 },
		.mode = "lexical" };

	(void)state;
	assert_string_equal(text_of("search_code", &o, NULL, NULL), 
	    "results:\n- github.com/a/b x.py:3-4; repo: a/b; score: 0.25; symbol: Shop.x; cited: yes\n    x = 1\n    \n    y = 2\n"
	    "similar:\n- github.com/c/d y.py:5; repo: c/d; score: 0; snippet: z\n"
	    "meta: topK: 8; minScore: 0.125; droppedByMinScore: 2; collection: data\n  scope: type: repos; repos: a/b, c/d\n"
	    "mode: hybrid\ncomplete: yes\ntook_ms: 7\n");
	assert_string_equal(text_of("search_code", &none, NULL, NULL), 
	    "meta: topK: 0\nmode: lexical\ncomplete: no\ntook_ms: 0\nnone: results, similar\n");
}

static void what_does_not_fit_is_counted(void **state)
{
	struct group_query_out o = hits(80, "int x;\nint y;\nint z;\nint x;\nint y;\nint z;\nint x;\nint y;\nint z;\n");
	const char *s = text_of("group_query", &o, NULL, NULL);
	size_t shown = count(s, "- github.com/a/b src/x.py");
	char note[80];

	(void)state;
	assert_true(strlen(s) <= 10240);
	assert_true(strlen(s) > 8000);
	snprintf(note, sizeof note, "[cut: %zu of 80 results shown; repeat with limit=%zu", shown, shown);
	assert_non_null(strstr(s, note));
	assert_non_null(strstr(s, "complete: no\n"));	/* the end is never cut */
	assert_null(strstr(s, "next_cursor"));		/* it would skip what was cut */
}

/* Twenty hits with twenty lines each: every hit, the first ones whole. */
static void the_last_items_are_shorter(void **state)
{
	struct buf b = { 0 };

	(void)state;
	for (int i = 1; i <= 20; i++)
		buf_printf(&b, "    this is line number %d of the snippet, and no short one\n", i);
	struct group_query_out o = hits(20, b.p);
	const char *s = text_of("group_query", &o, NULL, NULL);
	assert_true(strlen(s) <= 10240 && strlen(s) > 7500);
	assert_int_equal(count(s, "- github.com/a/b src/x.py"), 20);
	assert_int_equal(count(s, "line number 4 of"), 20);
	assert_in_range(count(s, "line number 20 of"), 2, 10);
	assert_int_equal(count(s, "line number 20 of") + count(s, "…\n"), 20);
	assert_non_null(strstr(s, "next_cursor: c2\n"));
	buf_free(&b);
}

static void one_huge_item_is_shown_in_part(void **state)
{
	char *big = arena_get(a, 1, 40000);

	(void)state;
	for (size_t i = 0; i < 39990; i += 10)
		memcpy(big + i, "line äöü\n", 11);
	struct group_query_out o = hits(2, big);
	const char *s = text_of("group_query", &o, NULL, NULL);
	assert_true(strlen(s) <= 10240 && strlen(s) > 8000);
	assert_non_null(strstr(s, "- github.com/a/b src/x.py:12-30; rank: 1;"));
	assert_non_null(strstr(s, "[cut: 0 of 2 results shown; repeat with limit=1"));
}

static void several_lists_share_the_room(void **state)
{
	static struct coverage coverage;
	static struct contract_totals totals = { 300, 300, 300 };
	static struct end end = { .repo_uri = "github.com/a/b", .file = "src/app.py", .line = 3, .end_line = 5, .method = "GET",
		.path = "/orders/{}", .framework = "flask", .symbol = "get_order" };
	struct group_contracts_out o = { .group = "g", .totals = &totals, .coverage = &coverage };

	(void)state;
	o.contracts.v = arena_many(a, o.contracts.n = 300, struct contract);
	o.unresolved.v = arena_many(a, o.unresolved.n = 300, struct unresolved);
	o.producers_without_consumers.v = arena_many(a, o.producers_without_consumers.n = 300, struct idle_producer);
	for (size_t i = 0; i < 300; i++) {
		o.contracts.v[i] = (struct contract){ .kind = "http", .method = "GET", .path = "/orders/{}", .producer = &end,
			.consumer = &end, .confidence = 1 };
		o.unresolved.v[i] = (struct unresolved){ .id = "fetches:unresolved:1", .kind = "http", .method = "GET", .path = "/x",
			.consumer = &end, .reason = "external" };
		o.producers_without_consumers.v[i] = (struct idle_producer){ "http", &end };
	}
	const char *s = text_of("group_contracts", &o, NULL, NULL);
	assert_true(strlen(s) <= 10240);
	assert_int_equal(count(s, "[cut: "), 3);
	assert_true(count(s, "reason: external") > 5);
	assert_non_null(strstr(s, "producer: github.com/a/b src/app.py:3-5; symbol: get_order; method: GET; path: /orders/{}"));
}

static void a_file_is_never_cut(void **state)
{
	static struct freshness f = { "github.com/a/b", "abc", 1, "h", "t", 0, { 0 }, NULL };
	char *big = arena_get(a, 1, 60001);

	(void)state;
	for (size_t i = 0; i < 60000; i++)
		big[i] = i % 60 == 59 ? '\n' : 'x';
	struct open_file_out o = { .repo = "a/b", .repo_uri = "github.com/a/b", .path = "big.c", .startLine = 1, .endLine = 1000,
		.totalLines = 1000, .content = big, .freshness = &f };
	const char *s = text_of("open_file", &o, NULL, NULL);
	assert_true(count(s, "xxxxx\n") == 1000);
	assert_non_null(strstr(s, "github.com/a/b big.c:1-1000;"));
}

static void nothing_invisible_gets_through(void **state)
{
	static struct freshness f;
	struct open_file_out o = { .repo_uri = "r",
		.path = "p",
		.startLine = 1,
		.endLine = 1,
		.freshness = &f,
		.content = "a\033[31mb\033[0m\007c\xe2\x80\x8b"
		           "d\xe2\x80\xae"
		           "e\xef\xbb\xbf"
		           "f\xc2\x9b"
		           "g\rh\033\x7f\n\tä€\n" };
	const char *s = text_of("open_file", &o, NULL, NULL);

	(void)state;
	assert_non_null(strstr(s, "  abcdefgh\n  \tä€\n"));
}

static void an_error_says_what_helps(void **state)
{
	struct choice choices[] = { { "github.com/a/x", "main", "g", NULL }, { "github.com/b/x", "main", NULL, NULL } };
	struct err e = { 0 };
	struct problem p = { .code = "AMBIGUOUS_REPO", .message = "2 repositories fit", .hint = "Retry with repo_uri=<one of above>",
		.choices = { choices, 2 }, .total_matches = 2 };

	(void)state;
	err_set(&e, ERR_AMBIGUOUS_REPO, "2 repositories fit");
	const char *s = text_of("query", NULL, &e, &p);
	assert_ptr_equal(strstr(s, "Error (AMBIGUOUS_REPO): 2 repositories fit\nHint: Retry with repo_uri=<one of above>\n"), s);
	assert_non_null(strstr(s, "- repo_uri: github.com/a/x; default_branch: main; group: g\n"));
	assert_non_null(strstr(s, "\ntotal_matches: 2"));
}

static int make_arena(void **state)
{
	(void)state;
	a = arena_new();
	return 0;
}

static int free_arena(void **state)
{
	(void)state;
	arena_free(a);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_hit_has_a_head_and_its_source),
		cmocka_unit_test(fields_of_each_kind),
		cmocka_unit_test(what_does_not_fit_is_counted),
		cmocka_unit_test(the_last_items_are_shorter),
		cmocka_unit_test(one_huge_item_is_shown_in_part),
		cmocka_unit_test(several_lists_share_the_room),
		cmocka_unit_test(a_file_is_never_cut),
		cmocka_unit_test(nothing_invisible_gets_through),
		cmocka_unit_test(an_error_says_what_helps),
	};
	return cmocka_run_group_tests(tests, make_arena, free_arena);
}
