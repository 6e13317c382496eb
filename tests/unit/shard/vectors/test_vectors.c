/* Vectors: the file, whatever a crash leaves of it, and the nearest documents. */
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
/* cmocka wants the above */
#include <cmocka.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "shard/index/bm25.h"
#include "shard/search/nearest_documents.h"
#include "shard/vectors/vector_file.h"
#include "shard/vectors/vector_scan.h"

enum { DIM = 96, SEGMENTS = 3, ROWS = 70 };	/* of the file that most tests begin with */

static char dir[] = "/tmp/atoll-vectors.XXXXXX";

static int setup(void **state)
{
	(void)state;
	strcpy(dir + sizeof dir - 7, "XXXXXX");
	return mkdtemp(dir) ? 0 : -1;
}

static int teardown(void **state)
{
	char cmd[100];

	(void)state;
	snprintf(cmd, sizeof cmd, "rm -rf %s", dir);
	return system(cmd);
}

static const char *file(void)
{
	static char path[100];

	snprintf(path, sizeof path, "%s/vectors.bin", dir);
	return path;
}

/* ---- the content of row `i` ---- */

static void row_of(uint32_t i, int8_t row[DIM])
{
	for (uint32_t k = 0; k < DIM; k++)
		row[k] = (int8_t)((i * 31 + k * 7) % 255 - 127);
}

static uint64_t hash_of(uint32_t i)
{
	return (uint64_t)i * 0x9e3779b97f4a7c15u >> 16;
}

static void put(struct vectors_writer *w, uint32_t from, uint32_t n)
{
	int8_t row[DIM];

	for (uint32_t i = from; i < from + n; i++) {
		row_of(i, row);
		vectors_writer_put(w, i, hash_of(i), row, 0.5f + (float)i);
	}
}

static struct vectors_head head(void)
{
	struct vectors_head h;

	memset(&h, 0, sizeof h);
	strcpy(h.index, "index-1.db");
	strcpy(h.settings, "these");
	strcpy(h.fingerprint, "test:1");
	h.dim = DIM;
	return h;
}

/* SEGMENTS of ROWS each. */
static void make(void)
{
	struct vectors_head h = head();
	struct err e = { 0 };
	struct vectors_writer *w = vectors_create(dir, &h, &e);

	assert_non_null(w);
	assert_true(access(file(), F_OK));	/* not in place yet */
	assert_int_equal(vectors_writer_publish(w, &e), 0);
	for (uint32_t s = 0; s < SEGMENTS; s++) {
		put(w, s * ROWS, ROWS);
		assert_int_equal(vectors_buffered_rows(w), ROWS);
		assert_int_equal(vectors_writer_flush(w, &e), 0);
	}
	assert_int_equal(vectors_writer_flush(w, &e), 0);
	vectors_writer_close(w);
}

/*
 * Opens the file and checks that its rows are the first ones, as they were written. Returns how
 * many.
 */
static size_t check(void)
{
	struct err e = { 0 };
	struct vectors *f = vectors_open(dir, NULL, &e);
	uint32_t next = 0;
	int8_t row[DIM];

	if (!f) {
		assert_int_equal(e.code, ERR_NO_INDEX);
		return 0;
	}
	assert_string_equal(f->head.index, "index-1.db");
	assert_string_equal(f->head.settings, "these");
	assert_string_equal(f->head.fingerprint, "test:1");
	for (size_t s = 0; s < f->n; s++)
		for (size_t i = 0; i < f->v[s].n; i++, next++) {
			row_of(next, row);
			assert_int_equal(f->v[s].docs[i], next);
			assert_true(f->v[s].hashes[i] == hash_of(next));
			assert_true(f->v[s].scales[i] == 0.5f + (float)next);
			assert_memory_equal(f->v[s].rows + i * DIM, row, DIM);
		}
	assert_int_equal(f->rows, next);
	vectors_close(f);
	return next;
}

static size_t size_of(void)
{
	struct stat st;

	assert_int_equal(stat(file(), &st), 0);
	return (size_t)st.st_size;
}

static struct buf slurp(void)
{
	struct buf b = { 0 };
	char chunk[4096];
	FILE *f = fopen(file(), "r");

	assert_non_null(f);
	for (size_t n; (n = fread(chunk, 1, sizeof chunk, f)) > 0;)
		buf_put(&b, chunk, n);
	fclose(f);
	return b;
}

/*
 * Not truncated first: ext4 would write such a file to disk each time it is closed, and there are
 * two thousand.
 */
static void spill(const char *p, size_t n)
{
	int fd = open(file(), O_WRONLY | O_CREAT, 0600);

	assert_int_equal(pwrite(fd, p, n, 0), n);
	assert_int_equal(ftruncate(fd, (off_t)n), 0);
	close(fd);
}

static void append(uint32_t from, uint32_t n)
{
	struct err e = { 0 };
	struct vectors *f = vectors_open(dir, NULL, &e);
	struct vectors_writer *w = f ? vectors_append(dir, f, &e) : NULL;

	assert_non_null(w);
	put(w, from, n);
	assert_int_equal(vectors_writer_flush(w, &e), 0);
	vectors_writer_close(w);
	vectors_close(f);
}

/* ---- the file ---- */

static void test_reads_what_was_written(void **state)
{
	struct err e = { 0 };

	(void)state;
	assert_null(vectors_open(dir, NULL, &e));
	assert_int_equal(e.code, ERR_NO_INDEX);
	make();
	assert_int_equal(check(), SEGMENTS * ROWS);
	append(SEGMENTS * ROWS, 1);
	assert_int_equal(check(), SEGMENTS * ROWS + 1);
}

static void test_unpublished_is_removed(void **state)
{
	struct vectors_head h = head();
	struct err e = { 0 };

	(void)state;
	make();
	struct vectors_writer *w = vectors_create(dir, &h, &e);
	put(w, 500, 10);
	assert_int_equal(vectors_writer_flush(w, &e), 0);
	assert_int_equal(check(), SEGMENTS * ROWS);
	vectors_writer_close(w);
	assert_int_equal(check(), SEGMENTS * ROWS);
	char path[120];
	snprintf(path, sizeof path, "%s.tmp", file());
	assert_true(access(path, F_OK));
}

/* A crash may leave any prefix of the file, and space that was never written. */
static void test_cut_anywhere(void **state)
{
	(void)state;
	make();
	struct buf all = slurp();
	size_t last = 0;

	for (size_t n = 0; n <= all.n; n += n % 64 < 3 || n % 64 > 60 ? 1 : 29) {
		spill(all.p, n);
		size_t rows = check();
		assert_true(rows % ROWS == 0 && rows >= last);
		last = rows;
		char *holes = calloc(1, all.n);
		memcpy(holes, all.p, n);
		spill(holes, all.n);
		assert_true(check() >= rows);	/* more where only zeros were lost */
		free(holes);
	}
	spill(all.p, all.n);
	assert_int_equal(check(), SEGMENTS * ROWS);
	buf_free(&all);
}

/* What a crash left is overwritten: nothing of it comes back after what is written then. */
static void test_appends_over_the_rest(void **state)
{
	(void)state;
	make();
	size_t one = 0;
	struct buf all = slurp();

	for (size_t n = 0; n < all.n && !one; n++) {
		spill(all.p, n);
		one = check() == ROWS ? n : 0;
	}
	assert_true(one > 0);
	all.p[one + 100] ^= 1;	/* the second segment is broken, the third is whole */
	spill(all.p, all.n);
	assert_int_equal(check(), ROWS);
	append(ROWS, ROWS);	/* as long as the broken one */
	assert_int_equal(check(), 2 * ROWS + ROWS);	/* the same rows, so the third fits behind them again */
	all.p[one + 100] ^= 2;
	spill(all.p, all.n);
	append(ROWS, ROWS - 1);
	assert_int_equal(check(), 2 * ROWS - 1);
	buf_free(&all);
}

static void test_a_wrong_bit_anywhere(void **state)
{
	(void)state;
	make();
	struct buf all = slurp();

	for (size_t at = 0; at < all.n; at += 1 + at % 13) {
		all.p[at] ^= (char)(1 << at % 8);
		spill(all.p, all.n);
		struct err e = { 0 };
		struct vectors *f = vectors_open(dir, NULL, &e);
		size_t rows = f ? f->rows : 0;
		vectors_close(f);
		/* padding of a head counts for nothing, all else ends the file */
		assert_true(rows % ROWS == 0);
		if (rows == SEGMENTS * ROWS)
			assert_int_equal(check(), rows);
		all.p[at] ^= (char)(1 << at % 8);
	}
	buf_free(&all);
}

/*
 * What a crash left after the last segment is overwritten by as many bytes: an earlier reader
 * notices.
 */
static void test_a_file_as_long_as_before(void **state)
{
	struct err e = { 0 };

	(void)state;
	make();
	size_t before = size_of();
	append(100, 20);
	struct buf whole = slurp();
	whole.p[before + 70] ^= 1;
	spill(whole.p, whole.n);
	struct vectors *f = vectors_open(dir, NULL, &e);
	assert_non_null(f);
	assert_true(f->bytes == before && f->mapped == whole.n && vectors_is_current(f, dir));
	clock_sleep(20);	/* a file's time has steps of some milliseconds */
	append(100, 20);
	assert_int_equal(size_of(), whole.n);
	assert_false(vectors_is_current(f, dir));
	vectors_close(f);
	buf_free(&whole);
}

static void test_mark(void **state)
{
	struct vectors_checkpoint mark = { 0 };
	struct err e = { 0 };

	(void)state;
	make();
	struct vectors *f = vectors_open(dir, &mark, &e);
	assert_int_equal(f->rows, SEGMENTS * ROWS);
	assert_true(mark.bytes == size_of() && vectors_is_current(f, dir));
	append(SEGMENTS * ROWS, 5);
	assert_false(vectors_is_current(f, dir));
	assert_int_equal(f->rows, SEGMENTS * ROWS);	/* what was mapped stays */
	struct vectors *g = vectors_open(dir, &mark, &e);
	assert_int_equal(g->rows, SEGMENTS * ROWS + 5);
	vectors_close(f);
	vectors_close(g);
	/* in the same inode another text: the mark helps nothing */
	struct buf all = slurp();
	all.p[all.n - 700] ^= 1;
	int fd = open(file(), O_RDWR);
	assert_int_equal(pwrite(fd, all.p, all.n, 0), all.n);
	close(fd);
	append(0, 1);
	mark.sum ^= 1;
	f = vectors_open(dir, &mark, &e);
	assert_true(f->rows <= SEGMENTS * ROWS + 1);
	vectors_close(f);
	buf_free(&all);
}

/* ---- the list ---- */

enum { DOCS = 2000 };

static float query[DIM];
static uint16_t lengths[DOCS];
static uint32_t hashes[DOCS];
static uint8_t priors[DOCS];
enum { FILES = 9 };
static uint32_t files[DOCS];
static float cosines[DOCS];	/* exact ones; of the rows as they are stored */

static void random_unit(float *v, unsigned *seed)
{
	double sum = 0;

	for (size_t k = 0; k < DIM; k++) {
		v[k] = (float)(rand_r(seed) % 2001 - 1000);
		sum += (double)v[k] * v[k];
	}
	for (size_t k = 0; k < DIM; k++)
		v[k] = (float)(v[k] / sqrt(sum));
}

/* Random vectors in several segments, test code and removed documents among them. */
static struct vectors *make_random(struct ranking *r)
{
	struct vectors_head h = head();
	struct err e = { 0 };
	struct vectors_writer *w = vectors_create(dir, &h, &e);
	unsigned seed = 7;
	int8_t row[DIM];
	float v[DIM], scale;

	random_unit(query, &seed);
	for (uint32_t i = 1; i < DOCS; i++) {
		lengths[i] = i % 11 ? 5 : 0;
		priors[i] = 100;
		if (i % 3 == 0)
			priors[i] = i % 2 ? 50 : 70;
		random_unit(v, &seed);
		scan_quantise(v, DIM, row, &scale);
		cosines[i] = 0;
		for (size_t k = 0; k < DIM; k++)
			cosines[i] += (float)row[k] * query[k];
		cosines[i] *= scale;
		files[i] = i % 4 ? i % FILES : FILES - 1;
		hashes[i] = (uint32_t)hash_of(i) + (i == 7);	/* 7 is another text by now */
		vectors_writer_put(w, i, hash_of(i), row, scale);
		if (i % 301 == 0)
			assert_int_equal(vectors_writer_flush(w, &e), 0);
	}
	assert_int_equal(vectors_writer_publish(w, &e), 0);
	vectors_writer_close(w);
	*r = (struct ranking){ .lengths = lengths, .priors = priors, .hashes = hashes, .files = files,
	    .n = DOCS, .nfiles = FILES };
	return vectors_open(dir, NULL, &e);
}

static int by_score(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	double d = (double)cosines[y] * priors[y] - (double)cosines[x] * priors[x];

	return (d > 0) - (d < 0);
}

static void test_list(void **state)
{
	struct arena *a = arena_new();
	struct ranking r;
	struct nearest_documents best;
	uint64_t keep[DOCS / 64 + 1] = { 0 };
	uint32_t order[DOCS], n = 0;

	(void)state;
	struct vectors *f = make_random(&r);
	assert_int_equal(f->n, 7);
	for (uint32_t i = 1; i < DOCS; i++)
		if (i % 2 && lengths[i] && i != 7)
			order[n++] = i;
	for (uint32_t i = 1; i < DOCS; i += 2)
		keep[i / 64] |= (uint64_t)1 << i % 64;
	qsort(order, n, sizeof *order, by_score);
	nearest_documents_find(f, &r, query, keep, 50, a, &best);
	assert_int_equal(best.n, 50);
	assert_int_equal(nearest_documents_count(f, &r), DOCS - 2 - (DOCS - 1) / 11);
	for (size_t i = 0; i < best.n; i++) {
		assert_int_equal(best.v[i].doc, order[i]);
		assert_float_equal(best.v[i].cosine, cosines[order[i]], 1e-4);
		assert_float_equal(best.v[i].score, cosines[order[i]] * priors[order[i]] / 100, 1e-4);
	}
	vectors_close(f);
	arena_free(a);
}

static void test_cosines_of_named_documents(void **state)
{
	struct ranking r;
	struct nearest_document v[] = {
		{ .doc = 40 }, { .doc = 3 }, { .doc = 7, .cosine = 9 }, { .doc = DOCS + 5 }, { .doc = 40 },
	};

	(void)state;
	struct vectors *f = make_random(&r);
	nearest_documents_rescore(f, &r, query, v, LEN(v));
	assert_float_equal(v[0].cosine, cosines[40] > 0 ? cosines[40] : 0, 1e-4);
	assert_float_equal(v[4].cosine, v[0].cosine, 0);
	assert_float_equal(v[1].cosine, cosines[3] > 0 ? cosines[3] : 0, 1e-4);
	assert_float_equal(v[1].score, v[1].cosine * priors[3] / 100, 1e-6);
	assert_float_equal(v[2].cosine, 9, 0);	/* another text by that id */
	assert_float_equal(v[3].cosine, 0, 0);
	vectors_close(f);
}

/*
 * All live texts of the file count; a document without a vector has the score of its file, an
 * unknown document none.
 */
static void test_what_is_around(void **state)
{
	struct arena *a = arena_new();
	struct ranking r;
	const uint64_t docs[] = { 40, 3, 7, 49, DOCS + 5 };
	double around[LEN(docs)], most = 0;

	(void)state;
	struct vectors *f = make_random(&r);
	nearest_documents_file_scores(f, &r, query, docs, LEN(docs), a, around);
	for (size_t k = 0; k + 1 < LEN(docs); k++) {
		double sum = 0, n = 0;
		for (uint32_t i = 1; i < DOCS; i++)
			if (files[i] == files[docs[k]] && lengths[i] && i != 7) {
				sum += (double)cosines[i];
				n++;
			}
		assert_float_equal(around[k], sum > 0 ? sum / n * priors[docs[k]] / 100 : 0, 1e-4);
		most = around[k] > most ? around[k] : most;
	}
	assert_true(most > 0);
	assert_float_equal(around[LEN(docs) - 1], 0, 0);
	vectors_close(f);
	arena_free(a);
}

/* ---- many segments ---- */

enum {
	MANY = 6000,	/* rows */
	PIECE = 7,	/* rows of a segment */
	NEAREST = 40	/* documents that are wanted */
};

static void write_in_pieces(uint32_t piece)
{
	struct vectors_head h = head();
	struct err e = { 0 };
	struct vectors_writer *w = vectors_create(dir, &h, &e);

	for (uint32_t at = 0; at < MANY; at += piece) {
		put(w, at, MANY - at < piece ? MANY - at : piece);
		assert_int_equal(vectors_writer_flush(w, &e), 0);
	}
	assert_int_equal(vectors_writer_publish(w, &e), 0);
	vectors_writer_close(w);
}

static void find_nearest(uint32_t question, struct nearest_document out[NEAREST])
{
	static struct {
		uint16_t lengths[MANY];
		uint8_t priors[MANY];
		uint32_t files[MANY], hashes[MANY];
		uint64_t texts[MANY];
	} of;
	struct ranking r = { of.lengths, of.priors, of.files, of.texts, of.hashes, MANY, 2, MANY, MANY,
		1, false };
	struct arena *a = arena_new();
	struct nearest_documents found;
	float direction[DIM];
	int8_t row[DIM];

	for (uint32_t i = 0; i < MANY; i++) {
		of.lengths[i] = 1;
		of.priors[i] = 100;
		of.files[i] = 1;
		of.hashes[i] = (uint32_t)hash_of(i);
	}
	row_of(question, row);
	for (size_t k = 0; k < DIM; k++)
		direction[k] = row[k] / 1e8f;	/* cosines below 1 */
	struct vectors *f = vectors_open(dir, NULL, NULL);
	assert_int_equal(f->rows, MANY);
	nearest_documents_find(f, &r, direction, NULL, NEAREST, a, &found);
	assert_int_equal(found.n, NEAREST);
	memcpy(out, found.v, NEAREST * sizeof *out);
	vectors_close(f);
	arena_free(a);
}

/* The nearest documents do not depend on the segments in which their rows are. */
static void test_many_segments_find_the_same(void **state)
{
	struct nearest_document one[4][NEAREST], many[NEAREST];

	(void)state;
	write_in_pieces(MANY);
	for (uint32_t q = 0; q < 4; q++)
		find_nearest(q * 1001, one[q]);
	write_in_pieces(PIECE);
	for (uint32_t q = 0; q < 4; q++) {
		find_nearest(q * 1001, many);
		for (size_t i = 0; i < NEAREST; i++) {
			assert_int_equal(many[i].doc, one[q][i].doc);
			assert_true(many[i].score == one[q][i].score);
		}
	}
}

static void test_segment_of_a_row(void **state)
{
	(void)state;
	write_in_pieces(PIECE);
	struct vectors *f = vectors_open(dir, NULL, NULL);
	for (size_t row = 0; row < MANY; row++) {
		size_t within = row;
		const struct vectors_segment *s = vectors_segment_of(f, &within);
		assert_true(within < s->n);
		assert_int_equal(s->docs[within], row);
	}
	vectors_close(f);
}

/* A changed text is a segment: what is written for it does not depend on the size of the file. */
static void test_when_a_file_is_scattered(void **state)
{
	(void)state;
	assert_false(vectors_is_scattered(100, 64));
	assert_true(vectors_is_scattered(100, 65));
	assert_false(vectors_is_scattered(1430000, 88 + 2000));
	assert_true(vectors_is_scattered(1430000, 88 + 4000));
	write_in_pieces(MANY);
	size_t before = size_of();
	append(MANY, 1);
	assert_true(size_of() - before <= 64 * 8 + DIM);
}

/* What the parent verified, a child need not: it reads a segment there whose checksum is wrong. */
static void test_checkpoint_of_the_parent(void **state)
{
	struct vectors_checkpoint mark = { 0 };
	char text[VECTORS_CHECKPOINT_TEXT];

	(void)state;
	assert_true(vectors_checkpoint_inherited().bytes == 0);
	make();
	vectors_close(vectors_open(dir, &mark, NULL));
	vectors_checkpoint_print(&mark, text);
	assert_int_equal(putenv(text), 0);
	struct vectors_checkpoint read = vectors_checkpoint_inherited();
	assert_memory_equal(&read, &mark, sizeof mark);
	struct buf all = slurp();
	all.p[all.n / 2] ^= 1;
	FILE *f = fopen(file(), "r+");
	assert_int_equal(fwrite(all.p, 1, all.n, f), all.n);
	fclose(f);
	struct vectors *trusting = vectors_open(dir, &read, NULL);
	assert_int_equal(trusting->rows, SEGMENTS * ROWS);
	vectors_close(trusting);
	assert_true(check() < SEGMENTS * ROWS);
	read.sum++;	/* another file of the same size */
	struct vectors *other = vectors_open(dir, &read, NULL);
	assert_true(other->rows < SEGMENTS * ROWS);
	vectors_close(other);
	buf_free(&all);
	unsetenv("ATOLL_VECTORS_VERIFIED");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_many_segments_find_the_same, setup, teardown),
		cmocka_unit_test_setup_teardown(test_segment_of_a_row, setup, teardown),
		cmocka_unit_test_setup_teardown(test_when_a_file_is_scattered, setup, teardown),
		cmocka_unit_test_setup_teardown(test_checkpoint_of_the_parent, setup, teardown),
		cmocka_unit_test_setup_teardown(test_reads_what_was_written, setup, teardown),
		cmocka_unit_test_setup_teardown(test_unpublished_is_removed, setup, teardown),
		cmocka_unit_test_setup_teardown(test_cut_anywhere, setup, teardown),
		cmocka_unit_test_setup_teardown(test_appends_over_the_rest, setup, teardown),
		cmocka_unit_test_setup_teardown(test_a_wrong_bit_anywhere, setup, teardown),
		cmocka_unit_test_setup_teardown(test_a_file_as_long_as_before, setup, teardown),
		cmocka_unit_test_setup_teardown(test_mark, setup, teardown),
		cmocka_unit_test_setup_teardown(test_list, setup, teardown),
		cmocka_unit_test_setup_teardown(test_cosines_of_named_documents, setup, teardown),
		cmocka_unit_test_setup_teardown(test_what_is_around, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
