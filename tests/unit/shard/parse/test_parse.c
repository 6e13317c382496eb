#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "shard/facts/facts.h"
#include "shard/parse/parser.h"
#include "tests/sanitized.h"
#include "tests/cpu_time.h"

enum { LIMIT_MS = 5, PATIENCE_MS = 10000 };

static struct parser *parser;
static int limit_ms = 600000;	/* of processor time for a file; LIMIT_MS where time is all that is spent */
static struct arena *arena;

static int setup(void **state)
{
	struct err e = { 0 };

	(void)state;
	arena = arena_new();
	parser = parser_new(&e);
	if (!parser)
		print_error("%s\n", e.msg);
	return parser ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	parser_free(parser);
	arena_free(arena);
	return 0;
}

static struct facts facts_of(const char *name, const char *text, size_t n)
{
	struct facts f = { 0 };

	parse(parser, lang_detect(name, text, n), text, n, limit_ms, arena, &f);
	return f;
}

static const char *language(const char *name, const char *head)
{
	const struct lang *l = lang_detect(name, head, strlen(head));

	return l ? lang_name(l) : "";
}

static void test_data_files(void **state)
{
	struct err e = { 0 };

	(void)state;
	if (parser_check(parser, &e))
		fail_msg("%s", e.msg);
}

static void test_languages(void **state)
{
	static const char *const table[][3] = {
		{ "src/a.py", "", "python" },
		{ "a.TSX", "", "tsx" },
		{ "a.d.ts", "", "typescript" },
		{ "a.mjs", "", "javascript" },
		{ "main.go", "", "go" },
		{ "A.java", "", "java" },
		{ "a.h", "", "c" },
		{ "a.h", "/* class of\nclass x */\nint f(void);\n#ifdef __cplusplus\nextern \"C\" {\n",
		    "c" },
		{ "a.h", "int class = 1;\nclass = 2;\nusing(x);\n", "c" },
		{ "a.h", "int x;\n  namespace a {\n", "cpp" },
		{ "a.h", "#include <x>\ntemplate<typename T>\n", "cpp" },
		{ "a.h", "/* x */ int y; /*\n*/\nclass A;\n", "cpp" },
		{ "a.H", "struct A {\npublic:\n", "cpp" },
		{ "a.cpp", "", "cpp" },
		{ "a.md", "", "markdown" },
		{ "deploy/Dockerfile", "", "dockerfile" },
		{ "Dockerfile.dev", "", "dockerfile" },
		{ "Makefile", "", "makefile" },
		{ "go.mod", "", "gomod" },
		{ "run", "#!/usr/bin/env python3\n", "python" },
		{ "run", "#!/usr/bin/python3.11\n", "python" },
		{ "run", "#! /bin/sh -e\n", "bash" },
		{ "run", "#!/usr/bin/env -S node --x\n", "javascript" },
		{ "run", "#!/command/with-contenv /usr/bin/bash\n", "bash" },
		{ "run", "#!/opt/launch\t/usr/bin/env ruby\n", "ruby" },
		{ "run", "#!/opt/launch sh\n", "" },
		{ "d.hook", "#!/bin/sh\n", "bash" },
		{ "d.hook", "[a]\n", "" },
		{ "cron.CGI", "#!/usr/bin/perl -w\n", "perl" },
		{ "Makefile.in", "all:\n", "" },
		{ "run", "no script", "" },
		{ "a.png", "", "" },
		{ "package.json", "", "json" },
		{ "data.json", "", "" },
		{ "pnpm-lock.yaml", "", "" },
		{ ".gitignore", "", "" },
		{ "run", "#!", "" },
		{ "README", "", "text" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		assert_string_equal(language(table[i][0], table[i][1]), table[i][2]);
}

static void check_documents(const char *name, const char *text, size_t n)
{
	struct facts f = facts_of(name, text, n);
	long seen[256] = { 0 };
	uint32_t line = 0;

	for (size_t i = 0; i < n; i++)
		seen[(uint8_t)text[i]]++;
	for (size_t i = 0; i < f.documents.n; i++) {
		const struct document *d = &f.documents.v[i];
		for (size_t k = 0; k < d->nbody; k++)
			seen[(uint8_t)d->body[k]]--;
		assert_true(d->start_line >= line && d->end_line >= d->start_line && d->end_line <= f.lines);
		line = d->start_line;
	}
	for (int c = 0; c < 256; c++)
		if (!isspace(c) && seen[c])
			fail_msg("%s: byte %d is in documents %ld times too few", name, c, seen[c]);
	for (size_t i = 1; i < f.definitions.n; i++)
		if (f.definitions.v[i].start_byte < f.definitions.v[i - 1].start_byte)
			fail_msg("%s: %s begins before %s", name, f.definitions.v[i].qualified,
			    f.definitions.v[i - 1].qualified);
	arena_reset(arena);
}

static void check_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	static char text[1 << 20];
	size_t n = f ? fread(text, 1, sizeof text, f) : 0;

	if (f)
		fclose(f);
	if (lang_detect(path, text, n))
		check_documents(path, text, n);
}

static void check_folder(const char *path)
{
	DIR *d = opendir(path);
	char child[4096];

	for (struct dirent *e; d && (e = readdir(d));) {
		if (*e->d_name == '.')
			continue;
		snprintf(child, sizeof child, "%s/%s", path, e->d_name);
		if (e->d_type == DT_DIR)
			check_folder(child);
		else
			check_file(child);
	}
	if (d)
		closedir(d);
}

static void test_every_byte_in_one_document(void **state)
{
	(void)state;
	check_folder("tests");
	check_folder("shard/lang");
	check_file("shard/definitions/definitions.c");
	check_file("README.md");
}

/* A file of each language that holds `n` bytes of a repeated pattern ends soon and loses nothing. */
static void hostile(const char *what, const char *pattern, size_t unit, size_t n)
{
	static const char *const names[] = { "a.py", "a.js", "a.ts", "a.tsx", "a.go", "a.java", "a.c", "a.md", "a.cc", "a.rs", "a.rb", "a.cs",
		"a.php" };
	char *text = malloc(n);

	for (size_t i = 0; text && i < n; i++)
		text[i] = pattern[i % unit];
	for (size_t i = 0; text && i < sizeof names / sizeof *names; i++) {
		int64_t t0 = cpu_ms();
		check_documents(names[i], text, n);
		int64_t took = cpu_ms() - t0;
		if (took > 2 * LIMIT_MS)
			print_message("%s %s: %lld ms\n", what, names[i], (long long)took);
		assert_true(took < PATIENCE_MS);
	}
	free(text);
}

static void test_hostile_input(void **state)
{
	enum { MB = SANITIZED ? 1 << 18 : 1 << 20 };	/* a file at the size limit */
	static char noise[1 << 16];
	static const struct { const char *what, *pattern; } table[] = {
		{ "brackets", "[" }, { "parentheses", "(" }, { "braces", "{" }, { "quotes", "\"" }, { "backticks", "`${" },
		{ "one line", "x = f(1, 'a') + " }, { "functions", "function f(){" }, { "classes", "class A{" },
		{ "sums", "a+" }, { "calls", "f(g(" }, { "comments", "/* // # " }, { "else", "if(a){}else " },
		{ "lines", "\n" }, { "defs", "def f():\n  " }, { "tags", "<a>" }, { "invalid UTF-8", "\xff\xfe\xc3(\xe2\x82" },
		{ "assignments", "a = b = " }, { "fetch", "fetch(" }, { "requests", "requests.get(a % b)\n" },
		{ "macros", "MACRO(a) B_C<" }, { "macros in parentheses", "class MACRO(" },
	};

	(void)state;
	limit_ms = LIMIT_MS;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		hostile(table[i].what, table[i].pattern, strlen(table[i].pattern), MB);
	srand(1);
	for (size_t i = 0; i < sizeof noise; i++)
		noise[i] = (char)rand();
	hostile("noise", noise, sizeof noise, MB);
	for (size_t i = 0; i < sizeof noise; i++)
		noise[i] = (char)(' ' + rand() % 95);
	hostile("printable noise", noise, sizeof noise, MB - (MB >> 3));
	hostile("NUL", "\0a\0", 3, MB);
	limit_ms = 600000;
}

static void test_timeout_still_gives_documents(void **state)
{
	enum { N = 4 << 20 };
	char *text = malloc(N);
	struct facts f = { 0 };

	(void)state;
	for (size_t i = 0; text && i < N; i++)
		text[i] = "x = [1, 2]\n"[i % 11];
	parse(parser, lang_detect("a.py", text, N), text, N, 1, arena, &f);
	assert_true(f.has_errors);
	assert_string_equal(f.limit, "parse time");
	assert_int_equal(f.definitions.n, 0);
	assert_true(f.documents.n > 1000);
	free(text);
}

/* Facts of `n` bytes of a repeated pattern, without haste. */
static struct facts facts_of_many(const char *name, const char *pattern, size_t n)
{
	size_t unit = strlen(pattern);
	char *text = arena_get(arena, n, 1);
	struct facts f = { 0 };

	for (size_t i = 0; i < n; i++)
		text[i] = pattern[i % unit];
	parse(parser, lang_detect(name, text, n), text, n, 600000, arena, &f);
	return f;
}

/* What takes more work than code does is text, here as on any other machine; what is only large is not. */
static void test_effort_is_counted(void **state)
{
	static const struct { const char *name, *pattern; size_t n; } dear[] = {
		{ "a.js", "\"", 16 << 10 }, { "a.ts", "'", 16 << 10 }, { "a.go", "`", 16 << 10 }, { "a.java", "a<", 16 << 10 },
	}, cheap[] = {
		{ "a.js", "x=1;", 400 << 10 }, { "a.c", "int a[]={0,0,0,0};", 400 << 10 },	/* 32 MB are for any file */
		{ "a.java", "class A { int f() { return g(1); } }\n", 100 << 10 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof dear / sizeof *dear; i++) {
		struct facts f = facts_of_many(dear[i].name, dear[i].pattern, dear[i].n);
		if (!f.limit || strcmp(f.limit, "parse effort"))
			fail_msg("%s %s: %s", dear[i].name, dear[i].pattern, f.limit ? f.limit : "no limit");
		assert_int_equal(f.definitions.n, 0);
		assert_true(f.documents.n > 0);
	}
	for (size_t i = 0; i < sizeof cheap / sizeof *cheap; i++) {
		struct facts f = facts_of_many(cheap[i].name, cheap[i].pattern, cheap[i].n);
		if (f.limit)
			fail_msg("%s %s: %s", cheap[i].name, cheap[i].pattern, f.limit);
	}
}

static void test_deep_trees_have_no_contracts(void **state)
{
	enum { DEEP = 5000 };
	char text[2 * DEEP + 2];
	struct facts f = { 0 };

	(void)state;
	memset(text, '[', DEEP);
	memset(text + DEEP, ']', DEEP);
	memcpy(text + 2 * DEEP, "\n", 2);
	parse(parser, lang_detect("a.py", text, sizeof text - 1), text, sizeof text - 1, 600000, arena, &f);
	assert_non_null(f.limit);
	assert_string_equal(f.limit, "nesting");
	assert_true(f.documents.n > 0);
}

static void test_generated(void **state)
{
	static const struct { const char *text; bool generated; } table[] = {
		{ "// Code generated by protoc-gen-go. DO NOT EDIT.\npackage a\n", true },
		{ "# @generated by a tool\n", true }, { "// GENERATED CODE -- DO NOT EDIT!\n", true }, { "// automatically generated\n", true },
		{ "// AUTO-GENERATED by a tool\n", true }, { "# autogenerated by a tool\n", true }, { "# auto-generated by a tool\n", true },
		{ "# Generated by the gRPC compiler\n", true }, { "# generated by a tool\n", false }, { "# DO NOT EDIT\n", false }, { "# automatically generated from the async version\n", false },
	 { "/**\n * @generated\n */\n", true },
		{ "# Generated by the protocol buffer compiler.  DO NOT EDIT!\n", true },
		{ "x := \"Code generated by hand. DO NOT EDIT.\"\n", false }, { "package a\n", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		assert_int_equal(facts_of("a.go", table[i].text, strlen(table[i].text)).generated, table[i].generated);
	char late[4096];
	int n = snprintf(late, sizeof late, "// %2100s\n// @generated\npackage a\n", "x");	/* 2 KB count */
	assert_false(facts_of("a.go", late, (size_t)n).generated);
}

static void test_empty(void **state)
{
	struct facts f = facts_of("a.py", "", 0);

	(void)state;
	assert_int_equal(f.documents.n + f.definitions.n + f.lines, 0);
	f = facts_of("a.md", " \n\n ", 4);
	assert_int_equal(f.documents.n, 0);
	assert_int_equal(f.lines, 3);
}

/* A class's document is what its methods' documents do not hold. */
static void test_settings_are_no_text(void **state)
{
	static const char text[] = "API=http://users\nPASSWORD=hunter2\n";
	struct facts f = facts_of("web/.env", text, sizeof text - 1);

	(void)state;
	assert_int_equal(f.documents.n, 0);
	f = facts_of("web/a.ini", text, sizeof text - 1);
	assert_int_equal(f.documents.n, 1);
}

static void test_documents_of_a_class(void **state)
{
	static const char text[] = "import os\n\n# About A.\nclass A:\n    x = 1\n\n    def f(self):\n        return 2\n\n"
				   "    def g(self):\n        return 3\n\nprint(A())\n";
	struct facts f = facts_of("a.py", text, sizeof text - 1);

	(void)state;
	assert_int_equal(f.documents.n, 5);
	assert_int_equal(f.documents.v[0].definition, -1);
	assert_string_equal(f.definitions.v[f.documents.v[1].definition].qualified, "A");
	assert_int_equal(f.documents.v[1].start_line, 3);
	assert_int_equal(f.documents.v[1].end_line, 11);
	assert_memory_equal(f.documents.v[1].body, "# About A.\nclass A:\n    x = 1", f.documents.v[1].nbody);
	assert_string_equal(f.definitions.v[f.documents.v[2].definition].qualified, "A.f");
	assert_memory_equal(f.documents.v[2].body, "def f(self):\n        return 2", f.documents.v[2].nbody);
	assert_string_equal(f.definitions.v[f.documents.v[3].definition].qualified, "A.g");
	assert_int_equal(f.documents.v[4].definition, -1);
	assert_int_equal(f.documents.v[4].start_line, 13);
}

static void test_windows_of_text(void **state)
{
	char text[4000] = "";
	struct facts f;

	(void)state;
	for (int i = 0; i < 150; i++)
		snprintf(text + strlen(text), 20, i % 50 == 0 ? "# Part %d\n" : "line %d\n", i);
	f = facts_of("a.md", text, strlen(text));
	assert_int_equal(f.documents.n, 3);
	assert_int_equal(f.documents.v[1].start_line, 51);
	assert_int_equal(f.documents.v[1].end_line, 100);
	f = facts_of("a.sql", text, strlen(text));
	assert_true(f.documents.n >= 3);
	for (size_t i = 0; i < f.documents.n; i++)
		assert_true(f.documents.v[i].end_line - f.documents.v[i].start_line < 70);
}

/* Compiling what a file is the first to need takes tens of megabytes: that is no cost of the file. */
static void test_queries_are_not_the_first_files_cost(void **state)
{
	static const char text[] = "import express from 'express';\nimport axios from 'axios';\n"
		"const app = express();\napp.get('/a', (req, res) => res.end());\n"
		"axios.get('/b');\nfetch('/c');\n$.get('/d');\n";
	struct parser *p = parser_new(NULL);

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct facts f = { 0 };
		parse(p, lang_detect("a.ts", text, sizeof text - 1), text, sizeof text - 1, 60000, arena, &f);
		assert_null(f.limit);
		assert_int_equal(f.contracts.n, 4);
	}
	parser_free(p);
}

/* Of a long file of routes each pattern looks at each line: what none of them means is no reason to stop. */
static void test_long_files_of_routes(void **state)
{
	enum { ROUTES = 900 };
	struct buf b = { 0 };

	(void)state;
	buf_str(&b, "Rails.application.routes.draw do\n");
	for (int i = 0; i < ROUTES; i++)
		buf_printf(&b, "  get \"/page%d\", to: \"pages#p%d\"\n", i, i);
	buf_str(&b, "end\n");
	struct facts f = facts_of("config/routes.rb", b.p, b.n);
	assert_int_equal(f.contracts.n, ROUTES);
	buf_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_data_files),
		cmocka_unit_test(test_languages),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_generated),
		cmocka_unit_test(test_settings_are_no_text),
		cmocka_unit_test(test_documents_of_a_class),
		cmocka_unit_test(test_windows_of_text),
		cmocka_unit_test(test_timeout_still_gives_documents),
		cmocka_unit_test(test_effort_is_counted),
		cmocka_unit_test(test_queries_are_not_the_first_files_cost),
		cmocka_unit_test(test_long_files_of_routes),
		cmocka_unit_test(test_deep_trees_have_no_contracts),
		cmocka_unit_test(test_every_byte_in_one_document),
		cmocka_unit_test(test_hostile_input),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
