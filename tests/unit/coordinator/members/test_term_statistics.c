/* What is known of the words in the indexes of members: what is asked for, kept, forgotten and summed up, and who is left out. */
#include "tests/members_clock.h"

#include "coordinator/members/term_statistics.c"

#include "proto/base/buf.h"
#include "tests/members_by_hand.h"

static struct stats *s;
static struct question q;
static struct query_terms w;
static struct member other = { .repo_uri = "h/two", .name = "two" };

static void ask(const char *text)
{
	assert_int_equal(question_parse(&q, text, a, &e), 0);
	q.nterms = q.noriginal; /* without other forms of its words */
	w = stats_query_terms(&q, a);
}

static int begin(void **state)
{
	int rc = hand_begin(state);

	s = stats_new();
	ask("alpha beta");
	return rc;
}

static int end(void **state)
{
	stats_free(s);
	stats_free(NULL);
	return hand_end(state);
}

static struct freshness stamp_of(const char *commit, uint64_t generation)
{
	return (struct freshness){ .commit = commit, .generation = generation, .graph_hash = "hash" };
}

static void answer(
    const struct member *of, const char *commit, uint64_t documents, uint64_t alpha, uint64_t beta)
{
	struct freshness f = stamp_of(commit, 4);
	struct term_count v[] = { { "alpha", alpha }, { "beta", beta } };

	stats_update(s, of,
	    &(struct stats_res){ .documents = documents, .words = 10 * documents, .terms = { v, 2 } },
	    &f);
}

/* The words that have to be asked for; "-" if nothing has to be. */
static const char *missing(const struct member *of, uint64_t generation)
{
	const struct stats_req *r = stats_missing(s, of, generation, &w, a);
	const char *out = "";

	if (!r)
		return "-";
	for (size_t i = 0; i < r->terms.n; i++)
		out = arena_printf(a, "%s%s%s", out, *out ? " " : "", r->terms.v[i]);
	return out;
}

/* ---- tables of counts ---- */

static void counts(void **state)
{
	struct term_counts c = { 0 };
	uint64_t n;

	(void)state;
	assert_false(counts_get(&c, 5, &n));
	for (uint64_t i = 1; i <= 1000; i++)
		counts_put(&c, i * 64, i); /* all want the same place at first */
	assert_int_equal(c.n, 1000);
	assert_int_equal(c.places, 2048);
	for (uint64_t i = 1; i <= 1000; i++) {
		assert_true(counts_get(&c, i * 64, &n));
		assert_int_equal(n, i);
	}
	assert_false(counts_get(&c, 1001 * 64, &n));
	counts_put(&c, 64, 7);
	assert_int_equal(c.n, 1000);
	assert_true(counts_get(&c, 64, &n));
	assert_int_equal(n, 7);
	counts_clear(&c);
	assert_int_equal(c.places, 0);
	counts_put(&c, 1, 1);
	assert_int_equal(c.places, 64);
	for (uint64_t i = 2; i <= 48; i++)
		counts_put(&c, i, 1);
	assert_int_equal(c.places, 64);
	counts_put(&c, 49, 1);
	assert_int_equal(c.places, 128);
	counts_clear(&c);
}

/* The older half is forgotten, unless it is used. */
static void old_counts_are_forgotten(void **state)
{
	struct member_statistics k = { 0 };
	uint64_t n;

	(void)state;
	for (uint64_t i = 1; i <= 1536; i++)
		note_documents(&k, i, i);
	assert_int_equal(k.young.n, 1536);
	assert_int_equal(k.old.n, 0);
	note_documents(&k, 1537, 1);
	assert_int_equal(k.young.n, 1);
	assert_int_equal(k.old.n, 1536);
	assert_true(count_of(&k, 3, NULL, &n));
	assert_int_equal(n, 3);
	assert_int_equal(k.young.n, 2);
	for (uint64_t i = 2000; k.young.n < 1536; i++)
		note_documents(&k, i, 9);
	note_documents(&k, 9999, 9);
	assert_true(count_of(&k, 3, NULL, &n));
	assert_false(count_of(&k, 4, NULL, &n));
	assert_int_equal(n, 0);
	counts_clear(&k.young);
	counts_clear(&k.old);
}

/* ---- what is asked for ---- */

static void what_is_missing(void **state)
{
	(void)state;
	assert_string_equal(missing(m, 0), "alpha beta");
	answer(m, "c", 7, 3, 0);
	assert_string_equal(missing(m, 0), "-");
	assert_string_equal(missing(m, 4), "-");
	assert_string_equal(missing(m, 5), "alpha beta"); /* it has another index by now */
	assert_string_equal(missing(&other, 0), "alpha beta");
	ask("alpha gamma");
	assert_string_equal(missing(m, 0), "gamma");
	/* an answer of another index takes back what was known */
	answer(m, "d", 7, 3, 0);
	ask("alpha beta");
	assert_string_equal(missing(m, 0), "-");
	struct freshness f = stamp_of("d", 4), g = stamp_of("e", 4);
	assert_true(stats_check_index(s, m, &f));
	assert_string_equal(missing(m, 0), "-");
	assert_false(stats_check_index(s, m, &g));
	assert_string_equal(missing(m, 0), "alpha beta");
	g.commit = "d";
	g.graph_hash = "other";
	assert_false(stats_check_index(s, m, &g));
}

static void a_failure_is_not_repeated_at_once(void **state)
{
	(void)state;
	stats_update(s, m, NULL, NULL);
	assert_string_equal(missing(m, 0), "-");
	now_ms += REST_MS - 1;
	assert_string_equal(missing(m, 0), "-");
	now_ms++;
	assert_string_equal(missing(m, 0), "alpha beta");
	stats_update(s, m, NULL, NULL);
	struct freshness f = stamp_of("new", 1);
	assert_false(stats_check_index(s, m, &f)); /* but at once if it has another index */
	assert_string_equal(missing(m, 0), "alpha beta");
}

static void names_that_are_counted(void **state)
{
	struct freshness f = stamp_of("c", 4);

	(void)state;
	ask("loadUsers");
	assert_non_null(q.counted_name);
	const char *all_terms = missing(m, 0);
	assert_non_null(strstr(all_terms, q.counted_name));
	struct term_count v[80];
	size_t n = 0;
	for (size_t i = 0; i < q.nterms; i++)
		v[n++] = (struct term_count){ q.terms[i], 2 };
	stats_update(s, m, &(struct stats_res){ .documents = 9, .terms = { v, n } }, &f);
	assert_string_equal(missing(m, 0), q.counted_name);
	v[0] = (struct term_count){ q.counted_name, 5 };
	stats_update(s, m, &(struct stats_res){ .documents = 9, .terms = { v, 1 } }, &f);
	assert_string_equal(missing(m, 0), "-");
	struct search_req out = { 0 };
	struct member *v2[] = { m, &other };
	stats_sum(s, v2, 2, &w, &out, a);
	assert_int_equal(out.names, 5);
}

static void sums(void **state)
{
	struct member *v[] = { m, &other };
	struct search_req out = { .documents = 77, .words = 77, .names = 77 };

	(void)state;
	answer(m, "c", 7, 3, 0);
	answer(&other, "c", 5, 1, 0);
	stats_sum(s, v, 2, &w, &out, a);
	assert_int_equal(out.documents, 12);
	assert_int_equal(out.words, 120);
	assert_int_equal(out.names, 0);
	assert_int_equal(out.terms.n, 1); /* nobody has the other one */
	assert_string_equal(out.terms.v[0].term, "alpha");
	assert_int_equal(out.terms.v[0].documents, 4);
	stats_sum(s, v, 1, &w, &out, a);
	assert_int_equal(out.documents, 7);
	assert_int_equal(out.terms.v[0].documents, 3);
	/* a member of which nothing is known may have it */
	struct member third = { .repo_uri = "h/three" }, *w3[] = { m, &third };
	stats_sum(s, w3, 2, &w, &out, a);
	assert_int_equal(out.terms.n, 2);
	assert_int_equal(out.terms.v[1].documents, 1);
	assert_int_equal(out.terms.v[0].documents, 3);
}

/* ---- who is left out ---- */

static void sketch(const char *commit, uint64_t generation, const char *const *words, size_t n)
{
	struct freshness f = stamp_of(commit, generation);
	size_t size = bloom_size(100);
	uint8_t *bits = arena_get(a, size, 1);

	for (size_t i = 0; i < n; i++)
		if (*words[i] == '=')
			bloom_add(bits, size, bloom_hash_key(words[i] + 1));
		else
			bloom_add(bits, size, bloom_hash(words[i]));
	stats_sketch(s, m, &f, &(struct sketch_res){ .words = { (const char *)bits, size } });
}

static bool left_out(uint64_t generation)
{
	return stats_rules_out(s, m, generation, &w);
}

static void who_cannot_have_a_match(void **state)
{
	static const char *const words[] = { "gamma", "delta" };

	(void)state;
	assert_false(left_out(4));
	answer(m, "c", 7, 0, 0);
	sketch("c", 4, words, 2);
	assert_true(left_out(4));
	assert_false(left_out(0));
	assert_false(left_out(5));
	ask("alpha gamma");
	assert_false(left_out(4));
	ask("\"alpha gamma\""); /* both are needed */
	assert_true(left_out(4));
	ask("\"gamma delta\"");
	assert_false(left_out(4));
	ask("alph*"); /* a sketch has no beginnings of words */
	assert_false(left_out(4));
	ask("GET /users/:id");
	assert_false(left_out(4));
	ask("alpha beta");
	assert_true(left_out(4));
	stats_invalidate_sketch(s, m);
	assert_false(left_out(4));
	sketch("c", 4, words, 2);
	assert_true(left_out(4));
	struct freshness f = stamp_of("c", 4);
	stats_sketch(s, m, &f, &(struct sketch_res){ .words = { NULL, 0 } }); /* too many words */
	assert_false(left_out(4));
}

/* What a sketch lacks need not be counted. */
static void what_a_sketch_lacks_is_not_asked_for(void **state)
{
	static const char *const words[] = { "gamma" };

	(void)state;
	answer(m, "c", 7, 0, 0);
	ask("omega gamma");
	assert_string_equal(missing(m, 4), "omega gamma");
	sketch("c", 4, words, 1);
	assert_string_equal(missing(m, 4), "gamma");
	ask("omeg* gamma");
	assert_string_equal(missing(m, 4), "omeg* gamma");
	sketch("other", 4, words, 1); /* of another index */
	ask("omega gamma");
	assert_string_equal(missing(m, 4), "omega gamma");
}

static void names_in_a_sketch(void **state)
{
	static const char *const words[] = { "=loadusers" };

	(void)state;
	answer(m, "c", 7, 0, 0);
	sketch("c", 4, words, 1);
	ask("loadUsers");
	assert_true(w.nkeys >= 2);
	assert_true(w.nbeginnings > 0);
	assert_false(left_out(4));
	ask("api.loadUsers"); /* by its last part */
	assert_false(left_out(4));
	ask("load users"); /* as its words spell it */
	assert_false(left_out(4));
	ask("loadUser");
	assert_true(left_out(4));
	struct freshness f = stamp_of("c", 4);
	size_t size = bloom_size(100);
	uint8_t *bits = arena_get(a, size, 1);
	for (size_t i = 0; i < w.nbeginnings; i++)
		bloom_add(bits, size, w.beginnings[i]);
	struct sketch_res res = { .words = { (const char *)bits, size }, .beginnings = true };
	stats_sketch(s, m, &f, &res);
	assert_false(left_out(4)); /* longer names begin so */
	w.longer_names = false;
	assert_true(left_out(4));
	w.longer_names = true;
	res.beginnings = false;
	stats_sketch(s, m, &f, &res);
	assert_true(left_out(4));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(counts),
		TEST(old_counts_are_forgotten),
		TEST(what_is_missing),
		TEST(a_failure_is_not_repeated_at_once),
		TEST(names_that_are_counted),
		TEST(sums),
		TEST(who_cannot_have_a_match),
		TEST(what_a_sketch_lacks_is_not_asked_for),
		TEST(names_in_a_sketch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
