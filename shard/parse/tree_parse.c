#include "shard/parse/tree_parse.h"

#include "proto/base/arena.h"
#include "shard/syntax/c_macros.h"
#include "shard/syntax/line_ends.h"
#include "shard/syntax/macro_expansion.h"
#include "shard/syntax/node_rules.h"
#include "shard/syntax/parse_budget.h"

/*
 * Added by deploy/tree-sitter.patch: the words that are no names in what this thread parses, by
 * symbol, or NULL.
 */
extern _Thread_local const bool *ts_reserved_words;

static const char *read_text(void *arg, uint32_t at, TSPoint point, uint32_t *n)
{
	const struct syntax_tree *t = arg;

	(void)point;
	*n = 0;
	if (at >= t->n)
		return "";
	*n = (uint32_t)t->n - at;
	return t->text + at;
}

static bool spent(TSParseState *s)
{
	return parse_budget_spent(s->payload);
}

static TSPoint point_at(struct line_counter *c, uint32_t at)
{
	const char *newline = memchr(c->text + c->start, '\n', at - c->start);

	while (newline) {
		c->line++;
		c->start = (uint32_t)(newline + 1 - c->text);
		newline = memchr(c->text + c->start, '\n', at - c->start);
	}
	return (TSPoint){ c->line, at - c->start };
}

TSRange tree_range_at(struct line_counter *c, uint32_t from, uint32_t to)
{
	TSRange range = { .start_byte = from, .end_byte = to };

	range.start_point = point_at(c, from);
	range.end_point = point_at(c, to);
	return range;
}

/*
 * Hide the ends of lines that the grammar must not see: exclude them, or replace them by blanks in
 * known->text.  Returns whether ranges were excluded.
 */
static bool exclude_line_ends(TSParser *p, const struct syntax_tree *t, struct syntax_tree *known)
{
	struct line_counter counter = { .text = t->text };
	struct excluded_range *left;
	uint32_t from = 0;

	if (!t->rules->carry.n && !t->rules->join.n)
		return false;
	size_t n = line_ends_find(t->rules, t->text, t->n, t->arena, &left);
	if (!n)
		return false;
	TSRange *range = arena_many(t->arena, n + 1, TSRange);
	char *text = memcpy(arena_many(t->arena, t->n + 1, char), known->text, t->n);
	for (size_t i = 0; i < n; i++) {
		range[i] = tree_range_at(&counter, from, left[i].from);
		from = left[i].to;
		if (left[i].from == from)
			text[from - 1] = ' ';
	}
	range[n] = tree_range_at(&counter, from, (uint32_t)t->n);
	known->text = text;
	return ts_parser_set_included_ranges(p, range, (uint32_t)n + 1);
}

/*
 * Append what the file's own macros expand to to the text, each part on a line of its own.  Returns
 * whether there are ranges.
 */
static bool append_expansions(TSParser *p, struct syntax_tree *t)
{
	struct line_counter counter = { .text = t->text };
	struct macro_expansion x;

	if (!macros_expand(t->rules, t->text, t->n, t->arena, &x))
		return false;
	TSRange *range = arena_many(t->arena, x.nparts + 1, TSRange);
	range[0] = tree_range_at(&counter, 0, (uint32_t)t->n);
	for (size_t i = 0; i < x.nparts; i++) {
		uint32_t row = (uint32_t)(i + 1) << EXPANDED_LINE_BITS | x.part[i].line;
		range[i + 1] = (TSRange){ .start_point = { row, 0 },
			.end_point = { row, x.part[i].to - x.part[i].from },
			.start_byte = x.part[i].from,
			.end_byte = x.part[i].to };
	}
	t->text = x.text;
	t->n = x.n;
	return ts_parser_set_included_ranges(p, range, (uint32_t)x.nparts + 1);
}

TSTree *tree_parse(TSParser **parser, struct syntax_tree *t)
{
	TSParser *p = *parser;
	bool has_ranges = append_expansions(p, t);
	struct syntax_tree known = *t;
	TSInput in = { .payload = &known, .read = read_text, .encoding = TSInputEncodingUTF8 };
	TSTree *ts;

	known.text = c_macros_blank(t->rules, t->text, t->n, t->arena);
	known.text = line_ends_omit(t->rules, known.text, t->n, t->arena);
	has_ranges |= exclude_line_ends(p, t, &known);
	node_parents_forget();
	ts_reserved_words = t->rules->is_reserved;
	ts = ts_parser_parse_with_options(
	    p, NULL, in, (TSParseOptions){ .payload = t->effort, .progress_callback = spent });
	ts_reserved_words = NULL;

	if (!ts) {	/* free the memory that the parser has grown to */
		ts_parser_delete(p);
		*parser = ts_parser_new();
	} else if (has_ranges) {
		ts_parser_set_included_ranges(p, NULL, 0);
	}
	return ts;
}

size_t tree_broken_bytes(const TSTree *ts)
{
	TSTreeCursor c = ts_tree_cursor_new(ts_tree_root_node(ts));
	bool more = true;
	size_t sum = 0;

	while (more) {
		TSNode n = ts_tree_cursor_current_node(&c);
		bool error = ts_node_is_error(n);
		if (error)
			sum += node_len(n);
		if (!error && ts_node_has_error(n) && ts_tree_cursor_goto_first_child(&c))
			continue;
		more = ts_tree_cursor_goto_next_sibling(&c);
		while (!more && ts_tree_cursor_goto_parent(&c))
			more = ts_tree_cursor_goto_next_sibling(&c);
	}
	ts_tree_cursor_delete(&c);
	return sum;
}
