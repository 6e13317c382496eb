/*
 * A file of another shard, fetched in pieces: from a shard that answers correctly, and from shards
 * that do not.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
/* cmocka wants the above */
#include <cmocka.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/record/codec.h"
#include "proto/record/record.h"
#include "shard/base/options.h"
#include "shard/index/index_snapshot.h"
#include "shard/index/snapshot_fetch.h"
#include "shard/vectors/vector_file.h"
#include "shard/vectors/vector_scan.h"

enum { PIECE = 10, LIMIT_S = 100 };
enum mode { GOOD, ELSEWHERE, NOTHING, OTHER_BYTES, NAMELESS, GROWS, ENDLESS, CHANGES };

static const char whole[] = "what the other shard has, in a few pieces";
static char dir[40], url[80];
static struct wire_server *server;
static enum mode mode;		/* set while nobody asks */
static int asked;
static char used[sizeof whole];

/* A record in which one field is absent, or a number. */
static const struct record *bent(const struct record *r, int at, bool absent, struct arena *a)
{
	struct record *other = arena_one(a, struct record);
	struct field *fields = arena_many(a, r->nfields + 1, struct field);

	if (at < 0 || (size_t)at >= r->nfields)
		return r;
	memcpy(fields, r->fields, r->nfields * sizeof *fields);
	fields[at].type = T_u64;
	*other = *r;
	other->fields = fields;
	if (absent)
		fields[at] = fields[--other->nfields];
	return other;
}

static int piece_bent = -1, peer_bent = -1;	/* which field of their answers */
static bool is_absent;

static void answer_piece(struct wire_request *r)
{
	struct snapshot_req q;
	char sum[SHA256_HEX], chunk_sum[SHA256_HEX];

	assert_int_equal(codec_get(&rec_snapshot_req, &q, r->body.p, r->body.n, r->a, NULL), 0);
	asked++;
	const char *text = whole;
	if (mode == CHANGES)
		text = arena_printf(r->a, "%s %d", whole, asked);
	crypto_sha256(text, strlen(text), sum);
	struct snapshot_res res = { .sum = sum, .size = strlen(text), .settings = "" };
	if (!strcmp(q.sum, sum))
		res.offset = q.offset;
	size_t left = strlen(text) - res.offset;
	res.chunk = (struct bytes){ text + res.offset, left < PIECE ? left : PIECE };
	res.offset += mode == ELSEWHERE;
	if (mode == NOTHING)
		res.chunk.n = 0;
	if (mode == ENDLESS)
		res.size += UINT64_MAX / 2;
	if (mode == GROWS) {
		res.size += (uint64_t)asked;
		res.chunk = (struct bytes){ whole, PIECE };
		res.offset = q.offset;
	}
	crypto_sha256(res.chunk.p, res.chunk.n, chunk_sum);
	if (mode == OTHER_BYTES)
		res.chunk.p = "0123456789";
	res.chunk_sum = chunk_sum;
	struct freshness stamp = { .repo_uri = "h/r", .commit = "c0ffee" };
	if (mode == NAMELESS)
		stamp.repo_uri = NULL;
	wire_answer(r, bent(&rec_snapshot_res, piece_bent, is_absent, r->a), &res, &stamp, NULL);
}

/* The coordinator and the shard in one. */
static void on_request(void *arg, struct wire_request *r)
{
	struct peers_res peers = { 0 };

	(void)arg;
	if (strcmp(r->rpc, "peers") != 0) {
		answer_piece(r);
		return;
	}
	peers.peers.v = &(struct peer){ "other", url };
	peers.peers.n = 1;
	struct field list = rec_peers_res.fields[0];
	list.of = bent(&rec_peer, peer_bent, is_absent, r->a);
	const struct record answer = { "peers_res", &list, 1, sizeof peers };
	wire_answer(r, &answer, &peers, NULL, NULL);
}

static int fits(void *ctx, const struct snapshot_res *r, const struct freshness *f, struct err *e)
{
	(void)ctx, (void)r, (void)e;
	assert_string_equal(f->repo_uri, "h/r");
	return 0;
}

static int use(void *ctx, const char *path, struct err *e)
{
	FILE *f = fopen(path, "r");

	(void)ctx, (void)e;
	assert_non_null(f);
	used[fread(used, 1, sizeof used - 1, f)] = 0;
	fclose(f);
	return 0;
}

static int fetch(enum mode how)
{
	const char *coordinators[] = { url };
	struct options o = { .coordinator = { coordinators, 1 }, .tls_ca = "", .tls_cert = "", .tls_key = "", .cluster_key = "",
		.cluster_key_file = "", .host = "here", .replica = "own" };
	struct snapshot_fetch p = { .name = "copy", .rpc = "snapshot", .dir = dir, .fits = fits, .use = use };
	struct arena *a = arena_new();

	mode = how;
	asked = 0;
	*used = 0;
	alarm(LIMIT_S);		/* one that never ends fails */
	int rc = snapshot_fetch_from_peers(&p, &o, "h/r", a);
	alarm(0);
	arena_free(a);
	return rc;
}

static void all_pieces_make_the_file(void **state)
{
	(void)state;
	assert_int_equal(fetch(GOOD), 1);
	assert_string_equal(used, whole);
	assert_int_equal(asked, (sizeof whole - 1 + PIECE - 1) / PIECE);
}

static void who_answers_wrongly_is_given_up(void **state)
{
	(void)state;
	for (enum mode how = ELSEWHERE; how <= CHANGES; how++) {
		assert_int_equal(fetch(how), 0);
		assert_string_equal(used, "");
		assert_true(asked <= 5);
	}
	assert_int_equal(fetch(GOOD), 1);
}

/*
 * If a field is absent, as from an older program, or has another type, the copy may fail, but the
 * shard survives.
 */
static void any_field_may_be_missing(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		is_absent = i;
		for (piece_bent = 0; piece_bent < (int)rec_snapshot_res.nfields; piece_bent++)
			fetch(GOOD);
		piece_bent = -1;
		for (peer_bent = 0; peer_bent < (int)rec_peer.nfields; peer_bent++)
			fetch(GOOD);
		peer_bent = -1;
	}
	assert_int_equal(fetch(GOOD), 1);
}

/* A file of vectors that fits the request, but has longer rows than any embedder makes. */
static void rows_that_are_too_long_are_refused(void **state)
{
	struct vectors_head head;
	struct err e = { 0 };

	(void)state;
	memset(&head, 0, sizeof head);
	head.dim = SCAN_DIM_MAX + 1;
	struct vectors_writer *w = vectors_create(dir, &head, &e);
	assert_non_null(w);
	assert_int_equal(vectors_writer_publish(w, &e), 0);
	vectors_writer_close(w);
	assert_null(vectors_open(dir, NULL, &e));
	assert_int_equal(e.code, ERR_NO_INDEX);
}

static int setup(void **state)
{
	struct err e = { 0 };

	(void)state;
	log_init("test", LOG_ERROR);
	strcpy(dir, "/tmp/atoll-pieces.XXXXXX");
	assert_non_null(mkdtemp(dir));
	snprintf(url, sizeof url, "ipc://%s/s", dir);
	server = wire_listen(url, &(struct wire_trust){ 0 }, 8, on_request, NULL, &e);
	return server ? 0 : -1;
}

static int teardown(void **state)
{
	char cmd[80];

	(void)state;
	wire_server_free(server);
	snprintf(cmd, sizeof cmd, "rm -rf %s", dir);
	return system(cmd);
}

/* ---- what is left of snapshots ---- */

enum { OLD_S = 1000 };
static const char *const names[] = { SNAPSHOT_PREFIX "a.db", SNAPSHOT_PREFIX "b.db", "index-1.db" };

/* Files that nobody has read for OLD_S, except for the second. */
static void make_files(void)
{
	struct timespec old[2] = { { .tv_sec = time(NULL) - OLD_S }, { .tv_sec = time(NULL) - OLD_S } };
	char path[300];

	for (size_t i = 0; i < LEN(names); i++) {
		snprintf(path, sizeof path, "%s/%s", dir, names[i]);
		fclose(fopen(path, "w"));
		if (i != 1)
			assert_int_equal(utimensat(AT_FDCWD, path, old, 0), 0);
	}
}

/* Which of the files are there, a letter each; they are deleted. */
static const char *take_files(void)
{
	static char there[LEN(names) + 1];
	char path[300];

	for (size_t i = 0; i < LEN(names); i++) {
		snprintf(path, sizeof path, "%s/%s", dir, names[i]);
		there[i] = unlink(path) ? '-' : "abi"[i];
	}
	return there;
}

static void snapshots_that_nobody_reads_go(void **state)
{
	(void)state;
	make_files();
	snapshot_sweep(dir, (int64_t)OLD_S * 1000 + 100000);
	assert_string_equal(take_files(), "abi");
	make_files();
	snapshot_sweep(dir, (int64_t)OLD_S * 1000 / 2);
	assert_string_equal(take_files(), "-bi");
	make_files();
	snapshot_sweep(dir, 0);
	assert_string_equal(take_files(), "--i");
	snapshot_sweep("/nowhere/at/all", 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_pieces_make_the_file),
		cmocka_unit_test(who_answers_wrongly_is_given_up),
		cmocka_unit_test(any_field_may_be_missing),
		cmocka_unit_test(rows_that_are_too_long_are_refused),
		cmocka_unit_test(snapshots_that_nobody_reads_go),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
