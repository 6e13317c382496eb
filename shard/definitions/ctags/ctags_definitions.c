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
#include "shard/definitions/ctags/ctags_process.h"
#include "shard/definitions/declaration_head.h"
#include "shard/definitions/definitions.h"
#include "shard/syntax/comment.h"
#include "shard/syntax/languages.h"
#include "shard/syntax/node_rules.h"

#define RECORD(r)               static const struct field r##_fields[] = {
#define FIELD(r, t, f, rule, d) { #f, d, T_##t, offsetof(struct r, f), NULL, rule },
#define END(r)                  }; static const struct record rec_##r = { #r, r##_fields, LEN(r##_fields), sizeof(struct r) };
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
		if (!strcmp(m->word, word) && (m->lang ? !strcmp(m->lang, lang) : !found))
			found = m;
	}
	if (found && (found->kind || found->package))
		return found;
	return NULL;
}

static void index_lines(struct ctags_file *r)
{
	uint32_t count = 1;

	for (uint32_t i = 0; i < r->n; i++)
		count += r->text[i] == '\n';
	r->line = arena_many(r->a, count + 1, uint32_t);
	for (uint32_t i = 0, k = 1; i < r->n; i++)
		if (r->text[i] == '\n')
			r->line[k++] = i + 1;
	r->lines = count;
	r->line[count] = r->n;
}

/* Whether its name stands behind a byte that says that it is one for nobody else: `.Ldone:`. */
static bool is_local(const struct ctags_file *r, const struct tag *t)
{
	const char *marks = r->t->of[r->lang].local, *line = r->text + r->line[t->line - 1];
	const char *name = marks ?
	    memmem(line, r->line[t->line] - r->line[t->line - 1], t->name, strlen(t->name)) :
	    NULL;

	return name && name > line && strchr(marks, name[-1]);
}

/* Whether the tag before it is the same in another spelling: `Open Shop`, `Open_Shop`. */
static bool is_respelled(const struct ctags_file *r, const struct located_tag *p)
{
	const struct located_tag *last = NULL;

	if (r->count)
		last = &r->v[r->count - 1];
	return last && last->tag.line == p->tag.line && last->kind_rule == p->kind_rule &&
	    !strcmp(symbol_key(last->tag.name, r->a), symbol_key(p->tag.name, r->a));
}

/* Keep a line of ctags' answer when it is a symbol. */
static void take(struct ctags_file *r, const char *json)
{
	struct located_tag p = { .order = r->count, .parent = -1, .named = -1 };

	if (json_get_lax(&rec_tag, &p.tag, json, r->a, NULL) || !p.tag.name || !p.tag.kind ||
	    !*p.tag.name || *p.tag.name == '{')
		return;
	const char *refuse = r->t->of[r->lang].refuse;
	if (!strcasecmp(p.tag.name, CTAGS_FILE_STEM) || (refuse && type_in_list(p.tag.name, refuse)))
		return;
	if (p.tag.line < 1 || p.tag.line > r->lines || strlen(p.tag.name) > MAX_NAME_BYTES)
		return;
	if (!(p.kind_rule = find_kind_rule(r->t, langs[r->lang].name, p.tag.kind)) ||
	    is_local(r, &p.tag) || is_respelled(r, &p))
		return;
	if (r->t->of[r->lang].flat)
		p.tag.scope = NULL;
	if (p.kind_rule->package) {
		r->package = p.tag.name;
		return;
	}
	if (p.tag.end >= p.tag.line && p.tag.end <= r->lines && !r->t->of[r->lang].guess)
		p.end = (uint32_t)p.tag.end;
	else
		p.end = 0;
	r->v = grow(r->v, &r->cap, r->count + 1, sizeof *r->v);
	r->v[r->count++] = p;
}

/* The first line of a callable, what its parentheses go on to, up to a brace. */
static uint32_t head_end(const struct ctags_file *r, const struct located_tag *p)
{
	uint32_t end = (uint32_t)p->tag.line;
	int depth = 0;

	for (uint32_t i = p->at; i < r->n && end <= r->lines; i++) {
		depth += r->text[i] == '(' ? 1 : r->text[i] == ')' ? -1 : 0;
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

/* The text of lines `from` to `to` without the marks of comments. */
static const char *doc_text(const struct ctags_file *r, uint32_t from, uint32_t to)
{
	const char *mark = r->t->of[r->lang].comment;
	struct buf b = { 0 };

	for (uint32_t k = from; k <= to; k++) {
		const char *s = r->text + r->line[k - 1], *end = r->text + r->line[k];
		while (s < end && (*s == ' ' || *s == '\t'))
			s++;
		if (ctags_is_comment_line(r, k))
			for (s += strlen(mark); s < end && *s == mark[strlen(mark) - 1];)
				s++;
		buf_put(&b, s, (size_t)(end - s));
	}
	while (b.n && isspace((unsigned char)b.p[b.n - 1]))
		b.n--;
	if (b.n > 1 && !memcmp(b.p + b.n - 2, "*)", 2))
		b.n -= 2;
	const char *doc = comment_text(b.p ? b.p : "", b.n, r->a);
	buf_free(&b);
	return doc;
}

/* The comment right before line `line`: the line it begins at, or `line`. */
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

/* A scope of ctags without a definition here, with dots. */
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

static void name_it(const struct ctags_file *r, struct located_tag *p,
    const struct found_definition *up, struct definition *d)
{
	const char *scope = r->package && p->tag.scope && !strcmp(p->tag.scope, r->package) ?
	    NULL :
	    p->tag.scope;
	const char *around = up ? up->def.qualified : scope ? dotted(r->a, scope) : NULL;

	split_name(r, p, d);
	if (around && *around)
		d->qualified = arena_printf(r->a, "%s.%s", around, d->qualified);
	if (up && !strcmp(d->kind, "function") &&
	    type_in_list(up->def.kind, "class|interface|trait|struct"))
		d->kind = "method";
	else if (up && !strcmp(d->kind, "variable") &&
	    type_in_list(up->def.kind, "class|interface|trait|struct"))
		d->kind = "field";
	else if (!around && !strcmp(d->kind, "method") && d->name == d->qualified)
		d->kind = "function";
}

/* Whether a word before the end of its first line says that it is private. */
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

static void define(const struct ctags_file *r, struct located_tag *p, struct found_definitions *out)
{
	const struct found_definition *up = p->parent < 0 ? NULL : &out->v[p->parent],
	                              *named = p->named < 0 ? NULL : &out->v[p->named];
	uint32_t doc = doc_start(r, (uint32_t)p->tag.line);
	struct found_definition f = {
		.from = p->at, .to = p->to, .has_body = p->end > p->tag.line, .first = true
	};
	static const char *closing[] = { "do", "is", "then", "->", "as" };
	static const struct rules rules = { .closing = { closing, LEN(closing) } };
	struct syntax_tree t = { .text = r->text, .n = r->n, .arena = r->a, .rules = &rules };

	f.def = (struct definition){ .kind = p->kind_rule->kind,
		.start_line = (uint32_t)p->tag.line,
		.end_line = p->end,
		.start_byte = p->at,
		.end_byte = p->to,
		.parent = p->parent };
	name_it(r, p, named, &f.def);
	if (p->kind_rule->callable)
		f.def.signature = head_signature(&t, r->text + p->at, head_end(r, p) - p->at);
	if (f.def.signature && !*f.def.signature)
		f.def.signature = f.def.name;
	if (p->tag.typeref && !strncmp(p->tag.typeref, "typename:", 9))
		f.def.type = p->tag.typeref + 9;
	f.nested = up && (up->nested || up->def.signature);
	f.hidden = (p->tag.access && type_in_list(p->tag.access, "private|protected")) ||
	    hidden_line(r, p);
	f.def.exported = !f.hidden && !f.nested && (!up || up->def.exported);
	if (doc < p->tag.line && (out->n == 0 || out->v[out->n - 1].def.start_line < doc)) {
		f.def.doc = doc_text(r, doc, (uint32_t)p->tag.line - 1);
		f.from = r->line[doc - 1];
		if (up && f.from < up->from)
			f.from = p->at;
	}
	out->v = grow(out->v, &out->cap, out->n + 1, sizeof f);
	out->v[out->n++] = f;
}

int ctags_definitions_find(struct ctags_definitions *t, size_t lang, const char *text, size_t n,
    int timeout_ms, struct arena *a, struct found_definitions *out, const char **package)
{
	struct ctags_file r = { .t = t, .lang = lang, .text = text, .n = (uint32_t)n, .a = a };
	struct buf answer = { 0 };

	out->n = 0;
	if (!n || n > UINT32_MAX / 2)
		return -1;
	if (ctags_request_tags(t->ctags, t->of[lang].name, text, n, timeout_ms, &answer)) {
		buf_free(&answer);
		return -1;
	}
	index_lines(&r);
	for (char *s = answer.p, *eol; s && (eol = strchr(s, '\n')); s = eol + 1) {
		*eol = '\0';
		take(&r, s);
	}
	buf_free(&answer);
	ctags_find_positions(&r);
	for (size_t i = 0; i < r.count; i++)
		define(&r, &r.v[i], out);
	free(r.v);
	*package = r.package;
	return 0;
}
