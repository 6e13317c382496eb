#include "shard/contracts/urls/framework.h"

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
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
 * Look for each of `"TEXT" "TEXT"` under a number; a `'` at either end of one stands for any
 * quote.
 */
static void texts_read(struct frameworks *all, unsigned number, const char *texts)
{
	while (texts && *texts == '"') {
		size_t n = strcspn(texts + 1, "\"\n");
		char text[128];
		if (n && n < sizeof text) {
			memcpy(text, texts + 1, n);
			multi_search_add(all->needles, text, n, number);
			for (size_t i = 0; i < n; i += n > 1 ? n - 1 : 1) {
				if (text[i] == '\'')
					text[i] = '"';
			}
			if (memcmp(text, texts + 1, n))
				multi_search_add(all->needles, text, n, number);
		}
		texts += n + 2;
		texts += strspn(texts, " ");
	}
}

/*
 * `; framework: NAME   needs: "TEXT" "TEXT"   also: "TEXT"   unless: "TEXT"   emits: KIND.SIDE
 * only: FOLDER   with: NODE`
 */
static int header_read(
    struct framework *f, const char *file, const char *text, struct arena *a, struct err *e)
{
	size_t n = strcspn(text, "\n");
	const char *name = header(text, n, "framework:"), *emits = header(text, n, "emits:");
	const char *only = header(text, n, "only:"), *with = header(text, n, "with:"),
	           *settings = header(text, n, "settings:");
	const char *scope = header(text, n, "scope:");

	if (*text != ';' || !name || !emits || !strchr(word(a, emits, " \n"), '.'))
		return err_set(e, ERR_INTERNAL,
		    "%s:1: not `; framework: NAME   needs: \"TEXT\"   emits: KIND.SIDE`", file);
	f->name = word(a, name, " \n");
	if (only)
		f->only = word(a, only, " \n");
	else
		f->only = NULL;
	if (with)
		f->with = word(a, with, " \n");
	else
		f->with = NULL;
	if (settings && *settings == '"')
		f->settings = word(a, settings + 1, "\"\n");
	else
		f->settings = NULL;
	if (scope)
		f->scope = word(a, scope, " \n");
	else
		f->scope = NULL;
	f->kind = word(a, emits, ".");
	f->side = word(a, strchr(emits, '.') + 1, " \n");
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

static int load(const struct rules *r, struct arena *a, struct frameworks *all,
    const struct embedded *file, struct err *e)
{
	struct framework *f = arena_one(a, struct framework), **at = &all->first;

	while (*at)
		at = &(*at)->next;
	if (header_read(f, file->name, file->p, a, e))
		return -1;
	if ((f->only && strcmp(f->only, r->folders.v[0])) ||
	    (f->with &&
	        !ts_language_symbol_for_name(r->grammar, f->with, (uint32_t)strlen(f->with), true)))
		return 0;
	*at = f;
	for (struct framework *o = all->first; o != f; o = o->next)
		f->again |= framework_is_same(o, f);
	f->number = all->n++;
	f->also = all->n++;
	f->unless = all->n++;
	f->file = file;
	f->grammar = r->grammar;
	if (r->called.n)
		f->called = r->called.v[0];
	else
		f->called = NULL;
	size_t n = strcspn(file->p, "\n");
	const char *needs = header(file->p, n, "needs:"), *also = header(file->p, n, "also:");
	all->always[f->number] = !needs || *needs != '"';
	all->always[f->also] = !also;
	texts_read(all, f->number, needs);
	texts_read(all, f->also, also);
	texts_read(all, f->unless, header(file->p, n, "unless:"));
	return 0;
}

static struct query *compile(const struct framework *f, struct err *e)
{
	struct buf whole = { 0 }, text = { 0 };
	struct query *q = NULL;
	int rc = query_expand_each(f->file->p, &whole, e);

	if (!rc && f->called)
		query_expand_called(whole.p, f->called, &text);
	if (!rc)
		q = query_new(f->grammar, f->file->name, f->called ? text.p : whole.p, e);
	else
		err_add(e, "%s", f->file->name);
	buf_free(&whole);
	buf_free(&text);
	return q;
}

int framework_compile(struct framework *f, struct err *e)
{
	if (f->query || f->broken)
		return f->broken ? -1 : 0;
	f->query = compile(f, e);
	f->broken = !f->query || roles_check(f, e);
	f->global = f->query && query_has_property(f->query, "global");
	return f->broken ? -1 : 0;
}

static bool folder_has(struct arena *a, const char *folder, const struct embedded *f)
{
	const char *prefix = arena_printf(a, "shard/lang/%s/routes/", folder);

	return !strncmp(f->name, prefix, strlen(prefix));
}

int frameworks_load(const struct rules *r, struct arena *a, struct frameworks *all, struct err *e)
{
	size_t most = 0;

	for (const struct embedded *f = embedded_files; f->name; f++)
		most++;
	size_t numbers = 3 * most * r->folders.n + NGRAPHQL;
	*all = (struct frameworks){ .needles = multi_search_new(a), .always = arena_many(a, numbers, bool), .needed = arena_many(a, numbers, bool),
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
