/*
 * The edges between files, in tests/answers/edges.txt (text_cases.h): a case has several files, each after a line `@@ PATH`.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/graph_index.h"
#include "tests/text_cases.h"

static struct parser *parser;

static void put_file(
    struct db *db, int64_t id, const char *path, const char *text, size_t n, struct arena *a)
{
	const struct lang *lang;
	struct facts f;
	struct err e = { 0 };

	graph_facts(parser, path, text, n, a, &f, &lang);
	if (graph_put(db, id, path, lang_name(lang), "", strstr(path, "test") != NULL, &f,
	        graph_ids(&f, id, a), a, &e))
		fail_msg("%s: %s", path, e.msg);
}

static void says(const char *header, const char *text, size_t n, struct buf *said, struct arena *a)
{
	struct err e = { 0 };
	struct db *db = graph_open(":memory:", &e);
	const char *all = arena_strn(a, text, n), *at = text_cases_line(all, "@@ ");
	char *lines = NULL;
	size_t length;

	(void)header;
	assert_non_null(db);
	for (int64_t id = 1; at; id++) {
		const char *path = arena_strn(a, at + 3, strcspn(at + 3, "\n")),
		           *from = strchr(at, '\n') + 1;
		at = text_cases_line(from, "@@ ");
		put_file(db, id, path, from, at ? (size_t)(at - from) : strlen(from), a);
	}
	assert_int_equal(graph_resolve(db, 1, &e), 0);
	FILE *out = open_memstream(&lines, &length);
	assert_int_equal(graph_print(db, out, &e), 0);
	fclose(out);
	buf_put(said, lines, length);
	free(lines);
	db_close(db);
}

static void files_are_connected(void **state)
{
	struct err e = { 0 };

	(void)state;
	parser = parser_new(&e);
	assert_non_null(parser);
	text_cases_check("tests/answers/edges.txt", says);
	parser_free(parser);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_are_connected),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
