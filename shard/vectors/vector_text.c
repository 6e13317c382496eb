#include "shard/vectors/vector_text.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "shard/base/text_lines.h"

/* maximum bytes of a body (more do not improve the vector); of a doc comment or name */
enum { BODY_MAX = 2000, HEAD_MAX = 4 << 10 };

struct slice {
	const char *p;
	size_t n;
};

/* ---- what precedes code and tells nothing about it ---- */

static bool has(struct slice s, const char *word)
{
	size_t m = strlen(word);

	for (size_t i = 0; i + m <= s.n; i++)
		if (!strncasecmp(s.p + i, word, m))
			return true;
	return false;
}

static bool licence(struct slice s)
{
	static const char *const words[] = { "copyright", "spdx-license", "licensed under",
		"permission is hereby", "all rights reserved", "redistribution and use",
		"general public license", "warranties or conditions" };

	for (size_t i = 0; i < LEN(words); i++)
		if (has(s, words[i]))
			return true;
	return false;
}

static bool starts(struct slice s, const char *word)
{
	size_t m = strlen(word);

	return s.n >= m && !memcmp(s.p, word, m);
}

static bool starts_any(struct slice s, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (starts(s, words[i]))
			return true;
	return false;
}

/* The line at `at` with its newline. */
static struct slice line_at(struct slice s, size_t at)
{
	const char *end = memchr(s.p + at, '\n', s.n - at);

	if (end)
		return (struct slice){ s.p + at, (size_t)(end + 1 - s.p) - at };
	return (struct slice){ s.p + at, s.n - at };
}

static struct slice skip_blanks(struct slice l)
{
	while (l.n && isspace((unsigned char)*l.p)) {
		l.p++;
		l.n--;
	}
	return l;
}

static bool import_line(struct slice l)
{
	static const char *const words[] = { "import ", "import(", "import\"", "import{", "from ",
		"#include", "# include", "#import", "use ", "using ", "require", "package ",
		"extern crate ", "#pragma once", "'use strict'", "\"use strict\"", "<?php", "#!", "# -*-",
		"namespace " };

	if (starts_any(l, words, LEN(words)))
		return true;
	bool declares = starts(l, "const ") || starts(l, "var ");
	return declares && has(l, "require(");
}

/* The number of brackets that a line leaves open; negative if it closes more. */
static int brackets(struct slice l)
{
	int n = 0;

	for (size_t i = 0; i < l.n; i++) {
		char c = l.p[i];
		if (c == '(' || c == '{')
			n++;
		else if (c == ')' || c == '}')
			n--;
	}
	return n;
}

/* The end of the import that begins at `at`: after the line that closes its brackets. */
static size_t import_end(struct slice s, size_t at)
{
	bool block = !starts(skip_blanks(line_at(s, at)), "namespace ");
	int open = 0;

	do {
		struct slice l = line_at(s, at);
		if (block)
			open += brackets(l);
		at += l.n;
	} while (open > 0 && at < s.n);
	return at;
}

/* The end of the comment that begins at `at`; `at` if there is none. */
static size_t comment_end(struct slice s, size_t at)
{
	static const char *const marks[] = { "//", "#", "--", ";", "%" };
	struct slice l = skip_blanks(line_at(s, at));

	if (starts(l, "/*")) {
		for (size_t i = (size_t)(l.p - s.p) + 2; i + 1 < s.n; i++)
			if (s.p[i] == '*' && s.p[i + 1] == '/')
				return i + line_at(s, i).n;
		return s.n;
	}
	while (at < s.n) {
		struct slice line = line_at(s, at);
		l = skip_blanks(line);
		if (!starts_any(l, marks, LEN(marks)) || import_line(l))
			break;
		at += line.n;
	}
	return at;
}

/* Code without the licence and the imports in front; comments that say something stay. */
/* Appends code without the licence and the imports in front; other comments stay. */
static void put_code(struct buf *out, struct slice s)
{
	size_t at = 0;

	while (at < s.n) {
		struct slice line = line_at(s, at), l = skip_blanks(line);
		if (!l.n) {
			at += line.n;
			continue;
		}
		if (import_line(l)) {
			at = import_end(s, at);
			continue;
		}
		size_t end = comment_end(s, at);
		if (end == at) {
			buf_put(out, s.p + at, s.n - at);
			return;
		}
		struct slice comment = { s.p + at, end - at };
		if (!licence(comment))
			buf_put(out, comment.p, comment.n);
		at = end;
	}
}

/* ---- the texts ---- */

/* Gives each line to the innermost document that contains it. */
static struct buf *bodies(
    const char *text, size_t n, const struct vector_doc *v, size_t nv, struct arena *a)
{
	struct line_offsets l = text_lines(text, n, n, a);
	struct buf *out = arena_many(a, nv + 1, struct buf);
	size_t *open = arena_many(a, nv + 1, size_t), nopen = 0, next = 0;

	for (size_t line = 1; line <= l.n; line++) {
		while (next < nv && v[next].start_line <= line)
			open[nopen++] = next++;
		while (nopen && v[open[nopen - 1]].end_line < line)
			nopen--;
		struct buf *b = NULL;
		if (nopen && v[open[nopen - 1]].wanted)
			b = &out[open[nopen - 1]];
		if (b && b->n < BODY_MAX)
			buf_put(b, text + l.v[line - 1], l.v[line] - l.v[line - 1]);
	}
	return out;
}

static void put_head(struct buf *out, const char *s)
{
	if (!s || !*s)
		return;
	buf_put(out, s, strnlen(s, HEAD_MAX));
	buf_byte(out, '\n');
}

/* The name of the file without its extension, often the only word for the subject of all of it. */
static void put_file_name(struct buf *out, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = path;

	if (slash)
		name = slash + 1;
	const char *dot = strrchr(name, '.');
	buf_put(out, name, dot ? (size_t)(dot - name) : strlen(name));
	buf_byte(out, '\n');
}

static void make(
    const char *path, bool prose, struct buf *body, struct vector_doc *d, struct arena *a)
{
	struct buf out = { 0 };
	size_t n = MIN(body->n, BODY_MAX);

	buf_str(body, "");	/* never NULL */
	if (d->doc && !licence((struct slice){ d->doc, strlen(d->doc) }))
		put_head(&out, d->doc);
	put_head(&out, d->qualified);	/* the signature is in the body */
	size_t named = out.n;
	put_file_name(&out, path);
	size_t head = out.n;
	if (d->gap && !prose)
		put_code(&out, (struct slice){ body->p, n });
	else
		buf_put(&out, body->p, n);
	if (!named && out.n == head)
		out.n = 0;
	else
		buf_printf(&out, "\n%s", path);
	d->p = arena_strn(a, out.p, out.n);
	d->n = out.n;
	buf_free(&out);
}

void vector_texts(const char *path, bool prose, const char *text, size_t n, struct vector_doc *v,
    size_t nv, struct arena *a)
{
	struct buf *b = bodies(text, n, v, nv, a);

	for (size_t i = 0; i < nv; i++) {
		if (v[i].wanted)
			make(path, prose, &b[i], &v[i], a);
		buf_free(&b[i]);
	}
}
