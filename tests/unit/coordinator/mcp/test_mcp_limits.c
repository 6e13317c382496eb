/* MCP for a caller that asks too often: each kind of request is refused with the time after which it may be repeated. */
#include "tests/mcp_in_process.h"

static const struct caller guest = { .name = "guest", .everything = true };

static int open_all(void **state)
{
	struct coordinator_config o = { 0 };
	struct err e = { 0 };

	(void)state;
	log_init("test", LOG_ERROR + 1);
	a = arena_new();
	strcpy(dir, "/tmp/atoll-limits.XXXXXX");
	assert_non_null(mkdtemp(dir));
	char *argv[] = { "atoll-coordinator", "--data", dir, "--http", "", "--listen",
		arena_printf(a, "ipc://%s/members", dir), "--calls-per-second", "1", "--calls-burst", "1" };
	if (coordinator_options(&o, LEN(argv), argv, a, &e) || !(co = coordinator_open(&o, &e)))
		fail_msg("%s", e.msg);
	return 0;
}

static int close_all(void **state)
{
	(void)state;
	coordinator_close(co);
	int rc = system(arena_printf(a, "rm -rf %s", dir));
	arena_free(a);
	return rc;
}

/* The first answer that is a refusal: a call uses what there is for a second. */
static const char *refusal(const char *method, const char *params)
{
	const char *answer = "";

	for (int i = 0; i < 50 && !strstr(answer, "RATE_LIMITED"); i++)
		answer = mcp_request(&guest, method, params, NULL);
	return answer;
}

static void each_kind_of_request(void **state)
{
	static const struct {
		const char *method, *params;
	} cases[] = {
		{ "resources/list", "{}" },
		{ "resources/read", "{\"uri\":\"atoll://groups\"}" },
		{ "completion/complete",
		    "{\"ref\":{\"type\":\"ref/resource\",\"uri\":\"atoll://group/{name}/status\"},\"argument\":{\"name\":\"name\",\"value\":\"\"}}" },
	};

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++) {
		const char *answer = refusal(cases[i].method, cases[i].params);
		long long retry_ms = 0;
		char hint[200] = "";
		const char *data = strstr(answer, "\"data\":{");
		if (!data)
			fail_msg("%s: %s", cases[i].method, answer);
		assert_int_equal(
		    sscanf(data,
		        "\"data\":{\"code\":\"RATE_LIMITED\",\"retry_after_ms\":%lld,\"hint\":\"%199[^\"]\"}",
		        &retry_ms, hint),
		    2);
		assert_in_range(retry_ms, 1, 1000);
		assert_non_null(strstr(hint, "etry"));
		assert_non_null(strstr(answer, "\"code\":-32603"));
		assert_non_null(strstr(answer, "\"message\":\"RATE_LIMITED: "));
		assert_memory_equal(answer, "200 {", 5);
	}
}

/* Of what the coordinator asks itself nothing is refused. */
static void local_callers(void **state)
{
	(void)state;
	for (int i = 0; i < 20; i++)
		assert_null(
		    strstr(mcp_request(&caller_local, "resources/list", "{}", NULL), "RATE_LIMITED"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_of_request),
		cmocka_unit_test(local_callers),
	};

	return cmocka_run_group_tests(tests, open_all, close_all);
}
