/*
 * tests/golden/LANGUAGE/CASE/expected.contracts: the contract facts of all other files of the folder, hidden ones and those in
 * folders too.  ACCEPT=1 rewrites them; the diff is the review.  Some files of each case (EDITS_EVERY=1: all) are
 * then edited one by one: an index that follows the edits says what a fresh one says.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

#include "proto/base/log.h"
#include "tests/contracts_index.h"
#include "tests/golden_cases.h"
#include "tests/sanitized.h"

static struct parser *parser;
static struct sources tree;
static char dir[] = "/tmp/atoll-contracts.XXXXXX";
static int cases;

static void show_difference(const char *want, const char *got)
{
	for (int line = 1; *want || *got; line++) {
		size_t w = strcspn(want, "\n"), g = strcspn(got, "\n");
		if (w != g || memcmp(want, got, w)) {
			print_error("line %d\n- %.*s\n+ %.*s\n", line, (int)w, want, (int)g, got);
			return;
		}
		want += w + (want[w] == '\n');
		got += g + (got[g] == '\n');
	}
}

static char *fresh(struct index_info *info)
{
	struct err e = { 0 };
	char *text = sources_index(&tree, parser, dir, info, &e) ? NULL : contracts_text(dir, info, false, &e);

	if (!text)
		fail_msg("%s", e.msg);
	return text;
}

/* The published index after the file was changed from `was` to `is`; either may be gone. */
static char *renewed(struct index_info *info, const struct source *was, const struct source *is)
{
	struct arena *a = arena_new();
	struct indexed_file old, new;
	struct facts before, after;
	struct err e = { 0 };
	bool lost = false, had = !was->gone && source_facts(parser, was, a, &old, &before);
	bool have = !is->gone && source_facts(parser, is, a, &new, &after);
	struct delta_writer *u = delta_writer_new(dir, info, &e);
	struct file_delta x = { had ? &old : NULL, have ? &new : NULL, &before, &after };

	if (!u || ((had || have) && delta_writer_put_file(u, &x, &lost, &e)) ||
	    delta_writer_publish(u, info, &(struct text_source){ sources_text, &tree, &parser, 1, NULL }, NULL, &e))
		fail_msg("%s: %s", is->path, e.msg);
	assert_false(lost);
	delta_writer_free(u);
	arena_free(a);
	return contracts_text(dir, info, false, &e);
}

enum { SHAPE = 1000 };

/* What else must be the same: the hash, and how many rows the tables have that say something of a file. */
static const char *shape(const struct index_info *info, char out[SHAPE])
{
	static const char *const tables[] = { "files", "definitions", "told", "documents", "facts", "edges", "incoming", "uses", "contracts",
		"open", "mounts", "settings", "operations", "packages", "asked", "skipped" };
	struct err e = { 0 };
	struct db *db = store_open(dir, info->file, &e);
	int n = snprintf(out, SHAPE, "%s", info->graph_hash);

	for (size_t i = 0; db && i < LEN(tables); i++) {
		char query[80];
		snprintf(query, sizeof query, "select count(*) from %s", tables[i]);
		struct stmt *s = db_prep(db, query, &e);
		if (!s || db_step(s, &e) != 1)
			fail_msg("%s: %s", tables[i], e.msg);
		n += snprintf(out + n, (size_t)(SHAPE - n), "\n%s %lld", tables[i], (long long)db_int(s, 0));
	}
	db_close(db);
	return out;
}

/*
 * One file becomes another text or goes, in an index of the others; what it says then and what a fresh one says: `all` with
 * the shape `want`, or NULL when no fresh one of these files has been asked yet.
 */
static int edit(struct index_info *info, struct source *s, struct source now, const char *all, const char *want)
{
	struct source was = *s;
	struct index_info other;
	char *asked = NULL, of_all[SHAPE], of_some[SHAPE];

	*s = now;
	char *some = renewed(info, &was, s);
	if (!all) {
		all = asked = fresh(&other);
		want = shape(&other, of_all);
	}
	bool differs = strcmp(some, all) || strcmp(shape(info, of_some), want);
	if (differs) {
		print_error("after an edit of %s:\n", s->path);
		show_difference(all, some);
		show_difference(want, of_some);
	}
	free(some);
	free(asked);
	return differs;
}

/* EDITS_EVERY: of how many files one is edited.  An edit costs an index. */
enum { EVERY = SANITIZED ? 32 : 6 };

static size_t every(void)
{
	const char *said = getenv("EDITS_EVERY");

	return said && atoi(said) > 0 ? (size_t)atoi(said) : EVERY;
}

/* Each file goes and comes back, then loses its last half and gets it back, in the index that was just made and says `all`. */
static int edits(struct index_info info, const char *all, size_t first, size_t step)
{
	char made[SHAPE];
	int bad = 0;

	shape(&info, made);
	for (size_t i = first; i < tree.n; i += step) {
		struct source whole = tree.v[i], gone = whole, half = whole;
		gone.gone = true;
		half.n /= 2;
		bad += edit(&info, &tree.v[i], gone, NULL, NULL) + edit(&info, &tree.v[i], whole, all, made);
		bad += edit(&info, &tree.v[i], half, NULL, NULL) + edit(&info, &tree.v[i], whole, all, made);
	}
	return bad;
}

static int compare(const char *folder)
{
	char path[2400], *want = NULL;
	struct index_info info;
	struct buf b = { 0 };

	sources_read(&tree, folder, "");
	char *got = fresh(&info);
	snprintf(path, sizeof path, "%s/expected.contracts", folder);
	if (getenv("ACCEPT")) {
		FILE *out = fopen(path, "w");
		assert_non_null(out);
		fputs(got, out);
		fclose(out);
	}
	FILE *in = fopen(path, "rb");
	char bytes[65536];
	for (size_t n; in && (n = fread(bytes, 1, sizeof bytes, in));)
		buf_put(&b, bytes, n);
	assert_non_null(in);
	fclose(in);
	buf_byte(&b, 0);
	want = b.p;
	int differs = strcmp(want, got) != 0;
	if (differs) {
		print_error("%s:\n", path);
		show_difference(want, got);
	}
	buf_free(&b);
	int bad = edits(info, got, (size_t)cases % every(), every());
	free(got);
	if (bad)
		print_error("%s: %d edits\n", folder, bad);
	sources_free(&tree);
	return differs + bad;
}

static void test_golden_contracts(void **state)
{
	const char *folder = getenv("GOLDEN") ? getenv("GOLDEN") : "tests/golden";

	(void)state;
	assert_int_equal(golden_cases(folder, "expected.contracts", compare, &cases), 0);
	assert_true(cases > 0);
}

/* Nobody speaks of a framework's objects until the caller of a function gives it one. */
static void test_bound_later(void **state)
{
	static char text[] = "const { mount } = require('./orders');\n\nconst shop = {};\nmount(shop);\n";
	struct index_info info;

	(void)state;
	sources_read(&tree, "tests/golden/javascript/across_bound_later", "");
	struct source real = tree.v[0], other = real;
	assert_string_equal(real.path, "app.js");
	other.text = text;
	other.n = sizeof text - 1;
	char *all = fresh(&info);
	char made[SHAPE];
	shape(&info, made);
	assert_int_equal(edit(&info, &tree.v[0], other, NULL, NULL) + edit(&info, &tree.v[0], real, all, made), 0);
	free(all);
	sources_free(&tree);
}

/* A file that is gone is forgotten as one that others are asked for, or it would not be read when it comes back. */
static void test_gone_and_back(void **state)
{
	struct index_info info;

	(void)state;
	sources_read(&tree, "tests/golden/html/across", "");
	char *all = fresh(&info);
	assert_int_equal(edits(info, all, 0, 1), 0);
	free(all);
	sources_free(&tree);
}

/* One file in the tree; takes the text. */
static void sources_one(const char *path, struct buf *text)
{
	struct source *s = &tree.v[tree.n++];

	*s = (struct source){ .n = text->n };
	snprintf(s->path, sizeof s->path, "%s", path);
	buf_str(text, "");
	s->text = text->p;
}

static void put_line(struct buf *b, const char *format, int a, int c)
{
	char line[200];

	snprintf(line, sizeof line, format, a, c);
	buf_put(b, line, strlen(line));
}

/* A request behind a thousand functions, and ones whose functions all call each other, cost a bounded time. */
static void test_calls_without_end(void **state)
{
	enum { DEEP = 1000, CIRCLE = 25 };
	struct index_info info;
	struct buf deep = { 0 }, circle = { 0 };

	(void)state;
	put_line(&deep, "import requests\n\ndef f0(path):\n    requests.get('http://a' + path)\n\n", 0, 0);
	for (int i = 1; i < DEEP; i++)
		put_line(&deep, "def f%d(path):\n    f%d(path)\n\n", i, i - 1);
	put_line(&deep, "f%d('/x')\n", DEEP - 1, 0);
	put_line(&circle, "import requests\n\n", 0, 0);
	for (int i = 0; i < CIRCLE; i++) {
		put_line(&circle, "def g%d(path):\n    requests.get('http://a' + path)\n", i, 0);
		for (int k = 0; k < CIRCLE; k++)
			put_line(&circle, "    g%d(path + '/%d')\n", k, k);
	}
	sources_one("circle.py", &circle);
	sources_one("deep.py", &deep);
	char *all = fresh(&info);
	assert_non_null(strstr(all, "consumes GET"));
	free(all);
	sources_free(&tree);
}

static int setup(void **state)
{
	struct err e = { 0 };

	(void)state;
	log_init("test", LOG_ERROR);
	parser = parser_new(&e);
	return parser && mkdtemp(dir) ? 0 : -1;
}

static int teardown(void **state)
{
	char cmd[100];

	(void)state;
	parser_free(parser);
	snprintf(cmd, sizeof cmd, "rm -rf %s", dir);
	return system(cmd);
}

/* Every row of a long table is a route. */
static void test_long_table(void **state)
{
	enum { ROWS = 300 };
	struct index_info info;
	struct buf b = { 0 };
	size_t n = 0;

	(void)state;
	put_line(&b, "package main\n\nimport \"github.com/gorilla/mux\"\n\ntype row struct{ verb, path string }\n\n", 0, 0);
	put_line(&b, "var rows = []row{\n", 0, 0);
	for (int i = 0; i < ROWS; i++)
		put_line(&b, "\t{\"GET\", \"/things%d\"},\n", i, 0);
	put_line(&b, "}\n\nfunc main() {\n\tr := mux.NewRouter()\n\tfor _, e := range rows {\n", 0, 0);
	put_line(&b, "\t\tr.Methods(e.verb).Path(e.path).HandlerFunc(h)\n\t}\n}\n", 0, 0);
	sources_one("main.go", &b);
	char *all = fresh(&info);
	for (const char *at = strstr(all, "provides GET /things"); at; at = strstr(at + 1, "provides GET /things"))
		n++;
	assert_int_equal(n, ROWS);
	free(all);
	sources_free(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_golden_contracts), cmocka_unit_test(test_bound_later),
		cmocka_unit_test(test_gone_and_back), cmocka_unit_test(test_calls_without_end),
		cmocka_unit_test(test_long_table),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
