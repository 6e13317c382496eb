#ifndef SHARD_INDEX_DOCUMENT_PRIOR_H
#define SHARD_INDEX_DOCUMENT_PRIOR_H
/*
 * How much a document is worth before any question is asked; measured over labelled questions,
 * tests/results/ranking.md.
 */

#include <stdbool.h>

enum { PRIOR_FULL = 100 };

/*
 * In percent: test code less than what it tests; manuals and changelogs, settings and markup,
 * examples and copies of others' code less than the code of the repository, which is what is
 * looked for.  Of several reasons the strongest counts, a test besides.
 */
int document_prior_of_file(bool test, const char *language, const char *path);

/*
 * Of a text in a file that is worth `file`, no test: who asks in words mostly asks for what does
 * something, so values, what only describes data and what stands outside of definitions (`kind`
 * NULL) are worth less than functions and classes.
 */
int document_prior_of_text(int file, const char *kind, bool test);

/* Whether a text of the language is written for people, not for machines. */
bool language_is_prose(const char *language);

/* What a document of this prior is worth to who asks for tests: as much as other code. */
int document_prior_for_tests(int prior);
#endif
