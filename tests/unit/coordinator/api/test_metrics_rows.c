/* Every row of /metrics, letter for letter, for members, jobs and a registry whose numbers are all different; test_metrics has a real one. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "coordinator/base/certificate_expiry.h"
#include "coordinator/http/http_server.h"
#include "coordinator/jobs/jobs.h"
#include "coordinator/members/members.h"
#include "coordinator/registry/replication.h"

static struct member **every_member(
    struct members *, const struct caller *, struct arena *, size_t *n);
static void view_of(struct members *, const struct member *, struct member_view *, struct arena *);
static struct shard_view *shards_of(
    struct members *, const struct member *, size_t *n, struct arena *);
static struct jobs_counts counts_of(struct jobs *);
static void state_of(struct registry *, struct registry_sync_state *, struct arena *);
static int peers_of(
    struct registry *, struct registry_peer **, size_t *n, struct arena *, struct err *);
static const struct certificate_expiry *expiring(
    const struct coordinator_config *, struct arena *, size_t *n);

#define members_all every_member
#define members_view view_of
#define members_shards shards_of
#define jobs_counts(jobs) counts_of(jobs)
#define registry_sync_state(r, out, a) state_of(r, out, a)
#define registry_peers(r, v, n, a, e) peers_of(r, v, n, a, e)
#define certificates_expiring expiring
#include "coordinator/api/metrics.c"
#include "coordinator/api/metrics_members.c"
#undef jobs_counts
#undef registry_sync_state
#undef registry_peers

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
/* cmocka wants the above */
#include <cmocka.h>

static struct arena *a;
static struct coordinator co;
static const char *kind, *leader;

/* ---- numbers ---- */

static struct member one = { .repo_uri = "h/one", .name = "one" },
                     two = { .repo_uri = "h/t\"w\\o\n", .name = "two" };
static struct gap gaps[] = { { .cause = "missing", .number = 3 },
	{ .cause = "shallow", .number = 4 }, { .cause = "corrupt", .number = 5 } };
static const struct freshness current = { .behind = 6, .gaps = { gaps, 3 } },
                              unknown = { .behind = -1 };

static struct member **every_member(
    struct members *m, const struct caller *c, struct arena *arena, size_t *n)
{
	struct member **v = arena_many(arena, 2, struct member *);

	(void)m, (void)c;
	v[0] = &one;
	v[1] = &two;
	*n = 2;
	return v;
}

static void view_of(
    struct members *m, const struct member *x, struct member_view *v, struct arena *arena)
{
	(void)m, (void)arena;
	*v = (struct member_view){
		.status = "ready", .health = DEGRADED, .generation = 7, .stamp = &current
	};
	v->counts.index_bytes = 100;
	v->counts.vectors_bytes = 1000;
	if (x == &two)
		*v = (struct member_view){
			.status = "failed", .health = DOWN, .generation = 8, .stamp = &unknown
		};
}

static struct shard_view *shards_of(
    struct members *m, const struct member *x, size_t *n, struct arena *arena)
{
	struct shard_view *v = arena_many(arena, 2, struct shard_view);

	(void)m;
	*n = x == &one ? 2 : 0;
	v[0] = (struct shard_view){ .name = "r1",
		.host = "b\"",
		.health = HEALTHY,
		.generation = 11,
		.behind = 0,
		.queued = 12,
		.shed = 13,
		.refused = 14,
		.answered = true,
		.suspicion = 0.5,
		.in_flight = 15,
		.open = true,
		.since = 16500,
		.times = { .n = { 1, 2, 3, 4, 5, 6 }, .failed = 7, .seconds = 1.25 } };
	v[1] = (struct shard_view){ .name = "r2",
		.health = DOWN,
		.generation = 21,
		.behind = -1,
		.apart = true,
		.since = 1700000000123 };
	return v;
}

static struct jobs_counts counts_of(struct jobs *j)
{
	(void)j;
	return (struct jobs_counts){
		.queued = 31, .running = 32, .done = 33, .failed = 34, .cancelled = 35, .again = 36
	};
}

static void state_of(struct registry *r, struct registry_sync_state *s, struct arena *arena)
{
	(void)r, (void)arena;
	*s = (struct registry_sync_state){ .kind = kind,
		.state = "ready",
		.revision = 41,
		.self = "me",
		.leader = leader,
		.commits = 42,
		.conflicts = 43,
		.failures = 44 };
}

static int peers_of(
    struct registry *r, struct registry_peer **v, size_t *n, struct arena *arena, struct err *e)
{
	(void)r, (void)v, (void)arena, (void)e;
	*n = 3;
	return 0;
}

static const struct certificate_expiry *expiring(
    const struct coordinator_config *o, struct arena *arena, size_t *n)
{
	static const struct certificate_expiry v[] = { { "tls-ca", 51 }, { "http-cert", 52 } };

	(void)o, (void)arena;
	*n = 2;
	return v;
}

/* ---- rows ---- */

static struct exchange request(void)
{
	return (struct exchange){ .co = &co, .a = a };
}

/* The rows, without those of # HELP, whose texts are for people. */
static const char *rows_of(struct buf *b)
{
	struct buf out = { 0 };

	buf_str(&out, "");
	for (const char *s = b->p; *s;) {
		size_t n = strcspn(s, "\n") + 1;
		if (strncmp(s, "# HELP", 6))
			buf_put(&out, s, n);
		s += n;
	}
	const char *rows = arena_str(a, out.p);
	buf_free(&out);
	buf_free(b);
	return rows;
}

static void members(void **state)
{
	struct exchange x = request();
	struct buf b = { 0 };

	(void)state;
	put_members(&x, &b);
	assert_string_equal(rows_of(&b),
	    "# TYPE atoll_members gauge\n"
	    "atoll_members{health=\"healthy\"} 0\natoll_members{health=\"degraded\"} 1\natoll_members{health=\"down\"} 1\n"
	    "# TYPE atoll_indexes gauge\n"
	    "atoll_indexes{status=\"pending\"} 0\natoll_indexes{status=\"building\"} 0\natoll_indexes{status=\"ready\"} 1\n"
	    "atoll_indexes{status=\"failed\"} 1\n"
	    "# TYPE atoll_disk_bytes gauge\n"
	    "atoll_disk_bytes{what=\"index\"} 100\natoll_disk_bytes{what=\"vectors\"} 1000\n");
}

#define ONE "repo=\"h/one\""
#define TWO "repo=\"h/t\\\"w\\\\o\\n\""

static void repositories(void **state)
{
	struct exchange x = request();
	struct buf b = { 0 };

	(void)state;
	metrics_repositories(&x, &b);
	assert_string_equal(rows_of(&b),
	    "# TYPE atoll_repository_health gauge\n"
	    "atoll_repository_health{" ONE ",health=\"healthy\"} 0\natoll_repository_health{" ONE
	    ",health=\"degraded\"} 1\n"
	    "atoll_repository_health{" ONE ",health=\"down\"} 0\natoll_repository_health{" TWO
	    ",health=\"healthy\"} 0\n"
	    "atoll_repository_health{" TWO ",health=\"degraded\"} 0\natoll_repository_health{" TWO
	    ",health=\"down\"} 1\n"
	    "# TYPE atoll_repository_generation gauge\n"
	    "atoll_repository_generation{" ONE "} 7\natoll_repository_generation{" TWO "} 8\n"
	    "# TYPE atoll_repository_behind_commits gauge\natoll_repository_behind_commits{" ONE "} 6\n"
	    "# TYPE atoll_repository_unreadable_paths gauge\n"
	    "atoll_repository_unreadable_paths{" ONE "} 8\natoll_repository_unreadable_paths{" TWO
	    "} 0\n"
	    "# TYPE atoll_repository_gap_paths gauge\n"
	    "atoll_repository_gap_paths{" ONE ",cause=\"missing\"} 3\natoll_repository_gap_paths{" ONE
	    ",cause=\"shallow\"} 4\n"
	    "atoll_repository_gap_paths{" ONE ",cause=\"corrupt\"} 5\n");
}

#define R1 ONE ",replica=\"r1\",host=\"b\\\"\""
#define R2 ONE ",replica=\"r2\",host=\"\""
#define BUCKET(labels, le, n) "atoll_shard_request_seconds_bucket{" labels ",le=\"" le "\"} " n "\n"
#define GAUGE(name, rows) "# TYPE atoll_shard_" name " gauge\n" rows
#define BOTH(name, x, y) "atoll_shard_" name "{" R1 "} " x "\natoll_shard_" name "{" R2 "} " y "\n"

static void shards(void **state)
{
	struct exchange x = request();
	struct buf b = { 0 };

	(void)state;
	metrics_shards(&x, &b);
	assert_string_equal(rows_of(&b),
	    "# TYPE atoll_shard_health gauge\n"
	    "atoll_shard_health{" R1 ",health=\"healthy\"} 1\natoll_shard_health{" R1
	    ",health=\"degraded\"} 0\natoll_shard_health{" R1 ",health=\"down\"} 0\n"
	    "atoll_shard_health{" R2 ",health=\"healthy\"} 0\natoll_shard_health{" R2
	    ",health=\"degraded\"} 0\natoll_shard_health{" R2
	    ",health=\"down\"} 1\n" GAUGE("generation", "atoll_shard_generation{" R1 "} 11\n") GAUGE(
	        "behind_commits", "atoll_shard_behind_commits{" R1 "} 0\n") GAUGE("queue_length",
	        "atoll_shard_queue_length{" R1 "} 12\n") GAUGE("in_flight_requests",
	        BOTH("in_flight_requests", "15",
	            "0")) "# TYPE atoll_shard_shed_total counter\natoll_shard_shed_total{" R1 "} 13\n"
	                  "# TYPE atoll_shard_refused_total counter\natoll_shard_refused_total{" R1
	                  "} 14\n" GAUGE("suspicion_phi", BOTH("suspicion_phi", "0.5", "0")) GAUGE(
	                      "circuit_open", BOTH("circuit_open", "1", "0")) GAUGE("conflict",
	                      BOTH("conflict", "0", "1")) GAUGE("health_changed_timestamp_seconds",
	                      BOTH("health_changed_timestamp_seconds", "16.5",
	                          "1700000000.123")) "# TYPE atoll_shard_request_seconds histogram\n" BUCKET(R1,
	                      "0.005", "1") BUCKET(R1, "0.025", "3") BUCKET(R1, "0.1", "6") BUCKET(R1,
	                      "0.5", "10") BUCKET(R1, "2.5", "15") BUCKET(R1, "+Inf",
	                      "21") "atoll_shard_request_seconds_sum{" R1
	                            "} 1.250000\natoll_shard_request_seconds_count{" R1
	                            "} 21\n" BUCKET(R2, "0.005", "0") BUCKET(R2, "0.025", "0") BUCKET(
	                                R2, "0.1", "0") BUCKET(R2, "0.5", "0") BUCKET(R2, "2.5",
	                                "0") BUCKET(R2, "+Inf",
	                                "0") "atoll_shard_request_seconds_sum{" R2
	                                     "} 0.000000\natoll_shard_request_seconds_count{" R2 "} 0\n"
	                                     "# TYPE atoll_shard_requests_unanswered_total counter\n" BOTH(
	                                         "requests_unanswered_total", "7", "0"));
}

static const char *registry_rows(void)
{
	struct exchange x = request();
	struct buf b = { 0 };

	put_registry(&x, &b);
	return rows_of(&b);
}

static void registry(void **state)
{
	(void)state;
	kind = "sqlite";
	assert_string_equal(registry_rows(),
	    "# TYPE atoll_registry_ready gauge\natoll_registry_ready{kind=\"sqlite\"} 1\n");
	kind = "etcd";
	leader = "me";
	const char *leads = registry_rows();
	assert_string_equal(leads,
	    "# TYPE atoll_registry_ready gauge\natoll_registry_ready{kind=\"etcd\"} 1\n"
	    "# TYPE atoll_registry_revision gauge\natoll_registry_revision 41\n"
	    "# TYPE atoll_registry_coordinators gauge\natoll_registry_coordinators 3\n"
	    "# TYPE atoll_registry_leads gauge\natoll_registry_leads 1\n"
	    "# TYPE atoll_registry_commits_total counter\natoll_registry_commits_total{outcome=\"done\"} 42\n"
	    "atoll_registry_commits_total{outcome=\"conflict\"} 43\natoll_registry_commits_total{outcome=\"failed\"} 44\n");
	leader = "other";
	assert_non_null(strstr(registry_rows(), "atoll_registry_leads 0\n"));
	leader = NULL;
	assert_non_null(strstr(registry_rows(), "atoll_registry_leads 0\n"));
}

static void jobs_and_certificates(void **state)
{
	struct exchange x = request();
	struct buf b = { 0 }, c = { 0 };

	(void)state;
	put_jobs(NULL, &b);
	assert_string_equal(rows_of(&b),
	    "# TYPE atoll_jobs gauge\natoll_jobs{state=\"queued\"} 31\natoll_jobs{state=\"running\"} 32\n"
	    "# TYPE atoll_jobs_ended_total counter\natoll_jobs_ended_total{outcome=\"done\"} 33\natoll_jobs_ended_total{outcome=\"failed\"} 34\n"
	    "atoll_jobs_ended_total{outcome=\"cancelled\"} 35\natoll_jobs_ended_total{outcome=\"again\"} 36\n");
	put_certificates(&x, &c);
	assert_string_equal(rows_of(&c),
	    "# TYPE atoll_certificate_end_timestamp_seconds gauge\n"
	    "atoll_certificate_end_timestamp_seconds{file=\"tls-ca\"} 51\natoll_certificate_end_timestamp_seconds{file=\"http-cert\"} 52\n");
}

static void limits_and_hedges(void **state)
{
	static const struct caller caller = { .name = "x" };
	struct coordinator_config o = { .calls_burst = 1 };
	struct limits *l = limits_new(&o);
	struct limits_permit permit[3];
	struct refusal why;
	struct buf b = { 0 }, c = { 0 };

	(void)state;
	for (int i = 0; i < 3; i++)
		assert_int_equal(limits_acquire(l, &caller, i == 2 ? LIMITS_STREAM : LIMITS_CALL, 5,
		                     &permit[i], &why, NULL),
		    0);
	for (int i = 0; i < 4; i++)
		limits_count_refusal(l, LIMITS_RATE);
	put_limits(l, &b);
	const char *rows = rows_of(&b);
	assert_non_null(strstr(
	    rows, arena_printf(a, "\natoll_refused_total{why=\"%s\"} 4\n", limits_label(LIMITS_RATE))));
	assert_non_null(strstr(rows,
	    arena_printf(a, "\natoll_refused_total{why=\"%s\"} 0\n", limits_label(LIMITS_QUEUE))));
	assert_non_null(strstr(rows,
	    "# TYPE atoll_limited gauge\natoll_limited{what=\"callers\"} 1\natoll_limited{what=\"calls\"} 2\n"
	    "atoll_limited{what=\"streams\"} 1\n"));
	for (int i = 0; i < 3; i++)
		limits_release(l, &permit[i]);
	limits_free(l);
	struct hedges h = { .asked = 61, .sent = 62, .won = 63, .denied = 64 };
	put_hedges(&h, &c);
	assert_string_equal(rows_of(&c),
	    "# TYPE atoll_hedges_total counter\natoll_hedges_total{what=\"asked\"} 61\natoll_hedges_total{what=\"sent\"} 62\n"
	    "atoll_hedges_total{what=\"won\"} 63\natoll_hedges_total{what=\"denied\"} 64\n");
}

static void calls(void **state)
{
	const struct tool *t = tool_get("owners");
	struct buf b = { 0 }, c = { 0 };

	(void)state;
	size_t i = (size_t)(t - tools);
	co.metrics.tool[i].outcome[0] = 71;
	co.metrics.tool[i].outcome[ERR_NOT_FOUND] = 72;
	co.metrics.tool[i].bucket[0] = 1;
	co.metrics.tool[i].bucket[3] = 2;
	co.metrics.tool[i].bucket[METRICS_BUCKETS - 1] = 4;
	co.metrics.tool[i].ms = 1500;
	put_requests(&co.metrics, &b);
	assert_string_equal(rows_of(&b),
	    "# TYPE atoll_requests_total counter\natoll_requests_total{tool=\"owners\",outcome=\"ok\"} 71\n"
	    "atoll_requests_total{tool=\"owners\",outcome=\"NOT_FOUND\"} 72\n");
	put_latency(&co.metrics, &c);
	static const struct {
		const char *le;
		int n;
	} v[] = { { "0.005", 1 }, { "0.02", 1 }, { "0.05", 1 }, { "0.1", 3 }, { "0.25", 3 },
		{ "0.5", 3 }, { "1", 3 }, { "2.5", 3 }, { "10", 3 }, { "+Inf", 7 } };
	const char *want = "# TYPE atoll_request_seconds histogram\n";
	for (size_t k = 0; k < LEN(v); k++)
		want = arena_printf(a, "%satoll_request_seconds_bucket{tool=\"owners\",le=\"%s\"} %d\n",
		    want, v[k].le, v[k].n);
	assert_string_equal(rows_of(&c),
	    arena_printf(a,
	        "%satoll_request_seconds_sum{tool=\"owners\"} 1.500\n"
	        "atoll_request_seconds_count{tool=\"owners\"} 7\n",
	        want));
}

static void process(void **state)
{
	struct buf b = { 0 };

	(void)state;
	co.started_ms = clock_ms() - 2000;
	put_process(&co, &b);
	const char *rows = rows_of(&b), *up = strstr(rows, "\natoll_uptime_seconds ");
	assert_int_equal(
	    strncmp(rows,
	        "# TYPE atoll_build_info gauge\natoll_build_info{version=\"" ATOLL_VERSION "\"} 1\n"
	        "# TYPE atoll_uptime_seconds gauge\n",
	        strlen(rows) - strlen(up + 1)),
	    0);
	double seconds = strtod(up + strlen("\natoll_uptime_seconds "), NULL);
	assert_true(seconds >= 2 && seconds < 60);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members),
		cmocka_unit_test(repositories),
		cmocka_unit_test(shards),
		cmocka_unit_test(registry),
		cmocka_unit_test(jobs_and_certificates),
		cmocka_unit_test(limits_and_hedges),
		cmocka_unit_test(calls),
		cmocka_unit_test(process),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
