/*
 * Postings and ranking: what is added is found, removed documents are not, and the order follows
 * the formula.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/db/db.h"
#include "proto/process/embedded.h"
#include "shard/index/bm25.h"
#include "shard/index/postings.h"
#include "shard/search/phrase_match.h"

enum { MOST = 6000 };

static struct err e;
static struct db *db;
static uint16_t lengths[MOST];
static uint8_t priors[MOST];
static uint32_t files[MOST];	/* each document one of its own, unless a test says otherwise */

static int setup(void **state)
{
	(void)state;
	e = (struct err){ 0 };
	memset(lengths, 0, sizeof lengths);
	memset(priors, 100, sizeof priors);
	for (uint32_t i = 0; i < MOST; i++)
		files[i] = i;
	db = db_open(":memory:", DB_CREATE, &e);
	return !db || db_exec(db, embedded_contents("shard/index/schema.sql"), &e);
}

static int teardown(void **state)
{
	(void)state;
	db_close(db);
	return 0;
}

static struct posting_texts texts(const char *name, const char *body)
{
	struct posting_texts t = { 0 };

	t.field[POSTING_NAME].p = name;
	t.field[POSTING_NAME].n = name ? strlen(name) : 0;
	t.field[POSTING_BODY].p = body;
	t.field[POSTING_BODY].n = strlen(body);
	return t;
}

static void add(struct postings *p, int64_t id, const char *name, const char *body)
{
	struct posting_texts t = texts(name, body);

	lengths[id] = postings_add(p, id, &t);
}

static uint64_t documents(const char *term)
{
	uint64_t n = 99;

	assert_int_equal(postings_count_documents(db, term, &n, &e), 0);
	return n;
}

struct seen {
	char text[400];
};

static void see(void *arg, int64_t id, double weight)
{
	struct seen *s = arg;
	size_t n = strlen(s->text);

	snprintf(s->text + n, sizeof s->text - n, "%s%lld*%g", n ? " " : "", (long long)id, weight);
}

static const char *all(const char *term)
{
	static struct seen s;

	s = (struct seen){ 0 };
	assert_int_equal(postings_each(db, term, see, &s, &e), 0);
	return s.text;
}

static void found_where_they_are(void **state)
{
	struct postings *p = postings_new();

	(void)state;
	add(p, 1, NULL, "loadUsers");
	add(p, 2, "load_users", "def load_users(): return load_users");
	add(p, 300, NULL, "class UserService");
	add(p, 301, NULL, "orders");
	assert_int_equal(postings_write(p, db, &e), 0);
	assert_string_equal(all("user"), "1*2 2*10 300*2");	/* a name weighs 6, a body 2 */
	assert_string_equal(all("loaduser"), "1*2");
	assert_string_equal(all("load_user"), "2*10");
	assert_string_equal(all("order"), "301*2");
	assert_string_equal(all("orders"), "");
	assert_int_equal(lengths[1], 1);
	assert_int_equal(lengths[2], 5);
	add(p, 302, NULL, "user user user");	/* a second row of the term */
	assert_int_equal(postings_write(p, db, &e), 0);
	assert_string_equal(all("user"), "1*2 2*10 300*2 302*6");
	assert_int_equal(documents("user"), 4);
	assert_int_equal(documents("nothing"), 0);
	assert_int_equal(postings_check(db, lengths, MOST, &e), 0);
	postings_free(p);
}

static void removed_ones_count_for_nothing(void **state)
{
	struct postings *p = postings_new();
	struct posting_texts t = texts("load_users", "def load_users(): return load_users");

	(void)state;
	add(p, 1, NULL, "loadUsers");
	add(p, 2, "load_users", "def load_users(): return load_users");
	assert_int_equal(postings_write(p, db, &e), 0);
	add(p, 3, NULL, "users");
	assert_int_equal(postings_write(p, db, &e), 0);
	assert_int_equal(postings_remove(db, 2, &t, &e), 0);
	assert_int_equal(postings_check(db, lengths, MOST, &e), -1);	/* its length is still there */
	e = (struct err){ 0 };
	lengths[2] = 0;
	assert_int_equal(postings_check(db, lengths, MOST, &e), 0);
	assert_int_equal(documents("user"), 2);
	assert_int_equal(documents("def"), 0);
	postings_free(p);
}

static double bound;	/* of the question asked last */

static struct scored_docs best_of(const char *const *terms, size_t n, bool every, size_t want,
    bool (*keep)(void *, int64_t), struct arena *a)
{
	struct ranking r = { .lengths = lengths, .priors = priors, .files = files, .n = MOST, .nfiles = MOST };
	struct term_count counts[8];
	struct scored_docs best;

	for (size_t i = 0; i < MOST; i++) {
		r.words += lengths[i];
		r.documents += lengths[i] > 0;
	}
	for (size_t i = 0; i < n; i++)
		counts[i] = (struct term_count){ terms[i], documents(terms[i]) };
	struct statistics st = { counts, n, r.documents, r.words };
	struct bm25_scores *s = bm25_scores_new(NULL, db, &r, &st, false, &e);	/* of another question: nothing of it is left */
	assert_non_null(s);
	bm25_scores_clear(s);
	assert_non_null(s = bm25_scores_new(s, db, &r, &st, every, &e));
	bm25_scores_top(s, want, 0, keep, NULL, a, &best);
	for (size_t i = 0; i < best.n; i++)
		assert_true(bm25_scores_get(s, best.v[i].doc) == best.v[i].score && best.v[i].score < bm25_scores_upper_bound(s));
	bound = bm25_scores_upper_bound(s);
	assert_true(bm25_scores_get(s, 0) == 0 && bm25_scores_get(s, MOST) == 0);
	bm25_scores_free(s);
	return best;
}

static struct scored_docs ask(const char *const *terms, size_t n, bool every, size_t want, struct arena *a)
{
	return best_of(terms, n, every, want, NULL, a);
}

static void ranked_by_the_formula(void **state)
{
	static const char *const rare[] = { "alpha", "beta" };
	struct postings *p = postings_new();
	struct arena *a = arena_new();

	(void)state;
	for (int64_t id = 1; id <= 5000; id++)
		add(p, id, NULL, id % 100 ? "common words here" : "common alpha here");
	add(p, 5001, NULL, "alpha beta and");
	add(p, 5002, "alpha", "common beta");
	assert_int_equal(postings_write(p, db, &e), 0);
	priors[5002] = 50;
	struct scored_docs best = ask(rare, 2, 0, 3, a);
	assert_int_equal(best.n, 2 + 50);	/* those of one word are equal: none is left out by chance */
	assert_int_equal(best.v[0].doc, 5001);
	assert_int_equal(best.v[1].doc, 5002);
	assert_int_equal(best.v[2].doc, 100);
	double documents_all = 5002, average = 3, norm = 1.2 * (0.5 + 0.5 * 3 / average);
	double idf = log(1 + (documents_all - 52 + 0.5) / 52.5);
	assert_true(fabs(best.v[2].score - 1.5 * idf * 2 * 2.2 / (2 + norm)) < 1e-4);	/* with the share of its file: itself */
	assert_true(fabs(bound - 1.5 * 2.2 * (idf + log(1 + (documents_all - 2 + 0.5) / 2.5))) < 1e-9);
	assert_int_equal(ask(rare, 2, 1, 10, a).n, 2);
	assert_int_equal(ask(rare, 0, 0, 10, a).n, 0);
	assert_true(bound == 0);
	arena_free(a);
	postings_free(p);
}

/*
 * What several documents of a file contain counts for each of them: the best for each term, however
 * often.
 */
static void helped_by_its_file(void **state)
{
	static const char *const terms[] = { "alpha", "beta" };
	struct postings *p = postings_new();
	struct arena *a = arena_new();

	(void)state;
	add(p, 1, NULL, "alpha here alone");
	add(p, 2, NULL, "alpha in company");
	add(p, 3, NULL, "beta in company");
	add(p, 4, NULL, "beta in company");
	add(p, 5, NULL, "nothing in company");
	files[3] = files[4] = files[5] = 2;
	assert_int_equal(postings_write(p, db, &e), 0);
	struct scored_docs best = ask(terms, 2, false, 10, a);
	assert_int_equal(best.n, 4);
	double own = best.v[3].score / 1.5;
	assert_int_equal(best.v[3].doc, 1);
	for (size_t i = 0; i < 3; i++)
		assert_true(fabs(best.v[i].score - own * 2) < 1e-5);
	arena_free(a);
	postings_free(p);
}

/*
 * Forms of a word are one term: the form in the question counts most, and two forms do not count
 * twice.
 */
static void forms_count_less(void **state)
{
	static const char *const terms[] = { "deleted", "delete", "deleting" };
	struct postings *p = postings_new();
	struct arena *a = arena_new();

	(void)state;
	add(p, 1, NULL, "it is deleting that");
	add(p, 2, NULL, "it is deleted then");
	add(p, 3, NULL, "it deleted by delete");
	for (int64_t id = 4; id < 100; id++)
		add(p, id, NULL, "no such word here");
	assert_int_equal(postings_write(p, db, &e), 0);
	struct scored_docs best = ask(terms, 3, false, 10, a);
	assert_int_equal(best.n, 3);
	assert_int_equal(best.v[0].doc, 3);
	assert_int_equal(best.v[1].doc, 2);
	assert_int_equal(best.v[2].doc, 1);
	assert_true(best.v[0].score < best.v[1].score * 1.2);
	assert_true(best.v[2].score < best.v[1].score * 0.7);
	arena_free(a);
	postings_free(p);
}

static bool odd(void *arg, int64_t doc)
{
	(void)arg;
	return doc & 1;
}

static void kept_by_condition(void **state)
{
	static const char *const common[] = { "common" };
	struct postings *p = postings_new();
	struct arena *a = arena_new();
	struct buf body = { 0 };

	(void)state;
	for (int64_t id = 1; id <= 3000; id++) {
		body.n = 0;
		for (int64_t i = 0; i <= id % 97; i++)
			buf_str(&body, "common ");
		add(p, id, NULL, body.p);
		buf_str(&body, "");
	}
	assert_int_equal(postings_write(p, db, &e), 0);
	struct scored_docs best = best_of(common, 1, false, 5, odd, a);
	assert_true(best.n >= 5 && best.n < 30);
	for (size_t i = 0; i < best.n; i++) {
		assert_true(best.v[i].doc & 1);
		assert_int_equal(best.v[i].doc % 97, 96);
		assert_true(!i || best.v[i].score <= best.v[i - 1].score);
	}
	assert_true(ask(common, 1, 0, 4000, a).n == 3000);
	buf_free(&body);
	arena_free(a);
	postings_free(p);
}

/*
 * Postings that are written in several steps, and from a table that had to grow, equal those
 * written in one step.
 */
static void in_pieces(void **state)
{
	struct postings *p = postings_new();
	struct buf body = { 0 };

	(void)state;
	for (int64_t id = 1; id < 4000; id++) {
		body.n = 0;
		for (int i = 0; i < 20; i++)
			buf_printf(&body, "w%lld ", (long long)(id * 7 + i * 131) % 9001);
		add(p, id, NULL, body.p);
		if (id % 777 == 0)
			assert_int_equal(postings_write(p, db, &e), 0);
	}
	assert_true(postings_memory_bytes(p) > 10000);
	assert_int_equal(postings_write(p, db, &e), 0);
	assert_int_equal(postings_check(db, lengths, MOST, &e), 0);
	int64_t sum = 0;
	for (int i = 0; i < 9001; i++) {
		char term[20];
		snprintf(term, sizeof term, "w%d", i);
		sum += documents(term);
	}
	assert_int_equal(sum, 3999 * 20);
	buf_free(&body);
	postings_free(p);
}

/* The documents of common_terms: 1, 3, 4 and so on; every fifth also has the word in its name. */
static int64_t after(int64_t id)
{
	return id + 1 + id % 3;
}

static void expect(void *arg, int64_t id, double weight)
{
	int64_t *next = arg;

	assert_int_equal(id, *next);
	assert_true(weight == (id % 5 ? 2 : 8));
	*next = after(id);
}

/*
 * A term of many documents has several rows, none of which needs a page of its own; it is read in
 * order.
 */
static void common_terms(void **state)
{
	struct postings *p = postings_new();
	uint64_t n = 0;
	int64_t next = 1;

	(void)state;
	for (int64_t id = 1; id < MOST; id = after(id), n++)
		add(p, id, id % 5 ? NULL : "common", "common");
	assert_int_equal(postings_write(p, db, &e), 0);
	struct stmt *rows = db_prep(db, "select count(*), max(length(data)) from postings where term = 'common'", &e);
	assert_int_equal(db_step(rows, &e), 1);
	assert_true(db_int(rows, 0) > 1 && db_int(rows, 1) > 970 && db_int(rows, 1) <= 980);
	db_step(rows, &e);
	assert_int_equal(postings_check(db, lengths, MOST, &e), 0);
	assert_int_equal(documents("common"), n);
	assert_int_equal(postings_each(db, "common", expect, &next, &e), 0);
	assert_true(next >= MOST);
	postings_free(p);
}

static void damage_is_an_error(void **state)
{
	struct postings *p = postings_new();
	struct seen s = { 0 };

	(void)state;
	add(p, 1, NULL, "alpha");
	assert_int_equal(postings_write(p, db, &e), 0);
	assert_int_equal(db_exec(db, "update postings set data = x'ffffffff'", &e), 0);
	assert_int_equal(postings_each(db, "alpha", see, &s, &e), -1);
	assert_int_equal(e.code, ERR_DB_ERROR);
	assert_non_null(strstr(e.msg, "damaged"));
	postings_free(p);
}

/* Quoted text is found as it is written, by whole words. */
static void phrases(void **state)
{
	/* the text, and where the phrase is in it; 0, 0: nowhere.  A line end is not a blank. */
	static const struct {
		const char *phrase, *text;
		size_t start, end;
	} rows[] = {
		{ "load users", "we load users now", 3, 13 },
		{ "load users", "Load Users", 0, 0 },
		{ "load users", "load, users", 0, 0 },
		{ "load user", "load users", 0, 0 },
		{ "load user", "preload user", 0, 0 },
		{ "load user", "load user_id; load user", 14, 23 },
		{ "http.Error(", "http.Errorf(w); http.Error(w)", 16, 27 },
		{ "http.Error(", "xhttp.Error(w) http error", 0, 0 },
		{ "=>", "a => b", 2, 4 },
		{ "a", "b a", 2, 3 },
		{ "a", "", 0, 0 },
		{ "", "a", 0, 0 },
		{ "a  b", "a b", 0, 0 },
		{ "a b", "a\n\tb", 0, 0 },
		{ "a {\n b", "x a {\r\n\t\tb }", 2, 10 },
		{ "a\nb", "a \n\n b", 0, 6 },
		{ "a\nb", "a b", 0, 0 },
		{ "a\nb", "a\nbc a\nb", 5, 8 },
		{ "a \t b\nc", "a \tb\nc a \t b \n\nc", 7, 16 },
		{ "a\n b  c", "a\nb c a\nb  c", 6, 12 },
		{ "\u00e9", "\u00e9t\u00e9 \u00e9", 6, 8 },
	};

	(void)state;
	for (size_t i = 0; i < LEN(rows); i++) {
		struct phrase_place at = { 0, 0 };
		bool found = phrase_matches(rows[i].phrase, rows[i].text, strlen(rows[i].text), &at);
		assert_int_equal(found, rows[i].end > 0);
		assert_int_equal(at.start, rows[i].start);
		assert_int_equal(at.end, rows[i].end);
	}
}

/* Blanks are looked at once, not once for each of them: this takes minutes otherwise. */
static void phrases_of_many_blanks(void **state)
{
	static char phrase[32 << 10];
	const size_t n = sizeof phrase - 1;

	(void)state;
	memset(phrase, ' ', n);
	phrase[0] = 'a';
	phrase[n - 1] = 'b';
	for (int i = 0; i < 200; i++) {
		assert_true(phrase_matches(phrase, phrase, n, NULL));
		assert_false(phrase_matches(phrase, "a b", 3, NULL));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(found_where_they_are, setup, teardown),
		cmocka_unit_test_setup_teardown(removed_ones_count_for_nothing, setup, teardown),
		cmocka_unit_test_setup_teardown(ranked_by_the_formula, setup, teardown),
		cmocka_unit_test_setup_teardown(helped_by_its_file, setup, teardown),
		cmocka_unit_test_setup_teardown(forms_count_less, setup, teardown),
		cmocka_unit_test_setup_teardown(kept_by_condition, setup, teardown),
		cmocka_unit_test_setup_teardown(in_pieces, setup, teardown),
		cmocka_unit_test_setup_teardown(common_terms, setup, teardown),
		cmocka_unit_test_setup_teardown(damage_is_an_error, setup, teardown),
		cmocka_unit_test(phrases),
		cmocka_unit_test(phrases_of_many_blanks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
