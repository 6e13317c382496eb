#ifndef SHARD_DEFINITIONS_CTAGS_CTAGS_INTERNAL_H
#define SHARD_DEFINITIONS_CTAGS_CTAGS_INTERNAL_H
/*
 * Between ctags_table.c, which reads lang/ctags.tab, ctags_definitions.c, which makes definitions
 * of what ctags says of a file, and ctags_positions.c: where they are.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/record/record.h"
#include "shard/definitions/ctags/ctags_definitions.h"

/* Of the file that ctags is asked about: some of its parsers make a name of it. */
#define CTAGS_FILE_STEM "atoll_stem"

/* What a word of ctags means; `lang` NULL: in every language. */
struct ctags_kind_rule {
	const char *lang, *word, *kind;	/* kind NULL: no symbol */
	bool callable;
	bool package;			/* names the file's package */
};

struct ctags_language {
	const char *ctags;		/* its name there; NULL: not asked */
	const char *name;		/* of the file that is asked about */
	const char *comment;		/* how a comment of one line begins; NULL */
	const char *split;		/* bytes that part a name: `M.f` */
	const char *hidden;		/* |-separated words of the first line of what is private */
	const char *refuse;		/* |-separated names that are none */
	/* |-separated kinds of ctags that stand outside of what they are named after */
	const char *apart;
	const char *local;		/* bytes before a name that is none */
	bool guess;			/* ends of definitions as ctags says them are wrong */
	bool flat;			/* scopes are no part of names: menus, regions of a file */
	bool whole;			/* a module goes on to the next one, and holds what has no scope */
};

struct ctags_definitions {
	struct arena *arena;
	struct ctags *ctags;
	struct ctags_language *of;		/* by row of langs.def */
	struct { struct ctags_kind_rule *v; size_t n, cap; } kind_rules;
	struct { const char **v; size_t n, cap; } options;
};

#define RECORD(r)               struct r {
#define FIELD(r, t, f, rule, d) t_##t f;
#define END(r)                  };
#define SUB(r, t, f, rule, d)
#define LIST(r, t, f, rule, d)
#include "shard/definitions/ctags/ctags_definitions.def"

/* A tag and where it is. */
struct located_tag {
	struct tag tag;
	const struct ctags_kind_rule *kind_rule;
	size_t order;
	uint32_t at, to;	/* bytes */
	uint32_t end;		/* line; 0: not known */
	/* what it is in; what it is named after, which may be over before it begins */
	int parent, named;
};

/* A file, and what ctags says of it. */
struct ctags_file {
	const struct ctags_definitions *t;
	size_t lang;
	const char *text;
	uint32_t n, lines;
	uint32_t *line;		/* offsets of lines, one more than there are */
	struct arena *a;
	const char *package;
	struct located_tag *v;
	size_t count, cap;
};

/*
 * Order what was read by place; find for each where it ends, its bytes, what it is in and what it
 * is named after.
 */
void ctags_find_positions(struct ctags_file *);

/* Whether it is a comment alone, of those that end with their line. */
bool ctags_is_comment_line(const struct ctags_file *, uint32_t line);
#endif
