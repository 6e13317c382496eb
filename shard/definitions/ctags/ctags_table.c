#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/process/embedded.h"
#include "shard/definitions/ctags/ctags_internal.h"
#include "shard/definitions/ctags/ctags_process.h"
#include "shard/syntax/languages.h"

/* lang/ctags.tab: the languages that ctags is used for, and what its kinds mean. */

static const struct { const char *name; bool callable; } kinds[] = {
#define KIND(name, callable, doc) { #name, callable },
#include "proto/record/kinds.def"
};

static void option(struct ctags_definitions *t, const char *text)
{
	t->options.v = grow(t->options.v, &t->options.cap, t->options.n + 2, sizeof *t->options.v);
	t->options.v[t->options.n++] = text;
	t->options.v[t->options.n] = NULL;
}

/* kind [LANGUAGE.]WORD KIND|-, and the same with `minor` */
static const char *row_kind(struct ctags_definitions *t, char **word, int n)
{
	struct ctags_kind_rule m = { .word = word[1], .minor = !strcmp(word[0], "minor") };
	size_t i = 0;

	if (n != 3)
		return "not kind [LANGUAGE.]WORD KIND";
	char *dot = strchr(word[1], '.');
	if (dot) {
		*dot = '\0';
		m.lang = word[1];
		m.word = dot + 1;
	}
	while (i < LEN(kinds) && strcmp(kinds[i].name, word[2]))
		i++;
	m.package = !strcmp(word[2], "package");
	bool known = i < LEN(kinds);
	if (!known && !m.package && strcmp(word[2], "-") != 0)
		return "no such kind in proto/record/kinds.def";
	if (known) {
		m.kind = kinds[i].name;
		m.callable = kinds[i].callable;
	}
	t->kind_rules.v = grow(t->kind_rules.v, &t->kind_rules.cap, t->kind_rules.n + 1, sizeof m);
	t->kind_rules.v[t->kind_rules.n++] = m;
	return NULL;
}

/* The options of lang/<name>/options.ctags: what ctags does not know about the language. */
static void read_options(struct ctags_definitions *t, const char *name)
{
	const char *text = embedded_contents(
	    arena_printf(t->arena, "shard/lang/%s/options.ctags", name));

	while (text && *text) {
		size_t n = strcspn(text, "\n");
		if (n && *text != '#')
			option(t, arena_strn(t->arena, text, n));
		text += n;
		text += *text == '\n';
	}
}

/* `name=text`, or a flag.  NULL, or what is wrong with it. */
static const char *language_option(struct ctags_language *t, char *word)
{
	const struct {
		const char *name;
		const char **text;
		bool *flag;
	} rows[] = {
		{ "comment=", &t->comment, NULL },
		{ "split=", &t->split, NULL },
		{ "hidden=", &t->hidden, NULL },
		{ "refuse=", &t->refuse, NULL },
		{ "apart=", &t->apart, NULL },
		{ "local=", &t->local, NULL },
		{ "whole", NULL, &t->whole },
		{ "guess", NULL, &t->guess },
		{ "flat", NULL, &t->flat },
		{ "quotes", NULL, &t->quotes },
	};

	for (size_t i = 0; i < LEN(rows); i++) {
		size_t n = strlen(rows[i].name);
		if (strncmp(rows[i].name, word, n) || (rows[i].flag && word[n]))
			continue;
		if (rows[i].flag)
			*rows[i].flag = true;
		else
			*rows[i].text = word + n;
		return NULL;
	}
	return "unknown option";
}

/* lang NAME CTAGS option... */
static const char *row_lang(struct ctags_definitions *t, char **word, int n)
{
	size_t i = 0;

	while (n >= 3 && i < nlangs && strcmp(langs[i].name, word[1]))
		i++;
	if (n < 3 || i == nlangs)
		return "not lang NAME CTAGS, NAME one of langs.def";
	t->of[i].ctags = word[2];
	t->of[i].name = arena_printf(t->arena, "%s.atoll-%s", CTAGS_FILE_STEM, word[1]);
	for (int k = 3; k < n; k++) {
		const char *bad = language_option(&t->of[i], word[k]);
		if (bad)
			return bad;
	}
	read_options(t, word[1]);
	option(t, arena_printf(t->arena, "--langmap=%s:.atoll-%s", word[2], word[1]));
	return NULL;
}

static const char *row_read(void *t, char **word, int n)
{
	if (!strcmp(word[0], "none")) {
		if (n >= 3)
			return NULL;
		return "not none CTAGS REASON";
	}
	if (!strcmp(word[0], "kind") || !strcmp(word[0], "minor"))
		return row_kind(t, word, n);
	if (!strcmp(word[0], "lang"))
		return row_lang(t, word, n);
	return "unknown row";
}

struct ctags_definitions *ctags_definitions_new(struct err *e)
{
	struct arena *a = arena_new();
	struct ctags_definitions *t = arena_one(a, struct ctags_definitions);

	t->arena = a;
	t->of = arena_many(a, nlangs, struct ctags_language);
	if (!embedded_each_row("shard/lang/ctags.tab", a, row_read, t, e)) {
		t->ctags = ctags_new(t->options.v);
		return t;
	}
	ctags_definitions_free(t);
	return NULL;
}

void ctags_definitions_free(struct ctags_definitions *t)
{
	if (!t)
		return;
	ctags_free(t->ctags);
	free(t->kind_rules.v);
	free(t->options.v);
	arena_free(t->arena);
}

bool ctags_definitions_supports(const struct ctags_definitions *t, size_t lang)
{
	return t->of[lang].ctags;
}

bool ctags_definitions_missing(const struct ctags_definitions *t)
{
	return ctags_missing(t->ctags);
}
