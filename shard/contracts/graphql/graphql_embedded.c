#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "shard/contracts/graphql/graphql.h"
#include "shard/definitions/definitions.h"
#include "shard/facts/operation.h"
#include "shard/syntax/node_rules.h"

enum { CLIMB = 12, DEEP = 40 };

/*
 * The texts of which a file with GraphQL contains one; files with the other texts have documents of
 * another kind: data for pages, and fields that only the client knows.
 */
const struct graphql_text graphql_texts[] = {
	{ GRAPHQL_HAS_TEXT, "graphql" }, { GRAPHQL_HAS_TEXT, "GraphQL" },
	    { GRAPHQL_HAS_TEXT, "GraphQl" }, { GRAPHQL_HAS_TEXT, "Graphql" },
	{ GRAPHQL_HAS_TEXT, "GRAPHQL" }, { GRAPHQL_HAS_TEXT, "gql" }, { GRAPHQL_HAS_TEXT, "GQL" },
	    { GRAPHQL_HAS_TEXT, "type Query" },
	{ GRAPHQL_HAS_TEXT, "type Mutation" }, { GRAPHQL_HAS_TEXT, "type Subscription" },
	{ GRAPHQL_PAGES, "from 'gatsby'" }, { GRAPHQL_PAGES, "from \"gatsby\"" },
	    { GRAPHQL_PAGES, "require('gatsby')" },
	{ GRAPHQL_PAGES, "require(\"gatsby\")" },
	{ GRAPHQL_CLIENT, "'@apollo/client" },
	{ GRAPHQL_CLIENT, "\"@apollo/client" },
	{ GRAPHQL_CLIENT, "'apollo-client" },
	{ GRAPHQL_CLIENT, "\"apollo-client" },
	{ GRAPHQL_CLIENT, "apollo-link-state" },
	{ GRAPHQL_CLIENT, "apollo-cache-inmemory" },
	{ 0, NULL },
};

struct embedded_text {
	const struct syntax_tree *t;
	const struct found_definitions *found;
	struct operation *v;
	size_t n, cap;
	bool client;
};

/* ---- the text of a string ---- */

static bool has_op(const struct syntax_tree *t, TSNode n, enum value_op op)
{
	const struct node_rule *r = NULL;

	if (!ts_node_is_null(n))
		r = rules_of(t->rules, n);
	return r && r->op == op;
}

static bool is_text(const struct syntax_tree *t, TSNode n)
{
	return has_op(t, n, VALUE_TEXT) || strstr(ts_node_type(n), "heredoc_body");
}

/* How many quotes a string begins and ends with: 0, 1 or 3; `n` if it is only quotes. */
static size_t quote_count(const char *s, size_t n)
{
	const char *quote = "`";

	if (!n)
		return 0;
	if (*s == '"')
		quote = "\"";
	else if (*s == '\'')
		quote = "'";
	size_t quotes = strspn(s, quote);
	if (quotes > n)
		return n;
	if (quotes >= 3 && n >= 6)
		return 3;
	return quotes > 0;
}

/* The text between the quotes, with blanks for escapes, so that line numbers stay the same. */
static void put_string(const char *s, size_t n, struct buf *out)
{
	while (n && strchr("@$bBfFrRuULNi#", *s)) {
		n -= *s == '#' && n > 1 && s[n - 1] == '#';	/* r#"…"# */
		s++;
		n--;
	}
	size_t quotes = quote_count(s, n);
	if (n < 2 * quotes)
		return;
	for (size_t i = quotes, end = n - quotes; i < end; i++) {
		bool escaped = s[i] == '\\' && i + 1 < end && s[i + 1] != '\n';
		if (escaped && !strchr("ntrf", s[i + 1])) {
			buf_byte(out, s[++i]);
		} else if (escaped) {
			buf_byte(out, ' ');
			i++;
		} else {
			buf_byte(out, s[i]);
		}
	}
	buf_byte(out, ' ');
}

/* Where a string ends; of a heredoc, without the word that ends it. */
static uint32_t text_end(TSNode n)
{
	uint32_t count = ts_node_named_child_count(n);

	if (!count)
		return node_end_byte(n);
	TSNode last = ts_node_named_child(n, count - 1);
	if (node_type_is(last, "heredoc_end"))
		return node_start_byte(last);
	return node_end_byte(n);
}

/* All strings of an expression, each on the line that it stands on, counted from `first`. */
static void put_strings(const struct syntax_tree *t, TSNode n, uint32_t first, uint32_t *line,
    struct buf *out, int depth)
{
	if (is_text(t, n)) {
		for (; *line < node_line(n) - first; ++*line)
			buf_byte(out, '\n');
		size_t from = out->n;
		put_string(t->text + node_start_byte(n), text_end(n) - node_start_byte(n), out);
		for (size_t i = from; i < out->n; i++)
			*line += out->p[i] == '\n';
		return;
	}
	if (depth > DEEP)
		return;
	for (uint32_t i = 0, count = ts_node_named_child_count(n); i < count; i++)
		put_strings(t, ts_node_named_child(n, i), first, line, out, depth + 1);
}

/* The string around a byte, with those that are joined to it; a null node if there is none. */
static TSNode string_at(const struct syntax_tree *t, uint32_t at)
{
	TSNode n = ts_node_descendant_for_byte_range(t->root, at, at + 1), whole = { 0 };

	int i = 0;

	for (; i < CLIMB && !ts_node_is_null(n) && !is_text(t, n); i++)
		n = node_parent(n);
	if (i == CLIMB || ts_node_is_null(n))
		return whole;
	whole = n;
	for (i++; i < CLIMB; i++) {
		n = node_parent(n);
		if (ts_node_is_null(n) || !has_op(t, n, VALUE_JOIN))
			break;
		whole = n;
	}
	return whole;
}

/* ---- which strings ---- */

/* Whether selections without a keyword are certainly GraphQL: by what precedes them, or nested. */
static bool is_shorthand_query(const struct syntax_tree *t, TSNode string, const struct buf *text)
{
	uint32_t from = node_start_byte(string);
	size_t n = MIN(from, 16u);
	const char *before = t->text + from - n, *inner = memchr(text->p, '{', text->n);

	if (memmem(before, n, "gql", 3) || memmem(before, n, "graphql", 7) ||
	    memmem(before, n, "query", 5))
		return true;
	if (!inner)
		return false;
	inner = memchr(inner + 1, '{', text->n - (size_t)(inner + 1 - text->p));
	return inner && memchr(text->p, '\n', text->n);
}

static void put(struct embedded_text *x, TSNode string)
{
	struct buf text = { 0 };
	struct operation *v;
	uint32_t first = node_line(string), line = 0;

	put_strings(x->t, string, first, &line, &text, 0);
	size_t blank = 0;
	while (blank < text.n && strchr(" \t\r\n", text.p[blank]))
		blank++;
	bool brief = blank < text.n && text.p[blank] == '{';
	size_t n = 0;
	if (text.n && (!brief || is_shorthand_query(x->t, string, &text)))
		n = graphql_read(text.p, text.n, 1, x->t->arena, &v);
	for (size_t i = 0; i < n; i++) {
		bool schema = !strcmp(v[i].kind, "schema") || !strcmp(v[i].kind, "root");
		if (schema && x->client)
			continue;
		v[i].line += first - 1;
		v[i].end_line = v[i].line;
		v[i].label = found_enclosing_name(x->found, node_start_byte(string));
		x->v = grow(x->v, &x->cap, x->n + 1, sizeof *x->v);
		x->v[x->n++] = v[i];
	}
	buf_free(&text);
}

/*
 * The word that a text of GraphQL begins with, or a brace: whether one stands here, after a quote
 * or at the beginning of a line.
 */
static bool begins(const char *text, size_t at, size_t n)
{
	static const char *const words[] = { "query", "mutation", "subscription", "fragment", "type",
		"extend", "schema", "interface", "input", "enum", "scalar", "union", "directive" };
	size_t back = at;

	while (back && strchr(" \t\r", text[back - 1]))
		back--;
	if (!back || !strchr("\"'`\n", text[back - 1]))
		return false;
	if (text[at] == '{')
		return text[back - 1] != '\n' || (back > 1 && strchr("\"'`", text[back - 2]));
	for (size_t i = 0; i < LEN(words); i++) {
		size_t len = strlen(words[i]);
		if (n - at > len && !memcmp(text + at, words[i], len) &&
		    strchr(" \t\r\n({@", text[at + len]))
			return true;
	}
	return false;
}

void graphql_embedded(const struct syntax_tree *t, const struct found_definitions *found,
    const bool *holds, struct facts *out)
{
	struct embedded_text x = { .t = t, .found = found, .client = holds[GRAPHQL_CLIENT] };
	uint32_t behind = 0;

	if (t->depth > TREE_MAX_DEPTH || !holds[GRAPHQL_HAS_TEXT] || holds[GRAPHQL_PAGES])
		return;
	for (size_t i = 0; i < t->n; i++) {
		if (i < behind || !strchr("qmsftei{ud", t->text[i]) || !t->text[i] ||
		    !begins(t->text, i, t->n))
			continue;
		TSNode string = string_at(t, (uint32_t)i);
		if (ts_node_is_null(string))
			continue;
		behind = node_end_byte(string);
		put(&x, string);
	}
	if (!x.n)
		return;
	struct operation *v = arena_many(t->arena, out->operations.n + x.n, struct operation);
	if (out->operations.n)
		memcpy(v, out->operations.v, out->operations.n * sizeof *v);
	memcpy(v + out->operations.n, x.v, x.n * sizeof *v);
	out->operations.v = v;
	out->operations.n += x.n;
	free(x.v);
}
