/* The coordinator over shards that this program plays itself: every tool, without HTTP and without an index. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "coordinator/caller.h"
#include "coordinator/coordinator.h"
#include "coordinator/tool.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/log.h"
#include "proto/codec.h"
#include "proto/json.h"
#include "proto/wire.h"

enum { SHARDS = 12, HUNG = 64 };
enum mode { ANSWERS, HANGS, STALLS, FAILS, NO_INDEX_YET };	/* STALLS: healthy, but without answers from the index */

struct fake {
	int id;
	const char *uri, *name, *url;
	struct wire_server *server;
	pthread_mutex_t lock;
	enum mode mode;
	uint64_t generation;
	int64_t behind;
	const char *extra_route;	/* a further route in its facts */
	int contract_calls, cancels;
	struct wire_request *hung[HUNG];
	int nhung;
};

static struct fake fakes[SHARDS];
static struct coordinator *co;
static struct arena *a;
static char dir[64];

/* ---- the shards ---- */

static void put(struct wire_request *r, struct fake *f, const struct record *rec, const void *res)
{
	struct freshness stamp = { f->uri, "c0ffee", f->generation, "hash", "2026-11-21T00:00:00Z", f->behind };

	wire_answer(r, rec, res, &stamp, NULL);
}

static void do_search(struct wire_request *r, struct fake *f)
{
	struct search_req q;
	struct search_res res = { 0 };

	if (codec_get(&rec_search_req, &q, r->body.p, r->body.n, r->a, NULL))
		abort();
	res.hits.v = arena_many(r->a, 40, struct hit);
	for (size_t i = 0; i < 40 && i < q.limit; i++)
		res.hits.v[res.hits.n++] = (struct hit){ .path = arena_printf(r->a, "src/f%zu.c", i),
			.blob = arena_printf(r->a, "b%d-%zu", f->id, i), .symbol = "loadUsers", .qualified = "loadUsers",
			.kind = "function", .start_line = 3, .end_line = 7, .lexical = 10 + f->id - (double)i / 10,
			.exact = i == 1 ? 1 : 0 };
	put(r, f, &rec_search_res, &res);
}

static void do_snippet(struct wire_request *r, struct fake *f)
{
	struct snippet_req q;
	struct snippet_res res = { 0 };

	if (codec_get(&rec_snippet_req, &q, r->body.p, r->body.n, r->a, NULL))
		abort();
	res.snippets.v = arena_many(r->a, q.spans.n, struct snippet);
	res.snippets.n = q.spans.n;
	for (size_t i = 0; i < q.spans.n; i++)
		res.snippets.v[i] = (struct snippet){ arena_printf(r->a, "text of %s", q.spans.v[i].blob), 3, 4 };
	put(r, f, &rec_snippet_res, &res);
}

/* Member i serves /m<i> and calls /m<i+1>; two facts, in pages of one. */
static void do_contracts(struct wire_request *r, struct fake *f)
{
	struct contracts_req q;
	struct contracts_res res = { .total = f->extra_route ? 3 : 2 };

	if (codec_get(&rec_contracts_req, &q, r->body.p, r->body.n, r->a, NULL))
		abort();
	f->contract_calls++;
	struct fact v[] = {
		{ .side = "provides", .kind = "http", .method = "GET", .path = arena_printf(r->a, "/m%d", f->id),
		    .framework = "fake", .file = "a.c", .line = 1, .end_line = 1 },
		{ .side = "consumes", .kind = "http", .method = "GET", .path = arena_printf(r->a, "/m%d", f->id + 1),
		    .framework = "fake", .file = "b.c", .line = 2, .end_line = 2 },
		{ .side = "provides", .kind = "http", .method = "GET", .path = f->extra_route ? f->extra_route : "",
		    .framework = "fake", .file = "c.c", .line = 3, .end_line = 3 },
	};
	res.facts.v = &v[q.after];
	res.facts.n = 1;
	res.next = (uint64_t)q.after + 1 < res.total ? q.after + 1 : 0;
	put(r, f, &rec_contracts_res, &res);
}

/* What hangs under the cancelled id ends, even when the shard does not answer anything else. */
static void do_cancel(struct wire_request *r, struct fake *f)
{
	struct cancel_req q;
	struct cancel_res res = { 0 };
	struct err e = { 0 };

	if (codec_get(&rec_cancel_req, &q, r->body.p, r->body.n, r->a, NULL))
		abort();
	f->cancels++;
	err_set(&e, ERR_UNAVAILABLE, "cancelled");
	for (int i = f->nhung; i--;)
		if (!strcmp(f->hung[i]->req, q.req)) {
			wire_answer(f->hung[i], NULL, NULL, NULL, &e);
			f->hung[i] = f->hung[--f->nhung];
			res.found = true;
		}
	put(r, f, &rec_cancel_res, &res);
}

static void on_request(void *ctx, struct wire_request *r)
{
	struct fake *f = ctx;
	struct err e = { 0 };

	pthread_mutex_lock(&f->lock);
	if (!strcmp(r->rpc, "cancel")) {
		do_cancel(r, f);
	} else if (f->nhung < HUNG && (f->mode == HANGS || (f->mode == STALLS && (!strcmp(r->rpc, "search") ||
	    !strcmp(r->rpc, "contracts"))))) {
		f->hung[f->nhung++] = r;
	} else if (!strcmp(r->rpc, "hello")) {
		struct hello h = { .protocol = WIRE_VERSION, .version = "0", .repo_uri = f->uri, .name = f->name,
			.replica = "r", .endpoint = f->url, .default_branch = "main", .status = "ready" };
		put(r, f, &rec_hello, &h);
	} else if (!strcmp(r->rpc, "health")) {
		struct health_res h = { .status = f->mode == NO_INDEX_YET ? "building" : "ready", .commit = "c0ffee",
			.generation = f->mode == NO_INDEX_YET ? 0 : f->generation };
		wire_answer(r, &rec_health_res, &h, f->mode == NO_INDEX_YET ? NULL : &(struct freshness){ f->uri, "c0ffee",
		    f->generation, "hash", "2026-11-21T00:00:00Z", f->behind }, NULL);
	} else if (!strcmp(r->rpc, "status")) {
		struct status_res s = { .status = "ready", .files = 7, .symbols = 70 };
		put(r, f, &rec_status_res, &s);
	} else if (f->mode == FAILS || f->mode == NO_INDEX_YET) {
		err_set(&e, f->mode == FAILS ? ERR_DB_ERROR : ERR_NO_INDEX, f->mode == FAILS ? "broken" : "no index");
		wire_answer(r, NULL, NULL, NULL, &e);
	} else if (!strcmp(r->rpc, "search")) {
		do_search(r, f);
	} else if (!strcmp(r->rpc, "snippet")) {
		do_snippet(r, f);
	} else if (!strcmp(r->rpc, "contracts")) {
		do_contracts(r, f);
	} else {
		err_set(&e, ERR_NOT_FOUND, "no such file");
		wire_answer(r, NULL, NULL, NULL, &e);
	}
	pthread_mutex_unlock(&f->lock);
}

static void set_mode(struct fake *f, enum mode m)
{
	struct err e = { 0 };

	pthread_mutex_lock(&f->lock);
	f->mode = m;
	err_set(&e, ERR_UNAVAILABLE, "released");
	while (m != HANGS && m != STALLS && f->nhung)
		wire_answer(f->hung[--f->nhung], NULL, NULL, NULL, &e);
	pthread_mutex_unlock(&f->lock);
}

static void set_index(struct fake *f, uint64_t generation, int64_t behind, const char *route)
{
	pthread_mutex_lock(&f->lock);
	f->generation = generation;
	f->behind = behind;
	f->extra_route = route;
	pthread_mutex_unlock(&f->lock);
}

static int contract_calls(struct fake *f)
{
	pthread_mutex_lock(&f->lock);
	int n = f->contract_calls;
	pthread_mutex_unlock(&f->lock);
	return n;
}

static int cancels(struct fake *f)
{
	pthread_mutex_lock(&f->lock);
	int n = f->cancels;
	pthread_mutex_unlock(&f->lock);
	return n;
}

/* ---- asking ---- */

struct waiter {
	pthread_mutex_t lock;
	pthread_cond_t cond;
	struct call *c;
};

static void on_done(struct call *c)
{
	struct waiter *w = c->ctx;

	pthread_mutex_lock(&w->lock);
	w->c = c;
	pthread_cond_signal(&w->cond);
	pthread_mutex_unlock(&w->lock);
}

/* `patience_ms`: after this time nobody waits any more. */
static const char *ask_for(const struct caller *caller, const char *tool, const char *args, int patience_ms)
{
	struct waiter w = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL };
	struct buf b = { 0 };

	assert_non_null(tool_get(tool));
	call_start(co, tool_get(tool), caller, args, on_done, &w, &w);
	if (patience_ms) {
		clock_sleep(patience_ms);
		call_abandon(co, &w);
	}
	pthread_mutex_lock(&w.lock);
	while (!w.c)
		pthread_cond_wait(&w.cond, &w.lock);
	pthread_mutex_unlock(&w.lock);
	call_json(w.c, &b);
	call_free(w.c);
	const char *s = arena_strn(a, b.p, b.n);
	buf_free(&b);
	return s;
}

static const char *ask_as(const struct caller *caller, const char *tool, const char *args)
{
	return ask_for(caller, tool, args, 0);
}

static const char *ask(const char *tool, const char *args)
{
	return ask_as(&caller_local, tool, args);
}

/* The member `key` of an answer, raw. */
static const char *get(const char *json, const char *key)
{
	const char *s = json_member(json, key, a);

	return s ? s : "";
}

static const char *code(const char *answer)
{
	const char *s = json_text(get(get(answer, "error"), "code"), a);

	return s ? s : "none";
}

static void holds(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("`%s` is not in: %.2000s", part, text);
}

static void wait_health(const char *uri, const char *want)
{
	for (int i = 0; i < 200; i++) {
		const char *s = ask("list_repos", NULL);
		const char *at = strstr(s, arena_printf(a, "\"repo_uri\":\"%s\"", uri));
		const char *health = at ? strstr(at, "\"health\":\"") : NULL;
		if (health && !strncmp(health + 10, want, strlen(want)))
			return;
		clock_sleep(50);
	}
	fail_msg("%s did not become %s", uri, want);
}

/* ---- set-up ---- */

static void open_coordinator(void)
{
	char *argv[8 + 2 * SHARDS] = { "atoll-coordinator", "--data", arena_printf(a, "%s/data", dir), "--http", "", "--listen",
		arena_printf(a, "ipc://%s/members", dir), "--probe-interval-ms=100" };
	int argc = 8;
	struct options o = { 0 };
	struct err e = { 0 };

	for (int i = 0; i < SHARDS; i++) {
		argv[argc++] = "--shard";
		argv[argc++] = (char *)fakes[i].url;
	}
	if (coordinator_options(&o, argc, argv, a, &e))
		fail_msg("%s", e.msg);
	o.search_deadline_ms = 600;
	o.contracts_deadline_ms = 1000;
	if (!(co = coordinator_open(&o, &e)))
		fail_msg("%s", e.msg);
}

static int setup(void **state)
{
	struct err e = { 0 };

	(void)state;
	log_init("test", LOG_ERROR);
	a = arena_new();
	strcpy(dir, "/tmp/atoll-fed.XXXXXX");
	assert_non_null(mkdtemp(dir));
	for (int i = 0; i < SHARDS; i++) {
		struct fake *f = &fakes[i];
		f->id = i;
		f->generation = 1;
		f->uri = arena_printf(a, "h.example/%s/svc%d", i == 11 ? "other" : "shop", i == 11 ? 1 : i);
		f->name = strchr(f->uri, '/') + 1;
		f->url = arena_printf(a, "ipc://%s/s%d", dir, i);
		pthread_mutex_init(&f->lock, NULL);
		f->server = wire_listen(f->url, &(struct wire_trust){ 0 }, 16, on_request, f, &e);
		assert_non_null(f->server);
	}
	open_coordinator();
	for (int i = 0; i < SHARDS; i++)
		wait_health(fakes[i].uri, "healthy");
	ask("group_create", "{\"group\":\"all\",\"repos\":[\"svc0\",\"shop/svc1\",\"svc2\",\"svc3\",\"svc4\"]}");
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	coordinator_close(co);
	for (int i = 0; i < SHARDS; i++) {
		set_mode(&fakes[i], ANSWERS);
		wire_server_free(fakes[i].server);
	}
	if (system(arena_printf(a, "rm -rf %s", dir)))
		return -1;
	arena_free(a);
	return 0;
}

/* ---- which repository ---- */

static void neither_is_ambiguous(void **state)
{
	(void)state;
	const char *s = ask("query", "{\"query\":\"x\"}"), *e = get(s, "error");
	assert_string_equal(code(s), "AMBIGUOUS_REPO");
	assert_string_equal(get(e, "error_code"), "\"AMBIGUOUS_REPO\"");
	assert_string_equal(get(e, "jsonrpc_code"), "-32602");
	assert_string_equal(get(e, "total_matches"), "12");
	assert_string_equal(get(e, "hint"), "\"Retry with repo_uri=<one of above>\"");
	const char *choices = get(e, "choices");
	assert_non_null(json_item(choices, 9, a));
	assert_null(json_item(choices, 10, a));
	holds(choices, "\"default_branch\":\"main\"");
	holds(choices, "\"group\":\"all\"");
	holds(choices, "\"group\":null");
	for (size_t i = 0; i < 10; i++) {
		const char *uri = get(json_item(choices, i, a), "repo_uri");
		assert_string_equal(code(ask("query", arena_printf(a, "{\"query\":\"x\",\"repo_uri\":%s}", uri))), "none");
	}
}

static void forms_of_a_handle(void **state)
{
	static const char *const same[] = {
		"{\"query\":\"x\",\"repo_uri\":\"h.example/shop/svc3\"}",
		"{\"query\":\"x\",\"repo_uri\":\"https://user:secret@H.example/shop/svc3.git/\"}",
		"{\"query\":\"x\",\"repo_uri\":\"git@h.example:shop/svc3.git\"}",
		"{\"query\":\"x\",\"repo_uri\":\"h.example/SHOP/svc3\"}",
		"{\"query\":\"x\",\"repo\":\"shop/svc3\"}",
		"{\"query\":\"x\",\"repo\":\"svc3\"}",
		"{\"query\":\"x\",\"repo\":\"SVC3\"}",
		"{\"query\":\"x\",\"repo\":\"nonsense\",\"repo_uri\":\"h.example/shop/svc3\"}",
	};

	(void)state;
	for (size_t i = 0; i < LEN(same); i++)
		holds(ask("query", same[i]), "\"freshness\":{\"repo_uri\":\"h.example/shop/svc3\"");
}

static void an_end_that_fits_two(void **state)
{
	(void)state;
	const char *s = ask("query", "{\"query\":\"x\",\"repo\":\"svc1\"}"), *e = get(s, "error");
	assert_string_equal(code(s), "AMBIGUOUS_REPO");
	assert_string_equal(get(e, "total_matches"), "2");
	assert_null(json_item(get(e, "choices"), 2, a));
}

static void unknown_ones_have_neighbours(void **state)
{
	(void)state;
	const char *s = ask("query", "{\"query\":\"x\",\"repo\":\"shop/svc33\"}");
	assert_string_equal(code(s), "NOT_FOUND");
	holds(s, "`shop/svc3`");
	s = ask("query", "{\"query\":\"x\",\"repo_uri\":\"https://me:secret@h.example/shop/nope\"}");
	assert_string_equal(code(s), "NOT_FOUND");
	assert_null(strstr(s, "secret"));
	s = ask("group_query", "{\"query\":\"x\",\"group\":\"al\"}");
	assert_string_equal(code(s), "NOT_FOUND");
	holds(s, "`all`");
}

static void scopes(void **state)
{
	(void)state;
	assert_string_equal(code(ask("search_code", "{\"query\":\"x\",\"scope\":{\"type\":\"all\"}}")), "FORBIDDEN");
	assert_string_equal(code(ask("search_code", "{\"query\":\"x\",\"scope\":{\"type\":\"repos\",\"repos\":[]}}")),
	    "INVALID_INPUT");
	const char *s = ask("search_code", "{\"query\":\"x\",\"scope\":{\"type\":\"repos\",\"repos\":[\"svc2\",\"zzz\"]}}");
	assert_string_equal(code(s), "NOT_FOUND");
	holds(s, "zzz");
	s = ask("search_code", "{\"query\":\"x\",\"repo\":\"zzz\",\"scope\":{\"type\":\"repo\",\"repo\":\"svc2\"}}");
	assert_string_equal(code(s), "none");
	holds(s, "\"scope\":{\"type\":\"repo\",\"repos\":[\"shop/svc2\"]}");
	s = ask("search_code", "{\"query\":\"x\",\"topK\":3,\"scope\":{\"type\":\"repos\",\"repos\":[\"svc2\",\"svc3\",\"svc2\"]}}");
	holds(s, "\"repos\":[\"shop/svc2\",\"shop/svc3\"]");
	holds(s, "\"score\":1,");
	holds(s, "text of b3-0");
	assert_string_equal(code(ask("search_code", "{\"query\":\"x\",\"repo\":\"svc2\",\"mode\":\"vector\"}")), "INVALID_INPUT");
	assert_string_equal(code(ask("search_code", "{\"query\":\"x\",\"repo\":\"svc2\",\"vector\":[1]}")), "INVALID_INPUT");
	assert_string_equal(code(ask("search_code", "{\"query\":\" \",\"repo\":\"svc2\"}")), "INVALID_INPUT");
}

static void min_score_drops_what_is_below(void **state)
{
	(void)state;
	const char *s = ask("search_code", "{\"query\":\"x\",\"repo\":\"svc0\",\"topK\":100,\"minScore\":0.9}");
	const char *r = get(s, "results");
	assert_non_null(json_item(r, 5, a));
	assert_null(json_item(r, 12, a));
}

static void files(void **state)
{
	(void)state;
	assert_string_equal(code(ask("open_file", "{\"path\":\"a.c\"}")), "INVALID_INPUT");
	assert_string_equal(code(ask("open_file", "{\"repo\":\"svc2\",\"path\":\"/etc/passwd\"}")), "INVALID_INPUT");
	assert_string_equal(code(ask("open_file", "{\"repo\":\"svc2\",\"path\":\"a/../../b\"}")), "INVALID_INPUT");
	const char *s = ask("open_file", "{\"repo\":\"svc2\",\"path\":\"lib/f3.c\"}");
	assert_string_equal(code(s), "NOT_FOUND");
	holds(s, "src/f3.c");
}

/* ---- groups ---- */

static void one_list_over_all(void **state)
{
	(void)state;
	const char *s = ask("group_query", "{\"group\":\"all\",\"query\":\"users\",\"limit\":4}");
	holds(s, "\"members\":5,\"answered\":5");
	assert_string_equal(get(s, "complete"), "true");
	const char *first = json_item(get(s, "results"), 0, a);
	holds(first, "\"rank\":1,\"repo_uri\":\"h.example/shop/svc4\"");
	holds(first, "text of b4-");
	holds(first, "\"sources\":[\"lexical\"");
}

static void pages_have_no_seams(void **state)
{
	const char *cursor = NULL, *last = "";
	size_t seen = 0;

	(void)state;
	for (int page = 0; page < 100; page++) {
		const char *s = ask("group_query", arena_printf(a, "{\"group\":\"all\",\"query\":\"users\",\"limit\":7%s%s}",
		    cursor ? ",\"cursor\":" : "", cursor ? cursor : ""));
		const char *item;
		assert_string_equal(code(s), "none");
		for (size_t i = 0; (item = json_item(get(s, "results"), i, a)); i++) {
			assert_string_equal(get(item, "rank"), arena_printf(a, "%zu", ++seen));
			assert_string_not_equal(item, last);
			last = item;
		}
		cursor = get(s, "next_cursor");
		if (!*cursor) {
			assert_string_equal(get(s, "total"), arena_printf(a, "%zu", seen));
			break;
		}
	}
	assert_true(seen >= 5 * 24);
}

static void a_cursor_of_another_list(void **state)
{
	(void)state;
	const char *s = ask("group_query", "{\"group\":\"all\",\"query\":\"users\",\"limit\":7}");
	const char *cursor = get(s, "next_cursor");
	s = ask("group_query", arena_printf(a, "{\"group\":\"all\",\"query\":\"other\",\"limit\":7,\"cursor\":%s}", cursor));
	assert_string_equal(code(s), "INVALID_INPUT");
	holds(s, "cursor expired, repeat the query");
	set_index(&fakes[2], 2, 0, NULL);
	s = ask("group_query", arena_printf(a, "{\"group\":\"all\",\"query\":\"users\",\"limit\":7,\"cursor\":%s}", cursor));
	holds(s, "cursor expired");
	set_index(&fakes[2], 1, 0, NULL);
	s = ask("list_repos", "{\"cursor\":\"garbage\"}");
	holds(s, "cursor expired");
}

static void only_some_members(void **state)
{
	(void)state;
	const char *s = ask("group_query", "{\"group\":\"all\",\"query\":\"users\",\"repos\":[\"svc2\",\"svc0\",\"svc2\"]}");
	holds(s, "\"members\":2,\"answered\":2");
	assert_null(strstr(s, "svc4"));
	s = ask("group_query", "{\"group\":\"all\",\"query\":\"users\",\"repos\":[\"svc9\"]}");
	assert_string_equal(code(s), "NOT_FOUND");
	assert_string_equal(code(ask("group_query", "{\"group\":\"all\",\"query\":\"u\",\"kinds\":[\"klass\"]}")), "INVALID_INPUT");
}

static void a_failing_member_is_named(void **state)
{
	(void)state;
	set_mode(&fakes[3], FAILS);
	const char *s = ask("group_query", "{\"group\":\"all\",\"query\":\"users\"}");
	set_mode(&fakes[3], ANSWERS);
	assert_string_equal(get(s, "complete"), "false");
	holds(get(s, "coverage"), "\"failed\":[{\"repo_uri\":\"h.example/shop/svc3\",\"code\":\"DB_ERROR\",\"message\":\"broken\"");
	assert_non_null(json_item(get(s, "results"), 10, a));
}

static void a_hung_member_costs_the_deadline(void **state)
{
	(void)state;
	set_mode(&fakes[1], HANGS);
	int64_t start = clock_ms();
	const char *s = ask("group_query", "{\"group\":\"all\",\"query\":\"users\"}");
	int64_t took = clock_ms() - start;
	holds(get(s, "coverage"), "\"failed\":[{\"repo_uri\":\"h.example/shop/svc1\",\"code\":\"UNAVAILABLE\"");
	assert_non_null(json_item(get(s, "results"), 10, a));
	assert_true(took < 600 * 13 / 10);
	wait_health("h.example/shop/svc1", "down");
	start = clock_ms();
	s = ask("group_query", "{\"group\":\"all\",\"query\":\"users\"}");
	holds(get(s, "coverage"), "svc1");
	assert_true(clock_ms() - start < 200);	/* known to be down: not waited for */
	set_mode(&fakes[1], ANSWERS);
	wait_health("h.example/shop/svc1", "healthy");
	assert_string_equal(get(ask("group_query", "{\"group\":\"all\",\"query\":\"users\"}"), "complete"), "true");
}

static void wait_cancels(struct fake *f, int want)
{
	for (int i = 0; i < 100 && cancels(f) < want; i++)
		clock_sleep(10);
	assert_int_equal(cancels(f), want);
}

static void late_members_are_told_to_stop(void **state)
{
	(void)state;
	int before = cancels(&fakes[1]), others = cancels(&fakes[2]);
	set_mode(&fakes[1], STALLS);
	holds(get(ask("group_query", "{\"group\":\"all\",\"query\":\"users\"}"), "coverage"), "no answer by the deadline");
	wait_cancels(&fakes[1], before + 1);
	assert_int_equal(cancels(&fakes[2]), others);
	assert_int_equal(fakes[1].nhung, 0);
	set_mode(&fakes[1], ANSWERS);
}

static void an_abandoned_call_ends(void **state)
{
	(void)state;
	int before = cancels(&fakes[1]), others = cancels(&fakes[2]);
	set_mode(&fakes[1], STALLS);
	int64_t start = clock_ms();
	const char *s = ask_for(&caller_local, "group_query", "{\"group\":\"all\",\"query\":\"users\"}", 100);
	assert_true(clock_ms() - start < 400);	/* of 600 */
	assert_string_equal(code(s), "UNAVAILABLE");
	holds(s, "whoever asked has gone");
	wait_cancels(&fakes[1], before + 1);
	assert_int_equal(cancels(&fakes[2]), others);

	/* what writes is brought to its end */
	set_index(&fakes[1], fakes[1].generation + 1, 0, NULL);
	wait_health("h.example/shop/svc1", "healthy");
	s = ask_for(&caller_local, "group_sync", "{\"group\":\"all\"}", 100);
	assert_string_equal(code(s), "none");
	set_mode(&fakes[1], ANSWERS);
	ask("group_sync", "{\"group\":\"all\"}");
}

static void stale_members_are_named(void **state)
{
	(void)state;
	set_index(&fakes[0], 1, 3, NULL);
	const char *s = ask("group_query", "{\"group\":\"all\",\"query\":\"users\"}");
	holds(s, "\"stale\":[{\"repo_uri\":\"h.example/shop/svc0\",\"behind\":3}]");
	co->o.max_staleness = 2;
	assert_string_equal(code(ask("query", "{\"query\":\"x\",\"repo\":\"svc0\"}")), "STALENESS");
	s = ask("group_query", "{\"group\":\"all\",\"query\":\"users\"}");
	holds(s, "\"code\":\"STALENESS\"");
	co->o.max_staleness = -1;
	set_index(&fakes[0], 1, 0, NULL);
}

static void without_an_index(void **state)
{
	(void)state;
	set_mode(&fakes[5], NO_INDEX_YET);
	const char *s = ask("query", "{\"query\":\"x\",\"repo\":\"svc5\"}");
	set_mode(&fakes[5], ANSWERS);
	assert_string_equal(code(s), "NO_INDEX");
	holds(s, "atoll repo analyze shop/svc5 --wait");
	ask("group_create", "{\"group\":\"empty\"}");
	assert_string_equal(code(ask("group_query", "{\"group\":\"empty\",\"query\":\"x\"}")), "NO_INDEX");
	ask("group_delete", "{\"group\":\"empty\"}");
}

static void states_of_members(void **state)
{
	(void)state;
	const char *s = ask("group_status", "{\"group\":\"all\"}");
	holds(s, "\"repo_uri\":\"h.example/shop/svc0\",\"name\":\"shop/svc0\",\"indexed_at\":\"2026-11-21T00:00:00Z\",\"graph_hash\":\"hash\"");
	holds(s, "\"files\":7,\"symbols\":70");
	holds(s, "\"complete\":true");
}

/* ---- contracts ---- */

static void contracts_are_built_once(void **state)
{
	(void)state;
	const char *s = ask("group_contracts", "{\"group\":\"all\"}");
	holds(s, "\"totals\":{\"contracts\":4,\"unresolved\":1,\"producers_without_consumers\":1}");
	holds(s, "\"complete\":true");
	int calls = contract_calls(&fakes[0]);
	assert_int_equal(calls, 2);	/* two pages */
	const char *t = ask("group_sync", "{\"group\":\"all\"}");
	assert_string_equal(get(t, "changed"), "false");
	assert_string_equal(get(t, "contracts_written"), "6");
	assert_int_equal(contract_calls(&fakes[0]), calls);
	assert_string_equal(get(ask("group_contracts", "{\"group\":\"all\"}"), "contracts"), get(s, "contracts"));
	s = ask("group_cross_repo_links", "{\"group\":\"all\",\"relation\":\"consumes_route\"}");
	assert_string_equal(get(s, "total"), "4");
	holds(s, "\"source_repo_uri\":\"h.example/shop/svc0\",\"source_doc_path\":\"b.c\"");
}

static void the_three_lists_are_one_stream(void **state)
{
	const char *cursor = NULL;
	size_t rows = 0, pages = 0;

	(void)state;
	do {
		const char *s = ask("group_contracts", arena_printf(a, "{\"group\":\"all\",\"limit\":4%s%s}",
		    cursor ? ",\"cursor\":" : "", cursor ? cursor : ""));
		for (size_t i = 0; json_item(get(s, "contracts"), i, a); i++)
			rows++;
		for (size_t i = 0; json_item(get(s, "unresolved"), i, a); i++)
			rows++;
		for (size_t i = 0; json_item(get(s, "producers_without_consumers"), i, a); i++)
			rows++;
		cursor = get(s, "next_cursor");
		pages++;
	} while (*cursor && pages < 9);
	assert_int_equal(rows, 6);
	assert_int_equal(pages, 2);
	const char *s = ask("group_contracts", "{\"group\":\"all\",\"repo_uri\":\"h.example/shop/svc4\"}");
	holds(s, "\"totals\":{\"contracts\":1,\"unresolved\":1,\"producers_without_consumers\":0}");
	assert_string_equal(code(ask("group_contracts", "{\"group\":\"all\",\"kinds\":[\"soap\"]}")), "INVALID_INPUT");
}

static void a_new_index_brings_new_contracts(void **state)
{
	(void)state;
	set_index(&fakes[4], 9, 0, "/new");
	/* what an earlier test left behind in another member may be known for one more probe */
	static const char stale[] = "\"stale\":[{\"repo_uri\":\"h.example/shop/svc4\"";
	const char *s = ask("group_contracts", "{\"group\":\"all\"}");
	for (int i = 0; i < 100 && !strstr(s, stale); i++) {
		clock_sleep(50);
		s = ask("group_contracts", "{\"group\":\"all\"}");
	}
	holds(s, stale);
	holds(s, "\"complete\":false");
	int others = contract_calls(&fakes[0]);
	s = ask("group_sync", "{\"group\":\"all\"}");
	assert_string_equal(get(s, "changed"), "true");
	assert_int_equal(contract_calls(&fakes[0]), others);
	holds(ask("group_contracts", "{\"group\":\"all\"}"), "\"path\":\"/new\"");
}

static void unreachable_members_keep_their_facts(void **state)
{
	(void)state;
	set_mode(&fakes[2], HANGS);
	wait_health("h.example/shop/svc2", "down");
	const char *s = ask("group_sync", "{\"group\":\"all\"}");
	holds(s, "\"failed\":[{\"repo_uri\":\"h.example/shop/svc2\"");
	assert_string_equal(get(s, "changed"), "false");
	s = ask("group_contracts", "{\"group\":\"all\"}");
	holds(s, "\"path\":\"/m2\"");
	holds(s, "its last good facts are shown");
	assert_string_equal(get(s, "complete"), "false");
	set_mode(&fakes[2], ANSWERS);
	wait_health("h.example/shop/svc2", "healthy");
}

/* ---- who sees what ---- */

static void hidden_repositories_influence_nothing(void **state)
{
	static const char *const two[] = { "h.example/shop/svc0", "h.example/shop/svc1" };
	const struct caller c = { .name = "guest", .repo_uris = two, .n = 2 }, nobody = { .name = "nobody" };

	(void)state;
	assert_string_equal(get(ask_as(&c, "list_repos", NULL), "total"), "2");
	const char *s = ask_as(&c, "query", "{\"query\":\"x\"}");
	assert_string_equal(get(get(s, "error"), "total_matches"), "2");
	holds(ask_as(&c, "query", "{\"query\":\"x\",\"repo\":\"svc1\"}"), "\"repo_uri\":\"h.example/shop/svc1\"");
	s = ask_as(&c, "query", "{\"query\":\"x\",\"repo\":\"svc2\"}");
	assert_string_equal(code(s), "NOT_FOUND");
	assert_null(strstr(s, "shop/svc2"));
	s = ask_as(&c, "group_query", "{\"group\":\"all\",\"query\":\"users\"}");
	holds(s, "\"members\":2,\"answered\":2");
	assert_null(strstr(s, "svc4"));
	assert_null(strstr(ask_as(&c, "group_list", NULL), "svc2"));
	assert_null(strstr(ask_as(&c, "group_contracts", "{\"group\":\"all\"}"), "svc2"));
	assert_null(strstr(ask_as(&c, "group_cross_repo_links", "{\"group\":\"all\"}"), "svc2"));
	assert_null(strstr(ask_as(&c, "group_status", "{\"group\":\"all\"}"), "svc2"));
	assert_string_equal(get(ask_as(&nobody, "group_list", NULL), "groups"), "[]");
	s = ask_as(&nobody, "group_query", "{\"group\":\"al\",\"query\":\"users\"}");
	assert_string_equal(code(s), "NOT_FOUND");
	assert_null(strstr(s, "`all`"));
	assert_string_equal(code(ask_as(&nobody, "query", "{\"query\":\"x\"}")), "NO_INDEX");
}

/* ---- administration ---- */

static void answers_without_a_model(void **state)
{
	(void)state;
	const char *s = ask("ask_code", "{\"query\":\"how are users loaded\",\"repo\":\"svc2\",\"topK\":3}");
	holds(s, "\"llmModel\":null");
	holds(s, "[1] loadUsers, src/f");
	holds(s, "\"contextsUsed\":3");
}

static void a_removed_repository_stays_away(void **state)
{
	(void)state;
	assert_string_equal(code(ask("repo_remove", "{\"repo\":\"svc10\"}")), "none");
	assert_string_equal(code(ask("query", "{\"query\":\"x\",\"repo\":\"svc10\"}")), "NOT_FOUND");
	assert_string_equal(get(ask("list_repos", NULL), "total"), "11");
	assert_string_equal(code(ask("repo_remove", "{}")), "INVALID_INPUT");
}

static void announcements(void **state)
{
	struct err e = { 0 };
	struct announce_res res;
	struct hello h = { .protocol = WIRE_VERSION, .version = "0", .repo_uri = "h.example/new/one", .name = "new/one",
		.source = "https://bob:secret@h.example/new/one", .replica = "x", .status = "pending" };

	(void)state;
	h.endpoint = arena_printf(a, "ipc://%s/nobody", dir);
	assert_string_equal(code(ask("repo_add", "{\"source\":\"https://bob:secret@h.example/new/one.git\",\"groups\":[\"fresh\"]}")),
	    "none");
	struct wire_peer *p = wire_dial(co->membership_url, &(struct wire_trust){ 0 }, &e);
	assert_non_null(p);
	assert_int_equal(wire_call(p, "announce", &rec_hello, &h, "", 5000, &rec_announce_res, &res, NULL, a, &e), 0);
	assert_int_equal(res.interval_ms, 5000);
	const char *s = ask("list_repos", "{\"group\":\"fresh\"}");
	holds(s, "h.example/new/one");
	holds(s, "\"health\":\"down\"");
	assert_null(strstr(ask("status", NULL), "secret"));
	assert_null(strstr(ask("source_list", NULL), "secret"));
	h.endpoint = "";
	assert_int_equal(wire_call(p, "announce", &rec_hello, &h, "", 5000, &rec_announce_res, &res, NULL, a, &e), -1);
	assert_int_equal(e.code, ERR_INVALID_INPUT);
	wire_peer_free(p);
}

static void everything_is_known_after_a_restart(void **state)
{
	(void)state;
	const char *before = ask("group_contracts", "{\"group\":\"all\"}");
	coordinator_close(co);
	set_mode(&fakes[0], HANGS);
	open_coordinator();
	const char *s = ask("list_repos", "{\"group\":\"all\"}");
	holds(s, "\"files\":7");
	holds(s, "\"indexed_at\":\"2026-11-21T00:00:00Z\"");
	assert_string_equal(get(ask("group_contracts", "{\"group\":\"all\"}"), "contracts"), get(before, "contracts"));
	set_mode(&fakes[0], ANSWERS);
	wait_health("h.example/shop/svc0", "healthy");
	assert_string_equal(get(ask("group_query", "{\"group\":\"all\",\"query\":\"users\"}"), "complete"), "true");
}

static void one_coordinator_per_directory(void **state)
{
	struct err e = { 0 };

	(void)state;
	assert_null(coordinator_open(&co->o, &e));
	assert_int_equal(e.code, ERR_UNAVAILABLE);
	assert_non_null(strstr(e.msg, "another coordinator runs"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(neither_is_ambiguous),
		cmocka_unit_test(forms_of_a_handle),
		cmocka_unit_test(an_end_that_fits_two),
		cmocka_unit_test(unknown_ones_have_neighbours),
		cmocka_unit_test(scopes),
		cmocka_unit_test(min_score_drops_what_is_below),
		cmocka_unit_test(files),
		cmocka_unit_test(one_list_over_all),
		cmocka_unit_test(pages_have_no_seams),
		cmocka_unit_test(a_cursor_of_another_list),
		cmocka_unit_test(only_some_members),
		cmocka_unit_test(a_failing_member_is_named),
		cmocka_unit_test(a_hung_member_costs_the_deadline),
		cmocka_unit_test(late_members_are_told_to_stop),
		cmocka_unit_test(an_abandoned_call_ends),
		cmocka_unit_test(stale_members_are_named),
		cmocka_unit_test(without_an_index),
		cmocka_unit_test(states_of_members),
		cmocka_unit_test(contracts_are_built_once),
		cmocka_unit_test(the_three_lists_are_one_stream),
		cmocka_unit_test(a_new_index_brings_new_contracts),
		cmocka_unit_test(unreachable_members_keep_their_facts),
		cmocka_unit_test(hidden_repositories_influence_nothing),
		cmocka_unit_test(answers_without_a_model),
		cmocka_unit_test(a_removed_repository_stays_away),
		cmocka_unit_test(announcements),
		cmocka_unit_test(everything_is_known_after_a_restart),
		cmocka_unit_test(one_coordinator_per_directory),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
