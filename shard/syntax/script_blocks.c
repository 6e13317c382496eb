#include "shard/syntax/script_blocks.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/process/embedded.h"
#include "shard/syntax/languages.h"
#include "shard/syntax/node_rules.h"

enum { MAX_BLOCKS = 200, MAX_TAG = 2000 };

static const char FILE_NAME[] = "shard/lang/blocks.tab";

/* block, skip: LANGUAGE OPEN CLOSE; only: ATTRIBUTE VALUES; lang: ATTRIBUTE VALUES LANGUAGE */
struct script_block_row {
	enum { ROW_BLOCK, ROW_SKIP, ROW_ONLY, ROW_LANG } is;
	size_t lang;
	const char *first, *second;	/* OPEN and CLOSE, or ATTRIBUTE and VALUES */
};

struct script_blocks {
	struct arena *arena;
	struct { struct script_block_row *v; size_t n, cap; } rows;
};

static const char *row_read(void *arg, char **word, int n)
{
	static const struct { const char *name; int words, lang, first; } shapes[] = {
		[ROW_BLOCK] = { "block", 4, 1, 2 }, [ROW_SKIP] = { "skip", 4, 1, 2 },
		[ROW_ONLY] = { "only", 3, 0, 1 }, [ROW_LANG] = { "lang", 4, 3, 1 },
	};
	struct script_blocks *b = arg;

	for (size_t i = 0; i < LEN(shapes); i++) {
		if (strcmp(shapes[i].name, word[0]) || n != shapes[i].words)
			continue;
		struct script_block_row r = {
			.is = (int)i, .first = word[shapes[i].first], .second = word[shapes[i].first + 1]
		};
		if (shapes[i].lang)
			r.lang = lang_index(word[shapes[i].lang]);
		if (r.lang == nlangs)
			return "no such language in langs.def";
		b->rows.v = grow(b->rows.v, &b->rows.cap, b->rows.n + 1, sizeof r);
		b->rows.v[b->rows.n++] = r;
		return NULL;
	}
	return "not a row";
}

struct script_blocks *script_blocks_new(struct err *e)
{
	struct arena *a = arena_new();
	struct script_blocks *b = arena_one(a, struct script_blocks);

	b->arena = a;
	if (!embedded_each_row(FILE_NAME, a, row_read, b, e))
		return b;
	script_blocks_free(b);
	return NULL;
}

void script_blocks_free(struct script_blocks *b)
{
	if (!b)
		return;
	free(b->rows.v);
	arena_free(b->arena);
}

static bool begins(const char *s, const char *end, const char *word)
{
	size_t n = strlen(word);

	return (size_t)(end - s) >= n && !strncasecmp(s, word, n);
}

static const char *find(const char *s, const char *end, const char *word)
{
	while (s < end && !begins(s, end, word)) {
		s = memchr(s + 1, *word, (size_t)(end - s - 1));
		if (!s)
			return end;
	}
	return s;
}

/* The end of the tag that begins at `s`, after its unquoted `>`; NULL if it has none. */
static const char *tag_end(const char *s, const char *end)
{
	char quote = 0;

	for (const char *p = s; p < end && p - s < MAX_TAG; p++) {
		if (quote && *p == quote)
			quote = 0;
		else if (quote)
			continue;
		else if (*p == '"' || *p == '\'')
			quote = *p;
		else if (*p == '>')
			return p + 1;
	}
	return NULL;
}

/* The value of an attribute whose first character, or quote, is at `v`. */
static const char *attribute_value(const char *v, const char *end, struct arena *a)
{
	const char *to = v;

	if (v < end && (*v == '"' || *v == '\'')) {
		char quote = *v++;
		for (to = v; to < end && *to != quote;)
			to++;
	} else {
		while (to < end && !isspace((unsigned char)*to) && *to != '>')
			to++;
	}
	return arena_strn(a, v, (size_t)(to - v));
}

/* The value of an attribute of the tag, or NULL. */
static const char *attribute(const char *tag, const char *end, const char *name, struct arena *a)
{
	size_t n = strlen(name);

	for (const char *s = tag; s < end; s++) {
		if (!isspace((unsigned char)s[-1]) || !begins(s, end, name) || s + n >= end)
			continue;
		const char *v = s + n;
		while (v < end && isspace((unsigned char)*v))
			v++;
		if (v == end || *v != '=')
			continue;
		v++;
		while (v < end && isspace((unsigned char)*v))
			v++;
		return attribute_value(v, end, a);
	}
	return NULL;
}

/* The language of the content of a tag; nlangs if it is not read. */
static size_t tag_lang(
    const struct script_blocks *b, size_t lang, const char *tag, const char *end, struct arena *a)
{
	size_t found = lang;

	for (size_t i = 0; i < b->rows.n; i++) {
		const struct script_block_row *r = &b->rows.v[i];
		if (r->is != ROW_ONLY && r->is != ROW_LANG)
			continue;
		const char *value = attribute(tag, end, r->first, a);
		if (!value || !*value)
			continue;
		bool matches = type_in_list(value, r->second);
		if (r->is == ROW_ONLY && !matches)
			return nlangs;
		if (r->is == ROW_LANG && matches)
			found = r->lang;
	}
	return found;
}

/*
 * The content of the block that begins at `s`: returns its start, and its end in *to.  NULL if no
 * block begins here.
 */
static const char *inside(const struct script_block_row *r, const char *text, const char *s,
    const char *end, const char **to)
{
	const char *from = NULL;

	if (!begins(s, end, r->first))
		return NULL;
	if (*r->first == '<') {
		from = s + strlen(r->first);
		if (from < end && isalnum((unsigned char)*from))
			return NULL;
		from = tag_end(from, end);
	} else if (s == text) {		/* front matter */
		from = memchr(s, '\n', (size_t)(end - s));
	}
	if (!from)
		return NULL;
	if (from[-1] == '>' && from[-2] == '/')
		*to = from;
	else
		*to = find(from, end, r->second);
	return from;
}

size_t script_blocks_find(const struct script_blocks *b, size_t lang, const char *text, size_t n,
    struct arena *a, struct script_block **out)
{
	const char *end = text + n;
	size_t count = 0;

	*out = arena_many(a, MAX_BLOCKS, struct script_block);
	for (const char *s = text; s < end && count < MAX_BLOCKS; s++)
		for (size_t i = 0; i < b->rows.n && s < end; i++) {
			const struct script_block_row *r = &b->rows.v[i];
			const char *to = NULL, *from = NULL;
			if (r->lang != lang || *s != *r->first)
				continue;
			if (r->is == ROW_SKIP && begins(s, end, r->first))
				s = find(s, end, r->second);
			if (r->is == ROW_BLOCK)
				from = inside(r, text, s, end, &to);
			if (!from)
				continue;
			size_t of = tag_lang(b, lang, s + 1, from, a);
			if (of < nlangs && to > from)
				(*out)[count++] = (struct script_block){ (uint32_t)(from - text),
					(uint32_t)(to - text), of };
			s = to;
		}
	return count;
}
