/* Packages on disk: rows of manifests and of lock files are had again; damage is an error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* cmocka needs the headers above */
#include <cmocka.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/db/db.h"
#include "proto/process/embedded.h"
#include "proto/record/record.h"
#include "shard/storage/package_store.h"

static struct err e;
static struct db *db;
static struct arena *a;

static int setup(void **state)
{
	(void)state;
	e = (struct err){ 0 };
	a = arena_new();
	db = db_open(":memory:", DB_CREATE, &e);
	if (!db || db_exec(db, embedded_contents("shard/index/schema.sql"), &e))
		return -1;
	return db_exec(db,
	    "insert into files(id, path, blob, language, size, lines, test, generated) values (1, 'package.json', '', 'json', 1, 1, 0, 0);"
	    "insert into left_out values (2, 'yarn.lock', '', 'lockfile', 0, 0, 0)",
	    &e);
}

static int teardown(void **state)
{
	(void)state;
	db_close(db);
	arena_free(a);
	return 0;
}

static void put_both(void)
{
	const struct package depends = { .side = "depends", .ecosystem = "npm", .name = "ms\xff", .range = "^2", .line = 3 };
	const struct package locks[] = { { .side = "locks", .ecosystem = "npm", .name = "ms", .range = "2.1.3", .key = "^2", .line = 1 },
		{ .side = "locks", .ecosystem = "npm", .path = ".", .line = 2 } };

	assert_int_equal(packages_put(db, 1, &depends, 1, a, &e), 0);
	assert_int_equal(packages_put_locked(db, 2, locks, 2, a, &e), 0);
	assert_int_equal(packages_put_locked(db, 2, locks, 0, a, &e), 0);
}

static void had_again(void **state)
{
	struct package *v;
	size_t n;

	(void)state;
	put_both();
	assert_int_equal(packages_read(db, &v, &n, a, &e), 0);
	assert_int_equal(n, 1);
	assert_string_equal(v[0].file, "package.json");
	assert_string_equal(v[0].name, "ms\xef\xbf\xbd");
	assert_int_equal(packages_read_locked(db, &v, &n, a, &e), 0);
	assert_int_equal(n, 3);
	assert_string_equal(v[1].file, "yarn.lock");
	assert_string_equal(v[1].range, "2.1.3");
	assert_string_equal(v[1].key, "^2");
	assert_null(v[2].name);
	assert_string_equal(v[2].path, ".");
}

static void damage_is_an_error(void **state)
{
	struct package *v;
	size_t n;

	(void)state;
	put_both();
	assert_int_equal(db_exec(db, "update packages set row = x'00112233' where file = 2", &e), 0);
	assert_int_equal(packages_read(db, &v, &n, a, &e), 0);
	assert_int_equal(packages_read_locked(db, &v, &n, a, &e), -1);
	assert_int_equal(e.code, ERR_DB_ERROR);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(had_again, setup, teardown),
		cmocka_unit_test_setup_teardown(damage_is_an_error, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
