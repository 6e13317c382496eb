/* The rows of a registry as lines, in pages, and back. */
#include "tests/registry_file.h"

static const char *exported(const char *after, size_t limit, const char **next)
{
	t_strs lines;
	const char *out = "";

	assert_int_equal(registry_export(r, after, limit, &lines, next, a, &e), 0);
	assert_true(lines.n <= limit);
	for (size_t i = 0; i < lines.n; i++)
		out = arena_printf(a, "%s%s\n", out, lines.v[i]);
	return out;
}

#define GROUP(name, description)                                                                   \
	"{\"table\":\"groups\",\"row\":{\"name\":\"" name "\",\"description\":" description "}}"
#define SOURCE(name)                                                                               \
	"{\"table\":\"sources\",\"row\":{\"source\":\"" name                                           \
	"\",\"host\":null,\"repo_uri\":null,\"added_by\":null}}"
#define OF_GROUP(name, grp)                                                                        \
	"{\"table\":\"source_groups\",\"row\":{\"source\":\"" name "\",\"grp\":\"" grp "\"}}"

static void an_export_in_pages(void **state)
{
	static const char *const rows[] = { GROUP("a/b", "\"d\""), GROUP("c", "null"), SOURCE("/s"),
		OF_GROUP("/s", "c") };
	static const char *const keys[] = { "groups/a%2Fb", "groups/c", "sources/%2Fs",
		"source_groups/%2Fs/c" };
	const char *next, *all = "";
	char secret[65];

	(void)state;
	run("insert into groups (name, description) values ('c', null), ('a/b', 'd')");
	assert_int_equal(
	    sources_put(r,
	        &(struct source_row){ .source = "/s", .groups = { (const char *[]){ "c" }, 1 } }, &e),
	    0);
	assert_int_equal(registry_secret(r, "hidden", secret, &e), 0);
	run("insert into coordinators (id) values ('me')");
	for (size_t i = 0; i < LEN(rows); i++)
		all = arena_printf(a, "%s%s\n", all, rows[i]);
	assert_string_equal(exported(NULL, 100, &next), all);
	assert_null(next);
	assert_string_equal(exported(NULL, 5, &next), all);
	assert_null(next);
	assert_string_equal(exported(NULL, 4, &next), all);
	assert_string_equal(next, keys[3]);
	assert_string_equal(exported(keys[3], 4, &next), "");
	assert_null(next);
	const char *after = NULL;
	for (size_t i = 0; i < LEN(rows); i++) {
		assert_string_equal(exported(after, 1, &next), arena_printf(a, "%s\n", rows[i]));
		assert_string_equal(next, keys[i]);
		after = next;
	}
	assert_string_equal(exported(keys[0], 2, &next), arena_printf(a, "%s\n%s\n", rows[1], rows[2]));
	t_strs lines;
	assert_int_equal(registry_export(r, "nothing/x", 5, &lines, &next, a, &e), -1);
	fails_with(ERR_INVALID_INPUT, "`after`: `nothing/x` is not the key of an exported row");
}

static int import_lines(
    const char *importer, const char *const *v, size_t n, uint64_t *written, t_strs *left_out)
{
	t_strs lines = { (const char **)(uintptr_t)v, n };

	e = (struct err){ 0 };
	return registry_import(r, importer, &lines, written, left_out, a, &e);
}

static void an_import(void **state)
{
	static const char *const v[] = { GROUP("c", "\"new\""), OF_GROUP("/none", "c"), SOURCE("/s"),
		OF_GROUP("/s", "c"), GROUP("d", "null") };
	t_strs left_out;
	uint64_t written;

	(void)state;
	groups_create(r, "c", "old", &e);
	groups_create(r, "d", NULL, &e);
	assert_int_equal(import_lines(NULL, v, LEN(v), &written, &left_out), 0);
	assert_int_equal(written, 3);
	assert_int_equal(left_out.n, 1);
	assert_non_null(strstr(left_out.v[0], "source_groups/%2Fnone/c: "));
	assert_non_null(strstr(left_out.v[0], "FOREIGN KEY"));
	assert_string_equal(text("select description from groups where name = 'c'"), "new");
	assert_string_equal(text("select source || ifnull(added_by, '-') from sources"), "/s-");
	assert_int_equal(import_lines("someone", v, LEN(v), &written, &left_out), 0);
	assert_int_equal(written, 0);
	run("delete from sources");
	assert_int_equal(import_lines("someone", v, LEN(v), &written, &left_out), 0);
	assert_int_equal(written, 2);
	assert_string_equal(text("select added_by from sources"), "someone");
}

static void what_is_no_export(void **state)
{
	static const struct {
		const char *line, *msg;
	} v[] = {
		{ "x", "`rows`: `x` is not a row of an export" },
		{ "[]", "`rows`: `[]` is not a row of an export" },
		{ "{}", "`rows`: `{}` is not a row of an export" },
		{ "{\"table\":\"x\",\"row\":{}}",
		    "`rows`: `{\"table\":\"x\",\"row\":{}}` is not a row of an export" },
		{ "{\"table\":\"secrets\",\"row\":{}}",
		    "`rows`: `{\"table\":\"secrets\",\"row\":{}}` is not a row of an export" },
		{ "{\"table\":\"groups\"}", "`rows`: `{\"table\":\"groups\"}` is not a row of an export" },
		{ "{\"table\":\"groups\",\"row\":7}",
		    "`rows`: `{\"table\":\"groups\",\"row\":7}` is not a row of an export" },
		{ "{\"table\":\"groups\",\"row\":{}}", "`rows`: a row of groups has no `name`" },
		{ "{\"table\":\"members\",\"row\":{\"grp\":\"g\"}}",
		    "`rows`: a row of members has no `repo_uri`" },
	};
	t_strs left_out;
	uint64_t written;

	(void)state;
	for (size_t i = 0; i < LEN(v); i++) {
		const char *lines[] = { GROUP("first", "null"), v[i].line };
		assert_int_equal(import_lines(NULL, lines, 2, &written, &left_out), -1);
		fails_with(ERR_INVALID_INPUT, v[i].msg);
		assert_string_equal(text("select count(*) from groups"), "0");
	}
}

static void jobs_are_imported_once(void **state)
{
	static const char row[] =
	    "{\"table\":\"jobs\",\"row\":{\"id\":\"j1\",\"kind\":\"build\",\"key\":\"build:x\",\"lane\":\"x\",\"heavy\":1,"
	    "\"force\":0,\"reason\":\"r\",\"caller\":\"c\",\"state\":\"running\",\"cancelled\":0,\"tries\":1,\"waits\":0,\"lost\":0,"
	    "\"created_ms\":1,\"due_ms\":1,\"started_ms\":2,\"holder\":\"them\",\"memo\":\"\"}}";
	const char *lines[] = { row };
	t_strs left_out;
	uint64_t written;

	(void)state;
	assert_int_equal(import_lines(NULL, lines, 1, &written, &left_out), 0);
	assert_string_equal(left_out.n ? left_out.v[0] : "", "");
	assert_int_equal(written, 1);
	assert_string_equal(text("select state || ifnull(holder, '-') from jobs"), "queued-");
	run("update jobs set state = 'done'");
	assert_int_equal(import_lines(NULL, lines, 1, &written, &left_out), 0);
	assert_int_equal(written, 0);
	assert_string_equal(text("select state from jobs"), "done");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_export_in_pages),
		TEST(an_import),
		TEST(what_is_no_export),
		TEST(jobs_are_imported_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
