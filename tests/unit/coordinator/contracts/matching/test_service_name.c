/* The words of names that mean a service, and the part of a name that identifies it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the above */
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "coordinator/contracts/matching/service_name.h"
#include "proto/base/buf.h"

/* The words of a name with spaces between them, and " @" if it means an address. */
static void words_are(const char *name, const char *want)
{
	struct name_words w;
	char got[NAME_WORDS * NAME_CORE + 8] = "";

	memset(&w, 'x', sizeof w);
	name_words(name, &w);
	for (size_t i = 0; i < w.n; i++)
		snprintf(got + strlen(got), sizeof got - strlen(got), "%s%s", i ? " " : "", w.v[i]);
	if (w.address)
		strcat(got, " @");
	assert_string_equal(got, want);
}

static void words(void **state)
{
	static const struct {
		const char *name, *words;
	} v[] = {
		{ "", "" },
		{ "user", "user" },
		{ "--user--", "user" },
		{ "USER_SERVICE_URL", "user @" },
		{ "usersApi", "users" },
		{ "shop-user-svc", "shop user" },
		{ "URLBase", " @" },
		{ "HTTPOrders", "orders" },
		{ "XOrders", "x orders" },
		{ "orderX", "order x" },
		{ "order2go", "order2go" },
		{ "2go", "2go" },
		{ "Order", "order" },
		{ "ORDERS", "orders" },
		{ "http://user.host:80", "user 80 @" },
		/* written together */
		{ "cartservice", "cart" },
		{ "baseurl", " @" },
		{ "carturl", "cart @" },
		{ "caturl", "cat @" },
		{ "cturl", "cturl" },
		{ "cartsvc", "cart" },
		{ "cartapi", "cart" },
		{ "carthost", "cart @" },
		{ "cartendpoint", "cart @" },
		{ "caservice", "caservice" },
		/* only the first twelve */
		{ "a-b-c-d-e-f-g-h-i-j-k-l-m-n", "a b c d e f g h i j k l" },
	};

	(void)state;
	for (size_t i = 0; i < LEN(v); i++)
		words_are(v[i].name, v[i].words);
}

static void words_have_a_longest_length(void **state)
{
	char name[NAME_CORE + 1];

	(void)state;
	memset(name, 'a', sizeof name);
	name[NAME_CORE] = 0;
	words_are(name, "");
	name[NAME_CORE - 1] = 0;
	words_are(name, name);
}

static void core_is(const char *name, size_t from, const char *want)
{
	struct name_words w;
	char got[NAME_CORE];

	name_words(name, &w);
	bool found = name_core(&w, from, got);
	assert_int_equal(found, want != NULL);
	if (want)
		assert_string_equal(got, want);
}

static void what_identifies_a_service(void **state)
{
	(void)state;
	core_is("USER_SERVICE_URL", 0, "user");
	core_is("usersApi", 0, "user");
	core_is("shop-user-svc", 0, "shopuser");
	core_is("shop-user-svc", 1, "user");
	core_is("shop-users", 1, "user");
	core_is("shop-users", 2, NULL);
	/* the singular, but not of what hardly is a plural */
	core_is("addresses-of", 0, "addressesof");
	core_is("access", 0, "access");
	core_is("users", 0, "user");
	core_is("cats", 0, "cats");
	/* a whole name may be short, the end of one less so */
	core_is("db", 0, "db");
	core_is("d", 0, NULL);
	core_is("", 0, NULL);
	core_is("shop-db", 1, NULL);
	core_is("shop-cat", 1, "cat");
}

static void a_core_has_a_longest_length(void **state)
{
	char name[NAME_CORE + 8], want[NAME_CORE];

	(void)state;
	memset(name, 'a', sizeof name);
	name[50] = '-';
	name[NAME_CORE] = 0; /* 50 and 45 letters */
	memset(want, 'a', sizeof want);
	want[NAME_CORE - 1] = 0;
	core_is(name, 0, want);
	name[NAME_CORE] = 'a';
	name[NAME_CORE + 1] = 0;
	core_is(name, 0, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words),
		cmocka_unit_test(words_have_a_longest_length),
		cmocka_unit_test(what_identifies_a_service),
		cmocka_unit_test(a_core_has_a_longest_length),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
