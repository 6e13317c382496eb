#include "shard/contracts/crossfile/bind_handlers_internal.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/map.h"
#include "proto/base/minmax.h"
#include "proto/db/db.h"
#include "proto/process/embedded.h"
#include "shard/contracts/crossfile/crossfile.h"
#include "shard/syntax/languages.h"

static const char FILE_NAME[] = "shard/lang/answers.tab";

enum { MOST_MANIFEST = 1 << 20, LONGEST = 120, DEEP = 30 };

struct handler_rule {
	const char *language;
	const char *base, *signature, *manifest;	/* |-separated; NULL: not asked */
	struct handler_rule *next;
};

/* handler LANGUAGE [base=…] [signature=…] [manifest=…] */
static const char *row_handler(struct handler_binder *x, char **word, int n)
{
	struct handler_rule *r = arena_one(x->a, struct handler_rule), **end = &x->table.handlers;

	if (n < 3)
		return "not handler LANGUAGE CONDITION...";
	r->language = word[1];
	for (int i = 2; i < n; i++) {
		const struct { const char *key; const char **value; } keys[] = {
			{ "base=", &r->base }, { "signature=", &r->signature }, { "manifest=", &r->manifest },
		};
		size_t k = 0;
		while (k < LEN(keys) && strncmp(word[i], keys[k].key, strlen(keys[k].key)))
			k++;
		if (k == LEN(keys))
			return "unknown condition";
		*keys[k].value = word[i] + strlen(keys[k].key);
	}
	while (*end)
		end = &(*end)->next;
	*end = r;
	return NULL;
}

/* service TEXT|…, client TEXT|…, schema TEXT|…, ordinary WORD|…: rows of one kind add up. */
static const char *row_read(void *arg, char **word, int n)
{
	struct handler_binder *x = arg;
	const struct { const char *name; const char **list;
	} lists[] = {
		{ "service", &x->table.services },
		{ "client", &x->table.clients },
		{ "ordinary", &x->table.ordinary },
		{ "schema", &x->table.schemas },
	};

	if (!strcmp(word[0], "handler"))
		return row_handler(x, word, n);
	for (size_t i = 0; i < LEN(lists) && n == 2; i++)
		if (!strcmp(word[0], lists[i].name)) {
			if (*lists[i].list)
				*lists[i].list = arena_printf(x->a, "%s|%s", *lists[i].list, word[1]);
			else
				*lists[i].list = word[1];
			return NULL;
		}
	return "not a row";
}

int bind_handlers_load_table(struct handler_binder *x)
{
	return embedded_each_row(FILE_NAME, x->a, row_read, x, x->e);
}

/* The i-th of the words between bars, in `word`; false: there are no more. */
static bool nth_word(const char *words, size_t i, char word[LONGEST])
{
	while (words && i--) {
		words = strchr(words, '|');
		if (words)
			words++;
	}
	if (!words)
		return false;
	size_t length = strcspn(words, "|"), n = MIN(length, (size_t)LONGEST - 1);
	memcpy(word, words, n);
	word[n] = 0;
	return true;
}

static bool contains_any_word(const char *text, const char *words)
{
	char word[LONGEST];

	for (size_t i = 0; text && nth_word(words, i, word); i++)
		if (strstr(text, word))
			return true;
	return false;
}

/*
 * Whether the name of a base, without its arguments and its package, matches one of the patterns.
 */
static bool base_matches(const char *type, const char *patterns)
{
	char word[LONGEST], name[LONGEST];
	size_t length = strcspn(type, "<"), n = MIN(length, (size_t)LONGEST - 1);

	memcpy(name, type, n);
	name[n] = 0;
	const char *last = name, *dot = strrchr(name, '.');
	if (dot)
		last = dot + 1;
	for (size_t k = 0; nth_word(patterns, k, word); k++)
		if (!fnmatch(word, last, 0) && strlen(last) >= strlen(word))	/* `*` is not empty */
			return true;
	return false;
}

/* Whether the type that the method belongs to has a base whose name matches one of the patterns. */
static bool derived(struct handler_binder *x, const struct sym *s, const char *patterns)
{
	const struct file_symbols *u = program_file_symbols(x->w, &x->w->files[s->file]);
	const char *owner = NULL;

	s = program_load_symbol(x->w, s);
	if (s->parent < 0)
		return false;
	if ((size_t)s->parent < u->n)
		owner = u->v[s->parent].name;
	for (size_t i = 0; i < u->nbases; i++) {
		const struct base_type *b = &u->bases[i];
		bool by_name = b->owner && owner && !strcmp(b->owner, owner);
		if ((b->definition == s->parent || by_name) && base_matches(b->type, patterns))
			return true;
	}
	return false;
}

/* ---- manifests ---- */

static const char *const manifests[] = { "package.json", "go.mod", "pyproject.toml",
	"requirements.txt", "requirements.in", "setup.py", "setup.cfg", "Pipfile", "pom.xml",
	"build.gradle", "build.gradle.kts", "Cargo.toml", "Gemfile", "composer.json", "mix.exs" };

static void add_text(struct handler_binder *x, const char *path, struct buf *out)
{
	struct stmt *s = db_prep(x->db, "select blob from files where path = ? and size < ?", x->e);
	char blob[80] = "";

	if (!s || db_bind(s, "Si", path, (int64_t)MOST_MANIFEST))
		return;
	while (db_step(s, x->e) == 1)
		snprintf(blob, sizeof blob, "%s", db_str(s, 0));
	if (*blob)
		x->texts->get(x->texts->arg, path, blob, out);
}

const char *bind_handlers_manifests(struct handler_binder *x, const char *dir)
{
	void **at = map_at(x->manifests, dir);

	if (!*at) {
		struct buf b = { 0 };
		for (size_t i = 0; i < LEN(manifests); i++)
			add_text(x, arena_printf(x->a, "%s%s%s", dir, *dir ? "/" : "", manifests[i]), &b);
		*at = arena_strn(x->a, b.p, b.n);
		buf_free(&b);
	}
	return *at;
}

/* Shorten a folder to the one around it; "" for the root. */
static void to_parent(char *dir)
{
	char *slash = strrchr(dir, '/');

	if (slash)
		*slash = 0;
	else
		*dir = 0;
}

const char *bind_handlers_project(struct handler_binder *x, const char *path)
{
	char *dir = arena_str(x->a, path);

	for (int i = 0; i < DEEP; i++) {
		to_parent(dir);
		if (*bind_handlers_manifests(x, dir))
			return dir;
		if (!*dir)
			break;
	}
	return NULL;
}

/* Whether a manifest of the folder, or of one above it, has one of the words. */
static bool project_manifest_has(struct handler_binder *x, const char *dir, const char *words)
{
	char *at = arena_str(x->a, dir);

	for (;;) {
		if (contains_any_word(bind_handlers_manifests(x, at), words))
			return true;
		if (!*at)
			return false;
		to_parent(at);
	}
}

bool bind_handlers_rule_matches(
    struct handler_binder *x, const struct sym *s, const struct definition_position *at)
{
	const struct source_file *f = &x->w->files[s->file];
	const struct lang *l = lang_detect(f->path, "", 0);

	for (const struct handler_rule *r = x->table.handlers; l && r; r = r->next) {
		if (strcmp(r->language, lang_name(l)))
			continue;
		if (r->base && !derived(x, s, r->base))
			continue;
		if (r->signature && !contains_any_word(at->signature, r->signature))
			continue;
		if (!r->manifest || project_manifest_has(x, f->dir, r->manifest))
			return true;
	}
	return false;
}

bool bind_handlers_is_graphql_server(struct handler_binder *x, const char *dir)
{
	return dir && contains_any_word(bind_handlers_manifests(x, dir), x->table.schemas);
}

bool bind_handlers_is_server(struct handler_binder *x, const char *dir)
{
	const char *text = bind_handlers_manifests(x, dir);

	return contains_any_word(text, x->table.services) && !contains_any_word(text, x->table.clients);
}

bool bind_handlers_is_common_route(const struct handler_binder *x, const char *path)
{
	char word[LONGEST];

	if (!strcmp(path, "/") || *path != '/')
		return true;
	for (size_t i = 0; nth_word(x->table.ordinary, i, word); i++)
		for (const char *s = path; (s = strcasestr(s, word)); s++)
			if (s[-1] == '/' && strchr("/.", s[strlen(word)]))
				return true;
	return false;
}
