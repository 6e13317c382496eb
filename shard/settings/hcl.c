#include "shard/settings/hcl.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/settings/settings.h"

enum { MAX_HCL_DEPTH = 8, MAX_HCL_SETTINGS = 20000 };

struct hcl_reader {
	const char *s, *stop;
	uint32_t line;
	struct arena *a;
	struct setting *v;
	size_t n, cap;
	const char *way[MAX_HCL_DEPTH];		/* of each open block: its words with dots between */
	size_t depth;
};

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-';
}

/* Blanks and comments; `lines`: also ends of lines. */
static void skip(struct hcl_reader *h, bool lines)
{
	for (; h->s < h->stop; h->s++) {
		if (*h->s == '#' || (h->stop - h->s > 1 && h->s[0] == '/' && h->s[1] == '/')) {
			const char *end = memchr(h->s, '\n', (size_t)(h->stop - h->s));
			h->s = end ? end - 1 : h->stop - 1;
		} else if (h->stop - h->s > 1 && h->s[0] == '/' && h->s[1] == '*') {
			const char *end = memmem(h->s + 2, (size_t)(h->stop - h->s - 2), "*/", 2);
			for (const char *at = h->s; end && at < end; at++)
				h->line += *at == '\n';
			h->s = end ? end + 1 : h->stop - 1;
		} else if (*h->s == '\n' && lines) {
			h->line++;
		} else if (*h->s == '\n' || !isspace((unsigned char)*h->s)) {
			return;
		}
	}
}

/* The text of a string, with what stands in ${ } as it is; NULL: it has no end. */
static const char *string_read(struct hcl_reader *h)
{
	const char *from = ++h->s;
	int braces = 0;

	for (; h->s < h->stop && *h->s != '\n'; h->s++) {
		braces += *h->s == '{' ? 1 : *h->s == '}' ? -1 : 0;
		if (*h->s == '\\')
			h->s++;
		else if (*h->s == '"' && braces <= 0)
			return arena_strn(h->a, from, (size_t)(h->s++ - from));
	}
	return NULL;
}

/*
 * To the end of a line on which no bracket is open; whether anything of it was a list, a map or a
 * text of several lines.
 */
static bool value_skip(struct hcl_reader *h)
{
	int depth = 0;
	bool more = false;

	while (h->s < h->stop && (depth > 0 || *h->s != '\n')) {
		if (*h->s == '"' && !string_read(h))
			return true;
		skip(h, depth > 0);
		if (h->s >= h->stop || (*h->s == '\n' && depth <= 0))
			break;
		if (h->stop - h->s > 1 && h->s[0] == '<' && h->s[1] == '<') {
			const char *word = h->s + 2 + (h->s + 2 < h->stop && h->s[2] == '-'), *end = word;
			while (end < h->stop && is_word(*end))
				end++;
			const char *mark = arena_printf(h->a, "\n%.*s", (int)(end - word), word), *at = end;
			size_t len = strlen(mark) - 1;
			for (more = true; len && (at = memchr(at, '\n', (size_t)(h->stop - at))); ) {
				h->line++;
				for (at++; at < h->stop && (*at == ' ' || *at == '\t');)
					at++;
				if ((size_t)(h->stop - at) >= len && !memcmp(at, mark + 1, len))
					break;
			}
			if (len && at)
				h->s = at + len;
			else
				h->s = h->stop;
			continue;
		}
		more |= strchr("[{", *h->s) != NULL;
		depth += strchr("[{(", *h->s) ? 1 : strchr("]})", *h->s) ? -1 : 0;
		h->s += *h->s != '"';
	}
	return more;
}

static void put(struct hcl_reader *h, const char *name, const char *value, uint32_t line)
{
	if (h->n == MAX_HCL_SETTINGS)
		return;
	h->v = grow(h->v, &h->cap, h->n + 1, sizeof *h->v);
	h->v[h->n++] = (struct setting){
		.key = h->depth ? arena_printf(h->a, "%s.%s", h->way[h->depth - 1], name) : name,
		.value = value,
		.line = line
	};
}

static bool value_read(struct hcl_reader *h, const char *name)
{
	uint32_t line = h->line;

	skip(h, false);
	const char *from = h->s, *text = h->s < h->stop && *h->s == '"' ? string_read(h) : NULL;
	if (h->s < h->stop && *from == '"' && !text)
		return false;
	skip(h, false);
	bool whole = text && (h->s == h->stop || strchr("\n}", *h->s)), more = !whole && value_skip(h);
	if (!whole) {
		size_t n = (size_t)(h->s - from);
		while (n && isspace((unsigned char)from[n - 1]))
			n--;
		text = arena_strn(h->a, from, n);
	}
	if (!more && *text)
		put(h, name, text, line);
	return true;
}

/* A block, up to its brace: `resource "aws_sns_topic" "orders" {`; false: it is none. */
static bool block_open(struct hcl_reader *h, const char *name)
{
	while (h->s < h->stop && *h->s == '"') {
		const char *label = string_read(h);
		if (!label)
			return false;
		name = arena_printf(h->a, "%s.%s", name, label);
		skip(h, false);
	}
	if (h->s >= h->stop || *h->s != '{' || h->depth == MAX_HCL_DEPTH)
		return false;
	h->s++;
	if (h->depth)
		h->way[h->depth] = arena_printf(h->a, "%s.%s", h->way[h->depth - 1], name);
	else
		h->way[h->depth] = name;
	h->depth++;
	return true;
}

size_t hcl_read(const char *text, size_t n, struct arena *a, struct setting **out)
{
	struct hcl_reader h = { .s = text, .stop = text + n, .line = 1, .a = a };

	for (skip(&h, true); h.s < h.stop; skip(&h, true)) {
		const char *from = h.s;
		if (*h.s == '}' && h.depth) {
			h.depth--;
			h.s++;
			continue;
		}
		while (h.s < h.stop && is_word(*h.s))
			h.s++;
		const char *name = arena_strn(a, from, (size_t)(h.s - from));
		skip(&h, false);
		bool given = h.s < h.stop && *h.s == '=' && *name;
		h.s += given;
		if (!*name || !(given ? value_read(&h, name) : block_open(&h, name)))
			break;
	}
	*out = arena_many(a, h.n, struct setting);
	if (h.n)
		memcpy(*out, h.v, h.n * sizeof *h.v);
	free(h.v);
	return h.n;
}
