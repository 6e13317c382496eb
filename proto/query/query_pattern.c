/* Patterns of the atoms of a query. */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "proto/base/err.h"
#include "proto/pattern/charset.h"
#include "proto/pattern/pattern.h"
#include "proto/pattern/unicode_sets.h"
#include "proto/pattern/utf8.h"
#include "proto/query/query_parse_internal.h"

static bool is_capital(uint32_t c)
{
	if (c < 0x80)
		return c >= 'A' && c <= 'Z';
	return charset_has(unicode_property("Lu", 2), c);
}

/* The bytes of an escape at a backslash: \W, \pL, \x{41}, \p{Greek}. */
static size_t escape_bytes(const char *s)
{
	if (!s[1])
		return 1;
	if (strchr("pPxuU", s[1]) && s[2] == '{')
		return 2 + strcspn(s + 2, "}");
	if (strchr("pP", s[1]) && s[2])
		return 3;
	return 2;
}

/* Whether a text has a capital letter; one in an escape is none. */
static bool has_capital(const char *text, bool regex)
{
	size_t n = strlen(text), size;

	for (size_t at = 0; at < n; at += size) {
		uint32_t c = 0;
		size = utf8_decode(text + at, n - at, &c);
		size = size ? size : 1;
		if (regex && c == '\\')
			size = escape_bytes(text + at);
		else if (is_capital(c))
			return true;
	}
	return false;
}

bool query_atom_ignores_case(const struct search_query *q, const struct query_node *atom)
{
	if (q->letter_case != QUERY_CASE_AUTO)
		return q->letter_case == QUERY_CASE_NO;
	return !has_capital(atom->text, atom->regex);
}

/* The column in the query of a column in an expression, where \/ is one character. */
static size_t column_in_query(const char *source, const struct query_node *atom, size_t column)
{
	size_t at = atom->at;

	for (size_t k = 1; k < column && source[at]; k++) {
		uint32_t c;
		size_t n = strlen(source + at);
		if (source[at] == '\\' && source[at + 1] == '/') {
			at += 2;
			continue;
		}
		if (source[at] == '\\' && source[at + 1] && k + 1 < column) {
			at++;
			k++;
		}
		size_t size = utf8_decode(source + at, n, &c);
		at += size ? size : 1;
	}
	return query_column(source, at);
}

/* What is wrong in a pattern, as what is wrong in the query. */
static void point_into_query(
    const struct search_query *q, const struct query_node *atom, struct err *e)
{
	const char *what = e->msg;
	size_t column = 1, n = 0;
	char text[sizeof e->msg];

	if (sscanf(e->msg, "pattern: column %zu: %zn", &column, &n) == 1 && n)
		what += n;
	else if (!strncmp(what, "pattern: ", 9))
		what += 9;
	snprintf(text, sizeof text, "%s", what);
	column = atom->regex ? column_in_query(q->source, atom, column) : atom->column;
	err_set(e, ERR_INVALID_INPUT, "query: column %zu: %s", column, text);
}

struct pattern *query_atom_pattern(const struct search_query *q, const struct query_node *atom,
    const struct query_options *options, struct err *e)
{
	bool text = atom->kind == QUERY_TEXT;
	const struct pattern_options how = { .fixed = !atom->regex,
		.ignore_case = query_atom_ignores_case(q, atom),
		.word = text && options->word,
		.multiline = text && options->multiline };
	struct pattern *p = pattern_new(atom->text, strlen(atom->text), &how, e);

	if (!p && q->source)
		point_into_query(q, atom, e);
	return p;
}
