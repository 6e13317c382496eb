#ifndef SHARD_RULES_H
#define SHARD_RULES_H
/*
 * The rules of a language, compiled from lang/<name>/nodes.tab: what each node type means.  lang/README.md has the
 * syntax.
 */

#include <stdbool.h>
#include <stddef.h>

#include "shard/tree.h"

struct err;

/* A way from a node to nodes below it: fields (or node types where the grammar has no such field). */
struct path {
	struct { TSFieldId field; const char *type; } step[3];
	int n;
	bool chain;		/* follow the last step as long as it leads on */
};

/* One way in which a node type is a definition; the first that fits counts. */
struct def_rule {
	const char *kind, *member;	/* member: kind inside a type; NULL: the same */
	bool callable;
	bool flat;			/* not a parent of names */
	bool each;			/* every name is a definition of its own, as long as the name */
	bool top;			/* only outside functions */
	bool dotted;			/* the name may hold dots: a.b.c */
	bool scoped;			/* the name is taken as written; what qualifies it becomes a.b */
	bool docstring;			/* the body's first string is the doc */
	struct path name, body, value, owner, when;
	const char *when_types;		/* |-separated types that the node at `when` may have; NULL: no condition */
	const char *words, *without;	/* comma-separated words that the head must, must not hold; NULL */
	const char *last, *notlast;	/* type of the node that holds the name; NULL */
	const char *members;		/* the visibility of members before any section; NULL: none */
	struct def_rule *next;
};

enum value_op { VALUE_NONE, VALUE_TEXT, VALUE_JOIN, VALUE_INNER, VALUE_NAME, VALUE_CALL };

enum node_mark {
	MARK_WRAP = 1,		/* a definition right inside begins and ends with it */
	MARK_COMMENT = 2,
	MARK_SCOPE = 4,		/* a function without a name: what is in it is local */
	MARK_ANNOTATION = 8,	/* not part of a signature */
	MARK_EXPORT = 16,	/* a wrapper that exports */
	MARK_PIECE = 32,	/* literal text within a string */
	MARK_ESCAPE = 64,
	MARK_HOLE = 128,	/* an expression within a string */
	MARK_BIND = 256,	/* gives names values, though it defines nothing */
	MARK_BEFORE = 512,	/* a sibling that belongs to the definition after it */
	MARK_SECTION = 1024,	/* says what visibility follows */
	MARK_UNNAMED = 2048	/* what is in it is hidden, when it has no name */
};

/* What one node type is. */
struct node_rule {
	unsigned marks;
	struct def_rule *defs;
	enum value_op op;
	struct path bind_name, bind_value;	/* MARK_BIND */
	struct path exports;		/* names below it are exported; n == 0: no */
	struct path exports_when;
	const char *exports_text;	/* the text that the node at exports_when must have; NULL: any */
	struct path extends, opens;	/* callables in it are methods of the type there; visible if there is a node at `opens` */
	const char *section;		/* MARK_SECTION: |-separated texts that it may have; NULL: any */
};

enum export_rule {
	EXPORT_ALL, EXPORT_UPPER, EXPORT_PUBLIC, EXPORT_PUB, EXPORT_WRAPPED, EXPORT_PLAIN, EXPORT_NOT_STATIC, EXPORT_VISIBLE
};

struct words {
	const char **v;
	size_t n;
};

/* How a call makes a string. */
struct call_rule {
	const char *name;		/* as written before the argument list; `.x`: any call of a member x */
	enum { CALL_PRINTF, CALL_BRACE, CALL_DEFAULT, CALL_FIRST } how;
};

struct rules {
	struct arena *arena;
	const TSLanguage *grammar;
	struct node_rule **of;		/* by symbol; NULL: means nothing */
	uint32_t nsymbols;
	enum export_rule exported;
	struct words hidden;		/* words in a head that make a member private */
	struct words cut;		/* beginnings of dotted names that mean `exported` and are dropped */
	struct words inner;		/* parts of dotted names that become one dot */
	struct words refuse;		/* beginnings of dotted names that define nothing */
	struct words letters;		/* what names hold besides letters, digits, _ and $ */
	struct words constructors;	/* names of methods that make an instance; `=`: the name of the type */
	struct words tests;		/* beginnings of names of tests */
	struct words test_words;	/* one of these must be in a test's head; none: no condition */
	struct { struct call_rule *v; size_t n; } calls;
	struct words folders;		/* of lang/ that were read: this one and those included */
};

/* The rules for `grammar` from the embedded file lang/<folder>/nodes.tab; NULL with INTERNAL naming the line. */
struct rules *rules_new(const char *folder, const TSLanguage *grammar, struct err *);
void rules_free(struct rules *);	/* NULL is fine */

/* The rule of a node's type, or NULL. */
static inline const struct node_rule *rules_of(const struct rules *r, TSNode n)
{
	TSSymbol s = ts_node_symbol(n);

	return s < r->nsymbols ? r->of[s] : NULL;
}

/* The node at the end of a path, null when there is none. */
TSNode path_get(const struct path *, TSNode);

/* Whether a child, in `field` of its parent, is one to which the step leads. */
bool path_step_is(const struct path *, int step, TSFieldId field, TSNode child);

/* Whether `type` is one of the |-separated `types`. */
bool type_among(const char *type, const char *types);
#endif
