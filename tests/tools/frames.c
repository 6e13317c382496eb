/*
 * frames URL fields [BYTES]           every RPC with each field absent, nil, of every other type, and of the largest size (BYTES, 1 MiB),
 *                                     both alone and with all other fields: each must get the right answer
 * frames URL mutate COUNT [SEED] [N]  COUNT messages with random changes of fields and bytes, over N (4) connections, many at once:
 *                                     each must get a readable answer
 * frames URL raw COUNT [SEED]         COUNT connections with another protocol than SP, or an incomplete handshake
 * frames URL flood COUNT BYTES        COUNT messages of BYTES that contain only empty lists and maps
 *
 * Messages of a shard, or with COORDINATOR=1 of a coordinator, made from schema.def (tests/frames.h).  ATOLL_CLUSTER_KEY proves and signs, so
 * that they reach the handlers; of `mutate` one in eight is changed after that.  The seed is printed.  Exit: 0, or 1 with the first message that was not
 * answered well, in hex on standard error.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/record/codec.h"
#include "proto/wire/wire.h"
#include "proto/wire/wire_proof.h"
#include "tests/frames.h"
#include "tests/mutate.h"

enum { PATIENCE_MS = 120000, BATCH = 64, CONNECTIONS = 4 };

static struct keyring *ring;
static const char *url;
static bool coordinator;

/* ---- what is asked ---- */

/* Of a shard its RPCs and `prove`; of a coordinator what only it answers. */
static bool is_asked(size_t i)
{
	return coordinator ? i >= NRPCS : i <= NRPCS;
}

/* A connection that has proven itself, when there is a key. */
struct asker {
	struct sp sp;
	struct client_session proven;
};

static void put_request(struct asker *k, const char *rpc, const struct buf *body, struct buf *out)
{
	unsigned char mac[PROOF_MAC];
	struct request q = { .v = WIRE_VERSION,
		.rpc = rpc,
		.req = "frames",
		.deadline_ms = 20000,
		.body = { body->p, body->n } };

	if (k->proven.key)
		proof_sign(&k->proven, &q, mac);
	codec_put(&rec_request, &q, out);
}

static void ask(struct asker *k, uint32_t id, const struct buf *request)
{
	struct buf out = { 0 };

	sp_put(&k->sp, &out, id, request->p, request->n);
	sp_write(k->sp.fd, out.p, out.n);
	buf_free(&out);
}

static int prove(struct asker *k, struct arena *a)
{
	struct buf body = { 0 }, q = { 0 };
	struct proof proof;
	struct reply reply;
	struct prove_res res;
	const char *p;
	uint32_t id;
	size_t n;

	proof_begin(&proof, ring);
	codec_put(&rec_prove_req, &proof.req, &body);
	put_request(k, "prove", &body, &q);
	ask(k, 1, &q);
	buf_free(&body);
	buf_free(&q);
	return sp_next(&k->sp, &id, &p, &n, PATIENCE_MS) &&
	        !codec_get(&rec_reply, &reply, p, n, a, NULL) &&
	        !codec_get(&rec_prove_res, &res, reply.body.p, reply.body.n, a, NULL) ?
	    proof_end(&proof, &res, &k->proven, NULL) :
	    -1;
}

static int asker_open(struct asker *k)
{
	struct arena *a = arena_new();

	*k = (struct asker){ 0 };
	int rc = sp_open(&k->sp, url) ? 0 : -1;
	if (!rc && keyring_primary(ring))
		rc = prove(k, a);
	arena_free(a);
	return rc;
}

static int bad(const char *why, const char *rpc, const struct buf *request)
{
	fprintf(stderr, "frames: %s: %s\n", rpc, why);
	for (size_t i = 0; request && i < request->n && i < 4000; i++)
		fprintf(stderr, "%02x", (unsigned char)request->p[i]);
	fprintf(stderr, "\n");
	return -1;
}

/* Whether what came can be read: a reply, of a known code or with the RPC's record.  NULL, or why not. */
static const char *unreadable(
    const struct rpc *rpc, const char *p, size_t n, struct reply *reply, struct arena *a)
{
	struct err e = { 0 };

	if (codec_get(&rec_reply, reply, p, n, a, &e))
		return arena_printf(a, "no reply: %s", e.msg);
	if (reply->code && *reply->code)
		return strcmp(reply->code, "INTERNAL") && reply->message && *reply->message ?
		    NULL :
		    arena_printf(a, "answered %s: %s", reply->code, reply->message ? reply->message : "");
	if (rpc &&
	    codec_get(
	        rpc->res, arena_get(a, 1, rpc->res->size + 1), reply->body.p, reply->body.n, a, &e))
		return arena_printf(a, "its record: %s", e.msg);
	return NULL;
}

/* ---- fields ---- */

/* Whether the reply says what is wrong with the message, when it must. */
static const char *wrong_answer(const struct frame *w, const struct reply *r, struct arena *a)
{
	bool missing = w->how <= NIL && w->field->rule.must &&
	    (w->field->type == T_str || w->field->type == T_sub);
	const char *named = arena_printf(a, "%s.%s:", w->record->name, w->field->name);
	bool refused = r->code && !strcmp(r->code, "INVALID_INPUT");

	if (!missing ||
	    (refused && r->message && !strncmp(r->message, named, strlen(named)) && r->hint))
		return NULL;
	return arena_printf(a, "%s is missing, and the answer is %s: %s", named,
	    r->code ? r->code : "ok", r->message ? r->message : "");
}

static int ask_bent(struct asker *k, const struct rpc *rpc, struct frame *w)
{
	struct buf body = { 0 }, q = { 0 };
	struct arena *a = arena_new();
	struct reply reply;
	const char *p, *why;
	uint32_t id;
	size_t n;

	w->out = &body;
	frame_record(w, rpc->req);
	put_request(k, rpc->name, &body, &q);
	if (q.n > WIRE_REQUEST_MAX) { /* ends the connection, as `flood` plays */
		buf_free(&body), buf_free(&q);
		arena_free(a);
		return 0;
	}
	ask(k, 7, &q);
	if (!sp_next(&k->sp, &id, &p, &n, PATIENCE_MS) || id != 7)
		why = "no answer";
	else if (!(why = unreadable(rpc, p, n, &reply, a)) && w->field && strcmp(rpc->name, "prove"))
		why = wrong_answer(w, &reply, a);
	int rc = why ? bad(why, rpc->name, &q) : 0;
	buf_free(&body);
	buf_free(&q);
	arena_free(a);
	return rc;
}

static int fields(size_t largest)
{
	struct asker k;
	size_t n = 0;

	if (asker_open(&k))
		return bad("no connection", url, NULL);
	for (size_t i = 0; i < NALL; i++) {
		const struct rpc *rpc = frame_rpc(i);
		size_t all = is_asked(i) ? frame_fields(rpc->req) : 0;
		for (size_t at = 0; is_asked(i) && at <= all; at++)
			for (int how = 0; how < (at < all ? 2 * NMALFORMATIONS : 2); how++, n++) {
				struct frame w = { .at = at < all ? at : SIZE_MAX,
					.how = how / 2,
					.whole = how & 1,
					.largest = largest };
				if (ask_bent(&k, rpc, &w))
					return -1;
			}
	}
	printf("%zu messages, each answered or too large to send\n", n);
	return 0;
}

/* ---- random changes ---- */

/* Heads that lie about what follows, nests, and numbers at the edge. */
static void put_odd(uint64_t *s, struct buf *b)
{
	static const struct {
		const char *p;
		size_t n;
	} odd[] = {
		{ "\xdf\xff\xff\xff\xff", 5 },
		{ "\xdd\x7f\xff\xff\xff", 5 },
		{ "\xc6\xff\xff\xff\xf0", 5 },
		{ "\xdb\x00\x00\x10\x00", 5 },
		{ "\xdc\xff\xff", 3 },
		{ "\xde\x00\x10", 3 },
		{ "\xc1", 1 },
		{ "\xc0", 1 },
		{ "\xd9\xff", 2 },
		{ "\x80", 1 },
		{ "\x90", 1 },
		{ "\xcf\xff\xff\xff\xff\xff\xff\xff\xff", 9 },
		{ "\xd3\x80\x00\x00\x00\x00\x00\x00\x00", 9 },
		{ "\xa1\0", 2 },
		{ "\xa3\xff\xfe\xfd", 4 },
		{ "\xcb\x7f\xf0\x00\x00\x00\x00\x00\x00", 9 },
		{ "\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00", 9 },
		{ "\xc7\x05\x01", 3 },
		{ "\xff", 1 },
	};
	size_t i = random_below(s, LEN(odd) + 2);

	if (i < LEN(odd))
		buf_put(b, odd[i].p, odd[i].n);
	else
		for (size_t k = random_below(s, 300); k--;)
			buf_put(b, i == LEN(odd) ? "\x91" : "\x81\xa1k", i == LEN(odd) ? 1 : 3);
}

struct player {
	pthread_t thread;
	uint64_t seed;
	size_t count;
	const struct rpc *rpc[BATCH]; /* of what is under way; NULL: not known any more */
	struct buf request[BATCH], other;
	size_t codes[ERR_COUNT];
};

static atomic_bool ended;

/* What takes others' time is asked for once in so many times. */
static const struct {
	const char *rpc;
	size_t once_in;
} seldom[] = {
	{ "sync", 200 },
	{ "prove", 50 },
	{ "changes", 20 },
	{ "snapshot", 4 },
	{ "announce", 4 },
};

static const struct rpc *any_rpc(uint64_t *s)
{
	for (;;) {
		size_t i = random_below(s, NALL), once_in = 1;
		const struct rpc *rpc = frame_rpc(i);
		for (size_t k = 0; k < LEN(seldom); k++)
			if (!strcmp(seldom[k].rpc, rpc->name))
				once_in = seldom[k].once_in;
		if (is_asked(i) && !random_below(s, once_in))
			return rpc;
	}
}

/* A message, some of whose fields or bytes are not what they were. */
static void make(struct player *p, struct asker *k, size_t i)
{
	uint64_t *s = &p->seed;
	const struct rpc *rpc = any_rpc(s);
	size_t all = frame_fields(rpc->req);
	struct buf body = { 0 }, *q = &p->request[i];
	struct frame w = { .out = &body, .at = SIZE_MAX, .whole = random_below(s, 2), .largest = 2000 };

	if (all && random_below(s, 3) == 0) {
		w.at = random_below(s, all);
		w.how = random_below(s, NMALFORMATIONS);
	}
	frame_record(&w, rpc->req);
	for (size_t times = random_below(s, 5); times > 1 && body.n; times--)
		mutate_bytes(s, &body, &p->other, put_odd);
	q->n = 0;
	put_request(k, rpc->name, &body, q);
	p->rpc[i] = rpc;
	if (random_below(s, 8) == 0) {
		mutate_bytes(s, q, &p->other, put_odd);
		p->rpc[i] = NULL;
	}
	if (random_below(s, 16) == 0) {
		buf_free(&p->other);
		p->other = body;
		return;
	}
	buf_free(&body);
}

static int heard(struct player *p, uint32_t id, const char *bytes, size_t n)
{
	struct arena *a = arena_new();
	struct reply reply;

	if (id >= BATCH || !p->request[id].p)
		return bad("an answer to nothing", "?", NULL);
	const char *why = unreadable(p->rpc[id], bytes, n, &reply, a);
	if (!why)
		p->codes[reply.code && *reply.code ? err_code(reply.code) : 0]++;
	int rc = why ? bad(why, p->rpc[id] ? p->rpc[id]->name : "?", &p->request[id]) : 0;
	arena_free(a);
	return rc;
}

/* Write what is left of `out` as far as it goes. */
static void write_some(int fd, const struct buf *out, size_t *sent)
{
	ssize_t k = *sent < out->n ?
	    send(fd, out->p + *sent, out->n - *sent, MSG_NOSIGNAL | MSG_DONTWAIT) :
	    0;

	*sent += k > 0 ? (size_t)k : 0;
}

/* All of a batch are sent without waiting, while their answers come. */
static int play_batch(struct player *p, struct asker *k, size_t batch)
{
	struct buf out = { 0 };
	size_t sent = 0, answered = 0, n;
	const char *bytes;
	uint32_t id;
	int rc = 0;

	for (size_t i = 0; i < batch; i++) {
		make(p, k, i);
		sp_put(&k->sp, &out, (uint32_t)i, p->request[i].p, p->request[i].n);
	}
	while (!rc && answered < batch) {
		write_some(k->sp.fd, &out, &sent);
		if (sp_take(&k->sp, &id, &bytes, &n)) {
			rc = heard(p, id, bytes, n);
			answered++;
			continue;
		}
		struct pollfd f = { .fd = k->sp.fd, .events = POLLIN | (sent < out.n ? POLLOUT : 0) };
		if (poll(&f, 1, PATIENCE_MS) < 1 ||
		    (f.revents & ~POLLOUT && !sp_await(&k->sp, k->sp.in.n - k->sp.taken + 1, 1000))) {
			fprintf(stderr, "frames: %zu of %zu answers\n", answered, batch);
			rc = bad("no answer any more; the last message", "?", &p->request[batch - 1]);
		}
	}
	buf_free(&out);
	return rc;
}

static void *play(void *arg)
{
	struct player *p = arg;
	struct asker k;

	if (asker_open(&k)) {
		bad("no connection", url, NULL);
		ended = true;
		return NULL;
	}
	while (p->count && !ended) {
		size_t batch = p->count < BATCH ? p->count : BATCH;
		if (play_batch(p, &k, batch))
			ended = true;
		p->count -= batch;
	}
	sp_close(&k.sp);
	return NULL;
}

static int mutate(size_t count, const char *seed_text, size_t n)
{
	struct player *players = calloc(n, sizeof *players);
	uint64_t seed = seed_of(seed_text);
	int64_t begun = clock_ms();

	for (size_t i = 0; players && i < n; i++) {
		players[i].seed = (seed + i) * 0x9e3779b97f4a7c15 | 1;
		players[i].count = count / n + (i < count % n);
		if (pthread_create(&players[i].thread, NULL, play, &players[i]))
			abort();
	}
	for (size_t i = 0; players && i < n; i++)
		pthread_join(players[i].thread, NULL);
	if (ended)
		return -1;
	int64_t ms = clock_ms() - begun + 1;
	printf("%zu messages in %lld ms, %lld a second:", count, (long long)ms,
	    (long long)count * 1000 / (long long)ms);
	for (int c = 0; c < ERR_COUNT; c++) {
		size_t of = 0;
		for (size_t i = 0; i < n; i++)
			of += players[i].codes[c];
		if (of)
			printf(" %s=%zu", c ? err_name((enum err_code)c) : "ok", of);
	}
	printf("\n");
	return 0;
}

/* ---- below the messages ---- */

static void raw_bytes(uint64_t *s, struct buf *out)
{
	static const struct {
		const char *p;
		size_t n;
	} beginnings[] = {
		{ "\0SP\0\0\x30\0\0", 8 },
		{ "\0SP\0\0\x31\0\0", 8 },
		{ "\0SP\0\xff\xff\0\0", 8 },
		{ "GET / HTTP/1.1\r\n\r\n", 18 },
		{ "\x16\x03\x01\x02\0", 5 },
	};
	size_t i = random_below(s, LEN(beginnings) + 3);

	buf_put(
	    out, beginnings[i < LEN(beginnings) ? i : 0].p, beginnings[i < LEN(beginnings) ? i : 0].n);
	for (size_t k = random_below(s, 6); k--;) {
		struct buf m = { 0 };
		for (size_t n = random_below(s, 200); n--;)
			buf_byte(&m, (char)next_random(s));
		if (random_below(s, 2))
			buf_byte(out, 1); /* ipc */
		put_be(out, random_below(s, 3) ? m.n : next_random(s) >> random_below(s, 64), 8);
		buf_put(out, m.p, m.n);
		buf_free(&m);
	}
}

static int raw(size_t count, const char *seed_text)
{
	uint64_t seed = seed_of(seed_text);
	struct asker k;

	for (size_t i = 0; i < count; i++) {
		struct buf out = { 0 };
		bool ipc;
		int fd = sp_socket(url, &ipc);
		if (fd < 0)
			return bad("no connection", url, NULL);
		raw_bytes(&seed, &out);
		sp_write(fd, out.p, out.n);
		buf_free(&out);
		close(fd);
	}
	if (asker_open(&k))
		return bad("no connection after that", url, NULL);
	printf("%zu connections\n", count);
	return 0;
}

static int flood(size_t count, size_t bytes)
{
	struct asker k;

	for (size_t i = 0; i < count; i++) {
		struct buf q = { 0 };
		struct arena *a = arena_new();
		struct reply reply;
		const char *p, *why = "no answer";
		uint32_t id;
		size_t n;
		if (asker_open(&k))
			return bad("no connection", url, NULL);
		buf_put(&q, "\x81\xa3rpc", 5);
		put_head(&q, MP_ARRAY, bytes, 4);
		for (size_t j = 0; j < bytes; j++)
			buf_byte(&q, (char)(i % 2 ? 0x80 : 0x90));
		ask(&k, 7, &q);
		if (sp_next(&k.sp, &id, &p, &n, PATIENCE_MS))
			why = unreadable(NULL, p, n, &reply, a);
		buf_free(&q);
		arena_free(a);
		sp_close(&k.sp);
		if (why)
			return bad(why, "flood", NULL);
	}
	printf("%zu messages of %zu bytes\n", count, bytes);
	return 0;
}

static int usage(void)
{
	fprintf(stderr,
	    "frames URL fields [BYTES] | mutate COUNT [SEED] [CONNECTIONS] | raw COUNT [SEED] | flood COUNT BYTES\n");
	return 2;
}

int main(int argc, char **argv)
{
	const struct wire_trust trust = { .key = getenv("ATOLL_CLUSTER_KEY") };
	const char *what = argc > 2 ? argv[2] : "";
	size_t count = argc > 3 ? strtoull(argv[3], NULL, 10) : 0;
	const char *seed = argc > 4 && *argv[4] ? argv[4] : NULL;
	int rc;

	log_init("frames", LOG_WARN);
	ring = keyring_of(&trust);
	url = argc > 1 ? argv[1] : "";
	coordinator = getenv("COORDINATOR") != NULL;
	if (!strcmp(what, "fields"))
		rc = fields(count ? count : 1 << 20);
	else if (!strcmp(what, "mutate") && count)
		rc = mutate(count, seed, argc > 5 ? strtoull(argv[5], NULL, 10) : CONNECTIONS);
	else if (!strcmp(what, "raw") && count)
		rc = raw(count, seed);
	else if (!strcmp(what, "flood") && count && seed)
		rc = flood(count, strtoull(seed, NULL, 10));
	else
		return usage();
	fflush(stdout);
	_Exit(rc ? 1 : 0); /* what connections still hold goes with the process */
}
