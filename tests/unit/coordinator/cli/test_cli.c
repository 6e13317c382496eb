/* Parts of the program `atoll` that need no coordinator. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* cmocka wants the above */
#include <cmocka.h>

#include "coordinator/cli/base/terminal_text.h"
#include "coordinator/cli/up/log_tail.h"
#include "proto/base/arena.h"
#include "proto/process/suggest.h"

enum { HUGE = 1 << 30, LIMIT_S = 60 };

static struct arena *arena;

static void what_moves_the_terminal_is_not_said(void **state)
{
	static const struct { const char *text, *plain; } rows[] = {
		{ "lines\tof\n text", "lines\\x09of\\n text" },
		{ "\033[31mred\033[0m\r\a\177", "\\x1b[31mred\\x1b[0m\\x0d\\x07\\x7f" },
		{ "\302\2332J \302\205", "\\u009b2J \\u0085" },
		{ "\342\200\256left \342\201\246 \330\234", "\\u202eleft \\u2066 \\u061c" },
		{ "gr\303\274n \342\202\254 \302\240 \360\237\220\252", "gr\303\274n \342\202\254 \302\240 \360\237\220\252" },
		{ "cut \302", "cut \\xc2" },
		{ "\377\300\200 \355\240\200", "\\xff\\xc0\\x80 \\xed\\xa0\\x80" },
		{ "", "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_string_equal(term_escape(rows[i].text, arena), rows[i].plain);
}

static const char *said(FILE *f, char *line, int size)
{
	rewind(f);
	size_t n = fread(line, 1, (size_t)size - 1, f);
	line[n] = 0;
	rewind(f);
	assert_int_equal(ftruncate(fileno(f), 0), 0);
	return line;
}

static void formats_are_said_as_printf_does(void **state)
{
	FILE *f = tmpfile();
	char line[200];

	(void)state;
	assert_non_null(f);
	say(f, "%s|%5s|%-5s|%.2s|%.*s|%%|\t%s\n", "a", "b", "c", "def", 1, "gh", "x\ny\tz\033");
	assert_string_equal(said(f, line, sizeof line), "a|    b|c    |de|g|%|\tx\\ny\tz\\x1b\n");
	say(f, "%d %5u %-4d| %lld %llu %zu %02u %.1f %c", -1, 2u, 3, -4LL, 5ULL, (size_t)6, 7u, 0.25, 'h');
	assert_string_equal(said(f, line, sizeof line), "-1     2 3   | -4 5 6 07 0.2 h");
	fclose(f);
}

static void names_that_are_near(void **state)
{
	static const char *const names[] = { "microservices-demo/user", "microservices-demo/carts", "pallets/flask" };

	(void)state;
	assert_string_equal(suggest_names("nosuch", names, 3, arena), "");		/* however long what stands before the slash is */
	assert_string_equal(suggest_names("uesr", names, 3, arena), "`microservices-demo/user`");
	assert_string_equal(suggest_names("palets/flask", names, 3, arena), "`pallets/flask`");
	assert_string_equal(suggest_names("demo/cart", names, 3, arena), "`microservices-demo/carts`");
	assert_string_equal(suggest_names("", names, 3, arena), "");
}

static const char *last_of(const char *path, const char *text, off_t before)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(ftruncate(fileno(f), before), 0);
	assert_int_equal(fseeko(f, before, SEEK_SET), 0);
	fputs(text, f);
	fclose(f);
	return log_tail_last_line(path, arena);
}

static void the_last_line_of_a_log(void **state)
{
	char path[] = "/tmp/atoll-cli.XXXXXX";
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	assert_string_equal(last_of(path, "", 0), "");
	assert_string_equal(last_of(path, "\n\n", 0), "");
	assert_string_equal(last_of(path, "one", 0), "one");
	assert_string_equal(last_of(path, "one\ntwo\n\n", 0), "two");
	alarm(LIMIT_S);		/* as long as it may take to start a shard */
	assert_string_equal(last_of(path, "\none\nthe last\n", HUGE), "the last");
	alarm(0);
	unlink(path);
	assert_string_equal(log_tail_last_line(path, arena), "");
	const char *line = "2026 error shard stop code=X message=\"a \\\"b\\\" c\" hint=none";
	assert_string_equal(log_tail_value(line, "message", arena), "a \"b\" c");
	assert_string_equal(log_tail_value(line, "hint", arena), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_that_are_near),
		cmocka_unit_test(what_moves_the_terminal_is_not_said),
		cmocka_unit_test(formats_are_said_as_printf_does),
		cmocka_unit_test(the_last_line_of_a_log),
	};

	arena = arena_new();
	int rc = cmocka_run_group_tests(tests, NULL, NULL);
	arena_free(arena);
	return rc;
}
