#ifndef TESTS_SHARD_EQUIVALENCE_FILES_H
#define TESTS_SHARD_EQUIVALENCE_FILES_H
/* Generates a repository of files with frequent and rare words, and questions about them. */
#include "tests/generated_sources.h"
#include "tests/tool_calls.h"
#include "tests/sanitized.h"

#include "shard/git/repo.h"

enum { FILES = 240, WORDS = 300, QUESTIONS = SANITIZED ? 60 : 200 };

static const char unique[] = "zanzibar";	/* occurs in one file */

/* ---- files ---- */

struct file {
	const char *path;
	char blob[REPO_OID_SIZE];
	const char *text;
	size_t n;
};

static struct file files[FILES];
static size_t nfiles;
static uint64_t seed = 7;

static const char *word(unsigned i)
{
	static const char *const syllables[] = { "load", "user", "par", "tok", "en", "cache", "ro", "ute", "ses", "sion", "qu", "eue",
		"in", "dex", "wri", "ter", "buf", "fer", "con", "fig" };

	return i < 20 ? syllables[i] : arena_printf(a, "%s%s", syllables[i % 20], syllables[i / 20 % 20]);
}

/* A random word: few are common, most are rare. */
static const char *any_word(void)
{
	unsigned n = random_number(&seed, WORDS), m = random_number(&seed, WORDS);

	return word(n * m / WORDS);
}

static const char *any_name(void)
{
	const char *x = any_word(), *y = any_word();

	return random_number(&seed, 2) ? arena_printf(a, "%s_%s", x, y) :
	    arena_printf(a, "%s%c%s", x, y[0] - 'a' + 'A', y + 1);
}

static void put_words(FILE *f, unsigned n)
{
	static const char *const small[] = { "the", "of", "a", "is", "to" };

	for (; n; n--)
		fprintf(f, "%s%s", random_number(&seed, 4) ? any_word() : small[random_number(&seed, 5)], n > 1 ? " " : "");
}

static void put_function(FILE *f, bool python)
{
	fprintf(f, python ? "def %s(%s, %s):\n    \"\"\"" : "/* %s", any_name(), any_word(), any_word());
	put_words(f, 4 + random_number(&seed, 12));
	fputs(python ? ".\"\"\"\n" : ". */\n", f);
	if (!python)
		fprintf(f, "int %s(int %s)\n{\n", any_name(), any_word());
	for (unsigned n = random_number(&seed, 6); n; n--)
		fprintf(f, python ? "    %s = %s(%s)\n" : "\t%s = %s(%s);\n", any_word(), any_name(), any_word());
	fputs(python ? "    return 0\n\n\n" : "\treturn 0;\n}\n\n", f);
}

/* Writes code in two languages or prose; some files have equal scores. */
static void write_file(const char *path, unsigned i)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	if (i % 12 == 5)
		fprintf(f, "%s = %s\n", word(i % 3), word(4));
	else if (i % 12 == 11) {
		fprintf(f, "# %s\n\n", any_name());
		put_words(f, 40);
		fputs("\n", f);
	} else
		for (unsigned n = 1 + random_number(&seed, 4); n; n--)
			put_function(f, i % 2);
	if (i == 77)
		fprintf(f, "\n%s = 1\n", unique);
	assert_int_equal(fclose(f), 0);
}

static void write_files(void)
{
	static const char *const folders[] = { "src", "lib", "tests", "src/core", "docs" };

	for (unsigned i = 0; i < FILES; i++) {
		const char *folder = arena_printf(a, "%s/repo/%s", dir, folders[random_number(&seed, 5)]);
		const char *path = arena_printf(a, "%s/%s_%03u.%s", folder, word(i % 7), i, i % 12 == 11 ? "md" : i % 2 ? "py" : "c");
		assert_int_equal(system(arena_printf(a, "mkdir -p %s", folder)), 0);
		write_file(path, i);
		if (i % 15 == 3 && i + 1 < FILES) {	/* the same text again */
			assert_int_equal(system(arena_printf(a, "cp %s %s/copy_%03u.%s", path, folder, i, strrchr(path, '.') + 1)), 0);
			i++;
		}
	}
	assert_int_equal(system(arena_printf(a, "cd %s/repo && git init -q && git add -A && git -c user.name=t -c user.email=t@t "
	    "commit -q -m made", dir)), 0);
}

static void read_files(void)
{
	struct err e = { 0 };
	struct repo *repo = repo_open(arena_printf(a, "%s/repo", dir), &e);
	struct tree_entries all = { 0 };
	char head[REPO_OID_SIZE];

	assert_non_null(repo);
	assert_int_equal(repo_head(repo, head, &e) || repo_tree(repo, head, a, &all, &e), 0);
	assert_true(all.n <= FILES);
	for (size_t i = 0; i < all.n; i++) {
		struct file *f = &files[nfiles++];
		struct buf text = { 0 };
		assert_int_equal(repo_blob_text(repo, all.v[i].blob, &text, &e), 0);
		f->path = all.v[i].path;
		memcpy(f->blob, all.v[i].blob, REPO_OID_SIZE);
		f->text = arena_strn(a, text.p, text.n);
		f->n = text.n;
		buf_free(&text);
	}
	free(all.v);
	repo_close(repo);
}

/* ---- questions ---- */

static char *questions[QUESTIONS];

static const char *several(unsigned n)
{
	const char *s = any_word();

	while (--n)
		s = arena_printf(a, "%s %s", s, any_word());
	return s;
}

/* A phrase from a random file. */
static const char *quoted(void)
{
	for (;;) {
		const struct file *f = &files[random_number(&seed, (unsigned)nfiles)];
		const char *at = f->text + random_number(&seed, (unsigned)f->n), *end;
		at = strchr(at, ' ');
		end = at ? strchr(at + 1, ' ') : NULL;
		end = end ? strchr(end + 1, ' ') : NULL;
		if (end && strcspn(at, "\n\"\\") > (size_t)(end - at) && strcspn(at, "aeiou") < (size_t)(end - at))
			return arena_printf(a, "\\\"%.*s\\\"", (int)(end - at - 1), at + 1);
	}
}

static void make_questions(void)
{
	for (int i = 0; i < QUESTIONS; i++) {
		const char *more = "", *q = "";
		switch (i % 10) {
		case 0: q = word((unsigned)i / 10); break;
		case 1: case 2: q = any_name(); break;
		case 3: q = several(2); break;
		case 4: q = several(3); break;
		case 5: q = arena_printf(a, "how does the %s %s a %s?", any_word(), any_word(), any_name()); break;
		case 6: q = quoted(); break;
		case 7: q = several(2); more = ",\"languages\":[\"python\"]"; break;
		case 8: q = several(4); more = i % 20 < 10 ? ",\"kinds\":[\"function\"]" : ",\"path_prefix\":\"src/\""; break;
		case 9: q = several(i % 20 < 10 ? 120 : 8); break;
		}
		questions[i] = (char *)arena_printf(a, "\"query\":\"%s\",\"limit\":%d%s,\"fusion\":\"%s\"", q, 5 + i % 46, more,
		    i & 1 ? "weighted" : "rrf");
	}
}

#endif
