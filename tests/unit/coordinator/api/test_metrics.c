/* What /metrics says: each family once, with its rows below it, as Prometheus reads them; numbers that are known; who sees what. */
#include "coordinator/http/http_server.h"

static void take_answer(
    struct exchange *, int status, const char *type, struct buf *body, const char *header);

/* The program's own metrics.o is then not linked. */
#define http_answer take_answer
#include "coordinator/api/metrics.c"
#undef http_answer

#include "tests/federation.h"

static char *page;

static void take_answer(
    struct exchange *x, int status, const char *type, struct buf *body, const char *header)
{
	(void)x, (void)header;
	assert_int_equal(status, 200);
	assert_non_null(strstr(type, "version=0.0.4"));
	page = arena_strn(a, body->p, body->n);
	buf_free(body);
}

static void get_page(const struct caller *caller)
{
	struct exchange x = { .co = co, .caller = caller, .a = a };

	metrics_get(&x);
}

/* The number in the row that begins with this text; -1: there is none. */
static double number(const char *row)
{
	const char *at = strstr(page, arena_printf(a, "\n%s ", row));

	return at ? strtod(at + 1 + strlen(row), NULL) : -1;
}

static size_t count(const char *text)
{
	size_t n = 0;

	for (const char *s = page; (s = strstr(s, text)); s += strlen(text))
		n++;
	return n;
}

/* ---- the format ---- */

struct family {
	char name[100], kind[20];
	size_t rows;
	double before;		/* of the buckets of a histogram */
};

static void check_row(struct family *f, const char *line)
{
	size_t n = strlen(f->name), named = strcspn(line, "{ ");
	bool histogram = !strcmp(f->kind, "histogram");
	const char *value = strrchr(line, ' '), *end = line + named;
	char *rest;

	if (strncmp(line, f->name, n))
		fail_msg("%s is below %s", line, f->name);
	if (histogram)
		assert_true(!strncmp(line + n, "_bucket{", 8) || !strncmp(line + n, "_sum{", 5) ||
		    !strncmp(line + n, "_count{", 7));
	else
		assert_int_equal(named, n);
	if (*end == '{')
		assert_int_equal(value[-1], '}');
	double v = strtod(value + 1, &rest);
	assert_true(!*rest && v >= 0);
	if (histogram && !strncmp(line + n, "_bucket{", 8)) {
		if (v < f->before)
			fail_msg("%s: less than in the bucket before", line);
		f->before = v;
	} else if (histogram && !strncmp(line + n, "_count{", 7)) {
		assert_true(v == f->before);	/* that of +Inf */
		f->before = 0;
	}
	f->rows++;
}

static void families_and_rows(void **state)
{
	struct family f = { .rows = 1 };
	char *seen = arena_str(a, "\n");

	(void)state;
	get_page(&caller_local);
	for (char *save = NULL, *line = strtok_r(arena_str(a, page), "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		char help[200];
		if (*line != '#') {
			check_row(&f, line);
			continue;
		}
		f = (struct family){ 0 };
		assert_int_equal(sscanf(line, "# HELP %99s %199[^\n]", f.name, help), 2);
		assert_true(help[strlen(help) - 1] == '.' || strlen(help) == 199);
		line = strtok_r(NULL, "\n", &save);
		assert_string_equal(line, arena_printf(a, "# TYPE %s %s", f.name, strrchr(line, ' ') + 1));
		snprintf(f.kind, sizeof f.kind, "%s", strrchr(line, ' ') + 1);
		assert_true(
		    !strcmp(f.kind, "gauge") || !strcmp(f.kind, "counter") || !strcmp(f.kind, "histogram"));
		size_t n = strlen(f.name);
		assert_int_equal(!strcmp(f.kind, "counter"), n > 6 && !strcmp(f.name + n - 6, "_total"));
		assert_null(strstr(seen, arena_printf(a, "\n%s\n", f.name)));
		seen = arena_printf(a, "%s%s\n", seen, f.name);
	}
}

/* ---- the numbers ---- */

#define OF_REPO(n) "{repo=\"h.example/shop/svc" #n "\""
#define OF_SHARD(n) OF_REPO(n) ",replica=\"svc" #n

static void repositories_and_shards(void **state)
{
	static const char *const of_each_shard[] = { "atoll_shard_generation{",
		"atoll_shard_behind_commits{", "atoll_shard_queue_length{",
		"atoll_shard_in_flight_requests{", "atoll_shard_shed_total{", "atoll_shard_refused_total{",
		"atoll_shard_suspicion_phi{", "atoll_shard_circuit_open{", "atoll_shard_conflict{",
		"atoll_shard_health_changed_timestamp_seconds{", "atoll_shard_request_seconds_sum{",
		"atoll_shard_request_seconds_count{", "atoll_shard_requests_unanswered_total{",
		"atoll_repository_generation{", "atoll_repository_behind_commits{",
		"atoll_repository_unreadable_paths{" };

	(void)state;
	set_index(&fakes[2], 1, 5, NULL);
	for (int i = 0; i < 3000 && number("atoll_repository_behind_commits" OF_REPO(2) "}") != 5;
	     i++) {
		clock_sleep(10);
		get_page(&caller_local);
	}
	for (size_t i = 0; i < LEN(of_each_shard); i++)
		if (count(of_each_shard[i]) != SHARDS)
			fail_msg("%s: %zu rows", of_each_shard[i], count(of_each_shard[i]));
	assert_true(count("atoll_shard_request_seconds_bucket{") > 5 * SHARDS);
	assert_int_equal(count("atoll_shard_request_seconds_bucket{") % SHARDS, 0);
	assert_int_equal(count("le=\"+Inf\"} ") >= SHARDS, 1);
	assert_int_equal(count("atoll_shard_health{"), 3 * SHARDS);
	assert_int_equal(count("atoll_repository_health{"), 3 * SHARDS);
	assert_true(number("atoll_repository_health" OF_REPO(0) ",health=\"healthy\"}") == 1);
	assert_true(number("atoll_repository_health" OF_REPO(0) ",health=\"degraded\"}") == 0);
	assert_true(number("atoll_repository_health" OF_REPO(0) ",health=\"down\"}") == 0);
	assert_true(number("atoll_repository_generation" OF_REPO(0) "}") == 1);
	assert_true(number("atoll_repository_behind_commits" OF_REPO(0) "}") == 0);
	assert_true(number("atoll_repository_behind_commits" OF_REPO(2) "}") == 5);
	assert_true(number("atoll_members{health=\"healthy\"}") == SHARDS);
	assert_true(number("atoll_members{health=\"down\"}") == 0);
	assert_true(number("atoll_indexes{status=\"ready\"}") == SHARDS);
	assert_true(number("atoll_indexes{status=\"failed\"}") == 0);
	assert_true(number("atoll_jobs{state=\"running\"}") == 0);
	assert_true(number("atoll_registry_ready{kind=\"sqlite\"}") == 1);
	assert_null(strstr(page, "atoll_registry_leads"));	/* it is not shared */
}

static void calls(void **state)
{
	(void)state;
	get_page(&caller_local);
	double good = number("atoll_requests_total{tool=\"query\",outcome=\"ok\"}"),
	       bad = number("atoll_requests_total{tool=\"query\",outcome=\"NOT_FOUND\"}"),
	       timed = number("atoll_request_seconds_count{tool=\"query\"}");
	assert_true(good == -1 && bad == -1 && timed == -1);
	for (int i = 0; i < 4; i++) {
		struct call c = { .co = co, .tool = tool_get("query"), .start_ms = clock_ms() - 60 * 1000 };
		if (i == 3)
			err_set(&c.e, ERR_NOT_FOUND, "nothing");
		if (i == 0)
			c.start_ms += 59 * 1000 + 700;	/* 0.3 s */
		metrics_count(&c);
	}
	get_page(&caller_local);
	assert_true(number("atoll_requests_total{tool=\"query\",outcome=\"ok\"}") == 3);
	assert_true(number("atoll_requests_total{tool=\"query\",outcome=\"NOT_FOUND\"}") == 1);
	assert_true(number("atoll_request_seconds_count{tool=\"query\"}") == 4);
	assert_true(number("atoll_request_seconds_sum{tool=\"query\"}") >= 180.3);
	assert_true(number("atoll_request_seconds_bucket{tool=\"query\",le=\"0.25\"}") == 0);
	assert_true(number("atoll_request_seconds_bucket{tool=\"query\",le=\"10\"}") == 1);
	assert_true(number("atoll_request_seconds_bucket{tool=\"query\",le=\"+Inf\"}") == 4);
}

/* How sure links are, and why calls are unresolved. */
static void contracts(void **state)
{
	double links = 0;

	(void)state;
	ask("group_sync", "{\"group\":\"all\"}");
	get_page(&caller_local);
	for (const char *s = page; (s = strstr(s, "\natoll_links{group=\"all\",confidence=\"")); s++)
		links += strtod(strchr(s, '}') + 1, NULL);
	assert_true(links == 4);
	assert_true(number("atoll_unresolved_calls{group=\"all\",reason=\"no-producer\"}") == 1);
}

/* Who may not see everything sees nothing of what others ask. */
/* The process itself: each of its families has one row. */
static void the_process(void **state)
{
	static const char *const names[] = { "process_cpu_seconds_total",
		"process_resident_memory_bytes", "process_open_fds", "process_start_time_seconds",
		"atoll_queue_length", "atoll_asked_requests", "atoll_turns_length",
		"atoll_probe_interval_seconds" };

	(void)state;
	get_page(&caller_local);
	for (size_t i = 0; i < LEN(names); i++)
		if (count(arena_printf(a, "\n%s ", names[i])) != 1)
			fail_msg("%s", names[i]);
	assert_true(number("process_resident_memory_bytes") > 1 << 20);
	assert_true(number("process_open_fds") > 3);
	assert_true(number("process_start_time_seconds") > 1.7e9);
	assert_true(number("process_start_time_seconds") <= (double)clock_real_ms() / 1000);
	assert_true(number("atoll_probe_interval_seconds") > 0);
}

static void others(void **state)
{
	static const char *const seen[] = { "h.example/shop/svc1" };
	const struct caller guest = { .name = "guest", .repo_uris = seen, .n = 1 };

	(void)state;
	get_page(&guest);
	assert_int_equal(count("atoll_repository_generation{"), 1);
	assert_true(number("atoll_members{health=\"healthy\"}") == 1);
	assert_null(strstr(page, "svc0"));
	assert_null(strstr(page, "atoll_shard_"));
	assert_null(strstr(page, "atoll_requests_total"));
	assert_null(strstr(page, "atoll_links"));
	assert_null(strstr(page, "atoll_unresolved_calls"));
	assert_non_null(strstr(page, "atoll_build_info{version="));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls),
		cmocka_unit_test(families_and_rows),
		cmocka_unit_test(repositories_and_shards),
		cmocka_unit_test(contracts),
		cmocka_unit_test(the_process),
		cmocka_unit_test(others),
	};

	return cmocka_run_group_tests(tests, federation_open, federation_close);
}
