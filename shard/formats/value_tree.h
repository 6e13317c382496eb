#ifndef SHARD_FORMATS_VALUE_TREE_H
#define SHARD_FORMATS_VALUE_TREE_H
/*
 * A manifest as a tree of named values, whatever it is written in: JSON, TOML, XML, INI, lines, or code as far as it is literal.
 * Readers are tolerant: what they do not understand is left out, and a file that is broken has what stands before the fault.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/budget.h"

struct arena;

struct item {
	const char *name;	/* key, element, attribute, function (without what is before its last dot); NULL: one of a list */
	const char *value;	/* text; NULL: none */
	bool word;		/* the value is a name of the program, not a text */
	uint32_t line;
	struct item *up, *child, *last, *next;
};

enum { ITEMS_MOST = 100000, ITEMS_DEEP = 48 };	/* ITEMS_DEEP: as in budgets.def */

/* A root without name; everything is in the arena. */
struct items {
	struct arena *a;
	size_t n;
	struct item *root;
	struct budget budget;	/* each look counts what it looks at */
};

/* A root alone, for a text of `n` bytes. */
void items_begin(struct items *, size_t n, struct arena *);

/* A child at the end of `up`; NULL when there are too many, or too deep. */
struct item *items_add(struct items *, struct item *up, const char *name, const char *value, size_t line);

/* The first child of that name; NULL: there is none, or no budget left. */
struct item *items_child(struct items *, const struct item *, const char *name);

/* Readers; each fills root. */
typedef void items_reader(struct items *, const char *text, size_t n);
items_reader items_json, items_toml, items_xml;
items_reader items_ini;			/* [section], name = value, and the lines that go on below it as its children */
items_reader items_code;		/* Gradle in both languages, Ruby, Python: calls, assignments, lists with literal values */
items_reader items_gomod;		/* module, require (name, version, indirect), replace (name, with, version) */
items_reader items_requirements;	/* a child for each line of pip that names something */

/* The reader of a notation, or NULL. */
items_reader *items_of(const char *notation);
#endif
