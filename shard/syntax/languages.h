#ifndef SHARD_SYNTAX_LANGUAGES_H
#define SHARD_SYNTAX_LANGUAGES_H
/* The languages: the rows of lang/langs.def, each with data files in lang/<folder>/. */

#include <stdbool.h>
#include <stddef.h>

struct TSLanguage;

struct lang {
	const char *name;
	const char *folder;	/* of its data files in lang/; NULL if it is only text */
	const struct TSLanguage *(*grammar)(void);
	const char *extensions, *names, *interpreters;	/* separated by one space */
	/* READ_BLOCKS: only blocks of the file are in the grammar's language. */
	enum { READ_TEXT, READ_TREE, READ_BLOCKS, READ_SECTIONS, READ_KEYS, READ_SETTINGS } read;
};

/* All languages, in the order of langs.def. */
extern const struct lang langs[];
extern const size_t nlangs;

/*
 * The language of a file by its name and its text; NULL if it is not indexed.  The text is needed
 * for scripts without an extension and for headers of C++; without it (n == 0) the language of
 * these is unknown or C.
 */
const struct lang *lang_detect(const char *path, const char *head, size_t n);
const char *lang_name(const struct lang *);

/* The index of a row in langs; nlangs if no language has the name. */
size_t lang_index(const char *name);

/* Whether files of this language may define names, rather than hold text, headings or data. */
bool lang_defines_names(const struct lang *);

/* Whether the language of a file with that path depends on its content. */
bool lang_needs_content(const char *path);
#endif
