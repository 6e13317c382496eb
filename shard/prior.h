#ifndef SHARD_PRIOR_H
#define SHARD_PRIOR_H
/* How much a document is worth before any question is asked; measured over labelled questions, README.md. */

#include <stdbool.h>

enum { PRIOR_FULL = 100 };

/* In percent: test code less than what it tests, manuals and changelogs less than code, which is what is looked for. */
int prior_of(bool test, const char *language);

/* What a document of this prior is worth to who asks for tests: as much as other code. */
int prior_of_asked(int prior);
#endif
