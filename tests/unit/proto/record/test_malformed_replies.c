/*
 * A coordinator whose shards send malformed answers: each field of each answer absent, nil, of each
 * other type, and of the maximum size.  It survives, always answers, and recovers with them.  The
 * other direction: tests/attacks/73-malformed-fields.sh.  Tests every STRIDE-th case; with ATTACKS=long all.
 */
#include <stdatomic.h>

#include "coordinator/members/members.h"
#include "proto/wire/protocol_features.h"
#include "tests/tool_calls.h"
#include "tests/frames.h"
#include "tests/sanitized.h"

enum { MEMBERS = 2, STRIDE = SANITIZED ? 37 : 11, ASKED_MS = 400, LARGEST_TEXT = 100000 };

/* ---- the shards ---- */

struct fake_member {
	const char *uri, *url;
	int listener;
	pthread_t thread;
};

static struct fake_member fake_members[MEMBERS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool needed;	/* members need each other's packages */
/* The next answer of the first shard; guarded by lock. */
static struct {
	enum rpc_id rpc; /* NRPCS: all is well */
	bool stamp; /* what is malformed is the stamp of its answers */
	struct frame how;
	uint64_t generation;
	size_t asked[NRPCS];
} next = { .rpc = NRPCS, .generation = 1 };

static void put_key(struct buf *b, const char *name)
{
	put_text(b, MP_STR, name, strlen(name));
}

static void put_stamp(struct buf *b, const struct fake_member *m, const struct frame *malformed)
{
	struct freshness f = { m->uri, "c0ffee", next.generation, "hash", "2026-11-21T00:00:00Z", 0, { 0 }, NULL };

	if (!malformed)
		codec_put(&rec_freshness, &f, b);
	else {
		struct frame w = *malformed;
		w.out = b;
		frame_record(&w, &rec_freshness);
	}
}

static struct hello hello_of(const struct fake_member *m)
{
	return (struct hello){ .protocol = WIRE_VERSION,
		.version = "0",
		.repo_uri = m->uri,
		.name = strchr(m->uri, '/') + 1,
		.replica = "r",
		.endpoint = m->url,
		.default_branch = "main",
		.status = "ready",
		.features = features_supported() };
}

/* Facts with which members need each other's packages. */
static void put_contracts(struct buf *b, const struct fake_member *m)
{
	bool first = m == fake_members;
	const char *own = first ? "lib0" : "lib1", *other = first ? "lib1" : "lib0";
	struct package packages[] = {
		{ .side = "publishes", .ecosystem = "npm", .name = own, .file = "package.json", .line = 1 },
		{ .side = "depends", .ecosystem = "npm", .name = other, .file = "package.json", .line = 2 },
	};
	struct interface_ref interface = {
		.ecosystem = "npm", .name = own, .hash = first ? "users" : "other", .files = 1
	};
	struct contracts_res r = {
		.packages = { packages, LEN(packages) },
		.total_packages = LEN(packages),
		.interfaces = { &interface, 1 },
	};

	codec_put(&rec_contracts_res, &r, b);
}

/* A use of the first member's code. */
static void put_uses(struct buf *b)
{
	struct external_use use = { .path = "src/a.py",
		.line = 3,
		.kind = "CALLS",
		.confidence = 0.9,
		.reason = "import",
		.repo_uri = fake_members[0].uri,
		.target_path = "src/users.py",
		.symbol = "load_users",
		.symbol_kind = "function" };
	struct uses_res r = { .uses = { &use, 1 }, .total = 1 };

	codec_put(&rec_uses_res, &r, b);
}

/* The other one's interface is missing, always. */
static void put_missing(struct buf *b, const struct fake_member *m)
{
	const char *hash = m == fake_members ? "other" : "users";
	struct use_interfaces_res r = { .missing = { &hash, 1 } };

	codec_put(&rec_use_interfaces_res, &r, b);
}

static void put_body(
    struct buf *b, const struct fake_member *m, enum rpc_id id, const struct frame *malformed)
{
	struct frame w = malformed ?
	    *malformed :
	    (struct frame){ .at = SIZE_MAX, .whole = true, .largest = LARGEST_TEXT };
	struct hello hello = hello_of(m);
	struct health_res health = {
		.status = "ready", .commit = "c0ffee", .generation = next.generation, .vectors = "complete"
	};

	w.out = b;
	if (!malformed && id == RPC_hello)
		codec_put(&rec_hello, &hello, b);
	else if (!malformed && id == RPC_health)
		codec_put(&rec_health_res, &health, b);
	else if (!malformed && id == RPC_contracts && needed)
		put_contracts(b, m);
	else if (!malformed && id == RPC_uses && needed)
		put_uses(b);
	else if (!malformed && id == RPC_use_interfaces && needed)
		put_missing(b, m);
	else
		frame_record(&w, rpcs[id].res);
}

/* An answer in its wire format. */
static void put_answer(struct buf *out, const struct fake_member *m, enum rpc_id id)
{
	struct buf body = { 0 };

	pthread_mutex_lock(&lock);
	bool malformations = m == fake_members && next.rpc == id;
	next.asked[id] += m == fake_members;
	put_head(out, MP_MAP, 3, 4);
	put_key(out, "v");
	buf_byte(out, 1);
	put_key(out, "stamp");
	put_stamp(out, m, malformations && next.stamp ? &next.how : NULL);
	put_key(out, "body");
	put_body(&body, m, id, malformations && !next.stamp ? &next.how : NULL);
	pthread_mutex_unlock(&lock);
	put_text(out, MP_BIN, body.p, body.n);
	buf_free(&body);
}

struct connection {
	struct fake_member *m;
	struct sp sp;
};

static void *answer_all(void *arg)
{
	struct connection *c = arg;
	const char *p;
	uint32_t number;
	size_t n;

	while (sp_next(&c->sp, &number, &p, &n, -1)) {
		struct arena *mine = arena_new();
		struct buf answer = { 0 }, out = { 0 };
		struct request q;
		if (codec_get(&rec_request, &q, p, n, mine, NULL) || rpc_id(q.rpc) == NRPCS)
			abort();
		put_answer(&answer, c->m, rpc_id(q.rpc));
		sp_put(&c->sp, &out, number, answer.p, answer.n);
		sp_write(c->sp.fd, out.p, out.n);
		buf_free(&answer);
		buf_free(&out);
		arena_free(mine);
	}
	sp_close(&c->sp);
	free(c);
	return NULL;
}

static void *take_all(void *arg)
{
	struct fake_member *m = arg;
	pthread_t thread;

	for (;;) {
		struct connection *c = calloc(1, sizeof *c);
		c->m = m;
		if (!sp_accept(&c->sp, m->listener)) {
			bool ended = c->sp.fd < 0;
			free(c);
			if (ended)
				return NULL;
		} else if (!pthread_create(&thread, NULL, answer_all, c))
			pthread_detach(thread);
	}
}

/* ---- the tools ---- */

/* The tools that use an RPC's answer.  RPCs without one are called anyway, or only by shards. */
static const struct {
	enum rpc_id rpc;
	const char *tool, *args;
} ways[] = {
	{ RPC_search, "query", "{\"repo\":\"svc0\",\"query\":\"users\"}" },
	{ RPC_search, "group_query",
	    "{\"group\":\"all\",\"query\":\"where are users loaded\",\"limit\":50}" },
	{ RPC_search, "search_code", "{\"repo\":\"svc0\",\"query\":\"users\"}" },
	{ RPC_search, "ask_code", "{\"repo\":\"svc0\",\"query\":\"users\"}" },
	{ RPC_snippet, "query", "{\"repo\":\"svc0\",\"query\":\"users\"}" },
	{ RPC_snippet, "group_query", "{\"group\":\"all\",\"query\":\"users\"}" },
	{ RPC_stats, "group_query", "{\"group\":\"all\",\"query\":\"users loaded\"}" },
	{ RPC_sketch, "group_query", "{\"group\":\"all\",\"query\":\"users loaded\"}" },
	{ RPC_file, "open_file", "{\"repo\":\"svc0\",\"path\":\"src/users.py\"}" },
	{ RPC_file_map, "file_map", "{\"repo\":\"svc0\",\"path\":\"src/users.py\"}" },
	{ RPC_context, "context", "{\"repo\":\"svc0\",\"symbol\":\"load_users\"}" },
	{ RPC_impact, "impact", "{\"repo\":\"svc0\",\"symbol\":\"load_users\"}" },
	{ RPC_signature, "signature", "{\"repo\":\"svc0\",\"symbol\":\"load_users\"}" },
	{ RPC_changes, "detect_changes", "{\"repo\":\"svc0\",\"base\":\"HEAD\"}" },
	{ RPC_owners, "owners", "{\"repo\":\"svc0\",\"path\":\"src\"}" },
	{ RPC_owners, "repo_graph", "{\"group\":\"all\"}" },
	{ RPC_contracts, "group_sync", "{\"group\":\"all\"}" },
	{ RPC_contracts, "group_contracts", "{\"group\":\"all\"}" },
	{ RPC_contracts, "group_cross_repo_links", "{\"group\":\"all\"}" },
	{ RPC_contracts, "route_map", "{\"repo\":\"svc0\"}" },
	{ RPC_contracts, "api_impact", "{\"repo\":\"svc0\",\"route\":\"GET /api/users\"}" },
	{ RPC_use_interfaces, "group_sync", "{\"group\":\"all\"}" },
	{ RPC_interface, "group_sync", "{\"group\":\"all\"}" },
	{ RPC_uses, "context", "{\"repo\":\"svc0\",\"symbol\":\"load_users\"}" },
	{ RPC_uses, "find_references", "{\"repo\":\"svc1\",\"symbol\":\"load_users\"}" },
	{ RPC_places, "context", "{\"repo\":\"svc1\",\"symbol\":\"load_users\"}" },
	{ RPC_references, "find_references", "{\"repo\":\"svc0\",\"symbol\":\"load_users\"}" },
	{ RPC_grep, "grep", "{\"group\":\"all\",\"pattern\":\"us\"}" }, /* no sketch rules it out */
	{ RPC_grep_query, "grep", "{\"group\":\"all\",\"query\":\"us -repo:svc1\"}" },
	{ RPC_exports, "package_api", "{\"repo\":\"svc0\"}" },
	{ RPC_uses, "package_api", "{\"repo\":\"svc1\"}" },
	{ RPC_health, "group_status", "{\"group\":\"all\"}" },
	{ RPC_health, "list_repos", "{}" },
	{ RPC_status, "repo_status", "{\"repo\":\"svc0\"}" },
};
static const enum rpc_id elsewhere[] = {
	RPC_hello, /* as announcements: 73-malformed-fields */
	RPC_symbol, RPC_snapshot, RPC_vectors, /* shards ask for them, or nobody */
	RPC_knows, RPC_sync, RPC_cancel, /* flags and a list of texts */
	RPC_put_interface, /* a number */
};

static void begin(enum rpc_id rpc, bool stamp, size_t at, enum malformation how, bool whole)
{
	pthread_mutex_lock(&lock);
	next.rpc = rpc;
	next.stamp = stamp;
	next.how = (struct frame){ .at = at, .how = how, .whole = whole, .largest = LARGEST_TEXT };
	next.generation++; /* so that what is kept of each index is asked for anew */
	pthread_mutex_unlock(&lock);
	needed = rpc == RPC_use_interfaces || rpc == RPC_interface || rpc == RPC_uses ||
	    rpc == RPC_places;
}

static size_t asked(enum rpc_id rpc)
{
	pthread_mutex_lock(&lock);
	size_t n = next.asked[rpc];
	pthread_mutex_unlock(&lock);
	return n;
}

/* Every tool gets an answer while the RPC's answers are malformed. */
static void ask_each(enum rpc_id rpc)
{
	bool kept = rpc == RPC_health || rpc == RPC_status; /* asked for by the coordinator itself */
	size_t before = asked(rpc);

	for (int64_t end = clock_ms() + ASKED_MS; kept && asked(rpc) == before && clock_ms() < end;)
		clock_sleep(5);
	for (size_t i = 0; i < LEN(ways); i++)
		if (ways[i].rpc == rpc) {
			struct arena *all = a;
			a = arena_new();
			if (needed)
				ask("group_sync", "{\"group\":\"all\"}");
			assert_int_equal(*ask(ways[i].tool, ways[i].args), '{');
			arena_free(a);
			a = all;
		}
}

static void is_well(void)
{
	pthread_mutex_lock(&lock);
	next.rpc = NRPCS;
	next.generation++;
	pthread_mutex_unlock(&lock);
	needed = false;
	wait_health(fake_members[0].uri, "healthy");
	for (size_t i = 0; i < LEN(ways); i++) {
		const char *s = ask(ways[i].tool, ways[i].args);
		if (strcmp(error_code(s), "none") != 0)
			fail_msg("%s: %.1000s", ways[i].tool, s);
	}
}

static size_t bend_all(enum rpc_id rpc, const struct record *r, bool stamp, size_t stride)
{
	size_t fields = frame_fields(r), n = 0, done = 0;

	for (size_t at = 0; at < fields; at++)
		for (int how = 0; how < 2 * NMALFORMATIONS; how++)
			if (n++ % stride == 0) {
				begin(rpc, stamp, at, how / 2, how & 1);
				ask_each(rpc);
				done++;
			}
	return done;
}

static size_t stride(void)
{
	const char *s = getenv("ATTACKS");

	return s && !strcmp(s, "long") ? 1 : STRIDE;
}

static void answers_may_be_anything(void **state)
{
	size_t done = 0;

	(void)state;
	is_well();
	for (int id = 0; id < NRPCS; id++)
		for (size_t i = 0; i < LEN(ways); i++)
			if (ways[i].rpc == (enum rpc_id)id) {
				done += bend_all(id, rpcs[id].res, false, stride());
				if (!asked(id))
					fail_msg("nobody asked for %s", rpcs[id].name);
				break;
			}
	is_well();
	print_message("%zu answers that were malformed\n", done);
}

static void stamps_may_be_anything(void **state)
{
	(void)state;
	bend_all(RPC_search, &rec_freshness, true, stride());
	bend_all(RPC_contracts, &rec_freshness, true, stride());
	bend_all(RPC_health, &rec_freshness, true, stride());
	is_well();
}

static void every_rpc_is_asked(void **state)
{
	(void)state;
	for (int id = 0; id < NRPCS; id++) {
		bool found = false;
		for (size_t i = 0; i < LEN(ways); i++)
			found |= ways[i].rpc == (enum rpc_id)id;
		for (size_t i = 0; i < LEN(elsewhere); i++)
			found |= elsewhere[i] == (enum rpc_id)id;
		if (!found)
			fail_msg("%s: no tool of `ways` asks for it", rpcs[id].name);
	}
}

/* ---- set-up ---- */

static void announce(const struct fake_member *m)
{
	struct err e = { 0 };
	struct wire_peer *p = wire_dial(co->membership_url, &(struct wire_trust){ 0 }, &e);
	struct hello h = hello_of(m);
	struct announce_res res;

	if (!p ||
	    wire_call(p, "announce", &rec_hello, &h, "", BUSY_MS, &rec_announce_res, &res, NULL, a, &e))
		fail_msg("%s", e.msg);
	wire_peer_free(p);
}

static int open_all(void **state)
{
	char *argv[] = { "atoll-coordinator", "--data", NULL, "--http", "", "--listen", NULL,
		"--probe-interval-ms=50", "--calls-per-second=0", "--index-max-age=0", "--embedder=none" };
	struct coordinator_config o = { 0 };
	struct err e = { 0 };

	(void)state;
	log_init("test", LOG_ERROR);
	a = arena_new();
	strcpy(dir, "/tmp/atoll-malformed.XXXXXX");
	assert_non_null(mkdtemp(dir));
	argv[2] = arena_printf(a, "%s/data", dir);
	argv[6] = arena_printf(a, "ipc://%s/members", dir);
	for (int i = 0; i < MEMBERS; i++) {
		struct fake_member *m = &fake_members[i];
		m->uri = arena_printf(a, "h.example/shop/svc%d", i);
		m->url = arena_printf(a, "ipc://%s/s%d", dir, i);
		m->listener = sp_listen(m->url + 6);
		assert_true(m->listener >= 0);
		assert_int_equal(pthread_create(&m->thread, NULL, take_all, m), 0);
	}
	if (coordinator_options(&o, LEN(argv), argv, a, &e) || !(co = coordinator_open(&o, &e)))
		fail_msg("%s", e.msg);
	for (int i = 0; i < MEMBERS; i++)
		announce(&fake_members[i]);
	for (int i = 0; i < MEMBERS; i++)
		wait_health(fake_members[i].uri, "healthy");
	ask("group_create", "{\"group\":\"all\",\"repos\":[\"svc0\",\"svc1\"]}");
	return 0;
}

static int close_all(void **state)
{
	(void)state;
	coordinator_close(co);
	for (int i = 0; i < MEMBERS; i++) {
		shutdown(fake_members[i].listener, SHUT_RDWR);
		close(fake_members[i].listener);
		pthread_join(fake_members[i].thread, NULL);
	}
	if (system(arena_printf(a, "rm -rf %s", dir)))
		return -1;
	arena_free(a);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_rpc_is_asked),
		cmocka_unit_test(answers_may_be_anything),
		cmocka_unit_test(stamps_may_be_anything),
	};

	return cmocka_run_group_tests(tests, open_all, close_all);
}
