#include "proto/text/word_forms.h"

#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/text/tokens.h"

/* the minimum length of a stem, and the maximum of one that may double its last letter */
enum { SHORTEST = 4, SHORT = 8 };

static const char *const endings[] = { "ing", "ed", "er", "e" };

static bool is_word(const char *s, size_t n)
{
	return n >= SHORTEST && n < TOKEN_MAX - 4 && strspn(s, "abcdefghijklmnopqrstuvwxyz") == n;
}

static bool is_double(const char *s, size_t n)
{
	return n > SHORTEST && s[n - 1] == s[n - 2];
}

/* The length of the word without its ending. */
static size_t strip_ending(const char *s, size_t n)
{
	for (size_t i = 0; i < LEN(endings); i++) {
		size_t m = strlen(endings[i]);
		if (n >= SHORTEST + m && !memcmp(s + n - m, endings[i], m))
			return n - m;
	}
	return n;
}

/* The length of the stem that all forms of the word begin with: `plan` in `planned`. */
static size_t root(const char *s, size_t n)
{
	n = strip_ending(s, n);
	return n - is_double(s, n);
}

size_t word_stem_len(const char *term)
{
	size_t n = strlen(term);

	if (is_word(term, n))
		return root(term, n);
	return n;
}

bool word_forms_equal(const char *term, const char *other)
{
	size_t n = strlen(term), m = strlen(other);

	if (!is_word(term, n) || !is_word(other, m))
		return !strcmp(term, other);
	return root(term, n) == root(other, m) && !memcmp(term, other, root(term, n));
}

static bool vowel(char c)
{
	return strchr("aeiou", c) != NULL;
}

/* Whether it ends like `plan`, in a consonant that is doubled before an ending. */
static bool ends_in_doubled_consonant(const char *s, size_t n)
{
	if (vowel(s[n - 3]) || !vowel(s[n - 2]) || vowel(s[n - 1]))
		return false;
	return !strchr("wxy", s[n - 1]);
}

/* Whether forms may double the stem's last letter: the term does (`planned`), or `plan` could. */
static bool doubles(const char *s, size_t whole, size_t n)
{
	if (is_double(s, strip_ending(s, whole)))
		return true;
	return n <= SHORT && ends_in_doubled_consonant(s, n);
}

static bool is_other_form(const char *form, const char *term)
{
	return strcmp(form, term) != 0 && word_forms_equal(form, term);
}

/* Adds the stem, without and with each ending, except for the term itself. */
static size_t add_forms(
    const char *term, const char *stem, const char **out, size_t n, struct arena *a)
{
	const char *v[LEN(endings) + 1] = { stem };

	for (size_t i = 0; i < LEN(endings); i++)
		v[i + 1] = arena_printf(a, "%s%s", stem, endings[i]);
	for (size_t i = 0; i < LEN(v) && n < WORD_FORMS_MAX; i++)
		if (is_other_form(v[i], term))
			out[n++] = v[i];
	return n;
}

size_t word_forms(const char *term, const char *out[WORD_FORMS_MAX], struct arena *a)
{
	size_t whole = strlen(term);

	if (!is_word(term, whole))
		return 0;
	size_t n = root(term, whole);
	const char *stem = arena_strn(a, term, n);
	size_t count = add_forms(term, stem, out, 0, a);
	if (doubles(term, whole, n))
		count = add_forms(term, arena_printf(a, "%s%c", stem, stem[n - 1]), out, count, a);
	return count;
}
