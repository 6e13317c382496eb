/*
 * tests/golden/LANGUAGE/CASE/expected.edges: the edges between all other files of the folder, which are its sources.
 * ACCEPT=1 rewrites them; the diff is the review.  GOLDEN=DIR takes another folder.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <unistd.h>
#include <cmocka.h>

#include <dirent.h>

#include "shard/filter.h"
#include "tests/graph_index.h"

enum { MOST_FILES = 200, LARGEST = 1 << 18 };

/* A golden case, or a repository that is made up: its files in order of path. */
struct tree {
	struct source {
		char path[700], *text;
		size_t n;
	} v[MOST_FILES];
	size_t n;
};

static struct parser *parser;
static int cases;

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct source *)a)->path, ((const struct source *)b)->path);
}

static void tree_add(struct tree *t, const char *root, const char *path)
{
	char whole[2400];
	struct source *s = &t->v[t->n++];

	assert_true(t->n < MOST_FILES);
	snprintf(s->path, sizeof s->path, "%s", path);
	snprintf(whole, sizeof whole, "%s/%s", root, path);
	FILE *in = fopen(whole, "rb");
	assert_non_null(in);
	assert_non_null(s->text = calloc(1, LARGEST));
	s->n = fread(s->text, 1, LARGEST - 1, in);
	fclose(in);
}

static void tree_read(struct tree *t, const char *root, const char *below)
{
	char dir[2400], path[600];

	snprintf(dir, sizeof dir, "%s/%s", root, below);
	DIR *d = opendir(dir);
	assert_non_null(d);
	for (struct dirent *x; (x = readdir(d));) {
		snprintf(path, sizeof path, "%.290s%s%.290s", below, *below ? "/" : "", x->d_name);
		if (*x->d_name == '.' || !strncmp(x->d_name, "expected", 8))
			continue;
		if (x->d_type == DT_DIR)
			tree_read(t, root, path);
		else
			tree_add(t, root, path);
	}
	closedir(d);
}

static void tree_free(struct tree *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->v[i].text);
	t->n = 0;
}

/* All files into a fresh index, resolved; its edges as text. */
static char *edges_of(struct tree *t)
{
	char file[] = "/tmp/atoll-graph.XXXXXX", *out = NULL;
	struct arena *a = arena_new();
	struct err e = { 0 };
	int64_t symbol = 1;
	size_t n;

	close(mkstemp(file));
	struct db *db = graph_open(file, &e);
	qsort(t->v, t->n, sizeof *t->v, by_path);
	for (size_t i = 0; db && i < t->n && !e.code; i++) {
		const struct lang *lang;
		struct facts f;
		char blob[20];
		graph_facts(parser, t->v[i].path, t->v[i].text, t->v[i].n, a, &f, &lang);
		snprintf(blob, sizeof blob, "b%zu", i);
		if (!lang)
			continue;
		graph_put(db, (int64_t)i + 1, t->v[i].path, lang_name(lang), blob, filter_test(t->v[i].path), &f, symbol, a, &e);
		symbol += (int64_t)f.definitions.n;
	}
	FILE *mem = open_memstream(&out, &n);
	if (!db || e.code || resolve_all(db, 1, &e) || graph_print(db, mem, &e))
		fail_msg("%s", e.msg);
	fclose(mem);
	db_close(db);
	unlink(file);
	arena_free(a);
	return out;
}

/* The first line that differs, with its number. */
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

static int compare(const char *dir)
{
	static struct tree t;
	char path[2400], *want = calloc(1, LARGEST);

	assert_non_null(want);
	tree_read(&t, dir, "");
	char *got = edges_of(&t);
	snprintf(path, sizeof path, "%s/expected.edges", dir);
	if (getenv("ACCEPT")) {
		FILE *out = fopen(path, "w");
		assert_non_null(out);
		fputs(got, out);
		fclose(out);
	}
	FILE *in = fopen(path, "rb");
	assert_non_null(in);
	want[fread(want, 1, LARGEST - 1, in)] = 0;
	fclose(in);
	int differs = strcmp(want, got) != 0;
	if (differs) {
		print_error("%s:\n", path);
		show_difference(want, got);
	}
	free(want);
	free(got);
	tree_free(&t);
	return differs;
}

static int run(const char *dir)
{
	char path[2400];
	DIR *d;
	int bad = 0;

	snprintf(path, sizeof path, "%s/expected.edges", dir);
	if (!access(path, F_OK)) {
		cases++;
		return compare(dir);
	}
	if (!(d = opendir(dir)))
		return 0;
	for (struct dirent *x; (x = readdir(d));) {
		snprintf(path, sizeof path, "%.1900s/%.400s", dir, x->d_name);
		if (*x->d_name != '.' && x->d_type == DT_DIR)
			bad += run(path);
	}
	closedir(d);
	return bad;
}

static void test_golden_edges(void **state)
{
	const char *dir = getenv("GOLDEN") ? getenv("GOLDEN") : "tests/golden";

	(void)state;
	assert_int_equal(run(dir), 0);
	assert_true(cases > 0);
}

static int setup(void **state)
{
	struct err e = { 0 };

	(void)state;
	parser = parser_new(&e);
	return parser ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	parser_free(parser);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_golden_edges) };

	return cmocka_run_group_tests(tests, setup, teardown);
}
