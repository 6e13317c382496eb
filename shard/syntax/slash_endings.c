#include "shard/syntax/slash_endings.h"

#include <ctype.h>

enum { LONGEST = 120 };

/* Whether the character only combines texts: a quote, a sign, a bracket, the dot in `$a . $b`. */
static bool combines_texts(const char *s, const char *from)
{
	if (strchr(" \t\n\"'`+${}()", *s))
		return true;
	return *s == '.' && ((s > from && s[-1] == ' ') || s[1] == ' ');
}

/* The names and literals of an expression, one behind the other; false: it is too long. */
static bool significant(const struct syntax_tree *t, TSNode n, char out[LONGEST])
{
	const char *from = t->text + node_start_byte(n);
	size_t len = node_len(n), k = 0;

	if (len >= LONGEST)
		return false;
	for (size_t i = 0; i < len; i++)
		if (!combines_texts(from + i, from))
			out[k++] = from[i];
	out[k] = '\0';
	return k > 0;
}

/* Whether the value is behind a sign such as `+=`. */
static bool is_appended(const struct syntax_tree *t, TSNode value)
{
	const char *s = t->text + node_start_byte(value);

	while (s > t->text && strchr(" \t\n", s[-1]))
		s--;
	return s > t->text + 1 && s[-1] == '=' && strchr("+.", s[-2]);
}

bool assigns_slash(const struct syntax_tree *t, const char *name, TSNode value)
{
	char text[LONGEST];
	size_t n, len = strlen(name);

	if (node_len(value) < 3 || node_len(value) > len + 20 || !significant(t, value, text))
		return false;
	if (!strcmp(text, "/"))
		return is_appended(t, value);
	while (len && !isalnum((unsigned char)*name) && *name != '_') {
		name++;
		len--;
	}
	n = strlen(text);
	if (!len || n < len + 1 || text[n - 1] != '/' || memcmp(text + n - 1 - len, name, len))
		return false;
	return n == len + 1 || strchr(".>@", text[n - 2 - len]);
}

bool is_with_slash(const struct syntax_tree *t, TSNode shorter, TSNode longer)
{
	char a[LONGEST], b[LONGEST];

	if (ts_node_is_null(shorter) || ts_node_is_null(longer) || !significant(t, shorter, a) ||
	    !significant(t, longer, b))
		return false;
	size_t n = strlen(a);
	return !strncmp(a, b, n) && !strcmp(b + n, "/");
}

bool ends_with_slash(const struct syntax_tree *t, TSNode name)
{
	const char *text = t->text + node_start_byte(name);
	size_t n = node_len(name), own = self_prefix(text, n);

	for (size_t i = 0; i < t->slashed.n; i++) {
		const struct binding *b = &t->slashed.v[i];
		bool seen = b->from <= node_start_byte(name) && node_start_byte(name) < b->to;
		if (seen && strlen(b->name) == n - own && !memcmp(b->name, text + own, n - own))
			return true;
	}
	return false;
}
