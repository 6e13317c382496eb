#ifndef SHARD_SYNTAX_NODE_RULES_H
#define SHARD_SYNTAX_NODE_RULES_H
/*
 * The rules of a language, compiled from lang/<name>/nodes.tab: the meaning of each node type.
 * lang/NODES.md and USES.md describe the syntax.
 */

#include <stdbool.h>
#include <stddef.h>

#include "shard/syntax/syntax_tree.h"

struct err;

enum { PATH_STEPS = 6, MANY_NODES = 256 };

/*
 * A path from a node to nodes below it.  Each step is a field, a node type if the grammar has no
 * such field, or a position.
 */
struct node_path {
	struct {
		TSFieldId field;	/* 0 if no field has that name */
		bool node;		/* a node type has that name, too; used if the field is empty */
		TSSymbol token;		/* a word or sign; 0 if it is not one */
		TSSymbol symbol;	/* of `type`, if `node` */
		TSSymbol word;		/* of a word or sign with the same name; 0 if there is none */
		int nth;		/* 1 is the first named child, -1 the last */
		enum { STEP_CHILD, STEP_ANY, STEP_SELF, STEP_AROUND } kind;
		const char *type;
	} step[PATH_STEPS];
	int n;
	bool chain;		/* repeat the last step as long as it matches */
};

struct word_set {
	const char **v;
	size_t n;
};

/* The condition of a row: all tests must hold. */
struct condition {
	struct {
		struct node_path at;
		enum { TEST_THERE, TEST_ABSENT, TEST_TYPE, TEST_NOT_TYPE, TEST_TEXT,
		    TEST_NOT_TEXT } kind;
		const char *among;	/* |-separated types or texts */
		struct word_set texts;	/* the texts one by one */
		const bool *symbol;	/* for types: by symbol, whether it is one of them */
	} test[3];
	int n;
};

/* One way in which a node type is a definition; the first rule whose condition holds counts. */
struct def_rule {
	const char *kind, *member;	/* member: kind inside a type; NULL: the same */
	bool callable;
	bool minor;			/* a minor name (facts.h) where nothing else is defined */
	bool flat;			/* not part of the qualified names of definitions in it */
	bool each;			/* every name is a definition of its own, which spans only the name */
	bool top;			/* only outside functions */
	bool dotted;			/* the name may contain dots: a.b.c */
	bool visible;			/* exported, whatever words its head has */
	bool scoped;			/* the name is taken as written; its qualifier becomes a.b */
	bool docstring;			/* the body's first string is the doc */
	bool lift;			/* belongs to the type around the enclosing function; its contents do not */
	bool once;			/* only if there is no definition with that name */
	struct node_path name, body, value, owner, type;
	/* parameters and result of a function for which the grammar has no fields (Elixir) */
	struct node_path given, result;
	struct condition when;
	/* comma-separated words that the head must, or must not, contain; or NULL */
	const char *words, *without;
	const char *last, *notlast;	/* required or excluded type of the node with the name; or NULL */
	/* |-separated types of the node directly around it: a definition, wrapper or scope; or NULL */
	const char *within;
	const char *members;		/* visibility of members before the first section; or NULL */
	/* |-separated kinds of the enclosing definition; NULL: any */
	const char *in;
	struct def_rule *next;
};

enum value_op { VALUE_NONE, VALUE_TEXT, VALUE_JOIN, VALUE_INNER, VALUE_LAST, VALUE_EITHER,
    VALUE_CHOICE, VALUE_LIST, VALUE_FIELDS,
	VALUE_PARTS, VALUE_NAME, VALUE_CALL };

enum node_mark {
	MARK_WRAP = 1, /* a definition directly inside begins and ends with it */
	MARK_COMMENT = 2,
	MARK_SCOPE = 4, /* a function without a name: definitions in it are local */
	MARK_ANNOTATION = 8, /* not part of a signature */
	MARK_EXPORT = 16, /* a wrapper that exports */
	MARK_PIECE = 32, /* literal text within a string */
	MARK_ESCAPE = 64,
	MARK_HOLE = 128, /* an expression within a string */
	MARK_BIND = 256, /* assigns values to names without defining them */
	MARK_BEFORE = 512, /* a sibling that belongs to the definition after it */
	MARK_SECTION = 1024, /* sets the visibility of what follows */
	MARK_UNNAMED = 2048, /* hides its contents if it has no name */
	MARK_SPREAD = 4096, /* an argument that stands for any number of arguments */
	MARK_DELEGATE = 16384, /* passes arguments to the constructor of the base */
	MARK_TOKENS = 8192, /* the arguments of a macro: tokens that the grammar does not parse */
	MARK_CASE = 32768, /* a case of an expression that chooses among several values */
	MARK_GAPS = 65536 /* a string whose literal text stands between its parts */
};

/* The meaning of an expression; of several rules the first whose condition holds counts. */
struct expr_rule {
	enum expr_op { EXPR_NAME, EXPR_MEMBER, EXPR_CALL, EXPR_NEW, EXPR_INDEX, EXPR_INNER,
	    EXPR_CAST, EXPR_SUM } op;
	bool calls;			/* a call even without arguments */
	bool gives;			/* a function's name alone gives what it returns */
	struct node_path object, name, function, arguments, type, of, with;
	struct condition when;
	struct expr_rule *next;
};

struct type_rule {
	enum type_op {
		TYPE_NAME,
		TYPE_GENERIC,
		TYPE_MAKE,
		TYPE_INNER,
		TYPE_UNION,
		TYPE_TEXT,
		TYPE_NONE,
		TYPE_MEMBER,
		TYPE_ABSENT
	} op;
	struct node_path of, arguments, object, part[2];
	const char *word;
	int nparts;
};

/* How a node declares or assigns a local name. */
struct local_rule {
	struct node_path name, type, value, per, made;
	bool parameter, first, assign;
	bool again;			/* `when` is the same as in the rule before it */
	bool rest;			/* has many values of the type */
	bool inside;			/* only in functions */
	bool generic;			/* a type parameter */
	bool receiver;			/* the receiver of an extension function */
	bool block; /* what the function calls a literal on: BLOCK_LOCAL */
	bool unnamed;			/* a parameter without a name, which still counts */
	bool exported;			/* what the file gives its importers: EXPORTS_LOCAL */
	int element;			/* the number of the name that is an element of the value; 0: none */
	const char *notlast;		/* as in a def_rule */
	struct condition when;
	struct local_rule *next;
};

/* A call whose function literal is called on an object: with(x) { .. }, x.apply { .. } */
struct within_rule {
	struct node_path of, inside;
	bool block; /* `of` is called with the literal, and tells what that is called on */
	struct condition when;
	struct within_rule *next;
};

/* A key in a literal: the member of the literal's type that it sets. */
struct literal_key_rule {
	struct node_path name, of; /* of: the type */
	bool element; /* the literal is an element of one of that type */
	struct condition when;
	struct literal_key_rule *next;
};

struct pattern_rule {
	enum pattern_op { PATTERN_LIST, PATTERN_ELEMENTS, PATTERN_OBJECT, PATTERN_PAIR, PATTERN_INNER,
	    PATTERN_NAME, PATTERN_REST } op;
	struct node_path key, name;
};

/* An import statement (`module`), or one name of it (`path`). */
struct import_rule {
	struct node_path module, path, name, alias, prefix, again_if;
	bool all, again, include, split, first_name, whole, value;
	struct condition when;
	struct import_rule *next;
};

struct base_rule {
	struct node_path at, owner;
	int relation;			/* of struct base_type */
	struct condition when;
	struct base_rule *next;
};

/*
 * The meaning of names below a node.  REPORTED: the name of that node was reported already; UPPER:
 * names with a capital are values; RETURN: the result of a function, in which names keep their
 * meaning.
 */
enum claim { CLAIM_VALUE, CLAIM_TYPE, CLAIM_SKIP, CLAIM_REPORTED, CLAIM_UPPER, CLAIM_NONE,
    CLAIM_RETURN };
struct claim_rule {
	struct node_path at;
	enum claim claim;
	struct claim_rule *next;
};

/* The rules of one node type. */
struct node_rule {
	unsigned marks;
	struct def_rule *defs;
	enum value_op op;
	struct node_path bind_name, bind_value;	/* MARK_BIND */
	struct condition bind_when;	/* MARK_BIND */
	bool bind_member;		/* MARK_BIND: the name is that of a member of any type */
	bool bind_slash;		/* MARK_BIND: only a slash behind the value counts */
	struct node_path case_value, case_pattern; /* MARK_CASE */
	struct node_path exports;		/* names below it are exported; n == 0: none */
	struct node_path exports_when;
	const char *exports_text;	/* required text of the node at exports_when; NULL: any */
	/* callables in it are methods of the type at `extends`, exported if `opens` finds a node */
	struct node_path extends, opens;
	const char *section;		/* MARK_SECTION: |-separated allowed texts; NULL: any */
	struct expr_rule *exprs;
	struct type_rule *type;
	struct local_rule *locals;
	struct within_rule *within;
	struct literal_key_rule *keys;
	struct pattern_rule *pattern;
	struct import_rule *imports, *parts;
	struct base_rule *bases;
	struct claim_rule *claims;
	struct node_path *returns, *returns_else, *package;
};

enum export_rule {
	EXPORT_ALL, EXPORT_UPPER, EXPORT_PUBLIC, EXPORT_PUB, EXPORT_WRAPPED, EXPORT_PLAIN,
	    EXPORT_NOT_STATIC, EXPORT_VISIBLE
};

/* How a call computes a string. */
struct call_rule {
	const char *name;		/* as written before the arguments; `.x`: any call of a member x */
	enum call_how {
		CALL_PRINTF,
		CALL_BRACE,
		CALL_DEFAULT,
		CALL_FIRST,
		CALL_JOIN,
		CALL_BASE,
		CALL_REPLACE,
		CALL_MERGE,
		CALL_RESOLVE,
		CALL_LIST,
		CALL_SAME,
		CALL_APPEND,
		CALL_SEGMENTS,
		CALL_HOST,
		CALL_ENV,
		CALL_PATHS,
		CALL_EITHER,
		CALL_AND,
		CALL_CONFIG,
		CALL_SECTION,
		CALL_SEGMENT,
		CALL_BARE,
		CALL_MEMBER,
		CALL_ELEMENTS,
		CALL_RESOLVE_ALL,
		CALL_URL,
		CALL_SWAP,
		CALL_CONCAT,
		CALL_COLLECT,
		CALL_SEPARATED,
		CALL_LISTED,
		CALL_BLOCK,
		CALL_PAIRS,
		CALL_PAIR,
		CALL_ITEMS,
		CALL_BELOW,
		CALL_CONTENTS,
		CALL_PATH,
		CALL_NOTHING
	} how;
};

struct rules {
	struct arena *arena;
	const TSLanguage *grammar;
	struct node_rule **of;		/* by symbol; NULL if there are no rules for it */
	uint32_t nsymbols;
	TSFieldId parameters, parameter, body;	/* of functions; 0 if the grammar has no such field */
	bool withins;			/* whether there are `within` rows */
	enum export_rule exported;
	struct word_set hidden;		/* words in a head that make a member private */
	/* beginnings of dotted names that mean `exported` and are dropped */
	struct word_set cut;
	struct word_set inner;		/* parts of dotted names that become one dot */
	struct word_set refuse;		/* beginnings of dotted names that are not definitions */
	struct word_set letters;		/* characters of names besides letters, digits, _ and $ */
	/* names of methods that create an instance; `=`: the name of the type */
	struct word_set constructors;
	struct word_set before_names;	/* words before the name of a type; macros may be between */
	struct word_set before_types;	/* words before a type in a declaration; likewise */
	/* after `#` at the beginning of a line: directives of conditional compilation */
	struct word_set directives;
	struct word_set no_types;		/* words that are neither a type nor its end */
	struct word_set closing;		/* ends of definitions without a body */
	struct word_set tests;		/* beginnings of names of tests */
	struct word_set test_types;	/* ends of names of types that are tests */
	struct word_set test_words;	/* a test's head must contain one of these, if there are any */
	struct word_set self, super;	/* names of the object itself, and of its base */
	struct word_set name_ends;		/* signs that a name may end with */
	/* tags of doc comments that tell types, and names there that tell none */
	struct word_set doc_field, doc_result, doc_parameter, doc_none;
	struct word_set null;		/* types without meaning, such as null */
	struct word_set path_of;	/* members of a URL that are its path */
	struct word_set asked;		/* dotted names of the URL that a handler was requested with */
	/* dotted names whose members or elements are environment variables */
	struct word_set env;
	bool sections;			/* configuration has sections, to which objects may be bound */
	struct word_set apply;	/* functions that call their second argument with the first */
	struct word_set fluent;		/* methods that return the object on which they are called */
	struct word_set called;		/* node type that may enclose the called expression in queries */
	struct word_set placeholders;	/* if not empty, strings contain ${settings} */
	/* kinds of members that derived types may override; if empty, all */
	struct word_set replaced;
	/* words that begin a line but belong to the head of the class above (line_ends.h) */
	struct word_set join;
	/* pairs of a word that a grammar does not know before the other one (line_ends.h) */
	struct word_set omit;
	/* words that are never names; by symbol of the grammar, NULL if there are none */
	struct word_set reserved;
	const bool *is_reserved;
	/* signs of annotations on a line of their own (line_ends.h) */
	struct word_set carry;
	/* by symbol: what a word begins, or parameters follow, beside a syntax error; NULL if nothing */
	const char **broken;
	struct word_set macros;		/* what defines macros by example (macro_expansion.h) */
	struct word_set drop;		/* generic types that are replaced by their argument */
	bool tokens;			/* some rule has MARK_TOKENS */
	struct { struct call_rule *v; size_t n; } calls;
	struct word_set folders;		/* of lang/ that were read: this one and the included ones */
};

/*
 * The rules for `grammar` from the embedded file lang/<folder>/nodes.tab.  NULL with INTERNAL,
 * which names the line.
 */
struct rules *rules_new(const char *folder, const TSLanguage *grammar, struct err *);
void rules_free(struct rules *);	/* NULL is fine */

/* The rule of a node type, or of a node's, or NULL. */
static inline const struct node_rule *rules_symbol(const struct rules *r, TSSymbol s)
{
	if (s < r->nsymbols)
		return r->of[s];
	return NULL;
}

static inline const struct node_rule *rules_of(const struct rules *r, TSNode n)
{
	return rules_symbol(r, ts_node_symbol(n));
}

/* The first node at the end of a path, or a null node. */
TSNode node_path_get(const struct node_path *, TSNode);

/* What the function around a node returns because of it, by the node's rule, or a null node. */
TSNode node_returned(const struct node_rule *, TSNode);

/* Whether a child, which is in `field` of its parent, matches a step of the path. */
bool node_path_step_matches(const struct node_path *, int step, TSFieldId field, TSNode child);
/* Store at most `max` nodes at the end of a path, in order; returns how many were stored. */
size_t node_path_all(const struct node_path *, TSNode, TSNode *out, size_t max);

/*
 * Repeat the last step of a path with `*`, from a node at its end, as long as it matches.  Returns
 * the last node; sets *holder to the node before it, if there is one.
 */
TSNode node_path_follow(const struct node_path *, TSNode, TSNode *holder);

/* Whether all tests of the condition hold at the node. */
bool condition_holds(const struct condition *, const struct syntax_tree *, TSNode);

/* The first expression rule of a node whose condition holds, or NULL. */
const struct expr_rule *rules_expr(const struct syntax_tree *, TSNode);

/* Whether the set contains these bytes as a word. */
bool word_set_has(const struct word_set *, const char *, size_t n);

/* Whether `type` is one of the |-separated `types`. */
bool type_in_list(const char *type, const char *types);
#endif
