#ifndef SHARD_INDEX_DOCUMENT_PRIOR_H
#define SHARD_INDEX_DOCUMENT_PRIOR_H
/*
 * A document's weight before any question is asked (its prior), measured over labelled questions:
 * tests/results/ranking.md.
 */

#include <stdbool.h>
#include <stdint.h>

enum { PRIOR_FULL = 100 };

/*
 * The prior of a file's documents in percent. Test code counts less than the code it tests; manuals
 * and changelogs, settings and markup, examples and vendored copies count less than the
 * repository's own code, which is what people search for. If several reasons apply, the strongest
 * one counts; a test is reduced further.
 */
int document_prior_of_file(bool test, const char *language, const char *path);

/*
 * The same for the names that a file defines, whose question does not ask for what code does: a build
 * file defines its variables as a program does.
 */
int document_prior_of_names(const char *language, const char *path);

/* What the prior of a text depends on, beside its file. */
struct text_traits {
	const char *kind;	/* of the definition; NULL for text outside of definitions */
	uint32_t lines;
	bool documented;	/* with a doc comment */
	bool test;
};

/*
 * The prior of a text in a file whose prior, if it were no test, is `file`. People who ask in words
 * mostly ask for code that does something, so values, descriptions of data, methods of one statement
 * (they read or write a field, or call another one) and text outside of definitions count less than
 * functions and classes.
 */
int document_prior_of_text(int file, const struct text_traits *);

/* The prior of a document when the caller asks for a name: short methods count as others do. */
int document_prior_for_names(int prior);

/* Whether the language is written for people, not for machines. */
bool language_is_prose(const char *language);

/* The prior of a document when the caller asks for tests: a test counts as much as other code. */
int document_prior_for_tests(int prior);
#endif
