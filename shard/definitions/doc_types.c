#include "shard/definitions/doc_types.h"

#include <ctype.h>
#include <string.h>

#include "proto/base/arena.h"
#include "shard/base/kinds.h"
#include "shard/facts/facts.h"
#include "shard/syntax/node_rules.h"

enum { MAX_TYPE = 200 };

struct doc_reader {
	const struct rules *rules;
	struct arena *a;
};

/* A part of a comment. */
struct doc_text {
	const char *p;
	size_t n;
};

static struct doc_text trimmed(struct doc_text t)
{
	while (t.n && isspace((unsigned char)*t.p)) {
		t.p++;
		t.n--;
	}
	while (t.n && isspace((unsigned char)t.p[t.n - 1]))
		t.n--;
	return t;
}

/* Takes what is before the next blank from the beginning, or what is in brackets there. */
static struct doc_text take_word(struct doc_text *t)
{
	static const char opening[] = "{[", closing[] = "}]";
	struct doc_text out;

	*t = trimmed(*t);
	const char *bracket = t->n ? strchr(opening, *t->p) : NULL;
	if (bracket && *bracket) {
		const char *end = memchr(t->p, closing[bracket - opening], t->n);
		out = (struct doc_text){ t->p, end ? (size_t)(end - t->p) + 1 : t->n };
	} else {
		out = *t;
		for (out.n = 0; out.n < t->n && !isspace((unsigned char)t->p[out.n]); out.n++)
			;
	}
	t->p += out.n;
	t->n -= out.n;
	return out;
}

static bool in_brackets(struct doc_text t)
{
	return t.n > 1 && (*t.p == '{' || *t.p == '[');
}

/* ---- types ---- */

static bool is_name_byte(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || (c & 0x80);
}

/* The normal form of one alternative of a type; NULL if it says nothing. */
static const char *named_type(const struct doc_reader *d, struct doc_text t)
{
	char out[MAX_TYPE];
	size_t n = 0, last = 0;
	bool many = false;

	t = trimmed(t);
	while (t.n && strchr("?!\\:", *t.p)) {
		t.p++;
		t.n--;
	}
	if (t.n > 2 && !memcmp(t.p + t.n - 2, "[]", 2)) {
		many = true;
		t.n -= 2;
	}
	for (size_t i = 0; i < t.n; i++) {
		bool colons = t.p[i] == ':' && i + 1 < t.n && t.p[i + 1] == ':';
		bool joined = colons || t.p[i] == '\\';
		i += colons;
		if (n + 1 == sizeof out || !(joined || is_name_byte(t.p[i])))
			return NULL;
		if (joined || t.p[i] == '.')
			last = n + 1;
		out[n++] = joined ? '.' : t.p[i];
	}
	out[n] = '\0';
	if (last >= n || !isupper((unsigned char)out[last])) /* string, self, the text of a sentence */
		return NULL;
	if (word_set_has(&d->rules->doc_none, out, n))
		return NULL;
	return arena_printf(d->a, many ? "[]<%s>" : "%s", out);
}

/* The first alternative of a type that says something; NULL if none does. */
static const char *type_in(const struct doc_reader *d, struct doc_text t)
{
	if (in_brackets(t))
		t = (struct doc_text){ t.p + 1, t.n - 2 };
	while (t.n) {
		size_t n = 0;
		while (n < t.n && t.p[n] != '|' && t.p[n] != ',')
			n++;
		const char *type = named_type(d, (struct doc_text){ t.p, n });
		if (type)
			return type;
		n += n < t.n;
		t.p += n;
		t.n -= n;
	}
	return NULL;
}

/* ---- tags ---- */

/* The next line that begins with one of the tags, without the tag; false if there is none. */
static bool next_tag(const char **at, const struct word_set *tags, struct doc_text *out)
{
	while (*at && **at) {
		size_t n = strcspn(*at, "\n");
		struct doc_text line = { *at, n }, tag = take_word(&line);
		*at += n + ((*at)[n] == '\n');
		*out = line;
		if (tag.n && word_set_has(tags, tag.p, tag.n))
			return true;
	}
	return false;
}

/* Whether the word is the name: `$r`, `&$r`, `...$r`, `[limit=10]`. */
static bool is_parameter(struct doc_text word, const char *name)
{
	size_t n = strlen(name);

	while (word.n && strchr("&.[", *word.p)) {
		word.p++;
		word.n--;
	}
	if (word.n < n || memcmp(word.p, name, n))
		return false;
	return word.n == n || !(is_name_byte(word.p[n]) || word.p[n] == '$');
}

const char *doc_types_parameter(
    const struct rules *rules, const char *doc, const char *name, struct arena *a)
{
	struct doc_reader d = { rules, a };
	struct doc_text line;

	while (next_tag(&doc, &rules->doc_parameter, &line)) {
		struct doc_text type = take_word(&line), other = take_word(&line);
		if (in_brackets(other) && !in_brackets(type)) { /* @param name [T] */
			struct doc_text first = type;
			type = other;
			other = first;
		}
		if (is_parameter(other, name))
			return type_in(&d, type);
	}
	return NULL;
}

void doc_types_define(const struct rules *rules, struct definition *x, struct arena *a)
{
	struct doc_reader d = { rules, a };
	const struct word_set *tags = &rules->doc_field;
	const char *doc = x->doc;
	struct doc_text line;

	if (x->type || !doc)
		return;
	if (kind_is_callable(kind_of(x->kind)))
		tags = &rules->doc_result;
	if (next_tag(&doc, tags, &line))
		x->type = type_in(&d, take_word(&line));
}
