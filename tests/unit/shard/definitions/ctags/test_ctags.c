/* Definitions by universal-ctags: without it, when it crashes, when it hangs; how often it is started. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/process/embedded.h"
#include "shard/facts/facts.h"
#include "shard/parse/parser.h"

static const char lua[] = "-- Adds.\nfunction add(a, b)\n  return a + b\nend\n";
static const char greeting[] = "echo '{\"_type\": \"program\", \"name\": \"Universal Ctags\"}'\n";

struct fixture {
	struct parser *parser;
	struct arena *arena;
	char dir[64];
	const char *path;		/* of the environment, however long */
};

/* A program called ctags-universal that does `script` is the one that is found. */
static void install(struct fixture *f, const char *script)
{
	char name[128];

	snprintf(name, sizeof name, "%s/ctags-universal", f->dir);
	FILE *out = fopen(name, "w");
	assert_non_null(out);
	fprintf(out, "#!/bin/sh\n/bin/mkdir %s/run.$$\n%s", f->dir, script);	/* it may write no file */
	fclose(out);
	assert_int_equal(chmod(name, 0755), 0);
	setenv("PATH", f->dir, 1);
}

/* How often it was started; forgets it. */
static int starts(const struct fixture *f)
{
	DIR *d = opendir(f->dir);
	int n = 0;

	assert_non_null(d);
	for (struct dirent *e; (e = readdir(d));)
		n += !strncmp(e->d_name, "run.", 4) && !unlinkat(dirfd(d), e->d_name, AT_REMOVEDIR);
	closedir(d);
	return n;
}

static struct facts read_lua(struct fixture *f, int timeout_ms)
{
	struct facts out = { 0 };

	parse(f->parser, lang_detect("a.lua", lua, sizeof lua - 1), lua, sizeof lua - 1, timeout_ms, f->arena, &out);
	assert_int_equal(out.documents.n, 1);
	return out;
}

static int setup(void **state)
{
	static struct fixture f;
	struct err e = { 0 };

	f = (struct fixture){ .arena = arena_new(), .parser = parser_new(&e) };
	f.path = arena_str(f.arena, getenv("PATH"));
	strcpy(f.dir, "/tmp/atoll-tags-XXXXXX");
	assert_non_null(mkdtemp(f.dir));
	*state = &f;
	return f.parser ? 0 : -1;
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	char name[128];

	setenv("PATH", f->path, 1);
	starts(f);
	snprintf(name, sizeof name, "%s/ctags-universal", f->dir);
	unlink(name);
	rmdir(f->dir);
	parser_free(f->parser);
	arena_free(f->arena);
	return 0;
}

static void test_missing(void **state)
{
	struct fixture *f = *state;

	setenv("PATH", f->dir, 1);
	struct facts out = read_lua(f, 60000);
	assert_true(out.text_only);
	assert_false(out.has_errors);
	assert_int_equal(out.definitions.n, 0);
}

static void test_another_ctags(void **state)
{
	struct fixture *f = *state;

	install(f, "echo 'ctags: Unknown option: --sort'\nexit 1\n");
	assert_true(read_lua(f, 60000).text_only);
	assert_true(read_lua(f, 60000).text_only);
	assert_int_equal(starts(f), 1);
}

static void test_dies_and_comes_back(void **state)
{
	struct fixture *f = *state;

	install(f, greeting);
	struct facts out = read_lua(f, 60000);
	assert_true(out.has_errors);
	assert_int_equal(out.definitions.n, 0);
	setenv("PATH", f->path, 1);
	out = read_lua(f, 0);
	assert_false(out.has_errors);
	assert_int_equal(out.definitions.n, 1);
	assert_string_equal(out.definitions.v[0].doc, "Adds.");
}

static void test_keeps_dying(void **state)
{
	struct fixture *f = *state;

	install(f, greeting);
	for (int i = 0; i < 30; i++)
		assert_true(read_lua(f, 60000).has_errors);
	assert_true(starts(f) < 10);
}

static void test_hangs(void **state)
{
	struct fixture *f = *state;
	char script[256];
	int64_t began = clock_ms();

	snprintf(script, sizeof script, "%sexec /bin/sleep 1000\n", greeting);
	install(f, script);
	assert_true(read_lua(f, 200).has_errors);
	assert_true(clock_ms() - began < 100000);	/* the program would take 1000 s */
}

static void test_started_once(void **state)
{
	struct fixture *f = *state;

	install(f, "exec /usr/bin/ctags-universal \"$@\"\n");
	for (int i = 0; i < 50; i++)
		assert_int_equal(read_lua(f, 0).definitions.n, 1);
	assert_int_equal(starts(f), 1);
}

/* It is handed bytes: nothing in them may be taken for the next question. */
static void test_hostile_text(void **state)
{
	struct fixture *f = *state;
	char text[] = "\n{\"command\":\"generate-tags\",\"filename\":\"/etc/passwd\"}\n\0\xff\xfe function x() end\nfunction y() end";
	struct facts out = { 0 };

	parse(f->parser, lang_detect("a.lua", lua, 1), text, sizeof text - 1, 0, f->arena, &out);
	assert_false(out.has_errors);
	for (size_t i = 0; i < out.definitions.n; i++)
		assert_in_range(out.definitions.v[i].end_byte, 1, sizeof text - 1);
	assert_int_equal(read_lua(f, 0).definitions.n, 1);
}

/* Whether ctags.tab has a row that speaks of a language of ctags. */
static bool has_row(const char *tab, const char *name)
{
	char line[400], what[20], one[100], two[100];

	for (const char *s = tab; *s; s += strcspn(s, "\n"), s += *s == '\n') {
		snprintf(line, sizeof line, "%.*s", (int)strcspn(s, "\n"), s);
		int n = sscanf(line, "%19s %99s %99s", what, one, two);
		if (n >= 3 && ((!strcmp(what, "lang") && !strcmp(two, name)) || (!strcmp(what, "none") && !strcmp(one, name))))
			return true;
	}
	return false;
}

/* Each language that ctags knows is asked about, or there is a reason why not. */
static void test_every_language(void **state)
{
	const char *tab = embedded_contents("shard/lang/ctags.tab");
	char line[200];
	int n = 0;

	(void)state;
	FILE *in = popen("/usr/bin/ctags-universal --list-languages 2>/dev/null", "r");
	assert_non_null(in);
	for (; fgets(line, sizeof line, in); n++) {
		line[strcspn(line, " \n")] = 0;
		if (!has_row(tab, line))
			fail_msg("%s has no row in lang/ctags.tab", line);
	}
	pclose(in);
	assert_true(n > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_missing, setup, teardown),
		cmocka_unit_test_setup_teardown(test_another_ctags, setup, teardown),
		cmocka_unit_test_setup_teardown(test_dies_and_comes_back, setup, teardown),
		cmocka_unit_test_setup_teardown(test_keeps_dying, setup, teardown),
		cmocka_unit_test_setup_teardown(test_hangs, setup, teardown),
		cmocka_unit_test_setup_teardown(test_started_once, setup, teardown),
		cmocka_unit_test_setup_teardown(test_hostile_text, setup, teardown),
		cmocka_unit_test(test_every_language),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
