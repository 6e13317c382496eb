/* The rows for what stands beside a syntax error. */
#include "shard/syntax/node_rules_internal.h"

#include <string.h>

int row_broken(struct rule_line *l)
{
	struct rules *r = l->r;
	const char *kind;
	TSSymbol s;

	if (l->n != 3)
		return rule_line_error(l, "not a row", "broken WORD|NODE KIND");
	if (kind_find(l, l->word[2], &kind, NULL))
		return -1;
	uint32_t n = (uint32_t)strlen(l->word[1]);
	s = ts_language_symbol_for_name(r->grammar, l->word[1], n, false);
	if (!s)
		s = ts_language_symbol_for_name(r->grammar, l->word[1], n, true);
	if (!s)
		return rule_line_error(l, "the grammar has no word or node type", l->word[1]);
	r->broken[s] = kind;
	return 0;
}
