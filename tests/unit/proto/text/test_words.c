/* Words of code and of questions: tokens, forms and weights. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* cmocka needs the headers above */
#include <cmocka.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/text/question.h"
#include "proto/text/tokens.h"
#include "proto/text/word_forms.h"
#include "proto/text/word_weights.h"

static void terms_are(const char *text, const char *want)
{
	struct arena *a = arena_new();
	struct terms t = terms_of(text, 64, a);
	struct buf b = { 0 };

	buf_str(&b, "");
	for (size_t i = 0; i < t.n; i++)
		buf_printf(&b, "%s%s", i ? " " : "", t.v[i].text);
	if (strcmp(b.p, want))
		fail_msg("%s: got `%s`, want `%s`", text, b.p, want);
	buf_free(&b);
	arena_free(a);
}

static void identifiers_are_split(void **state)
{
	(void)state;
	terms_are("loadUsers", "loaduser load user");
	terms_are("load_users", "load_user load user");
	terms_are("UserService", "userservice user service");
	terms_are("HTTPServer2Go", "httpserver2go http server go");
	terms_are("users", "user");
	terms_are("_private __init__", "private init");
	terms_are("GET /api/users/:id", "get api user id");
	terms_are("queries classes boxes status analysis caches this",
	    "query class box status analysis cache this");
	terms_are("parseURL", "parseurl parse url");
	terms_are("größe \xf0\x9f\x98\x80", "größe \xf0\x9f\x98\x80");
	terms_are("\"'*()-:", "");
	terms_are("sha256sum", "sha256sum sha 256 sum");
}

static void stop_words_are_sorted(void **state)
{
	(void)state;
	assert_true(term_is_stopword("a") && term_is_stopword("the") && term_is_stopword("your") &&
	    term_is_stopword("how"));
	assert_true(term_is_stopword("which") && term_is_stopword("what") && term_is_stopword("is") &&
	    term_is_stopword("was"));
	assert_false(term_is_stopword("user") || term_is_stopword("parse") || term_is_stopword("zzz") ||
	    term_is_stopword(""));
}

static void words_tell(void **state)
{
	static const struct { const char *root; int words, meaning; } known[] = {
#define WORD_WEIGHT(root, words, meaning) { #root, words, meaning },
#include "proto/text/word_weights.def"
#undef WORD_WEIGHT
	};

	(void)state;
	for (size_t i = 0; i < LEN(known); i++) {	/* sorted, and each is its own root */
		struct word_weight t = word_weight(known[i].root);
		assert_true(t.words == known[i].words / 100.0 && t.meaning == known[i].meaning / 100.0);
		assert_true(known[i].words >= 25 && known[i].meaning >= 25);	/* nobody is silenced */
	}
	assert_true(word_weight("specify").words < 1 &&
	    word_weight("creating").words == word_weight("created").words &&
	    word_weight("created").words < 1);
	assert_true(word_weight("zzz").words == 1 && word_weight("").words == 1 &&
	    word_weight("load_us*").meaning == 1);
}

static bool gives(const char *term, const char *form, struct arena *a)
{
	const char *v[WORD_FORMS_MAX];
	size_t n = word_forms(term, v, a);

	for (size_t i = 0; i < n; i++)
		if (!strcmp(v[i], form))
			return true;
	return false;
}

static void words_have_forms(void **state)
{
	static const struct { const char *a, *b; bool same;
	} pairs[] = {
		{ "delete", "deleted", true },
		{ "deleting", "deleter", true },
		{ "planned", "plan", true },
		{ "drop", "dropping", true },
		{ "install", "installing", true },
		{ "call", "calling", true },
		{ "controlled", "control", true },
		{ "parser", "parse", true },
		{ "string", "stred", false },
		{ "load", "loadx", false },
		{ "red", "reder", false },
		{ "load_user", "load_used", false },
		{ "feed", "fee", false },
		{ "key2", "key2ed", false },
		{ "", "e", false },
	};
	struct arena *a = arena_new();
	struct question q;

	(void)state;
	for (size_t i = 0; i < LEN(pairs); i++) {
		assert_int_equal(word_forms_equal(pairs[i].a, pairs[i].b), pairs[i].same);
		assert_int_equal(gives(pairs[i].a, pairs[i].b, a), pairs[i].same);
		assert_int_equal(gives(pairs[i].b, pairs[i].a, a), pairs[i].same);
		assert_true(word_forms_equal(pairs[i].a, pairs[i].a) && !gives(pairs[i].a, pairs[i].a, a));
	}
	assert_int_equal(question_parse(&q, "the deleted file", a, NULL), 0);
	assert_int_equal(q.noriginal, 2);
	assert_string_equal(q.terms[0], "deleted");
	assert_true(q.nterms > 4 && word_forms_equal("delete", q.terms[2]));
	assert_int_equal(
	    question_parse(&q, "\"deleted file\"", a, NULL), 0); /* a phrase is as it stands */
	assert_true(q.noriginal == 2 && q.nterms == 2);
	assert_int_equal(question_parse(&q, "the \"deleted file\" of each user", a, NULL), 0);
	assert_true(q.nphrases == 1 && q.literal);
	assert_int_equal(
	    question_parse(&q, "do not listen on both stacks if \"-l file\" was not set", a, NULL),
	    0); /* a sentence */
	assert_true(!q.nphrases && !q.literal && q.noriginal == 6);
	/* what is quoted has no word: those beside it find the texts, which are then read */
	assert_int_equal(question_parse(&q, "\"=>\" route user", a, NULL), 0);
	assert_true(q.nphrases == 1 && q.literal && q.nterms == 2 && !strcmp(q.phrases[0].text, "=>"));
	assert_int_equal(question_parse(&q, "\"\n  of the\r\n\t\"", a, NULL), 0);
	assert_true(q.nphrases == 1 && q.nterms == 2 && !strcmp(q.phrases[0].text, "of the"));
	/* files are no words of a sentence */
	assert_int_equal(question_parse(&q, "\"of it\" src/a_b.py:5 lib/c.py d/e/f.py", a, NULL), 0);
	assert_true(q.nphrases == 1 && q.npaths == 3);
	assert_int_equal(question_parse(&q, "\" \" user", a, NULL), 0);
	assert_true(!q.nphrases && q.keywords);
	struct err e = { 0 };
	assert_int_equal(question_parse(&q, "\"=>\"", a, &e), -1);
	assert_true(e.code == ERR_INVALID_INPUT && strstr(e.hint, "quote a word"));
	arena_free(a);
}

/* Questions for exact text, which a similar meaning cannot answer. */
static void questions_mean_what_they_say(void **state)
{
	static const struct { const char *text; bool literal;
	} asked[] = {
		{ "load_users", true },
		{ "  OrderService.find", true },
		{ "load_us*", true },
		{ "load_us* by name", true },
		{ "src/app.py", true },
		{ "app.py:120", true },
		{ "\"open the door\"", true },
		{ "\"open the door\" quickly", true },
		{ "door", false },
		{ "load_users twice", false },
		{ "how is src/app.py started", false },
		{ "where are doors opened?", false },
	};
	struct arena *a = arena_new();
	struct question q;

	(void)state;
	for (size_t i = 0; i < LEN(asked); i++) {
		assert_int_equal(question_parse(&q, asked[i].text, a, NULL), 0);
		if (q.literal != asked[i].literal)
			fail_msg("%s", asked[i].text);
	}
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(identifiers_are_split),
		cmocka_unit_test(stop_words_are_sorted),
		cmocka_unit_test(words_have_forms),
		cmocka_unit_test(words_tell),
		cmocka_unit_test(questions_mean_what_they_say),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
