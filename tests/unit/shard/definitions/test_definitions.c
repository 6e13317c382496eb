/*
 * What is read of a file, in tests/answers/facts.txt (text_cases.h): the header of a case is the path of its file.  Definitions,
 * contracts, then what the graph is made of.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "proto/base/err.h"
#include "shard/parse/parser.h"
#include "tests/facts_print.h"
#include "tests/text_cases.h"

static struct parser *parser;

static void says(const char *path, const char *text, size_t n, struct buf *said, struct arena *a)
{
	struct facts f = { 0 };
	char *lines = NULL;
	size_t length;
	FILE *out = open_memstream(&lines, &length);

	parse(parser, lang_detect(path, text, n), text, n, 0, a, &f);
	fprintf(out, "%s%s%s\n", lang_name(lang_detect(path, text, n)),
	    f.has_errors ? " has_errors" : "", f.generated ? " generated" : "");
	facts_print(out, &f, false);
	facts_print_graph(out, &f);
	fclose(out);
	buf_put(said, lines, length);
	free(lines);
}

static void what_is_read(void **state)
{
	struct err e = { 0 };

	(void)state;
	parser = parser_new(&e);
	assert_non_null(parser);
	text_cases_check("tests/answers/facts.txt", says);
	parser_free(parser);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
