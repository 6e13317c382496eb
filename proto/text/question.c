#include "proto/text/question.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/text/tokens.h"
#include "proto/text/word_forms.h"

#define ALNUM "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

enum { PHRASES = 8, WORDS = 64, RAW_TERMS = 512, PATHS = 4, EXTENSION = 8, PREFIXES = 8,
    PREFIX_MIN = 2, FORMS_TERMS_MAX = 24 };

static void add_phrase(struct question *q, const char *text, struct arena *a)
{
	struct phrase *p = &q->phrases[q->nphrases];
	struct terms t = terms_in_order(text, PHRASE_WORDS, a);

	*p = (struct phrase){ .n = t.n };
	for (size_t i = 0; i < t.n; i++)
		p->word[i] = t.v[i].text;
	q->nphrases += t.n > 0;
}

/* The parts between pairs of double quotes into phrases; the text without them. */
static const char *parse_phrases(struct question *q, const char *text, struct arena *a)
{
	char *rest = arena_str(a, text), *w = rest;

	q->phrases = arena_many(a, PHRASES, struct phrase);
	for (const char *r = text; *r;) {
		const char *end = NULL;
		if (*r == '"')
			end = strchr(r + 1, '"');
		if (!end || q->nphrases == PHRASES) {
			*w++ = *r == '"' ? ' ' : *r;
			r++;
			continue;
		}
		add_phrase(q, arena_strn(a, r + 1, (size_t)(end - r - 1)), a);
		*w++ = ' ';
		r = end + 1;
	}
	*w = 0;
	return rest;
}

/*
 * Whether a word can only be a name: load_users, loadUsers, HTTPServer, os.path, a::b; not Users,
 * nor 2nd.
 */
static bool is_name(const char *s)
{
	bool lower = false;

	for (const char *c = s; *c; c++) {
		if (c > s && c[1] && strchr("_.:/#", *c))
			return true;
		if (c > s && isupper((unsigned char)*c) && (lower || islower((unsigned char)c[1])))
			return true;
		lower = islower((unsigned char)*c);
	}
	return false;
}

/*
 * The next word of the text, without what stands behind it like a full stop; NULL: there is none.
 */
static const char *next_word(const char **text, size_t *n)
{
	static const char blanks[] = " \t\r\n\"'`,;()[]{}<>?!";
	const char *word = *text + strspn(*text, blanks);

	*n = strcspn(word, blanks);
	*text = word + *n;
	while (*n && strchr(".:/", word[*n - 1]))
		--*n;
	return *word ? word : NULL;
}

/* words of a question that is no sentence; at least so many are one */
enum { KEYWORDS_MAX = 2, SENTENCE_MIN = 4 };

/*
 * In a sentence plain words are no names of symbols: `get` and `error` would bring everything that
 * is called so.
 */
static void keep_names(struct question *q)
{
	size_t content = 0, kept = 0;

	for (size_t i = 0; i < q->nwords; i++)
		content += !term_is_stopword(q->words[i]);
	for (size_t i = 0; i < q->nwords; i++)
		if (content <= KEYWORDS_MAX ? !term_is_stopword(q->words[i]) : is_name(q->words[i]))
			q->words[kept++] = q->words[i];
	q->nwords = kept;
}

static void collect_words(struct question *q, const char *text, struct arena *a)
{
	const char *word;
	size_t n;

	q->words = arena_many(a, WORDS, const char *);
	while (q->nwords < WORDS && (word = next_word(&text, &n)))
		if (n > 1 && word[n - 1] != '*')	/* a beginning is no name */
			q->words[q->nwords++] = arena_strn(a, word, n);
	q->literal = q->nwords == 1 && is_name(q->words[0]);
	keep_names(q);
}

/* ---- files ---- */

/* The part of a word in front of `:120`, `:12-40`, `:12:5` or `#L120`, and its line. */
static const char *parse_line_number(const char *word, uint64_t *line, struct arena *a)
{
	size_t n = strcspn(word, ":#");
	const char *s = word + n;

	*line = 0;
	s += *s == '#' && s[1] == 'L' ? 2 : *s == ':';
	if (isdigit((unsigned char)*s))
		*line = strtoull(s, NULL, 10);
	if (*line)
		return arena_strn(a, word, n);
	return word;
}

/* Whether it ends like the name of a file: `.py`, `.h`, `.proto`. */
static bool has_extension(const char *path)
{
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path,
	           *dot = strrchr(name, '.');

	return dot && isalpha((unsigned char)dot[1]) && strlen(dot + 1) <= EXTENSION &&
	    !dot[1 + strspn(dot + 1, ALNUM)];
}

static void parse_paths(struct question *q, const char *text, struct arena *a)
{
	const char *word;
	size_t n, others = 0;

	q->paths = arena_many(a, PATHS, struct question_path);
	while ((word = next_word(&text, &n))) {
		uint64_t line;
		const char *path = parse_line_number(arena_strn(a, word, n), &line, a);
		path += strspn(path, "/");
		path += !strncmp(path, "./", 2) ? 2 : 0;
		bool file = *path && (line || strchr(path, '/') || has_extension(path)) &&
		    !strstr(path, "::");
		if (file && q->npaths < PATHS)
			q->paths[q->npaths++] = (struct question_path){ path, line };
		others += !file;
	}
	q->only_paths = !others;
}

/* ---- terms ---- */

static void add_term(struct question *q, const char *text)
{
	for (size_t i = 0; i < q->nterms; i++)
		if (!strcmp(q->terms[i], text))
			return;
	q->terms[q->nterms++] = text;
}

/* Words that say nothing are left out, unless there are no others. */
static void parse_terms(struct question *q, const char *text, struct arena *a)
{
	struct terms t = terms_of(text, RAW_TERMS, a);
	size_t content = 0;

	for (size_t i = 0; i < t.n; i++)
		content += !term_is_stopword(t.v[i].text);
	for (size_t i = 0; i < t.n; i++)
		if (!content || !term_is_stopword(t.v[i].text))
			add_term(q, t.v[i].text);
}

/*
 * Further terms: other forms of the words, unless there are so many words that most documents hold
 * some.
 */
static void expand_forms(struct question *q, struct arena *a)
{
	const char *forms[WORD_FORMS_MAX];

	q->noriginal = q->nterms;
	for (size_t i = 0; i < q->noriginal && q->noriginal <= FORMS_TERMS_MAX && !q->nphrases; i++) {
		size_t n = word_forms(q->terms[i], forms, a);
		for (size_t k = 0; k < n; k++)
			add_term(q, forms[k]);
	}
}

/* Words with `*` behind them, each a term; the text without them. */
static const char *parse_prefixes(struct question *q, const char *text, struct arena *a)
{
	char *rest = arena_str(a, text);

	for (char *s = rest; (s = strchr(s, '*')); s++) {
		char *from = s;
		while (from > rest && (isalnum((unsigned char)from[-1]) || from[-1] == '_'))
			from--;
		size_t n = (size_t)(s - from);
		bool ends = !isalnum((unsigned char)s[1]) && s[1] != '_' && s[1] != '*';
		if (n < PREFIX_MIN || n >= TOKEN_MAX || !ends || q->nterms == PREFIXES)
			continue;
		char *term = arena_strn(a, from, n + 1);
		for (char *c = term; *c; c++)
			*c = (char)tolower((unsigned char)*c);
		add_term(q, term);
		memset(from, ' ', n);
	}
	return rest;
}

const char *question_prefix(const char *term, struct arena *a)
{
	size_t n = strlen(term);

	if (n && term[n - 1] == '*')
		return arena_strn(a, term, n - 1);
	return NULL;
}

/*
 * Whether the words beside the phrases make a sentence: there quotes stress a word, and demand
 * nothing.
 */
static bool is_sentence(const char *rest, struct arena *a)
{
	struct terms t = terms_in_order(rest, WORDS, a);
	size_t content = 0;

	for (size_t i = 0; i < t.n; i++)
		content += !term_is_stopword(t.v[i].text);
	return content >= SENTENCE_MIN;
}

int question_parse(struct question *q, const char *text, struct arena *a, struct err *e)
{
	*q = (struct question){ .terms = arena_many(a, RAW_TERMS + PREFIXES + PHRASES * PHRASE_WORDS + FORMS_TERMS_MAX * WORD_FORMS_MAX, const char *) };
	const char *rest = parse_phrases(q, text, a);
	if (q->nphrases && is_sentence(rest, a)) {
		q->nphrases = 0;
		rest = text;
	}
	collect_words(q, text, a);
	parse_paths(q, text, a);
	for (size_t i = 0; i < q->nphrases; i++)
		for (size_t k = 0; k < q->phrases[i].n; k++)
			add_term(q, q->phrases[i].word[k]);
	if (!q->nphrases)
		rest = parse_prefixes(q, rest, a);
	q->literal |= q->nterms || q->only_paths;	/* of phrases and beginnings */
	if (!q->nphrases)
		parse_terms(q, rest, a);
	expand_forms(q, a);
	if (q->nterms)
		return 0;
	return err_set(e, ERR_INVALID_INPUT, "query: `%.60s` holds no word to search for", text);
}

static int rarest_first(const void *a, const void *b)
{
	const struct term_count *x = a, *y = b;

	if (x->documents != y->documents) {
		if (x->documents < y->documents)
			return -1;
		return 1;
	}
	return strcmp(x->term, y->term);
}

size_t question_select_terms(const struct question *q, struct term_count *v, size_t n)
{
	size_t kept = 0;

	if (q->nphrases)
		return n;
	for (size_t i = 0; i < n; i++)
		if (v[i].documents)
			v[kept++] = v[i];
	if (kept > QUESTION_TERMS) {
		qsort(v, kept, sizeof *v, rarest_first);
		kept = QUESTION_TERMS;
	}
	return kept;
}
