/* Who was removed is refused, until a source admits it again. */
#include "tests/registry_file.h"

#include "coordinator/registry/tombstones.h"

static bool again;

static int check(struct hello h)
{
	e = (struct err){ 0 };
	again = false;
	h.name = "the-name";
	return tombstone_check(r, &h, "own", &again, a, &e);
}

static void removed(const char *uri, const char *host, const char *replica)
{
	struct db *db = registry_begin(r, &e);

	assert_int_equal(registry_end(r, tombstone_put(db, uri, host, replica, &e), &e), 0);
}

static void refused(const char *msg, const char *hint)
{
	assert_false(again);
	assert_string_equal(e.hint, hint);
	fails_with(ERR_FORBIDDEN, msg);
}

static void what_was_removed_is_refused(void **state)
{
	(void)state;
	removed("h/gone", NULL, NULL);
	removed("h/b", "b", NULL);
	removed("h/b", "b", "b-1");
	assert_int_equal(check((struct hello){ .repo_uri = "h/a", .replica = "1" }), 0);
	assert_int_equal(check((struct hello){ .repo_uri = "h/gone", .replica = "1" }), -1);
	refused("the-name was removed from this coordinator",
	    "`atoll repo add its path or URL` admits it again.");
	assert_int_equal(check((struct hello){
	                     .repo_uri = "h/gone", .replica = "1", .host = "b", .source = "/src" }),
	    -1);
	refused("the-name was removed from this coordinator", "`atoll repo add /src` admits it again.");
	assert_int_equal(
	    check((struct hello){ .repo_uri = "h/b", .replica = "2", .host = "b", .source = "" }), -1);
	refused("the-name was removed from the host b",
	    "`atoll repo add --host b its path or URL` admits it again.");
	assert_int_equal(check((struct hello){ .repo_uri = "h/b", .replica = "b-1", .host = "" }), -1);
	refused("the-name was removed from the host b-1",
	    "`atoll repo add --host b-1 its path or URL` admits it again.");
	assert_int_equal(check((struct hello){ .repo_uri = "h/b", .replica = "2", .host = "c" }), 0);
	assert_int_equal(check((struct hello){ .repo_uri = "h/b", .replica = "2", .host = "" }), 0);
	assert_false(again);
	/* both: what was removed on the host is told */
	removed("h/gone", "b", NULL);
	assert_int_equal(
	    check((struct hello){ .repo_uri = "h/gone", .replica = "1", .host = "b" }), -1);
	refused("the-name was removed from the host b",
	    "`atoll repo add --host b its path or URL` admits it again.");
}

static void a_source_admits_it_again(void **state)
{
	static const struct {
		const char *source, *host, *linked;
		struct hello h;
		bool again;
	} v[] = {
		{ "/src", NULL, NULL, { .repo_uri = "h/gone", .replica = "1", .source = "/src/" }, true },
		{ "/src", NULL, NULL, { .repo_uri = "h/gone", .replica = "1", .source = "/other" }, false },
		{ "/src", NULL, NULL, { .repo_uri = "h/gone", .replica = "1" }, false },
		{ "https://h/gone.git", NULL, NULL, { .repo_uri = "h/gone", .replica = "1" }, true },
		{ "https://h/others.git", NULL, NULL, { .repo_uri = "h/gone", .replica = "1" }, false },
		{ "/linked", NULL, "h/gone", { .repo_uri = "h/gone", .replica = "1" }, true },
		{ "/linked", NULL, "h/others", { .repo_uri = "h/gone", .replica = "1" }, false },
		/* a host is admitted by a source that is to run there */
		{ "/src", "a,b", NULL, { .repo_uri = "h/b", .replica = "1", .host = "b", .source = "/src" },
		    true },
		{ "/src", "a,c", NULL, { .repo_uri = "h/b", .replica = "1", .host = "b", .source = "/src" },
		    false },
		{ "/src", NULL, NULL,
		    { .repo_uri = "h/own", .replica = "1", .host = "own", .source = "/src" }, true },
		{ "/src", ",a", NULL,
		    { .repo_uri = "h/own", .replica = "1", .host = "own", .source = "/src" }, true },
		{ "/src", "a", NULL,
		    { .repo_uri = "h/own", .replica = "1", .host = "own", .source = "/src" }, false },
		{ "/src", NULL, NULL, { .repo_uri = "h/own", .replica = "r-own", .source = "/src" },
		    false },
	};

	(void)state;
	removed("h/gone", NULL, NULL);
	removed("h/b", "b", NULL);
	removed("h/own", "own", "r-own");
	removed("h/own", "own", NULL);
	for (size_t i = 0; i < LEN(v); i++) {
		run("delete from sources");
		assert_int_equal(
		    sources_put(r, &(struct source_row){ .source = v[i].source, .host = v[i].host }, &e),
		    0);
		if (v[i].linked)
			run(arena_printf(a, "update sources set repo_uri = '%s'", v[i].linked));
		assert_int_equal(check(v[i].h), v[i].again ? 0 : -1);
		assert_int_equal(again, v[i].again);
	}
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_was_removed_is_refused),
		TEST(a_source_admits_it_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
