/* Copies of an index and of its vectors, piece by piece: the pieces are the whole, and what another shard asks for wrongly is told. */
#include "tests/indexed_repository.h"

#include "proto/net/crypto.h"
#include "proto/record/record.h"
#include "shard/facts/facts.h"
#include "shard/handlers/rpc_handlers.h"
#include "shard/vectors/vector_file.h"

typedef int snapshot_rpc(struct shard *, struct index_reader *, const struct snapshot_req *,
    struct snapshot_res *, struct arena *, struct err *);

static struct err e;

static void make(void)
{
	run("git init -q -b main . && for i in $(seq 3000); do echo \"def waits_for_$i(x): return give_$i(x, 'text')\"; done >a.py && git add -A");
	commit_staged(1, "ann@x.example", "one");
}

static int open_with(const char *kind)
{
	const char *const options[] = { "--embedder", kind };

	e = (struct err){ 0 };
	open_repository(NULL, make, options, LEN(options));
	ingest(false);
	open_reader();
	return 0;
}

static int begin(void **state)
{
	(void)state;
	return open_with("builtin");
}

static int begin_without_vectors(void **state)
{
	(void)state;
	return open_with("none");
}

static struct snapshot_res asked(snapshot_rpc *rpc, const char *sum, uint64_t offset)
{
	const struct snapshot_req q = { .sum = sum, .offset = offset };
	struct snapshot_res out = { 0 };

	if (rpc(&s, &reader, &q, &out, a, &e))
		fail_msg("%s", e.msg);
	char hex[SHA256_HEX];
	crypto_sha256(out.chunk.p, out.chunk.n, hex);
	assert_string_equal(out.chunk_sum, hex);
	return out;
}

/* All pieces in a buffer. */
static void fetch(snapshot_rpc *rpc, struct buf *whole)
{
	struct snapshot_res first = asked(rpc, NULL, 77);

	assert_int_equal(first.offset, 0); /* of no snapshot that was named */
	assert_int_equal(first.schema, reader.info.schema);
	assert_int_equal(first.extractor, EXTRACTOR_VERSION);
	buf_put(whole, first.chunk.p, first.chunk.n);
	while (whole->n < first.size) {
		struct snapshot_res next = asked(rpc, first.sum, whole->n);
		assert_string_equal(next.sum, first.sum);
		assert_int_equal(next.size, first.size);
		assert_int_equal(next.offset, whole->n);
		assert_true(next.chunk.n > 0);
		buf_put(whole, next.chunk.p, next.chunk.n);
	}
	assert_int_equal(whole->n, first.size);
	char hex[SHA256_HEX];
	crypto_sha256(whole->p, whole->n, hex);
	assert_string_equal(first.sum, hex);
	assert_int_equal(asked(rpc, first.sum, first.size).chunk.n, 0);
	assert_int_equal(asked(rpc, "another", 5).offset, 0);
}

static void beyond_the_end(snapshot_rpc *rpc)
{
	struct snapshot_res first = asked(rpc, "", 0), out = { 0 };
	const struct snapshot_req q = { .sum = first.sum, .offset = first.size + 1 };

	assert_int_equal(rpc(&s, &reader, &q, &out, a, &e), -1);
	assert_int_equal(e.code, ERR_INVALID_INPUT);
	assert_string_equal(e.msg,
	    arena_printf(a, "offset: %llu is beyond the %llu bytes of the snapshot",
	        (unsigned long long)first.size + 1, (unsigned long long)first.size));
}

static void an_index(void **state)
{
	struct buf whole = { 0 };
	struct index_info info;

	(void)state;
	fetch(rpc_snapshot, &whole);
	assert_true(whole.n > 256 << 10); /* more than one piece */
	const char *path = arena_printf(a, "%s/copy.db", dir);
	FILE *f = fopen(path, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(whole.p, 1, whole.n, f), whole.n);
	fclose(f);
	buf_free(&whole);
	struct db *db = db_open(path, DB_READ, &e);
	assert_non_null(db);
	assert_int_equal(store_read_info(db, &info, &e), 0);
	assert_string_equal(info.commit, reader.info.commit);
	assert_string_equal(info.graph_hash, reader.info.graph_hash);
	assert_int_equal(info.symbols, reader.info.symbols);
	db_close(db);
	assert_string_equal(asked(rpc_snapshot, NULL, 0).settings, reader.info.settings);
	beyond_the_end(rpc_snapshot);
}

static void vectors(void **state)
{
	struct buf whole = { 0 };
	struct vectors *v = vectors_open(s.src.data, NULL, &e);

	(void)state;
	assert_non_null(v);
	fetch(rpc_vectors, &whole);
	assert_int_equal(whole.n, v->bytes);
	assert_memory_equal(whole.p, v->map, whole.n);
	buf_free(&whole);
	struct snapshot_res r = asked(rpc_vectors, NULL, 0);
	assert_string_equal(r.settings, v->head.settings);
	assert_string_equal(r.fingerprint, v->head.fingerprint);
	vectors_close(v);
	beyond_the_end(rpc_vectors);
}

static void no_vectors(void **state)
{
	const struct snapshot_req q = { 0 };
	struct snapshot_res out = { 0 };

	(void)state;
	assert_int_equal(rpc_vectors(&s, &reader, &q, &out, a, &e), -1);
	assert_int_equal(e.code, ERR_NO_INDEX);
	assert_string_equal(
	    e.msg, arena_printf(a, "%s/vectors.bin: No such file or directory", s.src.data));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(an_index, begin, close_repository),
		cmocka_unit_test_setup_teardown(vectors, begin, close_repository),
		cmocka_unit_test_setup_teardown(no_vectors, begin_without_vectors, close_repository),
	};

	repo_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
