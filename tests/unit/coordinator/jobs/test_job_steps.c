/* What a kind of job makes of each answer: its steps alone, with a shard, a memory and an end that only write down what is asked of them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "coordinator/calls/call.h"
#include "coordinator/jobs/job_run.h"
#include "coordinator/registry/job_table.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"

typedef void answered(struct job_run *, const void *, const struct err *);

struct job_run {
	struct arena *a;
	struct job j;
	struct job_ingest memo;
	struct buf said;
	answered *then;
	void (*called)(struct job_run *, const struct call *);
};

static struct job_run run;

static void say(const char *what, const struct err *e)
{
	buf_printf(&run.said, "%s %s %s\n", what, err_name(e->code), e->msg);
}

/* ---- in place of job_run.c ---- */

const struct job *run_job(const struct job_run *r)
{
	return &r->j;
}

struct coordinator *run_coordinator(const struct job_run *r)
{
	(void)r;
	return NULL;
}

struct arena *run_arena(const struct job_run *r)
{
	return r->a;
}

void run_progress(struct job_run *r, const char *phase, uint64_t done, uint64_t total)
{
	buf_printf(&r->said, "progress %s %d/%d\n", phase, (int)done, (int)total);
}

void run_memo_get(struct job_run *r, const struct record *rec, void *out)
{
	(void)rec;
	*(struct job_ingest *)out = r->memo;
}

void run_memo_put(struct job_run *r, const struct record *rec, const void *memo)
{
	(void)rec;
	r->memo = *(const struct job_ingest *)memo;
	buf_printf(&r->said, "memo %d %d %d\n", (int)r->memo.process, (int)r->memo.ingest, (int)r->memo.generation);
}

static void say_request(const char *how, enum rpc_id rpc, const void *req)
{
	const struct sync_req *q = req;

	buf_printf(&run.said, "%s %s", how, rpcs[rpc].name);
	if (rpc == RPC_sync)
		buf_printf(&run.said, "%s%s%s%s", q->force ? " force" : "", q->vectors ? " vectors" : "", q->job ? " job " : "", q->job ? q->job : "");
	buf_byte(&run.said, '\n');
}

void run_broadcast(struct job_run *r, enum rpc_id rpc, const void *req)
{
	(void)r;
	say_request("others", rpc, req);
}

void run_ask(struct job_run *r, enum rpc_id rpc, const void *req, int timeout_ms, answered *then)
{
	assert_true(timeout_ms > 0);
	say_request("ask", rpc, req);
	r->then = then;
}

void run_tool(struct job_run *r, const char *tool, const char *args, void (*then)(struct job_run *, const struct call *))
{
	buf_printf(&r->said, "call %s %s\n", tool, args);
	r->called = then;
}

void run_poll_in(struct job_run *r, int64_t ms)
{
	buf_printf(&r->said, "poll %d\n", (int)ms);
}

void run_done(struct job_run *r, uint64_t generation, const char *note)
{
	buf_printf(&r->said, "done %d %s\n", (int)generation, note);
}

void run_retry(struct job_run *r, const struct err *e)
{
	(void)r;
	say("retry", e);
}

void run_defer(struct job_run *r, const struct err *e)
{
	(void)r;
	say("defer", e);
}

void run_fail(struct job_run *r, const struct err *e)
{
	(void)r;
	say("fail", e);
}

/* ---- a job, step by step ---- */

static int setup(void **state)
{
	(void)state;
	run = (struct job_run){ .a = arena_new(), .j = { .id = "7", .group = "a \"b\"" } };
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	arena_free(run.a);
	buf_free(&run.said);
	return 0;
}

/* What was said since the last time. */
static const char *said(void)
{
	const char *s = arena_strn(run.a, run.said.p, run.said.n);

	run.said.n = 0;
	return s;
}

static const char *step(void (*job)(struct job_run *), struct job_ingest memo)
{
	run.memo = memo;
	job(&run);
	return said();
}

static const char *answer(const void *res)
{
	run.then(&run, res, &(struct err){ 0 });
	return said();
}

static const char *health(struct job_ingest memo, struct health_res h)
{
	run.memo = memo;
	h.status = "ready";
	return answer(&h);
}

static const char *fails(enum err_code code)
{
	struct err e = { 0 };

	err_set(&e, code, "broken");
	run.then(&run, "", &e);
	return said();
}

static void embed(void **state)
{
	static const struct { const char *what; struct job_ingest memo; struct health_res health; const char *said; } cases[] = {
		{ "an old shard says nothing of vectors", { 0 }, { .generation = 3 }, "done 3 the shard makes no vectors\n" },
		{ "it makes none", { 0 }, { .generation = 3, .vectors = "none" }, "done 3 the shard makes no vectors\n" },
		{ "it has all", { 0 }, { .generation = 3, .vectors = "complete" }, "done 3 every document has its vector\n" },
		{ "it has all by now", { 5, 1, 2 }, { .generation = 3, .vectors = "complete", .process = 5, .embeds = 1 },
			"done 3 every document has its vector\n" },
		{ "its run has not ended", { 5, 2, 3 }, { .vectors = "building", .process = 5, .embeds = 1, .vectors_done = 4, .vectors_total = 9 },
			"progress embed 4/9\npoll 500\n" },
		{ "its run has ended", { 5, 2, 3 }, { .generation = 3, .vectors = "building", .process = 5, .embeds = 2, .vectors_done = 4, .vectors_total = 9 },
			"done 3 4 of 9 documents have their vectors\n" },
		{ "a later one has, too", { 5, 2, 3 }, { .vectors = "building", .process = 5, .embeds = 7, .vectors_reason = "" },
			"done 0 0 of 0 documents have their vectors\n" },
		{ "its run has failed", { 5, 2, 3 }, { .vectors = "building", .process = 5, .embeds = 2, .vectors_reason = "RATE_LIMITED: wait: 5 s" },
			"retry RATE_LIMITED wait: 5 s\n" },
		{ "it says no code", { 5, 2, 3 }, { .vectors = "building", .process = 5, .embeds = 2, .vectors_reason = "no key" }, "retry UNAVAILABLE no key\n" },
	};

	(void)state;
	assert_string_equal(step(job_embed, (struct job_ingest){ 0 }), "ask health\n");
	for (size_t i = 0; i < LEN(cases); i++) {
		const char *got = health(cases[i].memo, cases[i].health);
		if (strcmp(got, cases[i].said))
			print_message("%s\n", cases[i].what);
		assert_string_equal(got, cases[i].said);
	}
	assert_string_equal(fails(ERR_UNAVAILABLE), "defer UNAVAILABLE broken\n");
}

static void embed_asks_for_one_more_run(void **state)
{
	static const struct health_res building = { .generation = 3, .vectors = "building", .process = 5, .embeds = 6 };
	static const char *const begins = "memo 5 7 3\nothers sync vectors\nask sync vectors\n";

	(void)state;
	step(job_embed, (struct job_ingest){ 0 });
	assert_string_equal(health((struct job_ingest){ 0 }, building), begins);
	assert_string_equal(answer(&(struct sync_res){ 0 }), "poll 500\n");
	assert_string_equal(step(job_embed, run.memo), "ask health\n");
	assert_string_equal(health((struct job_ingest){ 4, 9, 3 }, building), begins);	/* the shard was restarted */
	assert_string_equal(fails(ERR_DB_ERROR), "defer DB_ERROR broken\n");
}

static void build_asks_once(void **state)
{
	(void)state;
	assert_string_equal(step(job_build, (struct job_ingest){ 0 }), "others sync job 7\nask sync job 7\n");
	run.j.force = true;
	assert_string_equal(step(job_update, (struct job_ingest){ 0 }), "others sync force job 7\nask sync force job 7\n");
	assert_string_equal(answer(&(struct sync_res){ .generation = 4 }), "done 4 nothing to do: the head is indexed\n");
	assert_string_equal(answer(&(struct sync_res){ .started = true, .process = 5, .ingest = 6, .generation = 7 }), "memo 5 6 7\npoll 200\n");
	assert_string_equal(fails(ERR_UNAVAILABLE), "defer UNAVAILABLE broken\n");
	assert_string_equal(fails(ERR_RATE_LIMITED), "defer RATE_LIMITED broken\n");
	assert_string_equal(fails(ERR_DB_ERROR), "retry DB_ERROR broken\n");
	assert_string_equal(step(job_build, (struct job_ingest){ 5, 6, 7 }), "ask health\n");
}

static void build_waits_for_its_ingest(void **state)
{
	static const struct job_ingest sixth = { 5, 6, 7 };
	static const struct { const char *what; struct health_res health; const char *said; } cases[] = {
		{ "it has not ended", { .process = 5, .ended = 5, .generation = 7, .phase = "parse", .done = 2, .total = 8 }, "progress parse 2/8\npoll 200\n" },
		{ "nor begun", { .process = 5, .ended = 5, .generation = 7, .phase = "" }, "progress wait 0/0\npoll 200\n" },
		{ "nor says where it is", { .process = 5, .ended = 5, .generation = 7 }, "progress wait 0/0\npoll 200\n" },
		{ "an earlier one failed", { .process = 5, .ended = 5, .generation = 7, .code = "DB_ERROR" }, "progress wait 0/0\npoll 200\n" },
		{ "it is published", { .process = 5, .ended = 6, .generation = 8, .code = "" }, "done 8 indexed\n" },
		{ "a later one is", { .process = 5, .ended = 7, .generation = 9 }, "done 9 indexed\n" },
		{ "it found nothing new", { .process = 5, .ended = 6, .generation = 7 }, "done 7 nothing to do: the head is indexed\n" },
		{ "it failed", { .process = 5, .ended = 6, .generation = 7, .code = "SCHEMA_MISMATCH", .message = "an older one" },
			"retry SCHEMA_MISMATCH an older one\n" },
		{ "it failed and says no more", { .process = 5, .ended = 6, .generation = 7, .code = "DB_ERROR" }, "retry DB_ERROR \n" },
		{ "restarted after it was published", { .process = 8, .generation = 8 }, "memo 0 0 0\ndone 8 indexed\n" },
		{ "restarted before it was", { .process = 8, .generation = 7 }, "memo 0 0 0\npoll 0\n" },
	};

	(void)state;
	run.j.started_ms = clock_real_ms();
	step(job_build, sixth);
	for (size_t i = 0; i < LEN(cases); i++) {
		const char *got = health(sixth, cases[i].health);
		if (strcmp(got, cases[i].said))
			print_message("%s\n", cases[i].what);
		assert_string_equal(got, cases[i].said);
	}
	assert_string_equal(fails(ERR_DB_ERROR), "defer DB_ERROR broken\n");
	run.j.started_ms = clock_real_ms() - 60000;	/* what takes long is asked less */
	assert_string_equal(health(sixth, cases[0].health), "progress parse 2/8\npoll 1000\n");
}

static void sync_says_what_it_wrote(void **state)
{
	struct group_sync_out out = { .group = "g", .contracts_written = 3, .links_written = 2, .complete = true };
	struct call c = { .out = &out };

	(void)state;
	assert_string_equal(step(job_sync, (struct job_ingest){ 0 }), "call group_sync {\"group\":\"a \\\"b\\\"\"}\n");
	run.called(&run, &c);
	assert_string_equal(said(), "done 0 3 contracts, 2 links\n");
	out.changed = true;
	run.called(&run, &c);
	assert_string_equal(said(), "done 0 3 contracts, 2 links, changed\n");
	out.complete = false;
	run.called(&run, &c);
	assert_string_equal(said(), "done 0 3 contracts, 2 links, changed; not of every member\n");
	out.changed = false;
	run.called(&run, &c);
	assert_string_equal(said(), "done 0 3 contracts, 2 links; not of every member\n");
	err_set(&c.e, ERR_NOT_FOUND, "gone");
	run.called(&run, &c);
	assert_string_equal(said(), "fail NOT_FOUND gone\n");
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		CASE(embed),
		CASE(embed_asks_for_one_more_run),
		CASE(build_asks_once),
		CASE(build_waits_for_its_ingest),
		CASE(sync_says_what_it_wrote),
	};

	return cmocka_run_group_tests_name("job_steps", tests, NULL, NULL);
}
