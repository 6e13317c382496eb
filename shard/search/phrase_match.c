#include "shard/search/phrase_match.h"

#include <string.h>

#include "proto/text/tokens.h"

/* The length of the white space that begins here if it contains a line end; else 0. */
static size_t line_break(const char *s, size_t n)
{
	size_t k = 0;
	bool ends_line = false;

	while (k < n && s[k] && strchr(" \t\r\n", s[k]))
		ends_line |= s[k++] == '\n';
	if (ends_line)
		return k;
	return 0;
}

/*
 * The number of bytes of `text` that match the whole phrase, the first `same` of which are known to
 * be equal; 0 if it does not match here.
 */
static size_t match_here(const char *phrase, size_t m, const char *text, size_t n, size_t same)
{
	size_t i = same, k = same;

	while (i < m) {
		size_t asked = line_break(phrase + i, m - i);
		if (asked) {
			size_t found = line_break(text + k, n - k);
			if (!found)
				return 0;
			i += asked;
			k += found;
		} else if (k < n && phrase[i] == text[k]) {
			i++;
			k++;
		} else {
			return 0;
		}
	}
	return k;
}

/* Whether a word of the text goes on across the byte `at`, where the phrase begins or ends. */
static bool splits_word(const char *text, size_t n, size_t at)
{
	return at > 0 && at < n && token_is_word_byte(text[at - 1]) && token_is_word_byte(text[at]);
}

/* The bytes before the first line end of the phrase and the white space around that. */
static size_t first_piece(const char *phrase, size_t m)
{
	size_t k = 0;

	while (k < m && !line_break(phrase + k, m - k))
		k++;
	return k;
}

bool phrase_matches(const char *phrase, const char *text, size_t n, struct phrase_place *at)
{
	size_t m = strlen(phrase), piece = first_piece(phrase, m);

	for (const char *s = text; m && s < text + n; s++) {
		size_t rest = n - (size_t)(s - text);
		s = memmem(s, rest, phrase, piece);
		if (!s)
			return false;
		size_t start = (size_t)(s - text), k = match_here(phrase, m, s, n - start, piece);
		if (!k || splits_word(text, n, start) || splits_word(text, n, start + k))
			continue;
		if (at)
			*at = (struct phrase_place){ start, start + k };
		return true;
	}
	return false;
}
