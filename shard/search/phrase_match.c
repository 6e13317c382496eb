#include "shard/search/phrase_match.h"

#include <string.h>

#include "proto/base/minmax.h"
#include "proto/text/tokens.h"

/* The length of the white space that begins here; sets whether it contains a line end. */
static size_t white_space(const char *s, size_t n, bool *ends_line)
{
	size_t k = 0;

	*ends_line = false;
	while (k < n && s[k] && strchr(" \t\r\n", s[k]))
		*ends_line |= s[k++] == '\n';
	return k;
}

/*
 * The number of bytes of `text` that match the whole phrase, the first `same` of which are known to
 * be equal; 0 if it does not match here.
 */
static size_t match_here(const char *phrase, size_t m, const char *text, size_t n, size_t same)
{
	size_t i = same, k = same;

	while (i < m) {
		bool asked, found;
		size_t equal = MAX(white_space(phrase + i, m - i, &asked), 1);
		if (asked) {
			size_t there = white_space(text + k, n - k, &found);
			if (!found)
				return 0;
			k += there;
		} else if (equal <= n - k && !memcmp(phrase + i, text + k, equal)) {
			k += equal;
		} else {
			return 0;
		}
		i += equal;
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

	while (k < m) {
		bool ends_line;
		size_t blanks = white_space(phrase + k, m - k, &ends_line);
		if (ends_line)
			break;
		k += MAX(blanks, 1);	/* all at once, so that each byte is looked at a single time */
	}
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
