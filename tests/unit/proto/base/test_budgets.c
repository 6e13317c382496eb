/* Readers of a repository's files stay within their budgets on hostile texts, and report it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
/* cmocka needs the headers above */
#include <cmocka.h>

#include "proto/base/arena.h"
#include "proto/base/budget.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/text/yaml_flat.h"
#include "shard/contracts/gateways/gateways.h"
#include "shard/contracts/specs/atoll_yaml.h"
#include "shard/contracts/specs/operations.h"
#include "shard/facts/facts.h"
#include "shard/formats/yaml_tree.h"
#include "shard/git/gitignore.h"
#include "shard/manifests/manifests.h"
#include "shard/settings/settings.h"

enum { MADE_MB = 300, SECONDS = 20 }; /* of one text, in a sanitized build too */

static struct manifests *manifests;

static void nothing(void *arg, const struct setting *v, size_t n)
{
	(void)arg, (void)v, (void)n;
}

/* Calls all readers that an ingest calls for a file. */
static void read_all(const char *path, const char *language, const struct buf *b, struct arena *a)
{
	struct facts f = { 0 };
	struct setting *settings;
	struct package *packages;

	settings_read(path, b->p, b->n, a, &settings);
	settings_each_document(path, b->p, b->n, a, nothing, NULL);
	gateways_read(path, b->p, b->n, a, &f);
	atoll_yaml_read(path, b->p, b->n, a, &f);
	operations_find(language, b->p, b->n, a, &f);
	collections_find(language, b->p, b->n, a, &f);
	manifests_read(manifests, path, b->p, b->n, a, &packages);
}

static void many(struct buf *b, size_t n, const char *s)
{
	while (n--)
		buf_str(b, s);
}

/* Levels of lists (or maps) of nine aliases each. */
static void laughs(struct buf *b, bool maps, const char *use)
{
	for (int level = 0; level < 9; level++) {
		buf_printf(b, "a%d: &a%d %c", level, level, maps ? '{' : '[');
		for (int i = 0; i < 9; i++) {
			buf_printf(b, maps ? "k%d: " : "", i);
			buf_printf(b, level ? "*a%d," : "x,", level - 1);
		}
		buf_str(b, maps ? "}\n" : "]\n");
	}
	buf_str(b, use);
}

static void aliases_of_lists(struct buf *b)
{
	laughs(b, false, "spring: 1\nroute: *a8\n");
}
static void aliases_of_maps(struct buf *b)
{
	laughs(b, true, "predicates: *a8\n");
}
static void object(struct buf *b)
{
	laughs(b, true, "apiVersion: v1\nkind: Deployment\nspec: *a8\n");
}

static void products(struct buf *b)
{
	buf_str(b, "x: &x\n");
	for (int i = 0; i < 30000; i++)
		buf_printf(b, "  k%d: v\n", i);
	buf_str(b, "apiVersion: v1\nkind: Deployment\nspec:\n  env:\n");
	many(b, 30000, "  - *x\n");
}

static void operations(struct buf *b)
{
	buf_str(b, "openapi: 3.0.0\nx: &x {");
	many(b, 5000, "get: {operationId: a}, ");
	buf_str(b, "}\npaths:\n");
	for (int i = 0; i < 5000; i++)
		buf_printf(b, "  /p%d: *x\n", i);
}

static void references(struct buf *b)
{
	buf_str(b, "openapi: 3.0.0\ncomponents: {pathItems: {x: {");
	many(b, 5000, "get: {operationId: a}, ");
	buf_str(b, "}}}\npaths:\n");
	for (int i = 0; i < 5000; i++)
		buf_printf(b, "  /p%d: {$ref: '#/components/pathItems/x'}\n", i);
}

static void variables(struct buf *b)
{
	for (int i = 0; i < 3; i++) {
		buf_printf(b, "@v%d = ", i);
		for (int k = 0; k < 20000; k++)
			buf_printf(b, "{{v%d}}", i + 1);
		buf_str(b, "\n");
	}
	buf_str(b, "###\nGET http://x/{{v0}}{{v0}}{{v0}}\n");
}

static void deep_lists(struct buf *b)
{
	buf_str(b, "spec: "), many(b, 250, "["), many(b, 250, "]");
}
static void deep_json(struct buf *b)
{
	many(b, 200, "{\"a\": "), buf_str(b, "1"), many(b, 200, "}");
}
static void deep_toml(struct buf *b)
{
	buf_str(b, "a = "), many(b, 300000, "[");
}
static void deep_xml(struct buf *b)
{
	many(b, 100000, "<a>"), many(b, 100000, "</a>");
}
static void deep_code(struct buf *b)
{
	many(b, 100000, "a {\n");
}
static void wide_xml(struct buf *b)
{
	buf_str(b, "<project>"), many(b, 200000, "<d/>");
}

static void wide_toml(struct buf *b)
{
	for (int i = 0; i < 90000; i++)
		buf_printf(b, "k%d=1\n", i);
}

static void words(struct buf *b)
{
	for (int i = 0; i < 50000; i++)
		buf_printf(b, "k%d=w%d\n", i, i);
}

static void gems(struct buf *b)
{
	buf_str(b, "group :test do\n");
	for (int i = 0; i < 50000; i++)
		buf_printf(b, "gem 'g%d'\n", i);
	buf_str(b, "end\n");
}

static void shared_url(struct buf *b)
{
	buf_str(b, "server { set $a ");
	many(b, 200000, "x");
	buf_str(b, "; location / { proxy_pass http://");
	many(b, 50000, "$a");
	buf_str(b, "; } }\n");
}

static void long_text(struct buf *b)
{
	buf_str(b, "a: '"), many(b, 1000000, "x"), buf_str(b, "'\n");
}
static void unclosed(struct buf *b)
{
	many(b, 100000, "{\"a\": [<a href='");
}

static const struct {
	const char *path, *language;
	void (*make)(struct buf *);
	const char *cut; /* what is said; NULL: nothing need be */
} cases[] = {
	{ "atoll.yaml", "yaml", aliases_of_lists, ": more than " },
	{ "application.yml", "yaml", aliases_of_lists, ": more than " },
	{ "config.yaml", "yaml", aliases_of_maps, ": more than " },
	{ "chart/values.yaml", "yaml", aliases_of_maps, ": more than " },
	{ "deploy.yaml", "yaml", object, "yaml settings: more than 2000000 nodes" },
	{ "deploy.yaml", "yaml", products, "yaml settings: more than 2000000 nodes" },
	{ "openapi.yaml", "yaml", operations, ": more than " },
	{ "openapi.yaml", "yaml", references, ": more than " },
	{ "a.http", "http", variables, "collection: more than " },
	{ "config.yaml", "yaml", deep_lists, "yaml settings: more than 32 levels" },
	{ "package.json", "json", deep_json, ": more than " },
	{ "Cargo.toml", "toml", deep_toml, "manifest: more than 48 levels" },
	{ "pom.xml", "xml", deep_xml, "manifest: more than 48 levels" },
	{ "build.gradle", "groovy", deep_code, NULL },
	{ "pom.xml", "xml", wide_xml, "manifest: more than 100000 values" },
	{ "Cargo.toml", "toml", wide_toml, "manifest: more than 20000000 nodes" },
	{ "build.gradle", "groovy", words, "manifest: more than 20000000 nodes" },
	{ "Gemfile", "ruby", gems, "manifest: more than " },
	{ "nginx.conf", "nginx", shared_url, "gateway: more than 8000 bytes of a URL" },
	{ "application.yml", "yaml", long_text, NULL },
	{ "package.json", "json", unclosed, NULL },
	{ "Cargo.toml", "toml", unclosed, NULL },
	{ "pom.xml", "xml", unclosed, NULL },
	{ "setup.py", "python", unclosed, NULL },
	{ "openapi.json", "json", unclosed, NULL },
	{ "nginx.conf", "nginx", unclosed, NULL },
	{ "a.graphql", "graphql", unclosed, NULL },
	{ "a.proto", "protobuf", unclosed, NULL },
	{ "main.tf", "hcl", unclosed, NULL },
};

static void texts_that_cost_much(void **state)
{
	(void)state;
	for (size_t i = 0; i < LEN(cases); i++) {
		struct arena *a = arena_new();
		struct buf b = { 0 };
		clock_t began = clock();
		cases[i].make(&b);
		read_all(cases[i].path, cases[i].language, &b, a);
		const char *cut = arena_truncation_reason(a);
		if (cases[i].cut && (!cut || !strstr(cut, cases[i].cut)))
			fail_msg("%s, case %zu: said `%s`, not `%s`", cases[i].path, i, cut ? cut : "nothing",
			    cases[i].cut);
		if (arena_used(a) >> 20 > MADE_MB)
			fail_msg("%s, case %zu: made %zu MB", cases[i].path, i, arena_used(a) >> 20);
		if ((clock() - began) / CLOCKS_PER_SEC > SECONDS)
			fail_msg("%s, case %zu: took %ld s", cases[i].path, i,
			    (long)((clock() - began) / CLOCKS_PER_SEC));
		buf_free(&b);
		arena_free(a);
	}
}

/* The error names the line, if there are any; the first limit counts; what was read before stays. */
static void budgets_tell(void **state)
{
	struct arena *a = arena_new();
	struct budget b;

	(void)state;
	budget_begin(&b, BUDGET_FLAT, 10, a);
	assert_true(budget_spend(&b, 200040, 3));
	assert_null(arena_truncation_reason(a));
	assert_true(budget_check_depth(&b, 39, 4));
	assert_false(budget_check_depth(&b, 40, 5));
	assert_false(budget_spend(&b, 1, 7));
	assert_false(budget_spend(&b, 0, 8));
	assert_string_equal(b.exceeded, "yaml list: more than 200000 nodes and 4 a byte, line 7");
	assert_string_equal(arena_truncation_reason(a), "yaml list: more than 40 levels, line 5");
	arena_reset(a);
	assert_null(arena_truncation_reason(a));
	arena_free(a);
}

/* An alias inside its own target, and two values that are too deep only together, are errors. */
static void aliases_have_an_end(void **state)
{
	static const struct {
		const char *text;
		bool whole;
	} texts[] = {
		{ "a: &a {b: 1}\nc: *a\n", true },
		{ "a: &a {b: 1, c: *a}\n", false },
		{ "- &a [x, *a]\n", false },
		{ "a: *none\n", true },
	};
	struct arena *a = arena_new();
	struct buf b = { 0 };

	(void)state;
	for (size_t i = 0; i < LEN(texts); i++)
		assert_int_equal(
		    yaml_read(texts[i].text, strlen(texts[i].text), a) != NULL, texts[i].whole);
	buf_str(&b, "x0: &x0 {y: 1}\n");
	for (int i = 1; i < 100; i++)
		buf_printf(&b, "x%d: &x%d {y: *x%d}\n", i, i, i - 1);
	assert_null(yaml_read(b.p, b.n, a));
	assert_non_null(strstr(arena_truncation_reason(a), "yaml: more than 64 levels, line 6"));
	buf_free(&b);
	arena_free(a);
}

static void rules_that_match_slowly(void **state)
{
	struct arena *a = arena_new();
	struct ignore_rules ig = { 0 };
	struct buf b = { 0 };

	(void)state;
	for (int i = 0; i < 4000; i++)
		buf_printf(&b, "*a*a*a*a*a*a*a*a*a*a*%db\n", i);
	ignore_add(&ig, "", b.p, b.n, a);
	for (int i = 0; i < 1000; i++)
		assert_false(ignore_matches(
		    &ig, arena_printf(a, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa%d", i)));
	assert_true(ig.spent);
	buf_free(&b);
	arena_free(a);
}

static int open_tables(void **state)
{
	struct err e = { 0 };

	(void)state;
	manifests = manifests_new(&e);
	return manifests ? 0 : -1;
}

static int close_tables(void **state)
{
	(void)state;
	manifests_free(manifests);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_that_cost_much),
		cmocka_unit_test(budgets_tell),
		cmocka_unit_test(aliases_have_an_end),
		cmocka_unit_test(rules_that_match_slowly),
	};

	return cmocka_run_group_tests(tests, open_tables, close_tables);
}
