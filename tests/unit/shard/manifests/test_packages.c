/*
 * tests/golden/packages/CASE/: every file is one of a repository; `expected.packages` says what it publishes, depends on and
 * mentions.  ACCEPT=1 rewrites it; the diff is the review.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/record/record.h"
#include "shard/formats/value_tree.h"
#include "shard/manifests/manifests.h"
#include "shard/manifests/document_urls.h"
#include "shard/manifests/packages.h"
#include "tests/cpu_time.h"

static struct arena *a;
static struct manifests *manifests;

struct rows {
	struct package v[2000];
	size_t n;
};

static char *file_text(const char *path, size_t *n)
{
	FILE *f = fopen(path, "rb");
	char *s = arena_get(a, 1 << 17, 1);

	assert_non_null(f);
	*n = fread(s, 1, (1 << 17) - 1, f);
	fclose(f);
	return s;
}

static void add(struct rows *r, const char *path, const char *text, size_t n)
{
	struct package *v[2];
	size_t m[] = { manifests_read(manifests, path, text, n, a, &v[0]), document_urls_read(path, text, n, a, &v[1]) };

	for (size_t k = 0; k < LEN(m); k++)
		for (size_t i = 0; i < m[k]; i++) {
			v[k][i].file = path;
			r->v[r->n++] = v[k][i];
		}
}

static void add_folder(struct rows *r, const char *dir, const char *below)
{
	DIR *d = opendir(dir);

	assert_non_null(d);
	for (struct dirent *e; (e = readdir(d));) {
		const char *path = arena_printf(a, "%s/%s", dir, e->d_name), *rel = arena_printf(a, "%s%s", below, e->d_name);
		size_t n;
		if (*e->d_name == '.' || !strcmp(e->d_name, "expected.packages"))
			continue;
		if (e->d_type == DT_DIR)
			add_folder(r, path, arena_printf(a, "%s/", rel));
		else {
			const char *text = file_text(path, &n);
			add(r, rel, text, n);
		}
	}
	closedir(d);
}

static const char *or_dash(const char *s)
{
	return s && *s ? s : "-";
}

/* SIDE ECOSYSTEM NAME RANGE SCOPE FILE:LINE [from SOURCE] [at PATH] [as KEY] [pinned VERSION] [xCOUNT] */
static char *show(const struct package *v, size_t n)
{
	struct buf b = { 0 };

	for (size_t i = 0; i < n; i++) {
		const struct package *p = &v[i];
		buf_printf(&b, "%s %s %s %s %s %s:%llu", p->side, p->ecosystem, p->name, or_dash(p->range), or_dash(p->scope), p->file,
		    (unsigned long long)p->line);
		buf_printf(&b, p->source ? " from %s" : "%s", p->source ? p->source : "");
		buf_printf(&b, p->path ? " at %s" : "%s", p->path ? p->path : "");
		buf_printf(&b, p->key ? " as %s" : "%s", p->key ? p->key : "");
		buf_printf(&b, p->pinned ? " pinned %s" : "%s", p->pinned ? p->pinned : "");
		if (p->count > 1)
			buf_printf(&b, " x%llu", (unsigned long long)p->count);
		buf_byte(&b, '\n');
	}
	char *s = arena_str(a, b.p ? b.p : "");
	buf_free(&b);
	return s;
}

static int compare(const char *dir)
{
	struct rows *r = arena_one(a, struct rows);
	const char *path = arena_printf(a, "%s/expected.packages", dir);
	struct package *v;
	size_t n;

	add_folder(r, dir, "");
	n = packages_resolve(r->v, r->n, a, &v);
	const char *got = show(v, n);
	if (getenv("ACCEPT")) {
		FILE *out = fopen(path, "w");
		assert_non_null(out);
		fputs(got, out);
		fclose(out);
	}
	int differs = strcmp(file_text(path, &n), got);
	if (differs)
		print_error("%s: not as expected, but\n%s", dir, got);
	/* order never matters */
	for (size_t i = 0; i < r->n / 2; i++) {
		struct package x = r->v[i];
		r->v[i] = r->v[r->n - 1 - i];
		r->v[r->n - 1 - i] = x;
	}
	n = packages_resolve(r->v, r->n, a, &v);
	assert_string_equal(show(v, n), got);
	return differs != 0;
}

static void golden_cases(void **state)
{
	DIR *d = opendir("tests/golden/packages");
	int cases = 0, bad = 0;

	(void)state;
	assert_non_null(d);
	for (struct dirent *e; (e = readdir(d));)
		if (*e->d_name != '.') {
			cases++;
			bad += compare(arena_printf(a, "tests/golden/packages/%s", e->d_name));
		}
	closedir(d);
	assert_true(cases > 20);
	assert_int_equal(bad, 0);
}

/* Whatever the bytes, a reader ends and keeps to them: every golden file cut at every byte, and with one byte changed. */
static void broken_files(void **state)
{
	static const char *const names[] = { "package.json", "pyproject.toml", "pom.xml", "setup.cfg",
		"build.gradle", "Gemfile", "setup.py", "go.mod", "requirements.txt", "README.md",
		"package-lock.json", "yarn.lock", "pnpm-lock.yaml", "Cargo.lock", "uv.lock",
		"gradle.lockfile" };
	static const char text[] = "<project><a b='c'>[x]\n a.\"b\" = { c = ['d', \"\"\"e\"\"\" ] } # \\\n"
	    "module (\n require x/y v1 => \"z\" // indirect\n{ \"n\": [ \"x\", { } ] } do |s| end ) -e git+https://h/o/r@v1#egg=x";
	size_t size = sizeof text - 1;

	(void)state;
	for (size_t i = 0; i < LEN(names); i++)
		for (size_t n = 0; n <= size; n++) {
			struct arena *small = arena_new();
			char *exact = malloc(n + 1);
			struct package *v;
			assert_non_null(exact);
			memcpy(exact, text + size - n, n);
			manifests_read(manifests, names[i], exact, n, small, &v);
			document_urls_read(names[i], exact, n, small, &v);
			memcpy(exact, text, n);
			manifests_read(manifests, names[i], exact, n, small, &v);
			document_urls_read(names[i], exact, n, small, &v);
			free(exact);
			arena_free(small);
		}
}

static void deep_files_end(void **state)
{
	static const char *const names[] = { "package.json", "pyproject.toml", "pom.xml",
		"build.gradle", "package-lock.json", "pnpm-lock.yaml", "Cargo.lock" };
	static const char *const opens[] = { "[", "a=[", "<a>", "a{",
		"{\"packages\":", "importers: {a: ", "package=[" };
	struct package *v;

	(void)state;
	for (size_t i = 0; i < LEN(names); i++) {
		struct buf b = { 0 };
		for (int k = 0; k < 10000; k++)
			buf_str(&b, opens[i]);
		assert_true(manifests_read(manifests, names[i], b.p, b.n, a, &v) < 5000);
		buf_free(&b);
	}
}

/* Lines that are indented ever more, and those of one level again. */
static void deep_lines_end(void **state)
{
	struct buf b = { 0 };
	struct package *v;

	(void)state;
	for (int k = 0; k < 3000; k++)
		buf_printf(&b, "%*sa:\n", k, "");
	buf_str(&b, "ms@1:\n  version 1.2.3\n");
	assert_int_equal(manifests_read(manifests, "yarn.lock", b.p, b.n, a, &v), 2);
	assert_string_equal(v[1].range, "1.2.3");
	buf_free(&b);
}

/* Each line of a lock file, `one` with a number in place of %d; 8 MB at most. */
static size_t read_many(const char *path, const char *head, const char *one, int lines,
    struct arena *of, struct package **v)
{
	struct buf b = { 0 };

	buf_str(&b, head);
	for (int k = 0; k < lines && b.n < 8 << 20; k++) {
		const char *number = strstr(one, "%d");
		buf_put(&b, one, (size_t)(number - one));
		buf_printf(&b, "%d%s", k, number + 2);
	}
	size_t n = manifests_read(manifests, path, b.p, b.n, of, v);
	buf_free(&b);
	return n;
}

/* What a lock file has beyond the limits is left out, and that is said. */
static void huge_locks_end(void **state)
{
	static const struct {
		const char *path, *head, *one;
		int lines;
	} cases[] = {
		{ "yarn.lock", "", "a%d@1:\n  version 1\n", 400000 },
		{ "package-lock.json", "{\"packages\":{", "\"node_modules/a%d\":{\"version\":\"1\"},\n",
		    300000 },
		{ "Gemfile.lock", "GEM\n  specs:\n", "    a%d (1)\n", 500000 },
		{ "Cargo.lock", "[[package]]\nname = \"a\"\ndependencies = [\n", "\"b%d 1.0.0\",\n",
		    400000 },
		{ "uv.lock", "[[package]]\n", "a%d = 1\ndependencies = [{name = \"x\", version = \"1\"}]\n",
		    100000 },
	};

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++) {
		struct arena *small = arena_new();
		struct package *v;
		int64_t t0 = cpu_ms();
		size_t n = read_many(cases[i].path, cases[i].head, cases[i].one, cases[i].lines, small, &v);
		assert_true(n <= 20000);
		assert_string_equal(v[0].side, "governs");
		assert_non_null(strstr(arena_truncation_reason(small), "manifest: more than"));
		if (cpu_ms() - t0 > 5000)
			fail_msg("%s took %d ms", cases[i].path, (int)(cpu_ms() - t0));
		arena_free(small);
	}
}

/* Many dependencies of one name, and as many versions of it, in deep folders. */
static void many_versions_end(void **state)
{
	enum { MANY = 20000 };
	struct arena *small = arena_new();
	struct package *rows = arena_many(small, 2 * MANY + 1, struct package), *v;
	struct buf deep = { 0 };
	size_t n = 0, pinned = 0;

	(void)state;
	for (int i = 0; i < 2000; i++)
		buf_str(&deep, "d/");
	buf_str(&deep, "package.json");
	rows[n++] = (struct package){ .side = "governs",
		.ecosystem = "npm",
		.key = "package.json",
		.scope = "below",
		.file = "yarn.lock",
		.line = 1 };
	for (int i = 0; i < MANY; i++) {
		const char *range = arena_printf(small, "%d", i);
		rows[n++] = (struct package){ .side = "locks",
			.ecosystem = "npm",
			.name = "x",
			.key = range,
			.range = range,
			.file = "yarn.lock",
			.line = (uint64_t)i + 2 };
		rows[n++] = (struct package){ .side = "depends",
			.ecosystem = "npm",
			.name = "x",
			.range = range,
			.file = deep.p,
			.line = (uint64_t)i + 1 };
	}
	int64_t t0 = cpu_ms();
	n = packages_resolve(rows, n, small, &v);
	assert_true(cpu_ms() - t0 < 5000);
	for (size_t i = 0; i < n; i++)
		pinned += v[i].pinned && !strcmp(v[i].pinned, v[i].range);
	assert_int_equal(pinned, MANY);
	buf_free(&deep);
	arena_free(small);
}

/* A URL of many folders that could all be the place of a file is no page; else it takes minutes. */
static void long_urls_end(void **state)
{
	struct buf b = { 0 };
	struct package *v;

	(void)state;
	buf_str(&b, "See https://github.com/owner/name");
	for (int k = 0; k < 250000; k++)
		buf_str(&b, "/src");
	buf_str(&b, "/ for more.");
	assert_int_equal(document_urls_read("README.md", b.p, b.n, a, &v), 1);
	assert_string_equal(v[0].name, "github.com/owner/name");
	assert_null(v[0].path);
	buf_free(&b);
}

/* What a requirements.txt depends on, joined by blanks. */
static const char *requirements(const char *text)
{
	struct package *v;
	size_t n = manifests_read(manifests, "requirements.txt", text, strlen(text), a, &v);
	const char *s = "";

	for (size_t i = 0; i < n; i++)
		s = arena_printf(a, "%s%s%s", s, *s ? " " : "", v[i].name);
	return s;
}

static void options_of_requirements(void **state)
{
	(void)state;
	assert_string_equal(requirements("flask --hash=sha256:x\n-e  git+https://h/o/r#egg=x --no-deps\n"), "flask x");
	assert_string_equal(requirements("-e  --x\n-e\t\t--x --y\n--editable=  --x\n-e --x\n  --x\nflask\n"), "flask");
}

/* What the manifests of a repository publish and depend on, each row as in `show`.  `files`: path, text, … */
static const char *resolved(const char *const *files, size_t n)
{
	struct rows *r = arena_one(a, struct rows);
	struct package *v;

	for (size_t i = 0; i + 1 < n; i += 2)
		add(r, files[i], files[i + 1], strlen(files[i + 1]));
	n = packages_resolve(r->v, r->n, a, &v);
	return show(v, n);
}

#define POM(name, parent, path) \
	"<project><parent><groupId>g</groupId><artifactId>" parent "</artifactId><version>1</version>" \
	"<relativePath>" path "</relativePath></parent><artifactId>" name "</artifactId></project>"

static void parents_in_a_circle_end(void **state)
{
	static const char *const two[] = { "a/pom.xml", POM("a", "b", "../b"), "b/pom.xml", POM("b", "a", "../a/pom.xml") };
	static const char *const three[] = { "a/pom.xml", POM("a", "b", "../b"), "b/pom.xml", POM("b", "c", "../c"), "c/pom.xml",
		POM("c", "b", "../b") };

	(void)state;
	assert_string_equal(resolved(two, LEN(two)), "publishes maven g:a 1 - a/pom.xml:1\npublishes maven g:b 1 - b/pom.xml:1\n");
	assert_string_equal(resolved(three, LEN(three)),
	    "publishes maven g:a 1 - a/pom.xml:1\npublishes maven g:b 1 - b/pom.xml:1\npublishes maven g:c 1 - c/pom.xml:1\n");
}

/* Each property stands for the next one 70 times, and the last one for nothing. */
static void properties_of_properties_end(void **state)
{
	struct buf b = { 0 };

	(void)state;
	for (char c = 'a'; c < 'h'; c++) {
		buf_printf(&b, "%c=", c);
		for (int i = 0; i < 70; i++)
			buf_printf(&b, "${%c}", c + 1);
		buf_byte(&b, '\n');
	}
	buf_str(&b, "h=\n");
	const char *const files[] = { "gradle.properties", b.p, "build.gradle", "dependencies { implementation 'g:n:1${a}' }\n" };
	int64_t t0 = cpu_ms();
	resolved(files, LEN(files));
	assert_true(cpu_ms() - t0 < 5000);
	buf_free(&b);
}

static void sources(void **state)
{
	static const struct { const char *text, *uri; } cases[] = {
		{ "git+https://github.com/o/r.git#v1", "github.com/o/r" }, { "git+ssh://git@github.com/o/r.git", "github.com/o/r" },
		{ "git@gitlab.com:g/sub/r.git", "gitlab.com/g/sub/r" }, { "github:o/r#semver:^1", "github.com/o/r" },
		{ "o/r", "github.com/o/r" }, { "https://git.example.org/o/r.git@v1.2", "git.example.org/o/r" }, { "../r", NULL }, { "^1.2", NULL },
	};

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++) {
		const char *got = manifests_repo_uri(cases[i].text, a);
		if (cases[i].uri)
			assert_string_equal(got, cases[i].uri);
		else
			assert_null(got);
	}
}

static int begin(void **state)
{
	struct err e = { 0 };

	(void)state;
	a = arena_new();
	manifests = manifests_new(&e);
	if (!manifests)
		print_error("%s\n", e.msg);
	return manifests ? 0 : -1;
}

static int finish(void **state)
{
	(void)state;
	manifests_free(manifests);
	arena_free(a);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(golden_cases),
		cmocka_unit_test(broken_files),
		cmocka_unit_test(deep_files_end),
		cmocka_unit_test(deep_lines_end),
		cmocka_unit_test(huge_locks_end),
		cmocka_unit_test(many_versions_end),
		cmocka_unit_test(long_urls_end),
		cmocka_unit_test(options_of_requirements),
		cmocka_unit_test(parents_in_a_circle_end),
		cmocka_unit_test(properties_of_properties_end),
		cmocka_unit_test(sources),
	};

	return cmocka_run_group_tests(tests, begin, finish);
}
