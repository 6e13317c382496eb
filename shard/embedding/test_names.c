#include "shard/embedding/test_names.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/map.h"
#include "proto/db/db.h"
#include "proto/embed/subword_tokens.h"

struct test_names {
	struct arena *a;
	struct map *names;	/* path of the tested file -> names of its tests */
};

/* A file of the index. */
struct test_names_file {
	int64_t id;
	const char *path, *stem;	/* the stem contains the language */
};

struct test_names_files {
	struct test_names_file *v;
	size_t n, cap;
};

/* The files with a stem that are not tests; `path` is one of them. */
struct stem_match {
	const char *path;
	size_t files;
};

static const char prefix[] = "test_";
static const char *const suffixes[] = { "_test", "-test", ".test", "_spec", "-spec", ".spec",
	"Tests", "Test", "Spec" };

/* The length of a name without the suffix of tests. */
static size_t strip_test_suffix(const char *name, size_t n)
{
	for (size_t i = 0; i < LEN(suffixes); i++) {
		size_t m = strlen(suffixes[i]);
		if (n > m && !memcmp(name + n - m, suffixes[i], m))
			return n - m;
	}
	return n;
}

/*
 * The stem of a file: its language, and the letters and digits of its name without the extension
 * and, for a test, without the prefix and suffix of tests.
 */
static const char *stem_of(const char *language, const char *path, bool test, struct arena *a)
{
	const char *slash = strrchr(path, '/'), *name = path;

	if (slash)
		name = slash + 1;
	const char *dot = strrchr(name, '.');
	size_t n = dot ? (size_t)(dot - name) : strlen(name), begin = 0, end = n;
	if (test) {
		end = strip_test_suffix(name, n);
		if (!strncmp(name, prefix, strlen(prefix)))
			begin = strlen(prefix);
	}
	char *out = arena_printf(a, "%s %.*s", language, (int)n, name);
	char *w = out + strlen(language) + 1;
	for (size_t i = begin; i < end; i++)
		if (isalnum((unsigned char)name[i]))
			*w++ = (char)tolower((unsigned char)name[i]);
	*w = 0;
	return out;
}

static void add_test(struct test_names_files *f, int64_t id, const char *path, const char *stem)
{
	f->v = grow(f->v, &f->cap, f->n + 1, sizeof *f->v);
	f->v[f->n++] = (struct test_names_file){ id, path, stem };
}

static void add_other(struct map *others, const char *path, const char *stem, struct arena *a)
{
	void **at = map_at(others, stem);

	if (!*at)
		*at = arena_one(a, struct stem_match);
	struct stem_match *x = *at;
	x->path = path;
	x->files++;
}

/* Reads the test files, and the other files by stem. */
static int read_files(struct db *db, struct arena *a, struct test_names_files *tests,
    struct map *others, struct err *e)
{
	struct stmt *s = db_prep(db, "select id, path, language, test from files order by path", e);
	int rc;

	if (!s)
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		bool test = db_int(s, 3);
		const char *path = arena_str(a, db_str(s, 1));
		const char *stem = stem_of(db_str(s, 2), path, test, a);
		if (test)
			add_test(tests, db_int(s, 0), path, stem);
		else
			add_other(others, path, stem, a);
	}
	return rc;
}

static bool is_descriptive(const char *name)
{
	struct subtokens s = { (const unsigned char *)name,
		(const unsigned char *)name + strlen(name) };
	char word[SUBTOKEN_MAX];
	size_t n = 0;

	while (n < TEST_NAME_WORDS_MIN && subtokens_next(&s, word))
		n++;
	return n == TEST_NAME_WORDS_MIN;
}

static int add_names(struct db *db, int64_t file, struct buf *text, struct err *e)
{
	struct stmt *s = db_prep(db,
	    "select s.name from docs d join symbols s on s.id = d.symbol where d.file = ? and s.kind"
	    " in ('function', 'method')"
	    " order by d.start_line, d.id",
	    e);
	int rc;
	size_t names = 0;

	if (!s || db_bind(s, "i", file))
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		if (!is_descriptive(db_str(s, 0)) || names == TEST_NAMES_MAX)
			continue;
		if (text->n)
			buf_byte(text, '\n');
		buf_str(text, db_str(s, 0));
		names++;
	}
	return rc;
}

static int read_tests(struct test_names *t, struct db *db, const struct test_names_files *tests,
    const struct map *others, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < tests->n; i++) {
		const struct stem_match *x = map_get(others, tests->v[i].stem);
		struct buf text = { 0 };
		if (!x || x->files > 1)
			continue;
		void **at = map_at(t->names, x->path);
		if (*at)
			buf_str(&text, *at);
		rc = add_names(db, tests->v[i].id, &text, e);
		if (text.n)
			*at = arena_str(t->a, text.p);
		buf_free(&text);
	}
	return rc;
}

struct test_names *test_names_read(struct db *db, struct err *e)
{
	struct test_names *t = xcalloc(1, sizeof *t);

	*t = (struct test_names){ .a = arena_new(), .names = map_new() };
	struct test_names_files tests = { 0 };
	struct map *others = map_new();
	int rc = read_files(db, t->a, &tests, others, e);
	if (!rc)
		rc = read_tests(t, db, &tests, others, e);
	free(tests.v);
	map_free(others);
	if (!rc)
		return t;
	test_names_free(t);
	return NULL;
}

void test_names_free(struct test_names *t)
{
	if (!t)
		return;
	map_free(t->names);
	arena_free(t->a);
	free(t);
}

const char *test_names_of(const struct test_names *t, const char *path)
{
	return map_get(t->names, path);
}
