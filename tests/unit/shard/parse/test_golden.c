/*
 * tests/golden/LANGUAGE/CASE/{input.EXT,expected}: what the parser says of each input; in `expected.graph`, when there is
 * one, what resolve is told.  A case may have either or both.  ACCEPT=1 rewrites those that are there; the diff is the review.  GOLDEN=DIR takes another folder.
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
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "shard/contracts/file_routes.h"
#include "shard/facts/facts.h"
#include "shard/parse/parser.h"
#include "tests/facts_print.h"

struct file {
	char path[2048];
	char *text;
	size_t n;
};

static struct parser *parser;
static struct arena *arena;
static int cases;

static int file_read(struct file *f)
{
	FILE *in = fopen(f->path, "rb");

	f->text = NULL;
	f->n = 0;
	if (!in)
		return -1;
	f->text = calloc(1, 1 << 20);
	f->n = f->text ? fread(f->text, 1, (1 << 20) - 1, in) : 0;
	fclose(in);
	return f->text ? 0 : -1;
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

static bool callable(const char *kind)
{
	static const struct { const char *name; bool callable; } kinds[] = {
#define KIND(name, callable, doc) { #name, callable },
#include "proto/record/kinds.def"
	};

	for (size_t i = 0; i < LEN(kinds); i++)
		if (!strcmp(kinds[i].name, kind))
			return kinds[i].callable;
	fail_msg("no kind: %s", kind);
	return false;
}

/* What holds of every definition, whatever the language: a callable has a signature, a place is some bytes inside of what it is in. */
static void check_definitions(const struct file *in, const struct facts *f)
{
	for (size_t i = 0; i < f->definitions.n; i++) {
		const struct definition *d = &f->definitions.v[i], *up = d->parent < 0 ? NULL : &f->definitions.v[d->parent];
		if (callable(d->kind) && (!d->signature || !*d->signature))
			fail_msg("%s: %s has no signature", in->path, d->qualified);
		if (d->start_line < 1 || d->end_line < d->start_line || d->end_byte <= d->start_byte || d->end_byte > in->n)
			fail_msg("%s: %s is nowhere: lines %u to %u", in->path, d->qualified, d->start_line, d->end_line);
		if (up && (d->start_line < up->start_line || d->end_line > up->end_line || d->start_byte < up->start_byte ||
		    d->end_byte > up->end_byte))
			fail_msg("%s: %s is not inside of %s", in->path, d->qualified, up->qualified);
	}
}

static char *facts_text(const struct file *in, bool graph)
{
	struct facts f = { 0 };
	char *out = NULL;
	size_t n;
	FILE *mem = open_memstream(&out, &n);

	parse(parser, lang_detect(in->path, in->text, in->n), in->text, in->n, 0, arena, &f);
	check_definitions(in, &f);
	f.contracts.n = file_routes(f.contracts.v, f.contracts.n, in->path, arena);
	fprintf(mem, "%s%s%s\n", lang_name(lang_detect(in->path, in->text, in->n)), f.has_errors ? " has_errors" : "",
	    f.generated ? " generated" : "");
	if (graph)
		facts_print_graph(mem, &f);
	else
		facts_print(mem, &f, false);
	fclose(mem);
	arena_reset(arena);
	return out;
}

/* Compare with one expected file; *seen counts those that are there. */
static int compare_with(const struct file *in, const char *dir, const char *name, int *seen)
{
	struct file want;
	char *got;
	int differs;

	snprintf(want.path, sizeof want.path, "%.1900s/%s", dir, name);
	if (access(want.path, F_OK))
		return 0;
	++*seen;
	got = facts_text(in, !strcmp(name, "expected.graph"));
	if (getenv("ACCEPT")) {
		FILE *out = fopen(want.path, "w");
		assert_non_null(out);
		fputs(got, out);
		fclose(out);
	}
	differs = file_read(&want) || strcmp(want.text, got);
	if (differs) {
		print_error("%s:\n", want.path);
		show_difference(want.text ? want.text : "", got);
	}
	free(want.text);
	free(got);
	return differs;
}

static int compare(const struct file *in, const char *dir)
{
	int seen = 0, differs = compare_with(in, dir, "expected", &seen) + compare_with(in, dir, "expected.graph", &seen);

	if (!seen)
		print_error("%s: nothing is expected of it\n", in->path);
	return differs + !seen;
}

static int run(const char *dir)
{
	DIR *d = opendir(dir);
	int bad = 0;

	for (struct dirent *e; d && (e = readdir(d));) {
		struct file f;
		if (*e->d_name == '.')
			continue;
		snprintf(f.path, sizeof f.path, "%.1500s/%.400s", dir, e->d_name);
		if (e->d_type == DT_DIR) {
			bad += run(f.path);
		} else if (!strncmp(e->d_name, "input.", 6)) {
			cases++;
			assert_int_equal(file_read(&f), 0);
			bad += compare(&f, dir);
			free(f.text);
		}
	}
	if (d)
		closedir(d);
	return bad;
}

static void test_golden(void **state)
{
	const char *dir = getenv("GOLDEN") ? getenv("GOLDEN") : "tests/golden";
	struct err e = { 0 };

	(void)state;
	arena = arena_new();
	parser = parser_new(&e);
	if (!parser)
		fail_msg("%s", e.msg);
	assert_int_equal(run(dir), 0);
	assert_true(cases > 0);
	parser_free(parser);
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_golden) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
