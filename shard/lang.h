#ifndef SHARD_LANG_H
#define SHARD_LANG_H
/* The rows of lang/langs.def. */

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
#endif
