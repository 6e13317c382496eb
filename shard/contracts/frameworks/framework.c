#include "shard/contracts/frameworks/framework.h"

#include <stdio.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/process/embedded.h"
#include "shard/base/multi_search.h"
#include "shard/contracts/graphql/graphql.h"
#include "shard/syntax/node_rules.h"
#include "shard/syntax/query_source.h"

const char *const roles[NROLES] = { "site", "path", "method", "handler", "prefix", "scope", "bind",
	"object", "class", "base", "options", "service", "instance", "version", "except", "rewrite",
	"exchange", "queue", "intercept" };

/* The value of `key:` in a framework's header, or NULL. */
static const char *header(const char *text, size_t n, const char *key)
{
	const char *at = memmem(text, n, key, strlen(key));

	if (at)
		return at + strlen(key) + strspn(at + strlen(key), " ");
	return NULL;
}

static const char *word(struct arena *a, const char *s, const char *ends)
{
	return arena_strn(a, s, strcspn(s, ends));
}

/*
 * Search for each of `"TEXT" "TEXT"` under a number.  A `'` at either end of a text stands for both
 * kinds of quotes.
 */
static void texts_read(struct frameworks *all, unsigned number, const char *texts)
{
	while (texts && *texts == '"') {
		size_t n = strcspn(texts + 1, "\"\n");
		char text[128];
		if (n && n < sizeof text) {
			memcpy(text, texts + 1, n);
			multi_search_add(all->needles, text, n, number);
			if (*text == '\'')
				*text = '"';
			if (text[n - 1] == '\'')
				text[n - 1] = '"';
			if (memcmp(text, texts + 1, n))
				multi_search_add(all->needles, text, n, number);
		}
		texts += n + 2;
		texts += strspn(texts, " ");
	}
}

/* The word behind `key:` in the header, up to one of `ends`; NULL: there is no such key. */
static const char *header_word(struct arena *a, const char *text, const char *key, const char *ends)
{
	const char *s = header(text, strcspn(text, "\n"), key);

	if (s)
		return word(a, s, ends);
	return NULL;
}

static const char LANGUAGES[] = "shard/lang/";

enum { MAX_FOLDERS = 4 };	/* of a language: its own and those that it includes */

/* What a file of queries begins a side with, if it has several; what is before is for all of them. */
static const char SIDE[] = "\n; emits:";

/*
 * `; framework: NAME   needs: "TEXT" "TEXT"   also: "TEXT"   unless: "TEXT"   emits: KIND.SIDE
 * only: FOLDER   with: NODE`; `side`: where `emits:` stands, the same text or a line further down.
 */
static int header_read(struct framework *f, const char *file, const char *text, const char *side,
    struct arena *a, struct err *e)
{
	const char *emits = header_word(a, side, "emits:", " \n");
	const char *settings = header(text, strcspn(text, "\n"), "settings:");
	const char *dot = NULL;

	f->name = header_word(a, text, "framework:", " \n");
	if (emits)
		dot = strchr(emits, '.');
	if (*text != ';' || !f->name || !dot)
		return err_set(e, ERR_INTERNAL,
		    "%s:1: not `; framework: NAME   needs: \"TEXT\"   emits: KIND.SIDE`", file);
	f->only = header_word(a, text, "only:", " \n");
	f->with = header_word(a, text, "with:", " \n");
	f->scope = header_word(a, text, "scope:", " \n");
	if (settings && *settings == '"')
		f->settings = word(a, settings + 1, "\"\n");
	f->kind = arena_strn(a, emits, (size_t)(dot - emits));
	f->side = dot + 1;
	return 0;
}

static int roles_check(struct framework *f, struct err *e)
{
	const struct query *q = f->query;
	const char *name;

	for (uint32_t i = 0; (name = query_capture(q, i)); i++) {
		bool found = *name == '_';
		for (size_t k = 0; k < NROLES; k++)
			found |= !strcmp(roles[k], name);
		if (!found)
			return err_set(e, ERR_INTERNAL, "%s: no such capture: @%s", f->file->name, name);
		f->intercepts |= !strcmp(roles[ROLE_INTERCEPT], name);
	}
	return 0;
}

/* Whether a framework's file is not for the language or its grammar. */
static bool is_for_another(const struct framework *f, const struct rules *r)
{
	if (f->only && strcmp(f->only, r->folders.v[0]))
		return true;
	if (!f->with)
		return false;
	return !ts_language_symbol_for_name(r->grammar, f->with, (uint32_t)strlen(f->with), true);
}

/* The line of the next side of a file behind `s`, or NULL. */
static const char *next_side(const char *s)
{
	s = strstr(s, SIDE);
	if (s)
		return s + 1;
	return NULL;
}

/*
 * The queries of one side: those of the others become empty lines, so that errors name the right
 * line.
 */
static const char *queries_of_side(const char *text, const char *side, struct arena *a)
{
	const char *end = next_side(side), *first = next_side(text);

	if (side == text)
		return text;
	if (!end)
		end = text + strlen(text);
	char *queries = arena_strn(a, text, (size_t)(end - text));
	for (char *s = queries + (first - text); s < queries + (side - text); s++)
		if (*s != '\n')
			*s = ' ';
	return queries;
}

/* The value of a key of a side, which may say another one than the whole file; or NULL. */
static const char *key_of_side(const char *text, const char *side, const char *key)
{
	const char *value = header(side, strcspn(side, "\n"), key);

	if (value)
		return value;
	return header(text, strcspn(text, "\n"), key);
}

/* One side of a file of queries. */
static int load_side(const struct rules *r, struct arena *a, struct frameworks *all,
    const struct embedded *file, const char *side, struct err *e)
{
	struct framework *f = arena_one(a, struct framework), **at = &all->first;

	while (*at)
		at = &(*at)->next;
	if (header_read(f, file->name, file->p, side, a, e))
		return -1;
	if (is_for_another(f, r))
		return 0;
	*at = f;
	for (struct framework *o = all->first; o != f; o = o->next)
		f->again |= framework_is_same(o, f);
	f->number = all->n++;
	f->also = all->n++;
	f->unless = all->n++;
	f->file = file;
	f->queries = queries_of_side(file->p, side, a);
	f->rules = r;
	const char *needs = key_of_side(file->p, side, "needs:"),
	           *also = key_of_side(file->p, side, "also:");
	all->always[f->number] = !needs || *needs != '"';
	all->always[f->also] = !also;
	texts_read(all, f->number, needs);
	texts_read(all, f->also, also);
	texts_read(all, f->unless, key_of_side(file->p, side, "unless:"));
	return 0;
}

static int load(const struct rules *r, struct arena *a, struct frameworks *all,
    const struct embedded *file, struct err *e)
{
	const char *side = next_side(file->p);

	if (!side)
		return load_side(r, a, all, file, file->p, e);
	for (; side; side = next_side(side))
		if (load_side(r, a, all, file, side, e))
			return -1;
	return 0;
}

/* Append the queries of a file with their shapes, those of lang/<folder>/shapes.scm, and rows. */
static int expand(const struct framework *f, struct buf *out, struct err *e)
{
	const char *shapes[MAX_FOLDERS];
	const struct word_set *folders = &f->rules->folders;
	size_t n = MIN(folders->n, MAX_FOLDERS);
	struct buf with_shapes = { 0 };

	for (size_t i = 0; i < n; i++) {
		char name[80];
		snprintf(name, sizeof name, "%s%s/shapes.scm", LANGUAGES, folders->v[i]);
		shapes[i] = embedded_contents(name);
	}
	int rc = query_expand_shapes(f->queries, shapes, n, &with_shapes, e);
	buf_str(&with_shapes, "");
	if (!rc)
		rc = query_expand_each(with_shapes.p, out, e);
	buf_free(&with_shapes);
	return rc;
}

static struct query *compile(const struct framework *f, struct err *e)
{
	const struct rules *r = f->rules;
	struct buf whole = { 0 }, expanded = { 0 };
	struct query *q = NULL;

	if (expand(f, &whole, e)) {
		err_add(e, "%s", f->file->name);
	} else if (r->called.n) {
		query_expand_called(whole.p, r->called.v[0], &expanded);
		q = query_new(r->grammar, f->file->name, expanded.p, e);
	} else {
		q = query_new(r->grammar, f->file->name, whole.p, e);
	}
	buf_free(&whole);
	buf_free(&expanded);
	return q;
}

int framework_compile(struct framework *f, struct err *e)
{
	if (f->broken)
		return -1;
	if (f->query)
		return 0;
	f->query = compile(f, e);
	f->broken = !f->query || roles_check(f, e);
	f->global = f->query && query_has_property(f->query, "global");
	if (f->broken)
		return -1;
	return 0;
}

static bool folder_has(struct arena *a, const char *folder, const struct embedded *f)
{
	const char *prefix = arena_printf(a, "%s%s/routes/", LANGUAGES, folder);

	return !strncmp(f->name, prefix, strlen(prefix));
}

/* How many sides a file of queries has; one, if it is none. */
static size_t sides_of(const char *text)
{
	size_t n = 0;

	for (const char *s = next_side(text); s; s = next_side(s))
		n++;
	return MAX(n, 1);
}

int frameworks_load(const struct rules *r, struct arena *a, struct frameworks *all, struct err *e)
{
	size_t most = 0;

	for (const struct embedded *f = embedded_files; f->name; f++)
		if (!strncmp(f->name, LANGUAGES, sizeof LANGUAGES - 1))
			most += sides_of(f->p);
	size_t numbers = 3 * most * r->folders.n + NGRAPHQL;
	*all = (struct frameworks){ .needles = multi_search_new(a),
		.always = arena_many(a, numbers, bool),
		.needed = arena_many(a, numbers, bool),
		.refused = arena_many(a, numbers, bool) };
	for (size_t i = 0; i < r->folders.n; i++)
		for (const struct embedded *f = embedded_files; f->name; f++)
			if (folder_has(a, r->folders.v[i], f) && load(r, a, all, f, e))
				return -1;
	all->graphql = all->n;
	all->n += NGRAPHQL;
	for (const struct graphql_text *t = graphql_texts; t->text; t++)
		multi_search_add(all->needles, t->text, strlen(t->text), all->graphql + t->kind);
	multi_search_compile(all->needles);
	return 0;
}

void frameworks_detect(struct frameworks *all, const struct syntax_tree *t)
{
	memcpy(all->needed, all->always, all->n * sizeof *all->needed);
	multi_search_find(all->needles, t->text, t->n, all->needed);
	for (const struct framework *f = all->first; f; f = f->next) {
		bool fits = all->needed[f->also] && !all->needed[f->unless];
		all->refused[f->number] = all->needed[f->number] && !fits;
		all->needed[f->number] &= fits;
	}
}

bool framework_is_same(const struct framework *a, const struct framework *b)
{
	return !strcmp(a->name, b->name) && !strcmp(a->side, b->side);
}
