#ifndef TESTS_FEDERATION_H
#define TESTS_FEDERATION_H
/* A coordinator with fake shards in the test's process: every tool, without HTTP and without an index. */
#include <string.h>

#include "coordinator/members/members.h"
#include "tests/tool_calls.h"
#include "tests/sanitized.h"

/*
 * A fake shard may have to wait for a processor: a deadline that no shard should miss is long, and one that a shard is meant to miss is
 * SHORT_DEADLINE_MS, which the others still meet.
 */
enum { SHARDS = 12, HUNG = 64, SEARCH_MS = 40000, SHORT_DEADLINE_MS = SANITIZED ? 4000 : 2000 };
/*
 * NO_INDEX_ANSWERS: healthy, but does not answer searches; NO_STATS: fails `stats`; REMOVED_MIDWAY: is removed during a search;
 * LONG_TEXTS: returns megabytes of text; NO_CONTRACTS: does not know `contracts`; TRUNCATES: sends fewer contracts than announced;
 * NO_STATUS: does not answer `status`; NO_HEALTH: does not answer `health`; SLOW_HEALTH: answers it after 700 ms; SLOW_SEARCH: answers
 * `search` after 300 ms.
 */
enum mode { ANSWERS, LONG_TEXTS, HANGS, NO_INDEX_ANSWERS, FAILS, NO_INDEX_YET, NO_STATS, REMOVED_MIDWAY, NO_CONTRACTS, TRUNCATES, NO_STATUS, NO_HEALTH, SLOW_HEALTH, SLOW_SEARCH };

struct fake_shard {
	int id;
	const char *uri, *name, *url;
	struct wire_server *server;
	pthread_mutex_t lock;
	enum mode mode;
	uint64_t generation;
	int64_t behind;
	const char *vectors;		/* state of its vectors */
	t_strs features;		/* that it announces */
	uint64_t unchecked;		/* documents that may have quoted text and were not read */
	const char *extra_route;	/* an additional route in its facts, or NULL */
	int contract_calls, stats_calls, cancels, questions, healths, sketches;
	uint64_t documents;		/* of all members, from the last search request */
	size_t terms;			/* of the last search request */
	struct wire_request *hung[HUNG];
	int nhung;
};

static struct fake_shard fakes[SHARDS];
static int64_t sync_delay_ms;	/* 0: contracts are rebuilt on request */
static int64_t asked_at_once;	/* 0 = unlimited */

/* ---- the shards ---- */

static inline void put(struct wire_request *r, struct fake_shard *f, const struct record *rec, const void *res)
{
	struct freshness stamp = { f->uri, "c0ffee", f->generation, arena_printf(r->a, "hash%d", (int)f->generation),
		"2026-11-21T00:00:00Z", f->behind, { 0 }, NULL };

	wire_answer(r, rec, res, &stamp, NULL);
}

static inline void do_search(struct wire_request *r, struct fake_shard *f)
{
	struct search_req q;
	struct search_res res = { .verbatim = true, .unchecked = f->unchecked };

	if (codec_get(&rec_search_req, &q, r->body.p, r->body.n, r->a, NULL))
		abort();
	f->documents = q.documents;
	f->terms = q.terms.n;
	if (f->mode == REMOVED_MIDWAY) {
		struct err e = { 0 };
		members_remove(co->members, members_get(co->members, &caller_local, f->uri), &e);
	}
	res.hits.v = arena_many(r->a, 40, struct hit);
	for (size_t i = 0; i < 40 && i < q.limit; i++)
		res.hits.v[res.hits.n++] = (struct hit){ .path = arena_printf(r->a, "src/f%zu.c", i),
			.blob = arena_printf(r->a, "b%d-%zu", f->id, i), .symbol = "loadUsers", .qualified = "loadUsers",
			.kind = "function", .start_line = 3, .end_line = 7, .lexical = 10 + f->id - (double)i / 10,
			.exact = i == 1 ? 1 : 0 };
	put(r, f, &rec_search_res, &res);
}

static inline void do_stats(struct wire_request *r, struct fake_shard *f)
{
	struct stats_req q;
	struct stats_res res = { .documents = 100 * f->generation, .words = 5000 };

	if (codec_get(&rec_stats_req, &q, r->body.p, r->body.n, r->a, NULL))
		abort();
	f->stats_calls++;
	res.terms.v = arena_many(r->a, q.terms.n, struct term_count);
	for (size_t i = 0; i < q.terms.n; i++)
		res.terms.v[res.terms.n++] = (struct term_count){ q.terms.v[i], strncmp(q.terms.v[i], "nobody", 6) ? 40 : 0 };
	put(r, f, &rec_stats_res, &res);
}

static inline void do_snippet(struct wire_request *r, struct fake_shard *f)
{
	struct snippet_req q;
	struct snippet_res res = { 0 };

	if (codec_get(&rec_snippet_req, &q, r->body.p, r->body.n, r->a, NULL))
		abort();
	res.snippets.v = arena_many(r->a, q.spans.n, struct snippet);
	res.snippets.n = q.spans.n;
	for (size_t i = 0; i < q.spans.n; i++)
		res.snippets.v[i] = (struct snippet){ f->mode == LONG_TEXTS ? memset(arena_get(r->a, 400 << 10, 1), 'x', (400 << 10) - 1) :
		    arena_printf(r->a, "text of %s", q.spans.v[i].blob), 3, 4 };
	put(r, f, &rec_snippet_res, &res);
}

/* Member i serves /m<i> and calls /m<i+1>: two facts, in pages of one. */
static inline void do_contracts(struct wire_request *r, struct fake_shard *f)
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
	res.next = (uint64_t)q.after + 1 < res.total && f->mode != TRUNCATES ? q.after + 1 : 0;
	put(r, f, &rec_contracts_res, &res);
}

/* Ends the pending request with this id, even if the shard does not answer anything else. */
static inline void do_cancel(struct wire_request *r, struct fake_shard *f)
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

/* Whether the RPC serves a query of a user, and not a probe or a command. */
static inline bool is_user_request(const char *rpc)
{
	static const char *const others[] = { "hello", "health", "status", "sketch", "sync" };

	for (size_t i = 0; i < LEN(others); i++)
		if (!strcmp(rpc, others[i]))
			return false;
	return true;
}

static inline void on_request(void *ctx, struct wire_request *r)
{
	struct fake_shard *f = ctx;
	struct err e = { 0 };

	pthread_mutex_lock(&f->lock);
	f->questions += is_user_request(r->rpc);
	f->sketches += !strcmp(r->rpc, "sketch");
	if (!strcmp(r->rpc, "cancel")) {
		do_cancel(r, f);
	} else if (f->nhung < HUNG && (f->mode == HANGS || (f->mode == NO_INDEX_ANSWERS && (!strcmp(r->rpc, "search") ||
	    !strcmp(r->rpc, "contracts"))) || (f->mode == NO_STATUS && !strcmp(r->rpc, "status")) ||
	    (f->mode == NO_HEALTH && !strcmp(r->rpc, "health")))) {
		f->hung[f->nhung++] = r;
	} else if (!strcmp(r->rpc, "hello")) {
		struct hello h = { .protocol = WIRE_VERSION, .version = "0", .repo_uri = f->uri, .name = f->name,
			.replica = "r", .endpoint = f->url, .default_branch = "main", .status = "ready", .features = f->features };
		put(r, f, &rec_hello, &h);
	} else if (!strcmp(r->rpc, "health")) {
		if (f->mode == SLOW_HEALTH)
			clock_sleep(700);
		f->healths++;
		struct health_res h = { .status = f->mode == NO_INDEX_YET ? "building" : "ready", .commit = "c0ffee",
			.generation = f->mode == NO_INDEX_YET ? 0 : f->generation, .vectors = f->vectors };
		wire_answer(r, &rec_health_res, &h, f->mode == NO_INDEX_YET ? NULL : &(struct freshness){ f->uri, "c0ffee",
		    f->generation, arena_printf(r->a, "hash%d", (int)f->generation), "2026-11-21T00:00:00Z", f->behind, { 0 }, NULL }, NULL);
	} else if (!strcmp(r->rpc, "status")) {
		struct status_res s = { .status = "ready", .files = 7, .symbols = 70 };
		put(r, f, &rec_status_res, &s);
	} else if (f->mode == FAILS || f->mode == NO_INDEX_YET) {
		err_set(&e, f->mode == FAILS ? ERR_DB_ERROR : ERR_NO_INDEX, f->mode == FAILS ? "broken" : "no index");
		wire_answer(r, NULL, NULL, NULL, &e);
	} else if (!strcmp(r->rpc, "search")) {
		if (f->mode == SLOW_SEARCH)
			clock_sleep(300);
		do_search(r, f);
	} else if (!strcmp(r->rpc, "stats") && f->mode == NO_STATS) {
		err_set(&e, ERR_UNAVAILABLE, "no statistics");
		wire_answer(r, NULL, NULL, NULL, &e);
	} else if (!strcmp(r->rpc, "stats")) {
		do_stats(r, f);
	} else if (!strcmp(r->rpc, "snippet")) {
		do_snippet(r, f);
	} else if (!strcmp(r->rpc, "contracts") && f->mode != NO_CONTRACTS) {
		do_contracts(r, f);
	} else {
		err_set(&e, ERR_NOT_FOUND, "no such file");
		wire_answer(r, NULL, NULL, NULL, &e);
	}
	pthread_mutex_unlock(&f->lock);
}

/* Change how it answers from now on; pending requests stay pending. */
static inline void set_mode_of_next(struct fake_shard *f, enum mode m)
{
	pthread_mutex_lock(&f->lock);
	f->mode = m;
	pthread_mutex_unlock(&f->lock);
}

static inline void set_mode(struct fake_shard *f, enum mode m)
{
	struct err e = { 0 };

	set_mode_of_next(f, m);
	err_set(&e, ERR_UNAVAILABLE, "released");
	pthread_mutex_lock(&f->lock);
	while (m != HANGS && m != NO_INDEX_ANSWERS && m != NO_HEALTH && f->nhung)
		wire_answer(f->hung[--f->nhung], NULL, NULL, NULL, &e);
	pthread_mutex_unlock(&f->lock);
}

static inline void set_index(struct fake_shard *f, uint64_t generation, int64_t behind, const char *route)
{
	pthread_mutex_lock(&f->lock);
	f->generation = generation;
	f->behind = behind;
	f->extra_route = route;
	pthread_mutex_unlock(&f->lock);
}

static inline int contract_calls(struct fake_shard *f)
{
	pthread_mutex_lock(&f->lock);
	int n = f->contract_calls;
	pthread_mutex_unlock(&f->lock);
	return n;
}

static inline int stats_calls(struct fake_shard *f)
{
	pthread_mutex_lock(&f->lock);
	int n = f->stats_calls;
	pthread_mutex_unlock(&f->lock);
	return n;
}

/* The number of requests that it received, without probes and commands. */
static inline int request_count(struct fake_shard *f)
{
	pthread_mutex_lock(&f->lock);
	int n = f->questions;
	pthread_mutex_unlock(&f->lock);
	return n;
}

/* The number of documents of all members, from the last search request. */
static inline uint64_t searched_documents(struct fake_shard *f)
{
	pthread_mutex_lock(&f->lock);
	uint64_t n = f->documents;
	pthread_mutex_unlock(&f->lock);
	return n;
}

static inline size_t searched_terms(struct fake_shard *f)
{
	pthread_mutex_lock(&f->lock);
	size_t n = f->terms;
	pthread_mutex_unlock(&f->lock);
	return n;
}

static inline int cancels(struct fake_shard *f)
{
	pthread_mutex_lock(&f->lock);
	int n = f->cancels;
	pthread_mutex_unlock(&f->lock);
	return n;
}

/* ---- announcements ---- */

/* Announce a shard.  The error code, and `res` if it was accepted. */
static inline enum err_code announce(const struct hello *h, struct announce_res *res, struct err *e)
{
	struct wire_peer *p = wire_dial(co->membership_url, &(struct wire_trust){ 0 }, e);

	assert_non_null(p);
	*e = (struct err){ 0 };
	wire_call(p, "announce", &rec_hello, h, "", BUSY_MS, &rec_announce_res, res, NULL, a, e);
	wire_peer_free(p);
	return e->code;
}

static inline void announce_successfully(const struct hello *h)
{
	struct announce_res res;
	struct err e;

	if (announce(h, &res, &e))
		fail_msg("%s", e.msg);
}

/* ---- set-up ---- */

static inline void open_coordinator(void)
{
	char *argv[8 + 2 * SHARDS] = { "atoll-coordinator", "--data", arena_printf(a, "%s/data", dir), "--http", "", "--listen",
		arena_printf(a, "ipc://%s/members", dir), "--probe-interval-ms=100" };
	int argc = 8;
	struct coordinator_config o = { 0 };
	struct err e = { 0 };

	for (int i = 0; i < SHARDS; i++) {
		argv[argc++] = "--shard";
		argv[argc++] = (char *)fakes[i].url;
	}
	if (coordinator_options(&o, argc, argv, a, &e))
		fail_msg("%s", e.msg);
	o.search_deadline_ms = SEARCH_MS;
	o.contracts_deadline_ms = SEARCH_MS;
	o.sync_delay_ms = sync_delay_ms;
	o.asked_at_once = asked_at_once;
	o.index_max_age = 0;	/* no automatic jobs */
	o.calls_per_second = 0;
	if (!(co = coordinator_open(&o, &e)))
		fail_msg("%s", e.msg);
}

static inline int federation_open(void **state)
{
	struct err e = { 0 };

	(void)state;
	log_init("test", LOG_ERROR);
	a = arena_new();
	strcpy(dir, "/tmp/atoll-fed.XXXXXX");
	assert_non_null(mkdtemp(dir));
	for (int i = 0; i < SHARDS; i++) {
		struct fake_shard *f = &fakes[i];
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
	is_no_longer_listed("\"phase\":\"count\"");
	ask("group_create", "{\"group\":\"all\",\"repos\":[\"svc0\",\"shop/svc1\",\"svc2\",\"svc3\",\"svc4\"]}");
	return 0;
}

static inline int federation_close(void **state)
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
#endif
