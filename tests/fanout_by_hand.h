#ifndef TESTS_FANOUT_BY_HAND_H
#define TESTS_FANOUT_BY_HAND_H
/* A request to the shards of a member, with everything around it in the test's hands: shards, answers, times, workers. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "coordinator/base/timers.h"
#include "coordinator/calls/call.h"
#include "coordinator/members/members.h"
#include "proto/base/clock.h"
#include "proto/base/thread_pool.h"
#include "proto/wire/protocol_features.h"
#include "proto/wire/wire.h"

static int64_t now_ms;

static int64_t test_ms(void)
{
	return now_ms;
}

static int64_t test_us(void)
{
	return now_ms * 1000;
}

static int pick_route(struct members *, struct member *, uint32_t *tried, uint32_t index,
    struct route *, struct err *);
static int route_bit(struct members *, struct member *, uint32_t bit, struct route *);
static void release(struct members *, struct route *);
static bool can_route(struct members *, struct member *, uint32_t tried, uint32_t index);
static bool has_replicas(struct members *, const struct member *);
static int64_t percentile_of(struct members *, const struct member *, enum rpc_id);
static uint32_t lacking(struct members *, const struct member *, uint32_t feature);
static bool any_usable(struct members *, const struct member *, uint32_t bits);
static void record(struct members *, struct replica *, enum rpc_id, int64_t us, enum reply_outcome,
    const struct freshness *);
static void record_slower(struct members *, struct replica *, enum rpc_id, int64_t us);
static void tell(struct wire_peer *, const char *rpc, const struct record *, const void *m,
    const char *req, int timeout_ms, bool fail_fast, void (*done)(void *, struct wire_reply *),
    void *arg);
static void ask(struct wire_peer *, uint64_t caller, const char *rpc, const struct record *,
    const void *m, const char *req, int timeout_ms, bool fail_fast,
    void (*done)(void *, struct wire_reply *), void *arg);
static bool timed_out(const struct wire_reply *);
static bool received(const struct wire_reply *);
static size_t bytes_of(const struct wire_reply *);
static enum err_code peek(
    const struct wire_reply *, const struct freshness **stamp, struct arena *);
static int get_reply(const struct wire_reply *, const struct record *, void *res,
    const struct freshness **stamp, struct arena *, struct err *);
static void free_reply(struct wire_reply *);
static void add_timer(struct timers *, int64_t at_us, void (*ring)(void *), void *arg);
static int run_at_once(struct pool *, uint64_t key, void (*fn)(void *), void *arg);
static void pin(struct call *, const struct member *, uint32_t index);

#define clock_ms test_ms
#define clock_us test_us
#define members_route pick_route
#define members_route_bit route_bit
#define members_route_release release
#define members_can_route can_route
#define members_has_replicas has_replicas
#define members_p95_us percentile_of
#define members_lacking_feature lacking
#define members_any_usable any_usable
#define members_record_reply record
#define members_record_slower record_slower
#define wire_call_async tell
#define wire_call_async_for ask
#define wire_reply_timed_out timed_out
#define wire_reply_received received
#define wire_reply_bytes bytes_of
#define wire_reply_peek peek
#define wire_reply_get get_reply
#define wire_reply_free free_reply
#define timers_add add_timer
#define pool_run_for run_at_once
#define call_pin pin
#include "coordinator/calls/fanout_request.c"
#define by_uri by_uri_of_replies
#include "coordinator/calls/fanout.c"
#undef clock_ms
#undef clock_us

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
/* cmocka wants the above */
#include <cmocka.h>

#include "coordinator/auth/caller.h"
#include "coordinator/auth/rate_limits.h"
#include "proto/base/buf.h"

/* ---- shards ---- */

/* A shard is known by its bit; a peer is its address. */
struct replica {
	uint32_t bit;
};
static struct shard {
	struct replica r;
	bool usable;
	uint32_t index;
} shards[3];
static bool several;
static uint32_t old_shards; /* they lack the RPC */
static int64_t percentile_us;
static struct buf said; /* what happened, a word each */
static int routes_held;

/* What a test lets a shard answer. */
struct wire_reply {
	enum err_code code;
	bool late, lost;
	size_t bytes;
	int64_t behind;
};
static struct question {
	void (*done)(void *, struct wire_reply *);
	void *arg;
	uint32_t bit;
} asked[8];
static size_t nasked;
static struct {
	void (*ring)(void *);
	void *arg;
	int64_t in_us;
} alarms[8];
static size_t nalarms;

static struct shard *shard_of(uint32_t bit)
{
	return &shards[bit == 1 ? 0 : bit == 2 ? 1 : 2];
}

static void use(struct shard *s, struct route *out)
{
	routes_held++;
	*out = (struct route){ .replica = &s->r,
		.peer = (struct wire_peer *)s,
		.bit = s->r.bit,
		.fail_fast = true,
		.several = several };
}

static int pick_route(struct members *m, struct member *x, uint32_t *tried, uint32_t index,
    struct route *out, struct err *e)
{
	struct shard *best = NULL;

	(void)m, (void)x;
	for (size_t i = 0; i < LEN(shards); i++)
		if (shards[i].usable && !(*tried & shards[i].r.bit) &&
		    (!best || (index && shards[i].index == index && best->index != index)))
			best = &shards[i];
	*out = (struct route){ .bit = 0 };
	if (!best) {
		err_set(e, ERR_UNAVAILABLE, "no shard is left");
		return -1;
	}
	*tried |= best->r.bit;
	use(best, out);
	return 0;
}

static int route_bit(struct members *m, struct member *x, uint32_t bit, struct route *out)
{
	(void)m, (void)x;
	if (!shard_of(bit)->usable)
		return -1;
	use(shard_of(bit), out);
	return 0;
}

static void release(struct members *m, struct route *r)
{
	(void)m, (void)r;
	routes_held--;
}

static bool can_route(struct members *m, struct member *x, uint32_t tried, uint32_t index)
{
	(void)m, (void)x;
	for (size_t i = 0; i < LEN(shards); i++)
		if (shards[i].usable && !(tried & shards[i].r.bit) && (!index || shards[i].index == index))
			return true;
	return false;
}

static bool has_replicas(struct members *m, const struct member *x)
{
	(void)m, (void)x;
	return several;
}

static int64_t percentile_of(struct members *m, const struct member *x, enum rpc_id rpc)
{
	(void)m, (void)x, (void)rpc;
	return percentile_us;
}

static uint32_t lacking(struct members *m, const struct member *x, uint32_t feature)
{
	(void)m, (void)x;
	assert_int_equal(feature, features_required("file_map"));
	return old_shards;
}

static bool any_usable(struct members *m, const struct member *x, uint32_t bits)
{
	(void)m, (void)x;
	return bits & 1 && shards[0].usable;
}

static void record(struct members *m, struct replica *r, enum rpc_id rpc, int64_t us,
    enum reply_outcome outcome, const struct freshness *f)
{
	static const char *const words[] = { "received", "late", "lost" };

	(void)m, (void)rpc;
	buf_printf(&said, "%u:%s:%lld%s ", r->bit, words[outcome], (long long)us / 1000, f ? "+" : "");
}

static void record_slower(struct members *m, struct replica *r, enum rpc_id rpc, int64_t us)
{
	(void)m, (void)rpc;
	buf_printf(&said, "%u:slower:%lld ", r->bit, (long long)us / 1000);
}

static void tell(struct wire_peer *p, const char *rpc, const struct record *rec, const void *m,
    const char *req, int timeout_ms, bool fail_fast, void (*done)(void *, struct wire_reply *),
    void *arg)
{
	(void)rec, (void)arg, (void)timeout_ms;
	assert_string_equal(rpc, "cancel");
	assert_string_equal(((const struct cancel_req *)m)->req, req);
	assert_string_equal(req, "the-id");
	assert_true(fail_fast && done == on_cancelled);
	buf_printf(&said, "stop:%u ", ((struct shard *)p)->r.bit);
}

static void ask(struct wire_peer *p, uint64_t caller, const char *rpc, const struct record *rec,
    const void *m, const char *req, int timeout_ms, bool fail_fast,
    void (*done)(void *, struct wire_reply *), void *arg)
{
	(void)rpc, (void)rec, (void)m;
	assert_int_equal(caller, 77);
	assert_string_equal(req, "the-id");
	assert_true(fail_fast);
	buf_printf(&said, "ask:%u:%d ", ((struct shard *)p)->r.bit, timeout_ms);
	asked[nasked++] = (struct question){ done, arg, ((struct shard *)p)->r.bit };
}

/* ---- answers ---- */

static int replies_left;

static struct wire_reply *reply(struct wire_reply what)
{
	struct wire_reply *x = xmalloc(sizeof *x);

	*x = what;
	replies_left++;
	return x;
}

static bool timed_out(const struct wire_reply *x)
{
	return x->late;
}
static bool received(const struct wire_reply *x)
{
	return !x->lost;
}
static size_t bytes_of(const struct wire_reply *x)
{
	return x->bytes;
}

static struct freshness stamp = { .repo_uri = "h/x", .commit = "c", .graph_hash = "h" };

static enum err_code peek(
    const struct wire_reply *x, const struct freshness **f, struct arena *arena)
{
	(void)arena;
	*f = &stamp;
	return x->code;
}

static int get_reply(const struct wire_reply *x, const struct record *rec, void *res,
    const struct freshness **f, struct arena *arena, struct err *e)
{
	(void)rec, (void)res;
	if (x->code)
		return err_set(e, x->code, "failed");
	struct freshness *own = arena_one(arena, struct freshness);
	*own = stamp;
	own->behind = x->behind;
	*f = own;
	return 0;
}

static void free_reply(struct wire_reply *x)
{
	replies_left -= x != NULL;
	free(x);
}

static void add_timer(struct timers *t, int64_t at_us, void (*ring)(void *), void *arg)
{
	(void)t;
	alarms[nalarms].ring = ring;
	alarms[nalarms].arg = arg;
	alarms[nalarms++].in_us = at_us - test_us();
}

static bool pool_is_full;

static int run_at_once(struct pool *p, uint64_t key, void (*fn)(void *), void *arg)
{
	(void)p;
	assert_int_equal(key, 77);
	if (pool_is_full)
		return -1;
	fn(arg);
	return 0;
}

static void pin(struct call *x, const struct member *m, uint32_t index)
{
	(void)x, (void)m;
	assert_int_equal(index, members_index_id(&stamp));
	buf_str(&said, "pin ");
}

/* ---- a call ---- */

static struct coordinator co;
static struct coordinator_config config;
static struct call call;
static struct arena *a;
static struct member member = { .repo_uri = "h/x", .name = "x" },
                     *members_asked[2] = { &member, &member };
static struct fanout *result;
static bool ended;

static void then(struct call *x, struct fanout *f)
{
	(void)x;
	result = f;
}

static void on_end(struct call *x)
{
	(void)x;
	ended = true;
}

static int begin(void **state)
{
	(void)state;
	a = arena_new();
	now_ms = 100000;
	config = (struct coordinator_config){ .max_staleness = -1, .calls_burst = 1 };
	co = (struct coordinator){ .admission = admission_new(0), .limits = limits_new(&config) };
	hedges_init(&co.hedges);
	pthread_mutex_init(&co.calls.lock, NULL);
	call = (struct call){ .co = &co,
		.o = &co.o,
		.a = a,
		.share = 77,
		.tool = tool_get("query"),
		.caller = &caller_local,
		.deadline_ms = now_ms + 60000,
		.done = on_end,
		.req = "the-id",
		.problem = { 0 } };
	call.out = arena_get(a, 1, call.tool->out->size);
	co.o.max_staleness = -1;
	for (size_t i = 0; i < LEN(shards); i++)
		shards[i] = (struct shard){ { 1u << i }, i < 2, (uint32_t)i + 1 };
	several = true;
	old_shards = 0;
	percentile_us = 50000;
	nasked = nalarms = 0;
	routes_held = replies_left = 0;
	result = NULL;
	ended = pool_is_full = false;
	said.n = 0;
	buf_str(&said, "");
	return 0;
}

static int end_test(void **state)
{
	(void)state;
	while (nalarms) { /* each holds a reference to its request */
		nalarms--;
		alarms[nalarms].ring(alarms[nalarms].arg);
	}
	assert_int_equal(routes_held, 0);
	assert_int_equal(replies_left, 0);
	admission_free(co.admission);
	limits_free(co.limits);
	pthread_mutex_destroy(&co.calls.lock);
	arena_free(a);
	return 0;
}

static void start(enum rpc_id rpc)
{
	static const struct nothing none;

	fanout(&call, members_asked, 1, rpc, &none, NULL, 5000, then);
}

static void answer(size_t i, struct wire_reply what)
{
	asked[i].done(asked[i].arg, reply(what));
}

static void said_is(const char *want)
{
	assert_string_equal(said.p, want);
	said.n = 0;
	buf_str(&said, "");
}

static const struct fanout_reply *answered(void)
{
	assert_non_null(result);
	return &result->v[0];
}

static void ring(void)
{
	assert_true(nalarms > 0);
	nalarms--;
	alarms[nalarms].ring(alarms[nalarms].arg);
}
#endif
