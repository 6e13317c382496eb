#ifndef TESTS_GOLDEN_CONTRACTS_H
#define TESTS_GOLDEN_CONTRACTS_H
/*
 * tests/golden/LANGUAGE/CASE/expected.contracts: the contract facts of all other files of the folder, hidden ones and those in
 * folders too.  ACCEPT=1 rewrites them; the diff is the review.  Some files of each case (EDITS_EVERY=1: all) are
 * then edited one by one: an index that follows the edits says what a fresh one says.
 *
 * Languages with many cases have a program for each, test_contracts_LANGUAGE; test_contracts plays the others.  GOLDEN=tests/golden
 * plays all in one program, GOLDEN=tests/golden/go/chi one case.
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

static inline void show_difference(const char *want, const char *got)
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

static inline char *fresh(struct index_info *info)
{
	struct err e = { 0 };
	char *text = sources_index(&tree, parser, dir, info, &e) ? NULL :
	                                                           contracts_text(dir, info, false, &e);

	if (!text)
		fail_msg("%s", e.msg);
	return text;
}

/* The published index after the file was changed from `was` to `is`; either may be gone. */
static inline char *renewed(
    struct index_info *info, const struct source *was, const struct source *is)
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
	    delta_writer_publish(
	        u, info, &(struct text_source){ sources_text, &tree, &parser, 1, NULL }, NULL, &e))
		fail_msg("%s: %s", is->path, e.msg);
	assert_false(lost);
	delta_writer_free(u);
	arena_free(a);
	return contracts_text(dir, info, false, &e);
}

enum { SHAPE = 1000 };

/* What else must be the same: the hash, and how many rows the tables have that say something of a file. */
static inline const char *shape(const struct index_info *info, char out[SHAPE])
{
	static const char *const tables[] = { "files", "definitions", "told", "documents", "facts",
		"edges", "incoming", "uses", "contracts", "open", "mounts", "settings", "operations",
		"packages", "asked", "skipped" };
	struct err e = { 0 };
	struct db *db = store_open(dir, info->file, &e);
	int n = snprintf(out, SHAPE, "%s", info->graph_hash);

	for (size_t i = 0; db && i < LEN(tables); i++) {
		char query[80];
		snprintf(query, sizeof query, "select count(*) from %s", tables[i]);
		struct stmt *s = db_prep(db, query, &e);
		if (!s || db_step(s, &e) != 1)
			fail_msg("%s: %s", tables[i], e.msg);
		n += snprintf(
		    out + n, (size_t)(SHAPE - n), "\n%s %lld", tables[i], (long long)db_int(s, 0));
	}
	db_close(db);
	return out;
}

/*
 * One file becomes another text or goes, in an index of the others; what it says then and what a fresh one says: `all` with
 * the shape `want`, or NULL when no fresh one of these files has been asked yet.
 */
static inline int edit(
    struct index_info *info, struct source *s, struct source now, const char *all, const char *want)
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

static inline size_t every(void)
{
	const char *said = getenv("EDITS_EVERY");

	return said && atoi(said) > 0 ? (size_t)atoi(said) : EVERY;
}

/* Each file goes and comes back, then loses its last half and gets it back, in the index that was just made and says `all`. */
static inline int edits(struct index_info info, const char *all, size_t first, size_t step)
{
	char made[SHAPE];
	int bad = 0;

	shape(&info, made);
	for (size_t i = first; i < tree.n; i += step) {
		struct source whole = tree.v[i], gone = whole, half = whole;
		gone.gone = true;
		half.n /= 2;
		bad += edit(&info, &tree.v[i], gone, NULL, NULL) +
		    edit(&info, &tree.v[i], whole, all, made);
		bad += edit(&info, &tree.v[i], half, NULL, NULL) +
		    edit(&info, &tree.v[i], whole, all, made);
	}
	return bad;
}

static inline int compare(const char *folder)
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

static inline int setup(void **state)
{
	struct err e = { 0 };

	(void)state;
	log_init("test", LOG_ERROR);
	parser = parser_new(&e);
	return parser && mkdtemp(dir) ? 0 : -1;
}

static inline int teardown(void **state)
{
	char cmd[100];

	(void)state;
	parser_free(parser);
	snprintf(cmd, sizeof cmd, "rm -rf %s", dir);
	return system(cmd);
}

/* Plays the cases of tests/golden/LANGUAGE, or those below $GOLDEN. */
static inline void play_contracts(const char *language)
{
	char folder[400];

	snprintf(folder, sizeof folder, "tests/golden/%s", language);
	const char *given = getenv("GOLDEN");
	if (given)
		snprintf(folder, sizeof folder, "%s", given);
	assert_int_equal(golden_cases(folder, "expected.contracts", compare, &cases), 0);
}

/* The test of a program for one language. */
static inline int contracts_main(void (*test)(void **))
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test) };

	return cmocka_run_group_tests(tests, setup, teardown);
}

/* The whole of such a program. */
#define CONTRACTS_OF(language)                                                                     \
	static void golden_contracts(void **state)                                                     \
	{                                                                                              \
		(void)state;                                                                               \
		play_contracts(language);                                                                  \
		assert_true(cases > 0);                                                                    \
	}                                                                                              \
                                                                                                   \
	int main(void)                                                                                 \
	{                                                                                              \
		return contracts_main(golden_contracts);                                                   \
	}
#endif
