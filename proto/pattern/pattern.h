#ifndef PROTO_PATTERN_PATTERN_H
#define PROTO_PATTERN_PATTERN_H
/*
 * Literals and regular expressions over whole files, in the syntax and with the meaning of
 * ripgrep's default engine (Rust's regex crate): Perl's syntax without back-references and
 * look-around, Unicode classes, the leftmost match and the alternatives in their order.
 *
 * A pattern becomes a deterministic automaton that is built while it reads, with bounded memory.
 * One call of pattern_next takes time linear in the text, whatever the pattern.
 * tests/results/exact-search.md says why no library does this.
 *
 * Unlike ripgrep 13: \z is the end of the file only; after a first match in a line, \b and \B are
 * right about words that are not ASCII; `word` finds all matches that stand next to each other;
 * punctuation may be escaped although it need not be.
 */

#include <stdbool.h>
#include <stddef.h>

struct err;
struct gram_query;

enum {
	PATTERN_MAX_BYTES = 65536, /* of a pattern */
	/*
	 * How many characters, classes and branches a pattern may have once its counted repetitions
	 * are written out.
	 */
	PATTERN_MAX_STEPS = 140000,
	PATTERN_MAX_DEPTH = 200, /* of groups, nested classes and repetitions */
};

struct pattern_options {
	bool fixed; /* the text is a literal */
	bool ignore_case; /* by Unicode's simple case folding */
	bool word; /* a match begins and ends where a word may: ripgrep's -w */
	/*
	 * A match may contain line ends.  Else \s, [^a] and the like do not match `\n`, and `\n` is
	 * refused.
	 */
	bool multiline;
};

struct pattern; /* immutable; any thread may use it */

/*
 * Read a pattern of `n` bytes of UTF-8, which need no NUL behind them and are not kept. NULL with
 * INVALID_INPUT: the message names `pattern`, the column (of characters, from 1), what is wrong
 * and what to write instead.
 */
struct pattern *pattern_new(
    const char *text, size_t n, const struct pattern_options *, struct err *);
void pattern_free(struct pattern *); /* NULL is fine */

/* What the grams of every text with a match must fulfil (grams.h).  Belongs to the pattern. */
const struct gram_query *pattern_grams(const struct pattern *);

/* The scratch memory of one thread, some megabytes.  The pattern must outlive it. */
struct pattern_matcher;

/*
 * `stop` is asked again and again, after at most some milliseconds of work; once it returns true,
 * so does the search. It may be NULL.
 */
struct pattern_matcher *pattern_matcher_new(
    const struct pattern *, bool (*stop)(void *), void *arg);
void pattern_matcher_free(struct pattern_matcher *); /* NULL is fine */

enum { PATTERN_NONE = 0, PATTERN_FOUND = 1, PATTERN_STOPPED = -1 };

/*
 * The next match that begins at `from` or later: PATTERN_FOUND with its first byte and the byte
 * behind its last. `text` is a whole file: ^, $, \b and \A look at what is before `from`, too.
 * Bytes that are not UTF-8 are matched by nothing.  A byte order mark and NUL bytes are
 * characters as any other: the caller skips them.
 *
 * To find all matches, go on at *end, or at *end + 1 after an empty match.  To find the lines
 * that match, go on behind the end of the line of *end: then the whole search is linear.  An
 * empty match behind the last line end of a text is none, because no line begins there.
 */
int pattern_next(
    struct pattern_matcher *, const char *text, size_t n, size_t from, size_t *start, size_t *end);
#endif
