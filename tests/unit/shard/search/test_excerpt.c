#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/text/tokens.h"
#include "shard/search/excerpt.h"
#include "tests/cpu_time.h"

static struct arena *a;

static struct excerpt ask(const char *text, size_t from, size_t to, size_t max, const char *question)
{
	struct terms t = terms_of(question, 64, a);
	struct excerpt_request of = { text, strlen(text), from, to, max, 200, 0, NULL, NULL };

	return excerpt_choose(&of, &t, a);
}

/* The lines from..to of a text, with their line ends. */
static const char *lines(const char *text, size_t from, size_t to)
{
	const char *start = text, *end;

	for (size_t i = 1; i < from; i++)
		start = strchr(start, '\n') + 1;
	end = start;
	for (size_t i = from; i <= to && *end; i++) {
		end += strcspn(end, "\n");
		if (*end)
			end++;
	}
	return arena_strn(a, start, (size_t)(end - start));
}

static void is_of_the_file(const char *text, const struct excerpt *x)
{
	assert_string_equal(x->text, lines(text, x->from, x->to));
}

/* A function of 400 lines; the searched words are in line 300 and after it. */
static const char *long_function(const char *eol)
{
	struct buf b = { 0 };

	for (int i = 1; i <= 400; i++)
		switch (i) {
		case 1: buf_printf(&b, "def handle_everything(request):%s", eol); break;
		case 296: case 306: buf_str(&b, eol); break;
		case 300: buf_printf(&b, "    # a full cache evicts its oldest key%s", eol); break;
		case 301: buf_printf(&b, "    if cache.full():%s", eol); break;
		case 302: buf_printf(&b, "        cache.evict(cache.oldest())%s", eol); break;
		default: buf_printf(&b, "    step_%d(request)%s", i, eol);
		}
	const char *text = arena_strn(a, b.p, b.n);
	buf_free(&b);
	return text;
}

static void the_best_lines_with_what_is_around(void **state)
{
	const char *text = long_function("\n");
	struct excerpt x = ask(text, 1, 400, 500, "which key is evicted when the cache is full");

	(void)state;
	assert_in_range(x.from, 290, 299);
	assert_true(x.to >= 304);
	assert_true(strlen(x.text) <= 500);
	is_of_the_file(text, &x);
	assert_int_equal(x.from, 297);	/* behind the empty line */
}

/*
 * The beginning tells what the whole is: one mention there counts as much as two lines further
 * down.
 */
static void the_beginning_counts_more(void **state)
{
	struct buf b = { 0 };

	(void)state;
	buf_str(&b, "evict(all)\n");
	for (int i = 2; i <= 100; i++)
		buf_str(&b, i >= 80 && i <= 82 ? "evict(x)\n" : "step(request)\n");
	struct excerpt x = ask(b.p, 1, 81, 200, "evict");
	assert_int_equal(x.from, 1);
	x = ask(b.p, 1, 100, 200, "evict");
	assert_true(x.from > 1);
	buf_free(&b);
}

static void ends_of_lines_stay(void **state)
{
	const char *text = long_function("\r\n");
	struct excerpt x = ask(text, 1, 400, 500, "cache evict oldest");

	(void)state;
	assert_non_null(strstr(x.text, "evict"));
	assert_non_null(strstr(x.text, "\r\n"));
	is_of_the_file(text, &x);
}

static void what_is_short_is_whole(void **state)
{
	const char *text = "a\nint f(void)\n{\n}\nb";
	struct excerpt x = ask(text, 2, 4, 1000, "f");

	(void)state;
	assert_string_equal(x.text, "int f(void)\n{\n}\n");
	x = ask(text, 5, 9, 1000, "f");
	assert_string_equal(x.text, "b");
	assert_int_equal(x.to, 5);
	x = ask(text, 9, 12, 1000, "f");
	assert_string_equal(x.text, "");
	x = ask("", 1, 1, 1000, "f");
	assert_string_equal(x.text, "");
}

static void without_a_word_the_beginning(void **state)
{
	const char *text = long_function("\n");
	struct excerpt x = ask(text, 10, 400, 300, "nothing of it here");

	(void)state;
	assert_int_equal(x.from, 10);
	assert_true(x.to > 15);
	is_of_the_file(text, &x);
}

/* Words that are in every line do not decide which lines are shown. */
static void rare_words_decide(void **state)
{
	const char *text = long_function("\n");
	struct excerpt x = ask(text, 1, 400, 400, "request step full");

	(void)state;
	assert_true(x.from <= 300 && x.to >= 301);
}

static void the_beginning_wins_over_its_equal(void **state)
{
	struct buf b = { 0 };

	(void)state;
	buf_str(&b, "def evict(cache):\n");
	for (int i = 0; i < 200; i++)
		buf_printf(&b, i == 150 ? "    evict(cache)\n" : "    other(%d)\n", i);
	assert_int_equal(ask(b.p, 1, 201, 200, "evict").from, 1);
	buf_free(&b);
}

static void long_lines_are_cut_around_the_word(void **state)
{
	struct buf b = { 0 };

	(void)state;
	buf_str(&b, "first\n");
	for (int i = 0; i < 1000; i++)
		buf_printf(&b, "é%d,", i);
	buf_str(&b, "needle,");
	for (int i = 0; i < 1000; i++)
		buf_printf(&b, "ü%d,", i);
	buf_str(&b, "\nlast\n");
	struct excerpt x = ask(b.p, 1, 3, 1000, "needle");
	assert_int_equal(x.from, 1);
	assert_int_equal(x.to, 3);
	assert_true(strlen(x.text) < 500);
	assert_non_null(strstr(x.text, ",needle,"));
	assert_memory_equal(x.text, "first\n…", strlen("first\n…"));
	assert_non_null(strstr(x.text, "…\nlast\n"));
	assert_null(strstr(x.text, "\xef\xbf\xbd"));	/* no character is cut */
	x = ask(b.p, 2, 2, 40, "needle");
	assert_true(strlen(x.text) <= 40 && strlen(x.text) > 20);
	buf_free(&b);
}

static int pass(void *arg, const struct token *t)
{
	(void)arg;
	(void)t;
	return 0;
}

/* A word at the beginning of minified code is found without reading the rest. */
static void words_of_a_long_line_are_read_up_to_the_first(void **state)
{
	enum { TIMES = 10 };
	struct buf b = { 0 };

	(void)state;
	buf_str(&b, "needle,");
	for (int i = 0; i < 200000; i++)
		buf_printf(&b, "aB_c%d,", i);
	int64_t start = cpu_ms();
	for (int i = 0; i < TIMES; i++)
		tokens_each(b.p, b.n, true, pass, NULL);
	int64_t all = cpu_ms() - start;
	start = cpu_ms();
	for (int i = 0; i < TIMES; i++)
		assert_memory_equal(ask(b.p, 1, 1, 1000, "needle").text, "needle,", 7);
	int64_t cut = cpu_ms() - start;
	if (cut > all / 2)
		fail_msg("%d ms to cut lines that take %d ms to read", (int)cut, (int)all);
	buf_free(&b);
}

static void a_line_that_is_asked_for(void **state)
{
	const char *text = long_function("\n");
	struct terms t = terms_of("full cache", 64, a);
	struct excerpt_request of = { text, strlen(text), 1, 400, 500, 200, 120, NULL, NULL };
	struct excerpt x = excerpt_choose(&of, &t, a);

	(void)state;
	assert_in_range(120, x.from + 2, x.to - 2);
	is_of_the_file(text, &x);
	of.line = 900;		/* there is no such line */
	x = excerpt_choose(&of, &t, a);
	assert_in_range(300, x.from, x.to);
}

static void beginnings_of_words(void **state)
{
	const char *text = long_function("\n");
	struct term v[] = { { "evic*", NULL, false }, { "nothin*", NULL, false } };
	struct terms t = { v, 2 };
	struct excerpt_request of = { text, strlen(text), 1, 400, 300, 100, 0, NULL, NULL };
	struct excerpt x = excerpt_choose(&of, &t, a);

	(void)state;
	assert_in_range(302, x.from, x.to);
}

/* The lines of a quoted text are shown, however much better others fit its words. */
static void a_phrase_that_is_asked_for(void **state)
{
	const char *text = long_function("\n");
	struct terms t = terms_of("step cache evict oldest", 64, a);
	struct excerpt_request of = { text, strlen(text), 1, 400, 300, 100, 0, "step_40(request)",
		NULL };
	struct excerpt x = excerpt_choose(&of, &t, a);

	(void)state;
	assert_in_range(40, x.from, x.to);
	is_of_the_file(text, &x);
	of.phrase = "step_380(request)\nstep_381";	/* over a line end, without the indentation */
	x = excerpt_choose(&of, &t, a);
	assert_true(x.from <= 380 && x.to >= 381);
	of.phrase = "tep_380";		/* not a whole word: nowhere */
	x = excerpt_choose(&of, &t, a);
	assert_in_range(302, x.from, x.to);
}

/* A line that is cut shows the phrase, not a word of it before that. */
static void a_phrase_in_a_long_line(void **state)
{
	struct buf b = { 0 };
	struct terms t = terms_of("alpha beta", 64, a);

	(void)state;
	for (int i = 0; i < 500; i++)
		buf_printf(&b, "%s, ", i == 300 ? "alpha beta!" : "beta alpha");
	struct excerpt_request of = { b.p, b.n, 1, 1, 500, 100, 0, "alpha beta!", NULL };
	struct excerpt x = excerpt_choose(&of, &t, a);
	assert_non_null(strstr(x.text, "alpha beta!"));
	buf_free(&b);
}

/* The line of a name is shown if the best lines lack it. */
static void a_name_that_is_asked_for(void **state)
{
	const char *text = long_function("\n");
	struct terms t = terms_of("full cache evicts oldest", 64, a);
	struct excerpt_request of = { text, strlen(text), 1, 400, 300, 100, 0, NULL,
		"handle_everything" };
	struct excerpt x = excerpt_choose(&of, &t, a);

	(void)state;
	assert_int_equal(x.from, 1);
	of.name = "evict";
	x = excerpt_choose(&of, &t, a);
	assert_in_range(302, x.from, x.to);
	of.name = "nowhere";
	x = excerpt_choose(&of, &t, a);
	assert_in_range(302, x.from, x.to);
}

/* Words behind thousands of lines without any are found. */
static void words_far_down(void **state)
{
	struct buf b = { 0 };
	struct terms t = terms_of("needle", 64, a);

	(void)state;
	for (int i = 1; i <= 20000; i++)
		buf_str(&b, i == 17000 ? "a needle\n" : "hay\n");
	struct excerpt_request of = { b.p, b.n, 1, 20000, 300, 100, 0, NULL, NULL };
	struct excerpt x = excerpt_choose(&of, &t, a);
	assert_in_range(17000, x.from, x.to);
	t = terms_of("nothing", 64, a);
	x = excerpt_choose(&of, &t, a);
	assert_int_equal(x.from, 1);
	buf_free(&b);
}

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

#define CASE(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(the_best_lines_with_what_is_around),
		CASE(the_beginning_counts_more),
		CASE(ends_of_lines_stay),
		CASE(what_is_short_is_whole),
		CASE(without_a_word_the_beginning),
		CASE(rare_words_decide),
		CASE(the_beginning_wins_over_its_equal),
		CASE(a_line_that_is_asked_for),
		CASE(a_phrase_that_is_asked_for),
		CASE(a_phrase_in_a_long_line),
		CASE(a_name_that_is_asked_for),
		CASE(words_far_down),
		CASE(beginnings_of_words),
		CASE(long_lines_are_cut_around_the_word),
		CASE(words_of_a_long_line_are_read_up_to_the_first),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
