/*
 * Walks over a made-up graph of many files.  A walk that reaches its limit has the beginning of what the whole walk has, at each
 * depth, and knows which depths are whole.  The limit is a number of files, so time does not decide.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <unistd.h>
#include <cmocka.h>

#include "shard/graph/edge_scan.h"
#include "shard/graph/graph_query.h"
#include "shard/handlers/context_edges.h"
#include "tests/graph_index.h"

/* More than two parts of a scan.  Each file has a user of the target, a user of that one, and one of a file before. */
enum { FILES = 2 * EDGE_SCAN_FILES + 500, USER = 1, ENTRY, LATE, PER_FILE = 3, TARGET_FILE = FILES + 1, DEPTH = 3 };

static struct db *db;
static char file[] = "/tmp/atoll-walk.XXXXXX";
static struct arena *arena;

static void check(int rc, const struct err *e)
{
	if (rc)
		fail_msg("%s", e->msg);
}

/* Put a file with these definitions; the path is not in the order of the id. */
static void put_file(int64_t id, const char *path, const char *const *names, size_t n)
{
	struct stored_symbols s = { arena_many(arena, n, struct stored_symbol), n };
	struct err e = { 0 };

	for (size_t i = 0; i < n; i++)
		s.v[i] = (struct stored_symbol){ .id = symbol_id(id, (int64_t)i + 1), .up = -1, .name = names[i], .qualified = names[i],
			.kind = "function", .start_line = (int64_t)i * 10 + 1, .end_line = (int64_t)i * 10 + 9, .start_byte = (int64_t)i * 100,
			.end_byte = (int64_t)i * 100 + 99, .test = id % 5 == 0 };
	check(db_run(db, &e, "insert into files(id, path, blob, language, size, lines, test, generated, hash) "
	    "values (?, ?, '', 'c', 0, 30, 0, 0, '')", "is", id, path), &e);
	check(symbols_put(db, id, SYMBOLS_MAJOR, &s, NULL, &e), &e);
}

static struct stored_edge calls(int64_t id, int64_t from, int64_t target_file, int64_t to, int confidence)
{
	return (struct stored_edge){ .source = symbol_id(id, from), .kind = GRAPH_CALLS, .target_file = target_file,
		.target = symbol_id(target_file, to), .line = (uint32_t)from * 10 + 2, .confidence = confidence, .reason = "test" };
}

static int make_index(void **state)
{
	static const char *const names[] = { "user", "entry", "late" }, *const target[] = { "target" };
	struct err e = { 0 };
	char path[40];

	(void)state;
	close(mkstemp(file));
	arena = arena_new();
	db = graph_open(file, &e);
	assert_non_null(db);
	check(db_exec(db, "begin", &e), &e);
	put_file(TARGET_FILE, "target.c", target, 1);
	for (int64_t id = 1; id <= FILES; id++) {
		struct stored_edge v[] = { calls(id, USER, TARGET_FILE, 1, id % 7 ? 90 : 60), calls(id, ENTRY, id, USER, 90),
			calls(id, LATE, id > 3 ? id - 3 : id, ENTRY, 80) };
		snprintf(path, sizeof path, "gen/f%05lld.c", (long long)(id * 7919 % FILES));
		put_file(id, path, names, PER_FILE);
		check(edges_put(db, id, v, LEN(v), &e), &e);
	}
	check(db_exec(db, "commit", &e), &e);
	check(db_read_begin(db, &e), &e);	/* one lock for all statements */
	return 0;
}

static int drop_index(void **state)
{
	(void)state;
	db_close(db);
	unlink(file);
	arena_free(arena);
	return 0;
}

/* The walk to everything that depends on the target, with a limit of files to read; 0 = none. */
static struct graph_traversal walk(uint64_t files)
{
	const struct graph_node from = { TARGET_FILE, symbol_id(TARGET_FILE, 1) };
	static const char *const id = "target.c#target";
	struct graph_traversal w = { .depth = DEPTH, .min = 50, .most = 100000, .limit.files = files, .touching = GRAPH_DEPENDS };
	struct err e = { 0 };

	check(graph_walk(db, &w, &from, &id, 1, arena, &e), &e);
	return w;
}

/* What was visited at this depth. */
static size_t level(const struct graph_traversal *w, uint32_t depth, const struct visited **first)
{
	size_t n = 0;

	*first = NULL;
	for (size_t i = 0; i < w->n; i++)
		if (w->v[i].depth == depth && !n++)
			*first = &w->v[i];
	return n;
}

/* Whether each level of `part` is the beginning of that of `whole`, and complete up to part->whole. */
static void assert_begins(const struct graph_traversal *part, const struct graph_traversal *whole)
{
	for (uint32_t depth = 1; depth <= DEPTH; depth++) {
		const struct visited *x, *y;
		size_t n = level(part, depth, &x), m = level(whole, depth, &y);
		assert_true(n <= m);
		if (depth <= part->whole)
			assert_int_equal(n, m);
		for (size_t i = 0; i < n; i++) {
			assert_string_equal(x[i].by.r.id, y[i].by.r.id);
			assert_string_equal(x[i].by.r.via, y[i].by.r.via);
		}
	}
}

static void test_whole(void **state)
{
	struct graph_traversal w = walk(0);
	const struct visited *first;

	(void)state;
	assert_false(w.stopped || w.full || w.unchecked);
	assert_int_equal(w.whole, DEPTH);
	assert_int_equal(level(&w, 1, &first), FILES);
	assert_string_equal(first->by.r.via, "target.c#target");
	assert_int_equal(level(&w, 2, &first), FILES);
	assert_int_equal(level(&w, 3, &first), FILES);
	assert_int_equal(w.touched.n, FILES);
	for (size_t i = 1; i < EDGE_SCAN_FILES; i++)	/* the first part: tests last, then by confidence */
		assert_true(w.v[i - 1].by.r.test < w.v[i].by.r.test || (w.v[i - 1].by.r.test == w.v[i].by.r.test &&
		    w.v[i - 1].by.r.confidence >= w.v[i].by.r.confidence));
	graph_traversal_free(&w);
}

/* From no file to more than all, the walk gets further with each limit. */
static void test_limits(void **state)
{
	struct graph_traversal whole = walk(0);
	size_t reached = 0, stops = 0;

	(void)state;
	for (uint64_t files = 1; !reached || reached < whole.n; files += 1500) {
		struct graph_traversal w = walk(files);
		assert_begins(&w, &whole);
		assert_true(w.n >= reached);
		assert_true(w.stopped == (w.whole < DEPTH));
		stops += w.stopped;
		reached = w.n;
		graph_traversal_free(&w);
	}
	assert_true(stops > 5);
	graph_traversal_free(&whole);
}

/* Pages: each walks again with twice the limit and shows what the pages before did not have. */
static void test_pages(void **state)
{
	struct graph_traversal whole = walk(0);
	size_t shown[DEPTH + 1] = { 0 }, pages = 0, total = 0;
	bool stopped = true;

	(void)state;
	for (uint64_t files = 1000; stopped; files *= 2) {
		struct graph_traversal w = walk(files);
		for (uint32_t depth = 1; depth <= DEPTH; depth++) {
			const struct visited *x, *y;
			size_t n = level(&w, depth, &x);
			level(&whole, depth, &y);
			for (; shown[depth] < n; shown[depth]++, total++)
				assert_string_equal(x[shown[depth]].by.r.id, y[shown[depth]].by.r.id);
		}
		stopped = w.stopped;
		pages++;
		graph_traversal_free(&w);
	}
	assert_true(pages > 2);
	assert_int_equal(total, whole.n);
	graph_traversal_free(&whole);
}

static void test_time_is_over(void **state)
{
	const struct graph_node from = { TARGET_FILE, symbol_id(TARGET_FILE, 1) };
	static const char *const id = "target.c#target";
	struct graph_traversal w = { .depth = DEPTH, .most = 100, .limit.until_ms = 1 };
	struct err e = { 0 };

	(void)state;
	check(graph_walk(db, &w, &from, &id, 1, arena, &e), &e);
	assert_true(w.stopped);
	assert_int_equal(w.n, 0);
	assert_int_equal(w.whole, 0);
	graph_traversal_free(&w);
}

/* The lists of `context` begin with the same entries under a limit. */
static void test_context(void **state)
{
	enum { CALLERS, TESTS = 9 };	/* fields of context_totals */
	struct graph_node target = { TARGET_FILE, symbol_id(TARGET_FILE, 1) };
	const struct context_subject s = { .file = TARGET_FILE, .nodes = &target, .n = 1, .own = 1 };
	struct context_edges whole = { 0 }, part = { 0 };
	struct walk_limit none = { 0 }, limit = { .files = EDGE_SCAN_FILES + 10 };
	struct err e = { 0 };

	(void)state;
	check(context_edges_find(db, &s, &none, &whole, arena, &e), &e);
	check(context_edges_find(db, &s, &limit, &part, arena, &e), &e);
	assert_false(whole.stopped);
	assert_int_equal(whole.lists[CALLERS].n, FILES);
	assert_int_equal(whole.lists[TESTS].n, FILES / 5);
	assert_true(part.stopped);
	assert_int_equal(part.read, EDGE_SCAN_FILES);
	assert_int_equal(part.files, FILES + 1);
	assert_in_range(part.lists[CALLERS].n, EDGE_SCAN_FILES - 1, EDGE_SCAN_FILES);
	for (size_t i = 0; i < part.lists[CALLERS].n; i++)
		assert_string_equal(part.lists[CALLERS].v[i].r.id, whole.lists[CALLERS].v[i].r.id);
	context_edges_free(&whole);
	context_edges_free(&part);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole), cmocka_unit_test(test_limits), cmocka_unit_test(test_pages),
		cmocka_unit_test(test_time_is_over), cmocka_unit_test(test_context),
	};

	return cmocka_run_group_tests(tests, make_index, drop_index);
}
