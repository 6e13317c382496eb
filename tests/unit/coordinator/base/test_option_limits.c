/* The bounds of a coordinator's options: the last value within is taken, the first one beyond is refused by name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* The program's own coordinator.o is then not linked. */
#include "coordinator/coordinator.c"

#define NUMBER(option) #option, offsetof(struct coordinator_config, option)

/* clang-format off */
static const struct { const char *option; size_t at; int64_t least, most; } limits[] = {
	{ NUMBER(workers), 1, 256 },
	{ NUMBER(ready_share), 0, 100 },
	{ NUMBER(probe_interval_ms), 50, 600000 },
	{ NUMBER(search_deadline_ms), 10, 60000 },
	{ NUMBER(contracts_deadline_ms), 10, 60000 },
	{ NUMBER(sync_delay_ms), 0, 600000 },
	{ NUMBER(push_delay_ms), 0, 600000 },
	{ NUMBER(jobs), 1, 1000 },
	{ NUMBER(jobs_per_host), 1, 1000 },
	{ NUMBER(job_tries), 1, 1000 },
	{ NUMBER(job_backoff_ms), 10, 600000 },
	{ NUMBER(job_lease_ms), 300, 600000 },
	{ NUMBER(index_max_age), 0, 10000000 },
	{ NUMBER(calls_at_once), 0, 100000 },
	{ NUMBER(calls_per_second), 0, 100000 },
	{ NUMBER(calls_burst), 1, 100000 },
	{ NUMBER(asked_at_once), 0, 10000000 },
	{ NUMBER(streams), 0, 100000 },
	{ NUMBER(sessions), 1, 100000 },
	{ NUMBER(session_idle_s), 1, 31536000 },
	{ NUMBER(connections_per_address), 0, 100000 },
	{ NUMBER(idle_timeout_ms), 100, 3600000 },
	{ NUMBER(head_timeout_ms), 100, 3600000 },
	{ NUMBER(request_timeout_ms), 100, 3600000 },
	{ NUMBER(answer_timeout_ms), 100, 3600000 },
	{ NUMBER(llm_timeout), 10, 59000 },
	{ NUMBER(llm_context), 100, 1000000 },
};
/* clang-format on */

static struct arena *a;
static struct coordinator_config usual;

static int64_t *number(struct coordinator_config *o, size_t i)
{
	return (int64_t *)((char *)o + limits[i].at);
}

/* What is said of one option with this value; "" if it is taken. */
static const char *said(size_t i, int64_t value)
{
	struct coordinator_config o = usual;
	struct err e = { 0 };

	*number(&o, i) = value;
	if (!check(&o, &e))
		return "";
	assert_int_equal(e.code, ERR_INVALID_INPUT);
	return arena_str(a, e.msg);
}

static const char *refusal(size_t i, int64_t value)
{
	char *option = arena_str(a, limits[i].option);

	for (char *p = option; *p; p++)
		if (*p == '_')
			*p = '-';
	return arena_printf(a, "--%s: %lld is not between %lld and %lld", option, (long long)value,
	    (long long)limits[i].least, (long long)limits[i].most);
}

static void each_option_has_bounds(void **state)
{
	(void)state;
	for (size_t i = 0; i < LEN(limits); i++) {
		const int64_t below = limits[i].least - 1, above = limits[i].most + 1;
		assert_string_equal(said(i, limits[i].least), "");
		assert_string_equal(said(i, limits[i].most), "");
		assert_string_equal(said(i, below), refusal(i, below));
		assert_string_equal(said(i, above), refusal(i, above));
	}
}

static int setup(void **state)
{
	(void)state;
	a = arena_new();
	usual.tools = "";
	for (size_t i = 0; i < LEN(limits); i++)
		*number(&usual, i) = limits[i].least;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	arena_free(a);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_option_has_bounds),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
