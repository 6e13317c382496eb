#ifndef PROTO_TEXT_TOKENS_H
#define PROTO_TEXT_TOKENS_H
/*
 * How code and questions are split into terms, the same in index and query.
 *
 * A word is a run of letters, digits, `_` and bytes of non-ASCII UTF-8.  Its term is the
 * lower-case word with a plural ending taken off (users -> user).  A compound word (loadUsers,
 * load_users, HTTPServer2) gives also its parts, at the same place: load, user.  The plural rule
 * is the "s" stemmer of Harman (1991), shortened.
 */

#include <stdbool.h>
#include <stddef.h>

struct arena;

struct token {
	const char *text;	/* not NUL-terminated, valid during the call */
	size_t n;
	size_t start, end;	/* bytes of the input */
	bool same_position;	/* a part of the compound before it */
};

enum { TOKEN_MAX = 64 };	/* longer words are cut */

/*
 * Call `each` for every token until it returns non-zero; that value, or 0.  `parts` asks for parts
 * of compounds.
 */
int tokens_each(
    const char *text, size_t n, bool parts, int (*each)(void *, const struct token *), void *);

/*
 * Call `each` for every word, as it is written; what it comes to is what tokens_each makes of it
 * alone.
 */
void tokens_each_word(
    const char *text, size_t n, void (*each)(void *, const char *word, size_t n), void *);

struct terms {
	struct term {
		const char *text;	/* as in the index */
		const char *word;	/* as it was written */
		bool part;
	} *v;
	size_t n;
};

/*
 * The distinct terms of a question in order of appearance, at most `max`; parts of compounds
 * included.
 */
struct terms terms_of(const char *text, size_t max, struct arena *);

/*
 * The words of a text as terms, in order, repeated ones too and without parts of compounds; at
 * most `max`.
 */
struct terms terms_in_order(const char *text, size_t max, struct arena *);

/* Take a plural ending off a lower-case word, in place: the new length. */
size_t token_singular(char *word, size_t n);

/* Whether a term is an English word that says nothing in a question ("the", "how", "is"). */
bool term_is_stopword(const char *);
#endif
