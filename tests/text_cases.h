/*
 * Cases in a file: `== HEADER`, a text, `--`, and what a function of the test says of it.  ACCEPT=1 rewrites what is said; the diff is
 * the review.  In texts, \t, \r, \0 and \n stand for these characters, and \ at the end of the text for no newline there.
 */
#ifndef TESTS_TEXT_CASES_H
#define TESTS_TEXT_CASES_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"

/* What is said of a text, which ends where its memory ends; lines, the last one with a newline. */
typedef void text_case(
    const char *header, const char *text, size_t n, struct buf *said, struct arena *a);

static inline char *text_cases_read(const char *path, struct arena *a)
{
	struct buf b = { 0 };
	FILE *f = fopen(path, "rb");
	char bytes[65536];

	if (!f)
		fail_msg("%s", path);
	for (size_t n; (n = fread(bytes, 1, sizeof bytes, f));)
		buf_put(&b, bytes, n);
	fclose(f);
	buf_byte(&b, 0);
	char *text = arena_str(a, b.p);
	buf_free(&b);
	return text;
}

/* The text without its escapes, in memory of its own size. */
static inline char *text_cases_unescaped(const char *from, size_t n, size_t *length)
{
	static const char letters[] = "tr0n", bytes[] = "\t\r\0\n";
	char *text = malloc(n + 1);
	size_t k = 0;

	assert_non_null(text);
	for (size_t i = 0; i < n; i++) {
		const char *letter = from[i] == '\\' && i + 1 < n ? strchr(letters, from[i + 1]) : NULL;
		if (from[i] == '\\' && i + 2 == n && from[i + 1] == '\n')
			break;
		if (letter && *letter) {
			text[k++] = bytes[letter - letters];
			i++;
		} else {
			text[k++] = from[i];
		}
	}
	*length = k;
	char *exact = realloc(text, k ? k : 1);
	return exact ? exact : text;
}

static inline const char *text_cases_line(const char *at, const char *line)
{
	size_t n = strlen(line);

	for (; at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL)
		if (!strncmp(at, line, n))
			return at;
	return NULL;
}

/* One case at `at`; its end. */
static inline const char *text_cases_one(
    const char *at, text_case *answer, const char *path, struct buf *all, struct arena *a)
{
	const char *text = strchr(at, '\n') + 1, *says = text_cases_line(text, "--\n"),
	           *end = text_cases_line(text, "== ");
	struct buf said = { 0 };
	size_t n;

	if (!says || (end && end < says))
		fail_msg("%s: no -- in %.80s", path, at);
	if (!end)
		end = text + strlen(text);
	char *exact = text_cases_unescaped(text, (size_t)(says - text), &n);
	answer(arena_strn(a, at + 3, (size_t)(text - 1 - at - 3)), exact, n, &said, a);
	free(exact);
	buf_put(all, at, (size_t)(says + 3 - at));
	buf_put(all, said.p, said.n);
	if (said.n != (size_t)(end - says - 3) || (said.n && memcmp(said.p, says + 3, said.n) != 0))
		print_error("%s: %.*s\n- %.*s\n+ %.*s\n", path, (int)(says - at), at, (int)(end - says - 3),
		    says + 3, (int)said.n, said.p ? said.p : "");
	buf_free(&said);
	return end;
}

static inline void text_cases_check(const char *path, text_case *answer)
{
	struct arena *a = arena_new();
	const char *text = text_cases_read(path, a);
	struct buf all = { 0 };

	for (const char *at = text; *at;)
		at = text_cases_one(at, answer, path, &all, a);
	bool same = all.n == strlen(text) && !memcmp(all.p, text, all.n);
	if (getenv("ACCEPT")) {
		FILE *f = fopen(path, "wb");
		assert_non_null(f);
		fwrite(all.p, 1, all.n, f);
		fclose(f);
	}
	buf_free(&all);
	arena_free(a);
	assert_true(same || getenv("ACCEPT"));
}
#endif
