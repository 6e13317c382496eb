/* Trees in hand: there is room for so many bytes, each is taken once, by whichever thread comes first. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include <pthread.h>

#include "proto/base/arena.h"
#include "shard/contracts/crossfile/tree_cache.h"

enum { FILES = 400, TAKERS = 4, MB = 1 << 20 };

static struct cached_tree file_of(const char *text)
{
	struct cached_tree f = { .a = arena_new() };

	buf_str(&f.text, text);
	return f;
}

static void room_is_bounded(void **state)
{
	struct tree_cache *h = tree_cache_new();

	(void)state;
	assert_true(tree_cache_reserve(h, MB));
	assert_true(tree_cache_reserve(h, 2 * MB));
	assert_false(tree_cache_reserve(h, 1));
	assert_true(tree_cache_reserve(h, 0));
	assert_false(tree_cache_reserve(h, SIZE_MAX));
	tree_cache_release(h, 10);
	assert_false(tree_cache_reserve(h, 11));
	assert_true(tree_cache_reserve(h, 10));	/* what was refused took nothing */
	tree_cache_free(h);
	tree_cache_free(NULL);
}

static void taken_once(void **state)
{
	struct tree_cache *h = tree_cache_new();
	struct cached_tree f, got;

	(void)state;
	assert_false(tree_cache_take(h, "a", &got));	/* nothing is there */
	static const char *const paths[] = { "a", "a.b", "a/b", "b" };
	for (size_t i = 0; i < 4; i++) {
		f = file_of(paths[i]);
		tree_cache_put(h, paths[i], &f);
	}
	for (size_t i = 4; i--;) {
		assert_true(tree_cache_take(h, paths[i], &got));
		assert_int_equal(got.text.n, strlen(paths[i]));
		assert_memory_equal(got.text.p, paths[i], got.text.n);
		assert_false(tree_cache_take(h, paths[i], &f));
		cached_tree_free(&got);
		assert_null(got.a);
		cached_tree_free(&got);	/* once more is fine */
	}
	assert_false(tree_cache_take(h, "a.", &got));
	assert_false(tree_cache_take(h, "c", &got));
	f = file_of("left");
	tree_cache_put(h, "c", &f);	/* nobody takes it: tree_cache_free lets it go, which the sanitizer of leaks sees */
	tree_cache_free(h);
}

struct taker {
	pthread_t thread;
	struct tree_cache *h;
	int n;
};

static void *take_all(void *arg)
{
	struct taker *t = arg;
	struct cached_tree f;
	char path[16];

	for (int i = 0; i < FILES; i++) {
		snprintf(path, sizeof path, "%04d", i);
		if (!tree_cache_take(t->h, path, &f))
			continue;
		t->n += f.text.n == 4 && !memcmp(f.text.p, path, 4);
		cached_tree_free(&f);
		tree_cache_release(t->h, 4);
	}
	return NULL;
}

static void one_of_many_threads(void **state)
{
	struct tree_cache *h = tree_cache_new();
	struct taker takers[TAKERS];
	char path[16];
	int n = 0;

	(void)state;
	for (int i = 0; i < FILES; i++) {
		snprintf(path, sizeof path, "%04d", i);
		assert_true(tree_cache_reserve(h, 4));
		struct cached_tree f = file_of(path);
		tree_cache_put(h, path, &f);
	}
	for (int i = 0; i < TAKERS; i++) {
		takers[i] = (struct taker){ .h = h };
		assert_int_equal(pthread_create(&takers[i].thread, NULL, take_all, &takers[i]), 0);
	}
	for (int i = 0; i < TAKERS; i++) {
		pthread_join(takers[i].thread, NULL);
		n += takers[i].n;
	}
	assert_int_equal(n, FILES);
	assert_true(tree_cache_reserve(h, 3 * MB));	/* all of the room is there again */
	tree_cache_free(h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(room_is_bounded),
		cmocka_unit_test(taken_once),
		cmocka_unit_test(one_of_many_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
