#include "shard/definitions/ctags/ctags_internal.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/record/json.h"
#include "proto/record/record.h"
#include "proto/text/symbol_match.h"
#include "shard/base/text_lines.h"
#include "shard/definitions/ctags/ctags_process.h"
#include "shard/definitions/declaration_head.h"
#include "shard/definitions/definitions.h"
#include "shard/facts/qualified_name.h"
#include "shard/syntax/comment.h"
#include "shard/syntax/languages.h"
#include "shard/syntax/node_rules.h"

#define RECORD(r)               static const struct field r##_fields[] = {
#define FIELD(r, t, f, rule, d) { #f, d, T_##t, offsetof(struct r, f), NULL, rule },
#define END(r)                  \
	};                              \
	static const struct record rec_##r = { #r, r##_fields, LEN(r##_fields), sizeof(struct r) };
#define SUB(r, t, f, rule, d)
#define LIST(r, t, f, rule, d)
#include "shard/definitions/ctags/ctags_definitions.def"

enum { MAX_HEAD_LINES = 8, MAX_DOC_LINES = 60 };

static const struct ctags_kind_rule *find_kind_rule(
    const struct ctags_definitions *t, const char *lang, const char *word)
{
	const struct ctags_kind_rule *found = NULL;

	for (size_t i = 0; i < t->kind_rules.n; i++) {
		const struct ctags_kind_rule *m = &t->kind_rules.v[i];
		if (strcmp(m->word, word))
			continue;
		if (m->lang && strcmp(m->lang, lang))
			continue;
		if (m->lang || !found)	/* a rule of the language wins over one of all languages */
			found = m;
	}
	if (found && (found->kind || found->package))
		return found;
	return NULL;
}

/* Whether a byte before its name marks it as local to the file: `.Ldone:`. */
static bool is_local(const struct ctags_file *r, const struct tag *t)
{
	const char *marks = r->t->of[r->lang].local, *line = r->text + r->line[t->line - 1];
	size_t n = r->line[t->line] - r->line[t->line - 1];

	if (!marks)
		return false;
	const char *name = memmem(line, n, t->name, strlen(t->name));
	return name && name > line && strchr(marks, name[-1]);
}

/* Whether the previous tag is the same symbol in another spelling: `Open Shop`, `Open_Shop`. */
static bool is_respelled(const struct ctags_file *r, const struct located_tag *p)
{
	if (!r->count)
		return false;
	const struct located_tag *last = &r->v[r->count - 1];
	if (last->tag.line != p->tag.line || last->kind_rule != p->kind_rule)
		return false;
	return !strcmp(symbol_key(last->tag.name, r->a), symbol_key(p->tag.name, r->a));
}

/* Whether the tag has a usable name, kind and line. */
static bool is_usable(const struct ctags_file *r, const struct tag *t)
{
	const char *refuse = r->t->of[r->lang].refuse;

	if (!t->name || !t->kind || !*t->name || *t->name == '{')
		return false;
	if (strchr(t->name, ' ') && t->name[strlen(t->name) - 1] == '=')	/* `define x =` of make */
		return false;
	if (!strcasecmp(t->name, CTAGS_FILE_STEM))
		return false;
	if (refuse && type_in_list(t->name, refuse))
		return false;
	return t->line >= 1 && t->line <= r->lines && strlen(t->name) <= MAX_NAME_BYTES;
}

/* Read a line of ctags' output, and store it if it is a symbol. */
static void take(struct ctags_file *r, const char *json)
{
	const struct ctags_language *lang = &r->t->of[r->lang];
	struct located_tag p = { .order = r->count, .parent = -1, .named = -1 };

	if (json_get_lax(&rec_tag, &p.tag, json, r->a, NULL) || !is_usable(r, &p.tag))
		return;
	p.kind_rule = find_kind_rule(r->t, langs[r->lang].name, p.tag.kind);
	if (!p.kind_rule || is_local(r, &p.tag) || is_respelled(r, &p))
		return;
	if (lang->flat)
		p.tag.scope = NULL;
	if (p.kind_rule->package) {
		r->package = p.tag.name;
		return;
	}
	if (p.tag.end >= p.tag.line && p.tag.end <= r->lines && !lang->guess)
		p.end = (uint32_t)p.tag.end;
	r->v = grow(r->v, &r->cap, r->count + 1, sizeof *r->v);
	r->v[r->count++] = p;
}

/*
 * The end of a callable's head: its first line, and the lines that its parentheses continue on, up
 * to a brace.
 */
static uint32_t head_end(const struct ctags_file *r, const struct located_tag *p)
{
	uint32_t end = (uint32_t)p->tag.line;
	int depth = 0;

	for (uint32_t i = p->at; i < r->n && end <= r->lines; i++) {
		depth += (r->text[i] == '(') - (r->text[i] == ')');
		if (r->text[i] == '{' && depth <= 0)
			return i;
		if (r->text[i] != '\n')
			continue;
		if (depth <= 0 || end >= p->tag.line + MAX_HEAD_LINES)
			return i;
		end++;
	}
	return r->n;
}

/* Append a line of a comment, without its indentation and marks. */
static void put_doc_line(const struct ctags_file *r, struct buf *b, uint32_t line)
{
	const char *mark = r->t->of[r->lang].comment;
	const char *s = r->text + r->line[line - 1], *end = r->text + r->line[line];

	while (s < end && (*s == ' ' || *s == '\t'))
		s++;
	if (ctags_is_comment_line(r, line)) {
		size_t n = strlen(mark);
		s += n;
		while (s < end && *s == mark[n - 1])
			s++;
	}
	buf_put(b, s, (size_t)(end - s));
}

/* The text of lines `from` to `to`, without the marks of comments. */
static const char *doc_text(const struct ctags_file *r, uint32_t from, uint32_t to)
{
	struct buf b = { 0 };

	buf_str(&b, "");
	for (uint32_t k = from; k <= to; k++)
		put_doc_line(r, &b, k);
	while (b.n && isspace((unsigned char)b.p[b.n - 1]))
		b.n--;
	if (b.n > 1 && !memcmp(b.p + b.n - 2, "*)", 2))
		b.n -= 2;
	const char *doc = comment_text(b.p, b.n, r->a);
	buf_free(&b);
	return doc;
}

/* The line where the comment right before `line` begins; `line` if there is none. */
static uint32_t doc_start(const struct ctags_file *r, uint32_t line)
{
	uint32_t from = line;

	while (from > 1 && line - from < MAX_DOC_LINES && ctags_is_comment_line(r, from - 1))
		from--;
	if (from < line || line < 2)
		return from;
	const char *s = r->text + r->line[line - 2];
	size_t n = r->line[line - 1] - r->line[line - 2];
	if (!memmem(s, n, "*/", 2))
		return line;
	for (from = line - 1; from && line - from < MAX_DOC_LINES; from--)
		if (memmem(r->text + r->line[from - 1], r->line[from] - r->line[from - 1], "/*", 2))
			return from;
	return line;
}

/* `M.f` and `M:f` are f, a method of M. */
static void split_name(const struct ctags_file *r, struct located_tag *p, struct definition *d)
{
	const char *split = r->t->of[r->lang].split, *last = NULL;
	char *whole = arena_str(r->a, p->tag.name);

	d->name = d->qualified = whole;
	for (char *s = whole; split && *s; s++)
		if (strchr(split, *s) && s[1]) {
			*s = '.';
			last = s + 1;
		}
	if (!last)
		return;
	d->name = last;
	if (!strcmp(d->kind, "function"))
		d->kind = "method";
}

/* A scope of ctags that is not a definition here, with dots between its parts. */
static const char *dotted(struct arena *a, const char *scope)
{
	char *s = arena_str(a, scope), *to = s;

	for (const char *from = scope; *from; from++)
		if (isalnum((unsigned char)*from) || *from == '_' || *from < 0)
			*to++ = *from;
		else if (to > s && to[-1] != '.')
			*to++ = '.';
	while (to > s && to[-1] == '.')
		to--;
	*to = '\0';
	return s;
}

/* The qualified name before the tag's own, or NULL: that of `up`, or its scope. */
static const char *name_around(
    const struct ctags_file *r, const struct located_tag *p, const struct found_definition *up)
{
	const char *scope = p->tag.scope;

	if (up)
		return up->def.qualified;
	if (!scope)
		return NULL;
	if (r->package && !strcmp(scope, r->package))
		return NULL;
	return dotted(r->a, scope);
}

static void name_it(const struct ctags_file *r, struct located_tag *p,
    const struct found_definition *up, struct definition *d)
{
	const char *around = name_around(r, p, up);
	bool in_type = up && type_in_list(up->def.kind, "class|interface|trait|struct");

	split_name(r, p, d);
	if (around && *around)
		d->qualified = qualified_join(r->a, around, d->qualified);
	if (in_type && !strcmp(d->kind, "function"))
		d->kind = "method";
	else if (in_type && !strcmp(d->kind, "variable"))
		d->kind = "field";
	else if (!around && !strcmp(d->kind, "method") && d->name == d->qualified)
		d->kind = "function";
}

/* Whether a word of its first line marks it as private. */
static bool hidden_line(const struct ctags_file *r, const struct located_tag *p)
{
	const char *words = r->t->of[r->lang].hidden;
	uint32_t from = p->at, to = r->line[p->tag.line];

	while (words && from < to) {
		uint32_t at = from;
		while (at < to && !isspace((unsigned char)r->text[at]))
			at++;
		if (at > from && type_in_list(arena_strn(r->a, r->text + from, at - from), words))
			return true;
		from = at + 1;
	}
	return false;
}

static bool is_hidden(const struct ctags_file *r, const struct located_tag *p)
{
	if (p->tag.access && type_in_list(p->tag.access, "private|protected"))
		return true;
	return hidden_line(r, p);
}

static const char *signature_of(
    const struct ctags_file *r, const struct located_tag *p, const char *name)
{
	static const char *closing[] = { "do", "is", "then", "->", "as" };
	static const struct rules rules = { .closing = { closing, LEN(closing) } };
	struct syntax_tree t = { .text = r->text, .n = r->n, .arena = r->a, .rules = &rules };

	if (!p->kind_rule->callable)
		return NULL;
	const char *signature = head_signature(&t, r->text + p->at, head_end(r, p) - p->at);
	if (signature && !*signature)
		return name;
	return signature;
}

/* Add the comment before the tag, unless the previous definition reaches into it. */
static void add_doc(const struct ctags_file *r, const struct located_tag *p,
    const struct found_definition *up, const struct found_definitions *out,
    struct found_definition *f)
{
	uint32_t doc = doc_start(r, (uint32_t)p->tag.line);

	if (doc >= p->tag.line)
		return;
	if (out->n && out->v[out->n - 1].def.start_line >= doc)
		return;
	f->def.doc = doc_text(r, doc, (uint32_t)p->tag.line - 1);
	f->from = r->line[doc - 1];
	if (up && f->from < up->from)
		f->from = p->at;
}

static const struct found_definition *definition_at(const struct found_definitions *out, int i)
{
	if (i < 0)
		return NULL;
	return &out->v[i];
}

static void define(const struct ctags_file *r, struct located_tag *p, struct found_definitions *out)
{
	const struct found_definition *up = definition_at(out, p->parent);
	struct found_definition f = {
		.from = p->at,
		.to = p->to,
		.has_body = p->end > p->tag.line,
		.first = true,
	};

	f.def = (struct definition){
		.kind = p->kind_rule->kind,
		.start_line = (uint32_t)p->tag.line,
		.end_line = p->end,
		.start_byte = p->at,
		.end_byte = p->to,
		.parent = p->parent,
	};
	name_it(r, p, definition_at(out, p->named), &f.def);
	f.def.signature = signature_of(r, p, f.def.name);
	if (p->tag.typeref && !strncmp(p->tag.typeref, "typename:", 9))
		f.def.type = p->tag.typeref + 9;
	f.nested = up && (up->nested || up->def.signature);
	f.hidden = is_hidden(r, p);
	f.def.exported = !f.hidden && !f.nested;
	if (up && !up->def.exported)
		f.def.exported = false;
	add_doc(r, p, up, out, &f);
	out->v = grow(out->v, &out->cap, out->n + 1, sizeof f);
	out->v[out->n++] = f;
}

/* Adds a minor name, which spans its line. */
static void add_minor(
    const struct ctags_file *r, const struct located_tag *p, struct found_definitions *out)
{
	uint32_t to = r->line[p->tag.line];

	while (to > p->at && isspace((unsigned char)r->text[to - 1]))
		to--;
	out->minors.v = grow(out->minors.v, &out->minors.cap, out->minors.n + 1, sizeof *out->minors.v);
	out->minors.v[out->minors.n++] = (struct minor_name){
		.name = arena_str(r->a, p->tag.name),
		.kind = p->kind_rule->kind,
		.start_line = (uint32_t)p->tag.line,
		.end_line = (uint32_t)p->tag.line,
		.start_byte = p->at,
		.end_byte = to,
	};
}

/* Moves the tags that are minor names out of the list. */
static void take_minors(struct ctags_file *r, struct found_definitions *out)
{
	size_t n = 0;

	for (size_t i = 0; i < r->count; i++) {
		struct located_tag *p = &r->v[i];
		if (!p->kind_rule->minor) {
			r->v[n++] = *p;
			continue;
		}
		p->at = r->line[p->tag.line - 1];
		add_minor(r, p, out);
	}
	r->count = n;
}

/* The end of a name in brackets that begins at `i`, or `i`.  `a[3]` is none. */
static size_t bracketed_name(const char *text, size_t n, size_t i)
{
	size_t k = i + 1;

	if (i && (isalnum((unsigned char)text[i - 1]) || strchr("_])", text[i - 1])))
		return i;
	if (k >= n || (!isalpha((unsigned char)text[k]) && text[k] != '_'))
		return i;
	while (k < n && (isalnum((unsigned char)text[k]) || text[k] == '_' || text[k] == ' '))
		k++;
	if (k < n && text[k] == ']')
		return k;
	return i;
}

/* A copy in which all quoted names are in double quotes. */
static const char *with_double_quotes(const char *text, size_t n, struct arena *a)
{
	char *copy = arena_strn(a, text, n);

	for (size_t i = 0; i < n; i++) {
		if (text[i] == '`')
			copy[i] = '"';
		if (text[i] != '[')
			continue;
		size_t end = bracketed_name(text, n, i);
		if (end > i)
			copy[i] = copy[end] = '"';
		i = end;
	}
	return copy;
}

int ctags_definitions_find(struct ctags_definitions *t, size_t lang, const char *text, size_t n,
    int timeout_ms, struct arena *a, struct found_definitions *out, const char **package)
{
	struct ctags_file r = { .t = t, .lang = lang, .text = text, .n = (uint32_t)n, .a = a };
	struct buf answer = { 0 };
	char *save = NULL;

	out->n = 0;
	if (!n || n > UINT32_MAX / 2)
		return -1;
	const char *sent = t->of[lang].quotes ? with_double_quotes(text, n, a) : text;
	if (ctags_request_tags(t->ctags, t->of[lang].name, sent, n, timeout_ms, &answer)) {
		buf_free(&answer);
		return -1;
	}
	r.line = text_line_starts(r.text, r.n, &r.lines, r.a);
	buf_str(&answer, "");
	for (char *s = strtok_r(answer.p, "\n", &save); s; s = strtok_r(NULL, "\n", &save))
		take(&r, s);
	buf_free(&answer);
	take_minors(&r, out);
	ctags_find_positions(&r);
	for (size_t i = 0; i < r.count; i++)
		define(&r, &r.v[i], out);
	free(r.v);
	*package = r.package;
	return 0;
}
