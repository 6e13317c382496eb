#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/pattern/utf8.h"
#include "proto/query/query_parse_internal.h"

/* ---- places ---- */

size_t query_column(const char *text, size_t at)
{
	size_t column = 1;

	for (size_t i = 0; i < at; i++)
		column += ((unsigned char)text[i] & 0xc0) != 0x80;
	return column;
}

bool query_error(struct query_parser *p, size_t at, const char *what, ...)
{
	char text[220];
	va_list args;

	va_start(args, what);
	vsnprintf(text, sizeof text, what, args);
	va_end(args);
	err_set(p->e, ERR_INVALID_INPUT, "query: column %zu: %s", query_column(p->text, at), text);
	return false;
}

bool query_is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static void skip_spaces(struct query_parser *p)
{
	while (query_is_space(p->text[p->at]))
		p->at++;
}

/* Whether a word such as `or` stands at the current place, in letters of any case. */
static bool at_word(const struct query_parser *p, const char *word)
{
	size_t n = strlen(word);

	if (strncasecmp(p->text + p->at, word, n))
		return false;
	char next = p->text[p->at + n];
	return !next || query_is_space(next) || next == '(' || next == ')';
}

/* Whether no part can begin here. */
static bool at_end(struct query_parser *p)
{
	skip_spaces(p);
	return !p->text[p->at] || p->text[p->at] == ')' || at_word(p, "or");
}

static bool enter(struct query_parser *p)
{
	if (++p->depth <= QUERY_MAX_DEPTH)
		return true;
	return query_error(p, p->at, "more than %d levels; write fewer parentheses", QUERY_MAX_DEPTH);
}

/* ---- parts ---- */

static bool parse_one(struct query_parser *, const struct query_node **out);

static bool parse_group(struct query_parser *p, const struct query_node **out)
{
	size_t open = p->at++;

	if (!enter(p) || !parse_one(p, out))
		return false;
	p->depth--;
	if (p->text[p->at] != ')')
		return query_error(p, open, "this `(` is not closed; write \"(\" for the text");
	p->at++;
	if (!*out)
		return query_error(
		    p, open, "nothing stands in these parentheses; write \"()\" for the text");
	char next = p->text[p->at];
	if (next && next != ')' && !query_is_space(next))
		return query_error(p, p->at, "put a space behind `)`, or quote the whole text");
	return true;
}

static bool parse_part(struct query_parser *, const struct query_node **out);

/* What stands behind `not` or `-`, which is at `sign`. */
static bool parse_negated(struct query_parser *p, size_t sign, const struct query_node **out)
{
	bool around = p->negated;

	if (!enter(p))
		return false;
	p->negated = true;
	if (!parse_part(p, out))
		return false;
	p->negated = around;
	p->depth--;
	if (!*out)
		return query_error(p, sign, "nothing to negate; quote it if it is a text");
	*out = query_not(*out, p->a);
	return true;
}

/* Whether a part may begin with this byte directly behind `-`. */
static bool may_follow_minus(char c)
{
	unsigned char u = (unsigned char)c;

	if (u >= 0x80 || (c >= '0' && c <= '9'))
		return true;
	if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
		return true;
	return c == '_' || c == '"' || c == '/' || c == '(';
}

static bool parse_minus(struct query_parser *p, const struct query_node **out)
{
	size_t sign = p->at++;

	if (!may_follow_minus(p->text[p->at]))
		return query_error(p, sign,
		    "`-` means not, and a word, filter or parenthesis follows it; quote a text that begins"
		    " with `-`, such as \"->next\"");
	return parse_negated(p, sign, out);
}

static bool parse_part(struct query_parser *p, const struct query_node **out)
{
	size_t at = p->at;

	if (p->text[at] == '(')
		return parse_group(p, out);
	if (p->text[at] == '-')
		return parse_minus(p, out);
	if (at_word(p, "or") || at_word(p, "and"))
		return query_error(
		    p, at, "a text or filter is missing here; quote the word if it is a text");
	if (!at_word(p, "not"))
		return query_parse_atom(p, out);
	p->at += strlen("not");
	if (at_end(p))
		return query_error(
		    p, at, "`not` stands before a text or filter; write \"not\" for the word");
	return parse_negated(p, at, out);
}

struct part_list {
	const struct query_node *v[QUERY_MAX_ATOMS + 1];
	size_t n;
};

/* Parts that all must hold; `*out` is NULL if there is none but options. */
static bool parse_all(struct query_parser *p, const struct query_node **out)
{
	struct part_list *all = arena_one(p->a, struct part_list);

	while (!at_end(p)) {
		const struct query_node *part = NULL;
		size_t at = p->at;
		if (at_word(p, "and")) {
			p->at += strlen("and");
			if (!all->n || at_end(p))
				return query_error(
				    p, at, "`and` stands between two parts; write \"and\" for the word");
		}
		if (!parse_part(p, &part))
			return false;
		if (part)
			all->v[all->n++] = part;
	}
	*out = query_join(QUERY_ALL, all->v, all->n, p->a);
	return true;
}

static bool parse_one(struct query_parser *p, const struct query_node **out)
{
	struct part_list *all = arena_one(p->a, struct part_list);
	const struct query_node *part = NULL;
	size_t or = 0;
	bool more = true, any = false;

	while (more) {
		if (!parse_all(p, &part))
			return false;
		more = at_word(p, "or");
		if (!part && (more || any))
			return query_error(
			    p, more ? p->at : or, "`or` stands between two parts; write \"or\" for the word");
		if (part)
			all->v[all->n++] = part;
		any |= more;
		or = p->at;
		if (more)
			p->at += strlen("or");
	}
	*out = query_join(QUERY_ONE, all->v, all->n, p->a);
	return true;
}

/* ---- queries ---- */

static bool is_utf8(struct query_parser *p, size_t n)
{
	uint32_t c;

	for (size_t at = 0; at < n;) {
		size_t size = utf8_decode(p->text + at, n - at, &c);
		if (!size)
			return query_error(p, at, "this is not UTF-8; send the query as UTF-8");
		at += size;
	}
	return true;
}

static bool parse_query(struct query_parser *p)
{
	if (!parse_one(p, &p->query->root))
		return false;
	if (p->text[p->at])
		return query_error(p, p->at, "this `)` closes nothing; write \")\" for the text");
	if (!p->query->root)
		return query_error(p, p->at, "a text or filter is missing, such as: needle lang:go");
	return true;
}

const struct search_query *search_query_parse(const char *text, struct arena *a, struct err *e)
{
	struct search_query *q = arena_one(a, struct search_query);
	size_t n = strlen(text);

	if (n > QUERY_MAX_BYTES) {
		err_set(e, ERR_INVALID_INPUT, "query: %zu bytes; %d are the most, so write a shorter one",
		    n, QUERY_MAX_BYTES);
		return NULL;
	}
	q->source = arena_str(a, text);
	struct query_parser p = { .text = q->source, .query = q, .a = a, .e = e };
	if (!is_utf8(&p, n) || !parse_query(&p))
		return NULL;
	return q;
}
