#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "coordinator/search/rank_fusion.h"
#include "coordinator/search/rank_fusion_internal.h"
#include "proto/base/arena.h"

static struct arena *a;

static struct hit hit(const char *path, const char *blob, double lexical, double exact)
{
	return (struct hit){ .path = path, .blob = blob, .start_line = 1, .end_line = 9, .lexical = lexical, .exact = exact };
}

static const char *uri(size_t i)
{
	return arena_printf(a, "h/org/m%02zu", i);
}

/* With equals in order, as all of it is known. */
static struct fused_hit *ranking(struct member_hits *f, size_t members, enum fusion how, size_t depth, size_t *n)
{
	struct fused_hit *v = fuse(f, members, how, depth, a, n);

	assert_int_equal(fuse_order_ties(f, v, *n), *n);
	return v;
}

/* `n` members with ten hits each; member `best` holds the best one. */
static struct member_hits *federation(size_t n, size_t best)
{
	struct member_hits *f = arena_many(a, n, struct member_hits);

	for (size_t m = 0; m < n; m++) {
		struct hit *v = arena_many(a, 10, struct hit);
		for (size_t i = 0; i < 10; i++)
			v[i] = hit(arena_printf(a, "src/%zu-%zu.c", m, i), arena_printf(a, "blob%zu-%zu", m, i),
			    (m == best && !i ? 100 : 10) - (double)i + (double)m / 100, 0);
		f[m] = (struct member_hits){ uri(m), v, 10, 0, false };
	}
	return f;
}

static void any_member_can_win(void **state)
{
	size_t n;

	(void)state;
	for (size_t best = 0; best < 40; best++) {
		struct fused_hit *v = ranking(federation(40, best), 40, FUSE_RRF, 1000, &n);
		assert_int_equal(n, 400);
		assert_int_equal(v[0].member, best);
		assert_true(v[0].relevance == 1.0);
	}
}

/* A ranking is made from more than a hit's relevance, which must not contradict it. */
static void relevance_falls_with_the_rank(void **state)
{
	static const enum fusion ways[] = { FUSE_RRF, FUSE_WEIGHTED, FUSE_PER_REPO };
	struct member_hits *f = federation(3, 1);
	size_t n;

	(void)state;
	for (size_t i = 0; i < 10; i++) {
		f[0].v[i].cosine = f[0].v[i].near = (double)(i * 7 % 10 + 1) / 20;
		f[2].v[i].exact = (double)(i * 3 % 4);
	}
	for (size_t w = 0; w < 3; w++) {
		struct fused_hit *v = ranking(f, 3, ways[w], 1000, &n);
		assert_int_equal(n, 30);
		for (size_t i = 0; i < n; i++) {
			assert_true(v[i].relevance > 0 && v[i].relevance <= 1);
			assert_true(!i || v[i - 1].relevance >= v[i].relevance);
		}
		assert_true(v[0].relevance > v[n - 1].relevance);
	}
}

static void order_of_members_does_not_matter(void **state)
{
	static const enum fusion ways[] = { FUSE_RRF, FUSE_WEIGHTED, FUSE_PER_REPO };
	struct member_hits *f = federation(7, 3), turned[7];
	size_t n, k;

	(void)state;
	for (size_t w = 0; w < 3; w++) {
		struct fused_hit *v = ranking(f, 7, ways[w], 1000, &n);
		for (size_t turn = 1; turn < 7; turn++) {
			for (size_t i = 0; i < 7; i++)
				turned[i] = f[(i * (turn == 6 ? 6 : 1) + turn) % 7];
			struct fused_hit *u = ranking(turned, 7, ways[w], 1000, &k);
			assert_int_equal(k, n);
			for (size_t i = 0; i < n; i++) {
				assert_ptr_equal(u[i].hit, v[i].hit);
				assert_true(u[i].score == v[i].score);
			}
		}
	}
}

/* Of two texts that are equally near, that whose file holds more of the kind stands first; not in other ways of fusing. */
static void a_file_speaks_for_its_texts(void **state)
{
	struct hit v[5];
	struct member_hits f = { "h/org/one", v, 5, 0, false };
	size_t n;

	(void)state;
	for (size_t i = 0; i < 5; i++) {
		v[i] = hit(i < 2 ? "a.c" : i < 4 ? "b.c" : "c.c", arena_printf(a, "%zu", i), 0, 0);
		v[i].start_line = i + 1;
	}
	v[0].near = v[2].near = 0.8;
	v[1].near = 0.1;
	v[3].near = 0.7;
	v[4].near = 0.81;
	struct fused_hit *r = ranking(&f, 1, FUSE_WEIGHTED, 100, &n);
	assert_int_equal(n, 5);
	assert_ptr_equal(r[0].hit, &v[2]);
	assert_true(r[0].score > r[1].score);
	assert_ptr_equal(ranking(&f, 1, FUSE_RRF, 100, &n)[0].hit, &v[4]);
}

/* A file all of which is nearer brings its text forward; not in other ways of fusing. */
static void a_file_speaks_as_a_whole(void **state)
{
	struct hit v[3];
	struct member_hits f = { "h/org/one", v, 3, 0, false };
	size_t n;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		v[i] = hit(arena_printf(a, "%zu.c", i), "x", 0, 0);
		v[i].start_line = i + 1;
		v[i].near = i == 2 ? 0.81 : 0.8;
		v[i].lexical = 1;
	}
	v[1].around = 0.3;
	v[2].around = 0.1;
	struct fused_hit *r = ranking(&f, 1, FUSE_WEIGHTED, 100, &n);
	assert_int_equal(n, 3);
	assert_ptr_equal(r[0].hit, &v[1]);
	assert_ptr_equal(r[1].hit, &v[2]);
	assert_ptr_equal(ranking(&f, 1, FUSE_RRF, 100, &n)[0].hit, &v[2]);
	for (size_t i = 0; i < 3; i++)
		v[i].lexical = 0;
	assert_ptr_equal(ranking(&f, 1, FUSE_WEIGHTED, 100, &n)[0].hit, &v[2]);
}

/* While a member makes its vectors its texts are taken to be as near as their words say; without anybody's they count as ever. */
static void who_has_no_vectors_is_not_behind_all_others(void **state)
{
	struct hit with[12], without[2];
	struct member_hits f[] = { { "h/org/with", with, 12, 10, false }, { "h/org/without", without, 2, 10, false } };
	size_t n;

	(void)state;
	for (size_t i = 0; i < 12; i++) {
		with[i] = hit(arena_printf(a, "%zu.c", i), arena_printf(a, "%zu", i), 3, 0);
		with[i].cosine = with[i].near = 0.5;
	}
	without[0] = hit("named.c", "named", 6.2, 3);
	without[1] = hit("other.c", "other", 1, 0);
	struct fused_hit *r = ranking(f, 2, FUSE_WEIGHTED, 100, &n);
	assert_int_equal(n, 14);
	assert_ptr_equal(r[0].hit, &without[0]);
	assert_true(r[0].score > 1 + 0.6 + 0.5);
	assert_ptr_equal(r[13].hit, &without[1]);
	assert_false(r[0].sources & FUSE_VECTOR);
	for (size_t i = 0; i < 12; i++)
		with[i].cosine = with[i].near = 0;
	r = ranking(f, 2, FUSE_WEIGHTED, 100, &n);
	assert_ptr_equal(r[0].hit, &without[0]);
	assert_float_equal(r[0].score, 1.5, 1e-9);
}

/* The fourth text of a file stands behind a file that answers nearly as well; not one that bears the name, nor in other ways of fusing. */
static void a_file_does_not_crowd_out_others(void **state)
{
	struct hit v[6];
	struct member_hits f = { "h/org/one", v, 6, 0, false };
	size_t n;

	(void)state;
	for (size_t i = 0; i < 6; i++) {
		v[i] = hit(i < 5 ? "a.c" : "b.c", arena_printf(a, "%zu", i), 10 - (double)i, 0);
		v[i].start_line = i + 1;
	}
	struct fused_hit *r = ranking(&f, 1, FUSE_WEIGHTED, 100, &n);
	static const size_t spread[] = { 0, 1, 2, 5, 3, 4 }, named[] = { 4, 0, 1, 5, 2, 3 };
	assert_int_equal(n, 6);
	for (size_t i = 0; i < n; i++) {
		assert_ptr_equal(r[i].hit, &v[spread[i]]);
		assert_true(!i || r[i].score < r[i - 1].score);
	}
	assert_ptr_equal(ranking(&f, 1, FUSE_RRF, 100, &n)[3].hit, &v[3]);
	v[4].exact = 3;
	r = ranking(&f, 1, FUSE_WEIGHTED, 100, &n);
	for (size_t i = 0; i < n; i++)
		assert_ptr_equal(r[i].hit, &v[named[i]]);
	v[0].exact = v[1].exact = v[2].exact = 3;	/* the fourth of them is not crowded */
	assert_ptr_equal(ranking(&f, 1, FUSE_WEIGHTED, 100, &n)[3].hit, &v[4]);
}

/* A member that is not there any more, with the best hit of each list: the others stand as they stood, with the same scores. */
static void who_is_away_moves_no_other(void **state)
{
	static const struct { double lexical, exact, near, around, named; } scores[] = {
		{ 30, 3, 0.9, 0.8, 3 }, { 29, 0, 0.8, 0.7, 0 }, { 12, 0, 0.2, 0.1, 0 }, { 9, 0, 0.45, 0.1, 2 }, { 2, 1.5, 0.5, 0.3, 0 },
		{ 1, 0, 0.62, 0.2, 0 }, { 11, 2, 0, 0, 0 }, { 4, 0, 0.3, 0.6, 2.5 },
	};
	struct hit v[8];
	struct member_hits f[] = { { "h/org/best", v, 2, 40, false }, { "h/org/one", v + 2, 3, 40, false }, { "h/org/two", v + 5, 3, 40, false } };
	size_t n, k;

	(void)state;
	for (size_t i = 0; i < 8; i++) {
		v[i] = hit(arena_printf(a, "%zu.c", i), arena_printf(a, "%zu", i), scores[i].lexical, scores[i].exact);
		v[i].near = v[i].cosine = scores[i].near;
		v[i].around = scores[i].around;
		v[i].named = scores[i].named;
	}
	struct fused_hit *all = ranking(f, 3, FUSE_WEIGHTED, 100, &n), *rest = ranking(f + 1, 2, FUSE_WEIGHTED, 100, &k);
	assert_int_equal(n, 8);
	assert_int_equal(k, 6);
	assert_ptr_equal(all[0].hit, &v[0]);
	for (size_t i = 0, at = 0; i < n; i++)
		if (all[i].member) {
			assert_ptr_equal(all[i].hit, rest[at].hit);
			assert_true(all[i].score == rest[at++].score);
		}
	f[1].max_lexical = f[2].max_lexical = 0;	/* an old program among others reports no maximum */
	rest = ranking(f, 3, FUSE_WEIGHTED, 100, &n);
	for (size_t i = 0; i < n; i++)
		assert_true(rest[i].score == all[i].score);
}

static void names_of_members_do_not_matter(void **state)
{
	struct member_hits *f = federation(5, 2);
	size_t n;

	(void)state;
	struct fused_hit *v = ranking(f, 5, FUSE_RRF, 1000, &n);
	for (size_t i = 0; i < 5; i++)
		f[i].repo_uri = uri(9 - i);
	struct fused_hit *u = ranking(f, 5, FUSE_RRF, 1000, &n);
	for (size_t i = 0; i < n; i++)
		assert_ptr_equal(u[i].hit, v[i].hit);
}

static void hits_of_one_member_in_any_order(void **state)
{
	struct hit v[] = { hit("a.c", "1", 3, 0), hit("b.c", "2", 2, 1), hit("c.c", "3", 0, 2) };
	struct hit w[] = { v[2], v[0], v[1] };
	size_t n;

	(void)state;
	struct fused_hit *x = ranking(&(struct member_hits){ "h/a/b", v, 3, 0, false }, 1, FUSE_RRF, 1000, &n);
	struct fused_hit *y = ranking(&(struct member_hits){ "h/a/b", w, 3, 0, false }, 1, FUSE_RRF, 1000, &n);
	for (size_t i = 0; i < n; i++)
		assert_string_equal(x[i].hit->path, y[i].hit->path);
	assert_string_equal(x[0].hit->path, "b.c");	/* in both lists */
	assert_int_equal(x[0].sources, FUSE_LEXICAL | FUSE_SYMBOL);
}

static void copies_are_one_result(void **state)
{
	struct hit v[] = { hit("lib/x.c", "same", 5, 0), hit("other.c", "o", 4, 0) };
	struct hit w[] = { hit("vendor/x.c", "same", 6, 0) };
	struct member_hits f[] = { { "h/a/one", v, 2, 0, false }, { "h/a/two", w, 1, 0, false } };
	size_t n;

	(void)state;
	struct fused_hit *x = ranking(f, 2, FUSE_RRF, 1000, &n);
	assert_int_equal(n, 2);
	assert_string_equal(x[0].hit->path, "lib/x.c");
	assert_int_equal(x[0].nalso, 1);
	assert_string_equal(x[0].also[0].hit->path, "vendor/x.c");
	assert_int_equal(x[0].also[0].member, 1);
	assert_int_equal(x[1].nalso, 0);
}

/* Five forks: what is asked for are texts, not places. */
static void copies_do_not_fill_the_list(void **state)
{
	static const enum fusion ways[] = { FUSE_RRF, FUSE_WEIGHTED, FUSE_PER_REPO };
	struct refetch_request none[5] = { 0 }, all[5] = { 0 }, one[5] = { 0 };
	struct member_hits f[5];
	size_t n;

	(void)state;
	for (size_t m = 0; m < 5; m++) {
		struct hit *v = arena_many(a, 50, struct hit);
		for (size_t i = 0; i < 50; i++)
			v[i] = hit(arena_printf(a, "f%02zu.c", i), arena_printf(a, "same%zu", i), 100 - (double)i, i == 7);
		f[m] = (struct member_hits){ uri(m), v, 50, 0, false };
	}
	for (size_t w = 0; w < 3; w++) {
		struct fused_hit *x = ranking(f, 5, ways[w], 20, &n);
		assert_int_equal(n, 20);
		for (size_t i = 0; i < n; i++)
			assert_int_equal(x[i].nalso, 4);
	}
	assert_true(fuse_is_complete(f, 5, 50, 20, a, none));
	assert_false(none[0].again);
	assert_false(fuse_is_complete(f, 5, 50, 60, a, all));
	assert_true(all[4].again && all[4].least[0] == 0);
	f[0].n = 10;		/* the first has ten more, of which the names are of no use */
	assert_false(fuse_is_complete(f, 5, 10, 20, a, one));
	assert_true(one[0].again);
	assert_true(one[0].least[0] == 81 && one[0].least[1] == SEARCH_NOT);
}

/* Who gave all that was asked for, above the last of the texts that count, may have more, down to the score of that one. */
static void who_is_asked_for_more(void **state)
{
	struct hit first[] = { hit("a.c", "1", 10, 0), hit("b.c", "2", 9, 0) }, second[] = { hit("c.c", "3", 8, 0) };
	struct member_hits f[] = { { uri(0), first, 2, 0, false }, { uri(1), second, 1, 0, false } };
	static const struct { size_t depth; bool enough; double least; } cases[] = {
		{ 1, true, SEARCH_NOT }, { 2, false, 9 }, { 3, false, 8 }, { 4, false, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct refetch_request more[2] = { 0 };
		assert_int_equal(fuse_is_complete(f, 2, 2, cases[i].depth, a, more), cases[i].enough);
		assert_int_equal(more[0].again, !cases[i].enough);
		assert_true(more[0].least[LIST_WORDS] == cases[i].least);
		assert_true(more[0].least[LIST_NAME] == SEARCH_NOT);
		assert_false(more[1].again);
		assert_true(more[1].least[LIST_WORDS] == SEARCH_NOT);
	}
}

/* A copy at another member is no further text, but the member has given it. */
static void a_copy_counts_for_who_gave_it(void **state)
{
	struct hit first[] = { hit("a.c", "1", 10, 0), hit("b.c", "2", 9, 0) }, second[] = { hit("x.c", "1", 10, 0), hit("y.c", "1", 7, 0) };
	struct member_hits f[] = { { uri(0), first, 2, 0, false }, { uri(1), second, 2, 0, false } };
	struct refetch_request more[2] = { 0 };

	(void)state;
	assert_false(fuse_is_complete(f, 2, 2, 2, a, more));
	assert_true(more[0].again);
	assert_true(more[0].least[LIST_WORDS] == 9);
	assert_false(more[1].again);	/* two copies of one text are one */
	struct refetch_request one[2] = { 0 };
	assert_false(fuse_is_complete(f, 2, 1, 2, a, one));
	assert_true(one[0].again && one[1].again);
}

static void one_document_from_both_lists(void **state)
{
	struct hit v[] = { hit("x.c", "b", 5, 0), hit("x.c", "b", 0, 2) };
	size_t n;

	(void)state;
	struct fused_hit *x = ranking(&(struct member_hits){ "h/a/one", v, 2, 0, false }, 1, FUSE_RRF, 1000, &n);
	assert_int_equal(n, 1);
	assert_int_equal(x[0].nalso, 0);
	assert_int_equal(x[0].sources, FUSE_LEXICAL | FUSE_SYMBOL);
}

static void per_repo_ranks_within_each(void **state)
{
	struct hit v[] = { hit("a1.c", "1", 90, 0), hit("a2.c", "2", 80, 0) };
	struct hit w[] = { hit("b1.c", "3", 2, 0), hit("b2.c", "4", 1, 0) };
	struct member_hits f[] = { { "h/a/one", v, 2, 0, false }, { "h/a/two", w, 2, 0, false } };
	size_t n;

	(void)state;
	struct fused_hit *x = ranking(f, 2, FUSE_PER_REPO, 1000, &n);
	assert_string_equal(x[1].hit->path, "b1.c");
	assert_true(x[0].score == x[1].score);
	x = ranking(f, 2, FUSE_RRF, 1000, &n);
	assert_string_equal(x[1].hit->path, "a2.c");
	assert_true(x[0].score == 1.0 / 61);
}

/* A text whose place nobody knows any more is left out; a copy is shown in its stead; equals stand together until they are placed. */
static void what_has_no_place_is_not_shown(void **state)
{
	struct hit v[] = { hit("b.c", "1", 9, 0), hit("a.c", "2", 9, 0), hit("x.c", "3", 8, 0), hit("y.c", "4", 7, 0), hit("z.c", "5", 7, 0) };
	struct hit w[] = { hit("lib/x.c", "3", 8, 0) };
	struct member_hits f[] = { { "h/a/one", v, 5, 0, false }, { "h/a/two", w, 1, 0, false } };
	size_t n, from = 3, to = 4;

	(void)state;
	struct fused_hit *x = fuse(f, 2, FUSE_WEIGHTED, 100, a, &n);
	assert_int_equal(n, 5);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(x[i].rank, i);
	fuse_tie_range(x, n, &from, &to);
	assert_int_equal(from, 3);
	assert_int_equal(to, 5);
	from = 2, to = 3;
	fuse_tie_range(x, n, &from, &to);
	assert_true(from == 2 && to == 3);
	from = 3, to = 4;
	fuse_tie_range(x, 4, &from, &to);	/* what follows the list is none of it */
	assert_true(from == 3 && to == 4);
	from = to = 1;
	fuse_tie_range(x, n, &from, &to);
	assert_true(from == 1 && to == 1);
	v[2].path = v[4].path = NULL;
	assert_int_equal(fuse_order_ties(f, x, n), 4);
	assert_string_equal(x[0].hit->path, "a.c");
	assert_string_equal(x[1].hit->path, "b.c");
	assert_string_equal(x[2].hit->path, "lib/x.c");
	assert_int_equal(x[2].member, 1);
	assert_int_equal(x[2].nalso, 0);
	assert_string_equal(x[3].hit->path, "y.c");
}

static void nothing_gives_nothing(void **state)
{
	size_t n = 1;

	(void)state;
	fuse(NULL, 0, FUSE_RRF, 1000, a, &n);
	assert_int_equal(n, 0);
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

/* In every fusion a better fit of the name wins over all other scores, which order equal fits. */
static void names_that_are_asked_for_come_first(void **state)
{
	static const double fits[] = { 0, 3, 4.5, 5.25, 6, 7.9, 8, 9.5, 9.75, 9.75 };
	enum { N = sizeof fits / sizeof *fits };
	struct hit v[N];
	size_t n;

	(void)state;
	for (size_t i = 0; i < N; i++) {
		v[i] = hit(arena_printf(a, "%zu.c", i), arena_printf(a, "%zu", i), 50 - (double)i, fits[i]);
		v[i].near = v[i].cosine = 0.9 - (double)i / 20;
		v[i].named = 3 - (double)i / 10;
	}
	v[N - 1].lexical = 60;		/* the best of two that fit equally */
	v[N - 1].near = v[N - 1].cosine = 0.95;
	v[N - 1].named = 3.5;
	v[4].lexical = v[4].near = v[4].cosine = v[4].named = 0;	/* a symbol without a document */
	for (enum fusion how = FUSE_WEIGHTED; how <= FUSE_PER_REPO; how++) {
		struct member_hits f[] = { { "h/org/one", v, 6, 60, true }, { "h/org/two", v + 6, 4, 60, false } };
		struct fused_hit *r = ranking(f, 2, how, 100, &n);
		assert_int_equal(n, N);
		for (size_t i = 0; i + 2 < N; i++)
			assert_ptr_equal(r[i].hit, &v[N - 1 - i]);
		for (size_t i = 1; i < N; i++)
			assert_true(r[i].score < r[i - 1].score);
		assert_true(r[0].relevance >= 1);
		assert_true(r[5].relevance > 0.5);
		assert_true(r[0].sources & FUSE_SYMBOL);
	}
}

/* The vector of a text may be missing while others of its member are there. */
static void a_text_without_a_vector_is_not_behind_look_alikes(void **state)
{
	struct hit v[] = { hit("new.c", "1", 9, 0), hit("a.c", "2", 4, 0), hit("b.c", "3", 3, 0) };
	struct member_hits f = { "h/org/one", v, 3, 14, false };
	size_t n;

	(void)state;
	v[1].near = v[1].cosine = v[2].near = v[2].cosine = 0.56;
	struct fused_hit *r = ranking(&f, 1, FUSE_WEIGHTED, 100, &n);
	assert_ptr_equal(r[0].hit, &v[0]);
	v[0].cosine = 1e-9;		/* it has one, which is not similar at all */
	r = ranking(&f, 1, FUSE_WEIGHTED, 100, &n);
	assert_ptr_equal(r[0].hit, &v[1]);
	assert_true(r[2].relevance > 0.5);	/* by words */
	v[0].cosine = 0;
	f.vectors_complete = true;	/* it has one too */
	r = ranking(&f, 1, FUSE_WEIGHTED, 100, &n);
	assert_ptr_equal(r[0].hit, &v[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_member_can_win),
		cmocka_unit_test(relevance_falls_with_the_rank),
		cmocka_unit_test(order_of_members_does_not_matter),
		cmocka_unit_test(a_file_speaks_for_its_texts),
		cmocka_unit_test(a_file_speaks_as_a_whole),
		cmocka_unit_test(who_has_no_vectors_is_not_behind_all_others),
		cmocka_unit_test(a_file_does_not_crowd_out_others),
		cmocka_unit_test(who_is_away_moves_no_other),
		cmocka_unit_test(names_of_members_do_not_matter),
		cmocka_unit_test(hits_of_one_member_in_any_order),
		cmocka_unit_test(copies_are_one_result),
		cmocka_unit_test(copies_do_not_fill_the_list),
		cmocka_unit_test(who_is_asked_for_more),
		cmocka_unit_test(a_copy_counts_for_who_gave_it),
		cmocka_unit_test(one_document_from_both_lists),
		cmocka_unit_test(per_repo_ranks_within_each),
		cmocka_unit_test(what_has_no_place_is_not_shown),
		cmocka_unit_test(nothing_gives_nothing),
		cmocka_unit_test(names_that_are_asked_for_come_first),
		cmocka_unit_test(a_text_without_a_vector_is_not_behind_look_alikes),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
