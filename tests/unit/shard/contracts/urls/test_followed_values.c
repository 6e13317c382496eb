/*
 * Which addresses the values of a program become, with the steps that lead to them, in tests/answers/followed_values.txt, and which
 * routes it serves, in tests/answers/served_routes.txt (text_cases.h): a case has several files, each after a line `@@ PATH`.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "proto/base/log.h"
#include "tests/contracts_index.h"
#include "tests/text_cases.h"

static struct parser *parser;
static struct sources files;
static char dir[] = "/tmp/atoll-values.XXXXXX";

static void says(const char *header, const char *text, size_t n, struct buf *said, struct arena *a)
{
	const char *all = arena_strn(a, text, n), *at = text_cases_line(all, "@@ ");
	struct index_info info;
	struct err e = { 0 };

	(void)header;
	for (files.n = 0; at; files.n++) {
		struct source *f = &files.v[files.n];
		snprintf(f->path, sizeof f->path, "%.*s", (int)strcspn(at + 3, "\n"), at + 3);
		f->text = strchr(at, '\n') + 1;
		at = text_cases_line(f->text, "@@ ");
		f->n = at ? (size_t)(at - f->text) : strlen(f->text);
		f->text = arena_strn(a, f->text, f->n);
	}
	qsort(files.v, files.n, sizeof *files.v, sources_by_path);
	if (sources_index(&files, parser, dir, &info, &e))
		fail_msg("%s", e.msg);
	char *lines = contracts_text(dir, &info, true, &e);
	buf_put(said, lines, strlen(lines));
	free(lines);
}

static void values_are_followed(void **state)
{
	struct err e = { 0 };

	(void)state;
	log_init("test", LOG_ERROR);
	assert_non_null(mkdtemp(dir));
	parser = parser_new(&e);
	assert_non_null(parser);
	text_cases_check("tests/answers/followed_values.txt", says);
	text_cases_check("tests/answers/served_routes.txt", says);
	parser_free(parser);
	char command[100];
	snprintf(command, sizeof command, "rm -rf %s", dir);
	assert_int_equal(system(command), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_followed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
