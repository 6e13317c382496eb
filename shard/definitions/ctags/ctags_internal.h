#ifndef SHARD_DEFINITIONS_CTAGS_CTAGS_INTERNAL_H
#define SHARD_DEFINITIONS_CTAGS_CTAGS_INTERNAL_H
/*
 * Shared by ctags_table.c, which reads lang/ctags.tab, ctags_definitions.c, which turns the tags
 * of a file into definitions, and ctags_positions.c, which finds out where they are.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/record/record.h"
#include "shard/definitions/ctags/ctags_definitions.h"

/* The stem of the file name that ctags receives: some of its parsers derive a name from it. */
#define CTAGS_FILE_STEM "atoll_stem"

/* What a kind of ctags means; if `lang` is NULL, in every language. */
struct ctags_kind_rule {
	const char *lang, *word, *kind;	/* `kind` is NULL if it is not a symbol */
	bool callable;
	bool package;			/* names the file's package */
	bool minor;			/* its names are minor ones (facts.h) */
};

struct ctags_language {
	const char *ctags;		/* the name in ctags; NULL if ctags is not used for it */
	const char *name;		/* the file name that ctags receives */
	const char *comment;		/* how a line comment begins; or NULL */
	const char *split;		/* bytes that separate the parts of a name: `M.f` */
	const char *hidden;		/* |-separated words that mark a first line as private */
	const char *refuse;		/* |-separated names to ignore */
	const char *apart;		/* |-separated kinds that are outside the scope they name */
	const char *local;		/* bytes that mark the name after them as local */
	bool guess;			/* the ends that ctags reports are wrong */
	bool flat;			/* scopes do not qualify names: menus, regions of a file */
	bool quotes;			/* names stand in any of "x", `x` and [x]; ctags knows the first */
	bool whole;			/* a module extends to the next one, and holds what has no scope */
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
	uint32_t end;		/* line; 0 = unknown */
	/* the tag around it, and the tag that qualifies its name, which may end before it; or -1 */
	int parent, named;
};

/* A file and its tags. */
struct ctags_file {
	const struct ctags_definitions *t;
	size_t lang;
	const char *text;
	uint32_t n, lines;
	uint32_t *line;		/* offsets of lines, and the end of the text */
	struct arena *a;
	const char *package;
	struct located_tag *v;
	size_t count, cap;
	size_t compared;	/* tags that were compared with scopes */
};

/* Sort the tags by place; find the end, the bytes, the parent and the qualifying tag of each. */
void ctags_find_positions(struct ctags_file *);

/* Whether the line contains only a line comment. */
bool ctags_is_comment_line(const struct ctags_file *, uint32_t line);
#endif
