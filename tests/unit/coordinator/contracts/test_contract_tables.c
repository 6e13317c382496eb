/* The tables of a group: what is stored, which rows a filter chooses, how they are counted; facts and their versions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* cmocka wants the above */
#include <cmocka.h>

#include "coordinator/contracts/contract_tables.h"
#include "coordinator/registry/groups.h"
#include "coordinator/registry/registry.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/record/codec.h"

static char dir[64];
static struct registry *r;
static struct arena *a;
static struct err e;

static const char *const uris[] = { "h/api", "h/lib", "h/web" };

#define END(repo, m, p)                                                                            \
	&(struct end)                                                                                  \
	{                                                                                              \
		.repo_uri = repo, .method = m, .path = p                                                   \
	}
#define ROW(n)                                                                                     \
	{                                                                                              \
		n, 1                                                                                       \
	}

/* ---- what is stored ---- */

static const struct table_row contract_rows[] = {
	{ .list = "contract",
	    .what = "http",
	    .producer = END("h/api", "GET", "/a"),
	    .consumer = END("h/web", "GET", "/a/1"),
	    .confidence = 0.9,
	    .row = ROW("0") },
	{ .list = "contract",
	    .what = "http",
	    .producer = END("h/api", "ANY", "/b"),
	    .consumer = END("h/web", "PUT", "/b"),
	    .confidence = 0.5,
	    .row = ROW("1") },
	{ .list = "contract",
	    .what = "grpc",
	    .producer = END("h/api", "Call", "S"),
	    .consumer = END("h/api", "Call", "S"),
	    .confidence = 1,
	    .row = ROW("2") },
	{ .list = "contract",
	    .what = "http",
	    .producer = END("h/lib", "GET", "/c"),
	    .consumer = END("h/api", "GET", "/c"),
	    .confidence = 0.7,
	    .row = ROW("3") },
	{ .list = "unresolved",
	    .what = "http",
	    .consumer = END("h/web", "get", "/x"),
	    .reason = "dynamic",
	    .row = ROW("4") },
	{ .list = "unresolved",
	    .what = "topic",
	    .consumer = END("h/web", "PUBLISH", "t"),
	    .reason = "no producer",
	    .row = ROW("5") },
	{ .list = "unresolved",
	    .what = "http",
	    .consumer = END("h/api", "GET", "/y"),
	    .reason = "dynamic",
	    .row = ROW("6") },
	{ .list = "idle", .what = "http", .producer = END("h/lib", "ANY", "/z"), .row = ROW("7") },
};
static const struct table_row link_rows[] = {
	{ .what = "consumes_route",
	    .producer = END("h/api", NULL, NULL),
	    .consumer = END("h/web", NULL, NULL),
	    .confidence = 0.9,
	    .row = ROW("a") },
	{ .what = "depends_on",
	    .producer = END("h/lib", NULL, NULL),
	    .consumer = END("h/web", NULL, NULL),
	    .confidence = 0.4,
	    .row = ROW("b") },
	{ .what = "depends_on",
	    .producer = END("h/lib", NULL, NULL),
	    .consumer = END("h/api", NULL, NULL),
	    .confidence = 1,
	    .row = ROW("c") },
};

static bool put(size_t ncontracts, size_t nlinks)
{
	struct table_rows contracts = { (struct table_row *)(uintptr_t)contract_rows, ncontracts,
		ncontracts },
	                  links = { (struct table_row *)(uintptr_t)link_rows, nlinks, nlinks };
	const struct synced_member synced[] = { { "h/api", "1 a" }, { "h/web", NULL } };
	const struct tables_origin origin = { { "notes", 5 }, 7 };
	struct tables_change change;

	assert_int_equal(
	    tables_put(r, "g", &contracts, &links, synced, 2, &origin, "2026-01-01", &change, &e), 0);
	return change.changed;
}

static int begin(void **state)
{
	(void)state;
	log_init("test", LOG_ERROR + 1);
	strcpy(dir, "/tmp/atoll-tables.XXXXXX");
	a = arena_new();
	e = (struct err){ 0 };
	if (!mkdtemp(dir))
		return -1;
	r = registry_open(dir, &e);
	assert_int_equal(groups_create(r, "g", NULL, &e), 0);
	for (size_t i = 0; i < LEN(uris); i++) {
		struct hello h = { .repo_uri = uris[i], .name = uris[i], .replica = "1", .endpoint = "x" };
		assert_int_equal(registry_repo_put(r, &h, false, &e), 0);
	}
	assert_int_equal(groups_add(r, "g", uris, 3, &e), 0);
	put(LEN(contract_rows), LEN(link_rows));
	return 0;
}

static int end(void **state)
{
	(void)state;
	registry_close(r);
	const char *cmd = arena_printf(a, "rm -rf %s", dir);
	int rc = system(cmd);
	arena_free(a);
	return rc;
}

/* ---- pages ---- */

/* "ROWS CONTRACTS/UNRESOLVED/IDLE" */
static const char *page(struct table_filter f)
{
	struct table_page p;
	const char *s = "";

	assert_int_equal(tables_page(r, "g", &f, &p, a, &e), 0);
	for (size_t i = 0; i < p.rows.n; i++)
		s = arena_printf(a, "%s%.*s", s, (int)p.rows.v[i].row.n, (const char *)p.rows.v[i].row.p);
	return arena_printf(a, "%s %zu/%zu/%zu", s, p.contracts, p.unresolved, p.idle);
}

#define PAGE(want, ...) assert_string_equal(page((struct table_filter){ __VA_ARGS__ }), want)

static t_strs words(const char *x, const char *y)
{
	const char **v = arena_many(a, 2, const char *);

	v[0] = x;
	v[1] = y;
	return (t_strs){ v, y ? 2 : 1 };
}

static void rows_by_filter(void **state)
{
	const t_strs http = words("http", NULL), both = words("topic", "grpc"),
	             dynamic = words("dynamic", NULL), none = { NULL, 0 };

	(void)state;
	PAGE("01234567 4/3/1", .links = false);
	PAGE("2345 4/3/1", .from = 2, .limit = 4);
	PAGE("7 4/3/1", .from = 7, .limit = 4);
	PAGE("0134 3/2/1", .what = &http, .limit = 4);
	PAGE("25 1/1/0", .what = &both);
	PAGE("01234567 4/3/1", .what = &none);
	PAGE("456 0/3/0", .list = "unresolved");
	PAGE("7 0/0/1", .list = "idle");
	PAGE("46 0/2/0", .reasons = &dynamic);
	PAGE("012 3/0/0", .producer = "h/api");
	PAGE("0145 2/2/0", .consumer = "h/web");
	PAGE("01 2/0/0", .consumer = "h/web", .producer = "h/api");
	PAGE("013 3/0/0", .crossing = true);
	PAGE("01236 4/1/0", .repo_uri = "h/api");
	PAGE("37 1/0/1", .repo_uri = "h/lib");
	PAGE(" 0/0/0", .repo_uri = "h/none");
}

static void rows_by_route(void **state)
{
	(void)state;
	PAGE("0 1/0/0", .path = "/a");
	PAGE("0 1/0/0", .path = "/a/1");
	PAGE("37 1/0/1", .repo_uri = "h/lib", .path = "/");
	PAGE(" 0/0/0", .repo_uri = "h/lib", .path = "/a");
	PAGE("03467 2/2/1", .method = "get"); /* ANY matches, too */
	PAGE("17 1/0/1", .method = "PUT");
	PAGE("27 1/0/1", .method = "Call");
	PAGE("02 2/0/0", .confidence = 0.9);
	PAGE("023 3/0/0", .confidence = 0.7);
	PAGE("012 3/0/0", .confidence = 0.5, .producer = "h/api");
}

static void links_by_filter(void **state)
{
	const t_strs depends = words("depends_on", NULL);

	(void)state;
	PAGE("abc 3/0/0", .links = true);
	PAGE("bc 2/0/0", .links = true, .what = &depends);
	PAGE("ac 2/0/0", .links = true, .repo_uri = "h/api");
	PAGE("bc 2/0/0", .links = true, .producer = "h/lib");
	PAGE("ab 2/0/0", .links = true, .consumer = "h/web");
	PAGE("ac 2/0/0", .links = true, .confidence = 0.5);
	PAGE("b 3/0/0", .links = true, .from = 1, .limit = 1);
}

static void what_a_row_says(void **state)
{
	struct table_page p;

	(void)state;
	assert_int_equal(tables_page(r, "g", &(struct table_filter){ .from = 5 }, &p, a, &e), 0);
	assert_int_equal(p.rows.n, 3);
	assert_string_equal(p.rows.v[0].list, "unresolved");
	assert_string_equal(p.rows.v[0].what, "topic");
	assert_int_equal(p.rows.v[0].seq, 5);
	assert_int_equal(strlen(p.digest), 64);
	assert_int_equal(tables_page(r, "none", &(struct table_filter){ .from = 0 }, &p, a, &e), 0);
	assert_int_equal(p.rows.n, 0);
	assert_null(p.digest);
}

/* ---- counts ---- */

static const char *matrix(struct table_filter f)
{
	struct table_matrix m;
	const char *s = "";

	assert_int_equal(
	    f.links ? tables_link_pairs(r, "g", &f, &m, a, &e) : tables_matrix(r, "g", &f, &m, a, &e),
	    0);
	for (size_t i = 0; i < m.npairs; i++)
		s = arena_printf(a, "%s%s>%s %s %llu\n", s, m.pairs[i].consumer + 2,
		    m.pairs[i].producer + 2, m.pairs[i].kind, (unsigned long long)m.pairs[i].calls);
	for (size_t i = 0; i < m.nreasons; i++)
		s = arena_printf(a, "%s%s %s %llu\n", s, m.reasons[i].consumer + 2, m.reasons[i].reason,
		    (unsigned long long)m.reasons[i].calls);
	assert_int_equal(strlen(m.digest), 64);
	return s;
}

#define MATRIX(want, ...) assert_string_equal(matrix((struct table_filter){ __VA_ARGS__ }), want)

static void pairs_and_reasons(void **state)
{
	const t_strs http = words("http", NULL);

	(void)state;
	MATRIX(
	    "api>api grpc 1\napi>lib http 1\nweb>api http 2\napi dynamic 1\nweb dynamic 1\nweb no producer 1\n",
	    .links = false);
	MATRIX("api>lib http 1\nweb>api http 2\napi dynamic 1\nweb dynamic 1\n", .what = &http);
	MATRIX("web>api http 1\n", .confidence = 0.8, .consumer = "h/web");
	MATRIX("web>api http 2\nweb dynamic 1\nweb no producer 1\n", .repo_uri = "h/web");
	MATRIX("api>lib depends_on 1\nweb>api consumes_route 1\nweb>lib depends_on 1\n", .links = true);
	MATRIX("api>lib depends_on 1\nweb>api consumes_route 1\n", .links = true, .confidence = 0.8);
}

/* ---- the head ---- */

static void what_is_known_of_tables(void **state)
{
	struct tables_info t, before;

	(void)state;
	assert_int_equal(tables_get(r, "g", &before, a, &e), 0);
	assert_string_equal(before.synced_at, "2026-01-01");
	assert_int_equal(before.nmembers, 3);
	assert_string_equal(before.members[0].repo_uri, "h/api");
	assert_string_equal(before.members[0].version, "1 a");
	assert_null(before.members[1].version);
	assert_null(before.members[2].version);
	assert_int_equal(before.origin.rules, 7);
	assert_int_equal(before.origin.notes.n, 5);
	assert_memory_equal(before.origin.notes.p, "notes", 5);
	assert_false(put(LEN(contract_rows), LEN(link_rows)));
	assert_true(put(LEN(contract_rows), 2));
	assert_int_equal(tables_get(r, "g", &t, a, &e), 0);
	assert_string_not_equal(t.digest, before.digest);
	PAGE("ab 2/0/0", .links = true);
	PAGE("01234567 4/3/1", .links = false);
	assert_true(put(1, LEN(link_rows)));
	PAGE("0 1/0/0", .links = false);
	MATRIX("web>api http 1\n", .links = false);
	assert_true(put(0, 0));
	PAGE(" 0/0/0", .links = false);
	assert_int_equal(tables_get(r, "none", &t, a, &e), 0);
	assert_null(t.synced_at);
	assert_int_equal(t.nmembers, 0);
}

static const char *tally_text(const struct tables_tally *v, size_t n)
{
	const char *s = "";

	for (size_t i = 0; i < n; i++)
		s = arena_printf(a, "%s%s %s %d\n", s, v[i].group, v[i].what, (int)v[i].n);
	return s;
}

/* Links within a repository do not count, nor do rows that were replaced; beyond a hundred groups there is one row for the rest. */
static void links_by_confidence_and_calls_by_reason(void **state)
{
	struct tables_tallies t;

	(void)state;
	put(LEN(contract_rows), LEN(link_rows));
	put(LEN(contract_rows), LEN(link_rows));
	assert_int_equal(tables_tally(r, &t, a, &e), 0);
	assert_string_equal(tally_text(t.links, t.nlinks), "g 0.5-0.6 1\ng 0.7-0.8 1\ng 0.9-1.0 1\n");
	assert_string_equal(tally_text(t.reasons, t.nreasons), "g dynamic 2\ng no producer 1\n");
	for (int i = 0; i < 100; i++)
		assert_int_equal(groups_create(r, arena_printf(a, "a%02d", i), NULL, &e), 0);
	assert_int_equal(tables_tally(r, &t, a, &e), 0);
	assert_string_equal(tally_text(t.links, t.nlinks), " 0.5-0.6 1\n 0.7-0.8 1\n 0.9-1.0 1\n");
	assert_string_equal(tally_text(t.reasons, t.nreasons), " dynamic 2\n no producer 1\n");
	assert_true(put(3, 0));
	assert_int_equal(groups_delete(r, "a00", &e), 0);
	assert_int_equal(tables_tally(r, &t, a, &e), 0);
	assert_string_equal(tally_text(t.links, t.nlinks), "g 0.5-0.6 1\ng 0.9-1.0 1\n");
	assert_int_equal(t.nreasons, 0);
}

/* Confidences at the edges of a bin. */
static void edges_of_bins(void **state)
{
	static const struct {
		double confidence;
		const char *want;
	} cases[] = { { 0.2, "g 0.0-0.5 1\n" }, { 0.6, "g 0.6-0.7 1\n" }, { 0.7, "g 0.7-0.8 1\n" },
		{ 0.8999, "g 0.8-0.9 1\n" }, { 0.999, "g 0.9-1.0 1\n" }, { 1, "g 1.0 1\n" } };
	struct tables_tallies t;

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++) {
		struct table_row row = contract_rows[0];
		const struct tables_origin origin = { .rules = i };
		struct tables_change change;
		row.confidence = cases[i].confidence;
		row.row = (struct bytes){ "0123456789" + i, 1 };
		const struct table_rows contracts = { &row, 1, 1 }, links = { 0 };
		assert_int_equal(
		    tables_put(r, "g", &contracts, &links, NULL, 0, &origin, "2026", &change, &e), 0);
		assert_int_equal(tables_tally(r, &t, a, &e), 0);
		assert_string_equal(tally_text(t.links, t.nlinks), cases[i].want);
	}
}

static void reserved_tables(void **state)
{
	const struct synced_member v[] = { { "h/new", NULL }, { "h/api", NULL } };
	struct tables_info t;

	(void)state;
	for (int i = 0; i < 2; i++) {
		assert_int_equal(tables_reserve(r, "scoped", v, 2, &e), 0);
		assert_int_equal(tables_get(r, "scoped", &t, a, &e), 0);
		assert_int_equal(t.nmembers, 2);
		assert_string_equal(t.members[1].repo_uri, "h/new");
		assert_null(t.synced_at);
	}
}

/* ---- facts ---- */

static void facts(void **state)
{
	struct fact f = { .side = "provides",
		.kind = "http",
		.method = "GET",
		.path = "/p",
		.framework = "f",
		.file = "a.c",
		.line = 1,
		.end_line = 1 };
	struct contracts_res res = { .facts = { &f, 1 }, .total = 1 }, read;
	struct buf b = { 0 };
	struct bytes body;
	const char *version;
	bool kept;

	(void)state;
	codec_put(&rec_contracts_res, &res, &b);
	const struct bytes stored = { b.p, b.n };
	assert_int_equal(tables_facts_get(r, "h/api", &version, &body, a, &e), 0);
	assert_null(version);
	assert_int_equal(tables_facts_read(r, "h/api", &version, &read, a, &e), 0);
	assert_null(version);
	assert_int_equal(tables_facts_put(r, "h/api", "0", "1 a", stored, &kept, &e), 0);
	assert_false(kept);
	assert_int_equal(tables_facts_put(r, "h/api", NULL, "1 a", stored, &kept, &e), 0);
	assert_true(kept);
	assert_int_equal(tables_facts_put(r, "h/api", NULL, "2 b", stored, &kept, &e), 0);
	assert_false(kept);
	assert_int_equal(tables_facts_put(r, "h/api", "1 a", "2 b", stored, &kept, &e), 0);
	assert_true(kept);
	assert_int_equal(tables_facts_read(r, "h/api", &version, &read, a, &e), 0);
	assert_string_equal(version, "2 b");
	assert_int_equal(read.facts.n, 1);
	assert_string_equal(read.facts.v[0].path, "/p");
	struct synced_member v[] = { { "h/web", "old" }, { "h/api", "old" } };
	assert_int_equal(tables_facts_versions(r, v, 2, a, &e), 0);
	assert_null(v[0].version);
	assert_string_equal(v[1].version, "2 b");
	assert_int_equal(
	    tables_facts_put(r, "h/api", "2 b", "3", (struct bytes){ "\xc1", 1 }, &kept, &e), 0);
	assert_int_equal(tables_facts_read(r, "h/api", &version, &read, a, &e), -1);
	buf_free(&b);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(rows_by_filter),
		TEST(rows_by_route),
		TEST(links_by_filter),
		TEST(what_a_row_says),
		TEST(pairs_and_reasons),
		TEST(what_is_known_of_tables),
		TEST(reserved_tables),
		TEST(links_by_confidence_and_calls_by_reason),
		TEST(edges_of_bins),
		TEST(facts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
