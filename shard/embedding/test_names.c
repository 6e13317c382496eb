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
	struct map *says;	/* path -> text */
};

/* A file of the index. */
struct test_names_file {
	int64_t id;
	const char *path, *called;	/* its language and what it is called */
};

struct test_names_files {
	struct test_names_file *v;
	size_t n, cap;
};

/* What is called so. */
struct stem_match {
	const char *path;
	size_t files;
};

static const char before[] = "test_";
static const char *const behind[] = { "_test", "-test", ".test", "_spec", "-spec", ".spec", "Tests",
	"Test", "Spec" };

/* The end of a name without what makes it one of tests. */
static size_t strip_test_suffix(const char *name, size_t n)
{
	for (size_t i = 0; i < LEN(behind); i++) {
		size_t m = strlen(behind[i]);
		if (n > m && !memcmp(name + n - m, behind[i], m))
			return n - m;
	}
	return n;
}

/*
 * The language, and letters and digits of the file's name without its extension, and of one of
 * tests without what says so.
 */
static const char *called(const char *language, const char *path, bool test, struct arena *a)
{
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path,
	           *dot = strrchr(name, '.');
	size_t n = dot ? (size_t)(dot - name) : strlen(name),
	       skip = test && !strncmp(name, before, strlen(before)) ? strlen(before) : 0;
	char *out = arena_printf(a, "%s %.*s", language, (int)n, name), *w = out + strlen(language) + 1;

	for (size_t i = skip, end = test ? strip_test_suffix(name, n) : n; i < end; i++)
		if (isalnum((unsigned char)name[i]))
			*w++ = (char)tolower((unsigned char)name[i]);
	*w = 0;
	return out;
}

static void add_file(struct test_names_files *f, int64_t id, const char *path, const char *called)
{
	f->v = grow(f->v, &f->cap, f->n + 1, sizeof *f->v);
	f->v[f->n++] = (struct test_names_file){ id, path, called };
}

/* The files of tests, and by what the others are called. */
static int read_files(struct db *db, struct arena *a, struct test_names_files *tests,
    struct map *others, struct err *e)
{
	struct stmt *s = db_prep(db, "select id, path, language, test from files order by path", e);
	int rc = s ? 0 : -1;

	while (!rc && (rc = db_step(s, e)) == 1) {
		const char *path = arena_str(a, db_str(s, 1)),
		           *name = called(db_str(s, 2), path, db_int(s, 3), a);
		if (db_int(s, 3)) {
			add_file(tests, db_int(s, 0), path, name);
		} else {
			void **at = map_at(others, name);
			struct stem_match *x = *at = *at ? *at : arena_one(a, struct stem_match);
			x->path = path;
			x->files++;
		}
		rc = 0;
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
	    "select s.name from docs d join symbols s on s.id = d.symbol where d.file = ? and s.kind in ('function', 'method')"
	    " order by d.start_line, d.id",
	    e);
	int rc = -1;
	size_t names = 0;

	if (s)
		rc = db_bind(s, "i", file);
	while (!rc && (rc = db_step(s, e)) == 1) {
		if (is_descriptive(db_str(s, 0)) && names++ < TEST_NAMES_MAX)
			buf_printf(text, "%s%s", text->n ? "\n" : "", db_str(s, 0));
		rc = 0;
	}
	return rc;
}

static int read_tests(struct test_names *t, struct db *db, const struct test_names_files *tests,
    const struct map *others, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < tests->n; i++) {
		const struct stem_match *x = map_get(others, tests->v[i].called);
		struct buf text = { 0 };
		if (!x || x->files > 1)
			continue;
		void **at = map_at(t->says, x->path);
		if (*at)
			buf_str(&text, *at);
		rc = add_names(db, tests->v[i].id, &text, e);
		if (text.n)
			*at = arena_str(t->a, text.p);
		else
			*at = NULL;
		buf_free(&text);
	}
	return rc;
}

struct test_names *test_names_read(struct db *db, struct err *e)
{
	struct test_names *t = xcalloc(1, sizeof *t);

	*t = (struct test_names){ .a = arena_new(), .says = map_new() };
	struct test_names_files tests = { 0 };
	struct map *others = map_new();
	int rc = 0;
	if (read_files(db, t->a, &tests, others, e) || read_tests(t, db, &tests, others, e))
		rc = -1;
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
	map_free(t->says);
	arena_free(t->a);
	free(t);
}

const char *test_names_of(const struct test_names *t, const char *path)
{
	return map_get(t->says, path);
}
