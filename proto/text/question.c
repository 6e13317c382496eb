#include "proto/text/question.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/base/optional_text.h"
#include "proto/text/route_question.h"
#include "proto/text/symbol_match.h"
#include "proto/text/tokens.h"
#include "proto/text/word_forms.h"

#define ALNUM "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

enum { PHRASES = 8, WORDS = 64, RAW_TERMS = 512, PATHS = 4, EXTENSION = 8, PREFIXES = 8,
    PREFIX_MIN = 2, SPELLED_MAX = 5, FORMS_TERMS_MAX = 24, NAMES_ENOUGH = 10,
    TERMS_MAX = RAW_TERMS + PREFIXES + PHRASES * PHRASE_WORDS + FORMS_TERMS_MAX * WORD_FORMS_MAX };

static const char blanks[] = " \t\r\n";

/* A phrase of whole lines, as it is pasted, without the line ends around it. */
static const char *trim_lines(const char *text, struct arena *a)
{
	size_t lead = strspn(text, blanks), n = strlen(text), last = n;

	if (!memchr(text, '\n', lead))
		lead = 0;
	while (last > lead && strchr(blanks, text[last - 1]))
		last--;
	if (memchr(text + last, '\n', n - last))
		n = last;
	return arena_strn(a, text + lead, n - lead);
}

static void add_phrase(struct question *q, const char *text, struct arena *a)
{
	struct phrase *p = &q->phrases[q->nphrases];
	struct terms t = terms_in_order(text, PHRASE_WORDS, a);
	bool blank = !text[strspn(text, blanks)];

	*p = (struct phrase){ .text = trim_lines(text, a), .n = t.n };
	for (size_t i = 0; i < t.n; i++)
		p->word[i] = t.v[i].text;
	q->nphrases += !blank;
}

/* Parses the parts in double quotes into phrases, and returns the text without them. */
static const char *parse_phrases(struct question *q, const char *text, struct arena *a)
{
	char *rest = arena_str(a, text), *w = rest;

	q->phrases = arena_many(a, PHRASES, struct phrase);
	for (const char *r = text; *r;) {
		const char *end = NULL;
		if (*r == '"')
			end = strchr(r + 1, '"');
		if (*r != '"') {
			*w++ = *r++;
			continue;
		}
		if (end && q->nphrases < PHRASES) {
			add_phrase(q, arena_strn(a, r + 1, (size_t)(end - r - 1)), a);
			r = end;
		}
		*w++ = ' ';
		r++;
	}
	*w = 0;
	return rest;
}

/* Whether a part of a compound begins here, after another one: loadUsers, HTTPServer. */
static bool begins_part(const char *c)
{
	if (!isupper((unsigned char)*c))
		return false;
	return islower((unsigned char)c[-1]) || islower((unsigned char)c[1]);
}

/*
 * Whether a word can only be a name: load_users, loadUsers, HTTPServer, os.path, a::b, but not
 * Users or 2nd.
 */
static bool is_name(const char *s)
{
	if (!*s)
		return false;
	for (const char *c = s + 1; *c; c++) {
		bool separator = c[1] && strchr("_.:/#", *c);
		if (separator || begins_part(c))
			return true;
	}
	return false;
}

/* The next word of the text, without punctuation at its end, or NULL if there is none. */
static const char *next_word(const char **text, size_t *n)
{
	static const char between[] = " \t\r\n\"'`,;()[]{}<>?!";
	const char *word = *text + strspn(*text, between);

	*n = strcspn(word, between);
	*text = word + *n;
	while (*n && strchr(".:/", word[*n - 1]))
		--*n;
	if (!*word)
		return NULL;
	return word;
}

/* content words: at most so many are keywords, at least so many are a sentence */
enum { KEYWORDS_MAX = 2, SENTENCE_MIN = 4 };

/*
 * Keeps the words that may be names of symbols.  In a sentence plain words are not: `get` and
 * `error` would match everything with that name.
 */
static void keep_names(struct question *q)
{
	size_t content = 0, kept = 0;

	for (size_t i = 0; i < q->nwords; i++)
		content += !term_is_stopword(q->words[i]);
	q->keywords = content <= KEYWORDS_MAX;
	for (size_t i = 0; i < q->nwords; i++) {
		bool keep;
		if (q->keywords)
			keep = !term_is_stopword(q->words[i]);
		else
			keep = is_name(q->words[i]);
		if (keep)
			q->words[kept++] = q->words[i];
	}
	q->nwords = kept;
}

static void collect_words(struct question *q, const char *text, struct arena *a)
{
	q->words = arena_many(a, WORDS, const char *);
	while (q->nwords < WORDS) {
		size_t n;
		const char *word = next_word(&text, &n);
		if (!word)
			break;
		if (n > 1 && word[n - 1] != '*')	/* a prefix is not a name */
			q->words[q->nwords++] = arena_strn(a, word, n);
	}
	q->literal = q->nwords == 1 && is_name(q->words[0]);
	keep_names(q);
}

/*
 * The text if it is one word, without quotes around it and without what may follow a name
 * (`get_user()`, `get_us*`), else NULL.  The separators of PHP and C become dots.
 */
static char *only_word(const char *text, struct arena *a)
{
	static const char around[] = " \t\r\n'`", after[] = "()[]{}<>,;'`";
	const char *from = text + strspn(text, around);
	size_t n = strlen(from);

	while (n && strchr(around, from[n - 1]))
		n--;
	n -= n && from[n - 1] == '*';
	char *word = arena_strn(a, from, n), *w = word;
	if (strpbrk(word, blanks) || strpbrk(word, "\"*"))
		return NULL;
	for (const char *r = word; *r; r++) {
		bool arrow = r[0] == '-' && r[1] == '>';
		r += arrow;
		*w++ = *r;
		if (arrow || *r == '\\')
			w[-1] = '.';
	}
	*w = 0;
	n = strcspn(word, after);
	while (n && strchr(".:/", word[n - 1]))
		n--;
	word[n] = 0;
	return word;
}

/*
 * A question of one word asks for the definition with this name, even if it is a word that says
 * little in a sentence.
 */
static void parse_name(struct question *q, const char *text, struct arena *a)
{
	char *name = only_word(text, a);

	if (!name || !terms_of(name, 1, a).n)
		return;
	q->name = name;
	q->name_is_prefix = strchr(text, '*') != NULL;
	q->words[0] = name;
	q->nwords = 1;
	q->literal = is_name(name);
}

/* Words that spell a name have no punctuation between them, and are few. */
static void parse_spelled_name(struct question *q, const char *text, struct arena *a)
{
	struct terms t = terms_in_order(text, SPELLED_MAX + 1, a);
	bool plain = text[strspn(text, ALNUM " ")] == '\0';

	if (plain && t.n > 1 && t.n <= SPELLED_MAX)
		q->spelled = symbol_key(text, a);
}

/* ---- files ---- */

/* The part of a word before `:120`, `:12-40`, `:12:5` or `#L120`, and its line. */
static const char *parse_line_number(const char *word, uint64_t *line, struct arena *a)
{
	size_t n = strcspn(word, ":#");
	const char *s = word + n;

	*line = 0;
	if (*s == ':')
		s++;
	else if (!strncmp(s, "#L", 2))
		s += 2;
	if (isdigit((unsigned char)*s))
		*line = strtoull(s, NULL, 10);
	if (*line)
		return arena_strn(a, word, n);
	return word;
}

/* Whether it ends like the name of a file: `.py`, `.h`, `.proto`. */
static bool has_extension(const char *path)
{
	const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');

	if (!dot || (slash && dot < slash))
		return false;
	const char *extension = dot + 1;
	size_t n = strlen(extension);
	if (n > EXTENSION || !isalpha((unsigned char)*extension))
		return false;
	return strspn(extension, ALNUM) == n;
}

/* Whether the word after the last dot has a capital, as names of files hardly ever have there. */
static bool ends_with_name(const char *path)
{
	const char *dot = strrchr(path, '.');

	for (const char *c = dot; c && *c; c++)
		if (isupper((unsigned char)*c))
			return true;
	return false;
}

/* Parses a word that looks like a path, perhaps with a line. */
static bool parse_path(const char *word, struct question_path *out, struct arena *a)
{
	const char *path = parse_line_number(word, &out->line, a);

	path += strspn(path, "/");
	if (!strncmp(path, "./", 2))
		path += 2;
	out->path = path;
	if (!*path || strstr(path, "::"))
		return false;
	return out->line || strchr(path, '/') || has_extension(path);
}

static void parse_paths(struct question *q, const char *text, struct arena *a)
{
	q->paths = arena_many(a, PATHS, struct question_path);
	q->only_paths = true;
	for (;;) {
		size_t n;
		const char *word = next_word(&text, &n);
		if (!word)
			return;
		struct question_path path;
		if (!parse_path(arena_strn(a, word, n), &path, a))
			q->only_paths = false;
		else if (q->npaths < PATHS)
			q->paths[q->npaths++] = path;
	}
}

/* Whether the question's name is rather a file than a definition in some object or module. */
static bool name_is_file(const struct question *q)
{
	return q->npaths && (q->paths[0].line || !ends_with_name(q->paths[0].path));
}

static const char *counted_name(const struct question *q, struct arena *a)
{
	if (!q->name || q->name_is_file || q->name_is_prefix)
		return NULL;
	return arena_printf(a, "%c%s", QUESTION_NAME_MARK, symbol_key(symbol_base_name(q->name), a));
}

/* ---- terms ---- */

static void add_term(struct question *q, const char *text)
{
	for (size_t i = 0; i < q->nterms; i++)
		if (!strcmp(q->terms[i], text))
			return;
	q->terms[q->nterms++] = text;
}

/* Adds the terms without stopwords, unless there are no others. */
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
 * Adds other forms of the terms, unless there are so many that most documents contain some anyway.
 */
static void expand_forms(struct question *q, struct arena *a)
{
	const char *forms[WORD_FORMS_MAX];

	q->noriginal = q->nterms;
	if (q->nphrases || q->noriginal > FORMS_TERMS_MAX)
		return;
	for (size_t i = 0; i < q->noriginal; i++) {
		size_t n = word_forms(q->terms[i], forms, a);
		for (size_t k = 0; k < n; k++)
			add_term(q, forms[k]);
	}
}

static bool is_word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Adds the `n` characters of a prefix and the `*` after them as a term. */
static void add_prefix(struct question *q, const char *prefix, size_t n, struct arena *a)
{
	char *term = arena_strn(a, prefix, n + 1);

	for (char *c = term; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	add_term(q, term);
}

/* Adds each word with `*` after it as a term, and returns the text without them. */
static const char *parse_prefixes(struct question *q, const char *text, struct arena *a)
{
	char *rest = arena_str(a, text);

	for (char *s = strchr(rest, '*'); s; s = strchr(s + 1, '*')) {
		char *from = s;
		while (from > rest && is_word_char(from[-1]))
			from--;
		size_t n = (size_t)(s - from);
		bool ends = !is_word_char(s[1]) && s[1] != '*';
		if (!ends || n < PREFIX_MIN || n >= TOKEN_MAX || q->nterms == PREFIXES)
			continue;
		add_prefix(q, from, n, a);
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

static size_t count_content(const char *text, struct arena *a)
{
	struct terms t = terms_in_order(text, WORDS, a);
	size_t content = 0;

	for (size_t i = 0; i < t.n; i++)
		content += !term_is_stopword(t.v[i].text);
	return content;
}

/*
 * Whether the words beside the phrases make a sentence, where quotes only stress a word.  Files are
 * no words of it.
 */
static bool is_sentence(const char *rest, struct arena *a)
{
	size_t content = 0;

	while (content < SENTENCE_MIN) {
		struct question_path path;
		size_t n;
		const char *word = next_word(&rest, &n);
		if (!word)
			return false;
		word = arena_strn(a, word, n);
		if (!parse_path(word, &path, a))
			content += count_content(word, a);
	}
	return true;
}

static void parse_route(struct question *q, const char *text, struct arena *a)
{
	struct route_path *path = arena_one(a, struct route_path);

	if (route_question_parse(text, &q->route_method, path, a))
		q->route = path;
}

int question_parse(struct question *q, const char *text, struct arena *a, struct err *e)
{
	*q = (struct question){ .terms = arena_many(a, TERMS_MAX, const char *) };
	const char *rest = parse_phrases(q, text, a);
	if (q->nphrases && is_sentence(rest, a)) {
		q->nphrases = 0;
		rest = text;
	}
	collect_words(q, text, a);
	parse_name(q, text, a);
	parse_route(q, text, a);
	parse_spelled_name(q, text, a);
	parse_paths(q, text, a);
	q->name_is_file = name_is_file(q);
	q->counted_name = counted_name(q, a);
	for (size_t i = 0; i < q->nphrases; i++)
		for (size_t k = 0; k < q->phrases[i].n; k++)
			add_term(q, q->phrases[i].word[k]);
	bool by_phrases = q->nterms > 0;
	if (!by_phrases)
		rest = parse_prefixes(q, rest, a);
	/* so far, terms come from phrases and prefixes */
	if (q->nterms || q->nphrases || q->only_paths)
		q->literal = true;
	if (!by_phrases)
		parse_terms(q, rest, a);
	expand_forms(q, a);
	if (q->nterms)
		return 0;
	err_set(e, ERR_INVALID_INPUT, "query: `%.60s` contains no word to search for", text);
	if (q->nphrases)
		err_hint(e,
		    "Texts are found by their words: quote a word beside the punctuation too, or add"
		    " one without quotes.");
	return -1;
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

bool question_wants_longer_names(const struct question *q, const struct search_req *req)
{
	bool filtered = req->kinds.n || req->languages.n || text_is_set(req->path_prefix);

	return !q->counted_name || filtered || req->names < NAMES_ENOUGH;
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
