/* Bars on a terminal of a given size, and lines elsewhere; standard error is a terminal or a file of the test meanwhile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proto/process/progress.h"

static char text[20000];
static int usual_error, master;

/* Standard error becomes a terminal of that size. */
static void begin_terminal(int columns, int rows)
{
	struct winsize size = { .ws_col = (unsigned short)columns, .ws_row = (unsigned short)rows };
	int slave;

	fflush(stderr);
	usual_error = dup(STDERR_FILENO);
	assert_int_equal(openpty(&master, &slave, NULL, NULL, &size), 0);
	dup2(slave, STDERR_FILENO);
	close(slave);
}

static void begin_file(void)
{
	char path[] = "/tmp/atoll-progress.XXXXXX";

	fflush(stderr);
	usual_error = dup(STDERR_FILENO);
	master = mkstemp(path);
	unlink(path);
	dup2(master, STDERR_FILENO);
}

/* What was written; a terminal ends lines with \r\n. */
static const char *end(void)
{
	size_t n = 0, k = 0;
	ssize_t got;

	fflush(stderr);
	dup2(usual_error, STDERR_FILENO);
	close(usual_error);
	if (lseek(master, 0, SEEK_SET) < 0)
		fcntl(master, F_SETFL, O_NONBLOCK);
	while ((got = read(master, text + n, sizeof text - 1 - n)) > 0)
		n += (size_t)got;
	close(master);
	for (size_t i = 0; i < n; i++)
		if (text[i] != '\r')
			text[k++] = text[i];
	text[k] = 0;
	return text;
}

static void a_line_for_each_tenth(void **state)
{
	(void)state;
	begin_file();
	struct progress *p = progress_new();
	progress_update(p, "k", "shop", "starting", (struct progress_amount){ 0 });
	progress_update(p, "k", "shop", "starting", (struct progress_amount){ 0 });
	for (uint64_t i = 0; i <= 40; i++)
		progress_update(p, "k", "shop", "parse", (struct progress_amount){ i, 40, 0, 0 });
	progress_update(p, "k", "store", "ready", (struct progress_amount){ 0 });
	progress_draw(p);
	progress_free(p);
	assert_string_equal(end(),
	    "shop: starting\nshop: parse, 0 of 40 files\nshop: parse, 4 of 40 files\nshop: parse, 8 of 40 files\n"
	    "shop: parse, 12 of 40 files\nshop: parse, 16 of 40 files\nshop: parse, 20 of 40 files\nshop: parse, 24 of 40 files\n"
	    "shop: parse, 28 of 40 files\nshop: parse, 32 of 40 files\nshop: parse, 36 of 40 files\nshop: parse, 40 of 40 files\nstore: ready\n");
}

/* Work that begins anew in the same state is told anew. */
static void bytes_that_shrink_begin_anew(void **state)
{
	(void)state;
	begin_file();
	struct progress *p = progress_new();
	progress_update(p, "k", "shop", "parse", (struct progress_amount){ 9, 10, 900, 1000 });
	progress_update(p, "k", "shop", "parse", (struct progress_amount){ 1, 10, 100, 1000 });
	progress_update(p, "k", "shop", "parse", (struct progress_amount){ 1, 10, 2000, 1000 });
	progress_free(p);
	const char *out = end();
	assert_non_null(strstr(out, "shop: parse, 9 of 10 files"));
	assert_non_null(strstr(out, "\nshop: parse, 1 of 10 files"));
}

static void bars_of_a_wide_terminal(void **state)
{
	(void)state;
	begin_terminal(120, 40);
	struct progress *p = progress_new();
	progress_update(p, "a", "shop/waiting", "starting", (struct progress_amount){ 0 });
	progress_update(p, "b", "shop/users", "parse", (struct progress_amount){ 5, 20, 0, 0 });
	progress_draw(p);
	progress_draw(p);
	progress_free(p);
	/* those with a bar stand first; the second time over the first */
	assert_string_equal(end(),
	    "\033[Kshop/users                       [######..................] 5/20 files \n"
	    "\033[Kshop/waiting                     starting\n\033[2A"
	    "\033[Kshop/users                       [######..................] 5/20 files \n"
	    "\033[Kshop/waiting                     starting\n");
}

static void bars_of_a_narrow_terminal(void **state)
{
	(void)state;
	begin_terminal(60, 40);
	struct progress *p = progress_new();
	progress_update(
	    p, "b", "a-long-name-of-a-repository", "parse", (struct progress_amount){ 10, 20, 0, 0 });
	progress_draw(p);
	progress_free(p);
	assert_string_equal(end(), "\033[Ka-long-name- [#####.....] 10/20 files \n");
	begin_terminal(20, 40);
	p = progress_new();
	progress_update(p, "b",
	    "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4",
	    "s\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4", (struct progress_amount){ 0 });
	progress_draw(p);
	progress_free(p);
	const char *line = end();
	assert_true(strlen(line) <=
	    strlen("\033[K") + 20); /* it does not wrap, and no character is cut in two */
	assert_int_equal((unsigned char)line[strlen(line) - 2] & 0x80, 0x80);
}

static void lines_of_a_terminal_that_tells_no_size(void **state)
{
	(void)state;
	begin_terminal(0, 0);
	struct progress *p = progress_new();
	progress_update(p, "a", "shop/waiting",
	    "starting, and for the first time with all that comes to mind",
	    (struct progress_amount){ 0 });
	progress_update(p, "b", "shop/users", "parse", (struct progress_amount){ 5, 20, 0, 0 });
	progress_draw(p);
	progress_free(p);
	assert_string_equal(end(),
	    "\033[Kshop/users                       [######..................] 5/20 files \n"
	    "\033[Kshop/waiting                     starting, and for the first time with all that comes to mind\n");
}

/* As many lines as fit: the cursor cannot go up further than the screen. */
static void lines_of_a_low_terminal(void **state)
{
	static const struct {
		int rows, lines;
	} cases[] = { { 5, 4 }, { 40, 12 }, { 12, 11 }, { 13, 12 }, { 0, 12 } };
	char key[16];

	(void)state;
	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		int lines = 0;
		begin_terminal(120, cases[c].rows);
		struct progress *p = progress_new();
		for (int i = 0; i < 20; i++) {
			snprintf(key, sizeof key, "r%d", i);
			progress_update(p, key, key, "starting", (struct progress_amount){ 0 });
		}
		progress_draw(p);
		progress_free(p);
		for (const char *s = end(); *s; s++)
			lines += *s == '\n';
		assert_int_equal(lines, cases[c].lines);
	}
}

static void lines_after_bars(void **state)
{
	(void)state;
	begin_terminal(120, 40);
	struct progress *p = progress_new();
	progress_update(p, "b", "shop", "parse", (struct progress_amount){ 5, 20, 0, 0 });
	progress_use_lines(p);
	progress_draw(p);
	progress_update(
	    p, "b", "shop", "parse", (struct progress_amount){ 5, 20, 0, 0 }); /* it was shown */
	progress_update(p, "b", "shop", "ready", (struct progress_amount){ 0 });
	progress_use_lines(p);
	progress_free(p);
	assert_string_equal(end(), "shop: parse, 5 of 20 files\nshop: ready\n");
}

static void a_dumb_terminal_gets_lines(void **state)
{
	(void)state;
	setenv("TERM", "dumb", 1);
	begin_terminal(120, 40);
	struct progress *p = progress_new();
	progress_update(p, "b", "shop", "ready", (struct progress_amount){ 0 });
	progress_draw(p);
	progress_free(p);
	assert_string_equal(end(), "shop: ready\n");
	setenv("TERM", "xterm", 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_for_each_tenth),
		cmocka_unit_test(bytes_that_shrink_begin_anew),
		cmocka_unit_test(bars_of_a_wide_terminal),
		cmocka_unit_test(bars_of_a_narrow_terminal),
		cmocka_unit_test(lines_of_a_terminal_that_tells_no_size),
		cmocka_unit_test(lines_of_a_low_terminal),
		cmocka_unit_test(lines_after_bars),
		cmocka_unit_test(a_dumb_terminal_gets_lines),
	};

	setenv("TERM", "xterm", 1);
	return cmocka_run_group_tests_name("progress", tests, NULL, NULL);
}
