/* Who may ask for jobs, and whose jobs somebody sees. */
#include "tests/federation.h"

static const char *const seen[] = { "h.example/shop/svc1", "h.example/shop/svc6" };
static const struct caller guest = { .name = "guest", .repo_uris = seen, .n = LEN(seen) };
static const struct caller reader = { .name = "reader", .everything = true, .read_only = true };

static const char *as(const struct caller *c, const char *tool, const char *args)
{
	return ask_with_timeout(c, tool, args, 0);
}

static const char *by_id(const char *id)
{
	return arena_printf(a, "{\"id\":%s}", id);
}

/* The id of a job, quoted. */
static const char *force(const struct caller *c, const char *repo)
{
	const char *s = as(c, "jobs", arena_printf(a, "{\"kind\":\"build\",\"repo\":\"%s\",\"force\":true}", repo));

	return get(get(s, "job"), "id");
}

static void a_limited_caller_sees_its_own_jobs(void **state)
{
	const char *hidden = force(&caller_local, "shop/svc2"), *shown = force(&guest, "shop/svc1");

	(void)state;
	assert_string_equal(get(as(&caller_local, "job_list", NULL), "total"), "2");
	const char *list = as(&guest, "job_list", NULL);
	assert_string_equal(get(list, "total"), "1");
	assert_contains(list, shown);
	assert_null(strstr(list, hidden));
	assert_string_equal(error_code(as(&guest, "job_show", by_id(shown))), "none");
	const char *tools_of_one[] = { "job_show", "job_cancel" };
	for (size_t i = 0; i < LEN(tools_of_one); i++) {
		const char *answer = as(&guest, tools_of_one[i], by_id(hidden));
		assert_string_equal(error_code(answer), "NOT_FOUND");
		assert_contains(answer, arena_printf(a, "no job `%s`", json_text(hidden, a)));
	}
	assert_string_equal(error_code(as(&caller_local, "job_show", by_id(hidden))), "none");
	assert_string_equal(error_code(as(&guest, "jobs", "{\"kind\":\"update\",\"repo\":\"shop/svc2\"}")), "NOT_FOUND");
	assert_string_equal(error_code(as(&guest, "job_list", "{\"repo\":\"shop/svc2\"}")), "NOT_FOUND");
}

static void who_asked_is_told_to_whom_it_concerns(void **state)
{
	const char *mine = force(&caller_local, "shop/svc6");

	(void)state;
	assert_contains(as(&caller_local, "job_show", by_id(mine)), "\"caller\":\"local\"");
	assert_string_equal(get(as(&guest, "job_show", by_id(mine)), "caller"), "");
}

static void readers_enqueue_nothing(void **state)
{
	const char *total = get(as(&reader, "job_list", NULL), "total");

	(void)state;
	assert_string_equal(error_code(as(&reader, "jobs", "{\"kind\":\"update\",\"repo\":\"shop/svc3\"}")), "FORBIDDEN");
	assert_string_equal(error_code(as(&reader, "repo_analyze", "{\"repo\":\"shop/svc3\"}")), "FORBIDDEN");
	assert_string_equal(get(as(&reader, "job_list", NULL), "total"), total);
	assert_string_equal(error_code(as(&reader, "job_cancel", by_id("\"x\""))), "FORBIDDEN");
}

static void what_no_caller_enqueues(void **state)
{
	(void)state;
	assert_string_equal(error_code(as(&caller_local, "jobs", "{\"kind\":\"prune\"}")), "INVALID_INPUT");
	assert_contains(as(&caller_local, "jobs", "{\"kind\":\"bake\"}"), "use build, update or embed");
}

/* A job that fails again and again is there until it is given up, and is told of with its repository. */
static void failures_are_told(void **state)
{
	const char *id = force(&caller_local, "shop/svc4"), *s = "";

	(void)state;
	set_mode(&fakes[4], FAILS);
	for (int i = 0; i < 3000 && !(strstr(s, "\"code\":\"DB_ERROR\"") && strstr(s, "\"state\":\"queued\"")); i++) {
		clock_sleep(20);
		s = as(&caller_local, "job_show", by_id(id));
	}
	assert_contains(s, "\"code\":\"DB_ERROR\"");
	assert_contains(s, "\"state\":\"queued\"");		/* between two tries */
	assert_contains(as(&caller_local, "list_repos", "{\"repo\":\"svc4\"}"), "\"last_error\":\"DB_ERROR: broken\"");
	int told = cancels(&fakes[4]);
	assert_string_equal(error_code(as(&caller_local, "job_cancel", by_id(id))), "none");
	for (int i = 0; i < 3000 && cancels(&fakes[4]) == told; i++)
		clock_sleep(10);
	assert_int_equal(cancels(&fakes[4]), told + 1);		/* it may be about to try again by itself */
	assert_contains(as(&caller_local, "job_show", by_id(id)), "\"state\":\"failed\",\"cancelled\":true");
}

static void pages(void **state)
{
	const char *first = as(&caller_local, "job_list", "{\"limit\":1}"), *cursor = get(first, "next_cursor");

	(void)state;
	const char *second = as(&caller_local, "job_list", arena_printf(a, "{\"limit\":1,\"cursor\":%s}", cursor));
	assert_string_equal(get(first, "total"), get(second, "total"));
	assert_string_not_equal(get(first, "jobs"), get(second, "jobs"));
	const char *other = as(&caller_local, "job_list",
	    arena_printf(a, "{\"limit\":1,\"state\":\"done\",\"cursor\":%s}", cursor));
	assert_string_equal(error_code(other), "INVALID_INPUT");
	assert_string_equal(
	    error_code(as(&caller_local, "job_list", "{\"cursor\":\"nonsense\"}")), "INVALID_INPUT");
	assert_string_equal(
	    error_code(as(&caller_local, "job_list", "{\"repo\":\"nowhere\"}")), "NOT_FOUND");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_limited_caller_sees_its_own_jobs), cmocka_unit_test(who_asked_is_told_to_whom_it_concerns),
		cmocka_unit_test(readers_enqueue_nothing), cmocka_unit_test(what_no_caller_enqueues), cmocka_unit_test(failures_are_told),
		cmocka_unit_test(pages),
	};

	return cmocka_run_group_tests_name("job_tools", tests, federation_open, federation_close);
}
