/*
 * Interfaces of others and uses on disk: what is wanted, what is missing, what was found, and for
 * which index it is known.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/map.h"
#include "proto/db/db.h"
#include "shard/interfaces/package_interfaces.h"
#include "shard/uses/external_files.h"
#include "shard/uses/use_finder.h"
#include "shard/uses/use_store.h"
#include "tests/private_folder.h"

static struct arena *a;
static struct err e;
static struct db *db;

static int setup(void **state)
{
	(void)state;
	e = (struct err){ 0 };
	a = arena_new();
	unlink(arena_printf(a, "%s/uses.db", private_folder()));
	db = use_store_open(private_folder(), &e);
	return !db;
}

static int teardown(void **state)
{
	(void)state;
	db_close(db);
	unlink(arena_printf(a, "%s/uses.db", private_folder()));
	arena_free(a);
	return 0;
}

/* An interface with one empty file. */
static struct bytes interface_of(const char *path, char hash[SHA256_HEX])
{
	struct interface_file file = { .path = path, .language = "python" };
	struct interface x = { .files = { &file, 1 } };
	struct bytes out;

	interface_pack(&x, a, &out, hash);
	return out;
}

/* What a group wants, as REPO and hash in turn, ended by NULL; the hashes that are missing. */
static const char *want(const char *group, const char *const *pairs)
{
	struct wanted_interface v[8];
	struct use_interfaces_req q = { .group = group, .interfaces = { v, 0 } };
	struct strs missing;

	for (; *pairs; pairs += 2)
		v[q.interfaces.n++] = (struct wanted_interface){
			.repo_uri = pairs[0], .ecosystem = "pypi", .hash = pairs[1]
		};
	assert_false(use_store_want(db, &q, &missing, a, &e));
	return strs_join(&missing, a);
}

#define WANT(group, ...) want(group, (const char *const[]){ __VA_ARGS__, NULL })

/* The bytes that are here after a chunk; -1 if it is refused. */
static int64_t put(const char *hash, struct bytes all, uint64_t offset, uint64_t n)
{
	struct put_interface_req q = { hash, all.n, offset, { (const char *)all.p + offset, n } };
	uint64_t have = 0;
	struct err why = { 0 };

	if (use_store_put(db, &q, &have, &why))
		return -1;
	return (int64_t)have;
}

static void chunks_come_in_order_and_the_last_is_checked(void **state)
{
	char hash[SHA256_HEX], other[SHA256_HEX];
	struct bytes x = interface_of("a.py", hash), y = interface_of("b.py", other);

	(void)state;
	assert_string_equal(WANT("g", "lib", hash), hash);
	assert_int_equal(put(hash, x, 5, 3), -1);	/* nothing is before it */
	assert_int_equal(put(hash, x, 0, 5), 5);
	assert_string_equal(WANT("g", "lib", hash), hash);
	assert_int_equal(put(hash, x, 0, 7), 7);	/* it begins again */
	assert_int_equal(put(hash, x, 7, x.n - 7), x.n);
	assert_string_equal(WANT("g", "lib", hash), "");
	assert_int_equal(put(other, x, 0, x.n), -1);	/* another one's bytes */
	assert_int_equal(put(other, y, 0, y.n), y.n);
	assert_int_equal(put(hash, (struct bytes){ x.p, (size_t)INTERFACE_MAX_BYTES + 1 }, 0, 1), -1);
}

static void what_no_group_wants_any_more_is_forgotten(void **state)
{
	char hash[SHA256_HEX];
	struct bytes x = interface_of("a.py", hash);

	(void)state;
	WANT("g", "lib", hash);
	WANT("h", "lib", hash);
	put(hash, x, 0, x.n);
	assert_string_equal(WANT("g", "lib", "2"), "2");
	assert_string_equal(WANT("g", "lib", hash), "");	/* the other group had it */
	WANT("h", "lib", "2");
	WANT("g", "lib", "2");
	assert_string_equal(WANT("g", "lib", hash), arena_printf(a, "2, %s", hash));	/* gone */
}

static struct found_uses some_uses(void)
{
	struct found_use v[] = {
		{ "b.py", "f", 3, "CALLS", 85, "type", 0, "lib.py", "A.run", "method" },
		{ "a.py", NULL, 1, "IMPORTS", 95, "import", 0, "lib.py", "A", "class" },
		{ "a.py", "f", 7, "CALLS", 85, "type", 0, "lib.py", "A.run", "method" },
		{ "a.py", "f", 9, "CALLS", 85, "type", 1, "other.py", "run", "function" },
	};
	struct found_uses u = { .unclear = map_new() };

	u.v = grow(NULL, &u.cap, LEN(v), sizeof *v);
	memcpy(u.v, v, sizeof v);
	u.n = LEN(v);
	*map_at(u.unclear, "run") = (void *)(uintptr_t)2;
	return u;
}

static void replace(const char *graph)
{
	struct external_repository repos[] = { { .repo_uri = "lib" }, { .repo_uri = "other" } };
	struct found_uses u = some_uses();
	char key[SHA256_HEX];

	assert_false(use_store_key(db, 1, graph, key, &e));
	assert_false(use_store_replace(db, repos, &u, key, graph, &e));
	found_uses_free(&u);
}

/* `PATH:LINE SYMBOL` of each use, with their number in a row for a definition. */
static const char *asked(struct uses_req q, struct uses_res *out)
{
	struct buf b = { 0 };

	*out = (struct uses_res){ 0 };
	q.limit = q.limit ? q.limit : 10;
	assert_false(use_store_query(db, &q, "graph", a, out, &e));
	assert_false(db_exec(db, "drop table temp.asked; drop table temp.asked_repos", &e));
	buf_str(&b, "");
	for (size_t i = 0; i < out->uses.n; i++) {
		const struct external_use *u = &out->uses.v[i];
		buf_printf(
		    &b, "%s%s:%llu %s", i ? "; " : "", u->path, (unsigned long long)u->line, u->symbol);
		if (u->uses)
			buf_printf(&b, " x%llu", (unsigned long long)u->uses);
	}
	const char *s = arena_str(a, b.p);
	buf_free(&b);
	return s;
}

static void uses_are_had_by_place_definition_and_repository(void **state)
{
	struct used_symbol run = { "lib.py", "A.run" }, any = { NULL, "run" };
	const char *lib = "lib";
	struct uses_res r;

	(void)state;
	replace("graph");
	assert_string_equal(asked((struct uses_req){ .each = true }, &r),
	    "a.py:1 A; a.py:7 A.run; b.py:3 A.run; a.py:9 run");
	assert_int_equal(r.total, 4);
	assert_string_equal(asked((struct uses_req){ .each = true, .offset = 1, .limit = 2 }, &r),
	    "a.py:7 A.run; b.py:3 A.run");
	assert_int_equal(r.total, 4);
	assert_string_equal(
	    asked((struct uses_req){ 0 }, &r), "a.py:1 A x1; a.py:7 A.run x2; a.py:9 run x1");
	assert_string_equal(
	    asked((struct uses_req){ .repo_uris = { &lib, 1 } }, &r), "a.py:1 A x1; a.py:7 A.run x2");
	assert_string_equal(asked((struct uses_req){ .each = true, .symbols = { &run, 1 } }, &r),
	    "a.py:7 A.run; b.py:3 A.run");
	assert_int_equal(r.unclear, 2);
	assert_int_equal(r.unclear_names.n, 1);
	assert_string_equal(r.unclear_names.v[0].name, "run");
	assert_int_equal(r.unclear_names.v[0].count, 2);
	assert_string_equal(
	    asked((struct uses_req){ .each = true, .symbols = { &any, 1 } }, &r), "a.py:9 run");
	assert_string_equal(
	    asked((struct uses_req){ .each = true, .path = "a.py", .from_line = 2, .to_line = 8 }, &r),
	    "a.py:7 A.run");
}

static void uses_are_known_for_the_index_and_interfaces_they_were_found_with(void **state)
{
	char hash[SHA256_HEX], key[SHA256_HEX], later[SHA256_HEX];
	struct bytes x = interface_of("a.py", hash);
	struct uses_res r;
	struct use_interfaces_res totals = { 0 };

	(void)state;
	WANT("g", "lib", hash, "other", "2");
	put(hash, x, 0, x.n);
	use_store_key(db, 1, "graph", key, &e);
	assert_false(use_store_is_current(db, key, &e));
	replace("graph");
	assert_true(use_store_is_current(db, key, &e));
	use_store_key(db, 1, "later", later, &e);
	assert_false(use_store_is_current(db, later, &e));
	asked((struct uses_req){ 0 }, &r);
	assert_string_equal(
	    strs_join(&r.known, a), "lib"); /* an interface of the other one is missing */
	replace("later");
	assert_false(use_store_replace(
	    db, NULL, &(struct found_uses){ 0 }, later, "later", &e)); /* it needs nobody any more */
	replace("later");
	asked((struct uses_req){ 0 }, &r);
	assert_int_equal(r.known.n, 0);				/* the index is another one */
	assert_false(use_store_totals(db, a, &totals, &e));
	assert_int_equal(totals.totals.n, 2);
	assert_int_equal(totals.totals.v[0].uses, 3);
	assert_int_equal(totals.totals.v[0].symbols, 2);
}

static void a_damaged_file_is_made_again(void **state)
{
	const char *path = arena_printf(a, "%s/uses.db", private_folder());
	FILE *f;

	(void)state;
	db_close(db);
	f = fopen(path, "w");
	fputs(
	    "this is no database, and long enough to be none: 0123456789 0123456789 0123456789 0123456789 0123456789",
	    f);
	fclose(f);
	db = use_store_open(private_folder(), &e);
	assert_non_null(db);
	assert_string_equal(WANT("g", "lib", "1"), "1");
	db_close(db);
	unlink(path);
	db = use_store_read(private_folder(), &e);
	assert_null(db);
	assert_int_equal(e.code, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
		TEST(chunks_come_in_order_and_the_last_is_checked),
		TEST(what_no_group_wants_any_more_is_forgotten),
		TEST(uses_are_had_by_place_definition_and_repository),
		TEST(uses_are_known_for_the_index_and_interfaces_they_were_found_with),
		TEST(a_damaged_file_is_made_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
