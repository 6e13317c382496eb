#ifndef SHARD_FORMATS_VALUE_TREE_H
#define SHARD_FORMATS_VALUE_TREE_H
/*
 * A manifest as a tree of named values, whatever it is written in: JSON, TOML, XML, INI, lines, or
 * code as far as it is literal. Readers are tolerant: what they do not understand is left out, and
 * a file that is broken has what stands before the fault.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/budget.h"

struct arena;

struct value_node {
	/*
	 * key, element, attribute, function (without what is before its last dot); NULL: one of a list
	 */
	const char *name;
	const char *value;	/* text; NULL: none */
	bool word;		/* the value is a name of the program, not a text */
	uint32_t line;
	struct value_node *up, *child, *last, *next;
};

/* VALUE_TREE_MAX_DEPTH: as in budgets.def */
enum { VALUE_TREE_MAX_NODES = 100000, VALUE_TREE_MAX_DEPTH = 48 };

/* A root without name; everything is in the arena. */
struct value_tree {
	struct arena *a;
	size_t n;
	struct value_node *root;
	struct budget budget;	/* each look counts what it looks at */
};

/* A root alone, for a text of `n` bytes. */
void value_tree_init(struct value_tree *, size_t n, struct arena *);

/* A child at the end of `up`; NULL when there are too many, or too deep. */
struct value_node *value_tree_add(
    struct value_tree *, struct value_node *up, const char *name, const char *value, size_t line);

/* The first child of that name; NULL: there is none, or no budget left. */
struct value_node *value_tree_child(
    struct value_tree *, const struct value_node *, const char *name);

/* Readers; each fills root. */
typedef void value_tree_reader(struct value_tree *, const char *text, size_t n);
value_tree_reader value_tree_read_json, value_tree_read_toml, value_tree_read_xml;
/* [section], name = value, and the lines that go on below it as its children */
value_tree_reader value_tree_read_ini;
/* Gradle in both languages, Ruby, Python: calls, assignments, lists with literal values */
value_tree_reader value_tree_read_code;
/* module, require (name, version, indirect), replace (name, with, version) */
value_tree_reader value_tree_read_gomod;
/* a child for each line of pip that names something */
value_tree_reader value_tree_read_requirements;

/* The reader of a notation, or NULL. */
value_tree_reader *value_tree_reader_of(const char *notation);
#endif
