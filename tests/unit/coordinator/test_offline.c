/* One call of a tool without a server: its arguments come from standard input, its answer goes to standard output. */
#include "tests/federation.h"

/* What is printed for these arguments; NULL if the call fails. */
static const char *printed(const char *tool, const char *arguments, struct err *e)
{
	const char *in = arena_printf(a, "%s/in", dir), *to = arena_printf(a, "%s/out", dir);
	char *text = arena_get(a, 1 << 16, 1);
	FILE *f = fopen(in, "w");

	assert_non_null(f);
	fputs(arguments, f);
	fclose(f);
	co->o.offline = tool;
	fflush(stdout);
	int kept = dup(1);
	assert_non_null(freopen(in, "r", stdin));
	assert_non_null(freopen(to, "w", stdout));
	int rc = coordinator_offline(co, e);
	fflush(stdout);
	dup2(kept, 1);
	close(kept);
	f = fopen(to, "r");
	assert_non_null(f);
	text[fread(text, 1, (1 << 16) - 1, f)] = 0;
	fclose(f);
	return rc ? NULL : text;
}

static void a_call_and_its_answer(void **state)
{
	struct err e = { 0 };

	(void)state;
	const char *text = printed("group_create", "{\"group\":\"g\"}", &e);
	assert_non_null(text);
	assert_string_equal(text, "{\"name\":\"g\",\"members\":[]}\n");
	text = printed("group_list", "", &e);
	assert_non_null(strstr(text, "\"g\""));
	/* arguments that are longer than what is read at once */
	const char *members = arena_printf(a, "{\"group\":\"%05000d\"}", 0);
	text = printed("group_create", members, &e);
	assert_non_null(strstr(text, "\"code\":\"INVALID_INPUT\""));
	assert_non_null(strstr(text, "is not a valid name"));
}

static void a_failure_is_an_answer(void **state)
{
	struct err e = { 0 };

	(void)state;
	assert_non_null(
	    strstr(printed("list_repos", "{\"repo\":\"none\"}", &e), "\"code\":\"NOT_FOUND\""));
	assert_non_null(strstr(printed("list_repos", "{", &e), "\"code\":\"INVALID_INPUT\""));
}

/* Members answer later, in threads of their own. */
static void the_answer_of_members_is_awaited(void **state)
{
	struct err e = { 0 };

	(void)state;
	const char *text = printed("group_query", "{\"group\":\"all\",\"query\":\"order\"}", &e);
	assert_non_null(text);
	assert_non_null(strstr(text, "\"answered\":5"));
}

static void no_such_tool(void **state)
{
	struct err e = { 0 };

	(void)state;
	assert_null(printed("bake", "{}", &e));
	assert_int_equal(e.code, ERR_INVALID_INPUT);
	assert_string_equal(e.msg, "--offline: `bake` is not a tool");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_call_and_its_answer),
		cmocka_unit_test(a_failure_is_an_answer),
		cmocka_unit_test(the_answer_of_members_is_awaited),
		cmocka_unit_test(no_such_tool),
	};

	return cmocka_run_group_tests(tests, federation_open, federation_close);
}
