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

static size_t lang_named(const char *name)
{
	size_t i = 0;

	while (i < nlangs && strcmp(langs[i].name, name))
		i++;
	return i;
}

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
		if (shapes[i].lang && (r.lang = lang_named(word[shapes[i].lang])) == nlangs)
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
		const char *next = memchr(s + 1, *word, (size_t)(end - s - 1));
		s = next ? next : end;
	}
	return s;
}

/* The end of a tag that begins at `s`: after its `>`, quoted ones aside; NULL: it has none. */
static const char *tag_end(const char *s, const char *end)
{
	char quote = 0;

	for (const char *p = s; p < end && p - s < MAX_TAG; p++)
		if (quote) {
			if (*p == quote)
				quote = 0;
		} else if (*p == '"' || *p == '\'')
			quote = *p;
		else if (*p == '>')
			return p + 1;
	return NULL;
}

/* The value of an attribute of the tag; NULL: it is not there. */
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
		for (v++; v < end && isspace((unsigned char)*v); v++)
			;
		char quote = v < end && (*v == '"' || *v == '\'') ? *v++ : 0;
		const char *to = v;
		while (to < end && (quote ? *to != quote : !isspace((unsigned char)*to) && *to != '>'))
			to++;
		return arena_strn(a, v, (size_t)(to - v));
	}
	return NULL;
}

/* The language of what stands in a tag; nlangs: none that is read. */
static size_t tag_lang(
    const struct script_blocks *b, size_t lang, const char *tag, const char *end, struct arena *a)
{
	size_t found = lang;

	for (size_t i = 0; i < b->rows.n; i++) {
		const struct script_block_row *r = &b->rows.v[i];
		const char *value = r->is == ROW_ONLY || r->is == ROW_LANG ?
		    attribute(tag, end, r->first, a) :
		    NULL;
		bool fits = value && *value && type_in_list(value, r->second);
		if (r->is == ROW_ONLY && value && *value && !fits)
			return nlangs;
		if (r->is == ROW_LANG && fits)
			found = r->lang;
	}
	return found;
}

/*
 * Where what begins at `s` begins and ends inside; *to is what to go on from.  NULL: nothing
 * begins here.
 */
static const char *inside(const struct script_block_row *r, const char *text, const char *s,
    const char *end, const char **to)
{
	const char *from;

	if (!begins(s, end, r->first))
		return NULL;
	if (*r->first == '<') {
		from = s + strlen(r->first);
		if (from < end && isalnum((unsigned char)*from))
			return NULL;
		from = tag_end(from, end);
	} else {
		if (s == text)
			from = memchr(s, '\n', (size_t)(end - s));
		else
			from = NULL;
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
			if (r->is != ROW_BLOCK || !(from = inside(r, text, s, end, &to)))
				continue;
			size_t of = tag_lang(b, lang, s + 1, from, a);
			if (of < nlangs && to > from)
				(*out)[count++] = (struct script_block){ (uint32_t)(from - text),
					(uint32_t)(to - text), of };
			s = to;
		}
	return count;
}
