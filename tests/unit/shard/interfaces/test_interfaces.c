/*
 * What a package shows to others: its hash follows what they can see, not bodies; and interfaces of
 * anybody are checked.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <unistd.h>

#include "proto/base/deflate.h"
#include "shard/interfaces/imported_modules.h"
#include "shard/interfaces/interface_cache.h"
#include "shard/interfaces/package_interfaces.h"
#include "tests/graph_index.h"
#include "tests/private_folder.h"

static struct arena *a;
static struct err e;

static int setup(void **state)
{
	(void)state;
	e = (struct err){ 0 };
	a = arena_new();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	arena_free(a);
	return 0;
}

struct text {
	const char *path, *text;
	bool test;
};

static void put_package(struct db *db, int64_t file, struct package p)
{
	struct buf b = { 0 };

	p.side = "publishes";
	p.line = 1;
	codec_put(&rec_package, &p, &b);
	assert_false(db_run(db, &e, "insert into packages values (?, ?)", "ib", file, b.p, b.n));
	buf_free(&b);
}

/* An index of these files, the first of which is the manifest of package `name`; NULL: of none. */
static struct db *index_of(const char *ecosystem, const char *name, const struct text *v, size_t n)
{
	struct db *db = graph_open(arena_printf(a, "%s/index.db", private_folder()), &e);
	struct parser *p = parser_new(&e);

	assert_non_null(db);
	for (size_t i = 0; i < n; i++) {
		const struct lang *lang;
		struct facts f;
		char blob[SHA256_HEX];
		graph_facts(p, v[i].path, v[i].text, strlen(v[i].text), a, &f, &lang);
		crypto_sha256(v[i].text, strlen(v[i].text), blob);
		assert_false(graph_put(db, (int64_t)i + 1, v[i].path, lang ? lang_name(lang) : "", blob,
		    v[i].test, &f, graph_ids(&f, (int64_t)i + 1, a), a, &e));
	}
	if (name)
		put_package(db, 1, (struct package){ .ecosystem = ecosystem, .name = name });
	parser_free(p);
	return db;
}

/* The packages of an index, `NAME FOLDER FILES HASH` each, with the cache of `data`. */
static struct interface_ref *packages_of(struct db *db, const char *graph_hash, size_t *n)
{
	struct interface_ref *v;
	struct db *cache = interface_cache_open(private_folder(), db, graph_hash, &e);

	assert_non_null(cache);
	assert_false(package_interfaces_list(db, cache, a, &v, n, &e));
	db_close(cache);
	return v;
}

static void clean(void)
{
	unlink(arena_printf(a, "%s/index.db", private_folder()));
	unlink(arena_printf(a, "%s/interfaces.db", private_folder()));
}

/* The hash of the only package of files in one language. */
static const char *hash_of(const char *ecosystem, const char *path, const char *text)
{
	struct text v[] = { { "manifest", "", false }, { path, text, false } };
	struct db *db = index_of(ecosystem, "p", v, LEN(v));
	size_t n;
	struct interface_ref *r = packages_of(db, text, &n);

	assert_int_equal(n, 1);
	db_close(db);
	clean();
	return r->hash;
}

static void a_body_changes_nothing_and_what_others_see_does(void **state)
{
	static const struct {
		const char *ecosystem, *path, *before, *body, *shown;
	} rows[] = {
		{ "go", "a.go", "package a\nfunc F(x int) int { return x }\n",
		    "package a\n\n\nfunc F(x int) int { y := x; return y }\n",
		    "package a\nfunc F(x int) string { return x }\n" },
		{ "pypi", "a.py", "def f(x) -> int:\n    return g(x)\n",
		    "# more\ndef f(x) -> int:\n    y = h(x)\n    return y\n",
		    "def f(x, y) -> int:\n    return g(x)\n" },
		{ "npm", "a.ts", "export function f(x: A): B { return g(x) }\n",
		    "export function f(x: A): B { const y = h(x); return y }\n",
		    "export function f(x: A): C { return g(x) }\n" },
		{ "maven", "A.java", "package a;\npublic class A { public B f() { return g(); } }\n",
		    "package a;\npublic class A { public B f() { int i = 3; return h(i); } }\n",
		    "package a;\npublic class A extends C { public B f() { return g(); } }\n" },
		{ "cargo", "lib.rs", "pub fn f(x: A) -> B { g(x) }\n",
		    "pub fn f(x: A) -> B { let y = h(x); y }\n", "pub fn f(x: A) -> C { g(x) }\n" },
	};

	(void)state;
	for (size_t i = 0; i < LEN(rows); i++) {
		const char *before = hash_of(rows[i].ecosystem, rows[i].path, rows[i].before);
		assert_string_equal(hash_of(rows[i].ecosystem, rows[i].path, rows[i].body), before);
		assert_string_not_equal(hash_of(rows[i].ecosystem, rows[i].path, rows[i].shown), before);
	}
}

static void files_belong_to_the_innermost_package_and_tests_to_none(void **state)
{
	struct text v[] = { { "package.json", "{\"name\": \"root\"}", false },
		{ "src/a.ts", "export const a = 1\n", false },
		{ "ui/package.json", "{\"name\": \"ui\"}", false },
		{ "ui/b.ts", "export const b = 1\n", false },
		{ "ui/b.test.ts", "export const c = 1\n", true },
		{ "tool.c", "int f(void) { return 1; }\n", false } };
	struct db *db = index_of("npm", "root", v, LEN(v));
	size_t n;

	(void)state;
	put_package(db, 3, (struct package){ .ecosystem = "npm", .name = "ui", .range = "1.2" });
	struct interface_ref *r = packages_of(db, "1", &n);
	assert_int_equal(n, 3);
	assert_string_equal(r[0].ecosystem, "c");	/* without a manifest: the whole repository */
	assert_null(r[0].name);
	assert_string_equal(r[1].name, "root");
	assert_int_equal(r[1].files, 2);		/* with the manifest, which names it for imports */
	assert_string_equal(r[2].name, "ui");
	assert_string_equal(r[2].version, "1.2");
	assert_int_equal(r[2].files, 2);
	db_close(db);
	clean();
}

static void an_interface_is_had_by_its_hash(void **state)
{
	struct text v[] = { { "manifest", "", false },
		{ "a.py", "class A:\n    def f(self):\n        return 1\n", false } };
	struct db *db = index_of("pypi", "p", v, LEN(v));
	struct interface x;
	struct facts f;
	struct bytes packed, none;
	size_t n;
	struct interface_ref *r = packages_of(db, "1", &n);
	struct db *cache = interface_cache_open(private_folder(), db, "1", &e);

	(void)state;
	assert_false(package_interface_pack(db, cache, r->hash, a, &packed, &e));
	assert_false(package_interface_pack(db, cache, "none", a, &none, &e));
	assert_int_equal(none.n, 0);
	assert_false(interface_unpack(packed, r->hash, a, &x, &e));
	assert_false(interface_check(&x, &e));
	assert_int_equal(x.files.n, 1);
	assert_false(facts_decode_plain(x.files.v[0].facts.p, x.files.v[0].facts.n, a, &f, &e));
	assert_int_equal(f.definitions.n, 2);
	assert_string_equal(f.definitions.v[1].qualified, "A.f");
	assert_int_equal(f.references.n, 0);
	assert_true(
	    interface_unpack(packed, "another", a, &x, &e)); /* its hash is that of other content */
	db_close(cache);
	db_close(db);
	clean();
}

static void a_new_index_costs_what_has_changed(void **state)
{
	struct text v[] = { { "manifest", "", false }, { "a.py", "def f(): pass\n", false },
		{ "b.py", "def g(): pass\n", false } };
	struct db *db = index_of("pypi", "p", v, LEN(v));
	size_t n;

	(void)state;
	packages_of(db, "1", &n);
	assert_false(db_run(db, &e, "update facts set facts = 'damaged' where file = 2",
	    "")); /* whoever reads it again fails */
	assert_false(db_run(db, &e, "delete from files where id = 3", ""));
	struct interface_ref *r = packages_of(db, "2", &n);
	assert_int_equal(n, 1);
	assert_int_equal(r->files, 1);
	db_close(db);
	clean();
}

static struct bytes facts_of(const struct facts *f)
{
	struct buf b = { 0 };
	struct bytes out;

	facts_encode_plain(f, &b);
	out.p = memcpy(arena_get(a, b.n, 1), b.p, b.n);
	out.n = b.n;
	buf_free(&b);
	return out;
}

static bool is_accepted(const char *path, struct bytes facts)
{
	struct interface_file file = { .path = path, .language = "python", .facts = facts };
	struct interface x = { .files = { &file, 1 } }, got;
	struct bytes packed;
	char hash[SHA256_HEX];
	struct err why = { 0 };

	interface_pack(&x, a, &packed, hash);
	return !interface_unpack(packed, hash, a, &got, &why) && !interface_check(&got, &why);
}

static void what_anybody_may_send_is_checked(void **state)
{
	static const char *const paths[] = { "", "/etc/a.py", "../a.py", "a/../../b.py", "a//b.py",
		"./a.py", "a\nb.py", "a/.." };
	struct facts empty = { 0 }, large = { 0 };
	struct bytes packed = { "none of ours", 12 };
	struct interface x;
	struct buf zeros = { 0 }, bomb = { 0 };
	struct definition *many = arena_many(a, 1 << 20, struct definition);

	(void)state;
	assert_true(is_accepted("a/b.py", facts_of(&empty)));
	for (size_t i = 0; i < LEN(paths); i++)
		assert_false(is_accepted(paths[i], facts_of(&empty)));
	assert_false(is_accepted("a.py", packed));	/* no facts */
	assert_true(interface_unpack(packed, "hash", a, &x, &e));
	for (size_t i = 0; i < 1 << 20; i++)	/* a few kilobytes that become 8 MB and more */
		many[i] = (struct definition){
			.name = "f", .qualified = "f", .kind = "function", .parent = -1
		};
	large.definitions.v = many;
	large.definitions.n = 1 << 20;
	assert_false(is_accepted("a.py", facts_of(&large)));
	buf_put(&zeros, arena_get(a, 1, 160 << 20), 160 << 20);
	deflate_put(&bomb, DEFLATE_SMALL, zeros.p, zeros.n);
	e = (struct err){ 0 };
	assert_true(interface_unpack((struct bytes){ bomb.p, bomb.n }, "hash", a, &x, &e));
	assert_int_equal(e.code, ERR_INVALID_INPUT);
	buf_free(&zeros);
	buf_free(&bomb);
}

static void headers_that_are_missing_are_those_of_others(void **state)
{
	struct text v[] = {
		{ "src/main.c",
		    "#include <jansson.h>\n#include \"own.h\"\n#include \"sub/inner.h\"\n#include <net/if.h>\n",
		    false },
		{ "include/own.h", "int f(void);\n", false }, { "src/sub/inner.h", "int g(void);\n", false }
	};
	struct db *db = index_of("c", NULL, v, LEN(v));
	struct db *cache = interface_cache_open(private_folder(), db, "1", &e);
	struct strs missing;
	size_t n;

	(void)state;
	assert_false(missing_includes(cache, a, &missing, &e));
	assert_string_equal(strs_join(&missing, a), "jansson.h, net/if.h");
	db_close(cache);
	struct interface_ref *r = packages_of(db, "1", &n);
	assert_int_equal(n, 1);
	assert_string_equal(strs_join(&(struct strs){ r->headers.v, r->headers.n }, a),
	    "include/own.h, src/sub/inner.h");
	db_close(db);
	clean();
}

static void imports_that_are_missing_are_those_of_others(void **state)
{
	struct text v[] = {
		{ "src/Main.kt",
		    "package app\nimport okio.Buffer\nimport app.db.Store\nimport http.*\nclass Main\n",
		    false },
		{ "src/Store.kt", "package app.db\nimport okio.Sink\nclass Store\n", false },
		{ "src/Scratch.kt", "package app.scratch\n", false }
	};
	struct db *db = index_of("kotlin", NULL, v, LEN(v));
	struct db *cache = interface_cache_open(private_folder(), db, "1", &e);
	struct strs missing;

	(void)state;
	assert_false(missing_imports(cache, a, &missing, &e));
	assert_string_equal(strs_join(&missing, a), "maven http, maven okio");
	db_close(cache);
	db_close(db);
	clean();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
		TEST(a_body_changes_nothing_and_what_others_see_does),
		TEST(files_belong_to_the_innermost_package_and_tests_to_none),
		TEST(an_interface_is_had_by_its_hash),
		TEST(a_new_index_costs_what_has_changed),
		TEST(what_anybody_may_send_is_checked),
		TEST(headers_that_are_missing_are_those_of_others),
		TEST(imports_that_are_missing_are_those_of_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
