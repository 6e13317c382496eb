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
	const char *block[MAX_HCL_DEPTH];	/* the dotted name of each open block */
	size_t depth;
};

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-';
}

static bool begins(const struct hcl_reader *h, const char *with)
{
	return h->stop - h->s > 1 && h->s[0] == with[0] && h->s[1] == with[1];
}

/* Move to the last byte of a line comment; its newline stays. */
static void line_comment_skip(struct hcl_reader *h)
{
	const char *end = memchr(h->s, '\n', (size_t)(h->stop - h->s));

	if (!end)
		end = h->stop;
	h->s = end - 1;
}

/* Move to the last byte of a block comment. */
static void block_comment_skip(struct hcl_reader *h)
{
	const char *end = memmem(h->s + 2, (size_t)(h->stop - h->s - 2), "*/", 2);

	if (!end) {
		h->s = h->stop - 1;
		return;
	}
	for (; h->s < end; h->s++)
		h->line += *h->s == '\n';
	h->s++;
}

/* Skip blanks and comments, and with `lines` also newlines. */
static void skip(struct hcl_reader *h, bool lines)
{
	for (; h->s < h->stop; h->s++) {
		if (*h->s == '#' || begins(h, "//"))
			line_comment_skip(h);
		else if (begins(h, "/*"))
			block_comment_skip(h);
		else if (*h->s == '\n' && lines)
			h->line++;
		else if (*h->s == '\n' || !isspace((unsigned char)*h->s))
			return;
	}
}

/* The text of a string, with ${ } as written; NULL if it is not closed on its line. */
static const char *string_read(struct hcl_reader *h)
{
	const char *from = ++h->s;
	int braces = 0;

	for (; h->s < h->stop && *h->s != '\n'; h->s++) {
		if (*h->s == '{')
			braces++;
		else if (*h->s == '}')
			braces--;
		if (*h->s == '\\' && h->s + 1 < h->stop)
			h->s++;
		else if (*h->s == '"' && braces <= 0)
			return arena_strn(h->a, from, (size_t)(h->s++ - from));
	}
	return NULL;
}

/* Skip a here document, <<MARK or <<-MARK, to the end of the line that begins with MARK. */
static void heredoc_skip(struct hcl_reader *h)
{
	const char *word = h->s + 2;

	if (word < h->stop && *word == '-')
		word++;
	const char *at = word;
	while (at < h->stop && is_word(*at))
		at++;
	size_t n = (size_t)(at - word);
	while (n) {
		at = memchr(at, '\n', (size_t)(h->stop - at));
		if (!at)
			break;
		h->line++;
		at++;
		while (at < h->stop && (*at == ' ' || *at == '\t'))
			at++;
		if ((size_t)(h->stop - at) >= n && !memcmp(at, word, n)) {
			h->s = at + n;
			return;
		}
	}
	h->s = h->stop;
}

/* +1 for an opening bracket, -1 for a closing one, else 0. */
static int bracket_depth(char c)
{
	switch (c) {
	case '[':
	case '{':
	case '(': return 1;
	case ']':
	case '}':
	case ')': return -1;
	default: return 0;
	}
}

/*
 * Skip to the end of a line on which no bracket is open.  Returns whether the value contains a
 * list, a map or a text of several lines.
 */
static bool value_skip(struct hcl_reader *h)
{
	int depth = 0;
	bool compound = false;

	while (h->s < h->stop && (depth > 0 || *h->s != '\n')) {
		if (*h->s == '"' && !string_read(h))
			return true;
		skip(h, depth > 0);
		if (h->s >= h->stop || (*h->s == '\n' && depth <= 0))
			break;
		if (begins(h, "<<")) {
			compound = true;
			heredoc_skip(h);
			continue;
		}
		compound |= *h->s == '[' || *h->s == '{';
		depth += bracket_depth(*h->s);
		h->s += *h->s != '"';
	}
	return compound;
}

static void put(struct hcl_reader *h, const char *name, const char *value, uint32_t line)
{
	if (h->n == MAX_HCL_SETTINGS)
		return;
	if (h->depth)
		name = arena_printf(h->a, "%s.%s", h->block[h->depth - 1], name);
	h->v = grow(h->v, &h->cap, h->n + 1, sizeof *h->v);
	h->v[h->n++] = (struct setting){ .key = name, .value = value, .line = line };
}

/* The value of `NAME =`.  False if it is a string that does not end on its line. */
static bool value_read(struct hcl_reader *h, const char *name)
{
	uint32_t line = h->line;

	skip(h, false);
	const char *from = h->s, *text = NULL;
	if (h->s < h->stop && *h->s == '"') {
		text = string_read(h);
		if (!text && h->s < h->stop)
			return false;
	}
	skip(h, false);
	bool is_string = text && (h->s == h->stop || strchr("\n}", *h->s));
	if (!is_string) {
		if (value_skip(h))
			return true;
		size_t n = (size_t)(h->s - from);
		while (n && isspace((unsigned char)from[n - 1]))
			n--;
		text = arena_strn(h->a, from, n);
	}
	if (*text)
		put(h, name, text, line);
	return true;
}

/* The start of a block, up to its brace: `resource "aws_sns_topic" "orders" {`.  False if not. */
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
		name = arena_printf(h->a, "%s.%s", h->block[h->depth - 1], name);
	h->block[h->depth++] = name;
	return true;
}

/* `NAME = VALUE` or the start of a block; false at the first thing that is neither. */
static bool statement_read(struct hcl_reader *h)
{
	const char *from = h->s;

	while (h->s < h->stop && is_word(*h->s))
		h->s++;
	if (h->s == from)
		return false;
	const char *name = arena_strn(h->a, from, (size_t)(h->s - from));
	skip(h, false);
	if (h->s < h->stop && *h->s == '=') {
		h->s++;
		return value_read(h, name);
	}
	return block_open(h, name);
}

size_t hcl_read(const char *text, size_t n, struct arena *a, struct setting **out)
{
	struct hcl_reader h = { .s = text, .stop = text + n, .line = 1, .a = a };

	for (skip(&h, true); h.s < h.stop; skip(&h, true)) {
		if (*h.s == '}' && h.depth) {
			h.depth--;
			h.s++;
		} else if (!statement_read(&h)) {
			break;
		}
	}
	*out = arena_many(a, h.n, struct setting);
	if (h.n)
		memcpy(*out, h.v, h.n * sizeof *h.v);
	free(h.v);
	return h.n;
}
