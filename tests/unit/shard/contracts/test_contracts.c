/* The golden contracts of all languages without a program of their own (golden_contracts.h), and contracts of odd sources. */
#include "tests/golden_contracts.h"

/* Whether test_contracts_LANGUAGE plays the cases of a language. */
static bool is_apart(const char *language)
{
	char program[400];

	snprintf(program, sizeof program, "tests/unit/shard/contracts/test_contracts_%s.c", language);
	return !access(program, F_OK);
}

static void test_golden_contracts(void **state)
{
	DIR *d = opendir("tests/golden");

	(void)state;
	assert_non_null(d);
	if (getenv("GOLDEN"))
		play_contracts("");
	for (struct dirent *x; !getenv("GOLDEN") && (x = readdir(d));)
		if (*x->d_name != '.' && x->d_type == DT_DIR && !is_apart(x->d_name))
			play_contracts(x->d_name);
	closedir(d);
	assert_true(cases > 0);
}

/* Nobody speaks of a framework's objects until the caller of a function gives it one. */
static void test_bound_later(void **state)
{
	static char
	    text[] = "const { mount } = require('./orders');\n\nconst shop = {};\nmount(shop);\n";
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
	assert_int_equal(
	    edit(&info, &tree.v[0], other, NULL, NULL) + edit(&info, &tree.v[0], real, all, made), 0);
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
	put_line(
	    &deep, "import requests\n\ndef f0(path):\n    requests.get('http://a' + path)\n\n", 0, 0);
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

/* Calls whose URLs take all steps that one value may take, and a simple one. */
static void put_costly_calls(struct buf *b, int n)
{
	put_line(b, "import { PATH, f0 } from './chain'\n", 0, 0);
	for (int i = 0; i < n; i++)
		put_line(b, "fetch(f0())\n", 0, 0);
	put_line(b, "fetch(PATH)\n", 0, 0);
}

/* The values of a file have a budget together: what is beyond it is unknown, in this file only. */
static void test_values_of_one_file(void **state)
{
	enum { DEEP = 13, FEW = 3, MANY = 600 };
	struct index_info info;
	struct err e = { 0 };
	struct buf chain = { 0 }, few = { 0 }, many = { 0 };

	(void)state;
	put_line(&chain, "export const PATH = '/last'\n", 0, 0);
	for (int i = 0; i < DEEP; i++)
		put_line(&chain, "export const f%d = () => f%2$d() + f%2$d()\n", i, i + 1);
	put_line(&chain, "export const f%d = () => '/y'\n", DEEP, 0);
	put_costly_calls(&few, FEW);
	put_costly_calls(&many, MANY);
	sources_one("chain.js", &chain);
	sources_one("few.js", &few);
	sources_one("many.js", &many);
	free(fresh(&info));
	char *all = contracts_text(dir, &info, true, &e);
	assert_non_null(strstr(all, "GET /last fetch few.js:5 -"));
	assert_null(strstr(all, "GET /last fetch many.js"));
	assert_non_null(strstr(all, "? limit many.js:602: PATH"));
	free(all);
	sources_free(&tree);
}

/* Every row of a long table is a route. */
static void test_long_table(void **state)
{
	enum { ROWS = 300 };
	struct index_info info;
	struct buf b = { 0 };
	size_t n = 0;

	(void)state;
	put_line(&b,
	    "package main\n\nimport \"github.com/gorilla/mux\"\n\ntype row struct{ verb, path string }\n\n",
	    0, 0);
	put_line(&b, "var rows = []row{\n", 0, 0);
	for (int i = 0; i < ROWS; i++)
		put_line(&b, "\t{\"GET\", \"/things%d\"},\n", i, 0);
	put_line(&b, "}\n\nfunc main() {\n\tr := mux.NewRouter()\n\tfor _, e := range rows {\n", 0, 0);
	put_line(&b, "\t\tr.Methods(e.verb).Path(e.path).HandlerFunc(h)\n\t}\n}\n", 0, 0);
	sources_one("main.go", &b);
	char *all = fresh(&info);
	for (const char *at = strstr(all, "provides GET /things"); at;
	     at = strstr(at + 1, "provides GET /things"))
		n++;
	assert_int_equal(n, ROWS);
	free(all);
	sources_free(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_golden_contracts),
		cmocka_unit_test(test_bound_later),
		cmocka_unit_test(test_gone_and_back),
		cmocka_unit_test(test_calls_without_end),
		cmocka_unit_test(test_values_of_one_file),
		cmocka_unit_test(test_long_table),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
