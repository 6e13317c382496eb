#include "proto/text/tokens.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"

enum kind { OTHER, LOWER, UPPER, DIGIT, LINE };

static const uint8_t kinds[256] = {
	['0' ... '9'] = DIGIT,
	['A' ... 'Z'] = UPPER,
	['a' ... 'z'] = LOWER,
	['_'] = LINE,
	[0x80 ... 0xff] = LOWER,
};

static enum kind kind(char c)
{
	return kinds[(unsigned char)c];
}

bool token_is_word_byte(char c)
{
	return kind(c) != OTHER;
}

static bool ends(const char *s, size_t n, const char *with)
{
	size_t m = strlen(with);

	return n >= m && !memcmp(s + n - m, with, m);
}

/* Harman's "s" stemmer, shortened so that it does not change its own results. */
size_t token_singular(char *s, size_t n)
{
	if (n < 4 || s[n - 1] != 's' || ends(s, n, "us") || ends(s, n, "is"))
		return n;
	if (ends(s, n, "sses") || ends(s, n, "xes") || ends(s, n, "tches"))
		return n - 2;
	if (ends(s, n, "ss"))
		return n;
	if (ends(s, n, "ies") && n > 4) {
		s[n - 3] = 'y';
		return n - 2;
	}
	return n - 1;
}

struct splitter {
	int (*each)(void *, const struct token *);
	void *arg;
};

static int emit(
    const struct splitter *p, const char *s, size_t n, size_t start, size_t end, bool same)
{
	char low[TOKEN_MAX];

	n = MIN(n, sizeof low);
	for (size_t i = 0; i < n; i++)
		low[i] = (char)(kind(s[i]) == UPPER ? s[i] | 0x20 : s[i]);
	struct token t = { low, token_singular(low, n), start, end, same };
	return p->each(p->arg, &t);
}

/* The end of the part that starts at i: fooBar, FOOBar, foo_bar and foo2 have two parts each. */
static size_t part_end(const char *s, size_t i, size_t n)
{
	enum kind k = kind(s[i]);
	size_t j = i + 1;

	if (k == UPPER && j < n && kind(s[j]) == LOWER)
		k = LOWER;
	while (j < n && kind(s[j]) == k) {
		if (k == UPPER && j + 1 < n && kind(s[j + 1]) == LOWER)
			break;
		j++;
	}
	return j;
}

static int parts(const struct splitter *p, const char *s, size_t n, size_t at)
{
	int rc = 0;

	for (size_t i = 0; i < n && !rc;) {
		if (s[i] == '_') {
			i++;
			continue;
		}
		size_t j = part_end(s, i, n);
		if (j - i > 1 && j - i < n)
			rc = emit(p, s + i, j - i, at, at + n, true);
		i = j;
	}
	return rc;
}

/* Moves *i to the next word and returns the end of it.  Both are n if there is none. */
static size_t next_word(const char *text, size_t n, size_t *i)
{
	while (*i < n && kind(text[*i]) == OTHER)
		++*i;
	size_t j = *i;
	while (j < n && kind(text[j]) != OTHER)
		j++;
	return j;
}

void tokens_each_word(
    const char *text, size_t n, void (*each)(void *, const char *word, size_t n), void *arg)
{
	for (size_t i = 0;;) {
		size_t j = next_word(text, n, &i);
		if (j == i)
			return;
		each(arg, text + i, j - i);
		i = j;
	}
}

int tokens_each(const char *text, size_t n, bool want_parts,
    int (*each)(void *, const struct token *), void *arg)
{
	const struct splitter p = { each, arg };
	int rc = 0;

	for (size_t i = 0; !rc;) {
		size_t j = next_word(text, n, &i), a = i, b = j;
		if (j == i)
			break;
		while (a < b && text[a] == '_')
			a++;
		while (b > a && text[b - 1] == '_')
			b--;
		if (a < b)
			rc = emit(&p, text + a, b - a, i, j, false);
		if (a < b && !rc && want_parts)
			rc = parts(&p, text + a, b - a, a);
		i = j;
	}
	return rc;
}

struct term_collector {
	struct terms t;
	size_t max;
	const char *text;
	struct arena *a;
	bool with_repeats;		/* whether a repeated term is added again */
};

static bool has_term(const struct terms *v, const struct token *t)
{
	for (size_t i = 0; i < v->n; i++)
		if (strlen(v->v[i].text) == t->n && !memcmp(v->v[i].text, t->text, t->n))
			return true;
	return false;
}

static int collect_term(void *arg, const struct token *t)
{
	struct term_collector *g = arg;

	if (!g->with_repeats && has_term(&g->t, t))
		return 0;
	g->t.v[g->t.n++] = (struct term){
		arena_strn(g->a, t->text, t->n),
		arena_strn(g->a, g->text + t->start, t->end - t->start),
		t->same_position,
	};
	return g->t.n == g->max;
}

struct terms terms_of(const char *text, size_t max, struct arena *a)
{
	struct term_collector g = { { arena_many(a, max, struct term), 0 }, max, text, a, false };

	tokens_each(text, strlen(text), true, collect_term, &g);
	return g.t;
}

struct terms terms_in_order(const char *text, size_t max, struct arena *a)
{
	struct term_collector g = { { arena_many(a, max, struct term), 0 }, max, text, a, true };

	tokens_each(text, strlen(text), false, collect_term, &g);
	return g.t;
}

static int compare(const void *key, const void *row)
{
	return strcmp(key, *(const char *const *)row);
}

bool term_is_stopword(const char *term)
{
	static const char *const words[] = {	/* sorted */
		"a", "about", "after", "all", "an", "and", "any", "are", "as", "at", "be", "before", "but",
		"by", "can", "could", "did", "do", "doe", "each", "every", "for", "from", "had", "has",
		"have", "how", "i", "if", "in", "into", "is", "it", "its", "just", "may", "me", "my", "no",
		"not", "of", "on", "one", "only", "or", "our", "out", "over", "should", "so", "some",
		"such", "than", "that", "the", "their", "them", "then", "there", "these", "they", "this",
		"those", "to", "up", "us", "wa", "was", "we", "were", "what", "when", "where", "which",
		"while", "who", "why", "will", "with", "would", "you", "your",
	};

	return bsearch(term, words, LEN(words), sizeof *words, compare) != NULL;
}
