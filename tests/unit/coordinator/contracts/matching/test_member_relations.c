/* What two repositories have to do with each other: names, owners, packages and mentions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the above */
#include <cmocka.h>
#include <string.h>

#include "coordinator/contracts/matching/member_relations.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/record/record.h"

enum { MOST = 60 };

static struct arena *a;
static struct match_member m[MOST];
static struct contracts_res facts[MOST];
static struct package packages[MOST][4];
static size_t n;

/* ---- the group ---- */

/* A member; its name is the last part of its URI. */
static size_t add(const char *uri)
{
	assert_true(n < MOST);
	facts[n] = (struct contracts_res){ .packages.v = packages[n] };
	m[n] = (struct match_member){ uri, strrchr(uri, '/') + 1, &facts[n] };
	return n++;
}

static void add_package(size_t member, struct package p)
{
	packages[member][facts[member].packages.n++] = p;
}

static struct package package(const char *side, const char *name)
{
	return (struct package){ .side = side, .ecosystem = "npm", .name = name };
}

/* The first two members are so related, in both directions, and the reason is this; the group is empty afterwards. */
static void first_two_are(enum relation relation, const char *why)
{
	struct member_relations *r = member_relations_new(m, n, a);

	for (size_t i = 0; i < 2; i++) {
		const char *said = "nothing";
		assert_int_equal(member_relation(r, i, 1 - i, NULL), relation);
		assert_int_equal(member_relation(r, i, 1 - i, &said), relation);
		if (why)
			assert_string_equal(said, why);
		else
			assert_null(said);
	}
	member_relations_free(r);
	n = 0;
}

static void two_are(const char *x, const char *y, enum relation relation, const char *why)
{
	add(x);
	add(y);
	first_two_are(relation, why);
}

static int begin(void **state)
{
	(void)state;
	a = arena_new();
	n = 0;
	return 0;
}

static int end(void **state)
{
	(void)state;
	arena_free(a);
	return 0;
}

/* ---- names ---- */

static void a_word_of_both_names(void **state)
{
	(void)state;
	two_are("h/a/orders", "h/b/web-orders", RELATION_EVIDENT,
	    "the names of orders and web-orders share orders");
	two_are("h/a/web-cats", "h/b/cats-x", RELATION_EVIDENT,
	    "the names of web-cats and cats-x share cats");
	two_are("h/a/web-cat", "h/b/cat-x", RELATION_NONE, NULL);
	two_are("h/a/orders", "h/b/stock", RELATION_NONE, NULL);
}

static void words_that_tell_nothing(void **state)
{
	static const char *const v[] = { "android", "common", "platform", "website" };

	(void)state;
	for (size_t i = 0; i < LEN(v); i++)
		two_are(arena_printf(a, "h/a/one-%s", v[i]), arena_printf(a, "h/b/two-%s", v[i]),
		    RELATION_NONE, NULL);
	/* nor do they hide the others */
	two_are("h/a/stock-platform-depot", "h/b/my-stockdepot-x", RELATION_EVIDENT,
	    "the names of stock-platform-depot and my-stockdepot-x share stockdepot");
}

static void a_name_within_the_other(void **state)
{
	(void)state;
	two_are("h/a/carts", "h/b/mycartsx", RELATION_EVIDENT,
	    "the names of carts and mycartsx share carts");
	two_are("h/a/mycartsx", "h/b/carts", RELATION_EVIDENT,
	    "the names of mycartsx and carts share carts");
	two_are("h/a/cart", "h/b/mycartx", RELATION_NONE, NULL);
	two_are("h/a/mycartx", "h/b/cart", RELATION_NONE, NULL);
}

static void sharers(size_t with, size_t without, enum relation relation)
{
	for (size_t i = 0; i < with; i++)
		add(arena_printf(a, "h/o%zu/stock-q%zuz", i, i));
	for (size_t i = 0; i < without; i++)
		add(arena_printf(a, "h/p%zu/x%zuy", i, i));
	first_two_are(relation,
	    relation == RELATION_NONE ? NULL : "the names of stock-q0z and stock-q1z share stock");
}

static void a_word_that_many_have_tells_nothing(void **state)
{
	(void)state;
	sharers(8, 0, RELATION_EVIDENT);
	sharers(9, 0, RELATION_NONE);
	sharers(9, 35, RELATION_NONE);
	sharers(9, 36, RELATION_EVIDENT);
}

/* ---- owners ---- */

static void an_owner(void **state)
{
	(void)state;
	add("h/o/one");
	add("h/o/two");
	add("h/p/red");
	first_two_are(RELATION_POSSIBLE, NULL); /* most are of this owner */
	add("h/o/one");
	add("h/o/two");
	add("h/p/red");
	add("h/q/tan");
	first_two_are(RELATION_EVIDENT, "one and two have the same owner");
	add("h/o/one");
	add("h/o/two");
	add("h/o/six");
	add("h/p/red");
	add("h/q/tan");
	first_two_are(RELATION_EVIDENT, "one and two have the same owner");
	add("h/o/one");
	add("i/o/two");
	first_two_are(RELATION_NONE, NULL);
}

/* ---- packages ---- */

static void publishes(size_t member)
{
	add_package(member, package("publishes", "Pack"));
}

static void a_package_that_the_other_needs(void **state)
{
	(void)state;
	publishes(add("h/a/one"));
	add_package(add("h/b/two"), package("depends", "pack"));
	first_two_are(RELATION_POSSIBLE, "two needs the package pack of one");
	add_package(add("h/a/one"), package("depends", "pack"));
	publishes(add("h/b/two"));
	first_two_are(RELATION_POSSIBLE, "one needs the package pack of two");
	publishes(add("h/a/one"));
	add_package(add("h/b/two"), package("uses", "pack"));
	first_two_are(RELATION_NONE, NULL);
}

static void packages_that_tell_nothing(void **state)
{
	struct package other = package("depends", "pack"), hidden = package("publishes", "pack"),
	               nameless = package("publishes", NULL);

	(void)state;
	other.ecosystem = "pypi";
	hidden.scope = "private";
	publishes(add("h/a/one"));
	add_package(add("h/b/two"), other);
	first_two_are(RELATION_NONE, NULL);
	add_package(add("h/a/one"), hidden);
	add_package(add("h/b/two"), package("depends", "pack"));
	first_two_are(RELATION_NONE, NULL);
	add_package(add("h/a/one"), nameless);
	add_package(add("h/b/two"), (struct package){ .side = "publishes", .name = "pack" });
	first_two_are(RELATION_NONE, NULL);
}

static void a_package_of_many(void **state)
{
	(void)state;
	for (size_t publishers = 3; publishers <= 4; publishers++) {
		publishes(add("h/a/one"));
		publishes(0); /* twice, as in two manifests */
		add_package(add("h/b/two"), package("depends", "pack"));
		for (size_t i = 1; i < publishers; i++)
			publishes(add(arena_printf(a, "h/o%zu/x%zuy", i, i)));
		if (publishers == 3)
			first_two_are(RELATION_POSSIBLE, "two needs the package pack of one");
		else
			first_two_are(RELATION_NONE, NULL);
	}
}

/* ---- mentions ---- */

static void a_mention_of_the_other(void **state)
{
	static const char *const v[] = { "h/a/one", "H/A/One.git", "h/a/one/blob/main/README.md",
		"h/a/one#readme", "h/a/one?x" };

	(void)state;
	for (size_t i = 0; i < LEN(v); i++) {
		add("h/a/one");
		add_package(add("h/b/two"), package("mentions", v[i]));
		first_two_are(RELATION_POSSIBLE, "two mentions one");
	}
	add("h/a/one");
	struct package p = package("depends", "pack");
	p.source = "h/a/one";
	add_package(add("h/b/two"), p);
	first_two_are(RELATION_POSSIBLE, "two mentions one");
	add("h/a/one");
	add_package(add("h/b/two"), package("mentions", "h/b/two"));
	first_two_are(RELATION_NONE, NULL);
	add("h/a/one");
	add_package(add("h/b/two"), package("mentions", "h/a"));
	first_two_are(RELATION_NONE, NULL);
}

/* Of several reasons, the strongest is told, and of equal ones the first. */
static void which_reason_is_told(void **state)
{
	(void)state;
	publishes(add("h/a/one"));
	add_package(add("h/b/two"), package("depends", "pack"));
	add_package(1, package("mentions", "h/a/one"));
	first_two_are(RELATION_POSSIBLE, "two needs the package pack of one");
	publishes(add("h/a/orders"));
	add_package(add("h/b/web-orders"), package("depends", "pack"));
	first_two_are(RELATION_EVIDENT, "the names of orders and web-orders share orders");
	publishes(add("h/o/one"));
	add_package(add("h/o/two"), package("depends", "pack"));
	first_two_are(RELATION_POSSIBLE, "two needs the package pack of one");
	member_relations_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_word_of_both_names, begin, end),
		cmocka_unit_test_setup_teardown(words_that_tell_nothing, begin, end),
		cmocka_unit_test_setup_teardown(a_name_within_the_other, begin, end),
		cmocka_unit_test_setup_teardown(a_word_that_many_have_tells_nothing, begin, end),
		cmocka_unit_test_setup_teardown(an_owner, begin, end),
		cmocka_unit_test_setup_teardown(a_package_that_the_other_needs, begin, end),
		cmocka_unit_test_setup_teardown(packages_that_tell_nothing, begin, end),
		cmocka_unit_test_setup_teardown(a_package_of_many, begin, end),
		cmocka_unit_test_setup_teardown(a_mention_of_the_other, begin, end),
		cmocka_unit_test_setup_teardown(which_reason_is_told, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
