/* The prior of a document depends on its path and language. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the above */
#include <cmocka.h>

#include "proto/base/buf.h"
#include "shard/index/document_prior.h"

static const struct {
	const char *path, *language;
	bool test;
	int prior;
} rows[] = {
	{ "src/app.py", "python", false, 100 }, { "tests/app.py", "python", true, 50 }, { "docs/use.md", "markdown", false, 60 },
	{ "app.yaml", "yaml", false, 70 }, { "web/page.html", "html", false, 70 }, { "Makefile", "makefile", false, 70 },
	{ "api/shop.proto", "protobuf", false, 100 }, { "schema.sql", "sql", false, 100 },
	{ "examples/app.py", "python", false, 80 }, { "a/b/demo/app.py", "python", false, 80 }, { "examples/app.yaml", "yaml", false, 70 },
	{ "examples/use.md", "markdown", false, 60 }, { "demo.py", "python", false, 100 }, { "demonstration/a.py", "python", false, 100 },
	{ "src/main/java/com/example/demo/App.java", "java", false, 100 }, { "web/src/examples/a.ts", "typescript", false, 100 },
	{ "srcs/examples/a.c", "c", false, 80 }, { "playgrounds/js/src/a.ts", "typescript", false, 80 }, { "demo/third_party/a.c", "c", false, 70 },
	{ "deps/lib/a.c", "c", false, 70 }, { "app/deps/a.py", "python", false, 100 }, { "a/third_party/b.c", "c", false, 70 },
	{ "examples/test_app.py", "python", true, 40 },
};

static void a_path_and_a_language_have_a_prior(void **state)
{
	(void)state;
	for (size_t i = 0; i < LEN(rows); i++) {
		int prior = document_prior_of_file(rows[i].test, rows[i].language, rows[i].path);
		if (prior != rows[i].prior)
			fail_msg("%s: %d", rows[i].path, prior);
	}
}

static const struct {
	int file;
	const char *kind;
	bool test;
	int prior, lines;
	bool documented;
} texts[] = {
	{ 100, "function", false, 100, 0, false }, { 100, "method", false, 100, 0, false }, { 100, "class", false, 100, 0, false }, { 100, "function", true, 50, 0, false },
	{ 100, "variable", false, 80, 0, false }, { 100, NULL, false, 80, 0, false }, { 100, NULL, true, 40, 0, false }, { 100, "struct", false, 90, 0, false },
	{ 100, "interface", true, 45, 0, false }, { 60, NULL, false, 60, 0, false }, { 70, "trait", false, 70, 0, false }, { 60, "section", false, 60, 0, false },
	{ 100, "method", false, 85, 4, false }, { 100, "method", false, 100, 5, false }, { 100, "method", false, 100, 4, true },
	{ 100, "method", true, 42, 1, false }, { 70, "method", false, 70, 1, false }, { 100, "function", false, 100, 1, false },
	{ 100, "constructor", false, 100, 1, false },
};

static void what_does_something_is_worth_more_than_what_is(void **state)
{
	(void)state;
	for (size_t i = 0; i < LEN(texts); i++) {
		struct text_traits t = { .kind = texts[i].kind, .test = texts[i].test, .documented = texts[i].documented };
		t.lines = texts[i].lines ? (uint32_t)texts[i].lines : 9;
		int prior = document_prior_of_text(texts[i].file, &t);
		if (prior != texts[i].prior)
			fail_msg("%d %s: %d", texts[i].file, texts[i].kind ? texts[i].kind : "-", prior);
	}
}

/* For a question about tests they count like other code, and nothing else gains. */
static void tests_that_are_asked_for(void **state)
{
	(void)state;
	for (size_t i = 0; i < LEN(rows); i++)
		if (document_prior_for_tests(rows[i].prior) != (rows[i].test ? 2 : 1) * rows[i].prior)
			fail_msg("%s", rows[i].path);
}

/* Who asks for a name may mean a short method like any other; nothing else gains. */
static void short_methods_that_are_asked_for(void **state)
{
	(void)state;
	assert_int_equal(document_prior_for_names(85), 100);
	assert_int_equal(document_prior_for_names(42), 50);
	for (size_t i = 0; i < LEN(rows); i++)
		assert_int_equal(document_prior_for_names(rows[i].prior), rows[i].prior);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_path_and_a_language_have_a_prior),
		cmocka_unit_test(what_does_something_is_worth_more_than_what_is),
		cmocka_unit_test(tests_that_are_asked_for),
		cmocka_unit_test(short_methods_that_are_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
