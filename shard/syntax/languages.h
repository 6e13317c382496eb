#ifndef SHARD_SYNTAX_LANGUAGES_H
#define SHARD_SYNTAX_LANGUAGES_H
/* Languages: the rows of lang/langs.def, each with the data files in lang/<name>/. */

#include <stdbool.h>
#include <stddef.h>

struct TSLanguage;

struct lang {
	const char *name;
	const char *folder;	/* of its data files in lang/; NULL: text only */
	const struct TSLanguage *(*grammar)(void);
	const char *extensions, *names, *interpreters;	/* separated by one space */
	/* BLOCKS: only they are in the grammar's language. */
	enum { READ_TEXT, READ_TREE, READ_BLOCKS, READ_SECTIONS, READ_KEYS, READ_SETTINGS } read;
};

/* All of them, in the order of langs.def. */
extern const struct lang langs[];
extern const size_t nlangs;

/*
 * The language of a file by its name and its text, or NULL: not indexed.  The text tells scripts
 * without an extension and headers of C++ from others; without it (n == 0) their language is not
 * known, or that of C.
 */
const struct lang *lang_detect(const char *path, const char *head, size_t n);
const char *lang_name(const struct lang *);

/* Whether the language of a file of such a path, if it has one, shows in its bytes only. */
bool lang_needs_content(const char *path);
#endif
