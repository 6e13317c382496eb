/* Queries: how they are read and printed, where errors point, what is decided; the examples of the help. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/pattern/pattern.h"
#include "proto/process/embedded.h"
#include "proto/query/search_query.h"
#include "tests/random_number.h"

static struct arena *a;

static int begin(void **state)
{
	(void)state;
	a = arena_new();
	return 0;
}

static int end(void **state)
{
	(void)state;
	arena_free(a);
	return 0;
}

static const struct search_query *parsed(const char *text)
{
	struct err e = { 0 };
	const struct search_query *q = search_query_parse(text, a, &e);

	if (!q)
		fail_msg("%s: %s", text, e.msg);
	return q;
}

static int compile(void *arg, const struct query_node *atom)
{
	static const struct query_options plain = { 0 };
	void **x = arg;

	if (atom->kind == QUERY_LANG)
		return 0;
	struct pattern *p = query_atom_pattern(x[0], atom, &plain, x[1]);
	pattern_free(p);
	return p ? 0 : -1;
}

static void printed_as(const char *text, const char *expected)
{
	const char *printed = search_query_print(parsed(text), a);

	if (strcmp(printed, expected))
		fail_msg("%s: %s, not %s", text, printed, expected);
}

/* Precedence, forms of texts and filters, the form of trees. */
static void reads(void **state)
{
	(void)state;
	printed_as("needle", "\"needle\"");
	printed_as("  a\tb\n", "\"a\" \"b\"");
	printed_as("a and b AND c", "\"a\" \"b\" \"c\"");
	printed_as("a b or c d", "\"a\" \"b\" or \"c\" \"d\"");
	printed_as("a (b or c) d", "\"a\" (\"b\" or \"c\") \"d\"");
	printed_as("(a b) c", "\"a\" \"b\" \"c\"");
	printed_as("(a or (b OR c))", "\"a\" or \"b\" or \"c\"");
	printed_as("-a b", "-\"a\" \"b\"");
	printed_as("not a or Not -b", "-\"a\" or \"b\"");
	printed_as("-(a b) -(a or b)", "-(\"a\" \"b\") -(\"a\" or \"b\")");
	printed_as("not(a)", "-\"a\"");
	printed_as("nota order android", "\"nota\" \"order\" \"android\"");
	printed_as("\"or\" \"a \\\" \\\\ \\n\"", "\"or\" \"a \\\" \\\\ \\\\n\"");
	printed_as("/a b\\/c\\\\/", "/a b\\/c\\\\/");
	printed_as("file:a/b(c|d)\\)$", "file:/a\\/b(c|d)\\)$/");
	printed_as("(path:x) (symbol:\"a b\" language:C++)", "file:/x/ sym:\"a b\" lang:\"cpp\"");
	printed_as("file:a/.*b path:/\\/*/", "file:/a\\/.*b/ file:/\\/*/");
	printed_as("REPO:/a b/ lang:JS", "repo:/a b/ lang:\"javascript\"");
	printed_as("a case:yes b", "case:yes \"a\" \"b\"");
	printed_as("(case:NO a) or b case:no", "case:no \"a\" or \"b\"");
	printed_as("case:auto x", "\"x\"");
	printed_as("std::vector http://x a:b a\\b x-y",
	    "\"std::vector\" \"http://x\" \"a:b\" \"a\\\\b\" \"x-y\"");
	printed_as("größe -ß", "\"größe\" -\"ß\"");
}

static void refused(const char *text, unsigned column, const char *words)
{
	struct err e = { 0 };
	char place[40];
	const struct search_query *q = search_query_parse(text, a, &e);

	if (q && !search_query_each(q, compile, (void *[]){ (void *)q, &e }))
		fail_msg("%s: %s", text, search_query_print(q, a));
	snprintf(place, sizeof place, "query: column %u: ", column);
	if (e.code != ERR_INVALID_INPUT || strncmp(e.msg, place, strlen(place)) ||
	    !strstr(e.msg, words))
		fail_msg("%s: %s, not %s%s", text, e.msg, place, words);
}

static void points_at_errors(void **state)
{
	(void)state;
	refused("", 1, "missing");
	refused("   ", 4, "missing");
	refused("case:yes", 9, "missing");
	refused("a (b", 3, "not closed");
	refused("a b)", 4, "closes nothing");
	refused("a ()", 3, "nothing stands");
	refused("ab main(x)", 8, "quote a text with a parenthesis");
	refused("(a)b", 4, "space behind");
	refused("\"a\"b", 4, "space behind the closing quote");
	refused("é \"a", 3, "not closed");
	refused("/usr/bin", 6, "space behind the closing /");
	refused("x /usr", 3, "no second /");
	refused("a or", 3, "`or` stands between");
	refused("or a", 1, "`or` stands between");
	refused("a or or b", 6, "`or` stands between");
	refused("a and", 3, "`and` stands between");
	refused("and a", 1, "`and` stands between");
	refused("a and and b", 7, "missing here");
	refused("a and or b", 3, "`and` stands between");
	refused("a not", 3, "`not` stands before");
	refused("a - b", 3, "`-` means not");
	refused("->next", 1, "\"->next\"");
	refused("--flag", 1, "`-` means not");
	refused("a -case:yes", 4, "cannot be negated");
	refused("case:yes a case:no", 12, "stands twice");
	refused("a case:maybe", 3, "case:yes, case:no");
	refused("a file:", 3, "file:_test");
	refused("(lang:) a", 2, "lang:go");
	refused("a lnag:go", 3, "lang");
	refused("content:x", 1, "needs no filter");
	refused("a r:x", 3, "repo:");
	refused("file:a\\ b", 7, "nothing follows");
	refused("x /a(b/", 5, "group");
	refused("x file:*.go", 8, "\\.js$ for *.js");
	refused("path:src/*.js", 10, "not a glob");
	refused("path:a**", 7, "not a glob");
	refused("/a\\/b[/", 6, "");
	refused("é /é\\/\\d+[z-a]/", 11, "goes down");
}

static void has_budgets(void **state)
{
	struct err e = { 0 };
	struct buf b = { 0 };

	(void)state;
	for (int i = 0; i < QUERY_MAX_ATOMS; i++)
		buf_str(&b, "a ");
	parsed(b.p);
	buf_str(&b, "a");
	refused(b.p, 2 * QUERY_MAX_ATOMS + 1, "more than 40 texts");
	b.n = 0;
	for (int i = 0; i < QUERY_MAX_DEPTH; i++)
		buf_str(&b, i % 2 ? "(" : "-");
	size_t signs = b.n;
	buf_str(&b, "a");
	for (int i = 0; i < QUERY_MAX_DEPTH / 2; i++)
		buf_str(&b, ")");
	parsed(b.p);
	b.n = signs;
	buf_str(&b, "(a)");
	refused(b.p, QUERY_MAX_DEPTH + 2, "more than 50 levels");
	b.n = 0;
	for (int i = 0; i < 100000; i++)
		buf_str(&b, "(");
	assert_null(search_query_parse(b.p, a, &e));
	assert_non_null(strstr(e.msg, "bytes"));
	buf_free(&b);
}

static void knows_case(void **state)
{
	static const struct {
		const char *text;
		bool ignores;
	} cases[] = {
		{ "needle", true },
		{ "Needle", false },
		{ "größe", true },
		{ "Ärger", false },
		{ "/\\W\\pL\\p{Lu}\\x{AB}a/", true },
		{ "/\\Wa[A-Z]/", false },
		{ "\"\\W\"", false },
		{ "case:yes a", false },
		{ "A case:no", true },
		{ "case:auto A", false },
	};

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++) {
		const struct search_query *q = parsed(cases[i].text);
		if (query_atom_ignores_case(q, q->root) != cases[i].ignores)
			fail_msg("%s", cases[i].text);
	}
}

/* ---- deciding ---- */

static int by_repo(void *arg, const struct query_node *atom)
{
	if (atom->kind != QUERY_REPO)
		return -1;
	return !strcmp(atom->text, arg);
}

static void decides(void **state)
{
	static const struct {
		const char *text, *in_x, *in_y;
	} cases[] = {
		{ "a repo:x", "\"a\"", NULL },
		{ "a -repo:x", NULL, "\"a\"" },
		{ "repo:x a or repo:y b", "\"a\"", "\"b\"" },
		{ "a (repo:x or b) c", "\"a\" \"c\"", "\"a\" \"b\" \"c\"" },
		{ "-(repo:x a) case:yes", "case:yes -\"a\"", "case:yes file:\"\"" },
		{ "repo:x", "file:\"\"", NULL },
		{ "-(a or -(b repo:x))", "-(\"a\" or -\"b\")", NULL },
	};

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++)
		for (int y = 0; y < 2; y++) {
			const struct search_query *q = search_query_decide(
			    parsed(cases[i].text), by_repo, y ? "y" : "x", a);
			const char *expected = y ? cases[i].in_y : cases[i].in_x;
			if (q->root->kind == QUERY_FALSE ?
			        expected != NULL :
			        !expected || strcmp(search_query_print(q, a), expected))
				fail_msg("%s: %s", cases[i].text, search_query_print(q, a));
		}
}

static void says_whether_there_are_lines(void **state)
{
	(void)state;
	assert_true(search_query_has_lines(parsed("lang:go or a")));
	assert_true(search_query_has_lines(parsed("lang:go -(b) sym:x")));
	assert_false(search_query_has_lines(parsed("lang:go file:a -b -(c d)")));
}

/* ---- any tree ---- */

static void put_random_atom(struct buf *b, uint64_t *seed)
{
	static const char *const atoms[] = {
		"a",
		"B",
		"\"a b\"",
		"\"q\\\"\\\\\"",
		"/x|y\\/z/",
		"//",
		"\"\"",
		"file:a\\/b(c)",
		"path:\"/\"",
		"repo:/r s/",
		"lang:c#",
		"sym:^x\\)",
		"case:yes",
		"é",
		"a\\b",
		"x:y",
		"\"or\"",
		"/\\\\/",
	};

	buf_str(b, atoms[random_number(seed, LEN(atoms))]);
}

static void put_random(struct buf *b, uint64_t *seed, unsigned depth)
{
	unsigned parts = 1 + random_number(seed, 3);

	for (unsigned i = 0; i < parts; i++) {
		static const char *const between[] = { " ", " or ", " and ", " OR " };
		buf_str(b, i ? between[random_number(seed, LEN(between))] : "");
		unsigned kind = random_number(seed, 4);
		if (kind == 3 && random_number(seed, 2))
			buf_str(b, "not ");
		if (kind != 2 || !depth) {
			put_random_atom(b, seed);
			continue;
		}
		buf_str(b, random_number(seed, 2) ? "-(" : "(");
		put_random(b, seed, depth - 1);
		buf_str(b, ")");
	}
}

static bool same(const struct query_node *x, const struct query_node *y)
{
	if (x->kind != y->kind || x->nparts != y->nparts)
		return false;
	if (!x->nparts)
		return x->regex == y->regex && x->atom == y->atom && !strcmp(x->text, y->text);
	for (size_t i = 0; i < x->nparts; i++) {
		if (x->parts[i]->kind == x->kind || !same(x->parts[i], y->parts[i]))
			return false;
	}
	return x->kind == QUERY_NOT || x->nparts > 1;
}

static void prints_what_it_read(void **state)
{
	uint64_t seed = 27;
	unsigned good = 0;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct buf b = { 0 };
		struct err e = { 0 };
		put_random(&b, &seed, 3);
		const struct search_query *q = search_query_parse(b.p, a, &e);
		if (q) {
			const char *printed = search_query_print(q, a);
			const struct search_query *again = parsed(printed);
			if (!same(q->root, again->root) || q->letter_case != again->letter_case)
				fail_msg("%s: %s", b.p, printed);
			assert_string_equal(search_query_print(again, a), printed);
			good++;
		} else if (strncmp(e.msg, "query: column ", 14)) {
			fail_msg("%s: %s", b.p, e.msg);
		}
		buf_free(&b);
		arena_reset(a);
	}
	assert_in_range(good, 10000, 20000);
}

/* ---- the help ---- */

static void examples_are_right(void **state)
{
	const char *help = embedded_contents("coordinator/cli/data/query.txt");
	struct err e = { 0 };
	unsigned n = 0;

	(void)state;
	assert_non_null(help);
	const char *at = strstr(help, "Examples\n");
	assert_non_null(at);
	for (at = strchr(at, '\n') + 1; *at; at = strchr(at, '\n') + 1) {
		if (*at == '\n')
			continue;
		const char *gap = strstr(at + 2, "   ");
		assert_true(gap && gap < strchr(at, '\n'));
		const struct search_query *q = parsed(arena_strn(a, at + 2, (size_t)(gap - at - 2)));
		if (search_query_each(q, compile, (void *[]){ (void *)q, &e }))
			fail_msg("%s", e.msg);
		n++;
	}
	assert_int_equal(n, 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads),
		cmocka_unit_test(points_at_errors),
		cmocka_unit_test(has_budgets),
		cmocka_unit_test(knows_case),
		cmocka_unit_test(decides),
		cmocka_unit_test(says_whether_there_are_lines),
		cmocka_unit_test(prints_what_it_read),
		cmocka_unit_test(examples_are_right),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
