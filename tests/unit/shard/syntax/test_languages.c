/* The language of a file, by its name and its text; and the scripts of pages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/syntax/script_blocks.h"
#include "tests/language_rules.h"

static struct arena *a;

/* clang-format off */
static const struct { const char *path, *text, *lang; } files[] = {
	{ "a.py", "", "python" }, { "x/y.z/A.PY", "", "python" }, { "a.rs", "", "rust" }, { "a.nothing", "", NULL }, { "Makefile", "", "makefile" }, { "x/Makefile", "", "makefile" }, { "makefile.py", "", "python" },
	{ "Dockerfile", "", "dockerfile" }, { "package-lock.json", "", NULL }, { "x/poetry.lock", "", NULL }, { "a.ts", "", "typescript" }, { "a.tsx", "", "tsx" }, { "a.d.ts", "", "typescript" }, { ".py", "", NULL }, { "py", "", NULL },
	{ "", "", NULL }, { "a.", "", NULL }, { "Gemfile", "", "ruby" }, { "a.kt", "", "kotlin" },
	/* interpreters */
	{ "run", "#!/bin/sh\n", "bash" }, { "run", "#!/usr/bin/env python3\n", "python" }, { "run", "#!/usr/bin/env -S python3.11 -u\n", "python" }, { "run", "#! /usr/bin/python2.7", "python" }, { "run", "#!/usr/bin/env node\r\n", "javascript" },
	{ "run", "#!/usr/bin/perl -w\n", "perl" }, { "run", "#!/usr/bin/env\truby\n", "ruby" }, { "run", "#!/usr/bin/unheard\n", NULL }, { "run", "#!", NULL }, { "run", "#!\n/bin/sh", NULL }, { "run", "# !/bin/sh", NULL }, { "run", "", NULL },
	{ "run", "#!/usr/bin/env unheard python\n", NULL }, { "a.py", "#!/bin/sh\n", "python" }, { "run", "#!/bin/pythonx\n", NULL }, { "run", "#!/bin/bash3.2\n", "bash" }, { "run", "#!sh", "bash" },
	/* headers of C, C++ or Objective-C, files of MATLAB */
	{ "a.h", "int f(void);", "c" }, { "a.h", "class A {};", "cpp" }, { "a.h", "int x;\n  namespace a {", "cpp" }, { "a.h", "template<class T>", "cpp" }, { "a.h", "public:", "cpp" }, { "a.h", "classes x;", "c" }, { "a.h", "class", "c" },
	{ "a.h", "/* a\nclass A {}\n*/ int x;", "c" }, { "a.h", "/* a */ int x;\nclass A {", "cpp" }, { "a.h", "// class A {", "c" }, { "a.h", "int class A;", "c" }, { "a.h", "@interface A", "objectivec" }, { "a.h", "using x", "cpp" }, { "a.h", "class 1", "c" },
	{ "a.h", "class _A", "cpp" }, { "a.h", "class {", "cpp" }, { "a.h", "class  A", "cpp" }, { "a.h", "/* a */ /* b\nclass A\n*/", "c" }, { "a.h", "", "c" }, { "a.H", "class A", "cpp" },
};
/* clang-format on */

static void files_have_languages(void **state)
{
	(void)state;
	for (size_t i = 0; i < LEN(files); i++) {
		char *text = exact_copy(files[i].text);
		const struct lang *l = lang_detect(files[i].path, text, strlen(files[i].text));
		const char *name = l ? lang_name(l) : NULL;
		if (!name != !files[i].lang || (name && strcmp(name, files[i].lang) != 0))
			fail_msg("%s %s: %s, not %s", files[i].path, files[i].text, name ? name : "none",
			    files[i].lang ? files[i].lang : "none");
		free(text);
	}
}

/* Each block as FROM-TO:LANGUAGE. */
static const char *blocks(const char *lang, const char *text)
{
	struct err e = { 0 };
	struct script_blocks *b = script_blocks_new(&e);
	struct script_block *v;
	struct buf out = { 0 };
	char *exact = exact_copy(text);
	size_t i = 0;

	assert_non_null(b);
	while (strcmp(langs[i].name, lang))
		i++;
	size_t n = script_blocks_find(b, i, exact, strlen(text), a, &v);
	for (size_t k = 0; k < n; k++)
		buf_printf(&out, "%s%.*s:%s", k ? " | " : "", (int)(v[k].to - v[k].from), text + v[k].from,
		    langs[v[k].lang].name);
	const char *all = arena_strn(a, out.p ? out.p : "", out.n);
	buf_free(&out);
	free(exact);
	script_blocks_free(b);
	return all;
}

/* clang-format off */
static const struct { const char *lang, *text, *blocks; } pages[] = {
	{ "vue", "<script>a</script>", "a:vue" }, { "vue", "<SCRIPT>a</SCRIPT>b", "a:vue" }, { "vue", "<script lang=\"ts\">a</script>", "a:vue" }, { "vue", "<script lang='tsx'>a</script>", "a:tsx" }, { "vue", "<script lang = jsx >a</script>", "a:tsx" },
	{ "vue", "<script>a</script> x <script setup>b</script>", "a:vue | b:vue" }, { "vue", "<script src=\"x\"/>a<script>b</script>", "b:vue" }, { "vue", "<script></script>", "" }, { "vue", "<script>a", "a:vue" }, { "vue", "<scripts>a</scripts>", "" },
	{ "vue", "<!-- <script>a</script> --><script>b</script>", "b:vue" }, { "vue", "<!-- <script>a</script>", "" }, { "vue", "<script", "" }, { "vue", "<script>", "" }, { "vue", "<script x=\">\">a</script>", "a:vue" }, { "vue", "<script x='>' y=\"'\">a</script>", "a:vue" },
	{ "html", "<script type=\"module\">a</script>", "a:html" }, { "html", "<script type=\"text/template\">a</script><script>b</script>", "b:html" }, { "html", "<script type=text/babel>a</script>", "a:tsx" }, { "html", "<script type=\"\">a</script>", "a:html" },
	{ "html", "<script data-type=\"x\">a</script>", "a:html" }, { "html", "<script type>a</script>", "a:html" }, { "html", "<script\ntype=\"text/x\"\n>a</script>", "" }, { "html", "<p>a</p>", "" },
	{ "astro", "---\na\n---\n<p/><script>b</script>", "\na\n:astro | b:astro" }, { "astro", "x\n---\na\n---\n", "" }, { "astro", "---", "" }, { "svelte", "<script context=\"module\">a</script>", "a:svelte" }, { "python", "<script>a</script>", "" },
};
/* clang-format on */

static void pages_have_scripts(void **state)
{
	struct buf b = { 0 };

	(void)state;
	for (size_t i = 0; i < LEN(pages); i++) {
		const char *got = blocks(pages[i].lang, pages[i].text);
		if (strcmp(got, pages[i].blocks) != 0)
			fail_msg("%s %s: %s", pages[i].lang, pages[i].text, got);
	}
	for (int n = 1998; n <= 2000; n++) { /* a tag ends before 2,000 bytes after its name */
		const char *tag = arena_printf(a, "<script x=\"%0*d\">a</script>", n - 5, 0);
		assert_string_equal(blocks("vue", tag), n < 2000 ? "a:vue" : "");
	}
	for (int i = 0; i < 201; i++)
		buf_printf(&b, "<script>%d</script>", i);
	assert_non_null(strstr(blocks("vue", b.p), "199:vue"));
	assert_null(strstr(blocks("vue", b.p), "200:vue"));
	buf_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_have_languages),
		cmocka_unit_test(pages_have_scripts),
	};

	a = arena_new();
	int rc = cmocka_run_group_tests(tests, NULL, NULL);
	arena_free(a);
	return rc;
}
