/* What callers of the smallest parts rely on, at their limits: buffers, arenas, errors, log lines, times, compression, pools. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
/* cmocka wants the above */
#include <cmocka.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/deflate.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/int_map.h"
#include "proto/base/log.h"
#include "proto/base/map.h"
#include "proto/base/redact.h"
#include "proto/base/thread_pool.h"

static struct arena *a;

/* What the function writes to standard error, in a process of its own, which ends with *status. */
static const char *said_by(void (*f)(void), int *status)
{
	static char text[8192];
	int p[2];

	fflush(stdout);
	fflush(stderr);
	assert_int_equal(pipe(p), 0);
	pid_t pid = fork();
	if (!pid) {
		dup2(p[1], STDERR_FILENO);
		signal(SIGABRT, SIG_DFL);
		f();
		_exit(0);
	}
	close(p[1]);
	size_t n = 0;
	for (ssize_t got; n < sizeof text - 1 && (got = read(p[0], text + n, sizeof text - 1 - n)) > 0;)
		n += (size_t)got;
	text[n] = 0;
	close(p[0]);
	assert_int_equal(waitpid(pid, status, 0), pid);
	return text;
}

static void numbers_in_buffers(void **state)
{
	static const struct {
		uint64_t n;
		const char *text;
	} numbers[] = { { 0, "0" }, { 9, "9" }, { 10, "10" }, { 109, "109" },
		{ UINT64_MAX, "18446744073709551615" } };
	struct buf b = { 0 };

	(void)state;
	for (size_t i = 0; i < LEN(numbers); i++) {
		b.n = 0;
		buf_u64(&b, numbers[i].n);
		assert_string_equal(b.p, numbers[i].text);
		assert_int_equal(b.n, strlen(numbers[i].text));
	}
	buf_free(&b);
	assert_null(b.p);
}

static void base64(void **state)
{
	static const struct {
		const char *text, *base64;
	} codes[] = { { "", "" }, { "f", "Zg==" }, { "fo", "Zm8=" }, { "foo", "Zm9v" },
		{ "foob", "Zm9vYg==" }, { "\xff\xfe\xfb", "//77" } };
	struct buf b = { 0 };

	(void)state;
	for (size_t i = 0; i < LEN(codes); i++) {
		struct buf out = { 0 }, back = { 0 };
		buf_base64(&out, codes[i].text, strlen(codes[i].text));
		assert_int_equal(out.n, strlen(codes[i].base64));
		if (out.n)
			assert_memory_equal(out.p, codes[i].base64, out.n);
		assert_int_equal(buf_unbase64(&back, codes[i].base64, strcspn(codes[i].base64, "=")),
		    0); /* without padding, too */
		assert_int_equal(back.n, strlen(codes[i].text));
		buf_free(&out);
		buf_free(&back);
	}
	assert_int_equal(buf_unbase64(&b, "====", 4), 0);
	assert_int_equal(b.n, 0);
	assert_int_equal(buf_unbase64(&b, "Zg\0=", 4), -1);
	assert_int_equal(buf_unbase64(&b, "Z=g=", 4), -1);
	buf_free(&b);
}

/* Texts that just fit, and those that just do not. */
static void texts_in_buffers(void **state)
{
	(void)state;
	for (int n = 0; n < 600; n++) {
		struct buf c = { 0 };
		buf_printf(&c, "%*s", n, "x");
		assert_int_equal(c.n, n ? n : 1);
		assert_int_equal(strlen(c.p), c.n);
		buf_printf(&c, "%*s|", n, "y");
		assert_int_equal(strlen(c.p), c.n);
		assert_int_equal(c.p[c.n - 1], '|');
		buf_put(&c, NULL, 0);
		assert_int_equal(strlen(c.p), c.n);
		buf_free(&c);
	}
}

static void growing_arrays(void **state)
{
	size_t cap = 0;
	uint64_t *v = NULL;

	(void)state;
	for (size_t i = 0; i < 1000; i++) {
		v = grow(v, &cap, i + 1, sizeof *v);
		assert_true(cap > i);
		v[i] = i;
	}
	assert_true(cap < 4000); /* in proportion */
	for (size_t i = 0; i < 1000; i++)
		assert_int_equal(v[i], i);
	uint64_t *same = grow(v, &cap, cap, sizeof *v);
	assert_ptr_equal(same, v);
	free(v);
}

static void huge_array(void)
{
	size_t cap = 0;

	grow(NULL, &cap, SIZE_MAX / 4, 4);
}

static void arena_without_end(void)
{
	arena_get(a, SIZE_MAX / 4, 4);
}

static void arena_with_a_limit(void)
{
	struct arena *own = arena_new();

	arena_set_limit(own, 4096);
	for (int i = 0; i < 4; i++)
		arena_get(own, 1000, 1); /* still fits */
	fputs("so far; ", stderr);
	arena_get(own, 4096, 1);
}

static void no_reason(void)
{
	die("a reason");
}

static void programs_that_cannot_go_on(void **state)
{
	static const struct {
		void (*f)(void);
		const char *said;
	} rows[] = {
		{ no_reason, "atoll: a reason\n" },
		{ huge_array, "atoll: out of memory: an array exceeds the address space\n" },
		{ arena_without_end,
		    "atoll: out of memory: an arena allocation exceeds the address space\n" },
		{ arena_with_a_limit, "so far; atoll: an arena outgrew its limit\n" },
	};

	(void)state;
	for (size_t i = 0; i < LEN(rows); i++) {
		int status;
		assert_string_equal(said_by(rows[i].f, &status), rows[i].said);
		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), SIGABRT);
	}
	free(xmalloc(0));
	free(xcalloc(0, 8));
	free(xrealloc(NULL, 8));
	char *copy = xstrdup("x");
	assert_string_equal(copy, "x");
	free(copy);
}

static void arenas(void **state)
{
	struct arena *own = arena_new();

	(void)state;
	assert_int_equal(arena_used(own), 0);
	assert_non_null(arena_get(own, 0, 8));
	assert_int_equal(arena_used(own), 0);
	assert_string_equal(arena_strn(own, "abc", 2), "ab");
	assert_int_equal(arena_used(own), 16);
	assert_string_equal(arena_strn(own, "0123456789abcdef", 16), "0123456789abcdef");
	assert_int_equal(arena_used(own), 48); /* rounded up */
	assert_null(arena_str(own, NULL));
	assert_string_equal(arena_strn(own, NULL, 0), "");
	assert_true(
	    (uintptr_t)arena_get(own, 3, 1) % 16 == 0 && (uintptr_t)arena_get(own, 3, 1) % 16 == 0);
	assert_null(arena_truncation_reason(own));
	arena_set_truncated(own, "first");
	arena_set_truncated(own, "second");
	assert_string_equal(arena_truncation_reason(own), "first");
	arena_reset(own);
	assert_null(arena_truncation_reason(own));
	assert_int_equal(arena_used(own), 0);
	for (int n = 0; n < 3000;
	     n++) { /* texts that fill the rest of a chunk, and those that do not */
		char *s = arena_printf(own, "%*s", n, "");
		assert_int_equal(strlen(s), n);
		s[n] = 'x';
		assert_int_equal(s[n], 'x');
	}
	char *kept = arena_str(own, "kept");
	memset(arena_get(own, 3 << 20, 1), 1, 3 << 20);
	assert_string_equal(kept, "kept");
	arena_reset(own);
	arena_free(own);
	arena_free(NULL);
}

static void maps(void **state)
{
	struct map *m = map_new();
	struct int_map *k = int_map_new();

	(void)state;
	assert_null(map_get(m, ""));
	*map_at(m, "") = m;
	assert_ptr_equal(map_get(m, ""), m);
	assert_ptr_equal(map_val(m, 0), m);
	assert_int_equal(map_len(m), 1);
	assert_null(*map_at(m, "b"));
	assert_int_equal(map_len(m), 2); /* a slot is a key, though without a value */
	*map_at(m, "") = NULL;
	assert_null(map_get(m, ""));
	assert_int_equal(map_len(m), 2);
	assert_null(int_map_get(k, 0));
	*int_map_at(k, 0) = k;
	*int_map_at(k, UINT64_MAX) = m;
	assert_ptr_equal(int_map_get(k, 0), k);
	assert_ptr_equal(int_map_get(k, UINT64_MAX), m);
	assert_null(int_map_get(k, 1));
	assert_int_equal(int_map_len(k), 2);
	map_free(m);
	map_free(NULL);
	int_map_free(k);
	int_map_free(NULL);
}

static void errors(void **state)
{
	struct err e = { .retry_after_ms = 7 };
	char large[400];

	(void)state;
	assert_int_equal(err_set(NULL, ERR_INTERNAL, "x"), -1);
	assert_int_equal(err_add(NULL, "x"), -1);
	assert_int_equal(err_hint(NULL, "x"), -1);
	assert_int_equal(err_set(&e, ERR_RATE_LIMITED, "%d", 5), -1);
	assert_int_equal(e.code, ERR_RATE_LIMITED);
	assert_int_equal(e.retry_after_ms, 0);
	assert_string_equal(e.msg, "5");
	assert_int_equal(err_hint(&e, "do %s", "it"), -1);
	assert_string_equal(e.hint, "do it");
	memset(large, 'h', sizeof large - 1);
	large[sizeof large - 1] = 0;
	assert_int_equal(err_set(&e, ERR_INTERNAL, "%s", large), -1);
	assert_int_equal(strlen(e.msg), 239);
	assert_int_equal(err_add(&e, "%s", large), -1);
	assert_int_equal(strlen(e.msg), 120 + 2 + 116);
	assert_int_equal(err_http(ERR_NONE), 200);
	assert_int_equal(err_http(ERR_NOT_FOUND), 404);
	assert_int_equal(err_http(ERR_COUNT), 500);
	assert_string_equal(err_name(ERR_NONE), "");
	assert_string_equal(err_name(ERR_COUNT), "INTERNAL");
	assert_string_equal(err_name(ERR_UNAVAILABLE), "UNAVAILABLE");
	assert_int_equal(err_code(""), ERR_NONE);
	assert_int_equal(err_code(NULL), ERR_INTERNAL);
	assert_int_equal(err_code("FORBIDDEN"), ERR_FORBIDDEN);
	assert_int_equal(err_exit(&(struct err){ 0 }), 0);
}

static void log_lines(void)
{
	struct err e = { 0 };
	char large[3000];

	log_init("p", LOG_INFO);
	log_at(LOG_DEBUG, "not", "x=%d", 1);
	log_at(LOG_INFO, "one", "x=%d", 1);
	log_set_request("r1");
	log_at(LOG_WARN, "two", "y=%s", "a\tb\033\n");
	log_set_request(NULL);
	err_set(&e, ERR_NOT_FOUND, "no \"x\"");
	if (err_exit(&e) != 1)
		abort();
	memset(large, 'z', sizeof large - 1);
	large[sizeof large - 1] = 0;
	log_at(LOG_ERROR, "long", "%s", large);
	log_at(LOG_ERROR, "last", "%s", "");
}

static void logs(void **state)
{
	int status;
	char *text = arena_str(a, said_by(log_lines, &status)), *lines[8] = { 0 };
	size_t n = 0;
	struct err e = { 0 };

	(void)state;
	for (char *p = strtok(text, "\n"); p && n < LEN(lines); p = strtok(NULL, "\n"))
		lines[n++] = p;
	assert_int_equal(n, 5);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(lines[i][10], 'T');
		assert_int_equal(lines[i][23], 'Z');
	}
	assert_string_equal(lines[0] + 24, " info p one x=1");
	assert_string_equal(lines[1] + 24, " warn p two req=r1 y=a\tb\\x1b\\n");
	assert_string_equal(lines[2] + 24,
	    " error p exit code=NOT_FOUND message=\"no \\\"x\\\"\" hint=\"`atoll repo list` and `atoll group list` show what exists.\"");
	assert_int_equal(strlen(lines[3]), 2046);
	assert_string_equal(lines[4] + 24, " error p last ");

	static const struct {
		const char *text, *quoted;
	} quotes[] = { { NULL, "\"\"" }, { "a=b", "a=b" }, { "a b", "\"a b\"" }, { "a\\", "\"a\\\\\"" },
		{ "\x7f", "\"\\x7f\"" }, { "é", "\"é\"" }, { "\xc3", "\"\\xc3\"" } };
	for (size_t i = 0; i < LEN(quotes); i++)
		assert_string_equal(log_quote(quotes[i].text), quotes[i].quoted);
	const char *slots[8];
	for (int i = 0; i < 8; i++)
		slots[i] = log_quote(arena_printf(a, "%d ", i));
	for (int i = 0; i < 8; i++) /* eight may be used at once */
		assert_string_equal(slots[i], arena_printf(a, "\"%d \"", i));
	char large[1000];
	for (size_t len = 400; len < 600; len++) {
		memset(large, ' ', len);
		large[len] = 0;
		size_t got = strlen(log_quote(large));
		assert_true(got <= 511 && got > 390);
	}
	memset(large, 'p', 600);
	large[511] = 0;
	assert_ptr_equal(log_quote(large), large);
	large[511] = 'p';
	large[512] = 0;
	assert_ptr_not_equal(log_quote(large), large);
	static const char *const names[] = { "debug", "info", "warn", "error" };
	for (int i = 0; i < 4; i++) {
		assert_int_equal(log_level(names[i]), i);
		assert_int_equal(log_check_level(names[i], &e), 0);
	}
	assert_int_equal(log_level("none"), LOG_INFO);
	assert_int_equal(log_level(NULL), LOG_INFO);
	assert_int_equal(log_check_level("none", &e), -1);
	assert_string_equal(e.msg, "--log-level `none`: use debug, info, warn or error");
}

static void times(void **state)
{
	static const struct {
		int64_t ms;
		const char *iso;
	} rows[] = { { 0, "1970-01-01T00:00:00.000Z" }, { 999, "1970-01-01T00:00:00.999Z" },
		{ 1000, "1970-01-01T00:00:01.000Z" }, { 951827696789, "2000-02-29T12:34:56.789Z" },
		{ 951827696012, "2000-02-29T12:34:56.012Z" }, { 4102444800005, "2100-01-01T00:00:00.005Z" },
		{ 60, "1970-01-01T00:00:00.060Z" } };
	char iso[CLOCK_ISO], later[CLOCK_ISO];

	(void)state;
	for (size_t i = 0; i < LEN(rows); i++) {
		clock_iso_at(rows[i].ms, iso);
		assert_string_equal(iso, rows[i].iso);
	}
	clock_iso_at(clock_real_ms() + 3600000, later);
	clock_iso_in(3600, iso);
	assert_true(strcmp(iso, later) >= 0 && strncmp(iso, later, 13) >= 0);
	clock_iso(iso);
	assert_true(strcmp(iso, later) < 0);
	int64_t us = clock_us(), ms = clock_ms();
	assert_in_range(ms - us / 1000, 0, 10000);
	clock_sleep(0);
	clock_sleep(-5);
	clock_sleep(30);
	assert_in_range(clock_ms() - ms, 30, 20000);
	for (int64_t wait = 1; wait < 4000; wait += 333) {
		int64_t now = clock_ms();
		struct timespec t = clock_deadline(wait);
		assert_true(t.tv_nsec >= 0 && t.tv_nsec < 1000000000);
		assert_in_range(t.tv_sec * 1000 + t.tv_nsec / 1000000 - now, wait, wait + 10000);
	}
	pthread_cond_t cond;
	pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	clock_init_cond(&cond); /* waits by the same clock */
	struct timespec t = clock_deadline(40);
	ms = clock_ms();
	pthread_mutex_lock(&lock);
	while (!pthread_cond_timedwait(&cond, &lock, &t))
		;
	pthread_mutex_unlock(&lock);
	assert_in_range(clock_ms() - ms, 39, 20000);
	pthread_cond_destroy(&cond);
}

static void compression(void **state)
{
	static const size_t sizes[] = { 0, 1, 255, 256, 65536, 300000 };
	char *text = calloc(1, 300000);
	size_t n;

	(void)state;
	for (size_t i = 0; i < LEN(sizes); i++)
		for (int how = 0; how < DEFLATE_LEVELS; how++) {
			struct buf b = { 0 };
			for (size_t k = 0; k < sizes[i]; k++)
				text[k] = (char)(k * 7 % 251);
			deflate_put(&b, (enum deflate_level)how, sizes[i] ? text : NULL, sizes[i]);
			char *back = deflate_get(b.p, b.n, sizes[i], a, &n);
			assert_non_null(back);
			assert_int_equal(n, sizes[i]);
			assert_memory_equal(back, text, n);
			assert_int_equal(back[n], 0);
			if (sizes[i])
				assert_null(deflate_get(b.p, b.n, sizes[i] - 1, a, &n)); /* more than the limit */
			assert_null(deflate_get(b.p, b.n - 1, 1 << 20, a, &n));
			assert_null(deflate_get(b.p, 3, 1 << 20, a, &n));
			b.p[0] ^= 1;
			assert_null(deflate_get(b.p, b.n, 1 << 20, a, &n)); /* another size */
			buf_free(&b);
		}
	assert_null(
	    deflate_get("\xff\xff\xff\x7f....", 8, SIZE_MAX, a, &n)); /* no so few bytes hold so many */
	free(text);
}

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static int ran;

static void wait_at_gate(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&gate);
	ran++;
	pthread_mutex_unlock(&gate);
}

static void pools(void **state)
{
	struct pool *p = pool_new(1, 3);

	(void)state;
	assert_int_equal(pool_waiting(p), 0);
	assert_int_equal(pool_started_jobs(p), 0);
	pthread_mutex_lock(&gate);
	assert_int_equal(pool_run(p, wait_at_gate, NULL), 0);
	while (pool_started_jobs(p) < 1)
		clock_sleep(1);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(pool_waiting(p), i);
		assert_int_equal(pool_run(p, wait_at_gate, NULL), 0);
	}
	assert_int_equal(pool_run(p, wait_at_gate, NULL), -1); /* it is full */
	assert_int_equal(pool_run_for(p, 1, wait_at_gate, NULL), -1);
	pthread_mutex_unlock(&gate);
	while (pool_started_jobs(p) < 4)
		clock_sleep(1);
	assert_int_equal(pool_waiting(p), 0);
	assert_int_equal(pool_run_for(p, 5, wait_at_gate, NULL), 0);
	pool_free(p);
	assert_int_equal(ran, 5); /* what waits is done before it ends */
	pool_free(NULL);
}

static void secrets_in_texts(void **state)
{
	static const struct {
		const char *text, *shown;
	} rows[] = { { "", "" }, { "a@b", "a@b" }, { "x://u:p@h/a@b", "x://h/a@b" },
		{ "x://h/u@k", "x://h/u@k" }, { "'x://t@h' \"y://u@k\"", "'x://h' \"y://k\"" },
		{ "x://u@\ty://v@h", "x://\ty://h" }, { "x://", "x://" }, { "://@", "://" },
		{ "x:/u@h", "x:/u@h" }, { "x://a@b@c\nd@e", "x://c\nd@e" } };

	(void)state;
	for (size_t i = 0; i < LEN(rows); i++)
		assert_string_equal(uri_redact(rows[i].text, a), rows[i].shown);
}

static int setup(void **state)
{
	(void)state;
	a = arena_new();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	arena_free(a);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_in_buffers),
		cmocka_unit_test(base64),
		cmocka_unit_test(texts_in_buffers),
		cmocka_unit_test(growing_arrays),
		cmocka_unit_test(programs_that_cannot_go_on),
		cmocka_unit_test(arenas),
		cmocka_unit_test(maps),
		cmocka_unit_test(errors),
		cmocka_unit_test(logs),
		cmocka_unit_test(times),
		cmocka_unit_test(compression),
		cmocka_unit_test(pools),
		cmocka_unit_test(secrets_in_texts),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
