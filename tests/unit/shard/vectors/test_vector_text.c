/* The texts that vectors are made of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdbool.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/vectors/vector_text.h"

static char *text_of(const char *path, bool prose, const char *source, struct vector_doc *v, size_t n, size_t which, struct arena *a)
{
	for (size_t i = 0; i < n; i++)
		v[i].wanted = i == which, v[i].n = 0;
	vector_texts(path, prose, source, strlen(source), v, n, a);
	for (size_t i = 0; i < n; i++)
		assert_true((v[i].n > 0) <= (i == which));
	return arena_strn(a, v[which].p ? v[which].p : "", v[which].n);
}

static void test_texts_of_definitions(void **state)
{
	static const char source[] = "class Users:\n    limit = 3\n\n    def load(self):\n        return 1\n\n    x = 2\n";
	struct vector_doc v[] = {
		{ .qualified = "Users", .doc = "Keeps people.", .start_line = 1, .end_line = 7 },
		{ .qualified = "Users.load", .doc = "Copyright 2020 by nobody.", .start_line = 4, .end_line = 5 },
	};
	struct arena *a = arena_new();

	(void)state;
	assert_string_equal(text_of("src/users.py", false, source, v, 2, 0, a),
	    "Keeps people.\nUsers\nusers\nclass Users:\n    limit = 3\n\n\n    x = 2\n\nsrc/users.py");
	assert_string_equal(text_of("src/users.py", false, source, v, 2, 1, a),
	    "Users.load\nusers\n    def load(self):\n        return 1\n\nsrc/users.py");
	arena_free(a);
}

static void test_long_bodies_end(void **state)
{
	struct buf b = { 0 };
	struct vector_doc v[] = { { .qualified = "f", .start_line = 1, .end_line = 9999 } };
	struct arena *a = arena_new();

	(void)state;
	for (int i = 0; i < 5000; i++)
		buf_printf(&b, "line %d\n", i);
	char *text = text_of("a.c", false, b.p, v, 1, 0, a);
	assert_true(strlen(text) < 2100);
	assert_string_equal(text + strlen(text) - 4, "\na.c");
	buf_free(&b);
	arena_free(a);
}

static void test_texts_outside_of_definitions(void **state)
{
	static const struct {
		const char *source, *want;
		bool prose;
	} cases[] = {
		{ "/*\n * Copyright (c) 2020\n */\n#include <stdio.h>\n#include \"a.h\"\n\nint limit = 3;\n", "int limit = 3;\n", false },
		{ "// Copyright 2019 The Authors.\n// Licensed under the Apache License\n\n// Package users keeps people.\npackage users\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nvar limit = 3\n",
		  "// Package users keeps people.\nvar limit = 3\n", false },
		{ "#!/usr/bin/env python\n# SPDX-License-Identifier: MIT\nfrom a import (\n    b,\n    c,\n)\nimport os\n\nLIMIT = 3\n", "LIMIT = 3\n", false },
		{ "'use strict';\nconst fs = require('fs');\nimport {\n  a,\n} from 'b';\nexport const limit = 3;\n",
		  "export const limit = 3;\n", false },
		{ "# Copyright 2020\nimport os\n", "", false },
		{ "import the data first\n\nfrom there it goes on\n", "import the data first\n\nfrom there it goes on\n", true },
	};
	struct arena *a = arena_new();

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++) {
		struct vector_doc v[] = { { .gap = true, .start_line = 1, .end_line = 99 } };
		const char *want = *cases[i].want ? arena_printf(a, "f\n%s\nf.x", cases[i].want) : "";
		assert_string_equal(text_of("f.x", cases[i].prose, cases[i].source, v, 1, 0, a), want);
	}
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_texts_of_definitions),
		cmocka_unit_test(test_long_bodies_end),
		cmocka_unit_test(test_texts_outside_of_definitions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
