/* Arena, buf, map, pool, options, the database, logs, cryptography, events. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* cmocka needs the headers above */
#include <cmocka.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/int_map.h"
#include "proto/base/log.h"
#include "proto/base/map.h"
#include "proto/base/thread_pool.h"
#include "proto/db/db.h"
#include "proto/net/crypto.h"
#include "proto/net/sse.h"
#include "proto/process/options.h"
#include "proto/text/text_id.h"

static void arena_keeps_what_it_gave(void **state)
{
	struct arena *a = arena_new();
	char *first = arena_str(a, "first");

	(void)state;
	for (int i = 1; i < 300; i++) {
		char *p = arena_get(a, (size_t)i * 97, 1);
		for (int k = 0; k < i * 97; k++)
			assert_int_equal(p[k], 0);
		memset(p, 0xee, (size_t)i * 97);
	}
	assert_string_equal(first, "first");
	assert_string_equal(arena_printf(a, "%s-%d", "x", 7), "x-7");
	assert_string_equal(arena_join_dotted(a, "", "b"), ".b");
	assert_string_equal(arena_join_dotted(a, "a.b", "c"), "a.b.c");
	arena_reset(a);
	assert_int_equal(arena_used(a), 0);
	arena_free(a);
}

static void base64_both_ways(void **state)
{
	(void)state;
	for (size_t n = 0; n < 40; n++) {
		struct buf b = { 0 }, back = { 0 };
		buf_base64(&b, "\xff\x00 any bytes at all, of any length\x80\x81\x82\x83\x84\x85", n);
		assert_int_equal(buf_unbase64(&back, b.p ? b.p : "", b.n), 0);
		assert_int_equal(back.n, n);
		if (n)
			assert_memory_equal(
			    back.p, "\xff\x00 any bytes at all, of any length\x80\x81\x82\x83\x84\x85", n);
		buf_free(&b);
		buf_free(&back);
	}
	struct buf bad = { 0 };
	assert_int_equal(buf_unbase64(&bad, "a*b", 3), -1);
	buf_free(&bad);
}

static void numbers_of_many(void **state)
{
	struct int_map *m = int_map_new();

	(void)state;
	for (uint64_t i = 0; i < 5000; i++) {
		uint64_t key = i % 2 ? i : i << 40;	/* also those that agree in their low bits */
		assert_null(*int_map_at(m, key));
		*int_map_at(m, key) = (void *)(uintptr_t)(i + 1);
	}
	for (uint64_t i = 0; i < 5000; i++) {
		assert_ptr_equal(*int_map_at(m, i % 2 ? i : i << 40), (void *)(uintptr_t)(i + 1));
		assert_ptr_equal(int_map_val(m, i), (void *)(uintptr_t)(i + 1));
	}
	assert_int_equal(int_map_len(m), 5000);
	int_map_free(m);
}

/* Every part matters, and no part runs into the next one. */
static void texts_have_ids(void **state)
{
	uint64_t id = text_id("abc", 1, 2, "f");

	(void)state;
	assert_true(id == text_id("abc", 1, 2, "f"));
	assert_true(id != text_id("abd", 1, 2, "f") && id != text_id("abc", 2, 2, "f") &&
	    id != text_id("abc", 1, 3, "f"));
	assert_true(id != text_id("abc", 1, 2, "g") && id != text_id("abc", 1, 2, NULL));
	assert_true(text_id("abc", 1, 2, NULL) == text_id("abc", 1, 2, ""));
	assert_true(text_id("abc", 1, 2, NULL) && text_id(NULL, 0, 0, NULL));
}

static void map_of_many(void **state)
{
	struct map *m = map_new();
	char key[32];

	(void)state;
	for (intptr_t i = 1; i <= 5000; i++) {
		snprintf(key, sizeof key, "key-%d", (int)i);
		*map_at(m, key) = (void *)i;
	}
	for (intptr_t i = 1; i <= 5000; i++) {
		snprintf(key, sizeof key, "key-%d", (int)i);
		assert_ptr_equal(map_get(m, key), (void *)i);
	}
	assert_null(map_get(m, "none"));
	assert_int_equal(map_len(m), 5000);
	assert_string_equal(map_key(m, 1), "key-2");
	map_free(m);
}

static atomic_int ran, go_on;

static void slow(void *arg)
{
	(void)arg;
	while (!go_on)
		clock_sleep(1);
	ran++;
}

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static char order[64];		/* who ran, in order; written by one thread */

static void stand_at_gate(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&gate);
	pthread_mutex_unlock(&gate);
}

static void note_turn(void *arg)
{
	size_t n = strlen(order);

	order[n] = *(const char *)arg;
}

/* A client with many jobs neither delays the others nor fills the queue. */
static void keys_of_a_pool_take_turns(void **state)
{
	struct pool *p = pool_new(1, 16);
	int taken = 0;

	(void)state;
	pthread_mutex_lock(&gate);
	assert_int_equal(pool_run(p, stand_at_gate, NULL), 0);
	clock_sleep(50);	/* its thread has it now; if not, it takes one place */
	for (int i = 0; i < 16; i++)
		taken += !pool_run_for(p, 1, note_turn, "a");
	assert_in_range(taken, 8, 9);
	assert_int_equal(pool_run_for(p, 2, note_turn, "b"), 0);
	assert_int_equal(pool_run_for(p, 2, note_turn, "b"), 0);
	assert_int_equal(pool_run_for(p, 3, note_turn, "c"), 0);
	pthread_mutex_unlock(&gate);
	pool_free(p);
	assert_memory_equal(order, "abcabaaaaaaa", (size_t)taken + 3);
}

static void pool_is_bounded_and_finishes(void **state)
{
	struct pool *p = pool_new(2, 4);
	int taken = 0;

	(void)state;
	for (int i = 0; i < 50; i++)
		taken += !pool_run(p, slow, NULL);
	assert_in_range(taken, 4, 6);	/* two at work, four in the queue */
	go_on = 1;
	pool_free(p);
	assert_int_equal(ran, taken);
}

struct o {
	opt_str name;
	opt_num count;
	opt_flag loud;
	opt_list peers;
	opt_str key_file;
	opt_secret key;
	opt_str key_path, note_file;
};

static const struct opt rows[] = {
	{ OPT_str, "name", "NAME", "anon", "TEST_OLD_NAME", "a name", offsetof(struct o, name) },
	{ OPT_num, "count", "N", "3", "", "a count", offsetof(struct o, count) },
	{ OPT_flag, "loud", "", "false", "", "a flag", offsetof(struct o, loud) },
	{ OPT_list, "the_peers", "URL", "a,b", "", "a list", offsetof(struct o, peers) },
	{ OPT_str, "key_file", "FILE", "", "", "its file", offsetof(struct o, key_file) },
	{ OPT_secret, "key", "", "", "TEST_KEY TEST_OLD_KEY", "a secret", offsetof(struct o, key) },
	/* no secrets */
	{ OPT_str, "key_path", "FILE", "/k", "", "no file of a secret", offsetof(struct o, key_path) },
	{ OPT_str, "note_file", "FILE", "/n", "", "nor is this", offsetof(struct o, note_file) },
};

static int parse_words(
    struct o *o, struct string_list *args, struct arena *a, struct err *e, char **argv)
{
	int argc = 0;

	while (argv[argc])
		argc++;
	*o = (struct o){ 0 };
	*args = (struct string_list){ 0 };
	return options_parse(rows, LEN(rows), o, "usage", argc, argv, args, a, e);
}

#define WORDS(...) ((char *[]){ "prog", __VA_ARGS__, NULL })

static void options_by_flag_environment_and_file(void **state)
{
	struct arena *a = arena_new();
	struct string_list args;
	struct err e = { 0 };
	struct o o;
	char path[] = "/tmp/atoll-test-XXXXXX";
	int fd = mkstemp(path);

	(void)state;
	assert_int_equal(
	    parse_words(&o, &args, a, &e, WORDS("one", "--count", "5", "--loud", "two", "--", "--x")),
	    0);
	assert_string_equal(o.name, "anon");
	assert_int_equal(o.count, 5);
	assert_true(o.loud);
	assert_int_equal(o.peers.n, 2);
	assert_int_equal(args.n, 3);
	assert_string_equal(args.v[2], "--x");

	assert_int_equal(
	    parse_words(&o, &args, a, &e, WORDS("--the-peers", "x,y", "--the-peers=z")), 0);
	assert_int_equal(o.peers.n, 2);
	assert_string_equal(o.peers.v[1], "z");

	dprintf(fd, "# comment\nname = from file\ncount=9\nkey = hush\n");
	setenv("ATOLL_COUNT", "8", 1);
	setenv("TEST_OLD_NAME", "old", 1);
	assert_int_equal(parse_words(&o, &args, a, &e, WORDS("--config", path)), 0);
	assert_string_equal(o.name, "old");
	assert_int_equal(o.count, 8);
	assert_string_equal(o.key, "hush");
	unsetenv("ATOLL_COUNT");
	unsetenv("TEST_OLD_NAME");

	assert_int_equal(parse_words(&o, &args, a, &e, WORDS("--count", "many")), -1);
	assert_non_null(strstr(e.msg, "many"));
	assert_int_equal(parse_words(&o, &args, a, &e, WORDS("--nope")), -1);
	assert_string_equal(e.msg, "no option `--nope`");
	assert_int_equal(parse_words(&o, &args, a, &e, WORDS("--conut=3")), -1);
	assert_string_equal(e.msg, "no option `--conut`; did you mean `--count`?");
	assert_int_equal(parse_words(&o, &args, a, &e, WORDS("--key", "x")), -1);
	assert_non_null(strstr(e.msg, "set it in the environment"));
	assert_int_equal(parse_words(&o, &args, a, &e, WORDS("--name")), -1);
	assert_int_equal(parse_words(&o, &args, a, &e, WORDS("one", "-h")), 1);
	close(fd);
	unlink(path);
	arena_free(a);
}

/* ATOLL_ variables override those of other programs, even if they are empty. */
static void own_variables_win(void **state)
{
	static const struct { const char *own, *first, *second, *want, *from; } cases[] = {
		{ "own", "first", "second", "own", "ATOLL_KEY" },
		{ "own", "", NULL, "own", "ATOLL_KEY" },
		{ "", "first", "second", "", NULL },
		{ NULL, "first", "second", "first", "TEST_KEY" },
		{ NULL, "", "second", "", NULL },
		{ NULL, NULL, "second", "second", "TEST_OLD_KEY" },
		{ NULL, NULL, NULL, "", NULL },
	};
	struct arena *a = arena_new();

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++) {
		const char *const names[] = { "ATOLL_KEY", "TEST_KEY", "TEST_OLD_KEY" };
		const char *const values[] = { cases[i].own, cases[i].first, cases[i].second };
		struct string_list args;
		struct err e = { 0 };
		struct o o;
		size_t n;
		for (size_t k = 0; k < LEN(names); k++)
			if (values[k])
				setenv(names[k], values[k], 1);
		assert_int_equal(parse_words(&o, &args, a, &e, WORDS("x")), 0);
		assert_string_equal(o.key, cases[i].want);
		const struct secret_origin *v = options_list_secrets(rows, LEN(rows), &o, &n, a);
		assert_int_equal(n, cases[i].from ? 1 : 0);
		if (n) {
			assert_string_equal(v->secret, "key");
			assert_string_equal(v->from, cases[i].from);
		}
		for (size_t k = 0; k < LEN(names); k++)
			unsetenv(names[k]);
	}
	arena_free(a);
}

/* A file named by an option overrides a variable, and the origin names that option. */
static void files_of_secrets_win(void **state)
{
	struct arena *a = arena_new();
	struct string_list args;
	struct err e = { 0 };
	struct o o;
	size_t n;

	(void)state;
	setenv("ATOLL_KEY", "own", 1);
	assert_int_equal(parse_words(&o, &args, a, &e, WORDS("--key-file", "/a")), 0);
	const struct secret_origin *v = options_list_secrets(rows, LEN(rows), &o, &n, a);
	assert_int_equal(n, 1);
	assert_string_equal(v->secret, "key");
	assert_string_equal(v->from, "--key-file");
	setenv("ATOLL_KEY_FILE", "/b", 1);
	assert_int_equal(parse_words(&o, &args, a, &e, WORDS("x")), 0);
	assert_string_equal(options_list_secrets(rows, LEN(rows), &o, &n, a)->from, "ATOLL_KEY_FILE");
	assert_int_equal(n, 1);
	unsetenv("ATOLL_KEY_FILE");
	unsetenv("ATOLL_KEY");
	arena_free(a);
}

/* Errors in a file name the line and the option. */
static void faults_of_a_file(void **state)
{
	static const struct { const char *text, *told; } cases[] = {
		{ "name = x\nkey_ = 1\n", ":2: no option `key_`; did you mean `key`?" },
		{ "\n\ncount = many\n", ":3: count: `many` is not a whole number" },
		{ "count 5\n", ":1: not `option = value`: count 5" },
		{ "count = 5 \t\r\n", NULL },
	};

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++) {
		struct arena *a = arena_new();
		struct string_list args;
		struct err e = { 0 };
		struct o o;
		char path[] = "/tmp/atoll-test-XXXXXX";
		int fd = mkstemp(path);
		dprintf(fd, "%s", cases[i].text);
		close(fd);
		assert_int_equal(
		    parse_words(&o, &args, a, &e, WORDS("--config", path)), cases[i].told ? -1 : 0);
		assert_string_equal(
		    e.msg, cases[i].told ? arena_printf(a, "%s%s", path, cases[i].told) : "");
		unlink(path);
		arena_free(a);
	}
}

static void guard_stops_a_runaway(void **state)
{
	static const char forever[] =
	    "with recursive n(i) as (select 1 union all select i+1 from n) select count(*) from n";
	struct err e = { 0 };
	struct db *d = db_open(":memory:", DB_CREATE, &e);
	atomic_int cancelled = 0;
	int64_t t = clock_ms();

	(void)state;
	db_set_interrupt(d, &cancelled, t + 100);
	assert_int_equal(db_step(db_prep(d, forever, &e), &e), -1);
	assert_int_equal(e.code, ERR_UNAVAILABLE);
	assert_in_range(clock_ms() - t, 90, 20000);
	cancelled = 1;
	db_set_interrupt(d, &cancelled, 0);
	assert_int_equal(db_step(db_prep(d, forever, &e), &e), -1);
	db_set_interrupt(d, NULL, 0);
	assert_int_equal(db_exec(d, "select 1", &e), 0);
	db_close(d);
}

static void db_errors_have_their_code(void **state)
{
	struct err e = { 0 };

	(void)state;
	assert_null(db_open("/no/such/dir/x.db", DB_READ, &e));
	assert_int_equal(e.code, ERR_NOT_FOUND);
	struct db *d = db_open(":memory:", DB_CREATE, &e);
	assert_int_equal(db_exec(d, "selekt", &e), -1);
	assert_int_equal(e.code, ERR_DB_ERROR);
	assert_null(db_prep(d, "select * from none", &e));
	db_close(d);
}

static void errors_and_logs(void **state)
{
	struct err e = { 0 };

	(void)state;
	assert_int_equal(err_set(&e, ERR_AMBIGUOUS_REPO, "%d fit", 3), -1);
	assert_string_equal(e.hint, "Retry with repo_uri=<one of above>");
	err_add(&e, "pick %s", "api");
	assert_string_equal(e.msg, "pick api: 3 fit");
	for (int i = 0; i < ERR_COUNT; i++)
		assert_int_equal(err_code(err_name((enum err_code)i)), i);
	assert_int_equal(err_code("nonsense"), ERR_INTERNAL);
	assert_string_equal(log_quote("plain"), "plain");
	assert_string_equal(log_quote("a \"b\"\n"), "\"a \\\"b\\\"\\n\"");
	assert_string_equal(log_quote(""), "\"\"");
}

static void crypto(void **state)
{
	char hex[SHA256_HEX], r1[33], r2[33];

	(void)state;
	crypto_sha256("abc", 3, hex);
	assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	crypto_random_hex(r1, 16);
	crypto_random_hex(r2, 16);
	assert_string_not_equal(r1, r2);
	assert_int_equal(strlen(r1), 32);
	assert_true(crypto_equal_strings("k", "k"));
	assert_false(crypto_equal_strings("k", "kk") || crypto_equal_strings("k", NULL) ||
	    crypto_equal_strings(NULL, NULL));
}

static void keep_event(void *arg, const char *data)
{
	buf_printf(arg, "[%s]", data);
}

static void events_come_in_pieces(void **state)
{
	static const char stream[] =
	    ": hello\nid: 1-0\nretry: 500\ndata: \n\nevent: message\r\nid:1-1\r\ndata: {\"a\":1}\r\n\r\ndata:x\ndata: y\nnothing\n\n"
	    "id: 1-2\ndata: half";

	(void)state;
	for (size_t step = 1; step < sizeof stream; step++) {
		struct buf got = { 0 };
		struct sse_parser e = { .event = keep_event, .arg = &got };
		for (size_t at = 0; at < sizeof stream - 1; at += step)
			assert_int_equal(sse_parser_feed(&e, stream + at,
			                     step < sizeof stream - 1 - at ? step : sizeof stream - 1 - at),
			    0);
		assert_string_equal(got.p, "[{\"a\":1}][x\ny]");
		assert_string_equal(e.id, "1-1");	/* of the last event that is whole */
		sse_parser_free(&e);
		buf_free(&got);
	}
}

/* A line or an event that does not end ends the stream, before it is stored. */
static void events_have_a_size(void **state)
{
	enum { MOST = 64 << 20 };
	struct buf got = { 0 };
	struct sse_parser e = { .event = keep_event, .arg = &got };
	char *zeros = xcalloc(MOST + 1, 1);

	(void)state;
	assert_int_equal(sse_parser_feed(&e, zeros, MOST + 1), -1);
	assert_int_equal(e.line.n, 0);
	assert_int_equal(sse_parser_feed(&e, "data: a\n\n", 9), 0);
	assert_string_equal(got.p, "[a]");
	e.data.n = MOST + 1;	/* as if so much had come */
	assert_int_equal(sse_parser_feed(&e, "b", 1), -1);
	e.data.n = 0;
	free(zeros);
	sse_parser_free(&e);
	buf_free(&got);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arena_keeps_what_it_gave),
		cmocka_unit_test(base64_both_ways),
		cmocka_unit_test(map_of_many),
		cmocka_unit_test(numbers_of_many),
		cmocka_unit_test(texts_have_ids),
		cmocka_unit_test(pool_is_bounded_and_finishes),
		cmocka_unit_test(keys_of_a_pool_take_turns),
		cmocka_unit_test(options_by_flag_environment_and_file),
		cmocka_unit_test(own_variables_win),
		cmocka_unit_test(files_of_secrets_win),
		cmocka_unit_test(faults_of_a_file),
		cmocka_unit_test(guard_stops_a_runaway),
		cmocka_unit_test(db_errors_have_their_code),
		cmocka_unit_test(errors_and_logs),
		cmocka_unit_test(crypto),
		cmocka_unit_test(events_come_in_pieces),
		cmocka_unit_test(events_have_a_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
