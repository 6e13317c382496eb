#ifndef PROTO_TEXT_TOKENS_H
#define PROTO_TEXT_TOKENS_H
/*
 * Splits code and questions into terms, the same way for index and query.
 *
 * A word is a run of letters, digits, `_` and bytes of non-ASCII UTF-8.  Its term is the word in
 * lower case without a plural ending (users -> user).  A compound word (loadUsers, load_users,
 * HTTPServer2) also yields its parts at the same position: load, user.  The plural rule is the "s"
 * stemmer of Harman (1991), shortened.
 */

#include <stdbool.h>
#include <stddef.h>

struct arena;

struct token {
	const char *text;	/* not NUL-terminated, valid during the call */
	size_t n;
	size_t start, end;	/* byte offsets in the input */
	bool same_position;	/* a part of the compound before it */
};

enum { TOKEN_MAX = 64 };	/* longer words are cut */

/*
 * Call `each` for every token until it returns a value other than 0, which is then the result; else
 * 0.  With `parts`, also for the parts of compounds.
 */
int tokens_each(
    const char *text, size_t n, bool parts, int (*each)(void *, const struct token *), void *);

/* Call `each` for every word as it is written.  Its tokens are those of tokens_each(word). */
void tokens_each_word(
    const char *text, size_t n, void (*each)(void *, const char *word, size_t n), void *);

struct terms {
	struct term {
		const char *text;	/* as in the index */
		const char *word;	/* as it is written */
		bool part;
	} *v;
	size_t n;
};

/*
 * The distinct terms of a question, in order of appearance and with the parts of compounds; at most
 * `max`.
 */
struct terms terms_of(const char *text, size_t max, struct arena *);

/*
 * The words of a text as terms, in order, with repeated ones but without the parts of compounds; at
 * most `max`.
 */
struct terms terms_in_order(const char *text, size_t max, struct arena *);

/* Remove a plural ending from a lower-case word, in place.  Returns the new length. */
size_t token_singular(char *word, size_t n);

/* Whether a byte belongs to words: letters, digits, `_` and bytes of non-ASCII UTF-8. */
bool token_is_word_byte(char);

/* Whether a term is an English word without content in a question ("the", "how", "is"). */
bool term_is_stopword(const char *);
#endif
