#include "shard/syntax/macro_tokens.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/buf.h"
#include "proto/base/minmax.h"

enum { MAX_OPEN = 256 };

static bool in_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* ---- one token ---- */

/* The end of what is between quotes, from the opening one on. */
static size_t quoted_end(const char *s, size_t n, size_t i, char quote)
{
	for (i++; i < n && s[i] != quote; i++)
		i += s[i] == '\\';
	return MIN(i + 1, n);
}

/* The end of r#"..."#, whose signs begin at `i`; 0: it is none. */
static size_t raw_end(const char *s, size_t n, size_t i)
{
	size_t signs = 0;

	while (i < n && s[i] == '#') {
		signs++;
		i++;
	}
	if (i == n || s[i] != '"')
		return 0;
	for (i++; i < n; i++) {
		size_t k = 0;
		if (s[i] != '"')
			continue;
		while (k < signs && i + 1 + k < n && s[i + 1 + k] == '#')
			k++;
		if (k == signs)
			return i + 1 + signs;
	}
	return n;
}

/* The end of a character, or of a lifetime. */
static size_t tick_end(const char *s, size_t n, size_t i)
{
	if (i + 2 < n && (s[i + 1] == '\\' || s[i + 2] == '\''))
		return quoted_end(s, n, i, '\'');
	for (i++; i < n && in_word(s[i]); )
		i++;
	return i;
}

static size_t word_end(const char *s, size_t n, size_t i)
{
	size_t from = i, end = 0;

	while (i < n && in_word(s[i]))
		i++;
	bool prefix = i - from <= 2 && memchr("rbc", s[from], 3);
	if (prefix && i < n && (s[i] == '#' || s[i] == '"') && s[i - 1] == 'r')
		end = raw_end(s, n, i);
	else if (prefix && i < n && s[i] == '"')
		end = quoted_end(s, n, i, '"');
	if (end)
		return end;
	return i;
}

static size_t sign_end(const char *s, size_t n, size_t i)
{
	static const char *const signs[] = { "<<=", ">>=", "...", "..=", "::", "->", "=>", "==", "!=",
		"<=", ">=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=", "<<", ">>", ".." };

	for (size_t k = 0; k < LEN(signs); k++) {
		size_t len = strlen(signs[k]);
		if (n - i >= len && !memcmp(s + i, signs[k], len))
			return i + len;
	}
	return i + 1;
}

static size_t token_end(const char *s, size_t n, size_t i)
{
	if (s[i] == '"')
		return quoted_end(s, n, i, '"');
	if (s[i] == '\'')
		return tick_end(s, n, i);
	if (in_word(s[i]))
		return word_end(s, n, i);
	return sign_end(s, n, i);
}

/* ---- what is between tokens ---- */

/* The end of the comment at `i`; comments may contain comments. */
static size_t comment_end(const char *s, size_t n, size_t i)
{
	size_t depth = 0;

	if (s[i + 1] == '/') {
		const char *end = memchr(s + i, '\n', n - i);
		return end ? (size_t)(end - s) : n;
	}
	while (i + 1 < n) {
		bool open = s[i] == '/' && s[i + 1] == '*', close = s[i] == '*' && s[i + 1] == '/';
		depth += open;
		depth -= close;
		i += 1 + (open || close);
		if (!depth)
			return i;
	}
	return n;
}

/* The beginning of the next token. */
static size_t skip_blank(const char *s, size_t n, size_t i)
{
	while (i < n) {
		if (isspace((unsigned char)s[i]))
			i++;
		else if (i + 1 < n && s[i] == '/' && (s[i + 1] == '/' || s[i + 1] == '*'))
			i = comment_end(s, n, i);
		else
			break;
	}
	return i;
}

static uint32_t newlines(const char *s, size_t n)
{
	uint32_t count = 0;

	for (size_t i = 0; i < n; i++)
		count += s[i] == '\n';
	return count;
}

void macro_tokens_add(struct macro_tokens *l, const struct macro_token *t)
{
	l->v = grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
	l->v[l->n++] = *t;
}

bool macro_tokens_read(const char *s, size_t n, struct macro_tokens *out)
{
	uint32_t row = 0;

	for (size_t i = 0, from; i < n;) {
		from = i;
		i = skip_blank(s, n, i);
		row += newlines(s + from, i - from);
		if (i == n)
			break;
		size_t end = token_end(s, n, i);
		macro_tokens_add(out,
		    &(struct macro_token){
		        .s = s + i, .n = (uint32_t)(end - i), .row = row, .space = i > from });
		row += newlines(s + i, end - i);
		i = end;
	}
	return macro_tokens_link(out);
}

/* ---- brackets ---- */

bool macro_tokens_link(struct macro_tokens *l)
{
	static const char opening[] = "([{", closing[] = ")]}";
	size_t open[MAX_OPEN], depth = 0;

	for (size_t i = 0; i < l->n; i++) {
		char c = *l->v[i].s;
		l->v[i].skip = 0;
		if (l->v[i].n != 1 || !c)
			continue;
		if (strchr(opening, c)) {
			if (depth == MAX_OPEN)
				return false;
			open[depth++] = i;
		} else if (strchr(closing, c)) {
			if (!depth || opening[strchr(closing, c) - closing] != *l->v[open[depth - 1]].s)
				return false;
			depth--;
			l->v[open[depth]].skip = (uint32_t)(i - open[depth]);
		}
	}
	return !depth;
}

struct macro_slice macro_group(struct macro_slice l, size_t i)
{
	return (struct macro_slice){ l.v + i + 1, l.v[i].skip - 1 };
}

struct macro_slice macro_rest(struct macro_slice l, size_t i)
{
	return (struct macro_slice){ l.v + i, l.n - i };
}

bool macro_token_is(const struct macro_token *t, const char *text)
{
	return t->n == strlen(text) && !memcmp(t->s, text, t->n);
}

bool macro_token_is_word(const struct macro_token *t)
{
	return (isalpha((unsigned char)*t->s) || *t->s == '_') && t->s[t->n - 1] != '"' &&
	    t->s[t->n - 1] != '#';
}
