/*
 * Included before each grammar's parser.  Which characters an identifier may hold is searched among up to 700 ranges; those
 * below 128 are the first few.  A step of the lexer is taken here where nothing but an ASCII character follows; what a state
 * makes of such a character is asked of the grammar's own code once, and remembered.
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

/*
 * What a state of the lexer makes of an ASCII character, the same whenever it is asked: that it is known (1 bit), the state
 * and the character (16, 7: which one it is of those that share the place), STEP_SKIP and STEP_END (2), the symbol that the state
 * accepts, and 1, or 0 (14), the next state (16).  Of all threads: whoever learns it writes the same word.
 */
enum { STEPS = 1 << 14, STEP_ACCEPT = 16, STEP_SKIP = 1 << 30, MOST_ACCEPTED = (1 << 14) - 2 };
#define STEP_END 0x80000000u
#define STEP_KEY(state, c) (UINT64_C(1) << 23 | (uint64_t)(state) << 7 | (c))
#define STEP_PLACE(state, c) (((state) * 131u + (c)) % STEPS)

static void near_learn(uint64_t *steps, TSStateId state, int32_t c, uint32_t accepted, uint32_t step)
{
	if (c > 0 && c < 0x80 && accepted <= MOST_ACCEPTED + 1)
		__atomic_store_n(&steps[STEP_PLACE(state, (uint32_t)c)],
		    STEP_KEY(state, (uint32_t)c) << 32 | accepted << STEP_ACCEPT | step, __ATOMIC_RELAXED);
}

/* Where the lexer is, `n` bytes on in its line. */
static inline struct near_place near_on(struct near_place p, uint32_t n)
{
	return (struct near_place){ p.bytes + n, p.row, p.column + n };
}

/* Pass the end of a line, behind which an ASCII character stands. */
static inline void near_line(struct near_lexer *l, bool skip)
{
	l->at = (struct near_place){ l->at.bytes + 1, l->at.row + 1, 0 };
	l->column = 0;
	l->counted = true;
	if (skip)
		l->from = l->at;
	l->lookahead = *l->next++;
}

/* The symbol that a step's state accepts, and 1; 0: it accepts none. */
static inline uint32_t step_accepts(uint32_t step)
{
	return step << 2 >> 2 >> STEP_ACCEPT;
}

/*
 * The last character from `p` on, in its line, to which a state comes by `step` alone, which leads to itself: within comments,
 * strings and names.  One by one each of them would wait for what was made of the one before.
 */
static inline const char *near_stay(const uint64_t *steps, uint32_t state, uint32_t step, const char *p, const char *end)
{
	while (*p != '\n' && p + 1 < end && (uint8_t)p[1] < 0x80 &&
	    __atomic_load_n(&steps[STEP_PLACE(state, (uint32_t)*p)], __ATOMIC_RELAXED) == (STEP_KEY(state, (uint32_t)*p) << 32 | step))
		p++;
	return p;
}

/* Go on from `*state` as far as steps are known; whether that was the end of the token.  `*result`: one was found. */
static bool near_run(TSLexer *lexer, const uint64_t *steps, TSStateId *state, bool *result)
{
	struct near_lexer *l = (void *)lexer;

	while (l->next && (uint32_t)l->lookahead < 0x80) {	/* each line */
		const char *start = l->next, *end = l->end, *p = start, *mark = NULL, *from = NULL;
		uint32_t s = *state, c = (uint32_t)l->lookahead, step = 0, accepted = 0;
		bool known, moved = true;
		for (;;) {
			uint64_t word = __atomic_load_n(&steps[STEP_PLACE(s, c)], __ATOMIC_RELAXED);
			if (!(known = word >> 32 == STEP_KEY(s, c)))
				break;
			step = (uint32_t)word;
			if (step_accepts(step)) {
				accepted = step_accepts(step);
				mark = p;
			}
			if (step & STEP_END)
				break;
			bool stays = s == (step & 0xffff);
			s = step & 0xffff;
			if (p >= end || (uint8_t)*p >= 0x80 || c == '\n') {
				moved = false;
				break;
			}
			if (stays) {
				p = near_stay(steps, s, step, p, end);
				mark = step_accepts(step) ? p : mark;
			}
			c = (uint8_t)*p++;
			if (step & STEP_SKIP)
				from = p;
		}
		if (mark) {
			*result = true;
			l->symbol = (TSSymbol)(accepted - 1);
			l->to = near_on(l->at, (uint32_t)(mark - start));
		}
		if (from)
			l->from = near_on(l->at, (uint32_t)(from - start));
		l->at = near_on(l->at, (uint32_t)(p - start));
		l->column += l->counted ? (uint32_t)(p - start) : 0;
		l->lookahead = (int32_t)c;
		l->next = p;
		*state = (TSStateId)s;
		if (moved)
			return known;
		if (c == '\n' && p < end && (uint8_t)*p < 0x80)
			near_line(l, step & STEP_SKIP);
		else
			lexer->advance(lexer, step & STEP_SKIP);
	}
	return false;
}

#undef START_LEXER
#define START_LEXER() \
	static uint64_t steps[STEPS]; \
	bool result = false, skip = false; \
	__attribute__((unused)) bool eof = false; \
	int32_t lookahead; \
	uint32_t accepted; \
	TSStateId from; \
	goto start; \
ended: \
	near_learn(steps, from, lookahead, accepted, STEP_END); \
	return result; \
next_state: \
	near_learn(steps, from, lookahead, accepted, (skip ? STEP_SKIP : 0) | state); \
	near_advance(lexer, skip); \
start: \
	if (near_run(lexer, steps, &state, &result)) \
		return result; \
	skip = false; \
	accepted = 0; \
	from = state; \
	lookahead = lexer->lookahead;

#undef END_STATE
#define END_STATE() goto ended;

#undef ACCEPT_TOKEN
#define ACCEPT_TOKEN(symbol_value) \
	result = true; \
	accepted = symbol_value + 1; \
	lexer->result_symbol = symbol_value; \
	near_mark_end(lexer);

/* `lexer->eof(lexer)`, asked before each character: only a NUL can be the end. */
#define eof(lexer) lookahead == 0 && (lexer->eof)(lexer)
