#include "shard/program/module_rules.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/process/embedded.h"
#include "shard/syntax/languages.h"

enum { MAX_LANGUAGES = 128, MAX_INCLUDES = 4 };

/* Lives as long as the process. */
static struct {
	pthread_once_t once;
	struct arena *arena;
	struct dialect *of[MAX_LANGUAGES];	/* by row of langs.def */
	struct err e;
} all = { .once = PTHREAD_ONCE_INIT };

enum dialect_column { WORD, WORDS, FLAG, CHOICE, CHARACTER };

static const struct dialect_row {
	const char *name;
	enum dialect_column column;
	size_t off;
	const char *choices;	/* the values of an enum in its order, separated by blanks */
} rows[] = {
#define ROW(name, column, field, choices) { name, column, offsetof(struct dialect, field), choices }
	ROW("family", WORD, family, NULL),
	ROW("ecosystem", WORD, ecosystem, NULL),
	ROW("scheme", CHOICE, scheme, "path directory name"),
	ROW("share", CHOICE, share, "file directory package program"),
	ROW("separator", CHARACTER, separator, NULL),
	ROW("dots", FLAG, dots, NULL),
	ROW("slashes", FLAG, slashes, NULL),
	ROW("suffix", FLAG, suffix, NULL),
	ROW("path-package", FLAG, path_package, NULL),
	ROW("implicit-self", FLAG, implicit_self, NULL),
	ROW("overloads", FLAG, overloads, NULL),
	ROW("open-types", FLAG, open_types, NULL),
	ROW("parts", FLAG, parts, NULL),
	ROW("outer-packages", FLAG, outer_packages, NULL),
	ROW("structural", FLAG, structural, NULL),
	ROW("full-names", FLAG, full_names, NULL),
	ROW("super-same", FLAG, super_same, NULL),
	ROW("callable-types", FLAG, callable_types, NULL),
	ROW("implicit-receiver", FLAG, implicit_receiver, NULL),
	ROW("trait-methods", FLAG, trait_methods, NULL),
	ROW("bare-element", FLAG, bare_element, NULL),
	ROW("loader", WORD, loader, NULL),
	ROW("accessors", FLAG, accessors, NULL),
	ROW("called", WORD, called, NULL),
	ROW("type-suffix", WORD, type_suffix, NULL),
	ROW("item", WORD, item, NULL),
	ROW("packaged", FLAG, packaged, NULL),
	ROW("extensions", FLAG, extensions, NULL),
	ROW("headers", WORDS, headers, NULL),
	ROW("index", WORDS, index, NULL),
	ROW("shared-imports", WORDS, shared_imports, NULL),
	ROW("roots", WORDS, roots, NULL),
	ROW("configs", WORDS, configs, NULL),
	ROW("external", WORDS, external, NULL),
	ROW("builtin", WORDS, builtin, NULL),
	ROW("constructors", WORDS, constructors, NULL),
	ROW("makers", WORDS, makers, NULL),
	ROW("through", WORDS, through, NULL),
	ROW("element", WORDS, element, NULL),
	ROW("same", WORDS, same, NULL),
	ROW("class-self", WORDS, class_self, NULL),
	ROW("crate", WORDS, crate, NULL),
	ROW("here", WORDS, here, NULL),
	ROW("up", WORDS, up, NULL),
	ROW("stub", WORDS, stub, NULL),
	ROW("stub-maker", WORDS, stub_maker, NULL),
	ROW("stub-from", WORDS, stub_from, NULL),
	ROW("stub-loader", WORDS, stub_loader, NULL),
	ROW("stub-not", WORDS, stub_not, NULL),
	ROW("stub-suffix", WORDS, stub_suffix, NULL),
	ROW("stub-prefix", WORDS, stub_prefix, NULL),
	ROW("stub-snake", FLAG, stub_snake, NULL),
	ROW("stub-own", WORDS, stub_own, NULL),
	ROW("stub-value", FLAG, stub_value, NULL),
	ROW("servicer", WORDS, servicer, NULL),
	ROW("servicer-maker", WORDS, servicer_maker, NULL),
	ROW("servicer-not", WORDS, servicer_not, NULL),
	ROW("servicer-types", WORDS, servicer_types, NULL),
#undef ROW
};

bool word_list_has(const struct word_list *list, const char *word, size_t n)
{
	for (size_t i = 0; i < list->n; i++) {
		const char *x = list->v[i];
		if (n && *x != *word)	/* most words differ here, which is cheap to see */
			continue;
		if (!strncmp(x, word, n) && !x[n])
			return true;
	}
	return false;
}

/* There is room for as many words as the next power of two. */
static void add_word(struct word_list *list, const char *word)
{
	bool full = !(list->n & (list->n - 1));

	if (full) {
		const char **v = arena_many(all.arena, list->n * 2 + 1, const char *);
		if (list->n)
			memcpy(v, list->v, list->n * sizeof *v);
		list->v = v;
	}
	list->v[list->n++] = word;
}

static int choose(const char *choices, const char *word)
{
	size_t n = strlen(word);

	for (int i = 0; *choices; i++) {
		size_t len = strcspn(choices, " ");
		if (len == n && !memcmp(choices, word, n))
			return i;
		choices += len + (choices[len] == ' ');
	}
	return -1;
}

/* Store one value of a row in its field. */
static int set(struct dialect *d, const struct dialect_row *r, const char *value)
{
	char *at = (char *)d + r->off;
	int choice;

	switch (r->column) {
	case WORD:
		*(const char **)at = value;
		return 0;
	case WORDS:
		add_word((struct word_list *)at, value);
		return 0;
	case CHARACTER:
		*at = *value;
		return 0;
	case CHOICE:
		choice = choose(r->choices, value);
		if (choice < 0)
			return -1;
		*(int *)at = choice;
		return 0;
	case FLAG:
		break;
	}
	return -1;
}

static int read_into(struct dialect *, const char *folder, int depth, struct err *);

static const struct dialect_row *find_row(const char *name)
{
	for (size_t i = 0; i < LEN(rows); i++)
		if (!strcmp(rows[i].name, name))
			return &rows[i];
	return NULL;
}

static int read_row(struct dialect *d, char *line, int depth, struct err *e)
{
	char *save = NULL, *word = strtok_r(line, " \t", &save), *value = strtok_r(NULL, " \t", &save);

	if (!word || *word == '#')
		return 0;
	if (!strcmp(word, "include")) {
		if (value && depth < MAX_INCLUDES)
			return read_into(d, value, depth + 1, e);
		return -1;
	}
	const struct dialect_row *r = find_row(word);
	if (!r)
		return -1;
	if (!value) {
		if (r->column != FLAG)
			return -1;
		*(bool *)((char *)d + r->off) = true;
		return 0;
	}
	for (; value && *value != '#'; value = strtok_r(NULL, " \t", &save))
		if (set(d, r, value))
			return -1;
	return 0;
}

static int read_into(struct dialect *d, const char *folder, int depth, struct err *e)
{
	char file[200], *save = NULL;

	snprintf(file, sizeof file, "shard/lang/%s/modules.tab", folder);
	char *text = arena_str(all.arena, embedded_contents(file));
	if (!text)
		return err_set(e, ERR_INTERNAL, "%s: no such file", file);
	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		const char *copy = arena_str(all.arena, line);
		if (read_row(d, line, depth, e)) {
			if (e->code)
				return -1;
			return err_set(e, ERR_INTERNAL, "%s: not a row: %s", file, copy);
		}
	}
	return 0;
}

static bool is_page(const char *language)
{
	static const char *const pages[] = {
#define BLOCKS(name, ...) #name,
#include "shard/lang/langs.def"
	};

	for (size_t i = 0; i < LEN(pages); i++)
		if (!strcmp(pages[i], language))
			return true;
	return false;
}

static bool has_rules(const char *folder)
{
	char file[200];

	if (!folder)
		return false;
	snprintf(file, sizeof file, "shard/lang/%s/modules.tab", folder);
	return embedded_contents(file);
}

static void read_all(void)
{
	all.arena = arena_new();
	for (size_t i = 0; i < nlangs && i < MAX_LANGUAGES && !all.e.code; i++) {
		if (!has_rules(langs[i].folder))
			continue;
		struct dialect *d = arena_one(all.arena, struct dialect);
		d->name = langs[i].name;
		d->family = langs[i].name;
		d->page = is_page(langs[i].name);
		d->separator = '/';
		if (!read_into(d, langs[i].folder, 0, &all.e))
			all.of[i] = d;
	}
}

int dialects_read(struct err *e)
{
	pthread_once(&all.once, read_all);
	if (all.e.code && e)
		*e = all.e;
	return all.e.code ? -1 : 0;
}

const struct dialect *dialect_find(const char *language)
{
	for (size_t i = 0; i < nlangs && i < MAX_LANGUAGES; i++)
		if (!strcmp(langs[i].name, language))
			return all.of[i];
	return NULL;
}

const char *dialect_ecosystem(const struct dialect *d)
{
	if (d->ecosystem)
		return d->ecosystem;
	return d->family;
}
