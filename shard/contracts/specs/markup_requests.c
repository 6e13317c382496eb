#include "shard/contracts/specs/markup_requests.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/process/embedded.h"
#include "shard/contracts/paths/url_path.h"
#include "shard/facts/facts.h"
#include "shard/syntax/script_blocks.h"

enum { MAX_TAG = 4000, MAX_ATTRIBUTES = 40, MAX_URL = 500, MAX_FACTS = 1000, MAX_SCRIPTS = 50 };
enum { MAX_HOLES = 8 };			/* rows `hole` of the table */

#define OVERRIDE "_method"	/* browsers send only GET and POST; many servers know this field */

static const char FILE_NAME[] = "shard/lang/markup.tab";

/* The words of a line behind its kind. */
struct markup_row {
	const char *first, *second, *third;
	struct markup_row *next;
};

enum kind { REQUEST, HOLE, SCRIPT, ASKS, NKINDS };

struct markup {
	struct arena *arena;
	struct markup_row *rows[NKINDS];	/* in the order of the table */
};

struct attribute {
	const char *name, *value;
	size_t nname, nvalue;
};

struct tag {
	const char *name;
	size_t nname;
	struct attribute attribute[MAX_ATTRIBUTES];
	int n;
	uint32_t line;
};

struct markup_scan {
	const struct markup *m;
	const char *end;
	struct arena *arena;
	struct { struct fact *v; size_t n, cap; } found;
	struct { struct script_block *v; size_t n, cap; } scripts;
	const char *text;
	const char *unclosed[MAX_HOLES];	/* by row: where a placeholder begins that nothing closes */
};

static const char *row_read(void *arg, char **word, int n)
{
	static const struct { const char *name; int words;
	} kinds[NKINDS] = {
		[REQUEST] = { "request", 4 },
		[HOLE] = { "hole", 3 },
		[SCRIPT] = { "script", 2 },
		[ASKS] = { "asks", 2 },
	};
	struct markup *m = arg;

	for (size_t i = 0; i < NKINDS; i++) {
		struct markup_row **at = &m->rows[i];
		if (strcmp(kinds[i].name, word[0]) || n != kinds[i].words)
			continue;
		while (*at)
			at = &(*at)->next;
		*at = arena_one(m->arena, struct markup_row);
		(*at)->first = word[1];
		if (n > 2)
			(*at)->second = word[2];
		if (n > 3)
			(*at)->third = word[3];
		return NULL;
	}
	return "not a row";
}

struct markup *markup_new(struct err *e)
{
	struct arena *a = arena_new();
	struct markup *m = arena_one(a, struct markup);

	m->arena = a;
	if (!embedded_each_row(FILE_NAME, a, row_read, m, e))
		return m;
	markup_free(m);
	return NULL;
}

void markup_free(struct markup *m)
{
	if (m)
		arena_free(m->arena);
}

static bool begins(const char *s, const char *end, const char *word)
{
	size_t n = strlen(word);

	return (size_t)(end - s) >= n && !strncasecmp(s, word, n);
}

static const char *find(const char *s, const char *end, const char *word)
{
	while (s < end && !begins(s, end, word))
		s++;
	return s;
}

static bool same(const char *s, size_t n, const char *word)
{
	return n == strlen(word) && !strncasecmp(s, word, n);
}

/* The end of a template's placeholder at `s`; NULL if there is none. */
static const char *hole_end(struct markup_scan *c, const char *s, const char *end)
{
	size_t row = 0;

	for (const struct markup_row *h = c->m->rows[HOLE]; h; h = h->next, row++) {
		if (!begins(s, end, h->first))
			continue;
		bool known = row < MAX_HOLES && c->unclosed[row];
		if (known && s >= c->unclosed[row])
			return NULL;
		const char *close = find(s + strlen(h->first), end, h->second);
		if (close < end)
			return close + strlen(h->second);
		if (row < MAX_HOLES && end == c->end)	/* a further one need not search the rest again */
			c->unclosed[row] = s;
		return NULL;
	}
	return NULL;
}

/* Behind the placeholder or the character at `s`. */
static const char *next_char(struct markup_scan *c, const char *s, const char *end)
{
	const char *hole = hole_end(c, s, end);

	if (hole)
		return hole;
	return s + 1;
}

/* The end of a word of a tag that begins at `s`: one of `ends`, outside placeholders. */
static const char *word_end(struct markup_scan *c, const char *s, const char *ends)
{
	while (s < c->end && !strchr(ends, *s))
		s = next_char(c, s, c->end);
	return s;
}

/* Read the value behind `=` at `s`; returns the text behind it. */
static const char *value_read(struct markup_scan *c, const char *s, struct attribute *a)
{
	char quote[2] = "";
	const char *ends = " \t\r\n>";

	while (s < c->end && isspace((unsigned char)*s))
		s++;
	if (s < c->end && (*s == '"' || *s == '\''))
		quote[0] = *s++;
	if (*quote)
		ends = quote;
	a->value = s;
	s = word_end(c, s, ends);
	a->nvalue = (size_t)(s - a->value);
	return s + (*quote && s < c->end);
}

/* Read the tag whose name begins at `s`; returns the text behind it. */
static const char *tag_read(struct markup_scan *c, const char *s, struct tag *t)
{
	const char *from = s;

	t->name = s;
	s = word_end(c, s, " \t\r\n/>");
	t->nname = (size_t)(s - t->name);
	t->n = 0;
	while (s < c->end && *s != '>' && s - from < MAX_TAG) {
		const char *hole = hole_end(c, s, c->end);
		if (hole || isspace((unsigned char)*s) || strchr("/\"'=", *s)) {
			s = next_char(c, s, c->end);
			continue;
		}
		struct attribute a = { .name = s };
		s = word_end(c, s, " \t\r\n/>=");
		a.nname = (size_t)(s - a.name);
		const char *is = s;
		while (is < c->end && isspace((unsigned char)*is))
			is++;
		if (is < c->end && *is == '=')
			s = value_read(c, is + 1, &a);
		if (t->n < MAX_ATTRIBUTES)
			t->attribute[t->n++] = a;
	}
	return s;
}

static const struct attribute *attribute_of(const struct tag *t, const char *name, size_t n)
{
	for (int i = 0; i < t->n; i++)
		if (t->attribute[i].nname == n && !strncasecmp(t->attribute[i].name, name, n))
			return &t->attribute[i];
	return NULL;
}

/* The verb that a text is, or NULL. */
static const char *verb(const char *s, size_t n)
{
	static const char *const verbs[] = { "GET", "POST", "PUT", "PATCH", "DELETE" };

	for (size_t i = 0; i < LEN(verbs); i++)
		if (same(s, n, verbs[i]))
			return verbs[i];
	return NULL;
}

/* The method of a request; NULL: it is none. */
static const char *method_of(const struct markup_row *r, const struct tag *t)
{
	size_t n = strcspn(r->third, ":");
	const struct attribute *a;

	if (verb(r->third, n) && !r->third[n])
		return verb(r->third, n);
	a = attribute_of(t, r->third, n);
	if (a && a->nvalue)
		return verb(a->value, a->nvalue);
	if (r->third[n])
		return verb(r->third + n + 1, strlen(r->third + n + 1));
	return NULL;
}

/* The URL of an attribute with its placeholders as {}; NULL: it is not requested. */
static const char *url_of(struct markup_scan *c, const struct attribute *a)
{
	const char *s = a->value, *end = s + a->nvalue;
	struct buf b = { 0 };

	if (begins(s, end, "@{")) {	/* Thymeleaf; brackets contain the values of parameters */
		s += 2;
		const char *bracket = memchr(s, '(', (size_t)(end - s));
		if (bracket)
			end = bracket;
		else
			end--;
	}
	while (begins(s, end, "./") || begins(s, end, "../"))
		s += strcspn(s, "/") + 1;
	if (s >= end || *s == '#' || end - s > MAX_URL)
		return NULL;
	if (begins(s, end, "javascript:") || begins(s, end, "mailto:"))
		return NULL;
	while (s < end) {
		const char *next = next_char(c, s, end);
		if (next == s + 1)
			buf_byte(&b, *s);
		else
			buf_str(&b, "{}");
		s = next;
	}
	const char *url = arena_strn(c->arena, b.p, b.n);
	buf_free(&b);
	return url;
}

/* Whether a path is that of a static page. */
static bool is_page(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot && (!strcasecmp(dot, ".html") || !strcasecmp(dot, ".htm"));
}

/* The verb that a form's URL gives in place of its method, or NULL. */
static const char *override_of(const char *url)
{
	const char *at = strstr(url, OVERRIDE "=");

	if (!at)
		return NULL;
	at += strlen(OVERRIDE "=");
	return verb(at, strcspn(at, "&"));
}

static void request_add(
    struct markup_scan *c, const struct tag *t, const struct attribute *a, const char *method)
{
	const char *url = NULL;
	struct fact f = { .side = "consumes",
		.kind = "http",
		.framework = "html",
		.method = method,
		.line = t->line,
		.end_line = t->line };

	if (a->value)
		url = url_of(c, a);
	if (!url || c->found.n == MAX_FACTS || !url_split(url, c->arena, &f.host, &f.path) ||
	    is_page(f.path))
		return;
	f.raw = arena_strn(c->arena, a->value, a->nvalue);
	if (override_of(url))
		f.method = override_of(url);
	c->found.v = grow(c->found.v, &c->found.cap, c->found.n + 1, sizeof f);
	c->found.v[c->found.n++] = f;
}

static void tag_requests(struct markup_scan *c, const struct tag *t)
{
	for (const struct markup_row *r = c->m->rows[REQUEST]; r; r = r->next) {
		const struct attribute *a;
		if (*r->first != '*' && !same(t->name, t->nname, r->first))
			continue;
		a = attribute_of(t, r->second, strlen(r->second));
		const char *method = NULL;
		if (a)
			method = method_of(r, t);
		if (method)
			request_add(c, t, a, method);
	}
}

/* A hidden field may give the verb of the form around it: of the last request that was found. */
static void tag_override(struct markup_scan *c, const struct tag *t)
{
	const struct attribute *name = attribute_of(t, "name", 4), *value = attribute_of(t, "value", 5);

	if (!c->found.n || !same(t->name, t->nname, "input"))
		return;
	if (!name || !name->value || !value || !value->value)
		return;
	const char *method = verb(value->value, value->nvalue);
	if (method && same(name->value, name->nvalue, OVERRIDE))
		c->found.v[c->found.n - 1].method = method;
}

/* Whether the attribute is a script that makes requests. */
static bool asks(const struct markup *m, const struct attribute *a)
{
	bool script = false, found = false;

	for (const struct markup_row *r = m->rows[SCRIPT]; r; r = r->next)
		script |= begins(a->name, a->name + a->nname, r->first);
	for (const struct markup_row *r = m->rows[ASKS]; r && script && a->value; r = r->next)
		found |= memmem(a->value, a->nvalue, r->first, strlen(r->first)) != NULL;
	return found;
}

static void tag_scripts(struct markup_scan *c, const struct tag *t)
{
	for (int i = 0; i < t->n && c->scripts.n < MAX_SCRIPTS; i++) {
		const struct attribute *a = &t->attribute[i];
		if (!asks(c->m, a))
			continue;
		uint32_t from = (uint32_t)(a->value - c->text);
		c->scripts.v = grow(c->scripts.v, &c->scripts.cap, c->scripts.n + 1, sizeof *c->scripts.v);
		c->scripts.v[c->scripts.n++] = (struct script_block){ .from = from,
			.to = from + (uint32_t)a->nvalue };
	}
}

size_t markup_find(const struct markup *m, const char *text, size_t n, struct arena *a,
    struct facts *out, struct script_block **scripts)
{
	struct markup_scan c = { .m = m, .text = text, .end = text + n, .arena = a };
	struct tag t = { .line = 1 };

	for (const char *s = text, *counted = text; s < c.end; s++) {
		s = memchr(s, '<', (size_t)(c.end - s));
		if (!s || s + 1 == c.end)
			break;
		if (begins(s, c.end, "<!--")) {
			s = find(s, c.end, "-->");
			continue;
		}
		if (!isalpha((unsigned char)s[1]))
			continue;
		for (; counted < s; counted++)
			t.line += *counted == '\n';
		s = tag_read(&c, s + 1, &t);
		tag_requests(&c, &t);
		tag_override(&c, &t);
		tag_scripts(&c, &t);
		if (same(t.name, t.nname, "script"))
			s = find(s, c.end, "</script");
		else if (same(t.name, t.nname, "style"))
			s = find(s, c.end, "</style");
	}
	if (c.found.n)
		facts_merge_contracts(out, c.found.v, c.found.n, a);
	*scripts = arena_many(a, c.scripts.n, struct script_block);
	if (c.scripts.n)
		memcpy(*scripts, c.scripts.v, c.scripts.n * sizeof **scripts);
	free(c.found.v);
	free(c.scripts.v);
	return c.scripts.n;
}
