#ifndef SHARD_TAGS_OWN_H
#define SHARD_TAGS_OWN_H
/* Between tags_table.c, which reads lang/ctags.tab, and tags.c, which makes definitions of what ctags says of a file. */

#include <stdbool.h>
#include <stddef.h>

#include "shard/tags.h"

/* Of the file that ctags is asked about: some of its parsers make a name of it. */
#define TAGS_STEM "atoll_stem"

/* What a word of ctags means; `lang` NULL: in every language. */
struct meaning {
	const char *lang, *word, *kind;	/* kind NULL: no symbol */
	bool callable;
	bool package;			/* names the file's package */
};

struct tongue {
	const char *ctags;		/* its name there; NULL: not asked */
	const char *name;		/* of the file that is asked about */
	const char *comment;		/* how a comment of one line begins; NULL */
	const char *split;		/* bytes that part a name: `M.f` */
	const char *hidden;		/* |-separated words of the first line of what is private */
	const char *refuse;		/* |-separated names that are none */
	bool whole;			/* a module goes on to the next one, and holds what has no scope */
};

struct tags {
	struct arena *arena;
	struct ctags *ctags;
	struct tongue *of;		/* by row of langs.def */
	struct { struct meaning *v; size_t n, cap; } meanings;
	struct { const char **v; size_t n, cap; } options;
};
#endif
