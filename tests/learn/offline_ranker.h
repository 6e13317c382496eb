#ifndef TESTS_LEARN_OFFLINE_RANKER_H
#define TESTS_LEARN_OFFLINE_RANKER_H
/*
 * Ranks like shards, over indexes on disk, and records the score that each word of a question gives each document, so that word
 * weights can be learned (learn.sh; by hand, not part of `make`).  Files use this machine's byte order.  Any failure ends the program.
 */

#include <stddef.h>

struct db;
struct err;
struct index_info;

enum { DIM = 256 };		/* of the builtin model */

/*
 * Write the documents of an index to files OUT.EXTENSION: `docs`, one line of JSON each; and, ordered by id, `len`, `prior`, `file`,
 * `text` (bm25.h) and `vec`, DIM floats each.  Prints the commit.
 */
void dump(const char *data, const char *repo, const char *out);

/*
 * `list` has a line for each repository: its data folder and the OUT of dump.  `questions` has a line for each question, separated by
 * tabs: its number; 1 to leave out tests; the hash of the text whose comment is removed, or 0; that comment's terms, TERM:WEIGHT,…; the
 * text to embed without the comment; the words.  Writes the input of word_weights.py to `out`, and what all questions share to `out`.docs.
 */
void score_questions(const char *list, const char *questions, const char *out);

/* Open the current index of a data folder. */
struct db *ranker_index(const char *data, struct index_info *);

/* Write `n` bytes to the file BASE.EXTENSION, or read all of it (malloc). */
void ranker_put(const char *base, const char *extension, const void *p, size_t n);
void *ranker_get(const char *base, const char *extension, size_t *n);

void ranker_fail(const char *what, const char *why) __attribute__((noreturn));
#endif
