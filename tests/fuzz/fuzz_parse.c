/* Any bytes as a source file: the first picks the language.  No crash, and every byte that is not blank in one document. */
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "shard/facts/facts.h"
#include "shard/parse/parser.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static void check(const char *text, size_t n, const struct facts *f)
{
	long seen[256] = { 0 };

	for (size_t i = 0; i < n; i++)
		seen[(uint8_t)text[i]]++;
	for (size_t i = 0; i < f->documents.n; i++)
		for (size_t k = 0; k < f->documents.v[i].nbody; k++)
			seen[(uint8_t)f->documents.v[i].body[k]]--;
	for (int c = 0; c < 256; c++)
		if (!isspace(c) && seen[c])
			abort();
	for (size_t i = 0; i < f->definitions.n; i++) {
		const struct definition *d = &f->definitions.v[i];
		if (!d->name || !d->qualified || !d->kind || d->parent >= (int)i || d->end_byte > n || d->end_line < d->start_line)
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const char *const names[] = { "a.py", "a.js", "a.ts", "a.tsx", "a.go", "a.java", "a.c", "a.md", "a.cc", "a.rs", "a.rb",
		"a.cs", "a.php", "a.kt", "a.swift", "a.scala", "a.sh", "a.vue", "a.astro", "a.html", "a.yaml", "a.lua",
		"a.proto", "a.graphql", "a.sql", "a.clj", "a.f90" };
	static struct parser *p;
	struct arena *a = arena_new();
	struct facts f = { 0 };
	struct err e = { 0 };

	if (!p && !(p = parser_new(&e)))
		abort();
	if (n) {
		const char *text = (const char *)data + 1;
		parse(p, lang_detect(names[*data % (sizeof names / sizeof *names)], text, n - 1), text, n - 1, 1000, a, &f);
		check(text, n - 1, &f);
	}
	arena_free(a);
	return 0;
}
