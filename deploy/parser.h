/*
 * Included before each grammar's parser.  Which characters an identifier may hold is searched among up to 700 ranges; those
 * below 128 are the first few.  A step of the lexer is taken here where nothing but an ASCII character follows.
 */
#include <stdbool.h>
#include <stdint.h>

#include "tree_sitter/parser.h"

static inline bool ascii_contains(const void *ranges, uint32_t n, int32_t c)
{
	const struct { int32_t start, end; } *r = ranges;

	for (uint32_t i = 0; i < n && r[i].start <= c; i++)
		if (c <= r[i].end)
			return true;
	return false;
}

#define set_contains(ranges, n, c) ((c) < 128 ? ascii_contains(ranges, n, c) : (set_contains)(ranges, n, c))

/* How tree-sitter's lexer begins (tree-sitter.patch, lexer.h). */
struct near_lexer {
	int32_t lookahead;
	TSSymbol symbol;
	void (*call[6])(void);
	const char *next, *end;
	struct near_place { uint32_t bytes, row, column; } at, from, to;
	uint32_t column;
	bool counted;
};

static inline void near_advance(TSLexer *lexer, bool skip)
{
	struct near_lexer *l = (void *)lexer;

	if (l->next >= l->end || (uint8_t)*l->next >= 0x80 || l->lookahead == '\n') {
		lexer->advance(lexer, skip);
		return;
	}
	l->at.bytes++;
	l->at.column++;
	l->column += l->counted;
	if (skip)
		l->from = l->at;
	l->lookahead = *l->next++;
}

static inline void near_mark_end(TSLexer *lexer)
{
	struct near_lexer *l = (void *)lexer;

	if (l->next)	/* neither at the end nor where a range begins */
		l->to = l->at;
	else
		lexer->mark_end(lexer);
}

#undef START_LEXER
#define START_LEXER() \
	bool result = false, skip = false; \
	__attribute__((unused)) bool eof = false; \
	int32_t lookahead; \
	goto start; \
next_state: \
	near_advance(lexer, skip); \
start: \
	skip = false; \
	lookahead = lexer->lookahead;

#undef ACCEPT_TOKEN
#define ACCEPT_TOKEN(symbol_value) \
	result = true; \
	lexer->result_symbol = symbol_value; \
	near_mark_end(lexer);

/* `lexer->eof(lexer)`, asked before each character: only a NUL can be the end. */
#define eof(lexer) lookahead == 0 && (lexer->eof)(lexer)
