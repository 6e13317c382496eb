/* What matches a question and what only resembles it; what an answer to quoted text may lack. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "coordinator/members/members.h"
#include "coordinator/search/meaning_threshold.h"
#include "coordinator/search/search.h"
#include "coordinator/search/search_hint.h"
#include "coordinator/search/similar_hits.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"

static struct arena *a;

/* A hit by words or by meaning, with this cosine. */
static struct fused_hit fused(struct hit *h, double lexical, double cosine, int sources)
{
	return (struct fused_hit){
		.hit = h, .lexical = lexical, .cosine = cosine, .sources = sources, .score = cosine
	};
}

static void matches_come_first(void **state)
{
	struct hit none = { 0 }, named = { .named = 2 }, exact = { .exact = 1.5 };
	struct fused_hit v[] = {
		fused(&none, 0, 0.2, FUSE_VECTOR), fused(&none, 3, 0.1, FUSE_LEXICAL | FUSE_VECTOR),
		fused(&none, 0, 0.5, FUSE_VECTOR), fused(&none, 0, 0.3, FUSE_VECTOR),
		fused(&none, 0.1, 0.1, FUSE_VECTOR), fused(&named, 0, 0, FUSE_VECTOR),
		fused(&exact, 0, 0, FUSE_VECTOR),
	};
	static const double order[] = { 0.1, 0.5, 0.1, 0, 0, 0.2, 0.3 };

	(void)state;
	assert_int_equal(similar_set_apart(v, LEN(v), 0.4, true), 5);
	for (size_t i = 0; i < LEN(v); i++) {
		assert_true(v[i].cosine == order[i] && v[i].rank == i);
		assert_int_equal(v[i].similar, i >= 5);
	}
}

static void keywords_that_are_nowhere_match_nothing(void **state)
{
	struct hit none = { 0 };
	struct fused_hit v[] = { fused(&none, 0, 0.9, FUSE_VECTOR), fused(&none, 0, 0.5, FUSE_VECTOR) };

	(void)state;
	assert_int_equal(similar_set_apart(v, 2, 0.4, true), 0);
	assert_true(v[0].similar && v[1].similar && v[0].cosine == 0.9);
	assert_int_equal(similar_set_apart(v, 2, 0.4, false), 2);
	assert_false(v[0].similar || v[1].similar);
	assert_int_equal(similar_set_apart(NULL, 0, 0.4, true), 0);
}

/* Another embedder's cosines may all be high: what counts is how far above unrelated texts one is. */
static void the_threshold_is_of_the_embedder(void **state)
{
	static const double low[] = { -0.1, 0, 0.1, 0 };
	double high[LEN(low)];
	struct unrelated_cosines x = meaning_threshold_cosines(low, LEN(low));

	(void)state;
	for (size_t i = 0; i < LEN(low); i++)
		high[i] = 0.8 + low[i] / 5;
	struct unrelated_cosines y = meaning_threshold_cosines(high, LEN(high));
	double t = meaning_threshold_above(&x, 1000), u = meaning_threshold_above(&y, 1000);
	assert_true(t > 0.3 && t < 0.4);
	assert_float_equal((float)u, (float)(0.8 + t / 5), 1e-6f);
	assert_true(meaning_threshold_above(&x, 10) < t && meaning_threshold_above(&x, 1000000) > t);
	assert_true(meaning_threshold_above(&x, 0) > 0);
	struct unrelated_cosines same = meaning_threshold_cosines((double[]){ 0.5, 0.5 }, 2);
	assert_true(meaning_threshold_above(&same, 10) > 1);
}

static void quoted_text_that_may_be_missing(void **state)
{
	struct member old = { .repo_uri = "old" }, full = { .repo_uri = "full" }, down = { .repo_uri = "down" };
	struct search_res by_words = { 0 }, limited = { .verbatim = true, .unchecked = 7 }, failed = { 0 };
	struct fanout_reply replies[] = {
		{ .member = &old, .res = &by_words },
		{ .member = &full, .res = &limited },
		{ .member = &down, .res = &failed, .e.code = ERR_UNAVAILABLE },
	};
	struct fanout found = { .v = replies, .n = LEN(replies) };
	struct call c = { .a = a };
	struct coverage cov = { 0 };
	struct federated_search s = { .found = &found, .complete = true, .total = 1, .matches = 1,
		.req.mode = "hybrid" };

	(void)state;
	phrase_coverage(&c, &s, &cov);
	assert_true(cov.notes.n == 0 && s.complete && !search_hint(&c, &s));
	s.ask.nphrases = 1;
	phrase_coverage(&c, &s, &cov);
	assert_int_equal(cov.notes.n, 2);
	assert_string_equal(cov.notes.v[0].repo_uri, "old");
	assert_string_equal(cov.notes.v[0].code, "PHRASE_BY_WORDS");
	assert_string_equal(cov.notes.v[1].repo_uri, "full");
	assert_string_equal(cov.notes.v[1].code, "PHRASE_LIMIT");
	assert_non_null(strstr(cov.notes.v[1].message, "7 more"));
	assert_false(s.complete);
	assert_non_null(strstr(search_hint(&c, &s), "7 that have its words"));
	limited.unchecked = 0;
	assert_null(search_hint(&c, &s));
	s.matches = 0;
	assert_non_null(strstr(search_hint(&c, &s), "as it is written"));
}

static int begin(void **state)
{
	(void)state;
	a = arena_new();
	return 0;
}

static int end(void **state)
{
	(void)state;
	arena_free(a);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(matches_come_first),
		cmocka_unit_test(keywords_that_are_nowhere_match_nothing),
		cmocka_unit_test(the_threshold_is_of_the_embedder),
		cmocka_unit_test(quoted_text_that_may_be_missing),
	};
	return cmocka_run_group_tests(tests, begin, end);
}
