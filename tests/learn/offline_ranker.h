#ifndef TESTS_LEARN_OFFLINE_RANKER_H
#define TESTS_LEARN_OFFLINE_RANKER_H
/*
 * Ranks as shards do, over indexes that lie on the disk, and writes down what each word of a question gave each document, so that weights
 * can be learned of it (learn.sh; by hand, no part of `make`).  Numbers in files are as this machine has them.  Whatever fails ends the program.
 */

#include <stddef.h>

struct db;
struct err;
struct index_info;

enum { DIM = 256 };		/* of the builtin model */

/*
 * The documents of an index, in files OUT.EXTENSION: `docs`, a line of JSON each; and by their ids, as the index has them, `len`, `prior`, `file`, `text`
 * (bm25.h), and `vec`, DIM floats each.  Prints the commit.
 */
void dump(const char *data, const char *repo, const char *out);

/*
 * `list`: a line for each repository, its data folder and the OUT of dump.  `questions`: a line for each, with tabs: its number; 1: without tests; the hash of
 * the text whose comment is taken out, or 0; that comment's terms, TERM:WEIGHT,…; what is embedded of the text then; the words.  What word_weights.py
 * reads goes to `out`, and what is the same for all questions to `out`.docs.
 */
void score_questions(const char *list, const char *questions, const char *out);

/* The index that is served in a data folder. */
struct db *ranker_index(const char *data, struct index_info *);

/* A file BASE.EXTENSION: make it of `n` bytes, or read all of it (malloc). */
void ranker_put(const char *base, const char *extension, const void *p, size_t n);
void *ranker_get(const char *base, const char *extension, size_t *n);

void ranker_fail(const char *what, const char *why) __attribute__((noreturn));
#endif
