#ifndef SHARD_FORMATS_VALUE_TREE_H
#define SHARD_FORMATS_VALUE_TREE_H
/*
 * A manifest as a tree of named values, read from JSON, TOML, XML, INI, lines, or literal code.
 * Readers are tolerant: they leave out what they do not understand, and a broken file yields the
 * values before the error.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/budget.h"

struct arena;

struct value_node {
	/*
	 * key, element, attribute, or function (the part after its last dot); NULL for an element of a
	 * list
	 */
	const char *name;
	const char *value;	/* text, or NULL */
	bool word;		/* the value is an identifier of the program, not a text */
	uint32_t line;
	struct value_node *up, *child, *last, *next;
};

/* VALUE_TREE_MAX_DEPTH: as in budgets.def */
enum { VALUE_TREE_MAX_NODES = 100000, VALUE_TREE_MAX_DEPTH = 48 };

/* The root has no name.  All memory belongs to the arena. */
struct value_tree {
	struct arena *a;
	size_t n;
	struct value_node *root;
	struct budget budget;	/* each lookup spends the number of nodes that it visits */
};

/* Begin a tree, with only a root, for a text of `n` bytes. */
void value_tree_init(struct value_tree *, size_t n, struct arena *);

/* Append a child to `up`.  NULL if there are too many nodes or levels. */
struct value_node *value_tree_add(
    struct value_tree *, struct value_node *up, const char *name, const char *value, size_t line);

/* The first child with that name; NULL if there is none or the budget is exceeded. */
struct value_node *value_tree_child(
    struct value_tree *, const struct value_node *, const char *name);

/* The readers.  Each adds the values of a text below the root. */
typedef void value_tree_reader(struct value_tree *, const char *text, size_t n);
value_tree_reader value_tree_read_json, value_tree_read_toml, value_tree_read_xml;
/* [section], name = value, and the continuation lines of a value as its children */
value_tree_reader value_tree_read_ini;
/* Gradle in both languages, Ruby, Python: calls, assignments, lists with literal values */
value_tree_reader value_tree_read_code;
/* module, require (name, version, indirect), replace (name, with, version) */
value_tree_reader value_tree_read_gomod;
/* a child for each line of requirements.txt that names a package */
value_tree_reader value_tree_read_requirements;
/* Each line is below the line above that is indented less: `name value`, `name (value)`, `names:` */
value_tree_reader value_tree_read_indented;

/* The reader of a notation, or NULL. */
value_tree_reader *value_tree_reader_of(const char *notation);
#endif
