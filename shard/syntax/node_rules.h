#ifndef SHARD_SYNTAX_NODE_RULES_H
#define SHARD_SYNTAX_NODE_RULES_H
/*
 * The rules of a language, compiled from lang/<name>/nodes.tab: what each node type means.
 * lang/NODES.md and USES.md have the syntax.
 */

#include <stdbool.h>
#include <stddef.h>

#include "shard/syntax/syntax_tree.h"

struct err;

enum { PATH_STEPS = 6, MANY_NODES = 256 };

/*
 * A way from a node to nodes below it: fields, node types where the grammar has no such field, or
 * positions.
 */
struct node_path {
	struct {
		TSFieldId field;	/* 0: none of that name */
		bool node;		/* node types have that name, too: second choice */
		TSSymbol token;		/* a word or sign; 0: not one */
		TSSymbol symbol;	/* of `type`, if `node` */
		TSSymbol word;		/* the same of a word or sign that is called like it; 0: none is */
		int nth;		/* 1 is the first named child, -1 the last */
		enum { STEP_CHILD, STEP_ANY, STEP_SELF, STEP_AROUND } kind;
		const char *type;
	} step[PATH_STEPS];
	int n;
	bool chain;		/* follow the last step as long as it leads on */
};

struct word_set {
	const char **v;
	size_t n;
};

/* When a row holds: each test does. */
struct condition {
	struct {
		struct node_path at;
		enum { TEST_THERE, TEST_ABSENT, TEST_TYPE, TEST_NOT_TYPE, TEST_TEXT } kind;
		const char *among;	/* |-separated types or texts */
		struct word_set texts;	/* of texts: one by one */
		const bool *symbol;	/* of types: by symbol, whether it is one */
	} test[3];
	int n;
};

/* One way in which a node type is a definition; the first that fits counts. */
struct def_rule {
	const char *kind, *member;	/* member: kind inside a type; NULL: the same */
	bool callable;
	bool flat;			/* not a parent of names */
	bool each;			/* every name is a definition of its own, as long as the name */
	bool top;			/* only outside functions */
	bool dotted;			/* the name may hold dots: a.b.c */
	bool visible;			/* whatever its head says */
	bool scoped;			/* the name is taken as written; what qualifies it becomes a.b */
	bool docstring;			/* the body's first string is the doc */
	bool lift;			/* of the type around the function it stands in; what is in it is not */
	bool once;			/* not when there is one of that name */
	struct node_path name, body, value, owner, type;
	/* parameters, and what it gives back, of a function that no field tells apart (Elixir) */
	struct node_path given, result;
	struct condition when;
	/* comma-separated words that the head must, must not hold; NULL */
	const char *words, *without;
	const char *last, *notlast;	/* type of the node that holds the name; NULL */
	/* |-separated types of what it must stand right in: a definition, wrapper or scope; NULL */
	const char *within;
	const char *members;		/* the visibility of members before any section; NULL: none */
	/* |-separated kinds of which the definition around must be; NULL: any */
	const char *in;
	struct def_rule *next;
};

enum value_op { VALUE_NONE, VALUE_TEXT, VALUE_JOIN, VALUE_INNER, VALUE_LAST, VALUE_EITHER,
    VALUE_CHOICE, VALUE_LIST, VALUE_FIELDS,
	VALUE_PARTS, VALUE_NAME, VALUE_CALL };

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
	MARK_UNNAMED = 2048,	/* what is in it is hidden, when it has no name */
	MARK_SPREAD = 4096,	/* an argument that stands for any number */
	MARK_DELEGATE = 16384,	/* hands arguments to the constructor of the base */
	MARK_TOKENS = 8192	/* tokens that no grammar reads: what a macro is called with */
};

/* What an expression is; of several for a node type the first that fits. */
struct expr_rule {
	enum expr_op { EXPR_NAME, EXPR_MEMBER, EXPR_CALL, EXPR_NEW, EXPR_INDEX, EXPR_INNER,
	    EXPR_CAST } op;
	bool calls;			/* alone it is a call */
	struct node_path object, name, function, arguments, type, of, with;
	struct condition when;
	struct expr_rule *next;
};

struct type_rule {
	enum type_op { TYPE_NAME, TYPE_GENERIC, TYPE_MAKE, TYPE_INNER, TYPE_UNION, TYPE_TEXT, TYPE_NONE,
	    TYPE_MEMBER } op;
	struct node_path of, arguments, object, part[2];
	const char *word;
	int nparts;
};

/* How a node that gives a name to a value does so. */
struct local_rule {
	struct node_path name, type, value, per, made;
	bool parameter, first, assign;
	bool again;			/* `when` is that of the row before it */
	bool rest;			/* holds many of the type */
	bool inside;			/* only in functions */
	bool generic;			/* a type parameter */
	bool receiver;			/* what an extension is called on */
	int element;			/* which name has an element of the value; 0: none has */
	const char *notlast;		/* as of a def_rule */
	struct condition when;
	struct local_rule *next;
};

struct pattern_rule {
	enum pattern_op { PATTERN_LIST, PATTERN_ELEMENTS, PATTERN_OBJECT, PATTERN_PAIR, PATTERN_INNER,
	    PATTERN_NAME, PATTERN_REST } op;
	struct node_path key, name;
};

/* An import statement (`module`), or one name of it (`path`). */
struct import_rule {
	struct node_path module, path, name, alias, prefix, again_if;
	bool all, again, include, split, first_name, whole;
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
 * How names below some place are seen; TOLD: that node's name was, UPPER: those with a capital are
 * values, RETURN: a function's result, in which they are as they would be.
 */
enum claim { CLAIM_VALUE, CLAIM_TYPE, CLAIM_SKIP, CLAIM_REPORTED, CLAIM_UPPER, CLAIM_NONE,
    CLAIM_RETURN };
struct claim_rule {
	struct node_path at;
	enum claim claim;
	struct claim_rule *next;
};

/* What one node type is. */
struct node_rule {
	unsigned marks;
	struct def_rule *defs;
	enum value_op op;
	struct node_path bind_name, bind_value;
	bool bind_member;		/* the name is that of a member,
	    whatever type has it */	/* MARK_BIND */
	struct node_path exports;		/* names below it are exported; n == 0: no */
	struct node_path exports_when;
	const char *exports_text;	/* the text that the node at exports_when must have; NULL: any */
	/* callables in it are methods of the type there; visible if there is a node at `opens` */
	struct node_path extends, opens;
	const char *section;		/* MARK_SECTION: |-separated texts that it may have; NULL: any */
	struct expr_rule *exprs;
	struct type_rule *type;
	struct local_rule *locals;
	struct pattern_rule *pattern;
	struct import_rule *imports, *parts;
	struct base_rule *bases;
	struct claim_rule *claims;
	struct node_path *returns, *package;
};

enum export_rule {
	EXPORT_ALL, EXPORT_UPPER, EXPORT_PUBLIC, EXPORT_PUB, EXPORT_WRAPPED, EXPORT_PLAIN,
	    EXPORT_NOT_STATIC, EXPORT_VISIBLE
};

/* How a call makes a string. */
struct call_rule {
	const char *name;		/* as written before the argument list; `.x`: any call of a member x */
	enum call_how { CALL_PRINTF, CALL_BRACE, CALL_DEFAULT, CALL_FIRST, CALL_JOIN, CALL_BASE,
		CALL_REPLACE, CALL_MERGE, CALL_RESOLVE, CALL_LIST, CALL_SAME, CALL_APPEND, CALL_SEGMENTS,
		    CALL_HOST, CALL_ENV,
		CALL_PATHS, CALL_EITHER, CALL_AND, CALL_CONFIG, CALL_SECTION, CALL_SEGMENT, CALL_BARE } how;
};

struct rules {
	struct arena *arena;
	const TSLanguage *grammar;
	struct node_rule **of;		/* by symbol; NULL: means nothing */
	uint32_t nsymbols;
	TSFieldId parameters, parameter, body;	/* of functions; 0: the grammar has no such field */
	enum export_rule exported;
	struct word_set hidden;		/* words in a head that make a member private */
	/* beginnings of dotted names that mean `exported` and are dropped */
	struct word_set cut;
	struct word_set inner;		/* parts of dotted names that become one dot */
	struct word_set refuse;		/* beginnings of dotted names that define nothing */
	struct word_set letters;		/* what names hold besides letters, digits, _ and $ */
	/* names of methods that make an instance; `=`: the name of the type */
	struct word_set constructors;
	struct word_set before_names;	/* words that a type's name follows; macros may stand between */
	struct word_set before_types;	/* words of a declaration that a type follows; likewise */
	/* behind `#` at the beginning of a line: it says which lines count */
	struct word_set directives;
	struct word_set no_types;		/* words that are no type, nor its end */
	struct word_set closing;		/* what ends a definition without a body */
	struct word_set tests;		/* beginnings of names of tests */
	struct word_set test_types;	/* ends of names of types that are tests */
	struct word_set test_words;	/* one of these must be in a test's head; none: no condition */
	struct word_set self, super;	/* what means the object itself, its base */
	struct word_set name_ends;		/* signs that a name may end with */
	struct word_set null;		/* types that mean nothing */
	struct word_set asked;		/* dotted names that are the URL which a handler is asked for */
	/* dotted names whose members or elements are environment variables */
	struct word_set env;
	bool sections;			/* a configuration is read by sections, which objects may be bound to */
	struct word_set fluent;		/* methods that give back what they are called on */
	struct word_set called;		/* a node type that queries look through around what is called */
	struct word_set placeholders;	/* not empty: strings hold ${settings} */
	/* kinds of members that derived types may say in place of the base; none: any */
	struct word_set replaced;
	/* what may begin a line and belong to the head of a class above (line_ends.h) */
	struct word_set join;
	/* signs of annotations that stand above what they belong to (line_ends.h) */
	struct word_set carry;
	struct word_set drop;		/* generic types that mean their argument */
	bool tokens;			/* there are nodes whose tokens no grammar reads */
	struct { struct call_rule *v; size_t n; } calls;
	struct word_set folders;		/* of lang/ that were read: this one and those included */
};

/*
 * The rules for `grammar` from the embedded file lang/<folder>/nodes.tab; NULL with INTERNAL
 * naming the line.
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

/* The first node at the end of a path, null when there is none. */
TSNode node_path_get(const struct node_path *, TSNode);

/* Whether a child, in `field` of its parent, is one to which the step leads. */
bool node_path_step_matches(const struct node_path *, int step, TSFieldId field, TSNode child);
/* Every node at the end of a path, in order, `max` at most; how many. */
size_t node_path_all(const struct node_path *, TSNode, TSNode *out, size_t max);

/*
 * Where a path with `*` leads from a node that its last step led to; `*holder`: the node before,
 * when it leads on.
 */
TSNode node_path_follow(const struct node_path *, TSNode, TSNode *holder);

/* Whether each test of the condition holds at the node. */
bool condition_holds(const struct condition *, const struct syntax_tree *, TSNode);

/* The expression rule of a node that fits, or NULL. */
const struct expr_rule *rules_expr(const struct syntax_tree *, TSNode);

/* Whether one of the words is these bytes. */
bool word_set_has(const struct word_set *, const char *, size_t n);

/* Whether `type` is one of the |-separated `types`. */
bool type_in_list(const char *type, const char *types);
#endif
