#include "shard/search/name_fit.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "proto/record/hit_scores.h"
#include "proto/text/symbol_match.h"
#include "shard/index/document_prior.h"

enum { PARTS_MAX = 64 };	/* of a name or path; the first ones of a longer one are ignored */

/* The parts of a name, the last one first. */
struct name_parts {
	const char *v[PARTS_MAX];
	size_t n;
};

/* Adds the parts of a text between separators. */
static void add_parts(struct name_parts *p, const char *text, const char *separators,
    struct arena *a)
{
	size_t n = strlen(text);

	while (n && p->n < PARTS_MAX) {
		size_t to = n;
		while (n && !strchr(separators, text[n - 1]))
			n--;
		if (n < to)
			p->v[p->n++] = arena_strn(a, text + n, to - n);
		while (n && strchr(separators, text[n - 1]))
			n--;
	}
}

/* The length without a mark that some languages put behind names: `valid?`, `save!`, `name=`. */
static size_t unmarked(const char *name)
{
	size_t n = strlen(name);

	while (n > 1 && strchr("?!=", name[n - 1]))
		n--;
	return n;
}

/* How well one part of a name fits another one. */
static enum name_fit fit_part(const char *asked, const char *name, struct arena *a)
{
	size_t n = unmarked(asked);

	if (!strcmp(asked, name))
		return NAME_WRITTEN;
	if (n == unmarked(name) && !strncasecmp(asked, name, n))
		return NAME_FOLDED;
	if (symbol_has_key(name, symbol_key(asked, a)))
		return NAME_SIMILAR;
	return NAME_UNLIKE;
}

static enum name_fit fit_beginning(const char *asked, const char *name, struct arena *a)
{
	const char *key = symbol_key(asked, a);

	if (!strncmp(name, asked, strlen(asked)))
		return NAME_BEGINS;
	if (!strncmp(symbol_key(name, a), key, strlen(key)))
		return NAME_BEGINS_SIMILAR;
	return NAME_UNLIKE;
}

/*
 * The worst fit of the asked parts from the second on, compared with the names around a definition.
 * Its parents must follow one after the other; files and folders may be left out.
 */
static enum name_fit fit_around(
    const struct name_parts *asked, const struct named_definition *d, struct arena *a)
{
	struct name_parts around = { 0 };
	enum name_fit worst = NAME_WRITTEN;
	size_t k = 1;

	add_parts(&around, d->qualified, ".:#", a);
	size_t parents = around.n;
	add_parts(&around, d->path, "/.", a);
	for (size_t i = 1; i < around.n && k < asked->n; i++) {
		enum name_fit fit = fit_part(asked->v[k], around.v[i], a);
		if (fit > NAME_UNLIKE) {
			worst = MIN(worst, fit);
			k++;
		} else if (i < parents) {
			return NAME_UNLIKE;
		}
	}
	if (k < asked->n)
		return NAME_UNLIKE;
	return worst;
}

enum name_fit name_fit(const char *asked, const struct named_definition *d, struct arena *a)
{
	struct name_parts parts = { 0 };
	enum name_fit own, around;

	if (!strcmp(asked, d->name) || !strcmp(asked, d->qualified))
		return NAME_WRITTEN;
	own = fit_part(asked, d->name, a);
	if (own > NAME_UNLIKE)
		return own;
	add_parts(&parts, asked, ".:#/", a);
	if (!parts.n)
		return NAME_UNLIKE;
	own = fit_part(parts.v[0], symbol_base_name(d->name), a);
	around = fit_around(&parts, d, a);
	if (own == NAME_UNLIKE && around > NAME_UNLIKE)
		return fit_beginning(parts.v[0], symbol_base_name(d->name), a);
	if (own == NAME_UNLIKE)
		return NAME_UNLIKE;
	if (around == NAME_UNLIKE)
		return NAME_ELSEWHERE;
	return MIN(own, around);
}

double name_score_in_text(enum name_fit fit, const struct named_definition *d)
{
	static const double scores[NAME_FITS] = {
		[NAME_ELSEWHERE] = 1,
		[NAME_SIMILAR] = 1.5,
		[NAME_FOLDED] = 2,
		[NAME_WRITTEN] = NAME_IN_TEXT_MAX,
	};

	return scores[fit] * document_prior_of_file(d->test, d->language, d->path) / PRIOR_FULL;
}

/* ---- the order of definitions whose names fit equally well ---- */

/* A type is what people mean by its name; a constructor repeats it, a heading mentions it. */
static const struct kind_rank {
	const char *kind;
	int rank;
} kind_ranks[] = {
	{ "class", 7 }, { "interface", 7 }, { "trait", 7 }, { "struct", 7 }, { "enum", 7 },
	{ "type", 7 }, { "function", 6 }, { "method", 6 }, { "macro", 6 }, { "module", 5 },
	{ "constant", 4 }, { "variable", 4 }, { "field", 3 }, { "constructor", 2 },
};
enum { RANKS = 8 };

/* Of minor names, those of local variables and keys mean least. */
enum { RANK_MINOR_VALUE, RANK_MINOR };

static bool is_value(const char *kind)
{
	return !strcmp(kind, "variable") || !strcmp(kind, "field");
}

static int kind_rank(const struct named_definition *d)
{
	/* a shell script assigns its variables again and again, where others declare them */
	bool assigned = !strcmp(d->kind, "variable") && !strcmp(d->language, "bash");

	if (assigned || (d->minor && is_value(d->kind)))
		return RANK_MINOR_VALUE;
	if (d->minor)
		return RANK_MINOR;
	for (size_t i = 0; i < LEN(kind_ranks); i++)
		if (!strcmp(kind_ranks[i].kind, d->kind))
			return kind_ranks[i].rank;
	return 0;
}

/* Where a definition stands, from what people mean least. */
enum source {
	SOURCE_LEFT_OUT,
	SOURCE_GENERATED,
	SOURCE_TEST,
	SOURCE_BESIDE,	/* examples, copies, contributions, settings, prose */
	SOURCE_PAGE,	/* the script of a page, which no other file can use */
	SOURCE_OWN,
	SOURCES
};

/* Languages whose files are pages with scripts; html is markup anyway. */
static bool is_page(const char *language)
{
	static const char *const pages[] = { "vue", "svelte", "astro" };

	for (size_t i = 0; i < LEN(pages); i++)
		if (!strcmp(pages[i], language))
			return true;
	return false;
}

/* By convention the folder of what others contribute, beside the program; deeper it is a package. */
static bool is_contributed(const char *path)
{
	static const char folder[] = "contrib/";

	return !strncmp(path, folder, sizeof folder - 1);
}

static enum source source_of(const struct named_definition *d)
{
	if (d->left_out)
		return SOURCE_LEFT_OUT;
	if (d->generated)
		return SOURCE_GENERATED;
	if (d->test)
		return SOURCE_TEST;
	if (document_prior_of_names(d->language, d->path) < PRIOR_FULL || is_contributed(d->path))
		return SOURCE_BESIDE;
	if (is_page(d->language))
		return SOURCE_PAGE;
	return SOURCE_OWN;
}

static const double asked_scores[NAME_FITS] = {
	[NAME_BEGINS_SIMILAR] = NAME_SCORE_BEGINS_SIMILAR,
	[NAME_BEGINS] = NAME_SCORE_BEGINS,
	[NAME_ELSEWHERE] = NAME_SCORE_ELSEWHERE,
	[NAME_SIMILAR] = NAME_SCORE_SIMILAR,
	[NAME_FOLDED] = NAME_SCORE_FOLDED,
	[NAME_WRITTEN] = NAME_SCORE_WRITTEN,
};

static double score_of(enum name_fit fit, enum source source, int kind_rank)
{
	double rank = source * RANKS + kind_rank;

	return asked_scores[fit] + rank / (RANKS * SOURCES);
}

double name_score_asked(enum name_fit fit, const struct named_definition *d)
{
	if (fit == NAME_UNLIKE)
		return 0;
	/* a heading is no definition: one with the name comes after the definitions of similar names */
	if (!strcmp(d->kind, "section"))
		fit = MIN(fit, NAME_ELSEWHERE);
	/* a local variable is what people mean if nothing else has its name */
	return score_of(fit, source_of(d), kind_rank(d));
}

double name_score_minor_max(void)
{
	return score_of(NAME_WRITTEN, SOURCE_OWN, RANK_MINOR);
}
