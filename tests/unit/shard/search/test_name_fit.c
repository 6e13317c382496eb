#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/record/hit_scores.h"
#include "shard/search/name_fit.h"

static struct arena *a;

static const struct {
	const char *asked, *qualified, *path;
	enum name_fit fit;
} rows[] = {
	{ "get_user", "Client.get_user", "src/users.py", NAME_WRITTEN },
	{ "Client.get_user", "Client.get_user", "src/users.py", NAME_WRITTEN },
	{ "Client::get_user", "Client.get_user", "src/users.py", NAME_WRITTEN },
	{ "Client#get_user", "Client.get_user", "src/users.py", NAME_WRITTEN },
	{ "users.Client.get_user", "Client.get_user", "src/users.py", NAME_WRITTEN },
	{ "src/users.Client.get_user", "Client.get_user", "src/users.py", NAME_WRITTEN },
	{ "users.get_user", "get_user", "src/users.py", NAME_WRITTEN },
	{ "driver.Register", "Register", "pkg/driver/quota.go", NAME_WRITTEN },
	{ "com.shop.Cart.add", "Cart.add", "src/main/java/com/shop/Cart.java", NAME_WRITTEN },
	{ "save!", "User.save!", "user.rb", NAME_WRITTEN },
	{ "save", "User.save!", "user.rb", NAME_FOLDED },
	{ "save!", "User.save", "user.rb", NAME_FOLDED },
	{ "GET_USER", "Client.get_user", "src/users.py", NAME_FOLDED },
	{ "client.get_user", "Client.get_user", "src/users.py", NAME_FOLDED },
	{ "getUser", "Client.get_user", "src/users.py", NAME_SIMILAR },
	{ "Client.getUser", "Client.get_user", "src/users.py", NAME_SIMILAR },
	{ "other.get_user", "Client.get_user", "src/users.py", NAME_ELSEWHERE },
	{ "users.get_user", "Client.get_user", "src/users.py", NAME_ELSEWHERE },	/* its parent is not left out */
	{ "get_us", "Client.get_user", "src/users.py", NAME_BEGINS },
	{ "Client.get_us", "Client.get_user", "src/users.py", NAME_BEGINS },
	{ "GetUs", "Client.get_user", "src/users.py", NAME_BEGINS_SIMILAR },
	{ "other.get_us", "Client.get_user", "src/users.py", NAME_UNLIKE },
	{ "user", "Client.get_user", "src/users.py", NAME_UNLIKE },
	{ "Client", "Client.get_user", "src/users.py", NAME_UNLIKE },
};

static void names_fit_as_written_or_less(void **state)
{
	(void)state;
	for (size_t i = 0; i < LEN(rows); i++) {
		const char *dot = strrchr(rows[i].qualified, '.');
		struct named_definition d = { .qualified = rows[i].qualified, .path = rows[i].path, .kind = "method" };
		d.name = dot ? dot + 1 : d.qualified;
		enum name_fit fit = name_fit(rows[i].asked, &d, a);
		if (fit != rows[i].fit)
			fail_msg("%s for %s: %d, not %d", rows[i].asked, rows[i].qualified, fit, rows[i].fit);
	}
}

/* From what people mean first to what they mean last. */
static const struct {
	enum name_fit fit;
	const char *kind, *path;
	bool test, generated, minor, left_out;
} order[] = {
	{ NAME_WRITTEN, "class", "src/a.py", false, false, false, false },
	{ NAME_WRITTEN, "function", "src/a.py", false, false, false, false },
	{ NAME_WRITTEN, "constant", "src/a.py", false, false, false, false },
	{ NAME_WRITTEN, "field", "src/a.py", false, false, false, false },
	{ NAME_WRITTEN, "constructor", "src/a.py", false, false, false, false },
	{ NAME_WRITTEN, "class", "src/a.py", false, false, true, false },
	{ NAME_WRITTEN, "variable", "src/a.py", false, false, true, false },
	{ NAME_WRITTEN, "class", "third_party/a.py", false, false, false, false },
	{ NAME_WRITTEN, "class", "src/a.py", true, false, false, false },
	{ NAME_WRITTEN, "class", "src/a.py", false, true, false, false },
	{ NAME_WRITTEN, "class", "lib/a.py", false, false, false, true },
	{ NAME_WRITTEN, "variable", "lib/a.py", false, false, true, true },
	{ NAME_FOLDED, "class", "src/a.py", false, false, false, false },
	{ NAME_SIMILAR, "class", "src/a.py", false, false, false, false },
	{ NAME_ELSEWHERE, "class", "src/a.py", false, false, false, false },
	{ NAME_WRITTEN, "section", "src/a.py", false, false, false, false },
	{ NAME_BEGINS, "class", "src/a.py", false, false, false, false },
	{ NAME_BEGINS_SIMILAR, "class", "src/a.py", false, false, false, false },
};

static void equal_fits_are_in_order(void **state)
{
	double before = NAME_SCORE_WRITTEN + 1;

	(void)state;
	for (size_t i = 0; i < LEN(order); i++) {
		struct named_definition d = { .name = "a",
			.qualified = "a",
			.kind = order[i].kind,
			.path = order[i].path,
			.language = "python",
			.test = order[i].test,
			.generated = order[i].generated,
			.minor = order[i].minor,
			.left_out = order[i].left_out };
		double score = name_score_asked(order[i].fit, &d);
		if (score >= before || score <= NAME_IN_TEXT_MAX)
			fail_msg("%zu: %g after %g", i, score, before);
		before = score;
	}
}

/* Pairs of a variable or function that is meant, and one of the same name that is meant less. */
static void the_place_of_a_name_decides(void **state)
{
	static const struct {
		const char *kind, *language, *path, *less_language, *less_path;
	} pairs[] = {
		{ "variable", "makefile", "Makefile", "bash", "tools/build.sh" },
		{ "variable", "makefile", "Makefile", "dockerfile", "Dockerfile" },
		{ "variable", "cmake", "CMakeLists.txt", "yaml", "ci.yml" },
		{ "variable", "go", "a.go", "bash", "a.sh" },
		{ "function", "bash", "tools/db.sh", "bash", "contrib/db.sh" },
		{ "field", "typescript", "a.ts", "astro", "a.astro" },
		{ "field", "javascript", "a.js", "svelte", "a.svelte" },
		{ "function", "vue", "a.vue", "vue", "examples/a.vue" },
		{ "function", "vue", "a.vue", "html", "a.html" },
	};

	(void)state;
	for (size_t i = 0; i < LEN(pairs); i++) {
		struct named_definition d = { .name = "a",
			.qualified = "a",
			.kind = pairs[i].kind,
			.language = pairs[i].language,
			.path = pairs[i].path };
		struct named_definition less = d;
		less.language = pairs[i].less_language;
		less.path = pairs[i].less_path;
		if (name_score_asked(NAME_WRITTEN, &d) <= name_score_asked(NAME_WRITTEN, &less))
			fail_msg("%s does not precede %s", d.path, less.path);
	}
	struct named_definition shell = {
		.name = "a", .qualified = "a", .kind = "function", .language = "bash", .path = "a.sh"
	};
	struct named_definition package = shell;
	package.path = "django/contrib/a.sh";
	assert_true(name_score_asked(NAME_WRITTEN, &shell) == name_score_asked(NAME_WRITTEN, &package));
}

static void a_word_of_a_sentence_is_evidence(void **state)
{
	struct named_definition d = {
		.name = "a", .qualified = "a", .kind = "class", .path = "src/a.py", .language = "python"
	};

	(void)state;
	assert_true(name_score_in_text(NAME_WRITTEN, &d) == NAME_IN_TEXT_MAX);
	assert_true(name_score_in_text(NAME_FOLDED, &d) > name_score_in_text(NAME_SIMILAR, &d));
	assert_true(name_score_in_text(NAME_BEGINS, &d) == 0);
	d.test = true;
	assert_true(name_score_in_text(NAME_WRITTEN, &d) < NAME_IN_TEXT_MAX);
	d.kind = "section";
	assert_true(name_score_asked(NAME_UNLIKE, &d) == 0);
}

/* Readers that have a definition above this score need no minor name. */
static void no_minor_name_scores_more_than_the_maximum(void **state)
{
	struct named_definition d = {
		.name = "load",
		.qualified = "run.load",
		.path = "src/a.go",
		.language = "go",
		.minor = true,
	};
	static const char *const kinds[] = { "variable", "field", "function", "class" };

	(void)state;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		for (enum name_fit fit = NAME_UNLIKE; fit < NAME_FITS; fit++) {
			d.kind = kinds[i];
			assert_true(name_score_asked(fit, &d) <= name_score_minor_max());
		}
	assert_true(name_score_asked(NAME_WRITTEN, &d) == name_score_minor_max());
	d.minor = false;
	assert_true(name_score_asked(NAME_WRITTEN, &d) > name_score_minor_max());
	d.left_out = true;
	assert_true(name_score_asked(NAME_WRITTEN, &d) < name_score_minor_max());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_fit_as_written_or_less),
		cmocka_unit_test(equal_fits_are_in_order),
		cmocka_unit_test(the_place_of_a_name_decides),
		cmocka_unit_test(a_word_of_a_sentence_is_evidence),
		cmocka_unit_test(no_minor_name_scores_more_than_the_maximum),
	};

	a = arena_new();
	int rc = cmocka_run_group_tests(tests, NULL, NULL);
	arena_free(a);
	return rc;
}
