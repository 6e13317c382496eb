/* Generations of the index: written, published, read, damaged, swept; graph_hash; questions; strikes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <fcntl.h>
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
#include "proto/db/db.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "shard/index/index_writer.h"
#include "shard/facts/facts.h"
#include "shard/ingest/quarantine.h"
#include "shard/index/postings.h"
#include "proto/text/question.h"
#include "shard/index/bm25.h"
#include "shard/index/index_store.h"

static char dir[] = "/tmp/atoll-store.XXXXXX";

static int setup(void **state)
{
	(void)state;
	log_init("test", LOG_ERROR);
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

static bool there(const char *name)
{
	char path[100];

	snprintf(path, sizeof path, "%s/%s", dir, name);
	return !access(path, F_OK);
}

/* An index of `n` files, each with one function; the name of the first differs by `tag`. */
static struct index_info publish(int n, const char *tag)
{
	struct index_info info = { .generation = store_next_generation(dir), .commit = "c0ffee", .repo_uri = "h/o/r" };
	struct err e = { 0 };

	snprintf(info.file, sizeof info.file, "index-%d.db", (int)info.generation);
	struct index_writer *b = index_writer_new(dir, &info, &e);
	assert_non_null(b);
	for (int i = 0; i < n; i++) {
		char path[40], name[40];
		snprintf(path, sizeof path, "src/f%03d.py", i);
		snprintf(name, sizeof name, "run_%s", i ? "all" : tag);
		struct definition d = { .name = name, .qualified = name, .kind = "function", .start_line = 1, .end_line = 2,
			.parent = -1 };
		struct document x = { .body = "return common rare", .nbody = i ? 13 : 18, .start_line = 1, .end_line = 2 };
		struct facts f = { .lines = 2 };
		f.definitions.v = &d, f.definitions.n = 1;
		f.documents.v = &x, f.documents.n = 1;
		struct fact fact = { .side = "provides", .kind = "http", .method = "GET", .path = "/x", .framework = "t",
			.line = 1, .end_line = 1 };
		f.contracts.v = &fact, f.contracts.n = 1;
		struct indexed_file file = { path, "b10b", "python", 20, false, false };
		assert_int_equal(index_writer_add_file(b, &file, &f, &e), 0);
	}
	assert_int_equal(index_writer_add_skip(b, "a.png", "binary", 10, &e), 0);
	assert_int_equal(index_writer_publish(b, &info, NULL, NULL, 1, &e), 0);
	index_writer_free(b);
	return info;
}

static void generations(void **state)
{
	struct index_info now, one = publish(3, "a"), two;
	struct err e = { 0 };

	(void)state;
	assert_int_equal(store_current(dir, &now, &e), 0);
	assert_string_equal(now.file, "index-1.db");
	assert_int_equal(now.files, 3);
	assert_int_equal(now.symbols, 3);
	assert_int_equal(now.contracts, 3);
	assert_string_equal(now.graph_hash, one.graph_hash);
	two = publish(3, "a");
	assert_int_equal(two.generation, 2);
	assert_string_equal(two.graph_hash, one.graph_hash);
	assert_string_not_equal(publish(3, "b").graph_hash, one.graph_hash);
	assert_string_not_equal(publish(4, "a").graph_hash, one.graph_hash);
	store_sweep(dir, "index-4.db", "index-3.db");
	assert_false(there("index-1.db") || there("index-2.db"));
	assert_true(there("index-3.db") && there("index-4.db"));
	assert_int_equal(store_check(dir, "index-4.db", &e), 0);
}

static void make(const char *name)
{
	char path[100];

	snprintf(path, sizeof path, "%s/%s", dir, name);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs("x", f);
	fclose(f);
}

/* Of damaged files the newest is kept, to be looked at; nothing else that nobody reads stays. */
static void what_a_sweep_leaves(void **state)
{
	static const char *const stay[] = { "index-4.db", "index-4.db-wal", "index-4.db-shm", "index-3.db", "index-3.db-wal",
		"index-9.db.corrupt", "notes", "CURRENT" };
	static const char *const go[] = { "index-1.db.corrupt", "index-8.db.corrupt", "index-2.db", "index-2.db-wal", "index-5.db.tmp",
		"index-40.db", "index-4.db.tmp", "index-3.db-journal.tmp" };

	(void)state;
	for (size_t i = 0; i < LEN(stay); i++)
		make(stay[i]);
	for (size_t i = 0; i < LEN(go); i++)
		make(go[i]);
	store_sweep(dir, "index-4.db", "index-3.db");
	for (size_t i = 0; i < LEN(stay); i++)
		if (!there(stay[i]))
			fail_msg("%s is gone", stay[i]);
	for (size_t i = 0; i < LEN(go); i++)
		if (there(go[i]))
			fail_msg("%s is still there", go[i]);
}

/* Readers need no space for SQLite's files beside the index, and CURRENT names it only when all is there. */
static void what_publishing_leaves(void **state)
{
	struct index_info now;
	struct err e = { 0 };

	(void)state;
	publish(1, "a");
	assert_true(there("index-1.db-wal") && there("index-1.db-shm"));
	assert_false(there("index-1.db.tmp") || there("CURRENT.tmp"));
	make("index-2.db.tmp");			/* which is no index */
	assert_int_equal(store_publish(dir, "index-2.db", &e), -1);
	assert_int_equal(store_current(dir, &now, &(struct err){ 0 }), 0);
	assert_string_equal(now.file, "index-1.db");
	e = (struct err){ 0 };
	assert_int_equal(store_publish(dir, "index-3.db", &e), -1);	/* nothing was written */
	assert_int_equal(e.code, ERR_DB_ERROR);
	assert_non_null(strstr(e.msg, "index-3.db.tmp"));
}

/* A number is never used again, whatever became of the files. */
static void numbers_grow(void **state)
{
	struct err e = { 0 };

	(void)state;
	assert_int_equal(store_next_generation(dir), 1);
	publish(1, "a");
	assert_int_equal(store_next_generation(dir), 2);
	assert_int_equal(store_reserve(dir, 7, &e), 0);
	assert_int_equal(store_next_generation(dir), 8);
	assert_int_equal(store_reserve(dir, 9, &e), 0);
	assert_int_equal(store_next_generation(dir), 10);
	make("index-30.db.corrupt");
	assert_int_equal(store_next_generation(dir), 31);
}

/* A build that is abandoned leaves no files, and the last generation unchanged. */
static void abandoned(void **state)
{
	struct index_info now, info = { .generation = 2, .file = "index-2.db" };
	struct err e = { 0 };

	(void)state;
	publish(1, "a");
	struct index_writer *b = index_writer_new(dir, &info, &e);
	assert_true(there("index-2.db.tmp"));
	index_writer_free(b);
	assert_false(there("index-2.db.tmp"));
	assert_int_equal(store_current(dir, &now, &e), 0);
	assert_int_equal(now.generation, 1);
}

static void damage(void **state)
{
	struct index_info now;
	struct err e = { 0 };
	char path[100];

	(void)state;
	assert_int_equal(store_current(dir, &now, &e), -1);
	assert_int_equal(e.code, ERR_NO_INDEX);
	publish(2, "a");
	store_seal(dir, "index-1.db");
	snprintf(path, sizeof path, "%s/index-1.db", dir);
	FILE *f = fopen(path, "r+");
	fseek(f, 100, SEEK_SET);
	for (int i = 0; i < 9000; i++)
		fputc('Z', f);
	fclose(f);
	if (!store_current(dir, &now, &e))
		assert_int_equal(store_check(dir, "index-1.db", &e), -1);
	assert_int_equal(e.code, ERR_DB_ERROR);
	store_set_aside(dir, "index-1.db");
	assert_true(there("index-1.db.corrupt"));
	assert_int_equal(store_current(dir, &now, &e), -1);
	assert_int_equal(e.code, ERR_NO_INDEX);
	assert_int_equal(store_next_generation(dir), 2);

	publish(2, "a");
	snprintf(path, sizeof path, "%s/index-2.db", dir);
	struct db *db = db_open(path, DB_WRITE, &e);
	assert_int_equal(db_exec(db, "update meta set value = '77' where key = 'schema'", &e), 0);
	db_close(db);
	assert_int_equal(store_current(dir, &now, &e), -1);
	assert_int_equal(e.code, ERR_SCHEMA_MISMATCH);
	store_sweep(dir, NULL, NULL);
	assert_int_equal(store_next_generation(dir), 3);
}

/*
 * An index to which nobody has written since it was checked is not read again; here its damage has
 * the old time.
 */
static void unread(void **state)
{
	struct timespec times[2];
	struct err e = { 0 };
	struct stat st;
	char path[100];

	(void)state;
	publish(40, "a");
	snprintf(path, sizeof path, "%s/index-1.db", dir);
	assert_int_equal(store_check(dir, "index-1.db", &e), 0);
	assert_int_equal(stat(path, &st), 0);
	usleep(20000);	/* times of files go by jiffies */
	FILE *f = fopen(path, "r+");
	fseek(f, st.st_size / 2, SEEK_SET);
	for (off_t i = st.st_size / 2; i < st.st_size; i++)
		fputc('Z', f);
	fclose(f);
	assert_int_equal(store_check(dir, "index-1.db", &e), -1);
	assert_int_equal(e.code, ERR_DB_ERROR);
	times[0] = st.st_atim;
	times[1] = st.st_mtim;
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
	assert_int_equal(store_check(dir, "index-1.db", &(struct err){ 0 }), 0);
}

static struct ranking ranking;

/* The terms that are searched for, with the numbers of their documents. */
static size_t counted(const struct question *q, struct db *db, struct term_count **v, struct arena *a)
{
	struct err e = { 0 };

	*v = arena_many(a, q->nterms + 1, struct term_count);
	for (size_t i = 0; i < q->nterms; i++) {
		(*v)[i].term = q->terms[i];
		assert_int_equal(postings_count_documents(db, q->terms[i], &(*v)[i].documents, &e), 0);
	}
	return question_select_terms(q, *v, q->nterms);
}

/*
 * The terms that are searched for, with the numbers of their documents, as text; phrases in quotes.
 */
static const char *asked(const char *text, struct db *db, struct arena *a)
{
	struct question q;
	struct err e = { 0 };
	const char *out = "";

	if (question_parse(&q, text, a, &e))
		return err_name(e.code);
	struct term_count *v;
	size_t n = counted(&q, db, &v, a);
	for (size_t i = 0; i < q.nphrases; i++) {
		for (size_t k = 0; k < q.phrases[i].n; k++)
			out = arena_printf(a, "%s%s%s", out, k ? " " : "\"", q.phrases[i].word[k]);
		out = arena_printf(a, "%s\" ", out);
	}
	for (size_t i = 0; i < n; i++)
		out = arena_printf(a, "%s%s%s:%llu", out, i ? " " : "", v[i].term, (unsigned long long)v[i].documents);
	return out;
}

static void questions(void **state)
{
	struct arena *a = arena_new();
	struct question q;
	struct err e = { 0 };
	struct index_info now = publish(2500, "special");
	struct db *db = store_open(dir, now.file, &e);
	void *mem;

	(void)state;
	assert_int_equal(store_read_ranking(db, &ranking, &mem, &e), 0);
	assert_int_equal(ranking.n, 2501);
	assert_int_equal(ranking.documents, 2500);
	assert_int_equal(ranking.priors[1], 100);
	assert_true(ranking.words > 5 * 2500 && ranking.words < 15 * 2500);	/* run_all, run, all; src f000 py; return common rare */
	assert_int_equal(postings_check(db, ranking.lengths, ranking.n, &e), 0);
	assert_string_equal(asked("runSpecial", db, a), "run:2500 special:1");
	assert_string_equal(asked("how is the rare special", db, a), "rare:1 special:1");
	assert_string_equal(asked("unheard words", db, a), "");
	assert_string_equal(asked("the how", db, a), "");
	assert_string_equal(asked("a \"return common\" NEAR(", db, a), "\"return common\" return:2500 common:2500");
	assert_string_equal(asked("rare:special* -src \"", db, a), "special*:1 rare:1 src:2500");
	assert_string_equal(asked("\"\"", db, a), "INVALID_INPUT");
	assert_string_equal(asked("*", db, a), "INVALID_INPUT");
	assert_true(bm25_idf(2500, 2500) < 0.01 && bm25_idf(1, 2500) > 5);

	assert_int_equal(question_parse(&q, "where does load_users call os.path of Users", a, &e), 0);
	assert_int_equal(q.nwords, 2);
	assert_string_equal(q.words[0], "load_users");
	assert_string_equal(q.words[1], "os.path");
	assert_int_equal(question_parse(&q, "users", a, &e), 0);
	assert_int_equal(q.nwords, 1);

	struct buf big = { 0 };
	for (int i = 0; i < 2000; i++)
		buf_printf(&big, "f%03d ", i);
	assert_int_equal(question_parse(&q, big.p, a, &e), 0);
	struct term_count *v;
	assert_int_equal(counted(&q, db, &v, a), QUESTION_TERMS);
	buf_free(&big);
	free(mem);
	db_close(db);
	arena_free(a);
}

static void strikes(void **state)
{
	struct arena *a = arena_new();
	int notes = quarantine_open_notes(dir);
	struct quarantine q;

	(void)state;
	assert_int_equal(quarantine_strike(dir), 0);
	for (int crash = 1; crash <= 2; crash++) {
		quarantine_note(notes, 0, "aaaa", "src/a b.py");
		if (crash == 1)
			quarantine_note(notes, 1, "bbbb", "src/innocent.py");
		assert_int_equal(quarantine_strike(dir), crash == 1 ? 2 : 1);
	}
	q = quarantine_read(dir, a);
	assert_true(quarantine_has(&q, "aaaa"));
	assert_false(quarantine_has(&q, "bbbb"));
	quarantine_forgive(dir);
	q = quarantine_read(dir, a);
	assert_int_equal(q.n, 1);
	assert_string_equal(q.v[0].path, "src/a b.py");
	close(notes);
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(generations, setup, teardown),
		cmocka_unit_test_setup_teardown(what_a_sweep_leaves, setup, teardown),
		cmocka_unit_test_setup_teardown(what_publishing_leaves, setup, teardown),
		cmocka_unit_test_setup_teardown(numbers_grow, setup, teardown),
		cmocka_unit_test_setup_teardown(abandoned, setup, teardown),
		cmocka_unit_test_setup_teardown(damage, setup, teardown),
		cmocka_unit_test_setup_teardown(unread, setup, teardown),
		cmocka_unit_test_setup_teardown(questions, setup, teardown),
		cmocka_unit_test_setup_teardown(strikes, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
